// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An mdspan that does not point to its entries.
// expect: sumfac::view_of: the mdspan's accessor is more than a pointer
#include "../interop/mdspan_stand_in.hpp"
#include <sumfac/interop/mdspan.hpp>

using pointing = stand_in::mdspan<double, stand_in::extents<int, 3>>;

struct counting : pointing {
  using reference = double;
};

#if defined(SUMFAC_FITS)
auto convert(pointing const& m) { return sumfac::view_of<stand_in::family>(m); }
#else
auto convert(counting const& m) { return sumfac::view_of<stand_in::family>(m); }
#endif
