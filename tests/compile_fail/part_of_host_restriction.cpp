// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A part on global vectors of an operator of the host, and one of another backend's restriction.
// expect: sumfac::device::part_of: on the host there are parts on E-vectors alone
// expect: sumfac::device::part_of: the restriction must be of the operator's scalar type and backend
// errors: 2
#include <sumfac/backend/checked.hpp>
#include <sumfac/operator/apply_element.hpp>
#include <sumfac/operator/bake_off.hpp>

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
