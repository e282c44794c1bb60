// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A file of what was found out once, and is the same the next time: a line for each key; of what tune() chose one for
// each device, its driver and an operator.
#pragma once

#include <sumfac/config.hpp>

#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#if defined(__unix__)
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cstdlib>
#endif

namespace sumfac::SUMFAC_TARGET::detail {

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

  // Keeps a value, in place of what was there, beside what others have kept in the meantime. The file is whole at all
  // times: a new one takes its place, or that of what a link leads to.
  template <class Log>
  void keep(std::string const& value, Log const& log)
  {
    if (path_.empty() || foreign_) return;
    std::string const target = file_of(path_);
    folder_lock const lock(target);
    lines_.clear();
    read([](auto const&) {});  // what is wrong in it has been said, or is of others
    if (foreign_) return;
    lines_.push_back(key_ + value);
    if (!replace(target)) log("warning: " + path_ + " cannot be written: " + kind_.not_kept);
  }

  // A text as a field.
  static std::string plain(std::string text)
  {
    for (char& c : text)
      if (static_cast<unsigned char>(c) < ' ') c = ' ';
    return text;
  }

private:
  // While it exists, others that lock the same folder wait; ten seconds at most, as some folders cannot be locked.
  class folder_lock {
  public:
    explicit folder_lock([[maybe_unused]] std::string const& file)
    {
#if defined(__unix__)
      auto const slash = file.rfind('/');
      std::string const folder = slash == std::string::npos ? "." : file.substr(0, slash + 1);
      number_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      for (int i = 0; number_ >= 0 && ::flock(number_, LOCK_EX | LOCK_NB) != 0 && i < 5000; ++i) ::usleep(2000);
#endif
    }
    folder_lock(folder_lock const&) = delete;
    folder_lock& operator=(folder_lock const&) = delete;
    ~folder_lock()
    {
#if defined(__unix__)
      if (number_ >= 0) ::close(number_);
#endif
    }

  private:
    [[maybe_unused]] int number_ = -1;
  };

  // The path, or that of the file that a link, or a link behind it, leads to, which need not be there.
  static std::string file_of(std::string path)
  {
#if defined(__unix__)
    char name[4096];
    for (int i = 0; i < 40; ++i) {
      long const length = ::readlink(path.c_str(), name, sizeof name);
      if (length <= 0 || length == long{sizeof name}) break;
      std::string const next(name, static_cast<std::size_t>(length));
      path = next.front() == '/' ? next : path.substr(0, path.rfind('/') + 1) + next;
    }
#endif
    return path;
  }

  // Writes a file of a name that nobody else has, with the rights of the one that it replaces.
  bool replace(std::string const& target) const
  {
    std::string fresh;
    std::FILE* const file = create_beside(target, fresh);
    if (file == nullptr) return false;
    bool good = std::fprintf(file, "%s\n", kind_.first_line) > 0;
    for (auto const& line : lines_) good = good && std::fprintf(file, "%s\n", line.c_str()) > 0;
    good = std::fclose(file) == 0 && good && std::rename(fresh.c_str(), target.c_str()) == 0;
    if (!good) std::remove(fresh.c_str());
    return good;
  }
  static std::FILE* create_beside(std::string const& target, std::string& fresh)
  {
#if defined(__unix__)
    std::string const stem = target + '.' + std::to_string(::getpid()) + '.';
#else
    std::string const stem = target + '.';
#endif
    std::FILE* file = nullptr;
    for (int i = 0; i < 100 && file == nullptr; ++i) {
      fresh = stem + std::to_string(i) + ".new";
      file = std::fopen(fresh.c_str(), "wx");
    }
#if defined(__unix__)
    struct stat before;
    if (file != nullptr && ::stat(target.c_str(), &before) == 0) ::fchmod(::fileno(file), before.st_mode & 0777);
#endif
    return file;
  }

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
          log("warning: " + path_ + " is no file of " + kind_.many + " (it begins with \"" + plain(line).substr(0, 40) +
              "\", \"" + kind_.first_line + "\" expected): it is left alone");
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
