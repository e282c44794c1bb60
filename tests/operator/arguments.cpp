// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a caller may pass wrongly, and what the message says: the thing, the problem, both numbers.
#include "own_forms.hpp"
#include "problems.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/tools/tune.hpp>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <string>

namespace {

using sumfac::index_t;

constexpr int n = 3;  // nodes per direction of degree 2
constexpr index_t elements = 5;

using operator_type = sumfac::bp3<2>;
using view4 = sumfac::view<double, sumfac::dextents<4>>;
using const_view4 = sumfac::view<double const, sumfac::dextents<4>>;

mesh::nodes curved()
{
  auto const points = reference::gauss_lobatto(3);
  return mesh::mapped(mesh::box({5, 1, 1}, points), mesh::smooth{});
}

// Options in any order, and those that are usual, said or not, are one type.
template <class Operator, class... Same>
constexpr bool are_one = (std::is_same_v<Operator, Same> && ...);
template <class... Options>
using mass_by = sumfac::element_operator<sumfac::mass, 2, Options...>;
constexpr sumfac::tuning pairs{.elements = 2, .padding = 1};
static_assert(
    are_one<sumfac::bp1<2>, mass_by<>, mass_by<sumfac::host>, mass_by<sumfac::stored, double, sumfac::gauss<4>>,
            mass_by<sumfac::tuned<sumfac::tuning{.way = sumfac::variant::planes}>>>);
static_assert(
    are_one<sumfac::bp1<2, sumfac::checked, float, sumfac::affine>, mass_by<sumfac::affine, sumfac::checked, float>,
            mass_by<float, sumfac::affine, sumfac::checked>>);
static_assert(
    are_one<mass_by<sumfac::gauss<5>, sumfac::checked, sumfac::high_low, sumfac::split, sumfac::tuned<pairs>>,
            mass_by<sumfac::tuned<pairs>, sumfac::split, sumfac::high_low, sumfac::checked, sumfac::gauss<5>>>);
static_assert(!are_one<mass_by<sumfac::checked>, mass_by<sumfac::checked, sumfac::tuned<pairs>>>);
static_assert(mass_by<sumfac::tuned<pairs>, sumfac::checked>::tuned == pairs);
static_assert(mass_by<sumfac::split, sumfac::gauss<5>>::points_1d == 5);
static_assert(are_one<sumfac::with_tuning<mass_by<sumfac::affine, sumfac::checked>, pairs>,
                      mass_by<sumfac::checked, sumfac::affine, sumfac::tuned<pairs>>>);

template <class Form, auto Space, class... Options>
constexpr int count_options(sumfac::basic_operator<Form, Space, Options...> const*)
{
  return sizeof...(Options);
}
static_assert(count_options(static_cast<mass_by<sumfac::host, double>*>(nullptr)) == 0);
static_assert(count_options(static_cast<mass_by<sumfac::host, float, sumfac::affine>*>(nullptr)) == 2);

// The message of the argument_error that f throws, which holds all the parts.
template <class Function>
void refused(Function const& f, std::initializer_list<std::string> parts)
{
  try {
    f();
  } catch (sumfac::argument_error const& error) {
    std::string const message = error.what();
    INFO(message);
    CHECK(message.find("sumfac::") == 0);
    for (std::string const& part : parts) {
      INFO("should say '" << part << "'");
      CHECK(message.find(part) != std::string::npos);
    }
    return;
  }
  FAIL("no argument_error, but one was expected that says '" << *parts.begin() << "'");
}

struct fixture {
  mesh::nodes mesh = curved();
  operator_type a{sumfac::host{}, checks::nodes_view(mesh)};
  std::vector<double> u = support::random<double>(1000, 1), v = std::vector<double>(1000, 7);

  bool untouched() const
  {
    return std::all_of(v.begin(), v.end(), [](double x) { return x == 7; });
  }
};

}  // namespace

