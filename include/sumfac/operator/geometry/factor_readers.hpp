// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How kernels read the factors of a form that were stored when the operator was made.
//
// All readers offer line<T, Direction>(group, e, a, b): a line of points of element e of the group in direction
// Direction (0, 1, 2 for x, y, z), which meets point a of the slower and point b of the faster other direction. Called
// with i, a line has what apply_form takes at its point i: the form's factors, or the point itself where these are
// recomputed. In memory factors are in the order (a, b, i) of the lines that the kernel asks for.
#pragma once

#include <sumfac/backend/detail/global_memory.hpp>
#include <sumfac/backend/policy.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/math/pack.hpp>

#include <cstring>
#include <type_traits>

namespace sumfac::inline SUMFAC_TARGET {

// On the host: a point's factors side by side, a pack of elements in each, of numbers Number.
//
// **Shapes** (groups, G^3, F, W), in the kernel's reading order.
template <class Form, int Points1d, class Scalar, class Number>
struct packed_factor_reader {
  static constexpr int width = native_width<Scalar>, count = factors_of<Form>;
  static constexpr int most_held = 8;  // of a point, in registers at once
  static constexpr bool reads_factors = true;
  using point_factors = typename Form::template factors<pack<Scalar, width>>;

  Number const* stored = nullptr;

  struct line_of_factors {
    Number const* first;

    SUMFAC_INLINE decltype(auto) operator()(int i) const
    {
      if constexpr (std::is_same_v<Number, Scalar> && count > most_held) {
        return reinterpret_cast<point_factors const*>(first)[i];
      } else {
        pack<Scalar, width> packs[count];
        SUMFAC_UNROLL
        for (int k = 0; k < count; ++k) {
          packs[k] = load_as<pack<Scalar, width>>(first + (i * count + k) * width);
          if constexpr (count <= most_held) packs[k] = detail::held(packs[k]);
        }
        point_factors f;
        std::memcpy(&f, packs, sizeof f);
        return f;
      }
    }
  };

  template <class T, int>
  SUMFAC_INLINE line_of_factors line(index_t group, int, int a, int b) const
  {
    return {stored + (group * (Points1d * Points1d * Points1d) + (a * Points1d + b) * Points1d) * (count * width)};
  }

  static constexpr index_t group_bytes =
      index_t{Points1d * Points1d * Points1d} * count * width * index_t{sizeof(Number)};
  static constexpr index_t pack_bytes = sizeof(pack<Scalar, width>);
  static constexpr int lines_ahead = static_cast<int>(group_bytes / 64);

  // So many tenths of a group from its first factor, or as far as memory takes time for.
  SUMFAC_INLINE char const* ahead_of(index_t group, int lead) const
  {
    constexpr index_t least = 32 * 1024;
    index_t const bytes = group_bytes * lead / 10 / 64 * 64;
    return reinterpret_cast<char const*>(stored) + group * group_bytes + (bytes > least ? bytes : least);
  }
};

// For a team of one element that asks for points in any order.
//
// **Shapes** (E, F, G^3).
template <class Form, int Points1d, class Number>
struct direct_factor_reader {
  static constexpr bool reads_factors = true;
  static constexpr int count = factors_of<Form>;

  Number const* stored = nullptr;

  template <class T>
  struct line_of_factors {
    Number const* first;

    SUMFAC_INLINE auto operator()(int i) const
    {
      T numbers[count];
      SUMFAC_UNROLL
      for (int k = 0; k < count; ++k) numbers[k] = static_cast<T>(first[k * (Points1d * Points1d * Points1d) + i]);
      typename Form::template factors<T> f;
      std::memcpy(&f, numbers, sizeof f);
      return f;
    }
  };

  template <class T, int>
  SUMFAC_INLINE line_of_factors<T> line(index_t group, int, int a, int b) const
  {
    return {stored + (group * count * (Points1d * Points1d * Points1d) + (a * Points1d + b) * Points1d)};
  }

  static constexpr int lines_ahead = 0;
};

// For a device's team: it takes a point of each of its lines, of all its elements, at once.
//
// **Shapes** (groups, F, G, Elements, G^2).
template <class Form, int Points1d, class Number, int Elements>
struct team_factor_reader {
  static constexpr bool reads_factors = true;
  static constexpr int count = factors_of<Form>;
  static constexpr int layer = Elements * Points1d * Points1d;

  Number const* stored = nullptr;

  template <class T>
  struct line_of_factors {
    Number const* first;

    SUMFAC_INLINE auto operator()(int i) const
    {
      T numbers[count];
      SUMFAC_UNROLL
      for (int k = 0; k < count; ++k) numbers[k] = static_cast<T>(load_once(first + (k * Points1d + i) * layer));
      typename Form::template factors<T> f;
      std::memcpy(&f, numbers, sizeof f);
      return f;
    }
  };

  template <class T, int>
  SUMFAC_INLINE line_of_factors<T> line(index_t group, int e, int a, int b) const
  {
    return {stored + (group * (count * Points1d * layer) + (e * (Points1d * Points1d) + a * Points1d + b))};
  }

  // Asks for all factors of a group.
  template <class Team>
  SUMFAC_INLINE void prefetch_factors(Team const& team, index_t group) const
  {
    constexpr int step = 128 / sizeof(Number), size = count * Points1d * layer;
    Number const* const first = stored + group * size;
    team.each(box<(size + step - 1) / step>{}, [&](int line) { prefetch_line(first + line * step); });
  }

  static constexpr int lines_ahead = 0;
};

}  // namespace sumfac
