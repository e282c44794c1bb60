// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Degrees and operators that are chosen at run time.
#include "support/fits.hpp"

#include <sumfac/form/stiffness.hpp>
#include <sumfac/form/tangent.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/dispatch.hpp>
#include <sumfac/tools/tune.hpp>

// Degrees without sumfac::orders, and a function that takes its degree as a number.
// expect: sumfac::dispatch_order: the degrees must be a list: dispatch_order<sumfac::orders<1, 2>>(order, f)
// expect: sumfac::dispatch_order: f must take the degree as its only template argument, and nothing else
// errors: 2
namespace dispatch_no_list {
using list = sumfac::orders<1, 2>;

#if defined(SUMFAC_FITS)
int twice(int order)
{
  return sumfac::dispatch_order<list>(order, []<int Order> { return 2 * Order; });
}
#else
int twice(int order)
{
  return sumfac::dispatch_order<1, 2>(order, []<int Order> { return 2 * Order; });
}
int thrice(int order)
{
  return sumfac::dispatch_order<list>(order, [](int n) { return 3 * n; });
}
#endif
}  // namespace dispatch_no_list

// A function that returns another type for another degree.
// expect: sumfac::dispatch_order: f returns another type for another degree
namespace dispatch_two_types {
template <int Order>
struct solution {
  double nodes[Order];
};

auto solve(int order)
{
#if defined(SUMFAC_FITS)
  return sumfac::dispatch_order<sumfac::orders<1, 2>>(order, []<int Order> { return 1. * Order; });
#else
  return sumfac::dispatch_order<sumfac::orders<1, 2>>(order, []<int Order> { return solution<Order>{}; });
#endif
}
}  // namespace dispatch_two_types

// What is done for other degrees, of another type.
// expect: sumfac::dispatch_order: f and otherwise return different types
// errors: 1
namespace dispatch_otherwise {
using list = sumfac::orders<1, 2>;

#if defined(SUMFAC_FITS)
int twice(int order)
{
  return sumfac::dispatch_order<list>(
      order, []<int Order> { return 2 * Order; }, [](int other) { return 2 * other; });
}
#else
int twice(int order)
{
  return sumfac::dispatch_order<list>(
      order, []<int Order> { return 2 * Order; }, [](int other) { return 2. * other; });
}
#endif
}  // namespace dispatch_otherwise

// A list of no degree.
// expect: sumfac::orders: the list is empty: name the degrees to instantiate
namespace orders_empty {
#if defined(SUMFAC_FITS)
sumfac::orders<3> list;
#else
sumfac::orders<> list;
#endif
}  // namespace orders_empty

// A form that reads u beside what it is applied to.
// expect: sumfac::tune: the form has inputs, which no candidate can be checked and timed without
// errors: 1
namespace tune_form_with_inputs {
using form = fitting<sumfac::laplace, sumfac::tangent<sumfac::laplace>>;

void choose(sumfac::view<double const, sumfac::dextents<5>> nodes)
{
  static_cast<void>(sumfac::tune<sumfac::element_operator<form, 2>>({}, nodes));
}
}  // namespace tune_form_with_inputs

// Candidates of two degrees.
// expect: sumfac::tune: the operators must have one form, space, rule, scalar type and backend
// errors: 1
namespace tune_unlike_operators {
int choose(sumfac::view<double const, sumfac::dextents<5>> nodes)
{
#if defined(SUMFAC_FITS)
  return sumfac::tune<sumfac::bp3<2>, sumfac::bp3<2, sumfac::host, double, sumfac::affine>>({}, nodes).chosen();
#else
  return sumfac::tune<sumfac::bp3<2>, sumfac::bp3<3>>({}, nodes).chosen();
#endif
}
}  // namespace tune_unlike_operators
