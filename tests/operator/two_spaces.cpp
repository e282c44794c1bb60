// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators between two spaces, and transposes: the oracle, adjointness, sums, subsets, and what is refused.
#include "spaces.hpp"

#include <sumfac/geometry/restriction.hpp>

#include <support/mesh.hpp>

#include <cstdint>
#include <limits>
#include <string>

namespace {

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

// (wind . grad u + u, v) + (3 u, wind . grad v): nonsymmetric, of one component, from one space to any.
template <int Dim>
struct transport {
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = sumfac::value | sumfac::gradient;

  template <class T>
  struct factors {
    T measure;
    sumfac::vector<T, Dim> wind;  // in the reference element, times the measure
  };
  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T, Dim> const& x) const
  {
    factors<T> f{x.measure(), {}};
    auto const a = x.adjugate();
    for (int d = 0; d < Dim; ++d) {
      f.wind[d] = x.weight() * a(d, 0);
      for (int c = 1; c < Dim; ++c) f.wind[d] = f.wind[d] + x.weight() * a(d, c) * T(1.0 + c);
    }
    return f;
  }
  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T, 1, Dim> apply(factors<T> const& f,
                                                        sumfac::point_values<T, 1, Dim> const& u) const
  {
    sumfac::point_values<T, 1, Dim> v;
    v.value = f.measure * u.value;
    for (int d = 0; d < Dim; ++d) {
      v.value = v.value + f.wind[d] * u.gradient[d];
      v.gradient[d] = T(3.0) * f.wind[d] * u.value;
    }
    return v;
  }
};

reference::flat_integrand of(divergence<2> const&)
{
  return [](auto const&, reference::flat_field const& u) {
    return reference::flat_field{{u.gradient[0][0] + u.gradient[1][1]}, {{0, 0}}};
  };
}
reference::flat_integrand of(transport<2> const&)
{
  return [](auto const&, reference::flat_field const& u) {
    return reference::flat_field{{u.value[0] + u.gradient[0][0] + 2 * u.gradient[0][1]},
                                 {{3 * u.value[0], 6 * u.value[0]}}};
  };
}
reference::flat_integrand of(divergence<3> const&)
{
  return [](auto const&, reference::flat_field const& u) {
    return reference::flat_field{{u.gradient[0][0] + u.gradient[1][1] + u.gradient[2][2]}, {{0, 0, 0}}};
  };
}

template <class Operator, int Size>
inline constexpr index_t box_of = sumfac::detail::node_box(Size, Operator::directions).all();
template <class Operator>
inline constexpr index_t trial_entries = Operator::components* box_of<Operator, Operator::nodes_1d>;
template <class Operator>
inline constexpr index_t test_entries = Operator::test_components* box_of<Operator, Operator::test_nodes_1d>;

