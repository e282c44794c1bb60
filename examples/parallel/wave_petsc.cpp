// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The wave equation by PETSc's time steps: mpirun -n 4 wave_petsc -ts_monitor -ts_type rk -ts_rk_type 4
//
// u'' = div grad u on the unit cube, u = 0 on its surface. With the nodes as points of the quadrature the mass matrix
// is diagonal, so that a step needs applications of the stiffness alone.
#include "slab_views.hpp"

#include <sumfac/interop/petsc.hpp>
#include <sumfac/sumfac.hpp>

#include <petscts.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace {

constexpr int order = 4;

using stiffness = sumfac::bp5<order>;
using mass = sumfac::element_operator<sumfac::mass, order, sumfac::gauss_lobatto<order + 1>>;

// (u, v)' = (v, -M^-1 K u): a Vec has this process' entries of u, then those of v.
template <class Matrix>
struct wave {
  Matrix const& K;
  std::vector<double> const& diagonal;  // of M

  static PetscErrorCode rate(TS ts, PetscReal, Vec state, Vec result, void* context)
  {
    PetscFunctionBeginUser;
    auto const& self = *static_cast<wave const*>(context);
    try {
      auto const n = self.K.size();
      sumfac::petsc::read_array const from(state);
      sumfac::petsc::write_array const to(result);
      auto const *u = from.view().data(), *v = u + n;
      auto *u_rate = to.view().data(), *v_rate = u_rate + n;
      using vector = sumfac::view<double, sumfac::dextents<1>>;
      self.K.apply(sumfac::view<double const, sumfac::dextents<1>>(u, n), vector(v_rate, n));
      for (sumfac::index_t i = 0; i < n; ++i) {
        u_rate[i] = v[i];
        v_rate[i] /= -self.diagonal[std::size_t(i)];
      }
    } catch (std::exception const& e) {
      SETERRQ(PetscObjectComm(reinterpret_cast<PetscObject>(ts)), PETSC_ERR_LIB, "%s", e.what());
    }
    PetscFunctionReturn(0);
  }
};

// sin(pi x) sin(pi y) sin(pi z), which swings with the frequency sqrt(3) pi.
std::vector<double> standing_wave(slabs const& mesh)
{
  std::vector<double> cell, u;
  for (auto const x : sumfac::gauss_lobatto<order + 1>::nodes) cell.push_back((double(x) + 1) / 2);
  for (std::int64_t node = 0; node < mesh.owned; ++node) {
    double value = mesh.boundary[std::size_t(node)] != 0 ? 0 : 1;
    for (int d = 0; d < 3; ++d) value *= std::sin(std::numbers::pi * mesh.coordinate(node, d, cell));
    u.push_back(value);
  }
  return u;
}

PetscErrorCode solve(MPI_Comm comm, int cells, double& greatest)
{
  int rank = 0, processes = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &processes);
  slabs const mesh(order, cells, rank, processes);
  sumfac::host const backend;
  stiffness const A{backend, nodes_of(mesh)};
  mass const M{backend, nodes_of(mesh)};
  auto const zero = sumfac::constrained_rows::zero;                            // what is 0 stays 0
  sumfac::restriction const R{backend, table_of<order>(mesh), mesh.nodes(), vector_of(mesh.boundary), {.rows = zero}};
  sumfac::restriction const everywhere{backend, table_of<order>(mesh), mesh.nodes()};
  std::vector<std::int64_t> const ghosts = ghost_numbers(mesh);
  // [diagonal]
  sumfac::petsc::halo const halo(comm, mesh.owned, vector_of(ghosts));
  sumfac::global_operator const K(A, R, halo);
  sumfac::global_operator const all_M(M, everywhere, halo);
  std::vector<double> diagonal(std::size_t(mesh.owned));
  all_M.diagonal(vector_of(diagonal));                                         // M is that: nodes are its points
  // [diagonal]

  std::vector<double> const first = standing_wave(mesh);
  Vec state = nullptr;
  PetscCall(VecCreateMPI(comm, PetscInt(2 * mesh.owned), PETSC_DETERMINE, &state));
  {
    sumfac::petsc::write_array const entries(state);
    std::fill_n(std::copy(first.begin(), first.end(), entries.view().data()), first.size(), 0.0);
  }
  // [steps]
  wave<decltype(K)> system{K, diagonal};
  sumfac::chebyshev_smoother const by_mass(K, sumfac::jacobi{backend, vector_of(diagonal)});
  double const end = 0.5, longest = 2.5 / std::sqrt(by_mass.largest());        // that Runge's and Kutta's steps bear
  TS ts = nullptr;
  TSAdapt adapt = nullptr;
  PetscCall(TSCreate(comm, &ts));
  PetscCall(TSSetRHSFunction(ts, nullptr, system.rate, &system));
  PetscCall(TSSetType(ts, TSRK));
  PetscCall(TSRKSetType(ts, TSRK4));
  PetscCall(TSGetAdapt(ts, &adapt));
  PetscCall(TSAdaptSetType(adapt, TSADAPTNONE));
  PetscCall(TSSetTimeStep(ts, end / std::ceil(end / longest)));
  PetscCall(TSSetMaxTime(ts, end));
  PetscCall(TSSetExactFinalTime(ts, TS_EXACTFINALTIME_MATCHSTEP));
  PetscCall(TSSetFromOptions(ts));
  PetscCall(TSSolve(ts, state));
  // [steps]

  double error = 0;
  {
    sumfac::petsc::read_array const entries(state);
    for (std::size_t i = 0; i < first.size(); ++i)
      error = std::max(error, std::abs(entries.view()(sumfac::index_t(i)) -
                                       first[i] * std::cos(std::sqrt(3.0) * std::numbers::pi * end)));
  }
  MPI_Allreduce(&error, &greatest, 1, MPI_DOUBLE, MPI_MAX, comm);
  PetscInt steps = 0;
  TSType type = nullptr;
  PetscCall(TSGetStepNumber(ts, &steps));
  PetscCall(TSGetType(ts, &type));
  PetscCall(PetscPrintf(comm, "%2d^3 elements of degree %d, %d processes, TS %s: error %.2e after %d steps\n", cells,
                        order, processes, type, greatest, int(steps)));
  PetscCall(TSDestroy(&ts));
  PetscCall(VecDestroy(&state));
  return 0;
}

}  // namespace

int main(int argc, char** argv)
{
  PetscCall(PetscInitialize(&argc, &argv, nullptr, nullptr));
  double coarse = 1, fine = 1;
  PetscCallAbort(PETSC_COMM_WORLD, solve(PETSC_COMM_WORLD, 2, coarse));
  PetscCallAbort(PETSC_COMM_WORLD, solve(PETSC_COMM_WORLD, 4, fine));
  PetscCall(PetscFinalize());
  return std::log2(coarse / fine) > 3.5 ? 0 : 1;  // the steps are of order 4
}
