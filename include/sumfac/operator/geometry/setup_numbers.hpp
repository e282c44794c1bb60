// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Numbers that the host sets up once and kernels of a backend read ever after.
#pragma once

#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>

#include <type_traits>
#include <utility>

namespace sumfac::inline SUMFAC_TARGET::detail {

// Filled through operator[] until commit(), which brings them to where kernels read them: data().
template <class T, class Backend>
class setup_numbers {
public:
  setup_numbers() = default;
  setup_numbers(host const& setup_threads, index_t size) : on_host_(setup_threads, size) {}

  T& operator[](index_t i) { return on_host_[i]; }

  void commit(Backend const& backend)
  {
    if constexpr (is_device<Backend>) {
      on_device_ = buffer<T, Backend>(backend, on_host_.size());
      backend.copy(on_host_.data(), on_device_.data(), on_host_.size());
      backend.synchronize();
      on_host_ = {};
    }
  }

  T const* data() const
  {
    if constexpr (is_device<Backend>)
      return on_device_.data();
    else
      return on_host_.data();
  }

  // The numbers where the host can read them: a copy, or the numbers themselves.
  class host_readable {
  public:
    T const& operator[](index_t i) const { return data_[i]; }
    T const* data() const { return data_; }

  private:
    friend setup_numbers;
    buffer<T> copy_;
    T const* data_ = nullptr;
  };

  host_readable read(Backend const& backend) const
  {
    host_readable n;
    if constexpr (is_device<Backend>) {
      n.copy_ = buffer<T>(on_device_.size());
      backend.copy(on_device_.data(), n.copy_.data(), on_device_.size());
      backend.synchronize();
      n.data_ = n.copy_.data();
    } else {
      static_cast<void>(backend);
      n.data_ = on_host_.data();
    }
    return n;
  }

private:
  struct nothing {
  };

  buffer<T> on_host_;
  [[no_unique_address]] std::conditional_t<is_device<Backend>, buffer<T, Backend>, nothing> on_device_;
};

}  // namespace sumfac::detail