TEST_CASE_METHOD(fixture, "operator: E-vectors of the wrong shape are refused with both numbers, v unwritten")
{
  const_view4 const good_u(u.data(), elements, n, n, n);
  view4 const good_v(v.data(), elements, n, n, n);
  for (int dimension = 0; dimension < 4; ++dimension)
    for (index_t const change : {-1, 1}) {
      index_t e[4] = {elements, n, n, n};
      std::string const expected = std::to_string(e[dimension]);
      e[dimension] += change;
      std::string const got = std::to_string(e[dimension]), extent = "extent " + std::to_string(dimension);
      const_view4 const bad_u(u.data(), e[0], e[1], e[2], e[3]);
      view4 const bad_v(v.data(), e[0], e[1], e[2], e[3]);
      refused([&] { a.apply(bad_u, good_v); }, {extent, "of u", "expected " + expected, "got " + got});
      refused([&] { a.apply(good_u, bad_v); }, {extent, "of v", "expected " + expected, "got " + got});
      refused([&] { a.diagonal(bad_v); }, {extent, "of d", "expected " + expected, "got " + got});
    }
  CHECK(untouched());
  a.apply(good_u, good_v);
  CHECK(!untouched());
}

TEST_CASE_METHOD(fixture, "operator: null data is refused")
{
  const_view4 const good_u(u.data(), elements, n, n, n), no_u(nullptr, elements, n, n, n);
  view4 const good_v(v.data(), elements, n, n, n), no_v(nullptr, elements, n, n, n);
  refused([&] { a.apply(no_u, good_v); }, {"u is null", "135"});
  refused([&] { a.apply(good_u, no_v); }, {"v is null", "135"});
  refused([&] { a.diagonal(no_v); }, {"d is null", "135"});
  refused(
      [&] { operator_type(sumfac::host{}, sumfac::view<double const, sumfac::dextents<5>>(nullptr, 5, 3, 3, 3, 3)); },
      {"null"});
  CHECK(untouched());
}

TEST_CASE_METHOD(fixture, "operator: u and v that share memory are refused, neighbours are not")
{
  constexpr index_t size = elements * n * n * n;
  std::vector<double> both(3 * static_cast<std::size_t>(size), 1);
  auto const at = [&](index_t first) { return view4(both.data() + first, elements, n, n, n); };
  for (index_t const shift : {index_t{0}, index_t{1}, index_t{27}, size - 1}) {
    refused([&] { a.apply(at(0), at(shift)); }, {"u and v overlap"});
    refused([&] { a.apply(at(shift), at(0)); }, {"u and v overlap"});
  }
  CHECK(std::all_of(both.begin(), both.end(), [](double x) { return x == 1; }));
  a.apply(at(0), at(size));
  a.apply(at(2 * size), at(size));
  // In layouts whose memory reaches further than their entries.
  using interleaved = sumfac::layout_interleaved<8>;
  using lanes = sumfac::view<double, sumfac::dextents<4>, interleaved>;
  refused([&] { a.apply(lanes(both.data(), elements, n, n, n), at(8 * 26 + 4)); }, {"u and v overlap"});
  a.apply(lanes(both.data(), elements, n, n, n), at(8 * 27));
}

TEST_CASE_METHOD(fixture, "operator: the matrix of an element that does not exist is refused")
{
  for (index_t const e : {index_t{-1}, elements, index_t{1} << 40})
    refused([&] { static_cast<void>(a.element_matrix(e)); }, {"element", "got " + std::to_string(e), "4"});
}

TEST_CASE("operator: no elements, nothing to do")
{
  std::vector<double> const none;
  sumfac::view<double const, sumfac::dextents<5>> const nodes(nullptr, 0, 2, 2, 2, 3);
  auto const check = [&](auto const& a) {
    CHECK(a.elements() == 0);
    a.apply(const_view4(nullptr, 0, n, n, n), view4(nullptr, 0, n, n, n));
    double one = 1;
    a.apply(const_view4(&one, 0, n, n, n), view4(&one, 0, n, n, n));
    a.diagonal(view4(nullptr, 0, n, n, n));
    CHECK(one == 1);
    CHECK(a.work().flops == 0);
    CHECK(a.work().bytes_read == 0);
    CHECK(a.work().bytes_written == 0);
    refused([&] { static_cast<void>(a.element_matrix(0)); }, {"element", "got 0"});
    // Still no licence for wrong shapes.
    refused([&] { a.apply(const_view4(nullptr, 0, n, n, n + 1), view4(nullptr, 0, n, n, n)); }, {"of u", "got 4"});
  };
  check(sumfac::bp1<2>(sumfac::host{}, nodes));
  check(sumfac::bp3<2>(sumfac::host{}, nodes));
  check(sumfac::bp35<2>(sumfac::host{2}, nodes));
  check(sumfac::bp35<2, sumfac::checked>(sumfac::checked{}, nodes));
}

