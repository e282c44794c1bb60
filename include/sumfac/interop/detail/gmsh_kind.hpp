// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The elements of one shape in a file of Gmsh's, as a mesh.
#pragma once

#include <sumfac/interop/detail/gmsh_elements.hpp>
#include <sumfac/interop/detail/gmsh_file.hpp>
#include <sumfac/mesh/parts/kinds_of_elements.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// An edge by the nodes that $Periodic makes of its vertices, and by these; whether both are around a period.
struct gmsh_edge {
  std::array<std::uint32_t, 2> as_one, of_file;
  bool on_period;
};

// What a file says of elements of a shape. The mesh comes first, then sides in groups, then names.
template <int Directions, int Coordinates, cell_shape Shape>
class gmsh_kind {
  static constexpr cell_sides sides_of_shape = sides_of_cell(Shape, Directions);
  static constexpr int sides = sides_of_shape.sides, vertices = sides_of_shape.vertices;

public:
  using mesh_type = mesh<Directions, Coordinates, Shape>;

  explicit gmsh_kind(gmsh_reader const& file)
      : file_(file),
        of_(file.elements(Shape)),
        order_(Directions, of_.order, Shape),
        nodes_(of_.count() > 0 ? of_.nodes.size() / of_.groups.size() : 0)
  {
    for (std::size_t a = 0; of_.count() > 0 && a < nodes_; ++a)
      for (int v = 0; v < vertices; ++v)
        if (is_vertex(order_[a].at, v)) corner_of_[v] = a;
    for (index_t e = 0; e < of_.count(); ++e) add_to(groups_, Directions, of_.groups[static_cast<std::size_t>(e)], e);
  }

  mesh_type made() const
  {
    index_t const elements = of_.count(), m = of_.order + 1;
    if (elements == 0) return empty_mesh<mesh_type>();
    std::size_t const all = order_.size();
    own_vector<double> places(static_cast<std::size_t>(elements) * all * Coordinates);
    own_vector<std::int32_t> table;
    for (index_t e = 0; e < elements; ++e)
      place_nodes(e, places.data() + static_cast<std::size_t>(e) * all * Coordinates);
    auto const count = static_cast<index_t>(all);
    try {
      if constexpr (Shape == cell_shape::lines) {
        mesh_view const nodes(element_view<Directions>(places.data(), elements, m, Coordinates),
                              sumfac::equispaced_nodes{});
        if (of_.is_complete) {
          table = own_vector<std::int32_t>(static_cast<std::size_t>(elements) * all);
          for (std::size_t i = 0; i < table.size(); ++i)
            table[i / all * all + number(i % all)] = static_cast<std::int32_t>(file_.one_of(of_.nodes[i]));
          return mesh_type::copy_of(nodes, element_view<Directions>(table.data(), elements, m));
        }
        take_vertices(table);
        return mesh_type::copy_of(nodes, element_view<Directions>(table.data(), elements, 2));
      } else {
        take_vertices(table);
        return mesh_type(view(places.data(), elements, count, index_t{Coordinates}),
                         view(table.data(), elements, index_t{vertices}),
                         static_cast<index_t>(file_.coordinates.size() / 3));
      }
    } catch (argument_error const& error) {
      file_.file().refuse(error.what());
    }
  }

  // Of a mesh that it has made: for each vertex the file's node.
  own_vector<index_t> file_nodes(mesh_type const& of) const
  {
    own_vector<index_t> found(static_cast<std::size_t>(of.vertices()));
    for (std::size_t v = 0; v < found.size(); ++v) found[v] = static_cast<index_t>(v);
    for (index_t e = 0; e < of.elements(); ++e)
      for (int v = 0; v < vertices; ++v)
        found[static_cast<std::size_t>(of.vertex(e, v))] = static_cast<index_t>(file_.one_of(vertex(e, v)));
    return found;
  }

