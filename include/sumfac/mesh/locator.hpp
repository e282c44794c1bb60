// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// In which element of a mesh points lie, and where in it.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/mesh/locate/cell_map.hpp>
#include <sumfac/mesh/locate/element_boxes.hpp>
#include <sumfac/mesh/locate/mesh_map.hpp>
#include <sumfac/mesh/locate/reference_element.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

struct locator_options {
  // How far beyond -1 and 1 reference coordinates may be that count as in the element, of simplices below 0 and in sum
  // above 1, on top of the rounding of coordinates: 8 units in the last place of the mesh's and the point's, up to 0.01
  // of the reference coordinates.
  double tolerance = 1e-10;
};

// Where points are: of each its element, or -1 where it is in none, and its reference coordinates there.
template <int Directions, cell_shape Shape = cell_shape::lines>
class located_points {
public:
  index_t size() const { return static_cast<index_t>(elements_.size()); }
  view<index_t const, dextents<1>> elements() const { return {elements_.data(), dextents<1>(size())}; }
  view<double const, dextents<2>> coordinates() const { return {coordinates_.data(), dextents<2>(size(), Directions)}; }

  // The points that are in no element, ascending.
  view<index_t const, dextents<1>> misses() const
  {
    return {misses_.data(), dextents<1>(static_cast<index_t>(misses_.size()))};
  }
  bool all_found() const { return misses_.empty(); }

  // The most that a place is beyond a bound of its element: a reference coordinate beyond -1 or 1, of simplices below
  // 0 or in sum above 1.
  double beyond() const { return beyond_; }

  // The same points, but those for which chosen(i) is 0 are in no element.
  template <class Chosen>
  located_points only(Chosen const& chosen) const
  {
    located_points some = *this;
    some.misses_.clear();
    for (index_t i = 0; i < size(); ++i) {
      auto& e = some.elements_[static_cast<std::size_t>(i)];
      if (chosen(i) == 0) e = -1;
      if (e < 0) some.misses_.push_back(i);
    }
    return some;
  }

  // "997 of 1000 points found; in no element: 4, 7, 9", ten of them at most.
  [[gnu::cold, gnu::noinline]] std::string report() const
  {
    auto const missed = static_cast<index_t>(misses_.size());
    detail::formatted text("%lld of %lld points found%s", static_cast<long long>(size() - missed),
                           static_cast<long long>(size()), missed > 0 ? "; in no element: " : "");
    for (index_t i = 0; i < missed && i < 10; ++i)
      text.add("%s%lld", i == 0 ? "" : ", ", static_cast<long long>(misses_[static_cast<std::size_t>(i)]));
    if (missed > 10) text.add(", ...");
    return text;
  }

private:
  template <class Nodes, class Set>
  friend class locator;

  detail::own_vector<index_t> elements_, misses_;
  detail::own_vector<double> coordinates_;
  double beyond_ = 0;
};

// Finds points in the elements of a mesh, which may be curved, by boxes on a uniform grid and Newton's method.
//
// A point belongs to the element of the lowest number whose map takes a place within the tolerance to it: on a face
// that elements share, always to the same one, whatever the number of threads. A mesh's own nodes are found, also where
// elements are thin, or so far from the origin that coordinates round to more than the tolerance of an element. Where
// Newton's method from an element's centre leads nowhere in any element, it starts again from the nearest node of each.
// The boxes of curved elements are those of their Bernstein coefficients, which no part of the element leaves.
// **Shapes** nodes (E, m, m, m, 3), or (E, m, m, 2), (E, m, 1), in the host's memory, any layout, float or double, or a
// cell_mesh of triangles in the plane, tetrahedra or prisms: must live as long. points (P, 3), or (P, 2), (P, 1): any
// layout, float or double.
// **Work** at set-up 3 m^4 multiply-adds an element, 3 M^2 of M nodes of a cell_mesh's; for each point some 4
// evaluations of the map in each element whose box it is in.
// **Errors** argument_error: extents, null, a mesh node or a point that is not finite; geometry_error: an element of a
// size below 1e-289 or above 1e289. A miss is no error.
template <class Nodes, class Set = unsaid_nodes>
class locator {
public:
  static constexpr int directions = detail::directions_of_mesh<Nodes>();
  static constexpr cell_shape shape = detail::shape_of_mesh<Nodes>;
  using located_type = located_points<directions, shape>;

  explicit locator(host const& threads, Nodes const& nodes, Set const& set = {}, locator_options const& options = {})
      : threads_(threads),
        mesh_(detail::access_to<directions, shape>("locator", nodes, set, directions)),
        tolerance_(options.tolerance),
        grid_(boxes())
  {
  }

