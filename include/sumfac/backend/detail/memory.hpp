// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Memory that kernels of a backend can touch, whether that is the host's or a device's own.
#pragma once

#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/host.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Whether kernels of a backend work in memory which the host cannot touch.
template <class Backend>
inline constexpr bool is_device = requires(Backend const& b) { b.stream(); };

// A device that says how much of a kernel it runs at once.
template <class Backend>
concept counts_teams = is_device<Backend> && requires(Backend const& b) { b.cache_bytes(); };

template <class T, class Backend>
struct memory_type {
  using type = buffer<T>;
};
template <class T, class Backend>
  requires is_device<Backend>
struct memory_type<T, Backend> {
  using type = buffer<T, Backend>;
};

// The buffer that kernels of Backend work in.
template <class T, class Backend>
using memory_of = typename memory_type<T, Backend>::type;

// `size` entries, zero at first.
template <class T, class Backend>
memory_of<T, Backend> make_memory(Backend const& backend, index_t size)
{
  if constexpr (is_device<Backend> || runs_on_host<Backend>)
    return memory_of<T, Backend>(backend, size);
  else
    return buffer<T>(size);
}

// Waits until kernels and copies that were queued have ended.
template <class Backend>
void wait_for(Backend const& backend)
{
  if constexpr (is_device<Backend>) backend.synchronize();
}

// A copy of numbers in the host's memory.
template <class T, class Backend>
memory_of<T, Backend> upload(Backend const& backend, own_vector<T> const& numbers)
{
  auto const size = static_cast<index_t>(numbers.size());
  auto memory = make_memory<T>(backend, size);
  if constexpr (is_device<Backend>) {
    backend.copy(numbers.data(), memory.data(), size);
    backend.synchronize();
  } else {
    for (index_t i = 0; i < size; ++i) memory[i] = numbers[static_cast<std::size_t>(i)];
  }
  return memory;
}

// Numbers of a backend's memory, in the host's, after all that was queued.
template <class T, class Backend>
own_vector<T> download(Backend const& backend, T const* numbers, index_t size)
{
  own_vector<T> copy(static_cast<std::size_t>(size));
  if constexpr (is_device<Backend>) {
    backend.copy(numbers, copy.data(), size);
    backend.synchronize();
  } else {
    for (index_t i = 0; i < size; ++i) copy[static_cast<std::size_t>(i)] = numbers[i];
  }
  return copy;
}

// One of them, without memory of its own.
template <class T, class Backend>
T download_one(Backend const& backend, T const* number)
{
  if constexpr (is_device<Backend>) {
    T copy{};
    backend.copy(number, &copy, 1);
    backend.synchronize();
    return copy;
  } else {
    return *number;
  }
}

}  // namespace sumfac::detail
