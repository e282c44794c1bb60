// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The transfer between two degrees on the host: groups of elements in SIMD lanes, in one sweep over the result.
#pragma once

#include <sumfac/backend/buffer.hpp>
#include <sumfac/solver/detail/hooked_pass.hpp>
#include <sumfac/solver/detail/interpolate_element.hpp>
#include <sumfac/solver/transfer.hpp>

namespace sumfac::inline SUMFAC_TARGET {

template <auto Fine, auto Coarse, class Scalar, class Backend>
template <class Table, int Components, class... Body>
void transfer<Fine, Coarse, Scalar, Backend>::sweep_lanes(restriction_type const& from, restriction_type const& to,
                                                          Scalar const* x, Scalar* y, Body const&... body)
{
  using packed = pack<Scalar, native_width<Scalar>>;
  using along = detail::interpolate_element<Table, directions>;
  constexpr int rows = Table::rows, cols = Table::cols;
  constexpr index_t nodes_in = detail::node_box(cols, directions).all();
  constexpr index_t nodes_out = detail::node_box(rows, directions).all();
  int const components = from.components();
  from.storage().read(x, [&](auto const& reader) {
    auto const writer = to.storage().lanes(nullptr, y);
    auto const work = [&](index_t const* group, index_t const* last, auto const&) {
      buffer<packed> packs(host{1}, components * (nodes_in + nodes_out) + along::work_size);
      packed* const in = packs.data();
      packed* const out = in + components * nodes_in;
      for (; group != last; ++group) {
        reader.template gather<cols, Components, directions>(*group, in);
        for (int c = 0; c < components; ++c)
          along::run(in + c * nodes_in, out + components * nodes_out, out + c * nodes_out);
        writer.template add<rows, Components, directions>(*group, out);
      }
    };
    to.storage().sweep(nullptr, y, detail::sweep_mode::write, detail::row_action::zero, work,
                       detail::hooked_pass<Body>{body, nullptr, y}...);
  });
}

}  // namespace sumfac
