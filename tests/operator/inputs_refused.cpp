// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What may be wrong with fields, and what the message says; what solvers and checks see of inputs.
#include "inputs.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/form/tangent.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/cg.hpp>

#include <dofs/global_vectors.hpp>

#include <cstdlib>
#include <string>

namespace {

using namespace checks;

constexpr int degree = 2, n = degree + 1;
mesh::counts const counts{3, 2, 1};
constexpr index_t elements = 6, size = elements * n * n * n;

struct fixture {
  using subject = sumfac::element_operator<diffusing<>, degree, sumfac::gauss<4>>;

  mesh::nodes mesh = mesh::box(counts);
  subject a{sumfac::host{}, nodes_view(mesh)};
  mesh::numbering numbers = mesh::numbered(counts, degree, 5);
  restricted_mesh restricted{numbers, 1};
  sumfac::restriction<> r = restricted.restriction<double>(sumfac::host{});
  std::vector<double> u = support::random<double>(size, 1), v = std::vector<double>(size, 7),
                      t = std::vector<double>(size, 2);
  std::vector<double> x = support::random<double>(restricted.size(), 1), y = std::vector<double>(x.size(), 7),
                      z = std::vector<double>(x.size(), 2);

  auto e_vector(std::vector<double>& of) { return vector_view<1>(of.data(), elements, n); }
  bool untouched() const
  {
    return std::all_of(v.begin(), v.end(), [](double at) { return at == 7; }) &&
           std::all_of(y.begin(), y.end(), [](double at) { return at == 7; });
  }
};

}  // namespace

TEST_CASE("inputs: fields that do not fit are refused before any work, at the call and by linearize")
{
  fixture f;
  auto const few = vector_view<1>(f.t.data(), 5, n), low = vector_view<1>(f.t.data(), elements, 2);
  auto const at_call = [&](auto const& field) { f.a.apply(f.e_vector(f.u), f.e_vector(f.v), field); };
  auto const on_global = [&](auto const& field) { f.a.apply(f.r, global_view(f.x), global_view(f.y), field); };
  auto const kept = [&](auto const& field) { f.a.linearize(field); };
  auto const all = [&](auto const& field, std::string const& what, std::string const& got, std::string const& wanted) {
    refused([&] { at_call(field); }, {"element_operator::apply", what, got, wanted});
    refused([&] { on_global(field); }, {"element_operator::apply", what, got, wanted});
    refused([&] { kept(field); }, {"element_operator::linearize", what, got, wanted});
  };
  all(sumfac::field(few), "a field", "got 5", "expected 6");
  all(sumfac::field(low), "a field", "got 2", "expected 3");

  std::vector<double> shorter(f.x.size() - 1);
  all(sumfac::field(f.r, global_view(shorter)), "a field", "got " + std::to_string(shorter.size()),
      "expected " + std::to_string(f.x.size()));
  restricted_mesh const other{mesh::numbered({3, 1, 1}, degree), 1};
  auto const r_other = other.restriction<double>(sumfac::host{});
  std::vector<double> of_other(other.size());
  all(sumfac::field(r_other, global_view(of_other)), "number of elements of a field's restriction", "3", "6");
  restricted_mesh const lower{mesh::numbered(counts, 1), 1};
  auto const r_lower = lower.restriction<double>(sumfac::host{});
  std::vector<double> of_lower(lower.size());
  all(sumfac::field(r_lower, global_view(of_lower)), "nodes per direction of a field's restriction", "2", "3");
  restricted_mesh const doubled{f.numbers, 2};
  auto const r_doubled = doubled.restriction<double>(sumfac::host{});
  std::vector<double> of_doubled(doubled.size());
  all(sumfac::field(r_doubled, global_view(of_doubled)), "components of a field's restriction", "2", "1");
  auto const part = f.r.subset(0, 4);
  all(sumfac::field(part, global_view(f.z)), "as a subset", "4", "6");
  all(sumfac::field(f.r, sumfac::view<double, sumfac::dextents<1>>(nullptr, index_t(f.x.size()))), "a field", "null",
      std::to_string(f.x.size()));
  CHECK(f.untouched());
  // None of them was kept.
  refused([&] { f.a.apply(f.e_vector(f.u), f.e_vector(f.v)); }, {"0 of 1", "linearize"});
}

