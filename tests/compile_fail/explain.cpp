// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Explanations of what is no operator, and of what it is not applied to.
#include "support/fits.hpp"

#include <sumfac/operator/bake_off.hpp>
#include <sumfac/tools/explain.hpp>

// A form, which is not applied by itself.
// expect: sumfac::explain: the first argument must be an element_operator or a global_operator
// errors: 1
namespace explain_a_form {
using subject = fitting<sumfac::bp1<1>, sumfac::mass>;

sumfac::explanation of(subject const& A) { return sumfac::explain(A); }
}  // namespace explain_a_form

// A restriction in other numbers than the operator's.
// expect: sumfac::explain: behind the operator come nothing or u and v, or a restriction of the operator's scalar type
// errors: 1
namespace explain_other_numbers {
using restriction = sumfac::restriction<fitting<double, float>>;

sumfac::explanation of(sumfac::bp1<1> const& A, restriction const& R) { return sumfac::explain(A, R); }
}  // namespace explain_other_numbers
