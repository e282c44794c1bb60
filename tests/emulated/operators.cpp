// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators on an emulated device: every way through an element, several in a team, the last team not full.
#include "device.hpp"

#include <operator/ways.hpp>

namespace {

using sumfac::hip, sumfac::stiffness;

template <class Way, int Order, class Scalar = double>
void every_problem()
{
  if constexpr (Way::at(4).way != sumfac::variant::slices)
    checks::agrees_by_way_on<checks::bp1, Way, Order, Scalar>(hip());
  checks::agrees_by_way_on<checks::bp3, Way, Order, Scalar>(hip());
  checks::agrees_by_way_on<checks::bp35, Way, Order, Scalar>(hip());
}

}  // namespace

TEST_CASE("emulated device: cubes")
{
  every_problem<checks::wide_cubes, 2>();
  every_problem<checks::early_cubes, 1, float>();
  every_problem<checks::early_cubes, 5>();
}

TEST_CASE("emulated device: slices")
{
  every_problem<checks::thin_slices, 2>();
  every_problem<checks::thick_slices, 4>();
  every_problem<checks::all_in_one_slice, 1>();
}