TEST_CASE_METHOD(fixture, "operator: a result that overlaps itself is refused; an argument may")
{
  using shape = sumfac::dextents<4>;
  using strided = sumfac::layout_stride::mapping<shape>;
  strided const all_one(shape(elements, n, n, n), {0, 9, 3, 1}), close(shape(elements, n, n, n), {26, 9, 3, 1});
  auto const to = [&](strided const& map) { return sumfac::view<double, shape, sumfac::layout_stride>(v.data(), map); };
  const_view4 const good_u(u.data(), elements, n, n, n);
  refused([&] { a.apply(good_u, to(all_one)); }, {"v overlaps itself", "135 entries", "span of 27"});
  refused([&] { a.diagonal(to(close)); }, {"d overlaps itself", "135 entries", "span of 131"});
  // A span larger than the entries are many, but i and j meet: a step of 4 is two steps of 2.
  strided const meeting(shape(elements, n, n, n), {100, 30, 2, 4});
  refused([&] { a.apply(good_u, to(meeting)); }, {"v overlaps itself", "dimensions 2 and 3", "strides 2 and 4"});
  CHECK(untouched());
  a.apply(sumfac::view<double const, shape, sumfac::layout_stride>(u.data(), all_one),
          view4(v.data(), elements, n, n, n));
  CHECK_FALSE(untouched());
}

TEST_CASE_METHOD(fixture, "operator: vectors may run backwards, and are refused where they share memory all the same")
{
  using shape = sumfac::dextents<4>;
  constexpr index_t nodes = n * n * n;
  sumfac::layout_stride::mapping<shape> const backwards(shape(elements, n, n, n), {-nodes, -n * n, -n, -1});
  constexpr index_t last = elements * nodes - 1;
  auto const reversed = [&](auto* first) { return sumfac::view(first + last, backwards); };
  std::vector<double> expected(last + 1), turned(u.begin(), u.begin() + last + 1), got(last + 1);
  std::reverse(turned.begin(), turned.end());
  a.apply(const_view4(u.data(), elements, n, n, n), view4(expected.data(), elements, n, n, n));
  a.apply(reversed(std::as_const(turned).data()), reversed(got.data()));
  std::reverse(got.begin(), got.end());
  CHECK(got == expected);
  a.diagonal(view4(expected.data(), elements, n, n, n));
  a.diagonal(reversed(got.data()));
  std::reverse(got.begin(), got.end());
  CHECK(got == expected);

  auto const message = "u and v overlap (v begins 0 bytes behind u's begin, u spans 1080 bytes)";
  view4 const forwards(v.data(), elements, n, n, n);
  refused([&] { a.apply(reversed(v.data()), forwards); }, {message});
  refused([&] { a.apply(forwards, reversed(v.data())); }, {message});
  refused([&] { a.apply(reversed(v.data()), reversed(v.data())); }, {message});
  CHECK(untouched());
}

