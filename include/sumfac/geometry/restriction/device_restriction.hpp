// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A restriction for backends whose kernels are run by many threads: devices, and `checked`.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/geometry/restriction/device_kernels.hpp>
#include <sumfac/geometry/restriction/device_table.hpp>
#include <sumfac/geometry/restriction/node_table.hpp>
#include <sumfac/geometry/restriction/options.hpp>
#include <sumfac/geometry/restriction/storage.hpp>
#include <sumfac/geometry/vectors/element_vector.hpp>

namespace sumfac::inline SUMFAC_TARGET::detail {

template <class Scalar, class Backend>
class restriction_storage {
public:
  restriction_storage(Backend const& backend, node_table const& table, own_vector<index_t> const& active,
                      own_vector<index_t> const& constrained, restriction_options const& options);

  device_table<Scalar> const& table() const { return table_; }

  // Calls launch(groups, count) for a list of the groups of `lanes` elements, null for all, between what must come
  // before and after; x is what constrained rows copy.
  template <class Launch>
  void sweep(int lanes, Scalar const* x, Scalar* y, sweep_mode mode, row_action rows, Launch const& launch) const;

  // The parts of a sweep that writes, for those who do more in its kernels: `clearing` before the elements where they
  // add to y, else `adding_up` behind them.
  bool adds_at_once() const { return options_.policy == scatter::atomic; }
  clear_entry<Scalar> clearing(Scalar const* x, Scalar* y, row_action rows) const { return {rows_with(x, rows), y}; }
  template <class Launch>
  void for_groups(int lanes, Launch const& launch) const;
  sum_of_node<Scalar> adding_up(Scalar const* x, Scalar* y, row_action rows,
                                sweep_mode mode = sweep_mode::write) const;

  void gather(Scalar const* x, element_vector<Scalar> const& u) const;
  void scatter(element_vector<Scalar const> const& v, Scalar* y, sweep_mode mode) const;

  // y = a at constrained entries.
  void set_constrained(Scalar* y, Scalar a) const
  {
    loop(backend_, constrained_.size(), set_listed<Scalar>{constrained_.data(), y, a});
  }

private:
  template <class T>
  using memory = memory_of<T, Backend>;

  void write_numbers(node_table const& table, own_vector<index_t> const& active);
  void list_sums(node_table const& table, own_vector<index_t> const& active);
  memory<index_t> const& groups_of(int lanes) const;
  void write_marks(own_vector<index_t> const& constrained);
  rows_of<Scalar> rows_with(Scalar const* x, row_action rows) const
  {
    return rows == row_action::copy ? rows_of<Scalar>{marks_.data(), x} : rows_of<Scalar>{};
  }

