// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Weak forms on the faces between elements: beside the oracle, with coefficients, and their tangents.
#include <sumfac/form/stiffness.hpp>
#include <sumfac/form/tangent.hpp>
#include <sumfac/form/weak_faces.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/interior_operator.hpp>

#include <catch2/catch.hpp>
#include <form/dolfinx.hpp>
#include <form/weak_penalty.hpp>
#include <operator/beside_faces.hpp>
#include <operator/two_sided_forms.hpp>
#include <support/few.hpp>
#include <support/larger.hpp>
#include <support/random.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace {

using beside_faces::agrees, beside_faces::elements_of;
using reference::real, sumfac::quadrilateral;
using weak_penalty::penalty_form, weak_penalty::with_conductivity;
using faces = std::vector<reference::face>;
using sides = std::vector<reference::side>;

// Two components that the wind carries, and one that acts on the other, by a number of each element.
constexpr double of_element[] = {1, 3, 0.5, 2, 1.5, 4};
auto carried_form()
{
  using namespace sumfac::weak;
  constexpr trial_function<2> w{};
  constexpr test_function<2> t{};
  sumfac::vector<double, 2> const wind{0.7, -0.4};
  auto const number = coefficient(sumfac::view(of_element, sumfac::index_t{6}));
  auto const c_jump = in(number)*out(number) * out(number);
  return integrate_faces(dot(wind, n) * dot(upwind(wind, w), jump(t)) +
                         c_jump * component<0>(out(w)) * component<1>(in(t)));
}

auto burgers_form(double half = 0.5)
{
  using namespace sumfac::weak;
  auto const across = component<0>(n);
  auto const from = where(across * (in(u) + out(u)) > 0, in(u), out(u));
  return integrate_faces(half * across * from * from * jump(v));
}

}  // namespace

TEST_CASE("weak_faces: interior penalties with a coefficient, beside the oracle")
{
  using reference::face_point, reference::flat_field;
  auto const form = with_conductivity();
  STATIC_REQUIRE(decltype(form)::linear);
  agrees<sumfac::interior_operator<decltype(with_conductivity()), quadrilateral(2)>>(
      reference::gauss_lobatto(3), reference::gauss(4), weak_penalty::add, form);
}

TEST_CASE("weak_faces: interior penalties between two elements as DOLFINx has them")
{
  using penalties = sumfac::interior_operator<decltype(with_conductivity()), quadrilateral(2)>;
  sumfac::mesh<2> const pair{sumfac::view(dolfinx::quadrilaterals, 2, 2, 2, 2)};
  penalties const F{sumfac::host{}, pair, with_conductivity()};
  std::vector<double> w, product(18);
  for (int i = 0; i < 18; ++i) w.push_back(i * 7 % 11 / 11.0 - 0.5);  // as tests/tools/dolfinx_elements has it
  F.apply(elements_of<2>(w, 2, 3), elements_of<2>(product, 2, 3));
  for (std::size_t i = 0; i < 18; ++i) CHECK(product[i] == Approx(dolfinx::interior_penalty[i]).margin(1e-13));
}

TEST_CASE("weak_faces: components, the side that the wind comes from, and one side alone, beside the oracle")
{
  using reference::face_point, reference::flat_field;
  if constexpr (!support::few)
    agrees<sumfac::interior_operator<decltype(carried_form()), quadrilateral(1), float>>(
        reference::gauss_lobatto(2), reference::gauss(3),
        [](reference::face_sums& sums, faces const& pairs, sides const&) {
          for (reference::face const& f : pairs)
            sums.add(f, [&f](face_point const& in, face_point const&, flat_field const& u, flat_field const& b) {
              real const across = 0.7L * in.normal[0] - 0.4L * in.normal[1];
              flat_field const& from = across > 0 ? u : b;
              reference::both_sides v;
              for (real const x : from.value) v.in.value.push_back(across * x), v.out.value.push_back(-across * x);
              real const one = of_element[f.in.element], other = of_element[f.out.element];
              v.in.value[1] += one * other * other * b.value[0];
              return v;
            });
        },
        carried_form());
}

