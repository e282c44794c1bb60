// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Fast diagonalization on the nodes of an element: to modes along its directions, a division, and back.
#pragma once

#include <sumfac/backend/policy.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction/device_table.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/tensor/pencil.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Where the modes of an element, or of a group of elements side by side, lie: a table (n, n), node and mode, for each
// direction, and as many times n eigenvalues, along x, y and z; those of x with what the subdomain has of mass.
template <int Nodes1d, int Directions>
struct mode_places {
  static constexpr int size = Directions * Nodes1d * (Nodes1d + 1);
  SUMFAC_INLINE static constexpr int table(int direction) { return direction * Nodes1d * Nodes1d; }
  SUMFAC_INLINE static constexpr int values(int direction)
  {
    return Directions * Nodes1d * Nodes1d + direction * Nodes1d;
  }
};

// Modes in memory, a subdomain's in each lane, as contract() takes tables.
template <class T, int Size, int Directions>
struct modes_in_memory {
  using places = mode_places<Size, Directions>;
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

  SUMFAC_INLINE to_nodes nodes(int direction) const { return {{first + places::table(direction) * width}}; }
  SUMFAC_INLINE to_modes modes(int direction) const { return {{first + places::table(direction) * width}}; }
  SUMFAC_INLINE T value(int direction, int mode) const
  {
    return load<T>(first + (places::values(direction) + mode) * width);
  }

  // A line along the last direction, of modes i and j of x and y, or as many as come before it: to modes, divided, and
  // back, each entry to the sink.
  template <class Sink>
  SUMFAC_INLINE void divide(pencil<T, Size> const& line, [[maybe_unused]] int j, [[maybe_unused]] int i,
                            Sink sink) const
  {
    constexpr int last = Directions - 1;
    T across{};
    if constexpr (last == 2)
      across = value(0, i) + value(1, j);
    else if constexpr (last == 1)
      across = value(0, i);
    pencil<T, Size> u;
    contract(modes(last), line, [&](int m, T x) SUMFAC_LAMBDA { u[m] = x / (across + value(last, m)); });
    contract(nodes(last), u, sink);
  }
};

// Which places of a subdomain are beside an edge or a corner of the element, where there is no node: those that are
// outside of it along two directions or three.
template <int Nodes1d, int Overlap, int Directions>
struct subdomain_places {
  static constexpr node_box box{Nodes1d, Directions};

  // Along a direction on which there are `size` places: of one that the element has not, there is nothing outside.
  SUMFAC_INLINE static constexpr int outside(int i, int size = Nodes1d)
  {
    return size > 1 && (i < Overlap || i >= Nodes1d - Overlap) ? 1 : 0;
  }
  SUMFAC_INLINE static constexpr bool is_none(int k, int j, int i)
  {
    return outside(k, box.z) + outside(j, box.y) + outside(i) > 1;
  }

  // u = 0 there
  template <class T>
  static void clear(T* u)
  {
    if constexpr (Overlap > 0 && Directions > 1)
      for (int k = 0; k < box.z; ++k)
        for (int j = 0; j < box.y; ++j, u += Nodes1d) {
          int const beside = outside(k, box.z) + outside(j, box.y);
          if (beside == 1) u[0] = u[Nodes1d - 1] = T{};
          for (int i = 0; i < Nodes1d && beside == 2; ++i) u[i] = T{};
        }
  }
};

// u = S^-1 u, (n, n, n), or (n, n), (n), in the host's packs; what places without nodes hold is 0 before, and anything
// behind.
template <class T, int Size, int Directions>
struct diagonalized_element {
  modes_in_memory<T, Size, Directions> modes;

