// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What forms promise beyond their types: no memory in setup, and an apply that is linear in u; or they say it is not.
#undef SUMFAC_BOUNDS_CHECK
#define SUMFAC_BOUNDS_CHECK 1

#include "own_forms.hpp"
#include "problems.hpp"

#include <support/message_of.hpp>

#include <sumfac/backend/checked.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/merged_cg.hpp>

#include <dofs/global_vectors.hpp>

#include <atomic>
#include <cmath>
#include <string>

namespace {

using sumfac::index_t;

// How many elements lie in the lanes of one group, so that a mesh has several groups and one that is not full.
constexpr int many = 3 * sumfac::native_width<float> + 1;

mesh::nodes elements(int count)
{
  return mesh::sampled(mesh::mapped(mesh::box({count, 1, 1}, reference::gauss_lobatto(3)), mesh::smooth{}), count);
}

using support::message_of;

// A form of values, f(w, u), whose only factor is made by `Made`.
template <class Made, class Applied>
struct value_form {
  static constexpr auto trial = sumfac::value, test = sumfac::value;
  template <class T>
  struct factors {
    T w;
  };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {made(x)};
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = Applied{}(f.w, u.value)};
  }
  Made made{};
};
struct measured {
  template <class T>
  T operator()(sumfac::mapping<T> const& x) const
  {
    return x.measure();
  }
};
struct times {
  template <class T>
  T operator()(T const& w, T const& u) const
  {
    return w * u;
  }
};

// Looks its coefficient up by how often it was called: element by element of `points` points.
struct counting {
  int points = 1;
  std::vector<double> coefficients{};
  mutable std::size_t calls = 0;
  template <class T>
  T operator()(sumfac::mapping<T> const& x) const
  {
    std::size_t const element = calls++ / static_cast<std::size_t>(points);
    return x.measure() * sumfac::scalar_of<T>(coefficients.at(element % coefficients.size()));
  }
};
// The same, counted outside of the form.
struct counting_outside {
  std::size_t* calls = nullptr;
  template <class T>
  T operator()(sumfac::mapping<T> const& x) const
  {
    return x.measure() * sumfac::scalar_of<T>(1.0 + 0.5 * static_cast<double>((*calls)++ % 7));
  }
};
// Keeps the last position that it saw.
struct remembering {
  mutable double last = 0;
  template <class T>
  T operator()(sumfac::mapping<T> const& x) const
  {
    double const before = std::exchange(last, sumfac::detail::lane_of(x.position()[0], 0));
    return x.measure() * sumfac::scalar_of<T>(1 + before);
  }
};
// Counts its calls and makes nothing of it; its coefficient is no number at some points.
struct harmless {
  std::atomic<int>* calls = nullptr;
  template <class T>
  T operator()(sumfac::mapping<T> const& x) const
  {
    ++*calls;
    return (x.position()[0] - x.position()[0]) / (x.position()[0] - x.position()[0]);
  }
};

template <class Form, class Backend = sumfac::host, class Geometry = sumfac::stored>
using quadratic = sumfac::element_operator<Form, 2, sumfac::gauss<4>, Backend, double, Geometry>;

}  // namespace

TEST_CASE("forms: a setup that counts its calls is found, for any number of threads")
{
  auto const mesh = elements(many);
  auto const nodes = checks::nodes_view(mesh);
  std::vector<double> const coefficients{1, 1.27, 2, 0.5};
  for (int const threads : {1, 2, 3}) {
    sumfac::host const host{threads};
    for (int const points : {1, 8, 64}) {
      using form = value_form<counting, times>;
      auto const message = message_of([&] { quadratic<form>(host, nodes, {{points, coefficients}}); });
      INFO(message);
      CHECK(message.find("sumfac::form: setup makes other factors in another order of calls (element ") == 0);
    }
    std::size_t calls = 0;
    using outside = value_form<counting_outside, times>;
    CHECK(!message_of([&] { quadratic<outside>(host, nodes, {{&calls}}); }).empty());
    CHECK(!message_of([&] { quadratic<value_form<remembering, times>>(host, nodes); }).empty());
  }
  using form = value_form<counting, times>;
  auto const checked = [&](auto geometry) {
    using operator_type = quadratic<form, sumfac::checked, decltype(geometry)>;
    return message_of([&] { operator_type(sumfac::checked{}, nodes, {{1, coefficients}}); });
  };
  CHECK(!checked(sumfac::stored{}).empty());
  CHECK(!checked(sumfac::isoparametric<3>{}).empty());
  CHECK(!checked(sumfac::split{}).empty());
}

