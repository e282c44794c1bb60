// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Whether a backend keeps what was queued once, to queue it again as one; gpu/graph.hpp has those that do.
#pragma once

#include <sumfac/config.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

template <class Backend>
struct graphs_of {
  static constexpr bool exist = false;
  struct type {};
};

}  // namespace sumfac::detail
