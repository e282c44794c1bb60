// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Results as JSON: objects on one line each, and a file of objects and lists of them. C++17, for the peers' sake.
#pragma once

#include "command_line.hpp"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace sumfac::bench {

// A JSON object, its members in the order in which they are added: json_object()("order", 7)("scalar", "f64").
class json_object {
public:
  template <class Value>
  json_object& operator()(std::string const& name, Value const& value)
  {
    members_ += (members_.empty() ? "" : ", ") + quoted(name) + ": ";
    if constexpr (std::is_integral_v<Value>)
      members_ += std::to_string(value);
    else if constexpr (std::is_floating_point_v<Value>)
      members_ += number(value);
    else
      members_ += quoted(value);
    return *this;
  }

  std::string text() const { return "{" + members_ + "}"; }

  static std::string quoted(std::string const& text)
  {
    std::string out = "\"";
    for (char const c : text) {
      if (c == '"' || c == '\\') out += '\\';
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return out + "\"";
  }

private:
  // Infinity and NaN, which JSON does not know, are null.
  static std::string number(double x)
  {
    char text[32] = "null";
    if (std::isfinite(x)) std::snprintf(text, sizeof text, "%.9g", x);
    return text;
  }

  std::string members_;
};

// A file that is an object of such objects and lists of them.
class json_file {
public:
  json_file& operator()(std::string const& name, json_object const& object) { return add(name, object.text()); }
  json_file& operator()(std::string const& name, std::vector<json_object> const& list)
  {
    std::string items;
    for (auto const& item : list) items += (items.empty() ? "\n    " : ",\n    ") + item.text();
    return add(name, "[" + items + "\n  ]");
  }

  // Makes the folder too, and refuses what cannot be written in the program's name. What was there stays whole until
  // the new is: a program that is ended loses no results.
  void write(std::string const& path) const
  {
    std::error_code status;
    bool const special = std::filesystem::exists(path, status) && !std::filesystem::is_regular_file(path, status);
    std::string const part = special ? path : path + ".part";
    auto const folder = std::filesystem::path(path).parent_path();
    std::error_code ignored;
    if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
    std::ofstream out(part);
    out << "{\n" << members_ << "\n}\n" << std::flush;
    bool written = static_cast<bool>(out);
    out.close();
    if (written && !special) std::filesystem::rename(part, path, status), written = !status;
    if (!written)
      throw std::runtime_error(command_line::program() + ": " + path + " cannot be written: name another file");
  }

private:
  json_file& add(std::string const& name, std::string const& text)
  {
    members_ += (members_.empty() ? "  " : ",\n  ") + json_object::quoted(name) + ": " + text;
    return *this;
  }

  std::string members_;
};

}  // namespace sumfac::bench
