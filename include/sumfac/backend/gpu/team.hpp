// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A team on a GPU: a thread block, or a warp of one.
#pragma once

#include <sumfac/backend/detail/team_of_threads.hpp>
#include <sumfac/backend/policy.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Bytes of a kernel's parameters: that any driver takes, and that a driver of version `driver` or later takes.
struct parameter_limits {
  int always, at_most, driver;
};

// The threads of a block, or of a warp where that is enough: then several teams share a block and a barrier costs
// little.
template <class Runtime, class Kernel>
struct gpu_team : team_of_threads<Kernel> {
  using team_of_threads<Kernel>::threads;
  static constexpr bool is_warp = Runtime::warp_teams > 1 && threads <= 32;

  template <int... Extents, class Function>
  SUMFAC_INLINE void each(box<Extents...>, Function&& f) const
  {
    visit_own<threads, threads == launched>(rank(), box<Extents...>{}, f);
  }

  SUMFAC_INLINE void sync() const
  {
#if SUMFAC_ON_CUDA
    if constexpr (is_warp)
      __syncwarp();
    else
      __syncthreads();
#elif SUMFAC_ON_GPU
    __syncthreads();
#endif
  }

  SUMFAC_INLINE int rank() const
  {
#if SUMFAC_ON_GPU
    if constexpr (is_warp)
      return static_cast<int>(threadIdx.x % 32);
    else
      return static_cast<int>(threadIdx.x);
#else
    return 0;
#endif
  }

#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
  // c += A B of a warp, for A of 16 x 8 numbers and B of 8 x 8, where the device has it. Thread 4 i + j has of A the
  // rows i and i + 8 at column j, then these at column j + 4; of B column i at the rows j and j + 4; of C row i at the
  // columns 2 j and 2 j + 1, then row i + 8 there (PTX ISA, mma.sync.m16n8k8 with .f64). Volatile, so that no compiler
  // moves it before the barrier where the threads meet, or into a branch that alone uses what it makes. Of a team of
  // several warps each multiplies its own; they meet by sync_warp().
  static constexpr bool multiplies =
      (is_warp || threads % 32 == 0) && std::is_same_v<typename team_of_threads<Kernel>::scalar, double>;

  SUMFAC_INLINE static void sync_warp() { __syncwarp(); }

  SUMFAC_INLINE static void multiply(double (&c)[4], double const (&a)[4], double const (&b)[2])
  {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
  }
#endif
#endif

private:
  // Threads that there are; those behind the kernel's own idle.
  static constexpr int launched = is_warp ? 32 : threads;
};

// The block that runs one team of Kernel, or several of a warp each.
template <class Runtime, class Kernel>
struct block_of {
  using team = gpu_team<Runtime, Kernel>;
  using scratch = typename Kernel::template scratch<team>;
  static_assert(std::is_trivially_default_constructible_v<scratch>,
                "sumfac::gpu: a kernel's scratch must hold arrays of team::shared alone");
  static_assert(int{sizeof(Kernel)} + 16 <= Runtime::parameters.at_most,
                "sumfac::gpu: a kernel has more bytes of parameters than the compiler passes (4096 before CUDA 12.1, "
                "32764 since): take CUDA 12.1 or later, fewer points, or geometry that is stored");
  static_assert(alignof(scratch) <= 16, "sumfac::gpu: scratch is aligned to more than the 16 bytes of shared memory");

  static constexpr int teams = team::is_warp ? kernel_block_teams<Kernel, Runtime::warp_teams> : 1;
  static constexpr int threads = team::is_warp ? 32 * teams : team::threads;
  static constexpr int resident = (kernel_resident_teams<Kernel> + teams - 1) / teams;  // blocks on a multiprocessor
  static constexpr int parameter_bytes = static_cast<int>((sizeof(Kernel) + 7) / 8 * 8 + 2 * sizeof(index_t));
  static constexpr int scratch_bytes = std::is_empty_v<scratch> ? 0 : teams * static_cast<int>(sizeof(scratch));
};

#if SUMFAC_HAS_KERNELS

// What dynamic shared memory is made of.
struct alignas(16) scratch_word {
  char bytes[16];
};

#if SUMFAC_ON_GPU
// Where it begins.
__device__ __forceinline__ scratch_word* dynamic_scratch()
{
  extern __shared__ scratch_word sumfac_scratch[];
  return sumfac_scratch;
}
#endif

// Where launches overlap (gpu::overlapping), the next kernel's blocks may come to the multiprocessors as soon as all of
// this one's have; what follows here begins when all kernels before have ended, and sees what they wrote. Each kernel
// that is launched so begins with it, so each ends after all before it.
SUMFAC_INLINE void wait_for_earlier_kernels()
{
#if defined(__CUDA_ARCH__)
#if __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
#endif
}

// What a block does. `groups` is how many there are, or less than 0 by as many where the launch overlaps the kernel
// before.
template <class Runtime, class Kernel>
SUMFAC_INLINE void run_block([[maybe_unused]] Kernel const& kernel, [[maybe_unused]] index_t first,
                             [[maybe_unused]] index_t groups)
{
#if SUMFAC_ON_GPU
  if constexpr (Runtime::overlaps)
    if (groups < 0) {
      wait_for_earlier_kernels();
      groups = -groups;
    }
  extern __shared__ scratch_word sumfac_scratch[];
  using block = block_of<Runtime, Kernel>;
  auto* scratch = reinterpret_cast<typename block::scratch*>(sumfac_scratch);
#if defined(__CUDACC__)
  // The code for devices may have laid scratch out otherwise than sizeof has it, of which the launch knows: see
  // SUMFAC_NO_UNIQUE_ADDRESS. Where both are the same, nothing is left of this; .ci/run looks for what is left.
  if (reinterpret_cast<char*>(scratch + 1) - reinterpret_cast<char*>(scratch) != sizeof(*scratch)) __brkpt();
#endif
  index_t group = first + static_cast<index_t>(blockIdx.x) * block::teams;
  if constexpr (block::teams > 1) {
    scratch += threadIdx.x / 32;
    group += threadIdx.x / 32;
    if (group >= groups) return;
  }
  kernel(gpu_team<Runtime, Kernel>{}, *scratch, group);
#endif
}

// That as a function to launch.
template <class Runtime, class Kernel>
__global__ void SUMFAC_LAUNCH_BOUNDS((block_of<Runtime, Kernel>::threads), (block_of<Runtime, Kernel>::resident))
    run_team(SUMFAC_GRID_CONSTANT Kernel const kernel, index_t first, index_t groups)
{
  run_block<Runtime>(kernel, first, groups);
}

#endif

}  // namespace sumfac::detail
