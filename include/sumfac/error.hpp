// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Exceptions and the checks of arguments at public doors.
#pragma once

#include <sumfac/config.hpp>

#include <stdexcept>
#include <string>
#include <string_view>

namespace sumfac {

// The caller passed something that does not fit. The message reads
// `sumfac::where: problem (both numbers) what to do`. Nothing was computed or written.
struct argument_error : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// The mesh cannot be integrated on: an element is inverted, flat or not finite.
struct geometry_error : std::domain_error {
  using std::domain_error::domain_error;
};

// A run-time system (CUDA, HIP, the allocator) failed.
struct backend_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] inline void fail(std::string_view where, std::string_view what)
{
  throw argument_error("sumfac::" + std::string(where) + ": " + std::string(what));
}

// Throws unless `got == expected`; `what` names the extent, as in "extent 0 (elements) of u".
inline void check_equal(std::string_view where, std::string_view what, index_t expected, index_t got)
{
  if (got != expected)
    fail(where, std::string(what) + " does not match (expected " + std::to_string(expected) + ", got " +
                    std::to_string(got) + ")");
}

// Throws if data is null while there is something to read or write.
inline void check_data(std::string_view where, std::string_view what, void const* data, index_t size)
{
  if (size > 0 && data == nullptr)
    fail(where, std::string(what) + " is null (pointer 0, " + std::to_string(size) +
                    " entries expected): pass a view of allocated memory");
}

}  // namespace sumfac
