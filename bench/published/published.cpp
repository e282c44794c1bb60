// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Runs the published configurations on the host, small where nothing else is asked for: to see that they are right.
#include "../report/machine.hpp"
#include "program.hpp"

#include <sumfac/backend/host.hpp>

namespace {

using namespace sumfac;
using namespace sumfac::bench;

int run(published_options const& o)
{
  machine const m = this_machine();
  std::printf("%s\n\n", describe(m).c_str());
  return run_published<host>({host(), o, o.pins * 1e9, 4e9, false, context(m)});
}

}  // namespace

int main(int argc, char** argv)
{
  return command_line::main_of<published_options>("published", published_usage, argc, argv, published_option_list(),
                                                  run);
}
