// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Global vectors of another type than the kernel computes in, by ways other than the recommended one, on `checked`.
#include "global_precisions.hpp"
#include "ways.hpp"

namespace {

using sumfac::checked, sumfac::high_low, sumfac::low_high;

// Elements that fill no team, and several.
template <class Way, class... Mixes>
void agrees_by_way()
{
  using problem = checks::by_way<checks::bp35, Way>;
  auto const agrees = [](auto mix) {
    using operator_type = typename problem::template operator_type<2, checked, decltype(mix)>;
    checks::mixes_globally<operator_type>({{3, 1, 1}, {3, 2, 1}}, reference::collocated(2), reference::stiffness(0.3),
                                          checks::bp35::form());
  };
  (agrees(Mixes{}), ...);
}

}  // namespace

TEST_CASE("mixed global vectors: cubes on checked")
{
  agrees_by_way<checks::wide_cubes, low_high, high_low>();
  agrees_by_way<checks::early_cubes, low_high>();
}

TEST_CASE("mixed global vectors: slices on checked")
{
  agrees_by_way<checks::thin_slices, low_high, high_low>();
  agrees_by_way<checks::thick_slices, high_low>();
}

TEST_CASE("mixed global vectors: the host's way on checked")
{
  agrees_by_way<checks::host_planes, low_high, high_low>();
}
