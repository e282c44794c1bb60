// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Asks each part that this processor can run for its numbers: the right ones, and the same in all.
#include "part.hpp"

#include <sumfac/error.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>

PARTS_DECLARE(x86_64)
PARTS_DECLARE(avx2)
PARTS_DECLARE(native)

namespace {

struct target {
  char const* name;
  bool runs;
  parts::part compute;
  parts::refusal refuse;
};

int problems = 0;

void expect(bool fits, char const* name, char const* what, double expected, double got)
{
  if (fits) return;
  std::printf("%s: %s (expected %.15g, got %.15g)\n", name, what, expected, got);
  ++problems;
}

bool near(double a, double b)
{
  return std::fabs(a - b) <= 1e-6 * std::fabs(b) + 1e-12;  // some parts compute in float
}

// The contraction of part.cpp, summed over all that it writes.
double sum_of_contraction()
{
  double sum = 0;
  for (int c = 0; c < 5; ++c)
    for (int p = 0; p < 8; ++p) {
      double left = 0, right = 0;
      for (int l = 0; l < 6; ++l) left += ((c * 6 + l) * 8 + p) % 7;
      for (int r = 0; r < 7; ++r) right += ((c * 7 + r) * 8 + p) % 5;
      sum += left * right;
    }
  return sum;
}

// 1' A 1 is the volume for the mass and lambda, by default 0.1, times that for the stiffness; the solves are of one
// system; elements come back from their order.
void check_known(char const* name, double const* numbers)
{
  constexpr double volumes[5] = {1, 0.5, 0.25, 1, 0.1};
  for (int i = 0; i < 5; ++i)
    expect(std::fabs(numbers[2 * i] - volumes[i]) < 1e-5, name, "1' A 1", volumes[i], numbers[2 * i]);
  expect(near(numbers[11], numbers[12]), name, "cg and merged_cg differ", numbers[11], numbers[12]);
  expect(near(numbers[11], numbers[13]), name, "other numbers of nodes, another solution", numbers[11], numbers[13]);
  expect(numbers[11] > 0, name, "no solution", 1, numbers[11]);
  expect(numbers[17] == 0, name, "entries that did not come back", 0, numbers[17]);
  for (int i = 19; i < 21; ++i)
    expect(numbers[i] == sum_of_contraction(), name, "the contraction's sum", sum_of_contraction(), numbers[i]);
}

// An exception of one target's is caught as what it is.
void check_refusal(target const& t)
{
  try {
    t.refuse();
  } catch (sumfac::argument_error const& error) {
    if (std::strstr(error.what(), "sumfac::") != nullptr) return;
  }
  expect(false, t.name, "no argument_error", 1, 0);
}

}  // namespace

// usage: main [TARGET...], all that this processor can run without a name
int main(int count, char** names)
{
  bool const avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  target const targets[] = {
      {"x86_64", true, parts::compute_x86_64, parts::refuse_x86_64},
      {"avx2", avx2, parts::compute_avx2, parts::refuse_avx2},
      {"native", true, parts::compute_native, parts::refuse_native},
  };
  double first[parts::most_numbers];
  int of_first = 0;
  for (target const& t : targets) {
    bool asked = count == 1;
    for (int i = 1; i < count; ++i) asked = asked || std::strcmp(names[i], t.name) == 0;
    if (!asked || !t.runs) continue;
    double numbers[parts::most_numbers];
    int const size = t.compute(numbers);
    check_known(t.name, numbers);
    check_refusal(t);
    if (of_first == 0) std::memcpy(first, numbers, sizeof numbers), of_first = size;
    expect(size == of_first, t.name, "as many numbers as the first part", of_first, size);
    for (int i = 0; i < size; ++i)
      expect(near(numbers[i], first[i]), t.name, "as the first part", first[i], numbers[i]);
    std::printf("%s: %d numbers\n", t.name, size);
  }
  if (of_first == 0) std::printf("no part ran\n");
  return problems == 0 && of_first > 0 ? 0 : 1;
}
