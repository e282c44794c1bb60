// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Forms of a user's own, several components, other rules: every combination of what is evaluated and tested.
#include "problems.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/math/pack.hpp>

#include <functional>

namespace {

using reference::real;

// Compares apply, the diagonal and the matrices of a form with the oracle on curved elements.
template <int Order, class Points, class Scalar = double, class Backend = sumfac::host, class Form>
void agrees(Form const& form, reference::integrand<> const& exact, reference::rule const& points)
{
  using operator_type = sumfac::element_operator<Form, Order, Points, Backend, Scalar>;
  constexpr int n = Order + 1, components = operator_type::components;
  constexpr std::size_t size = std::size_t{components} * n * n * n;
  constexpr int elements = sumfac::native_width<Scalar> + 1;
  auto const where = reference::gauss_lobatto(4);
  auto const mesh = mesh::sampled(mesh::mapped(mesh::box({4, 2, 1}, where), mesh::smooth{}), elements);
  operator_type const a(Backend{}, checks::nodes_view(mesh), form);
  auto const u = support::random<Scalar>(elements * size, Order);
  std::vector<Scalar> v(u.size(), std::numeric_limits<Scalar>::quiet_NaN()), d = v;
  a.apply(checks::vector_view<components>(u.data(), elements, n),
          checks::vector_view<components>(v.data(), elements, n));
  a.diagonal(checks::vector_view<components>(d.data(), elements, n));
  for (int e = 0; e < elements; ++e) {
    reference::element<> const oracle({reference::gauss_lobatto(n), points, components}, where, mesh.element(e), exact);
    auto const part = [&](std::vector<Scalar> const& x) {
      auto const first = x.begin() + static_cast<std::ptrdiff_t>(size) * e;
      return std::vector<real>(first, first + static_cast<std::ptrdiff_t>(size));
    };
    INFO("degree " << Order << ", " << Points::size << " points, element " << e);
    CHECK(checks::distance(part(v), oracle.apply(part(u))) <= reference::allowed<Scalar>(oracle, part(u), Order));
    CHECK(checks::distance(part(d), oracle.diagonal()) <= reference::allowed_diagonal<Scalar>(oracle, Order));
    if (Order > 2 || e % 2 == 1)
      continue;
    std::vector<Scalar> const matrix = a.element_matrix(e);
    auto const expected = oracle.matrix();
    REQUIRE(matrix.size() == expected.size());
    for (std::size_t j = 0; j < size; ++j) {
      std::vector<real> unit(size), got(size), column(size);
      unit[j] = 1;
      for (std::size_t i = 0; i < size; ++i) {
        got[i] = static_cast<real>(matrix[i * size + j]);
        column[i] = expected[i * size + j];
      }
      CHECK(checks::distance(got, column) <= reference::allowed<Scalar>(oracle, unit, Order));
    }
  }
}

template <int Order, class Scalar = double, class Backend = sumfac::host, class Form>
void agrees_on_gauss_and_collocated(Form const& form, reference::integrand<> const& exact)
{
  agrees<Order, sumfac::gauss<Order + 2>, Scalar, Backend>(form, exact, reference::gauss(Order + 2));
  agrees<Order, sumfac::gauss_lobatto<Order + 1>, Scalar, Backend>(form, exact, reference::gauss_lobatto(Order + 1));
}

// k (1 + x^2 + y z) u: a variable coefficient.
struct reaction {
  static constexpr auto trial = sumfac::value, test = sumfac::value;
  template <class T>
  struct factors {
    T w;
  };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    auto const& p = x.position();
    return {(p[0] * p[0] + p[1] * p[2] + T(1.0)) * x.weight() * x.det() * k};
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.w * u.value};
  }
  double k = 1;
};

// The weak form's value takes b(x) . grad u: what is evaluated is not what is tested.
struct advection {
  static constexpr auto trial = sumfac::gradient, test = sumfac::value;
  template <class T>
  struct factors {
    T b[3];
  };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    auto const& p = x.position();
    auto const inverse = x.inverse();
    T const scale = x.weight() * x.det();
    factors<T> f;
    for (int c = 0; c < 3; ++c)
      f.b[c] = scale * (inverse(c, 0) * (p[1] + T(1.0)) - inverse(c, 1) * p[0] + inverse(c, 2) * p[2] * p[0]);
    return f;
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.b[0] * u.gradient[0] + f.b[1] * u.gradient[1] + f.b[2] * u.gradient[2]};
  }
};

