// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What an element kernel exchanges with memory: vectors, from one part, and the form's factors, from another.
#pragma once

#include <sumfac/config.hpp>

namespace sumfac {

// Any way to read u and write v beside any way to come by the form's factors; kernels call the members of both.
//
// Either part says how many cache lines of it a group needs (`lines_ahead`, 0 where nothing is to be asked for early)
// and where they begin (`ahead_of(group)`, null where the memory needs no help).
template <class Vectors, class Factors>
struct exchange : Vectors, Factors {
  static constexpr int lines_ahead = Vectors::lines_ahead + Factors::lines_ahead;

  // Asks memory for the u of the next group and for factors a good way ahead, a share at each of Steps steps, so that
  // the memory works while a group is computed with.
  template <int Steps>
  class ahead {
  public:
    SUMFAC_INLINE ahead(char const* vectors, char const* factors)
        : at_(vectors), factors_(factors), rest_(Vectors::lines_ahead)
    {
    }

    SUMFAC_INLINE void step()
    {
      if (at_ == nullptr) return;
      for (int i = 0; i < share; ++i) __builtin_prefetch(at_ + i * line, 0, 2);
      at_ += share * line;
      rest_ -= share;
      if (rest_ <= 0) at_ = factors_, rest_ = lines_ahead;
    }

  private:
    static constexpr int line = 64;
    static constexpr int share = (lines_ahead + Steps - 1) / Steps;

    char const* at_;
    char const* factors_;
    int rest_;
  };

  template <int Steps>
    requires(lines_ahead == 0)
  class ahead<Steps> {
  public:
    SUMFAC_INLINE ahead(char const*, char const*) {}
    SUMFAC_INLINE void step() const {}
  };

  template <int Steps>
  SUMFAC_INLINE ahead<Steps> look_ahead(index_t group) const
  {
    if constexpr (lines_ahead == 0)
      return {nullptr, nullptr};
    else if (char const* const vectors = Vectors::ahead_of(group))
      return {vectors, Factors::ahead_of(group)};
    else
      return {nullptr, nullptr};
  }
};

}  // namespace sumfac
