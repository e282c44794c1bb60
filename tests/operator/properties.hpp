// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// All that holds for one bake-off problem at one degree, checked against the oracle and against exact integrals.
#pragma once

#include "problems.hpp"

#include <support/larger.hpp>

#include <sumfac/math/pack.hpp>

#include <catch2/catch.hpp>

#include <array>
#include <cmath>

namespace checks {

// One term of a polynomial on the unit cube.
struct monomial {
  real factor;
  std::array<int, 3> powers;
};
using polynomial = std::vector<monomial>;

inline real evaluated(polynomial const& p, std::array<real, 3> const& x)
{
  real sum = 0;
  for (auto const& [factor, powers] : p) {
    real term = factor;
    for (std::size_t d = 0; d < 3; ++d) term *= std::pow(x[d], static_cast<real>(powers[d]));
    sum += term;
  }
  return sum;
}

inline polynomial derivative(polynomial const& p, std::size_t d)
{
  polynomial result;
  for (auto term : p)
    if (term.powers[d] > 0) {
      term.factor *= static_cast<real>(term.powers[d]--);
      result.push_back(term);
    }
  return result;
}

// The integral of p q over the unit cube.
inline real integral(polynomial const& p, polynomial const& q)
{
  real sum = 0;
  for (auto const& a : p)
    for (auto const& b : q) {
      real term = a.factor * b.factor;
      for (std::size_t d = 0; d < 3; ++d) term /= static_cast<real>(a.powers[d] + b.powers[d] + 1);
      sum += term;
    }
  return sum;
}

template <class Problem, int Order, class Backend, class Scalar>
struct properties {
  using subject_type = subject<Problem, Order, Backend, Scalar>;
  using vector = typename subject_type::vector;
  static constexpr int width = sumfac::native_width<Scalar>;
  static constexpr bool collocated = Problem::exact_to(1) == 1;

  Backend backend{};

  void all() const
  {
    agrees_on_curved_elements();
    agrees_on_trilinear_elements();
    annihilates_constants();
    integrates_polynomials_on_affine_elements();
    integrates_on_curved_elements();
    works_for_every_count_of_elements();
  }

  // Thin, slanted, curved elements. The oracle is slow: works_for_every_count_of_elements fills the other lanes.
  void agrees_on_curved_elements() const
  {
    auto const points = reference::gauss_lobatto(4);
    auto const bent = mesh::mapped(mesh::box({6, 2, 2}, points), mesh::kershaw{0.3, 0.3, 1});
    auto const mesh = mesh::mapped(mesh::sampled(bent, std::min(width, 4) + 1), mesh::smooth{0.05});
    subject_type const s(backend, mesh, points);
    auto const u = support::random<Scalar>(s.size(), Order), w = support::random<Scalar>(s.size(), 100 + Order);
    auto const au = s.apply(u), aw = s.apply(w);

    s.compare("A u", u, au);
    s.compare("A w", w, aw);
    compare_diagonal(s);
    if constexpr (Order <= 3) compare_matrix(s);

    INFO("symmetry: w' A u = u' A w");
    CHECK(std::abs(dot(w, au) - dot(u, aw)) <= s.allowed_product(w, u) + s.allowed_product(u, w));
    is_linear(s, u, w, au, aw);
  }

  void agrees_on_trilinear_elements() const
  {
    subject_type const s(backend, mesh::sampled(mesh::jittered({3, 3, 3}, 0.2), 2), reference::equispaced(2));
    auto const u = support::random<Scalar>(s.size(), 7);
    s.compare("A u, trilinear", u, s.apply(u));
  }

  static void compare_diagonal(subject_type const& s)
  {
    vector d(s.size(), std::numeric_limits<Scalar>::quiet_NaN());
    s.a.diagonal(vector_view<1>(d.data(), static_cast<index_t>(s.elements()), subject_type::nodes_1d));
    for (std::size_t e = 0; e < s.elements(); ++e) {
      double const error = checks::distance(s.part(d, e), s.exact[e].diagonal());
      double const allowed = reference::allowed_diagonal<Scalar>(s.exact[e], Order);
      INFO("diagonal, element " << e << ": off by " << error << ", allowed " << allowed);
      CHECK(error <= allowed);
    }
  }

