// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Levels of multigrid on a mesh that is cut among processes.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/interop/distributed_schwarz.hpp>
#include <sumfac/interop/distributed_transfer.hpp>
#include <sumfac/solver/level.hpp>
#include <sumfac/solver/p_levels.hpp>

namespace sumfac::SUMFAC_TARGET {

// A level of multigrid in parts, of a `distributed` matrix: distributed_level{A}.
template <class Operator, class Halo>
struct distributed_level : level<Operator, Halo> {
  using level<Operator, Halo>::level;
};
template <class Operator, class Restriction, class Halo>
distributed_level(global_operator<Operator, Restriction, Halo> const&) -> distributed_level<Operator, Halo>;

}  // namespace sumfac
