// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What others have published of solves on one device: where, on which card, and how it is counted.
#pragma once

#include <vector>

namespace sumfac::bench {

// A rate that was published, and the bytes a second that the memory of its card moves by its data sheet.
struct published_figure {
  char const* configuration;  // of all that are listed, as options name it
  char const* what;
  double rate;
  char const* unit;
  char const* card;
  double pins;
  char const* source;
};

// DoF: all nodes of the mesh, those on the boundary too; of nekRS E N^3. A product's and an iteration's rate is DoF
// over its seconds, a solve's DoF over the seconds of all of it.
//
// q3, q6: 1000 iterations from x = 0 in one clock, of 16 GH200 with 300 and 500 million unknowns each, of 8 dies of an
// MI250X with 200 and 350 million. bp3: the least of 10 solves over its iterations, of 5 times 50 products. bp5, bps5:
// the least of 10 and 20 solves, each behind one that is not timed.
inline std::vector<published_figure> const& published_figures()
{
  static char const *const dolfinx = "UK NNSS benchmark-dolfinx", *const dealii = "dealii-X benchmarks, CEED_bp",
                           *const nek = "nekRS, examples/kershaw";
  static char const *const gh200 = "GH200 96 GB", *const gcd = "MI250X, one die", *const a100 = "A100";
  constexpr double of_gh200 = 4.0e12, of_gcd = 1.638e12, of_a100 = 1.555e12;
  static std::vector<published_figure> const all{
      {"q3", "iteration", 4.019e9, "GDoF/s", gh200, of_gh200, dolfinx},
      {"q3", "iteration", 4.061e9, "GDoF/s", gcd, of_gcd, dolfinx},
      {"q6", "iteration", 6.250e9, "GDoF/s", gh200, of_gh200, dolfinx},
      {"q6", "iteration", 5.689e9, "GDoF/s", gcd, of_gcd, dolfinx},
      {"bp3", "product", 7.198e9, "GDoF/s", gh200, of_gh200, dealii},
      {"bp3", "iteration", 6.050e9, "GDoF/s", gh200, of_gh200, dealii},
      {"bp5", "iteration", 3.87e9, "GDoF/s", a100, of_a100, nek},
      {"bp5", "iteration", 3.07e9, "GDoF/s", gcd, of_gcd, nek},
      {"bps5", "solve", 13.9e6, "MDoF/s", a100, of_a100, nek},
      {"bps5", "solve", 9.82e6, "MDoF/s", gcd, of_gcd, nek},
  };
  return all;
}

}  // namespace sumfac::bench
