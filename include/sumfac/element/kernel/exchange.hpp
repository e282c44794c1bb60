// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What an element kernel exchanges with memory: vectors, from one part, and the form's factors, from another.
#pragma once

#include <sumfac/backend/detail/host_tuning.hpp>
#include <sumfac/element/kernel/concepts.hpp>
#include <sumfac/element/vectors/footprint.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

struct no_scratch {};

template <class Factors, class Team>
struct geometry_scratch_of {
  using type = no_scratch;
};
template <class Factors, class Team>
  requires(Factors::prepares)
struct geometry_scratch_of<Factors, Team> {
  using type = typename Factors::template geometry_scratch<Team>;
};

// How the factors of a group are prefetched.
struct factor_prefetch {
  int pieces = 1;      // streams side by side
  int distance = 3;    // how far behind this group's first they begin, in tenths of a group
  bool twice = false;  // and again shortly before they are read
};

// As host_tuning has it. A distance of 0.3 groups is enough where a group's factors are read in the middle of its work;
// 0.6 are needed where they are read from its beginning on, for the next group's vectors come first.
template <class Kernel>
constexpr factor_prefetch prefetch_for(index_t group_bytes, index_t pack_bytes, bool gathers)
{
  constexpr bool collocated = Kernel::collocated, differentiates = Kernel::differentiates;
  constexpr int distance = collocated && !Kernel::has_slopes ? 6 : 3, next_group = 10;
  host_tuning const t = host_tuning_of(pack_bytes);
  bool const streams = collocated       ? t.streams_at_nodes.has(group_bytes)
                       : differentiates ? !gathers && t.streams_between_nodes.has(group_bytes)
                                        : t.streams_of_values.has(group_bytes);
  bool const whole_group = streams || (!differentiates && t.prefetches_values_a_group_early);
  return {.pieces = streams ? 4 : 1, .distance = whole_group ? next_group : distance, .twice = t.prefetches_twice};
}

// Any way to read u and write v beside any way to come by the form's factors; kernels call the members of both.
//
// The concepts group_vectors and factor_reader say what either part has.
template <class Vectors, class Factors>
struct exchange : Vectors, Factors {
  using vectors_type = Vectors;
  using factors_type = Factors;

  using Factors::prepares;
  template <class Team>
  using geometry_scratch = typename geometry_scratch_of<Factors, Team>::type;

  // Sets up lines of points in direction Direction; ends with a barrier where it does anything.
  template <int Direction, class Team, class Scratch>
  SUMFAC_INLINE void prepare_lines(Team const& team, Scratch& s, index_t group) const
  {
    if constexpr (prepares) Factors::template prepare<Direction>(team, s, group_of(group));
  }

  // A line of points as the factors' part has it.
  template <class T, int Direction, class Scratch>
  SUMFAC_INLINE auto line_of(Scratch& s, index_t group, int e, int a, int b) const
  {
    if constexpr (prepares)
      return Factors::template line<T, Direction>(s, group_of(group), e, a, b);
    else
      return Factors::template line<T, Direction>(group_of(group), e, a, b);
  }

  template <class Team>
  SUMFAC_INLINE void prefetch_factors(Team const& team, index_t group) const
    requires requires(Factors const& f) { f.prefetch_factors(team, group); }
  {
    Factors::prefetch_factors(team, group_of(group));
  }

  static constexpr int prefetch_lines = Vectors::prefetch_lines + Factors::prefetch_lines;

  // Prefetches u of the next group, and factors a good way on, a share at each of Steps steps, so that
  // the memory works while a group is computed with.
  template <int Steps, factor_prefetch Request>
  class prefetcher {
  public:
    SUMFAC_INLINE prefetcher(char const* vectors, char const* factors)
        : at_(Vectors::prefetch_lines > 0 ? vectors : factors), factors_(factors), rest_(Vectors::prefetch_lines)
    {
    }

    SUMFAC_INLINE void step()
    {
      if (at_ == nullptr) return;
      if (Request.pieces > 1 && rest_ <= 0) return step_in_pieces();
      for (int i = 0; i < share; ++i) prefetch(at_ + i * line, 64 * line);
      at_ += share * line;
      if (rest_ <= 0) return;
      rest_ -= share;
      if (rest_ <= 0) at_ = factors_;
    }

  private:
    static constexpr int line = 64;
    static constexpr int share = (prefetch_lines + Steps - 1) / Steps;
    static constexpr int piece = (Factors::prefetch_lines + Request.pieces - 1) / Request.pieces * line;

    // A line, and again the one that was prefetched so many bytes ago; into all caches but the first, whose
    // places for what is under way are fewer: Zen 4 had 1.1 to 1.5 times as much by that where factors are most of it.
    SUMFAC_INLINE static void prefetch(char const* at, int again)
    {
      __builtin_prefetch(at, 0, 2);
      if (Request.twice) __builtin_prefetch(at - again, 0, 2);
    }

    // The pieces take turns, line by line.
    SUMFAC_INLINE void step_in_pieces()
    {
      for (int i = 0; i < share; ++i) {
        prefetch(at_ + turn_ * piece, 64 * line / Request.pieces);
        if (++turn_ == Request.pieces) turn_ = 0, at_ += line;
      }
    }

    char const* at_;
    char const* factors_;
    int rest_, turn_ = 0;
  };

  template <int Steps, factor_prefetch Request>
    requires(prefetch_lines == 0)
  class prefetcher<Steps, Request> {
  public:
    SUMFAC_INLINE prefetcher(char const*, char const*) {}
    SUMFAC_INLINE void step() const {}
  };

  // For the pencils of a kernel.
  template <class Kernel>
  SUMFAC_INLINE auto prefetcher_of(index_t group) const
  {
    constexpr factor_prefetch request = prefetch_of_factors<Kernel>();
    using result = prefetcher<Kernel::pencils, request>;
    if constexpr (prefetch_lines > 0) {
      if (char const* const vectors = Vectors::prefetch_from(group)) {
        if constexpr (Factors::group_bytes > 0)
          return result{vectors, Factors::prefetch_from(group, request.distance)};
        else
          return result{vectors, Factors::prefetch_from(group)};
      }
    }
    return result{nullptr, nullptr};
  }

  // Prefetches entries of global vectors, which lie in no order that a group knows of, at each of so many planes.
  template <class Scratch>
  SUMFAC_INLINE void prefetch_entries([[maybe_unused]] Scratch& s, [[maybe_unused]] int planes) const
  {
    if constexpr (Vectors::gathers)
      if (Vectors::size != footprint::in_caches) s.prefetch->prefetch_part(planes);
  }

private:
  // The group among all, where vectors know of more than that.
  SUMFAC_INLINE static constexpr index_t group_of(index_t group)
  {
    if constexpr (requires { Vectors::group_of(group); })
      return Vectors::group_of(group);
    else
      return group;
  }

  template <class Kernel>
  static constexpr factor_prefetch prefetch_of_factors()
  {
    if constexpr (Factors::group_bytes > 0)
      return prefetch_for<Kernel>(Factors::group_bytes, Factors::pack_bytes, Vectors::gathers);
    else
      return {};
  }
};

}  // namespace sumfac::detail
