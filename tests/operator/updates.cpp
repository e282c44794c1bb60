// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Factors set up anew: by update(), of other coefficients, another mesh, or the user's own numbers; what it refuses.
#include "coefficients.hpp"
#include "inputs.hpp"

#include <support/message_of.hpp>

#include <sumfac/backend/checked.hpp>
#include <sumfac/form/given_factors.hpp>
#include <sumfac/form/stiffness.hpp>

#include <dofs/global_vectors.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <new>
#include <string>

// What has been asked for since it was last set to 0.
namespace {
std::size_t bytes_asked_for = 0;
}

void* operator new(std::size_t bytes)
{
  bytes_asked_for += bytes;
  if (void* const p = std::malloc(bytes)) return p;
  throw std::bad_alloc();
}
// What the library's buffers are made of.
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept
{
  bytes_asked_for += bytes;
  void* p = nullptr;
  return posix_memalign(&p, alignment < sizeof p ? sizeof p : alignment, bytes) == 0 ? p : nullptr;
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace {

using checks::index_t, checks::real;
constexpr int n = 3, g = 4, elements = 11;
auto const where = reference::gauss_lobatto(3);
auto const space = reference::on_gauss(2);

using support::message_of;

template <class Form, class Geometry, class Backend = sumfac::host>
using operator_of = sumfac::element_operator<Form, 2, sumfac::gauss<g>, Backend, double, Geometry>;

template <class Geometry, class Backend = sumfac::host>
void updates()
{
  Backend const backend;
  checks::tables<sumfac::layout_right, g, Backend, false> const first(backend, elements), second(backend, elements, 3);
  using form = checks::tabulated<typename decltype(first)::views>;
  auto const mesh = checks::mesh_for<Geometry>(elements, where);
  auto const other = mesh::mapped(mesh, [](mesh::position x) { return mesh::position{2 * x[0], x[1], 0.5 * x[2]}; });
  operator_of<form, Geometry, Backend> a(backend, checks::nodes_view(mesh), {first.get()});
  checks::compare_tabulated(a, mesh, where, space);
  a.update(checks::nodes_view(other), {second.get()});
  checks::compare_tabulated(a, other, where, space, 3);
  CHECK(a.form().tables.pair.data() == second.get().pair.data());
  a.update(checks::nodes_view(mesh), {first.get()});
  checks::compare_tabulated(a, mesh, where, space);
  if constexpr (!std::is_same_v<Geometry, sumfac::stored> && !std::is_same_v<Geometry, sumfac::split>) {
    a.update({second.get()});
    checks::compare_tabulated(a, mesh, where, space, 3);
  }
  auto const fewer = mesh::sampled(mesh, 10);
  auto const said = message_of([&] { a.update(checks::nodes_view(fewer), {first.get()}); });
  CHECK_THAT(said, Catch::Contains("number of elements of the mesh does not match (expected 11, got 10)"));
}

}  // namespace

TEST_CASE("updates: other coefficients on another mesh, in every policy")
{
  updates<sumfac::stored>();
  updates<sumfac::affine>();
  updates<sumfac::trilinear>();
  updates<sumfac::isoparametric<3>>();
  updates<sumfac::split>();
  updates<sumfac::stored, sumfac::checked>();
}

TEST_CASE("updates: no memory that grows with the mesh is asked for")
{
  auto const mesh = mesh::mapped(mesh::box({10, 10, 10}, where), mesh::smooth{});
  sumfac::host const backend(1);
  checks::tables<sumfac::layout_right, g, sumfac::host, false> const first(backend, mesh.elements);
  using form = checks::tabulated<typename decltype(first)::views>;
  bytes_asked_for = 0;
  operator_of<form, sumfac::stored> a(backend, checks::nodes_view(mesh), {first.get()});
  std::size_t const at_first = bytes_asked_for;
  CHECK(at_first > 1000 * g * g * g * 7 * sizeof(double));
  a.update(checks::nodes_view(mesh), {first.get()});
  CHECK(bytes_asked_for - at_first < 1'000'000);  // debug builds keep some points
}

namespace {

struct reaction : sumfac::mass {
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = sumfac::scalar_of<T>(rate) * sumfac::mass::apply(f, u).value};
  }
  double rate = 1;
};

}  // namespace

