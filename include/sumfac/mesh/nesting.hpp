// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Coarser meshes found in one that was made without: those that it could have been cut from.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/mesh/element_order.hpp>
#include <sumfac/mesh/mesh.hpp>
#include <sumfac/mesh/parts/parent_finder.hpp>
#include <sumfac/mesh/refined.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

// The meshes that another one could have been cut from by refined(), and what has been done to it so that it is.
//
// Elements are grouped in 2^D around a vertex, all of them, and the larger ones that are made so again, as often as
// that works: on meshes of blocks, however these meet and elements are numbered and turned, as often as the blocks'
// sides can be halved. mesh() has the same elements with the same nodes, but those of a group one behind the other and
// turned to lie as the larger element does; data of elements follow by order() and turn(). Nodes of larger elements are
// interpolated from those of their parts; where the mesh's lie on a curve, so do these.
//
// Larger elements are whole on each side of a period. The search ends where a row of elements is odd in number, where
// the mesh hangs, or its nodes lie on edges differently from both ends; where a larger one would be its own neighbour
// around a period, would have sides or elements some of whose parts have a name and others do not, or would be folded
// or flat. That is no error: report() says it.
// **Work** a few times that of making the mesh from a table.
template <int Directions, int Coordinates = Directions>
class nesting {
  using mesh_type = sumfac::mesh<Directions, Coordinates>;
  using finder = detail::parent_finder<Directions>;
  using turn_type = detail::element_turn<Directions>;
  static constexpr int parts = 1 << Directions, sides = 2 * Directions;

public:
  explicit nesting(sumfac::mesh<Directions, Coordinates> const& of)
      : mesh_(of), order_(in_order(of.elements())), turns_(static_cast<std::size_t>(of.elements()))
  {
    std::string why;
    auto const places = groups(of, why);
    if (static_cast<int>(places.size()) > count()) take(of, places, why);
    for (auto const* one = &mesh_; one != nullptr; one = one->coarser())
      report_ += (report_.empty() ? "" : ", ") + std::to_string(one->elements());
    report_ += " elements; no coarser mesh: " + why;
  }

  // The mesh with those that were found, mesh().coarser() and so on; as it was, where it knows as many, or none are.
  sumfac::mesh<Directions, Coordinates> const& mesh() const { return mesh_; }
  int count() const  // of coarser ones
  {
    int count = 0;
    for (auto const* one = mesh_.coarser(); one != nullptr; one = one->coarser()) ++count;
    return count;
  }
  // Of how many elements they are, and why there is no coarser one, with elements' numbers in the mesh before.
  std::string const& report() const { return report_; }

  // Where elements stand now: order().element_at(e) is what element e of mesh() was before, order().apply(in, out)
  // brings what elements have along.
  element_order const& order() const { return order_; }
  // The side of mesh() that one of the mesh before is.
  //
  // **Errors** argument_error for one that does not exist.
  element_side side(element_side const& before) const
  {
    detail::check_side("nesting::side", before, mesh_.elements(), sides);
    index_t const e = order_.place_of(before.element);
    return {e, turns_[static_cast<std::size_t>(e)].side(before.side)};
  }
  // What elements have at nodes or points that lie symmetrically on edges, in the order of mesh() and turned as its
  // elements are: a restriction's table, coefficients by point.
  //
  // **Shapes** in and out (E, n, n, n), (E, n, n), (E, n), or with one more extent behind.
  // **Errors** those of element_order::apply; another extent than n.
  template <class In, class Out>
  void turn(In const& in, Out const& out) const
  {
    constexpr bool fits = is_view<In> && is_view<Out>;
    static_assert(fits, "sumfac::nesting::turn: in and out must be sumfac::view");
    if constexpr (fits) {
      constexpr bool has_places = In::rank() == Directions + 1 || In::rank() == Directions + 2;
      static_assert(has_places,
                    "sumfac::nesting::turn: what elements have at nodes or points is of shape (E, n, n, n) of "
                    "hexahedra, (E, n, n) of quadrilaterals, (E, n) of lines, or with one more extent behind");
      if constexpr (has_places) {
        for (int d = 1; d < Directions; ++d)
          check_equal("nesting::turn", "another extent of in (nodes or points along an edge)", in.extent(1),
                      in.extent(d + 1));
        order_.apply(in, out);
        turn_in_place(out);
      }
    }
  }

private:
  using levels = detail::own_vector<detail::own_vector<detail::place_in_parent<Directions>>>;

  static detail::own_vector<index_t> in_order(index_t elements)
  {
    detail::own_vector<index_t> list;
    list.reserve(static_cast<std::size_t>(elements));
    for (index_t e = 0; e < elements; ++e) list.push_back(e);
    return list;
  }
  static std::vector<index_t> first_parts(index_t parents)
  {
    std::vector<index_t> first;
    for (index_t e = 0; e <= parents; ++e) first.push_back(e * parts);
    return first;
  }