TEST_CASE("weak_faces: a coefficient of fewer elements than the mesh is refused")
{
  if constexpr (!support::few) {
    using carried = sumfac::interior_operator<decltype(carried_form()), quadrilateral(1), float>;
    CHECK_THROWS_WITH((carried{sumfac::host{}, sumfac::box_mesh({4, 2}), carried_form()}),
                      Catch::Contains("extent 0 is 6"));
  }
}

TEST_CASE("weak_faces: the tangent of a flux that is not linear")
{
  constexpr auto space = quadrilateral(2);
  auto const box = sumfac::box_mesh({3, 2});
  auto const form = burgers_form();
  STATIC_REQUIRE(!decltype(form)::linear);
  using flux = sumfac::interior_operator<decltype(burgers_form()), space>;
  flux const F{sumfac::host{}, box, form};
  CHECK_THROWS_WITH((flux{sumfac::host{}, box, burgers_form(std::numeric_limits<double>::infinity())}),
                    Catch::Contains("sumfac::weak: a number of the form is not finite (got inf)"));
  sumfac::interior_operator<sumfac::tangent<decltype(burgers_form())>, space> const J{sumfac::host{}, box, form};
  auto u = support::random<double>(54, 1), w_of = support::random<double>(54, 2);
  std::vector<double> v(54), ahead(54), behind(54), to(54), from(54);
  for (double& x : u) x = 2 + 0.3 * x;
  for (std::size_t i = 0; i < 54; ++i) ahead[i] = u[i] + 0.25 * w_of[i], behind[i] = u[i] - 0.25 * w_of[i];
  F.apply(elements_of<2>(ahead, 6, 3), elements_of<2>(to, 6, 3));
  F.apply(elements_of<2>(behind, 6, 3), elements_of<2>(from, 6, 3));
  J.apply(elements_of<2>(u, 6, 3), elements_of<2>(w_of, 6, 3), elements_of<2>(v, 6, 3));
  double most = 0;
  for (std::size_t i = 0; i < 54; ++i) {
    most = support::larger(most, std::abs(v[i]));
    CHECK(std::abs(v[i] - 2 * (to[i] - from[i])) < 1e-12);
  }
  CHECK(most > 0.1);
}

TEST_CASE("weak_faces: what is given on the boundary")
{
  // A plane has no Laplacian: with its own values on the boundary nothing is left.
  constexpr auto space = quadrilateral(2);
  auto const box = sumfac::box_mesh(
      {3, 2},
      [](sumfac::vector<double, 2> const& x) {
        return sumfac::vector<double, 2>{x[0] + 0.1 * x[1] * x[1], x[1] + 0.1 * x[0]};
      },
      2);
  auto const plane = [](auto x, auto y) { return 1 + 2 * x - 3 * y; };
  sumfac::weak::parameter<> const times{1};
  auto const form =
      penalty_form(sumfac::weak::coefficient(1.0), sumfac::weak::fixed(times * sumfac::weak::coefficient(plane)));
  STATIC_REQUIRE(!decltype(form)::linear);
  sumfac::interior_operator<decltype(form), space> F{sumfac::host{}, box, form};
  sumfac::element_operator<sumfac::laplace, space> const K{sumfac::host{}, box};
  std::vector<double> u, v(54);
  for (std::size_t i = 0; i < 54; ++i) u.push_back(plane(box.data()[2 * i], box.data()[2 * i + 1]));
  K.apply(elements_of<2>(u, 6, 3), elements_of<2>(v, 6, 3));
  CHECK(std::abs(*std::max_element(v.begin(), v.end())) > 0.1);
  F.apply_add(elements_of<2>(u, 6, 3), elements_of<2>(v, 6, 3));
  for (double const x : v) CHECK(std::abs(x) < 1e-12);

  // Three times that, from the next application on.
  F.form().set(times, 3);
  for (double& x : u) x *= 3;
  K.apply(elements_of<2>(u, 6, 3), elements_of<2>(v, 6, 3));
  F.apply_add(elements_of<2>(u, 6, 3), elements_of<2>(v, 6, 3));
  for (double const x : v) CHECK(std::abs(x) < 1e-11);
  CHECK_THROWS_WITH(F.form().set(sumfac::weak::parameter<7>{}, 1),
                    Catch::Contains("set(parameter<7>): the form has no"));
}
