// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Tuning at run time, and an explanation, on an emulated device.
#include "device.hpp"

#include <sumfac/tools/explain.hpp>

#include <tools/tune.hpp>

TEST_CASE("emulated device: tunings are chosen, checked and kept")
{
  checks::chooses_and_keeps<sumfac::bp3<2, sumfac::hip>>(reference::on_gauss(2), reference::stiffness(0.3),
                                                         {.lambda = 0.3});
}

TEST_CASE("emulated device: what was kept with one driver is not taken with another")
{
  checks::own_file const file;
  auto const mesh = checks::some_mesh(5);
  auto const tried = [&] {
    return sumfac::tune<sumfac::bp3<2, sumfac::hip>>({}, checks::nodes_view(mesh), {.lambda = 0.3},
                                                     {.cache = file.path.c_str(), .seconds = 1e-4, .log = nullptr})
        .trials()
        .size();
  };
  CHECK(tried() > 1);
  ++emulated::driver_version;
  CHECK(tried() > 1);
  --emulated::driver_version;
  CHECK(tried() == 0);
}

TEST_CASE("emulated device: a tuning that the device has no room for is left out, and said")
{
  using own = sumfac::bp3<6, sumfac::hip, sumfac::isoparametric<2>>;
  using in_cubes =
      sumfac::with_tuning<own, sumfac::tuning{.elements = 5}>;  // 60 KiB of cubes, and mesh nodes, 64 there
  auto const mesh = checks::some_mesh(3);
  auto const a =
      sumfac::tune<in_cubes, own>({}, checks::nodes_view(mesh), {}, {.seconds = 1e-5, .log = checks::keep_line});
  CHECK(a.chosen() == 1);
  CHECK(a.trials()[0].refused.find("needs more scratch") != std::string::npos);
  CHECK(checks::has_line(checks::take_log(), "left out: sumfac::hip"));
}

TEST_CASE("emulated device: an explanation times copies there, and says what it does not know")
{
  using stiffness = sumfac::bp3<2, sumfac::hip>;
  auto const mesh = checks::some_mesh(8);
  stiffness const a{{}, checks::nodes_view(mesh), {.lambda = 0.3}};
  auto const e = sumfac::explain(a, {.cache = "", .seconds = 1e-4});
  CHECK(e.bytes.all() == a.work().bytes());
  CHECK((e.roofs.copy > 0 && e.roofs.f64 == 0 && e.memory_seconds > 0 && e.arithmetic_seconds == 0));
  CHECK(e.roofs_from.find("give options.roofs") != std::string::npos);
  CHECK(e.seconds > 0);
  CHECK(e.text().find("emulated") != std::string::npos);

  checks::restricted_mesh const numbered{mesh::numbered({2, 2, 2}, 2)};
  auto const r = numbered.restriction<double, sumfac::hip>(a.backend());
  auto const global = sumfac::explain(a, r, {.roofs = {.copy = 1e9, .f64 = 1e15, .caches = 1}, .seconds = 1e-4});
  CHECK(global.bytes.read == r.size() * 8);
  CHECK(global.bytes.indices == 8 * 27 * 2 * 4);
  CHECK(global.bound == sumfac::explanation::limit::memory);
  CHECK(global.seconds > 0);
}
