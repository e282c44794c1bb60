// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What recipes with SUNDIALS share: its beginning and end, and ARKODE's implicit steps of functions in C++.
#pragma once

#include "../recipe.hpp"

#include <sumfac/interop/sundials.hpp>

#include <arkode/arkode_arkstep.h>
#include <functional>
#include <sunlinsol/sunlinsol_pcg.h>

// SUNDIALS from here to the end of the scope.
struct session {
  session() { SUNContext_Create(nullptr, &context); }
  session(session const&) = delete;
  session& operator=(session const&) = delete;
  ~session() { SUNContext_Free(&context); }
  operator SUNContext() const { return context; }
  SUNContext context = nullptr;
};

// y' by M y' = f(t, y), and what preconditions M + gamma K, where f is - K y and what does not depend on y.
struct stiff_problem {
  std::function<void(double t, N_Vector y, N_Vector to)> f;
  std::function<void(N_Vector v, N_Vector to)> mass, stiffness;
  std::function<void(double gamma, N_Vector r, N_Vector z)> solve;
  sumfac::sundials::guarded_calls calls{};
};

// ARKODE's memory for such a problem, from y at t = 0 on: conjugate gradients solve with both matrices. `tolerance` is
// relative, of y and of residuals, whose entries are those of M y.
class implicit_steps {
public:
  implicit_steps(SUNContext context, N_Vector y, stiff_problem& of, double tolerance)
      : of_(of),
        ark_(ARKStepCreate(nullptr, right, 0, y, context)),
        solver_(SUNLinSol_PCG(y, SUN_PREC_LEFT, 50, context)),
        mass_solver_(SUNLinSol_PCG(y, SUN_PREC_NONE, 500, context))
  {
    check(ARKStepSetUserData(ark_, &of));
    check(ARKStepSetLinearSolver(ark_, solver_, nullptr));
    check(ARKStepSetJacTimes(ark_, nullptr, derivative));
    check(ARKStepSetPreconditioner(ark_, nullptr, precondition));
    check(ARKStepSetMassLinearSolver(ark_, mass_solver_, nullptr, 0));
    check(ARKStepSetMassTimes(ark_, nullptr, mass, &of));
    check(ARKStepSetLinear(ark_, 0));
    check(ARKStepSStolerances(ark_, tolerance, 1e-3 * tolerance));
    check(ARKStepResStolerance(ark_, 1e-6 * tolerance));
  }
  implicit_steps(implicit_steps const&) = delete;
  implicit_steps& operator=(implicit_steps const&) = delete;
  ~implicit_steps()
  {
    ARKStepFree(&ark_);
    SUNLinSolFree(solver_);
    SUNLinSolFree(mass_solver_);
  }

  operator void*() const { return ark_; }
  void check(int returned) const { of_.calls.check("ARKODE", returned); }

private:
  static stiff_problem& of(void* user) { return *static_cast<stiff_problem*>(user); }
  static int right(double t, N_Vector y, N_Vector to, void* user)
  {
    return of(user).calls([&] { of(user).f(t, y, to); });
  }
  static int mass(N_Vector v, N_Vector to, double, void* user)
  {
    return of(user).calls([&] { of(user).mass(v, to); });
  }
  static int derivative(N_Vector v, N_Vector to, double, N_Vector, N_Vector, void* user, N_Vector)
  {
    return of(user).calls([&] { of(user).stiffness(v, to), N_VScale(-1, to, to); });
  }
  static int precondition(double, N_Vector, N_Vector, N_Vector r, N_Vector z, double gamma, double, int, void* user)
  {
    return of(user).calls([&] { of(user).solve(gamma, r, z); });
  }

  stiff_problem& of_;
  void* ark_;
  SUNLinearSolver solver_, mass_solver_;
};
