// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Events of PETSc's log: what -log_view says of an application and of its parts.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/interop/detail/petsc_error.hpp>

#include <petscsys.h>

#include <cstddef>

namespace sumfac::SUMFAC_TARGET::detail {

enum class petsc_event { apply, halo, interior, boundary };

// The numbers of our events, which PETSc gives once from PetscInitialize to PetscFinalize.
class petsc_events {
public:
  petsc_events()
  {
    constexpr char const* names[] = {"sumfacApply", "sumfacHalo", "sumfacInterior", "sumfacBoundary"};
    constexpr auto here = "petsc";
    PetscClassId of_sumfac = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      check_petsc(here, PetscLogEventGetId(names[i], &events_[i]));
      if (events_[i] >= 0) continue;
      if (of_sumfac == 0) check_petsc(here, PetscClassIdRegister("sumfac", &of_sumfac));
      check_petsc(here, PetscLogEventRegister(names[i], of_sumfac, &events_[i]));
    }
  }
  void begin(petsc_event e) const { static_cast<void>(PetscLogEventBegin(number(e), 0, 0, 0, 0)); }
  void end(petsc_event e) const { static_cast<void>(PetscLogEventEnd(number(e), 0, 0, 0, 0)); }

private:
  PetscLogEvent number(petsc_event e) const { return events_[static_cast<std::size_t>(e)]; }

  PetscLogEvent events_[4] = {};
};

// An event from here to the end of the object's life.
class petsc_logged {
public:
  petsc_logged(petsc_events const& events, petsc_event event) : events_(events), event_(event) { events.begin(event); }
  petsc_logged(petsc_logged const&) = delete;
  petsc_logged& operator=(petsc_logged const&) = delete;
  ~petsc_logged() { events_.end(event_); }

private:
  petsc_events const& events_;
  petsc_event event_;
};

}  // namespace sumfac::detail
