// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The wave equation by PETSc's time steps: mpirun -n 4 wave_petsc -ts_monitor -ts_type rk -ts_rk_type 4
//
// u'' = div grad u on the unit cube, u = 0 on its surface. With the nodes as points of the quadrature the mass matrix
// is diagonal, so that a step needs applications of the stiffness alone.
#include <sumfac/interop/mpi_space.hpp>
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

// Which swings with the frequency sqrt(3) pi.
double standing_wave(sumfac::vector<double, 3> const& at)
{
  double u = 1;
  for (int d = 0; d < 3; ++d) u *= std::sin(std::numbers::pi * at[d]);
  return u;
}

PetscErrorCode solve(MPI_Comm comm, int cells, double& greatest)
{
  int processes = 1;
  MPI_Comm_size(comm, &processes);
  sumfac::host const backend;
  sumfac::mesh const cube = sumfac::box_mesh({cells, cells, cells});
  sumfac::function_space const V{cube, order, cube.boundary()};
  std::vector<int> process;                                                    // of each element: slabs along z
  for (sumfac::index_t e = 0; e < cube.elements(); ++e) process.push_back(int(e * processes / cube.elements()));
  sumfac::mpi::space_part const part{comm, V, process};
  stiffness const A{backend, part.mesh_nodes()};
  mass const M{backend, part.mesh_nodes()};
  auto const R = part.restriction(backend, {.rows = sumfac::constrained_rows::zero});  // what is 0 stays 0
  auto const everywhere = part.unconstrained(backend);
  // [diagonal]
  sumfac::global_operator const K(A, R, part.halo());
  sumfac::global_operator const all_M(M, everywhere, part.halo());
  std::vector<double> diagonal(std::size_t(K.size()));
  all_M.diagonal(diagonal);                                                    // M is that: nodes are its points
  // [diagonal]

  std::vector<double> const first = part.owned(V.values(standing_wave));
  Vec state = nullptr;
  PetscCall(VecCreateMPI(comm, PetscInt(2 * K.size()), PETSC_DETERMINE, &state));
  {
    sumfac::petsc::write_array const entries(state);
    std::fill_n(std::copy(first.begin(), first.end(), entries.view().data()), first.size(), 0.0);
  }
  // [steps]
  wave<decltype(K)> system{K, diagonal};
  sumfac::chebyshev_smoother const by_mass(K, sumfac::jacobi{backend, diagonal});
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
