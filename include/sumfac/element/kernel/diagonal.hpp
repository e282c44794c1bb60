// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The diagonal of element matrices by sum factorization, for any form: a kernel beside the one that applies it.
// Compilers of device code alone, as NVRTC, read it.
#pragma once

#include <sumfac/element/kernel/concepts.hpp>
#include <sumfac/element/kernel/diagonal_sums.hpp>
#include <sumfac/element/kernel/point_form.hpp>
#include <sumfac/element/kernel/split_kernel.hpp>
#include <sumfac/tensor/kept_table.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// d_i = sum over points and pairs (a, b) of M_ab phi_a,i phi_b,i, where phi_0 is the basis function, phi_1..3 are its
// reference derivatives, as many as there are directions, and the form's matrix M of a component at the point is found
// by applying it to unit vectors: in the numbers of Kernel, which applies the form, to the geometry that it reads, line
// by line in the order in which it does, and to where it writes.
//
// Along each direction a pair is the product of two values, of a value and a slope, or of two slopes. Pairs that have
// what is left to contract in common are added up first: of a form's 6 or 10 pairs 6 are left behind lines, 3 behind
// planes. On the host a pack of elements is worked plane by plane, all components at once; a device's team contracts
// one component at a time, in turns by the slopes that are left in the end, so that its scratch is three cubes.
// **Work** for gradients 2 (6 n g^3 + 6 n^2 g^2 + 3 n^3 g) flops per component where nodes are not points; where they
// are, products with less than two slopes have one entry a row.
template <class Problem, class Kernel>
struct diagonal_kernel : diagonal_sums<Problem, Kernel::form_direction> {
  using form_type = typename Kernel::form_type;
  using scalar = typename Kernel::scalar;
  using exchange_type = decltype(Kernel::exchange);
  static constexpr int directions = Problem::directions, n = Problem::nodes_1d, g = Problem::points_1d;
  static constexpr int components = Problem::components, elements = kernel_elements<Kernel>;
  static constexpr int threads = Kernel::threads;
  static constexpr bool collocated = Problem::collocated;
  static constexpr bool in_packs = !line_vectors<typename exchange_type::vectors_type>;

  SUMFAC_FUNCTION static constexpr int point(int z, int y, int x) { return Kernel::point(z, y, x); }

private:
  using sums_of = diagonal_sums<Problem, Kernel::form_direction>;
  using sums_of::along, sums_of::faster, sums_of::slower, sums_of::has_y, sums_of::has_z, sums_of::units;
  using sums_of::has_pair, sums_of::slopes, sums_of::slot_of, sums_of::goes_to, sums_of::has_slot;
  using sums_of::pairs, sums_of::turns, sums_of::slots_of_turn, sums_of::pair_of, sums_of::in_test, sums_of::in_trial;
  static constexpr int gb = Problem::points_y, ga = Problem::points_z;

public:
  template <class Team>
  using scratch = typename diagonal_scratch<Problem, sums_of, elements, exchange_type, Team>::type;

  form_type form;
  exchange_type exchange;  // where v and the factors are
  template <int Slopes>
  using products = products_along<scalar, typename Problem::nodes, typename Problem::points, Slopes>;
  template <int Slopes>
  using kept_products = std::conditional_t<in_packs, constant_table<products<Slopes>>, kept_table<products<Slopes>>>;
  kept_products<0> of_values = {};
  kept_products<1> of_both = {};
  kept_products<2> of_slopes = {};

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    exchange.template prepare_lines<along>(team, s.geometry, group);
    if constexpr (in_packs) {
      work_planes(team, s, group);
    } else {
      for (int c = 0; c < components; ++c) work_component(team, s, group, c);
    }
  }

