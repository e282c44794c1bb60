// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Which point of which element a form is at, and what its coefficients are there.
#pragma once

#include <sumfac/backend/detail/global_memory.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/math/small.hpp>
#include <sumfac/view/view.hpp>
#if SUMFAC_HAS_HOST
#include <sumfac/error.hpp>
#include <sumfac/view/detail/places.hpp>
#endif

#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

// A point's place in the rule, in each reference direction: the index (z, y, x) of views of shape (E, g, g, g).
struct point_index {
  int z = 0, y = 0, x = 0;
};

namespace detail {

// Whether T is a number that coefficients become; false for those that only count operations.
template <class T>
inline constexpr bool reads_coefficients = true;

// A coefficient's view as seen by who stands between a form and its memory. Entries are counted from `data` on.
struct coefficient_view {
  void const* view;  // the object
  void const* data;
  int rank, components;  // 0 components: one number
  index_t const* extents;
  index_t first, last;  // offsets of its first entry in memory, and behind its last one
  index_t entry_bytes;
  bool (*is_finite)(void const* view, index_t element, void const* data);  // all that is known of an element
  index_t (*offset)(void const* view, index_t element, point_index const& at, int component);  // of an entry
  // Makes of a view of this type one of other memory and extents; false where its type knows others.
  bool (*put)(void* view, void* data, index_t const* extents);
};

// Who stands there while operators are set up on the host; kernels have none.
class coefficient_reads {
public:
  // Where the host finds the entries, or null: then they are 1.
  void const* find(coefficient_view const& v) const { return find_(*this, v); }

protected:
  explicit coefficient_reads(void const* (*how)(coefficient_reads const&, coefficient_view const&)) : find_(how) {}

private:
  void const* (*find_)(coefficient_reads const&, coefficient_view const&);
};

// One point of as many elements as a number has lanes.
struct point_place {
  index_t first = 0, last = -1;  // the element in lane 0; the last one of the mesh, or -1: no element is known
  point_index index = {};
  coefficient_reads const* reads = nullptr;
};

// Elements of a kernel's groups: that of its first group, and the last one of the mesh.
struct element_range {
  index_t first = 0, last = 0;
};

// Point i of a line in direction Direction that meets point a of the slower and b of the faster other direction.
template <int Direction>
SUMFAC_INLINE constexpr point_index point_on_line(int a, int b, int i)
{
  if constexpr (Direction == 0)
    return {a, b, i};
  else if constexpr (Direction == 1)
    return {a, i, b};
  else
    return {i, a, b};
}

// The places of such a line's points, of the element that has this number from the range's first on.
template <int Direction>
struct place_on_line {
  element_range range;
  index_t element;
  int a, b;