  // Adds edges that have a vertex around a period.
  void add_edges(std::vector<gmsh_edge>& edges) const
  {
    for (index_t e = 0; e < of_.count(); ++e)
      for (int v = 1; v < vertices; ++v)
        for (int w = 0; w < v; ++w) {
          if (Shape == cell_shape::prism && v / 3 != w / 3 && v % 3 != w % 3) continue;
          if (Shape == cell_shape::lines && ((v ^ w) & ((v ^ w) - 1)) != 0) continue;
          std::uint32_t const a = vertex(e, v), b = vertex(e, w), one = file_.one_of(a), other = file_.one_of(b);
          bool const first = file_.is_on_period(a), second = file_.is_on_period(b);
          if (one != other && (first || second))
            edges.push_back(
                {{lesser(one, other), greater(one, other)}, {lesser(a, b), greater(a, b)}, first && second});
        }
  }

  // Gives a side of these vertices the names of a list of groups; false where it is none of these elements'. Sides are
  // found by the file's nodes at their vertices: around a period they stay those of the file.
  bool name_side(side_vertices const& wanted, std::uint32_t list)
  {
    if (around_.at.empty())
      around_ = lists_by_number(static_cast<index_t>(file_.coordinates.size() / 3), of_.count() * sides,
                                [&](index_t i) { return vertices_of(i).least(); });
    index_t found = -1;
    for (index_t const* s = around_.begin(wanted.least()); found < 0 && s != around_.end(wanted.least()); ++s)
      if (vertices_of(*s) == wanted) found = *s;
    if (found >= 0) add_to(named_, Directions - 1, list, element_side{found / sides, static_cast<int>(found % sides)});
    return found >= 0;
  }
  mesh_type named(mesh_type of) const
  {
    for (auto const& some : named_) of = of.named(some);
    for (auto const& some : groups_) of = of.named(some);
    return of;
  }

private:
  // Whether a place (x, y, z) in an element is that of its vertex v.
  bool is_vertex(int const (&at)[3], int v) const
  {
    constexpr bool is_prism = Shape == cell_shape::prism;
    bool here = true;
    for (int d = 0; d < Directions; ++d) {
      bool const at_end = Shape == cell_shape::lines ? (v >> d & 1) != 0
                          : is_prism                 ? (d == 2 ? v >= 3 : v % 3 == d + 1)
                                                     : v == d + 1;
      here = here && at[d] == (at_end ? of_.order : 0);
    }
    return here;
  }
  std::size_t number(std::size_t a) const { return order_.number(a, Directions, of_.order, Shape); }
  std::uint32_t vertex(index_t e, int v) const
  {
    return of_.nodes[static_cast<std::size_t>(e) * nodes_ + corner_of_[v]];
  }
  void take_vertices(own_vector<std::int32_t>& table) const
  {
    for (index_t e = 0; e < of_.count(); ++e)
      for (int v = 0; v < vertices; ++v) table.push_back(static_cast<std::int32_t>(file_.one_of(vertex(e, v))));
  }
  side_vertices vertices_of(index_t side) const
  {
    side_vertices found;
    for (int const v : sides_of_shape.of_side[side % sides])
      if (v >= 0) found.add(vertex(side / sides, v));
    return found;
  }

  void place_nodes(index_t e, double* to) const
  {
    for (std::size_t a = 0; a < nodes_; ++a) {
      std::uint32_t const node = of_.nodes[static_cast<std::size_t>(e) * nodes_ + a];
      for (int c = 0; c < 3; ++c) {
        double const x = file_.coordinates[3 * std::size_t{node} + static_cast<std::size_t>(c)];
        if (c < Coordinates)
          to[number(a) * Coordinates + static_cast<std::size_t>(c)] = x;
        else if (x < -1e-12 || x > 1e-12)
          file_.file().refuse("element " + std::to_string(e) + " has a node with coordinate " + std::to_string(c) +
                              " at " + std::to_string(x) + " (0 expected): read<" + std::to_string(Directions) +
                              ", 3> is for meshes in space");
      }
    }
    // Where the file has no nodes within: those of the functions through the others, by edges and vertices around.
    cell_lattice<Directions, Shape> const lattice(of_.order);
    for (std::size_t a = nodes_; a < order_.size(); ++a) {
      auto const here = static_cast<int>(number(a));
      double const edges = lattice.vertices_around(here) == 8 ? 0.25 : 0.5;
      for (std::size_t b = 0; b < nodes_; ++b) {
        auto const other = static_cast<int>(number(b));
        if (!lattice.is_around(other, here)) continue;
        double const share = lattice.vertices_around(other) == 2 ? edges : -0.25;
        for (std::size_t c = 0; c < Coordinates; ++c)
          to[number(a) * Coordinates + c] += share * to[number(b) * Coordinates + c];
      }
    }
  }

