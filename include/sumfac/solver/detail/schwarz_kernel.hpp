// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Fast diagonalization of a cube of nodes: to modes along three directions, a division, and back.
#pragma once

#include <sumfac/backend/policy.hpp>
#include <sumfac/config.hpp>
#include <sumfac/geometry/restriction/device_table.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/pencil/pencil.hpp>
#include <sumfac/solver/detail/passes.hpp>

namespace sumfac::inline SUMFAC_TARGET::detail {

// Where the modes of an element, or of a group of elements side by side, lie: three tables (n, n), node and mode, and
// three times n eigenvalues, along x, y and z; those of x with what the subdomain has of mass.
template <int Nodes1d>
struct mode_places {
  static constexpr int size = 3 * Nodes1d * (Nodes1d + 1);
  SUMFAC_INLINE static constexpr int table(int direction) { return direction * Nodes1d * Nodes1d; }
  SUMFAC_INLINE static constexpr int values(int direction) { return 3 * Nodes1d * Nodes1d + direction * Nodes1d; }
};

// Modes in memory, a subdomain's in each lane, as contract() takes tables.
template <class T, int Size>
struct modes_in_memory {
  using number = scalar_of<T>;
  static constexpr int width = width_of<T>;
  number const* first;

  // From modes to nodes.
  struct to_nodes {
    static constexpr int rows = Size, cols = Size, parity = 0;
    struct entries {
      number const* first;
      SUMFAC_INLINE T operator()(int node, int mode) const { return load<T>(first + (node * Size + mode) * width); }
    };
    entries full;
  };
  // From nodes to modes: the transpose.
  struct to_modes {
    static constexpr int rows = Size, cols = Size, parity = 0;
    struct entries {
      number const* first;
      SUMFAC_INLINE T operator()(int mode, int node) const { return load<T>(first + (node * Size + mode) * width); }
    };
    entries full;
  };

  SUMFAC_INLINE to_nodes nodes(int direction) const { return {{first + mode_places<Size>::table(direction) * width}}; }
  SUMFAC_INLINE to_modes modes(int direction) const { return {{first + mode_places<Size>::table(direction) * width}}; }
  SUMFAC_INLINE T value(int direction, int mode) const
  {
    return load<T>(first + (mode_places<Size>::values(direction) + mode) * width);
  }

  // A line along z of modes i and j of x and y: to modes, divided, and back, each entry to the sink.
  template <class Sink>
  SUMFAC_INLINE void divide(pencil<T, Size> const& line, int j, int i, Sink sink) const
  {
    T const across = value(0, i) + value(1, j);
    pencil<T, Size> u;
    contract(modes(2), line, [&](int m, T x) SUMFAC_LAMBDA { u[m] = x / (across + value(2, m)); });
    contract(nodes(2), u, sink);
  }
};

// Which places of a subdomain are beside an edge or a corner of the element, where there is no node: those that are
// outside of it along two directions or three.
template <int Nodes1d, int Overlap>
struct subdomain_places {
  SUMFAC_INLINE static constexpr int outside(int i)
  {
    return i < Overlap || i >= Nodes1d - Overlap ? 1 : 0;
  }
  SUMFAC_INLINE static constexpr bool is_none(int k, int j, int i) { return outside(k) + outside(j) + outside(i) > 1; }

  // cube = 0 there
  template <class T>
  static void clear(T* cube)
  {
    if constexpr (Overlap > 0)
      for (int k = 0; k < Nodes1d; ++k)
        for (int j = 0; j < Nodes1d; ++j, cube += Nodes1d) {
          int const beside = outside(k) + outside(j);
          if (beside == 1) cube[0] = cube[Nodes1d - 1] = T{};
          for (int i = 0; i < Nodes1d && beside == 2; ++i) cube[i] = T{};
        }
  }
};

// cube = S^-1 cube, (n, n, n), in the host's packs; what places without nodes hold is 0 before, and anything behind.
template <class T, int Size>
struct diagonalized_cube {
  modes_in_memory<T, Size> modes;

