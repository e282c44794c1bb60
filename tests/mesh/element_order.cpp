// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Orders of elements: like stands by like, arrays go there and back exactly, bad input is refused.
#include <sumfac/mesh/element_order.hpp>

#include <operator/mixed_mesh.hpp>
#include <support/message_of.hpp>
#include <support/random.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <string>

namespace {

using sumfac::dextents, sumfac::element_order, sumfac::geometry_class, sumfac::index_t, sumfac::view;

std::vector<geometry_class> classes_of(std::string const& kinds)
{
  std::vector<geometry_class> classes;
  for (char const kind : kinds)
    classes.push_back(kind == 'a'   ? geometry_class::affine
                      : kind == 't' ? geometry_class::trilinear
                                    : geometry_class::general);
  return classes;
}

std::string times(int count, std::string const& text)
{
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

// Elements by place, which is checked to be the inverse of places by element.
std::vector<index_t> list(element_order const& order)
{
  std::vector<index_t> elements;
  for (index_t place = 0; place < order.elements(); ++place) {
    elements.push_back(order.element_at(place));
    REQUIRE(order.place_of(elements.back()) == place);
  }
  return elements;
}

std::string in_order(element_order const& order, std::string const& kinds)
{
  std::string result;
  for (index_t const e : list(order)) result.push_back(kinds[static_cast<std::size_t>(e)]);
  return result;
}

template <class Set = sumfac::gauss_lobatto_nodes>
auto nodes_of(mesh::nodes const& mesh, Set const& set = {})
{
  int const m = mesh.nodes_1d;
  return sumfac::mesh_view(view<double const, dextents<5>>(mesh.data(), mesh.elements, m, m, m, 3), set);
}

bool all_alike(std::string const& text, std::size_t first, std::size_t length)
{
  return text.substr(first, length) == std::string(length, text[first]);
}

using support::message_of;

}  // namespace

TEST_CASE("element order: few elements, class after class")
{
  auto const order = element_order::like_by_like(classes_of("gtaagtag"));
  CHECK(list(order) == std::vector<index_t>{2, 3, 6, 1, 5, 0, 4, 7});
  CHECK(element_order::like_by_like(std::vector<geometry_class>{}).elements() == 0);
}

TEST_CASE("element order: runs of each class are spread evenly")
{
  std::string const a(64, 'a'), t(64, 't'), g(64, 'g');
  for (auto const& [kinds, expected] :
       std::vector<std::array<std::string, 2>>{{times(128, "aga"), a + g + a + a + g + a},
                                               {times(64, "gaaaa"), a + a + g + a + a},
                                               {std::string(128, 'g') + std::string(128, 'a'), a + g + a + g},
                                               {times(65, "tg") + "aa", t + g + "aatg"},
                                               {times(64, "gta"), a + t + g},
                                               {std::string(200, 't'), std::string(200, 't')}}) {
    INFO(kinds);
    CHECK(in_order(element_order::like_by_like(classes_of(kinds)), kinds) == expected);
  }
  std::string const kinds = "aaaaggaaaaa";
  CHECK(in_order(element_order::like_by_like(classes_of(kinds), 2), kinds) == "aaaaggaaaaa");
  CHECK(in_order(element_order::like_by_like(classes_of(kinds), 3), kinds) == "aaaaaaaaagg");
  CHECK(in_order(element_order::like_by_like(classes_of("gagaga"), 1), "gagaga") == "agagag");
}

TEST_CASE("element order: a permutation, stable, of runs alike")
{
  for (char const* const from : {"aatg", "ag", "tttttttttg", "atttttttttttttttttttttttttttttg"})
    for (int const count : {1, 63, 64, 65, 1000, 6400}) {
      auto const kinds = mesh::random_kinds(count, 3, from);
      INFO(count << " of " << from);
      auto const elements = list(element_order::like_by_like(classes_of(kinds)));
      auto sorted = elements;
      std::sort(sorted.begin(), sorted.end());
      std::vector<index_t> all(static_cast<std::size_t>(count));
      std::iota(all.begin(), all.end(), index_t{0});
      REQUIRE(sorted == all);

      auto const ordered = in_order(element_order::like_by_like(classes_of(kinds)), kinds);
      std::size_t in_runs = 0;
      for (char const kind : {'a', 't', 'g'}) {
        std::vector<index_t> of_kind;
        for (std::size_t p = 0; p < ordered.size(); ++p)
          if (ordered[p] == kind) of_kind.push_back(elements[p]);
        CHECK(std::is_sorted(of_kind.begin(), of_kind.end()));
        in_runs += of_kind.size() / 64 * 64;
      }
      for (std::size_t p = 0; p < in_runs; p += 64) CHECK(all_alike(ordered, p, 64));
      std::string const rest = ordered.substr(in_runs), ranks = "atg";
      CHECK(std::is_sorted(rest.begin(), rest.end(), [&](char x, char y) { return ranks.find(x) < ranks.find(y); }));

      // Whoever has the first half of the places has as many of each kind as who has the rest.
      auto const half = static_cast<std::ptrdiff_t>(in_runs / 128 * 64);
      for (char const kind : {'a', 't', 'g'}) {
        auto const first = std::count(ordered.begin(), ordered.begin() + half, kind);
        auto const behind = std::count(ordered.begin() + half, ordered.begin() + 2 * half, kind);
        CHECK(std::abs(first - behind) <= 2 * 64);
      }
    }
}

TEST_CASE("element order: found from the nodes, within the tolerance")
{
  std::string const kinds = mesh::random_kinds(300, 5);
  auto const expected = list(element_order::like_by_like(classes_of(kinds)));
  auto const lobatto = mesh::mixed(kinds, reference::gauss_lobatto(4));
  auto const equal = mesh::mixed(kinds, reference::equispaced(4));
  CHECK(list(element_order::like_by_like(nodes_of(lobatto))) == expected);
  CHECK(list(element_order::like_by_like(nodes_of(equal, sumfac::equispaced_nodes{}))) == expected);
  CHECK(list(element_order::like_by_like(nodes_of(equal))) != expected);
  // With a tolerance as large as the elements all are affine, and stay where they are.
  auto const loose = list(element_order::like_by_like(nodes_of(equal, sumfac::equispaced_nodes{}), {}, 1.0));
  CHECK(std::is_sorted(loose.begin(), loose.end()));
}

TEST_CASE("element order: arrays of any rank, layout and entries, there and back")
{
  std::string const kinds = mesh::random_kinds(150, 7);
  index_t const count = 150;
  auto const order = element_order::like_by_like(classes_of(kinds));

  std::vector<std::int32_t> numbers(150), moved(150), back(150);
  std::iota(numbers.begin(), numbers.end(), 0);
  order.apply(view<std::int32_t const, dextents<1>>(numbers.data(), count), view(moved.data(), count));
  order.undo(view(moved.data(), count), view(back.data(), count));
  for (index_t place = 0; place < count; ++place)
    CHECK(moved[static_cast<std::size_t>(place)] == order.element_at(place));
  CHECK(back == numbers);

  // From rows to packs, with room for the lanes behind the last element, to columns with gaps between.
  auto const u_data = support::random<float>(150 * 2 * 3 * 4, 1);
  std::vector<float> packs_data(152 * 2 * 3 * 4, -7.f), wide_data(2 * 150 * 2 * 3 * 4, -7.f);
  view<float const, dextents<4>> const u(u_data.data(), count, 2, 3, 4);
  view<float, dextents<4>, sumfac::layout_interleaved<4>> const packs(packs_data.data(), dextents<4>(count, 2, 3, 4));
  view<float, dextents<4>, sumfac::layout_stride> const wide(
      wide_data.data(), {dextents<4>(count, 2, 3, 4), std::array<index_t, 4>{2, 300, 600, 1800}});
  order.apply(u, packs);
  order.undo(packs, wide);
  int wrong = 0;
  for (index_t e = 0; e < count; ++e)
    for (int k = 0; k < 2; ++k)
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 4; ++i) {
          wrong += packs(e, k, j, i) != u(order.element_at(e), k, j, i) ? 1 : 0;
          wrong += wide(e, k, j, i) != u(e, k, j, i) ? 1 : 0;
        }
  CHECK(wrong == 0);
  for (std::size_t i = 1; i < wide_data.size(); i += 2) wrong += wide_data[i] != -7.f ? 1 : 0;
  CHECK(wrong == 0);
  CHECK(std::count(packs_data.begin(), packs_data.end(), -7.f) == 2 * 24);
}

