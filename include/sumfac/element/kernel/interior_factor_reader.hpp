// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How kernels of forms of two sides read their factors.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/element/kernel/face_kernel.hpp>
#include <sumfac/math/pack.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

struct no_places {};

// Factors (groups, sides, points, F), of numbers on devices (groups, sides, F, points). On the host sides are one
// behind the other, and those that `places` says have F numbers for all points, to be multiplied by their weights;
// behind those of all groups come those of parts 1, 2, .. of sides that small elements lie behind, from more[side] on.
template <class Problem, class T>
struct interior_factor_reader {
  static constexpr int count = Problem::factors_of_point, points = face_sizes<Problem>::points_of_face;
  static constexpr int sides = 2 * Problem::directions, g = face_sizes<Problem>::points_of_row;
  using rule = typename face_sizes<Problem>::row_points;
  using scalar = typename Problem::number;
  using point_factors = typename Problem::template factors_at_point<T>;
  static constexpr std::array<scalar, points> weights = [] {
    std::array<scalar, points> of_points{};
    for (std::size_t p = 0; p < points; ++p)
      of_points[p] = static_cast<scalar>(rule::weights[p % g] * (Problem::directions == 3 ? rule::weights[p / g] : 1));
    return of_points;
  }();

  T const* stored = nullptr;
  std::conditional_t<(width_of<T> > 1), index_t const*, no_places> places{}, more{};

  SUMFAC_FUNCTION static index_t place(index_t group, index_t side, int point, int factor)
  {
    index_t const of_side = (group * sides + side) * (points * count);
    return of_side + (width_of<T> > 1 ? point * count + factor : factor * points + point);
  }
  // Called with a point: those of one side, or of a part of it.
  SUMFAC_INLINE auto of_side(index_t group, int side, [[maybe_unused]] int part = 0) const
  {
    if constexpr (width_of<T> > 1) {
      index_t const all = group * sides + side, place = places[part > 0 ? more[all] + part - 1 : all];
      return [first = stored + place / 2, once = place % 2 != 0](int point) SUMFAC_LAMBDA {
        point_factors f;
        if (once) {
          T numbers[count];
          SUMFAC_UNROLL
          for (int i = 0; i < count; ++i) numbers[i] = first[i] * weights[static_cast<std::size_t>(point)];
          std::memcpy(&f, numbers, sizeof f);
        } else {
          std::memcpy(&f, first + point * count, sizeof f);
        }
        return f;
      };
    } else {
      return [this, group, side](int point) SUMFAC_LAMBDA {
        T numbers[count];
        SUMFAC_UNROLL
        for (int i = 0; i < count; ++i) numbers[i] = stored[place(group, side, point, i)];
        point_factors f;
        std::memcpy(&f, numbers, sizeof f);
        return f;
      };
    }
  }
};

}  // namespace sumfac::SUMFAC_TARGET::detail
