// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A file of what was found out once, and is the same the next time: a line for each key.
#pragma once

#include <sumfac/config.hpp>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace sumfac::inline SUMFAC_TARGET::detail {

// What a file of such lines is, in its first line and in warnings; of so many fields, between tabs, a line has.
struct kept_kind {
  char const *first_line, *one, *many, *not_kept;
  int fields;
};

// Lines of fields between tabs, of which the first ones are the key, behind a first line that says what the file is.
//
// What cannot be read is a warning, and counts as absent. A file that is something else is not written to.
class kept_lines {
public:
  // `key` ends with a tab; `log` hears warnings. No file where the path is empty.
  template <class Log>
  kept_lines(std::string path, kept_kind const& kind, std::string key, Log const& log)
      : path_(std::move(path)), kind_(kind), key_(std::move(key))
  {
    if (!path_.empty()) read(log);
  }

  // What stands behind the key, and in which line; empty where the file has no such line.
  std::string const& value() const { return value_; }
  int line_number() const { return line_number_; }

  // Keeps a value, in place of what was there. The file is whole at all times: a new one takes its place.
  template <class Log>
  void keep(std::string const& value, Log const& log)
  {
    if (path_.empty() || foreign_) return;
    lines_.push_back(key_ + value);
    std::string const fresh = path_ + ".new";
    std::FILE* const file = std::fopen(fresh.c_str(), "w");
    bool good = file != nullptr && std::fprintf(file, "%s\n", kind_.first_line) > 0;
    for (auto const& line : lines_) good = good && std::fprintf(file, "%s\n", line.c_str()) > 0;
    if (file != nullptr) good = std::fclose(file) == 0 && good;
    if (!good || std::rename(fresh.c_str(), path_.c_str()) != 0)
      log("warning: " + path_ + " cannot be written: " + kind_.not_kept);
  }

  // A text as a field.
  static std::string plain(std::string text)
  {
    for (char& c : text)
      if (static_cast<unsigned char>(c) < ' ') c = ' ';
    return text;
  }

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
        foreign_ = line != kind_.first_line;
        if (foreign_)
          log("warning: " + path_ + " is no file of " + kind_.many + " (it begins with \"" +
              plain(line).substr(0, 40) + "\", \"" + kind_.first_line + "\" expected): it is left alone");
      } else {
        take(line, number, log);
      }
    }
    std::fclose(file);
  }

  template <class Log>
  void take(std::string const& line, int number, Log const& log)
  {
    if (int const fields = count_fields(line); fields != kind_.fields) {
      log("warning: " + path_ + ", line " + std::to_string(number) + ", is no " + kind_.one + " (" +
          std::to_string(fields) + " fields, " + std::to_string(kind_.fields) + " expected): it is dropped");
    } else if (line.compare(0, key_.size(), key_) != 0) {
      lines_.push_back(line);
    } else {
      value_ = line.substr(key_.size());
      line_number_ = number;
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

  std::string path_;
  kept_kind kind_;
  std::string key_, value_;
  std::vector<std::string> lines_;  // those of other keys
  int line_number_ = 0;
  bool foreign_ = false;
};

}  // namespace sumfac::detail
