// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Sides of large elements that sides of small ones cover: where a mesh hangs.
#pragma once

#include <sumfac/basis/detail/line_table.hpp>
#include <sumfac/math/small.hpp>
#include <sumfac/mesh/boundary_faces.hpp>
#include <sumfac/mesh/faces/side_places.hpp>
#include <sumfac/mesh/parts/element_views.hpp>
#include <sumfac/mesh/parts/joined_vertices.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

// A side of one element that two sides of others cover, or four: that of each of its corners, in the order of its
// nodes, as face_table() has them.
struct hanging_side {
  element_side coarse;
  element_side fine[4];
};

namespace detail {

// Throws where a mesh hangs, which `where` does not know.
[[gnu::cold]] inline void refuse_hanging_mesh(char const* where, std::vector<hanging_side> const& sides)
{
  if (sides.empty()) return;
  auto const &coarse = sides[0].coarse, &fine = sides[0].fine[0];
  failf(where,
        "the mesh hangs (side %d of element %lld is that of smaller elements, of %lld among others; %lld such sides, 0 "
        "expected): cut large elements until none has smaller ones beside it",
        coarse.side, static_cast<long long>(coarse.element), static_cast<long long>(fine.element),
        static_cast<long long>(sides.size()));
}

// Those among the sides that one element alone has, which are then left out of these: a side that has a vertex of
// others in its middle, which share it with each of its corners.
//
// vertex(e, v): number of a vertex; at(e, v): its coordinates; middle(side): those of its middle. Vertices are at least
// `apart` from one another; one in the middle is there to within a thousandth of that. Where vertices of several places
// are one, as in a periodic mesh, small sides may lie elsewhere, moved but not turned: around a vertex that lies from
// the large side's corners as its middle does.
template <int Directions, int Coordinates>
class hanging_parts {
  static constexpr int corners = 1 << (Directions - 1);
  using number = std::uint32_t;

public:
  template <class Vertex, class At, class Middle>
  hanging_parts(std::vector<element_side>& sides, double apart, Vertex const& vertex, At const& at,
                Middle const& middle)
  {
    joined_points<Coordinates> known(static_cast<index_t>(sides.size()) * corners, apart / 1000);
    own_vector<number> of_point, of_side;          // numbers of vertices; (sides, corners)
    own_vector<std::pair<number, number>> places;  // of vertices, the points
    for (element_side const& side : sides)
      for (int q = 0; q < corners; ++q) {
        int const v = vertex_of(side.side, q);
        auto const x = at(side.element, v);
        number const here = vertex(side.element, v), point = known.number(&x[0]);
        if (point == of_point.size()) of_point.push_back(here);
        of_side.push_back(here);
        places.push_back({here, point});
      }
    own_vector<index_t> middles(sides.size(), -1);
    bool any = false;
    for (std::size_t s = 0; s < sides.size(); ++s) {
      auto const x = middle(sides[s]);
      index_t const point = known.find(&x[0]);
      if (point >= 0) middles[s] = of_point[static_cast<std::size_t>(point)], any = true;
    }
    std::sort(places.begin(), places.end());
    bool is_joined = false;
    for (std::size_t i = 1; i < places.size(); ++i)
      is_joined = is_joined || (places[i].first == places[i - 1].first && places[i].second != places[i - 1].second);
    auto const around = any || is_joined ? sides_around(of_side) : sides_of_vertices{};
    // Calls f(vertex) of those opposite to a corner of a side, in other sides, that lie from it as x does.
    auto const for_each_opposite = [&](std::size_t s, int q, auto const& x, auto const& f) {
      number const corner = of_side[s * corners + static_cast<std::size_t>(q)];
      auto const place = [&](std::size_t t, int c) { return at(sides[t].element, vertex_of(sides[t].side, c)); };
      auto const expected = x - place(s, q);
      for_each_around(around, corner, [&](std::size_t t) {
        for (int c = 0; c < corners && t != s; ++c) {
          if (of_side[t * corners + static_cast<std::size_t>(c)] != corner) continue;
          auto const off = place(t, corners - 1 - c) - place(t, c) - expected;
          double most = 0;
          for (int d = 0; d < Coordinates; ++d) most = greater(most, __builtin_fabs(off[d]));
          if (most < apart / 1000) f(index_t{of_side[t * corners + static_cast<std::size_t>(corners - 1 - c)]});
        }
      });
    };
    for (std::size_t s = 0; s < sides.size() && is_joined; ++s)
      if (middles[s] < 0) {
        auto const x = middle(sides[s]);
        for_each_opposite(s, 0, x, [&](index_t one) {
          for_each_opposite(s, corners - 1, x, [&](index_t other) {
            if (one == other) middles[s] = one, any = true;
          });
        });
      }
    if (any) pair(sides, middles, of_side, around);
  }