  Backend backend_;
  restriction_options options_;
  index_t nodes_ = 0;
  int n_ = 0;
  bool all_active_ = true;
  own_vector<index_t> active_list_;
  device_table<Scalar> table_;
  memory<std::uint32_t> numbers_, marks_;
  memory<index_t> active_, constrained_;
  memory<index_t> first_;         // of a node among `listed_`
  memory<std::uint32_t> listed_;  // e * n^3 + p of the elements' nodes that it is
  memory<Scalar> work_;
  // Lists of groups that subsets have, by the number of elements of a group. The memory of a list stays where it is,
  // as graphs of launches may name it.
  struct listed_groups {
    int lanes;
    memory<index_t> groups;
  };
  mutable own_vector<listed_groups> groups_;
};

template <class Scalar, class Backend>
restriction_storage<Scalar, Backend>::restriction_storage(Backend const& backend, node_table const& table,
                                                          own_vector<index_t> const& active,
                                                          own_vector<index_t> const& constrained,
                                                          restriction_options const& options)
    : backend_(backend),
      options_(options),
      nodes_(table.nodes()),
      n_(table.nodes_1d()),
      all_active_(static_cast<index_t>(active.size()) == table.elements()),
      active_list_(active),
      active_(upload(backend, active)),
      constrained_(upload(backend, constrained))
{
  bool const fastest = options.components_lie == interleaving::fastest;
  table_.elements = table.elements();
  table_.nodes_of_element = table.nodes_of_element();
  table_.step = fastest ? table.components() : 1;
  table_.stride = fastest ? 1 : table.nodes();
  write_numbers(table, active);
  write_marks(constrained);
  if (options.policy == scatter::atomic) return;
  list_sums(table, active);
  work_ = make_memory<Scalar>(backend, table.elements() * table.components() * table.nodes_of_element());
  table_.work = work_.data();
}

template <class Scalar, class Backend>
void restriction_storage<Scalar, Backend>::write_numbers(node_table const& table, own_vector<index_t> const& active)
{
  index_t const cube = table.nodes_of_element();
  int const tracked = table.has_marks() ? table.components() : 1;
  own_vector<std::uint32_t> numbers(static_cast<std::size_t>(table.elements() * tracked * cube),
                                     device_table<Scalar>::dropped);
  for (index_t const e : active)
    for (int c = 0; c < tracked; ++c)
      for (index_t p = 0; p < cube; ++p)
        if (auto const node = table(e, p); !table.constrained(node, c))
          numbers[static_cast<std::size_t>((e * tracked + c) * cube + p)] = node;
  numbers_ = upload(backend_, numbers);
  table_.numbers = numbers_.data();
  table_.component_stride = tracked > 1 ? cube : 0;
  table_.element_stride = tracked * cube;
}

template <class Scalar, class Backend>
void restriction_storage<Scalar, Backend>::write_marks(own_vector<index_t> const& constrained)
{
  if (constrained.empty()) return;
  index_t const entries = nodes_ * options_.components;
  own_vector<std::uint32_t> marks(static_cast<std::size_t>((entries + 31) / 32), 0);
  for (index_t const i : constrained) marks[static_cast<std::size_t>(i >> 5)] |= std::uint32_t{1} << (i & 31);
  marks_ = upload(backend_, marks);
}

template <class Scalar, class Backend>
void restriction_storage<Scalar, Backend>::list_sums(node_table const& table, own_vector<index_t> const& active)
{
  index_t const cube = table.nodes_of_element();
  if (table.elements() * cube > index_t{0xffffffff})
    failf("restriction",
          "there are too many nodes of elements for scatter::deterministic (got %lld, at most %lld "
          "expected): split the mesh into parts, or take scatter::atomic",
          static_cast<long long>(table.elements() * cube), 0xffffffffLL);
  own_vector<index_t> first(static_cast<std::size_t>(nodes_ + 1), 0);
  for (index_t const e : active)
    for (index_t p = 0; p < cube; ++p) ++first[table(e, p) + 1];
  for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
  own_vector<std::uint32_t> listed(static_cast<std::size_t>(first.back()));
  own_vector<index_t> next = first;
  for (index_t const e : active)
    for (index_t p = 0; p < cube; ++p)
      listed[static_cast<std::size_t>(next[table(e, p)]++)] = static_cast<std::uint32_t>(e * cube + p);
  first_ = upload(backend_, first);
  listed_ = upload(backend_, listed);
}

template <class Scalar, class Backend>
template <class Launch>
void restriction_storage<Scalar, Backend>::sweep(int lanes, Scalar const* x, Scalar* y, sweep_mode mode,
                                                 row_action rows, Launch const& launch) const
{
  if (adds_at_once() && mode == sweep_mode::write)
    loop(backend_, nodes_ * options_.components, clearing(x, y, rows));
  for_groups(lanes, launch);
  if (!adds_at_once()) loop(backend_, nodes_, adding_up(x, y, rows, mode));
}

template <class Scalar, class Backend>
template <class Launch>
void restriction_storage<Scalar, Backend>::for_groups(int lanes, Launch const& launch) const
{
  if (all_active_) {
    launch(static_cast<index_t const*>(nullptr), (table_.elements + lanes - 1) / lanes);
  } else {
    memory<index_t> const& groups = groups_of(lanes);
    if (groups.size() > 0) launch(groups.data(), groups.size());
  }
}

template <class Scalar, class Backend>
auto restriction_storage<Scalar, Backend>::groups_of(int lanes) const -> memory<index_t> const&
{
  for (auto const& made : groups_)
    if (made.lanes == lanes) return made.groups;
  own_vector<index_t> groups;
  for (index_t const e : active_list_)
    if (groups.empty() || groups.back() != e / lanes) groups.push_back(e / lanes);
  groups_.push_back({lanes, upload(backend_, groups)});
  return groups_.back().groups;
}

template <class Scalar, class Backend>
sum_of_node<Scalar> restriction_storage<Scalar, Backend>::adding_up(Scalar const* x, Scalar* y, row_action rows,
                                                                    sweep_mode mode) const
{
  return {work_.data(),        table_.elements * table_.nodes_of_element,
          first_.data(),       listed_.data(),
          table_.step,         table_.stride,
          options_.components, rows_with(x, rows),
          y,                   mode == sweep_mode::add};
}

template <class Scalar, class Backend>
void restriction_storage<Scalar, Backend>::gather(Scalar const* x, element_vector<Scalar> const& u) const
{
  loop(backend_, active_.size() * options_.components * table_.nodes_of_element,
       gather_place<Scalar>{table_, {u, n_}, active_.data(), options_.components, x});
}

template <class Scalar, class Backend>
void restriction_storage<Scalar, Backend>::scatter(element_vector<Scalar const> const& v, Scalar* y,
                                                   sweep_mode mode) const
{
  if (adds_at_once() && mode == sweep_mode::write)
    loop(backend_, nodes_ * options_.components, clearing(nullptr, y, row_action::zero));
  loop(backend_, active_.size() * options_.components * table_.nodes_of_element,
       scatter_place<Scalar>{table_, {v, n_}, active_.data(), options_.components, y});
  if (!adds_at_once()) loop(backend_, nodes_, adding_up(nullptr, y, row_action::zero, mode));
}

}  // namespace sumfac::detail
