// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators between two spaces, and transposes: the oracle, adjointness, sums, subsets, and what is refused.
#include "spaces.hpp"

#include <sumfac/geometry/restriction.hpp>

#include <cstdint>
#include <limits>

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
