// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Points of elements, checked and sorted by element, as the kernels that evaluate there read them.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/basis/detail/point_basis.hpp>
#include <sumfac/error.hpp>
#include <sumfac/mesh/locate/reference_element.hpp>
#include <sumfac/view/view.hpp>

#include <cstddef>
#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

// What an evaluator's functions are: polynomials by their values at a node set's nodes along some axes, on a mesh in as
// many coordinates as directions, or more.
template <class Nodes, int Directions, int Coordinates, int Axes = Directions>
struct point_space {
  using nodes = Nodes;
  static constexpr int directions = Directions, coordinates = Coordinates;
  static constexpr int nodes_1d = Nodes::size, nodes_of_element = power(nodes_1d, Axes);
};

// Points one after the other of the sorted list, of one element.
struct point_segment {
  index_t element, first;
  int count;
};

// **Shapes** order (P), the numbers of the sorted points in the caller's list; places (D, stride): their reference
// coordinates, of which idle lanes may read some more behind each row's end.
template <class Scalar, int Directions>
struct point_list {
  static constexpr int most_of_segment = 64;
  static constexpr index_t idle_lanes = 64;

  index_t given = 0, stride = 0;
  own_vector<std::uint32_t> order;
  own_vector<Scalar> places;
  own_vector<point_segment> segments;

  index_t size() const { return static_cast<index_t>(order.size()); }
};

template <class Element>
[[noreturn, gnu::cold, gnu::noinline]] void refuse_place(char const* where, index_t point, int bound,
                                                         typename Element::place const& xi, double tolerance)
{
  auto const i = static_cast<long long>(point);
  if (bound < Element::place::size)
    failf(where,
          "a reference coordinate is outside of the element (point %lld, direction %d: got %.17g, %d to 1 expected, %g "
          "beyond them at most)",
          i, bound, xi[bound], bound < Element::in_sum ? 0 : -1, tolerance);
  failf(where,
        "the reference coordinates of a point are outside of the element (point %lld: the first %d are %.17g in sum, 0 "
        "to 1 expected, %g beyond them at most)",
        i, Element::in_sum, Element::sum_of(xi), tolerance);
}

// What evaluator asks of its points. `may_miss`: a point of element -1 is left out.
//
// **Errors** argument_error: extents, an element that is out of range, reference coordinates that are not finite or
// further than `tolerance` outside of the reference element.
template <int Directions, cell_shape Shape, class Elements, class Places>
void check_points(char const* where, Elements const& elements, Places const& places, index_t of_mesh, double tolerance,
                  bool may_miss)
{
  index_t const count = elements.extent(0);
  if (count < 0 || count > index_t{0xffffffff})
    failf(where, "the number of points does not fit (got %lld, 0 to %lld expected)", static_cast<long long>(count),
          0xffffffffLL);
  check_equal(where, "extent 0 (points) of the reference coordinates", count, places.extent(0));
  check_equal(where, "extent 1 (directions) of the reference coordinates", Directions, places.extent(1));
  check_data(where, "list of elements", elements.data(), count);
  check_data(where, "view of the reference coordinates", places.data(), count * Directions);
  if (!(tolerance >= 0 && tolerance <= 0.01))
    failf(where, "the tolerance does not fit (got %g, 0 to 0.01 expected): pass a part of the reference element",
          tolerance);
  for (index_t i = 0; i < count; ++i) {
    auto const e = static_cast<index_t>(elements(i));
    if (e == -1 && may_miss) continue;
    if (e < 0 || e >= of_mesh)
      failf(where, "the element of a point is out of range (point %lld: got %lld, 0 to %lld expected)%s",
            static_cast<long long>(i), static_cast<long long>(e), static_cast<long long>(of_mesh - 1),
            e == -1 ? ": leave out what was not found, or pass point_misses::skip" : "");
    using element = reference_element<Directions, Shape>;
    typename element::place xi;
    for (int d = 0; d < Directions; ++d) xi[d] = static_cast<double>(places(i, d));
    auto const beyond = element::beyond(xi);
    for (int b = 0; b < element::bounds; ++b)
      if (!(beyond[b] <= tolerance)) refuse_place<element>(where, i, b, xi, tolerance);
  }
}

// Sorted by element, points of one element in the order given.
template <class Scalar, int Directions, class Elements, class Places>
point_list<Scalar, Directions> sort_points(Elements const& elements, Places const& places, index_t of_mesh)
{
  using list_type = point_list<Scalar, Directions>;
  list_type list;
  list.given = elements.extent(0);
  own_vector<index_t> next(static_cast<std::size_t>(of_mesh + 1), 0);
  for (index_t i = 0; i < list.given; ++i)
    if (auto const e = static_cast<index_t>(elements(i)); e >= 0) ++next[static_cast<std::size_t>(e + 1)];
  for (std::size_t e = 1; e < next.size(); ++e) {
    index_t const begin = next[e - 1], count = next[e];
    for (index_t at = 0; at < count; at += list_type::most_of_segment) {
      index_t const left = count - at;
      int const some = static_cast<int>(left < list_type::most_of_segment ? left : list_type::most_of_segment);
      list.segments.push_back({static_cast<index_t>(e) - 1, begin + at, some});
    }
    next[e] += begin;
  }
  list.order.resize(static_cast<std::size_t>(next.back()));
  list.stride = next.back() + list_type::idle_lanes;
  list.places.assign(static_cast<std::size_t>(Directions * list.stride), Scalar(0));
  for (index_t i = 0; i < list.given; ++i) {
    auto const e = static_cast<index_t>(elements(i));
    if (e < 0) continue;
    index_t const at = next[static_cast<std::size_t>(e)]++;
    list.order[static_cast<std::size_t>(at)] = static_cast<std::uint32_t>(i);
    for (int d = 0; d < Directions; ++d)
      list.places[static_cast<std::size_t>(d * list.stride + at)] = static_cast<Scalar>(places(i, d));
  }
  return list;
}

// Where the numbers of points lie: number (i, c, d) is data[i * point + c * component + d * direction].
template <class T>
struct point_numbers {
  T* data = nullptr;
  index_t point = 0, component = 0, direction = 0;

  SUMFAC_INLINE T& operator()(index_t i, int c, int d = 0) const
  {
    return data[i * point + c * component + d * direction];
  }
};

}  // namespace sumfac::detail
