// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Launches an element kernel on all groups of a mesh, in order.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/operator/detail/concepts.hpp>
#include <sumfac/operator/geometry/factor_lead.hpp>

#include <type_traits>

namespace sumfac::inline SUMFAC_TARGET::detail {

// Tells the teams of a device how far ahead they ask for factors.
template <class Backend, class Kernel>
void launch_groups(Backend const& backend, Kernel kernel, index_t groups)
{
  if constexpr (is_device<Backend> && asks_for_factors<Kernel>) {
    using factors = typename std::remove_cvref_t<decltype(kernel.exchange)>::factors_type;
    kernel.exchange.asks = lead_of(groups, backend.template teams_at_once<Kernel>(), backend.cache_bytes(),
                                    factors::factor_bytes);
  }
  backend.launch(kernel, groups);
}

}  // namespace sumfac::detail
