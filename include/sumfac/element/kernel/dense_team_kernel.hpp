// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The fused kernels of what is no tensor, on devices: all functions at all points, by tables.
#pragma once

#include <sumfac/element/geometry/table_sizes.hpp>
#include <sumfac/element/kernel/concepts.hpp>
#include <sumfac/element/kernel/dense_sizes.hpp>
#include <sumfac/element/kernel/point_form.hpp>
#include <sumfac/element/tuning.hpp>
#include <sumfac/form/detail/transposed_form.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Whether a problem's tables are those of the transposed one, the second in the first's place.
template <class Form>
inline constexpr bool is_transposed_form = false;
template <class Form>
inline constexpr bool is_transposed_form<transposed_form<Form>> = true;

// Numbers of two elements side by side, read from scratch at once.
template <class T>
struct alignas(2 * sizeof(T)) two_numbers {
  T of[2];
};

// The same by a device's team, some elements each, of some points after the other: a thread makes the numbers of one of
// them of all nodes, of a run of elements, and applies the form there; then it adds what is tested to its part of the
// results, some functions of four elements, which it has in registers to the end. So a number of the tables is read
// once for a run, and the tables once for all elements of a team. Elements are the parameter that says how work is
// shared out: where they are one run, a thread has one point and one function of all of them, so that the compiler has
// the numbers of several functions on their way at once.
template <class Problem, class Exchange, int Elements>
struct dense_team_kernel {
  using form_type = typename Problem::form;
  using scalar = typename Problem::number;
  using test = typename Problem::test_side;
  using sizes = table_sizes<Problem, table_order::by_functions>;
  static constexpr int fields = sizes::fields, test_fields = sizes::test_fields;
  static constexpr int components = Problem::components, test_components = test::components;
  // Where the compiler does not know them, as many functions as there is room for, and points as if they were some.
  static constexpr bool at_run_time = Problem::at_run_time;
  static constexpr int most_functions = most_dense_functions(Problem::most_components);
  static constexpr int n = at_run_time ? most_functions : sizes::functions;
  static constexpr int m = at_run_time ? most_functions : sizes::test_functions;
  static constexpr int g = at_run_time ? usual_dense_points : Problem::points_1d;
  static constexpr int directions = Problem::directions;
  static constexpr int most_components = greater(components, test_components);
  static constexpr int elements = Elements, run = lesser(Elements, dense_run(g, most_components)),
                       runs = Elements / run;
  static_assert(Elements % run == 0 && run % 2 == 0,
                "sumfac::tuning: a team of variant::dense has whole runs of elements, two or more");
  static constexpr int pairs = Elements / 2, pitch = dense_pitch(Elements);
  static constexpr bool one_run = runs == 1;

  // Points of a thread at once: two where it has registers for them, so that what it reads of the nodes is for both.
  // Points of a team at once, as many as have a thread and room in scratch, in blocks that are alike.
  static constexpr int of_thread =
      run * most_components * greater(fields, test_fields) <= 24 && run == 8 && !one_run ? 2 : 1;
  static constexpr int room =
      dense_room(Elements, components* n, test_components* test_fields, static_cast<int>(sizeof(scalar)));
  static constexpr int most_points = greater(1, lesser(room, lesser(g, most_dense_threads / runs)));
  static constexpr int blocks = (g + most_points - 1) / most_points, points = (g + blocks - 1) / blocks;
  static constexpr int with_thread = (points + of_thread - 1) / of_thread;
  // Functions whose numbers a thread asks for at once, where a loop over functions is too long to be unrolled.
  static constexpr int at_once = one_run && !at_run_time ? lesser(n, greater(1, 12 / fields)) : 1;

