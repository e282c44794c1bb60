// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a form that is not linear has not.
#include "support/fits.hpp"

#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/merged_cg.hpp>

struct square {
  static constexpr auto trial = sumfac::value;
  static constexpr auto test = sumfac::value;

  template <class T>
  struct factors {
    T w;
  };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.measure()};
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.w * u.value * u.value};
  }
};
struct said_to_be : square {
  static constexpr bool linear = false;
};
// Of a degree for each case: what is instantiated twice is refused once.
template <int Degree>
using operator_of = sumfac::element_operator<fitting<square, said_to_be>, Degree>;
template <int Degree>
using matrix_of = sumfac::global_operator<operator_of<Degree>, sumfac::restriction<>>;
using vector = sumfac::view<double, sumfac::dextents<1>>;

// A form each object of which says by itself whether it is linear.
// expect: sumfac::form: linear must be a static constexpr bool: false says that apply is not linear in u
// errors: 1
namespace form_linear_of_no_constant {
struct of_object : square {
  bool linear = false;
};
constexpr int nodes = sumfac::element_operator<fitting<said_to_be, of_object>, 2>::nodes_1d;
}  // namespace form_linear_of_no_constant

// expect: sumfac::solver: A says `linear = false`: solvers solve linear systems alone
// errors: 1
namespace form_not_linear_cg {
void call(matrix_of<1> const& L, vector b, vector x) { sumfac::cg(L, b, x); }
}  // namespace form_not_linear_cg

// expect: sumfac::solver: A says `linear = false`: solvers solve linear systems alone
// errors: 1
namespace form_not_linear_merged_cg {
void call(matrix_of<2> const& L, vector b, vector x) { sumfac::merged_cg(L, b, x); }
}  // namespace form_not_linear_merged_cg

// expect: sumfac::element_operator: the form says `linear = false`: it is applied, but has no diagonal and no
// errors: 1
namespace form_not_linear_diagonal {
void call(operator_of<3> const& A, sumfac::view<double, sumfac::dextents<4>> d) { A.diagonal(d); }
}  // namespace form_not_linear_diagonal

// A diagonal on global vectors.
// expect: sumfac::element_operator: the form says `linear = false`: it is applied, but has no diagonal and no
// errors: 1
namespace form_not_linear_global_diagonal {
void call(matrix_of<4> const& L, vector d) { L.diagonal(d); }
}  // namespace form_not_linear_global_diagonal

// An element matrix.
// expect: sumfac::element_operator: the form says `linear = false`: it is applied, but has no diagonal and no
// errors: 1
namespace form_not_linear_matrix {
double call(operator_of<5> const& A) { return A.element_matrix(0)[0]; }
}  // namespace form_not_linear_matrix
