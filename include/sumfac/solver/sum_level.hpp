// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A level of multigrid whose matrix is a sum of operators.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>
#include <sumfac/dofs/halo.hpp>
#include <sumfac/operator/sum.hpp>
#include <sumfac/solver/level.hpp>
#include <sumfac/solver/preconditioner.hpp>

namespace sumfac::SUMFAC_TARGET {

// Levels of a sum are made one by one, the sum's first part that of the volume, by whose restriction transfers go:
//
//     sumfac::levels{sumfac::level{L4}, sumfac::level{L2}, sumfac::level{L1}}
//
// Refers to the sum, which must live as long.
template <class First, class... Rest>
class level<sum<First, Rest...>, whole> : public level<typename First::operator_type> {
  using of_first = level<typename First::operator_type>;

public:
  using matrix_type = sum<First, Rest...>;
  using typename of_first::backend_type;
  using typename of_first::scalar_type;

  explicit level(matrix_type const& a) : of_first(a.template at<0>().element_operator(), a.restriction()), matrix_(&a)
  {
  }
  explicit level(matrix_type const&&) = delete;

  matrix_type const& matrix() const { return *matrix_; }
  jacobi<scalar_type, backend_type> make_jacobi() const { return detail::jacobi_of<scalar_type>(*matrix_); }

private:
  matrix_type const* matrix_;
};

template <class... Parts>
level(sum<Parts...> const&) -> level<sum<Parts...>>;

}  // namespace sumfac
