// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The fused kernels of what is no tensor, on the host: all functions at all points, by tables.
#pragma once

#include <sumfac/element/geometry/table_sizes.hpp>
#include <sumfac/element/kernel/concepts.hpp>
#include <sumfac/element/kernel/point_form.hpp>
#include <sumfac/element/tuning.hpp>
#include <sumfac/element/vectors/footprint.hpp>
#include <sumfac/element/vectors/group_rows.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// y = A x on the elements of one group, a pack of them.
//
// A few points at a time: their values and derivatives are made of all nodes in as many registers, the form makes of
// them what is tested, in registers, and this is added to the results at all nodes. So a table is read once, in order,
// for both products, and there is nothing between them in memory.
// **Work** 2 P Q numbers of a point for each product.
template <class Problem, class Exchange>
struct dense_kernel {
  using form_type = typename Problem::form;
  using scalar = typename Problem::number;
  using test = typename Problem::test_side;
  using sizes = table_sizes<Problem>;
  static constexpr int fields = sizes::fields, test_fields = sizes::test_fields;
  static constexpr int n = sizes::functions, m = sizes::test_functions, g = Problem::points_1d;
  static constexpr int directions = Problem::directions;
  static constexpr int components = Problem::components, test_components = test::components;
  static constexpr int threads = 1;
  static constexpr bool collocated = false, differentiates = Problem::differentiates;
  static constexpr bool has_slopes = Problem::has_slopes, has_fluxes = Problem::has_fluxes;
  static constexpr int form_direction = 0;

  form_type form;
  Exchange exchange;  // where u, v, the factors and the tables are

  // At each of these what the next group needs is prefetched.
  static constexpr int pencils = g;

  template <class Team>
  struct scratch {
    array_of<Team, typename Team::scalar, test_components * m> result;  // (C, P)
    SUMFAC_NO_UNIQUE_ADDRESS typename Exchange::vectors_type::template scratch<Team> exchanged;
    SUMFAC_NO_UNIQUE_ADDRESS typename Exchange::template geometry_scratch<Team> geometry;
  };

  // Place of point (0, 0, q) among an element's factors.
  SUMFAC_FUNCTION static constexpr int point(int, int, int q) { return q; }

  // Arrays of the scratch whose sizes are known at run time alone.
  template <class Scratch, class Function>
  void each_array(Scratch& s, Function const& f) const
    requires(Problem::at_run_time)
  {
    Exchange::vectors_type::each_array(s.exchanged, exchange.sizes, f);
    if constexpr (Exchange::prepares)
      static_cast<typename Exchange::factors_type const&>(exchange).each_array(s.geometry, f);
    f(s.result, test_components * exchange.sizes.functions);
  }

  template <class Team>
    requires group_vectors<typename Exchange::vectors_type, Team> &&
             factor_reader<typename Exchange::factors_type, typename Team::scalar>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    using T = typename Team::scalar;
    constexpr int block = points_at_once<T>(g, greater(1, greater(fields, test_fields)));
    auto const of_element = sizes_of<Problem>(exchange);
    int const entries = test_components * known_or(m, of_element.functions);
    auto prefetch = exchange.template prefetcher_of<dense_kernel>(group);
    exchange.template prepare_lines<form_direction>(team, s.geometry, group);
    auto const in = exchange.fetch(team, s.exchanged, group);    // (C, P)
    auto const out = exchange.result(team, s.exchanged, group);  // (C, P)
    auto const at_point = exchange.template line_of<T, form_direction>(s.geometry, group, 0, 0, 0);
    T* const result = s.result.entries;
    for (int p = 0; p < entries; ++p) result[p] = T(0);
    exchange.prefetch_entries(s.exchanged, 1);
    if constexpr (Problem::at_run_time) {
      in_blocks<block>(0, of_element.points, [&]<int Points>(int q) SUMFAC_LAMBDA {
        if constexpr (requires { at_point.prefetch(q); })
          if (exchange.size != footprint::in_caches)
            for (int i = 0; i < Points; ++i) at_point.prefetch(q + i);
        work<Points>(result, of_element, in, at_point, q, prefetch);
      });
    } else {
      constexpr int rest = g % block;
      for (int q = 0; q < g - rest; q += block) work<block>(result, of_element, in, at_point, q, prefetch);
      if constexpr (rest > 0) work<rest>(result, of_element, in, at_point, g - rest, prefetch);
    }
    for (int c = 0; c < test_components; ++c) {
      for (int p = 0; p < known_or(m, of_element.functions); ++p)
        out(c, 0, 0, p) = result[c * known_or(m, of_element.functions) + p];
      exchange.finish_row(team, s.exchanged, group, c, 0, 0);
    }
    exchange.finish(team, s.exchanged, group);
  }

