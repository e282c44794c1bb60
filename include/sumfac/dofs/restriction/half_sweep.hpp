// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Lines of nodes of elements in lanes, interpolated to halves of them.
#pragma once

#include <sumfac/dofs/restriction/element_masks.hpp>
#include <sumfac/math/functions.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Each line of some by a table (n, n), where a lane is in the upper half as if backwards.
template <int Nodes1d, class Scalar, int Width>
class half_sweep {
  using packed = pack<Scalar, Width>;
  using truths = mask<Scalar, Width>;
  static constexpr int most = Nodes1d > 0 ? Nodes1d : 32;

public:
  half_sweep(Scalar const* table, int nodes_1d) : table_(table), n_(nodes_1d) {}

  // u (C, n, n, n), of `size` nodes each.
  SUMFAC_HOST_INLINE void apply(half_lines const& lines, packed* u, int components, int size) const
  {
    constexpr std::uint32_t all = Width == 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << Width % 32) - 1;
    bool const turned = lines.upper == lines.lanes, mixed = !turned && lines.upper != 0;
    index_t const stride = turned ? -lines.stride : lines.stride;
    truths in, upper;
    if (lines.lanes != all) in = truths::of_bits(lines.lanes);
    if (mixed) upper = truths::of_bits(lines.upper);
    for (int c = 0; c < components; ++c) {
      packed* line = u + c * size + lines.first + (turned ? (nodes() - 1) * lines.stride : 0);
      for (int i = 0; i < lines.count; ++i, line += lines.step) {
        packed from[most], to[most];
        for (int j = 0; j < nodes(); ++j) from[j] = line[j * stride];
        if (mixed) turn(upper, from);
        multiply(from, to);
        if (mixed) turn(upper, to);
        if (lines.lanes == all)
          for (int j = 0; j < nodes(); ++j) line[j * stride] = to[j];
        else
          for (int j = 0; j < nodes(); ++j) line[j * stride] = chosen(in, to[j], line[j * stride]);
      }
    }
  }

private:
  SUMFAC_HOST_INLINE int nodes() const { return Nodes1d > 0 ? Nodes1d : n_; }
  SUMFAC_HOST_INLINE void turn(truths const& upper, packed* x) const
  {
    for (int j = 0; j < nodes() / 2; ++j) {
      packed const a = x[j], b = x[nodes() - 1 - j];
      x[j] = chosen(upper, b, a), x[nodes() - 1 - j] = chosen(upper, a, b);
    }
  }
  SUMFAC_HOST_INLINE void multiply(packed const* from, packed* to) const
  {
    int const n = nodes();
    for (int i = 0; i < n; ++i) {
      Scalar const* const row = table_ + i * n;
      packed sum = row[0] * from[0];
      SUMFAC_UNROLL
      for (int j = 1; j < n; ++j) sum = fma(row[j], from[j], sum);
      to[i] = sum;
    }
  }

  Scalar const* table_;
  int n_;
};

}  // namespace sumfac::detail
