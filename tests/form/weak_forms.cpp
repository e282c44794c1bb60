// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators of weak forms beside those of forms written by hand.
#include <sumfac/form/weak.hpp>

#include <sumfac/backend/checked.hpp>
#include <sumfac/basis/cells.hpp>
#include <sumfac/dofs/function_space.hpp>
#include <sumfac/form/library.hpp>
#include <sumfac/form/mass.hpp>
#include <sumfac/form/tangent.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/face_operator.hpp>

#include <catch2/catch.hpp>
#include <form/dolfinx.hpp>
#include <support/larger.hpp>
#include <support/random.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace {

constexpr auto growing = [](auto const& x) { return 1 + x[0] * x[0]; };

// (k grad u, grad v) + c (u, v) by hand.
struct diffusion_reaction {
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = trial;

  template <class T, int Dim = 3>
  struct factors {
    sumfac::symmetric<T, Dim> diffusion;
    T reaction;
  };
  template <class T, int Dim, int Coordinates>
  factors<T, Dim> setup(sumfac::mapping<T, Dim, Coordinates> const& x) const
  {
    return {growing(x.position()) * x.metric(), x.measure()};
  }
  template <class T, int Dim>
  sumfac::point_values<T, 1, Dim> apply(factors<T, Dim> const& f, sumfac::point_values<T, 1, Dim> const& u) const
  {
    return {.value = sumfac::scalar_of<T>(0.75) * (f.reaction * u.value), .gradient = f.diffusion * u.gradient};
  }
};
auto weak_diffusion_reaction()
{
  using namespace sumfac::weak;
  return integrate(coefficient(growing) * dot(grad(u), grad(v)) + 0.75 * u * v);
}

// Of elements near unit cubes, in one, two and three directions.
template <int Dim>
struct box {
  static constexpr int elements = 3, corners = 1 << Dim;
  std::vector<double> nodes;

  box()
  {
    support::generator next(7);
    for (int e = 0; e < elements; ++e)
      for (int corner = 0; corner < corners; ++corner)
        for (int d = 0; d < Dim; ++d) nodes.push_back((corner >> d & 1) + 0.2 * next());
  }
  auto view() const
  {
    if constexpr (Dim == 1)
      return sumfac::view<double const, sumfac::extents<sumfac::dynamic_extent, 2, 1>>(nodes.data(), elements);
    else if constexpr (Dim == 2)
      return sumfac::view(nodes.data(), elements, 2, 2, 2);
    else
      return sumfac::view(nodes.data(), elements, 2, 2, 2, 3);
  }
};
template <int Dim, int Degree>
constexpr auto space_of()
{
  if constexpr (Dim == 1)
    return sumfac::line(Degree);
  else if constexpr (Dim == 2)
    return sumfac::quadrilateral(Degree);
  else
    return Degree;
}
template <int Dim, int Nodes, int Components = 1>
auto e_vector(std::vector<double>& u, int elements)
{
  using sumfac::view;
  if constexpr (Dim == 1 && Components == 1)
    return view(u.data(), elements, Nodes);
  else if constexpr (Dim == 2 && Components == 1)
    return view(u.data(), elements, Nodes, Nodes);
  else if constexpr (Dim == 3 && Components == 1)
    return view(u.data(), elements, Nodes, Nodes, Nodes);
  else if constexpr (Dim == 2)
    return view(u.data(), elements, Components, Nodes, Nodes);
  else
    return view(u.data(), elements, Components, Nodes, Nodes, Nodes);
}

