// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A mesh shared out among processes in several ways, and what each process has of its vectors.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/view/view.hpp>

#include <support/mesh.hpp>
#include <support/numbering.hpp>
#include <support/random.hpp>
#include <support/rows.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace shares {

// How elements are shared out. Of `last_empty` the last process has neither elements nor nodes, of `last_idle` it owns
// nodes, but has no elements; of `first_all` the first has all.
enum class way { slabs, scattered, last_empty, last_idle, first_all };

struct share {
  std::vector<int> elements;
  mesh::numbering numbers;                  // of this process: owned nodes, then ghosts
  std::vector<std::int64_t> nodes_of_mesh;  // of each node its number in the whole mesh
  std::vector<int> owner;
  std::int64_t owned = 0;

  std::int64_t nodes() const { return static_cast<std::int64_t>(owner.size()); }
};

inline int process_of(way how, int e, int elements, int processes)
{
  int const some = processes > 1 && (how == way::last_empty || how == way::last_idle) ? processes - 1 : processes;
  if (how == way::first_all) return 0;
  if (how == way::scattered) {
    auto const bits = static_cast<std::uint64_t>(e) * 2654435761u >> 7;
    return static_cast<int>(bits % static_cast<std::uint64_t>(processes));
  }
  return e * some / elements;
}

// Who has a node with an equation has the nodes of its terms, too: of unknowns node * components + component. So many
// elements side by side stay together.
inline share share_of(mesh::numbering const& all, way how, int rank, int processes,
                      std::vector<reference::equation> const& equations = {}, int components = 1, int together = 1)
{
  std::vector<std::vector<int>> users(static_cast<std::size_t>(all.nodes));
  share s;
  for (int e = 0; e < all.elements; ++e) {
    int const p = process_of(how, e / together, all.elements / together, processes);
    if (p == rank) s.elements.push_back(e);
    for (int i = 0; i < all.element_size(); ++i) {
      auto& list = users[static_cast<std::size_t>(all.element(e)[i])];
      if (std::find(list.begin(), list.end(), p) == list.end()) list.push_back(p);
    }
  }
  auto const owner_of = [&](std::int64_t node) {
    auto const& list = users[static_cast<std::size_t>(node)];
    if (how == way::last_idle && node % 5 == 0) return processes - 1;
    return list[static_cast<std::size_t>(node) % list.size()];
  };
  auto holders = users;
  auto const add = [](std::vector<int>& list, int p) {
    bool const is_new = std::find(list.begin(), list.end(), p) == list.end();
    if (is_new) list.push_back(p);
    return is_new;
  };
  for (std::int64_t node = 0; node < all.nodes; ++node) add(holders[static_cast<std::size_t>(node)], owner_of(node));
  for (bool more = true; more;) {
    more = false;
    auto const each = static_cast<std::size_t>(components);
    for (auto const& row : equations)
      for (auto const& [other, weight] : row.terms)
        for (int const p : std::vector(holders[row.unknown / each])) more = add(holders[other / each], p) || more;
  }
  for (bool const own : {true, false})
    for (auto const node : mesh::shuffled(all.nodes, static_cast<std::uint64_t>(rank + 3))) {
      auto const& list = holders[static_cast<std::size_t>(node)];
      int const owner = owner_of(node);
      bool const mine = owner == rank, used = std::find(list.begin(), list.end(), rank) != list.end();
      if (own ? !mine : mine || !used) continue;
      s.nodes_of_mesh.push_back(node);
      s.owner.push_back(owner);
      s.owned += own ? 1 : 0;
    }
  std::vector<std::int64_t> number(static_cast<std::size_t>(all.nodes), -1);
  for (std::size_t i = 0; i < s.nodes_of_mesh.size(); ++i)
    number[static_cast<std::size_t>(s.nodes_of_mesh[i])] = static_cast<std::int64_t>(i);
  s.numbers = mesh::selected(all, s.elements);
  for (auto& node : s.numbers.table) node = number[static_cast<std::size_t>(node)];
  s.numbers.nodes = s.nodes();
  return s;
}

