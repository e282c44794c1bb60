// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Names that come from outside and go into a source: what they may be made of.
#pragma once

#include <sumfac/error.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace sumfac::SUMFAC_TARGET::jit::detail {

inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

inline bool is_name(std::string_view text)
{
  if (text.empty() || !is_letter(text[0])) return false;
  for (char const c : text)
    if (!is_letter(c) && !is_digit(c)) return false;
  return true;
}

inline void check_name(char const* where, char const* what, std::string const& name)
{
  if (!is_name(name))
    failf(where, "the name of %s is none: \"%s\" (letters, digits and _ expected)", what, name.c_str());
}

// Names between ::, with arguments that are such names and numbers: my::form<3, double>.
inline void check_type(char const* where, std::string const& name)
{
  int open = 0;
  bool good = !name.empty() && (is_letter(name[0]) || name[0] == ':');
  for (std::size_t i = 0; i < name.size() && good; ++i) {
    char const c = name[i];
    open += c == '<' ? 1 : c == '>' ? -1 : 0;
    good = (is_letter(c) || is_digit(c) || c == ':' || c == '<' || c == '>' || c == ',' || c == ' ' || c == '-') &&
           open >= 0 && (open > 0 || (c != ',' && c != ' ' && c != '-'));
  }
  if (!good || open != 0)
    failf(where, "the name of the form's type is none: \"%s\" (as my::form or my::form<3> expected)", name.c_str());
}

inline void check_header(char const* where, std::string const& header)
{
  bool good = !header.empty();
  for (char const c : header)
    good = good && (static_cast<unsigned char>(c) >= ' ' && c != '"' && c != '\\' && c != '>');
  if (!good)
    failf(where, "the form's header is no name of a file: \"%s\" (no quotes, backslashes or ends of lines expected)",
          header.c_str());
}

}  // namespace sumfac::jit::detail