template <int Dim, class Backend, class Form, class Geometry = sumfac::stored>
std::vector<double> applied(Form const& form, sumfac::index_t& bytes)
{
  constexpr int degree = 2, nodes = degree + 1;
  box<Dim> const mesh;
  sumfac::element_operator<Form, space_of<Dim, degree>(), sumfac::gauss<nodes + 1>, Backend, Geometry> const A{
      Backend{}, mesh.view(), form};
  std::vector<double> u(static_cast<std::size_t>(mesh.elements * std::pow(nodes, Dim))), v(u.size());
  support::generator next(3);
  for (double& x : u) x = next();
  A.apply(e_vector<Dim, nodes>(u, mesh.elements), e_vector<Dim, nodes>(v, mesh.elements));
  bytes = A.work().bytes();
  return v;
}

double greatest_difference(std::vector<double> const& a, std::vector<double> const& b)
{
  double most = 0, difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    most = support::larger(most, std::abs(a[i]));
    difference = support::larger(difference, std::abs(a[i] - b[i]));
  }
  return difference / most;
}

// k (u, v) with a k by element and point, by hand.
struct mass_of_points {
  static constexpr auto trial = sumfac::value, test = sumfac::value;
  template <class T>
  struct factors {
    T weight;
  };
  template <class T>
  factors<T> setup(sumfac::mapping<T, 2> const& x) const
  {
    return {x.at(k) * x.measure()};
  }
  template <class T>
  sumfac::point_values<T, 1, 2> apply(factors<T> const& f, sumfac::point_values<T, 1, 2> const& u) const
  {
    return {.value = f.weight * u.value};
  }

  sumfac::view<double const, sumfac::dextents<3>> k;
};

template <int Dim, class Backend>
void is_as_by_hand()
{
  sumfac::index_t bytes = 0, bytes_by_hand = 0;
  auto const form = weak_diffusion_reaction();
  auto const weak = applied<Dim, Backend, decltype(form)>(form, bytes);
  auto const by_hand = applied<Dim, Backend>(diffusion_reaction{}, bytes_by_hand);
  CHECK(greatest_difference(by_hand, weak) < 16 * std::numeric_limits<double>::epsilon());
  CHECK(bytes == bytes_by_hand);
}

// Numbers that tests/tools/dolfinx_elements has, too.
template <int Components>
std::vector<double> given(int factor, int modulus, double scale)
{
  std::vector<double> numbers;
  for (int i = 0; i < 27 * Components; ++i) numbers.push_back(scale * ((i * factor % modulus) / double(modulus) - 0.5));
  return numbers;
}
// A form, or the tangent of one at a state, on the element of DOLFINx's products, beside such a product.
template <class Form>
void is_as_in_dolfinx(double const* expected, Form const& form)
{
  constexpr int components = sumfac::components_of<Form>;
  sumfac::element_operator<Form, 2, sumfac::gauss<4>> A{sumfac::host{}, sumfac::view(dolfinx::vertices, 1, 2, 2, 2, 3),
                                                        form};
  auto const vector = [](std::vector<double>& entries) { return e_vector<3, 3, components>(entries, 1); };
  auto w = given<components>(7, 11, 1), at = given<components>(5, 13, 0.25), product = w;
  if constexpr (!std::is_same_v<sumfac::inputs_of<Form>, sumfac::reads<>>) A.linearize(vector(at));
  A.apply(vector(w), vector(product));
  CHECK(greatest_difference({expected, expected + product.size()}, product) <
        64 * std::numeric_limits<double>::epsilon());
}
// The same on its tetrahedron, whose rule is exact for them.
template <class Form>
void is_as_in_dolfinx_on_tetrahedron(double const* expected, Form const& form)
{
  sumfac::element_operator<Form, sumfac::tetrahedron(3)> const A{sumfac::host{},
                                                                 sumfac::view(dolfinx::tetrahedron, 1, 4, 3), form};
  auto const w = given<1>(7, 11, 1);
  std::vector<double> product(20);
  A.apply(sumfac::view(w.data(), 1, 20), sumfac::view(product.data(), 1, 20));
  CHECK(greatest_difference({expected, expected + 20}, product) < 64 * std::numeric_limits<double>::epsilon());
}
constexpr auto wind = [](auto const& x) {
  auto b = x;
  b[0] = 1 + x[1], b[1] = x[0], b[2] = 0 * x[0] + 2;
  return b;
};

}  // namespace

