// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// std::vector under a name of the target: its functions are compiled for the target, and no other source has them.
#pragma once

#include <sumfac/config.hpp>

#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

namespace sumfac::inline SUMFAC_TARGET::detail {

// What std::allocator does, under another name; <memory>, which has that, takes long to read.
template <class T>
struct own_allocator {
  using value_type = T;
  using propagate_on_container_move_assignment = std::true_type;
  using is_always_equal = std::true_type;

  own_allocator() = default;
  template <class Other>
  constexpr own_allocator(own_allocator<Other> const&) noexcept
  {
  }

  T* allocate(std::size_t count)
  {
    if (count > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
    return static_cast<T*>(::operator new(count * sizeof(T), std::align_val_t{alignof(T)}));
  }
  void deallocate(T* p, std::size_t) noexcept { ::operator delete(p, std::align_val_t{alignof(T)}); }

  friend constexpr bool operator==(own_allocator, own_allocator) { return true; }
};

template <class T>
using own_vector = std::vector<T, own_allocator<T>>;

}  // namespace sumfac::detail
