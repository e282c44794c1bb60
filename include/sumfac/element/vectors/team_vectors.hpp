// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How a device team of one or several elements reads u and writes v, wherever their entries are; and E-vectors.
#pragma once

#include <sumfac/backend/detail/global_memory.hpp>
#include <sumfac/dofs/vectors/element_vector.hpp>
#include <sumfac/element/vectors/footprint.hpp>
#include <sumfac/tensor/sweep.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// u and v of the elements of one group: threads side by side take lines side by side.
//
// Entries are where Access has them, the team computes in the problem's numbers. A team behind the last element repeats
// it and stores nothing. Access offers, for elements that exist:
//   elements()                          how many there are
//   line_from<axis>(e, c, a, b)         called with (node): an entry of u on the line that meets a of the slower and b
//                                       of the faster other direction
//   line_to<axis>(e, c, a, b)           called with (node, x): writes or adds an entry of v; where it has whole(), that
//                                       does the same for a line of which all nodes are written
template <class Access, class Problem, int Elements>
struct team_vectors : Access {
  using number = typename Problem::number;
  static constexpr int elements = Elements;
  static constexpr int n = Problem::nodes_1d == dynamic ? 1 : Problem::nodes_1d;  // of a line

  // A line of v, called with (node, x); nothing is stored where the element does not exist.
  template <class Line>
  struct sink {
    Line line;
    bool exists;
    SUMFAC_INLINE void operator()(int node, number x) const
    {
      if (exists) line(node, x);
    }
  };

  // u and v of a group, by lines, as sweeps read and write them.
  struct lines_of_group {
    team_vectors const& vectors;
    index_t group;

    template <axis Along>
    SUMFAC_INLINE pencil<number, n> read(int e, int c, int a, int b) const
    {
      auto const line = vectors.template line_from<Along>(vectors.element(group, e), c, a, b);
      return sumfac::fetch<number, n>([&](int node) SUMFAC_LAMBDA { return static_cast<number>(line(node)); });
    }
    template <axis Along>
    SUMFAC_INLINE auto write(int e, int c, int a, int b) const
    {
      auto const line = whole(vectors.template line_to<Along>(vectors.element(group, e), c, a, b));
      return sink<std::remove_const_t<decltype(line)>>{line, vectors.exists(group, e)};
    }
  };
  // In a kernel that has this scratch.
  template <class Scratch>
  SUMFAC_INLINE lines_of_group memory(Scratch const&, index_t group) const
  {
    return {*this, group};
  }

  // Element e of a group: whether there is one, and which it is among all; behind the last one that.
  SUMFAC_INLINE bool exists(index_t group, int e) const
  {
    return Elements == 1 || group * Elements + e < Access::elements();
  }

  SUMFAC_INLINE index_t element(index_t group, int e) const
  {
    return exists(group, e) ? group * Elements + e : Access::elements() - 1;
  }

  // For kernels that ask for nodes in any order, of one element among all.
  template <class Team>
  struct scratch {};

  // What an assignment writes or adds.
  template <class Line>
  struct entry {
    Line line;
    int node;
    SUMFAC_INLINE void operator=(number x) const { line(node, x); }
  };

  template <class Team>
  SUMFAC_INLINE auto fetch(Team const&, scratch<Team>&, index_t e) const
  {
    return [this, e](int c, int k, int j, int i) {
      return static_cast<number>(this->template line_from<axis::z>(e, c, j, i)(k));
    };
  }

  template <class Team>
  SUMFAC_INLINE auto result(Team const&, scratch<Team>&, index_t e) const
  {
    return [this, e](int c, int k, int j, int i) {
      auto const line = this->template line_to<axis::z>(e, c, j, i);
      return entry<std::remove_const_t<decltype(line)>>{line, k};
    };
  }

  template <class Team>
  SUMFAC_INLINE void finish_row(Team const&, scratch<Team>&, index_t, int, int, int) const
  {
  }
  template <class Team>
  SUMFAC_INLINE void finish(Team const&, scratch<Team>&, index_t) const
  {
  }