  // Elements of each mesh in those of the next one, from the finest on.
  static levels groups(mesh_type const& of, std::string& why)
  {
    levels found;
    if (of.elements() == 0) why = "there are no elements";
    if (!of.hanging().empty()) why = "the mesh hangs";
    if (!of.node_set().is_symmetric()) why = "mesh nodes lie on edges differently from both ends";
    auto names = in_order(of.elements());
    detail::own_vector<std::uint8_t> periods(names.size(), 0);
    auto const apart = [&](index_t e, int v, index_t other, int w) {
      double off = 0, length = 0;  // of an edge of e that is there
      for (int c = 0; found.empty() && c < Coordinates; ++c) {
        double const x = of.vertex_at(e, v)[c], dx = of.vertex_at(other, w)[c] - x,
                     edge = of.vertex_at(e, v ^ 1)[c] - x;
        off += dx * dx, length += edge * edge;
      }
      return off > 1e-4 * length;
    };
    for (auto elements = of.element_parts(); why.empty();) {
      finder one(elements, names, std::move(periods), apart);
      why = one.why_not();
      if (!one.is_found()) break;
      found.push_back(std::move(one.places()));
      names = std::move(one.names_of_parents()), periods = std::move(one.periods_of_parents());
      elements = std::move(one.parents());
    }
    return found;
  }

  void take(mesh_type const& of, levels const& places, std::string& why)
  {
    // From the coarsest on: where elements stand, and how they are turned.
    auto at = in_order(static_cast<index_t>(places[places.size() - 1].size()) / parts);
    detail::own_vector<turn_type> turns(at.size());
    for (std::size_t level = places.size(); level-- > 0;) {
      auto const& of_level = places[level];
      detail::own_vector<index_t> finer(of_level.size());
      detail::own_vector<turn_type> finer_turns(of_level.size());
      for (std::size_t e = 0; e < of_level.size(); ++e) {
        auto const& place = of_level[e];
        turn_type const& parent = turns[static_cast<std::size_t>(place.parent)];
        int part = 0;
        for (int d = 0; d < Directions; ++d)
          part |= ((place.part >> parent.axis[d] & 1) != static_cast<int>(parent.backwards[d]) ? 1 : 0) << d;
        finer[e] = at[static_cast<std::size_t>(place.parent)] * parts + part;
        finer_turns[e] = place.turn.then(parent);
      }
      at = std::move(finer), turns = std::move(finer_turns);
    }
    detail::own_vector<index_t> list(at.size());
    detail::own_vector<turn_type> by_place(at.size());
    for (std::size_t e = 0; e < at.size(); ++e) {
      list[static_cast<std::size_t>(at[e])] = static_cast<index_t>(e);
      by_place[static_cast<std::size_t>(at[e])] = turns[e];
    }
    std::swap(by_place, turns_);
    element_order const before = std::exchange(order_, element_order(std::move(list)));
    detail::own_vector<mesh_type> meshes;
    meshes.push_back(turned(of));
    while (meshes.size() <= places.size() && make_coarser(meshes, why)) {
    }
    if (static_cast<int>(meshes.size()) - 1 <= count()) {  // less than has been hoped for
      order_ = before;
      turns_ = std::move(by_place);
      return;
    }
    mesh_type made = meshes.back();
    for (std::size_t m = meshes.size() - 1; m-- > 0;) {
      mesh_type finer = meshes[m].cut_from(made, first_parts(made.elements()));
      finer.sides_ = meshes[m].sides_, finer.elements_ = meshes[m].elements_;
      made = finer;
    }
    mesh_ = made;
  }

