// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Forms that read what they do not ask for, or return what they do not test: refused when an operator is made.
#include "asked_forms.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/form/given_factors.hpp>
#include <sumfac/form/tangent.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/face_operator.hpp>

#include <catch2/catch.hpp>

namespace {

using namespace asked;
using sumfac::gradient, sumfac::value;

template <class Form, class Backend = sumfac::host, class Geometry = sumfac::stored>
using on_cubes = sumfac::element_operator<Form, 1, sumfac::gauss<2>, Backend, double, Geometry>;

// What is said of a form where members are read, or returned, besides those that it names.
template <class Operator, class Form>
void refuses_all(Form const& form)
{
  constexpr bool values = sumfac::has(Form::trial, value);
  CHECK(made<Operator>(form) == "");
  auto const reads = made<Operator>(with(form, !values, values, false, false));
  CHECK_THAT(reads, Catch::StartsWith("sumfac::form: apply reads the ") &&
                        Catch::Contains(values ? "gradient of u" : "value of u") &&
                        Catch::Contains("write trial = sumfac::value | sumfac::gradient"));
  auto const returns = made<Operator>(with(form, false, false, !values, values));
  CHECK_THAT(returns, Catch::StartsWith("sumfac::form: apply returns a ") &&
                          Catch::Contains(values ? "gradient, which test" : "value, which test") &&
                          Catch::Contains("write test = sumfac::value | sumfac::gradient"));
}

}  // namespace

TEST_CASE("asked members: values alone, and gradients alone")
{
  refuses_all<on_cubes<counted_members<value, value>>>(counted_members<value, value>{});
  refuses_all<on_cubes<counted_members<value, value>, sumfac::checked>>(counted_members<value, value>{});
  refuses_all<on_cubes<counted_members<gradient, gradient, 2>>>(counted_members<gradient, gradient, 2>{});
  using in_the_plane = sumfac::element_operator<counted_members<gradient, gradient>, sumfac::quadrilateral(1)>;
  refuses_all<in_the_plane>(counted_members<gradient, gradient>{});
}

TEST_CASE("asked members: a coefficient that is 0 hides nothing, and what is asked for need not be read")
{
  using form = counted_members<value, value>;
  form none;
  none.reads_gradient = true, none.scale = 0;
  CHECK_THAT((made<on_cubes<form>>(none)), Catch::Contains("apply reads the gradient of u"));
  for (double const scale : {1.0, -1.0}) {
    form looking;  // NaN is as little above 0 as 0 is
    looking.looks_at_gradient = true, looking.scale = scale;
    CHECK_THAT((made<on_cubes<form>>(looking)), Catch::Contains("apply reads the gradient of u"));
  }
  form deaf;
  deaf.reads_value = false;
  CHECK((made<on_cubes<form>>(deaf)) == "");
}

TEST_CASE("asked members: by apply_at, where kernels call it")
{
  at_points form;
  using kept = on_cubes<at_points>;
  using recomputed = on_cubes<at_points, sumfac::host, sumfac::trilinear>;
  CHECK((made<recomputed>(form)) == "");
  form.reads_gradient_at = true;
  CHECK((made<kept>(form)) == "");  // which has no use for apply_at
  CHECK_THAT((made<recomputed>(form)), Catch::Contains("sumfac::form: apply_at reads the gradient of u"));
  double nodes[24];
  recomputed A{sumfac::host{}, cube(nodes)};
  CHECK_THROWS_WITH(A.update(form), Catch::Contains("apply_at reads the gradient of u"));
}

TEST_CASE("asked members: of inputs, of two spaces, of what is made from other forms")
{
  with_input other;
  CHECK((made<on_cubes<with_input>>(other)) == "");
  other.reads_gradient = true;
  CHECK_THAT((made<on_cubes<with_input>>(other)),
             Catch::Contains("apply reads the gradient of input 1") && Catch::Contains(".evaluates ="));
  using pair = sumfac::element_operator<to_one, sumfac::spaces{.trial = 2, .test = 1}>;
  CHECK((made<pair>(to_one{})) == "");
  to_one more;
  more.returns_gradient = true;
  CHECK_THAT((made<pair>(more)), Catch::Contains("apply returns a gradient"));
  using form = counted_members<value, value>;
  CHECK((made<on_cubes<sumfac::tangent<form>>>(sumfac::tangent<form>(form{}))) == "");
  CHECK_THAT((made<on_cubes<sumfac::tangent<form>>>(sumfac::tangent<form>(with(form{}, false, true, false, false)))),
             Catch::Contains("apply reads the gradient of u"));
  CHECK_THAT((made<on_cubes<sumfac::tangent<form>>>(sumfac::tangent<form>(with(form{}, false, false, false, true)))),
             Catch::Contains("apply returns a gradient"));
  using residual = sumfac::residual<of_energy>;
  CHECK((made<on_cubes<residual>>(residual(of_energy{}))) == "");
  of_energy deeper;
  deeper.reads_value = true;
  CHECK_THAT((made<on_cubes<residual>>(residual(deeper))), Catch::Contains("energy reads the value of u"));
}

TEST_CASE("asked members: on faces")
{
  using form = counted_members<value, value>;
  double nodes[24];
  auto const mesh = cube(nodes);
  auto const said = [&](form const& f) {
    return message_of([&] { sumfac::face_operator<form, 1>(sumfac::host{}, mesh, f); });
  };
  CHECK(said({}) == "");
  CHECK_THAT(said(with(form{}, false, true, false, false)), Catch::Contains("apply reads the gradient of u"));
  CHECK_THAT(said(with(form{}, false, false, false, true)), Catch::Contains("apply returns a gradient"));
}
