// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Lists on a command line: words, and numbers or ranges of them.
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace sumfac::bench {

// Whether a word is in "a,b,c"; all are in an empty list.
inline bool listed(std::string const& list, std::string const& word)
{
  return list.empty() || ("," + list + ",").find("," + word + ",") != std::string::npos;
}

// Whether a number is in "1,3,5-9".
inline bool listed(std::string const& list, int order)
{
  for (char const* p = list.c_str(); *p != '\0';) {
    char* end = nullptr;
    long const first = std::strtol(p, &end, 10), last = *end == '-' ? std::strtol(end + 1, &end, 10) : first;
    if (first <= order && order <= last) return true;
    if (end == p) throw std::invalid_argument("--orders does not know " + list + ": pass 1,3,5-9, say");
    p = *end == ',' ? end + 1 : end;
  }
  return false;
}

}  // namespace sumfac::bench