private:
  // M_ab + M_ba, or M_aa, of component c at a point, for the pairs of a turn.
  template <int Turn, class T, class At>
  SUMFAC_INLINE void matrix_at(At const& here, int c, T (&m)[pairs]) const
  {
    SUMFAC_UNROLL
    for (int b = 0; b < units; ++b) {
      if (!sums_of::template asks_for<Turn>(b)) continue;
      point_values<T, components, directions> unit{};
      SUMFAC_UNROLL
      for (int k = 0; k < components; ++k)
        if (k == c) entry(unit, k, b) = static_cast<T>(1);
      auto tested = apply_form(form, here, unit);
      SUMFAC_UNROLL
      for (int a = 0; a < units; ++a) {
        if (!in_test(a) || !sums_of::template in_turn<Turn>(a, b)) continue;
        T x = entry(tested, 0, a);
        SUMFAC_UNROLL
        for (int k = 1; k < components; ++k)
          if (k == c) x = entry(tested, k, a);
        bool const first = b <= a || !(in_test(b) && in_trial(a));
        T& sum = m[pair_of(a, b)];
        sum = first ? x : sum + x;
      }
    }
  }

  template <class T>
  SUMFAC_INLINE static T& entry(point_values<T, components, directions>& u, int c, int a)
  {
    return a == 0 ? value_of(u, c) : gradient_of(u, c, a - 1);
  }

  template <int Slopes>
  SUMFAC_INLINE auto table_of() const
  {
    if constexpr (Slopes == 0)
      return of_values.forward();
    else if constexpr (Slopes == 1)
      return of_both.forward();
    else
      return of_slopes.forward();
  }
  template <int Slopes>
  static constexpr bool is_diagonal = collocated && Slopes < 2;

  // sum += products line
  template <class T>
  SUMFAC_INLINE void add(int some, pencil<T, g> const& line, pencil<T, n>& sum) const
  {
    switch (some) {
      case 0: return add<0>(line, sum);
      case 1: return add<1>(line, sum);
      default: return add<2>(line, sum);
    }
  }
  template <int Slopes, class T>
  SUMFAC_INLINE void add(pencil<T, g> const& line, pencil<T, n>& sum) const
  {
    auto const entries = table_of<Slopes>();
    if constexpr (is_diagonal<Slopes>) {
      SUMFAC_UNROLL
      for (int i = 0; i < n; ++i) sum[i] = fma(entries.full(i, i), line[i], sum[i]);
    } else {
      contract_add(entries, line, sum);
    }
  }
  // The same for point q alone, of a line that is gone through in a loop.
  template <class T>
  SUMFAC_INLINE void add_point(int some, int q, T const& x, pencil<T, n>& sum) const
  {
    switch (some) {
      case 0: return add_point<0>(q, x, sum);
      case 1: return add_point<1>(q, x, sum);
      default: return add_point<2>(q, x, sum);
    }
  }
  template <int Slopes, class T>
  SUMFAC_INLINE void add_point(int q, T const& x, pencil<T, n>& sum) const
  {
    auto const entries = table_of<Slopes>();
    SUMFAC_UNROLL
    for (int i = 0; i < n; ++i)
      if (!is_diagonal<Slopes> || i == q) sum[i] = fma(entries.full(i, q), x, sum[i]);
  }

  // --- packs of elements, plane by plane -----------------------------------------------------------------------------

  template <class Team>
  SUMFAC_INLINE void work_planes(Team const& team, scratch<Team>& s, index_t group) const
  {
    using T = typename Team::scalar;
    auto const out = exchange.result(team, s.exchanged, group);  // (C, n, n, n)
    for (int a = 0; a < ga; ++a) {
      auto const line_at = lines_of_plane<T>(s, group, a);
      for (int b = 0; b < gb; ++b) work_line<T>(s, line_at(b), b, out);
      if constexpr (has_y) work_plane<T>(s, a, out);
    }
    if constexpr (has_z) {
      for (int c = 0; c < components; ++c)
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < n; ++i) {
            pencil<T, n> sum{};
            for (int in_slower = 0; in_slower < turns; ++in_slower)
              add(in_slower, fetch<T, g>([&](int a) SUMFAC_LAMBDA { return s.cube(c, in_slower, a, j, i); }), sum);
            for (int k = 0; k < n; ++k) {
              if constexpr (along == 0)
                out(c, k, j, i) = sum[k];
              else
                out(c, i, k, j) = sum[k];
            }
          }
    }
    for (int c = 0; c < components; ++c)
      for (int k = 0; k < Problem::nodes_z; ++k)
        for (int j = 0; j < Problem::nodes_y; ++j) exchange.finish_row(team, s.exchanged, group, c, k, j);
    exchange.finish(team, s.exchanged, group);
  }

  // Called with b: the line of points there in plane a.
  template <class T, class Scratch>
  SUMFAC_INLINE auto lines_of_plane(Scratch& s, index_t group, int a) const
  {
    if constexpr (exchange_type::template makes_planes<along>)
      return exchange.template plane<T, along>(group, 0, a);
    else
      return [this, &s, group, a](int b) { return exchange.template line_of<T, along>(s.geometry, group, 0, a, b); };
  }

  // From the points of a line to the nodes along it.
  template <class T, class Scratch, class Line, class Out>
  SUMFAC_INLINE void work_line(Scratch& s, Line const& at_point, int b, Out const& out) const
  {
    for (int q = 0; q < g; ++q) {
      auto const here = at_point(q);
      for (int c = 0; c < components; ++c) {
        T m[pairs];
        matrix_at<-1>(here, c, m);
        for (int u = 0; u < units; ++u)
          for (int t = u; t < units; ++t)
            if (has_pair(t, u)) s.matrix(c, pair_of(t, u), q) = m[pair_of(t, u)];
      }
    }
    for (int c = 0; c < components; ++c)
      for (int in_slower = 0; in_slower < turns; ++in_slower)
        for (int in_faster = 0; in_faster + in_slower < slots_of_turn; ++in_faster) {
          pencil<T, n> sum{};
          for (int u = 0; u < units; ++u)
            for (int t = u; t < units; ++t)
              if (goes_to(t, u, in_slower, in_faster))
                add(slopes(t, u, along),
                    fetch<T, g>([&](int q) SUMFAC_LAMBDA { return s.matrix(c, pair_of(t, u), q); }), sum);
          for (int i = 0; i < n; ++i) {
            if constexpr (has_y)
              s.plane(c, slot_of(in_slower, in_faster), b, i) = sum[i];
            else
              out(c, 0, 0, i) = sum[i];
          }
        }
  }

  // Along the faster direction, to the nodes of a plane of points.
  template <class T, class Scratch, class Out>
  SUMFAC_INLINE void work_plane(Scratch& s, int a, Out const& out) const
  {
    for (int c = 0; c < components; ++c)
      for (int in_slower = 0; in_slower < turns; ++in_slower)
        for (int i = 0; i < n; ++i) {
          pencil<T, n> sum{};
          for (int in_faster = 0; in_faster + in_slower < slots_of_turn; ++in_faster)
            if (has_slot(in_slower, in_faster))
              add(in_faster,
                  fetch<T, g>([&](int b) SUMFAC_LAMBDA { return s.plane(c, slot_of(in_slower, in_faster), b, i); }),
                  sum);
          for (int j = 0; j < n; ++j) {
            if constexpr (has_z)
              s.cube(c, in_slower, a, j, i) = sum[j];
            else
              out(c, 0, j, i) = sum[j];
          }
        }
  }

  // --- a team, line by line ------------------------------------------------------------------------------------------

  template <class Team>
  SUMFAC_INLINE void work_component(Team const& team, scratch<Team>& s, index_t group, int c) const
  {
    using T = typename Team::scalar;
    if constexpr (!has_z) {
      lines_to_nodes<0>(team, s, group, c);
      if constexpr (has_y) planes_to_nodes<0>(team, s, group, c);
    } else {
      typename Team::template per_thread<pencil<T, n>, elements, n, n> sums;
      work_turn<0>(team, s, group, c, sums);
      if constexpr (turns > 1) {
        work_turn<1>(team, s, group, c, sums);
        work_turn<2>(team, s, group, c, sums);
      }
      team.each(box<elements, n, n>{}, [&](int e, int j, int i) {
        auto const put = [&](auto const& line) SUMFAC_LAMBDA {
          SUMFAC_UNROLL
          for (int k = 0; k < n; ++k) line(k, sums(e, j, i)[k]);
        };
        if constexpr (along == 0)
          put(exchange.memory(s, group).template write<axis::z>(e, c, j, i));
        else
          put(exchange.memory(s, group).template write<axis::y>(e, c, i, j));
      });
    }
  }

  template <int Turn, class Team, class Sums>
  SUMFAC_INLINE void work_turn(Team const& team, scratch<Team>& s, index_t group, int c, Sums& sums) const
  {
    using T = typename Team::scalar;
    lines_to_nodes<Turn>(team, s, group, c);
    planes_to_nodes<Turn>(team, s, group, c);
    team.phase("the diagonal along the slower direction");
    team.each(box<elements, n, n>{}, [&](int e, int j, int i) {
      pencil<T, n>& sum = sums(e, j, i);
      if constexpr (Turn == 0) {
        SUMFAC_UNROLL
        for (int k = 0; k < n; ++k) sum[k] = T(0);
      }
      add<Turn>(fetch<T, g>([&](int a) SUMFAC_LAMBDA { return s.sums(e, 0, a, j, i); }), sum);
    });
    team.sync();
  }

  template <int Turn, class Team>
  SUMFAC_INLINE void lines_to_nodes(Team const& team, scratch<Team>& s, index_t group, int c) const
  {
    using T = typename Team::scalar;
    constexpr int left = slots_of_turn - Turn;
    team.phase("the diagonal along lines of points");
    team.each(box<elements, ga, gb>{}, [&](int e, int a, int b) {
      auto const at_point = exchange.template line_of<T, along>(s.geometry, group, e, a, b);
      pencil<T, n> sum[left];
      SUMFAC_UNROLL
      for (int slot = 0; slot < left; ++slot) SUMFAC_UNROLL
      for (int i = 0; i < n; ++i) sum[slot][i] = T(0);
      for (int q = 0; q < g; ++q) {
        T m[pairs];
        matrix_at<Turn>(at_point(q), c, m);
        SUMFAC_UNROLL
        for (int u = 0; u < units; ++u) SUMFAC_UNROLL
        for (int t = u; t < units; ++t)
          if (has_pair(t, u) && sums_of::template in_turn<Turn>(t, u))
            add_point(slopes(t, u, along), q, m[pair_of(t, u)], sum[slopes(t, u, faster)]);
      }
      if constexpr (!has_y) {
        auto const line = exchange.memory(s, group).template write<axis::x>(e, c, 0, 0);
        SUMFAC_UNROLL
        for (int i = 0; i < n; ++i) line(i, sum[0][i]);
      } else {
        SUMFAC_UNROLL
        for (int slot = 0; slot < left; ++slot) SUMFAC_UNROLL
        for (int i = 0; i < n; ++i) s.sums(e, slot, a, b, i) = sum[slot][i];
      }
    });
    team.sync();
  }

  template <int Turn, class Team>
  SUMFAC_INLINE void planes_to_nodes(Team const& team, scratch<Team>& s, index_t group, int c) const
  {
    using T = typename Team::scalar;
    constexpr int left = slots_of_turn - Turn;
    team.phase("the diagonal along the faster direction");
    team.each(box<elements, ga, n>{}, [&](int e, int a, int i) {
      pencil<T, n> sum;
      SUMFAC_UNROLL
      for (int j = 0; j < n; ++j) sum[j] = T(0);
      SUMFAC_UNROLL
      for (int slot = 0; slot < left; ++slot)
        if (has_slot(Turn, slot))
          add(slot, fetch<T, g>([&](int b) SUMFAC_LAMBDA { return s.sums(e, slot, a, b, i); }), sum);
      if constexpr (has_z) {
        SUMFAC_UNROLL
        for (int j = 0; j < n; ++j) s.sums(e, 0, a, j, i) = sum[j];
      } else {
        auto const line = exchange.memory(s, group).template write<axis::y>(e, c, 0, i);
        SUMFAC_UNROLL
        for (int j = 0; j < n; ++j) line(j, sum[j]);
      }
    });
    team.sync();
  }
};

