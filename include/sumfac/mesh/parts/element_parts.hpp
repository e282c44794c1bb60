// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The vertices, edges and faces of a mesh, found through its table, and from them the nodes of any degree.
#pragma once

#include <sumfac/mesh/boundary_faces.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// An element has 3^D parts, as it has nodes of degree 2: along each direction a part is at the lower end (digit 0 of
// its place, that of x counting 1, y 3, z 9), between both (1) or at the upper end (2). Itself it is the one between
// all.
template <int Directions>
inline constexpr int parts_of_element = 3 * parts_of_element<Directions - 1>;
template <>
inline constexpr int parts_of_element<0> = 1;

constexpr int digit_of_part(int place, int direction)
{
  for (; direction > 0; --direction) place /= 3;
  return place % 3;
}
// 0 of a vertex, 1 of an edge, and so on.
constexpr int dimension_of_part(int place)
{
  int dimension = 0;
  for (; place > 0; place /= 3) dimension += place % 3 == 1 ? 1 : 0;
  return dimension;
}
// Place of a vertex, of which bit d says at which end of direction d it is.
constexpr int place_of_vertex(int vertex) { return 2 * (vertex % 2 + 3 * (vertex / 2 % 2) + 9 * (vertex / 4)); }
// Place of the side s of an element_side.
constexpr int place_of_side(int directions, int side)
{
  int place = 0, power = 1;
  for (int d = 0; d < directions; ++d, power *= 3) place += power * (d == side / 2 ? side % 2 * 2 : 1);
  return place;
}

// Numbers, all below 2^30, made consecutive from 0 on in the same order; how many different ones there are.
inline index_t close_gaps(own_vector<std::uint32_t>& numbers)
{
  std::uint32_t largest = 0, count = 0;
  for (std::uint32_t const i : numbers) largest = greater(largest, i);
  own_vector<std::uint32_t> known(std::size_t{largest} + 1, 0);
  for (std::uint32_t const i : numbers) known[i] = 1;
  for (std::uint32_t& i : known) i = i == 0 ? 0 : count++;
  for (std::uint32_t& i : numbers) i = known[i];
  return count;
}

// Vertices have numbers 0 .. first[1] - 1, edges first[1] .. first[2] - 1, then faces, and so on up to the elements.
template <int Directions>
class element_parts {
public:
  static constexpr int places = parts_of_element<Directions>;
  using number = std::uint32_t;

  element_parts() = default;
  // From the numbers of vertices, (E, 2^D), below `vertices`. What lies within the elements' edges and faces tells
  // those apart that have the same vertices: inner(e, place), or 0 where it is not known.
  template <class Inner>
  element_parts(own_vector<number> const& of_elements, index_t vertices, Inner const& inner, bool inner_known)
      : elements_(static_cast<index_t>(of_elements.size()) >> Directions),
        numbers_(static_cast<std::size_t>(elements_ * places)),
        inner_known_(inner_known)
  {
    for (index_t e = 0; e < elements_; ++e)
      for (int v = 0; v < 1 << Directions; ++v)
        numbers_[static_cast<std::size_t>(e * places + place_of_vertex(v))] =
            of_elements[static_cast<std::size_t>((e << Directions) + v)];
    first_[1] = vertices;
    check_vertices();
    for (int dimension = 1; dimension < Directions; ++dimension) add_parts(dimension, inner);
    first_[Directions + 1] = first_[Directions] + elements_;
    for (index_t e = 0; e < elements_; ++e)
      numbers_[static_cast<std::size_t>(e * places + places / 2)] = static_cast<number>(first_[Directions] + e);
  }

  index_t elements() const { return elements_; }
  index_t vertices() const { return first_[1]; }
  index_t count() const { return first_[Directions + 1]; }
  number operator()(index_t e, int place) const { return numbers_[static_cast<std::size_t>(e * places + place)]; }
  number vertex(index_t e, int v) const { return (*this)(e, place_of_vertex(v)); }

