// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What is compiled to know how fast a machine compiles: of the standard library alone, so that it stays what it is.
#include <regex>
#include <string>

bool is_number(std::string const& text)
{
  return std::regex_match(text, std::regex("[+-]?[0-9]+(\\.[0-9]*)?([eE][+-]?[0-9]+)?"));
}