// The ghosts' numbers where processes number the nodes that they own one process after another.
inline std::vector<std::int64_t> consecutive_ghosts(mesh::numbering const& all, share const& s, way how, int processes,
                                                    int together = 1)
{
  std::vector<std::int64_t> number(static_cast<std::size_t>(all.nodes));
  std::int64_t next = 0;
  for (int p = 0; p < processes; ++p) {
    share const other = share_of(all, how, p, processes, {}, 1, together);
    for (std::int64_t i = 0; i < other.owned; ++i)
      number[static_cast<std::size_t>(other.nodes_of_mesh[static_cast<std::size_t>(i)])] = next++;
  }
  std::vector<std::int64_t> ghosts;
  for (std::int64_t i = s.owned; i < s.nodes(); ++i)
    ghosts.push_back(number[static_cast<std::size_t>(s.nodes_of_mesh[static_cast<std::size_t>(i)])]);
  return ghosts;
}

// Entries of this process' owned nodes, of a vector of the whole mesh.
template <class Scalar>
std::vector<Scalar> owned_of(share const& s, std::vector<Scalar> const& all, std::int64_t nodes, int components,
                             sumfac::interleaving lie)
{
  bool const fastest = lie == sumfac::interleaving::fastest;
  std::vector<Scalar> own(static_cast<std::size_t>(s.owned * components));
  for (std::int64_t i = 0; i < s.owned; ++i)
    for (int c = 0; c < components; ++c) {
      std::int64_t const node = s.nodes_of_mesh[static_cast<std::size_t>(i)];
      own[static_cast<std::size_t>(fastest ? i * components + c : c * s.owned + i)] =
          all[static_cast<std::size_t>(fastest ? node * components + c : c * nodes + node)];
    }
  return own;
}

// Marks of this process' nodes (nodes, C), of those of the whole mesh.
inline std::vector<unsigned char> marks_of(share const& s, std::vector<unsigned char> const& all, int components)
{
  std::vector<unsigned char> marks;
  for (auto const node : s.nodes_of_mesh)
    for (int c = 0; c < components; ++c) marks.push_back(all[static_cast<std::size_t>(node * components + c)]);
  return marks;
}

// The equations of this process' nodes, in its numbers; of the whole mesh without a share.
inline sumfac::constraints rows_of(std::vector<reference::equation> const& equations, int components,
                                   share const* s = nullptr)
{
  sumfac::constraints rows;
  auto const node_of = [&](std::size_t unknown) {
    auto const node = static_cast<std::int64_t>(unknown) / components;
    if (s == nullptr) return node;
    auto const at = std::find(s->nodes_of_mesh.begin(), s->nodes_of_mesh.end(), node);
    return at == s->nodes_of_mesh.end() ? std::int64_t{-1} : at - s->nodes_of_mesh.begin();
  };
  auto const component_of = [&](std::size_t unknown) { return static_cast<int>(unknown) % components; };
  for (auto const& row : equations) {
    if (node_of(row.unknown) < 0) continue;
    std::vector<sumfac::constraint_term> terms;
    for (auto const& [other, weight] : row.terms)
      terms.push_back({node_of(other), static_cast<double>(weight), component_of(other)});
    rows.add_component(node_of(row.unknown), component_of(row.unknown), terms, static_cast<double>(row.b));
  }
  return rows;
}

template <class T>
auto vector_of(std::vector<T>& x)
{
  return sumfac::view<T, sumfac::dextents<1>>(x.data(), static_cast<sumfac::index_t>(x.size()));
}
template <class T>
auto vector_of(std::vector<T> const& x)
{
  return sumfac::view<T const, sumfac::dextents<1>>(x.data(), static_cast<sumfac::index_t>(x.size()));
}

// The box that processes share out, in how many elements, and which of its nodes' entries are fixed.
enum class fixed { some, all, none };
struct box_of {
  mesh::counts size{4, 3, 5};
  mesh::periods around{};
  shares::fixed fixed = shares::fixed::some;  // two thirds of the boundary's, all of the box, or nothing
};

// An operator on the whole mesh, and on this process' share of it.
template <class Operator>
struct problem {
  static constexpr int order = Operator::order, n = order + 1, components = Operator::components;
  using scalar = typename Operator::scalar_type;
  using restriction_type = sumfac::restriction<scalar, sumfac::host>;