  std::vector<hanging_side> found;

private:
  static constexpr int vertex_of(int side, int corner)
  {
    side_place const p = place_on_side(Directions, side, 2, corner >> 1, corner & 1);
    return (p.k * 2 + p.j) * 2 + p.i;
  }

  using sides_of_vertices = own_vector<std::pair<number, std::size_t>>;

  static sides_of_vertices sides_around(own_vector<number> const& of_side)
  {
    sides_of_vertices around;
    for (std::size_t i = 0; i < of_side.size(); ++i) around.push_back({of_side[i], i / corners});
    std::sort(around.begin(), around.end());
    return around;
  }
  template <class Function>
  static void for_each_around(sides_of_vertices const& around, number vertex, Function const& f)
  {
    auto const* i = std::lower_bound(around.begin(), around.end(), std::pair{vertex, std::size_t{0}});
    for (; i != around.end() && i->first == vertex; ++i) f(i->second);
  }

  void pair(std::vector<element_side>& sides, own_vector<index_t> const& middles, own_vector<number> const& of_side,
            sides_of_vertices const& around)
  {
    own_vector<bool> covered(sides.size(), false);
    for (std::size_t s = 0; s < sides.size(); ++s) {
      if (middles[s] < 0) continue;
      auto const middle = static_cast<number>(middles[s]);
      hanging_side made{sides[s], {}};
      std::size_t which[4] = {};
      int count = 0;
      for (int q = 0; q < corners; ++q) {
        number const corner = of_side[s * corners + static_cast<std::size_t>(q)];
        bool is_met = false;
        for_each_around(around, middle, [&](std::size_t t) {
          if (is_met || t == s || !opposite(&of_side[t * corners], corner, middle)) return;
          made.fine[q] = sides[which[q] = t], ++count;
          is_met = true;
        });
      }
      if (count < corners) continue;
      found.push_back(made);
      covered[s] = true;
      for (int q = 0; q < corners; ++q) covered[which[q]] = true;
    }
    std::size_t kept = 0;
    for (std::size_t s = 0; s < sides.size(); ++s)
      if (!covered[s]) sides[kept++] = sides[s];
    sides.resize(kept);
  }

  // Whether two numbers are those of opposite corners.
  static bool opposite(number const* of_corners, number one, number other)
  {
    for (int q = 0; q < corners; ++q)
      if (of_corners[q] == one) return of_corners[corners - 1 - q] == other;
    return false;
  }
};

// The sides of a mesh that hang, taken out of those that one element alone has.
template <int Directions, int Coordinates, class Mesh>
std::vector<hanging_side> take_hanging(Mesh const& mesh, std::vector<element_side>& sides)
{
  using point = vector<double, Coordinates>;
  int const m = mesh.nodes_1d();
  auto const& parts = mesh.element_parts();
  auto const node = [&](index_t e, side_place const& p) {
    point x{};
    for (int c = 0; c < Coordinates; ++c) x[c] = entry_at<Directions>(mesh, e, p.k, p.j, p.i, c);
    return x;
  };
  auto const vertex = [&](index_t e, int v) {
    return node(e, {(v >> 2) * (m - 1), (v >> 1 & 1) * (m - 1), (v & 1) * (m - 1)});
  };
  double least = 0;  // square of the shortest distance between two vertices of an element
  for (element_side const& side : sides)
    for (int v = 1; v < 1 << Directions; ++v)
      for (int before = 0; before < v; ++before) {
        point const apart = vertex(side.element, v) - vertex(side.element, before);
        double square = 0;
        for (int c = 0; c < Coordinates; ++c) square += apart[c] * apart[c];
        if (least == 0 || square < least) least = square;
      }
  if (!(least > 0)) return {};
  own_vector<long double> places(static_cast<std::size_t>(m));
  mesh.node_set()(m, places.data());
  line_table const table({0.0L}, places);
  auto const middle = [&](element_side const& side) {
    point x{};
    for (int j = 0; j < (Directions == 3 ? m : 1); ++j)
      for (int i = 0; i < m; ++i)
        x = x + (table.values[static_cast<std::size_t>(i)] *
                 (Directions == 3 ? table.values[static_cast<std::size_t>(j)] : 1)) *
                    node(side.element, place_on_side(Directions, side.side, m, j, i));
    return x;
  };
  return hanging_parts<Directions, Coordinates>(
             sides, __builtin_sqrt(least), [&](index_t e, int v) { return parts.vertex(e, v); }, vertex, middle)
      .found;
}

}  // namespace detail

}  // namespace sumfac
