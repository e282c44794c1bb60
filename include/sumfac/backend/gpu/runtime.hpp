// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Errors of CUDA and HIP as exceptions, and the current device for the length of a scope.
#pragma once

#include <sumfac/backend/concepts.hpp>
#include <sumfac/error.hpp>

#include <new>
#include <string_view>

namespace sumfac::SUMFAC_TARGET::detail {

// Throws backend_error with the call's name and the run-time system's own text, and `details` where there are any.
template <class Runtime>
void check_call(typename Runtime::error error, char const* call, std::string_view details = {})
{
  if (error == Runtime::success) return;
  static_cast<void>(Runtime::last_error());  // forgets it, so that the next call does not report it again
  throw_text<backend_error>("sumfac::%s: %s%s failed (error %d: %s%s%.*s)", Runtime::name, Runtime::prefix, call,
                            static_cast<int>(error), Runtime::text(error), details.empty() ? "" : "; ",
                            static_cast<int>(details.size()), details.data());
}

// The same with a number for its details: "64 bytes", "device 3".
template <class Runtime>
void check_call(typename Runtime::error error, char const* call, char const* format, long long number)
{
  if (error == Runtime::success) return;
  check_call<Runtime>(error, call, formatted(format, number));
}

// Refuses a kernel with more bytes of parameters than the driver takes.
template <class Runtime>
void check_parameters(int bytes)
{
  constexpr auto limits = Runtime::parameters;
  if (bytes <= limits.always) return;
  int found = 0;
  check_call<Runtime>(Runtime::driver_version(&found), "DriverGetVersion");
  if (found < limits.driver)
    throw_text<backend_error>(
        "sumfac::%s: a kernel has more parameters than the driver passes (%d bytes, %d before version %d, and it is "
        "%d): take a later driver, fewer points, or geometry that is stored",
        Runtime::name, bytes, limits.always, limits.driver, found);
}

// Makes a device the current one, and the former again at the end.
template <class Runtime>
class device_guard {
public:
  explicit device_guard(int device)
  {
    check_call<Runtime>(Runtime::get_device(&former_), "GetDevice");
    if (former_ == device) return;
    check_call<Runtime>(Runtime::set_device(device), "SetDevice", "device %lld", device);
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
constexpr std::string_view name_of()
{
  std::string_view const text = __PRETTY_FUNCTION__;
  auto const begin = text.find("Kernel = ");
  auto end = text.find("; std::string_view = ");  // g++ says what that is, too
  if (end == text.npos) end = text.find_last_of(";]");
  return begin < end && end < text.size() ? text.substr(begin + 9, end - begin - 9) : text;
}

}  // namespace sumfac::detail
