// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The reference element of each shape: where its centre is, and how far outside of it a place is.
#pragma once

#include <sumfac/basis/space.hpp>
#include <sumfac/math/small.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// [-1, 1] along each direction; of simplices, and of a prism's triangle, coordinates of at least 0 and of a sum of 1 at
// most. Each coordinate has a bound, and the sum has one, behind them.
template <int Directions, cell_shape Shape>
struct reference_element {
  using place = vector<double, Directions>;
  static constexpr int in_sum = Shape == cell_shape::lines ? 0 : Shape == cell_shape::prism ? 2 : Directions;
  static constexpr int bounds = Directions + (in_sum > 0 ? 1 : 0);

  static constexpr place centre()
  {
    place xi{};
    for (int d = 0; d < in_sum; ++d) xi[d] = 1.0 / (in_sum + 1);
    return xi;
  }

  // How far a place is beyond each bound; less than 0 within.
  static vector<double, bounds> beyond(place const& xi)
  {
    vector<double, bounds> over{};
    for (int d = 0; d < Directions; ++d) over[d] = d < in_sum ? -xi[d] : (xi[d] < 0 ? -xi[d] : xi[d]) - 1;
    if constexpr (in_sum > 0) over[Directions] = sum_of(xi) - 1;
    return over;
  }
  static double most_beyond(place const& xi)
  {
    auto const over = beyond(xi);
    double most = over[0];
    for (int b = 1; b < bounds; ++b) most = over[b] > most ? over[b] : most;
    return most;
  }
  // How much what is beyond each bound may be wrong by where coordinates may be by `slack`.
  static vector<double, bounds> slack_of_bounds(place const& slack)
  {
    vector<double, bounds> of{};
    for (int d = 0; d < Directions; ++d) of[d] = slack[d];
    if constexpr (in_sum > 0) of[Directions] = sum_of(slack);
    return of;
  }

  // The nearest place within twice the element's extent about its middle, in each direction.
  static place not_far(place xi)
  {
    for (int d = 0; d < Directions; ++d) {
      double const low = d < in_sum ? -0.5 : -2, high = d < in_sum ? 1.5 : 2;
      xi[d] = xi[d] > high ? high : xi[d] < low ? low : xi[d];
    }
    return xi;
  }

  static double sum_of(place const& xi)
  {
    double sum = 0;
    for (int d = 0; d < in_sum; ++d) sum += xi[d];
    return sum;
  }
};

}  // namespace sumfac::SUMFAC_TARGET::detail
