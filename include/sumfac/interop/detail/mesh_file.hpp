// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A file of numbers, text or bytes, read one after the other, with the place of what is wrong.
#pragma once

#include <sumfac/error.hpp>
#include <sumfac/math/detail/plain.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace sumfac::SUMFAC_TARGET::detail {

// The numbers of a file, one after the other: words of lines, or bytes.
class mesh_file {
public:
  explicit mesh_file(std::string const& name) : name_(name)
  {
    std::FILE* const file = std::fopen(name.c_str(), "rb");
    char some[4096];
    if (file == nullptr) refuse("the file cannot be read");
    while (std::size_t const got = std::fread(some, 1, sizeof some, file)) text_.append(some, got);
    bool const bad = std::ferror(file) != 0;
    std::fclose(file);
    if (bad) refuse("the file cannot be read");
  }

  bool binary = false;

  std::size_t size() const { return text_.size(); }
  bool at_end() const { return at_ == text_.size(); }

  // Whether the last line is the end of a section.
  bool is_whole() const
  {
    std::size_t const last = text_.find_last_not_of(" \t\r\n"), line = text_.rfind('\n', last);
    return line != std::string::npos && text_.compare(line + 1, 4, "$End") == 0;
  }

  // The next line, without blanks at its ends.
  std::string line()
  {
    if (at_end()) refuse("it is cut off in line " + std::to_string(lines_));
    std::size_t const end = lesser(text_.find('\n', at_), text_.size());
    std::string found = text_.substr(at_, end - at_);
    at_ = lesser(end + 1, text_.size()), ++lines_;
    found.erase(found.find_last_not_of(" \t\r") + 1);
    return found.substr(lesser(found.find_first_not_of(" \t"), found.size()));
  }

  // A whole number of 4 bytes, one of 8 that is not negative, a finite number.
  std::int64_t integer()
  {
    std::int64_t const n = binary ? bytes<std::int32_t>() : whole_number();
    if (n > INT32_MAX || n < -INT32_MAX) fail("a number is too large (" + std::to_string(n) + ")");
    return n;
  }
  std::size_t count()
  {
    std::int64_t const n = binary ? bytes<std::int64_t>() : whole_number();
    if (n < 0) fail("a number is negative (" + std::to_string(n) + ")");
    return static_cast<std::size_t>(n);
  }
  double real()
  {
    double x = 0;
    if (binary) {
      x = bytes<double>();
    } else {
      std::string const word = next_word();
      char* end = nullptr;
      x = std::strtod(word.c_str(), &end);
      if (word.empty() || *end != 0) fail(quoted(word) + " is no number");
    }
    if (!std::isfinite(x)) fail("a number is not finite");
    return x;
  }

  // Passes over the next line where it begins so.
  void pass_line(char const* begin)
  {
    if (text_.compare(at_, std::strlen(begin), begin) == 0) line();
  }

  // In text, whatever belongs together is one line.
  void end_of_line()
  {
    if (!binary && words_.find_first_not_of(" \t", place_) != std::string::npos) fail("the line has too many numbers");
    words_.clear(), place_ = 0, in_line_ = false;
  }
  // Behind the bytes of a section.
  void end_of_bytes()
  {
    if (binary && line() != "") fail("a section of bytes is longer than it says");
  }

  // A part of the file in a sentence.
  static std::string quoted(std::string text)
  {
    if (text.size() > 60) text = "..." + text.substr(text.size() - 57);
    for (char& c : text)
      if (c < ' ' || c > '~') c = '?';
    return "'" + text + "'";
  }

  // With the section and the line; or of the file as a whole.
  [[noreturn]] void fail(std::string const& what) const
  {
    refuse(what + " in section $" + section + (binary ? "" : ", line " + std::to_string(lines_)));
  }
  [[noreturn]] void refuse(std::string const& what) const { sumfac::fail("gmsh::read", quoted(name_) + ": " + what); }

  std::string section;

private:
  template <class T>
  T bytes()
  {
    T x;
    if (text_.size() - at_ < sizeof x) fail("the file ends");
    std::memcpy(&x, text_.data() + at_, sizeof x);
    at_ += sizeof x;
    return x;
  }
  std::string next_word()
  {
    if (!in_line_) words_ = line(), place_ = 0, in_line_ = true;
    std::size_t const first = lesser(words_.find_first_not_of(" \t", place_), words_.size());
    place_ = lesser(words_.find_first_of(" \t", first), words_.size());
    if (first == place_) fail("the line has too few numbers");
    return words_.substr(first, place_ - first);
  }
  std::int64_t whole_number()
  {
    std::string const word = next_word();
    std::size_t const digits = word[0] == '-' ? 1 : 0;
    if (word.size() == digits || word.size() > 18 || word.find_first_not_of("0123456789", digits) != std::string::npos)
      fail(quoted(word) + " is no whole number");
    return std::atoll(word.c_str());
  }

  std::string name_, text_{}, words_{};
  std::size_t at_ = 0, place_ = 0, lines_ = 0;
  bool in_line_ = false;
};

}  // namespace sumfac::detail
