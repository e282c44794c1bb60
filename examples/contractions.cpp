// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Element matrices by one of Intrepid's contractions, as plain loops and as a call.

#include <sumfac/intrepid/contractions.hpp>
#include <sumfac/view/view.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

// [before]
void contract_by_loops(int C, int L, int R, int P, double* output, double const* left, double const* right)
{
  for (int c = 0; c < C; ++c)
    for (int l = 0; l < L; ++l)
      for (int r = 0; r < R; ++r) {
        double sum = 0;
        for (int p = 0; p < P; ++p) sum += left[(c * L + l) * P + p] * right[(c * R + r) * P + p];
        output[(c * L + l) * R + r] = sum;
      }
}

// [after]
void contract_by_sumfac(int C, int L, int R, int P, double* output, double const* left, double const* right)
{
  sumfac::intrepid::contractFieldFieldScalar(sumfac::host{}, sumfac::view(output, C, L, R),
                                             sumfac::view(left, C, L, P), sumfac::view(right, C, R, P));
}

}  // namespace

int main()
{
  int const C = 1000, L = 16, R = 16, P = 27;
  std::vector<double> left(C * L * P), right(C * R * P), loops(C * L * R), sums(C * L * R);
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = std::sin(double(i)), right[i] = std::cos(double(i));
  contract_by_loops(C, L, R, P, loops.data(), left.data(), right.data());
  contract_by_sumfac(C, L, R, P, sums.data(), left.data(), right.data());
  double worst = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) worst = std::fmax(worst, std::fabs(sums[i] - loops[i]));
  std::printf("largest difference of %d sums: %.1e\n", C * L * R, worst);

  // [strategy]
  sumfac::intrepid::contractFieldFieldScalar(sumfac::host{}, sumfac::view(sums.data(), C, L, R),
                                             sumfac::view(left.data(), C, L, P), sumfac::view(right.data(), C, R, P),
                                             true, sumfac::intrepid::tiling<8, 8, 16>{});
  // [end]
  return worst < 1e-12 ? 0 : 1;
}