  // What of the results a thread has: of `tile` functions, one every `tiles`, those of so many pairs. Large tiles read
  // least, as long as a warp and a half has one; of one run it has a function of all pairs.
  static constexpr int own_pairs = one_run ? pairs : pairs % 2 == 0 ? 2 : 1, pair_runs = pairs / own_pairs;
  static constexpr int tile = [] {
    auto const tiled = [](int functions) { return pair_runs * test_components * ((m + functions - 1) / functions); };
    int some = 1;
    while (some < m && tiled(some) > most_dense_threads) ++some;
    while (!one_run && some < m && some < 6 && tiled(some + 1) >= 48) ++some;
    return some;
  }();
  static constexpr int tiles = (m + tile - 1) / tile;

  static constexpr int threads = (greater(with_thread * runs, pair_runs* test_components* tiles) + 31) / 32 * 32;
  // So that a thread has 168 or 128 registers, or 80 where it has few numbers at once and memory decides.
  static constexpr int resident_teams = greater(1, (of_thread > 1                                   ? 384
                                                    : at_run_time || run * components * fields > 16 ? 512
                                                                                                    : 768) /
                                                       threads);
  static constexpr bool collocated = false;
  static constexpr int form_direction = 0;

  form_type form;
  Exchange exchange;  // where u, v, the factors and the tables are

  template <class Team>
  struct scratch {
    typename Team::template shared<two_numbers<scalar>, components, n, pitch> nodal;
    typename Team::template shared<two_numbers<scalar>, test_components, points * test_fields, pitch> tested;
    SUMFAC_NO_UNIQUE_ADDRESS typename Exchange::vectors_type::template scratch<Team> exchanged;
    SUMFAC_NO_UNIQUE_ADDRESS typename Exchange::template geometry_scratch<Team> geometry;

    void names(auto const& name) { name("nodal", nodal), name("tested", tested); }
  };

  SUMFAC_FUNCTION static constexpr int point(int, int, int q) { return q; }

  // Functions, and points of an element.
  SUMFAC_INLINE int functions() const { return at_run_time ? sizes_of<Problem>(exchange).functions : n; }
  SUMFAC_INLINE int test_functions() const { return at_run_time ? sizes_of<Problem>(exchange).functions : m; }
  SUMFAC_INLINE int all_points() const { return at_run_time ? sizes_of<Problem>(exchange).points : g; }
  // Functions that threads have side by side: all, or some, and others after them.
  static constexpr int side_by_side = at_run_time ? 32 : n;

  // Numbers of the tables, of row r and function p.
  SUMFAC_INLINE scalar of_trial(int r, int p) const
  {
    return load_constant(exchange.trial_table +
                         (is_transposed_form<form_type> ? r * functions() + p : p * (all_points() * fields) + r));
  }
  SUMFAC_INLINE scalar of_test(int r, int p) const
  {
    return load_constant(exchange.test_table + (is_transposed_form<form_type> ? p * (all_points() * test_fields) + r
                                                                              : r * test_functions() + p));
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
    team.phase("read the nodes");
    team.each(box<pairs, components, side_by_side>{}, [&](int pair, int c, int first) {
      for (int p = first; p < functions(); p += side_by_side) {
        two_numbers<scalar> x;
        SUMFAC_UNROLL
        for (int l = 0; l < 2; ++l)
          x.of[l] = exchange.fetch(team, s.exchanged, exchange.element(group, 2 * pair + l))(c, 0, 0, p);
        s.nodal(c, p, pair) = x;
      }
    });
    typename Team::template per_thread<results, pair_runs, test_components, tiles> sums;
    team.each(box<pair_runs, test_components, tiles>{}, [&](int r, int c, int p) { sums(r, c, p) = results{}; });
    team.sync();
    int const of_element = all_points();
    for (int first = 0; first < of_element; first += points) {
      team.phase("apply the form at the points");
      team.each(box<with_thread, runs>{}, [&](int q, int r) { work_points(s, group, first, q, r); });
      team.sync();
      team.phase("test against the functions");
      team.each(box<pair_runs, test_components, tiles>{}, [&](int r, int c, int p) {
        if (at_run_time && p >= test_functions()) return;
        results sum = sums(r, c, p);
        if (at_run_time)
          test_rows<dynamic>(s, first * test_fields, r, c, p, sum, lesser(points, of_element - first) * test_fields);
        else if (g % points == 0 || first + points <= g)
          test_rows<points * test_fields>(s, first * test_fields, r, c, p, sum);
        else
          test_rows<g % points * test_fields>(s, first * test_fields, r, c, p, sum);
        sums(r, c, p) = sum;
      });
      if (first + points < of_element) team.sync();
    }
    team.each(box<pair_runs, test_components, tiles>{}, [&](int r, int c, int p) {
      if (at_run_time && p >= test_functions()) return;
      results const sum = sums(r, c, p);
      SUMFAC_UNROLL
      for (int t = 0; t < tile; ++t) SUMFAC_UNROLL
      for (int i = 0; i < own_pairs; ++i) SUMFAC_UNROLL
      for (int l = 0; l < 2; ++l)
        if (int const e = 2 * (r + i * pair_runs) + l, of = p + t * tiles;
            ((!at_run_time && tile * tiles == m) || of < test_functions()) && exchange.exists(group, e))
          exchange.result(team, s.exchanged, exchange.element(group, e))(c, 0, 0, of) = sum.of[t][i].of[l];
    });
  }

private:
  struct results {
    two_numbers<scalar> of[tile][own_pairs];
  };

