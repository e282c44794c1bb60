// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What an operator is applied to.
#include "support/fits.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/operator/apply_element.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/sumfac.hpp>

#include <vector>

// E-vectors to be added to, which operators only write.
// expect: sumfac::element_operator: apply_add adds to global vectors, A.apply_add(R, x, y); E-vectors are written
// errors: 1
namespace apply_add_e_vectors {
void act(sumfac::bp1<2> const& A, sumfac::view<double, sumfac::dextents<4>> u,
         sumfac::view<double, sumfac::dextents<4>> v)
{
#if defined(SUMFAC_FITS)
  A.apply(u, v);
#else
  A.apply_add(u, v);
#endif
}
}  // namespace apply_add_e_vectors

// A result that cannot be written.
// expect: sumfac::element_operator: v is written to, and must not be a view of const
// errors: 1
namespace apply_const_result {
using in = sumfac::view<double const, sumfac::dextents<4>>;
using out = sumfac::view<fitting<double, double const>, sumfac::dextents<4>>;

void call(sumfac::bp1<1> const& A, in u, out v) { A.apply(u, v); }
}  // namespace apply_const_result

// A rank in place of a group of threads.
// expect: sumfac::device::apply_element: the first argument must be a group of threads, with thread_rank(), size()
// errors: 1
namespace apply_element_no_group {
using e_vector = sumfac::view<double, sumfac::extents<4, 2, 2, 2>>;

void apply(sumfac::bp35<1> const& A, e_vector u, e_vector v, void* memory)
{
#if defined(SUMFAC_FITS)
  sumfac::device::apply_element(sumfac::device::one_thread{}, sumfac::device::part_of(A, u, v), memory, 0);
#else
  sumfac::device::apply_element(0, sumfac::device::part_of(A, u, v), memory, 0);
#endif
}
}  // namespace apply_element_no_group

// A vector that is no view.
// expect: sumfac::element_operator: u and v must be sumfac::view
namespace apply_no_view {
using in = fitting<sumfac::view<double const, sumfac::dextents<4>>, double const*>;
using out = sumfac::view<double, sumfac::dextents<4>>;

void call(sumfac::bp1<1> const& A, in u, out v) { A.apply(u, v); }
}  // namespace apply_no_view

// Vectors of float for an operator on double.
// expect: sumfac::element_operator: u must have entries of the operator's scalar type
// expect: sumfac::element_operator: v must have entries of the operator's scalar type
// errors: 2
namespace apply_other_scalar {
using in = sumfac::view<fitting<double, float> const, sumfac::dextents<4>>;
using out = sumfac::view<fitting<double, float>, sumfac::dextents<4>>;

void call(sumfac::bp1<1> const& A, in u, out v) { A.apply(u, v); }
}  // namespace apply_other_scalar

// Vectors with one index per element where four are needed.
// expect: sumfac::element_operator: the rank of an E-vector is (E, k, j, i) for one component
namespace apply_wrong_rank {
using in = sumfac::view<double const, sumfac::dextents<fits ? 4 : 2>>;
using out = sumfac::view<double, sumfac::dextents<fits ? 4 : 2>>;

void call(sumfac::bp1<1> const& A, in u, out v) { A.apply(u, v); }
}  // namespace apply_wrong_rank

// A diagonal that cannot be written.
// expect: sumfac::element_operator: d must be a sumfac::view of the operator's scalar type, not const
namespace diagonal_const {
using in = sumfac::view<double const, sumfac::dextents<4>>;
using out = sumfac::view<fitting<double, double const>, sumfac::dextents<4>>;

void call(sumfac::bp1<1> const& A, in u, out v) { (void)u, A.diagonal(v); }
}  // namespace diagonal_const