// Its transpose.
struct conservative_advection {
  static constexpr auto trial = sumfac::value, test = sumfac::gradient;
  template <class T>
  using factors = advection::factors<T>;
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return advection{}.setup(x);
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    sumfac::point_values<T> v;
    for (int c = 0; c < 3; ++c)
      v.gradient[c] = f.b[c] * u.value;
    return v;
  }
};

std::array<real, 3> wind(reference::point<> const& x)
{
  auto const& p = x.position;
  return {p[1] + 1, -p[0], p[2] * p[0]};
}

// All sixteen entries at once, none symmetric: f = c u + b . grad u, F = u a + K grad u.
struct everything {
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = sumfac::value | sumfac::gradient;
  template <class T>
  struct factors {
    T entries[16];
  };
  // The physical matrix at a position, rows tested (value, x, y, z), columns evaluated.
  template <class T>
  static T physical(int row, int col, T const& x, T const& y)
  {
    return x * T(0.25 * row + 0.5) + y * T(0.125 * col * col) + T(row == col ? 3.0 : 0.5 * (row - 2 * col));
  }
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    auto const& p = x.position();
    auto const inverse = x.inverse();
    T const scale = x.weight() * x.det();
    factors<T> f{};
    // (value, d/dx) = S (value, d/dxi) with S = diag(1, inverse^T), on both sides.
    auto const s = [&](int physical_index, int reference_index) {
      if (physical_index == 0 || reference_index == 0)
        return T(physical_index == reference_index ? 1.0 : 0.0);
      return inverse(reference_index - 1, physical_index - 1);
    };
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        for (int r = 0; r < 4; ++r)
          for (int c = 0; c < 4; ++c)
            f.entries[4 * a + b] = f.entries[4 * a + b] + scale * s(r, a) * physical(r, c, p[0], p[1]) * s(c, b);
    return f;
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    sumfac::point_values<T> v;
    auto const row = [&](int a) {
      return f.entries[4 * a] * u.value + f.entries[4 * a + 1] * u.gradient[0] + f.entries[4 * a + 2] * u.gradient[1] +
             f.entries[4 * a + 3] * u.gradient[2];
    };
    v.value = row(0);
    for (int c = 0; c < 3; ++c)
      v.gradient[c] = row(1 + c);
    return v;
  }
};

reference::field<> everything_exact(reference::point<> const& x, reference::field<> const& u)
{
  std::array<real, 4> const in{u.value[0], u.gradient[0][0], u.gradient[0][1], u.gradient[0][2]};
  std::array<real, 4> out{};
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 4; ++c)
      out[static_cast<std::size_t>(r)] +=
          everything::physical<real>(r, c, x.position[0], x.position[1]) * in[static_cast<std::size_t>(c)];
  return {{out[0]}, {{{out[1], out[2], out[3]}}}};
}

// Linear elasticity: components coupled, 2 mu eps(u) + lambda div u, mu growing along x.
struct elasticity {
  static constexpr auto trial = sumfac::gradient, test = sumfac::gradient;
  static constexpr int components = 3;
  template <class T>
  struct factors {
    T inverse[9], scale, mu;
  };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    factors<T> f;
    for (int i = 0; i < 9; ++i)
      f.inverse[i] = x.inverse()(i / 3, i % 3);
    f.scale = x.weight() * x.det();
    f.mu = x.position()[0] + T(1.0);
    return f;
  }
  template <class T>
  sumfac::point_values<T, 3> apply(factors<T> const& f, sumfac::point_values<T, 3> const& u) const
  {
    sumfac::matrix<T, 3> g{}, s{};  // physical gradient, stress
    for (int c = 0; c < 3; ++c)
      for (int d = 0; d < 3; ++d)
        for (int r = 0; r < 3; ++r)
          g(c, d) = g(c, d) + f.inverse[3 * r + d] * u.gradient(c, r);
    T const divergence = g(0, 0) + g(1, 1) + g(2, 2);
    for (int c = 0; c < 3; ++c)
      for (int d = 0; d < 3; ++d) {
        s(c, d) = f.scale * f.mu * (g(c, d) + g(d, c));
        if (c == d)
          s(c, d) = s(c, d) + f.scale * divergence * sumfac::scalar_of<T>(lambda);
      }
    sumfac::point_values<T, 3> v;
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r)
        for (int d = 0; d < 3; ++d)
          v.gradient(c, r) = v.gradient(c, r) + f.inverse[3 * r + d] * s(c, d);
    return v;
  }
  double lambda = 0.75;
};

