// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the rungs of all ladders share: where their numbers lie, tables in scratch, and loops that may be unrolled.
#pragma once

#include <sumfac/backend/policy.hpp>
#include <sumfac/config.hpp>
#include <sumfac/form/stiffness.hpp>
#include <sumfac/tensor/pencil.hpp>

namespace sumfac::ladder {

// How a rung reads u and the factors.
enum class reading {
  plain,     // a pointer that may alias v
  constant,  // through the cache for what no kernel writes, as const and restrict let a compiler do
};

// Whether a rung's loops are left to the compiler or all unrolled.
enum class loops { as_written, unrolled };

// What a kernel is given. n nodes and g points per direction, F factors a point.
struct arguments {
  double const* u = nullptr;              // (E, n, n, n)
  double* v = nullptr;                    // (E, n, n, n)
  double const* factors = nullptr;        // (E, F, g, g, g)
  double const* interpolation = nullptr;  // I: (g, n)
  double const* derivative = nullptr;     // D on the points: (g, g)
  double* work = nullptr;                 // (E, Kernel::work) for rungs that keep intermediates in global memory
  double lambda = 0.1;                    // of the mass term in BP3.5 and BP3.0
};

// Numbers of padding behind rows of n or g: a row of 8 or 16 doubles is half of the banks' width, or all of it.
constexpr int padding(int n, int g) { return n == 8 || n == 16 || g == 8 || g == 16 ? 1 : 0; }

// f(0), f(1), ..., f(Count - 1).
template <int Count, loops How, class Function>
SUMFAC_INLINE void repeat(Function const& f)
{
  if constexpr (How == loops::unrolled && SUMFAC_ON_DEVICE == 1) {
    SUMFAC_UNROLL
    for (int i = 0; i < Count; ++i) f(i);
  } else {
    for (int i = 0; i < Count; ++i) f(i);
  }
}

// The sum of f(0), ..., f(Count - 1).
template <int Count, loops How, class Function>
SUMFAC_INLINE double sum(Function const& f)
{
  double total = 0;
  repeat<Count, How>([&](int i) SUMFAC_LAMBDA { total += f(i); });
  return total;
}

#if !SUMFAC_ON_DEVICE
// Entries of tables that kernels on this thread read from scratch, which `checked` counts among its reads.
inline thread_local index_t table_reads = 0;
#endif

// A one-dimensional table in scratch.
template <class Team, int Rows, int Cols, int Padding>
struct shared_table {
  typename Team::template shared<double, Rows, Cols + Padding> entries;

  SUMFAC_INLINE double operator()(int r, int c)
  {
#if !SUMFAC_ON_DEVICE
    ++table_reads;
#endif
    return entries(r, c);
  }

  // Fills it, (Rows, Cols) from memory; no barrier.
  SUMFAC_INLINE void load(Team const& team, double const* from)
  {
    team.each(box<Rows, Cols>{}, [&](int r, int c) { entries(r, c) = from[r * Cols + c]; });
  }

  // The same, transposed.
  SUMFAC_INLINE void load_transpose(Team const& team, double const* from)
  {
    team.each(box<Rows, Cols>{}, [&](int r, int c) { entries(r, c) = from[c * Rows + r]; });
  }
};

// An element's numbers in global memory. Points are (z, r, q), nodes (k, j, i): along z, y, x.
template <int Nodes, int Points, int Factors, reading How>
struct element_memory {
  static constexpr int n = Nodes, g = Points;

  arguments given;

  SUMFAC_INLINE double u(index_t e, int k, int j, int i) const { return read(given.u + place<n>(e, k, j, i)); }
  SUMFAC_INLINE double& v(index_t e, int k, int j, int i) const { return given.v[place<n>(e, k, j, i)]; }

  // All of u at (j, i), along z.
  SUMFAC_INLINE pencil<double, n> column(index_t e, int j, int i) const
  {
    return fetch<double, n>([&](int k) SUMFAC_LAMBDA { return u(e, k, j, i); });
  }

  SUMFAC_INLINE double factor(index_t e, int f, int z, int r, int q) const
  {
    return read(given.factors + place<g>(e * Factors + f, z, r, q));
  }

  // The seven of a stiffness form with a mass term.
  SUMFAC_INLINE stiffness::factors<double> metric(index_t e, int z, int r, int q) const
  {
    stiffness::factors<double> m;
    SUMFAC_UNROLL
    for (int f = 0; f < 6; ++f) m.metric.entries[f] = factor(e, f, z, r, q);
    m.measure = factor(e, 6, z, r, q);
    return m;
  }

private:
  template <int Extent>
  SUMFAC_INLINE static index_t place(index_t e, int k, int j, int i)
  {
    return ((e * Extent + k) * Extent + j) * Extent + i;
  }

  SUMFAC_INLINE static double read(double const* p)
  {
#if defined(__CUDA_ARCH__)
    if constexpr (How == reading::constant) return __ldg(p);
#endif
    return *p;
  }
};

}  // namespace sumfac::ladder
