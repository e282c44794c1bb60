// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What recipes with SLEPc share.
#pragma once

#include "session.hpp"

#include <slepceps.h>

// What preconditions the solver inside of an eigensolver.
inline PC pc_of(EPS eps)
{
  ST st = nullptr;
  KSP ksp = nullptr;
  PC pc = nullptr;
  EPSGetST(eps, &st);
  STGetKSP(st, &ksp);
  KSPGetPC(ksp, &pc);
  return pc;
}
