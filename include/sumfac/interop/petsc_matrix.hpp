// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The sparse matrix of an operator on a mesh in parts, as a Mat of PETSc's: for PCs that ask for entries.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/interop/detail/petsc_error.hpp>
#include <sumfac/interop/detail/petsc_null_space.hpp>
#include <sumfac/interop/petsc.hpp>
#include <sumfac/solver/assemble.hpp>

#include <petscmat.h>

#include <type_traits>
#include <vector>

namespace sumfac::SUMFAC_TARGET::petsc {

struct assembled_options {
  bool symmetric = false;                  // whether the form is, as null_space has to know
  detail::any_null_space null_space = {};  // of the matrix, as of a shell's: to PCs the near one, too
};

// A Mat of type aij with the entries of all processes' elements. Its rows are the halo's owned nodes, C for each, as
// those of a shell. Rows and columns of constrained entries have the restriction's number on the diagonal, or 1 where
// that is 0; those of nodes without elements 1.
//
// **Work** that of sumfac::assemble; low orders are what it is for.
// **Errors** argument_error, on all processes, where components of a node lie apart; backend_error for what PETSc says.
class assembled {
public:
  template <class Operator, class Restriction>
  assembled(Operator const& a, Restriction const& r, halo const& nodes, assembled_options const& options = {})
  {
    using scalar = typename Operator::scalar_type;
    static_assert(std::is_same_v<scalar, PetscScalar>,
                  "sumfac::petsc::assembled: the operator's scalar type must be PetscScalar");
    nodes.agree_on_blocks(here_, r.components(), r.options().components_lie);
    auto const rows = static_cast<PetscInt>(nodes.owned() * r.components());
    detail::check_petsc(here_, MatCreate(nodes.communicator(), &mat_));
    detail::check_petsc(here_, MatSetSizes(mat_, rows, rows, PETSC_DETERMINE, PETSC_DETERMINE));
    detail::check_petsc(here_, MatSetBlockSize(mat_, r.components()));
    detail::check_petsc(here_, MatSetType(mat_, MATAIJ));
    triplets t;
    read(a, r, nodes, t);
    auto const count = static_cast<PetscCount>(t.values.size());
    detail::check_petsc(here_, MatSetPreallocationCOO(mat_, count, t.rows.data(), t.columns.data()));
    detail::check_petsc(here_, MatSetValuesCOO(mat_, t.values.data(), INSERT_VALUES));
    complete_diagonal();
    detail::set_null_space(here_, mat_, options.null_space, options.symmetric);
  }
  assembled(assembled const&) = delete;
  assembled& operator=(assembled const&) = delete;
  ~assembled() { MatDestroy(&mat_); }

  Mat mat() const { return mat_; }
  operator Mat() const { return mat_; }

private:
  static constexpr auto here_ = "petsc::assembled";

  // Entries that are added up where several are of one place.
  struct triplets {
    std::vector<PetscInt> rows, columns;
    std::vector<PetscScalar> values;

    void add(PetscInt row, PetscInt column, PetscScalar value)
    {
      rows.push_back(row), columns.push_back(column), values.push_back(value);
    }
  };

  template <class Operator, class Restriction>
  static void read(Operator const& a, Restriction const& r, halo const& nodes, triplets& t)
  {
    int const components = r.components();
    auto const row_of = [&](index_t entry) {
      return static_cast<PetscInt>(nodes.number(r.node_of(entry)) * components + r.component_of(entry));
    };
    auto const matrix = sumfac::assemble(a, r);
    auto const is_constrained = [&](index_t i) { return r.table().constrained(r.node_of(i), r.component_of(i)); };
    for (index_t i = 0; i < nodes.owned() * components; ++i)
      t.add(row_of(i), row_of(i), is_constrained(i) ? r.options().rows.value : 0);
    for (index_t i = 0; i < matrix.size(); ++i)
      if (!is_constrained(i))
        matrix.for_each_of(i, [&](index_t column, PetscScalar value) { t.add(row_of(i), row_of(column), value); });
  }

  // 1 where a row has nothing.
  void complete_diagonal() const
  {
    Vec d = nullptr;
    detail::check_petsc(here_, MatCreateVecs(mat_, nullptr, &d));
    detail::check_petsc(here_, MatGetDiagonal(mat_, d));
    PetscInt size = 0;
    PetscScalar* entries = nullptr;
    detail::check_petsc(here_, VecGetLocalSize(d, &size));
    detail::check_petsc(here_, VecGetArray(d, &entries));
    for (PetscInt i = 0; i < size; ++i)
      if (entries[i] == 0) entries[i] = 1;
    detail::check_petsc(here_, VecRestoreArray(d, &entries));
    detail::check_petsc(here_, MatDiagonalSet(mat_, d, INSERT_VALUES));
    detail::check_petsc(here_, VecDestroy(&d));
  }

  Mat mat_ = nullptr;
};

}  // namespace sumfac::petsc
