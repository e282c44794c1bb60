// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The elements of other processes behind sides of a process' own: found by their vertices, or in the whole mesh, and
// fetched.
#pragma once

#include <sumfac/interop/detail/agree.hpp>
#include <sumfac/interop/detail/shared_nodes.hpp>
#include <sumfac/mesh/interior_faces.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// As a halo, for agree_on_check().
struct all_of {
  MPI_Comm comm;
  void agree(char const* where, char const* problem) const { agree_on(comm, where, problem); }
};

// An element of this or another process.
struct placed_element {
  std::int64_t rank, element;
  friend auto operator<=>(placed_element const&, placed_element const&) = default;
};

// Elements' nodes, n^D each, by their places among all of these, which ascend as their numbers in the whole mesh do.
template <int Directions>
struct places_of_nodes {
  std::vector<std::int64_t> node;  // of each place the number
  std::vector<index_t> place;
  index_t elements, n;

  places_of_nodes(std::vector<std::int64_t> const& rows, index_t count, index_t along)
      : node(rows), elements(count), n(along)
  {
    std::sort(node.begin(), node.end());
    node.erase(std::unique(node.begin(), node.end()), node.end());
    for (auto const x : rows) place.push_back(std::lower_bound(node.begin(), node.end(), x) - node.begin());
  }
  auto table() const { return element_view<Directions>(place.data(), elements, n); }
  index_t nodes() const { return static_cast<index_t>(node.size()); }
};

// The elements of others behind sides that one element alone has here, each once, by rank.
template <int Directions>
std::vector<placed_element> elements_behind(MPI_Comm comm, char const* here, places_of_nodes<Directions> const& own)
{
  constexpr std::size_t key = 5, record = key + 2;  // vertices and a node inside; then element and side
  auto told = lists_for_all(comm), answers = told;
  agree_on_check(all_of{comm}, here, [&] {
    node_table const table = make_node_table(host{1}, own.table(), own.nodes(), {});
    for_each_side(table, own.nodes(), [&](element_side const& at, element_side const* other) {
      if (other != nullptr) return;
      auto const number = [&](auto place) { return own.node[static_cast<std::size_t>(place)]; };
      side_vertices const v = vertices_of(table, at);
      std::array<std::int64_t, record> numbers{};
      for (std::size_t i = 0; i < static_cast<std::size_t>(v.count); ++i) numbers[i] = number(v.numbers[i]);
      numbers[key - 1] = table.nodes_1d() > 2 && table.directions() > 1 ? number(inner_node_of(table, at)) : 0;
      numbers[key] = at.element, numbers[key + 1] = at.side;
      auto& to = told[static_cast<std::uint64_t>(numbers[0]) % told.size()];
      to.insert(to.end(), numbers.begin(), numbers.end());
    });
  });
  // Each side is looked after by the process that its least vertex names.
  struct heard_side {
    std::array<std::int64_t, key> numbers;
    placed_element of;
    std::int64_t side;
  };
  std::vector<heard_side> all;
  auto const heard = exchange_lists(comm, told);
  for (std::size_t p = 0; p < heard.size(); ++p)
    for (std::size_t i = 0; i < heard[p].size(); i += record) {
      heard_side s{{}, {static_cast<std::int64_t>(p), heard[p][i + key]}, heard[p][i + key + 1]};
      std::copy_n(heard[p].begin() + static_cast<std::ptrdiff_t>(i), key, s.numbers.begin());
      all.push_back(s);
    }
  std::stable_sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.numbers < b.numbers; });
  first_problem text;
  for (std::size_t i = 0, next = 0; i < all.size(); i = next) {
    while (next < all.size() && all[next].numbers == all[i].numbers) ++next;
    if (next == i + 1) continue;
    auto const &one = all[i].of, &other = all[i + 1].of;
    if (next > i + 2) {
      auto const& third = all[i + 2].of;
      text.say(
          "a face belongs to more than two elements (side %d of element %lld of process %d, %d of %lld of %d, %d of "
          "%lld of %d; 1 or 2 elements expected): give only nodes that coincide the same number in the whole mesh",
          static_cast<int>(all[i].side), static_cast<long long>(one.element), static_cast<int>(one.rank),
          static_cast<int>(all[i + 1].side), static_cast<long long>(other.element), static_cast<int>(other.rank),
          static_cast<int>(all[i + 2].side), static_cast<long long>(third.element), static_cast<int>(third.rank));
      continue;
    }
    for (auto const& [to, behind] : {std::pair{one, other}, std::pair{other, one}}) {
      auto& list = answers[static_cast<std::size_t>(to.rank)];
      list.push_back(behind.rank), list.push_back(behind.element);
    }
  }
  agree_on(comm, here, text);
  std::vector<placed_element> found;
  for (auto const& list : exchange_lists(comm, answers))
    for (std::size_t i = 0; i < list.size(); i += 2) found.push_back({list[i], list[i + 1]});
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// A mesh that has a process' own elements and all that lie behind their sides: the places in it of own ones, and of
// each of its elements the process and the number in the whole mesh.
template <class Around>
concept knows_elements_behind = requires(Around const& around, index_t e) {
  around.mesh().interior_faces();
  around.elements();
  around.element(e);
  around.process(e);
  around.number(e);
};

