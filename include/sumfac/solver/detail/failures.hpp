// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a solve that failed is asked: whether A is symmetric, and whether nothing is constrained.
#pragma once

#include <sumfac/solver/cg_options.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/noise.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/vector_ops.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Whether a solve failed in a way that its matrix may explain, and took so long that a few applications cost little.
inline bool matrix_matters(solve_result const& r)
{
  bool const stopped = r.status == solve_status::iterations_done && !r.fixed_count && r.iterations >= 50;
  bool const beyond = r.status == solve_status::out_of_range || r.status == solve_status::diverged;
  return stopped || r.status == solve_status::indefinite || r.status == solve_status::stagnated ||
         (beyond && r.iterations > 0);
}

// x = 1 at the entries of component c, of all where c is below 0, and 0 at the others.
template <class Scalar>
struct component_body {
  using scalar = Scalar;
  static constexpr int sums = 0;
  Scalar* x;
  int c;
  entry_order order;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    store(each_lane<T>(i, [&](index_t at) { return Scalar(c < 0 || order.component(at) == c ? 1 : 0); }), x + i);
  }
};

// Asks it, in memory for two vectors and for a pass's sums that no one needs any more: two applications to random
// numbers, and one to the vector of ones, whose squares are three times as large as theirs; if that is not it, to the
// ones of each component.
template <class Matrix, class Scalar, class Backend>
void find_cause(solve_result& r, Matrix const& a, pass_runner<Backend> const& passes, Scalar* x, Scalar* y,
                double* sums, bool must_be_symmetric, bool has_null_space)
{
  auto const products = compare_products(a, passes, x, y, sums);
  if (must_be_symmetric && products.differ) {
    r.status = solve_status::not_symmetric;
    r.forth = products.forth, r.back = products.back;
  }
  if (has_null_space) return;
  entry_order const order = entries_of_matrix(a);
  double const allowed = 1000 * rounding_of<Matrix, Scalar>();
  constexpr double least = sizeof(Scalar) == sizeof(double) ? 1e-290 : 1e-34;  // squares below it have lost digits
  for (int c = -1; !r.free_constants && c < (order.components > 1 ? order.components : 0); ++c) {
    passes.run(a.size(), component_body<Scalar>{x, c, order});
    a.apply(view<Scalar const, dextents<1>>(x, a.size()), view<Scalar, dextents<1>>(y, a.size()));
    passes.run(a.size(), dot_body<Scalar>{y, y}, sums);
    double const of_ones = download(passes.backend(), static_cast<double const*>(sums), 1)[0];
    double const most = allowed * allowed * 3 * products.square / (c < 0 ? 1 : order.components);
    r.free_constants = products.square > least && of_ones <= most;
    if (r.free_constants) r.free_component = c;
  }
}

}  // namespace sumfac::detail