  // Sides that one element alone has; on a surface or a curve in space more than two may have one.
  //
  // **Errors** argument_error: a side of three elements; with what is within unknown, elements of the same vertices.
  std::vector<element_side> boundary(bool may_branch) const
  {
    constexpr int sides = 2 * Directions;
    constexpr index_t none = -1;
    index_t const first = first_[Directions - 1];
    own_vector<index_t> owner(static_cast<std::size_t>(first_[Directions] - first), none), other(owner.size(), none);
    auto const at = [](index_t i) { return element_side{i / sides, static_cast<int>(i % sides)}; };
    auto const part = [&](index_t i) {
      return static_cast<std::size_t>((*this)(i / sides, place_of_side(Directions, static_cast<int>(i % sides))) -
                                      first);
    };
    for (index_t i = 0; i < elements_ * sides; ++i) {
      std::size_t const p = part(i);
      if (owner[p] == none)
        owner[p] = i;
      else if (other[p] == none)
        other[p] = i;
      else if (!may_branch)
        failf("mesh",
              "a side belongs to more than two elements (side %d of element %lld, %d of %lld, %d of %lld; 1 or 2 "
              "elements expected): number vertices so that only those that coincide have the same number",
              at(owner[p]).side, static_cast<long long>(at(owner[p]).element), at(other[p]).side,
              static_cast<long long>(at(other[p]).element), at(i).side, static_cast<long long>(at(i).element));
      if (Directions > 1 && !inner_known_ && other[p] == i) check_twins(at(owner[p]), at(i));
    }
    std::vector<element_side> alone;
    for (index_t i = 0; i < elements_ * sides; ++i)
      if (std::size_t const p = part(i); other[p] == none) alone.push_back(at(i));
    return alone;
  }

  // Numbers of the nodes of a degree, (E, n^D), as elements meet them; how many there are.
  index_t number_nodes(int degree, own_vector<std::int32_t>& table) const
  {
    constexpr index_t most = index_t{1} << 30;
    index_t const inner = degree - 1, n = degree + 1;
    index_t before[Directions + 2] = {}, within[Directions + 1] = {1};  // nodes of lower parts; nodes within one
    for (int d = 0; d <= Directions; ++d) {
      if (d > 0) within[d] = within[d - 1] * inner;
      before[d + 1] = before[d] + (first_[d + 1] - first_[d]) * within[d];
    }
    if (before[Directions + 1] >= most)
      failf("function_space", "there are too many nodes (got %lld, less than %lld expected): split the mesh into parts",
            static_cast<long long>(before[Directions + 1]), static_cast<long long>(most));
    index_t of_element = 1;
    for (int d = 0; d < Directions; ++d) of_element *= n;
    table = own_vector<std::int32_t>::unwritten(static_cast<std::size_t>(elements_ * of_element));
    own_vector<std::int32_t> known(static_cast<std::size_t>(before[Directions + 1]), -1);
    std::int32_t next = 0, *out = table.data();
    for (index_t e = 0; e < elements_; ++e) {
      inner_order orders[places];
      for (int place = 0; place < places; ++place) {
        orders[place] = order_within(e, place, inner);
        int const d = dimension_of_part(place);
        orders[place].first += before[d] + ((*this)(e, place) - first_[d]) * within[d];
      }
      for (index_t p = 0; p < of_element; ++p) {
        index_t i[3] = {p % n, p / n % n, p / n / n};
        int place = 0, power = 1;
        for (int d = 0; d < Directions; ++d, power *= 3) place += power * (i[d] == 0 ? 0 : i[d] == degree ? 2 : 1);
        index_t id = orders[place].first;
        for (int d = 0; d < Directions; ++d) id += orders[place].step[d] * (i[d] - 1);
        auto& node = known[static_cast<std::size_t>(id)];
        if (node < 0) node = next++;
        *out++ = node;
      }
    }
    return next;
  }

private:
  void check_vertices() const
  {
    for (index_t e = 0; e < elements_; ++e)
      for (int v = 1; v < 1 << Directions; ++v)
        for (int before = 0; before < v; ++before)
          if (vertex(e, v) == vertex(e, before))
            failf("mesh",
                  "vertices %d and %d of element %lld are one (%d different ones expected): leave out elements that "
                  "are "
                  "collapsed, and cut a mesh that is periodic into two elements or more there",
                  before, v, static_cast<long long>(e), 1 << Directions);
  }
  template <class Inner>
  void add_parts(int dimension, Inner const& inner)
  {
    int of_element[places], count = 0;
    for (int place = 0; place < places; ++place)
      if (dimension_of_part(place) == dimension) of_element[count++] = place;
    index_t const total = elements_ * count;
    struct part_name {
      side_vertices vertices;
      index_t within = 0;
      bool operator==(part_name const&) const = default;
    };
    own_vector<part_name> names(static_cast<std::size_t>(total));
    for (index_t i = 0; i < total; ++i) {
      index_t const e = i / count;
      int const place = of_element[i % count];
      auto& name = names[static_cast<std::size_t>(i)];
      for (int v = 0; v < 1 << Directions; ++v) {
        bool on_part = true;
        for (int d = 0; d < Directions; ++d) {
          int const digit = digit_of_part(place, d);
          on_part = on_part && (digit == 1 || digit == (v >> d & 1) * 2);
        }
        if (on_part) name.vertices.add(vertex(e, v));
      }
      name.within = inner(e, place);
    }
    auto const least = [&](index_t i) { return names[static_cast<std::size_t>(i)].vertices.least(); };
    lists_by_number const around(vertices(), total, least);
    auto const entry = [&](index_t i) -> number& {
      return numbers_[static_cast<std::size_t>(i / count * places + of_element[i % count])];
    };
    index_t next = first_[dimension];
    for (index_t i = 0; i < total; ++i) {
      index_t const* other = around.begin(least(i));
      while (!(names[static_cast<std::size_t>(*other)] == names[static_cast<std::size_t>(i)])) ++other;
      entry(i) = *other < i ? entry(*other) : static_cast<number>(next++);
    }
    first_[dimension + 1] = next;
  }