  static mesh_type with(mesh_type const& like, typename mesh_type::contents own, index_t elements)
  {
    auto const nodes = mesh_type::view_of(own.nodes.data(), elements, like.nodes_1d(), like.node_set());
    mesh_type result(typename mesh_type::made{nodes, detail::shared<typename mesh_type::contents>(std::move(own))});
    result.find_boundary();
    return result;
  }
  // The same elements in their new order, turned.
  mesh_type turned(mesh_type const& of) const
  {
    typename mesh_type::contents own;
    int const m = of.nodes_1d();
    int const each = static_cast<int>(detail::node_box(m, Directions).all());
    own.nodes.reserve(static_cast<std::size_t>(of.size()));
    detail::own_vector<typename mesh_type::number> vertices;
    vertices.reserve(static_cast<std::size_t>(of.elements() * parts));
    for (index_t place = 0; place < of.elements(); ++place) {
      index_t const e = order_.element_at(place);
      auto const& turn = turns_[static_cast<std::size_t>(place)];
      for (int p = 0; p < each; ++p)
        for (int c = 0; c < Coordinates; ++c)
          own.nodes.push_back(of.data()[(e * each + turn.before(p, m)) * Coordinates + c]);
      for (int v = 0; v < parts; ++v)
        vertices.push_back(static_cast<typename mesh_type::number>(of.vertex(e, turn.before(v, 2))));
    }
    index_t const count = detail::close_gaps(vertices);
    own.parts = typename finder::parts(
        vertices, count,
        [&](index_t place, int part) {
          return index_t{
              of.element_parts()(order_.element_at(place), turns_[static_cast<std::size_t>(place)].before(part, 3))};
        },
        true);
    mesh_type result = with(of, std::move(own), of.elements());
    for (auto group : of.names_of_sides()) {
      for (element_side& at : group.members) at = side(at);
      result.sides_.push_back(std::move(group));
    }
    for (auto group : of.names_of_elements()) {
      for (index_t& e : group.members) e = order_.place_of(e);
      result.elements_.push_back(std::move(group));
    }
    return result;
  }

  // The mesh that the last one could have been cut from, behind it; false where that is none to have.
  static bool make_coarser(detail::own_vector<mesh_type>& meshes, std::string& why)
  {
    mesh_type const& fine = meshes.back();
    index_t const count = fine.elements() / parts;
    typename mesh_type::contents own;
    if (!join_nodes(fine, own.nodes)) {
      why = "it would have elements that are folded or flat";
      return false;
    }
    auto const at = [&](index_t parent, int place) {  // the vertex there of one of the parts that have it
      int part = 0, vertex = 0;
      for (int d = 0; d < Directions; ++d) {
        int const digit = detail::digit_of_part(place, d);
        part |= digit / 2 << d, vertex |= (digit - digit / 2) << d;
      }
      return fine.vertex(parent * parts + part, vertex);
    };
    detail::own_vector<typename mesh_type::number> vertices;
    for (index_t parent = 0; parent < count; ++parent)
      for (int v = 0; v < parts; ++v)
        vertices.push_back(static_cast<typename mesh_type::number>(at(parent, detail::place_of_vertex(v))));
    index_t const of_corners = detail::close_gaps(vertices);
    own.parts = typename finder::parts(vertices, of_corners, at, true);
    mesh_type coarse = with(fine, std::move(own), count);
    if (!name_like(fine, coarse, why)) return false;
    meshes.push_back(std::move(coarse));
    return true;
  }
  // Nodes from those of the parts that they lie in; false where tangents are turned over, or in one plane or line.
  static bool join_nodes(mesh_type const& fine, detail::own_vector<double>& nodes)
  {
    int const m = fine.nodes_1d();
    auto const each = static_cast<int>(detail::node_box(m, Directions).all());
    detail::own_vector<long double> set(static_cast<std::size_t>(m)), in_parts, points;
    fine.node_set()(m, set.data());
    for (long double const x : set) in_parts.push_back(x > 0 ? 2 * x - 1 : 2 * x + 1);
    int const looked_at = m + 2;  // along a direction, corners among them, where bilinear ones are folded first
    for (int i = 0; i < looked_at; ++i) points.push_back(2.0L * i / (looked_at - 1) - 1);
    detail::line_table const of_parts(in_parts, set), of_points(points, set);
    detail::box_contraction join(of_parts, Directions, Coordinates), at_points(of_points, Directions, Coordinates);
    detail::own_vector<int> lies_in;  // the part that has a node
    for (int p = 0; p < each; ++p) {
      lies_in.push_back(0);
      for (int d = 0, rest = p; d < Directions; ++d, rest /= m)
        lies_in.back() |= (set[static_cast<std::size_t>(rest % m)] > 0 ? 1 : 0) << d;
    }
    nodes = detail::own_vector<double>(static_cast<std::size_t>(fine.size() / parts));
    detail::own_vector<double> slopes[Directions];
    for (index_t parent = 0; parent < fine.elements() / parts; ++parent) {
      double* const to = nodes.data() + parent * each * Coordinates;
      for (int part = 0; part < parts; ++part) {
        double const* const joined = join.at_points(fine.data() + (parent * parts + part) * each * Coordinates);
        for (int p = 0; p < each; ++p)
          for (int c = 0; c < Coordinates && lies_in[static_cast<std::size_t>(p)] == part; ++c)
            to[p * Coordinates + c] = joined[p * Coordinates + c];
      }
      auto const count = static_cast<std::size_t>(detail::node_box(looked_at, Directions).all());
      for (int d = 0; d < Directions; ++d) {
        double const* const along = at_points.at_points(to, d);
        slopes[d].clear();
        for (std::size_t i = 0; i < count * Coordinates; ++i) slopes[d].push_back(along[i]);
      }
      for (std::size_t q = 0; q < count; ++q) {
        matrix<double, Directions, Coordinates> tangents{};
        for (int d = 0; d < Directions; ++d)
          for (int c = 0; c < Coordinates; ++c)
            tangents(d, c) = slopes[d][q * Coordinates + static_cast<std::size_t>(c)];
        if (!is_sound(tangents)) return false;
      }
    }
    return true;
  }

