// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Every row on global vectors: what gather, the operator on E-vectors and scatter make, in every order of components,
// sum, constrained row, subset and number of threads.
#include <instances/subject.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace instances {

namespace {

property const gathering("global vectors", [](traits const&) { return true; });
property const transposing("global transposes", [](traits const& t) { return t.transposes; });
property const on_diagonal("global diagonals", [](traits const& t) { return t.linear && t.one_space; });
property const threading("threads", [](traits const& t) { return t.on_host; });
property const reading("global inputs", [](traits const& t) { return !t.inputs.empty(); });

using sumfac::interleaving, sumfac::scatter;

// Global vectors of one space: where the entries of E-vectors lie in them.
struct side {
  numbering numbers;
  int components;
  std::size_t per_element;  // entries

  side(traits const& about, reference::function_space const& space, int elements, int every, unsigned seed)
      : numbers(numbered(about, space, elements, every, seed)),
        components(space.components),
        per_element(entries(about, space))
  {
  }

  std::size_t size() const { return static_cast<std::size_t>(numbers.nodes * components); }
  std::size_t elements() const { return numbers.table.size() * static_cast<std::size_t>(components) / per_element; }

  // Calls f(place in the E-vector, place in the global vector, whether constrained) for each entry of an element.
  template <class Function>
  void each(std::size_t e, interleaving way, Function const& f) const
  {
    std::size_t const nodes = per_element / static_cast<std::size_t>(components);
    for (int c = 0; c < components; ++c)
      for (std::size_t i = 0; i < nodes; ++i) {
        std::int64_t const node = numbers.table[e * nodes + i];
        std::int64_t const entry = way == interleaving::fastest ? node * components + c : c * numbers.nodes + node;
        bool const fixed = !numbers.marks.empty() && numbers.marks[static_cast<std::size_t>(node * components + c)];
        f(e * per_element + static_cast<std::size_t>(c) * nodes + i, static_cast<std::size_t>(entry), fixed);
      }
  }
  vector gathered(vector const& x, interleaving way) const
  {
    vector u(elements() * per_element, 0);
    for (std::size_t e = 0; e < elements(); ++e)
      each(e, way, [&](std::size_t local, std::size_t entry, bool fixed) { u[local] = fixed ? 0 : x[entry]; });
    return u;
  }
  // Of some elements; all where none are said.
  vector scattered(vector const& v, interleaving way, std::optional<std::vector<int>> const& some) const
  {
    vector y(size(), 0);
    for (std::size_t e = 0; e < elements(); ++e) {
      if (some && std::find(some->begin(), some->end(), static_cast<int>(e)) == some->end()) continue;
      each(e, way, [&](std::size_t local, std::size_t entry, bool fixed) { y[entry] += fixed ? 0 : v[local]; });
    }
    return y;
  }
  // Rows of constrained entries, where they are: factor times x, or 0.
  void constrain(vector& y, vector const& x, double factor, interleaving way) const
  {
    if (numbers.marks.empty()) return;
    for (std::int64_t node = 0; node < numbers.nodes; ++node)
      for (int c = 0; c < components; ++c)
        if (numbers.marks[static_cast<std::size_t>(node * components + c)]) {
          auto const entry =
              static_cast<std::size_t>(way == interleaving::fastest ? node * components + c : c * numbers.nodes + node);
          y[entry] = factor == 0 ? 0 : factor * x[entry];
        }
  }
};

// Kernels make the same numbers of E-vectors as of global vectors: what differs is the order of sums, in the vectors'
// numbers; or `inside`, in the kernels', too.
void near(traits const& about, char const* what, vector const& got, vector const& expected, double size,
          bool inside = false)
{
  REQUIRE(got.size() == expected.size());
  bool const single = inside ? about.in_float : about.float_vectors;
  double const unit = single ? std::numeric_limits<float>::epsilon() : std::numeric_limits<double>::epsilon();
  double off = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    double const error = std::abs(got[i] - expected[i]);
    off = error == error ? std::max(off, error) : HUGE_VAL;
  }
  INFO(what << ": off by " << off << " of " << size);
  CHECK(off <= 16 * unit * size);
}

struct case_of {
  sumfac::restriction_options options;
  int every;  // entries of which one is constrained
  bool some;  // elements
};
std::vector<case_of> const cases = {
    {{}, 0, false},
    {{.blocks = 3}, 5, false},
    {{.components_lie = interleaving::slowest, .policy = scatter::atomic, .rows = 0.25}, 4, false},
    {{.rows = sumfac::constrained_rows::zero, .blocks = 2}, 3, false},
    {{}, 5, true},
};

