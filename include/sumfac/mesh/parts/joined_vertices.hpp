// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Which of some points are one: those no further apart than a tolerance.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>

#include <cstddef>
#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

// Numbers points in the order in which they come; known ones are looked up by the cell of a grid that they lie in.
template <int Coordinates>
class joined_points {
public:
  joined_points(index_t most, double tolerance) : tolerance_(tolerance), cell_(4 * tolerance)
  {
    std::size_t size = 16;
    while (size < 2 * static_cast<std::size_t>(most)) size *= 2;
    slots_ = own_vector<std::int32_t>(size, -1);
  }

  std::uint32_t number(double const* x)
  {
    if (index_t const known = find(x); known >= 0) return static_cast<std::uint32_t>(known);
    std::int64_t here[Coordinates];
    for (int c = 0; c < Coordinates; ++c) here[c] = static_cast<std::int64_t>(__builtin_floor(x[c] / cell_));
    std::size_t at = slot(here);
    while (slots_[at] >= 0) at = next(at);
    slots_[at] = static_cast<std::int32_t>(count_++);
    for (int c = 0; c < Coordinates; ++c) points_.push_back(x[c]);
    return static_cast<std::uint32_t>(slots_[at]);
  }
  // The number of a known one that is near, or -1.
  index_t find(double const* x) const
  {
    // A point that is near enough lies in the same cell or, along each coordinate, in the one that x is nearer to.
    std::int64_t here[Coordinates], there[Coordinates];
    for (int c = 0; c < Coordinates; ++c) {
      double const at = __builtin_floor(x[c] / cell_);
      here[c] = static_cast<std::int64_t>(at);
      there[c] = here[c] + (x[c] / cell_ - at < 0.5 ? -1 : 1);
    }
    for (int corner = 0; corner < 1 << Coordinates; ++corner) {
      std::int64_t cell[Coordinates];
      for (int c = 0; c < Coordinates; ++c) cell[c] = corner >> c & 1 ? there[c] : here[c];
      for (std::size_t at = slot(cell); slots_[at] >= 0; at = next(at))
        if (is_near(x, slots_[at])) return slots_[at];
    }
    return -1;
  }
  index_t count() const { return count_; }

private:
  std::size_t next(std::size_t at) const { return (at + 1) & (slots_.size() - 1); }
  std::size_t slot(std::int64_t const* cell) const
  {
    std::uint64_t hash = 0;
    for (int c = 0; c < Coordinates; ++c) {
      hash = (hash ^ static_cast<std::uint64_t>(cell[c])) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 29;
    }
    return static_cast<std::size_t>(hash) & (slots_.size() - 1);
  }
  bool is_near(double const* x, std::int32_t point) const
  {
    double square = 0;
    for (int c = 0; c < Coordinates; ++c) {
      double const apart = x[c] - points_[static_cast<std::size_t>(point * Coordinates + c)];
      square += apart * apart;
    }
    return square <= tolerance_ * tolerance_;
  }

  double tolerance_, cell_;
  index_t count_ = 0;
  own_vector<std::int32_t> slots_;
  own_vector<double> points_;
};

}  // namespace sumfac::detail
