// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The device kernel of what is no tensor whose products are matrix instructions, where there are such.
#pragma once

#include <sumfac/element/geometry/table_sizes.hpp>
#include <sumfac/element/kernel/dense_team_kernel.hpp>
#include <sumfac/element/kernel/point_form.hpp>
#include <sumfac/element/kernel/warp_lines.hpp>
#include <sumfac/element/tuning_rows.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Elements that a matrix instruction takes, its rows.
inline constexpr int matrix_elements = 16;

// y = A x by a device's team, as dense_team_kernel makes it, with the products as matrices of 16 elements by 8 numbers.
//
// A warp takes 16 elements and some points, 8 at a time. Numbers of elements (a, a + 8) at points (l, l + 4) are those
// of its thread (a, l): it applies the form there, and has what is tested as the second product wants its rows. So
// there is nothing between the products but registers, nor a barrier; a warp's part of the results is in registers to
// the end, where the parts are added up. A block of 8 points and 8 functions of the tables serves both products, each
// time read as a whole. Where there are no such instructions, or in single precision, products are loops, and what is
// tested goes by way of scratch.
template <class Problem, class Exchange, tuning Tuning>
struct dense_matrix_kernel {
  using form_type = typename Problem::form;
  using scalar = typename Problem::number;
  using test = typename Problem::test_side;
  using sizes = table_sizes<Problem, table_order::by_matrices>;
  static constexpr int fields = sizes::fields, test_fields = sizes::test_fields;
  static constexpr int n = sizes::functions, m = sizes::test_functions, g = Problem::points_1d;
  static constexpr int directions = Problem::directions;
  static constexpr int components = Problem::components, test_components = test::components;
  static constexpr int elements = Tuning.elements, resident_teams = Tuning.resident_teams;

  // Of an element's points 8 are a chunk, and of its functions a step. Warps share out chunks of the same elements.
  static constexpr int side = matrix_side, chunks = in_matrices(g);
  static constexpr int steps = in_matrices(n), test_steps = in_matrices(m);
  static constexpr int blocks = greater(1, elements / matrix_elements), most_parts = lesser(4, greater(1, 8 / blocks));
  static constexpr int turns = (chunks + most_parts - 1) / most_parts, parts = (chunks + turns - 1) / turns;
  using all_threads = box<parts, blocks, 8, 4>;
  static constexpr int threads = all_threads::size;

  // Numbers are in scratch two by two, in rows of 4, 12, 20 ... pairs, against bank conflicts. Sums have room for what
  // is tested of one field, four pairs for each part.
  static constexpr int of_nodes = components * steps * 4 | 4;
  static constexpr int of_sums = greater(test_components * test_steps * 4 | 4, parts * 4 | 4);
  // Whether a thread keeps its numbers of the nodes in registers.
  static constexpr bool keeps_nodes = components * steps <= 3;
  static constexpr bool collocated = false;
  static constexpr int form_direction = 0;

  form_type form;
  Exchange exchange;  // where u, v, the factors and the tables are

  template <class Team>
  struct scratch {
    typename Team::template shared<two_numbers<scalar>, elements, of_nodes> nodal;
    typename Team::template shared<two_numbers<scalar>, elements, of_sums> sums;
    SUMFAC_NO_UNIQUE_ADDRESS typename Exchange::vectors_type::template scratch<Team> exchanged;
    SUMFAC_NO_UNIQUE_ADDRESS typename Exchange::template geometry_scratch<Team> geometry;

    void names(auto const& name) { name("nodal", nodal), name("sums", sums); }
  };

  SUMFAC_FUNCTION static constexpr int point(int, int, int q) { return q; }

  // As the diagonal's kernel asks for them: functions, points, and numbers of the tables, of row r and function p.
  static constexpr int side_by_side = n;
  SUMFAC_FUNCTION static constexpr int functions() { return n; }
  SUMFAC_FUNCTION static constexpr int all_points() { return g; }
  SUMFAC_INLINE scalar of_trial(int r, int p) const
  {
    int const q = r / fields;
    return load_constant(exchange.trial_table + trial_place(q / side, r % fields, p / side, q % side, p % side));
  }
  SUMFAC_INLINE scalar of_test(int r, int p) const
  {
    int const q = r / test_fields;
    return load_constant(exchange.test_table + test_place(q / side, r % test_fields, p / side, q % side, p % side));
  }
  template <class Scratch>
  SUMFAC_INLINE auto line_of(Scratch& s, index_t group, int e) const
  {
    return exchange.template line_of<scalar, form_direction>(s.geometry, group, e, 0, 0);
  }

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    exchange.template prepare_lines<form_direction>(team, s.geometry, group);
    read_nodes(team, s, group);
    typename Team::template per_thread<numbers, parts, blocks, 8, 4> own;
    team.each(all_threads{}, [&](int part, int block, int a, int l) {
      numbers& of = own(part, block, a, l);
      of = numbers{};
      if constexpr (keeps_nodes) {
        SUMFAC_UNROLL
        for (int i = 0; i < components * steps; ++i) nodes_of(s, block, a, i, l, of.nodes[i]);
      }
    });
    SUMFAC_ROLLED
    for (int turn = 0; turn < turns; ++turn) {
      team.phase("apply the form at the points");
      team.each(all_threads{}, [&](int part, int block, int a, int l) {
        int const chunk = turn * parts + part;
        numbers& of = own(part, block, a, l);
        if (chunks % parts > 0 && chunk >= chunks) return;
        work_points(team, s, group, chunk, block, a, l, of);
        if constexpr (multiplies<Team>()) {
          team.sync_warp();
          multiply_tested(team, chunk, a, l, of);
        }
      });
      if constexpr (!multiplies<Team>()) add_tested(team, s, turn, own);
    }
    add_up(team, s, own);
    team.each(box<elements, test_components, (m + 1) / 2>{}, [&](int e, int c, int pair) {
      if (!exchange.exists(group, e)) return;
      two_numbers<scalar> const x = s.sums(e, c * test_steps * 4 + pair);
      auto const out = exchange.result(team, s.exchanged, exchange.element(group, e));
      out(c, 0, 0, 2 * pair) = x.of[0];
      if (m % 2 == 0 || 2 * pair + 1 < m) out(c, 0, 0, 2 * pair + 1) = x.of[1];
    });
  }

