// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How kernels read the factors of a form that were stored when the operator was made.
//
// All readers offer line<T, Direction>(group, e, a, b): a line of points of element e of the group in direction
// Direction (0, 1, 2 for x, y, z), which meets point a of the slower and point b of the faster other direction. Called
// with i, a line has what apply_form takes at its point i: the form's factors, or the point itself where these are
// recomputed. In memory factors are in the order (a, b, i) of the lines that the kernel asks for. The concept
// factor_reader says what else.
#pragma once

#include <sumfac/backend/detail/global_memory.hpp>
#include <sumfac/backend/policy.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/math/pack.hpp>

#include <cstring>
#include <type_traits>

namespace sumfac::inline SUMFAC_TARGET::detail {

// A point's factors side by side: on the host in packs of Width elements, else of the one element of a team.
//
// **Shapes** (groups, G^3, F, Width), in the kernel's reading order.
template <class Problem, int Width>
struct packed_factor_reader {
  using number = typename Problem::factor_number;
  static constexpr int lanes = Width, count = Problem::factors_of_point, g = Problem::quads_1d;
  static constexpr int most_held = 8;  // of a point, in registers at once
  static constexpr bool is_split = false, reads_factors = true, prepares = false;
  template <int>
  static constexpr bool makes_planes = false;

  number const* stored = nullptr;

  // Of factor i of a point, among the numbers of a group.
  SUMFAC_FUNCTION static constexpr int place(int lane, int point, int i)
  {
    return (point * count + i) * Width + lane;
  }

  template <class T>
  struct line_of_factors {
    using point_factors = typename Problem::form::template factors<T>;

    number const* first;

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
    return {stored + (group * (g * g * g) + (a * g + b) * g) * (count * Width)};
  }

  // Numbers of a group that are asked for as a stream.
  static constexpr index_t group_bytes = index_t{g * g * g} * count * Width * index_t{sizeof(number)};
  static constexpr index_t pack_bytes = Width * index_t{sizeof(typename Problem::number)};
  static constexpr int lines_ahead = Width > 1 ? static_cast<int>(group_bytes / 64) : 0;

  // So many tenths of a group from its first factor, or as far as memory takes time for.
  SUMFAC_INLINE char const* ahead_of(index_t group, int lead) const
  {
    constexpr index_t least = 32 * 1024;
    index_t const bytes = group_bytes * lead / 10 / 64 * 64;
    return reinterpret_cast<char const*>(stored) + group * group_bytes + (bytes > least ? bytes : least);
  }
};

// For a device's team: it takes a point of each of its lines, of all its elements, at once.
//
// **Shapes** (groups, F, G, Elements, G^2): layer by layer of an element's points, a team's elements side by side.
template <class Problem, int Elements>
struct team_factor_reader {
  using number = typename Problem::factor_number;
  static constexpr bool is_split = false, reads_factors = true, prepares = false;
  template <int>
  static constexpr bool makes_planes = false;
  static constexpr int lanes = Elements, count = Problem::factors_of_point, g = Problem::quads_1d;
  static constexpr int layer = Elements * g * g;

  number const* stored = nullptr;

  SUMFAC_FUNCTION static constexpr int place(int lane, int point, int i)
  {
    return (i * g + point / (g * g)) * layer + lane * (g * g) + point % (g * g);
  }

  template <class T>
  struct line_of_factors {
    number const* first;

    SUMFAC_INLINE auto operator()(int i) const
    {
      T numbers[count];
      SUMFAC_UNROLL
      for (int k = 0; k < count; ++k) numbers[k] = static_cast<T>(load_once(first + (k * g + i) * layer));
      typename Problem::form::template factors<T> f;
      std::memcpy(&f, numbers, sizeof f);
      return f;
    }
  };

  template <class T, int>
  SUMFAC_INLINE line_of_factors<T> line(index_t group, int e, int a, int b) const
  {
    return {stored + (group * (count * g * layer) + (e * (g * g) + a * g + b))};
  }

  // Asks for all factors of a group.
  template <class Team>
  SUMFAC_INLINE void prefetch_factors(Team const& team, index_t group) const
  {
    constexpr int step = 128 / sizeof(number), size = count * g * layer;
    number const* const first = stored + group * size;
    team.each(box<(size + step - 1) / step>{}, [&](int line) { prefetch_line(first + line * step); });
  }

  static constexpr int lines_ahead = 0;
  static constexpr index_t group_bytes = 0, pack_bytes = 0;
};

}  // namespace sumfac::detail
