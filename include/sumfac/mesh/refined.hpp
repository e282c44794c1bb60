// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes whose elements are those of another one, cut along their curves: all of them, or some.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/basis/detail/element_functions.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/error.hpp>
#include <sumfac/mesh/mesh.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

// Each element of a mesh cut into 2^D, `times` times, along the curves that it has; names of sides and elements stay.
//
// The result has the meshes that it was cut from, fine.coarser() and so on down to `coarse`, which multigrid's levels
// go on with: they share their memory, or have copies of nodes that are somebody else's.
template <int Directions, int Coordinates>
mesh<Directions, Coordinates> refined(mesh<Directions, Coordinates> const& coarse, int times = 1);

// The listed elements cut once, and with them those that would else have elements of a quarter of their size on a side:
// the mesh hangs where a cut element is beside one that is not. Elements keep their order, the parts of one in its
// place; names stay. Vertices are one where they coincide. The result has the meshes that it was cut from, as one of
// refined() has.
//
// **Errors** argument_error: elements that do not exist; a mesh some of whose vertices are one at two places, or two at
// one, as where it is periodic or has a crack.
template <int Directions, int Coordinates>
mesh<Directions, Coordinates> refine(mesh<Directions, Coordinates> const& coarse, std::vector<index_t> const& elements);

namespace detail {

// Cuts elements: their nodes in, and those of 2^D parts out, x fastest.
template <int Directions, int Coordinates>
class element_cut {
public:
  static constexpr int parts = 1 << Directions;

  explicit element_cut(mesh<Directions, Coordinates> const& of)
      : places_(element_functions<Directions, cell_shape::lines>::through(of.nodes_1d(), of.node_set())),
        in_parts_(places_, places_, Coordinates)
  {
  }

  void append(double const* element, own_vector<double>& to)
  {
    in_parts_.each(element, [&](int, index_t, double const* at) {
      for (int c = 0; c < Coordinates; ++c) to.push_back(at[c]);
    });
  }

private:
  own_vector<long double> places_;
  values_in_parts<Directions> in_parts_;
};

// The names that a coarser mesh has, where its element e has become first[e] .. first[e + 1] - 1.
template <class Mesh>
Mesh with_names(Mesh fine, Mesh const& coarse, std::vector<index_t> const& first)
{
  auto const parts_of = [&](index_t e, auto const& f) {
    auto const at = static_cast<std::size_t>(e);
    for (index_t part = first[at]; part < first[at + 1]; ++part) f(part, static_cast<int>(part - first[at]));
  };
  for (auto const& [name, tag, members] : coarse.names_of_sides()) {
    named_sides finer{name, tag};
    for (element_side const& at : members)
      parts_of(at.element, [&](index_t e, int part) {
        bool const cut =
            first[static_cast<std::size_t>(at.element) + 1] > first[static_cast<std::size_t>(at.element)] + 1;
        if (!cut || (part >> at.side / 2 & 1) == at.side % 2) finer.members.push_back({e, at.side});
      });
    fine = fine.named(finer);
  }
  for (auto const& [name, tag, members] : coarse.names_of_elements()) {
    named_elements finer{name, tag};
    for (index_t const e : members) parts_of(e, [&](index_t part, int) { finer.members.push_back(part); });
    fine = fine.named(finer);
  }
  return fine;
}

}  // namespace detail

template <int Directions, int Coordinates>
auto mesh<Directions, Coordinates, cell_shape::lines>::with_own_nodes() const -> mesh
{
  mesh result(*this);
  if (!data_->nodes.empty() || this->empty()) return result;
  contents own{{}, data_->parts, data_->boundary, data_->hanging, {}, {}};
  own.nodes.reserve(static_cast<std::size_t>(this->size()));
  for (index_t i = 0; i < this->size(); ++i) own.nodes.push_back(this->data()[i]);
  static_cast<nodes_type&>(result) = view_of(own.nodes.data(), elements(), nodes_1d(), this->node_set());
  result.data_ = detail::shared<contents>(std::move(own));
  return result;
}

template <int Directions, int Coordinates>
auto mesh<Directions, Coordinates, cell_shape::lines>::cut_from(mesh const& coarse, std::vector<index_t> first) const
    -> mesh
{
  mesh fine = detail::with_names(*this, coarse, first);
  auto& own = fine.data_.edit();
  own.coarser = detail::own_pointer<mesh const>(new mesh(coarse.with_own_nodes()));
  own.first_parts = std::move(first);
  return fine;
}

