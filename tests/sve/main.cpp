// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators in registers of SVE and of NEON, in one program: the same results to rounding.
#include "numbers.hpp"

#include <cmath>
#include <cstdio>

SVE_DECLARE(neon)
SVE_DECLARE(fixed)

// usage: main BITS, those of the registers that the part `fixed` was compiled for
int main(int count, char** words)
{
  static sve::numbers neon, fixed;
  sve::compute_neon(neon);
  sve::compute_fixed(fixed);
  int problems = 0;
  auto const expect = [&](bool fits, char const* what, double expected, double got) {
    if (fits) return;
    if (++problems < 10) std::printf("%s (expected %.17g, got %.17g)\n", what, expected, got);
  };
  int bits = 0;
  if (count != 2 || std::sscanf(words[1], "%d", &bits) != 1) return std::puts("usage: main BITS"), 2;
  expect(neon.register_bits == 128, "bits of NEON's register", 128, neon.register_bits);
  expect(fixed.register_bits == bits, "bits of SVE's register", bits, fixed.register_bits);
  expect(neon.count > 1000 && neon.count < sve::most_numbers, "numbers to compare", 1000, neon.count);
  expect(neon.count == fixed.count, "as many numbers", neon.count, fixed.count);
  int alike = 0;
  double largest = 0;
  for (int i = 0; i < neon.count; ++i) largest = std::fmax(largest, std::fabs(neon.value[i]));
  for (int i = 0; i < neon.count; ++i) {
    double const off = std::fabs(neon.value[i] - fixed.value[i]);
    expect(off <= 16 * neon.rounding[i] * largest, "a number as NEON's", neon.value[i], fixed.value[i]);
    alike += off == 0;
  }
  expect(largest > 0.1, "numbers that are not 0", 0.1, largest);

  double from[5 * 32], to_neon[6 * 32], to_fixed[6 * 32];
  int const lanes = bits / 64;
  for (int i = 0; i < 5 * lanes; ++i) from[i] = std::sin(i);
  sumfac_pencil_fixed(from, to_fixed);
  for (int lane = 0; lane < lanes; lane += 2) {  // two lanes at a time
    double line[5 * 2];
    for (int i = 0; i < 5; ++i) line[2 * i] = from[i * lanes + lane], line[2 * i + 1] = from[i * lanes + lane + 1];
    sumfac_pencil_neon(line, to_neon);
    for (int q = 0; q < 6; ++q)
      for (int l = 0; l < 2; ++l)
        expect(std::fabs(to_neon[2 * q + l] - to_fixed[q * lanes + lane + l]) < 1e-15, "a pencil as NEON's",
               to_neon[2 * q + l], to_fixed[q * lanes + lane + l]);
  }
  std::printf("%d numbers, %d of them the same bits, %d problems\n", neon.count, alike, problems);
  return problems == 0 ? 0 : 1;
}
