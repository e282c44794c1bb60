// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How a host team reads and adds to global vectors whose entries are of another type than it computes in.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/geometry/restriction/lane_sweep.hpp>
#include <sumfac/geometry/restriction/lane_tables.hpp>
#include <sumfac/geometry/restriction/run_ahead.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/operator/vectors/footprint.hpp>
#include <sumfac/operator/vectors/host_vectors.hpp>

#include <algorithm>

namespace sumfac::inline SUMFAC_TARGET {

// u and v of the elements of one group in packs of Scalar, gathered from x and added to y, vectors of Number.
//
// The restriction's groups have as many elements as a register has Numbers. A group of the kernel is one of them, or
// several parts, of which some may be missing, or one of the shares of a larger one, which come one after the other.
template <int Components, int Nodes1d, class Scalar, class Number>
struct mixed_global_vectors {
  static constexpr int width = native_width<Scalar>, number_width = native_width<Number>;
  static constexpr int parts = std::max(1, width / number_width), shares = std::max(1, number_width / width);
  static constexpr int nodes = Components * Nodes1d * Nodes1d * Nodes1d;
  using packed = pack<Scalar, width>;
  using number_pack = pack<Number, number_width>;

  detail::lane_sweep<Number, number_width> lanes;
  footprint size = footprint::in_caches;

  template <class Team>
  struct scratch {
    typename Team::template shared<packed, nodes> nodal;              // u, then v of the group
    typename Team::template shared<number_pack, parts * nodes> rows;  // the same as numbers of the vectors
    bool present[parts];                                              // parts that are worked on
    bool first, last;                                                 // of the shares of a group
    detail::run_ahead<Number>* ahead = nullptr;
  };

  template <class Team>
  SUMFAC_INLINE auto fetch(Team const&, scratch<Team>& s, index_t group) const
  {
    for (int part = 0; part < parts; ++part) {
      number_pack* const rows = s.rows.entries + part * nodes;
      if (!s.present[part])
        std::fill(rows, rows + nodes, number_pack(0));
      else if (s.first)
        lanes.template gather<Nodes1d, Components>(group / shares * parts + part, rows);
    }
    for_each_piece(s, group, [](Scalar* nodal, Number const* numbers) SUMFAC_LAMBDA {
      load_as<pack<Scalar, piece>>(numbers).store(nodal);
    });
    return pack_cube<packed const, Nodes1d>{s.nodal.entries};
  }

  template <class Team>
  SUMFAC_INLINE auto result(Team const&, scratch<Team>& s, index_t) const
  {
    return pack_cube<packed, Nodes1d>{s.nodal.entries};
  }

  template <class Team>
  SUMFAC_INLINE void finish_row(Team const&, scratch<Team>&, index_t, int, int, int) const
  {
  }

  template <class Team>
  SUMFAC_INLINE void finish(Team const&, scratch<Team>& s, index_t group) const
  {
    for_each_piece(s, group, [](Scalar const* nodal, Number* numbers) SUMFAC_LAMBDA {
      store_as(pack<Scalar, piece>::load(nodal), numbers);
    });
    if (!s.last) return;
    for (int part = 0; part < parts; ++part)
      if (s.present[part])
        lanes.template add<Nodes1d, Components>(group / shares * parts + part, s.rows.entries + part * nodes);
  }

  // Calls kernel(group) for the kernel's groups that the restriction's groups *first .. last[-1] are parts of, or whose
  // shares they consist of, as far as they have elements to be worked on.
  template <class Scratch, class Kernel>
  static void for_each_group(detail::lane_tables<number_width> const& tables, Scratch& s, index_t const* first,
                             index_t const* last, Kernel const& kernel)
  {
    std::fill(s.present, s.present + parts, true);
    s.first = s.last = true;
    if constexpr (shares > 1) {
      for (; first != last; ++first) {
        index_t begin = (*first + 1) * shares, end = 0;
        tables.for_each_lane(*first, [&](int, index_t e) { begin = std::min(begin, e / width), end = e / width + 1; });
        for (index_t group = begin; group < end; ++group) {
          s.first = group == begin, s.last = group + 1 == end;
          kernel(group);
        }
      }
    } else {
      while (first != last) {
        index_t const group = *first / parts;
        std::fill(s.present, s.present + parts, false);
        for (; first != last && *first / parts == group; ++first) s.present[*first % parts] = true;
        kernel(group);
      }
    }
  }

  // How many groups of the kernel's so many groups of the restriction are, about.
  static constexpr index_t kernel_groups(index_t groups) { return (groups + parts - 1) / parts * shares; }

  // Of memory that a group knows of, factors alone are asked for.
  static constexpr int lines_ahead = 0;
  SUMFAC_INLINE char const* ahead_of(index_t group) const
  {
    if (size == footprint::in_caches) return nullptr;
    return reinterpret_cast<char const*>(lanes.entries_of(group / shares * parts));
  }

private:
  // Lanes that lie together both in a pack and in the restriction's.
  static constexpr int piece = std::min(width, number_width);

  // Calls f(nodal, numbers) for the places of each piece of all nodes.
  template <class Scratch, class Function>
  SUMFAC_INLINE static void for_each_piece(Scratch& s, index_t group, Function const& f)
  {
    auto* const nodal = reinterpret_cast<Scalar*>(s.nodal.entries);
    auto* const numbers = reinterpret_cast<Number*>(s.rows.entries) + group % shares * width;
    for (int p = 0; p < nodes; ++p) {
      SUMFAC_UNROLL
      for (int part = 0; part < parts; ++part)
        f(nodal + p * width + part * piece, numbers + (part * nodes + p) * number_width);
    }
  }
};

}  // namespace sumfac
