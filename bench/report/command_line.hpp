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
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>
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

// A number of megabytes, as MB:180.
inline bool is_megabytes(std::string const& text)
{
  return text.rfind("MB:", 0) == 0 && is_number(text.substr(3)) && std::stoi(text.substr(3)) > 0;
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

inline long long whole_number(std::string const& option, std::string const& value)
{
  if (!is_number(value) || std::stoll(value) < 1) refuse(option, value, "a whole number above 0");
  return std::stoll(value);
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

// An option of a program and the member of its Options that it sets: a bool where it stands alone, else from its value.
template <class Options>
struct option {
  char const* name;
  std::function<void(Options&, std::string const&)> set;
  bool is_switch = false;

  // Words of those that are known, where any are given, or numbers above 0; a list of ints is of degrees.
  template <class Member, class Base>
  option(char const* of, Member Base::*member, std::vector<std::string> const& known = {})
      : option(of, member, [known](std::string const& spelt, std::string const& value) {
          if constexpr (std::is_same_v<Member, std::vector<std::string>>) {
            return choice(spelt, value, known);
          } else if constexpr (std::is_same_v<Member, std::vector<int>>) {
            return degrees(spelt, value);
          } else if constexpr (std::is_same_v<Member, std::vector<double>>) {
            std::vector<double> numbers;
            for (auto const& one : split(value)) numbers.push_back(positive(spelt, one));
            return numbers;
          } else if constexpr (std::is_same_v<Member, double>) {
            return positive(spelt, value);
          } else {
            std::string const word = known.empty() ? value : choice(spelt, value, known).front();
            if constexpr (std::is_same_v<Member, std::string>)
              return word;
            else
              return static_cast<Member>(whole_number(spelt, word));
          }
        })
  {
    is_switch = std::is_same_v<Member, bool>;
  }

  // What parse(name, value) says.
  template <class Member, class Base, class Parse>
  option(char const* of, Member Base::*member, Parse const& parse)
      : name(of), set([=](Options& o, std::string const& value) { o.*member = parse(of, value); })
  {
  }
};

// main of a program: reads Options by what is known, and --help; prints the usage, or returns run(options). What is
// refused or goes wrong is one line and 2.
template <class Options, class Run>
int main_of(char const* name, char const* usage, int argc, char** argv, std::vector<option<Options>> const& known,
            Run const& run)
{
  try {
    program() = name;
    Options chosen;
    bool help = false;
    for (int i = 1; i < argc; ++i) {
      std::string const argument = argv[i];
      auto const equals = argument.find('=');
      std::string const spelt = argument.substr(0, equals);
      if (argument == "--help" || argument == "-h") {
        help = true;
        continue;
      }
      auto const found = std::find_if(known.begin(), known.end(), [&](auto const& o) { return spelt == o.name; });
      bool const alone = equals == std::string::npos;
      if (found == known.end() || (found->is_switch && !alone))
        throw std::invalid_argument(program() + ": unknown option " + spelt + ": see --help");
      if (!found->is_switch && alone && i + 1 == argc)
        throw std::invalid_argument(program() + ": " + spelt + " needs a value: see --help");
      found->set(chosen, found->is_switch ? "1" : alone ? argv[++i] : argument.substr(equals + 1));
    }
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
