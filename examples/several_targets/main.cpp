// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Takes the code for the processor that it runs on, and computes the volume of some cubes.
#include "mass.hpp"

#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

mass::~mass() = default;

namespace {

struct choice {
  char const* name;
  mass_maker make;
};

// [choose]
choice best_of_processor()
{
  bool const fma = __builtin_cpu_supports("fma");
  if (fma && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return {"avx512", make_mass_avx512};
  if (fma && __builtin_cpu_supports("avx2")) return {"avx2", make_mass_avx2};
  return {"x86_64", make_mass_x86_64};
}
// [choose]

}  // namespace

int main()
{
  constexpr int elements = 20;
  std::vector<double> vertices;  // unit cubes in a row
  for (int e = 0; e < elements; ++e)
    for (int vertex = 0; vertex < 8; ++vertex)
      for (int d = 0; d < 3; ++d) vertices.push_back((vertex >> d) % 2 + (d == 0 ? e : 0));
  std::vector<double> u(elements * 125, 1.0), v(elements * 125);

  choice const best = best_of_processor();
  std::unique_ptr<mass> const M(best.make(vertices.data(), elements));
  M->apply(u.data(), v.data());
  double volume = 0;
  for (double const x : v) volume += x;
  std::printf("%s: the volume is %.12g (%d expected)\n", best.name, volume, elements);
  return std::abs(volume - elements) < 1e-10 * elements ? 0 : 1;
}
