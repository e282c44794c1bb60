// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Random numbers that are the same on every machine and every standard library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace support {

// splitmix64 (Steele, Lea and Flood, OOPSLA 2014).
class generator {
public:
  explicit generator(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits()
  {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // In [-1, 1), a multiple of 2^-23: exact in float, double and long double alike.
  double operator()() { return static_cast<double>(bits() >> 40) * 0x1p-23 - 1; }

private:
  std::uint64_t state_;
};

// `size` of them.
template <class T>
std::vector<T> random(std::size_t size, std::uint64_t seed)
{
  generator next(seed);
  std::vector<T> result(size);
  for (T& x : result) x = static_cast<T>(next());
  return result;
}

}  // namespace support
