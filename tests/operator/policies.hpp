// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator of any geometry policy and precision against the oracle, on meshes that the policy allows.
#pragma once

#include "problems.hpp"

#include <sumfac/math/pack.hpp>

#include <support/shapes.hpp>

#include <map>
#include <set>

namespace checks {

// How many elements: more than a register holds; few at high degrees, where the oracle is slow.
template <class Operator>
constexpr int enough_elements = Operator::order <= 7 ? sumfac::native_width<typename Operator::scalar_type> + 1 : 3;

// What an operator makes of random numbers, in the oracle's: A u, the diagonal, and matrices of some elements.
struct observed {
  int order, nodes_1d, components;
  std::vector<real> u, v, d;
  std::map<int, std::vector<real>> matrices;

  std::size_t size() const { return static_cast<std::size_t>(components * nodes_1d * nodes_1d * nodes_1d); }
  std::vector<real> part(std::vector<real> const& x, int e) const
  {
    auto const first = x.begin() + static_cast<std::ptrdiff_t>(size()) * e;
    return {first, first + static_cast<std::ptrdiff_t>(size())};
  }
};

// Matrices of the elements named, at low degrees.
template <class Operator>
observed observe(Operator const& a, std::set<int> const& with_matrix)
{
  using scalar = typename Operator::scalar_type;
  constexpr int n = Operator::nodes_1d, components = Operator::components;
  auto const real_numbers = [](std::vector<scalar> const& x) { return std::vector<real>(x.begin(), x.end()); };
  auto const u = support::random<scalar>(static_cast<std::size_t>(a.elements()) * components * n * n * n, n);
  std::vector<scalar> v(u.size(), std::numeric_limits<scalar>::quiet_NaN()), d = v;
  support::on_backend(a.backend(), u, v, [&](scalar const* from, scalar* to) {
    a.apply(vector_view<components>(from, a.elements(), n), vector_view<components>(to, a.elements(), n));
  });
  support::on_backend(a.backend(), d, [&](scalar* to) { a.diagonal(vector_view<components>(to, a.elements(), n)); });
  observed o{Operator::order, n, components, real_numbers(u), real_numbers(v), real_numbers(d), {}};
  if constexpr (Operator::order <= 2)
    for (int const e : with_matrix) o.matrices[e] = real_numbers(a.element_matrix(e));
  return o;
}

// How far an operator is from what it must be, as parts of what a unit roundoff allows.
inline void check_near(char const* what, double error, double bound)
{
  INFO(what << " is off by " << error << ", " << error / bound << " of what is allowed");
  CHECK(error <= bound);
}

inline std::vector<real> column(std::vector<real> const& matrix, std::size_t n, std::size_t j)
{
  std::vector<real> result(n);
  for (std::size_t i = 0; i < n; ++i) result[i] = matrix[i * n + j];
  return result;
}

// Unit: whose roundings are allowed.
template <class Unit>
void compare_with_oracle(observed const& o, mesh::nodes const& mesh, reference::rule const& where,
                         reference::space const& space, reference::integrand<> const& form)
{
  for (int e = 0; e < mesh.elements; ++e) {
    reference::element<> const oracle(space, where, mesh.element(e), form);
    auto const u = o.part(o.u, e);
    INFO("degree " << o.order << ", " << mesh.nodes_1d << " mesh nodes per edge, element " << e);
    check_near("A u", distance(o.part(o.v, e), oracle.apply(u)), reference::allowed<Unit>(oracle, u, o.order));
    check_near("the diagonal", distance(o.part(o.d, e), oracle.diagonal()),
               reference::allowed_diagonal<Unit>(oracle, o.order));
    if (o.matrices.count(e) == 0) continue;
    auto const& matrix = o.matrices.at(e);
    auto const expected = oracle.matrix();
    REQUIRE(matrix.size() == expected.size());
    for (std::size_t j = 0; j < o.size(); ++j) {
      std::vector<real> unit(o.size());
      unit[j] = 1;
      INFO("column " << j);
      check_near("the element's matrix", distance(column(matrix, o.size(), j), column(expected, o.size(), j)),
                 reference::allowed<Unit>(oracle, unit, o.order));
    }
  }
}

// A u, the diagonal and, at low degrees, the matrices of two elements. Rounding is that of Unit.
template <class Operator, class Unit = typename Operator::scalar_type, class Set = sumfac::gauss_lobatto_nodes>
void agrees_with_oracle(mesh::nodes const& mesh, reference::rule const& where, reference::space const& space,
                        reference::integrand<> const& form, typename Operator::form_type const& own_form = {},
                        Set const& set = {})
{
  Operator const a(typename Operator::backend_type{}, nodes_view(mesh, set), own_form, set);
  compare_with_oracle<Unit>(observe(a, {0, mesh.elements - 1}), mesh, where, space, form);
  if constexpr (requires { a.backend().finding_count(); }) CHECK(a.backend().finding_count() == 0);
}

// The meshes that each policy allows, `count` elements of them with m nodes per edge.
inline mesh::nodes mesh_for(sumfac::affine, int count, reference::rule const& where)
{
  return mesh::parallelepipeds(count, where, 3);
}
inline mesh::nodes mesh_for(sumfac::trilinear, int count, reference::rule const& where)
{
  return mesh::sampled(mesh::jittered({3, 3, 3}, 0.2, where), count);
}

template <int M>
mesh::nodes mesh_for(sumfac::isoparametric<M>, int count, reference::rule const& where)
{
  return mesh::sampled(mesh::mapped(mesh::box({3, 2, 2}, where), mesh::smooth{}), count);
}

// A policy on vertices alone and on nodes between them, which must lie where the map of the vertices has them.
template <class Operator, class Policy, class Unit = typename Operator::scalar_type>
void policy_agrees(reference::space const& space, reference::integrand<> const& form,
                   typename Operator::form_type const& own_form = {})
{
  constexpr int count = enough_elements<Operator>;
  auto const vertices = reference::equispaced(2), lobatto = reference::gauss_lobatto(4);
  agrees_with_oracle<Operator, Unit>(mesh_for(Policy{}, count, vertices), vertices, space, form, own_form);
  if (Operator::order > 7) return;
  agrees_with_oracle<Operator, Unit>(mesh_for(Policy{}, count, lobatto), lobatto, space, form, own_form);
  auto const equal = reference::equispaced(5);
  agrees_with_oracle<Operator, Unit>(mesh_for(Policy{}, 2, equal), equal, space, form, own_form,
                                     sumfac::equispaced_nodes{});
}

// The bake-off's problems of one component at a degree: BP1, BP3, BP3.5, BP5.
template <class Policy, int N, class Backend = sumfac::host, class Scalar = double, class Unit = Scalar>
void mass_agrees()
{
  policy_agrees<sumfac::bp1<N, Backend, Scalar, Policy>, Policy, Unit>(reference::on_gauss(N), reference::mass());
}
template <class Policy, int N, class Backend = sumfac::host, class Scalar = double, class Unit = Scalar>
void stiffness_agrees()
{
  policy_agrees<sumfac::bp3<N, Backend, Scalar, Policy>, Policy, Unit>(reference::on_gauss(N),
                                                                       reference::stiffness(0.3), {.lambda = 0.3});
}
template <class Policy, int N, class Backend = sumfac::host, class Scalar = double, class Unit = Scalar>
void collocated_agrees()
{
  policy_agrees<sumfac::bp35<N, Backend, Scalar, Policy>, Policy, Unit>(reference::collocated(N),
                                                                        reference::stiffness(0.3), {.lambda = 0.3});
}
template <class Policy, int N, class Backend = sumfac::host, class Scalar = double, class Unit = Scalar>
void laplace_agrees()
{
  policy_agrees<sumfac::bp5<N, Backend, Scalar, Policy>, Policy, Unit>(reference::collocated(N), reference::laplace());
}

// All four.
template <class Policy, int N, class Backend = sumfac::host, class Scalar = double, class Unit = Scalar>
void problems_agree()
{
  mass_agrees<Policy, N, Backend, Scalar, Unit>();
  stiffness_agrees<Policy, N, Backend, Scalar, Unit>();
  collocated_agrees<Policy, N, Backend, Scalar, Unit>();
  laplace_agrees<Policy, N, Backend, Scalar, Unit>();
}

}  // namespace checks
