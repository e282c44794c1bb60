// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator's element kernel inside a CUDA kernel of one's own: a step of Richardson's iteration, v <- A u and
// u' = u + omega (b - v), in one launch.
#include <sumfac/backend/cuda.hpp>
#include <sumfac/operator/apply_element.hpp>
#include <sumfac/operator/bake_off.hpp>

#include <cstdio>
#include <vector>

// [kernel]
template <class Part>
__global__ void __launch_bounds__(Part::threads, Part::resident_teams)
    step(__grid_constant__ Part const A, double const* u, double const* b, double* v, double omega, int numbers)
{
  __shared__ typename Part::scratch scratch;
  sumfac::device::apply_element(sumfac::device::block_of<Part::threads>{}, A, &scratch, blockIdx.x);

  // What apply_element() wrote is seen here, by all threads of the block.
  int const size = Part::elements * 4 * 4 * 4, first = static_cast<int>(blockIdx.x) * size;
  for (int i = first + static_cast<int>(threadIdx.x); i < first + size && i < numbers; i += Part::threads)
    v[i] = u[i] + omega * (b[i] - v[i]);
}
// [kernel]

int main()
{
  constexpr int elements = 1, numbers = elements * 4 * 4 * 4;
  std::vector<double> const corners{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
  sumfac::view<double const, sumfac::extents<elements, 2, 2, 2, 3>> const nodes(corners.data());
  sumfac::cuda const backend;
  sumfac::bp3<3, sumfac::cuda> const A(backend, nodes, {.lambda = 0.1});
  sumfac::buffer<double, sumfac::cuda> u(backend, numbers), b(backend, numbers), v(backend, numbers);

  // [launch]
  using e_vector = sumfac::extents<elements, 4, 4, 4>;
  auto const part = sumfac::device::part_of(A, sumfac::view<double const, e_vector>(u.data()),
                                            sumfac::view<double, e_vector>(v.data()));
  using type = decltype(part);
  step<<<static_cast<unsigned>(part.groups), type::threads, 0, backend.stream()>>>(part, u.data(), b.data(), v.data(),
                                                                                 0.5, numbers);
  // [launch]
  backend.synchronize();
  std::printf("%d groups of %d elements\n", static_cast<int>(part.groups), type::elements);
}
