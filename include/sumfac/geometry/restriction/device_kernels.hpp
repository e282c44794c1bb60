// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The small kernels around a restriction on a device: sums of nodes, lists of entries, gather and scatter alone.
#pragma once

#include <sumfac/backend/loop.hpp>
#include <sumfac/config.hpp>
#include <sumfac/geometry/element_vector.hpp>
#include <sumfac/geometry/restriction/device_table.hpp>

#include <cstdint>

namespace sumfac::detail {

template <class T>
struct set_listed {
  index_t const* entries;
  T* y;
  T a;
  SUMFAC_INLINE void operator()(index_t i) const { y[entries[i]] = a; }
};

template <class T>
struct copy_listed {
  index_t const* entries;
  T const* x;
  T* y;
  SUMFAC_INLINE void operator()(index_t i) const { y[entries[i]] = x[entries[i]]; }
};

template <class T>
struct set_all {
  T* y;
  T a;
  SUMFAC_INLINE void operator()(index_t i) const { y[i] = a; }
};

// An element's node as (e, p) of an E-vector of any layout, or of the work memory of sums.
template <class T>
struct element_places {
  element_vector<T> u;
  index_t n = 0;

  SUMFAC_INLINE T& operator()(index_t e, int c, index_t p) const { return u(e, c, p / (n * n), p / n % n, p % n); }
};
template <class T>
struct work_places {
  T const* work = nullptr;
  index_t elements = 0, nodes_of_element = 0;

  SUMFAC_INLINE T operator()(index_t e, int c, index_t p) const
  {
    return work[(c * elements + e) * nodes_of_element + p];
  }
};

// y at node i = the sum of what its elements have, in the order of the table; or added to y.
template <class T, class Places>
struct sum_of_node {
  Places places;
  index_t const* first;         // (nodes + 1)
  std::uint32_t const* listed;  // e * n^3 + p
  index_t nodes_of_element, step, stride;
  int components;
  T* y;
  bool adds;

  SUMFAC_INLINE void operator()(index_t node) const
  {
    for (int c = 0; c < components; ++c) {
      T sum = 0;
      for (index_t i = first[node]; i < first[node + 1]; ++i)
        sum += places(listed[i] / nodes_of_element, c, listed[i] % nodes_of_element);
      T& at = y[node * step + c * stride];
      at = adds ? at + sum : sum;
    }
  }
};

// u = R x at place i of (elements, C, n^3).
template <class T>
struct gather_place {
  device_table<T> table;
  element_places<T> places;
  index_t const* elements;
  int components;
  T const* x;

  SUMFAC_INLINE void operator()(index_t i) const
  {
    index_t const p = i % table.nodes_of_element, row = i / table.nodes_of_element;
    index_t const e = elements[row / components];
    int const c = static_cast<int>(row % components);
    places(e, c, p) = table.read(x, e, c, static_cast<int>(p));
  }
};

// y += R^T v at the same place, by an atomic addition.
template <class T>
struct scatter_place {
  device_table<T> table;
  element_places<T const> places;
  index_t const* elements;
  int components;
  T* y;

  SUMFAC_INLINE void operator()(index_t i) const
  {
    index_t const p = i % table.nodes_of_element, row = i / table.nodes_of_element;
    index_t const e = elements[row / components];
    int const c = static_cast<int>(row % components);
    table.add(y, e, c, static_cast<int>(p), places(e, c, p));
  }
};

}  // namespace sumfac::detail
