// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How a host team reads u and writes v: a group of elements becomes packs, a lane for each element.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/operator/element_vector.hpp>

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
    gather(s.nodal.entries, group);
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
    if (!in_place(v)) scatter(s, group);
  }

  // Asks memory for u and the factors of the next group, a share at each of Steps steps: while a group is computed
  // with, the memory works on the next one.
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
    return {u.data + (group + 1) * width * nodes, stored + (group + 1) * (G * G * G)};
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

  // First entry of each lane's element; lanes behind the last element repeat it.
  template <class T>
  static int lanes(element_vector<T> const& x, index_t group, T* (&first)[width])
  {
    index_t const left = x.elements - group * width;
    int const count = left < width ? static_cast<int>(left) : width;
    for (int l = 0; l < width; ++l) first[l] = x.data + x.offset(group * width + (l < count ? l : count - 1));
    return count;
  }

  __attribute__((noinline)) void gather(packed* to, index_t group) const;
  template <class Scratch>
  __attribute__((noinline)) void scatter(Scratch& s, index_t group) const;
};

namespace detail {

// Calls f(p, offset) for node p of an element in row order, at `offset` entries from its first.
template <int N, int Components, class T, class Function>
SUMFAC_INLINE void for_each_node(element_vector<T> const& x, Function f)
{
  int p = 0;
  for (int c = 0; c < Components; ++c)
    for (int k = 0; k < N; ++k)
      for (int j = 0; j < N; ++j)
        for (int i = 0; i < N; ++i, ++p) f(p, c * x.stride_c + k * x.stride_k + j * x.stride_j + i * x.stride_i);
}

// Writes `size` numbers past the caches, up to the ends that do not fill a register.
template <class T, int W>
void stream_range(pack<T, W> const*, T const* from, T* to, index_t size)
{
  index_t i = 0;
  for (; i < size && reinterpret_cast<std::uintptr_t>(to + i) % (W * sizeof(T)) != 0; ++i) to[i] = from[i];
  for (; i + W <= size; i += W) stream(pack<T, W>::load(from + i), to + i);
  for (; i < size; ++i) to[i] = from[i];
}

}  // namespace detail

template <class Form, int N, int G, class Scalar>
void host_exchange<Form, N, G, Scalar>::gather(packed* to, index_t group) const
{
  Scalar const* first[width];
  int const count = lanes(u, group, first);
  if (u.in_rows(components, N, 1)) {
    int p = 0;
    for (; p + width <= nodes; p += width) {
      packed block[width];
      for (int l = 0; l < width; ++l) block[l] = packed::load(first[l] + p);
      transpose(block);
      for (int l = 0; l < width; ++l) to[p + l] = block[l];
    }
    for (; p < nodes; ++p)
      for (int l = 0; l < width; ++l) to[p].set(l, first[l][p]);
  } else if (count == width && first[width - 1] - first[0] == width - 1 && first[1] - first[0] == 1) {
    detail::for_each_node<N, components>(u, [&](int p, index_t at) { to[p] = packed::load(first[0] + at); });
  } else {
    detail::for_each_node<N, components>(u, [&](int p, index_t at) {
      for (int l = 0; l < width; ++l) to[p].set(l, first[l][at]);
    });
  }
}

template <class Form, int N, int G, class Scalar>
template <class Scratch>
void host_exchange<Form, N, G, Scalar>::scatter(Scratch& s, index_t group) const
{
  packed const* const from = s.nodal.entries;
  Scalar* first[width];
  int const count = lanes(v, group, first);
  if (v.in_rows(components, N, 1)) {
    // Elements one behind the other make one long row, which can be streamed.
    bool const one_row = streaming && count == width && v.width == 1 && v.block_stride == nodes;
    Scalar* const rows = reinterpret_cast<Scalar*>(s.rows.entries);
    Scalar* to[width];
    for (int l = 0; l < width; ++l) to[l] = one_row ? rows + l * nodes : first[l];
    int p = 0;
    for (; p + width <= nodes; p += width) {
      packed block[width];
      for (int l = 0; l < width; ++l) block[l] = from[p + l];
      transpose(block);
      for (int l = 0; l < count; ++l) block[l].store(to[l] + p);
    }
    for (; p < nodes; ++p)
      for (int l = 0; l < count; ++l) to[l][p] = from[p][l];
    if (one_row) detail::stream_range(from, rows, first[0], index_t{width} * nodes);
  } else if (count == width && first[width - 1] - first[0] == width - 1 && first[1] - first[0] == 1) {
    detail::for_each_node<N, components>(v, [&](int p, index_t at) { from[p].store(first[0] + at); });
  } else {
    detail::for_each_node<N, components>(v, [&](int p, index_t at) {
      for (int l = 0; l < count; ++l) first[l][at] = from[p][l];
    });
  }
}

}  // namespace sumfac