  static void compare_matrix(subject_type const& s)
  {
    for (std::size_t e : {std::size_t{0}, s.elements() - 1}) {
      std::size_t const n = subject_type::element_size;
      auto const exact = s.exact[e].matrix();
      std::vector<Scalar> const got = s.a.element_matrix(static_cast<index_t>(e));
      REQUIRE(got.size() == n * n);
      for (std::size_t j = 0; j < n; ++j) {
        std::vector<real> unit(n), difference(n);
        unit[j] = 1;
        for (std::size_t i = 0; i < n; ++i) difference[i] = static_cast<real>(got[i * n + j]) - exact[i * n + j];
        INFO("matrix of element " << e << ", column " << j);
        CHECK(greatest_modulus(difference) <= reference::allowed<Scalar>(s.exact[e], unit, Order));
      }
    }
  }

  // Scaling by two is exact in binary arithmetic; sums of our random numbers are exact too.
  static void is_linear(subject_type const& s, vector const& u, vector const& w, vector const& au, vector const& aw)
  {
    vector sum = u, twice = u;
    for (std::size_t i = 0; i < u.size(); ++i) {
      sum[i] += w[i];
      twice[i] *= -2;
    }
    auto const a_sum = s.apply(sum), a_twice = s.apply(twice);
    double off = 0;
    for (std::size_t i = 0; i < u.size(); ++i)
      off = support::larger(off, std::abs(static_cast<double>(a_twice[i]) + 2 * static_cast<double>(au[i])));
    CHECK(off == 0);
    for (std::size_t e = 0; e < s.elements(); ++e) {
      auto const a = s.part(a_sum, e), b = s.part(au, e), c = s.part(aw, e);
      std::vector<real> difference(a.size());
      for (std::size_t i = 0; i < a.size(); ++i) difference[i] = a[i] - b[i] - c[i];
      INFO("A (u + w) = A u + A w, element " << e);
      CHECK(greatest_modulus(difference) <= s.allowed(sum, e) + s.allowed(u, e) + s.allowed(w, e));
    }
  }

  // Without its mass term a stiffness operator maps constants to zero.
  void annihilates_constants() const
  {
    if constexpr (Problem::stiffness_weight != 0) {
      auto const points = reference::gauss_lobatto(3);
      auto const mesh = mesh::mapped(mesh::box({2, 1, 1}, points), mesh::smooth{});
      subject_type const s(backend, mesh, points, {.lambda = 0}, 0, 1);
      vector const one(s.size(), 1);
      auto const v = s.apply(one);
      for (std::size_t e = 0; e < s.elements(); ++e) {
        INFO("A 1 = 0 without the mass term, element " << e);
        CHECK(checks::distance(s.part(v, e), std::vector<real>(subject_type::element_size)) <= s.allowed(one, e));
      }
    }
  }

  // On x = F X + s with X in the unit cube: w' A u = det F (weight int u w + weight int grad u F^-1 F^-T grad w).
  void integrates_polynomials_on_affine_elements() const
  {
    auto const cube = mesh::box({2, 1, 1});
    mesh::affine const map{{2, 0.75, 0.5}, 0.5, -0.25, 0.375, {1, -2, 3}};
    subject_type const s(backend, mesh::mapped(cube, map), reference::equispaced(2));
    int const n = Order, m = collocated ? n - 1 : n, h = (m + 1) / 2;
    polynomial const p{{1, {n, 0, 0}}, {2, {0, n, 0}}, {3, {h, 1, n}}, {-0.5, {0, 0, 1}}};
    polynomial const q{{1, {0, m, 0}}, {0.5, {m, 0, h}}, {1.5, {0, 0, m}}, {0.25, {0, 0, 0}}};
    auto const u = s.nodal(cube, [&p](auto const& x) { return evaluated(p, x); });
    auto const w = s.nodal(cube, [&q](auto const& x) { return evaluated(q, x); });
    // F = [a, xy b, xz c; 0, b, yz c; 0, 0, c] and G = F^{-1} by back substitution, (X, x).
    real const a = map.scale[0], b = map.scale[1], c = map.scale[2];
    real const inverse[3][3] = {{1 / a, -map.shear_xy / a, (map.shear_xy * map.shear_yz - map.shear_xz) / a},
                                {0, 1 / b, -map.shear_yz / b},
                                {0, 0, 1 / c}};
    real exact = Problem::mass_weight * integral(p, q);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        real metric = 0;
        for (std::size_t r = 0; r < 3; ++r) metric += inverse[i][r] * inverse[j][r];
        exact += Problem::stiffness_weight * metric * integral(derivative(p, i), derivative(q, j));
      }
    exact *= a * b * c;
    INFO("polynomials of degree " << n << " and " << m << " on affine elements");
    CHECK(std::abs(dot(w, s.apply(u)) - static_cast<double>(exact)) <= s.allowed_product(w, u));
  }

