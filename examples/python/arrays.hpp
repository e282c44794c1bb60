// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Arrays of numpy, and of devices, as they are: what would need a copy is refused with a diagnostic with both numbers.
#pragma once

#include "interface.hpp"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sumfac_python {

namespace py = pybind11;

using shape = std::vector<index_t>;

// "(2, 3)", and "(2,)" of one.
inline std::string text_of(shape const& of)
{
  std::string text = "(";
  for (std::size_t i = 0; i < of.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(of[i]);
  return text + (of.size() == 1 ? ",)" : ")");
}

inline shape shape_of(py::array const& x)
{
  return shape(x.shape(), x.shape() + x.ndim());
}

inline index_t entries_of(shape const& of)
{
  index_t product = 1;
  for (index_t const extent : of) product *= extent;
  return product;
}

// What an argument is called in messages: "sumfac.operator: nodes ...".
struct argument {
  char const* function;
  char const* name;

  std::string text() const { return "sumfac." + std::string(function) + ": " + name; }
};

[[noreturn]] inline void refuse_value(argument const& what, std::string const& problem)
{
  throw py::value_error(what.text() + " " + problem);
}
[[noreturn]] inline void refuse_type(argument const& what, std::string const& problem)
{
  throw py::type_error(what.text() + " " + problem);
}

inline std::string name_of_dtype(py::dtype const& type)
{
  return py::str(static_cast<py::object const&>(type));
}
inline py::dtype dtype_of(int bytes)
{
  return bytes == 8 ? py::dtype::of<double>() : py::dtype::of<float>();
}

inline py::array array_of(argument const& what, py::handle x, char const* of_what)
{
  if (!py::isinstance<py::array>(x))
    refuse_type(what, "is a " + std::string(py::str(py::type::of(x).attr("__name__"))) + ", a numpy array of " +
                          of_what + " is expected");
  return py::reinterpret_borrow<py::array>(x);
}

// Throws unless the entries lie one behind the other, the last index fastest, where their type may lie.
inline void check_contiguous(argument const& what, py::array const& x)
{
  index_t const bytes = x.itemsize();
  if ((x.flags() & py::array::c_style) == 0) {
    shape const got(x.strides(), x.strides() + x.ndim());
    shape expected(got.size(), bytes);
    for (std::size_t i = got.size(); i-- > 1;) expected[i - 1] = expected[i] * x.shape(static_cast<py::ssize_t>(i));
    refuse_value(what, "is not contiguous (strides of " + text_of(expected) + " bytes expected, got " + text_of(got) +
                           "): pass numpy.ascontiguousarray of it");
  }
  if (auto const address = reinterpret_cast<std::uintptr_t>(x.data());
      address % static_cast<std::uintptr_t>(bytes) != 0)
    refuse_value(what, "is not aligned (a multiple of " + std::to_string(bytes) + " bytes expected, got address " +
                           std::to_string(address) + "): pass a copy of it");
}

inline void check_dtype(argument const& what, py::array const& x, int bytes)
{
  if (!x.dtype().equal(dtype_of(bytes)))
    refuse_type(what, "has another dtype (expected " + name_of_dtype(dtype_of(bytes)) + ", got " +
                          name_of_dtype(x.dtype()) + ")");
}

inline void check_shape(argument const& what, shape const& got, std::vector<shape> const& expected)
{
  if (std::find(expected.begin(), expected.end(), got) != expected.end()) return;
  std::string any;
  for (shape const& one : expected) any += (any.empty() ? "" : " or ") + text_of(one);
  refuse_value(what, "has another shape (expected " + any + ", got " + text_of(got) + ")");
}

enum class access { read, write };

// The entries of a numpy array of one of these shapes.
inline place entries_of(argument const& what, py::array const& x, int bytes, std::vector<shape> const& expected,
                        access how)
{
  check_dtype(what, x, bytes);
  check_shape(what, shape_of(x), expected);
  check_contiguous(what, x);
  if (how == access::write && !x.writeable()) refuse_value(what, "is read-only: pass an array that can be written");
  return {const_cast<void*>(x.data()), false};
}

inline bool is_on_device(py::handle x)
{
  return py::hasattr(x, "__cuda_array_interface__");
}

// The entries of an array in a device's memory, by the protocol that CuPy, Numba and PyTorch share.
inline place device_entries(argument const& what, py::handle x, int bytes, std::vector<shape> const& expected,
                            access how)
{
  auto const about = x.attr("__cuda_array_interface__").cast<py::dict>();
  py::dtype const type(about["typestr"].cast<std::string>());
  if (!type.equal(dtype_of(bytes)))
    refuse_type(what,
                "has another dtype (expected " + name_of_dtype(dtype_of(bytes)) + ", got " + name_of_dtype(type) + ")");
  check_shape(what, about["shape"].cast<shape>(), expected);
  if (about.contains("strides") && !about["strides"].is_none())
    refuse_value(what, "is not contiguous: pass a contiguous copy of it");
  auto const data = about["data"].cast<py::tuple>();
  if (how == access::write && data[1].cast<bool>())
    refuse_value(what, "is read-only: pass an array that can be written");
  return {reinterpret_cast<void*>(data[0].cast<std::uintptr_t>()), true};
}

// The entries of either; arrays in a device's memory are for that backend alone.
inline place any_entries(argument const& what, py::handle x, kind const& of, std::vector<shape> const& expected,
                         access how)
{
  if (of.backend == "cuda" && is_on_device(x)) return device_entries(what, x, of.bytes, expected, how);
  return entries_of(what, array_of(what, x, of.bytes == 8 ? "float64" : "float32"), of.bytes, expected, how);
}

}  // namespace sumfac_python
