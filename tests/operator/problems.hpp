// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The bake-off problems twice, as the library names them and as the oracle does, and E-vectors to feed to both.
#pragma once

#include <sumfac/operator/bake_off.hpp>
#include <sumfac/view/view.hpp>

#include <support/mesh.hpp>
#include <support/moved.hpp>
#include <support/tolerance.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace checks {

using reference::real;
using sumfac::index_t;

// A view of mesh nodes, (E, m, m, m, 3), which says where they lie.
template <class Set = sumfac::gauss_lobatto_nodes>
auto nodes_view(mesh::nodes const& mesh, Set const& set = {})
{
  sumfac::view<double const, sumfac::dextents<5>> const nodes(mesh.data(), mesh.elements, mesh.nodes_1d, mesh.nodes_1d,
                                                              mesh.nodes_1d, 3);
  return sumfac::mesh_view(nodes, set);
}

// A view of an E-vector: (E, D, D, D), or (E, C, D, D, D) for several components.
template <int Components, class T>
auto vector_view(T* data, index_t elements, int nodes_1d)
{
  if constexpr (Components == 1)
    return sumfac::view<T, sumfac::dextents<4>>(data, elements, nodes_1d, nodes_1d, nodes_1d);
  else
    return sumfac::view<T, sumfac::dextents<5>>(data, elements, Components, nodes_1d, nodes_1d, nodes_1d);
}

// Mass on Gauss points.
struct bp1 {
  template <int Order, class Backend, class Scalar>
  using operator_type = sumfac::bp1<Order, Backend, Scalar>;

  static constexpr int exact_to(int order) { return 2 * order + 3; }
  static reference::space space(int order) { return reference::on_gauss(order); }
  static constexpr double mass_weight = 1, stiffness_weight = 0;
  static sumfac::mass form() { return {}; }
};

// Stiffness with 0.3 mass on Gauss points.
struct bp3 {
  template <int Order, class Backend, class Scalar>
  using operator_type = sumfac::bp3<Order, Backend, Scalar>;

  static constexpr int exact_to(int order) { return 2 * order + 3; }
  static reference::space space(int order) { return reference::on_gauss(order); }
  static constexpr double mass_weight = 0.3, stiffness_weight = 1;
  static sumfac::stiffness form() { return {.lambda = mass_weight}; }
};

// The same on the nodes.
struct bp35 : bp3 {
  template <int Order, class Backend, class Scalar>
  using operator_type = sumfac::bp35<Order, Backend, Scalar>;

  static constexpr int exact_to(int order) { return 2 * order - 1; }
  static reference::space space(int order) { return reference::collocated(order); }
};

template <class Scalar>
double greatest_modulus(std::vector<Scalar> const& v)
{
  double greatest = 0;
  for (Scalar const x : v)  // a NaN anywhere is the greatest
    greatest =
        x == x ? std::max(greatest, static_cast<double>(x < 0 ? -x : x)) : std::numeric_limits<double>::infinity();
  return greatest;
}

inline double distance(std::vector<real> const& got, std::vector<real> const& exact)
{
  std::vector<real> difference(exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i) difference[i] = got[i] - exact[i];
  return greatest_modulus(difference);
}

// An operator and the oracle's elements for the same mesh; `mesh_nodes` says where the m nodes of an edge lie.
template <class Problem, int Order, class Backend, class Scalar>
struct subject {
  using operator_type = typename Problem::template operator_type<Order, Backend, Scalar>;
  using vector = std::vector<Scalar>;
  static constexpr int nodes_1d = Order + 1;
  static constexpr std::size_t element_size = std::size_t{nodes_1d} * nodes_1d * nodes_1d;

  subject(Backend const& backend, mesh::nodes const& mesh, reference::rule const& mesh_nodes)
      : subject(backend, mesh, mesh_nodes, Problem::form(), real(Problem::mass_weight), real(Problem::stiffness_weight))
  {
  }

  subject(Backend const& backend, mesh::nodes const& mesh, reference::rule const& mesh_nodes,
          typename operator_type::form_type const& form, real mass_weight, real stiffness_weight)
      : a(backend, nodes_view(mesh), form), nodes_(Problem::space(Order).nodes), mesh_nodes_(mesh_nodes)
  {
    for (int e = 0; e < mesh.elements; ++e)
      exact.emplace_back(Problem::space(Order), mesh_nodes, mesh.element(e),
                         [=](reference::point<> const&, reference::field<> const& u) {
                           reference::field<> out;
                           out.value[0] = mass_weight * u.value[0];
                           for (std::size_t d = 0; d < 3; ++d) out.gradient[0][d] = stiffness_weight * u.gradient[0][d];
                           return out;
                         });
  }

  std::size_t elements() const { return exact.size(); }
  std::size_t size() const { return elements() * element_size; }

  // A u by the library, into a vector of NaN: what was there must not matter.
  vector apply(vector const& u) const { return apply(a, u); }
  static vector apply(operator_type const& a, vector const& u)
  {
    vector v(u.size(), std::numeric_limits<Scalar>::quiet_NaN());
    auto const elements = static_cast<index_t>(u.size() / element_size);
    support::on_backend(a.backend(), u, v, [&](Scalar const* from, Scalar* to) {
      a.apply(vector_view<1>(from, elements, nodes_1d), vector_view<1>(to, elements, nodes_1d));
    });
    return v;
  }

  // Values of f(x) at the nodes of u in the elements of a mesh, which may be another one.
  template <class Function>
  vector nodal(mesh::nodes const& mesh, Function const& f) const
  {
    vector u;
    for (int e = 0; e < mesh.elements; ++e)
      for (auto const& x : reference::element<>::positions(nodes_, mesh_nodes_, mesh.element(e)))
        u.push_back(static_cast<Scalar>(f(x)));
    return u;
  }

  // One element of an E-vector, in the oracle's numbers.
  static std::vector<real> part(vector const& u, std::size_t e)
  {
    auto const first = u.begin() + static_cast<std::ptrdiff_t>(e * element_size);
    return {first, first + static_cast<std::ptrdiff_t>(element_size)};
  }

  // v = A u on every element, as far as rounding goes.
  void compare(char const* what, vector const& u, vector const& v) const
  {
    REQUIRE(v.size() == size());
    for (std::size_t e = 0; e < elements(); ++e) {
      double const error = distance(part(v, e), exact[e].apply(part(u, e))), bound = allowed(u, e);
      INFO(what << ", element " << e << " of " << elements() << ": off by " << error << ", allowed " << bound);
      CHECK(error <= bound);
    }
  }

  double allowed(vector const& u, std::size_t e) const
  {
    return reference::allowed<Scalar>(exact[e], part(u, e), Order);
  }

  // What rounding may do to w' A u.
  double allowed_product(vector const& w, vector const& u) const
  {
    double sum = 0;
    for (std::size_t e = 0; e < elements(); ++e) {
      double moduli = 0;
      for (real const x : part(w, e)) moduli += static_cast<double>(x < 0 ? -x : x);
      sum += moduli * allowed(u, e);
    }
    return sum;
  }

  operator_type a;
  std::vector<reference::element<>> exact;

private:
  reference::rule nodes_, mesh_nodes_;
};

// w' v, summed in long double.
template <class Scalar>
double dot(std::vector<Scalar> const& w, std::vector<Scalar> const& v)
{
  real sum = 0;
  for (std::size_t i = 0; i < w.size(); ++i) sum += static_cast<real>(w[i]) * static_cast<real>(v[i]);
  return static_cast<double>(sum);
}

}  // namespace checks
