// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Our levels for PETSc's multigrid: operators and interpolation as Mats of PCMG, whose options do what they always do.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/interop/detail/petsc_error.hpp>
#include <sumfac/interop/detail/petsc_levels.hpp>
#include <sumfac/interop/petsc.hpp>

#include <petscksp.h>

#include <utility>

namespace sumfac::SUMFAC_TARGET::petsc {

// Whose polynomials smooth: PETSc's KSPCHEBYSHEV with PCJACOBI, or a chebyshev_smoother behind KSPRICHARDSON.
enum class smoother { petsc, sumfac };

struct multigrid_options {
  bool symmetric = true;  // whether the form is
  petsc::smoother smoother = petsc::smoother::petsc;
  sumfac::chebyshev chebyshev = {};        // of sumfac's
  detail::any_null_space null_space = {};  // of the matrix, where it is singular, as sumfac::multigrid_options have it
};

// Makes a PC of PETSc's type mg with our levels, as p_levels<4, 2, 1>(S.matrix(), nodes) of a shell S, or of a mesh
// that was cut from coarser ones: operators and interpolation are shells; the coarsest operator is assembled, and so
// not of a sum: any PC solves there, at first gamg.
//
// PETSc's options do what they always do, as -mg_levels_ksp_max_it 3, -mg_levels_pc_type none, -mg_coarse_pc_type lu,
// -pc_mg_cycle_type w; -pc_type takes another PC. Owns the levels, which refer to S; the PC refers to this, which must
// live as long.
// **Errors** argument_error of levels and of smoothers, and where the form is said to be symmetric and is not;
// backend_error for what PETSc says.
template <class Levels>
class multigrid {
  static_assert(detail::has_petsc_halo<typename Levels::template level_type<0>>,
                "sumfac::petsc::multigrid: the levels must be those of a distributed matrix with a petsc::halo, as "
                "p_levels<4, 2, 1>(S.matrix(), nodes) of a shell S");

public:
  multigrid(PC pc, Levels levels, multigrid_options const& options = {})
      : levels_(new Levels(std::move(levels))), chain_(*levels_, options)
  {
    constexpr auto here = "petsc::multigrid";
    detail::check_petsc(here, PCSetType(pc, PCMG));
    detail::check_petsc(here, PCMGSetLevels(pc, PetscInt{chain_.below()} + 1, nullptr));
    chain_.give_to(pc);
  }
  multigrid(multigrid const&) = delete;
  multigrid& operator=(multigrid const&) = delete;

  Levels const& levels() const { return *levels_; }

private:
  detail::own_pointer<Levels> levels_;
  detail::petsc_level<0, Levels, multigrid_options> chain_;
};

}  // namespace sumfac::petsc
