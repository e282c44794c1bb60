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

// Whether a choice of kernels has one for elements that hang, whose scratch a block has and whose parameters, with the
// half's table among them, any driver passes.
template <class Choice, class Backend>
inline constexpr bool has_masks = false;
template <class Choice, class Backend>
  requires requires { typename Choice::masked_vectors; }
inline constexpr bool has_masks<Choice, Backend> = [] {
  using vectors = typename Choice::masked_vectors;
  using reader = typename Choice::storage::reader;
  constexpr int most_parameters = 3840;  // of 4096, with some left for what a call brings
  if constexpr (Choice::is_masked && !reader::is_split)
    return Choice::scratch_bytes + vectors::scratch_bytes <= limits_of(architecture_of<Backend>).scratch_bytes &&
           sizeof(typename Choice::template kernel_of<vectors, reader>) <= most_parameters;
  else
    return false;
}();

}  // namespace sumfac::detail