  // Two elements that have a side in common, and the one opposite to it.
  void check_twins(element_side const& one, element_side const& other) const
  {
    auto const opposite = [this](element_side const& at) {
      return (*this)(at.element, place_of_side(Directions, at.side ^ 1));
    };
    if (opposite(one) == opposite(other))
      failf("mesh",
            "elements %lld and %lld have the same vertices (different ones expected): leave one of them out; where the "
            "mesh is periodic over two elements pass a table of nodes of degree 2, which tell their edges apart",
            static_cast<long long>(one.element), static_cast<long long>(other.element));
  }
  // Of the nodes within a part, the first one's place in the part and the steps along the element's directions.
  struct inner_order {
    index_t first = 0, step[3] = {};
  };

  // Nodes within an edge run from its lesser vertex to the greater; within a face from its least vertex, first to the
  // lesser neighbour of that. So all elements that have it find the same, however each is turned.
  inner_order order_within(index_t e, int place, index_t inner) const
  {
    int along[3] = {}, dimension = 0, corner = 0;
    for (int d = 0; d < Directions; ++d) {
      int const digit = digit_of_part(place, d);
      if (digit == 1)
        along[dimension++] = d;
      else
        corner |= digit / 2 << d;
    }
    inner_order order;
    int rank[3] = {0, 1, 2};  // of the directions within, the fastest first
    int least = corner;
    if (dimension < Directions && dimension > 0) {
      for (int v = 0; v < 1 << dimension; ++v) {
        int at = corner;
        for (int k = 0; k < dimension; ++k) at |= (v >> k & 1) << along[k];
        if (vertex(e, at) < vertex(e, least)) least = at;
      }
      if (dimension == 2 && vertex(e, least ^ (1 << along[1])) < vertex(e, least ^ (1 << along[0])))
        rank[0] = 1, rank[1] = 0;
    }
    for (int k = 0; k < dimension; ++k) {
      index_t step = 1;
      for (int r = 0; r < rank[k]; ++r) step *= inner;
      bool const backwards = (least >> along[k] & 1) != 0;
      order.step[along[k]] = backwards ? -step : step;
      if (backwards) order.first += step * (inner - 1);
    }
    return order;
  }

  index_t elements_ = 0;
  own_vector<number> numbers_;  // (E, 3^D)
  index_t first_[Directions + 2] = {};
  bool inner_known_ = true;
};

}  // namespace sumfac::detail
