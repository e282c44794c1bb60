// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators between two spaces, and transposes, on any backend and in any precision: the oracle, adjointness, sums.
#pragma once

#include "spaces.hpp"

#include <sumfac/dofs/restriction.hpp>

#include <support/larger.hpp>
#include <support/mesh.hpp>
#include <support/moved.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace two_spaces {

using checks::transport;
using sumfac::index_t, sumfac::quadrilateral, sumfac::spaces, sumfac::node_placement;

constexpr std::size_t at(index_t i) { return static_cast<std::size_t>(i); }
constexpr int some = 11;  // elements: no whole number of packs

// (q, div u), of as many components as directions.
template <int Dim>
struct divergence {
  static constexpr auto trial = sumfac::gradient, test = sumfac::value;
  static constexpr int components = Dim, test_components = 1;

  template <class T>
  struct factors {
    sumfac::matrix<T, Dim> inverse;  // times the measure
  };
  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T, Dim> const& x) const
  {
    return {x.weight() * x.adjugate()};
  }
  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T, 1, Dim> apply(factors<T> const& f,
                                                        sumfac::point_values<T, Dim, Dim> const& u) const
  {
    T sum = u.gradient(0, 0) * f.inverse(0, 0);
    for (int c = 0; c < Dim; ++c)
      for (int d = c == 0 ? 1 : 0; d < Dim; ++d) sum = sum + u.gradient(c, d) * f.inverse(d, c);
    return {.value = sum};
  }
};

template <int Dim>
reference::flat_integrand of(divergence<Dim> const&)
{
  return [](auto const&, reference::flat_field const& u) {
    reference::real sum = 0;
    for (std::size_t c = 0; c < Dim; ++c) sum += u.gradient[c][c];
    return reference::flat_field{{sum}, {std::vector<reference::real>(Dim, 0)}};
  };
}
inline reference::flat_integrand of(transport const&) { return checks::transported(); }

template <class Operator, int Size>
inline constexpr index_t box_of = sumfac::detail::node_box(Size, Operator::directions).all();
template <class Operator>
inline constexpr index_t trial_entries = Operator::components * box_of<Operator, Operator::nodes_1d>;
template <class Operator>
inline constexpr index_t test_entries = Operator::test_components * box_of<Operator, Operator::test_nodes_1d>;

template <class Operator, class T>
auto trial_view(T* u, index_t elements)
{
  return checks::e_vector<Operator::directions, Operator::nodes_1d, Operator::components>(u, elements);
}
template <class Operator, class T>
auto test_view(T* v, index_t elements)
{
  return checks::e_vector<Operator::directions, Operator::test_nodes_1d, Operator::test_components>(v, elements);
}

// Apply, transpose and matrix on elements of an oracle each, made by `element(e)`.
template <class Operator, class Element>
void agrees(Operator const& A, reference::function_space const& trial, reference::function_space const& test,
            Element const& element)
{
  using scalar = typename Operator::scalar_type;
  index_t const elements = A.elements(), columns = trial_entries<Operator>, rows = test_entries<Operator>;
  auto u = support::random<scalar>(at(elements * columns), 7), w = support::random<scalar>(at(elements * rows), 8);
  std::vector<scalar> v(w.size()), z(u.size());
  support::on_backend(A.backend(), u, v, [&](scalar const* from, scalar* to) {
    A.apply(trial_view<Operator>(from, elements), test_view<Operator>(to, elements));
  });
  support::on_backend(A.backend(), w, z, [&](scalar const* from, scalar* to) {
    A.apply_transposed(test_view<Operator>(from, elements), trial_view<Operator>(to, elements));
  });
  auto const integrand = of(A.form());
  using coarser = std::conditional_t<(sizeof(scalar) < sizeof(typename Operator::factor_type)), scalar,
                                     typename Operator::factor_type>;
  double const rounding = 4 * std::max(reference::tolerance<coarser>(Operator::order),
                                       reference::tolerance<typename Operator::arithmetic_type>(Operator::order));
  for (index_t e : {index_t{0}, elements / 2, elements - 1}) {
    reference::flat_element const oracle = element(e);
    // The oracle's matrix, column by column.
    std::vector<std::vector<reference::real>> matrix;
    double greatest = 0;
    for (index_t j = 0; j < columns; ++j) {
      std::vector<reference::real> unit(at(columns), 0);
      unit[at(j)] = 1;
      matrix.push_back(oracle.apply(trial, test, integrand, unit));
      for (auto const x : matrix.back()) greatest = support::larger(greatest, std::abs(double(x)));
    }
    auto const found = A.element_matrix(e);
    REQUIRE(found.size() == at(rows * columns));
    double const allowed = rounding * greatest * double(rows + columns);
    double off = 0, off_transposed = 0, off_matrix = 0;
    for (index_t i = 0; i < rows; ++i) {
      reference::real sum = 0;
      for (index_t j = 0; j < columns; ++j) {
        sum += matrix[at(j)][at(i)] * u[at(e * columns + j)];
        off_matrix = support::larger(off_matrix, std::abs(double(found[at(i * columns + j)] - matrix[at(j)][at(i)])));
      }
      off = support::larger(off, std::abs(double(v[at(e * rows + i)] - sum)));
    }
    for (index_t j = 0; j < columns; ++j) {
      reference::real sum = 0;
      for (index_t i = 0; i < rows; ++i) sum += matrix[at(j)][at(i)] * w[at(e * rows + i)];
      off_transposed = support::larger(off_transposed, std::abs(double(z[at(e * columns + j)] - sum)));
    }
    CAPTURE(e, greatest);
    CHECK(greatest > 1e-3);
    CHECK(off <= allowed);
    CHECK(off_matrix <= allowed);
    CHECK(off_transposed <= allowed);
  }
}

