// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The small kernels around a restriction on a device: sums of nodes, constraint rows, lists of entries, gather and
// scatter alone. Compilers of device code alone, as NVRTC, read them.
#pragma once

#include <sumfac/backend/loop.hpp>
#include <sumfac/dofs/restriction/device_table.hpp>
#include <sumfac/dofs/vectors/element_vector.hpp>

#include <cstdint>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// to[i] = from[i]
template <class Scalar>
struct copy_body {
  Scalar const* from;
  Scalar* to;
  SUMFAC_INLINE void operator()(index_t i) const { to[i] = from[i]; }
};

template <class T>
struct set_listed {
  index_t const* entries;
  T* y;
  T a;
  SUMFAC_INLINE void operator()(index_t i) const { y[entries[i]] = a; }
};

// What y = A x has at entry i: the elements' sum, which is 0 at constrained entries, or a number times x there.
template <class T>
struct rows_of {
  std::uint32_t const* marks = nullptr;  // a bit for each entry; null where all have the sum
  T const* x = nullptr;
  T value = 0;

  SUMFAC_INLINE T at(index_t i, T sum) const
  {
    return marks != nullptr && (marks[i >> 5] >> (i & 31) & 1) != 0 ? value * x[i] : sum;
  }
};

// y before elements add to it.
template <class T>
struct clear_entry {
  rows_of<T> rows;
  T* y;
  SUMFAC_INLINE void operator()(index_t i) const { y[i] = rows.at(i, 0); }
};

// y at node i = the sum of what its elements have, in the order of the table; or added to y. A node of one element
// alone has it already.
template <class T>
struct sum_of_node {
  T const* work;  // (C, slots): of a node those from first[node] to first[node + 1]
  index_t work_stride;
  std::uint32_t const* first;  // (nodes + 1); with device_table::alone for a node that has no slots and its value
  index_t step, stride;
  int components;
  rows_of<T> rows;
  T* y;
  bool adds;

  SUMFAC_INLINE void operator()(index_t node) const
  {
    for (int c = 0; c < components; ++c) set(node, c);
  }
  // Of one component; its entry.
  SUMFAC_INLINE index_t set(index_t node, int c) const
  {
    constexpr std::uint32_t alone = device_table<T>::alone;
    index_t const entry = node * step + c * stride;
    std::uint32_t const begin = first[node];
    if ((begin & alone) != 0) return entry;
    T const* const of_component = work + c * work_stride;
    std::uint32_t const end = first[node + 1] & ~alone;
    T sum = 0;
    std::uint32_t i = begin;
    for (; i + 2 <= end; i += 2) {
      T const a = of_component[i], b = of_component[i + 1];
      sum = (sum + a) + b;
    }
    if (i < end) sum += of_component[i];
    y[entry] = adds ? y[entry] + sum : rows.at(entry, sum);
    return entry;
  }
};

// Entry i of a list becomes, or has added, its value + the sum of its terms, which are entries of `from`.
template <class Scalar>
struct set_row {
  index_t const *entries, *begin, *terms;
  Scalar const *weights, *values;
  Scalar const* from;
  Scalar* to;
  bool adds;

  SUMFAC_INLINE void operator()(index_t i) const
  {
    index_t const entry = entries[i];
    Scalar sum = adds ? to[entry] : values[i];
    for (index_t t = begin[i]; t < begin[i + 1]; ++t) sum += weights[t] * from[terms[t]];
    to[entry] = sum;
  }
};

// What the unknowns of rows have behind a sweep: what they had before, a number times x, or 0.
template <class Scalar>
struct finish_row {
  index_t const* entries;
  Scalar const *before, *x;  // one of them, or none
  Scalar value;
  Scalar* y;
  SUMFAC_INLINE void operator()(index_t i) const
  {
    index_t const entry = entries[i];
    y[entry] = before != nullptr ? before[i] : x != nullptr ? value * x[entry] : Scalar(0);
  }
};
// Keeps them, and makes them 0 for elements to add to.
template <class Scalar>
struct keep_row {
  index_t const* entries;
  Scalar *before, *y;
  SUMFAC_INLINE void operator()(index_t i) const
  {
    Scalar& of_row = y[entries[i]];
    before[i] = of_row;
    of_row = 0;
  }
};

// The places (elements, C, n^3) of an E-vector of any layout, a thread each.
template <class T, dof_extras Extras>
struct element_places {
  device_table<std::remove_const_t<T>, Extras> table;
  element_vector<T> u;
  int n = 0, components = 1;
  index_t const* elements = nullptr;

  // Calls f(e, c, p, entry of u) for place i: one division of 64 bits for each thread, which are slow on devices.
  template <class Function>
  SUMFAC_INLINE void at(index_t i, Function const& f) const
  {
    index_t const row = i / table.nodes_of_element, of_list = components == 1 ? row : row / components;
    auto const p = static_cast<int>(i - row * table.nodes_of_element);
    auto const c = static_cast<int>(row - of_list * components);
    index_t const e = elements[of_list];
    f(e, c, p, u(e, c, p / (n * n), p / n % n, p % n));
  }
};

// u = R x at a place.
template <class T, dof_extras Extras>
struct gather_place : element_places<T, Extras> {
  T const* x;
  SUMFAC_INLINE void operator()(index_t i) const
  {
    this->at(i, [&](index_t e, int c, int p, T& to) SUMFAC_LAMBDA { to = this->table.read(x, e, c, p); });
  }
};

// y += R^T v at a place, by an atomic addition or by what the table has in place of it.
template <class T, dof_extras Extras>
struct scatter_place : element_places<T const, Extras> {
  T* y;
  SUMFAC_INLINE void operator()(index_t i) const
  {
    this->at(i, [&](index_t e, int c, int p, T const& v) SUMFAC_LAMBDA { this->table.add(y, e, c, p, v); });
  }
};

}  // namespace sumfac::detail