TEST_CASE("inputs: a field must not lie where the result goes")
{
  fixture f;
  refused([&] { f.a.apply(f.e_vector(f.u), f.e_vector(f.v), sumfac::field(f.e_vector(f.v))); },
          {"a field and v overlap", "begins 0 bytes", "spans 1296 bytes"});
  refused([&] { f.a.apply(f.r, global_view(f.x), global_view(f.y), sumfac::field(f.r, global_view(f.y))); },
          {"a field and y overlap", "begins 0 bytes"});
  refused([&] { f.a.apply_add(f.r, global_view(f.x), global_view(f.y), sumfac::field(f.r, global_view(f.y))); },
          {"element_operator::apply_add", "a field and y overlap"});
  CHECK(f.untouched());
  // Where the vector goes that it is applied to, it may: u itself is a field of tangents.
  CHECK_NOTHROW(f.a.apply(f.e_vector(f.u), f.e_vector(f.v), sumfac::field(f.e_vector(f.u))));
  CHECK_NOTHROW(f.a.apply(f.r, global_view(f.x), global_view(f.y), sumfac::field(f.r, global_view(f.x))));
}

TEST_CASE("inputs: no elements, no work")
{
  sumfac::element_operator<diffusing<>, degree, sumfac::gauss<4>> a(
      sumfac::host{}, sumfac::view<double const, sumfac::dextents<5>>(nullptr, 0, 2, 2, 2, 3));
  double* const nothing = nullptr;
  auto const none = vector_view<1>(nothing, 0, n);
  CHECK_NOTHROW(a.apply(none, none, sumfac::field(none)));
  CHECK_NOTHROW(a.linearize(none));
  CHECK_NOTHROW(a.apply(none, none));
}

TEST_CASE("inputs: conjugate gradients and the check of linearity see what is kept")
{
  fixture f;
  f.restricted.marks.assign(f.x.size(), 0);
  for (auto const node : f.numbers.boundary) f.restricted.marks[static_cast<std::size_t>(node)] = 1;
  auto const r = f.restricted.restriction<double>(sumfac::host{});
  for (std::size_t i = 0; i < f.x.size(); ++i) f.x[i] = f.restricted.marks[i] != 0 ? 0 : f.x[i];
  f.a.linearize(f.r, global_view(f.z));  // 2 everywhere
  CHECK_NOTHROW(f.a.check_linear());
  f.a.apply(r, global_view(f.x), global_view(f.y));
  std::vector<double> solution(f.x.size()), of_one(f.x.size());
  auto const result = sumfac::cg(sumfac::global_operator(f.a, r), global_view(std::as_const(f.y)),
                                 global_view(solution), {.iterations = 200, .tolerance = 1e-12});
  INFO(result.report());
  for (std::size_t i = 0; i < f.x.size(); ++i) CHECK(std::abs(solution[i] - f.x[i]) < 1e-9);

  // Linear in the input: half of it, half the result.
  std::vector<double> half(f.z.size(), 1);
  f.a.linearize(f.r, global_view(half));
  f.a.apply(r, global_view(f.x), global_view(of_one));
  for (std::size_t i = 0; i < f.x.size(); ++i)
    if (f.restricted.marks[i] == 0) CHECK(std::abs(2 * of_one[i] - f.y[i]) < 1e-13);
}

namespace {

// (u^2 a, v), which says that it is linear.
struct lying : weighing<0> {
  template <class T>
  point_values<T> apply(factors<T> const& f, point_values<T> const& u, point_values<T, 3> const& a,
                        point_values<T> const& t) const
  {
    return {.value = f.measure * (a.value[0] * t.value) * (u.value * u.value)};
  }
};

}  // namespace

TEST_CASE("inputs: a form that is not linear in u is seen with what is kept")
{
  auto const mesh = mesh::box(counts);
  sumfac::element_operator<lying, degree> a(sumfac::host{}, nodes_view(mesh));
  std::vector<double> three(3 * size, 1), one(size, 1);
  a.linearize(sumfac::field(vector_view<3>(three.data(), elements, n)),
              sumfac::field(vector_view<1>(one.data(), elements, n)));
  refused([&] { a.check_linear(); }, {"apply is not linear in u"});
}

