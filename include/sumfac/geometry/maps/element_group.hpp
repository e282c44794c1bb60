// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The mesh nodes of a group of elements, one in each SIMD lane, contracted direction by direction.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/config.hpp>
#include <sumfac/geometry/mapping.hpp>
#include <sumfac/math/detail/power_of_two.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/math/small.hpp>

#include <cstddef>
#include <type_traits>

namespace sumfac::inline SUMFAC_TARGET::detail {

// Sets, reads a lane of a number or of a pack.
template <class T>
SUMFAC_INLINE void set_lane(T& x, int lane, scalar_of<T> entry)
{
  if constexpr (std::is_same_v<T, scalar_of<T>>)
    x = entry;
  else
    x.set(lane, entry);
}

template <class T>
SUMFAC_INLINE scalar_of<T> lane_of(T const& x, int lane)
{
  if constexpr (std::is_same_v<T, scalar_of<T>>)
    return static_cast<void>(lane), x;
  else
    return x[lane];
}

// The mapping of the element in the first lane.
template <class T>
mapping<double> first_lane(mapping<T> const& x)
{
  matrix<double, 3> jacobian{};
  vector<double, 3> position{};
  for (int i = 0; i < 9; ++i) jacobian(i / 3, i % 3) = lane_of(x.jacobian()(i / 3, i % 3), 0);
  for (int c = 0; c < 3; ++c) position[c] = lane_of(x.position()[c], 0);
  return places::put(mapping<double>(jacobian, lane_of(x.weight(), 0), position), places::of(x));
}

// On their way from nodes to points, coordinates of a group of elements with m nodes per direction: load, then z, y, x,
// a level for each direction. l and dl are the nodal basis and its derivative at the level's point, T is double or a
// pack.
//
// Coordinates are relative to the element's first node, so that a mesh far from the origin loses nothing, and over a
// power of two of their size, so that products of elements of any size are numbers.
// **Shapes** l (m), dl (m). **Work** z: 12 m^3, y: 18 m^2, x: 24 m flops.
template <class T>
class element_group {
public:
  explicit element_group(int m)
      : m_(m),
        nodes_(static_cast<std::size_t>(3 * m * m * m)),
        slab_(static_cast<std::size_t>(6 * m * m)),
        row_(static_cast<std::size_t>(9 * m))
  {}

  // Takes the elements from `first` on, one in each lane; lanes from `last` on repeat the element before it.
  template <class Nodes>
  void load(Nodes const& nodes, index_t first, index_t last);

  void contract_z(double const* l, double const* dl);
  void contract_y(double const* l, double const* dl);
  SUMFAC_HOST_INLINE mapping<T> contract_x(double const* l, double const* dl, double weight,
                                           point_place const& place = {}) const;

private:
  int m_;
  vector<T, 3> origin_{};  // the first node
  T scale_{};
  own_vector<T> nodes_;  // (m, m, m, 3)
  own_vector<T> slab_;   // (m, m, 2, 3) at one z: value, d/dzeta
  own_vector<T> row_;    // (m, 3, 3) at one (z, y): value, d/deta, d/dzeta
};

template <class T>
template <class Nodes>
void element_group<T>::load(Nodes const& nodes, index_t first, index_t last)
{
  index_t const stride_k = nodes.stride(1), stride_j = nodes.stride(2), stride_i = nodes.stride(3);
  index_t const stride_c = nodes.stride(4);
  for (int lane = 0; lane < width_of<T>; ++lane) {
    index_t const e = first + lane < last ? first + lane : last - 1;
    auto const* const element = nodes.data() + nodes.mapping()(e, 0, 0, 0, 0);
    double origin[3];
    for (int c = 0; c < 3; ++c) {
      origin[c] = static_cast<double>(element[c * stride_c]);
      set_lane(origin_[c], lane, origin[c]);
    }
    T* out = nodes_.data();
    for (int k = 0; k < m_; ++k)
      for (int j = 0; j < m_; ++j)
        for (int i = 0; i < m_; ++i)
          for (int c = 0; c < 3; ++c, ++out) {
            auto const x = static_cast<double>(element[k * stride_k + j * stride_j + i * stride_i + c * stride_c]);
            set_lane(*out, lane, x - origin[c]);
          }
  }
  scale_ = scale_of(nodes_.data(), static_cast<int>(nodes_.size()));
  T const inverse = static_cast<T>(1) / scale_;
  for (T& x : nodes_) x = inverse * x;
}

// (k, j, i, c) -> (j, i, value | d/dzeta, c)
template <class T>
void element_group<T>::contract_z(double const* l, double const* dl)
{
  int const layer = m_ * m_;
  for (int ji = 0; ji < layer; ++ji) {
    T const* const in = nodes_.data() + 3 * ji;
    vector<T, 3> at{}, dz{};
    for (int k = 0; k < m_; ++k) {
      SUMFAC_UNROLL
      for (int c = 0; c < 3; ++c) {
        T const x = in[3 * layer * k + c];
        at[c] = fma(l[k], x, at[c]);
        dz[c] = fma(dl[k], x, dz[c]);
      }
    }
    T* const out = slab_.data() + 6 * ji;
    SUMFAC_UNROLL
    for (int c = 0; c < 3; ++c) out[c] = at[c], out[3 + c] = dz[c];
  }
}

// (j, i, value | d/dzeta, c) -> (i, value | d/deta | d/dzeta, c)
template <class T>
void element_group<T>::contract_y(double const* l, double const* dl)
{
  for (int i = 0; i < m_; ++i) {
    T const* const in = slab_.data() + 6 * i;
    vector<T, 3> at{}, dy{}, dz{};
    for (int j = 0; j < m_; ++j) {
      SUMFAC_UNROLL
      for (int c = 0; c < 3; ++c) {
        T const x = in[6 * m_ * j + c], x_z = in[6 * m_ * j + 3 + c];
        at[c] = fma(l[j], x, at[c]);
        dy[c] = fma(dl[j], x, dy[c]);
        dz[c] = fma(l[j], x_z, dz[c]);
      }
    }
    T* const out = row_.data() + 9 * i;
    SUMFAC_UNROLL
    for (int c = 0; c < 3; ++c) out[c] = at[c], out[3 + c] = dy[c], out[6 + c] = dz[c];
  }
}

// (i, value | d/deta | d/dzeta, c) -> mapping
template <class T>
SUMFAC_HOST_INLINE mapping<T> element_group<T>::contract_x(double const* l, double const* dl, double weight,
                                                           point_place const& place) const
{
  vector<T, 3> position{};
  matrix<T, 3> jacobian{};
  T const* in = row_.data();
  for (int i = 0; i < m_; ++i, in += 9) {
    SUMFAC_UNROLL
    for (int c = 0; c < 3; ++c) {
      position[c] = fma(l[i], in[c], position[c]);
      jacobian(c, 0) = fma(dl[i], in[c], jacobian(c, 0));
      jacobian(c, 1) = fma(l[i], in[3 + c], jacobian(c, 1));
      jacobian(c, 2) = fma(l[i], in[6 + c], jacobian(c, 2));
    }
  }
  SUMFAC_UNROLL
  for (int c = 0; c < 3; ++c) position[c] = fma(scale_, position[c], origin_[c]);
  return {jacobian, static_cast<T>(weight), position, scale_, place};
}

}  // namespace sumfac::detail
