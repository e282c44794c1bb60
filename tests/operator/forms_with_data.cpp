// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Forms that read other functions, nonlinear forms and their tangents against the naive oracle, every way through an
// element and every geometry policy.
// part fields: FIELDS=1
// part tangents: TANGENTS=1
#include "problems.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/form/tangent.hpp>
#include <sumfac/operator/element_operator.hpp>

#include <support/data.hpp>
#include <support/random.hpp>

#include <cmath>
#include <type_traits>

namespace {

using checks::index_t, reference::field, reference::point, reference::real;
using sumfac::gradient, sumfac::value;

#if FIELDS

// t (s . grad u, v) + (t grad u, grad v) + u (grad t . grad t, v), where t and the three components of s are inputs, t
// with its gradient, s of degree 1.
struct transport {
  static constexpr auto trial = value | gradient, test = value | gradient;
  using inputs =
      sumfac::reads<sumfac::input{.evaluates = value | gradient}, sumfac::input{.components = 3, .order = 1}>;

  template <class T>
  struct factors {
    T measure;
    sumfac::symmetric<T, 3> metric;
    sumfac::matrix<T, 3> inverse;
  };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.measure(), x.metric(), x.inverse()};
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u,
                                sumfac::point_values<T> const& t, sumfac::point_values<T, 3> const& s) const
  {
    sumfac::point_values<T> v;
    v.gradient = t.value * (f.metric * u.gradient);
    T along = T(0);
    for (int d = 0; d < 3; ++d) {
      T slope = T(0);
      for (int r = 0; r < 3; ++r) slope = slope + f.inverse(r, d) * u.gradient[r];
      along = along + s.value[d] * slope;
    }
    auto const flux = f.metric * t.gradient;
    T square = T(0);
    for (int r = 0; r < 3; ++r) square = square + flux[r] * t.gradient[r];
    v.value = f.measure * (t.value * along) + square * u.value;
    return v;
  }
};

field<> transported(int, point<> const&, field<> const& u, std::vector<field<>> const& inputs)
{
  field<> v;
  auto const &t = inputs[0], &s = inputs[1];
  for (std::size_t d = 0; d < 3; ++d) {
    v.gradient[0][d] = t.value[0] * u.gradient[0][d];
    v.value[0] += t.value[0] * s.value[d] * u.gradient[0][d] + t.gradient[0][d] * t.gradient[0][d] * u.value[0];
  }
  return v;
}

#endif

#if TANGENTS

// Two coupled components, not linear: flux (1 + |u|^2) grad u_c, and u_0 u_1 + t / (2 + u_c^2) in the values; t is an
// input.
struct reacting {
  static constexpr auto trial = value | gradient, test = value | gradient;
  static constexpr int components = 2;
  static constexpr bool linear = false;
  using inputs = sumfac::reads<sumfac::input{}>;

  template <class T>
  struct factors {
    T measure;
    sumfac::symmetric<T, 3> metric;
  };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.measure(), x.metric()};
  }
  template <class T>
  sumfac::point_values<T, 2> apply(factors<T> const& f, sumfac::point_values<T, 2> const& u,
                                   sumfac::point_values<T> const& t) const
  {
    sumfac::point_values<T, 2> v;
    T const size = T(1) + u.value[0] * u.value[0] + u.value[1] * u.value[1];
    for (int c = 0; c < 2; ++c) {
      sumfac::vector<T, 3> const slope{u.gradient(c, 0), u.gradient(c, 1), u.gradient(c, 2)};
      auto const flux = size * (f.metric * slope);
      for (int d = 0; d < 3; ++d) v.gradient(c, d) = flux[d];
      v.value[c] = f.measure * (u.value[0] * u.value[1] + t.value / (T(2) + u.value[c] * u.value[c]));
    }
    return v;
  }
};

field<> reacted(int, point<> const&, field<> const& u, std::vector<field<>> const& inputs)
{
  field<> v;
  real const size = 1 + u.value[0] * u.value[0] + u.value[1] * u.value[1];
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t d = 0; d < 3; ++d) v.gradient[c][d] = size * u.gradient[c][d];
    v.value[c] = u.value[0] * u.value[1] + inputs[0].value[0] / (2 + u.value[c] * u.value[c]);
  }
  return v;
}

