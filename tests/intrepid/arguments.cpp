// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a caller of the contractions may pass wrongly: every dimension of every argument of all nine, null, and nothing.
#include "intrepid/reference_contractions.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <initializer_list>
#include <stdexcept>

namespace {

using namespace contraction;

sumfac::host const backend;

// Whether the text has `word` with neither letter nor digit beside it: "C", "13".
bool says(std::string const& text, std::string const& word)
{
  auto const separates = [&](std::size_t at) {
    return at >= text.size() || !std::isalnum(static_cast<unsigned char>(text[at]));
  };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    if ((at == 0 || separates(at - 1)) && separates(at + word.size())) return true;
  return false;
}

// Whether f throws std::invalid_argument with all these words.
void refused(std::function<void()> const& f, std::initializer_list<std::string> words)
{
  std::string message;
  try {
    f();
  } catch (std::invalid_argument const& error) {
    message = error.what();
  }
  INFO("message: " << message);
  CHECK(message.find("sumfac::intrepid::") == 0);
  for (std::string const& word : words) {
    INFO("should say " << word);
    CHECK(says(message, word));
  }
}

enum class argument { out, left, right };

// Extents that no two dimensions share.
constexpr extents good{.c = 5, .l = 7, .r = 11, .p = 13, .d1 = 2, .d2 = 3, .data_p = 13};

// The letters of the table.
std::vector<std::string> letters(description f, argument which)
{
  std::string const right_field = f.what == kind::data_field ? "F" : "R";
  std::vector<std::string> result = {"C"};
  if (f.what == kind::field_field && which != argument::right) result.push_back("L");
  if (f.what != kind::data_data && which != argument::left) result.push_back(right_field);
  if (which == argument::out) {
    if (f.what == kind::field_field) result = {"C", "L", "R"};
    return result;
  }
  result.push_back("P");
  if (f.contracted == 2) result.push_back("D");
  if (f.contracted == 3) result.push_back("D1"), result.push_back("D2");
  return result;
}

// Shapes in row order and arrays large enough for any that is wrong by a little.
template <class F>
struct call {
  shapes s{F::is, used(F::is, good)};
  std::vector<double> out = std::vector<double>(2000, 7), left = std::vector<double>(20000, 1), right = left;

  std::vector<index_t>& shape(argument a)
  {
    return a == argument::out ? s.out : a == argument::left ? s.left : s.right;
  }

  void operator()(bool sum_into = false)
  {
    F::call(backend, view<F::out_rank>(out.data(), s.out), view<F::left_rank>(left.data(), s.left),
            view<F::right_rank>(right.data(), s.right), sum_into);
  }

  bool untouched() const
  {
    return std::all_of(out.begin(), out.end(), [](double x) { return x == 7; });
  }

  template <int Rank>
  static auto view(double* data, std::vector<index_t> const& e)
  {
    return [&]<int... Rs>(std::integer_sequence<int, Rs...>) {
      return sumfac::view<double, sumfac::dextents<Rank>>(data, e[std::size_t{Rs}]...);
    }(std::make_integer_sequence<int, Rank>());
  }
};

}  // namespace

// 81 dimensions of 27 arguments, each too small by one, too large by one, and 0.
TEST_CASE("intrepid: a wrong extent is refused by function, dimension and both numbers, the output unwritten")
{
  int dimensions = 0;
  for_each_function([&](auto f) {
    using F = decltype(f);
    for (auto const which : {argument::out, argument::left, argument::right}) {
      auto const names = letters(F::is, which);
      REQUIRE(names.size() == call<F>{}.shape(which).size());
      for (std::size_t r = 0; r < names.size(); ++r, ++dimensions)
        for (int const change : {-1, 1, 0}) {
          call<F> c;
          index_t& extent = c.shape(which)[r];
          std::string const right = std::to_string(extent);
          extent = change == 0 ? 0 : extent + change;
          std::string const wrong = std::to_string(extent);
          INFO(F::is.name() << ", argument " << static_cast<int>(which) << ", dimension " << r << ": " << wrong);
          refused([&] { c(change > 0); }, {F::is.name(), names[r], right, wrong});
          CHECK(c.untouched());
        }
    }
    call<F> c;
    REQUIRE_NOTHROW(c());
    CHECK_FALSE(c.untouched());
  });
  CHECK(dimensions == 81);
}

