// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How device teams read and add to global vectors, by a restriction's table.
#pragma once

#include <sumfac/geometry/restriction/device_restriction.hpp>
#include <sumfac/pencil/pencil.hpp>

namespace sumfac::inline SUMFAC_TARGET {

// u and v of the elements of one group, in lines: gathered from x and added to y.
//
// Entries are of type Number, the team computes in Scalar. A team behind the last element repeats it and adds nothing.
template <int Nodes1d, class Scalar, int Elements, class Number = Scalar>
struct team_global_vectors {
  static constexpr int elements = Elements;

  detail::device_table<Number> table;
  Number const* x = nullptr;
  Number* y = nullptr;

  SUMFAC_INLINE bool exists(index_t group, int e) const
  {
    return Elements == 1 || group * Elements + e < table.elements;
  }

  SUMFAC_INLINE pencil<Scalar, Nodes1d> along_z(index_t group, int e, int c, int j, int i) const
  {
    return read(element(group, e), c, j * Nodes1d + i, Nodes1d * Nodes1d);
  }
  SUMFAC_INLINE pencil<Scalar, Nodes1d> along_y(index_t group, int e, int c, int k, int i) const
  {
    return read(element(group, e), c, k * Nodes1d * Nodes1d + i, Nodes1d);
  }

  // A line of v to add, called with (node, x).
  struct sink {
    detail::device_table<Number> const& table;
    Number* y;
    index_t element;
    int c, first, stride;
    bool exists;
    SUMFAC_INLINE void operator()(int node, Scalar v) const
    {
      if (exists) table.add(y, element, c, first + node * stride, static_cast<Number>(v));
    }
  };

  SUMFAC_INLINE sink to_z(index_t group, int e, int c, int j, int i) const
  {
    return {table, y, element(group, e), c, j * Nodes1d + i, Nodes1d * Nodes1d, exists(group, e)};
  }
  SUMFAC_INLINE sink to_y(index_t group, int e, int c, int k, int i) const
  {
    return {table, y, element(group, e), c, k * Nodes1d * Nodes1d + i, Nodes1d, exists(group, e)};
  }

  // The threads in flight hide the memory's latency.
  static constexpr int lines_ahead = 0;

private:
  SUMFAC_INLINE pencil<Scalar, Nodes1d> read(index_t e, int c, int first, int stride) const
  {
    return fetch<Scalar, Nodes1d>([&](int node) SUMFAC_LAMBDA {
      return static_cast<Scalar>(table.read(x, e, c, first + node * stride));
    });
  }

  SUMFAC_INLINE index_t element(index_t group, int e) const
  {
    return exists(group, e) ? group * Elements + e : table.elements - 1;
  }
};

// The same of one element, node by node.
template <int Nodes1d, class Scalar, class Number = Scalar>
struct direct_global_vectors {
  static constexpr int elements = 1;

  detail::device_table<Number> table;
  Number const* x = nullptr;
  Number* y = nullptr;

  template <class Team>
  struct scratch {
  };

  // What an assignment adds.
  struct entry {
    detail::device_table<Number> const& table;
    Number* y;
    index_t element;
    int c, p;
    SUMFAC_INLINE void operator=(Scalar v) const { table.add(y, element, c, p, static_cast<Number>(v)); }
  };

  template <class Team>
  SUMFAC_INLINE auto fetch(Team const&, scratch<Team>&, index_t e) const
  {
    return [this, e](int c, int k, int j, int i) {
      return static_cast<Scalar>(table.read(x, e, c, (k * Nodes1d + j) * Nodes1d + i));
    };
  }

  template <class Team>
  SUMFAC_INLINE auto result(Team const&, scratch<Team>&, index_t e) const
  {
    return [this, e](int c, int k, int j, int i) { return entry{table, y, e, c, (k * Nodes1d + j) * Nodes1d + i}; };
  }

  template <class Team>
  SUMFAC_INLINE void finish_row(Team const&, scratch<Team>&, index_t, int, int, int) const
  {
  }
  template <class Team>
  SUMFAC_INLINE void finish(Team const&, scratch<Team>&, index_t) const
  {
  }

  static constexpr int lines_ahead = 0;
};

namespace detail {

// The kernel that `make` builds upon the vectors, on all groups of a restriction.
template <class Vectors, class Scalar, class Backend, class Make>
void sweep_kernel(Backend const& backend, restriction_storage<Scalar, Backend> const& r, Scalar const* x, Scalar* y,
                  sweep_mode mode, row_action rows, Make const& make)
{
  auto const kernel = make(Vectors{r.table(), x, y});
  r.sweep(Vectors::elements, y, mode, [&](index_t const* groups, index_t count) {
    if (groups == nullptr)
      backend.launch(kernel, count);
    else
      backend.launch(listed_kernel<std::remove_const_t<decltype(kernel)>>{kernel, groups}, count);
  });
  r.finish_rows(x, y, rows);
}

}  // namespace detail

}  // namespace sumfac
