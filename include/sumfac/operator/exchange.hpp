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
  //
  // Of a group that does little else than read factors, and that waits in the second cache with room to spare, the
  // factors are asked for whole, in Pieces side by side: processors fetch ahead of what is asked for, and of several
  // streams more than of one. BP3.5 is faster by it, BP1.0 and BP3.0, which compute more, are slower.
  template <int Steps, int Pieces>
  class ahead {
  public:
    SUMFAC_INLINE ahead(char const* vectors, char const* factors)
        : at_(Vectors::lines_ahead > 0 ? vectors : factors), factors_(factors), rest_(Vectors::lines_ahead)
    {
    }

    SUMFAC_INLINE void step()
    {
      if (at_ == nullptr) return;
      if (Pieces > 1 && rest_ <= 0) return step_in_pieces();
      for (int i = 0; i < share; ++i) __builtin_prefetch(at_ + i * line, 0, 2);
      at_ += share * line;
      if (rest_ <= 0) return;
      rest_ -= share;
      if (rest_ <= 0) at_ = factors_;
    }

  private:
    static constexpr int line = 64;
    static constexpr int share = (lines_ahead + Steps - 1) / Steps;
    static constexpr int piece = (Factors::lines_ahead + Pieces - 1) / Pieces * line;

    // The pieces take turns, line by line.
    SUMFAC_INLINE void step_in_pieces()
    {
      for (int i = 0; i < share; ++i) {
        __builtin_prefetch(at_ + turn_ * piece, 0, 2);
        if (++turn_ == Pieces) turn_ = 0, at_ += line;
      }
    }

    char const* at_;
    char const* factors_;
    int rest_, turn_ = 0;
  };

  template <int Steps, int Pieces>
    requires(lines_ahead == 0)
  class ahead<Steps, Pieces> {
  public:
    SUMFAC_INLINE ahead(char const*, char const*) {}
    SUMFAC_INLINE void step() const {}
  };

  // Pieces, or 1 where the factors are not to be asked for in pieces.
  template <int Pieces>
  static constexpr int pieces_of_factors()
  {
    if constexpr (requires { Factors::group_bytes; })
      return Factors::group_bytes <= 128 * 1024 ? Pieces : 1;
    else
      return 1;
  }

  template <int Steps, int Pieces>
  SUMFAC_INLINE auto look_ahead(index_t group) const
  {
    constexpr int pieces = pieces_of_factors<Pieces>();
    using result = ahead<Steps, pieces>;
    if constexpr (lines_ahead > 0) {
      if (char const* const vectors = Vectors::ahead_of(group)) {
        if constexpr (pieces > 1)
          return result{vectors, Factors::next_to(group)};
        else
          return result{vectors, Factors::ahead_of(group)};
      }
    }
    return result{nullptr, nullptr};
  }
};

}  // namespace sumfac
