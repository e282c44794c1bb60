// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A restriction for backends whose kernels are run by many threads: devices, and `checked`.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/dofs/restriction/device_kernels.hpp>
#include <sumfac/dofs/restriction/device_table.hpp>
#include <sumfac/dofs/restriction/node_table.hpp>
#include <sumfac/dofs/restriction/options.hpp>
#include <sumfac/dofs/restriction/storage.hpp>
#include <sumfac/dofs/vectors/element_vector.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

template <class Scalar, class Backend>
class restriction_storage {
public:
  restriction_storage(Backend const& backend, node_table const& table, own_vector<index_t> const& active,
                      own_vector<index_t> const& constrained, restriction_options const& options);

  // For a kernel that a sweep of this mode launches.
  device_table<Scalar> table(sweep_mode mode = sweep_mode::write) const
  {
    auto copy = table_;
    copy.adds = mode == sweep_mode::add;
    return copy;
  }

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
  sum_of_node<Scalar> adding_up(Scalar const* x, Scalar* y, row_action rows, sweep_mode mode = sweep_mode::write) const;

  void gather(Scalar const* x, element_vector<Scalar> const& u) const;
  void scatter(element_vector<Scalar const> const& v, Scalar* y, sweep_mode mode) const;

  // y = a at constrained entries.
  void set_constrained(Scalar* y, Scalar a) const
  {
    loop(backend_, constrained_.size(), set_listed<Scalar>{constrained_.data(), y, a});
  }
  void set_rows(constrained_rows const& rows) { options_.rows = rows; }

private:
  template <class T>
  using memory = memory_of<T, Backend>;

  void write_numbers(node_table const& table, own_vector<index_t> const& active);
  void share_out_slots(node_table const& table, own_vector<index_t> const& active);
  memory<index_t> const& groups_of(int lanes) const;
  void write_marks(own_vector<index_t> const& constrained);
  rows_of<Scalar> rows_with(Scalar const* x, row_action rows) const
  {
    auto const value = static_cast<Scalar>(options_.rows.value);
    return rows == row_action::copy ? rows_of<Scalar>{marks_.data(), x, value} : rows_of<Scalar>{};
  }

  Backend backend_;
  restriction_options options_;
  index_t nodes_ = 0;
  int n_ = 0;
  bool all_active_ = true;
  own_vector<index_t> active_list_;
  device_table<Scalar> table_;
  memory<std::uint32_t> numbers_, targets_, marks_;
  memory<index_t> active_, constrained_;
  memory<std::uint32_t> first_;  // slot of a node in `work_`
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
  table_.targets = table_.numbers;
  if (options.policy == scatter::deterministic) share_out_slots(table, active);
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

// Slots for what a node's elements have: none for a node of one element, which writes it, if its entries are all free.
template <class Scalar, class Backend>
void restriction_storage<Scalar, Backend>::share_out_slots(node_table const& table, own_vector<index_t> const& active)
{
  constexpr std::uint32_t alone = device_table<Scalar>::alone, dropped = device_table<Scalar>::dropped;
  index_t const cube = table.nodes_of_element();
  int const tracked = table.has_marks() ? table.components() : 1;
  if (index_t const most = table.elements() * cube; most >= index_t{alone} || nodes_ >= index_t{alone})
    failf("restriction",
          "there are too many nodes of elements for scatter::deterministic (got %lld, at most %lld "
          "expected): split the mesh into parts, or take scatter::atomic",
          static_cast<long long>(most > nodes_ ? most : nodes_), static_cast<long long>(alone) - 1);
  auto const is_free = [&](index_t node) {
    for (int c = 0; c < tracked; ++c)
      if (table.constrained(node, c)) return false;
    return true;
  };
  own_vector<std::uint32_t> first(static_cast<std::size_t>(nodes_ + 1), 0);
  for (index_t const e : active)
    for (index_t p = 0; p < cube; ++p) ++first[table(e, p)];
  index_t count = 0;
  for (index_t node = 0; node < nodes_; ++node) {
    std::uint32_t& of_node = first[static_cast<std::size_t>(node)];
    bool const is_alone = of_node == 1 && is_free(node);
    auto const begin = static_cast<std::uint32_t>(count);
    count += is_alone ? 0 : of_node;
    of_node = is_alone ? begin | alone : begin;
  }
  first[static_cast<std::size_t>(nodes_)] = static_cast<std::uint32_t>(count);
  own_vector<std::uint32_t> targets(static_cast<std::size_t>(table.elements() * tracked * cube), dropped);
  own_vector<std::uint32_t> next = first;
  for (index_t const e : active)
    for (index_t p = 0; p < cube; ++p) {
      auto const node = table(e, p);
      std::uint32_t const target = (first[node] & alone) != 0 ? static_cast<std::uint32_t>(node) | alone : next[node]++;
      for (int c = 0; c < tracked; ++c)
        if (!table.constrained(node, c)) targets[static_cast<std::size_t>((e * tracked + c) * cube + p)] = target;
    }
  first_ = upload(backend_, first);
  targets_ = upload(backend_, targets);
  // Zeros: slots of constrained entries are not written. One at the least, as without `work` sums are atomic.
  work_ = upload(backend_, own_vector<Scalar>(static_cast<std::size_t>(count * table.components() + 1), Scalar(0)));
  table_.targets = targets_.data();
  table_.work = work_.data();
  table_.work_stride = count;
}

template <class Scalar, class Backend>
template <class Launch>
void restriction_storage<Scalar, Backend>::sweep(int lanes, Scalar const* x, Scalar* y, sweep_mode mode,
                                                 row_action rows, Launch const& launch) const
{
  if (adds_at_once() && mode == sweep_mode::write) loop(backend_, nodes_ * options_.components, clearing(x, y, rows));
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
  return {work_.data(),           table_.work_stride,  first_.data(),      table_.step,
          table_.stride,          options_.components, rows_with(x, rows), y,
          mode == sweep_mode::add};
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
       scatter_place<Scalar>{table(mode), {v, n_}, active_.data(), options_.components, y});
  if (!adds_at_once()) loop(backend_, nodes_, adding_up(nullptr, y, row_action::zero, mode));
}

}  // namespace sumfac::detail
