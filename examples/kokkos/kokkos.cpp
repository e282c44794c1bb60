// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator's element kernel inside a kernel of Kokkos': v <- A u, and the residual b - v, in one launch of a
// TeamPolicy on views of Kokkos'.
#include <sumfac/interop/kokkos.hpp>
#include <sumfac/operator/apply_element.hpp>
#include <sumfac/operator/bake_off.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace app {

// [residual]
// On the host one thread works a register's worth of elements; in Kokkos' CUDA space take sumfac::cuda, and as many
// threads as decltype(part)::threads.
using backend = sumfac::host;
constexpr int order = 3, n = order + 1, threads = 1;
using e_vector = Kokkos::View<double* [n][n][n], Kokkos::LayoutRight>;

void residual(sumfac::bp3<order, backend> const& A, e_vector const& u, e_vector const& b, e_vector const& v)
{
  auto const part = sumfac::device::part_of(A, sumfac::from_kokkos(u), sumfac::from_kokkos(v));
  using type = decltype(part);
  Kokkos::TeamPolicy<> policy(static_cast<int>(part.groups), threads);
  policy.set_scratch_size(0, Kokkos::PerTeam(type::scratch_bytes + type::scratch_alignment));
  Kokkos::parallel_for(policy, KOKKOS_LAMBDA(Kokkos::TeamPolicy<>::member_type const& team) {
    int const group = team.league_rank();
    void* const memory = team.team_shmem().get_shmem_aligned(type::scratch_bytes, type::scratch_alignment);
    sumfac::device::apply_element<threads>(team, part, memory, group);

    int const begin = group * type::elements, end = begin + type::elements, last = static_cast<int>(v.extent(0));
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, begin, end < last ? end : last), [&](int e) {
      for (int i = 0; i < n * n * n; ++i) (&v(e, 0, 0, 0))[i] = (&b(e, 0, 0, 0))[i] - (&v(e, 0, 0, 0))[i];
    });
  });
}
// [residual]

}  // namespace app

int main()
{
  using namespace app;
  Kokkos::ScopeGuard const kokkos;
  constexpr int elements = 11;
  std::vector<double> corners;
  for (int e = 0; e < elements; ++e)
    for (int corner = 0; corner < 8; ++corner)
      corners.insert(corners.end(), {e + corner % 2 * 1.0, corner / 2 % 2 * 1.0, corner / 4 * 1.0});
  sumfac::view<double const, sumfac::extents<elements, 2, 2, 2, 3>> const nodes(corners.data());
  sumfac::bp3<order, backend> const A({}, nodes, {.lambda = 2});

  // Of u = 1 the gradient is 0, and the sum of A u is lambda times the volume.
  e_vector const u("u", elements), b("b", elements), v("v", elements);
  Kokkos::deep_copy(u, 1);
  residual(A, u, b, v);
  double sum = 0;
  for (int i = 0; i < elements * n * n * n; ++i) sum -= v.data()[i];
  std::printf("sum of A 1: %.12f, lambda times the volume: %d\n", sum, 2 * elements);
  return std::abs(sum - 2 * elements) <= 1e-12 * elements ? 0 : 1;
}
