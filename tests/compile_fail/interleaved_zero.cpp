// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Elements side by side, none of them.
// expect: sumfac::layout_interleaved: fewer than one element side by side: pass W >= 1
#include <sumfac/view/layout.hpp>

#if defined(SUMFAC_FITS)
using layout = sumfac::layout_interleaved<1>;
#else
using layout = sumfac::layout_interleaved<0>;
#endif

layout::mapping<sumfac::extents<2, 3>> mapping;
