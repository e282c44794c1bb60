// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// PETSc's Mat of an operator on an emulated device: vectors in the host's memory are copied to it and from it.
#include <petscksp.h>  // before HIP is there, for which it wants Thrust

#include "device_part.hpp"

#include <sumfac/backend/hip.hpp>
#include <sumfac/interop/petsc.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/solver/cg.hpp>

#include <catch2/catch.hpp>
#include <interop/petsc_case.hpp>
#include <support/tolerance.hpp>

#include <limits>
#include <vector>

TEST_CASE("a shell of an operator on a device multiplies vectors of the host, and solves with them")
{
  using OnHost = sumfac::bp3<1>;
  for (way const how : {way::scattered, way::last_empty, way::last_idle}) {
    CAPTURE(static_cast<int>(how));
    device_part<OnHost, sumfac::bp3<1, sumfac::hip>> const d(how, world.rank, world.count, {});
    with_petsc<OnHost> const c(how);
    sumfac::petsc::shell const S(d.A, d.R, d.halo, {.symmetric = true});
    auto const x = c.p.random(7);
    std::vector<double> y(x.size()), diagonal(x.size()), z(x.size());
    c.whole.apply(vector_of(x), vector_of(y));
    c.whole.diagonal(vector_of(diagonal));
    double const allowed = 8 * reference::roundings(1) * std::numeric_limits<double>::epsilon() * size_of(diagonal);
    Vec const from = c.vec(x);
    Vec to = nullptr;
    ok(MatCreateVecs(S, nullptr, &to));
    ok(MatMult(S, from, to));
    CHECK(c.difference(to, y) <= allowed);
    ok(MatGetDiagonal(S, to));
    CHECK(c.difference(to, diagonal) <= allowed);
    REQUIRE(sumfac::cg(c.whole, vector_of(x), vector_of(z), {.tolerance = 1e-12}));
    KSP ksp = nullptr;
    PC pc = nullptr;
    ok(KSPCreate(PETSC_COMM_WORLD, &ksp));
    ok(KSPSetType(ksp, KSPCG));
    ok(KSPSetOperators(ksp, S, S));
    ok(KSPGetPC(ksp, &pc));
    ok(PCSetType(pc, PCJACOBI));
    ok(KSPSetTolerances(ksp, 1e-12, 0, PETSC_DEFAULT, 1000));
    ok(KSPSolve(ksp, from, to));
    CHECK(c.difference(to, z) <= 1e-9 * size_of(z));
    ok(KSPDestroy(&ksp));
    for (Vec v : {from, to}) ok(VecDestroy(&v));
  }
}
