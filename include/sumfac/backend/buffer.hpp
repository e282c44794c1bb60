// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Owning memory of a backend: aligned, in huge pages where the system has them.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/checked/sanitizers.hpp>
#include <sumfac/backend/host.hpp>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace sumfac::SUMFAC_TARGET {

namespace detail {

// Bytes of a buffer; std::bad_alloc where there are more than any memory has, so that they may be rounded up.
template <class T>
std::size_t buffer_bytes(index_t size)
{
  if (size < 0) failf("buffer", "the size is negative (got %lld, at least 0 expected)", static_cast<long long>(size));
  constexpr index_t most = (index_t{1} << 62) / index_t{sizeof(T)};
  if (size > most) throw std::bad_alloc();
  return static_cast<std::size_t>(size) * sizeof(T);
}

// What buffers of all backends have, each a Buffer that frees them: entries, how many, and by whom they are freed.
// Behind a move they are no one's.
template <class T, class Buffer, class Owner>
class buffer_entries {
  static_assert(std::is_trivially_copyable_v<T>, "sumfac::buffer<T>: T must be trivially copyable");

public:
  T* data() { return data_; }
  T const* data() const { return data_; }
  index_t size() const { return size_; }

protected:
  buffer_entries() = default;
  buffer_entries(index_t size, Owner const& owner) : size_(size), owner_(owner) {}
  buffer_entries(buffer_entries&& other) noexcept { swap(other); }
  buffer_entries& operator=(buffer_entries&& other) noexcept
  {
    Buffer taken(static_cast<Buffer&&>(other));
    swap(taken);
    return *this;
  }
  void swap(buffer_entries& other) noexcept
  {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(owner_, other.owner_);
  }

  T* data_ = nullptr;
  index_t size_ = 0;
  SUMFAC_NO_UNIQUE_ADDRESS Owner owner_{};
};

struct host_frees {};  // memory that is freed without an owner

}  // namespace detail

// `size` entries of T, zero at first, owned by the buffer and freed with it.
//
// Aligned to 64 bytes; from 4 MiB on aligned to and advised as 2 MiB pages on Linux. Zeroed by the threads that
// Backend::launch will use, so that pages lie near them.
// **Errors** argument_error for a negative size, std::bad_alloc.
template <class T, class Backend = host>
class buffer;

template <class T>
class buffer<T, host> : public detail::buffer_entries<T, buffer<T, host>, detail::host_frees> {
  using base = detail::buffer_entries<T, buffer, detail::host_frees>;
  using base::data_, base::size_;

public:
  buffer() = default;
  explicit buffer(index_t size) : buffer(host{}, size) {}
  buffer(host const& backend, index_t size)
  {
    constexpr std::size_t line = 64, huge_page = std::size_t{2} << 20;
    std::size_t bytes = detail::buffer_bytes<T>(size);
    if (size == 0) return;
    std::size_t const alignment = bytes >= 2 * huge_page ? huge_page : line;
    bytes = (bytes + alignment - 1) / alignment * alignment;
    void* p = std::aligned_alloc(alignment, bytes);
    if (p == nullptr) throw std::bad_alloc();
    data_ = static_cast<T*>(p);
    size_ = size;
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (alignment == huge_page) static_cast<void>(madvise(p, bytes, MADV_HUGEPAGE));
#endif
    backend.partition(size, [p = data_](index_t first, index_t last) {
      for (index_t i = first; i < last; ++i) p[i] = T{};
    });
    detail::forbid(data_ + size, bytes - detail::buffer_bytes<T>(size));  // what it was rounded up by
  }

  buffer(buffer&& other) noexcept = default;
  buffer& operator=(buffer&& other) noexcept = default;
  ~buffer() { std::free(data_); }

  T& operator[](index_t i) { return data_[i]; }
  T const& operator[](index_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  T const* begin() const { return data_; }
  T const* end() const { return data_ + size_; }
};

}  // namespace sumfac
