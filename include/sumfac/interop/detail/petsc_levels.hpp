// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What PCMG is given of each of our levels: a Mat, a Mat between it and the next, and what smooths.
#pragma once

#include <sumfac/interop/detail/petsc_error.hpp>
#include <sumfac/interop/detail/petsc_shell.hpp>
#include <sumfac/interop/petsc.hpp>
#include <sumfac/interop/petsc_matrix.hpp>
#include <sumfac/interop/petsc_vec.hpp>
#include <sumfac/solver/chebyshev.hpp>
#include <sumfac/solver/detail/level_transfers.hpp>
#include <sumfac/solver/p_levels.hpp>

#include <petscksp.h>

#include <type_traits>
#include <utility>
#include <vector>

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

// A level: its Mat, a Mat between it and the next coarser one, and what smooths.
template <class Level, class MakesTransfer>
class petsc_step {
  using matrix_type = typename Level::matrix_type;
  using backend_type = typename Level::backend_type;
  using transfer_type = decltype(std::declval<MakesTransfer const&>().make());
  using smoother_type = chebyshev_smoother<matrix_type, jacobi<PetscScalar, backend_type>>;
  static_assert(std::is_same_v<typename Level::scalar_type, PetscScalar>,
                "sumfac::petsc::multigrid: the levels' scalar type must be PetscScalar");

public:
  template <class Options>
  petsc_step(Level const& level, MakesTransfer const& makes, Options const& options)
      : level_(level),
        mat_("petsc::multigrid", level_.matrix(), level_.halo().communicator(), options.symmetric),
        transfer_(makes.make()),
        interpolation_(transfer_, level_.backend(), level_.halo().communicator())
  {
    if (options.smoother != decltype(options.smoother)::petsc)
      smoother_ =
          own_pointer<smoother_type const>(new smoother_type(level_.matrix(), level_.make_jacobi(), options.chebyshev));
  }

  void give_to(PC pc, int number)  // as PETSc counts, the coarsest being 0
  {
    constexpr auto here = "petsc::multigrid";
    KSP ksp = nullptr;
    PC smoother = nullptr;
    check_petsc(here, PCMGSetInterpolation(pc, PetscInt{number}, interpolation_.mat()));
    check_petsc(here, PCMGGetSmoother(pc, PetscInt{number}, &ksp));
    check_petsc(here, KSPSetOperators(ksp, mat_.mat(), mat_.mat()));
    check_petsc(here, KSPGetPC(ksp, &smoother));
    if (smoother_.empty()) {
      check_petsc(here, PCSetType(smoother, PCJACOBI));
    } else {
      check_petsc(here, KSPSetType(ksp, KSPRICHARDSON));
      check_petsc(here, KSPSetTolerances(ksp, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, 1));
      smoother_pc<smoother_type>::give_to(smoother_pc_, smoother, *smoother_);
    }
  }

private:
  Level const& level_;
  matrix_mat<matrix_type> mat_;
  transfer_type transfer_;
  transfer_mat<transfer_type, backend_type> interpolation_;
  own_pointer<smoother_type const> smoother_;  // of sumfac's
  shell_pc smoother_pc_;
};

// Level `Index` of falling degrees from the finest one on, and those below it.
template <int Index, class Levels, class Options>
class petsc_level {
  using level_type = level_at<Levels, Index>;
  using transfer_type = next_transfer<Levels, Index>;

public:
  petsc_level(Levels const& levels, Options const& options)
      : step_(levels.template at<Index>(), transfer_type(levels.template at<Index>(), levels.template at<Index + 1>()),
              options),
        next_(levels, options)
  {
  }

  int below() const { return next_.below() + 1; }
  void give_to(PC pc)
  {
    step_.give_to(pc, below());
    next_.give_to(pc);
  }

private:
  petsc_step<level_type, transfer_type> step_;
  petsc_level<Index + 1, Levels, Options> next_;
};

// The last degree, on the mesh and on those that it was cut from, of which the coarsest level has entries.
template <int Index, class Levels, class Options>
  requires(Index + 1 == Levels::count)
class petsc_level<Index, Levels, Options> {
  using level_type = level_at<Levels, Index>;
  static_assert(
      is_of_one_operator<level_type>,
      "sumfac::petsc::multigrid: the coarsest level is of a sum, of which PETSc would be given the entries of "
      "one part: of sums take sumfac::multigrid");
  static_assert(std::is_same_v<typename level_type::scalar_type, PetscScalar>,
                "sumfac::petsc::multigrid: the levels' scalar type must be PetscScalar");

public:
  petsc_level(Levels const& levels, Options const& options)
      : space_(levels.coarsest(), options.null_space),
        matrix_(levels.coarsest().element_operator(), levels.coarsest().restriction(), levels.coarsest().halo(),
                {.symmetric = options.symmetric, .null_space = space_.space()})
  {
    if constexpr (Levels::on_meshes) {
      level_type const* finer = &levels.last();
      for (auto const& next : levels.meshes()) {
        steps_.push_back(own_pointer<step_type>(new step_type(*finer, mesh_transfer(*finer, next), options)));
        finer = &next;
      }
    }
    if (!options.symmetric) return;
    refuse_without_symmetry("petsc::multigrid", compare_products<PetscScalar>(levels.coarsest().matrix()),
                            "the form is not symmetric, as options.symmetric says",
                            "say {.symmetric = false}, and take smoothers for such forms, as -mg_levels_ksp_type gmres "
                            "with -ksp_type fgmres");
    check_petsc("petsc::multigrid", MatSetOption(matrix_, MAT_SPD, PETSC_TRUE));
  }

  int below() const { return static_cast<int>(steps_.size()); }
  void give_to(PC pc)
  {
    constexpr auto here = "petsc::multigrid";
    int number = below();
    if constexpr (Levels::on_meshes)
      for (auto& step : steps_) step->give_to(pc, number--);
    KSP ksp = nullptr;
    PC coarse = nullptr;
    check_petsc(here, PCMGGetCoarseSolve(pc, &ksp));
    check_petsc(here, KSPSetOperators(ksp, matrix_, matrix_));
    check_petsc(here, KSPGetPC(ksp, &coarse));
    check_petsc(here, PCSetType(coarse, PCGAMG));
  }

private:
  using step_type = std::conditional_t<Levels::on_meshes, petsc_step<level_type, mesh_transfer<level_type>>, char>;

  last_null_space<level_type> space_;
  petsc::assembled matrix_;
  std::vector<own_pointer<step_type>> steps_;
};

}  // namespace sumfac::detail