  // Adds what so many rows of tested numbers, number `first` of all and following, give.
  template <int Rows, class Scratch>
  SUMFAC_INLINE void test_rows(Scratch& s, int first, int r, int c, int p, results& sum, int rows = Rows) const
  {
    int const last = test_functions() - 1;
    for (int row = 0; row < (Rows == dynamic ? rows : Rows); ++row) {
      scalar number[tile];
      SUMFAC_UNROLL
      for (int t = 0; t < tile; ++t)
        if (takes(t)) number[t] = of_test(first + row, lesser(p + t * tiles, last));
      SUMFAC_UNROLL
      for (int i = 0; i < own_pairs; ++i) {
        two_numbers<scalar> const x = s.tested(c, row, r + i * pair_runs);
        SUMFAC_UNROLL
        for (int t = 0; t < tile; ++t)
          if (takes(t)) {
            SUMFAC_UNROLL
            for (int l = 0; l < 2; ++l) sum.of[t][i].of[l] = fma(number[t], x.of[l], sum.of[t][i].of[l]);
          }
      }
    }
  }
  // Whether the t-th of a thread's functions is one of some thread's.
  SUMFAC_INLINE bool takes(int t) const { return !at_run_time || t * tiles < test_functions(); }

  // Point q of those from `first` on, and every with_thread-th after it, of one run of elements.
  template <class Scratch>
  SUMFAC_INLINE void work_points(Scratch& s, index_t group, int first, int q, int r) const
  {
    scalar seen[of_thread][run][components][fields];
    SUMFAC_UNROLL
    for (int k = 0; k < of_thread; ++k) SUMFAC_UNROLL
    for (int e = 0; e < run; ++e) SUMFAC_UNROLL
    for (int c = 0; c < components; ++c) SUMFAC_UNROLL
    for (int f = 0; f < fields; ++f) seen[k][e][c][f] = scalar(0);
    for (int p = 0; p + at_once <= functions(); p += at_once) see_functions<at_once>(s, first, q, r, p, seen);
    if constexpr (n % at_once > 0) see_functions<n % at_once>(s, first, q, r, n - n % at_once, seen);
    SUMFAC_UNROLL
    for (int k = 0; k < of_thread; ++k)
      if (int const of_block = q + k * with_thread; of_block < points && first + of_block < all_points()) {
        SUMFAC_UNROLL
        for (int i = 0; i < run / 2; ++i) apply_to_pair(s, group, first, of_block, r + i * runs, &seen[k][2 * i]);
      }
  }

