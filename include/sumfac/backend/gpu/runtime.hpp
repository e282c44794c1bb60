// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Errors of CUDA and HIP as exceptions, and the current device for the length of a scope.
#pragma once

#include <sumfac/error.hpp>

#include <new>
#include <string>
#include <string_view>

namespace sumfac::detail {

// Throws backend_error with the call's name, what describe() adds, and the run-time system's own text.
template <class Runtime, class Describe>
void check(typename Runtime::error error, char const* call, Describe const& describe)
{
  if (error == Runtime::success) return;
  static_cast<void>(Runtime::last_error());  // forgets it, so that the next call does not report it again
  std::string const details = describe();
  throw backend_error("sumfac::" + std::string(Runtime::name) + ": " + Runtime::prefix + call + " failed (error " +
                      std::to_string(static_cast<int>(error)) + ": " + Runtime::text(error) +
                      (details.empty() ? "" : "; " + details) + ")");
}

template <class Runtime>
void check(typename Runtime::error error, char const* call)
{
  check<Runtime>(error, call, [] { return std::string(); });
}

// Makes a device the current one, and the former again at the end.
template <class Runtime>
class device_guard {
public:
  explicit device_guard(int device)
  {
    check<Runtime>(Runtime::get_device(&former_), "GetDevice");
    if (former_ == device) return;
    check<Runtime>(Runtime::set_device(device), "SetDevice",
                   [&] { return "device " + std::to_string(device); });
    changed_ = true;
  }
  device_guard(int device, std::nothrow_t) noexcept
  {
    if (Runtime::get_device(&former_) == Runtime::success && former_ != device)
      changed_ = Runtime::set_device(device) == Runtime::success;
  }
  device_guard(device_guard const&) = delete;
  device_guard& operator=(device_guard const&) = delete;
  ~device_guard()
  {
    if (changed_) static_cast<void>(Runtime::set_device(former_));
  }

private:
  int former_ = 0;
  bool changed_ = false;
};

// The type of a kernel as the compiler writes it, for messages.
template <class Kernel>
std::string name_of()
{
  std::string_view const text = __PRETTY_FUNCTION__;
  auto const begin = text.find("Kernel = ");
  auto const end = text.find_last_of(";]");
  return std::string(begin < end && end < text.size() ? text.substr(begin + 9, end - begin - 9) : text);
}

}  // namespace sumfac::detail
