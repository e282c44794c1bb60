// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// One object in memory of its own, which stays where it is when the pointer is moved.
#pragma once

#include <sumfac/config.hpp>

#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// As std::unique_ptr; <memory> takes long to read. May be empty.
template <class T>
class own_pointer {
public:
  own_pointer() = default;
  explicit own_pointer(T* object) : object_(object) {}  // made by new
  own_pointer(own_pointer&& other) noexcept { swap(other); }
  own_pointer& operator=(own_pointer&& other) noexcept
  {
    own_pointer taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~own_pointer() { delete object_; }

  bool empty() const { return object_ == nullptr; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }
  // The object; where there is none yet, what make() makes by new. Of threads that come at once one's is kept.
  template <class Make>
  T& made_by(Make const& make)
  {
    T* found = __atomic_load_n(&object_, __ATOMIC_ACQUIRE);
    if (found != nullptr) return *found;
    own_pointer made(make());
    if (__atomic_compare_exchange_n(&object_, &found, made.object_, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      found = std::exchange(made.object_, nullptr);
    return *found;
  }

private:
  void swap(own_pointer& other) noexcept { std::swap(object_, other.object_); }

  T* object_ = nullptr;
};

}  // namespace sumfac::detail