TEST_CASE("element order: bad arrays are refused before anything is written")
{
  auto const order = element_order::like_by_like(classes_of("gta"));
  std::vector<double> in_data{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, out_data(12, -7);
  view<double const, dextents<2>> const in(in_data.data(), 3, 4);
  auto const both_refuse = [&](auto const& from, auto const& to, std::string const& what) {
    CHECK(message_of([&] { order.apply(from, to); }) == "sumfac::element_order::apply: " + what);
    CHECK(message_of([&] { order.undo(from, to); }) == "sumfac::element_order::undo: " + what);
    CHECK(out_data == std::vector<double>(12, -7));
  };
  using matrix = view<double, dextents<2>>;
  both_refuse(view<double const, dextents<2>>(in_data.data(), 2, 4), matrix(out_data.data(), 3, 4),
              "extent 0 (elements) of in does not match (expected 3, got 2)");
  both_refuse(in, matrix(out_data.data(), 4, 3), "extent 0 (elements) of out does not match (expected 3, got 4)");
  both_refuse(in, matrix(out_data.data(), 3, 3), "extent 1 (as of in) of out does not match (expected 4, got 3)");
  both_refuse(view<double const, dextents<2>>(nullptr, 3, 4), matrix(out_data.data(), 3, 4),
              "in is null (pointer 0, 12 entries expected): pass a view of allocated memory");
  both_refuse(in, matrix(nullptr, 3, 4),
              "out is null (pointer 0, 12 entries expected): pass a view of allocated memory");
  sumfac::layout_stride::mapping<dextents<2>> const rows_meet(dextents<2>(3, 4), {0, 1});
  both_refuse(in, view<double, dextents<2>, sumfac::layout_stride>(out_data.data(), rows_meet),
              "out overlaps itself (12 entries, but a span of 4): pass a view whose entries have places of their own");
  auto const before = in_data;
  both_refuse(view<double const, dextents<1>>(in_data.data(), 3), view<double, dextents<1>>(in_data.data() + 2, 3),
              "in and out overlap (out begins 16 bytes behind in's begin, in spans 24 bytes): pass two vectors");
  CHECK(in_data == before);
}

TEST_CASE("element order: bad meshes are refused with both numbers")
{
  std::vector<double> const data(2 * 5 * 5 * 5 * 3);
  auto const refused = [&](int m, int k, int j, int d, double const* from, double tolerance = 0) {
    view<double const, dextents<5>> const nodes(from, 2, m, k, j, d);
    return message_of([&] { element_order::like_by_like(nodes, sumfac::gauss_lobatto_nodes{}, tolerance); });
  };
  CHECK_THAT(refused(1, 1, 1, 3, data.data()),
             Catch::Contains("sumfac::classify: extent 1") && Catch::Contains("(got 1, 2 to 16 expected)"));
  CHECK_THAT(refused(4, 5, 4, 3, data.data()), Catch::Contains("extent 2") && Catch::Contains("(expected 4, got 5)"));
  CHECK_THAT(refused(4, 4, 5, 3, data.data()), Catch::Contains("extent 3") && Catch::Contains("(expected 4, got 5)"));
  CHECK_THAT(refused(4, 4, 4, 2, data.data()), Catch::Contains("extent 4") && Catch::Contains("(expected 3, got 2)"));
  CHECK_THAT(refused(4, 4, 4, 3, nullptr), Catch::Contains("is null (pointer 0, 384 entries expected)"));
  CHECK_THAT(refused(4, 4, 4, 3, data.data(), -1), Catch::Contains("tolerance") && Catch::Contains("got -1"));
  CHECK(message_of([] {
          element_order::like_by_like({geometry_class::affine, static_cast<geometry_class>(3)});
        }) == "sumfac::element_order::like_by_like: the class of element 1 is none (got 3, 0 to 2 expected)");
  CHECK(message_of([] { element_order::like_by_like(classes_of("ag"), 0); }) ==
        "sumfac::element_order::like_by_like: a run has no elements (got 0, at least 1 expected)");
}
