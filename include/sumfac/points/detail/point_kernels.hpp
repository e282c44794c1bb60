// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Values, gradients and sources at points of one element, as devices and `checked` compute them; sources are added by
// entry, in an order that the points fix.
#pragma once

#include <sumfac/dofs/restriction.hpp>
#include <sumfac/points/detail/point_list.hpp>

#include <cstddef>
#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

// What is asked of a function at points: its value, or its derivatives along reference directions or coordinates.
enum class point_quantity { value, reference_gradient, gradient };

// The points as kernels see them. `inverse` (D, C, stride): row d is the gradient of reference coordinate d; or null.
template <class Scalar>
struct point_places_of {
  point_segment const* segments = nullptr;
  std::uint32_t const* order = nullptr;
  Scalar const* places = nullptr;
  Scalar const* inverse = nullptr;
  index_t stride = 0;

  // The reference coordinates of sorted point i, or of those from i on, one in each lane of T.
  template <int Directions, class T>
  SUMFAC_INLINE vector<T, Directions> place(index_t i) const
  {
    vector<T, Directions> xi;
    SUMFAC_UNROLL
    for (int d = 0; d < Directions; ++d) xi[d] = load_as<T>(places + (d * stride + i));
    return xi;
  }

  // Component r of the gradient in coordinates of what has the derivatives g[1], ... along reference directions.
  template <int Directions, int Coordinates, class T>
  SUMFAC_INLINE T coordinate_slope(index_t i, vector<T, Directions + 1> const& g, int r) const
  {
    T sum{};
    SUMFAC_UNROLL
    for (int d = 0; d < Directions; ++d)
      sum = fma(load_as<T>(inverse + ((d * Coordinates + r) * stride + i)), g[d + 1], sum);
    return sum;
  }
};

// A team works on the points of a segment, a thread each; the element's nodes are gathered for all of them.
template <class Space, point_quantity Asked, class Scalar>
struct point_kernel {
  using scalar = Scalar;
  static constexpr int directions = Space::directions, coordinates = Space::coordinates;
  static constexpr int nodes_1d = Space::nodes_1d, nodes = Space::nodes_of_element;
  static constexpr int threads = point_list<Scalar, directions>::most_of_segment;
  // Elements of more nodes than memory that a team shares has room for are read by each thread itself.
  static constexpr bool shares = nodes * static_cast<int>(sizeof(Scalar)) <= 32768;

  basis_constants<Scalar, typename Space::nodes> constants;
  point_places_of<Scalar> points;
  device_table<Scalar> table;
  int components;
  Scalar const* x;
  point_numbers<Scalar> u;

  template <class Team>
  struct scratch {
    typename Team::template shared<Scalar, shares ? nodes : 1> values;
  };

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    point_segment const segment = points.segments[group];
    for (int c = 0; c < components; ++c) {
      if constexpr (shares) {
        team.phase("nodes of the element");
        team.each(box<nodes>{}, [&](int p) SUMFAC_LAMBDA { s.values(p) = table.read(x, segment.element, c, p); });
        team.sync();
      }
      team.phase("points");
      team.each(box<threads>{}, [&](int t) SUMFAC_LAMBDA {
        if (t >= segment.count) return;
        if constexpr (shares)
          evaluate(segment.first + t, c, [&](int p) SUMFAC_LAMBDA { return static_cast<Scalar>(s.values(p)); });
        else
          evaluate(segment.first + t, c, [&](int p) SUMFAC_LAMBDA { return table.read(x, segment.element, c, p); });
      });
      team.sync();
    }
  }

private:
  template <class Node>
  SUMFAC_INLINE void evaluate(index_t i, int c, Node const& node) const
  {
    basis_at<Scalar, directions, nodes_1d> basis;
    auto const xi = points.template place<directions, Scalar>(i);
    index_t const to = points.order[i];
    if constexpr (Asked == point_quantity::value) {
      basis.set_values(constants, nodes_1d, xi);
      u(to, c) = value_at<directions - 1>(basis, nodes_1d, node);
    } else {
      basis.set_slopes(constants, nodes_1d, xi);
      auto const g = gradient_at<directions - 1>(basis, nodes_1d, node);
      if constexpr (Asked == point_quantity::gradient)
        for (int r = 0; r < coordinates; ++r)
          u(to, c, r) = points.template coordinate_slope<directions, coordinates>(i, g, r);
      else
        for (int d = 0; d < directions; ++d) u(to, c, d) = g[d + 1];
    }
  }
};

// work (S, C, n^D) = what the sources of each segment are at the nodes of its element: the transpose of values.
template <class Space, class Scalar>
struct source_kernel {
  using scalar = Scalar;
  static constexpr int directions = Space::directions;
  static constexpr int nodes_1d = Space::nodes_1d, nodes = Space::nodes_of_element;
  static constexpr int threads = point_list<Scalar, directions>::most_of_segment;

  basis_constants<Scalar, typename Space::nodes> constants;
  point_places_of<Scalar> points;
  int components;
  point_numbers<Scalar const> f;
  Scalar* work;

