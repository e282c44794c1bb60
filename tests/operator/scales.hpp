// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators on elements of any size, skewed ones too: against the oracle, and against themselves at size 1.
#pragma once

#include "policies.hpp"

#include <sumfac/form/stiffness.hpp>

#include <cmath>

namespace checks {

// A form of a user's own, by pulled_back_metric and without apply_at.
struct own_laplace {
  static constexpr auto trial = sumfac::gradient, test = sumfac::gradient;
  template <class T>
  struct factors {
    sumfac::symmetric<T, 3> metric;
  };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {sumfac::pulled_back_metric(x)};
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.gradient = f.metric * u.gradient};
  }
};

// What makes A u of an element of size h that of size 1: the power of h that A grows by, and the form, whose lambda
// keeps its terms in balance.
template <class Form>
struct scaling;
template <int Components>
struct scaling<sumfac::vector_laplace<Components>> {
  static constexpr int power = 1;
  static sumfac::vector_laplace<Components> form(double) { return {}; }
  static reference::integrand<> exact(double) { return reference::laplace(); }
};
template <>
struct scaling<own_laplace> {
  static constexpr int power = 1;
  static own_laplace form(double) { return {}; }
  static reference::integrand<> exact(double) { return reference::laplace(); }
};
template <int Components>
struct scaling<sumfac::vector_mass<Components>> {
  static constexpr int power = 3;
  static sumfac::vector_mass<Components> form(double) { return {}; }
  static reference::integrand<> exact(double) { return reference::mass(); }
};
template <>
struct scaling<sumfac::stiffness> {
  static constexpr int power = 1;
  static sumfac::stiffness form(double h) { return {.lambda = 0.125 / h / h}; }
  static reference::integrand<> exact(double h) { return reference::stiffness(real(form(h).lambda)); }
};

// Of edges near 1.
template <class Policy>
mesh::nodes unit_mesh(Policy policy, reference::rule const& where)
{
  auto const mesh = mesh_for(policy, 3, where);
  double const stretch = std::is_same_v<Policy, sumfac::affine> ? 0.5 : 3;
  return mesh::mapped(mesh, mesh::affine{.scale = {stretch, stretch, stretch}});
}
inline mesh::nodes unit_mesh(sumfac::stored, reference::rule const& where)
{
  return unit_mesh(sumfac::isoparametric<0>{}, where);
}
// One of each kind: split sorts them.
inline mesh::nodes unit_mesh(sumfac::split, reference::rule const& where)
{
  constexpr int lanes = 16;
  mesh::nodes result{0, where.size(), {}};
  auto const append = [&](mesh::nodes const& part) {
    for (int i = 0; i < lanes; ++i) {
      int const e = i % part.elements;
      result.coordinates.insert(result.coordinates.end(), part.element(e), part.element(e) + part.element_size());
      ++result.elements;
    }
  };
  append(unit_mesh(sumfac::affine{}, where));
  append(unit_mesh(sumfac::trilinear{}, where));
  append(unit_mesh(sumfac::isoparametric<0>{}, where));
  return result;
}

inline mesh::nodes scaled(mesh::nodes mesh, double h)
{
  for (double& x : mesh.coordinates) x *= h;
  return mesh;
}

template <class Form, int Order, class Policy, class Scalar, class Backend = sumfac::host>
struct sizes {
  using points = sumfac::gauss<Order + 2>;
  using operator_type = sumfac::element_operator<Form, Order, points, Backend, Scalar, Policy>;
  static constexpr bool has_float = !std::is_same_v<Scalar, double>;
  using unit = std::conditional_t<has_float, float, double>;
  using law = scaling<Form>;

  reference::rule where = reference::gauss_lobatto(3);
  mesh::nodes plain = unit_mesh(Policy{}, where);
  // Stretched 1 : 100 and sheared.
  mesh::nodes skewed = mesh::mapped(plain, mesh::affine{.scale = {1, 10, 100}, .shear_xy = 0.5, .shear_yz = -0.25});

  // As right as rounding allows, on edges of any size between these.
  void near_the_oracle(std::initializer_list<double> lengths) const
  {
    auto const space = reference::on_gauss(Order, operator_type::components);
    for (double const h : lengths)
      for (auto const* mesh : {&plain, &skewed}) {
        INFO("edges near " << h << (mesh == &skewed ? ", skewed" : ""));
        auto const of_size = scaled(*mesh, h);
        operator_type const a(Backend{}, nodes_view(of_size), law::form(h));
        compare_with_oracle<unit>(observe(a, {0}), of_size, where, space, law::exact(h));
      }
  }

  // The same bits as on edges near 1, but for the exponent, on edges that are a power of two longer.
  void same_bits(std::initializer_list<double> powers_of_two) const
  {
    for (auto const* mesh : {&plain, &skewed}) {
      auto const of = [&](double h) {
        auto const of_size = scaled(*mesh, h);
        return observe(operator_type(Backend{}, nodes_view(of_size), law::form(h)), {0});
      };
      auto const at_one = of(1);
      for (double const h : powers_of_two) {
        INFO("edges near " << h << (mesh == &skewed ? ", skewed" : ""));
        auto const found = of(h);
        real const factor = std::pow(real(h), real(law::power));
        CHECK(times(factor, at_one.v) == found.v);
        CHECK(times(factor, at_one.d) == found.d);
        for (auto const& [e, matrix] : at_one.matrices) CHECK(times(factor, matrix) == found.matrices.at(e));
      }
    }
  }

private:
  static std::vector<real> times(real factor, std::vector<real> x)
  {
    for (real& entry : x) entry *= factor;
    return x;
  }
};

}  // namespace checks