private:
  // Places in the tables: see place_in_matrices().
  SUMFAC_FUNCTION static constexpr int trial_place(int chunk, int f, int step, int i, int j)
  {
    return place_in_matrices(fields, n, chunk, f, step, i, j);
  }
  SUMFAC_FUNCTION static constexpr int test_place(int chunk, int f, int step, int i, int j)
  {
    return place_in_matrices(test_fields, m, chunk, f, step, i, j);
  }

  // What thread (a, l) of a warp has, of elements a and a + 8: what is tested at points l and l + 4, the sums of
  // functions 2 l and 2 l + 1, in the order of a product's numbers; and of a step the numbers of the nodes 2 l and
  // 2 l + 1, in the order of a product's rows.
  struct numbers {
    scalar tested[test_components][test_fields][4], sum[test_components][test_steps][4];
    scalar nodes[keeps_nodes ? components * steps : 1][4];
  };

  template <class Team>
  SUMFAC_INLINE void read_nodes(Team const& team, scratch<Team>& s, index_t group) const
  {
    team.phase("read the nodes");
    team.each(box<elements, components, steps * 4>{}, [&](int e, int c, int pair) {
      two_numbers<scalar> x;
      auto const in = exchange.fetch(team, s.exchanged, exchange.element(group, e));
      SUMFAC_UNROLL
      for (int i = 0; i < 2; ++i) x.of[i] = 2 * pair + i < n ? in(c, 0, 0, 2 * pair + i) : scalar(0);
      s.nodal(e, c * steps * 4 + pair) = x;
    });
    team.sync();
  }

  // Of pair l of a step, of elements a and a + 8.
  template <class Scratch>
  SUMFAC_INLINE void nodes_of(Scratch& s, int block, int a, int step, int l, scalar (&to)[4]) const
  {
    two_numbers<scalar> const lower = s.nodal(block * matrix_elements + a, step * 4 + l);
    two_numbers<scalar> const upper = s.nodal(block * matrix_elements + a + 8, step * 4 + l);
    to[0] = lower.of[0], to[1] = upper.of[0], to[2] = lower.of[1], to[3] = upper.of[1];
  }

  // What is tested at the points of a chunk.
  template <class Team>
  SUMFAC_INLINE void work_points(Team const& team, scratch<Team>& s, index_t group, int chunk, int block, int a, int l,
                                 numbers& of) const
  {
    scalar seen[components][fields][4] = {};
    SUMFAC_UNROLL
    for (int step = 0; step < steps; ++step) see_functions(team, s, chunk, step, block, a, l, of, seen);
    SUMFAC_UNROLL
    for (int i = 0; i < 4; ++i) {
      int const e = block * matrix_elements + a + i / 2 * 8, q = chunk * side + l + i % 2 * 4;
      apply_to_fields<Problem, scalar>(
          form, line_of(s, group, e)(g % side == 0 || q < g ? q : g - 1),
          [&](int c, int f) SUMFAC_LAMBDA { return seen[c][f][i]; },
          [&](int c, int f) SUMFAC_LAMBDA -> scalar& { return of.tested[c][f][i]; });
      if constexpr (g % side > 0) {
        SUMFAC_UNROLL
        for (int c = 0; c < test_components; ++c) SUMFAC_UNROLL
        for (int f = 0; f < test_fields; ++f) of.tested[c][f][i] = q < g ? of.tested[c][f][i] : scalar(0);
      }
    }
  }

  // Adds what the functions of a step give: numbers (a, l), (a, l + 4), (a + 8, l) and (a + 8, l + 4).
  template <class Team>
  SUMFAC_INLINE void see_functions(Team const& team, scratch<Team>& s, int chunk, int step, int block, int a, int l,
                                   numbers const& of, scalar (&seen)[components][fields][4]) const
  {
    if constexpr (multiplies<Team>()) {
      scalar const* const own_matrix = exchange.trial_table + trial_place(chunk, 0, 0, warp_place(a), 2 * l);
      scalar table[fields][2];
      SUMFAC_UNROLL
      for (int f = 0; f < fields; ++f) load_constant_pair(own_matrix + trial_place(0, f, step, 0, 0), table[f]);
      SUMFAC_UNROLL
      for (int c = 0; c < components; ++c) {
        scalar rows[4];
        if constexpr (keeps_nodes) {
          SUMFAC_UNROLL
          for (int i = 0; i < 4; ++i) rows[i] = of.nodes[c * steps + step][i];
        } else {
          nodes_of(s, block, a, c * steps + step, l, rows);
        }
        SUMFAC_UNROLL
        for (int f = 0; f < fields; ++f) team.multiply(seen[c][f], rows, table[f]);
      }
    } else {
      for (int c = 0; c < components; ++c)
        for (int pair = 0; pair < 4; ++pair) {
          scalar rows[4];
          nodes_of(s, block, a, c * steps + step, pair, rows);
          for (int f = 0; f < fields; ++f)
            for (int i = 0; i < 4; ++i) {
              scalar const* const at = exchange.trial_table + trial_place(chunk, f, step, l + i % 2 * 4, 2 * pair);
              seen[c][f][i] = fma(load_constant(at), rows[i / 2], seen[c][f][i]);
              seen[c][f][i] = fma(load_constant(at + 1), rows[2 + i / 2], seen[c][f][i]);
            }
        }
    }
  }

  // Adds to a thread's sums what is tested at the points of a chunk, by matrices.
  template <class Team>
  SUMFAC_INLINE void multiply_tested(Team const& team, int chunk, int a, int l, numbers& of) const
  {
    scalar const* const own_matrix = exchange.test_table + test_place(chunk, 0, 0, l, a);
    SUMFAC_UNROLL
    for (int f = 0; f < test_fields; ++f) SUMFAC_UNROLL
    for (int step = 0; step < test_steps; ++step) {
      scalar table[2];
      SUMFAC_UNROLL
      for (int i = 0; i < 2; ++i) table[i] = load_constant(own_matrix + test_place(0, f, step, 4 * i, 0));
      SUMFAC_UNROLL
      for (int c = 0; c < test_components; ++c) {
        auto const& x = of.tested[c][f];
        scalar const rows[4] = {x[0], x[2], x[1], x[3]};
        team.multiply(of.sum[c][step], rows, table);
      }
    }
  }

  // The same of all warps, field by field, through scratch. Ends with a barrier.
  template <class Team, class Own>
  SUMFAC_INLINE void add_tested(Team const& team, scratch<Team>& s, int turn, Own& own) const
  {
    for (int c = 0; c < test_components; ++c)
      for (int f = 0; f < test_fields; ++f) {
        team.each(all_threads{}, [&](int part, int block, int a, int l) {
          auto const& x = own(part, block, a, l).tested[c][f];
          int const e = block * matrix_elements + a;
          s.sums(e, part * 4 + l) = {{x[0], x[1]}}, s.sums(e + 8, part * 4 + l) = {{x[2], x[3]}};
        });
        team.sync();
        team.each(all_threads{}, [&](int part, int block, int a, int l) {
          int const chunk = turn * parts + part;
          if (chunk >= chunks) return;
          auto& of = own(part, block, a, l);
          for (int half = 0; half < 2; ++half)
            for (int pair = 0; pair < 4; ++pair) {
              two_numbers<scalar> const x = s.sums(block * matrix_elements + a + 8 * half, part * 4 + pair);
              for (int step = 0; step < test_steps; ++step)
                for (int j = 0; j < 2; ++j)
                  for (int i = 0; i < 2; ++i) {
                    scalar& sum = of.sum[c][step][2 * half + j];
                    int const place = test_place(chunk, f, step, pair + 4 * i, 2 * l + j);
                    sum = fma(load_constant(exchange.test_table + place), x.of[i], sum);
                  }
            }
        });
        team.sync();
      }
  }

  // The sums of all parts, one part after the other. Ends with a barrier.
  template <class Team, class Own>
  SUMFAC_INLINE void add_up(Team const& team, scratch<Team>& s, Own& own) const
  {
    team.phase("add up the parts");
    SUMFAC_UNROLL
    for (int turn = 0; turn < parts; ++turn) {
      team.each(all_threads{}, [&](int part, int block, int a, int l) {
        if (part != turn) return;
        numbers const& of = own(part, block, a, l);
        SUMFAC_UNROLL
        for (int i = 0; i < test_components * test_steps; ++i) SUMFAC_UNROLL
        for (int half = 0; half < 2; ++half) {
          scalar const* const sum = &of.sum[i / test_steps][i % test_steps][2 * half];
          two_numbers<scalar> x{{sum[0], sum[1]}};
          int const e = block * matrix_elements + a + 8 * half, place = i * 4 + l;
          if (turn > 0) {
            two_numbers<scalar> const before = s.sums(e, place);
            x.of[0] += before.of[0], x.of[1] += before.of[1];
          }
          s.sums(e, place) = x;
        }
      });
      team.sync();
    }
  }
};

}  // namespace sumfac::SUMFAC_TARGET::detail
