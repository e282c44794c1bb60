// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What an operator is made of.
#include "support/fits.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/form/mass.hpp>
#include <sumfac/form/stiffness.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/face_operator.hpp>

// The classes of an operator that sorts no elements.
// expect: sumfac::element_operator: only an operator whose geometry is sumfac::split has classes()
// errors: 1
namespace classes_not_split {
using policy = fitting<sumfac::split, sumfac::stored>;

sumfac::geometry_classes classes(sumfac::bp1<1, sumfac::host, double, policy> const& A) { return A.classes(); }
}  // namespace classes_not_split

// Mesh nodes that are no hexahedra.
// expect: sumfac::element_operator: the mesh nodes have not the rank of the space's elements: (E, m, m, m, 3)
namespace mesh_wrong_rank {
using mesh = sumfac::view<double const, sumfac::dextents<fits ? 5 : 4>>;

sumfac::bp1<1> make(mesh nodes) { return {sumfac::host{}, nodes}; }
}  // namespace mesh_wrong_rank

// A tuning with a member of another way than its own.
// expect: sumfac::tuning: planes is of variant::slices alone: leave it out of other ways' tunings
// errors: 6
namespace tuning_of_another_way {
constexpr sumfac::tuning value{.planes = fits ? 0 : 2};
using stiffness = sumfac::bp3<2, sumfac::checked, sumfac::tuned<value>>;

void apply(stiffness const& A, double const* u, double* v)
{
  A.apply(sumfac::view<double const, sumfac::dextents<4>>(u, 1, 3, 3, 3),
          sumfac::view<double, sumfac::dextents<4>>(v, 1, 3, 3, 3));
}
}  // namespace tuning_of_another_way

// A tuning that needs more scratch than a block has; the compiler prints both numbers.
// expect: sumfac::tuning: a team needs more bytes of scratch than a block has: take fewer elements, fewer planes
// expect: 240000 <= 232448
// errors: 6
namespace tuning_of_too_much_scratch {
constexpr sumfac::tuning value{.elements = fits ? 9 : 10};
constexpr int points = sumfac::bp35<9, sumfac::checked, sumfac::tuned<value>>::points_1d;
}  // namespace tuning_of_too_much_scratch

// Matrices of elements that are no 16.
// expect: sumfac::tuning: a team of variant::matrices has 16, 32, ... 128 elements
// errors: 6
namespace tuning_of_half_a_matrix {
constexpr sumfac::tuning value{.way = sumfac::variant::matrices, .elements = fits ? 16 : 8};
constexpr int points =
    sumfac::element_operator<sumfac::mass, sumfac::triangle(1), sumfac::checked, sumfac::tuned<value>>::points_1d;
}  // namespace tuning_of_half_a_matrix

// Places for factors in scratch of a form that has no rows of them.
// expect: sumfac::tuning: prefetch::scratch is of variant::cubes and forms with derivatives: say points_ahead
// errors: 6
namespace tuning_without_places {
constexpr sumfac::tuning value{.ahead = sumfac::prefetch::scratch, .points_ahead = fits ? 2 : 0};
constexpr int points = sumfac::bp35<2, sumfac::checked, sumfac::tuned<value>>::points_1d;
}  // namespace tuning_without_places

// An operator of a degree above the largest rule.
// expect: sumfac::element_operator: the degree is greater than 31
namespace operator_degree_too_high {
constexpr int nodes = sumfac::bp35 < fits ? 31 : 32 > ::nodes_1d;
}  // namespace operator_degree_too_high

// An operator of degree 0.
// expect: sumfac::element_operator: the degree is less than 1
namespace operator_degree_zero {
constexpr int nodes = sumfac::bp1 < fits ? 1 : 0 > ::nodes_1d;
}  // namespace operator_degree_zero

// An operator on edge elements.
// expect: sumfac::element_operator: there are no kernels for edge elements yet
namespace operator_edge_elements {
constexpr auto nodal = sumfac::space(2, 3), edges = sumfac::edge_hexahedron(2);
constexpr int nodes = sumfac::element_operator < sumfac::mass, fits ? nodal : edges > ::nodes_1d;
}  // namespace operator_edge_elements

