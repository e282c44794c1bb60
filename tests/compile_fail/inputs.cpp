// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Forms that read other functions.
#include "support/fits.hpp"

#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/element_operator.hpp>

#include <vector>

struct weighing {
  static constexpr auto trial = sumfac::value, test = sumfac::value;

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
    return {.value = f.w * u.value};
  }
};
template <int Order>
struct weighing_by_one : weighing {
  using inputs = sumfac::reads<sumfac::input{.components = 1, .order = Order}>;

  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u,
                                sumfac::point_values<T> const& a) const
  {
    return {.value = f.w * a.value * u.value};
  }
};
struct weighing_by_two : weighing {
  using inputs = sumfac::reads<sumfac::input{}, sumfac::input{.components = 3}>;

  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u, sumfac::point_values<T> const& a,
                                sumfac::point_values<T, 3> const& b) const
  {
    return {.value = f.w * a.value * b.value[2] * u.value};
  }
};
using of_one = sumfac::element_operator<weighing_by_one<sumfac::input{}.order>, 2>;
using of_two = sumfac::element_operator<weighing_by_two, 2>;
using vector = sumfac::view<double, sumfac::dextents<4>>;
using vectors = sumfac::view<double, sumfac::dextents<5>>;

// An input of a degree that the points are too few for.
// expect: sumfac::input: too few points per direction for the input's degree (points_1d >= order + 1)
// errors: 1
namespace input_degree_too_high {
void call(sumfac::element_operator<weighing_by_one<fits ? 3 : 4>, 2>& A, vector a) { A.linearize(a); }
}  // namespace input_degree_too_high

// One field to be kept for a form with two inputs.
// expect: sumfac::element_operator: linearize takes a field for each of the form's inputs
// errors: 1
namespace input_kept_one_of_two {
void call(of_two& A, vector a, [[maybe_unused]] vectors b)
{
#if defined(SUMFAC_FITS)
  A.linearize(sumfac::field(a), sumfac::field(b));
#else
  A.linearize(sumfac::field(a));
#endif
}
}  // namespace input_kept_one_of_two

// A form whose inputs are no sumfac::reads.
// expect: sumfac::form: inputs must be a sumfac::reads<sumfac::input{...}...>: an input for each of the other
// errors: 2
namespace input_no_reads {
struct by_any : weighing {
  using inputs = fitting<sumfac::reads<sumfac::input{}>, double>;

  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u, auto const&... a) const
  {
    return {.value = (a.value * ... * f.w) * u.value};
  }
};
constexpr int nodes = sumfac::element_operator<by_any, 2>::nodes_1d;
}  // namespace input_no_reads

// A field that is no view.
// expect: sumfac::field: it must be a sumfac::view, an E-vector, or a restriction and a global vector: field(R, x)
// errors: 1
namespace input_no_view {
void call(of_one& A, fitting<vector, std::vector<double>> const& a) { A.linearize(sumfac::field(a)); }
}  // namespace input_no_view

// A form that names an input and does not take it.
// expect: sumfac::form: the form names inputs: apply takes them behind u, a point_values<T, C> for each
// errors: 2
namespace input_not_taken {
struct naming : weighing {
  using inputs = sumfac::reads<sumfac::input{}>;
};
constexpr int nodes = sumfac::element_operator<fitting<weighing, naming>, 2>::nodes_1d;
}  // namespace input_not_taken

// A field for a form that reads none.
// expect: sumfac::element_operator: the form reads no other functions: it has no `inputs`
// errors: 1
namespace input_of_form_without {
void call(sumfac::bp1<2> const& A, vector u, vector v, [[maybe_unused]] vector a)
{
#if defined(SUMFAC_FITS)
  A.apply(u, v);
#else
  A.apply(u, v, sumfac::field(a));
#endif
}
}  // namespace input_of_form_without

// One field at the call for a form with two inputs.
// expect: sumfac::element_operator: apply takes a field for each of the form's inputs
// errors: 1
namespace input_one_of_two {
void call(of_two const& A, vector u, vector v, vector a, [[maybe_unused]] vectors b)
{
#if defined(SUMFAC_FITS)
  A.apply(u, v, sumfac::field(a), sumfac::field(b));
#else
  A.apply(u, v, sumfac::field(a));
#endif
}
}  // namespace input_one_of_two

// A field through a restriction of float for an operator on double.
// expect: sumfac::field: the restriction must be of the operator's scalar type and backend
// errors: 1
namespace input_other_restriction {
void call(of_one& A, sumfac::restriction<fitting<double, float>> const& R, sumfac::view<double, sumfac::dextents<1>> a)
{
  A.linearize(sumfac::field(R, a));
}
}  // namespace input_other_restriction

// A field of float for an operator on double.
// expect: sumfac::field: a field must be a sumfac::view of the operator's scalar type
// errors: 1
namespace input_other_scalar {
void call(of_one& A, sumfac::view<fitting<double, float>, sumfac::dextents<4>> a) { A.linearize(a); }
}  // namespace input_other_scalar