// Where a dimension is in both factors and in the output, a 1 is no exception, but for data's P.
TEST_CASE("intrepid: an extent of 1 is refused where another is expected, except data's P")
{
  for_each_function([&](auto f) {
    using F = decltype(f);
    for (auto const which : {argument::out, argument::left, argument::right}) {
      auto const names = letters(F::is, which);
      for (std::size_t r = 0; r < names.size(); ++r) {
        call<F> c;
        index_t& extent = c.shape(which)[r];
        std::string const right = std::to_string(extent);
        extent = 1;
        INFO(F::is.name() << ", argument " << static_cast<int>(which) << ", dimension " << r);
        if (F::is.what == kind::data_field && which == argument::left && names[r] == "P") {
          CHECK_NOTHROW(c());
        } else {
          refused([&] { c(); }, {F::is.name(), names[r], right, "1"});
          CHECK(c.untouched());
        }
      }
    }
  });
}

// The order of the checks: C of the factors, P, D, D1, D2, then C, L or F, R of the output.
TEST_CASE("intrepid: of two wrong extents the documented first is named")
{
  for_each_function([&](auto f) {
    using F = decltype(f);
    struct place {
      argument which;
      std::size_t dimension;
    };
    std::vector<place> order;
    auto const right_names = letters(F::is, argument::right), out_names = letters(F::is, argument::out);
    order.push_back({argument::right, 0});
    for (std::size_t r = right_names.size() - static_cast<std::size_t>(F::is.contracted); r < right_names.size(); ++r)
      order.push_back({argument::right, r});
    for (std::size_t r = 0; r < out_names.size(); ++r) order.push_back({argument::out, r});
    for (std::size_t first = 0; first < order.size(); ++first) {
      call<F> c;
      std::string right, wrong;
      for (std::size_t i = order.size(); i-- > first;) {
        index_t& extent = c.shape(order[i].which)[order[i].dimension];
        right = std::to_string(extent);
        extent += 40 + static_cast<index_t>(i);
        wrong = std::to_string(extent);
      }
      auto const name = letters(F::is, order[first].which)[order[first].dimension];
      INFO(F::is.name() << ", first wrong: " << first);
      refused([&] { c(); }, {F::is.name(), name, right, wrong});
      CHECK(c.untouched());
    }
  });
}

TEST_CASE("intrepid: null is refused where there is something to read or write")
{
  for_each_function([&](auto f) {
    using F = decltype(f);
    for (auto const which : {argument::out, argument::left, argument::right}) {
      call<F> c;
      double* const out = which == argument::out ? nullptr : c.out.data();
      double* const left = which == argument::left ? nullptr : c.left.data();
      double* const right = which == argument::right ? nullptr : c.right.data();
      refused(
          [&] {
            F::call(backend, c.template view<F::out_rank>(out, c.s.out), c.template view<F::left_rank>(left, c.s.left),
                    c.template view<F::right_rank>(right, c.s.right));
          },
          {F::is.name(), "null"});
      CHECK(c.untouched());
    }
  });
}

TEST_CASE("intrepid: no cells or no fields, with null data too, is nothing to do")
{
  for_each_function([&](auto f) {
    using F = decltype(f);
    for (extents n : {extents{.c = 0, .l = 7, .r = 11, .p = 13, .d1 = 2, .d2 = 3},
                      extents{.c = 5, .l = 0, .r = 0, .p = 13, .d1 = 2, .d2 = 3},
                      extents{.c = 0, .l = 0, .r = 0, .p = 0, .d1 = 0, .d2 = 0}})
      for (bool const sum_into : {false, true}) {
        if (F::is.what == kind::data_data && n.c > 0) continue;
        call<F> c;
        c.s = shapes(F::is, used(F::is, n));
        CHECK_NOTHROW(c(sum_into));
        CHECK(c.untouched());
        if (n.c > 0) continue;
        CHECK_NOTHROW(F::call(backend, c.template view<F::out_rank>(nullptr, c.s.out),
                              c.template view<F::left_rank>(nullptr, c.s.left),
                              c.template view<F::right_rank>(nullptr, c.s.right), sum_into));
      }
  });
}

