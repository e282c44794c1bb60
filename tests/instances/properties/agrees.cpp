// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Every row against the oracle on E-vectors: applied, transposed, its diagonal, its matrices, with idle lanes and none.
#include <support/larger.hpp>

#include <instances/subject.hpp>

#include <algorithm>
#include <cfenv>
#include <set>

namespace instances {

namespace {

bool any(traits const&) { return true; }
bool is_linear(traits const& t) { return t.linear; }

// Elements to look at: the oracle is slow.
std::set<int> some_of(int count) { return {0, count / 2, count - 1}; }

property const agreeing("agrees", any);
property const with_matrices("has matrices", is_linear);
property const counting("every count of elements", any);
property const raising("raises nothing", any);

void compare_matrices(subject const& s)
{
  auto const& about = s.about();
  std::size_t const columns = entries(about, about.trial), rows = entries(about, about.test);
  vector const diagonal = about.one_space ? s.a().diagonal() : vector{};
  vector const w = random_vector(s.test_size(), 2), z = about.transposes ? s.a().apply_transposed(w) : vector{};
  for (int const e : some_of(s.mesh().count)) {
    if (about.transposes) s.compare("A^T w", e, w, z, true);
    if (e != 0 && e != s.mesh().count - 1) continue;
    auto const found = s.a().element_matrix(e);
    REQUIRE(found.size() == rows * columns);
    auto const of = s.sums(e);
    double largest = 0;
    for (real const x : of.matrix) largest = support::larger(largest, static_cast<double>(std::abs(x)));
    for (std::size_t j = 0; j < columns; ++j) {
      double error = 0, bound = 0;
      for (std::size_t i = 0; i < rows; ++i) {
        double const off = std::abs(static_cast<double>(real(found[i * columns + j]) - of.matrix[i * columns + j]));
        error = off == off ? std::max(error, off) : 1e300;
        bound = support::larger(bound, s.tolerance() * static_cast<double>(of.moduli[i * columns + j]));
      }
      if (about.by_differences) bound = support::larger(bound, (about.in_float ? 2e-5 : 2e-13) * largest);
      INFO("matrix of element " << e << ", column " << j << ": off by " << error << ", allowed " << bound);
      CHECK(error <= bound);
    }
    if (!about.one_space) continue;
    double error = 0, bound = about.by_differences ? (about.in_float ? 2e-5 : 2e-13) * largest : 0;
    for (std::size_t i = 0; i < rows; ++i) {
      double const got = diagonal[static_cast<std::size_t>(e) * rows + i];
      double const off = std::abs(static_cast<double>(real(got) - of.matrix[i * columns + i]));
      error = off == off ? std::max(error, off) : 1e300;
      bound = support::larger(bound, s.tolerance() * static_cast<double>(of.moduli[i * columns + i]));
    }
    INFO("diagonal of element " << e << ": off by " << error << ", allowed " << bound);
    CHECK(error <= bound);
  }
}

}  // namespace

TEST_CASE("instances: A u is the oracle's, and findings there are none")
{
  agreeing.check([](instance const& row) {
    for (int const m : {2, 3}) {
      subject const s(row, 2 * row.about.group + 1, m);
      auto const u = s.u(), v = s.a().apply(u);
      INFO(m << " mesh nodes on an edge");
      for (int const e : some_of(s.mesh().count)) s.compare("A u", e, u, v);
      if (!s.inputs().empty()) {
        auto const given = s.a().apply(u, s.inputs());
        for (int const e : some_of(s.mesh().count)) s.compare("A u, inputs at the call", e, u, given);
        // Others come to the same memory, and these again.
        auto others = s.inputs();
        for (vector& other : others) other = random_from_1_to_2(other.size(), 9);
        s.a().keep(others);
        CHECK((s.a().apply(u) != v));
        s.a().keep(s.inputs());
        CHECK((s.a().apply(u) == v));
      }
      CHECK(s.a().findings() == 0);
    }
  });
}

TEST_CASE("instances: diagonals, matrices and transposes are the oracle's")
{
  with_matrices.check([](instance const& row) { compare_matrices({row, row.about.group + 1}); });
}

// An element's result depends neither on its neighbours in a register nor on how many there are: to the last bit where
// no group's kind and no table of the form says otherwise.
TEST_CASE("instances: works for every count of elements")
{
  counting.check([](instance const& row) {
    int const group = row.about.group, most = 2 * group + 3;
    subject const whole(row, most);
    auto const& about = row.about;
    auto const u = whole.u(), v = whole.a().apply(u);
    std::size_t const of_u = entries(about, about.trial), of_v = entries(about, about.test);
    for (int const count : std::set<int>{1, std::max(1, group - 1), group, group + 1, 2 * group}) {
      int const first = most - count;  // the last ones: every element meets other lanes
      subject const some(row, whole.mesh().part(first, most));
      INFO(count << " elements");
      vector const rest(u.begin() + static_cast<std::ptrdiff_t>(of_u) * first, u.end());
      std::vector<vector> inputs;
      for (std::size_t i = 0; i < about.inputs.size(); ++i) {
        auto const size = static_cast<std::ptrdiff_t>(entries(about, about.inputs[i]));
        inputs.emplace_back(whole.inputs()[i].begin() + size * first, whole.inputs()[i].end());
      }
      if (!inputs.empty()) some.a().keep(inputs);
      auto const got = some.a().apply(rest);
      if (about.geometry == "split" || about.has_tables) {
        if (inputs.empty()) some.compare("A u", count - 1, rest, got);
      } else {
        CHECK((got == vector(v.begin() + static_cast<std::ptrdiff_t>(of_v) * first, v.end())));
      }
      CHECK(some.a().findings() == 0);
    }
  });
}

// Lanes behind the last element compute with a copy of it: what divides by u divides by no 0 of theirs.
TEST_CASE("instances: raises no floating-point exception in any lane")
{
  raising.check([](instance const& row) {
    for (int const count : std::set<int>{1, std::max(1, row.about.group - 1), row.about.group + 1}) {
      subject const s(row, count);
      auto const u = random_from_1_to_2(s.trial_size(), 3);
      auto const raised = [](auto const& function) {
        std::feclearexcept(FE_ALL_EXCEPT);
        function();
        return std::fetestexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
      };
      INFO(count << " elements");
      CHECK(raised([&] { s.a().apply(u); }) == 0);
      auto const& about = row.about;
      auto const trial = numbered(about, about.trial, count, 0, 5), test = numbered(about, about.test, count, 0, 6);
      auto const x = random_from_1_to_2(static_cast<std::size_t>(trial.nodes * about.trial.components), 3);
      // Of global vectors lanes behind the last element have zeros.
      if (about.linear) CHECK(raised([&] { s.a().apply(trial, test, x, {}); }) == 0);
      if (s.inputs().empty()) continue;
      CHECK(raised([&] { s.a().keep(s.inputs()); }) == 0);
      CHECK(raised([&] { s.a().apply(u, s.inputs()); }) == 0);
    }
  });
}

}  // namespace instances
