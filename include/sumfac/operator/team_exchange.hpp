// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How a device team of one or several elements reads u and its factors and writes v, in global memory.
#pragma once

#include <sumfac/backend/global_memory.hpp>
#include <sumfac/backend/policy.hpp>
#include <sumfac/contract/direction.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/operator/element_vector.hpp>

#include <cstring>

namespace sumfac {

// u, v and factors of the elements of one group: threads side by side take lines side by side.
//
// Factors are (groups, F, G, Elements, G^2): the kernel takes point (layer, place) of all elements of a team at once.
// A team behind the last element repeats it and stores nothing.
template <class Form, int N, int G, class Scalar, int Elements>
struct team_exchange {
  static constexpr int elements = Elements;
  static constexpr int count = factors_of<Form>;
  static constexpr int layer = Elements * G * G;

  element_vector<Scalar const> u;
  element_vector<Scalar> v;
  Scalar const* stored = nullptr;
  bool streaming = false;  // devices write past their caches anyway

  SUMFAC_INLINE bool exists(index_t group, int e) const
  {
    return Elements == 1 || group * Elements + e < u.elements;
  }

  // A line of nodes of component c of element e of the group, along z or along y.
  SUMFAC_INLINE pencil<Scalar, N> along_z(index_t group, int e, int c, int j, int i) const
  {
    return read(u.data + offset(u, group, e) + (c * u.stride_c + j * u.stride_j + i * u.stride_i), u.stride_k);
  }
  SUMFAC_INLINE pencil<Scalar, N> along_y(index_t group, int e, int c, int k, int i) const
  {
    return read(u.data + offset(u, group, e) + (c * u.stride_c + k * u.stride_k + i * u.stride_i), u.stride_j);
  }

  // A line of v to write, called with (node, x); nothing is stored where the element does not exist.
  struct sink {
    Scalar* first;
    index_t stride;
    bool exists;
    SUMFAC_INLINE void operator()(int node, Scalar x) const
    {
      if (exists) store_once(x, first + node * stride);
    }
  };

  SUMFAC_INLINE sink to_z(index_t group, int e, int c, int j, int i) const
  {
    return {v.data + offset(v, group, e) + (c * v.stride_c + j * v.stride_j + i * v.stride_i), v.stride_k,
            exists(group, e)};
  }
  SUMFAC_INLINE sink to_y(index_t group, int e, int c, int k, int i) const
  {
    return {v.data + offset(v, group, e) + (c * v.stride_c + k * v.stride_k + i * v.stride_i), v.stride_j,
            exists(group, e)};
  }

  // Factors at a point of element e: layer * G^2 + place.
  SUMFAC_INLINE auto factors(index_t group, int e, int layer_of_point, int place) const
  {
    Scalar const* const first = stored + group * (count * G * layer) + (layer_of_point * layer + e * (G * G) + place);
    Scalar numbers[count];
    SUMFAC_UNROLL
    for (int i = 0; i < count; ++i) numbers[i] = load_once(first + i * (G * layer));
    typename Form::template factors<Scalar> f;
    std::memcpy(&f, numbers, sizeof f);
    return f;
  }

  // Asks for all factors of a group.
  template <class Team>
  SUMFAC_INLINE void prefetch_factors(Team const& team, index_t group) const
  {
    constexpr int step = 128 / sizeof(Scalar), size = count * G * layer;
    Scalar const* const first = stored + group * size;
    team.each(box<(size + step - 1) / step>{}, [&](int line) { prefetch_line(first + line * step); });
  }

private:
  SUMFAC_INLINE static pencil<Scalar, N> read(Scalar const* first, index_t stride)
  {
    return fetch<Scalar, N>([&](int i) SUMFAC_LAMBDA { return load_constant(first + i * stride); });
  }

  template <class T>
  SUMFAC_INLINE static index_t offset(element_vector<T> const& x, index_t group, int e)
  {
    index_t element = group * Elements + e;
    if (Elements > 1 && element >= x.elements) element = x.elements - 1;
    return x.width == 1 ? element * x.block_stride : x.offset(element);
  }
};

}  // namespace sumfac