// Of what is no tensor: see dense_kernel.hpp and dense_team_kernel.hpp.
template <class Problem, class Kernel>
struct dense_team_diagonal_kernel;
template <class Problem, class Kernel>
struct dense_diagonal_kernel;

// The same beside a kernel, or the kernels of a split mesh.
template <class Problem, class Kernel>
SUMFAC_FUNCTION auto make_diagonal_kernel(Kernel const& k)
{
  if constexpr (Problem::is_tensor)
    return diagonal_kernel<Problem, Kernel>{{}, k.form, k.exchange};
  else if constexpr (line_vectors<typename decltype(k.exchange)::vectors_type>)
    return dense_team_diagonal_kernel<Problem, Kernel>{k};
  else
    return dense_diagonal_kernel<Problem, Kernel>{k.form, k.exchange};
}
template <class Problem, class Affine, class Trilinear, class General>
SUMFAC_FUNCTION auto make_diagonal_kernel(split_kernel<Affine, Trilinear, General> const& k)
{
  return split_kernel<diagonal_kernel<Problem, Affine>, diagonal_kernel<Problem, Trilinear>,
                      diagonal_kernel<Problem, General>>{make_diagonal_kernel<Problem>(k.affine),
                                                         make_diagonal_kernel<Problem>(k.trilinear),
                                                         make_diagonal_kernel<Problem>(k.general), k.places};
}

}  // namespace sumfac::detail
