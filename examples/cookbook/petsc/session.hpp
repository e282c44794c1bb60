// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the recipes with PETSc share: its beginning and end, and vectors of one process as Vecs of the same entries.
#pragma once

#include "../recipe.hpp"

#include <sumfac/interop/petsc.hpp>

#include <petscksp.h>

// PETSc from here to the end of the scope, or SLEPc by its Begin and End, with options that a command line may change.
template <auto Begin = PetscInitialize, auto End = PetscFinalize>
struct session {
  session(int argc, char** argv, char const* options)
  {
    PetscCallAbort(PETSC_COMM_SELF, Begin(&argc, &argv, nullptr, nullptr));
    PetscCallAbort(PETSC_COMM_SELF, PetscOptionsInsertString(nullptr, options));
    PetscCallAbort(PETSC_COMM_SELF, PetscOptionsInsert(nullptr, &argc, &argv, nullptr));
  }
  session(session const&) = delete;
  session& operator=(session const&) = delete;
  ~session() { End(); }
};

// The entries of a vector as a Vec, which shares them.
class shared_vec {
public:
  explicit shared_vec(std::vector<double>& x)
  {
    auto const size = static_cast<PetscInt>(x.size());
    PetscCallAbort(PETSC_COMM_SELF, VecCreateSeqWithArray(PETSC_COMM_SELF, 1, size, x.data(), &vec_));
  }
  shared_vec(shared_vec const&) = delete;
  shared_vec& operator=(shared_vec const&) = delete;
  ~shared_vec() { VecDestroy(&vec_); }

  operator Vec() const { return vec_; }

private:
  Vec vec_ = nullptr;
};

// One process has all nodes: no ghosts.
inline sumfac::petsc::halo whole(sumfac::index_t nodes)
{
  return {PETSC_COMM_SELF, nodes, sumfac::view<PetscInt const, sumfac::dextents<1>>(nullptr, 0)};
}
