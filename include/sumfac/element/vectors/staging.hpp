// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Vectors that the host fills for kernels of a backend and reads after them, wherever the backend's memory is.
#pragma once

#include <sumfac/backend/detail/memory.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Memory of the caller's that the host works on: the memory itself, or a copy that goes back in the end.
template <class T, class Backend>
class staged_vector {
public:
  staged_vector(Backend const&, T* data, index_t) : data_(data) {}

  T* data() const { return data_; }
  void write_back() const {}

private:
  T* data_;
};

template <class T, class Backend>
  requires is_device<Backend>
class staged_vector<T, Backend> {
public:
  // What lies between the entries comes along, so that it goes back unchanged.
  staged_vector(Backend const& backend, T* data, index_t size)
      : backend_(backend), data_(data), copy_(static_cast<std::size_t>(size))
  {
    backend_.copy(data_, copy_.data(), size);
    backend_.synchronize();
  }

  T* data() const { return copy_.data(); }
  void write_back() const
  {
    backend_.copy(copy_.data(), data_, static_cast<index_t>(copy_.size()));
    backend_.synchronize();
  }

private:
  Backend backend_;
  T* data_;
  mutable own_vector<T> copy_;
};

// A vector for kernels, zero at first, that the host sets and reads now and then.
template <class T, class Backend>
class working_vector {
public:
  working_vector(Backend const& backend, index_t size) : entries_(make_memory<T>(backend, size)) {}

  T* data() { return entries_.data(); }
  void set(index_t i, T x) { entries_[i] = x; }
  T const* on_host() { return entries_.data(); }

private:
  buffer<T> entries_;
};

template <class T, class Backend>
  requires is_device<Backend>
class working_vector<T, Backend> {
public:
  working_vector(Backend const& backend, index_t size)
      : backend_(backend), entries_(backend, size), copy_(static_cast<std::size_t>(size))
  {
  }

  T* data() { return entries_.data(); }
  void set(index_t i, T x)
  {
    backend_.copy(&x, entries_.data() + i, 1);
    backend_.synchronize();
  }
  T const* on_host()
  {
    backend_.copy(entries_.data(), copy_.data(), entries_.size());
    backend_.synchronize();
    return copy_.data();
  }

private:
  Backend backend_;
  buffer<T, Backend> entries_;
  own_vector<T> copy_;
};

}  // namespace sumfac::detail