  SUMFAC_INLINE void run(T* u) const
  {
    if constexpr (Directions == 3)
      run_cube(u);
    else if constexpr (Directions == 2)
      run_plane(u);
    else
      divide<1>(u, 0, 0);
  }

private:
  SUMFAC_INLINE void run_plane(T* plane) const
  {
    lines<Size, 1>(plane, modes.modes(0));
    for (int i = 0; i < Size; ++i) divide<Size>(plane + i, 0, i);
    lines<Size, 1>(plane, modes.nodes(0));
  }

  SUMFAC_INLINE void run_cube(T* cube) const
  {
    constexpr int plane = Size * Size;
    for (int k = 0; k < Size; ++k) {
      lines<Size, 1>(cube + k * plane, modes.modes(0));
      lines<1, Size>(cube + k * plane, modes.modes(1));
    }
    for (int j = 0; j < Size; ++j)
      for (int i = 0; i < Size; ++i) divide<plane>(cube + j * Size + i, j, i);
    for (int k = 0; k < Size; ++k) {
      lines<1, Size>(cube + k * plane, modes.nodes(1));
      lines<Size, 1>(cube + k * plane, modes.nodes(0));
    }
  }

  // A line of the last direction, whose nodes are `Along` apart.
  template <int Along>
  SUMFAC_INLINE void divide(T* at, int j, int i) const
  {
    auto const u = fetch<T, Size>([&](int k) SUMFAC_LAMBDA { return at[k * Along]; });
    modes.divide(u, j, i, [&](int k, T x) SUMFAC_LAMBDA { at[k * Along] = x; });
  }

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

// y += R^T S^-1 R x of all subdomains on devices; a component at a time, a thread a line of nodes.
template <class Scalar, int Nodes1d, int Overlap, int Directions>
struct schwarz_kernel {
  using scalar = Scalar;
  static constexpr int n = Nodes1d;
  static constexpr node_box nodes{n, Directions};
  static constexpr int lines = nodes.rows();
  static constexpr int elements = lines >= 64 ? 1 : (64 + lines - 1) / lines;
  static constexpr int threads = elements * lines;

  device_table<Scalar> table;
  Scalar const* modes;  // (E, tracked, size)
  Scalar const* x;
  Scalar* y;
  int components, tracked;

  template <class Team>
  struct nodes_of_elements {
    typename Team::template shared<Scalar, elements, nodes.z, nodes.y, n> cube;
  };
  template <class Team>
  struct nothing {};  // a thread has all nodes of a line
  template <class Team>
  using scratch = std::conditional_t<Directions == 1, nothing<Team>, nodes_of_elements<Team>>;

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    for (int c = 0; c < components; ++c) {
      if constexpr (Directions == 1) {
        solve_lines(team, group, c);
      } else {
        to_modes_of_x(team, s, group, c);
        if constexpr (Directions == 3) to_modes_of_y(team, s, group, c);
        divide(team, s, group, c);
        if constexpr (Directions == 3) to_nodes_along_y(team, s, group, c);
        to_nodes_along_x(team, s, group, c);
        team.sync();
      }
    }
  }

private:
  using subdomain = subdomain_places<n, Overlap, Directions>;

  SUMFAC_INLINE static constexpr int place(int k, int j, int i) { return (k * n + j) * n + i; }

  // Of element e of a group; behind the last one, its.
  SUMFAC_INLINE modes_in_memory<Scalar, n, Directions> modes_of(index_t group, int e, int c) const
  {
    index_t const element = group * elements + e, last = table.elements - 1;
    index_t const known = element < last ? element : last;
    return {modes + (known * tracked + (tracked > 1 ? c : 0)) * mode_places<n, Directions>::size};
  }
  // A line along x of what an element has of the global vector, 0 behind the last one; and added there.
  SUMFAC_INLINE pencil<Scalar, n> read(index_t element, int c, int k, int j) const
  {
    return fetch<Scalar, n>([&](int i) SUMFAC_LAMBDA {
      bool const exists = element < table.elements && !subdomain::is_none(k, j, i);
      return exists ? table.read(x, element, c, place(k, j, i)) : Scalar(0);
    });
  }
  SUMFAC_INLINE void add(index_t element, int c, int k, int j, int i, Scalar v) const
  {
    if (element < table.elements) table.add(y, element, c, place(k, j, i), subdomain::is_none(k, j, i) ? Scalar(0) : v);
  }

