// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A weak form's text, parsed; C++ is made from what was understood, and never of the text itself.
#pragma once

#include <sumfac/jit/detail/names.hpp>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace sumfac::SUMFAC_TARGET::jit::detail {

struct weak_names {
  struct named {
    std::string name;
    int rank;  // 0 a number, 1 a vector
  };
  int components = 1;
  std::vector<named> coefficients;
};

// sum:     term {(+|-) term}            comparison: sum (<|<=|>|>=) sum, within where
// term:    factor {(*|/) factor}
// factor:  [-] factor | primary {[i] | [i, j]}
// primary: number | name | function(arguments) | (sum) | (sum, sum)
class weak_parser {
public:
  weak_parser(std::string const& text, weak_names const& names) : text_(text), names_(names) {}

  std::string integrand()
  {
    piece const all = sum();
    skip();
    if (at_ < text_.size())
      refuse(at_, std::string("an operator or the end is expected here, not '") + text_[at_] + "'");
    if (all.rank != 0) refuse(0, std::string("the integrand is ") + of_rank(all.rank) + " (a number expected)");
    if (all.tests != 1)
      refuse(0,
             all.tests == 0 ? "the integrand has no v, by which a form is tested" : "the integrand is not linear in v");
    return all.code;
  }

private:
  static constexpr int condition = 3;
  // Code, its rank, whether it is linear in v (1), has none (0) or is neither (2); and of which function it is the
  // name.
  struct piece {
    std::string code;
    int rank = 0, tests = 0;
    char function = 0;
    std::size_t at = 0;
  };

  static char const* of_rank(int rank)
  {
    constexpr char const* names[] = {"a number", "a vector", "a matrix", "a comparison"};
    return names[rank];
  }
  [[noreturn]] void refuse(std::size_t at, std::string const& problem) const
  {
    constexpr std::size_t most = 60;  // characters of the text that a message has
    std::size_t const first = at > most / 2 ? at - most / 2 : 0;
    std::string shown;
    for (char const c : text_.substr(first, most)) shown += c >= ' ' && c <= '~' ? c : '?';
    failf("jit::weak", "%s (at character %d)\n  %s\n  %s^", problem.c_str(), static_cast<int>(at) + 1, shown.c_str(),
          std::string(at - first, ' ').c_str());
  }

  void skip()
  {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
  }
  bool next_is(char c)
  {
    skip();
    return at_ < text_.size() && text_[at_] == c;
  }
  bool take(char c)
  {
    if (!next_is(c)) return false;
    ++at_;
    return true;
  }
  void expect(char c, char const* why)
  {
    skip();
    if (!take(c))
      refuse(at_, std::string("'") + c + "' is expected " + why + ", not " +
                      (at_ < text_.size() ? std::string("'") + text_[at_] + "'" : std::string("the end")));
  }

  struct deeper {
    explicit deeper(weak_parser& of) : of_(of)
    {
      if (++of_.depth_ > most_depth) of_.refuse(of_.at_, "parentheses within parentheses are more than 100");
    }
    deeper(deeper const&) = delete;
    deeper& operator=(deeper const&) = delete;
    ~deeper() { --of_.depth_; }

  private:
    weak_parser& of_;
  };

  piece sum()
  {
    deeper const here(*this);
    piece left = term();
    while (next_is('+') || next_is('-')) {
      std::size_t const at = at_;
      char const sign = text_[at_++];
      piece const right = term();
      if (left.rank != right.rank || left.rank == condition)
        refuse(at, std::string(of_rank(left.rank)) + (sign == '+' ? " plus " : " minus ") + of_rank(right.rank) +
                       ": terms must be of one kind");
      if (left.tests != right.tests)
        refuse(at, "one of the two terms has v and the other has none: each term must be linear in v");
      left = {"(" + left.code + " " + sign + " " + right.code + ")", left.rank, left.tests, 0, left.at};
    }
    return left;
  }

  piece term()
  {
    piece left = factor();
    while (next_is('*') || next_is('/')) {
      std::size_t const at = at_;
      char const sign = text_[at_++];
      if (sign == '*' && at_ < text_.size() && text_[at_] == '*') refuse(at, "there is no ** (powers are pow(a, b))");
      piece const right = factor();
      if (sign == '/') {
        if (right.rank != 0) refuse(at, std::string("division by ") + of_rank(right.rank));
        left = {"(" + left.code + " / " + right.code + ")", left.rank, right.tests != 0 ? 2 : left.tests, 0, left.at};
        continue;
      }
      int const rank = left.rank == 0                      ? right.rank
                       : right.rank == 0                   ? left.rank
                       : left.rank == 2 && right.rank <= 2 ? right.rank
                                                           : -1;
      if (rank < 0 || left.rank == condition || right.rank == condition)
        refuse(at, std::string(of_rank(left.rank)) + " times " + of_rank(right.rank) +
                       ": for these there are (a, b), dot(a, b), cross(a, b) and outer(a, b)");
      left = {"(" + left.code + " * " + right.code + ")", rank, times(left.tests, right.tests), 0, left.at};
    }
    return left;
  }
  static int times(int a, int b) { return a + b > 2 ? 2 : a + b; }