#endif

// A few elements, mapped so that Policy takes them; one more than packs have lanes, so that a group is not full.
template <class Policy>
mesh::nodes elements_for()
{
  auto box = mesh::box({3, 3, 1}, reference::gauss_lobatto(2));
  if constexpr (std::is_same_v<Policy, sumfac::affine>) {
    for (std::size_t i = 0; i < box.coordinates.size(); i += 3) {
      box.coordinates[i] += 0.3 * box.coordinates[i + 1];
      box.coordinates[i + 2] -= 0.2 * box.coordinates[i];
    }
    return box;
  }
  return mesh::mapped(box, mesh::smooth{});
}

template <class T>
std::vector<T> random_vector(index_t size, unsigned seed)
{
  return support::random<T>(static_cast<std::size_t>(size), seed);
}

template <class T>
std::vector<real> widened(std::vector<T> const& x)
{
  return {x.begin(), x.end()};
}

// How far `got` is from `expected`, over the largest of it.
template <class T>
double off(std::vector<T> const& got, std::vector<real> const& expected)
{
  REQUIRE(got.size() == expected.size());
  real most = 0, largest = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    most = std::max(most, std::abs(real(got[i]) - expected[i]));
    largest = std::max(largest, std::abs(expected[i]));
  }
  return double(most / largest);
}

template <class Scalar>
constexpr double rounding = std::is_same_v<Scalar, double> ? 2e-13 : 2e-5;

#if FIELDS

template <int Order, class Points, class Backend, class Scalar, class Policy, sumfac::tuning... Tuning>
void reads_fields(reference::rule const& points, Backend const& backend = {})
{
  using op = sumfac::element_operator<transport, Order, Points, Backend, Scalar, Policy, Tuning...>;
  using number = typename op::scalar_type;
  auto const elements = elements_for<Policy>();
  int const count = elements.elements, n = Order + 1, nodes = n * n * n;
  auto u = random_vector<number>(count * nodes, 1), t = random_vector<number>(count * nodes, 2);
  auto const s = random_vector<number>(count * 3 * 8, 3);
  reference::form_with_data<> const exact({reference::gauss_lobatto(n), points}, reference::gauss_lobatto(2),
                                          elements.coordinates, transported,
                                          {{reference::gauss_lobatto(n), 1, widened(t)},
                                           {reference::gauss_lobatto(2), 3, widened(s)}});
  op a(backend, checks::nodes_view(elements));
  std::vector<number> v(u.size());
  for (int round = 0; round < 2; ++round) {  // the second time other fields come to the same memory
    if (round == 1) a.linearize(sumfac::field(checks::vector_view<1>(u.data(), count, n)),
                                sumfac::field(checks::vector_view<3>(s.data(), count, 2)));
    a.linearize(sumfac::field(checks::vector_view<1>(t.data(), count, n)),
                sumfac::field(checks::vector_view<3>(s.data(), count, 2)));
    a.apply(checks::vector_view<1>(std::as_const(u).data(), count, n), checks::vector_view<1>(v.data(), count, n));
    auto const expected = exact.apply(widened(u));
    CHECK(off(v, expected) < rounding<typename op::factor_type>);
  }
  // Diagonal and matrices see what is kept.
  std::vector<number> d(u.size());
  a.diagonal(checks::vector_view<1>(d.data(), count, n));
  if (Order > 2) return;  // the naive matrices take long
  for (int const e : {0, count - 1}) {
    auto const matrix = a.element_matrix(e);
    std::vector<real> const zero(u.size());
    auto const expected = exact.matrix(e, zero);
    CHECK(off(matrix, expected) < rounding<typename op::factor_type>);
    for (int i = 0; i < nodes; ++i) {
      auto const m = static_cast<std::size_t>(i * nodes + i);
      CHECK(std::abs(double(d[static_cast<std::size_t>(e * nodes + i)]) - double(expected[m])) <
            rounding<typename op::factor_type> * 10 * (1 + std::abs(double(expected[m]))));
    }
  }
}