template <int Directions, int Coordinates>
auto mesh<Directions, Coordinates, cell_shape::lines>::of_process(std::vector<int> const& process, int which,
                                                                  int coarser_ones) const -> mesh
{
  check_equal("mesh::of_process", "number of elements that the list has", elements(),
              static_cast<index_t>(process.size()));
  contents own;
  std::vector<index_t> here;
  detail::own_vector<number> vertices;
  for (index_t e = 0; e < elements(); ++e) {
    if (process[static_cast<std::size_t>(e)] != which) continue;
    here.push_back(e);
    double const* const from = node(e, 0, 0, 0);
    for (index_t i = 0; i < this->size() / elements(); ++i) own.nodes.push_back(from[i]);
    for (int v = 0; v < 1 << Directions; ++v) vertices.push_back(static_cast<number>(vertex(e, v)));
  }
  auto const inner = [&](index_t e, int place) {
    return index_t{data_->parts(here[static_cast<std::size_t>(e)], place)};
  };
  own.parts = parts(vertices, this->vertices(), inner, true);
  auto const nodes = view_of(own.nodes.data(), static_cast<index_t>(here.size()), nodes_1d(), this->node_set());
  mesh result(made{nodes, detail::shared<contents>(std::move(own))});
  result.find_boundary();
  if (coarser() == nullptr || coarser_ones == 0) return result;
  std::vector<int> of_coarser;
  std::vector<index_t> first(1, 0);
  for (index_t e = 0; e < coarser()->elements(); ++e) {
    auto const begin = static_cast<std::size_t>(first_parts()[static_cast<std::size_t>(e)]);
    auto const end = static_cast<std::size_t>(first_parts()[static_cast<std::size_t>(e) + 1]);
    of_coarser.push_back(process[begin]);
    for (std::size_t part = begin; part < end; ++part)
      if (process[part] != process[begin]) return result;
    if (process[begin] == which) first.push_back(first.back() + static_cast<index_t>(end - begin));
  }
  return result.cut_from(coarser()->of_process(of_coarser, which, coarser_ones - 1), std::move(first));
}

template <int Directions, int Coordinates>
mesh<Directions, Coordinates> refined(mesh<Directions, Coordinates> const& coarse, int times)
{
  if (times < 0) failf("refined", "a mesh cannot be cut a negative number of times (got %d)", times);
  if (times == 0) return coarse;
  using result = mesh<Directions, Coordinates>;
  using number = typename result::number;
  constexpr int children = 1 << Directions;
  int const m = coarse.nodes_1d();
  detail::element_cut<Directions, Coordinates> cut(coarse);
  detail::own_vector<double> nodes;
  nodes.reserve(static_cast<std::size_t>(children * coarse.size()));
  detail::own_vector<number> vertices;
  std::vector<index_t> first(1, 0);
  auto const& of_element = coarse.element_parts();
  for (index_t e = 0; e < coarse.elements(); ++e) {
    cut.append(coarse.node(e, 0, 0, 0), nodes);
    first.push_back(first.back() + children);
    for (int child = 0; child < children; ++child) {
      int const x = child & 1, y = child >> 1 & 1, z = child >> 2;
      detail::for_each_place<Directions>(
          2, [&](int k, int j, int i) { vertices.push_back(of_element(e, ((z + k) * 3 + y + j) * 3 + x + i)); });
    }
  }
  // Vertices of the finer mesh are all parts of the coarser one; where that hangs, some parts have one in the middle.
  auto const whole = [&] {
    index_t const count = coarse.elements() * children;
    if (coarse.hanging().empty())
      return result(std::move(nodes), count, coarse.node_set(), m, vertices, of_element.count());
    return result::copy_of(mesh_view(
        detail::element_view<Directions>(std::as_const(nodes).data(), count, m, Coordinates), coarse.node_set()));
  };
  return refined(whole().cut_from(coarse, std::move(first)), times - 1);
}

template <int Directions, int Coordinates>
mesh<Directions, Coordinates> refine(mesh<Directions, Coordinates> const& coarse, std::vector<index_t> const& elements)
{
  using result = mesh<Directions, Coordinates>;
  auto const printed = [](index_t i) { return static_cast<long long>(i); };
  detail::own_vector<bool> cuts(static_cast<std::size_t>(coarse.elements()), false);
  for (index_t const e : elements) {
    if (e < 0 || e >= coarse.elements())
      failf("refine", "an element does not exist (got %lld, 0 to %lld expected)", printed(e),
            printed(coarse.elements() - 1));
    cuts[static_cast<std::size_t>(e)] = true;
  }
  if (elements.empty()) return coarse;
  if (index_t const places = result::copy_of(coarse.nodes()).vertices(); places != coarse.vertices())
    failf("refine",
          "the mesh has other vertices than places of vertices (%lld vertices, %lld places): one that is periodic or "
          "has "
          "a crack is cut as a whole, by refined(mesh)",
          printed(coarse.vertices()), printed(places));
  for (bool more = true; more;) {
    more = false;
    for (hanging_side const& at : coarse.hanging())
      for (int q = 0; q < 1 << (Directions - 1); ++q)
        if (cuts[static_cast<std::size_t>(at.fine[q].element)] && !cuts[static_cast<std::size_t>(at.coarse.element)])
          cuts[static_cast<std::size_t>(at.coarse.element)] = more = true;
  }
  int const m = coarse.nodes_1d();
  index_t const stride = coarse.size() / coarse.elements();
  detail::element_cut<Directions, Coordinates> cut(coarse);
  detail::own_vector<double> nodes;
  std::vector<index_t> first(1, 0);
  for (index_t e = 0; e < coarse.elements(); ++e) {
    double const* const of_element = coarse.data() + e * stride;
    bool const is_cut = cuts[static_cast<std::size_t>(e)];
    if (is_cut)
      cut.append(of_element, nodes);
    else
      for (index_t i = 0; i < stride; ++i) nodes.push_back(of_element[i]);
    first.push_back(first.back() + (is_cut ? cut.parts : 1));
  }
  auto const fine = mesh_view(
      detail::element_view<Directions>(std::as_const(nodes).data(), first.back(), m, Coordinates), coarse.node_set());
  return result::copy_of(fine).cut_from(coarse, std::move(first));
}

}  // namespace sumfac
