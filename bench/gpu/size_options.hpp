// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The command line of programs that time a few degrees on meshes of growing size.
#pragma once

#include "../report/command_line.hpp"

#include <sumfac/config.hpp>

#include <string>
#include <vector>

namespace sumfac::bench {

struct size_options {
  std::vector<int> orders;  // all that are compiled where empty
  index_t largest = 0;
  double seconds = 0.1;
  std::string out;
  bool check = false;
};

// They and more of a program's own.
template <class Options>
std::vector<command_line::option<Options>> with_sizes(std::vector<command_line::option<Options>> own)
{
  own.insert(own.end(), {{"--orders", &Options::orders},
                         {"--largest", &Options::largest},
                         {"--seconds", &Options::seconds},
                         {"--out", &Options::out}});
  return own;
}

}  // namespace sumfac::bench