template <int Order, class Backend, class Scalar = double, class Policy = sumfac::stored, sumfac::tuning... Tuning>
void on_both_rules()
{
  reads_fields<Order, sumfac::gauss<Order + 2>, Backend, Scalar, Policy, Tuning...>(reference::gauss(Order + 2));
  reads_fields<Order, sumfac::gauss_lobatto<Order + 1>, Backend, Scalar, Policy, Tuning...>(
      reference::gauss_lobatto(Order + 1));
}

TEST_CASE("Fields at the points, on the host")
{
  on_both_rules<1, sumfac::host>();
  on_both_rules<2, sumfac::host>();
  on_both_rules<4, sumfac::host>();
  on_both_rules<3, sumfac::host, float>();
  on_both_rules<2, sumfac::host, sumfac::precision<double, float>>();
}

TEST_CASE("Fields at the points, where geometry is made anew")
{
  on_both_rules<2, sumfac::host, double, sumfac::affine>();
  on_both_rules<2, sumfac::host, double, sumfac::isoparametric<2>>();
  on_both_rules<2, sumfac::host, double, sumfac::split>();
  on_both_rules<2, sumfac::checked, double, sumfac::affine>();
  on_both_rules<2, sumfac::checked, double, sumfac::isoparametric<2>>();
}

TEST_CASE("Fields at the points, by the ways of devices")
{
  using sumfac::variant;
  constexpr sumfac::tuning cubes{.elements = 2}, slices{.way = variant::slices, .elements = 2, .planes = 2},
      planes{.way = variant::planes};
  on_both_rules<2, sumfac::checked>();
  on_both_rules<3, sumfac::checked, double, sumfac::stored, cubes>();
  on_both_rules<3, sumfac::checked, float, sumfac::stored, slices>();
  on_both_rules<2, sumfac::checked, double, sumfac::stored, planes>();
}

#endif

#if TANGENTS

template <int Order, class Backend, class Scalar = double, class Policy = sumfac::stored>
void linearizes(Backend const& backend = {})
{
  using residual = sumfac::element_operator<reacting, Order, sumfac::gauss<Order + 2>, Backend, Scalar, Policy>;
  using tangent =
      sumfac::element_operator<sumfac::tangent<reacting>, Order, sumfac::gauss<Order + 2>, Backend, Scalar, Policy>;
  using number = typename residual::scalar_type;
  auto const elements = elements_for<Policy>();
  int const count = elements.elements, n = Order + 1, nodes = n * n * n;
  auto const u = random_vector<number>(count * 2 * nodes, 1), w = random_vector<number>(count * 2 * nodes, 2);
  auto const t = random_vector<number>(count * nodes, 3);
  reference::form_with_data<> const exact({reference::gauss_lobatto(n), reference::gauss(Order + 2), 2},
                                          reference::gauss_lobatto(2), elements.coordinates, reacted,
                                          {{reference::gauss_lobatto(n), 1, widened(t)}});
  auto const field_t = sumfac::field(checks::vector_view<1>(t.data(), count, n));
  auto const view_u = checks::vector_view<2>(u.data(), count, n), view_w = checks::vector_view<2>(w.data(), count, n);
  std::vector<number> v(u.size());
  residual f(backend, checks::nodes_view(elements));
  f.linearize(field_t);
  f.apply(view_u, checks::vector_view<2>(v.data(), count, n));
  CHECK(off(v, exact.apply(widened(u))) < rounding<typename residual::factor_type>);

  tangent j(backend, checks::nodes_view(elements));
  j.linearize(sumfac::field(view_u), field_t);
  j.apply(view_w, checks::vector_view<2>(v.data(), count, n));
  CHECK(off(v, exact.derivative(widened(u), widened(w))) < rounding<typename residual::factor_type>);
  if (Order > 2) return;  // the naive matrices take long
  auto const matrix = exact.matrix(count - 1, widened(u));
  CHECK(off(j.element_matrix(count - 1), matrix) < rounding<typename residual::factor_type>);
}

TEST_CASE("Nonlinear forms and their tangents")
{
  linearizes<1, sumfac::host>();
  linearizes<3, sumfac::host>();
  linearizes<2, sumfac::host, float>();
  linearizes<2, sumfac::host, double, sumfac::affine>();
  linearizes<2, sumfac::host, double, sumfac::split>();
  linearizes<2, sumfac::checked>();
  linearizes<2, sumfac::checked, double, sumfac::isoparametric<2>>();
}

#endif

}  // namespace
