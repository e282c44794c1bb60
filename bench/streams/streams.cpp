// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Times the passes over memory on the host, with 1 to all threads, and counts them on `checked`.
#include "../report/machine.hpp"
#include "counts.hpp"
#include "program.hpp"

namespace {

using namespace sumfac;
using namespace sumfac::bench;

int run(stream_options o)
{
  machine const m = this_machine();
  std::printf("%s\n\n", describe(m).c_str());
  choose_largest(o, m.last_level, 4);
  if (o.threads.empty()) {
    for (int threads = 1; threads < m.threads; threads *= 2) o.threads.push_back(threads);
    o.threads.push_back(m.threads);
  }
  std::vector<stream_time> times;
  for (int const threads : o.threads) {
    auto const more = time_passes(host(threads), "host", threads, o);
    times.insert(times.end(), more.begin(), more.end());
  }
  auto const counts = count_passes(o);
  std::vector<json_object> rows;
  for (auto const& c : counts) rows.push_back(c.json());
  report_streams(o, context(m), times, rows, m.private_cache);
  print_counts(counts);
  return 0;
}

}  // namespace

int main(int argc, char** argv)
{
  return command_line::main_of<stream_options>("streams", stream_usage, argc, argv, stream_option_list(), run);
}