private:
  template <int Points, class T, class In, class Line, class Prefetch>
  SUMFAC_INLINE void work(T* result, typename Problem::sizes_type const& of_element, In const& in, Line const& at_point,
                          int q, Prefetch& prefetch) const
  {
    int const functions = known_or(n, of_element.functions), test_functions = known_or(m, of_element.functions);
    T seen[components][Points * fields], tested[test_components][Points * test_fields];
    SUMFAC_UNROLL
    for (int c = 0; c < components; ++c)
      numbers_at_points<Points * fields, n>(
          exchange.trial_table + q * (fields * functions), functions,
          [&](int p) SUMFAC_LAMBDA { return in(c, 0, 0, p); }, seen[c]);
    SUMFAC_UNROLL
    for (int i = 0; i < Points; ++i) {
      prefetch.step();
      apply(at_point(q + i), i * fields, i * test_fields, seen, tested);
    }
    SUMFAC_UNROLL
    for (int c = 0; c < test_components; ++c)
      test_against<Points * test_fields>(exchange.test_table + q * (test_fields * test_functions), test_functions,
                                         tested[c], result + c * test_functions);
  }

  // v (m) += the transpose of a block of a table (Rows, m) times f (Rows): some nodes side by side, so that sums do not
  // wait for one another.
  template <int Rows, class T>
  SUMFAC_INLINE static void test_against(scalar const* table, [[maybe_unused]] int functions, T const (&f)[Rows], T* v)
  {
    constexpr int some = 4;
    if constexpr (Problem::at_run_time) {
      in_blocks<some>(0, functions,
                      [&]<int Some>(int p) SUMFAC_LAMBDA { add_to_nodes<Some>(table + p * Rows, f, v + p); });
    } else {
      for (int p = 0; p + some <= m; p += some) add_to_nodes<some>(table + p, f, v + p);
      if constexpr (m % some > 0) add_to_nodes<m % some>(table + (m - m % some), f, v + (m - m % some));
    }
  }
  template <int Some, int Rows, class T>
  SUMFAC_INLINE static void add_to_nodes(scalar const* table, T const (&f)[Rows], T* v)
  {
    T sum[Some];
    SUMFAC_UNROLL
    for (int i = 0; i < Some; ++i) sum[i] = v[i];
    SUMFAC_UNROLL
    for (int r = 0; r < Rows; ++r) SUMFAC_UNROLL
    for (int i = 0; i < Some; ++i) sum[i] = fma(table[place_in_block<Rows, m>(r, i)], f[r], sum[i]);
    SUMFAC_UNROLL
    for (int i = 0; i < Some; ++i) v[i] = sum[i];
  }

  // The form at a point, between its numbers from `from` on and those from `to` on.
  template <class At, class T, int Seen, int Tested>
  SUMFAC_INLINE void apply(At const& at, int from, int to, T const (&seen)[components][Seen],
                           T (&tested)[test_components][Tested]) const
  {
    apply_to_fields<Problem, T>(
        form, at, [&](int c, int f) SUMFAC_LAMBDA { return seen[c][from + f]; },
        [&](int c, int f) SUMFAC_LAMBDA -> T& { return tested[c][to + f]; });
  }
};

