// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// std::vector under a name of the target: its functions are compiled for the target, and no other source has them.
#pragma once

#include <sumfac/config.hpp>

#include <memory>
#include <vector>

namespace sumfac::inline SUMFAC_TARGET::detail {

// std::allocator, but for its name.
template <class T>
struct own_allocator : std::allocator<T> {
  template <class Other>
  struct rebind {
    using other = own_allocator<Other>;
  };

  own_allocator() = default;
  template <class Other>
  constexpr own_allocator(own_allocator<Other> const&) noexcept
  {
  }
};

template <class T>
using own_vector = std::vector<T, own_allocator<T>>;

}  // namespace sumfac::detail
