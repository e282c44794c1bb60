// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The bake-off kernels of one degree, for the compiler's report on them; run, it prints what the types know.
#if defined(__HIP__)
#include <sumfac/backend/hip.hpp>
#else
#include <sumfac/backend/cuda.hpp>
#endif
#include <sumfac/element/kernel/kernel_choice.hpp>
#include <sumfac/element/kernel/masked_kernel.hpp>
#include <sumfac/element/kernel/patch_kernel.hpp>
#include <sumfac/operator/bake_off.hpp>

#include <cstdio>

#if !defined(ORDER)
#define ORDER 7
#endif
#if !defined(SCALAR)
#define SCALAR double
#endif
#if !defined(GEOMETRY)
#define GEOMETRY stored
#endif

namespace {

using namespace sumfac;

#if defined(__HIP__)
using device = hip;
#else
using device = cuda;
#endif

template <class Form, class Points>
inline constexpr tuning chosen =
#if defined(TUNING)
    TUNING;
#else
    recommended_tuning<device, Form, ORDER, Points, SCALAR, GEOMETRY>;
#endif

template <class Form, class Points, tuning Tuning = chosen<Form, Points>>
void report(char const* problem)
{
  using computed = detail::problem<Form, ORDER, Points, SCALAR>;
#if defined(PATCH)  // global vectors by patches of so many elements
  constexpr tuning patched =
      detail::with_patches<Form>(Tuning, device::built_for, PATCH, ORDER + 1, Points::size, sizeof(SCALAR));
  using choice = detail::kernel_choice<computed, device, patched, GEOMETRY>;
  using kernel = detail::patch_kernel<detail::kernel_on<choice, typename choice::patch_vectors>>;
#elif defined(MASKED)   // global vectors of elements that interpolate what hangs
  using choice = detail::kernel_choice<computed, device, Tuning, GEOMETRY>;
  using kernel = detail::masked_kernel<detail::kernel_on<choice, typename choice::masked_vectors>>;
#elif defined(VECTORS)  // global_vectors
  using choice = detail::kernel_choice<computed, device, Tuning, GEOMETRY>;
  using kernel = detail::kernel_on<choice, typename choice::VECTORS>;
#else
  using kernel = detail::kernel_on_packed<computed, device, Tuning, GEOMETRY>;
#endif
  using block = detail::block_of<device::runtime, kernel>;
  constexpr char const* ways[] = {"planes", "cubes", "slices", "dense", "rows", "warps"};
  constexpr char const* ahead[] = {"none", "cache", "registers", "scratch"};
  std::printf("%s %s %d %s %d %d %d %s %d %d %d\n", problem, sizeof(SCALAR) == 8 ? "f64" : "f32", ORDER,
              ways[static_cast<int>(Tuning.way)], Tuning.elements, Tuning.planes, Tuning.padding,
              ahead[static_cast<int>(Tuning.ahead)], Tuning.resident_teams, block::threads, block::scratch_bytes);
  // Compiles the kernel; nothing is launched.
  if (auto const entry = detail::run_team<device::runtime, kernel>; entry == nullptr) std::printf("no kernel\n");
}

}  // namespace

int main()
{
#if !defined(ONLY) || ONLY == 1
  report<mass, gauss<ORDER + 2>>("BP1.0");
#endif
#if !defined(ONLY) || ONLY == 3
  report<stiffness, gauss<ORDER + 2>>("BP3.0");
#endif
#if !defined(ONLY) || ONLY == 5
  report<stiffness, gauss_lobatto<ORDER + 1>>("BP3.5");
#endif
}