// An operator on integers.
// expect: sumfac::element_operator: the numbers must be double or float
namespace operator_integer_scalar {
constexpr int nodes = sumfac::bp1<2, sumfac::host, fitting<float, int>>::nodes_1d;
}  // namespace operator_integer_scalar

// An operator on elements that there are none of: of three directions in the plane.
// expect: sumfac::element_operator: Space has no element of lines, quadrilaterals or hexahedra in at most 3
// errors: 1
namespace operator_no_element {
constexpr auto in_space = sumfac::space(2, 3), in_the_plane = sumfac::space(2, 3, 2);
constexpr int nodes = sumfac::element_operator < sumfac::mass, fits ? in_space : in_the_plane > ::nodes_1d;
}  // namespace operator_no_element

// A node set, which has no weights, where a quadrature rule is needed.
// expect: sumfac::element_operator: Points is no quadrature rule of the space's elements: it needs size
namespace operator_node_set_for_rule {
using points = fitting<sumfac::gauss_lobatto<3>, sumfac::equispaced<3>>;
constexpr int nodes = sumfac::element_operator<sumfac::mass, 2, points>::nodes_1d;
}  // namespace operator_node_set_for_rule

// A tuning's number of elements where an option stands: of no kind, and named.
// expect: sumfac::element_operator: this option is of no known kind: behind form and space come, in any order, a rule
// as expect: operator_unknown_option::imagined errors: 1
namespace operator_unknown_option {
struct imagined {};

void make(sumfac::view<double const, sumfac::dextents<5>> nodes)
{
  sumfac::bp1<2, sumfac::trilinear, fitting<float, imagined>> const M(sumfac::host(), nodes);
}
}  // namespace operator_unknown_option

// Two options of one kind, of which one is another's last.
// expect: sumfac::element_operator: another option of this one's kind follows it: say at most one rule, one backend
// expect: float
// errors: 1
namespace operator_option_twice {
void make(sumfac::view<double const, sumfac::dextents<5>> nodes)
{
  sumfac::element_operator<sumfac::mass, 2, float, sumfac::host, fitting<sumfac::affine, double>> const M(
      sumfac::host(), nodes);
}
}  // namespace operator_option_twice

// The rule of a bake-off problem, which has one.
// expect: sumfac::element_operator: another option of this one's kind follows it: say at most one rule, one backend
// errors: 1
namespace operator_rule_twice {
constexpr int points = sumfac::bp1<2, fitting<sumfac::stored, sumfac::gauss<5>>>::points_1d;
}  // namespace operator_rule_twice

// A class with launch() and no teams is meant for a backend, and told what it lacks.
// expect: sumfac::backend: no member template team<Kernel>: say what runs a kernel
// expect: sumfac::element_operator: Backend is no backend, for the reasons that are given as sumfac::backend
namespace operator_half_a_backend {
struct half {
  template <class Kernel>
  void launch(Kernel const&, sumfac::index_t) const;
};
constexpr int points = sumfac::element_operator<sumfac::mass, 2, fitting<sumfac::host, half>>::points_1d;
}  // namespace operator_half_a_backend

// Options of an operator that a face_operator has not.
// expect: sumfac::face_operator: factors are stored, and there is one way through a face: its options are a
namespace face_operator_policy {
struct flux {
  static constexpr auto trial = sumfac::gradient, test = sumfac::value;
  template <class T, int Dim = 3>
  struct factors {
    T normal[3];
  };
  template <class T>
  factors<T> setup(sumfac::face_mapping<T> const& x) const
  {
    return {{x.normal(0), x.normal(1), x.normal(2)}};
  }
  template <class T, class U>
  sumfac::point_values<U> apply(factors<T> const&, sumfac::point_values<U> const& u) const
  {
    return u;
  }
};
constexpr int faces = sumfac::face_operator<flux, 2, fitting<double, sumfac::affine>>::nodes_1d;
}  // namespace face_operator_policy