  template <class Team>
  struct scratch {
    typename Team::template shared<Scalar, directions, nodes_1d, threads> basis;
    typename Team::template shared<Scalar, threads> sources;
  };

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    point_segment const segment = points.segments[group];
    team.phase("basis at the points");
    team.each(box<threads>{}, [&](int t) SUMFAC_LAMBDA {
      if (t >= segment.count) return;
      basis_at<Scalar, directions, nodes_1d> basis;
      basis.set_values(constants, nodes_1d, points.template place<directions, Scalar>(segment.first + t));
      for (int d = 0; d < directions; ++d)
        for (int i = 0; i < nodes_1d; ++i) s.basis(d, i, t) = basis.values[d][i];
    });
    for (int c = 0; c < components; ++c) {
      team.phase("sources");
      team.each(box<threads>{}, [&](int t) SUMFAC_LAMBDA {
        if (t < segment.count) s.sources(t) = f(points.order[segment.first + t], c);
      });
      team.sync();
      team.phase("nodes of the element");
      Scalar* const to = work + (group * components + c) * nodes;
      team.each(box<nodes>{}, [&](int p) SUMFAC_LAMBDA {
        Scalar sum = 0;
        for (int t = 0; t < segment.count; ++t) {
          Scalar product = s.sources(t);
          for (int d = 0, left = p; d < directions; ++d, left /= nodes_1d) product *= s.basis(d, left % nodes_1d, t);
          sum += product;
        }
        to[p] = sum;
      });
      team.sync();
    }
  }
};

// y at listed entry i += what the segments have for it, in the order of the list.
template <class Scalar>
struct add_listed_sources {
  index_t const* entries;
  index_t const* first;   // (entries + 1)
  index_t const* listed;  // places in work
  Scalar const* work;
  Scalar* y;

  SUMFAC_INLINE void operator()(index_t i) const
  {
    Scalar sum = 0;
    for (index_t k = first[i]; k < first[i + 1]; ++k) sum += work[listed[k]];
    y[entries[i]] += sum;
  }
};

// **Shapes** work (S, C, n^D): what each segment of points has for the nodes of its element. entries: those of global
// vectors that some of it is for and that are not constrained, ascending; first (entries + 1), listed: which of it.
template <class Scalar, class Backend>
class source_lists {
public:
  // Without a list there are no sources.
  template <int Directions>
  source_lists(point_list<Scalar, Directions> const* list, restriction<Scalar, Backend> const& r)
      : backend_(r.backend())
  {
    if (list == nullptr) return;
    prepared_ = true;
    r.refuse_rows("evaluator",
                  "make it for sources with a restriction without, and give sources to the unknowns by "
                  "restriction::gather and scatter");
    own_vector<index_t> next(static_cast<std::size_t>(r.size() + 1), 0);
    for_each(*list, r, [&](index_t entry, index_t) { ++next[static_cast<std::size_t>(entry + 1)]; });
    own_vector<index_t> entries, first{0};
    for (std::size_t i = 1; i < next.size(); ++i) {
      index_t const count = next[i];
      next[i] = first.back();
      if (count == 0) continue;
      entries.push_back(static_cast<index_t>(i) - 1);
      first.push_back(first.back() + count);
    }
    own_vector<index_t> listed(static_cast<std::size_t>(first.back()));
    for_each(*list, r, [&](index_t entry, index_t place) {
      listed[static_cast<std::size_t>(next[static_cast<std::size_t>(entry + 1)]++)] = place;
    });
    entries_ = upload(backend_, entries), first_ = upload(backend_, first), listed_ = upload(backend_, listed);
    index_t const of_element = r.components() * r.table().nodes_of_element();
    work_ = make_memory<Scalar>(backend_, static_cast<index_t>(list->segments.size()) * of_element);
  }

  void refuse_unprepared(char const* where, index_t points) const
  {
    if (!prepared_)
      failf(where,
            "it was made without memory for sources (0 bytes, %lld points): say .sources = true among its "
            "options",
            static_cast<long long>(points));
  }

  Scalar* work(index_t place) const { return work_.data() + place; }

  void add(Scalar* y) const
  {
    add_listed_sources<Scalar> const body{entries_.data(), first_.data(), listed_.data(), work_.data(), y};
    if constexpr (runs_on_host<Backend>)
      backend_.partition(entries_.size(), [&](index_t begin, index_t end) {
        for (index_t i = begin; i < end; ++i) body(i);
      });
    else
      loop(backend_, entries_.size(), body);
  }

private:
  // Calls f(entry, place in work) for all nodes of all segments that are not constrained.
  template <class List, class Function>
  static void for_each(List const& list, restriction<Scalar, Backend> const& r, Function const& f)
  {
    auto const& table = r.table();
    index_t place = 0;
    for (point_segment const& segment : list.segments)
      for (int c = 0; c < table.components(); ++c)
        for (index_t p = 0; p < table.nodes_of_element(); ++p, ++place) {
          auto const node = static_cast<index_t>(table(segment.element, p));
          if (!table.constrained(node, c)) f(r.entry_of(node, c), place);
        }
  }

  Backend backend_;
  bool prepared_ = false;
  memory_of<index_t, Backend> entries_, first_, listed_;
  mutable memory_of<Scalar, Backend> work_;
};

}  // namespace sumfac::detail
