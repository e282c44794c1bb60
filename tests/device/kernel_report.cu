// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The bake-off kernels of one degree, for the compiler's report on them; run, it prints what the types know. With SWEPT
// discontinuous Galerkin's Laplacian and advection, in one kernel and in two, and the model of both; with SIDES
// Nitsche's terms on the boundary, on global vectors.
#if defined(__HIP__)
#include <sumfac/backend/hip.hpp>
#else
#include <sumfac/backend/cuda.hpp>
#endif
#include <sumfac/element/kernel/kernel_choice.hpp>
#include <sumfac/element/kernel/launch_groups.hpp>
#include <sumfac/operator/bake_off.hpp>
#if defined(SWEPT)
#include <sumfac/operator/interior_operator.hpp>
#include "../operator/two_sided_forms.hpp"
#endif
#if defined(SIDES)
#include <sumfac/operator/face_operator.hpp>
#include "../operator/face_forms.hpp"
#endif

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
  constexpr char const* ways[] = {"planes", "cubes", "slices", "dense", "rows", "warps", "matrices"};
  constexpr char const* ahead[] = {"none", "cache", "registers", "scratch"};
  std::printf("%s %s %d %s %d %d %d %s %d %d %d\n", problem, sizeof(SCALAR) == 8 ? "f64" : "f32", ORDER,
              ways[static_cast<int>(Tuning.way)], Tuning.elements, Tuning.planes, Tuning.padding,
              ahead[static_cast<int>(Tuning.ahead)], Tuning.resident_teams, block::threads, block::scratch_bytes);
  // Compiles the kernel; nothing is launched.
  if (auto const entry = detail::run_team<device::runtime, kernel>; entry == nullptr) std::printf("no kernel\n");
}

#if defined(SWEPT)
template <class Within, class Between>
void report_sweep(char const* what)
{
  using within = element_operator<Within, ORDER, device, SCALAR, GEOMETRY>;
  using both = sum<within, interior_operator<Between, ORDER, device, SCALAR>>;
  constexpr auto sweep = both::sweep;
  constexpr double nodes = (ORDER + 1) * (ORDER + 1) * (ORDER + 1);
  std::printf("%s %d: bytes a node %.0f in one kernel, %.0f in two, %.2f in flight: %.2f times as fast, %d kernels\n",
              what, ORDER, sweep.one / nodes, sweep.two / nodes, sweep.in_flight, sweep.gain(), both::kernels);
  if constexpr (sweep.possible) {
    constexpr int elements = within::tuned.elements;
    std::printf("  %d elements, %d threads a team, %d teams, %d bytes for sides\n", elements, sweep.threads,
                sweep.teams, sweep.side_bytes);
    if (auto const one = &both::template apply<1>; one == nullptr) std::printf("no kernel\n");
  }
  if (auto const two = &both::template apply<2>; two == nullptr) std::printf("no kernels\n");
}
#endif

#if defined(SIDES)
template <class Form>
void report_sides(char const* what)
{
  using problem = typename face_operator<Form, ORDER, device, SCALAR>::options::problem;
  constexpr int faces = detail::faces_at_once<problem, SCALAR>;
  using vectors = detail::team_vectors<detail::table_entries<SCALAR, ORDER + 1>, problem, faces>;
  using kernel = detail::face_kernel<problem, vectors, SCALAR>;
  using block = detail::block_of<device::runtime, kernel>;
  std::printf("%s %d: %d faces, %d threads, %d bytes of scratch\n", what, ORDER, faces, block::threads,
              block::scratch_bytes);
  if (auto const entry = detail::run_team<device::runtime, kernel>; entry == nullptr) std::printf("no kernel\n");
}
#endif

}  // namespace

int main()
{
#if defined(SIDES)
  report_sides<face_terms::nitsche>("Nitsche");
  report_sides<face_terms::weighted_values>("values");
  return 0;
#endif
#if defined(SWEPT)
  report_sweep<laplace, two_sided::interior_penalty>("Laplace");
  report_sweep<two_sided::advection, two_sided::upwind>("advection");
  return 0;
#endif
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
