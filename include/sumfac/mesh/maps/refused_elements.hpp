// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The elements of a mesh that are refused: how many, and the first of them, whatever threads found them.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/config.hpp>
#include <sumfac/error.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace sumfac::SUMFAC_TARGET::detail {

// Several threads may add elements at once, no two the same one.
class refused_elements {
public:
  explicit refused_elements(index_t elements) : refused_(static_cast<std::size_t>(elements)) {}

  void add(index_t e) { refused_[static_cast<std::size_t>(e)] = 1; }

  // " (3 elements are refused: 4, 7, 9)", or nothing where it is one alone; ten are listed at most.
  [[gnu::cold, gnu::noinline]] std::string list() const
  {
    constexpr index_t most = 10;
    formatted first;
    index_t count = 0;
    for (std::size_t e = 0; e < refused_.size(); ++e)
      if (refused_[e] != 0 && count++ < most) first.add("%s%lld", count == 1 ? "" : ", ", static_cast<long long>(e));
    if (count < 2) return {};
    return formatted(" (%lld elements are refused: %s%s)", static_cast<long long>(count), first.c_str(),
                     count > most ? ", ..." : "");
  }

private:
  own_vector<std::uint8_t> refused_;
};

}  // namespace sumfac::detail