  static bool is_sound(matrix<double, Directions, Coordinates> const& tangents)
  {
    auto const products = gram(tangents);
    double lengths = 1, measure = 0;
    for (int d = 0; d < Directions; ++d) lengths *= products(d, d);
    if constexpr (Directions == Coordinates)
      measure = determinant(tangents);
    else if constexpr (Directions == 1)
      measure = std::sqrt(lengths);
    else
      measure = std::sqrt(lengths - products(0, 1) * products(0, 1));
    return measure > 1e-6 * std::sqrt(lengths);
  }

  // Names that all parts have, of elements and of whole sides; false where some have one.
  static bool name_like(mesh_type const& fine, mesh_type& coarse, std::string& why)
  {
    auto const mixed = [&](auto const& group) {
      why = "only some parts of an element, or of its side, would have the name '" + group.name + "' (" +
            std::to_string(group.tag) + ")";
      return false;
    };
    detail::own_vector<std::uint8_t> has_it;
    for (named_sides const& group : fine.names_of_sides()) {
      named_sides coarser{group.name, group.tag};
      has_it.assign(static_cast<std::size_t>(fine.elements() * sides), 0);
      for (element_side const& at : group.members) {
        if ((at.element >> at.side / 2 & 1) != at.side % 2) return mixed(group);
        has_it[static_cast<std::size_t>(at.element * sides + at.side)] = 1;
      }
      for (index_t parent = 0; parent < coarse.elements(); ++parent)
        for (int side = 0; side < sides; ++side) {
          int count = 0;
          for (index_t part = 0; part < parts; ++part)
            count += has_it[static_cast<std::size_t>((parent * parts + part) * sides + side)];
          if (count == parts / 2)
            coarser.members.push_back({parent, side});
          else if (count > 0)
            return mixed(group);
        }
      coarse.sides_.push_back(std::move(coarser));
    }
    for (named_elements const& group : fine.names_of_elements()) {
      named_elements coarser{group.name, group.tag};
      has_it.assign(static_cast<std::size_t>(fine.elements()), 0);
      for (index_t const e : group.members) has_it[static_cast<std::size_t>(e)] = 1;
      for (index_t parent = 0; parent < coarse.elements(); ++parent) {
        int count = 0;
        for (index_t part = 0; part < parts; ++part) count += has_it[static_cast<std::size_t>(parent * parts + part)];
        if (count == parts)
          coarser.members.push_back(parent);
        else if (count > 0)
          return mixed(group);
      }
      coarse.elements_.push_back(std::move(coarser));
    }
    return true;
  }

  template <class Out>
  void turn_in_place(Out const& out) const
  {
    int const n = static_cast<int>(out.extent(1)), each = static_cast<int>(detail::node_box(n, Directions).all());
    detail::own_vector<typename Out::value_type> before;
    auto const turn_each = [&](auto... behind) {
      auto const entry = [&](index_t e, int p) -> auto& {
        if constexpr (Directions == 3)
          return out(e, p / n / n, p / n % n, p % n, behind...);
        else if constexpr (Directions == 2)
          return out(e, p / n, p % n, behind...);
        else
          return out(e, p, behind...);
      };
      for (index_t e = 0; e < mesh_.elements(); ++e) {
        auto const& turn = turns_[static_cast<std::size_t>(e)];
        before.clear();
        for (int p = 0; p < each; ++p) before.push_back(entry(e, p));
        for (int p = 0; p < each; ++p) entry(e, p) = before[static_cast<std::size_t>(turn.before(p, n))];
      }
    };
    if constexpr (Out::rank() == Directions + 1)
      turn_each();
    else
      for (index_t c = 0; c < out.extent(Directions + 1); ++c) turn_each(c);
  }

  mesh_type mesh_;
  element_order order_;
  detail::own_vector<turn_type> turns_;  // by place
  std::string report_;
};

// A mesh that knows the coarser ones that it could have been cut from, for multigrid's levels, its elements in another
// order and turned: nesting{mesh}, which also says how many there are, and brings along what elements have.
template <int Directions, int Coordinates>
mesh<Directions, Coordinates> with_coarser(mesh<Directions, Coordinates> const& of)
{
  return nesting<Directions, Coordinates>(of).mesh();
}

}  // namespace sumfac
