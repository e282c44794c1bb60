// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How kernels read the factors that the policy `stored` keeps.
//
// All readers offer line<T, Direction>(group, e, a, b): a line of points of element e of the group in direction
// Direction (0, 1, 2 for x, y, z), which meets point a of the slower and point b of the faster other direction. Called
// with i, a line has what apply_form takes at its point i: the form's factors, or the point itself where these are
// recomputed. In memory factors are in the order (a, b, i) of the lines that the kernel reads. The concept
// factor_reader says what else.
#pragma once

#include <sumfac/element/geometry/prefetch_distance.hpp>
#include <sumfac/element/tuning.hpp>

#include <cstring>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Where stored factors are; with the number of an element's points, where that is known at run time alone.
template <class Problem>
struct stored_numbers {
  typename Problem::factor_number const* stored = nullptr;

  SUMFAC_FUNCTION static constexpr int points_of_element() { return Problem::points_of_element; }
};
template <class Problem>
  requires(Problem::at_run_time)
struct stored_numbers<Problem> {
  typename Problem::factor_number const* stored = nullptr;
  typename Problem::sizes_type sizes = {};

  SUMFAC_FUNCTION int points_of_element() const { return sizes.points; }
};

// A point's factors side by side: on the host in packs of Width elements, else of the one element of a team.
//
// **Shapes** (groups, points of an element, F, Width), in the kernel's reading order.
template <class Problem, int Width>
struct packed_factor_reader : stored_numbers<Problem> {
  using number = typename Problem::factor_number;
  static constexpr int lanes = Width, count = Problem::factors_of_point, g = Problem::points_1d;
  static constexpr int points = Problem::points_of_element;
  static constexpr int most_held = 8;  // of a point, in registers at once
  static constexpr bool is_split = false, reads_factors = true, prepares = false;
  template <int>
  static constexpr bool makes_planes = false;

  // Of factor i of a point, among the numbers of a group.
  SUMFAC_FUNCTION static constexpr int place(int lane, int point, int i) { return (point * count + i) * Width + lane; }

  template <class T>
  struct line_of_factors {
    using point_factors = typename Problem::template factors_at_point<T>;

    number const* first;

    // Prefetches what comes some time after point i, where no kernel does: 0.6 groups on, or as far as memory takes
    // time for (bench/host/forms_with_data.cpp: 1.05 to 1.15 times as fast out of cache as without, on Zen 5).
    SUMFAC_INLINE void prefetch(int i) const
      requires(Width > 1)
    {
      constexpr index_t point_bytes = index_t{count} * Width * index_t{sizeof(number)};
      constexpr index_t most = group_bytes * 6 / 10 / 64 * 64, distance = most > 32 * 1024 ? most : 32 * 1024;
      char const* const there = reinterpret_cast<char const*>(first) + i * point_bytes + distance;
      SUMFAC_UNROLL
      for (index_t byte = 0; byte < point_bytes; byte += 64) __builtin_prefetch(there + byte, 0, 2);
    }

    SUMFAC_INLINE decltype(auto) operator()(int i) const
    {
      if constexpr (Width > 1 && std::is_same_v<number, scalar_of<T>> && count > most_held) {
        return reinterpret_cast<point_factors const*>(first)[i];
      } else {
        T numbers[count];
        SUMFAC_UNROLL
        for (int k = 0; k < count; ++k) {
          numbers[k] = load_as<T>(first + (i * count + k) * Width);
          if constexpr (Width > 1 && count <= most_held) numbers[k] = held(numbers[k]);
        }
        point_factors f;
        std::memcpy(&f, numbers, sizeof f);
        return f;
      }
    }
  };

  template <class T, int>
  SUMFAC_INLINE line_of_factors<T> line(index_t group, int, int a, int b) const
  {
    return {this->stored + (group * this->points_of_element() + (a * g + b) * g) * (count * Width)};
  }

  // Numbers of a group that are prefetched as a stream.
  static constexpr index_t group_bytes = index_t{points} * count * Width * index_t{sizeof(number)};
  static constexpr index_t pack_bytes = Width * index_t{sizeof(typename Problem::number)};
  static constexpr int prefetch_lines = Width > 1 ? static_cast<int>(group_bytes / 64) : 0;

  // So many tenths of a group from its first factor, or as far as memory takes time for.
  SUMFAC_INLINE char const* prefetch_from(index_t group, int distance) const
  {
    constexpr index_t least = 32 * 1024;
    index_t const bytes = group_bytes * distance / 10 / 64 * 64;
    return reinterpret_cast<char const*>(this->stored) + group * group_bytes + (bytes > least ? bytes : least);
  }
};

// The same of Elements elements of a team, side by side as threads take them: elements, or points of one run of these.
// Once says that the device's first cache need not keep them, as it has tables to keep.
//
// **Shapes** (groups, points of an element, F, Elements), of one run (groups, Elements, F, points of an element).
template <class Problem, int Elements, bool Once = false>
struct element_factor_reader : packed_factor_reader<Problem, 1> {
  using of_element = packed_factor_reader<Problem, 1>;
  using of_element::count, of_element::points;
  using typename of_element::number;
  static constexpr int lanes = Elements;
  static constexpr bool by_points =
      points != dynamic && is_one_run(Elements, points, greater(Problem::components, Problem::test_side::components));