  piece factor()
  {
    skip();
    std::size_t const at = at_;
    if (take('-')) {
      deeper const here(*this);
      piece const of = factor();
      if (of.rank == condition) refuse(at, "minus of a comparison");
      return {"(-" + of.code + ")", of.rank, of.tests, 0, at};
    }
    piece of = primary();
    while (next_is('[')) of = entry(of);
    if (next_is('^')) refuse(at_, "there is no ^ (powers are pow(a, b))");
    return of;
  }

  piece entry(piece const& of)
  {
    std::size_t const at = at_++;
    std::string places = index();
    int count = 1;
    if (take(',')) {
      places += ", " + index();
      count = 2;
    }
    expect(']', "behind an entry's place");
    if (of.rank != count)
      refuse(at, std::string(of_rank(of.rank)) + (of.rank == 0 || of.rank == condition ? " has no entries"
                                                  : of.rank == 1                       ? " has entries a[i]"
                                                                                       : " has entries a[i, j]"));
    return {"sumfac::weak::component<" + places + ">(" + of.code + ")", 0, of.tests, 0, of.at};
  }
  std::string index()
  {
    skip();
    if (at_ >= text_.size() || text_[at_] < '0' || text_[at_] > '2')
      refuse(at_, "the place of an entry is expected here, 0, 1 or 2");
    return std::string(1, text_[at_++]);
  }

  piece primary()
  {
    skip();
    if (at_ >= text_.size()) refuse(at_, "the text ends where a number, a name or '(' is expected");
    std::size_t const at = at_;
    char const c = text_[at_];
    if (is_digit(c) || c == '.') return number();
    if (is_letter(c)) return named();
    if (!take('(')) refuse(at, std::string("a number, a name or '(' is expected here, not '") + c + "'");
    piece const first = sum();
    if (take(',')) {
      piece const second = sum();
      expect(')', "at the end of a product (a, b)");
      return product(at, "(a, b)", first, second);
    }
    expect(')', "at the end of what is in parentheses");
    return first;
  }

  // Of two numbers, vectors or matrices.
  piece product(std::size_t at, char const* name, piece const& a, piece const& b) const
  {
    if (a.rank != b.rank || a.rank == condition)
      refuse(at,
             std::string(name) + " of " + of_rank(a.rank) + " and " + of_rank(b.rank) + ": both must be of one kind");
    constexpr char const* products[] = {"", "sumfac::weak::dot", "sumfac::weak::inner"};
    std::string const code = a.rank == 0 ? "(" + a.code + " * " + b.code + ")"
                                         : std::string(products[a.rank]) + "(" + a.code + ", " + b.code + ")";
    return {code, 0, times(a.tests, b.tests), 0, at};
  }

