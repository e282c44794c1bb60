// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The tests of devices on an emulated one: multigrid in the degree.
#include "device.hpp"

using device_backend = sumfac::hip;

#include <device/multigrid.hpp>

namespace {

// Solves nothing: what a last level launches is its solver's.
struct no_solver {
  template <class From, class To>
  void operator()(From const&, To const&) const
  {
  }
};

template <class Function>
std::size_t launches_of(Function const& f)
{
  emulated::here().counts = {};
  f();
  return emulated::here().counts.launches;
}

}  // namespace

TEST_CASE("emulated device: launches of a cycle")
{
  for (auto const policy : {sumfac::scatter::deterministic, sumfac::scatter::atomic}) {
    checks::box_problem<sumfac::bp5<3, device_backend>> const p({2, 2, 3}, mesh::smooth{}, 3, {.policy = policy});
    auto const all = sumfac::p_levels<3, 2, 1>(p.a, p.nodes(), p.r);
    sumfac::transfer<3, 2, double, device_backend> const between(all.finest().restriction(), all.at<1>().restriction());
    auto const coarse = support::random<double>(static_cast<std::size_t>(all.at<1>().size()), 1);
    std::vector<double> x(p.b.size());
    std::size_t application = 0, transfer = 0;
    on_device(p.backend, p.b, x, [&](auto const& from, auto const& to) {
      application = launches_of([&] { all.finest().matrix().apply(from, to); });
    });
    on_device(p.backend, coarse, x, [&](auto const& from, auto const& to) {
      transfer = launches_of([&] { between.prolong(from, to); }) - 1;  // and the weights
    });
    INFO(application << " launches an application, " << transfer << " a transfer");
    CHECK(application == 2);
    CHECK(transfer == 2);
    for (int const degree : {1, 2, 3}) {
      sumfac::multigrid const mg{
          sumfac::p_levels<3, 2, 1>(p.a, p.nodes(), p.r), {.smoother = sumfac::chebyshev{degree}}, no_solver{}};
      on_device(p.backend, p.b, x, [&](auto const& from, auto const& to) {
        auto const cycle = launches_of([&] { mg.apply(from, to); });
        auto const steps = static_cast<std::size_t>(2 * degree);
        INFO("degree " << degree << ": " << cycle << " launches a cycle");
        CHECK(cycle == 2 * (steps * (application + 1) + 2 * transfer + 2));  // on two levels
      });
    }
  }
}
