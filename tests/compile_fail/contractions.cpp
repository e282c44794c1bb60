// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Contractions by the names of Intrepid2.
#include "support/fits.hpp"

#include <sumfac/intrepid/contractions.hpp>
#include <sumfac/intrepid/strategy.hpp>

// An output that cannot be written.
// expect: sumfac::intrepid: the output is a view of const: nothing can be written
namespace contraction_const_output {
using out = sumfac::view<fitting<double, double const>, sumfac::dextents<3>>;
using left = sumfac::view<double const, sumfac::dextents<3>>;
using right = sumfac::view<double const, sumfac::dextents<3>>;

void call(out o, left l, right r) { sumfac::intrepid::contractFieldFieldScalar(sumfac::host(), o, l, r); }
}  // namespace contraction_const_output

// Vectors (C, L, P, D) for the function of scalars.
// expect: sumfac::intrepid: the first factor has another rank than the function's table says
namespace contraction_left_rank {
using out = sumfac::view<double, sumfac::dextents<3>>;
using left = sumfac::view<double const, sumfac::dextents<fits ? 3 : 4>>;
using right = sumfac::view<double const, sumfac::dextents<3>>;

void call(out o, left l, right r) { sumfac::intrepid::contractFieldFieldScalar(sumfac::host(), o, l, r); }
}  // namespace contraction_left_rank

// Numbers that are neither float nor double.
// expect: sumfac::intrepid: entries must be float or double
namespace contraction_of_integers {
using number = fitting<double, int>;
using out = sumfac::view<number, sumfac::dextents<3>>;
using left = sumfac::view<number const, sumfac::dextents<3>>;
using right = sumfac::view<number const, sumfac::dextents<3>>;

void call(out o, left l, right r) { sumfac::intrepid::contractFieldFieldScalar(sumfac::host(), o, l, r); }
}  // namespace contraction_of_integers

// Floating-point numbers that are neither float nor double.
// expect: sumfac::intrepid: entries must be float or double
namespace contraction_of_long_double {
using number = fitting<double, long double>;
using out = sumfac::view<number, sumfac::dextents<3>>;
using left = sumfac::view<number const, sumfac::dextents<3>>;
using right = sumfac::view<number const, sumfac::dextents<3>>;

void call(out o, left l, right r) { sumfac::intrepid::contractFieldFieldScalar(sumfac::host(), o, l, r); }
}  // namespace contraction_of_long_double

// An output (C, L) where (C, L, R) is needed.
// expect: sumfac::intrepid: the output has another rank than the function's table says
namespace contraction_output_rank {
using out = sumfac::view<double, sumfac::dextents<fits ? 3 : 2>>;
using left = sumfac::view<double const, sumfac::dextents<3>>;
using right = sumfac::view<double const, sumfac::dextents<3>>;

void call(out o, left l, right r) { sumfac::intrepid::contractFieldFieldScalar(sumfac::host(), o, l, r); }
}  // namespace contraction_output_rank

// Data (C, P) where fields (C, R, P) are needed.
// expect: sumfac::intrepid: the second factor has another rank than the function's table says
namespace contraction_right_rank {
using out = sumfac::view<double, sumfac::dextents<3>>;
using left = sumfac::view<double const, sumfac::dextents<3>>;
using right = sumfac::view<double const, sumfac::dextents<fits ? 3 : 2>>;

void call(out o, left l, right r) { sumfac::intrepid::contractFieldFieldScalar(sumfac::host(), o, l, r); }
}  // namespace contraction_right_rank

// A team without threads, and more sums than a thread can keep.
// expect: sumfac::intrepid::slicing: Threads is not in 1..1024
// expect: sumfac::intrepid::slicing: Slices is not in 1..64
// errors: 2
namespace contraction_slices {
#if defined(SUMFAC_FITS)
sumfac::intrepid::slicing<1, 64> strategy;
sumfac::intrepid::slicing<64, 64> large;
#else
sumfac::intrepid::slicing<1, 0> strategy;
sumfac::intrepid::slicing<20000, 64> large;
#endif
}  // namespace contraction_slices

// Factors at other points, fields of other components, an output of too many fields, where the compiler knows them.
// expect: sumfac::intrepid: extents that the compiler knows do not fit
// errors: 3
namespace contraction_static_extents {
#if defined(SUMFAC_FITS)
constexpr int points = 27, components = 3, fields = 8;
#else
constexpr int points = 64, components = 2, fields = 10;
#endif

using sumfac::dynamic_extent;
template <class T, sumfac::index_t... Extents>
using array = sumfac::view<T, sumfac::extents<dynamic_extent, Extents...>>;

void points_differ(array<double, 8, 8> out, array<double const, 8, 27> left, array<double const, 8, points> right)
{
  sumfac::intrepid::contractFieldFieldScalar(sumfac::host(), out, left, right);
}
void components_differ(array<double, 8> out, array<double const, 1, 3> data, array<double const, 8, 27, components> of)
{
  sumfac::intrepid::contractDataFieldVector(sumfac::host(), out, data, of);
}
void fields_differ(array<double, fields> out, array<double const, 27> data, array<double const, 8, 27> of)
{
  sumfac::intrepid::contractDataFieldScalar(sumfac::host(), out, data, of);
}
}  // namespace contraction_static_extents

// A number in the place of a strategy.
// expect: sumfac::intrepid: the last argument must be a strategy: automatic{}, flat{}, team_reduction<>{},
// errors: 1
namespace contraction_without_strategy {
#if defined(SUMFAC_FITS)
inline constexpr sumfac::intrepid::flat strategy;
#else
inline constexpr int strategy = 3;
#endif

void call(sumfac::view<double, sumfac::dextents<1>> out, sumfac::view<double const, sumfac::dextents<2>> factor)
{
  sumfac::intrepid::contractDataDataScalar(sumfac::host(), out, factor, factor, false, strategy);
}
}  // namespace contraction_without_strategy