TEST_CASE("element matrices are those of DOLFINx", "[weak]")
{
  using namespace sumfac::weak;
  using sumfac::tangent, sumfac::residual;
  is_as_in_dolfinx(dolfinx::mass, mass());
  is_as_in_dolfinx(dolfinx::diffusion_reaction, weak_diffusion_reaction());
  is_as_in_dolfinx(dolfinx::convection, convection(wind));
  is_as_in_dolfinx_on_tetrahedron(dolfinx::tetrahedron_diffusion_reaction, weak_diffusion_reaction());
  is_as_in_dolfinx_on_tetrahedron(dolfinx::tetrahedron_convection, convection(wind));
  is_as_in_dolfinx(dolfinx::elasticity, elasticity(3, 2));
  auto const flux = integrate(pow(dot(grad(u), grad(u)) + 0.125, 0.75) * dot(grad(u), grad(v)));
  is_as_in_dolfinx(dolfinx::p_laplace, tangent<std::remove_const_t<decltype(flux)>>{flux});
  auto const F = identity + grad(trial_function<3>{});
  auto const J = log(det(F));
  auto const W = energy(0.5 * (inner(F, F) - 3) - J + 1.5 * J * J);
  is_as_in_dolfinx(dolfinx::neo_hookean, tangent<residual<std::remove_const_t<decltype(W)>>>{W});
}

TEST_CASE("where geometry is recomputed, numbers times (u, v) and (grad u, grad v) need no factors", "[weak]")
{
  using namespace sumfac::weak;
  auto const form = integrate(0.75 * u * v + 2 * dot(grad(u), grad(v)) - dot(grad(u), grad(v)) / 2);
  using type = std::remove_const_t<decltype(form)>;
  STATIC_REQUIRE(sumfac::applies_to_points<type>);
  STATIC_REQUIRE(sumfac::applies_to_points<decltype(diffusion<3>()), 2>);
  STATIC_REQUIRE_FALSE(sumfac::applies_to_points<decltype(diffusion(growing))>);
  STATIC_REQUIRE_FALSE(sumfac::applies_to_points<decltype(convection(wind))>);
  // Solvers of symmetric matrices ask the form.
  STATIC_REQUIRE(sumfac::may_be_symmetric<type>);
  STATIC_REQUIRE_FALSE(sumfac::may_be_symmetric<decltype(convection(wind))>);
  sumfac::vector<double, 3> const b{1, 2, 3};
  STATIC_REQUIRE_FALSE(sumfac::may_be_symmetric<decltype(integrate(dot(grad(u), grad(v)) + u * dot(b, grad(v))))>);
  sumfac::index_t bytes = 0;
  auto const recomputed = applied<3, sumfac::host, type, sumfac::trilinear>(form, bytes);
  auto expected = applied<3, sumfac::host>(integrate(coefficient([](auto const& at) { return 0 * at[0] + 1; }) *
                                                     (0.75 * u * v + 1.5 * dot(grad(u), grad(v)))),
                                           bytes);
  CHECK(greatest_difference(expected, recomputed) < 64 * std::numeric_limits<double>::epsilon());
}

