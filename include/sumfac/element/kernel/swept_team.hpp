// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Terms within elements and on their sides in one sweep by a device's teams: between them vectors wait in scratch.
#pragma once

#include <sumfac/element/kernel/sweep_model.hpp>
#include <sumfac/element/vectors/team_vectors.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// The vectors of an element kernel of hexahedra, packed ones: u is kept in scratch when it is read, and v goes there.
template <class Problem, int Elements>
struct waiting_vectors
    : team_vectors<packed_entries<typename Problem::vector_number, Problem::components, Problem::nodes_1d>, Problem,
                   Elements> {
  using base = team_vectors<packed_entries<typename Problem::vector_number, Problem::components, Problem::nodes_1d>,
                            Problem, Elements>;
  using number = typename Problem::number;
  static constexpr int n = Problem::nodes_1d, components = Problem::components;
  // How far nodes of an element are apart along y and z: rows of an odd number.
  static constexpr int row = n | 1, layer = n * row, places = n * layer;

  template <class Team>
  struct scratch {
    typename Team::template shared<typename Team::scalar, Elements * components, places> u, v;
  };

  // Of an element of the team's, for the kernel of its sides.
  template <class Scratch>
  struct element_in_scratch {
    static constexpr bool in_scratch = true;
    static constexpr index_t row = waiting_vectors::row, layer = waiting_vectors::layer;
    Scratch& s;
    int first;  // component

    SUMFAC_INLINE number u(int c, int place) const { return s.u(first + c, place); }
    SUMFAC_INLINE number sum(int c, int z, int y, int x) const { return s.v(first + c, place_of(z, y, x)); }
    SUMFAC_INLINE void set_sum(int c, int z, int y, int x, number to) const { s.v(first + c, place_of(z, y, x)) = to; }

  private:
    SUMFAC_INLINE static constexpr int place_of(int z, int y, int x)
    {
      return z * waiting_vectors::layer + y * waiting_vectors::row + x;
    }
  };
  template <class Scratch>
  SUMFAC_INLINE static element_in_scratch<Scratch> element_in(Scratch& s, int e)
  {
    return {s, e * components};
  }

  template <class Scratch>
  struct lines_of_group {
    waiting_vectors const& vectors;
    Scratch& s;
    index_t group;

    template <axis Along>
    SUMFAC_INLINE pencil<number, n> read(int e, int c, int a, int b) const
    {
      auto const line = vectors.base::memory(s, group).template read<Along>(e, c, a, b);
      SUMFAC_UNROLL
      for (int i = 0; i < n; ++i) s.u(e * components + c, first<Along>(a, b) + i * step<Along>) = line[i];
      return line;
    }
    struct sink {
      Scratch& s;
      int of, first, step;
      SUMFAC_INLINE void operator()(int i, number x) const { s.v(of, first + i * step) = x; }
    };
    template <axis Along>
    SUMFAC_INLINE sink write(int e, int c, int a, int b) const
    {
      return {s, e * components + c, first<Along>(a, b), step<Along>};
    }

  private:
    template <axis Along>
    static constexpr int step = Along == axis::x   ? 1
                                : Along == axis::y ? row
                                                   : layer;
    template <axis Along>
    SUMFAC_INLINE static constexpr int first(int a, int b)
    {
      return a * (Along == axis::z ? row : layer) + b * (Along == axis::x ? row : 1);
    }
  };
  template <class Scratch>
  SUMFAC_INLINE auto memory(Scratch& s, index_t group) const
  {
    return lines_of_group<decltype(s.exchanged)>{*this, s.exchanged, group};
  }
};

// The kernel of terms within elements, Kernel upon Vectors, which are waiting_vectors, and then of each of its elements
// that of its sides, Faces, an interior_kernel, which adds to what waits. So u of an element is read once for both, and
// v is written once.
template <class Kernel, class Vectors, class Faces, int Teams>
struct swept_kernel {
  using scalar = typename Kernel::scalar;
  static constexpr int elements = kernel_elements<Kernel>;
  // Whole warps of what the terms within elements take; sides take as many in turns.
  static constexpr int threads = threads_of_sweep(Kernel::threads);
  static constexpr int resident_teams = Teams;

  Kernel within;
  Faces sides;

  template <class Team>
  struct scratch {
    typename Kernel::template scratch<Team> within;
    typename Faces::template scratch<Team> sides;

    template <class Name>
    void names(Name const& name)
    {
      name("u", within.exchanged.u), name("v", within.exchanged.v);
      within.names(name), sides.names(name);
    }
  };

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    within(team, s.within, group);
    sides.keep_ends(team, s.sides);
    for (int e = 0; e < elements && group * elements + e < sides.v.elements; ++e)
      sides.work_sides(team, s.sides, group * elements + e, Vectors::element_in(s.within.exchanged, e));
  }
};

}  // namespace sumfac::SUMFAC_TARGET::detail
