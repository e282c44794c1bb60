// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A table along the directions of all elements, from one restriction's vector to another's, in one sweep.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/basis/detail/placed_nodes.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/element/kernel/launch_groups.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/detail/transfer_kernel.hpp>
#include <sumfac/tensor/sweep.hpp>

#include <cstddef>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// The tables between two degrees.
template <auto Fine, auto Coarse, class Scalar>
struct transfer_tables {
  using fine_nodes = nodes_of_space<Fine>;
  using coarse_nodes = nodes_of_space<Coarse>;
  using at_fine_nodes = interpolate<Scalar, coarse_nodes, fine_nodes>;
  using to_coarse_nodes = transposed<at_fine_nodes>;
  using at_coarse_nodes = interpolate<Scalar, fine_nodes, coarse_nodes>;
};

// On the host: groups of elements in SIMD lanes.
template <class Table, int Directions, int Components, class Scalar, class... Body>
void sweep_lanes(restriction<Scalar, host> const& from, restriction<Scalar, host> const& to, Scalar const* x, Scalar* y,
                 sweep_mode mode, Body const&... body)
{
  using kernel = transfer_kernel<Table, Scalar, Directions>;
  using packed = typename host::team<kernel>::scalar;
  constexpr int rows = Table::rows, cols = Table::cols;
  constexpr index_t nodes_in = node_box(cols, Directions).all(), nodes_out = node_box(rows, Directions).all();
  constexpr index_t work_size = rows > cols ? 0 : nodes_in;  // else what is between lies in the result
  int const components = from.components();
  from.storage().read(x, [&](auto const& reader) {
    auto const writer = to.storage().lanes(nullptr, y);
    auto const work = [&](index_t const* group, index_t const* last, auto const&) {
      auto const packs = static_cast<std::size_t>(components * (nodes_in + nodes_out) + work_size);
      auto* const in = static_cast<packed*>(thread_scratch(packs * sizeof(packed)));
      packed* const out = in + components * nodes_in;
      for (; group != last; ++group) {
        reader.template gather<cols, Components, Directions>(*group, in);
        for (int c = 0; c < components; ++c) {
          packed* const result = out + c * nodes_out;
          numbers_in_cube<kernel::most, packed> const between{rows > cols ? result : out + components * nodes_out};
          sweep_all<Directions>(host::team<kernel>{}, Table{}, numbers_in_cube<cols, packed>{in + c * nodes_in},
                                between, numbers_in_cube<rows, packed>{result});
        }
        writer.template add<rows, Components, Directions>(*group, out);
      }
    };
    to.storage().sweep(nullptr, y, mode, mode == sweep_mode::write ? row_action::zero : row_action::none, work,
                       hooked_pass<Body>{body, nullptr, y}...);
  });
}

// y = the sums over all elements of Table along their directions of x, then the body on y, if there is one; or, by
// sweep_mode::add, y + these sums. Both restrictions are of the same elements.
template <class Table, int Directions, class Scalar, class Backend, class... Body>
void sweep_transfer(restriction<Scalar, Backend> const& from, restriction<Scalar, Backend> const& to, Scalar const* x,
                    Scalar* y, sweep_mode mode, pass_runner<Backend> const& passes, Body const&... body)
{
  if constexpr (runs_on_host<Backend>) {
    if (from.components() == 1)
      sweep_lanes<Table, Directions, 1>(from, to, x, y, mode, body...);
    else
      sweep_lanes<Table, Directions, 0>(from, to, x, y, mode, body...);
  } else {
    using kernel = transfer_kernel<Table, Scalar, Directions>;
    kernel const k{{}, from.storage().table(), to.storage().table(mode), x, y, from.components()};
    to.storage().sweep(kernel::elements, nullptr, y, mode,
                       mode == sweep_mode::write ? row_action::zero : row_action::none,
                       kernel_launcher(to.backend(), k));
    (passes.run(to.size(), body), ...);
  }
}

}  // namespace sumfac::detail