TEST_CASE("a normal is that of a surface, and of faces of elements", "[weak]")
{
  auto const bent = [](auto at) {
    at[0] += 0.25 * at[1] * at[1];
    return at;
  };
  auto const view_of = [](std::vector<double>& entries) {
    return sumfac::view(entries.data(), static_cast<sumfac::index_t>(entries.size()));
  };
  // (x . n, 1) on the boundary is three times the volume.
  sumfac::mesh const solid = sumfac::box_mesh({2, 1, 1}, bent, 2);
  auto const surface = solid.sides(solid.boundary());
  auto const form = sumfac::weak::integrate(sumfac::weak::dot(sumfac::weak::x, sumfac::weak::n) * sumfac::weak::v);
  sumfac::element_operator<decltype(form), sumfac::surface(1), float> const F{sumfac::host{}, surface, form};
  std::vector<float> nothing(std::size_t{4} * 10), b(nothing.size());
  F.apply(sumfac::view(nothing.data(), 10, 2, 2), sumfac::view(b.data(), 10, 2, 2));
  double sum = 0;
  for (float const entry : b) sum += double(entry);
  CHECK(sum == Approx(3).epsilon(1e-5));

  // (n . grad u, v) on the boundary is (grad u, grad v) where div grad u is 0, as of a linear u.
  sumfac::mesh const plane = sumfac::box_mesh(
      {2, 2},
      [](auto at) {
        at[0] += 0.25 * at[0] * at[1];
        return at;
      },
      1);
  sumfac::function_space const V{plane, 2};
  auto const flux =
      sumfac::weak::integrate(sumfac::weak::dot(sumfac::weak::n, grad(sumfac::weak::u)) * sumfac::weak::v);
  auto const whole = sumfac::weak::diffusion();
  constexpr auto space = sumfac::quadrilateral(2);
  auto const& sides = plane.boundary();
  auto const count = static_cast<sumfac::index_t>(sides.size());
  auto const numbers = sumfac::owner_table(V.table(), sides);
  auto const places = sumfac::owner_nodes(plane, sides);
  sumfac::restriction const of_faces{sumfac::host{}, sumfac::view(numbers.data(), count, 3, 3), V.nodes()};
  sumfac::face_operator<decltype(flux), space> const B{sumfac::host{}, sumfac::view(places.data(), count, 2, 2, 2),
                                                       flux};
  sumfac::element_operator<decltype(whole), space> const A{sumfac::host{}, plane, whole};
  auto u = V.values([](auto const& at) { return 2 * at[0] - 3 * at[1]; });
  std::vector<double> across(u.size()), within(u.size());
  B.apply(of_faces, view_of(u), view_of(across));
  A.apply(V.restriction(sumfac::host{}), view_of(u), view_of(within));
  CHECK(greatest_difference(within, across) < 64 * std::numeric_limits<double>::epsilon());
}

TEST_CASE("a weak form's operator is that of the form by hand, in each dimension", "[weak]")
{
  is_as_by_hand<1, sumfac::host>();
  is_as_by_hand<2, sumfac::host>();
  is_as_by_hand<3, sumfac::host>();
  is_as_by_hand<3, sumfac::checked>();
}

TEST_CASE("a coefficient of a weak form is read by element", "[weak]")
{
  std::vector<double> const k{1, 2, 5};
  auto const form = [&] {
    using namespace sumfac::weak;
    return integrate(coefficient(sumfac::view(k.data(), box<2>::elements)) * u * v);
  }();
  sumfac::index_t bytes = 0, bytes_by_hand = 0;
  auto const weak = applied<2, sumfac::host, decltype(form)>(form, bytes);
  auto by_hand = applied<2, sumfac::host>(sumfac::mass{}, bytes_by_hand);
  for (std::size_t i = 0; i < by_hand.size(); ++i) by_hand[i] *= k[i / (by_hand.size() / k.size())];
  CHECK(greatest_difference(by_hand, weak) < 4 * std::numeric_limits<double>::epsilon());
  CHECK(bytes == bytes_by_hand);
}

TEST_CASE("a coefficient of a weak form is read by point", "[weak]")
{
  std::vector<double> k(std::size_t{16} * box<2>::elements);
  for (std::size_t i = 0; i < k.size(); ++i) k[i] = 1 + double(i % 16) + 40 * double(i / 16);
  sumfac::view<double const, sumfac::dextents<3>> const of_points(k.data(), box<2>::elements, 4, 4);
  auto const form = [&] {
    using namespace sumfac::weak;
    return integrate(coefficient(of_points) * u * v);
  }();
  sumfac::index_t bytes = 0, bytes_by_hand = 0;
  auto const weak = applied<2, sumfac::host, decltype(form)>(form, bytes);
  auto const by_hand = applied<2, sumfac::host>(mass_of_points{of_points}, bytes_by_hand);
  CHECK(greatest_difference(by_hand, weak) < 4 * std::numeric_limits<double>::epsilon());
  CHECK(bytes == bytes_by_hand);
}

