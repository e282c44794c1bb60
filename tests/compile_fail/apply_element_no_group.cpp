// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A rank in place of a group of threads.
// expect: sumfac::device::apply_element: the first argument must be a group of threads, with thread_rank(), size()
// errors: 1
#include <sumfac/operator/apply_element.hpp>
#include <sumfac/operator/bake_off.hpp>

using e_vector = sumfac::view<double, sumfac::extents<4, 2, 2, 2>>;

void apply(sumfac::bp35<1> const& A, e_vector u, e_vector v, void* memory)
{
#if defined(SUMFAC_FITS)
  sumfac::device::apply_element(sumfac::device::one_thread{}, sumfac::device::part_of(A, u, v), memory, 0);
#else
  sumfac::device::apply_element(0, sumfac::device::part_of(A, u, v), memory, 0);
#endif
}
