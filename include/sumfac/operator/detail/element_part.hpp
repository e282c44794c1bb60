// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Behind apply_element(): how the parts of an operator are made, and run.
#pragma once

#include <sumfac/operator/detail/application.hpp>
#include <sumfac/operator/detail/operator_arguments.hpp>

#include <cstdio>

namespace sumfac::SUMFAC_TARGET {

namespace device {

template <class Kernel, class Backend>
struct element_part;

}  // namespace device

namespace detail {

// An operator's kernels upon the caller's vectors.
template <class Operator>
class operator_parts {
  using backend = typename Operator::backend_type;

public:
  template <class From, class To>
  static auto on_e_vectors(Operator const& a, From const& u, To const& v)
  {
    return part(a, application(a, "device::part_of").kernel(u, v));
  }

  template <class Restriction, class From, class To>
  static auto on_global_vectors(Operator const& a, Restriction const& r, From const& x, To const& y)
  {
    constexpr bool fits = is_restriction_for<Restriction, typename Operator::scalar_type, backend>;
    constexpr bool on_device = !runs_on_host<backend>;
    static_assert(fits,
                  "sumfac::device::part_of: the restriction must be of the operator's scalar type and backend: "
                  "sumfac::restriction<scalar_type, backend_type>");
    static_assert(on_device || !fits,
                  "sumfac::device::part_of: on the host there are parts on E-vectors alone, as a restriction's blocks "
                  "are shared among threads by itself: call A.apply_add(R, x, y)");
    if constexpr (fits && on_device)
      return part(
          a, application(a, "device::part_of")
                 .adding_kernel(r, typename Operator::from_vector(x).entries, typename Operator::to_vector(y).entries));
  }

  // read_factors(a)(e, place(z, y, x), i): factor i at a point of element e, where factors are stored.
  static auto read_factors(Operator const& a) { return a.factors_.read(a.backend_); }
  static index_t geometry_bytes(Operator const& a) { return a.geometry_bytes(); }
  static auto const& counts(Operator const& a) { return a.counts_; }
  static constexpr int place(int z, int y, int x) { return Operator::kernel::point(z, y, x); }

private:
  template <class Kernel>
  static auto part(Operator const& a, Kernel const& kernel)
  {
    return device::element_part<Kernel, backend>{kernel, Operator::storage::groups(a.elements())};
  }
};

// Ends a call that cannot be: by an exception on the host, on a device with its kernel.
[[noreturn]] SUMFAC_FUNCTION inline void refuse_element(char const* problem, long long got, long long wanted)
{
#if SUMFAC_ON_CUDA
  printf("sumfac::device::apply_element: %s (got %lld, %lld needed)\n", problem, got, wanted);
  SUMFAC_TRAP();
#elif SUMFAC_ON_DEVICE
  static_cast<void>(problem), static_cast<void>(got), static_cast<void>(wanted);
  SUMFAC_TRAP();
#else
  failf("device::apply_element", "%s (got %lld, %lld needed)", problem, got, wanted);
#endif
}

// Works group g by the threads of a team.
template <class Kernel, class Team>
SUMFAC_INLINE void run_part(Kernel const& kernel, Team const& team, void* memory, index_t g)
{
  kernel(team, *static_cast<typename Kernel::template scratch<Team>*>(memory), g);
  team.sync();
}

// The same for a kernel of the host, whose team one thread is.
template <class Kernel, class Group>
void run_host_part(Kernel const& kernel, Group const& group, void* memory, index_t g)
{
  using team = host::team<Kernel>;
  if constexpr (compiles_host_kernels<Kernel>) {
    if (group.rank() == 0) {
      auto& scratch = *static_cast<typename Kernel::template scratch<team>*>(memory);
      if constexpr (has_arrays<Kernel>) make_arrays(kernel, scratch);
      kernel(team{}, scratch, g);
      stream_fence();
    }
  }
  group.sync();
}

}  // namespace detail

}  // namespace sumfac
