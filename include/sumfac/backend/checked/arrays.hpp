// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// shared and per_thread of a checked team: arrays that tell the monitor of every access.
#pragma once

#include <sumfac/backend/checked/monitor.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/policy.hpp>

#include <cstddef>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// The monitor of the kernel that runs here, for an array that says what it is.
inline kernel_monitor& expect_monitor(char const* what)
{
  if (kernel_monitor::current() == nullptr)
    throw_text<backend_error>(
        "sumfac::checked: %s made outside a kernel (0 teams run on this host thread) make it in one "
        "that is launched",
        what);
  return *kernel_monitor::current();
}

// Number of the entry at (i...), or -1 after report(index, dimension, extent).
template <int... Extents, class Report, class... Indices>
index_t checked_position(Report const& report, Indices... i)
{
  constexpr index_t extents[] = {Extents...};
  index_t const index[] = {static_cast<index_t>(i)...};
  index_t position = 0;
  for (int r = 0; r < int{sizeof...(Extents)}; ++r) {
    if (index[r] < 0 || index[r] >= extents[r]) {
      report({static_cast<index_t>(i)...}, r, extents[r]);
      return -1;
    }
    position = position * extents[r] + index[r];
  }
  return position;
}

// One scratch entry, to be read or written on the spot: `T x = a(i)`, `a(i) = x`, `a(i) += x`. It cannot be kept:
// `auto x = a(i)` would read later than it says, after others have written, and does not compile when used.
template <class T>
class checked_reference {
public:
  using stands_for_reference = void;  // to sweeps: what is assigned to it is written

  checked_reference(kernel_monitor& monitor, std::size_t array, index_t position)
      : monitor_(monitor), array_(array), position_(position)
  {
  }

  checked_reference(checked_reference const&) = delete;
  operator T() const&& { return read(); }
  operator T() const& = delete;

  checked_reference&& operator=(T const& x) &&
  {
    write(x);
    return static_cast<checked_reference&&>(*this);
  }

  checked_reference&& operator=(checked_reference&& other) &&
  {
    return static_cast<checked_reference&&>(*this) = other.read();
  }

  // clang-format off
  void operator+=(T const& x) && { write(read() + x); }
  void operator-=(T const& x) && { write(read() - x); }
  void operator*=(T const& x) && { write(read() * x); }
  void operator/=(T const& x) && { write(read() / x); }
  // clang-format on

private:
  // Reads of an index out of range give bytes 0xff (NaN); writes there are dropped.
  T read() const
  {
    T x;
    if (position_ < 0)
      std::memset(static_cast<void*>(&x), 0xff, sizeof(T));
    else
      std::memcpy(static_cast<void*>(&x), entry(touch::read), sizeof(T));
    return x;
  }

  void write(T const& x)
  {
    if (position_ >= 0) std::memcpy(entry(touch::write), &x, sizeof(T));
  }

  std::byte* entry(touch how) const { return monitor_.access_entry(array_, position_, how); }

  kernel_monitor& monitor_;
  std::size_t array_;
  index_t position_;
};

// An array that the threads of a checked team share.
template <class T, int... Extents>
class checked_shared {
  static_assert(std::is_trivially_copyable_v<T>, "sumfac::shared: T is not trivially copyable: a GPU has raw memory");

public:
  checked_shared()
      : monitor_(&expect_monitor("shared array")), array_(monitor_->declare({Extents...}, sizeof(T), alignof(T)))
  {
  }

  checked_shared(checked_shared const&) = delete;
  checked_shared& operator=(checked_shared const&) = delete;

  template <class... Indices>
  checked_reference<T> operator()(Indices... i)
  {
    return {*monitor_, array_, position(i...)};
  }

  template <class... Indices>
  T operator()(Indices... i) const
  {
    return checked_reference<T>(*monitor_, array_, position(i...));
  }

  // Starts a copy of *from to an entry, which comes when it is waited for.
  template <class... Indices>
  void copy_ahead(T const* from, Indices... i)
  {
    if (index_t const at = position(i...); at >= 0) monitor_->start_copy(array_, at, from);
  }

  // Gives the array a name for messages, in place of its number.
  void name(std::string_view text) { monitor_->name_array(array_, text); }

private:
  template <class... Indices>
  index_t position(Indices... i) const
  {
    static_assert(sizeof...(Indices) == sizeof...(Extents), "sumfac::shared: call it with one index per extent");
    auto const report = [&](own_vector<index_t> index, int r, index_t extent) {
      monitor_->report_out_of_range(array_, std::move(index), r, extent);
    };
    return checked_position<Extents...>(report, i...);
  }

  kernel_monitor* monitor_;
  std::size_t array_;
};

// What the threads of a checked team keep for themselves: each has the items of box<Extents...> that each() hands it.
template <class Team, class T, int... Extents>
class checked_per_thread {
  using items = box<Extents...>;

public:
  checked_per_thread() : monitor_(&expect_monitor("per_thread"))
  {
    if constexpr (std::is_trivially_copyable_v<T>) std::memset(static_cast<void*>(values_), 0xff, sizeof(values_));
  }

  template <class... Indices>
  T& operator()(Indices... i)
  {
    return values_[slot(i...)];
  }

  template <class... Indices>
  T const& operator()(Indices... i) const
  {
    return values_[slot(i...)];
  }

private:
  static constexpr int owned = (items::size + Team::threads - 1) / Team::threads;

  // The last slot takes what must not be touched, where findings are collected.
  template <class... Indices>
  int slot(Indices... i) const
  {
    static_assert(sizeof...(Indices) == sizeof...(Extents), "sumfac::per_thread: call it with one index per extent");
    auto const report = [&](own_vector<index_t> index, int r, index_t extent) {
      monitor_->report_out_of_range(std::move(index), r, extent);
    };
    index_t const position = checked_position<Extents...>(report, i...);
    if (position < 0) return owned;
    int const owner = static_cast<int>(position % Team::threads);
    if (owner == monitor_->rank()) return static_cast<int>(position / Team::threads);
    monitor_->report_foreign({static_cast<index_t>(i)...}, owner);
    return owned;
  }

  kernel_monitor* monitor_;
  T values_[owned + 1];
};

}  // namespace sumfac::detail