template <class Operator, class T>
auto trial_view(std::vector<T>& u, index_t elements)
{
  return checks::e_vector<Operator::directions, Operator::nodes_1d, Operator::components>(u.data(), elements);
}
template <class Operator, class T>
auto test_view(std::vector<T>& v, index_t elements)
{
  return checks::e_vector<Operator::directions, Operator::test_nodes_1d, Operator::test_components>(v.data(), elements);
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
  A.apply(trial_view<Operator>(u, elements), test_view<Operator>(v, elements));
  A.apply_transposed(test_view<Operator>(w, elements), trial_view<Operator>(z, elements));
  auto const integrand = of(A.form());
  double const rounding = 4 * reference::tolerance<scalar>(Operator::order);
  for (index_t e : {index_t{0}, elements / 2, elements - 1}) {
    reference::flat_element const oracle = element(e);
    // The oracle's matrix, column by column.
    std::vector<std::vector<reference::real>> matrix;
    double greatest = 0;
    for (index_t j = 0; j < columns; ++j) {
      std::vector<reference::real> unit(at(columns), 0);
      unit[at(j)] = 1;
      matrix.push_back(oracle.apply(trial, test, integrand, unit));
      for (auto const x : matrix.back()) greatest = std::max(greatest, std::abs(double(x)));
    }
    auto const found = A.element_matrix(e);
    REQUIRE(found.size() == at(rows * columns));
    double const allowed = rounding * greatest * double(rows + columns);
    double off = 0, off_transposed = 0, off_matrix = 0;
    for (index_t i = 0; i < rows; ++i) {
      reference::real sum = 0;
      for (index_t j = 0; j < columns; ++j) {
        sum += matrix[at(j)][at(i)] * u[at(e * columns + j)];
        off_matrix = std::max(off_matrix, std::abs(double(found[at(i * columns + j)] - matrix[at(j)][at(i)])));
      }
      off = std::max(off, std::abs(double(v[at(e * rows + i)] - sum)));
    }
    for (index_t j = 0; j < columns; ++j) {
      reference::real sum = 0;
      for (index_t i = 0; i < rows; ++i) sum += matrix[at(j)][at(i)] * w[at(e * rows + i)];
      off_transposed = std::max(off_transposed, std::abs(double(z[at(e * columns + j)] - sum)));
    }
    CAPTURE(e, greatest);
    CHECK(greatest > 1e-3);
    CHECK(off <= allowed);
    CHECK(off_matrix <= allowed);
    CHECK(off_transposed <= allowed);
  }
}

template <class Form, spaces Space, class Points = sumfac::gauss<Space.trial.degree + 2>, class Scalar = double>
void agrees_in_the_plane(reference::rule const& trial, reference::rule const& test)
{
  using op = sumfac::element_operator<Form, Space, Points, sumfac::host, Scalar>;
  checks::flat_mesh const mesh(some, 2, 2, 3, 0.05);
  op const A{sumfac::host{}, checks::nodes_view<2, 2>(mesh)};
  agrees(A, {trial, op::components}, {test, op::test_components}, [&](index_t e) {
    return reference::flat_element(2, 2, reference::gauss_lobatto(3), mesh.element(static_cast<int>(e)),
                                   checks::rule_of<Points>());
  });
}

}  // namespace

TEST_CASE("two spaces: quadrilaterals")
{
  using reference::gauss_lobatto;
  agrees_in_the_plane<divergence<2>, spaces{.trial = quadrilateral(2), .test = quadrilateral(1)}>(gauss_lobatto(3),
                                                                                                 gauss_lobatto(2));
  agrees_in_the_plane<transport<2>, spaces{.trial = quadrilateral(1), .test = quadrilateral(3)}, sumfac::gauss<4>>(
      gauss_lobatto(2), gauss_lobatto(4));
  agrees_in_the_plane<transport<2>,
                      spaces{.trial = quadrilateral(2), .test = quadrilateral(2, node_placement::gauss)}>(
      gauss_lobatto(3), reference::gauss(3));
}

TEST_CASE("two spaces: float, and one space's transpose")
{
  using reference::gauss_lobatto;
  agrees_in_the_plane<divergence<2>, spaces{.trial = quadrilateral(3), .test = quadrilateral(1)}, sumfac::gauss<4>,
                      float>(gauss_lobatto(4), gauss_lobatto(2));
  using op = sumfac::element_operator<transport<2>, quadrilateral(2), sumfac::gauss_lobatto<3>>;
  checks::flat_mesh const mesh(some, 2, 2, 3, 0.05);
  op const A{sumfac::host{}, checks::nodes_view<2, 2>(mesh)};
  agrees(A, {gauss_lobatto(3)}, {gauss_lobatto(3)}, [&](index_t e) {
    return reference::flat_element(2, 2, gauss_lobatto(3), mesh.element(static_cast<int>(e)), gauss_lobatto(3));
  });
}

