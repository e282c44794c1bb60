// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernel that evaluates an input at the points and keeps it there.
#pragma once

#include <sumfac/backend/policy.hpp>
#include <sumfac/config.hpp>
#include <sumfac/element/kernel/field_values.hpp>
#include <sumfac/math/detail/plain.hpp>
#include <sumfac/math/pack.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Of one element a team, or of a pack of them on the host. Kept says where the numbers of a group lie, and Kernel,
// which reads them, the order of an element's points; the input's first number is First of a point's.
template <class Problem, input Input, int First, class Kernel, class Kept, class Source, bool OnHost>
struct keep_kernel {
  using scalar = typename Problem::number;
  using values = field_values<Problem, Input, 1, OnHost>;
  static constexpr int threads =
      Problem::is_tensor ? Problem::points_1d * Problem::points_1d : lesser(512, (Problem::points_1d + 31) / 32 * 32);
  static constexpr int teams_of_group = OnHost ? 1 : Kept::lanes;
  static constexpr index_t group_size = index_t{Kept::lanes} * Problem::points_of_element * Kept::count;

  Source source;
  typename Problem::factor_number* kept;
  values evaluation;

  template <class Team>
  struct scratch {
    SUMFAC_NO_UNIQUE_ADDRESS typename Source::template scratch<Team> nodal;
    SUMFAC_NO_UNIQUE_ADDRESS typename values::template scratch<Team> of_values;
  };

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t index) const
  {
    using T = typename Team::scalar;
    auto* const group = kept + index / teams_of_group * group_size;
    int const lane = static_cast<int>(index % teams_of_group);
    auto const put = [&](int, int z, int y, int x, int i, T number) SUMFAC_LAMBDA {
      int const point = Kernel::point(z, y, x);
      SUMFAC_UNROLL
      for (int l = 0; l < width_of<T>; ++l) set(group[Kept::place(lane + l, point, First + i)], number, l);
    };
    evaluation.evaluate(team, s.of_values, source.fetch(team, s.nodal, index), put);
  }

private:
  template <class Number, class T>
  SUMFAC_INLINE static void set(Number& entry, T const& x, [[maybe_unused]] int l)
  {
    if constexpr (width_of<T> == 1)
      entry = static_cast<Number>(x);
    else
      entry = static_cast<Number>(x[l]);
  }
};

}  // namespace sumfac::detail
