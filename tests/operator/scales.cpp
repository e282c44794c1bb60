// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The sentences where sizes of elements end.
#include "policies.hpp"

#include <instances/forms.hpp>
#include <sumfac/form/stiffness.hpp>

#include <string>

namespace {

// What setting up an operator on one box says.
template <class Operator>
std::string refusal(sumfac::vector<double, 3> const& edges, typename Operator::form_type const& form = {})
{
  auto const mesh = mesh::mapped(mesh::box({1, 1, 1}), mesh::affine{.scale = {edges[0], edges[1], edges[2]}});
  try {
    Operator const a(sumfac::host{}, checks::nodes_view(mesh), form);
  } catch (sumfac::geometry_error const& error) {
    return error.what();
  }
  return {};
}

template <class Form, class Scalar, class Policy>
using operator_of = sumfac::element_operator<Form, 1, sumfac::gauss<3>, sumfac::host, Scalar, Policy>;

// A coefficient, of one sign and any size.
struct coefficient {
  static constexpr auto trial = sumfac::value, test = sumfac::value;
  template <class T>
  struct factors {
    T k;
  };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.measure() * sumfac::scalar_of<T>(k)};
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.k * u.value};
  }
  double k = 1;
};

// Of a wind along x: areas, which are lengths squared.
struct transport {
  static constexpr auto trial = sumfac::gradient, test = sumfac::value;
  template <class T>
  struct factors {
    sumfac::vector<T, 3> b;
  };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    auto const a = x.adjugate();
    return {{x.weight() * a(0, 0), x.weight() * a(1, 0), x.weight() * a(2, 0)}};
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = dot(f.b, u.gradient)};
  }
};

}  // namespace

TEST_CASE("elements beyond the numbers are refused with the number and the range", "[operator][scales]")
{
  using mass = operator_of<sumfac::mass, float, sumfac::stored>;
  CHECK((refusal<mass>({1e-12, 1e-12, 1e-12}).empty()));
  CHECK(refusal<mass>({1e-13, 1e-13, 1e-13}) ==
        "sumfac::element_operator: element 0 is beyond the numbers of type float (weight times determinant 2.14335e-41 "
        "at point (q, r, s) = (0, 0, 0), 1.18e-38 to 3.4e+38 expected): scale the mesh, or take double throughout");
  CHECK_THAT(refusal<mass>({1e13, 1e13, 1e15}), Catch::Contains("weight times determinant 2.14335e+39 at point"));
  CHECK((refusal<operator_of<sumfac::mass, double, sumfac::stored>>({1e-101, 1e-101, 1e-101}).empty()));
  CHECK_THAT((refusal<operator_of<sumfac::mass, double, sumfac::trilinear>>({2e103, 2e103, 2e103})),
             Catch::Contains("beyond the numbers of type double (weight times determinant inf at point"));
  CHECK_THAT((refusal<operator_of<sumfac::mass, double, sumfac::affine>>({1e-110, 1e-110, 1e-110})),
             Catch::Contains("weight times determinant 0 at point") && Catch::Contains("2.23e-308 to 1.8e+308"));
  CHECK_THAT((refusal<operator_of<sumfac::stiffness, float, sumfac::trilinear>>({1e-13, 1e-13, 1e-13})),
             Catch::Contains("weight times determinant"));
  CHECK_THAT((refusal<operator_of<sumfac::laplace, float, sumfac::stored>>({1e-39, 1e-39, 1e-39})),
             Catch::Contains("least diagonal entry of w det J^-1 J^-T 8.57339e-41 at point"));
  CHECK_THAT((refusal<operator_of<instances::own_laplace_form, float, sumfac::isoparametric<2>>>({1e37, 1e37, 1e34})),
             Catch::Contains("greatest diagonal entry of w det J^-1 J^-T 8.57339e+38 at point"));
  CHECK_THAT((refusal<operator_of<sumfac::laplace, float, sumfac::affine>>({1e39, 1e39, 1e39})),
             Catch::Contains("beyond the numbers of type float"));
  CHECK((refusal<operator_of<transport, float, sumfac::stored>>({1e-18, 1e-18, 1e-18}).empty()));
  CHECK_THAT((refusal<operator_of<transport, float, sumfac::stored>>({1e-19, 1e-19, 1e-19})),
             Catch::Contains("weight times the least area of the faces 4.28669e-40 at point"));
}

TEST_CASE("the least and the greatest number are in the range", "[operator][scales]")
{
  // Weights are 1, so that what is asked for at each point is an eighth of the box's volume.
  using rule = sumfac::gauss_lobatto<2>;
  using at_vertices = sumfac::element_operator<sumfac::mass, 1, rule, sumfac::host, float, sumfac::stored>;
  CHECK(refusal<at_vertices>({0x1p-41, 0x1p-41, 0x1p-41}).empty());
  CHECK_FALSE(refusal<at_vertices>({0x1p-41, 0x1p-41, 0x1.fffffffffffffp-42}).empty());
  CHECK(refusal<at_vertices>({0x1p41, 0x1p41, 0x1.fffffep48}).empty());
  CHECK_FALSE(refusal<at_vertices>({0x1p41, 0x1p41, 0x1.fffffe0000001p48}).empty());
}

TEST_CASE("vectors and arithmetic in float bound the elements, too", "[operator][scales]")
{
  for (double const h : {1e-40, 1e40}) {
    CHECK((refusal<operator_of<sumfac::laplace, double, sumfac::trilinear>>({h, h, h}).empty()));
    CHECK_THAT((refusal<operator_of<sumfac::laplace, sumfac::high_low, sumfac::trilinear>>({h, h, h})),
               Catch::Contains("beyond the numbers of type float"));
    CHECK_THAT((refusal<operator_of<sumfac::laplace, sumfac::low_high, sumfac::split>>({h, h, h})),
               Catch::Contains("beyond the numbers of type float"));
  }
}

TEST_CASE("elements too flat to recompute their geometry are refused, stored they are not", "[operator][scales]")
{
  CHECK((refusal<operator_of<sumfac::laplace, float, sumfac::trilinear>>({1, 1, 1e-15}).empty()));
  CHECK_THAT((refusal<operator_of<sumfac::laplace, float, sumfac::trilinear>>({1, 1, 1e-25})),
             Catch::Contains("square of the least face over that of the greatest"));
  CHECK_THAT((refusal<operator_of<sumfac::stiffness, float, sumfac::trilinear>>({1, 1, 1e-25})),
             Catch::Contains("square of the least"));
  CHECK((refusal<operator_of<sumfac::laplace, float, sumfac::affine>>({1, 1, 1e-25}).empty()));
  CHECK((refusal<operator_of<sumfac::laplace, float, sumfac::stored>>({1, 1, 1e-25}).empty()));
}

TEST_CASE("a factor of a form beyond the numbers is refused, one that is small by itself is not", "[operator][scales]")
{
  for (double const k : {1e-60, 1e-38, 1.0, 1e38})
    CHECK((refusal<operator_of<coefficient, float, sumfac::stored>>({1, 1, 1}, {k}).empty()));
  CHECK_THAT((refusal<operator_of<coefficient, float, sumfac::stored>>({1, 1, 1}, {-1e42})),
             Catch::Contains("factor of the form -2.14335e+40 at point"));
  CHECK_THAT((refusal<operator_of<coefficient, float, sumfac::affine>>({1, 1, 1}, {1e42})),
             Catch::Contains("factor of the form 2.14335e+40 at point"));
  CHECK((refusal<operator_of<coefficient, double, sumfac::stored>>({1, 1, 1}, {1e42}).empty()));
}
