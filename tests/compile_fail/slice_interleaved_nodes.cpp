// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// One node of all elements of an interleaved view: they are in blocks, so there is no stride between them.
// expect: sumfac::slice: what is left of an interleaved view has no stride over its elements: fix the element
#include <sumfac/view/slice.hpp>

using nodes = sumfac::view<double, sumfac::dextents<3>, sumfac::layout_interleaved<8>>;

#if defined(SUMFAC_FITS)
auto cut(nodes const& u) { return slice(u, 3, sumfac::all, 1); }
#else
auto cut(nodes const& u) { return slice(u, sumfac::all, sumfac::all, 1); }
#endif
