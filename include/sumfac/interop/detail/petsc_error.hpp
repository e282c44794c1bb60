// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Errors of PETSc as exceptions, and exceptions as errors of PETSc; and which builds of PETSc are taken.
#pragma once

#include <sumfac/interop/detail/agree.hpp>

#include <petscsys.h>

#include <exception>
#include <new>

#if defined(PETSC_USE_COMPLEX)
#error "sumfac: this PETSc has complex numbers: take a build of real ones (Debian: libpetsc-real-dev)"
#endif

namespace sumfac::SUMFAC_TARGET::detail {

// Throws backend_error with PETSc's text unless the code is that of success.
inline void check_petsc(char const* where, PetscErrorCode code)
{
  if (code == 0) return;
  char const* kind = nullptr;
  char* text = nullptr;
  PetscErrorMessage(code, &kind, &text);
  throw_text<backend_error>("sumfac::%s: PETSc says: %s: %s (error %d)", where,
                            kind == nullptr ? "unknown error" : kind, text == nullptr ? "" : text,
                            static_cast<int>(code));
}

// look(), which sends no messages: what it throws on one process all of them throw, an error of PETSc's as
// backend_error.
template <class Look>
void agree_on_petsc(MPI_Comm comm, char const* where, Look const& look)
{
  first_problem wrong, by_petsc;
  try {
    look();
  } catch (argument_error const& e) {
    wrong.say("%s", e.what());
  } catch (std::exception const& e) {
    by_petsc.say("%s", e.what());
  }
  try {
    agree_on(comm, where, by_petsc);
  } catch (argument_error const& e) {
    throw_text<backend_error>("%s", e.what());
  }
  agree_on(comm, where, wrong);
}

inline void check_petsc_started(char const* where)
{
  PetscBool started = PETSC_FALSE;
  PetscInitialized(&started);
  if (started == PETSC_FALSE) fail(where, "PETSc is not started: call PetscInitialize first");
}

// What a callback of PETSc's returns: an error with the text of the exception that f has thrown. It may be one of this
// process alone: of a communicator of several PETSc would write that of the first, and wait 10 s on the others.
template <class Function>
PetscErrorCode petsc_result(char const* where, Function const& f)
{
  auto const error = [&](PetscErrorCode code, char const* text) {
    return PetscError(PETSC_COMM_SELF, __LINE__, where, __FILE__, code, PETSC_ERROR_INITIAL, "%s", text);
  };
  try {
    f();
  } catch (argument_error const& e) {
    return error(PETSC_ERR_ARG_INCOMP, e.what());
  } catch (std::bad_alloc const& e) {
    return error(PETSC_ERR_MEM, e.what());
  } catch (std::exception const& e) {
    return error(PETSC_ERR_LIB, e.what());
  }
  return 0;
}

}  // namespace sumfac::detail
