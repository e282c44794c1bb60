// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What an element kernel exchanges with memory: vectors, from one part, and the form's factors, from another.
#pragma once

#include <sumfac/config.hpp>

#include <type_traits>

namespace sumfac {

namespace detail {

struct no_scratch {
};

template <class Factors, class Team, bool Prepares>
struct geometry_scratch_of {
  using type = no_scratch;
};
template <class Factors, class Team>
struct geometry_scratch_of<Factors, Team, true> {
  using type = typename Factors::template geometry_scratch<Team>;
};

}  // namespace detail

// Any way to read u and write v beside any way to come by the form's factors; kernels call the members of both.
//
// Either part says how many cache lines of it a group needs (`lines_ahead`, 0 where nothing is to be asked for early)
// and where they begin (`ahead_of(group)`, null where the memory needs no help).
//
// Factors that need scratch and phases of their own before the first line of points is asked for have `prepares`, a
// geometry_scratch<Team> and prepare<Direction>(team, scratch, group).
template <class Vectors, class Factors>
struct exchange : Vectors, Factors {
  using vectors_type = Vectors;

  static constexpr bool prepares = requires { Factors::prepares; };
  template <class Team>
  using geometry_scratch = typename detail::geometry_scratch_of<Factors, Team, prepares>::type;

  // Sets up lines of points in direction Direction; ends with a barrier where it does anything.
  template <int Direction, class Team, class Scratch>
  SUMFAC_INLINE void prepare_lines(Team const& team, Scratch& s, index_t group) const
  {
    if constexpr (prepares) Factors::template prepare<Direction>(team, s, group);
  }

  // A line of points as the factors' part has it.
  template <class T, int Direction, class Scratch>
  SUMFAC_INLINE auto line_of(Scratch& s, index_t group, int e, int a, int b) const
  {
    if constexpr (prepares)
      return Factors::template line<T, Direction>(s, group, e, a, b);
    else
      return Factors::template line<T, Direction>(group, e, a, b);
  }

  static constexpr int lines_ahead = Vectors::lines_ahead + Factors::lines_ahead;

  // Asks memory for the u of the next group and for factors a good way ahead, a share at each of Steps steps, so that
  // the memory works while a group is computed with.
  template <int Steps>
  class ahead {
  public:
    SUMFAC_INLINE ahead(char const* vectors, char const* factors)
        : at_(vectors), factors_(factors), rest_(Vectors::lines_ahead)
    {
    }

    SUMFAC_INLINE void step()
    {
      if (at_ == nullptr) return;
      for (int i = 0; i < share; ++i) __builtin_prefetch(at_ + i * line, 0, 2);
      at_ += share * line;
      rest_ -= share;
      if (rest_ <= 0) at_ = factors_, rest_ = lines_ahead;
    }

  private:
    static constexpr int line = 64;
    static constexpr int share = (lines_ahead + Steps - 1) / Steps;

    char const* at_;
    char const* factors_;
    int rest_;
  };

  template <int Steps>
    requires(lines_ahead == 0)
  class ahead<Steps> {
  public:
    SUMFAC_INLINE ahead(char const*, char const*) {}
    SUMFAC_INLINE void step() const {}
  };

  template <int Steps>
  SUMFAC_INLINE ahead<Steps> look_ahead(index_t group) const
  {
    if constexpr (lines_ahead == 0)
      return {nullptr, nullptr};
    else if (char const* const vectors = Vectors::ahead_of(group))
      return {vectors, Factors::ahead_of(group)};
    else
      return {nullptr, nullptr};
  }
};

}  // namespace sumfac