  SUMFAC_INLINE void run(T* cube) const
  {
    constexpr int plane = Size * Size;
    for (int k = 0; k < Size; ++k) {
      lines<Size, 1>(cube + k * plane, modes.modes(0));
      lines<1, Size>(cube + k * plane, modes.modes(1));
    }
    for (int j = 0; j < Size; ++j)
      for (int i = 0; i < Size; ++i) {
        T* const at = cube + j * Size + i;
        auto const u = fetch<T, Size>([&](int k) SUMFAC_LAMBDA { return at[k * plane]; });
        modes.divide(u, j, i, [&](int k, T x) SUMFAC_LAMBDA { at[k * plane] = x; });
      }
    for (int k = 0; k < Size; ++k) {
      lines<1, Size>(cube + k * plane, modes.nodes(1));
      lines<Size, 1>(cube + k * plane, modes.nodes(0));
    }
  }

private:
  // The lines of a plane: `Step` apart from line to line, along the other direction within one.
  template <int Step, int Along, class Table>
  SUMFAC_INLINE static void lines(T* plane, Table const& table)
  {
    for (int l = 0; l < Size; ++l, plane += Step) {
      auto const u = fetch<T, Size>([&](int i) SUMFAC_LAMBDA { return plane[i * Along]; });
      contract(table, u, [&](int i, T x) SUMFAC_LAMBDA { plane[i * Along] = x; });
    }
  }
};

// y += R^T S^-1 R x of all subdomains on devices; a component at a time.
template <class Scalar, int Nodes1d, int Overlap>
struct schwarz_kernel {
  using scalar = Scalar;
  static constexpr int n = Nodes1d;
  static constexpr int elements = n * n >= 64 ? 1 : (64 + n * n - 1) / (n * n);
  static constexpr int threads = elements * n * n;

  device_table<Scalar> table;
  Scalar const* modes;  // (E, tracked, size)
  Scalar const* x;
  Scalar* y;
  int components, tracked;

  template <class Team>
  struct scratch {
    typename Team::template shared<Scalar, elements, n, n, n> cube;
  };

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    using subdomain = subdomain_places<n, Overlap>;
    for (int c = 0; c < components; ++c) {
      auto const modes_of = [&](int e) SUMFAC_LAMBDA {
        index_t const element = group * elements + e, last = table.elements - 1;
        index_t const known = element < last ? element : last;
        return modes_in_memory<Scalar, n>{modes + (known * tracked + (tracked > 1 ? c : 0)) * mode_places<n>::size};
      };
      team.phase("to modes of x");
      team.each(box<elements, n, n>{}, [&](int e, int k, int j) {
        index_t const element = group * elements + e;
        auto const u = fetch<Scalar, n>([&](int i) SUMFAC_LAMBDA {
          bool const exists = element < table.elements && !subdomain::is_none(k, j, i);
          return exists ? table.read(x, element, c, (k * n + j) * n + i) : Scalar(0);
        });
        contract(modes_of(e).modes(0), u, [&](int i, Scalar v) SUMFAC_LAMBDA { s.cube(e, k, j, i) = v; });
      });
      team.sync();
      team.phase("to modes of y");
      team.each(box<elements, n, n>{}, [&](int e, int k, int i) {
        auto const u = fetch<Scalar, n>([&](int j) SUMFAC_LAMBDA { return s.cube(e, k, j, i); });
        contract(modes_of(e).modes(1), u, [&](int j, Scalar v) SUMFAC_LAMBDA { s.cube(e, k, j, i) = v; });
      });
      team.sync();
      team.phase("division");
      team.each(box<elements, n, n>{}, [&](int e, int j, int i) {
        auto const u = fetch<Scalar, n>([&](int k) SUMFAC_LAMBDA { return s.cube(e, k, j, i); });
        modes_of(e).divide(u, j, i, [&](int k, Scalar v) SUMFAC_LAMBDA { s.cube(e, k, j, i) = v; });
      });
      team.sync();
      team.phase("to nodes along y");
      team.each(box<elements, n, n>{}, [&](int e, int k, int i) {
        auto const u = fetch<Scalar, n>([&](int j) SUMFAC_LAMBDA { return s.cube(e, k, j, i); });
        contract(modes_of(e).nodes(1), u, [&](int j, Scalar v) SUMFAC_LAMBDA { s.cube(e, k, j, i) = v; });
      });
      team.sync();
      team.phase("to nodes along x");
      team.each(box<elements, n, n>{}, [&](int e, int k, int j) {
        index_t const element = group * elements + e;
        auto const u = fetch<Scalar, n>([&](int i) SUMFAC_LAMBDA { return s.cube(e, k, j, i); });
        contract(modes_of(e).nodes(0), u, [&](int i, Scalar v) SUMFAC_LAMBDA {
          if (element < table.elements)
            table.add(y, element, c, (k * n + j) * n + i, subdomain::is_none(k, j, i) ? Scalar(0) : v);
        });
      });
      team.sync();
    }
  }
};

}  // namespace sumfac::detail