  // With so many equations between unknowns that are not fixed, of random terms.
  problem(way how, int rank, int processes, sumfac::restriction_options opts, sumfac::host const& threads = {},
          box_of const& box = {}, std::size_t count = 0)
      : options(with(opts)),
        all_numbers(mesh::numbered(box.size, order, 5, box.around)),
        all_marks(marked(box.fixed)),
        equations(equations_of(count)),
        s(share_of(all_numbers, how, rank, processes, equations, components)),
        all_mesh(mesh::mapped(mesh::box(box.size), mesh::smooth{})),
        own_mesh(mesh::selected(all_mesh, s.elements)),
        own_marks(marks_of(s, all_marks, components)),
        A_all(threads, nodes_of(all_mesh)),
        A(threads, nodes_of(own_mesh)),
        R_all(threads, table_of(all_numbers), all_numbers.nodes, marks_view(all_marks, all_numbers.nodes),
              rows_of(equations, components), options),
        R(threads, table_of(s.numbers), s.nodes(), marks_view(own_marks, s.nodes()), rows_of(equations, components, &s),
          options)
  {
  }

  std::vector<scalar> random(std::uint64_t seed) const
  {
    return support::random<scalar>(static_cast<std::size_t>(all_numbers.nodes * components), seed);
  }
  std::vector<scalar> owned(std::vector<scalar> const& all) const
  {
    return owned_of(s, all, all_numbers.nodes, components, options.components_lie);
  }
  // This process' restriction with other equations.
  restriction_type with_rows(std::vector<reference::equation> const& others) const
  {
    return {
        R.backend(), table_of(s.numbers), s.nodes(), marks_view(own_marks, s.nodes()), rows_of(others, components, &s),
        options};
  }
  auto nodes() const { return nodes_of(own_mesh); }
  auto all_nodes() const { return nodes_of(all_mesh); }
  auto owners() const { return sumfac::view<int const, sumfac::dextents<1>>(s.owner.data(), s.nodes()); }
  auto numbers() const
  {
    return sumfac::view<std::int64_t const, sumfac::dextents<1>>(s.nodes_of_mesh.data(), s.nodes());
  }

  sumfac::restriction_options options;
  mesh::numbering all_numbers;
  std::vector<unsigned char> all_marks;
  std::vector<reference::equation> equations;
  share s;
  mesh::nodes all_mesh, own_mesh;
  std::vector<unsigned char> own_marks;
  Operator A_all, A;
  restriction_type R_all, R;

private:
  static sumfac::restriction_options with(sumfac::restriction_options options)
  {
    options.components = components;
    return options;
  }
  std::vector<unsigned char> marked(fixed which) const
  {
    std::vector<unsigned char> marks(static_cast<std::size_t>(all_numbers.nodes * components),
                                     which == fixed::all ? 1 : 0);
    if (which == fixed::none) return marks;
    for (auto const node : all_numbers.boundary)
      for (int c = 0; c < components; ++c)
        if ((node + c) % 3 != 0) marks[static_cast<std::size_t>(node * components + c)] = 1;
    return marks;
  }
  std::vector<reference::equation> equations_of(std::size_t count) const
  {
    auto list = reference::random_equations(all_marks.size(), count, 17);
    list.erase(std::remove_if(list.begin(), list.end(), [&](auto const& row) { return all_marks[row.unknown] != 0; }),
               list.end());
    return list;
  }
  static auto nodes_of(mesh::nodes const& m)
  {
    return sumfac::view<double const, sumfac::extents<sumfac::dynamic_extent, 2, 2, 2, 3>>(m.data(), m.elements);
  }
  static auto table_of(mesh::numbering const& m)
  {
    using shape = sumfac::extents<sumfac::dynamic_extent, n, n, n>;
    return sumfac::view<std::int64_t const, shape>(m.table.data(), m.elements);
  }
  static auto marks_view(std::vector<unsigned char> const& m, std::int64_t nodes)
  {
    return sumfac::view<unsigned char const, sumfac::dextents<2>>(m.data(), nodes, components);
  }
};

}  // namespace shares
