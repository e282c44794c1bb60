// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Functions of Python's, called for many positions at once; arrays of numpy that have a vector's memory.
#pragma once

#include "arrays.hpp"
#include "interface.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sumfac_python {

inline py::module_ numpy()
{
  return py::module_::import("numpy");
}

// An array that has a vector's memory.
template <class T>
py::array array_with(std::vector<T>&& numbers, shape const& of)
{
  auto kept = std::make_unique<std::vector<T>>(std::move(numbers));
  T* const data = kept->data();
  py::capsule const owner(kept.get(), [](void* p) { delete static_cast<std::vector<T>*>(p); });
  static_cast<void>(kept.release());
  return py::array_t<T>(of, data, owner);
}

// What a function of positions has returned, for each of `count` positions: a number, or nested sequences of `dims`.
// Adds to `rows` an array (count,) for each.
inline void add_rows(argument const& what, py::handle result, index_t count, shape const& dims, std::size_t depth,
                     std::vector<py::array_t<double>>& rows)
{
  if (depth < dims.size()) {
    py::object const many = py::isinstance<py::array>(result) || py::isinstance<py::sequence>(result)
                                ? py::reinterpret_borrow<py::object>(result)
                                : py::object(py::make_tuple(result));
    auto const got = static_cast<index_t>(py::len(many));
    if (got != dims[depth])
      refuse_value(what, "returned another number of components (expected " + std::to_string(dims[depth]) + ", got " +
                             std::to_string(got) + ")");
    for (index_t i = 0; i < got; ++i)
      add_rows(what, many[py::int_(i)], count, dims, depth + 1, rows);
    return;
  }
  if (result.is_none()) refuse_type(what, "returned None (a number or an array expected)");
  if (numpy().attr("iscomplexobj")(result).cast<bool>()) refuse_type(what, "returned complex numbers");
  auto const values = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(result);
  if (!values) {
    PyErr_Clear();
    refuse_type(what, "returned what is no number and no array of numbers");
  }
  shape const got = shape_of(values);
  if (!got.empty()) check_shape({what.function, (what.name + std::string(" returned what")).c_str()}, got, {{count}});
  rows.push_back(py::array_t<double>(numpy().attr("broadcast_to")(values, py::make_tuple(count)).attr("copy")()));
}

// A number, or a function of Python's, which gets the positions as an array (coordinates, count), so that at[0] is x of
// all of them.
inline function_of_positions function_of(argument const& what, py::object const& f, int coordinates, shape const& dims)
{
  bool const is_list = py::isinstance<py::sequence>(f) && !py::isinstance<py::str>(f);
  if (PyCallable_Check(f.ptr()) == 0 && PyNumber_Check(f.ptr()) == 0 && !is_list)
    refuse_type(what, "is neither a number nor a function of the position");
  return [=](std::vector<double> const& positions) {
    auto const count = static_cast<index_t>(positions.size()) / coordinates;
    py::object result = f;
    if (PyCallable_Check(f.ptr()) != 0) {
      auto at = array_with(std::vector<double>(positions), {count, coordinates});
      result = f(at.attr("T"));
    }
    std::vector<py::array_t<double>> rows;
    add_rows(what, result, count, dims, 0, rows);
    std::vector<double> values(static_cast<std::size_t>(count) * rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
      double const* const from = rows[r].data();
      for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) values[i * rows.size() + r] = from[i];
    }
    return values;
  };
}

}  // namespace sumfac_python
