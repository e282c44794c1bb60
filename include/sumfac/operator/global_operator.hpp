// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator on global vectors: an element operator and the restriction that it is applied through.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/operator/detail/application.hpp>
#include <sumfac/operator/detail/operator_arguments.hpp>
#include <sumfac/operator/detail/team_sweep.hpp>
#include <sumfac/view/vector_argument.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

// A matrix to solvers: apply(x, y), apply_transposed(x, y), diagonal(d), size(), and the restriction's backend().
// Refers to both, which must live as long, and owns neither: temporaries are refused by the compiler.
template <class Operator, class Restriction>
class global_operator {
  static_assert(
      requires { Operator::nodes_1d; },
      "sumfac::global_operator: the element operator comes first, the "
      "restriction second: sumfac::global_operator{A, R}");

public:
  using scalar_type = typename Operator::scalar_type;
  using backend_type = typename Operator::backend_type;
  using arithmetic_type = typename detail::operator_arithmetic<Operator>::type;  // what A x is rounded as
  using from_vector = vector_argument<scalar_type const>;
  using to_vector = vector_argument<scalar_type>;
  static constexpr bool linear = is_linear<Operator>;

  // **Errors** argument_error for a restriction of other elements than the operator's.
  global_operator(Operator const& a, Restriction const& r) : operator_(&a), restriction_(&r)
  {
    if constexpr (detail::is_restriction_for<Restriction, scalar_type, backend_type>)
      detail::check_restriction("global_operator", a, r);
  }
  template <class Applied = Operator>
  global_operator(Operator const&&, Restriction const&)
  {
    refuse_temporary<Applied>();
  }
  template <class Applied = Operator>
  global_operator(Operator const&, Restriction const&&)
  {
    refuse_temporary<Applied>();
  }
  template <class Applied = Operator>
  global_operator(Operator const&&, Restriction const&&)
  {
    refuse_temporary<Applied>();
  }

  // y = A x, and y = A^T x.
  void apply(from_vector x, to_vector y) const { operator_->apply(*restriction_, x, y); }
  void apply_transposed(from_vector x, to_vector y) const { operator_->apply_transposed(*restriction_, x, y); }
  void diagonal(to_vector d) const { operator_->diagonal(*restriction_, d); }

  index_t size() const { return restriction_->size(); }
  backend_type const& backend() const { return restriction_->backend(); }
  Operator const& element_operator() const { return *operator_; }
  Restriction const& restriction() const { return *restriction_; }

private:
  template <class Applied>
  static void refuse_temporary()
  {
    static_assert(!std::is_same_v<Applied, Operator>,
                  "sumfac::global_operator: it refers to both, so neither may be a temporary: give the operator and "
                  "the restriction names, and keep them as long as it");
  }

  Operator const* operator_ = nullptr;
  Restriction const* restriction_ = nullptr;
};

namespace detail {

template <class Matrix>
inline constexpr bool is_global_operator = false;
template <class Operator, class Restriction>
inline constexpr bool is_global_operator<global_operator<Operator, Restriction>> = true;

template <class Operator, class Restriction>
  requires(is_element_operator<Operator> && !runs_on_host<typename Operator::backend_type>)
struct team_sweep<global_operator<Operator, Restriction>>
    : global_team_sweep<global_operator<Operator, Restriction>, application<Operator>> {
  using global_team_sweep<global_operator<Operator, Restriction>, application<Operator>>::global_team_sweep;
};

}  // namespace detail

}  // namespace sumfac
