// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Gather and scatter by hand, of every layout and kind of integer, with what a restriction says of itself.
#include "moves.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/math/pack.hpp>

#include <thread>

using namespace checks;

TEMPLATE_TEST_CASE("restriction: gather and scatter by hand", "", (sumfac::host), (sumfac::checked))
{
  // Two elements of degree 1 side by side; node 5 is constrained.
  std::vector<std::int32_t> const table{0, 1, 3, 4, 6, 7, 9, 10, 1, 2, 4, 5, 7, 8, 10, 11};
  std::vector<char> marks(12);
  marks[5] = 1;
  sumfac::restriction const r(TestType{}, checks::table_view(table, 2, 2), 12,
                              sumfac::view<char const, sumfac::dextents<1>>(marks.data(), 12));
  CHECK(r.elements() == 2);
  CHECK(r.nodes() == 12);
  CHECK(r.nodes_1d() == 2);
  CHECK(r.components() == 1);
  CHECK(r.size() == 12);
  CHECK(r.constrained() == 1);
  std::vector<double> x(12), u(16, -1), y(12, -1);
  std::iota(x.begin(), x.end(), 100);
  r.gather(checks::global_view(std::as_const(x)), sumfac::view(u.data(), 2, 2, 2, 2));
  CHECK(u == std::vector<double>{100, 101, 103, 104, 106, 107, 109, 110, 101, 102, 104, 0, 107, 108, 110, 111});
  std::iota(u.begin(), u.end(), 1);
  r.scatter(sumfac::view<double const, sumfac::dextents<4>>(u.data(), 2, 2, 2, 2), checks::global_view(y));
  CHECK(y == std::vector<double>{1, 2 + 9, 10, 3, 4 + 11, 0, 5, 6 + 13, 14, 7, 8 + 15, 16});
}

TEST_CASE("restriction: what it says of itself, and its defaults")
{
  auto const numbers = mesh::numbered({2, 1, 1}, 2);
  restricted_mesh mesh{numbers, 3, checks::random_marks(numbers.nodes, 3, 4, 2)};
  auto const r = mesh.restriction<float, sumfac::host, std::int32_t>(sumfac::host{});
  CHECK(r.elements() == 2);
  CHECK(r.nodes() == 45);
  CHECK(r.components() == 3);
  CHECK(r.nodes_1d() == 3);
  CHECK(r.size() == 135);
  CHECK(r.constrained() == 135 - std::count(mesh.marks.begin(), mesh.marks.end(), 0));
  CHECK(r.options().components_lie == interleaving::fastest);
  CHECK(r.options().policy == scatter::deterministic);
  CHECK(r.options().rows == sumfac::constrained_rows::identity);
}

TEST_CASE("restriction: all marked components of a node, or the node")
{
  auto const numbers = mesh::numbered({2, 2, 1}, 2, 3);
  std::vector<std::uint8_t> by_node(static_cast<std::size_t>(numbers.nodes));
  by_node[3] = 1, by_node[17] = 200;
  restricted_mesh mesh{numbers, 3, std::vector<std::uint8_t>(3 * by_node.size())};
  for (int const node : {3, 17})
    for (int c = 0; c < 3; ++c) mesh.marks[static_cast<std::size_t>(3 * node + c)] = 1;
  auto const table = numbers.table_of<std::uint32_t>();
  for (auto const way : {interleaving::fastest, interleaving::slowest}) {
    sumfac::restriction const r(sumfac::host{}, checks::table_view(table, 4, 3), numbers.nodes,
                                sumfac::view<std::uint8_t const, sumfac::dextents<1>>(by_node.data(), numbers.nodes),
                                {.components = 3, .components_lie = way});
    CHECK(r.constrained() == 6);
    moves_exactly<3>(mesh, r);
  }
}

TEST_CASE("restriction: E-vectors of every layout")
{
  auto const numbers = mesh::by_entities({3, 3, 1}, 3);
  restricted_mesh one{numbers, 1, checks::random_marks(numbers.nodes, 1, 6, 5)};
  restricted_mesh three{numbers, 3, checks::random_marks(numbers.nodes, 3, 6, 5)};
  constexpr int w = sumfac::native_width<double>;
  auto const check = [&](auto const& backend) {
    using backend_type = std::decay_t<decltype(backend)>;
    auto const r1 = one.restriction<double, backend_type>(backend);
    auto const r3 = three.restriction<double, backend_type>(backend);
    moves_exactly<1, sumfac::layout_left>(one, r1);
    moves_exactly<3, sumfac::layout_left>(three, r3);
    moves_exactly<1, sumfac::layout_interleaved<w>>(one, r1);
    moves_exactly<3, sumfac::layout_interleaved<w>>(three, r3);
    moves_exactly<1, sumfac::layout_interleaved<3>>(one, r1);
    moves_exactly<3, sumfac::layout_interleaved<2 * w>>(three, r3);
  };
  check(sumfac::host{2});
  check(sumfac::checked{});
}