  // Elements that are curved inside a cube: integrals of 1, x, x^2 and of gradients of coordinates over it are known.
  // Their integrands have degree 3 (m - 1) - 1 (det J) and m - 1 more for each factor x.
  void integrates_on_curved_elements() const
  {
    for (int m : {2, 3, 4}) {
      int const det = 3 * (m - 1) - 1, x_det_x = 5 * (m - 1) - 1;
      if (Problem::exact_to(Order) < det) continue;
      auto const points = reference::gauss_lobatto(m);
      auto const mesh =
          m == 2 ? mesh::jittered({2, 2, 2}, 0.2) : mesh::mapped(mesh::box({2, 1, 1}, points), mesh::smooth{});
      subject_type const s(backend, mesh, points);
      vector const one(s.size(), 1);
      auto const v = s.apply(one);
      INFO("curved elements with " << m << " nodes per edge");
      CHECK(std::abs(dot(one, v) - Problem::mass_weight) <= s.allowed_product(one, one));
      if (Problem::exact_to(Order) < x_det_x || Order < m - 1) continue;
      auto const x = s.nodal(mesh, [](auto const& at) { return at[0]; });
      auto const y = s.nodal(mesh, [](auto const& at) { return at[1]; });
      auto const ax = s.apply(x);
      CHECK(std::abs(dot(x, v) - Problem::mass_weight / 2) <= s.allowed_product(x, one));
      CHECK(std::abs(dot(x, ax) - Problem::stiffness_weight - Problem::mass_weight / 3) <= s.allowed_product(x, x));
      CHECK(std::abs(dot(y, ax) - Problem::mass_weight / 4) <= s.allowed_product(y, x));
    }
  }

  // An element's result does not depend on its neighbours in a register, nor on how many there are: to the last bit.
  void works_for_every_count_of_elements() const
  {
    int const most = 2 * width + 3;
    auto const points = reference::gauss_lobatto(3);
    auto const bent = mesh::mapped(mesh::box({6, 2, 2}, points), mesh::smooth{});
    auto const mesh = mesh::sampled(bent, most);
    using operator_type = typename subject_type::operator_type;
    operator_type const whole(backend, nodes_view(mesh), Problem::form());
    auto const u = support::random<Scalar>(static_cast<std::size_t>(most) * subject_type::element_size, 5);
    auto const v = subject_type::apply(whole, u);
    for (int const count : {1, width - 1, width, width + 1, 2 * width, most - 1}) {
      int const first = most - count;  // the last ones: every element meets other lanes
      std::vector<int> chosen;
      for (int e = first; e < most; ++e) chosen.push_back(e);
      auto const rest = mesh::selected(mesh, chosen);
      operator_type const some(backend, nodes_view(rest), Problem::form());
      CHECK(some.elements() == count);
      auto const skipped = first * static_cast<std::ptrdiff_t>(subject_type::element_size);
      INFO(count << " elements");
      CHECK(subject_type::apply(some, vector(u.begin() + skipped, u.end())) == vector(v.begin() + skipped, v.end()));
    }
  }
};

}  // namespace checks