template <class Form, spaces Space, class Points = sumfac::gauss<Space.trial.degree + 2>, class Scalar = double,
          class Backend = sumfac::host, class Geometry = sumfac::stored>
void agrees_in_the_plane(reference::rule const& trial, reference::rule const& test)
{
  using op = sumfac::element_operator<Form, Space, Points, Backend, Scalar, Geometry>;
  checks::flat_mesh const mesh(some, 2, 2, 3, 0.05);
  op const A{Backend{}, checks::nodes_view<2, 2>(mesh)};
  agrees(A, {trial, op::components}, {test, op::test_components}, [&](index_t e) {
    return reference::flat_element(2, 2, reference::gauss_lobatto(3), mesh.element(static_cast<int>(e)),
                                   checks::rule_of<Points>());
  });
}

// Quadrilaterals in a strip of `cells` by 2, numbers of any degree, and marks on some entries.
struct strip {
  int cells;

  index_t elements() const { return 2 * index_t{cells}; }
  index_t nodes(int degree) const { return index_t{cells * degree + 1} * (2 * degree + 1); }
  std::vector<std::int32_t> table(int degree) const
  {
    std::vector<std::int32_t> numbers;
    for (int e = 0; e < 2 * cells; ++e)
      for (int j = 0; j <= degree; ++j)
        for (int i = 0; i <= degree; ++i)
          numbers.push_back((e / cells * degree + j) * (cells * degree + 1) + e % cells * degree + i);
    return numbers;
  }
  std::vector<double> vertices() const
  {
    std::vector<double> xy;
    for (int e = 0; e < 2 * cells; ++e)
      for (int p = 0; p < 4; ++p) {
        double const x = e % cells + p % 2, y = e / cells + p / 2;
        xy.push_back(x + 0.2 * std::sin(3 * y + x)), xy.push_back(y + 0.2 * std::cos(2 * x));
      }
    return xy;
  }
  static std::vector<std::uint8_t> every(int step, index_t count)
  {
    std::vector<std::uint8_t> marks(at(count), 0);
    for (index_t i = 0; i < count; i += step) marks[at(i)] = 1;
    return marks;
  }
};

template <class T>
double dot(std::vector<T> const& a, std::vector<T> const& b)
{
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += double(a[i]) * double(b[i]);
  return sum;
}
template <class T>
auto whole(std::vector<T>& x)
{
  return sumfac::view(x.data(), static_cast<index_t>(x.size()));
}

template <class Backend = sumfac::host, class Precision = double>
using pair_operator =
    sumfac::element_operator<divergence<2>, spaces{.trial = quadrilateral(2), .test = quadrilateral(1)},
                             sumfac::gauss<4>, Backend, Precision>;

// B on the strip, its two restrictions, and B as a dense matrix without constraints, from the host's element_matrix in
// double.
template <class Backend = sumfac::host, class Precision = double>
struct pair_case {
  using scalar = sumfac::vector_scalar<Precision>;
  using restriction = sumfac::restriction<scalar, Backend>;

  strip mesh{9};
  Backend backend;
  std::vector<double> vertices = mesh.vertices();
  std::vector<std::int32_t> of_u = mesh.table(2), of_p = mesh.table(1);
  index_t nodes_of_u = mesh.nodes(2), nodes_of_p = mesh.nodes(1);
  std::vector<std::uint8_t> marks_of_u = strip::every(5, 2 * nodes_of_u), marks_of_p = strip::every(4, nodes_of_p);
  sumfac::restriction_options options{.components = 2};
  pair_operator<Backend, Precision> B{backend, sumfac::view(vertices.data(), mesh.elements(), 2, 2, 2)};
  pair_operator<> dense{sumfac::host{}, sumfac::view(vertices.data(), mesh.elements(), 2, 2, 2)};

