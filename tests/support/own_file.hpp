// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A file of a test's own, and the lines that something has logged.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace checks {

// What was logged since the last look.
inline std::vector<std::string>& logged()
{
  static std::vector<std::string> lines;
  return lines;
}
inline void keep_line(char const* line) { logged().push_back(line); }
inline std::vector<std::string> take_log() { return std::exchange(logged(), {}); }

inline bool has_line(std::vector<std::string> const& lines, std::string const& part)
{
  for (auto const& line : lines)
    if (line.find(part) != std::string::npos) return true;
  return false;
}

// A file of the test's own, not there at first, for the length of a scope.
struct own_file {
  own_file()
  {
    close(mkstemp(path.data()));
    std::remove(path.c_str());
  }
  own_file(own_file const&) = delete;
  ~own_file() { std::remove(path.c_str()); }
  std::string path = "/tmp/sumfac_tunings_XXXXXX";
  std::string text() const
  {
    std::ifstream in(path);
    std::stringstream all;
    all << in.rdbuf();
    return all.str();
  }
  void write(std::string const& text) const { std::ofstream(path) << text; }
};

}  // namespace checks