TEST_CASE("operator: mesh nodes of the wrong shape are refused")
{
  std::vector<double> const x(100000, 0.5);
  auto const build = [&](index_t e, index_t k, index_t j, index_t i, index_t c) {
    operator_type(sumfac::host{}, sumfac::view<double const, sumfac::dextents<5>>(x.data(), e, k, j, i, c));
  };
  refused([&] { build(2, 2, 2, 2, 2); }, {"3", "2"});
  refused([&] { build(2, 2, 2, 2, 4); }, {"3", "4"});
  refused([&] { build(index_t{1} << 62, 2, 2, 2, 3); }, {"extent 0", "too large", "got 4611686018427387904"});
  refused([&] { build(2, 3, 2, 2, 3); }, {"3", "2"});
  refused([&] { build(2, 2, 3, 2, 3); }, {"3", "2"});
  refused([&] { build(2, 2, 2, 3, 3); }, {"3", "2"});
  refused([&] { build(2, 1, 1, 1, 3); }, {"1", "2"});
  refused([&] { build(2, 17, 17, 17, 3); }, {"17", "16"});
}

TEST_CASE("operator: a coefficient that is no finite number is refused")
{
  auto const mesh = mesh::box({1, 1, 1});
  for (double const lambda : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    refused([&] { sumfac::bp35<1>(sumfac::host{}, checks::nodes_view(mesh), {.lambda = lambda}); },
            {"sumfac::stiffness", "lambda is not a finite number"});
}

// Of other operators than the one above.
#if !defined(SUMFAC_TESTS_FEW)
TEST_CASE("operator: E-vectors of the wrong number of components are refused")
{
  auto const mesh = curved();
  sumfac::bp2<1> const a(sumfac::host{}, checks::nodes_view(mesh));
  std::vector<double> u(1000), v(1000, 7);
  using view5 = sumfac::view<double, sumfac::dextents<5>>;
  refused([&] { a.apply(view5(u.data(), elements, 2, 2, 2, 2), view5(v.data(), elements, 3, 2, 2, 2)); },
          {"extent 1", "components", "of u", "expected 3", "got 2"});
  refused([&] { a.apply(view5(u.data(), elements, 3, 2, 2, 2), view5(v.data(), elements, 4, 2, 2, 2)); },
          {"extent 1", "components", "of v", "expected 3", "got 4"});
}

// Credited counts of bake_off.md, per element with n nodes and g points per direction.
TEST_CASE("operator: work is counted as the bake-off problems are")
{
  auto const mesh = curved();
  auto const check = [&](auto const& a, index_t reads, index_t flops, index_t scalar) {
    constexpr index_t line = std::decay_t<decltype(a)>::nodes_1d, nodes = line * line * line;
    CHECK(a.work().bytes_read == elements * scalar * reads);
    CHECK(a.work().bytes_written == elements * scalar * nodes);
    CHECK(a.work().flops == elements * flops);
  };
  // N = 2: n = 3, Np = 27; g = 4, glNp = 64; 4 (g n^3 + g^2 n^2 + g^3 n) = 4 (108 + 144 + 192) = 1776
  check(sumfac::bp1<2>(sumfac::host{}, checks::nodes_view(mesh)), 27 + 64, 1776 + 64, 8);
  check(sumfac::bp3<2>(sumfac::host{}, checks::nodes_view(mesh)), 27 + 7 * 64, 1776 + 12 * 256 + 19 * 64, 8);
  check(sumfac::bp35<2>(sumfac::host{}, checks::nodes_view(mesh)), 8 * 27, 12 * 81 + 15 * 27, 8);
  check(sumfac::bp5<2>(sumfac::host{}, checks::nodes_view(mesh)), 7 * 27, 12 * 81 + 15 * 27, 8);
  // Forms that evaluate or test gradients alone differentiate once. Of a point each has what apply does.
  using advection = sumfac::element_operator<checks::advection, 2, sumfac::gauss<4>>;
  using transposed = sumfac::element_operator<checks::conservative_advection, 2, sumfac::gauss<4>>;
  check(advection(sumfac::host{}, checks::nodes_view(mesh)), 27 + 3 * 64, 1776 + 6 * 256 + 5 * 64, 8);
  check(transposed(sumfac::host{}, checks::nodes_view(mesh)), 27 + 3 * 64, 1776 + 6 * 256 + 3 * 64, 8);
  check(sumfac::bp35<2, sumfac::host, float>(sumfac::host{}, checks::nodes_view(mesh)), 8 * 27, 12 * 81 + 15 * 27, 4);
}
#endif
