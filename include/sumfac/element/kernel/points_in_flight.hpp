// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a form needs at the points of a line, on its way to registers or to scratch before it is needed.
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

// The same by way of scratch: `Ring` has places for Ahead points of each line, ring(place, number, line), and a point's
// numbers are copied to the place of the one before it. Threads copy and read those of their own line alone.
template <class Team, class Ring, class Line, int Ahead, int Size>
class points_in_scratch {
public:
  SUMFAC_INLINE points_in_scratch(Team const& team, Ring& ring, Line const& line, int own)
      : team_(team), ring_(ring), line_(line), own_(own)
  {
  }

  // The first ones.
  SUMFAC_INLINE void start() const
  {
    SUMFAC_UNROLL
    for (int q = 0; q < Ahead; ++q) copy(q);
  }
  // Point q, for q = 0, 1, ... in order, behind start().
  SUMFAC_INLINE auto operator()(int q) const
  {
    team_.template await_copies<Ahead - 1>();
    auto const here = Line::from_numbers([&](int k) SUMFAC_LAMBDA {
      typename Line::number_type const x = ring_(q % Ahead, k, own_);
      return x;
    });
    copy(q + Ahead);
    return here;
  }

private:
  // A group for each point: the wait counts them.
  SUMFAC_INLINE void copy(int q) const
  {
    if (q < Size) {
      SUMFAC_UNROLL
      for (int k = 0; k < Line::numbers; ++k) team_.copy_ahead(line_.number_at(k, q), ring_, q % Ahead, k, own_);
    }
    team_.end_copies();
  }

  Team const& team_;
  Ring& ring_;
  Line line_;
  int own_;
};

}  // namespace sumfac::detail
