// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The contractions on an emulated device, by every strategy, against the oracle.
#include "device.hpp"

#include <device/contractions.hpp>

#include <catch2/catch.hpp>

TEST_CASE("emulated device: contractions by every strategy")
{
  // Small ones: threads are fibers here.
  CHECK(device_contractions::run<sumfac::hip>({{.c = 9, .l = 5, .r = 7, .p = 11, .d1 = 1, .d2 = 1, .data_p = 11},
                                               {.c = 2, .l = 9, .r = 17, .p = 70, .d1 = 1, .d2 = 1, .data_p = 70}}) ==
        0);
}