TEST_CASE("a weak form's tangent is an operator, kept at a state", "[weak]")
{
  using namespace sumfac::weak;
  auto const form = integrate((1 + u * u) * dot(grad(u), grad(v)) + exp(u) * v);
  using flux = std::remove_const_t<decltype(form)>;
  box<1> const mesh;
  constexpr auto space = sumfac::line(2);
  sumfac::element_operator<flux, space> const F{sumfac::host{}, mesh.view(), form};
  sumfac::element_operator<sumfac::tangent<flux>, space> J{sumfac::host{}, mesh.view(), F.form()};
  constexpr std::size_t size = std::size_t{3} * box<1>::elements;
  std::vector<double> at(size), w(size), moved(size), above(size), below(size), slope(size);
  support::generator next(11);
  for (std::size_t i = 0; i < size; ++i) {
    at[i] = next();
    w[i] = next();
  }
  auto const vector = [](std::vector<double>& entries) { return e_vector<1, 3>(entries, box<1>::elements); };
  double const h = 1e-5;
  for (std::size_t i = 0; i < size; ++i) moved[i] = at[i] + h * w[i];
  F.apply(vector(moved), vector(above));
  for (std::size_t i = 0; i < size; ++i) moved[i] = at[i] - h * w[i];
  F.apply(vector(moved), vector(below));
  J.linearize(vector(at));
  J.apply(vector(w), vector(slope));
  std::vector<double> expected(size);
  for (std::size_t i = 0; i < size; ++i) expected[i] = (above[i] - below[i]) / (2 * h);
  CHECK(greatest_difference(expected, slope) < 1e-8);
}

TEST_CASE("numbers of a weak form that are not finite are refused", "[weak]")
{
  using namespace sumfac::weak;
  double const nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  auto const refused_as = [](auto const& check) {
    try {
      check();
    } catch (sumfac::argument_error const& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  auto const message = [](char const* got) {
    return "sumfac::weak: a number of the form is not finite (got " + std::string(got) +
           "): pass finite numbers as coefficients";
  };
  auto const checked = [&](auto const& form) { return refused_as([&] { (form.check)(); }); };
  CHECK(checked(sumfac::weak::diffusion(nan)) == message("nan"));
  CHECK(checked(sumfac::weak::mass(inf)) == message("inf"));
  CHECK(checked(integrate(where(u < inf, u, 2 * u) * v)) == message("inf"));
  CHECK(checked(integrate(u / sumfac::weak::coefficient(0) * v)) == message("inf"));
  CHECK(checked(sumfac::weak::convection(sumfac::vector<double, 2>{1, nan})) == message("nan"));
  CHECK(checked(sumfac::tangent{integrate(parameter<>{nan} * u * u * v)}) == message("nan"));

  // An operator asks before anything is set up, here before its mesh, which has no nodes, is looked at.
  auto form = integrate(parameter<>{nan} * u * v);
  sumfac::view<double const, sumfac::dextents<3>> const none(nullptr, 1, 2, 1);
  using operator_type = sumfac::element_operator<decltype(form), sumfac::line(1)>;
  CHECK(refused_as([&] { operator_type(sumfac::host{}, none, form); }) == message("nan"));
  CHECK(refused_as([&] { form.set(parameter<>{}, inf); }) == message("inf"));
  form.set(parameter<>{}, 2);
  CHECK(refused_as([&] { operator_type(sumfac::host{}, none, form); }) != message("nan"));
}
