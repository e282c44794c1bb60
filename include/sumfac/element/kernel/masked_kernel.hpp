// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A kernel of a device's team on elements with sides or edges that hang: it interpolates before it works, and back
// behind that.
#pragma once

#include <sumfac/backend/architecture.hpp>
#include <sumfac/backend/policy.hpp>
#include <sumfac/config.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Kernel is one on masked_vectors.
template <class Kernel>
struct masked_kernel {
  using scalar = typename Kernel::scalar;
  static constexpr int threads = Kernel::threads, resident_teams = kernel_resident_teams<Kernel>;

  Kernel kernel;

  template <class Team>
  using scratch = typename Kernel::template scratch<Team>;

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    kernel.exchange.gather(team, s.exchanged, group);
    kernel(team, s, group);
    team.sync();
    kernel.exchange.scatter(team, s.exchanged, group);
  }
};

// Whether a choice of kernels has one for elements that hang, whose scratch a block has.
template <class Choice, class Backend>
inline constexpr bool has_masks = false;
template <class Choice, class Backend>
  requires requires { typename Choice::masked_vectors; }
inline constexpr bool has_masks<Choice, Backend> =
    Choice::is_masked && !Choice::storage::reader::is_split &&
    Choice::scratch_bytes + Choice::masked_vectors::scratch_bytes <= limits_of(architecture_of<Backend>).scratch_bytes;

}  // namespace sumfac::detail
