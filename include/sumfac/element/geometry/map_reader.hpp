// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How kernels make the geometry of points from the numbers that the policies `affine` and `trilinear` keep.
#pragma once

#include <sumfac/form/detail/element_lines.hpp>

#include <cstring>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// A line of an element's points: operator()(i) is what apply_form takes at point i of the rule.
template <class T, class Line, class Places, class PlaceOnLine>
struct line_of_points {
  Line line;
  Places const& places;
  PlaceOnLine place;

  SUMFAC_INLINE auto operator()(int i) const
  {
    auto const x = at(i);
    return placed_point<T, std::remove_const_t<decltype(x)>>(place(i), x);
  }

private:
  SUMFAC_INLINE auto at(int i) const
  {
    if constexpr (requires { line.at(places, i); })
      return line.at(places, i);
    else
      return line.at(places.node(i), places.weight(i));
  }
};

// Places and weights of the points of a rule that is no product of lines, (Q, 4), in the kernel's memory.
template <class Scalar>
struct cell_places {
  Scalar const* numbers = nullptr;
};

// The points of an element that is no product of lines, of an affine map: operator()(q) is what apply_form takes at
// point q.
template <class T, class Map, class PlaceOnLine>
struct points_of_cell {
  using scalar = scalar_of<T>;

  struct point {
    std::remove_reference_t<Map> const& x;
    scalar const* at;

    SUMFAC_INLINE T measure() const { return x.measure(at[3]); }
    template <class Gradient>
    SUMFAC_INLINE Gradient metric_times(Gradient const& g) const
    {
      return x.metric_times(at[3], g);
    }
    SUMFAC_INLINE mapping<T> map() const
    {
      vector<T, 3> position{};
      SUMFAC_UNROLL
      for (int c = 0; c < 3; ++c)
        position[c] = fma(x.scale, fma(at[0], x.jacobian(c, 0), fma(at[1], x.jacobian(c, 1), at[2] * x.jacobian(c, 2))),
                          x.centre[c]);
      return {x.jacobian, static_cast<T>(at[3]), position, x.scale};
    }
  };

  Map x;
  scalar const* places;
  PlaceOnLine place;

  SUMFAC_INLINE auto operator()(int q) const { return placed_point<T, point>(place(q), point{x, places + 4 * q}); }
};

template <class Problem, int Width>
struct places_for {
  using type = cell_places<typename Problem::number>;
};
template <class Problem, int Width>
  requires(Problem::is_tensor)
struct places_for<Problem, Width> {
  using type = std::conditional_t<Width == 1, squared_places<typename Problem::number, typename Problem::points>,
                                  point_places<typename Problem::number, typename Problem::points>>;
};

// Maps of the elements of a group: on the host of a pack of elements, else of `Elements` of them.
//
// **Shapes** (groups, Elements, count, Width).
template <class Policy, class Problem, int Width, int Elements>
struct map_reader {
  using number = typename Problem::factor_number;
  using scalar = typename Problem::number;
  using places_type = typename places_for<Problem, Width>::type;
  using lines = element_lines<Policy, need_of<typename Problem::form>>;
  template <class T>
  using map = typename lines::template map<T>;
  static constexpr int count = map<number>::count, g = Problem::points_1d;

  static constexpr bool is_split = false, reads_factors = false, prepares = false;
  template <int Direction>
  static constexpr bool makes_planes = Problem::is_tensor && Width > 1 && Direction != 1 && lines::makes_planes;
  static constexpr index_t group_bytes = 0, pack_bytes = 0;

  number const* maps = nullptr;
  places_type places = {};
  element_range elements = {};

  // The line of points in direction Direction which meets point a of the slower, b of the faster other direction.
  template <class T, int Direction>
  SUMFAC_INLINE auto line(index_t group, int e, int a, int b) const
  {
    if constexpr (Problem::is_tensor) {
      return line_of<T, Direction>(group, group, e, a, b);
    } else {
      auto const at = place_on_line<0>{elements, (group * Elements + e) * Width, a, b};
      return points_of_cell<T, decltype(load<T>(0)), decltype(at)>{load<T>(group * Elements + e), places.numbers, at};
    }
  }
  // The same where the maps are those of another group.
  template <class T, int Direction>
  SUMFAC_INLINE auto line_of(index_t place, index_t group, int e, int a, int b) const
  {
    constexpr bool slower_is_next = (Direction + 1) % 3 > (Direction + 2) % 3;
    scalar const p = places.nodes[slower_is_next ? a : b], r = places.nodes[slower_is_next ? b : a];
    scalar const weight = places.weights[a] * places.weights[b];
    auto make = [&](auto const& x) SUMFAC_LAMBDA {
      if constexpr (Width == 1)
        return lines::template device_line<Direction, T>(x, p, r, weight);
      else
        return lines::template line<Direction, T>(x, p, r, weight);
    };
    using line_type = decltype(make(load<T>(0)));
    auto const at = place_on_line<Direction>{elements, (group * Elements + e) * Width, a, b};
    return line_of_points<T, line_type, places_type, decltype(at)>{make(load<T>(place * Elements + e)), places, at};
  }

  // The lines that meet point a of the slower other direction, where they are made together: operator()(b) is one.
  template <class T, int Direction>
    requires(makes_planes<Direction>)
  SUMFAC_INLINE auto plane(index_t group, int e, int a) const
  {
    return plane_of<T, Direction>(group, group, e, a);
  }
  template <class T, int Direction>
    requires(makes_planes<Direction>)
  SUMFAC_INLINE auto plane_of(index_t place, index_t group, int e, int a) const
  {
    using lines_type = typename lines::template lines_of_plane<Direction, T, g>;
    return plane_of_points<T, Direction, lines_type>{lines_type(load<T>(place * Elements + e), places, a), places,
                                                     elements, (group * Elements + e) * Width, a};
  }

  // The maps of a group come with its vectors.
  static constexpr int prefetch_lines = Width > 1 ? static_cast<int>((count * Width * sizeof(number) + 63) / 64) : 0;
  SUMFAC_INLINE char const* prefetch_from(index_t group) const
  {
    return reinterpret_cast<char const*>(maps + (group + 1) * (count * Width));
  }

private:
  template <class T, int Direction, class Lines>
  struct plane_of_points {
    Lines lines;
    places_type const& places;
    element_range elements;
    index_t element;
    int a;

    SUMFAC_INLINE auto operator()(int b) const
    {
      auto const at = place_on_line<Direction>{elements, element, a, b};
      return line_of_points<T, decltype(lines(b)), places_type, decltype(at)>{lines(b), places, at};
    }
  };

  template <class T>
  SUMFAC_INLINE decltype(auto) load(index_t i) const
  {
    number const* const first = maps + i * (count * Width);
    if constexpr (Width > 1 && std::is_same_v<number, scalar>) {
      return (*reinterpret_cast<map<T> const*>(first));
    } else {
      T numbers[count];
      SUMFAC_UNROLL
      for (int k = 0; k < count; ++k)
        if constexpr (Width > 1)
          numbers[k] = load_as<T>(first + k * Width);
        else
          numbers[k] = static_cast<T>(load_constant(first + k));
      map<T> x;
      std::memcpy(&x, numbers, sizeof x);
      return x;
    }
  }
};

}  // namespace sumfac::detail
