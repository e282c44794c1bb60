// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A file of what tune() chose: a line each for a device, its driver and an operator.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/tools/tune/kept_lines.hpp>

#include <cstdlib>
#include <string>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// Lines of fields between tabs, behind a first line that says what the file is:
//   device  driver  operators  number of the chosen one, from 0  what it is  what it cost
class cache_file {
public:
  // `log` hears warnings.
  template <class Log>
  cache_file(char const* path, std::string device, std::string driver, std::string operators, Log const& log)
      : lines_(path == nullptr ? "" : path, tunings,
               kept_lines::plain(std::move(device)) + '\t' + kept_lines::plain(std::move(driver)) + '\t' +
                   kept_lines::plain(std::move(operators)) + '\t',
               log)
  {
    if (lines_.line_number() == 0) return;
    char* end = nullptr;
    char const* const begin = lines_.value().c_str();
    long const found = std::strtol(begin, &end, 10);
    bool const is_number = end != begin && *end == '\t' && found >= 0 && found < 1000;
    if (!is_number)
      log(std::string("warning: ") + path + ", line " + std::to_string(lines_.line_number()) + ", names no candidate");
    chosen_ = is_number ? static_cast<int>(found) : -1;
  }

  // What the file has for the key, a number below `count`; or -1.
  int chosen() const { return chosen_; }

  // Keeps a choice, in place of what was there.
  template <class Log>
  void keep(int number, std::string const& what, std::string const& cost, Log const& log)
  {
    lines_.keep(std::to_string(number) + '\t' + kept_lines::plain(what) + '\t' + kept_lines::plain(cost), log);
  }

private:
  static constexpr kept_kind tunings{"sumfac tunings 1", "tuning", "tunings", "the choice is not kept", 6};

  kept_lines lines_;
  int chosen_ = -1;
};

}  // namespace sumfac::detail
