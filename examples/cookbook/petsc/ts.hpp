// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What recipes with PETSc's time steps share: u' = rate(u) by a function in C++.
#pragma once

#include "session.hpp"

#include <petscts.h>

#include <exception>
#include <utility>

// A TS of u' = rate(t, u), where rate(u, r) writes r, both the entries of this process.
template <class Rate>
class time_steps {
public:
  explicit time_steps(Rate rate) : rate_(std::move(rate))
  {
    PetscCallAbort(PETSC_COMM_SELF, TSCreate(PETSC_COMM_SELF, &ts_));
    PetscCallAbort(PETSC_COMM_SELF, TSSetRHSFunction(ts_, nullptr, call, &rate_));
    PetscCallAbort(PETSC_COMM_SELF, TSSetFromOptions(ts_));
  }
  time_steps(time_steps const&) = delete;
  time_steps& operator=(time_steps const&) = delete;
  ~time_steps() { TSDestroy(&ts_); }

  operator TS() const { return ts_; }

private:
  static PetscErrorCode call(TS, PetscReal, Vec u, Vec r, void* rate)
  {
    try {
      sumfac::petsc::read_array const from(u);
      sumfac::petsc::write_array const to(r);
      (*static_cast<Rate*>(rate))(from.view(), to.view());
    } catch (std::exception const& e) {
      SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", e.what());
    }
    return 0;
  }

  Rate rate_;
  TS ts_ = nullptr;
};