// Number `field` of those that a form has of component c at a point: the value first, where it has one.
template <bool HasValue, class T, int Components, int Dim>
SUMFAC_INLINE T& entry_of(point_values<T, Components, Dim>& u, int c, int field)
{
  if (HasValue && field == 0) return value_of(u, c);
  return gradient_of(u, c, field - (HasValue ? 1 : 0));
}

// The diagonal of element matrices: the form's matrix of a component at each point, by applying it to unit vectors,
// between what the tables have of each function.
// **Work** 2 (1 + D)^2 P Q flops a component, of those that the form has.
template <class Problem, class Kernel>
struct dense_diagonal_kernel {
  using form_type = typename Kernel::form_type;
  using scalar = typename Kernel::scalar;
  using exchange_type = decltype(Kernel::exchange);
  static constexpr int directions = Problem::directions, components = Problem::components, n = Problem::nodes_1d;
  static constexpr int threads = Kernel::threads;
  static constexpr int fields = Kernel::fields, test_fields = Kernel::test_fields;
  static_assert(Problem::has_one_side);

  form_type form;
  exchange_type exchange;  // where v, the factors and the tables are

  template <class Team>
  using scratch = typename Kernel::template scratch<Team>;

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    using T = typename Team::scalar;
    exchange.template prepare_lines<0>(team, s.geometry, group);
    auto const at_point = exchange.template line_of<T, 0>(s.geometry, group, 0, 0, 0);
    auto const of_element = sizes_of<Problem>(exchange);
    int const functions = known_or(n, of_element.functions), points = known_or(Problem::points_1d, of_element.points);
    T* const result = s.result.entries;
    for (int p = 0; p < components * functions; ++p) result[p] = T(0);
    for (int q = 0; q < points; ++q) {
      // Where the point's rows are, and how far a function is from the next.
      scalar const *trial = exchange.trial_table + q * (fields * functions),
                   *test = exchange.test_table + q * (test_fields * functions);
      int row = functions, function = 1, test_function = 1;
      if constexpr (Problem::at_run_time) {
        point_block const block =
            block_of_point(q, points, points_at_once<T>(dynamic, greater(1, greater(fields, test_fields))));
        row = 1, function = block.size * fields, test_function = block.size * test_fields;
        trial = exchange.trial_table + (block.first * (functions - 1) + q) * fields;
        test = exchange.test_table + (block.first * (functions - 1) + q) * test_fields;
      }
      auto const here = at_point(q);
      for (int c = 0; c < components; ++c)
        for (int b = 0; b < fields; ++b) {
          point_values<T, components, directions> unit{};
          entry_of<has(form_type::trial, value)>(unit, c, b) = static_cast<T>(1);
          auto tested = apply_form(form, here, unit);
          for (int a = 0; a < test_fields; ++a) {
            T const of_pair = entry_of<has(form_type::test, value)>(tested, c, a);
            for (int p = 0; p < functions; ++p)
              result[c * functions + p] = fma(trial[b * row + p * function] * test[a * row + p * test_function],
                                              of_pair, result[c * functions + p]);
          }
        }
    }
    auto const out = exchange.result(team, s.exchanged, group);
    for (int c = 0; c < components; ++c) {
      for (int p = 0; p < functions; ++p) out(c, 0, 0, p) = result[c * functions + p];
      exchange.finish_row(team, s.exchanged, group, c, 0, 0);
    }
    exchange.finish(team, s.exchanged, group);
  }

  template <class Scratch, class Function>
  void each_array(Scratch& s, Function const& f) const
    requires(Problem::at_run_time)
  {
    Kernel{form, exchange}.each_array(s, f);
  }
};

}  // namespace sumfac::SUMFAC_TARGET::detail