TEST_CASE("updates: members that apply alone reads")
{
  auto const mesh = mesh::box({2, 1, 1});
  operator_of<reaction, sumfac::stored> a(sumfac::host{}, checks::nodes_view(mesh));
  auto const volume = [&] {
    std::vector<double> u(2 * n * n * n, 1), v(u.size());
    a.apply(checks::vector_view<1>(static_cast<double const*>(u.data()), 2, n), checks::vector_view<1>(v.data(), 2, n));
    double sum = 0;
    for (double const x : v) sum += x;
    return sum;
  };
  CHECK(volume() == Approx(1));
  a.form().rate = 3;
  CHECK(volume() == Approx(3));
}

TEST_CASE("updates: factors of the user's own")
{
  auto const mesh = mesh::mapped(mesh::box({elements, 1, 1}, where), mesh::smooth{});
  // Those of a stiffness, as the oracle's geometry has them.
  std::vector<double> numbers;
  for (int e = 0; e < elements; ++e) {
    reference::element<> const oracle(space, where, mesh.element(e), reference::mass());
    for (auto const& x : oracle.points()) {
      real metric[3][3] = {};
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = 0; c < 3; ++c)
          for (std::size_t k = 0; k < 3; ++k) metric[r][c] += x.weight * x.det * x.inverse[r][k] * x.inverse[c][k];
      for (std::size_t r = 0; r < 3; ++r)
        for (std::size_t c = r; c < 3; ++c) numbers.push_back(static_cast<double>(metric[r][c]));
      numbers.push_back(static_cast<double>(x.weight * x.det));
    }
  }
  sumfac::view<double const, sumfac::dextents<5>> const view(numbers.data(), elements, g, g, g, 7);
  sumfac::given_factors const form(sumfac::stiffness{.lambda = 0.3}, view);
  auto const agrees = [&](auto const& a) {
    auto const o = checks::observe(a, {0, elements - 1});
    checks::compare_with_oracle<double>(o, mesh, where, space, reference::stiffness(0.3));
  };
  using form_type = std::remove_cvref_t<decltype(form)>;
  static_assert(!sumfac::applies_to_points<form_type>);
  agrees(operator_of<form_type, sumfac::stored>(sumfac::host{}, checks::nodes_view(mesh), form));
  agrees(operator_of<form_type, sumfac::isoparametric<3>>(sumfac::host{}, checks::nodes_view(mesh), form));
  sumfac::given_factors const six(
      sumfac::stiffness{}, sumfac::view<double const, sumfac::dextents<5>>(numbers.data(), elements, g, g, g, 6));
  CHECK_THAT(message_of([&] { operator_of<form_type, sumfac::stored>(sumfac::host{}, checks::nodes_view(mesh), six); }),
             Catch::Contains("extent 4 (components) of the form's coefficient of shape (E, g, g, g, K) does not match "
                             "(expected 7, got 6)"));
}

namespace {

struct by_element : sumfac::mass {
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.at(k) * x.measure()};
  }
  static void apply_at() = delete;
  sumfac::view<double const, sumfac::dextents<1>> k;
};
struct by_point : sumfac::mass {
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.at(k) * x.measure()};
  }
  static void apply_at() = delete;
  sumfac::view<double const, sumfac::dextents<4>> k;
};