TEST_CASE("two spaces: hexahedra")
{
  auto const where = reference::gauss_lobatto(3);
  auto const mesh = mesh::mapped(mesh::jittered({2, 3, 2}, 0.15, where), mesh::smooth{});
  sumfac::view const nodes(mesh.data(), mesh.elements, 3, 3, 3, 3);
  auto const element = [&](index_t e) {
    double const* const first = mesh.element(static_cast<int>(e));
    return reference::flat_element(3, 3, where, {first, first + mesh.element_size()}, reference::gauss(4));
  };
  sumfac::element_operator<divergence<3>, spaces{.trial = 2, .test = 1}> const B{sumfac::host{}, nodes};
  agrees(B, {reference::gauss_lobatto(3), 3}, {reference::gauss_lobatto(2)}, element);
  // The divergence of a field of degree 2 in each direction, against the constant 1, is what flows out of the cube:
  // u = (x^2, x y, 0) on the box without bumps, of 2 x + x = 3 x, so 3 / 2.
  auto const box = mesh::jittered({2, 3, 2}, 0, where);
  sumfac::element_operator<divergence<3>, spaces{.trial = 2, .test = 1}> const C{
      sumfac::host{}, sumfac::view(box.data(), box.elements, 3, 3, 3, 3)};
  std::vector<double> u, v(at(box.elements * 8));
  for (int e = 0; e < box.elements; ++e)
    for (int c = 0; c < 3; ++c)
      for (int p = 0; p < 27; ++p) {
        double const x = box.element(e)[3 * p], y = box.element(e)[3 * p + 1];
        u.push_back(c == 0 ? x * x : c == 1 ? x * y : 0);
      }
  C.apply(sumfac::view(u.data(), box.elements, 3, 3, 3, 3), sumfac::view(v.data(), box.elements, 2, 2, 2));
  double sum = 0;
  for (double const x : v) sum += x;
  CHECK(std::abs(sum - 1.5) < 1e-13);
}