  template <class Team>
  SUMFAC_INLINE void solve_lines(Team const& team, index_t group, int c) const
  {
    team.phase("lines");
    team.each(box<elements>{}, [&](int e) {
      index_t const element = group * elements + e;
      modes_of(group, e, c).divide(read(element, c, 0, 0), 0, 0, [&](int i, Scalar v) SUMFAC_LAMBDA {
        add(element, c, 0, 0, i, v);
      });
    });
  }

  template <class Team>
  SUMFAC_INLINE void to_modes_of_x(Team const& team, scratch<Team>& s, index_t group, int c) const
  {
    team.phase("to modes of x");
    team.each(box<elements, nodes.z, nodes.y>{}, [&](int e, int k, int j) {
      contract(modes_of(group, e, c).modes(0), read(group * elements + e, c, k, j),
               [&](int i, Scalar v) SUMFAC_LAMBDA { s.cube(e, k, j, i) = v; });
    });
    team.sync();
  }

  template <class Team>
  SUMFAC_INLINE void to_modes_of_y(Team const& team, scratch<Team>& s, index_t group, int c) const
  {
    team.phase("to modes of y");
    team.each(box<elements, n, n>{}, [&](int e, int k, int i) {
      auto const u = fetch<Scalar, n>([&](int j) SUMFAC_LAMBDA { return s.cube(e, k, j, i); });
      contract(modes_of(group, e, c).modes(1), u, [&](int j, Scalar v) SUMFAC_LAMBDA { s.cube(e, k, j, i) = v; });
    });
    team.sync();
  }

  // Along the last direction.
  template <class Team>
  SUMFAC_INLINE void divide(Team const& team, scratch<Team>& s, index_t group, int c) const
  {
    team.phase("division");
    team.each(box<elements, lines / n, n>{}, [&](int e, int j, int i) {
      auto const at = [&](int m) SUMFAC_LAMBDA -> decltype(auto) {
        if constexpr (Directions == 3)
          return s.cube(e, m, j, i);
        else
          return s.cube(e, 0, m, i);
      };
      auto const u = fetch<Scalar, n>([&](int m) SUMFAC_LAMBDA { return at(m); });
      modes_of(group, e, c).divide(u, j, i, [&](int m, Scalar v) SUMFAC_LAMBDA { at(m) = v; });
    });
    team.sync();
  }

  template <class Team>
  SUMFAC_INLINE void to_nodes_along_y(Team const& team, scratch<Team>& s, index_t group, int c) const
  {
    team.phase("to nodes along y");
    team.each(box<elements, n, n>{}, [&](int e, int k, int i) {
      auto const u = fetch<Scalar, n>([&](int j) SUMFAC_LAMBDA { return s.cube(e, k, j, i); });
      contract(modes_of(group, e, c).nodes(1), u, [&](int j, Scalar v) SUMFAC_LAMBDA { s.cube(e, k, j, i) = v; });
    });
    team.sync();
  }

  template <class Team>
  SUMFAC_INLINE void to_nodes_along_x(Team const& team, scratch<Team>& s, index_t group, int c) const
  {
    team.phase("to nodes along x");
    team.each(box<elements, nodes.z, nodes.y>{}, [&](int e, int k, int j) {
      index_t const element = group * elements + e;
      auto const u = fetch<Scalar, n>([&](int i) SUMFAC_LAMBDA { return s.cube(e, k, j, i); });
      contract(modes_of(group, e, c).nodes(0), u, [&](int i, Scalar v) SUMFAC_LAMBDA { add(element, c, k, j, i, v); });
    });
  }
};

}  // namespace sumfac::detail