// What an operator is given in place of a restriction of its own and of views.
// expect: sumfac::element_operator: the first of the arguments must be a sumfac::restriction: A.apply(R, x, y)
// expect: sumfac::element_operator: the restriction must be of the operator's scalar type and backend
// expect: sumfac::vector_argument: a vector that is written to must not be const
// expect: sumfac::element_operator: d must be a sumfac::view of the operator's scalar type, not const
// errors: 4
namespace operator_wrong_restriction {
using global = sumfac::view<double, sumfac::dextents<1>>;

#if defined(SUMFAC_FITS)
void call(sumfac::bp35<1> const& A, sumfac::restriction<double> const& R, global x, global y) { A.apply(R, x, y); }
#else
void call(sumfac::bp35<1> const& A, sumfac::restriction<double> const& R, sumfac::restriction<float> const& other,
          global x, global y, std::vector<double> const& array)
{
  A.apply(x, y, R);
  A.apply_add(other, x, y);
  A.apply(R, array, array);
  A.diagonal(array);
}
#endif
}  // namespace operator_wrong_restriction

// A part on global vectors of an operator of the host, and one of another backend's restriction.
// expect: sumfac::device::part_of: on the host there are parts on E-vectors alone
// expect: sumfac::device::part_of: the restriction must be of the operator's scalar type and backend
// errors: 2
namespace part_of_host_restriction {
using global = sumfac::view<double, sumfac::dextents<1>>;

#if defined(SUMFAC_FITS)
void part(sumfac::bp35<1, sumfac::checked> const& A, sumfac::restriction<double, sumfac::checked> const& R, global x,
          global y)
{
  static_cast<void>(sumfac::device::part_of(A, R, x, y));
}
#else
void part(sumfac::bp35<1> const& A, sumfac::restriction<double> const& R, sumfac::bp35<1, sumfac::checked> const& B,
          global x, global y)
{
  sumfac::device::part_of(A, R, x, y);
  sumfac::device::part_of(B, R, x, y);
}
#endif
}  // namespace part_of_host_restriction

// An E-vector of hexahedra for an operator on quadrilaterals.
// expect: sumfac::element_operator: the rank of an E-vector is (E, j, i) on quadrilaterals
namespace quadrilateral_e_vector {
using e_vector = sumfac::view<double, sumfac::dextents<fits ? 3 : 4>>;

void apply(sumfac::element_operator<sumfac::mass, sumfac::quadrilateral(2)> const& A, e_vector u, e_vector v)
{
  A.apply(u, v);
}
}  // namespace quadrilateral_e_vector

// A restriction of what the kernel computes in, for an operator that converts its vectors.
// expect: sumfac::element_operator: the restriction must be of the operator's scalar type and backend
namespace restriction_of_arithmetic {
using operator_type = sumfac::bp35<2, sumfac::host, sumfac::low_high>;
using vector = sumfac::view<float, sumfac::dextents<1>>;

#if defined(SUMFAC_FITS)
void refused(operator_type const& A, sumfac::restriction<float> const& R, vector x, vector y)
#else
void refused(operator_type const& A, sumfac::restriction<double> const& R, vector x, vector y)
#endif
{
  A.apply(R, x, y);
}
}  // namespace restriction_of_arithmetic

// An operator between two spaces, with the restriction of one.
// expect: sumfac::element_operator: the operator is between two spaces
// errors: 1
namespace two_spaces_one_restriction {
struct mean {
  static constexpr auto trial = sumfac::value, test = sumfac::value;

  template <class T>
  struct factors {
    T measure;
  };

  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.measure()};
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.measure * u.value};
  }
};

using pair = sumfac::element_operator<mean, sumfac::spaces{.trial = 2, .test = 1}>;
using vector = sumfac::view<double, sumfac::dextents<1>>;

void apply(pair const& A, sumfac::restriction<double> const& r_test, sumfac::restriction<double> const& r_trial,
           vector x, vector y)
{
#if defined(SUMFAC_FITS)
  A.apply(r_test, r_trial, x, y);
#else
  static_cast<void>(r_test);
  A.apply(r_trial, x, y);
#endif
}
}  // namespace two_spaces_one_restriction