TEST_CASE("forms: in a mesh of one group, points that a setup counts are found")
{
  auto const mesh = elements(1);
  auto const nodes = checks::nodes_view(mesh);
  using form = value_form<counting, times>;
  CHECK(!message_of([&] { quadratic<form>(sumfac::host{}, nodes, {{1, {1, 2, 3}}}); }).empty());
}

TEST_CASE("forms: a setup that counts and makes nothing of it passes, and so do coefficients that are no numbers")
{
  auto const mesh = elements(many);
  std::atomic<int> calls = 0;
  using form = value_form<harmless, times>;
  CHECK(message_of([&] { quadratic<form>(sumfac::host{2}, checks::nodes_view(mesh), {{&calls}}); }).empty());
  CHECK(calls > 0);
}

namespace {

struct cube {
  template <class T>
  T operator()(T const& w, T const& u) const
  {
    return w * u * u * u;
  }
};
struct shifted {
  template <class T>
  T operator()(T const& w, T const& u) const
  {
    return w * (u + T(sumfac::scalar_of<T>(1e-3)));
  }
};
struct modulus {
  template <class T>
  T operator()(T const& w, T const& u) const
  {
    using std::abs, std::sqrt;
    return w * sqrt(u * u);
  }
};
struct nearly {
  template <class T>
  T operator()(T const& w, T const& u) const
  {
    return w * u + w * u * u * sumfac::scalar_of<T>(1e-6);
  }
};
struct inverted {
  template <class T>
  T operator()(T const& w, T const& u) const
  {
    return w / u;
  }
};

// The second component is a coefficient of the first.
struct coefficient_as_component {
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = sumfac::gradient;
  static constexpr int components = 2;
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
  sumfac::point_values<T, 2> apply(factors<T> const& f, sumfac::point_values<T, 2> const& u) const
  {
    sumfac::point_values<T, 2> v;
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) v.gradient(0, a) = v.gradient(0, a) + u.value[1] * f.metric(a, b) * u.gradient(0, b);
    return v;
  }
};

// Says what it is.
struct says_so : value_form<measured, cube> {
  static constexpr bool linear = false;
};
// By apply_at, and so linear or not that the two disagree.
struct not_linear_at_points : value_form<measured, times> {
  template <class Point, class T>
  sumfac::point_values<T> apply_at(Point const& x, sumfac::point_values<T> const& u) const
  {
    return {.value = x.measure() * u.value * u.value};
  }
};

template <class Form, int Order = 2, class Backend = sumfac::host, class Scalar = double,
          class Geometry = sumfac::stored>
std::string diagonal_of(mesh::nodes const& mesh)
{
  using operator_type = sumfac::element_operator<Form, Order, sumfac::gauss<Order + 2>, Backend, Scalar, Geometry>;
  constexpr int n = Order + 1, components = operator_type::components;
  operator_type const a(Backend{}, checks::nodes_view(mesh), Form{}, sumfac::gauss_lobatto_nodes{}, 1e300);
  std::vector<Scalar> d(static_cast<std::size_t>(mesh.elements * components * n * n * n));
  auto const by_diagonal = message_of([&] { a.diagonal(checks::vector_view<components>(d.data(), mesh.elements, n)); });
  CHECK(message_of([&] { static_cast<void>(a.element_matrix(0)); }) == by_diagonal);
  CHECK(message_of([&] { a.check_linear(); }) == by_diagonal);
  return by_diagonal;
}