template <class Geometry>
void refuses_coefficients()
{
  auto const mesh = mesh::box({elements, 1, 1});
  std::vector<double> k(elements * g * g * g, 1);
  auto const made_of = [&]<class Form>(Form const& form) {
    return message_of([&] { operator_of<Form, Geometry>(sumfac::host{}, checks::nodes_view(mesh), form); });
  };
  auto const of_elements = [&](double const* data, int count) {
    by_element form;
    form.k = decltype(form.k)(data, count);
    return form;
  };
  auto const of_points = [&](int z, int x) {
    by_point form;
    form.k = decltype(form.k)(k.data(), elements, z, g, x);
    return form;
  };
  CHECK(made_of(of_elements(k.data(), elements)) == "");
  CHECK(made_of(of_elements(k.data(), elements - 1)) ==
        "sumfac::element_operator: extent 0 (elements) of the form's coefficient of shape (E) does not match (expected "
        "11, got 10)");
  CHECK(made_of(of_elements(nullptr, elements)) ==
        "sumfac::element_operator: the form's coefficient of shape (E) is null (pointer 0, 11 elements expected): set "
        "the view before the operator is made");
  CHECK(made_of(by_element{}) ==
        "sumfac::element_operator: extent 0 (elements) of the form's coefficient of shape (E) does not match (expected "
        "11, got 0)");
  CHECK(made_of(of_points(g, g)) == "");
  CHECK(made_of(of_points(g - 1, g)) ==
        "sumfac::element_operator: extent 1 (points per direction) of the form's coefficient of shape (E, g, g, g) "
        "does not match (expected 4, got 3)");
  CHECK(made_of(of_points(g, g - 2)) ==
        "sumfac::element_operator: extent 3 (points per direction) of the form's coefficient of shape (E, g, g, g) "
        "does not match (expected 4, got 2)");
  for (double const wrong : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    k[7 * g * g * g + 5] = wrong;
    k[7] = 1;
    CHECK(made_of(of_points(g, g)) ==
          "sumfac::element_operator: the form's coefficient of shape (E, g, g, g) has an entry that is not a finite "
          "number (element 7 of 11): set all its entries");
    CHECK(made_of(of_elements(k.data(), elements)) == "");
    k[7] = wrong;
    CHECK_THAT(made_of(of_elements(k.data(), elements)), Catch::Contains("(element 7 of 11)"));
  }
}

}  // namespace

TEST_CASE("coefficients: what is refused, before any work")
{
  refuses_coefficients<sumfac::stored>();
  refuses_coefficients<sumfac::affine>();
  sumfac::mapping<double> const x({}, 1, {});
  double const k = 1;
  CHECK_THAT(message_of([&] { static_cast<void>(x.at(sumfac::view(&k, 1))); }), Catch::Contains("is of no element"));
}

TEST_CASE("updates: what linearize keeps is in memory that is asked for once")
{
  mesh::counts const counts{4, 3, 3};
  auto const mesh = mesh::box(counts);
  sumfac::element_operator<checks::conducting, 2, sumfac::gauss<g>> a(sumfac::host(1), checks::nodes_view(mesh));
  auto const numbers = mesh::numbered(counts, 2, 5);
  checks::restricted_mesh const restricted{numbers, 1};
  auto const r = restricted.restriction<double>(sumfac::host(1), {.blocks = 3});
  std::vector<double> const x(restricted.size(), 1), u(std::size_t{36} * n * n * n, 1);
  bytes_asked_for = 0;
  a.linearize(r, checks::global_view(x));
  CHECK(bytes_asked_for >= 36 * g * g * g * 4 * sizeof(double));
  bytes_asked_for = 0;
  a.linearize(r, checks::global_view(x));
  a.linearize(checks::vector_view<1>(u.data(), 36, n));
  CHECK(bytes_asked_for == 0);
  // And outlives an update of the mesh.
  std::vector<double> before(u.size()), after(u.size());
  a.apply(checks::vector_view<1>(u.data(), 36, n), checks::vector_view<1>(before.data(), 36, n));
  a.update(checks::nodes_view(mesh), {});
  a.apply(checks::vector_view<1>(u.data(), 36, n), checks::vector_view<1>(after.data(), 36, n));
  CHECK(before == after);
}
