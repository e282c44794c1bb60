// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How kernels read the factors of a form that were stored when the operator was made.
#pragma once

#include <sumfac/backend/global_memory.hpp>
#include <sumfac/backend/policy.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/math/pack.hpp>

#include <cstring>

namespace sumfac {

// On the host: a point's factors side by side, a pack of elements in each.
//
// **Shapes** (groups, G^3), in the kernel's reading order.
template <class Form, int G, class Scalar>
struct packed_factor_reader {
  using point_factors = typename Form::template factors<pack<Scalar, native_width<Scalar>>>;

  point_factors const* stored = nullptr;

  template <class T>
  SUMFAC_INLINE point_factors const& factors(index_t group, int point) const
  {
    return stored[group * (G * G * G) + point];
  }

  // Factors are read in the middle of a group's work: 0.3 of them are enough of a lead, measured.
  static constexpr int lines_ahead = static_cast<int>(G * G * G * sizeof(point_factors) / 64);
  SUMFAC_INLINE char const* ahead_of(index_t group) const
  {
    constexpr index_t bytes = G * G * G * index_t{sizeof(point_factors)}, lead = bytes * 3 / 10, least = 32 * 1024;
    return reinterpret_cast<char const*>(stored) + group * bytes + (lead > least ? lead / 64 * 64 : least);
  }
};

// For a team of one element that asks for points in any order.
//
// **Shapes** (E, F, G^3).
template <class Form, int G, class Scalar>
struct direct_factor_reader {
  static constexpr int count = factors_of<Form>;

  Scalar const* stored = nullptr;

  template <class T>
  SUMFAC_INLINE auto factors(index_t e, int point) const
  {
    T numbers[count];
    SUMFAC_UNROLL
    for (int i = 0; i < count; ++i) numbers[i] = stored[(e * count + i) * (G * G * G) + point];
    typename Form::template factors<T> f;
    std::memcpy(&f, numbers, sizeof f);
    return f;
  }

  static constexpr int lines_ahead = 0;
};

// For a device's team: it takes point (layer, place) of all its elements at once.
//
// **Shapes** (groups, F, G, Elements, G^2).
template <class Form, int G, class Scalar, int Elements>
struct team_factor_reader {
  static constexpr int count = factors_of<Form>;
  static constexpr int layer = Elements * G * G;

  Scalar const* stored = nullptr;

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

  static constexpr int lines_ahead = 0;
};

}  // namespace sumfac
