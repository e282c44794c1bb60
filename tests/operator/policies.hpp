// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator of any geometry policy and precision against the oracle, on meshes that the policy allows.
#pragma once

#include "problems.hpp"

#include <sumfac/math/pack.hpp>

#include <support/shapes.hpp>

namespace checks {

// How many elements: more than a register holds; few at high degrees, where the oracle is slow.
template <class Operator>
constexpr int enough_elements = Operator::order <= 7 ? sumfac::native_width<typename Operator::scalar_type> + 1 : 3;

// A u, the diagonal and, at low degrees, the matrix of two elements. Rounding is that of Unit.
template <class Operator, class Unit = typename Operator::scalar_type, class Set = sumfac::gauss_lobatto_nodes>
void agrees_with_oracle(mesh::nodes const& mesh, reference::rule const& where, reference::space const& space,
                        reference::integrand<> const& form, typename Operator::form_type const& own_form = {},
                        Set const& set = {})
{
  using scalar = typename Operator::scalar_type;
  constexpr int n = Operator::nodes_1d, components = Operator::components, order = Operator::order;
  constexpr std::size_t size = std::size_t{components} * n * n * n;
  auto const elements = static_cast<std::size_t>(mesh.elements);
  Operator const a(typename Operator::backend_type{}, nodes_view(mesh), own_form, set);
  auto const u = support::random<scalar>(elements * size, order);
  std::vector<scalar> v(u.size(), std::numeric_limits<scalar>::quiet_NaN()), d = v;
  a.apply(vector_view<components>(u.data(), mesh.elements, n), vector_view<components>(v.data(), mesh.elements, n));
  a.diagonal(vector_view<components>(d.data(), mesh.elements, n));
  for (std::size_t e = 0; e < elements; ++e) {
    reference::element<> const oracle(space, where, mesh.element(static_cast<int>(e)), form);
    auto const part = [&](std::vector<scalar> const& x) {
      auto const first = x.begin() + static_cast<std::ptrdiff_t>(e * size);
      return std::vector<real>(first, first + static_cast<std::ptrdiff_t>(size));
    };
    INFO("degree " << order << ", " << mesh.nodes_1d << " mesh nodes per edge, element " << e);
    double const error = distance(part(v), oracle.apply(part(u)));
    double const bound = reference::allowed<Unit>(oracle, part(u), order);
    INFO("A u is off by " << error << ", " << error / bound << " of what is allowed");
    CHECK(error <= bound);
    double const diagonal_error = distance(part(d), oracle.diagonal());
    double const diagonal_bound = reference::allowed_diagonal<Unit>(oracle, order);
    INFO("the diagonal is off by " << diagonal_error << ", " << diagonal_error / diagonal_bound << " of the allowed");
    CHECK(diagonal_error <= diagonal_bound);
    if (order > 2 || (e != 0 && e + 1 != elements)) continue;
    std::vector<scalar> const matrix = a.element_matrix(static_cast<index_t>(e));
    auto const expected = oracle.matrix();
    REQUIRE(matrix.size() == expected.size());
    for (std::size_t j = 0; j < size; ++j) {
      std::vector<real> unit(size), got(size), column(size);
      unit[j] = 1;
      for (std::size_t i = 0; i < size; ++i) {
        got[i] = static_cast<real>(matrix[i * size + j]);
        column[i] = expected[i * size + j];
      }
      INFO("column " << j << " of the element's matrix");
      CHECK(distance(got, column) <= reference::allowed<Unit>(oracle, unit, order));
    }
  }
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

// The bake-off's problems of one component at a degree.
template <class Policy, int N, class Backend = sumfac::host, class Scalar = double, class Unit = Scalar>
void problems_agree()
{
  policy_agrees<sumfac::bp1<N, Backend, Scalar, Policy>, Policy, Unit>(reference::on_gauss(N), reference::mass());
  policy_agrees<sumfac::bp3<N, Backend, Scalar, Policy>, Policy, Unit>(reference::on_gauss(N),
                                                                       reference::stiffness(0.3), {.lambda = 0.3});
  policy_agrees<sumfac::bp35<N, Backend, Scalar, Policy>, Policy, Unit>(reference::collocated(N),
                                                                        reference::stiffness(0.3), {.lambda = 0.3});
  policy_agrees<sumfac::bp5<N, Backend, Scalar, Policy>, Policy, Unit>(reference::collocated(N), reference::laplace());
}

}  // namespace checks
