// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator on an NVIDIA GPU: on a stream of the caller's, and in a graph.
#include <sumfac/backend/cuda.hpp>
#include <sumfac/operator/bake_off.hpp>

#include <cstdio>
#include <vector>

int main()
{
  // [device]
  constexpr int elements = 1;
  std::vector<double> const corners{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
  sumfac::view<double const, sumfac::extents<elements, 2, 2, 2, 3>> const nodes(corners.data());  // host memory

  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  sumfac::cuda const backend(stream);
  sumfac::bp3<3, sumfac::cuda> const A(backend, nodes, {.lambda = 0.1});

  constexpr int size = elements * 4 * 4 * 4;
  sumfac::buffer<double, sumfac::cuda> u(backend, size), v(backend, size);  // or pointers of your own
  using e_vector = sumfac::extents<elements, 4, 4, 4>;
  A.apply(sumfac::view<double const, e_vector>(u.data()), sumfac::view<double, e_vector>(v.data()));  // returns at once
  backend.synchronize();
  // [device]

  // [tuned]
  constexpr sumfac::tuning in_slices{.way = sumfac::variant::slices, .planes = 3, .resident_teams = 4};
  using points = sumfac::gauss<5>;
  using tuned = sumfac::element_operator<sumfac::stiffness, 3, points, sumfac::cuda, sumfac::tuned<in_slices>>;
  tuned const B(backend, nodes);
  // [tuned]
  std::printf("%s: %lld flops\n", backend.name().c_str(), static_cast<long long>(A.work().flops + B.work().flops));
}
