// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Views, their extents and layouts.
#include "support/fits.hpp"

#include <sumfac/interop/mdspan.hpp>
#include <sumfac/view/extents.hpp>
#include <sumfac/view/layout.hpp>
#include <sumfac/view/slice.hpp>
#include <sumfac/view/view.hpp>
#include "../interop/mdspan_stand_in.hpp"

#include <vector>

// An extent below zero.
// expect: sumfac::extents: a static extent is negative
namespace extents_negative {
#if defined(SUMFAC_FITS)
sumfac::extents<3, 2> shape;
#else
sumfac::extents<3, -2> shape;
#endif
}  // namespace extents_negative

// Elements side by side, none of them.
// expect: sumfac::layout_interleaved: fewer than one element side by side: pass W >= 1
namespace interleaved_zero {
using layout = sumfac::layout_interleaved<fits ? 1 : 0>;

layout::mapping<sumfac::extents<2, 3>> mapping;
}  // namespace interleaved_zero

// One node of all elements of an interleaved view: they are in blocks, so there is no stride between them.
// expect: sumfac::slice: what is left of an interleaved view has no stride over its elements: fix the element
namespace slice_interleaved_nodes {
using nodes = sumfac::view<double, sumfac::dextents<3>, sumfac::layout_interleaved<8>>;

#if defined(SUMFAC_FITS)
auto cut(nodes const& u) { return slice(u, 3, sumfac::all, 1); }
#else
auto cut(nodes const& u) { return slice(u, sumfac::all, sumfac::all, 1); }
#endif
}  // namespace slice_interleaved_nodes

// A view of an array itself, and not of where it begins.
// expect: sumfac::view: a view is of a pointer, not null, and integers: view(x.data(), E, n, n, n)
// errors: 1
namespace view_of_no_pointer {
void make(std::vector<double>& x)
{
#if defined(SUMFAC_FITS)
  sumfac::view const v(x.data(), 2, 3);
#else
  sumfac::view const v(x, 2, 3);
#endif
  static_cast<void>(v);
}
}  // namespace view_of_no_pointer

// An mdspan that does not point to its entries.
// expect: sumfac::view_of: the mdspan's accessor is more than a pointer
namespace view_of_other_accessor {
using pointing = stand_in::mdspan<double, stand_in::extents<int, 3>>;

struct counting : pointing {
  using reference = double;
};

#if defined(SUMFAC_FITS)
auto convert(pointing const& m) { return sumfac::view_of<stand_in::family>(m); }
#else
auto convert(counting const& m) { return sumfac::view_of<stand_in::family>(m); }
#endif
}  // namespace view_of_other_accessor