  auto trial(bool constrained = true) const
  {
    sumfac::view const table(of_u.data(), mesh.elements(), 3, 3);
    return constrained
               ? restriction(backend, table, nodes_of_u, sumfac::view(marks_of_u.data(), nodes_of_u, 2), options)
               : restriction(backend, table, nodes_of_u, options);
  }
  auto test(bool constrained = true, sumfac::restriction_options const& of = {}) const
  {
    sumfac::view const table(of_p.data(), mesh.elements(), 2, 2);
    return constrained ? restriction(backend, table, nodes_of_p, sumfac::view(marks_of_p.data(), nodes_of_p), of)
                       : restriction(backend, table, nodes_of_p, of);
  }
  // y = B x on some elements, entries that are marked 0 in both.
  std::vector<double> expected(std::vector<scalar> const& x, index_t first, index_t last, bool constrained = true) const
  {
    std::vector<double> y(at(nodes_of_p), 0);
    for (index_t e = first; e < last; ++e) {
      auto const matrix = dense.element_matrix(e);
      for (index_t i = 0; i < 4; ++i)
        for (index_t j = 0; j < 18; ++j) {
          index_t const node = of_u[at(e * 9 + j % 9)], c = j / 9;
          index_t const entry =
              options.components_lie == sumfac::interleaving::fastest ? 2 * node + c : c * nodes_of_u + node;
          bool const off = constrained && (marks_of_u[at(2 * node + c)] || marks_of_p[at(of_p[at(e * 4 + i)])]);
          if (!off) y[at(of_p[at(e * 4 + i)])] += matrix[at(i * 18 + j)] * double(x[at(entry)]);
        }
    }
    return y;
  }
};

template <class T>
void near(std::vector<T> const& found, std::vector<double> const& expected, double allowed = 1e-13)
{
  REQUIRE(found.size() == expected.size());
  double off = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    off = std::isnan(found[i]) ? 1e300 : std::max(off, std::abs(double(found[i]) - expected[i]));
  CHECK(off < allowed);
}

// Apply beside the dense sums, adjoint to the transpose, both added.
template <class Backend, class Precision>
void check_pair(pair_case<Backend, Precision> const& c, bool constrained,
                sumfac::restriction_options const& of_test = {})
{
  using scalar = sumfac::vector_scalar<Precision>;
  constexpr bool in_double = std::is_same_v<Precision, double>;
  double const allowed = in_double ? 1e-13 : 1e-5;
  auto const R_u = c.trial(constrained), R_p = c.test(constrained, of_test);
  auto x = support::random<scalar>(at(R_u.size()), 3), w = support::random<scalar>(at(R_p.size()), 4);
  auto const before_y = support::random<scalar>(w.size(), 5), before_z = support::random<scalar>(x.size(), 6);
  auto const over = [](sumfac::restriction<scalar, Backend> const& r) {
    return [size = r.size()](auto* entries) { return sumfac::view(entries, size); };
  };
  auto const on_u = over(R_u), on_p = over(R_p);
  std::vector<scalar> y(w.size(), std::numeric_limits<scalar>::quiet_NaN()), z(x.size(), y[0]);
  support::on_backend(c.backend, x, y,
                      [&](scalar const* from, scalar* to) { c.B.apply(R_p, R_u, on_u(from), on_p(to)); });
  near(y, c.expected(x, 0, c.mesh.elements(), constrained), allowed);
  support::on_backend(c.backend, w, z,
                      [&](scalar const* from, scalar* to) { c.B.apply_transposed(R_u, R_p, on_p(from), on_u(to)); });
  CHECK(std::abs(dot(y, w)) > 1e-3);
  CHECK(std::abs(dot(y, w) - dot(x, z)) < 10 * allowed);
  for (std::size_t i = 0; i < z.size(); ++i)
    if (constrained && c.options.components_lie == sumfac::interleaving::fastest && c.marks_of_u[i]) CHECK(z[i] == 0);
  auto sum_y = before_y, sum_z = before_z;
  support::on_backend(c.backend, x, sum_y,
                      [&](scalar const* from, scalar* to) { c.B.apply_add(R_p, R_u, on_u(from), on_p(to)); });
  support::on_backend(c.backend, w, sum_z, [&](scalar const* from, scalar* to) {
    c.B.apply_transposed_add(R_u, R_p, on_p(from), on_u(to));
  });
  std::vector<double> of_y(y.begin(), y.end()), of_z(z.begin(), z.end());
  for (std::size_t i = 0; i < y.size(); ++i) of_y[i] += before_y[i];
  for (std::size_t i = 0; i < z.size(); ++i) of_z[i] += before_z[i];
  near(sum_y, of_y, allowed), near(sum_z, of_z, allowed);
}

// Elements of subsets, on either side.
template <class Backend, class Precision>
void check_subsets(pair_case<Backend, Precision> const& c)
{
  using scalar = sumfac::vector_scalar<Precision>;
  double const allowed = std::is_same_v<Precision, double> ? 1e-13 : 1e-5;
  index_t const cut = 7, last = 16;
  auto const R_u = c.trial(), R_p = c.test();
  auto const x = support::random<scalar>(at(R_u.size()), 3);
  std::vector<scalar> y(at(R_p.size()));
  auto const apply = [&](auto const& of_p, auto const& of_u) {
    support::on_backend(c.backend, x, y, [&](scalar const* from, scalar* to) {
      c.B.apply(of_p, of_u, sumfac::view(from, R_u.size()), sumfac::view(to, R_p.size()));
    });
  };
  apply(R_p.subset(cut, last), R_u);
  near(y, c.expected(x, cut, last), allowed);
  apply(R_p.subset(0, 3), R_u.subset(0, cut));
  near(y, c.expected(x, 0, 3), allowed);
}

}  // namespace two_spaces
