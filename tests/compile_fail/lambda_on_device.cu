// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A lambda of the host's as a coefficient on a device, of which nvcc would say that template arguments are invalid;
// with -DSUMFAC_FITS a struct, which it takes. Compiled by .ci/run.
#include <sumfac/backend/cuda.hpp>
#include <sumfac/form/library.hpp>
#include <sumfac/operator/element_operator.hpp>

struct growing {
  template <class T>
  SUMFAC_FUNCTION T operator()(sumfac::vector<T, 3> const& x) const
  {
    return 1 + x[0] * x[0];
  }
};
[[maybe_unused]] constexpr auto by_lambda = [](auto const& x) { return 1 + x[0] * x[0]; };
#if defined(SUMFAC_FITS)
using coefficient = growing;
#else
using coefficient = decltype(by_lambda);
#endif

void apply(sumfac::cuda const& backend, sumfac::view<double const, sumfac::dextents<5>> nodes, double* x, double* y)
{
  auto const form = sumfac::weak::diffusion(coefficient{});
  sumfac::element_operator<decltype(form), 1, sumfac::cuda> const A{backend, nodes, form};
  A.apply(sumfac::view(x, 1, 2, 2, 2), sumfac::view(y, 1, 2, 2, 2));
}
