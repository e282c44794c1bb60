// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A matrix applied, and a pass over vectors behind it: inside the sweep over elements where that is one on the host, in
// the kernel that adds up elements' results elsewhere.
#pragma once

#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/passes.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// y = A x, and then the body for each entry. It may change y and x. Where it has sums, behind it come their place and
// the step that follows them: not on the host.
template <class Matrix, class Scalar, class Backend, class Body, class... Results>
void apply_then(Matrix const& a, pass_runner<Backend> const& passes, Scalar* x, Scalar* y, Body const& body,
                Results const&... results_and_step)
{
  view<Scalar const, dextents<1>> const from(x, a.size());
  view<Scalar, dextents<1>> const to(y, a.size());
  if constexpr (is_global_operator<Matrix> && runs_on_host<Backend>) {
    application<element_operator_of<Matrix>>(a.element_operator(), "element_operator::apply")
        .write(a.restriction(), from, to, hooked_pass<Body>{body, x, y});
  } else if constexpr (team_sweep<Matrix>::is_in_parts) {
    team_sweep<Matrix> const sweep(a);
    if (sweep.clears()) loop(passes.backend(), a.size(), sweep.clearing(static_cast<Scalar const*>(x), y));
    sweep.run(static_cast<Scalar const*>(x), y, passes, body, results_and_step...);
  } else {
    a.apply(from, to);
    passes.run(a.size(), body, results_and_step...);
  }
}

// r = weights * (b - product)
template <class Number>
struct residual_body {
  using scalar = Number;
  static constexpr int sums = 0;
  Number const* b;
  Number const* weights;  // null where they are 1
  Number* product;        // becomes r
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    store(times(weights, i, load<T>(b + i) - load<T>(product + i)), product + i);
  }
};

// x = x + weights * y
template <class Number>
struct add_weighted_body {
  using scalar = Number;
  static constexpr int sums = 0;
  Number const *weights, *y;
  Number* x;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    store(fma(load<T>(weights + i), load<T>(y + i), load<T>(x + i)), x + i);
  }
};

}  // namespace sumfac::detail