template <class Form>
void is_found(std::string const& where)
{
  auto const mesh = elements(many);
  for (std::string const& message : {diagonal_of<Form, 1>(mesh), diagonal_of<Form, 1, sumfac::checked>(mesh),
                                     diagonal_of<Form, 1, sumfac::host, double, sumfac::trilinear>(mesh)}) {
    INFO(message);
    CHECK(message.find("sumfac::form: apply is not linear in u, which diagonals, element matrices and") == 0);
    CHECK(message.find(" of the result at " + where + ": got ") != std::string::npos);
    CHECK(message.find("say `static constexpr bool linear = false;`") != std::string::npos);
  }
}

}  // namespace

TEST_CASE("forms: an apply that is not linear in u is found where a matrix is asked for")
{
  is_found<value_form<measured, cube>>("u + v");
  is_found<value_form<measured, shifted>>("0");
  is_found<value_form<measured, modulus>>("u + v");
  is_found<value_form<measured, nearly>>("u + v");
  is_found<value_form<measured, inverted>>("0");
  is_found<coefficient_as_component>("u + v");
  auto const mesh = elements(2);
  CHECK(diagonal_of<not_linear_at_points>(mesh).empty());
  CHECK(!diagonal_of<not_linear_at_points, 1, sumfac::host, double, sumfac::affine>(mesh).empty());
}

TEST_CASE("forms: an apply that is not linear in u is found by conjugate gradients")
{
  mesh::counts const box{2, 2, 2};
  auto const mesh = mesh::box(box);
  checks::restricted_mesh const numbered{mesh::numbered(box, 2)};
  auto const r = numbered.restriction<double, sumfac::host>(sumfac::host{});
  quadratic<value_form<measured, cube>> const a(sumfac::host{}, checks::nodes_view(mesh));
  sumfac::global_operator const l{a, r};
  std::vector<double> const b(numbered.size(), 1);
  std::vector<double> x(b.size());
  CHECK(!message_of([&] { sumfac::cg(l, checks::global_view(b), checks::global_view(x)); }).empty());
  CHECK(!message_of([&] { sumfac::merged_cg(l, checks::global_view(b), checks::global_view(x)); }).empty());
  CHECK(!message_of([&] { l.diagonal(checks::global_view(x)); }).empty());
  CHECK(x == std::vector<double>(b.size()));
}

TEST_CASE("forms: one that says linear = false is applied")
{
  static_assert(!sumfac::is_linear<says_so> && sumfac::is_linear<sumfac::stiffness>);
  auto const mesh = mesh::box({2, 1, 1});
  quadratic<says_so> const a(sumfac::host{}, checks::nodes_view(mesh));
  quadratic<sumfac::mass> const m(sumfac::host{}, checks::nodes_view(mesh));
  std::vector<double> u(54, 2), v(54), w(54);
  auto const of = [](auto& x) { return checks::vector_view<1>(x.data(), 2, 3); };
  a.apply(of(u), of(v));
  m.apply(of(u), of(w));
  for (std::size_t i = 0; i < v.size(); ++i) CHECK(v[i] == Approx(4 * w[i]));
  a.check_linear();  // it says so itself
}

TEST_CASE("forms: the library's and the tests' own are linear, and remember nothing")
{
  auto const passes = []<class Form>(Form const&) {
    for (double const thin : {1.0, 1e-4, 1e-8}) {
      auto const flat = mesh::mapped(elements(3), mesh::affine{{1, thin, 1}, 0.3, 0.7, 0.2, {1, 2, 3}});
      CHECK(diagonal_of<Form, 1, sumfac::host, float>(flat) == "");
      CHECK(diagonal_of<Form, 1, sumfac::host, double, sumfac::trilinear>(flat) == "");
    }
  };
  passes(sumfac::mass{});
  passes(sumfac::vector_mass<3>{});
  passes(sumfac::laplace{});
  passes(sumfac::vector_laplace<3>{});
  passes(sumfac::stiffness{});
  passes(checks::reaction{});
  passes(checks::advection{});
  passes(checks::conservative_advection{});
  passes(checks::crossed_advection{});
  passes(checks::everything{});
  passes(checks::elasticity{});
  passes(checks::reaction_diffusion{});
  passes(checks::two_species{});
}
