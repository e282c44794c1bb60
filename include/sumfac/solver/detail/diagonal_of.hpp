// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Jacobi's preconditioner of a level.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/config.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/view/view.hpp>

namespace sumfac::inline SUMFAC_TARGET::detail {

template <class Level>
jacobi<typename Level::scalar_type, typename Level::backend_type> jacobi_of(Level const& level)
{
  using scalar = typename Level::scalar_type;
  auto memory = make_memory<scalar>(level.backend(), level.size());
  level.matrix().diagonal(view<scalar, dextents<1>>(memory.data(), level.size()));
  return {level.backend(), view<scalar const, dextents<1>>(memory.data(), level.size())};
}

}  // namespace sumfac::detail