  template <class Lists, class Member>
  void add_to(Lists& lists, int dimension, std::uint32_t list, Member const& member)
  {
    for (int const tag : file_.group_lists[list]) {
      std::size_t known = 0;
      while (known < lists.size() && lists[known].tag != tag) ++known;
      if (known == lists.size()) lists.push_back({file_.name_of(dimension, tag), tag});
      lists[known].members.push_back(member);
    }
  }

  gmsh_reader const& file_;
  gmsh_reader::element_list const& of_;
  gmsh_order order_;
  std::size_t nodes_, corner_of_[vertices] = {};
  std::vector<named_sides> named_{};
  std::vector<named_elements> groups_{};
  lists_by_number around_{0, 0, [](index_t) { return index_t{0}; }};
};

// Throws where two edges join the same vertices once these are one, and are not both on sides around a period:
// functions take edges of the same vertices for one.
template <class... Kinds>
void check_period(gmsh_reader const& file, Kinds const&... kinds)
{
  std::vector<gmsh_edge> edges;
  (kinds.add_edges(edges), ...);
  std::sort(edges.begin(), edges.end(), [](gmsh_edge const& a, gmsh_edge const& b) {
    return a.as_one != b.as_one ? a.as_one < b.as_one : a.of_file < b.of_file;
  });
  for (std::size_t i = 1; i < edges.size(); ++i)
    if (gmsh_edge const &a = edges[i - 1], &b = edges[i];
        a.as_one == b.as_one && a.of_file != b.of_file && !(a.on_period && b.on_period)) {
      auto const place = [&](gmsh_edge const& of) {
        std::string text = "(";
        for (std::size_t c = 0; c < 3; ++c)
          text += std::to_string((file.coordinates[3 * std::size_t{of.of_file[0]} + c] +
                                  file.coordinates[3 * std::size_t{of.of_file[1]} + c]) /
                                 2) +
                  (c < 2 ? ", " : ")");
        return text;
      };
      file.file().refuse("two edges, around " + place(a) + " and " + place(b) +
                         ", have the same two vertices as $Periodic joins them (one edge of them expected): a period "
                         "is three elements long or more");
    }
}

// Gives all sides in groups their names, on whichever of the kinds they are.
template <class... Kinds>
void name_sides(gmsh_reader const& file, int directions, bool leaves_out, Kinds&... kinds)
{
  for (cell_shape const shape : {cell_shape::lines, cell_shape::simplex}) {
    auto const& of = file.sides(shape);
    std::size_t const of_side = of.count() > 0 ? of.nodes.size() / of.groups.size() : 0;
    std::size_t const corners = shape == cell_shape::simplex ? 3 : std::size_t{1} << (directions - 1);
    for (index_t i = 0; i < of.count(); ++i) {
      auto const at = static_cast<std::size_t>(i);
      if (of.groups[at] == 0) continue;
      side_vertices wanted;
      for (std::size_t v = 0; v < corners; ++v) wanted.add(of.nodes[at * of_side + v]);
      bool found = false;
      ((found = kinds.name_side(wanted, of.groups[at]) || found), ...);
      if (!found && !leaves_out)
        file.file().refuse(
            "side " + std::to_string(i) + " of group '" +
            file.name_of(directions - 1, file.group_lists[of.groups[at]][0]) +
            "' is none of an element's (all of a group expected to be): mesh it with the elements beside "
            "it");
    }
  }
}

}  // namespace sumfac::SUMFAC_TARGET::detail