  index_t elements() const { return mesh_.elements(); }

  template <class Points>
  located_type locate(Points const& points) const
  {
    constexpr auto here = "locator::locate";
    constexpr bool numbers = is_view<Points> && std::is_floating_point_v<typename Points::value_type>;
    static_assert(numbers, "sumfac::locator: points must be a sumfac::view of floating-point numbers, of shape (P, 3)");
    located_type result;
    if constexpr (numbers) {
      static_assert(Points::rank() == 2, "sumfac::locator: points are a view of rank 2: point, coordinate");
      index_t const count = points.extent(0);
      if (count < 0)
        failf(here, "extent 0 (points) is negative (got %lld, at least 0 expected)", static_cast<long long>(count));
      check_equal(here, "extent 1 (coordinates) of the points", directions, points.extent(1));
      check_data(here, "view of the points", points.data(), points.size());
      result.elements_.resize(static_cast<std::size_t>(count));
      result.coordinates_.resize(static_cast<std::size_t>(count * directions));
      detail::first_of_all not_finite(count);
      threads_.balance(
          count,
          [&](index_t first, index_t last) {
            map_type map = mesh_.map();
            for (index_t i = first; i < last; ++i) {
              point const x = point_of(points, i);
              point xi{};
              if (double const size = detail::greatest_modulus(x); size - size != 0) not_finite.keep(i);
              index_t const e = find(map, x, detail::coordinate_rounding<typename Points::value_type>, xi);
              result.elements_[static_cast<std::size_t>(i)] = e;
              if (e < 0) xi = point{};
              for (int d = 0; d < directions; ++d)
                result.coordinates_[static_cast<std::size_t>(i * directions + d)] = xi[d];
            }
          },
          64);
      if (not_finite.index() < count)
        failf(here, "a coordinate is not a finite number (point %lld of %lld): pass finite coordinates",
              static_cast<long long>(not_finite.index()), static_cast<long long>(count));
      for (index_t i = 0; i < count; ++i) {
        if (result.elements_[static_cast<std::size_t>(i)] < 0) result.misses_.push_back(i);
        double const more = map_type::element::most_beyond(point_of(result.coordinates(), i));  // 0 or less of misses
        if (more > result.beyond_) result.beyond_ = more;
      }
    }
    return result;
  }

private:
  using point = vector<double, directions>;
  using access_type =
      decltype(detail::access_to<directions, shape>("", std::declval<Nodes const&>(), std::declval<Set const&>(), 0));
  using map_type = decltype(std::declval<access_type const&>().map());

  auto boxes() const
  {
    if (!(tolerance_ >= 0 && tolerance_ <= detail::most_beyond))
      failf("locator", "the tolerance does not fit (got %g, 0 to 0.01 expected): pass a part of the reference element",
            tolerance_);
    return detail::boxes_of(threads_, mesh_, tolerance_);
  }

  // Sets xi and returns the element, or -1; x may be wrong by the part rounding_of_x of itself.
  index_t find(map_type& map, point const& x, double rounding_of_x, point& xi) const
  {
    constexpr double of_mesh = access_type::rounding;
    point rounded;
    for (int c = 0; c < directions; ++c) rounded[c] = rounding_of_x * detail::magnitude_of(x[c]);
    index_t found = -1;
    auto const in_element = [&](index_t e, bool from_node) {
      map.load(mesh_, e);
      point const relative = map.relative(x);
      point rounding;
      for (int c = 0; c < directions; ++c) {
        double const of_nodes = of_mesh * map.largest()[c];
        rounding[c] = (rounded[c] > of_nodes ? rounded[c] : of_nodes) / map.scale();
      }
      xi = from_node ? map.nearest_node(relative) : map_type::element::centre();
      bool const here = detail::invert(map, relative, rounding, tolerance_, xi);
      if (here) found = e;
      return here;
    };
    auto const from_centre = [&](index_t e) { return in_element(e, false); };
    auto const from_node = [&](index_t e) { return in_element(e, true); };
    if (rounding_of_x > of_mesh)  // by which boxes are not larger
      static_cast<void>(grid_.any_near(x, rounded, from_centre) || grid_.any_near(x, rounded, from_node));
    else
      static_cast<void>(grid_.any_of(x, from_centre) || grid_.any_of(x, from_node));
    return found;
  }

  template <class Points>
  static point point_of(Points const& points, index_t i)
  {
    point x;
    for (int c = 0; c < directions; ++c) x[c] = static_cast<double>(points(i, c));
    return x;
  }

  host threads_;
  access_type mesh_;
  double tolerance_;
  detail::box_grid<directions> grid_;
};

}  // namespace sumfac