// That of a space_part: the whole mesh.
template <class Part>
struct whole_mesh_of {
  Part const& part;

  auto const& mesh() const { return part.space().mesh(); }
  index_t elements() const { return part.elements(); }
  index_t element(index_t i) const { return part.element(i); }
  int process(index_t e) const { return part.process(e); }
  std::int64_t number(index_t e) const { return e; }
};
template <class Part>
concept has_whole_mesh = requires(Part const& part, index_t e) {
  part.space().mesh().interior_faces();
  part.element(e);
  part.process(e);
};

// The elements of others behind sides that a process' own have there, by their places in the mesh.
template <class Around>
std::vector<placed_element> elements_behind(Around const& around, face_pairs const& pairs)
{
  std::vector<placed_element> found;
  auto const add = [&](index_t of, index_t e) {
    if (e >= 0 && around.process(e) != around.process(of)) found.push_back({around.process(e), e});
  };
  for (index_t i = 0; i < around.elements(); ++i)
    for (int side = 0; side < pairs.sides(); ++side) {
      auto const& other = pairs.behind(around.element(i), side);
      add(around.element(i), other.element);
      for (int p = 0; other.divided >= 0 && p < pairs.parts_of_side(); ++p)
        add(around.element(i), pairs.part(around.element(i), side, p).element);
    }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// The numbers of each of these elements, in their order, where numbers_of(e, list) adds those of an own one.
template <class Function>
std::vector<std::int64_t> fetch_elements(MPI_Comm comm, std::vector<placed_element> const& wanted,
                                         Function const& numbers_of)
{
  auto to = lists_for_all(comm), back = to;
  for (auto const& of : wanted) to[static_cast<std::size_t>(of.rank)].push_back(of.element);
  auto const asked = exchange_lists(comm, to);
  for (std::size_t p = 0; p < asked.size(); ++p)
    for (std::int64_t const e : asked[p]) numbers_of(static_cast<index_t>(e), back[p]);
  std::vector<std::int64_t> all;
  for (auto const& list : exchange_lists(comm, back)) all.insert(all.end(), list.begin(), list.end());
  return all;
}

// The nodes of elements of others behind sides that elements of the table have alone here, n^D each; `nodes` has owner
// and number of this process'.
template <class Table, class Nodes>
numbered_nodes nodes_behind(MPI_Comm comm, char const* here, Table const& table, Nodes const& nodes)
{
  constexpr int directions = int{Table::rank()} - 1;
  std::vector<index_t> local;
  std::vector<std::int64_t> rows;
  for (index_t e = 0; e < table.extent(0); ++e)
    for_each_place<directions>(static_cast<int>(table.extent(1)), [&](int k, int j, int i) {
      local.push_back(static_cast<index_t>(entry_at<directions>(table, e, k, j, i)));
      rows.push_back(nodes.number(local.back()));
    });
  auto const found = elements_behind(comm, here, places_of_nodes<directions>(rows, table.extent(0), table.extent(1)));
  auto const each = node_box(static_cast<int>(table.extent(1)), directions).all();
  auto const got = fetch_elements(comm, found, [&](index_t e, std::vector<std::int64_t>& list) {
    for (index_t p = e * each; p < (e + 1) * each; ++p) {
      index_t const node = local[static_cast<std::size_t>(p)];
      list.push_back(nodes.owner(node)), list.push_back(nodes.number(node));
    }
  });
  numbered_nodes behind;
  for (std::size_t i = 0; i < got.size(); i += 2)
    behind.owner.push_back(static_cast<int>(got[i])), behind.number.push_back(got[i + 1]);
  return behind;
}

}  // namespace sumfac::detail
