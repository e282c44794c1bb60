// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The command lines of the benchmark programs: `--name value` or `--name=value`, switches, lists of words and degrees;
// and main. C++17, for the peers' sake.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sumfac::bench {

namespace command_line {

// The program that speaks.
inline std::string& program()
{
  static std::string name;
  return name;
}

[[noreturn]] inline void refuse(std::string const& option, std::string const& value, std::string const& expected)
{
  throw std::invalid_argument(program() + ": " + option + " does not know " + value + ": pass " + expected);
}

inline std::vector<std::string> split(std::string const& text)
{
  std::vector<std::string> parts(1);
  for (char const c : text)
    if (c == ',')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

inline bool is_number(std::string const& text)
{
  return !text.empty() && text.size() < 10 && text.find_first_not_of("0123456789") == std::string::npos;
}

// A number of elements, as E:4096.
inline bool is_elements(std::string const& text)
{
  return text.rfind("E:", 0) == 0 && is_number(text.substr(2)) && std::stoi(text.substr(2)) > 0;
}

template <class Known>
std::vector<std::string> words(std::string const& option, std::string const& value, std::string const& expected,
                               Known const& known)
{
  auto const chosen = split(value);
  for (auto const& one : chosen)
    if (!known(one)) refuse(option, one, expected);
  return chosen;
}

// Words of a list.
inline std::vector<std::string> choice(std::string const& option, std::string const& value,
                                       std::vector<std::string> const& known)
{
  std::string expected;
  for (std::size_t i = 0; i < known.size(); ++i)
    expected += (i == 0 ? "" : i + 1 < known.size() ? ", " : " or ") + known[i];
  return words(option, value, expected,
               [&](auto const& word) { return std::find(known.begin(), known.end(), word) != known.end(); });
}

inline std::vector<int> degrees(std::string const& option, std::string const& value)
{
  std::string const expected = "degrees from 1 to 15, as 1,2,5-15";
  std::vector<int> chosen;
  for (auto const& part : split(value)) {
    auto const dash = part.find('-');
    std::string const low = part.substr(0, dash), high = dash == std::string::npos ? low : part.substr(dash + 1);
    if (!is_number(low) || !is_number(high)) refuse(option, part, expected);
    int const first = std::stoi(low), last = std::stoi(high);
    if (first < 1 || last > 15 || first > last) refuse(option, part, expected);
    for (int n = first; n <= last; ++n) chosen.push_back(n);
  }
  return chosen;
}

inline double positive(std::string const& option, std::string const& value)
{
  char* end = nullptr;
  double const x = std::strtod(value.c_str(), &end);
  if (!(x > 0) || *end != '\0') refuse(option, value, "a number above 0");
  return x;
}

// Whether a list has a word or a number; an empty list has all.
template <class T, class U>
bool listed(std::vector<T> const& list, U const& one)
{
  return list.empty() || std::find(list.begin(), list.end(), one) != list.end();
}

// Reads argv: flag(name) says whether it takes the argument as it stands, set(name, value) whether it knows the name.
template <class Flag, class Set>
void read(int argc, char** argv, Flag const& flag, Set const& set)
{
  for (int i = 1; i < argc; ++i) {
    std::string const argument = argv[i];
    if (flag(argv[i])) continue;
    auto const equals = argument.find('=');
    std::string const name = argument.substr(0, equals);
    if (equals == std::string::npos && i + 1 == argc)
      throw std::invalid_argument(program() + ": " + name + " needs a value: see --help");
    if (!set(name, equals == std::string::npos ? argv[++i] : argument.substr(equals + 1)))
      throw std::invalid_argument(program() + ": unknown option " + name + ": see --help");
  }
}

// main of a program: reads Options by set(options, name, value) and the switches, of which all have --help; prints the
// usage, or returns run(options). What is refused or goes wrong is one line and 2.
template <class Options, class Set, class Run>
int main_of(char const* name, char const* usage, int argc, char** argv, Set const& set, Run const& run,
            std::initializer_list<std::pair<char const*, bool Options::*>> switches = {})
{
  try {
    program() = name;
    Options chosen;
    bool help = false;
    auto const flag = [&](std::string const& argument) {
      help = help || argument == "--help" || argument == "-h";
      for (auto const& [spelt, member] : switches)
        if (argument == spelt) return chosen.*member = true;
      return argument == "--help" || argument == "-h";
    };
    read(argc, argv, flag, [&](auto const& option, auto const& value) { return set(chosen, option, value); });
    if (!help) return run(chosen);
    std::fputs(usage, stdout);
    return 0;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}

}  // namespace command_line

}  // namespace sumfac::bench
