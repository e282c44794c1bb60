// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Launches an element kernel on all groups of a mesh, in order, and the sweep over those of a restriction: also by
// patches, and where elements interpolate what hangs.
#pragma once

#include <sumfac/backend/architecture.hpp>
#include <sumfac/dofs/restriction/device_restriction.hpp>
#include <sumfac/element/geometry/prefetch_distance.hpp>
#include <sumfac/element/kernel/concepts.hpp>

#include <type_traits>

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

// Kernel is one on patch_vectors. The sums of a node that one patch has are made here, and need no second kernel.
template <class Kernel>
struct patch_kernel {
  using scalar = typename Kernel::scalar;
  static constexpr int threads = Kernel::threads, resident_teams = Kernel::resident_teams;

  Kernel kernel;

  template <class Team>
  using scratch = typename Kernel::template scratch<Team>;

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t patch) const
  {
    auto const& vectors = kernel.exchange;
    int const passes = vectors.table.passes;
    index_t const* const groups = vectors.table.groups + patch * passes;
    prefetch(team, groups[0]);
    vectors.gather(team, s.exchanged, patch);
    team.sync();
    // (As many passes as the table says, not the type: a compiler would unroll them.)
    for (int pass = 0; pass < passes; ++pass) {
      index_t const group = groups[pass];
      if (group < 0) break;
      if (pass + 1 < passes) prefetch(team, groups[pass + 1]);
      kernel(team, s, vectors.of_pass(group, pass));
      team.sync();
    }
    vectors.scatter(team, s.exchanged, patch);
  }

private:
  // Asks for a group's factors a pass before they are read: a team reads no factors while it reads and adds up nodes,
  // and the memory would idle.
  template <class Team>
  SUMFAC_INLINE void prefetch(Team const& team, index_t group) const
  {
    if constexpr (has_prefetch_distance<decltype(Kernel::exchange)>)
      if (group >= 0) kernel.exchange.prefetch_factors(team, group);
  }
};

// Whether a choice of kernels has one for patches.
template <class Choice>
inline constexpr bool has_patches = false;
template <class Choice>
  requires(Choice::patch > 0 && !Choice::storage::reader::is_split)
inline constexpr bool has_patches<Choice> = true;

// Tells the teams of a device at which distance they prefetch factors.
template <class Backend, class Kernel>
void launch_groups(Backend const& backend, Kernel kernel, index_t groups)
{
  if constexpr (counts_teams<Backend> && prefetches_factors<Kernel>) {
    using factors = typename std::remove_cvref_t<decltype(kernel.exchange)>::factors_type;
    kernel.exchange.distance = prefetch_distance_of(groups, backend.template teams_at_once<Kernel>(),
                                                    backend.cache_bytes(), factors::factor_bytes);
  }
  backend.launch(kernel, groups);
}

// A kernel for launch(groups, count) of a restriction's groups: a list of them, or null for all.
template <class Backend, class Kernel>
auto kernel_launcher(Backend const& backend, Kernel const& kernel)
{
  return [&backend, kernel](index_t const* groups, index_t count) {
    if (groups == nullptr)
      launch_groups(backend, kernel, count);
    else
      backend.launch(listed_kernel<Kernel>{kernel, groups}, count);
  };
}

// The kernel that `make` builds upon the vectors, for launch(groups, count) of a restriction's groups.
template <class Vectors, class Scalar, class Backend, class Make>
auto group_launcher(Backend const& backend, restriction_storage<Scalar, Backend> const& r, Scalar const* x, Scalar* y,
                    sweep_mode mode, Make const& make)
{
  return kernel_launcher(backend, make(Vectors{{r.table(mode), r.read(x), y}}));
}

// The kernel that `make` builds upon the vectors, and that upon those of elements that interpolate what hangs, on all
// groups of a restriction.
template <class Vectors, class Masked, class Scalar, class Backend, class Make>
void launch_by_masks(Backend const& backend, restriction_storage<Scalar, Backend> const& r, Scalar const* x, Scalar* y,
                     sweep_mode mode, Make const& make)
{
  Scalar const* const from = r.read(x);
  r.for_groups(Vectors::elements, kernel_launcher(backend, make(Vectors{{r.table(mode), from, y}})));
  Masked vectors{r.table(mode), r.masks(), from, y};
  for (int i = 0; i < Masked::n * Masked::n; ++i)
    vectors.half.entries[i] = static_cast<typename Masked::number>(r.half()[i]);
  auto const upon = make(vectors);
  using kernel = masked_kernel<std::remove_const_t<decltype(upon)>>;
  r.for_masked_groups(Vectors::elements, [&](index_t const* groups, index_t count) {
    backend.launch(listed_kernel<kernel>{kernel{upon}, groups}, count);
  });
}

// The kernel that `make` builds upon the vectors, on all groups of a restriction.
template <class Vectors, class Scalar, class Backend, class Make>
void sweep_kernel(Backend const& backend, restriction_storage<Scalar, Backend> const& r, Scalar const* x, Scalar* y,
                  sweep_mode mode, row_action rows, Make const& make)
{
  r.sweep(Vectors::elements, x, y, mode, rows, group_launcher<Vectors>(backend, r, x, y, mode, make));
}

// The same by patches, where the restriction has those of the vectors; whether it has.
template <class Vectors, class Scalar, class Backend, class Make>
bool sweep_patches(Backend const& backend, restriction_storage<Scalar, Backend> const& r, Scalar const* x, Scalar* y,
                   sweep_mode mode, row_action rows, Make const& make)
{
  auto const* const of = r.patches_of(Vectors::patch, Vectors::elements);
  if (of == nullptr) return false;
  auto const upon = make(Vectors{of->table(mode == sweep_mode::add), r.read(x), y});
  patch_kernel<std::remove_const_t<decltype(upon)>> kernel{upon};
  r.sweep(*of, x, y, mode, rows, [&](index_t count) {
    using exchanged = std::remove_cvref_t<decltype(kernel.kernel.exchange)>;
    if constexpr (counts_teams<Backend> && has_prefetch_distance<exchanged>)
      kernel.kernel.exchange.distance.bytes =
          prefetch_distance_of(count, backend.template teams_at_once<decltype(kernel)>(), backend.cache_bytes(),
                               exchanged::factor_bytes)
              .bytes;
    backend.launch(kernel, count);
  });
  return true;
}

// The same between two spaces, on all groups of the restriction of y.
template <class Vectors, class Scalar, class Backend, class Make>
void sweep_pair(Backend const& backend, restriction_storage<Scalar, Backend> const& of_y,
                restriction_storage<Scalar, Backend> const& of_x, Scalar const* x, Scalar* y, sweep_mode mode,
                row_action rows, Make const& make)
{
  of_y.sweep(
      Vectors::elements, static_cast<Scalar const*>(nullptr), y, mode, rows,
      kernel_launcher(backend, make(Vectors{{{of_x.table(), of_x.read(x), nullptr}, {of_y.table(mode), nullptr, y}}})));
}

}  // namespace sumfac::detail