  SUMFAC_FUNCTION static constexpr int place(int lane, int point, int i)
  {
    return by_points ? (lane * count + i) * points + point : (point * count + i) * Elements + lane;
  }

  template <class T>
  struct line_of_factors {
    number const* first;

    SUMFAC_INLINE auto operator()(int i) const
    {
      T numbers[count];
      number const* const of_point = first + place(0, i, 0);
      SUMFAC_UNROLL
      for (int k = 0; k < count; ++k) {
        if constexpr (Once)
          numbers[k] = static_cast<T>(load_once(of_point + place(0, 0, k)));
        else
          numbers[k] = load_as<T>(first + place(0, i, k));
      }
      typename Problem::template factors_at_point<T> f;
      std::memcpy(&f, numbers, sizeof f);
      return f;
    }
  };
  template <class T, int>
  SUMFAC_INLINE line_of_factors<T> line(index_t group, int e, int, int) const
  {
    return {this->stored + group * (this->points_of_element() * count * Elements) + place(e, 0, 0)};
  }
};

// For a device's team: it takes a point of each of its lines, of all its elements, at once.
//
// Factors are read as Reads says.
// **Shapes** (groups, F, G, Elements, G^2), G or 1 in place of G^2 on quadrilaterals and lines: layer by layer of an
// element's points, a team's elements side by side.
template <class Problem, int Elements, read_order Reads>
struct team_factor_reader {
  using number = typename Problem::factor_number;
  static constexpr bool is_split = false, reads_factors = true, prepares = false;
  template <int>
  static constexpr bool makes_planes = false;
  static constexpr int lanes = Elements, count = Problem::factors_of_point, g = Problem::points_1d;
  static constexpr int lines = Problem::points_of_element / g;  // of an element, g points each
  static constexpr int layer = Elements * lines;

  // Of a group; fewer are prefetched where a wave's would press on the cache.
  static constexpr int factor_bytes = count * g * layer * static_cast<int>(sizeof(number));

  number const* stored = nullptr;
  prefetch_distance distance{.bytes = factor_bytes};

  SUMFAC_FUNCTION static constexpr int place(int lane, int point, int i)
  {
    return (i * g + point / lines) * layer + lane * lines + point % lines;
  }

  template <class T>
  struct line_of_factors {
    using number_type = number;
    static constexpr int numbers = count;  // of a point

    number const* first;

    // Where number k of point i is.
    SUMFAC_INLINE number const* number_at(int k, int i) const { return first + (k * g + i) * layer; }

    // A point's factors, whose number k is number_of(k).
    template <class Number>
    SUMFAC_INLINE static auto from_numbers(Number const& number_of)
    {
      T in_order[count];
      SUMFAC_UNROLL
      for (int k = 0; k < count; ++k) in_order[k] = static_cast<T>(number_of(k));
      typename Problem::template factors_at_point<T> f;
      std::memcpy(&f, in_order, sizeof f);
      return f;
    }

    SUMFAC_INLINE auto operator()(int i) const
    {
      return from_numbers([&](int k) SUMFAC_LAMBDA {
        number const* const p = number_at(k, i);
        if constexpr (functions_apart<typename Problem::form>::count > 1)
          return load_constant(p);
        else
          return Reads == read_order::kept ? load_once_here(p) : load_once(p);
      });
    }
  };

  template <class T, int>
  SUMFAC_INLINE line_of_factors<T> line(index_t group, int e, int a, int b) const
  {
    return {stored + (group * (count * g * layer) + (e * lines + a * Problem::points_y + b))};
  }

  // Prefetches the factors of the group that is one wave of teams behind this one; a team of the first wave its own,
  // too.
  template <class Team>
  SUMFAC_INLINE void prefetch_factors(Team const& team, index_t group) const
  {
    if (group < distance.groups_behind) prefetch_group(team, group);
    if (index_t const next = group + distance.groups_behind; next < distance.groups) prefetch_group(team, next);
  }

  static constexpr int prefetch_lines = 0;
  static constexpr index_t group_bytes = 0, pack_bytes = 0;

private:
  template <class Team>
  SUMFAC_INLINE void prefetch_group(Team const& team, index_t group) const
  {
    constexpr int line = 128;
    char const* const first = reinterpret_cast<char const*>(stored) + group * factor_bytes;
    if constexpr (prefetches_in_bulk())
      team.each(box<1>{}, [&](int) { prefetch_bulk(first, distance.bytes); });
    else
      team.each(box<(factor_bytes + line - 1) / line>{}, [&](int i) {
        if (i * line < distance.bytes) prefetch_line(first + i * line);
      });
  }
};

}  // namespace sumfac::detail