TEST_CASE("intrepid: a sum over nothing is zero, and adds nothing")
{
  constexpr auto nan = std::numeric_limits<double>::quiet_NaN();
  for_each_function([&](auto f) {
    using F = decltype(f);
    for (int dimension = 0; dimension < F::is.contracted; ++dimension)
      for (std::size_t const data_p : {0U, 1U}) {
        extents n = good;
        (dimension == 0 ? n.p : dimension == 1 ? n.d1 : n.d2) = 0;
        n.data_p = data_p;
        call<F> c;
        c.s = shapes(F::is, used(F::is, n));
        std::size_t size = 1;
        for (index_t e : c.s.out) size *= static_cast<std::size_t>(e);
        INFO(F::is.name() << ", contracted dimension " << dimension);
        REQUIRE_NOTHROW(c(true));
        CHECK(c.untouched());
        for (std::size_t i = 0; i < size; ++i) c.out[i] = nan;
        REQUIRE_NOTHROW(c(false));
        CHECK(std::all_of(c.out.begin(), c.out.begin() + static_cast<std::ptrdiff_t>(size),
                          [](double x) { return x == 0; }));
      }
  });
}

TEST_CASE("intrepid: the same array may be both factors")
{
  for_each_function([&](auto f) {
    using F = decltype(f);
    if constexpr (F::is.what != kind::data_field) {
      extents n = good;
      n.r = n.l;
      call<F> c;
      c.s = shapes(F::is, used(F::is, n));
      auto const factor = c.template view<F::left_rank>(c.left.data(), c.s.left);
      REQUIRE_NOTHROW(F::call(backend, c.template view<F::out_rank>(c.out.data(), c.s.out), factor, factor));
      CHECK(c.out[0] == static_cast<double>(used(F::is, n).length()));
    }
  });
}

// Right beside a factor is not in it.
TEST_CASE("intrepid: an output that lies in a factor is refused, one right beside it is not")
{
  for_each_function([&](auto f) {
    using F = decltype(f);
    call<F> c;
    auto const count = [](std::vector<index_t> const& s) {
      std::size_t size = 1;
      for (index_t e : s) size *= static_cast<std::size_t>(e);
      return size;
    };
    std::size_t const outs = count(c.s.out), lefts = count(c.s.left), rights = count(c.s.right);
    std::vector<double> all(lefts + outs + rights, 1);
    double* const left = all.data();
    double* const right = left + lefts + outs;
    auto const with_output_at = [&](double* out) {
      F::call(backend, c.template view<F::out_rank>(out, c.s.out), c.template view<F::left_rank>(left, c.s.left),
              c.template view<F::right_rank>(right, c.s.right));
    };
    INFO(F::is.name());
    refused([&] { with_output_at(left + lefts - 1); }, {F::is.name(), "memory"});
    refused([&] { with_output_at(right - outs + 1); }, {F::is.name(), "memory"});
    CHECK(std::all_of(all.begin(), all.end(), [](double x) { return x == 1; }));
    REQUIRE_NOTHROW(with_output_at(left + lefts));
    CHECK(all[lefts] == static_cast<double>(used(F::is, good).length()));
    CHECK(all[lefts - 1] == 1);
    CHECK(*right == 1);
  });
}

// Only the bytes between an array's entries belong to it: an output may lie in the gaps of a factor.
TEST_CASE("intrepid: an output between the entries of a factor is allowed")
{
  double both[8] = {1, 70, 2, 70, 3, 70, 4, 70};
  using shape = sumfac::dextents<2>;
  using line = sumfac::dextents<1>;
  sumfac::layout_stride::mapping<shape> const pairs(shape(2, 2), {4, 2});
  sumfac::layout_stride::mapping<line> const seconds(line(2), {4});
  sumfac::intrepid::contractDataDataScalar(backend, sumfac::view(both + 1, seconds), sumfac::view(both + 0, pairs),
                                           sumfac::view(both + 0, pairs));
  CHECK(both[1] == 5);
  CHECK(both[5] == 25);
  CHECK((both[0] == 1 && both[2] == 2 && both[3] == 70 && both[4] == 3 && both[6] == 4 && both[7] == 70));
}

