// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// One object of several types, on the heap.
#pragma once

#include <sumfac/config.hpp>

#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

template <class... Types>
class one_of;

// None of no types.
template <>
class one_of<> {};

// It has none at first; visit() then must not be called.
template <class First, class... Rest>
class one_of<First, Rest...> {
public:
  one_of() = default;
  one_of(one_of&& other) noexcept : object_(std::exchange(other.object_, nullptr)), rest_(std::move(other.rest_)) {}
  one_of& operator=(one_of&& other) noexcept
  {
    std::swap(object_, other.object_);
    rest_ = std::move(other.rest_);
    return *this;
  }
  ~one_of() { delete object_; }

  // Takes over an object of the type of that number.
  template <int Number, class Object>
  void take(Object* object)
  {
    if constexpr (Number == 0)
      object_ = object;
    else
      rest_.template take<Number - 1>(object);
  }

  template <class Function>
  decltype(auto) visit(Function const& f) const
  {
    if constexpr (sizeof...(Rest) > 0)
      if (object_ == nullptr) return rest_.visit(f);
    return f(static_cast<First const&>(*object_));
  }

private:
  First* object_ = nullptr;
  SUMFAC_NO_UNIQUE_ADDRESS one_of<Rest...> rest_;
};

}  // namespace sumfac::detail
