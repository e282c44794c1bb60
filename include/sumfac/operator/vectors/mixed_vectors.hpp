// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How a host team reads and writes E-vectors whose entries are of another type than it computes in.
#pragma once

#include <sumfac/geometry/vectors/element_vector.hpp>
#include <sumfac/geometry/vectors/lane_transfer.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/operator/vectors/footprint.hpp>
#include <sumfac/operator/vectors/host_vectors.hpp>

namespace sumfac::inline SUMFAC_TARGET {

// u and v of the elements of one group, entries Number, in packs of Scalar.
//
// A vector interleaved by the pack's width is converted pack by pack. Any other is transposed in its own type, through
// `rows`.
template <int Components, int Nodes1d, class Scalar, class Number>
struct mixed_vectors {
  static constexpr int width = native_width<Scalar>;
  static constexpr int nodes = Components * Nodes1d * Nodes1d * Nodes1d;
  using packed = pack<Scalar, width>;
  using number_pack = pack<Number, width>;

  element_vector<Number const> u;
  element_vector<Number> v;
  footprint size = footprint::in_caches;

  template <class Team>
  struct scratch {
    typename Team::template shared<packed, nodes> nodal;      // u, then v of the group
    typename Team::template shared<number_pack, nodes> rows;  // the same as numbers of the vectors
  };

  template <class Team>
  SUMFAC_INLINE auto fetch(Team const&, scratch<Team>& s, index_t group) const
  {
    Number const* from = u.data + group * nodes * width;
    if (!in_place(u)) {
      lane_transfer<Number const, width>(u, group * width, Components, Nodes1d).gather(s.rows.entries);
      from = reinterpret_cast<Number const*>(s.rows.entries);
    }
    for (int p = 0; p < nodes; ++p) s.nodal.entries[p] = load_as<packed>(from + p * width);
    return pack_cube<packed const, Nodes1d>{s.nodal.entries};
  }

  template <class Team>
  SUMFAC_INLINE auto result(Team const&, scratch<Team>& s, index_t) const
  {
    return pack_cube<packed, Nodes1d>{s.nodal.entries};
  }

  // Row (c, k, j) of the result is complete.
  template <class Team>
  SUMFAC_INLINE void finish_row(Team const&, scratch<Team>& s, index_t group, int c, int k, int j) const
  {
    if (!in_place(v)) return;
    int const first = ((c * Nodes1d + k) * Nodes1d + j) * Nodes1d;
    Number* const to = v.data + (group * nodes + first) * width;
    SUMFAC_UNROLL
    for (int i = 0; i < Nodes1d; ++i) store_as(s.nodal.entries[first + i], to + i * width);
  }

  template <class Team>
  SUMFAC_INLINE void finish(Team const&, scratch<Team>& s, index_t group) const
  {
    if (in_place(v)) return;
    auto* const to = reinterpret_cast<Number*>(s.rows.entries);
    for (int p = 0; p < nodes; ++p) store_as(s.nodal.entries[p], to + p * width);
    lane_transfer<Number, width>(v, group * width, Components, Nodes1d).scatter(s.rows.entries, nullptr, false);
  }

  // The u of the next group.
  static constexpr int lines_ahead = static_cast<int>(nodes * sizeof(number_pack) / 64);
  SUMFAC_INLINE char const* ahead_of(index_t group) const
  {
    if (size == footprint::in_caches) return nullptr;
    return reinterpret_cast<char const*>(u.data + (group + 1) * width * nodes);
  }

private:
  template <class T>
  static bool in_place(element_vector<T> const& x)
  {
    // A last group that is not full has its room all the same: the layout rounds up to whole groups.
    return x.width == width && x.in_rows(Components, Nodes1d, width);
  }
};

}  // namespace sumfac