  piece number()
  {
    std::size_t const begin = at_;
    auto const digits = [&] {
      std::size_t const from = at_;
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
      return at_ - from;
    };
    std::size_t count = digits();
    bool whole = true;
    if (at_ < text_.size() && text_[at_] == '.') ++at_, whole = false, count += digits();
    if (count == 0) refuse(begin, "a number without digits");
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      ++at_, whole = false;
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
      if (digits() == 0) refuse(begin, "a number whose exponent has no digits");
    }
    if (at_ < text_.size() && (is_letter(text_[at_]) || text_[at_] == '.')) refuse(at_, "a number goes on in letters");
    return {"sumfac::weak::coefficient(" + text_.substr(begin, at_ - begin) + (whole ? ".0)" : ")"), 0, 0, 0, begin};
  }

  piece named()
  {
    std::size_t const at = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    std::string const name = text_.substr(at, at_ - at);
    if (next_is('(')) return call(at, name);
    int const rank_of_function = names_.components > 1 ? 1 : 0;
    for (auto const& given : names_.coefficients)
      if (name == given.name) return {"of_" + name, given.rank, 0, 0, at};
    if (name == "u") return {name, rank_of_function, 0, 'u', at};
    if (name == "v") return {name, rank_of_function, 1, 'v', at};
    if (name == "x" || name == "n") return {"sumfac::weak::" + name, 1, 0, 0, at};
    if (name == "identity") return {"sumfac::weak::identity", 2, 0, 0, at};
    std::string known;
    for (auto const& given : names_.coefficients) known += given.name + ", ";
    refuse(at, "the name " + name + " is not known (" + known + "u, v, x, n and identity are)");
  }

  // What functions take and give: ranks of arguments, -1 any; of the result, -1 that of the argument.
  struct known_function {
    char const* name;
    int arguments, rank, result;
    bool linear;
  };
  static constexpr std::array<known_function, 20> functions{{
      {"dot", 2, 1, 0, true},       {"inner", 2, -1, 0, true}, {"cross", 2, 1, 1, true}, {"outer", 2, 1, 2, true},
      {"transpose", 1, 2, 2, true}, {"sym", 1, 2, 2, true},    {"skew", 1, 2, 2, true},  {"trace", 1, 2, 0, true},
      {"det", 1, 2, 0, false},      {"inv", 1, 2, 2, false},   {"sqrt", 1, 0, 0, false}, {"exp", 1, 0, 0, false},
      {"log", 1, 0, 0, false},      {"sin", 1, 0, 0, false},   {"cos", 1, 0, 0, false},  {"tanh", 1, 0, 0, false},
      {"abs", 1, 0, 0, false},      {"pow", 2, 0, 0, false},   {"min", 2, 0, 0, false},  {"max", 2, 0, 0, false},
  }};

  piece call(std::size_t at, std::string const& name)
  {
    deeper const here(*this);
    take('(');
    if (name == "grad" || name == "div" || name == "curl") return derivative(at, name);
    if (name == "where") return choice(at);
    for (auto const& known : functions)
      if (name == known.name) return call(at, known);
    refuse(at, "there is no function " + name +
                   " (grad, div, curl, dot, inner, cross, outer, transpose, sym, skew, trace, det, inv, sqrt, exp, "
                   "log, "
                   "sin, cos, tanh, abs, pow, min, max and where are)");
  }
  piece call(std::size_t at, known_function const& known)
  {
    std::array<piece, 2> arguments;
    for (int i = 0; i < known.arguments; ++i) {
      if (i > 0) expect(',', "between two arguments");
      piece& given = arguments[static_cast<std::size_t>(i)] = sum();
      if (known.rank >= 0 && given.rank != known.rank)
        refuse(given.at,
               std::string(known.name) + " of " + of_rank(given.rank) + " (" + of_rank(known.rank) + " expected)");
    }
    expect(')', "behind the last argument");
    auto const& [a, b] = arguments;
    if (known.rank < 0) return product(at, known.name, a, b);
    int const tests = known.arguments == 2 ? times(a.tests, b.tests) : a.tests;
    return {std::string("(sumfac::weak::") + known.name + ")(" + a.code +
                (known.arguments == 2 ? ", " + b.code : std::string()) + ")",
            known.result, tests == 0 || known.linear ? tests : 2, 0, at};
  }
  piece derivative(std::size_t at, std::string const& name)
  {
    piece const of = sum();
    expect(')', "behind the last argument");
    if (of.function == 0) refuse(of.at, name + " of what is neither u nor v");
    if (name != "grad" && of.rank == 0) refuse(of.at, name + " of a function of one component");
    int const rank = name == "grad" ? of.rank + 1 : name == "div" || names_.components == 2 ? 0 : 1;
    return {"sumfac::weak::" + name + "(" + of.code + ")", rank, of.tests, 0, at};
  }
  // where(a < b, c, d)
  piece choice(std::size_t at)
  {
    piece const left = sum();
    skip();
    std::string sign;
    if (next_is('<') || next_is('>')) sign = text_[at_++];
    if (sign.empty()) refuse(at_, "a comparison is expected first in where, as u < 1");
    if (at_ < text_.size() && text_[at_] == '=') sign += text_[at_++];
    piece const right = sum();
    if (left.rank != 0 || right.rank != 0) refuse(left.at, "a comparison is of two numbers");
    expect(',', "behind the comparison");
    piece const a = sum();
    expect(',', "between two arguments");
    piece const b = sum();
    expect(')', "behind the last argument");
    if (a.rank != b.rank || a.tests != b.tests)
      refuse(at, "where chooses between two of one kind, both with v or both without");
    return {"sumfac::weak::where(" + left.code + " " + sign + " " + right.code + ", " + a.code + ", " + b.code + ")",
            a.rank, left.tests + right.tests != 0 ? 2 : a.tests, 0, at};
  }

  static constexpr int most_depth = 100;

  std::string const& text_;
  weak_names const& names_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

// An expression of sumfac::weak, of u, v and a variable of_<name> for each coefficient.
inline std::string code_of_weak_text(std::string const& text, weak_names const& names)
{
  for (auto const& given : names.coefficients)
    for (char const* taken : {"u", "v", "x", "n", "identity"})
      if (given.name == taken) failf("jit::weak", "a coefficient cannot be called %s, which the language has", taken);
  if (names.components < 1 || names.components > 9)
    failf("jit::weak", "u and v cannot have %d components (1 to 9 expected)", names.components);
  return weak_parser(text, names).integrand();
}

}  // namespace sumfac::jit::detail
