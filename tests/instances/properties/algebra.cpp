// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What holds of every linear operator, whatever it computes: linear, symmetric, adjoint; and update(), and work().
#include <support/larger.hpp>

#include <instances/subject.hpp>

#include <algorithm>
#include <cmath>

namespace instances {

namespace {

property const linear("linear", [](traits const& t) { return t.linear; });
property const symmetric("symmetric", [](traits const& t) { return t.symmetric; });
property const adjoint("adjoint", [](traits const& t) { return t.transposes; });
property const updated("update", [](traits const&) { return true; });
property const counted("work", [](traits const&) { return true; });
property const credited("flops", [](traits const& t) { return t.flops >= 0; });

// What rounding may do to w' A u.
double allowed_product(subject const& s, vector const& w, vector const& u)
{
  std::size_t const of_w = entries(s.about(), s.about().test);
  double sum = 0;
  for (int e = 0; e < s.mesh().count; ++e) {
    double moduli = 0;
    for (double const x : subject::part(w, e, of_w)) moduli += std::abs(x);
    sum += moduli * s.allowed(e, u, s.sums(e));
  }
  return sum;
}

constexpr int few = 3;

}  // namespace

// Scaling by two is exact in binary arithmetic; sums of our random numbers are exact too.
TEST_CASE("instances: A is linear, to the last bit where a power of two is concerned")
{
  linear.check([](instance const& row) {
    subject const s(row, few);
    auto const u = s.u(1), w = s.u(2);
    vector sum = u, twice = u;
    for (std::size_t i = 0; i < u.size(); ++i) sum[i] += w[i], twice[i] *= -2;
    auto const au = s.a().apply(u), aw = s.a().apply(w), a_sum = s.a().apply(sum);
    auto expected = au;
    for (double& x : expected) x *= -2;
    CHECK((s.a().apply(twice) == expected));
    std::size_t const size = entries(s.about(), s.about().test);
    for (int e = 0; e < few; ++e) {
      auto const of = s.sums(e);
      double error = 0, bound = s.allowed(e, sum, of) + s.allowed(e, u, of) + s.allowed(e, w, of);
      for (std::size_t i = size * static_cast<std::size_t>(e); i < size * static_cast<std::size_t>(e + 1); ++i)
        error = support::larger(error, std::abs(a_sum[i] - au[i] - aw[i]));
      INFO("A (u + w) = A u + A w, element " << e);
      CHECK(error <= bound);
    }
    CHECK(greatest(s.a().apply(vector(u.size(), 0))) == 0);
  });
}

TEST_CASE("instances: w' A u = u' A w where the form is symmetric")
{
  symmetric.check([](instance const& row) {
    subject const s(row, few);
    auto const u = s.u(1), w = s.u(2);
    double const off = std::abs(dot(w, s.a().apply(u)) - dot(u, s.a().apply(w)));
    CHECK(off <= allowed_product(s, w, u) + allowed_product(s, u, w));
  });
}

TEST_CASE("instances: w' A u = u' A^T w")
{
  adjoint.check([](instance const& row) {
    subject const s(row, few);
    auto const u = s.u(1), w = random_vector(s.test_size(), 2);
    double const forth = dot(w, s.a().apply(u));
    CHECK(std::abs(forth - dot(u, s.a().apply_transposed(w))) <= 2 * allowed_product(s, w, u));
    if (s.about().symmetric) return;
    // A transpose that is not taken would pass for a symmetric form alone.
    CHECK(std::abs(forth) > 100 * allowed_product(s, w, u));
  });
}

TEST_CASE("instances: an operator that was updated is as one that was made of that mesh")
{
  updated.check([](instance const& row) {
    int const count = row.about.group + 1;
    auto const mesh = mesh_for(row.about, count, 3);
    auto const other = mesh_for(row.about, count + 2, 3).part(2, count + 2).scaled(1.25);
    subject s(row, other), made(row, mesh);
    auto const u = made.u();
    auto const before = s.a().apply(u), expected = made.a().apply(u);
    CHECK((before != expected));
    s.a().update(mesh);
    if (!s.inputs().empty()) s.a().keep(s.inputs());
    CHECK((s.a().apply(u) == expected));
    if (row.about.linear && row.about.one_space) CHECK((s.a().diagonal() == made.a().diagonal()));
  });
}

TEST_CASE("instances: work is that of all elements, entries and factors")
{
  counted.check([](instance const& row) {
    auto const& t = row.about;
    int const count = 2 * t.group;
    subject const s(row, count), half(row, s.mesh().part(0, t.group));
    auto const work = s.a().work(), of_half = half.a().work();
    auto const e = static_cast<sumfac::index_t>(count);
    auto const of_u = static_cast<sumfac::index_t>(entries(t, t.trial));
    auto const of_v = static_cast<sumfac::index_t>(entries(t, t.test));
    sumfac::index_t points = 1, kept = 0;
    for (int d = 0; d < t.directions; ++d) points *= t.points_1d;
    CHECK(work.bytes_written == e * of_v * t.vector_bytes);
    CHECK(work.flops == 2 * of_half.flops);
    CHECK(work.flops > 0);
    if (t.geometry != "split") CHECK(work.bytes_read == 2 * of_half.bytes_read);
    for (int const numbers : t.kept_numbers) kept += numbers;
    sumfac::index_t const vectors = e * of_u * t.vector_bytes, inputs = e * points * kept * t.factor_bytes;
    if (t.geometry == "stored") {
      CHECK(work.bytes_read == vectors + inputs + e * points * t.factors * t.factor_bytes);
      CHECK(work.geometry_flops == 0);
    } else if (t.geometry != "split") {
      CHECK(work.bytes_read > vectors + inputs);
      CHECK(work.geometry_flops > 0);
    }
  });
}

// Interpolations and derivatives, counted here anew, and what the form declares.
TEST_CASE("instances: flops are those of sums by direction, and the form's")
{
  credited.check([](instance const& row) {
    auto const& t = row.about;
    subject const s(row, 2);
    sumfac::index_t const n = t.trial.nodes.size(), m = t.test.nodes.size(), g = t.points_1d;
    bool const collocated = t.one_space && n == g && t.trial.nodes.nodes == t.points.nodes;
    auto const interpolation = [&](sumfac::index_t k) {
      return collocated ? 0 : 2 * (g * k * k * k + g * g * k * k + g * g * g * k);
    };
    sumfac::index_t const c = t.trial.components, d = t.test.components;
    sumfac::index_t const lines = (t.reads_slopes ? c : 0) + (t.tests_slopes ? d : 0);
    CHECK(s.a().work().flops ==
          2 * (c * interpolation(n) + d * interpolation(m) + lines * 6 * g * g * g * g + g * g * g * t.flops));
  });
}

}  // namespace instances
