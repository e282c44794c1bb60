// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Functions of the caller's, called by their address: what they are given to is compiled once for all of them.
#pragma once

#include <sumfac/config.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Any function object that lives as long.
template <class... Arguments>
class callback {
public:
  template <class Function>
    requires(!std::is_same_v<Function, callback>)
  callback(Function const& f) : f_(&f), call_(call<Function>)
  {
  }
  void operator()(Arguments... a) const { call_(f_, a...); }

private:
  template <class Function>
  static void call(void const* f, Arguments... a)
  {
    (*static_cast<Function const*>(f))(a...);
  }

  void const* f_;
  void (*call_)(void const*, Arguments...);
};

}  // namespace sumfac::SUMFAC_TARGET::detail
