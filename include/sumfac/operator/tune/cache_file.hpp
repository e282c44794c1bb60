// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A file of what tune() chose: a line each for a device, its driver and an operator.
#pragma once

#include <sumfac/config.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

namespace sumfac::inline SUMFAC_TARGET::detail {

// Lines of fields between tabs, behind a first line that says what the file is:
//   device  driver  operators  number of the chosen one, from 0  what it is  what it cost
//
// What cannot be read is a warning, and counts as absent. A file that is something else is not written to.
class cache_file {
public:
  // `log` hears warnings.
  template <class Log>
  cache_file(char const* path, std::string device, std::string driver, std::string operators, Log const& log)
      : path_(path == nullptr ? "" : path)
  {
    key_ = plain(std::move(device)) + '\t' + plain(std::move(driver)) + '\t' + plain(std::move(operators)) + '\t';
    if (!path_.empty()) read(log);
  }

  // What the file has for the key, a number below `count`; or -1.
  int chosen() const { return chosen_; }

  // Keeps a choice, in place of what was there. The file is whole at all times: a new one takes its place.
  template <class Log>
  void keep(int number, std::string const& what, std::string const& cost, Log const& log)
  {
    if (path_.empty() || foreign_) return;
    lines_.push_back(key_ + std::to_string(number) + '\t' + plain(what) + '\t' + plain(cost));
    std::string const fresh = path_ + ".new";
    std::FILE* const file = std::fopen(fresh.c_str(), "w");
    bool good = file != nullptr && std::fprintf(file, "%s\n", first_line) > 0;
    for (auto const& line : lines_) good = good && std::fprintf(file, "%s\n", line.c_str()) > 0;
    if (file != nullptr) good = std::fclose(file) == 0 && good;
    if (!good || std::rename(fresh.c_str(), path_.c_str()) != 0)
      log("warning: " + path_ + " cannot be written: the choice is not kept");
  }

  static constexpr char const* first_line = "sumfac tunings 1";

private:
  template <class Log>
  void read(Log const& log)
  {
    std::FILE* const file = std::fopen(path_.c_str(), "r");
    if (file == nullptr) return;  // there is none yet
    std::string line;
    int number = 0;
    while (next_line(file, line) && !foreign_) {
      if (++number == 1) {
        foreign_ = line != first_line;
        if (foreign_)
          log("warning: " + path_ + " is no file of tunings (it begins with \"" + plain(line).substr(0, 40) +
              "\", \"" + first_line + "\" expected): it is left alone");
      } else {
        take(line, number, log);
      }
    }
    std::fclose(file);
  }

  template <class Log>
  void take(std::string const& line, int number, Log const& log)
  {
    if (int const fields = count_fields(line); fields != 6) {
      log("warning: " + path_ + ", line " + std::to_string(number) + ", is no tuning (" + std::to_string(fields) +
          " fields, 6 expected): it is dropped");
    } else if (line.compare(0, key_.size(), key_) != 0) {
      lines_.push_back(line);
    } else {
      char* end = nullptr;
      long const found = std::strtol(line.c_str() + key_.size(), &end, 10);
      bool const is_number = end != line.c_str() + key_.size() && *end == '\t' && found >= 0 && found < 1000;
      if (!is_number) log("warning: " + path_ + ", line " + std::to_string(number) + ", names no candidate");
      chosen_ = is_number ? static_cast<int>(found) : -1;
    }
  }

  static bool next_line(std::FILE* file, std::string& line)
  {
    line.clear();
    int c = std::fgetc(file);
    if (c == EOF) return false;
    for (; c != EOF && c != '\n'; c = std::fgetc(file)) line.push_back(static_cast<char>(c));
    return true;
  }

  static int count_fields(std::string const& line)
  {
    int fields = 1;
    for (char const c : line) fields += c == '\t' ? 1 : 0;
    return fields;
  }

  static std::string plain(std::string text)
  {
    for (char& c : text)
      if (static_cast<unsigned char>(c) < ' ') c = ' ';
    return text;
  }

  std::string path_, key_;
  std::vector<std::string> lines_;  // those of other keys
  int chosen_ = -1;
  bool foreign_ = false;
};

}  // namespace sumfac::detail
