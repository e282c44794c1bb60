// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What examples of Stokes' equations share: the Taylor-Hood pair on quadrilaterals of the unit square, and its system.
#pragma once

#include <sumfac/sumfac.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

// [form]
// -(q, div u): u has two components, q one.
struct divergence {
  static constexpr auto trial = sumfac::gradient, test = sumfac::value;
  static constexpr int components = 2, test_components = 1;

  template <class T>
  struct factors {
    sumfac::matrix<T, 2> inverse;  // times the measure
  };

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T, 2> const& x) const
  {
    return {x.weight() * x.adjugate()};
  }

  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T, 1, 2> apply(factors<T> const& f,
                                                      sumfac::point_values<T, 2, 2> const& u) const
  {
    auto const& g = u.gradient;
    auto const& a = f.inverse;
    return {.value = -(g(0, 0) * a(0, 0) + g(0, 1) * a(1, 0) + g(1, 0) * a(0, 1) + g(1, 1) * a(1, 1))};
  }
};
// [form]

// The unit square of straight quadrilaterals, and nodes of any degree on it.
struct square {
  int cells;
  sumfac::index_t elements = sumfac::index_t{cells} * cells;
  std::vector<double> vertices = {};  // (E, 2, 2, 2)

  // place(a, b, xy) says where the vertex goes that is at (a, b) where all cells are alike.
  template <class Place>
  square(int per_edge, Place const& place) : cells(per_edge)
  {
    for (int e = 0; e < elements; ++e)
      for (int at = 0; at < 4; ++at) {
        double xy[2];
        place((e % cells + at % 2) / double(cells), (e / cells + at / 2) / double(cells), xy);
        vertices.insert(vertices.end(), xy, xy + 2);
      }
  }

  int nodes_of(int degree) const { return (cells * degree + 1) * (cells * degree + 1); }
  // (E, n, n), and for each node whether it is on the boundary.
  std::vector<std::int32_t> table(int degree) const
  {
    std::vector<std::int32_t> numbers;
    int const per_edge = cells * degree + 1;
    for (int e = 0; e < elements; ++e)
      for (int j = 0; j <= degree; ++j)
        for (int i = 0; i <= degree; ++i)
          numbers.push_back((e / cells * degree + j) * per_edge + e % cells * degree + i);
    return numbers;
  }
  std::vector<std::uint8_t> boundary(int degree) const
  {
    int const per_edge = cells * degree + 1;
    std::vector<std::uint8_t> marks;
    for (int at = 0; at < per_edge * per_edge; ++at) {
      int const i = at % per_edge, j = at / per_edge;
      marks.push_back(i == 0 || j == 0 || i + 1 == per_edge || j + 1 == per_edge);
    }
    return marks;
  }
  // The nodes' places (nodes, 2).
  std::vector<double> places(int degree) const
  {
    long double points[16];
    sumfac::gauss_lobatto_nodes{}(degree + 1, points);
    auto const numbers = table(degree);
    std::vector<double> xy(static_cast<std::size_t>(2 * nodes_of(degree)));
    for (std::size_t at = 0, e = 0; e < static_cast<std::size_t>(elements); ++e)
      for (int j = 0; j <= degree; ++j)
        for (int i = 0; i <= degree; ++i, ++at)
          for (std::size_t c = 0; c < 2; ++c) {
            double const s = (1 + double(points[i])) / 2, t = (1 + double(points[j])) / 2;
            double const* const v = &vertices[8 * e];
            xy[2 * static_cast<std::size_t>(numbers[at]) + c] =
                (1 - t) * ((1 - s) * v[c] + s * v[2 + c]) + t * ((1 - s) * v[4 + c] + s * v[6 + c]);
          }
    return xy;
  }
};

using whole_vector = sumfac::view<double, sumfac::extents<sumfac::dynamic_extent>>;

// The whole system on (velocities, pressures): K u + B^T p, B u.
template <class Viscous, class Divergence, class Restriction>
struct stokes {
  Viscous const& K;
  Divergence const& B;
  Restriction const &of_u, &of_p;

  // [apply]
  template <class From, class To>
  void apply(From const& x, To const& y) const
  {
    sumfac::index_t const velocities = of_u.size(), pressures = of_p.size();
    sumfac::view const u(x.data(), velocities), p(x.data() + velocities, pressures);
    sumfac::view const f(y.data(), velocities), mass_balance(y.data() + velocities, pressures);
    K.apply(of_u, u, f);
    B.apply_transposed_add(of_u, of_p, p, f);
    B.apply(of_p, of_u, u, mass_balance);
  }
  // [apply]
  sumfac::index_t size() const { return of_u.size() + of_p.size(); }
  sumfac::host const& backend() const { return of_u.backend(); }
};

template <int Degree>
inline constexpr sumfac::spaces taylor_hood{.trial = sumfac::quadrilateral(Degree),
                                            .test = sumfac::quadrilateral(Degree - 1)};