reference::field<> elasticity_exact(reference::point<> const& x, reference::field<> const& u)
{
  auto const& g = u.gradient;
  reference::field<> out;
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t d = 0; d < 3; ++d)
      out.gradient[c][d] =
          (1 + x.position[0]) * (g[c][d] + g[d][c]) + (c == d ? 0.75L * (g[0][0] + g[1][1] + g[2][2]) : 0);
  return out;
}

// A rule of a user's own: its name and its points are unknown to the library.
struct own_rule {
  static constexpr int size = 5;
  static constexpr std::array<long double, 5> nodes{-0.9375L, -0.5L, 0, 0.5L, 0.9375L};
  static constexpr std::array<long double, 5> weights{0.25L, 0.5L, 0.5L, 0.5L, 0.25L};
};

template <std::size_t N>
reference::rule as_rule(std::array<long double, N> const& nodes, std::array<long double, N> const& weights)
{
  return {{nodes.begin(), nodes.end()}, {weights.begin(), weights.end()}};
}

}  // namespace

TEST_CASE("operator: a variable coefficient of the user's own")
{
  auto const exact = [](reference::point<> const& x, reference::field<> const& u) {
    auto const& p = x.position;
    return reference::field<>{{2.5L * (1 + p[0] * p[0] + p[1] * p[2]) * u.value[0]}, {}};
  };
  agrees_on_gauss_and_collocated<2>(reaction{2.5}, exact);
  agrees_on_gauss_and_collocated<5, float>(reaction{2.5}, exact);
  agrees_on_gauss_and_collocated<3, double, sumfac::checked>(reaction{2.5}, exact);
}

TEST_CASE("operator: gradients evaluated, values tested, and the other way round")
{
  auto const advected = [](reference::point<> const& x, reference::field<> const& u) {
    auto const b = wind(x);
    return reference::field<>{{b[0] * u.gradient[0][0] + b[1] * u.gradient[0][1] + b[2] * u.gradient[0][2]}, {}};
  };
  auto const conserved = [](reference::point<> const& x, reference::field<> const& u) {
    auto const b = wind(x);
    return reference::field<>{{}, {{{b[0] * u.value[0], b[1] * u.value[0], b[2] * u.value[0]}}}};
  };
  agrees_on_gauss_and_collocated<2>(advection{}, advected);
  agrees_on_gauss_and_collocated<2>(conservative_advection{}, conserved);
  agrees_on_gauss_and_collocated<3, double, sumfac::checked>(advection{}, advected);
  agrees_on_gauss_and_collocated<3, double, sumfac::checked>(conservative_advection{}, conserved);
}

TEST_CASE("operator: a form that evaluates and tests everything, unsymmetrically")
{
  agrees_on_gauss_and_collocated<2>(everything{}, everything_exact);
  agrees_on_gauss_and_collocated<5>(everything{}, everything_exact);
  agrees_on_gauss_and_collocated<4, float>(everything{}, everything_exact);
  agrees_on_gauss_and_collocated<3, float, sumfac::checked>(everything{}, everything_exact);
}

TEST_CASE("operator: components that a form couples")
{
  agrees_on_gauss_and_collocated<1>(elasticity{}, elasticity_exact);
  agrees_on_gauss_and_collocated<4>(elasticity{}, elasticity_exact);
  agrees_on_gauss_and_collocated<2, float>(elasticity{}, elasticity_exact);
  agrees_on_gauss_and_collocated<2, double, sumfac::checked>(elasticity{}, elasticity_exact);
}

TEST_CASE("operator: rules of every size, and of a user's own")
{
  agrees<3, sumfac::gauss<4>>(sumfac::stiffness{.lambda = 0.3}, reference::stiffness(0.3), reference::gauss(4));
  agrees<3, sumfac::gauss<7>>(sumfac::stiffness{.lambda = 0.3}, reference::stiffness(0.3), reference::gauss(7));
  agrees<2, sumfac::gauss_lobatto<6>>(sumfac::stiffness{.lambda = 0.3}, reference::stiffness(0.3),
                                      reference::gauss_lobatto(6));
  auto const points = as_rule(own_rule::nodes, own_rule::weights);
  agrees<3, own_rule>(sumfac::stiffness{.lambda = 0.3}, reference::stiffness(0.3), points);
  agrees<4, own_rule>(sumfac::mass{}, reference::mass(), points);
  agrees<2, own_rule, double, sumfac::checked>(everything{}, everything_exact, points);
}
