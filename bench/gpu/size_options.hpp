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

// Whether it is one of these options.
inline bool set_size_option(size_options& o, std::string const& name, std::string const& value)
{
  using namespace command_line;
  if (name == "--orders")
    o.orders = degrees(name, value);
  else if (name == "--largest")
    o.largest = is_number(value) ? std::stoll(value) : (refuse(name, value, "a number of nodes"), 0);
  else if (name == "--seconds")
    o.seconds = positive(name, value);
  else if (name == "--out")
    o.out = value;
  else
    return false;
  return true;
}

}  // namespace sumfac::bench
