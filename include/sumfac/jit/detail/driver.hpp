// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The driver of a GPU, opened where it is: memory of a device, code that is loaded, and kernels that are launched by
// name.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/jit/detail/cache.hpp>
#include <sumfac/jit/detail/compiler.hpp>
#include <sumfac/jit/detail/platform.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace sumfac::SUMFAC_TARGET::jit::detail {

// A device by number. Of CUDA's driver it is the primary context, which CUDA's run-time system uses, too.
class driver {
public:
  using address = unsigned long long;

  driver(platform const& of, int device) : of_(of), library_(in_toolkit(of.driver_files, of.toolkit("")))
  {
    if (!library_.is_there())
      refuse("there is no driver of this kind of GPU, which devices need (" +
             joined(in_toolkit(of.driver_files, of.toolkit(""))) + " were looked for)");
    call(of_.init, 0U);
    call(of_.get, &device_, device);
    if (of_.retain != nullptr) call(of_.retain, &context_, device_);
    use();
  }
  driver(driver const&) = delete;
  driver& operator=(driver const&) = delete;
  ~driver()
  {
    if (of_.release != nullptr) static_cast<void>(library_.call<int>(of_.release, device_));
  }

  platform const& of() const { return of_; }
  int device() const { return device_; }
  // "sm_90", "gfx90a:sramecc+:xnack-"
  std::string architecture() const
  {
    std::string const found = of_.architecture_of(library_, device_);
    if (found.empty()) refuse("the driver does not say what architecture device " + std::to_string(device_) + " has");
    return found;
  }

  void use() const
  {
    if (of_.retain != nullptr)
      call(of_.use, context_);
    else
      call(of_.use, device_);
  }
  address allocate(std::size_t bytes) const
  {
    address at = 0;
    call(of_.allocate, &at, bytes == 0 ? std::size_t{1} : bytes);
    return at;
  }
  void free(address at) const { static_cast<void>(library_.call<int>(of_.free, at)); }
  void to_device(address to, void const* from, std::size_t bytes) const { call(of_.to_device, to, from, bytes); }
  void to_host(void* to, address from, std::size_t bytes) const { call(of_.to_host, to, from, bytes); }
  // Queued; from and to any memory.
  void copy(void* to, void const* from, std::size_t bytes, void* stream) const
  {
    constexpr int any_to_any = 4;  // hipMemcpyDefault; CUDA's driver knows by the addresses
    if (of_.retain != nullptr)
      call(of_.copy, to, from, bytes, stream);
    else
      call(of_.copy, to, from, bytes, any_to_any, stream);
  }
  void synchronize(void* stream) const { call(of_.synchronize, stream); }

  void* load(void const* code) const
  {
    void* module = nullptr;
    call(of_.load, &module, code);
    return module;
  }
  void unload(void* module) const { static_cast<void>(library_.call<int>(of_.unload, module)); }
  void* function(void* module, char const* name) const
  {
    void* found = nullptr;
    call(of_.function, &found, module, name);
    return found;
  }
  // Beyond what a kernel may have of it unasked.
  void allow_scratch(void* function, int bytes) const
  {
    if (of_.scratch != nullptr) call(of_.scratch, function, 8, bytes);
  }
  void launch(void* function, unsigned blocks, unsigned threads, unsigned scratch_bytes, void* stream,
              void** parameters) const
  {
    call(of_.launch, function, blocks, 1U, 1U, threads, 1U, 1U, scratch_bytes, stream, parameters,
         static_cast<void**>(nullptr));
  }

private:
  template <class... Arguments>
  void call(char const* name, Arguments... arguments) const
  {
    int const result = library_.call<int>(name, arguments...);
    if (result == 0) return;
    std::string const text = of_.text_of(library_, result);
    refuse(std::string(name) + " failed (result " + std::to_string(result) +
           ", 0 expected): " + (text.empty() ? "the driver has no text for it" : text));
  }

  platform of_;
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
