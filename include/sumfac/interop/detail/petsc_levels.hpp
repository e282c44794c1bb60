// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What PCMG is given of each of our levels: a Mat, a Mat between it and the next, and what smooths.
#pragma once

#include <sumfac/backend/detail/own_pointer.hpp>
#include <sumfac/config.hpp>
#include <sumfac/interop/detail/petsc_error.hpp>
#include <sumfac/interop/detail/petsc_shell.hpp>
#include <sumfac/interop/petsc.hpp>
#include <sumfac/interop/petsc_matrix.hpp>
#include <sumfac/interop/petsc_vec.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/chebyshev.hpp>
#include <sumfac/solver/detail/last_null_space.hpp>
#include <sumfac/solver/detail/symmetry.hpp>
#include <sumfac/solver/p_levels.hpp>
#include <sumfac/solver/preconditioner.hpp>

#include <petscksp.h>

#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// Whether a level is in parts that PETSc numbers.
template <class Level>
inline constexpr bool has_petsc_halo = std::is_same_v<halo_of_matrix<typename Level::matrix_type>, petsc::halo>;

// Whether a level's matrix is that of its element_operator() alone: not of a sum, whose other parts that has not.
template <class Level>
inline constexpr bool is_of_one_operator = false;
template <class Level>
  requires requires { typename Level::operator_type; }
inline constexpr bool is_of_one_operator<Level> =
    std::is_same_v<typename Level::matrix_type,
                   global_operator<typename Level::operator_type, typename Level::restriction_type,
                                   halo_of_matrix<typename Level::matrix_type>>>;

// A PC that improves x by a smoother of ours, in one step of Richardson's method.
template <class Smoother>
class smoother_pc {
public:
  static void give_to(shell_pc& made, PC pc, Smoother const& s)
  {
    constexpr auto here = "petsc::multigrid";
    made.set(here, pc, "sumfac's polynomials", &s);
    check_petsc(here, PCShellSetApply(pc, apply));
    check_petsc(here, PCShellSetApplyRichardson(pc, improve));
  }

private:
  static Smoother const& of(PC pc) { return shell_pc::of<Smoother>("petsc::multigrid", pc); }

  static PetscErrorCode apply(PC pc, Vec r, Vec z)
  {
    return petsc_result("petsc::multigrid", [&] {
      petsc::read_array const from(r);
      petsc::write_array const to(z);
      of(pc).apply(from.view(), to.view());
    });
  }
  static PetscErrorCode improve(PC pc, Vec b, Vec x, Vec, PetscReal, PetscReal, PetscReal, PetscInt steps,
                                PetscBool from_zero, PetscInt* made, PCRichardsonConvergedReason* reason)
  {
    return petsc_result("petsc::multigrid", [&] {
      petsc::read_array const from(b);
      PetscScalar* to = nullptr;
      check_petsc("petsc::multigrid", VecGetArray(x, &to));
      for (PetscInt i = 0; i < steps; ++i)
        if (i == 0 && from_zero == PETSC_TRUE)
          of(pc).start(from.view().data(), to);
        else
          of(pc).improve(from.view().data(), to);
      check_petsc("petsc::multigrid", VecRestoreArray(x, &to));
      *made = steps;
      *reason = PCRICHARDSON_CONVERGED_ITS;
    });
  }
};