// y = A x, or y += A x, against gather, apply and scatter by hand.
void compare(subject const& s, case_of const& how, bool transposed)
{
  auto const& about = s.about();
  int const count = s.mesh().count;
  auto const way = how.options.components_lie;
  side trial(about, about.trial, count, how.every, 3);
  side const other(about, about.test, count, how.every, 7);
  side const& test = about.one_space ? trial : other;
  side const &from = transposed ? test : trial, &to = transposed ? trial : test;
  call c{.options = how.options, .transposed = transposed};
  if (how.some) {
    c.subset.emplace();
    for (int e = 0; e < count; ++e)
      if (e % 3 != 1) c.subset->push_back(e);
  }
  auto x = about.linear ? random_vector(from.size(), 5) : random_from_1_to_2(from.size(), 5);
  auto const u = from.gathered(x, way);
  double const rows = about.one_space ? how.options.rows.value : 0;
  // What stands at constrained entries of x reaches no other entry, not even if it is no number.
  if (rows == 0) from.constrain(x, vector(x.size(), std::numeric_limits<double>::quiet_NaN()), 1, way);
  auto const v = transposed ? s.a().apply_transposed(u) : s.a().apply(u);
  auto expected = to.scattered(v, way, c.subset);
  double const size = std::max(greatest(v), greatest(expected));
  vector plain = expected;
  to.constrain(plain, x, rows, way);
  auto const y = s.a().apply(trial.numbers, test.numbers, x, c);
  near(about, transposed ? "A^T x" : "A x", y, plain, rows == 0 ? size : std::max(size, rows));
  vector got_rows = y, exact_rows = y;
  to.constrain(exact_rows, x, rows, way);
  CHECK((got_rows == exact_rows));

  auto const before = random_vector(to.size(), 8);
  c.add_to = &before;
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += before[i];
  auto const sum = s.a().apply(trial.numbers, test.numbers, x, c);
  near(about, transposed ? "y + A^T x" : "y + A x", sum, expected, size + 1);
  if (!s.inputs().empty() && !transposed && !how.some) {
    c.fields = &s.inputs();
    auto const given = s.a().apply(trial.numbers, test.numbers, x, c);
    near(about, "y + A x, inputs at the call", given, expected, 4 * size + 1, true);
  }
}

}  // namespace

TEST_CASE("instances: on global vectors A is gather, apply and scatter")
{
  gathering.check([](instance const& row) {
    subject const s(row, row.about.group + 3);
    for (case_of const& how : cases) {
      INFO("one of " << how.every << " entries constrained" << (how.some ? ", a subset" : ""));
      compare(s, how, false);
    }
    CHECK(s.a().findings() == 0);
  });
}

TEST_CASE("instances: on global vectors A^T is gather, apply_transposed and scatter")
{
  transposing.check([](instance const& row) {
    subject const s(row, 5);
    for (std::size_t i : {std::size_t{1}, std::size_t{2}, std::size_t{4}}) compare(s, cases[i], true);
  });
}

TEST_CASE("instances: the diagonal on global vectors is that of E-vectors, scattered")
{
  on_diagonal.check([](instance const& row) {
    subject const s(row, row.about.group + 1);
    auto const& about = row.about;
    for (case_of const& how : cases) {
      if (how.some) continue;
      side const of(about, about.trial, s.mesh().count, how.every, 3);
      auto const way = how.options.components_lie;
      auto expected = of.scattered(s.a().diagonal(), way, {});
      of.constrain(expected, vector(expected.size(), 1), how.options.rows.value, way);
      near(about, "diagonal", s.a().diagonal(of.numbers, {.options = how.options}), expected, greatest(expected));
    }
  });
}

TEST_CASE("instances: the same bits by any number of threads")
{
  threading.check([](instance const& row) {
    auto const& about = row.about;
    int const count = 2 * about.group + 1;
    auto const mesh = mesh_for(about, count, 3);
    side const trial(about, about.trial, count, 5, 3), other(about, about.test, count, 5, 7);
    side const& test = about.one_space ? trial : other;
    vector once, once_local;
    for (int const threads : {1, 2, 3}) {
      subject const s(row, mesh, threads);
      auto const x = random_from_1_to_2(trial.size(), 5);
      auto const u = s.u(), v = s.a().apply(u);
      auto const y = s.a().apply(trial.numbers, test.numbers, x, {.options = {.blocks = 4}});
      if (threads == 1) once = y, once_local = v;
      INFO(threads << " threads");
      CHECK((v == once_local));
      CHECK((y == once));
    }
  });
}

TEST_CASE("instances: inputs as global vectors are as those gathered from them")
{
  reading.check([](instance const& row) {
    auto const& about = row.about;
    subject const s(row, about.group + 1);
    side const trial(about, about.trial, s.mesh().count, 5, 3);
    auto const x = random_from_1_to_2(trial.size(), 5), u = s.u();
    for (interleaving const way : {interleaving::fastest, interleaving::slowest}) {
      std::vector<vector> global, local;
      std::vector<numbering> numbers;
      for (auto const& input : about.inputs) {
        side of(about, input, s.mesh().count, about.linear ? 6 : 0, 11);
        of.numbers.components_lie = way;
        global.push_back(random_from_1_to_2(of.size(), 12));
        local.push_back(of.gathered(global.back(), way));
        numbers.push_back(of.numbers);
      }
      INFO((way == interleaving::fastest ? "fastest" : "slowest"));
      s.a().keep(local);
      auto const expected = s.a().apply(u);
      s.a().keep(s.inputs());
      s.a().keep(global, &numbers);
      CHECK((s.a().apply(u) == expected));
      // Of all elements, and of a subset, whose fields are of all.
      for (bool const some : {false, true}) {
        call kept{}, given{.fields = &global, .fields_numbered = &numbers};
        if (some) kept.subset = given.subset = std::vector<int>{0, s.mesh().count - 1};
        auto const y = s.a().apply(trial.numbers, trial.numbers, x, kept);
        near(about, "A x", s.a().apply(trial.numbers, trial.numbers, x, given), y, 4 * greatest(y), true);
      }
    }
  });
}

}  // namespace instances