  SUMFAC_INLINE constexpr point_place operator()(int i) const
  {
    return {range.first + element, range.last, point_on_line<Direction>(a, b, i)};
  }
};

// Whether a coefficient is given point by point, on elements of so many directions, and whether it has components.
template <class View, int Directions>
inline constexpr bool is_by_point = [] {
  constexpr int rank = static_cast<int>(View::rank());
  if constexpr (Directions == 1 && rank == 2)
    return View::static_extent(1) == dynamic_extent;  // (E, g), else (E, K)
  else
    return rank > 2 && rank >= 1 + Directions;
}();
template <class View, int Directions>
inline constexpr bool has_components =
    static_cast<int>(View::rank()) == (is_by_point<View, Directions> ? 2 + Directions : 2);

// Components of a coefficient: a constant, or 0 where it is one number.
template <class View, int Directions>
inline constexpr int coefficient_components = [] {
  if constexpr (has_components<View, Directions>)
    return static_cast<int>(View::static_extent(View::rank() - 1));
  else
    return 0;
}();

// Offset of an entry from a coefficient's data.
template <int Directions, class View>
SUMFAC_INLINE index_t coefficient_offset(View const& v, index_t element, point_index const& at, int component)
{
  auto const offset = [&](auto... indices) SUMFAC_LAMBDA {
    if constexpr (SUMFAC_BOUNDS_CHECK == 1) static_cast<void>(v(indices...));
    return static_cast<index_t>(v.mapping()(indices...));
  };
  constexpr bool components = has_components<View, Directions>;
  if constexpr (!is_by_point<View, Directions>) {
    if constexpr (components)
      return offset(element, component);
    else
      return offset(element);
  } else if constexpr (Directions == 1) {
    if constexpr (components)
      return offset(element, at.x, component);
    else
      return offset(element, at.x);
  } else if constexpr (Directions == 2) {
    if constexpr (components)
      return offset(element, at.y, at.x, component);
    else
      return offset(element, at.y, at.x);
  } else {
    if constexpr (components)
      return offset(element, at.z, at.y, at.x, component);
    else
      return offset(element, at.z, at.y, at.x);
  }
}

#if SUMFAC_HAS_HOST
[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_no_element()
{
  fail("mapping",
       "at(view) is asked of a mapping that is of no element (number -1, at least 0 expected): ask those "
       "that an operator hands to its form");
}

// Whether all entries of an element are finite numbers, where the view's data lie at `data` instead.
template <int Directions, class View>
bool is_finite_coefficient(void const* view, index_t element, void const* data)
{
  auto const& v = *static_cast<View const*>(view);
  auto const* const numbers = static_cast<typename View::value_type const*>(data);
  constexpr bool by_point = is_by_point<View, Directions>, several = has_components<View, Directions>;
  node_box const points(by_point ? static_cast<int>(v.extent(by_point ? 1 : 0)) : 1, Directions);
  int const components = several ? static_cast<int>(v.extent(View::rank() - 1)) : 1;
  for (int z = 0; z < points.z; ++z)
    for (int y = 0; y < points.y; ++y)
      for (int x = 0; x < points.x; ++x)
        for (int c = 0; c < components; ++c) {
          auto const number = numbers[coefficient_offset<Directions>(v, element, {z, y, x}, c)];
          if (number - number != 0) return false;
        }
  return true;
}

template <int Directions, class View>
index_t offset_in_coefficient(void const* view, index_t element, point_index const& at, int component)
{
  return coefficient_offset<Directions>(*static_cast<View const*>(view), element, at, component);
}

template <class View>
bool put_coefficient(void* view, void* data, index_t const* extents)
{
  for (int r = 0; r < static_cast<int>(View::rank()); ++r)
    if (View::static_extent(r) != dynamic_extent && static_cast<index_t>(View::static_extent(r)) != extents[r])
      return false;
  return [&]<int... Ranks>(std::integer_sequence<int, Ranks...>) {
    if constexpr (requires { View(static_cast<typename View::element_type*>(data), extents[Ranks]...); }) {
      *static_cast<View*>(view) = View(static_cast<typename View::element_type*>(data), extents[Ranks]...);
      return true;
    } else {
      return false;
    }
  }(std::make_integer_sequence<int, static_cast<int>(View::rank())>{});
}

// Where the host finds a view's entries, as `reads` says, or null.
template <int Directions, class View>
[[gnu::cold, gnu::noinline]] void const* find_coefficient(coefficient_reads const& reads, View const& v, int components)
{
  view_shape<View> const shape(v);
  entry_span const span = span_of(v);
  return reads.find({&v, v.data(), static_cast<int>(View::rank()), components, shape.extents, span.first, span.last,
                     sizeof(typename View::value_type), is_finite_coefficient<Directions, View>,
                     offset_in_coefficient<Directions, View>, put_coefficient<View>});
}
#endif

// Asks memory for what the next group of so many elements has at this point: of one of its elements, in turn, where
// they lie apart, for a line of memory has what as many points need.
template <int Width, int Directions, class View>
SUMFAC_INLINE void prefetch_next(View const& v, typename View::value_type const* data, point_place const& at, int c,
                                 bool side_by_side)
{
  if constexpr (is_by_point<View, Directions>) {
    if (at.first + 2 * Width - 1 > at.last) return;
    auto const points = static_cast<unsigned>(v.extent(1)), x = static_cast<unsigned>(at.index.x);
    auto const y = static_cast<unsigned>(at.index.y), z = static_cast<unsigned>(at.index.z);
    unsigned const point = (z * points + y) * points + x;
    index_t const lane = side_by_side ? 0 : (point + static_cast<unsigned>(c)) % Width;
    __builtin_prefetch(data + coefficient_offset<Directions>(v, at.first + Width + lane, at.index, c));
  }
}

// Component c of a coefficient at a point, of `components` in all (0: it is one number).
template <class T, int Directions = 3, class View>
SUMFAC_INLINE T coefficient_at(View const& v, point_place const& at, int c, [[maybe_unused]] int components)
{
  if constexpr (!reads_coefficients<T>) {
    return static_cast<T>(1);
  } else {
    typename View::value_type const* data = v.data();
#if !SUMFAC_ON_DEVICE || defined(SUMFAC_EMULATED_DEVICE)
    if (at.reads != nullptr) {
      data = static_cast<typename View::value_type const*>(find_coefficient<Directions>(*at.reads, v, components));
      if (data == nullptr) return static_cast<T>(1);
    }
    if (at.last < 0) refuse_no_element();
#endif
    constexpr int width = width_of<T>;
    index_t const first = at.first < at.last ? at.first : at.last;
    index_t const offset = coefficient_offset<Directions>(v, first, at.index, c);
    if constexpr (width == 1) {
      return static_cast<T>(load_constant(data + offset));
    } else {
      constexpr index_t behind = width - 1;
      bool const full = at.first + behind <= at.last;
      bool const side_by_side =
          full && coefficient_offset<Directions>(v, at.first + behind, at.index, c) == offset + behind;
      prefetch_next<width, Directions>(v, data, at, c, side_by_side);
      if (side_by_side) return load_as<T>(data + offset);
      T x;
      SUMFAC_UNROLL
      for (int lane = 0; lane < width; ++lane) {
        index_t const e = at.first + lane < at.last ? at.first + lane : at.last;
        x.set(lane, static_cast<scalar_of<T>>(data[coefficient_offset<Directions>(v, e, at.index, c)]));
      }
      return x;
    }
  }
}

template <class View, int Directions>
SUMFAC_FUNCTION constexpr bool check_coefficient()
{
  static_assert(is_view<View>,
                "sumfac::mapping: at(view) takes a sumfac::view of a coefficient, of shape (E), (E, K), "
                "(E, g, g, g) or (E, g, g, g, K)");
  if constexpr (is_view<View>) {
    constexpr int rank = static_cast<int>(View::rank());
    constexpr bool fits = rank == 1 || rank == 2 || rank == 1 + Directions || rank == 2 + Directions;
    constexpr bool numbers = std::is_floating_point_v<typename View::value_type>;
    static_assert(fits,
                  "sumfac::mapping: at(view) takes a coefficient of shape (E), (E, K), (E, g, g, g) or "
                  "(E, g, g, g, K), g once for each direction of the element: the view has another rank");
    static_assert(numbers,
                  "sumfac::mapping: at(view) takes a coefficient of floating-point numbers: for others there "
                  "are element(lane) and point()");
    if constexpr (fits && numbers) {
      constexpr bool is_constant = !has_components<View, Directions> || coefficient_components<View, Directions> > 0;
      static_assert(is_constant,
                    "sumfac::mapping: at(view) makes a vector of a coefficient's components, whose number "
                    "must be a constant: sumfac::extents<sumfac::dynamic_extent, 3>");
      return is_constant;
    }
  }
  return false;
}

// What mappings, and the points that apply_at gets, know of where they are.
template <class T, int Dim = 3>
class element_point {
public:
  element_point() = default;
  SUMFAC_INLINE constexpr explicit element_point(point_place const& place) : place_(place) {}

  // The element in a lane; lanes behind the mesh's last element repeat it.
  SUMFAC_INLINE constexpr index_t element(int lane = 0) const
  {
    index_t const e = place_.first + lane;
    return e < place_.last ? e : place_.last;
  }
  SUMFAC_INLINE constexpr point_index point() const { return place_.index; }

  // What a coefficient is here, for each lane's element: a T, or of one with components a vector<T, K>.
  template <class View>
  SUMFAC_INLINE auto at(View const& coefficient) const
  {
    if constexpr (!check_coefficient<View, Dim>()) {
      return T{};
    } else if constexpr (coefficient_components<View, Dim> == 0) {
      return coefficient_at<T, Dim>(coefficient, place_, 0, 0);
    } else {
      constexpr int count = coefficient_components<View, Dim>;
      vector<T, count> x;
      SUMFAC_UNROLL
      for (int c = 0; c < count; ++c) x[c] = coefficient_at<T, Dim>(coefficient, place_, c, count);
      return x;
    }
  }

private:
  friend struct places;
  point_place place_;
};

// The place of a mapping, and a mapping at another place.
struct places {
  template <class T, int Dim>
  SUMFAC_INLINE static constexpr point_place const& of(element_point<T, Dim> const& x)
  {
    return x.place_;
  }
  template <class Mapping>
  SUMFAC_INLINE static constexpr Mapping put(Mapping x, point_place const& place)
  {
    x.place_ = place;
    return x;
  }
  template <class Mapping>
  SUMFAC_INLINE static constexpr Mapping read_by(coefficient_reads const* reads, Mapping x)
  {
    x.place_.reads = reads;
    return x;
  }
};

// A point of a policy's own, of which only the geometry is known, with its place.
template <class T, class Point, int Dim = 3>
class placed_point : public element_point<T, Dim> {
public:
  SUMFAC_INLINE placed_point(point_place const& place, Point const& x) : element_point<T, Dim>(place), x_(x) {}

  SUMFAC_INLINE T measure() const { return x_.measure(); }
  SUMFAC_INLINE vector<T, Dim> metric_times(vector<T, Dim> const& g) const { return x_.metric_times(g); }
  SUMFAC_INLINE auto map() const { return places::put(x_.map(), places::of(*this)); }

private:
  Point x_;
};

}  // namespace detail

}  // namespace sumfac
