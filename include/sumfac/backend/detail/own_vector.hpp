// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the library asks of a vector, under a name of the target: no other source has its functions.
#pragma once

#include <sumfac/config.hpp>

#include <cstddef>
#include <initializer_list>
#include <new>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// Memory under a name of the target; <memory>, which has std::allocator, takes long to read.
template <class T>
struct own_allocator {
  using value_type = T;

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

// std::vector's functions are constexpr, so that compilers make them wherever they are named, called or not; those of
// this class only where a program calls them. Entries move without exceptions.
template <class T>
class own_vector {
public:
  own_vector() = default;
  explicit own_vector(std::size_t size) : own_vector(room{size})
  {
    for (; size_ < size; ++size_) new (first_ + size_) T();
  }
  own_vector(std::size_t size, T const& entry) : own_vector(room{size})
  {
    for (; size_ < size; ++size_) new (first_ + size_) T(entry);
  }
  // Entries that are not read before they are written, by threads that then have them near.
  static own_vector unwritten(std::size_t size)
  {
    static_assert(std::is_trivially_copyable_v<T>);
    own_vector made(room{size});
    made.size_ = size;
    return made;
  }
  own_vector(std::initializer_list<T> list) : own_vector() { append(list); }
  own_vector(own_vector const& other) : own_vector() { append(other); }
  own_vector(own_vector&& other) noexcept { swap(other); }
  own_vector& operator=(own_vector other) noexcept
  {
    swap(other);
    return *this;
  }
  ~own_vector()
  {
    clear();
    own_allocator<T>().deallocate(first_, room_);
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return first_; }
  T const* data() const { return first_; }
  T* begin() { return first_; }
  T const* begin() const { return first_; }
  T* end() { return first_ + size_; }
  T const* end() const { return first_ + size_; }
  T& operator[](std::size_t i) { return first_[i]; }
  T const& operator[](std::size_t i) const { return first_[i]; }
  T& back() { return first_[size_ - 1]; }
  T const& back() const { return first_[size_ - 1]; }

  void clear() { shrink(0); }
  void resize(std::size_t size)
  {
    shrink(size);
    reserve(size);
    for (; size_ < size; ++size_) new (first_ + size_) T();
  }
  void assign(std::size_t size, T const& value) { *this = own_vector(size, value); }
  void push_back(T value)
  {
    if (size_ == room_) reserve(2 * size_ + 1);
    new (first_ + size_) T(std::move(value));
    ++size_;
  }
  // All of another range, which is none of this vector's own.
  template <class Range>
  void append(Range const& range)
  {
    if (size_ + range.size() > room_) reserve(2 * size_ + range.size());
    T* at = first_ + size_;
    for (T const& value : range) new (at++) T(value);
    size_ += range.size();
  }
  void reserve(std::size_t entries)
  {
    if (entries <= room_) return;
    own_vector moved(room{entries});
    for (; moved.size_ < size_; ++moved.size_) new (moved.first_ + moved.size_) T(std::move(first_[moved.size_]));
    swap(moved);
  }

private:
  struct room {
    std::size_t entries;
  };
  explicit own_vector(room r) : first_(own_allocator<T>().allocate(r.entries)), room_(r.entries) {}

  void shrink(std::size_t size)
  {
    while (size_ > size) first_[--size_].~T();
  }
  void swap(own_vector& other)
  {
    std::swap(first_, other.first_);
    std::swap(size_, other.size_);
    std::swap(room_, other.room_);
  }

  T* first_ = nullptr;
  std::size_t size_ = 0, room_ = 0;
};

}  // namespace sumfac::detail
