// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Values, gradients and sources at points in a device's memory. `device_backend` is the including file's backend.
#pragma once

#include <points/points.hpp>

TEST_CASE("device: values and gradients at points are those of the oracle")
{
  using checks::point_case, checks::compare_points;
  device_backend const device;
  compare_points(point_case<1, double, device_backend>(device, {3, 2, 2}, 2, {}, true));
  compare_points(point_case<2, float, device_backend>(device, {2, 1, 2}, 3,
                                                      {.components_lie = sumfac::interleaving::slowest}, false, 200));
  compare_points(
      point_case<3, double, device_backend>(device, {2, 1, 1}, 1, {.policy = sumfac::scatter::atomic}, true));
}

TEST_CASE("device: sources at points are the transpose of values")
{
  using checks::point_case, checks::compare_sources;
  device_backend const device;
  compare_sources(point_case<1, double, device_backend>(device, {3, 2, 2}, 2, {}, true, 200));
  compare_sources(point_case<2, float, device_backend>(device, {2, 1, 2}, 3,
                                                       {.components_lie = sumfac::interleaving::slowest}, false));
}
