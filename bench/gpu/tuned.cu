// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// sumfac::tune and sumfac::explain on a device: what is tried, what is chosen, and what it reaches of the roofs.
#include "../report/json.hpp"
#include "device.hpp"
#include "size_options.hpp"

#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/tools/explain.hpp>
#include <sumfac/tools/tune.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace sumfac;
using namespace sumfac::bench;

char const* const usage = R"(usage: tuned [--largest N] [--seconds S] [--check] [--out FILE]

--largest  elements of a mesh, about (default 20000)
--seconds  of timing per candidate (default 0.1)
--check    on few elements
)";

struct results {
  size_options asked;
  bench::device backend;
  std::vector<json_object> rows;
};

template <class Operator>
void choose(results& all, char const* what)
{
  int cells = 2;
  double const most = all.asked.largest > 0 ? double(all.asked.largest) : 20000;
  while (!all.asked.check && (cells + 1.0) * (cells + 1.0) * (cells + 1.0) <= most) ++cells;
  auto const box = box_mesh({cells, cells, cells});
  auto const chosen = tune<Operator>(all.backend, box.nodes(), {}, {.seconds = all.asked.seconds, .log = nullptr});
  double first = 0, best = 0;
  for (auto const& trial : chosen.trials()) {
    bool const refused = !trial.refused.empty();
    std::printf("%-12s %9.2f us  %s%s\n", what, 1e6 * trial.cost, trial.what.c_str(), refused ? "  left out" : "");
    if (refused) continue;
    if (first == 0) first = trial.cost;
    if (best == 0 || trial.cost < best) best = trial.cost;
    all.rows.push_back(json_object()("what", what)("elements", box.elements())("trial", trial.what)(
        "seconds", trial.cost)("error_of_terms", trial.error));
  }
  auto const e = chosen.visit([&](auto const& a) { return explain(a, {.seconds = all.asked.seconds}); });
  std::printf("%-12s fastest %.2f times the first; %.2f of its roofs\n", what, first / best, e.reached());
  all.rows.push_back(json_object()("what", what)("elements", box.elements())("first_s", first)("fastest_s", best)(
      "of_roofs", e.reached()));
  std::fflush(stdout);
}

int run(size_options const& o)
{
  results all{o, {}, {}};
  std::printf("%s\n", describe(all.backend).c_str());
  choose<bp1<3, bench::device>>(all, "BP1.0 N=3");
  choose<bp3<3, bench::device>>(all, "BP3.0 N=3");
  choose<bp3<7, bench::device>>(all, "BP3.0 N=7");
  choose<bp35<7, bench::device>>(all, "BP3.5 N=7");
  if (!o.out.empty()) json_file()("context", context(all.backend))("rows", all.rows).write(o.out);
  return 0;
}

}  // namespace

int main(int argc, char** argv)
{
  return command_line::main_of<size_options>("tuned", usage, argc, argv,
                                             with_sizes<size_options>({{"--check", &size_options::check}}), run);
}