  // Adds what so many functions from p on give, whose numbers are all asked for before one is waited for.
  template <int Functions, class Scratch>
  SUMFAC_INLINE void see_functions(Scratch& s, int first, int q, int r, int p,
                                   scalar (&seen)[of_thread][run][components][fields]) const
  {
    scalar number[Functions][of_thread][fields];
    int const last = all_points() - 1;
    SUMFAC_UNROLL
    for (int j = 0; j < Functions; ++j) SUMFAC_UNROLL
    for (int k = 0; k < of_thread; ++k) {
      int const point_read = lesser(first + q + k * with_thread, last);
      SUMFAC_UNROLL
      for (int f = 0; f < fields; ++f) number[j][k][f] = of_trial(point_read * fields + f, p + j);
    }
    SUMFAC_UNROLL
    for (int j = 0; j < Functions; ++j) SUMFAC_UNROLL
    for (int c = 0; c < components; ++c) SUMFAC_UNROLL
    for (int i = 0; i < run / 2; ++i) {
      two_numbers<scalar> const x = s.nodal(c, p + j, r + i * runs);
      SUMFAC_UNROLL
      for (int l = 0; l < 2; ++l) SUMFAC_UNROLL
      for (int k = 0; k < of_thread; ++k) SUMFAC_UNROLL
      for (int f = 0; f < fields; ++f)
        seen[k][2 * i + l][c][f] = fma(number[j][k][f], x.of[l], seen[k][2 * i + l][c][f]);
    }
  }

  // The form at a point of a pair of elements, whose numbers there are these.
  template <class Scratch>
  SUMFAC_INLINE void apply_to_pair(Scratch& s, index_t group, int first, int q, int pair,
                                   scalar const (*numbers)[components][fields]) const
  {
    two_numbers<scalar> tested[test_components][test_fields];
    SUMFAC_UNROLL
    for (int l = 0; l < 2; ++l)
      apply_to_fields<Problem, scalar>(
          form, line_of(s, group, 2 * pair + l)(first + q),
          [&](int c, int f) SUMFAC_LAMBDA { return numbers[l][c][f]; },
          [&](int c, int f) SUMFAC_LAMBDA -> scalar& { return tested[c][f].of[l]; });
    SUMFAC_UNROLL
    for (int c = 0; c < test_components; ++c) SUMFAC_UNROLL
    for (int f = 0; f < test_fields; ++f) s.tested(c, q * test_fields + f, pair) = tested[c][f];
  }
};

// The diagonal by such a team: a thread for each function.
template <class Problem, class Kernel>
struct dense_team_diagonal_kernel {
  using form_type = typename Kernel::form_type;
  using scalar = typename Kernel::scalar;
  static constexpr int directions = Problem::directions, components = Problem::components;
  static constexpr int threads = Kernel::threads, fields = Kernel::fields, test_fields = Kernel::test_fields;
  static_assert(Problem::has_one_side);

  Kernel kernel;

  template <class Team>
  using scratch = typename Kernel::template scratch<Team>;

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    auto const& exchange = kernel.exchange;
    exchange.template prepare_lines<0>(team, s.geometry, group);
    team.each(box<Kernel::elements, components, Kernel::side_by_side>{}, [&](int e, int c, int first) {
      auto const at_point = kernel.line_of(s, group, e);
      for (int p = first; p < kernel.functions(); p += Kernel::side_by_side) {
        scalar sum(0);
        for (int q = 0; q < kernel.all_points(); ++q)
          for (int b = 0; b < fields; ++b) {
            point_values<scalar, components, directions> unit{};
            entry_of<has(form_type::trial, value)>(unit, c, b) = scalar(1);
            auto tested = apply_form(kernel.form, at_point(q), unit);
            for (int a = 0; a < test_fields; ++a)
              sum = fma(kernel.of_trial(q * fields + b, p) * kernel.of_test(q * test_fields + a, p),
                        entry_of<has(form_type::test, value)>(tested, c, a), sum);
          }
        if (exchange.exists(group, e)) exchange.result(team, s.exchanged, exchange.element(group, e))(c, 0, 0, p) = sum;
      }
    });
  }
};

}  // namespace sumfac::SUMFAC_TARGET::detail
