// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Tuning at run time on an emulated device.
#include "device.hpp"

#include <operator/tune.hpp>

TEST_CASE("emulated device: tunings are chosen, checked and kept")
{
  checks::chooses_and_keeps<sumfac::bp3<2, sumfac::hip>>(reference::on_gauss(2), reference::stiffness(0.3),
                                                         {.lambda = 0.3});
}

TEST_CASE("emulated device: a tuning that the device has no room for is left out, and said")
{
  using own = sumfac::bp3<6, sumfac::hip>;
  using in_cubes = sumfac::with_tuning<own, sumfac::tuning{.elements = 6}>;  // 74 KiB of scratch, 64 there
  auto const mesh = checks::some_mesh(3);
  auto const a = sumfac::tune<in_cubes, own>({}, checks::nodes_view(mesh), {},
                                             {.seconds = 1e-5, .log = checks::keep_line});
  CHECK(a.chosen() == 1);
  CHECK(a.trials()[0].refused.find("needs more scratch") != std::string::npos);
  CHECK(checks::has_line(checks::take_log(), "left out: sumfac::hip"));
}