// Level `Index` from the finest one on, and those below it.
template <int Index, class Levels, class Options>
class petsc_level {
  using level_type = typename Levels::template level_type<Index>;
  using next_type = typename Levels::template level_type<Index + 1>;
  using matrix_type = typename level_type::matrix_type;
  using backend_type = typename level_type::backend_type;
  using smoother_type = chebyshev_smoother<matrix_type, jacobi<PetscScalar, backend_type>>;
  using transfer_type = decltype(std::declval<level_type const&>().make_transfer(
      std::declval<next_type const&>(), std::declval<next_type const&>().restriction()));
  static_assert(std::is_same_v<typename level_type::scalar_type, PetscScalar> &&
                    std::is_same_v<typename next_type::scalar_type, PetscScalar>,
                "sumfac::petsc::multigrid: the levels' scalar type must be PetscScalar");

public:
  petsc_level(Levels const& levels, Options const& options)
      : level_(levels.template at<Index>()),
        mat_(level_.matrix(), level_.halo().communicator(), options.symmetric),
        transfer_(level_.make_transfer(levels.template at<Index + 1>(), levels.template at<Index + 1>().restriction())),
        interpolation_(transfer_, level_.backend(), level_.halo().communicator()),
        next_(levels, options)
  {
    if (options.smoother != decltype(options.smoother)::petsc)
      smoother_ =
          own_pointer<smoother_type const>(new smoother_type(level_.matrix(), level_.make_jacobi(), options.chebyshev));
  }

  void give_to(PC pc)
  {
    constexpr auto here = "petsc::multigrid";
    constexpr PetscInt number = Levels::count - 1 - Index;  // as PETSc counts, the coarsest being 0
    KSP ksp = nullptr;
    PC smoother = nullptr;
    check_petsc(here, PCMGSetInterpolation(pc, number, interpolation_.mat()));
    check_petsc(here, PCMGGetSmoother(pc, number, &ksp));
    check_petsc(here, KSPSetOperators(ksp, mat_.mat(), mat_.mat()));
    check_petsc(here, KSPGetPC(ksp, &smoother));
    if (smoother_.empty()) {
      check_petsc(here, PCSetType(smoother, PCJACOBI));
    } else {
      check_petsc(here, KSPSetType(ksp, KSPRICHARDSON));
      check_petsc(here, KSPSetTolerances(ksp, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, 1));
      smoother_pc<smoother_type>::give_to(smoother_pc_, smoother, *smoother_);
    }
    next_.give_to(pc);
  }

private:
  level_type const& level_;
  matrix_mat<matrix_type> mat_;
  transfer_type transfer_;
  transfer_mat<transfer_type, backend_type> interpolation_;
  own_pointer<smoother_type const> smoother_;  // of sumfac's
  shell_pc smoother_pc_;
  petsc_level<Index + 1, Levels, Options> next_;
};

// The coarsest level has entries.
template <int Index, class Levels, class Options>
  requires(Index + 1 == Levels::count)
class petsc_level<Index, Levels, Options> {
  static_assert(
      is_of_one_operator<typename Levels::template level_type<Index>>,
      "sumfac::petsc::multigrid: the coarsest level is of a sum, of which PETSc would be given the entries of "
      "one part: of sums take sumfac::multigrid");

public:
  petsc_level(Levels const& levels, Options const& options)
      : space_(levels.template at<Index>(), options.null_space),
        matrix_(levels.template at<Index>().element_operator(), levels.template at<Index>().restriction(),
                levels.template at<Index>().halo(), {.symmetric = options.symmetric, .null_space = space_.space()})
  {
    if (!options.symmetric) return;
    refuse_without_symmetry("petsc::multigrid", compare_products<PetscScalar>(levels.template at<Index>().matrix()),
                            "the form is not symmetric, as options.symmetric says",
                            "say {.symmetric = false}, and take smoothers for such forms, as -mg_levels_ksp_type gmres "
                            "with -ksp_type fgmres");
    check_petsc("petsc::multigrid", MatSetOption(matrix_, MAT_SPD, PETSC_TRUE));
  }

  void give_to(PC pc) const
  {
    constexpr auto here = "petsc::multigrid";
    KSP ksp = nullptr;
    PC coarse = nullptr;
    check_petsc(here, PCMGGetCoarseSolve(pc, &ksp));
    check_petsc(here, KSPSetOperators(ksp, matrix_, matrix_));
    check_petsc(here, KSPGetPC(ksp, &coarse));
    check_petsc(here, PCSetType(coarse, PCGAMG));
  }

private:
  last_null_space<std::remove_cvref_t<decltype(std::declval<Levels const&>().template at<Index>())>> space_;
  petsc::assembled matrix_;
};

}  // namespace sumfac::detail
