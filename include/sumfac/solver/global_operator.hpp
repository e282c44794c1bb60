// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator on global vectors: an element operator and the restriction that it is applied through.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/operator/global_sweep.hpp>

namespace sumfac {

// A matrix to solvers: apply(x, y), diagonal(d), size(), backend(). Refers to both, which must live as long, and owns
// neither: temporaries are refused by the compiler.
template <class Operator, class Restriction>
class global_operator {
  static_assert(
      requires { Operator::nodes_1d; },
      "sumfac::global_operator: the element operator comes first, the "
      "restriction second: sumfac::global_operator{A, R}");

public:
  using scalar_type = typename Operator::scalar_type;
  using backend_type = typename Operator::backend_type;

  // **Errors** argument_error for a restriction of other elements than the operator's.
  global_operator(Operator const& a, Restriction const& r) : operator_(&a), restriction_(&r)
  {
    if constexpr (detail::is_restriction_for<Restriction, scalar_type, backend_type>)
      detail::global_sweep<Operator>(a, r).check_restriction("global_operator");
  }
  global_operator(Operator const&&, Restriction const&) = delete;
  global_operator(Operator const&, Restriction const&&) = delete;
  global_operator(Operator const&&, Restriction const&&) = delete;

  // y = A x
  template <class X, class Y>
  void apply(X const& x, Y const& y) const
  {
    operator_->apply(*restriction_, x, y);
  }
  template <class D>
  void diagonal(D const& d) const
  {
    operator_->diagonal(*restriction_, d);
  }

  index_t size() const { return restriction_->size(); }
  backend_type const& backend() const { return operator_->backend(); }
  Operator const& element_operator() const { return *operator_; }
  Restriction const& restriction() const { return *restriction_; }

private:
  Operator const* operator_;
  Restriction const* restriction_;
};

}  // namespace sumfac
