// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An object that copies share: std::shared_ptr's header takes long to read.
#pragma once

#include <sumfac/config.hpp>

#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

template <class T>
class shared {
public:
  explicit shared(T&& object) : at_(new counted{std::move(object)}) {}
  shared(shared const& other) noexcept : at_(other.at_)
  {
    if (at_ != nullptr) __atomic_fetch_add(&at_->users, 1, __ATOMIC_RELAXED);
  }
  shared(shared&& other) noexcept : at_(std::exchange(other.at_, nullptr)) {}
  shared& operator=(shared other) noexcept
  {
    std::swap(at_, other.at_);
    return *this;
  }
  ~shared()
  {
    if (at_ != nullptr && __atomic_sub_fetch(&at_->users, 1, __ATOMIC_ACQ_REL) == 0) delete at_;
  }

  T const* operator->() const { return &at_->object; }
  T const& operator*() const { return at_->object; }
  // While nobody else has it.
  T& edit() { return at_->object; }

private:
  struct counted {
    T object;
    long users = 1;
  };
  counted* at_;
};

}  // namespace sumfac::detail