namespace {

// |grad u| (grad u, grad v) with the root of a + |grad u|^2 as the modulus: its derivative has none at 0 where a is 0.
struct power_law : with_metric {
  static constexpr auto trial = gradient, test = gradient;
  [[maybe_unused]] static constexpr bool linear = false;

  template <class T, class U>
  SUMFAC_FUNCTION sumfac::point_values<U> apply(factors<T> const& f, sumfac::point_values<U> const& u) const
  {
    using std::sqrt;
    auto const flux = f.metric * u.gradient;
    return {.gradient = sqrt(dot(u.gradient, flux) + sumfac::scalar_of<T>(a)) * flux};
  }
  double a = 0;
};

}  // namespace

TEST_CASE("inputs: a derivative that is no number is said by linearize")
{
  fixture f;
  using tangent = sumfac::element_operator<sumfac::tangent<power_law>, degree, sumfac::gauss<4>>;
  tangent J(sumfac::host{}, nodes_view(f.mesh));
  std::fill(f.z.begin(), f.z.end(), 0);
  refused([&] { J.linearize(f.r, f.z); },
          {"element_operator::linearize", "the form's gradient is not finite", "nan", "a root or a quotient of 0"});
  J.linearize(f.r, f.x);
  f.z[0] = std::numeric_limits<double>::infinity();  // a state that has diverged is for solvers to say
  std::fill(f.z.begin(), f.z.end(), std::numeric_limits<double>::quiet_NaN());
  J.linearize(f.r, f.z);
  std::fill(f.z.begin(), f.z.end(), 0);
  J.form().a = 1e-12;
  J.linearize(f.r, f.z);
}

TEST_CASE("inputs: an operator that has not been given them says so")
{
  using sumfac::index_t;
  auto const mesh = mesh::box({2, 1, 1});
  sumfac::element_operator<checks::diffusing<>, degree, sumfac::gauss<4>> a(sumfac::host{}, checks::nodes_view(mesh));
  std::vector<double> u(54), v(54);
  auto const apply = [&] { a.apply(checks::vector_view<1>(u.data(), 2, 3), checks::vector_view<1>(v.data(), 2, 3)); };
  auto const sentence = "the form reads other functions at the points, and has not been given them (0 of 1)";
  CHECK_THROWS_WITH(apply(), Catch::Contains(sentence));
  CHECK_THROWS_WITH(a.diagonal(checks::vector_view<1>(v.data(), 2, 3)), Catch::Contains(sentence));
  CHECK_THROWS_WITH(a.element_matrix(1), Catch::Contains(sentence));
  a.linearize(checks::vector_view<1>(u.data(), 2, 3));
  CHECK_NOTHROW(apply());
}

TEST_CASE("inputs: work, kept at the points and given at the call")
{
  using namespace checks;
  using subject = sumfac::element_operator<weighing<1>, 2, sumfac::gauss<4>>;
  constexpr index_t three = 3, g = 4, points = g * g * g;
  auto const mesh = mesh::box({3, 1, 1});
  subject const a(sumfac::host{}, nodes_view(mesh));
  auto const kept = a.work();
  // The measure and the four numbers of a point; u and v.
  CHECK(kept.bytes_read == three * 8 * (5 * points + n * n * n));
  CHECK(kept.bytes_written == three * 8 * n * n * n);
  // Six operations: two sums, four products.
  auto const interpolation = [](index_t m) { return 2 * (g * m * m * m + g * g * m * m + g * g * g * m); };
  CHECK(kept.flops == three * (2 * interpolation(n) + 6 * points));
  random_inputs<subject> const inputs(three);
  inputs.with_fields(a.backend(), [&](auto const&... fields) {
    auto const given = a.work(fields...);
    CHECK(given.bytes_read == three * 8 * (points + n * n * n + 3 * n * n * n + 8));
    CHECK(given.bytes_written == kept.bytes_written);
    CHECK(given.flops == kept.flops + three * (3 * interpolation(n) + interpolation(2)));
  });
}
