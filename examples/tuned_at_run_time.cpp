// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Tuning at run time: the fastest of several operators that do the same, chosen once for a machine and kept in a file.
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/tools/tune.hpp>

#include <cstdio>
#include <vector>

int main()
{
  constexpr int elements = 64;
  std::vector<double> corners;
  for (int e = 0; e < elements; ++e)
    for (int corner = 0; corner < 8; ++corner)
      corners.insert(corners.end(), {e + corner % 2 * 1.0, corner / 2 % 2 * 1.0, corner / 4 * 1.0});
  sumfac::view<double const, sumfac::extents<elements, 2, 2, 2, 3>> const nodes(corners.data());

  // [tune]
  sumfac::host const backend;  // or sumfac::cuda, sumfac::hip
  auto const A = sumfac::tune<sumfac::bp3<3>>(backend, nodes, {.lambda = 0.1}, {.cache = "sumfac_tunings"});

  std::vector<double> u(elements * 64, 1.0), v(u.size());
  using e_vector = sumfac::extents<elements, 4, 4, 4>;
  A.apply(sumfac::view<double const, e_vector>(u.data()), sumfac::view<double, e_vector>(v.data()));
  for (sumfac::tune_trial const& trial : A.trials())  // none where the file had the choice
    std::printf("%s: %.3g us\n", trial.what.c_str(), 1e6 * trial.cost);
  // [tune]
}