TEST_CASE("restriction: tables of every integer and layout")
{
  restricted_mesh const mesh{mesh::numbered({3, 1, 2}, 2, 5)};
  using extents = sumfac::dextents<4>;
  extents const shape(6, 3, 3, 3);
  auto const copied = [&](auto number, auto const& map) {
    using index = decltype(number);
    using layout = typename std::decay_t<decltype(map)>::layout_type;
    std::vector<index> memory(static_cast<std::size_t>(map.required_span_size()), index(77));
    sumfac::view<index, extents, layout> const view(memory.data(), map);
    for (int e = 0; e < 6; ++e)
      for (int i = 0; i < 27; ++i) view(e, i / 9, i / 3 % 3, i % 3) = static_cast<index>(mesh.numbers.element(e)[i]);
    moves_exactly<1>(mesh, sumfac::restriction(sumfac::host{}, view, mesh.numbers.nodes));
  };
  copied(std::int32_t{}, sumfac::layout_right::mapping<extents>(shape));
  copied(std::uint32_t{}, sumfac::layout_left::mapping<extents>(shape));
  copied(std::uint64_t{}, sumfac::layout_interleaved<4>::mapping<extents>(shape));
  index_t const apart[4] = {40, 12, 3, 1};
  copied(std::int64_t{}, sumfac::layout_stride::mapping<extents>(shape, apart));
}

TEST_CASE("restriction: the same element many times over")
{
  auto const one = mesh::numbered({1, 1, 1}, 3);
  for (int const count : {2, 9, 33}) {
    auto const mesh = restricted_mesh{mesh::selected(one, std::vector<int>(static_cast<std::size_t>(count)))};
    for (auto const policy : {scatter::deterministic, scatter::atomic})
      moves_exactly<1>(mesh, mesh.restriction<double, sumfac::host>(sumfac::host{2}, {.policy = policy, .blocks = 4}));
    auto const r = mesh.restriction<double, sumfac::host>(sumfac::host{});
    std::vector<double> const ones(mesh.local_size(), 1);
    std::vector<double> y(64);
    r.scatter(sumfac::view(ones.data(), count, 4, 4, 4), checks::global_view(y));
    CHECK(y == std::vector<double>(64, count));
  }
}

TEST_CASE("restriction: scattered ones count the elements of each node")
{
  restricted_mesh const mesh{mesh::numbered({4, 3, 2}, 3, 2)};
  auto const r = mesh.restriction<double, sumfac::host>(sumfac::host{});
  std::vector<double> const ones(mesh.local_size(), 1);
  std::vector<double> y(mesh.size());
  r.scatter(sumfac::view(ones.data(), 24, 4, 4, 4), checks::global_view(y));
  auto const count = mesh.numbers.multiplicity();
  for (std::size_t i = 0; i < y.size(); ++i) CHECK(y[i] == count[i]);
}

TEST_CASE("restriction: it may be moved")
{
  restricted_mesh const mesh{mesh::numbered({3, 2, 1}, 2, 2)};
  auto r = mesh.restriction<double, sumfac::host>(sumfac::host{});
  auto const moved = std::move(r);
  moves_exactly<1>(mesh, moved);
  auto again = mesh.restriction<double, sumfac::host>(sumfac::host{});
  auto& same = again;
  again = std::move(same);
  moves_exactly<1>(mesh, again);
}

TEST_CASE("restriction: two uses at once are refused, and no others after them")
{
  restricted_mesh const mesh{mesh::numbered({3, 2, 1}, 2, 2)};
  auto const r = mesh.restriction<double, sumfac::host>(sumfac::host{1});
  std::vector<double> const ones(mesh.local_size(), 1);
  std::vector<double> y(mesh.size()), z(mesh.size());
  auto const scatter = [&] { r.scatter(sumfac::view(ones.data(), 6, 3, 3, 3), checks::global_view(z)); };
  auto const is_refused = [&](char const* who) {
    checks::refused(scatter, {"sumfac::restriction: ", who, " is at work with it", "make one for each"});
  };
  auto const meanwhile = [&](auto const&...) {
    is_refused("a call around this one");
    std::thread(is_refused, "another thread").join();
  };
  r.storage().sweep(nullptr, y.data(), sumfac::detail::sweep_mode::write, sumfac::detail::row_action::none, meanwhile);
  scatter();
  auto const count = mesh.numbers.multiplicity();
  for (std::size_t i = 0; i < z.size(); ++i) CHECK(z[i] == count[i]);
}

TEST_CASE("restriction: no elements, nothing to do")
{
  std::vector<std::int32_t> const none;
  sumfac::restriction const r(sumfac::host{}, checks::table_view(none, 0, 3), 0);
  CHECK(r.elements() == 0);
  CHECK(r.size() == 0);
  std::vector<double> const x;
  std::vector<double> y;
  r.gather(checks::global_view(x), sumfac::view<double, sumfac::dextents<4>>(nullptr, 0, 3, 3, 3));
  r.scatter(sumfac::view<double const, sumfac::dextents<4>>(nullptr, 0, 3, 3, 3), checks::global_view(y));
}
