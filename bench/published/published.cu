// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Runs the published configurations on a device, in sizes that were published or fit into its memory.
#include "../gpu/device.hpp"
#include "program.hpp"

#include <cstddef>

namespace {

using namespace sumfac;
using namespace sumfac::bench;

int run(published_options const& o)
{
  support::own_stream const stream;
  device const backend(stream.handle);
  std::size_t free = 0, all = 0;
  static_cast<void>(cudaMemGetInfo(&free, &all));
  double const pins = o.pins > 0 ? o.pins * 1e9 : pin_rate(backend);
  std::printf("%s; %.1f of %.1f GB free, %.0f GB/s at its pins\n\n", describe(backend).c_str(), double(free) * 1e-9,
              double(all) * 1e-9, pins * 1e-9);
  auto about = context(backend);
  about("free_bytes", free)("pins_GB/s", pins * 1e-9);
  return run_published<device>({backend, o, pins, 0.92 * double(free), true, about});
}

}  // namespace

int main(int argc, char** argv)
{
  return command_line::main_of<published_options>("published", published_usage, argc, argv, published_option_list(),
                                                  run);
}