// Fewer points than nodes per direction; the compiler prints both numbers.
// expect: sumfac::element_operator: too few points per direction for this degree
// expect: take sumfac::gauss<degree + 2>
namespace operator_too_few_points {
constexpr int nodes = sumfac::element_operator<sumfac::mass, 3, sumfac::gauss<fits ? 4 : 3>>::nodes_1d;
}  // namespace operator_too_few_points

// Fewer points than nodes per direction where the tuning is asked for by number of points, before all else.
// expect: sumfac::element_operator: too few points per direction for this degree
// errors: 1
namespace operator_too_few_points_checked {
using points = sumfac::gauss<fits ? 3 : 2>;
constexpr int nodes = sumfac::element_operator<sumfac::laplace, 2, points, sumfac::checked>::nodes_1d;
}  // namespace operator_too_few_points_checked

// A geometry policy that keeps more nodes per edge than a mesh may have.
// expect: sumfac::element_operator: the geometry policy must be sumfac::stored, affine, trilinear, isoparametric<M>
// errors: 1
namespace operator_too_many_nodes {
using policy = sumfac::isoparametric<fits ? 16 : 17>;

sumfac::bp35<1, sumfac::host, double, policy> make(sumfac::view<double const, sumfac::dextents<5>> nodes)
{
  return {sumfac::host(), nodes};
}
}  // namespace operator_too_many_nodes

// Arguments in another order, and a form's number in place of the form.
// expect: sumfac::element_operator: the first argument must be an object of the operator's backend, the second the mesh
// expect: sumfac::element_operator: behind the mesh nodes come a form, as in
// errors: 2
namespace operator_wrong_arguments {
using nodes = sumfac::view<double const, sumfac::dextents<5>>;

#if defined(SUMFAC_FITS)
sumfac::bp35<1> ordered(nodes x) { return {sumfac::host(), x}; }
sumfac::bp35<1> with_form(nodes x) { return {sumfac::host(), x, {.lambda = 0.1}}; }
#else
sumfac::bp35<1> ordered(nodes x) { return sumfac::bp35<1>(x, sumfac::host()); }
sumfac::bp35<1> with_form(nodes x) { return sumfac::bp35<1>(sumfac::host(), x, 0.1); }
#endif
}  // namespace operator_wrong_arguments

// A set of nodes by type, as rules are, where the nodes of a mesh's edges are asked for.
// expect: sumfac::element_operator: node_set must be sumfac::gauss_lobatto_nodes{}, equispaced_nodes{}, or an object of
namespace operator_wrong_node_set {
using nodes = sumfac::view<double const, sumfac::dextents<5>>;
using set = fitting<sumfac::equispaced_nodes, sumfac::equispaced<3>>;

sumfac::bp1<1> made(nodes x) { return {sumfac::host(), x, {}, set{}}; }
}  // namespace operator_wrong_node_set

// Mesh nodes whose type says where they lie, and another set behind them.
// expect: sumfac::mesh_view: the mesh nodes are of a type that says where they lie on edges, and another node set is
namespace operator_two_node_sets {
using nodes = sumfac::mesh_view<sumfac::view<double const, sumfac::dextents<5>>, sumfac::equispaced_nodes>;
using set = fitting<sumfac::equispaced_nodes, sumfac::gauss_lobatto_nodes>;

sumfac::bp1<1> made(nodes x) { return {sumfac::host(), x, {}, set{}}; }
}  // namespace operator_two_node_sets

// Other coefficients for factors that were made of a mesh which is gone.
// expect: sumfac::element_operator: an operator whose geometry is sumfac::stored or split keeps the form's factors, not
// errors: 1
namespace update_without_nodes {
using policy = fitting<sumfac::affine, sumfac::stored>;

void change(sumfac::bp3<1, sumfac::host, double, policy>& A) { A.update({.lambda = 0.2}); }
}  // namespace update_without_nodes
