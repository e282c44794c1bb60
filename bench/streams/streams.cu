// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Times the passes over memory on a device; passes that return nothing are queued one behind the other.
#include "../gpu/device.hpp"
#include "program.hpp"

namespace {

using namespace sumfac;
using namespace sumfac::bench;

int run(stream_options o)
{
  device const backend;
  std::printf("%s\n\n", describe(backend).c_str());
  choose_largest(o, backend.cache_bytes(), 8);
  now_and_then due;
  o.keep = [&](std::vector<stream_time> const& times) {
    if (!o.out.empty() && due.due()) write_streams(o.out, context(backend), times, {}, {});
  };
  report_streams(o, context(backend), time_passes(backend, device::runtime::name, 1, o), {}, backend.cache_bytes());
  return 0;
}

}  // namespace

int main(int argc, char** argv)
{
  return command_line::main_of<stream_options>("streams", stream_usage, argc, argv, stream_option_list(), run);
}
