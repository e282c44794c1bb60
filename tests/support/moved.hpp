// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A test's vectors in the memory that a backend's kernels can touch, and back.
#pragma once

#include <sumfac/backend/detail/memory.hpp>

#include <vector>

namespace support {

// Calls f with pointers to the entries of `in` and `out`, and has what it leaves in `out`.
template <class Backend, class T, class Function>
void on_backend(Backend const& backend, std::vector<T> const& in, std::vector<T>& out, Function const& f)
{
  if constexpr (sumfac::detail::is_device<Backend>) {
    auto const copied = [&](std::vector<T> const& numbers) {
      auto const size = static_cast<sumfac::index_t>(numbers.size());
      auto memory = sumfac::detail::make_memory<T>(backend, size);
      backend.copy(numbers.data(), memory.data(), size);
      backend.synchronize();
      return memory;
    };
    auto const from = copied(in);
    auto to = copied(out);
    f(static_cast<T const*>(from.data()), to.data());
    auto const back = sumfac::detail::download(backend, static_cast<T const*>(to.data()), to.size());
    out.assign(back.begin(), back.end());
  } else {
    f(in.data(), out.data());
  }
}

// The same with `out` alone.
template <class Backend, class T, class Function>
void on_backend(Backend const& backend, std::vector<T>& out, Function const& f)
{
  on_backend(backend, std::vector<T>{}, out, [&](T const*, T* to) { f(to); });
}

}  // namespace support
