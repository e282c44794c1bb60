// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How a host team reads u and writes v: a group of elements becomes packs, a lane for each element.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/operator/element_vector.hpp>
#include <sumfac/operator/lane_transfer.hpp>

#include <cstdint>

namespace sumfac {

// Packs in an E-vector's own order: (c, k, j, i), i fastest.
template <class Pack, int N>
struct pack_cube {
  Pack* packs;
  SUMFAC_INLINE Pack& operator()(int c, int k, int j, int i) const { return packs[((c * N + k) * N + j) * N + i]; }
};

// u, v and factors of the elements of one group on the host.
//
// A vector interleaved by the pack's width and aligned to it is used where it lies. Any other is transposed into
// scratch on the way in and out. `streaming` writes v past the caches: right where it is too large to stay in them.
template <class Form, int N, int G, class Scalar>
struct host_exchange {
  static constexpr int components = components_of<Form>;
  static constexpr int width = native_width<Scalar>;
  static constexpr int nodes = components * N * N * N;
  using packed = pack<Scalar, width>;
  using point_factors = typename Form::template factors<packed>;

  element_vector<Scalar const> u;
  element_vector<Scalar> v;
  point_factors const* stored = nullptr;  // (groups, G^3), in the kernel's reading order
  bool streaming = false;

  template <class Team>
  struct scratch {
    typename Team::template shared<packed, nodes> nodal;  // u or v of the group
    typename Team::template shared<packed, nodes> rows;   // v in row order, on its way to memory
  };

  template <class Team>
  SUMFAC_INLINE auto fetch(Team const&, scratch<Team>& s, index_t group) const
  {
    if (in_place(u)) return pack_cube<packed const, N>{packs(u.data) + group * nodes};
    lane_transfer<Scalar const, width>(u, group * width, components, N).gather(s.nodal.entries);
    return pack_cube<packed const, N>{s.nodal.entries};
  }

  template <class Team>
  SUMFAC_INLINE auto result(Team const&, scratch<Team>& s, index_t group) const
  {
    return pack_cube<packed, N>{in_place(v) && !streaming ? packs(v.data) + group * nodes : s.nodal.entries};
  }

  // Row (c, k, j) of the result is complete: where v is streamed it goes to memory now, beside the work on the next.
  template <class Team>
  SUMFAC_INLINE void finish_row(Team const&, scratch<Team>& s, index_t group, int c, int k, int j) const
  {
    if (!streaming || !in_place(v)) return;
    int const first = ((c * N + k) * N + j) * N;
    Scalar* const to = v.data + (group * nodes + first) * width;
    SUMFAC_UNROLL
    for (int i = 0; i < N; ++i) stream(s.nodal.entries[first + i], to + i * width);
  }

  template <class Team>
  SUMFAC_INLINE void finish(Team const&, scratch<Team>& s, index_t group) const
  {
    if (!in_place(v))
      lane_transfer<Scalar, width>(v, group * width, components, N).scatter(s.nodal.entries, s.rows.entries, streaming);
  }

  // Asks memory for the u of the next group and for factors a good way ahead, a share at each of Steps steps, so that
  // the memory works while a group is computed with.
  template <int Steps>
  class ahead {
  public:
    ahead() = default;
    ahead(void const* vector, void const* stored) : at_(static_cast<char const*>(vector)), rest_(vector_lines)
    {
      stored_ = static_cast<char const*>(stored);
    }

    SUMFAC_INLINE void step()
    {
      if (at_ == nullptr) return;
      for (int i = 0; i < share; ++i) __builtin_prefetch(at_ + i * line, 0, 2);
      at_ += share * line;
      rest_ -= share;
      if (rest_ <= 0) at_ = stored_, rest_ = all_lines;
    }

  private:
    static constexpr int line = 64;
    static constexpr int vector_lines = static_cast<int>(nodes * sizeof(packed) / line);
    static constexpr int all_lines = vector_lines + static_cast<int>(G * G * G * sizeof(point_factors) / line);
    static constexpr int share = (all_lines + Steps - 1) / Steps;

    char const* at_ = nullptr;
    char const* stored_ = nullptr;
    int rest_ = 0;
  };

  template <int Steps>
  SUMFAC_INLINE ahead<Steps> look_ahead(index_t group) const
  {
    if (!streaming) return {};
    // Factors are read in the middle of a group's work: 0.3 of them are enough of a lead, measured.
    constexpr index_t bytes = G * G * G * index_t{sizeof(point_factors)}, lead = bytes * 3 / 10, least = 32 * 1024;
    return {u.data + (group + 1) * width * nodes,
            reinterpret_cast<char const*>(stored) + group * bytes + (lead > least ? lead / 64 * 64 : least)};
  }

  template <class T>
  SUMFAC_INLINE point_factors const& factors(index_t group, int point) const
  {
    return stored[group * (G * G * G) + point];
  }

private:
  static packed const* packs(Scalar const* p) { return reinterpret_cast<packed const*>(p); }
  static packed* packs(Scalar* p) { return reinterpret_cast<packed*>(p); }

  template <class T>
  static bool in_place(element_vector<T> const& x)
  {
    return x.width == width && x.in_rows(components, N, width) &&
           reinterpret_cast<std::uintptr_t>(x.data) % alignof(packed) == 0;
  }
};

}  // namespace sumfac