TEST_CASE("intrepid: an output that runs backwards is written backwards, and refused where a factor lies")
{
  using line = sumfac::dextents<1>;
  double memory[6] = {1, 2, 3, 4, 70, 70};
  double out[2] = {7, 7};
  sumfac::view<double const, sumfac::dextents<2>> const pairs(memory, 2, 2);
  sumfac::layout_stride::mapping<line> const backwards(line(2), {-1});
  sumfac::intrepid::contractDataDataScalar(backend, sumfac::view(out + 1, backwards), pairs, pairs);
  CHECK((out[0] == 25 && out[1] == 5));
  // Places 3 and 4, the first of which is the factor's last.
  refused([&] { sumfac::intrepid::contractDataDataScalar(backend, sumfac::view(memory + 4, backwards), pairs, pairs); },
          {"contractDataDataScalar", "shares memory"});
  CHECK((memory[3] == 4 && memory[4] == 70));
  sumfac::intrepid::contractDataDataScalar(backend, sumfac::view(memory + 5, backwards), pairs, pairs);
  CHECK((memory[4] == 25 && memory[5] == 5));
}

TEST_CASE("intrepid: an output that overlaps itself is refused, a factor may")
{
  double const ones[4] = {1, 1, 1, 1};
  double out[2] = {7, 7};
  using shape = sumfac::dextents<2>;
  using line = sumfac::dextents<1>;
  sumfac::layout_stride::mapping<line> const one_place(line(2), {0});
  sumfac::layout_stride::mapping<shape> const one_cell(shape(2, 2), {0, 1});
  sumfac::view<double const, shape> const factor(ones, 2, 2);
  refused([&] { sumfac::intrepid::contractDataDataScalar(backend, sumfac::view(out, one_place), factor, factor); },
          {"contractDataDataScalar", "overlaps itself", "2 entries", "span of 1"});
  // Four places for four entries, of which the two points share one.
  double more[4] = {7, 7, 7, 7};
  sumfac::layout_stride::mapping<shape> const points_meet(shape(2, 2), {3, 0});
  sumfac::view<double const, sumfac::dextents<3>> const fields(ones, 2, 2, 1);
  sumfac::view<double const, shape> const data(ones, 2, 1);
  refused([&] { sumfac::intrepid::contractDataFieldScalar(backend, sumfac::view(more, points_meet), data, fields); },
          {"contractDataFieldScalar", "overlaps itself", "dimensions", "strides", "3 and 0"});
  for (double x : more) CHECK(x == 7);
  CHECK((out[0] == 7 && out[1] == 7));
  sumfac::intrepid::contractDataDataScalar(backend, sumfac::view<double, line>(out, 2), sumfac::view(ones, one_cell),
                                           factor);
  CHECK((out[0] == 2 && out[1] == 2));
}

// Ranks are types, so a wrong one does not compile (tests/compile_fail); extents may be types too.
TEST_CASE("intrepid: static extents, all or some, and views of non-const factors")
{
  double left[2 * 3 * 5 * 2], right[2 * 4 * 5 * 2], out[2 * 3 * 4];
  for (int i = 0; i < 60; ++i) left[i] = i % 7 - 3;
  for (int i = 0; i < 80; ++i) right[i] = i % 5 - 2;
  reference::array const expected =
      reference::contract_field_field({.c = 2, .l = 3, .r = 4, .p = 5, .d1 = 2}, reference::array(left, left + 60),
                                      reference::array(right, right + 80));
  auto const check = [&](auto o, auto l, auto r) {
    std::fill(out, out + 24, std::numeric_limits<double>::quiet_NaN());
    sumfac::intrepid::contractFieldFieldVector(backend, o, l, r);
    CHECK(reference::array(out, out + 24) == expected);
  };
  using sumfac::dynamic_extent, sumfac::extents;
  check(sumfac::view(out, extents<2, 3, 4>()), sumfac::view(left, extents<2, 3, 5, 2>()),
        sumfac::view(right, extents<2, 4, 5, 2>()));
  check(sumfac::view(out, extents<dynamic_extent, 3, 4>(2)), sumfac::view(left, extents<dynamic_extent, 3, 5, 2>(2)),
        sumfac::view(right, 2, 4, 5, 2));
  sumfac::view<double const, extents<2, dynamic_extent, 5, 2>> const fixed(right, 4);
  check(sumfac::view(out, 2, 3, 4), sumfac::view(left, extents<2, 3, 5, 2>()), fixed);
}
