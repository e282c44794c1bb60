// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// NVIDIA's driver, opened where it is: memory of a device, code that is loaded, and kernels that are launched by name.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/jit/detail/cache.hpp>
#include <sumfac/jit/detail/nvrtc.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace sumfac::SUMFAC_TARGET::jit::detail {

// The primary context of a device, which CUDA's run-time system uses, too.
class driver {
public:
  using address = unsigned long long;

  explicit driver(int device) : library_({"libcuda.so.1", "libcuda.so"})
  {
    if (!library_.is_there()) refuse("there is no libcuda.so.1, NVIDIA's driver: devices need it");
    call("cuInit", 0U);
    call("cuDeviceGet", &device_, device);
    call("cuDevicePrimaryCtxRetain", &context_, device_);
    use();
  }
  driver(driver const&) = delete;
  driver& operator=(driver const&) = delete;
  ~driver() { static_cast<void>(library_.call<int>("cuDevicePrimaryCtxRelease_v2", device_)); }

  // "sm_90"
  std::string architecture() const
  {
    int major = 0, minor = 0;
    call("cuDeviceGetAttribute", &major, 75, device_);
    call("cuDeviceGetAttribute", &minor, 76, device_);
    return "sm_" + std::to_string(10 * major + minor);
  }

  void use() const { call("cuCtxSetCurrent", context_); }
  address allocate(std::size_t bytes) const
  {
    address at = 0;
    call("cuMemAlloc_v2", &at, bytes == 0 ? std::size_t{1} : bytes);
    return at;
  }
  void free(address at) const { static_cast<void>(library_.call<int>("cuMemFree_v2", at)); }
  void to_device(address to, void const* from, std::size_t bytes) const { call("cuMemcpyHtoD_v2", to, from, bytes); }
  void to_host(void* to, address from, std::size_t bytes) const { call("cuMemcpyDtoH_v2", to, from, bytes); }
  void synchronize(void* stream) const { call("cuStreamSynchronize", stream); }

  void* load(void const* code) const
  {
    void* module = nullptr;
    call("cuModuleLoadData", &module, code);
    return module;
  }
  void unload(void* module) const { static_cast<void>(library_.call<int>("cuModuleUnload", module)); }
  void* function(void* module, char const* name) const
  {
    void* found = nullptr;
    call("cuModuleGetFunction", &found, module, name);
    return found;
  }
  void allow_scratch(void* function, int bytes) const { call("cuFuncSetAttribute", function, 8, bytes); }
  void launch(void* function, unsigned blocks, unsigned threads, unsigned scratch_bytes, void* stream,
              void** parameters) const
  {
    call("cuLaunchKernel", function, blocks, 1U, 1U, threads, 1U, 1U, scratch_bytes, stream, parameters,
         static_cast<void**>(nullptr));
  }

private:
  template <class... Arguments>
  void call(char const* name, Arguments... arguments) const
  {
    int const result = library_.call<int>(name, arguments...);
    if (result == 0) return;
    char const* text = nullptr;
    static_cast<void>(library_.call<int>("cuGetErrorString", result, &text));
    refuse(std::string(name) + " failed (result " + std::to_string(result) +
           ", 0 expected): " + (text == nullptr ? "the driver has no text for it" : text));
  }

  opened_library library_;
  int device_ = 0;
  void* context_ = nullptr;
};

// Memory of a device.
class device_memory {
public:
  device_memory() = default;
  device_memory(std::shared_ptr<driver const> const& of, std::size_t bytes) : of_(of), at_(of->allocate(bytes)) {}
  device_memory(std::shared_ptr<driver const> const& of, void const* from, std::size_t bytes) : device_memory(of, bytes)
  {
    if (bytes > 0) of_->to_device(at_, from, bytes);
  }
  device_memory(device_memory&& other) noexcept { swap(other); }
  device_memory& operator=(device_memory&& other) noexcept
  {
    device_memory taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~device_memory()
  {
    if (of_ != nullptr) of_->free(at_);
  }

  driver::address address() const { return at_; }
  template <class T>
  T* as() const
  {
    return reinterpret_cast<T*>(static_cast<std::uintptr_t>(at_));
  }

private:
  void swap(device_memory& other) noexcept
  {
    std::swap(of_, other.of_);
    std::swap(at_, other.at_);
  }

  std::shared_ptr<driver const> of_;
  driver::address at_ = 0;
};

}  // namespace sumfac::jit::detail