namespace {

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

double dot(std::vector<double> const& a, std::vector<double> const& b)
{
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
auto whole(std::vector<double>& x) { return sumfac::view(x.data(), static_cast<index_t>(x.size())); }

using pair_operator =
    sumfac::element_operator<divergence<2>, spaces{.trial = quadrilateral(2), .test = quadrilateral(1)}>;

// B on the strip, its two restrictions, and B as a dense matrix without constraints, from element_matrix.
struct pair_case {
  strip mesh{9};
  sumfac::host backend;
  std::vector<double> vertices = mesh.vertices();
  std::vector<std::int32_t> of_u = mesh.table(2), of_p = mesh.table(1);
  index_t nodes_of_u = mesh.nodes(2), nodes_of_p = mesh.nodes(1);
  std::vector<std::uint8_t> marks_of_u = strip::every(5, 2 * nodes_of_u), marks_of_p = strip::every(4, nodes_of_p);
  sumfac::restriction_options options{.components = 2};
  pair_operator B{backend, sumfac::view(vertices.data(), mesh.elements(), 2, 2, 2)};

  auto trial(bool constrained = true) const
  {
    sumfac::view const table(of_u.data(), mesh.elements(), 3, 3);
    return constrained ? sumfac::restriction(backend, table, nodes_of_u,
                                             sumfac::view(marks_of_u.data(), nodes_of_u, 2), options)
                       : sumfac::restriction(backend, table, nodes_of_u, options);
  }
  auto test(bool constrained = true, sumfac::restriction_options const& of = {}) const
  {
    sumfac::view const table(of_p.data(), mesh.elements(), 2, 2);
    return constrained
               ? sumfac::restriction(backend, table, nodes_of_p, sumfac::view(marks_of_p.data(), nodes_of_p), of)
               : sumfac::restriction(backend, table, nodes_of_p, of);
  }
  // y = B x on some elements, entries that are marked 0 in both.
  std::vector<double> expected(std::vector<double> const& x, index_t first, index_t last, bool constrained = true) const
  {
    std::vector<double> y(at(nodes_of_p), 0);
    for (index_t e = first; e < last; ++e) {
      auto const matrix = B.element_matrix(e);
      for (index_t i = 0; i < 4; ++i)
        for (index_t j = 0; j < 18; ++j) {
          index_t const node = of_u[at(e * 9 + j % 9)], c = j / 9;
          index_t const entry = options.components_lie == sumfac::interleaving::fastest ? 2 * node + c
                                                                                        : c * nodes_of_u + node;
          bool const off = constrained && (marks_of_u[at(2 * node + c)] || marks_of_p[at(of_p[at(e * 4 + i)])]);
          if (!off) y[at(of_p[at(e * 4 + i)])] += matrix[at(i * 18 + j)] * x[at(entry)];
        }
    }
    return y;
  }
};

void near(std::vector<double> const& found, std::vector<double> const& expected)
{
  REQUIRE(found.size() == expected.size());
  double off = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    off = std::isnan(found[i]) ? 1e300 : std::max(off, std::abs(found[i] - expected[i]));
  CHECK(off < 1e-13);
}

// Apply beside the dense sums, adjoint to the transpose, both added.
void check_pair(pair_case const& c, bool constrained, sumfac::restriction_options const& of_test = {})
{
  auto const R_u = c.trial(constrained), R_p = c.test(constrained, of_test);
  auto x = support::random<double>(at(R_u.size()), 3), w = support::random<double>(at(R_p.size()), 4);
  auto const before_y = support::random<double>(w.size(), 5), before_z = support::random<double>(x.size(), 6);
  std::vector<double> y(w.size(), std::numeric_limits<double>::quiet_NaN()), z(x.size(), y[0]);
  c.B.apply(R_p, R_u, whole(x), whole(y));
  near(y, c.expected(x, 0, c.mesh.elements(), constrained));
  c.B.apply_transposed(R_u, R_p, whole(w), whole(z));
  CHECK(std::abs(dot(y, w)) > 1e-3);
  CHECK(std::abs(dot(y, w) - dot(x, z)) < 1e-12);
  for (std::size_t i = 0; i < z.size(); ++i)
    if (constrained && c.options.components_lie == sumfac::interleaving::fastest && c.marks_of_u[i]) CHECK(z[i] == 0);
  auto sum_y = before_y, sum_z = before_z;
  c.B.apply_add(R_p, R_u, whole(x), whole(sum_y));
  c.B.apply_transposed_add(R_u, R_p, whole(w), whole(sum_z));
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += before_y[i];
  for (std::size_t i = 0; i < z.size(); ++i) z[i] += before_z[i];
  near(sum_y, y), near(sum_z, z);
}

}  // namespace

TEST_CASE("two spaces: global vectors")
{
  pair_case c;
  check_pair(c, false);
  check_pair(c, true);
  c.options.components_lie = sumfac::interleaving::slowest;
  check_pair(c, true);
  c.options.blocks = 3, c.options.policy = sumfac::scatter::atomic;
  check_pair(c, true, {.rows = sumfac::constrained_rows::zero, .blocks = 5});
}

TEST_CASE("two spaces: subsets")
{
  pair_case const c;
  index_t const all = c.mesh.elements(), cut = 7;
  auto const R_u = c.trial(), R_p = c.test();
  auto const u_first = R_u.subset(0, cut), u_last = R_u.subset(cut, all);
  auto const p_first = R_p.subset(0, cut), p_last = R_p.subset(cut, all);
  auto x = support::random<double>(at(R_u.size()), 3), w = support::random<double>(at(R_p.size()), 4);
  std::vector<double> y(w.size()), z(x.size()), z_all(x.size());
  c.B.apply(p_first, u_first, whole(x), whole(y));
  near(y, c.expected(x, 0, cut));
  c.B.apply(p_last, R_u, whole(x), whole(y));  // a subset on the side of the result alone
  near(y, c.expected(x, cut, all));
  c.B.apply(p_first, u_first, whole(x), whole(y));
  c.B.apply_add(p_last, u_last, whole(x), whole(y));
  near(y, c.expected(x, 0, all));
  c.B.apply_transposed(u_first, p_first, whole(w), whole(z));
  c.B.apply_transposed_add(u_last, p_last, whole(w), whole(z));
  c.B.apply_transposed(R_u, R_p, whole(w), whole(z_all));
  near(z, z_all);
  // On elements that x is not read on there is no result.
  auto const before = y;
  CHECK_THROWS_WITH(c.B.apply(R_p, u_first, whole(x), whole(y)),
                    Catch::Contains("a subset without element 7") && Catch::Contains("7 elements of x, 18 of the"));
  CHECK_THROWS_WITH(c.B.apply_transposed_add(u_first, p_last.subset(all, all), whole(w), whole(z)),
                    Catch::Contains("a subset without element 0"));
  CHECK(y == before);
  c.B.apply(p_first.subset(2, 5), u_first, whole(x), whole(y));
  near(y, c.expected(x, 2, 5));
}

TEST_CASE("two spaces: what cannot be")
{
  pair_case const c;
  auto const R_u = c.trial(), R_p = c.test();
  auto x = support::random<double>(at(R_u.size()), 3), y = support::random<double>(at(R_p.size()), 4);
  auto const untouched = y;
  CHECK_THROWS_WITH(c.B.apply(R_u, R_p, whole(x), whole(y)),
                    Catch::Contains("nodes per direction of the restriction of the result") &&
                        Catch::Contains("(expected 2, got 3)"));
  CHECK_THROWS_WITH(c.B.apply(R_p, R_p, whole(x), whole(y)),
                    Catch::Contains("nodes per direction of the restriction of x") &&
                        Catch::Contains("(expected 3, got 2)"));
  CHECK_THROWS_WITH(c.B.apply_transposed(R_p, R_u, whole(y), whole(x)), Catch::Contains("(expected 3, got 2)"));
  sumfac::view const table(c.of_u.data(), c.mesh.elements(), 3, 3), fewer(c.of_u.data(), 5, 3, 3);
  sumfac::restriction const scalar{c.backend, table, c.nodes_of_u};
  sumfac::restriction const part{c.backend, fewer, c.nodes_of_u, {.components = 2}};
  CHECK_THROWS_WITH(c.B.apply(R_p, scalar, whole(x), whole(y)),
                    Catch::Contains("number of components of the restriction of x") &&
                        Catch::Contains("(expected 2, got 1)"));
  CHECK_THROWS_WITH(c.B.apply(R_p, part, whole(x), whole(y)), Catch::Contains("number of elements") &&
                                                                  Catch::Contains("(expected 18, got 5)"));
  CHECK_THROWS_WITH(c.B.apply(R_p, R_u, whole(y), whole(y)),
                    Catch::Contains("x") && Catch::Contains(std::to_string(R_u.size())));
  std::vector<double> both(at(R_u.size()));
  sumfac::view const start(both.data(), R_p.size());
  CHECK_THROWS_WITH(c.B.apply(R_p, R_u, whole(both), start), Catch::Contains("x and y overlap"));
  sumfac::view const null(static_cast<double*>(nullptr), R_u.size());
  CHECK_THROWS_WITH(c.B.apply(R_p, R_u, null, whole(y)), Catch::Contains("null"));
  CHECK_THROWS_WITH(c.B.element_matrix(18), Catch::Contains("got 18, 0 to 17 expected"));
  // E-vectors of the other side.
  std::vector<double> more(at(c.mesh.elements() * 18));
  std::vector<double> from(more.size());
  sumfac::view const right(from.data(), c.mesh.elements(), 2, 3, 3);
  CHECK_THROWS_WITH(c.B.apply_transposed(sumfac::view(more.data(), c.mesh.elements(), 3, 3), right),
                    Catch::Contains("extent 1") && Catch::Contains("2") && Catch::Contains("3"));
  CHECK(y == untouched);
}
