// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The backend of restrictions beside operators that are compiled at run time: the memory and a stream of a device that
// a driver knows, and the small kernels around elements, which are compiled at run time, too.
#pragma once

#include <sumfac/backend/architecture.hpp>
#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/concepts.hpp>
#include <sumfac/backend/loop.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction/device_kernels.hpp>
#include <sumfac/jit/detail/device_code.hpp>
#include <sumfac/jit/detail/driver.hpp>
#include <sumfac/jit/options.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::jit::detail {

// The bodies of loops that a device has.
template <class Body>
inline constexpr char const* name_of_body = nullptr;
template <class T>
inline constexpr char const* name_of_body<sumfac::detail::copy_body<T>> = "copy_body";
template <class T>
inline constexpr char const* name_of_body<sumfac::detail::set_listed<T>> = "set_listed";
template <class T>
inline constexpr char const* name_of_body<sumfac::detail::clear_entry<T>> = "clear_entry";
template <class T>
inline constexpr char const* name_of_body<sumfac::detail::sum_of_node<T>> = "sum_of_node";
template <class T>
inline constexpr char const* name_of_body<sumfac::detail::set_row<T>> = "set_row";
template <class T>
inline constexpr char const* name_of_body<sumfac::detail::keep_row<T>> = "keep_row";
template <class T>
inline constexpr char const* name_of_body<sumfac::detail::finish_row<T>> = "finish_row";
inline constexpr char const* names_of_bodies[] = {"copy_body", "set_listed", "clear_entry", "sum_of_node",
                                                  "set_row",   "keep_row",   "finish_row"};

// Loops over entries of T, "double" or "float", each as a kernel of its own.
inline std::string loops_source(std::string const& device, std::string const& number)
{
  std::string source =
      "// Made by sumfac::jit.\n#include <sumfac/backend/gpu/cuda_device.hpp>\n#include "
      "<sumfac/backend/gpu/hip_device.hpp>\n#include <sumfac/dofs/restriction/device_kernels.hpp>\n";
  for (std::string const name : names_of_bodies)
    source += "SUMFAC_DEVICE_ENTRY void sumfac_jit_" + name + "(sumfac::detail::loop_kernel<sumfac::detail::" + name +
              "<" + number + ">> const kernel, sumfac::index_t first, sumfac::index_t groups)\n{\n" +
              "  sumfac::detail::run_block<" + device + ">(kernel, first, groups);\n}\n";
  return source;
}

class driven {
public:
  static constexpr architecture built_for = architecture::sm_90;  // for the concept: tunings are chosen by units

  driven(std::shared_ptr<driver const> const& of, void* stream, settings const& how, char const* number)
      : driver_(of), stream_(stream)
  {
    platform const& its = of->of();
    auto const code = device_code(loops_source(its.device, number), "", how, its, of->architecture());
    of->use();
    module_ = {of->load(code.binary.data()), [of](void* loaded) { of->unload(loaded); }};
  }

  void* stream() const { return stream_; }
  int device() const { return driver_->device(); }
  std::shared_ptr<detail::driver const> const& of() const { return driver_; }

  template <class T>
  void copy(T const* from, T* to, index_t size) const
  {
    if (size == 0) return;
    driver_->use();
    driver_->copy(to, from, static_cast<std::size_t>(size) * sizeof(T), stream_);
  }
  void synchronize() const
  {
    driver_->use();
    driver_->synchronize(stream_);
  }
  template <class>
  void prepare() const
  {
  }
  template <class Body>
  void launch(sumfac::detail::loop_kernel<Body> kernel, index_t groups) const
  {
    static_assert(name_of_body<Body> != nullptr, "sumfac::jit: loops_source() has no such loop: name it there");
    index_t first = 0;
    void* parameters[] = {&kernel, &first, &groups};
    driver_->use();
    auto* const function = driver_->function(module_.get(), (std::string("sumfac_jit_") + name_of_body<Body>).c_str());
    driver_->launch(function, static_cast<unsigned>(groups), static_cast<unsigned>(kernel.threads), 0, stream_,
                    parameters);
  }
  void launch(sumfac::detail::idle_kernel const&, index_t) const {}

private:
  std::shared_ptr<detail::driver const> driver_;
  void* stream_ = nullptr;
  std::shared_ptr<void> module_;
};

}  // namespace sumfac::jit::detail

namespace sumfac::SUMFAC_TARGET {

template <class T>
class buffer<T, jit::detail::driven>
    : public detail::buffer_entries<T, buffer<T, jit::detail::driven>, std::shared_ptr<jit::detail::driver const>> {
  using base = detail::buffer_entries<T, buffer, std::shared_ptr<jit::detail::driver const>>;
  using base::data_, base::owner_;

public:
  buffer() = default;
  buffer(jit::detail::driven const& backend, index_t size) : base(size, backend.of())
  {
    std::size_t const bytes = detail::buffer_bytes<T>(size), piece = std::size_t{1} << 20;
    if (size == 0) return;
    owner_->use();
    auto const at = owner_->allocate(bytes);
    data_ = reinterpret_cast<T*>(static_cast<std::uintptr_t>(at));
    std::vector<char> const zeros(bytes < piece ? bytes : piece, 0);
    for (std::size_t done = 0; done < bytes; done += zeros.size())
      owner_->to_device(at + done, zeros.data(), bytes - done < zeros.size() ? bytes - done : zeros.size());
  }

  buffer(buffer&& other) noexcept = default;
  buffer& operator=(buffer&& other) noexcept = default;
  ~buffer()
  {
    auto const at = static_cast<jit::detail::driver::address>(reinterpret_cast<std::uintptr_t>(data_));
    if (data_ != nullptr) owner_->free(at);
  }
};

}  // namespace sumfac
