// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// PETSc from before a test's main to behind it, and an operator's share with a halo of PETSc's and vectors.
#pragma once

#include "petsc_processes.hpp"
#include "shares.hpp"

#include <support/larger.hpp>

#include <sumfac/dofs/restriction.hpp>
#include <sumfac/interop/petsc.hpp>
#include <sumfac/operator/global_operator.hpp>

#include <cmath>
#include <vector>

namespace {

using namespace shares;
using sumfac::index_t;

petsc_processes const world;

// A Vec of the entries of owned nodes, and its greatest difference from such.
Vec vec_of(std::vector<double> const& own)
{
  Vec v = nullptr;
  ok(VecCreateMPI(PETSC_COMM_WORLD, static_cast<PetscInt>(own.size()), PETSC_DETERMINE, &v));
  sumfac::petsc::write_array const entries(v);
  for (index_t i = 0; i < entries.view().extent(0); ++i) entries.view()(i) = own[static_cast<std::size_t>(i)];
  return v;
}
double difference_of(Vec v, std::vector<double> const& own)
{
  sumfac::petsc::read_array const entries(v);
  double most = 0;
  for (index_t i = 0; i < entries.view().extent(0); ++i)
    most = support::larger(most, std::abs(entries.view()(i) - own[static_cast<std::size_t>(i)]));
  return greatest(most);
}

// An operator's share, its halo by PETSc, and vectors of the whole mesh as Vecs.
template <class Operator>
struct with_petsc {
  with_petsc(way how, sumfac::restriction_options const& options = {}, box_of const& box = {},
             std::size_t equations = 0)
      : p(how, world.rank, world.count, options, {}, box, equations),
        ghosts(consecutive_ghosts(p.all_numbers, p.s, how, world.count)),
        halo(PETSC_COMM_WORLD, p.s.owned, vector_of(ghosts)),
        whole(p.A_all, p.R_all)
  {
  }
  Vec vec(std::vector<double> const& all) const { return vec_of(p.owned(all)); }
  double difference(Vec v, std::vector<double> const& all) const { return difference_of(v, p.owned(all)); }

  problem<Operator> p;
  std::vector<std::int64_t> ghosts;
  sumfac::petsc::halo halo;
  sumfac::global_operator<Operator, sumfac::restriction<double>> whole;
};

double size_of(std::vector<double> const& x)
{
  double most = 0;
  for (double const y : x) most = support::larger(most, std::abs(y));
  return most;
}

}  // namespace