  // The threads in flight hide the memory's latency.
  static constexpr int prefetch_lines = 0;
  static constexpr bool gathers = false;

private:
  template <class Line>
  SUMFAC_INLINE static auto whole(Line const& line)
  {
    if constexpr (requires { line.whole(); })
      return line.whole();
    else
      return line;
  }
};

// E-vectors whose elements lie one behind the other, each in row order: what the compiler knows of them it need not
// compute, and an entry's place on a line is in the instruction that reads it.
template <class Number, int Components, int NodesPerEdge>
struct packed_entries {
  Number const* u = nullptr;
  Number* v = nullptr;
  index_t packed_elements = 0;

  SUMFAC_INLINE index_t elements() const { return packed_elements; }

  template <int Stride>
  struct input {
    Number const* first;
    SUMFAC_INLINE Number operator()(int node) const { return load_constant(first + node * Stride); }
  };
  template <int Stride>
  struct output {
    Number* first;
    SUMFAC_INLINE void operator()(int node, auto x) const { store_once(static_cast<Number>(x), first + node * Stride); }
  };

  template <axis Axis>
  SUMFAC_INLINE auto line_from(index_t e, int c, int a, int b) const
  {
    return input<stride_of<Axis>>{u + first_of<Axis>(e, c, a, b)};
  }
  template <axis Axis>
  SUMFAC_INLINE auto line_to(index_t e, int c, int a, int b) const
  {
    return output<stride_of<Axis>>{v + first_of<Axis>(e, c, a, b)};
  }

private:
  static constexpr int n = NodesPerEdge, nodes = n * n * n;
  template <axis Axis>
  static constexpr int stride_of = Axis == axis::z ? n * n : n;

  template <axis Axis>
  SUMFAC_INLINE static index_t first_of(index_t e, int c, int a, int b)
  {
    return e * (Components * nodes) + (c * nodes + a * (Axis == axis::z ? n : n * n) + b);
  }
};

// E-vectors of any layout.
template <class Number>
struct strided_entries {
  element_vector<Number const> u;
  element_vector<Number> v;
  footprint size = footprint::in_memory;  // all the same to devices

  SUMFAC_INLINE index_t elements() const { return u.elements; }

  // Whether both are packed: packed() may stand for them.
  template <int Components, int NodesPerEdge>
  bool are_packed() const
  {
    return u.template is_packed<Components, NodesPerEdge>() && v.template is_packed<Components, NodesPerEdge>();
  }
  template <int Components, int NodesPerEdge>
  packed_entries<Number, Components, NodesPerEdge> packed() const
  {
    return {u.data, v.data, u.elements};
  }

  struct input {
    Number const* first;
    index_t stride;
    SUMFAC_INLINE Number operator()(int node) const { return load_constant(first + node * stride); }
  };
  struct output {
    Number* first;
    index_t stride;
    SUMFAC_INLINE void operator()(int node, auto x) const { store_once(static_cast<Number>(x), first + node * stride); }
  };

  template <axis Axis>
  SUMFAC_INLINE input line_from(index_t e, int c, int a, int b) const
  {
    return {begin_of<Axis>(u, e, c, a, b), stride_of<Axis>(u)};
  }
  template <axis Axis>
  SUMFAC_INLINE output line_to(index_t e, int c, int a, int b) const
  {
    return {begin_of<Axis>(v, e, c, a, b), stride_of<Axis>(v)};
  }

private:
  template <axis Axis, class T>
  SUMFAC_INLINE static T* begin_of(element_vector<T> const& x, index_t e, int c, int a, int b)
  {
    index_t const element = x.width == 1 ? e * x.block_stride : x.offset(e);
    return x.data + element +
           (c * x.stride_c + a * (Axis == axis::z ? x.stride_j : x.stride_k) +
            b * (Axis == axis::x ? x.stride_j : x.stride_i));
  }
  template <axis Axis, class T>
  SUMFAC_INLINE static index_t stride_of(element_vector<T> const& x)
  {
    return Axis == axis::z ? x.stride_k : Axis == axis::y ? x.stride_j : x.stride_i;
  }
};

}  // namespace sumfac::detail
