// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a form needs at the points of a line, on its way to registers before it is needed.
#pragma once

#include <sumfac/config.hpp>

#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// A line's points, read one after the other from the first on, those of the next Ahead points before they are needed.
template <class Line, int Ahead, int Size>
class points_in_flight {
public:
  SUMFAC_INLINE explicit points_in_flight(Line const& line) : line_(line)
  {
    SUMFAC_UNROLL
    for (int q = 0; q < Ahead; ++q) next_[q] = line_(q);
  }
  SUMFAC_INLINE auto operator()(int q)
  {
    auto const here = next_[q % Ahead];
    if (q + Ahead < Size) next_[q % Ahead] = line_(q + Ahead);
    return here;
  }

private:
  Line line_;
  std::remove_cvref_t<decltype(std::declval<Line const&>()(0))> next_[Ahead];
};
template <class Line, int Size>
class points_in_flight<Line, 0, Size> {
public:
  SUMFAC_INLINE explicit points_in_flight(Line const& line) : line_(line) {}
  SUMFAC_INLINE decltype(auto) operator()(int q) const { return line_(q); }

private:
  Line line_;
};

}  // namespace sumfac::detail
