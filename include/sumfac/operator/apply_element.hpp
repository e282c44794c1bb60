// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator's element kernel as a part of a kernel of one's own: one call gathers, applies and scatters.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/gpu/team.hpp>
#include <sumfac/operator/detail/element_part.hpp>
#include <sumfac/operator/detail/group_team.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::device {

// Threads that know their rank among so many and wait for each other:
//   thread_rank(), size(), sync()               as cooperative groups of CUDA and HIP have them, and `block`, or
//   team_rank(), team_size(), team_barrier()    as the member of a Kokkos::TeamPolicy
template <class Group>
concept thread_group = detail::cooperative_group<Group> || detail::policy_member<Group>;

// A thread by itself.
struct one_thread {
  SUMFAC_INLINE int thread_rank() const { return 0; }
  SUMFAC_INLINE int size() const { return 1; }
  SUMFAC_INLINE void sync() const {}
};

#if SUMFAC_HAS_KERNELS

// All threads of the thread block that asks, the first index the fastest.
struct block {
  SUMFAC_INLINE int thread_rank() const
  {
#if SUMFAC_ON_DEVICE
    return static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
#else
    return 0;
#endif
  }
  SUMFAC_INLINE int size() const
  {
#if SUMFAC_ON_DEVICE
    return static_cast<int>(blockDim.x * blockDim.y * blockDim.z);
#else
    return 1;
#endif
  }
  SUMFAC_INLINE void sync() const
  {
#if SUMFAC_ON_DEVICE
    __syncthreads();
#endif
  }

  // The block's dynamic shared memory, from its first byte on.
  SUMFAC_DEVICE_FUNCTION static void* memory()
  {
#if SUMFAC_ON_DEVICE
    return detail::dynamic_scratch();
#else
    return nullptr;
#endif
  }
};

// The same of a block in a line of exactly so many threads: what no thread is left out of costs a few tests less.
template <int Threads>
struct block_of : block {
  static constexpr int threads = Threads;

  SUMFAC_INLINE int thread_rank() const
  {
#if SUMFAC_ON_DEVICE
    return static_cast<int>(threadIdx.x);
#else
    return 0;
#endif
  }
};

#endif

// An operator's kernel upon vectors, to be passed to a kernel of one's own by value, and there to apply_element().
//
// It points to what the operator, the restriction and the vectors have, and is good while these are. Its tables are
// read where it lies: as a parameter of a CUDA kernel declared `__grid_constant__ ... const` that is the constant bank.
template <class Kernel, class Backend>
struct element_part {
  static constexpr bool on_host = runs_on_host<Backend>;

  // Elements that one call works on, side by side: group g has those from g * elements on.
  static constexpr int elements =
      on_host ? native_width<detail::kernel_scalar<Kernel>> : detail::kernel_elements<Kernel>;
  // Threads that have work in a call; on the host one, whose packs are the elements.
  static constexpr int threads = on_host ? 1 : detail::kernel_threads<Kernel>;
  // Teams that should fit a multiprocessor, for __launch_bounds__.
  static constexpr int resident_teams = detail::kernel_resident_teams<Kernel>;

  // What a group's threads share: its bytes are undefined before a call and after it.
  using team_type = std::conditional_t<on_host, host::team<Kernel>, detail::group_team<Kernel, one_thread, threads>>;
  struct scratch {
    typename Kernel::template scratch<team_type> bytes;
  };
  static constexpr int scratch_bytes = static_cast<int>(sizeof(scratch)), scratch_alignment = alignof(scratch);

  Kernel kernel;
  index_t groups;  // that have all elements
};

// v = A u of E-vectors, as A.apply(u, v) has it.
// **Errors** argument_error for shapes, null and aliasing.
template <class Operator, class From, class To>
auto part_of(Operator const& a, From const& u, To const& v)
{
  return detail::operator_parts<Operator>::on_e_vectors(a, u, v);
}

// y = y + R^T A R x on global vectors. Entries of y are added to atomically and not cleared, those that are constrained
// stay as they are and count as 0 in x. Not for the host, whose sweep A.apply_add(R, x, y) is.
// **Errors** argument_error for shapes, null, aliasing, and a restriction that is not scatter::atomic.
template <class Operator, class Restriction, class From, class To>
auto part_of(Operator const& a, Restriction const& r, From const& x, To const& y)
{
  return detail::operator_parts<Operator>::on_global_vectors(a, r, x, y);
}

// Gathers, applies and scatters the elements of group g, 0 <= g < part.groups, by the threads of a group, each of which
// calls it. Ends with a barrier: the threads see what was written, and `memory` may be used again.
//
// `memory`: one for all threads of the group, scratch_bytes of it, aligned to scratch_alignment. Threads: how many of
// the group work, part.threads where it is 0; fewer do more each. Threads beyond it wait. Neither u or x nor what the
// operator keeps may be written by the same kernel.
// **Errors** a group that is too small or a g that does not exist throws argument_error on the host, and traps on a
// device.
template <int Threads = 0, class Group, class Kernel, class Backend>
SUMFAC_INLINE void apply_element(Group const& group, element_part<Kernel, Backend> const& part, void* memory, index_t g)
{
  constexpr int threads = Threads > 0 ? Threads : element_part<Kernel, Backend>::threads;
  static_assert(thread_group<Group>,
                "sumfac::device::apply_element: the first argument must be a group of threads, with thread_rank(), "
                "size() and sync(), or team_rank(), team_size() and team_barrier()");
  if constexpr (thread_group<Group>) {
    using team = detail::group_team<Kernel, Group, threads>;
    int const size = team::size_of(group);
    if (size < threads || (size > threads && detail::has_exactly<Group, threads>))
      detail::refuse_element("the group has not the threads that the call counts on", size, threads);
    if (g < 0 || g >= part.groups)
      detail::refuse_element("the group of elements does not exist", static_cast<long long>(g),
                             static_cast<long long>(part.groups - 1));
    if constexpr (element_part<Kernel, Backend>::on_host)
      detail::run_host_part(part.kernel, team(group), memory, g);
    else
      detail::run_part(part.kernel, team(group), memory, g);
  }
}

}  // namespace sumfac::device
