// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A restriction for backends whose kernels are run by many threads: devices, and `checked`.
#pragma once

#include <sumfac/backend/detail/own_pointer.hpp>
#include <sumfac/dofs/dof_map.hpp>
#include <sumfac/dofs/restriction/device_kernels.hpp>
#include <sumfac/dofs/restriction/device_table.hpp>
#include <sumfac/dofs/restriction/options.hpp>
#include <sumfac/dofs/restriction/patches.hpp>
#include <sumfac/dofs/restriction/row_passes.hpp>
#include <sumfac/dofs/restriction/storage.hpp>
#include <sumfac/dofs/vectors/element_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

template <class Scalar, class Backend, dof_extras Extras>
class restriction_storage {
public:
  using table_type = device_table<Scalar, Extras>;

  template <dof_map Map>
  restriction_storage(Backend const& backend, Map const& table, own_vector<index_t> const& active,
                      restriction_options const& options)
      : backend_(backend),
        options_(options),
        nodes_(table.nodes()),
        n_(table.box().x),
        all_active_(static_cast<index_t>(active.size()) == table.elements()),
        active_list_(active),
        active_(upload(backend, active))
  {
    static_assert(Map::extras.signs == Extras.signs && Map::extras.rows == Extras.rows);
    entry_order const order{nodes_, table.components(), options.components_lie};
    int const tracked = table.has_marks() ? table.components() : 1;
    table_.elements = table.elements();
    table_.nodes_of_element = table.box().all();
    table_.step = order.entry(1, 0), table_.stride = order.entry(0, 1);
    table_.component_stride = tracked > 1 ? table_.nodes_of_element : 0;
    table_.element_stride = tracked * table_.nodes_of_element;
    auto numbers = tabulate(host_of(backend), table, active, [](std::uint32_t node) { return node; });
    own_vector<term> terms;
    if constexpr (Extras.rows) terms = list_terms(table, active, numbers);
    if (options.patch < 0 || (options.patch & (options.patch - 1)) != 0)
      failf("restriction", "a patch cannot have %d elements (a power of 2, or 0 for none, expected)", options.patch);
    if constexpr (Extras == dof_extras{})
      if (options.patch > 0 && options.policy == scatter::deterministic && order.size() < index_t{table_type::dropped})
        patched_numbers_ = numbers;
    numbers_ = upload(backend_, numbers);
    table_.targets = table_.numbers = numbers_.data();
    auto const constrained = constrained_entries(host_of(backend), table, order);
    constrained_ = upload(backend_, constrained);
    if (!constrained.empty()) {
      own_vector<std::uint32_t> marks(static_cast<std::size_t>((order.size() + 31) / 32), 0);
      for (index_t const i : constrained) marks[static_cast<std::size_t>(i >> 5)] |= std::uint32_t{1} << (i & 31);
      marks_ = upload(backend_, marks);
    }
    if (options.policy == scatter::deterministic) share_out_slots(table, active, numbers, terms);
    if constexpr (Extras.rows) {
      terms_ = upload(backend_, terms);
      table_.row_begin = row_begin_.data(), table_.terms = terms_.data();
    }
  }
  // Rows that its tables do not have are worked around the kernels.
  template <dof_map Map>
    requires(Map::extras.rows && !Extras.rows)
  restriction_storage(Backend const& backend, Map const& table, own_vector<index_t> const& active,
                      restriction_options const& options)
      : restriction_storage(backend, sums_as_free<Map>(table), active, options)
  {
    if (!table.has_rows()) return;
    entry_order const order{nodes_, table.components(), options.components_lie};
    constrained_ = upload(backend_, constrained_entries(host_of(backend), table, order));
    rows_ = {backend_, table, order};
    if constexpr (Map::extras.masks) interpolate(table);
  }

  // For a kernel that a sweep of this mode launches.
  table_type table(sweep_mode mode = sweep_mode::write) const
  {
    auto copy = table_;
    copy.adds = mode == sweep_mode::add;
    return copy;
  }

  // The vector that a kernel reads by this table, for x: x itself, or with rows a copy that is good until the next
  // call.
  Scalar const* read(Scalar const* x) const { return rows_.read(backend_, x); }

  // Calls launch(groups, count) for a list of the groups of `lanes` elements, null for all, between what must come
  // before and after; x is what constrained rows copy.
  template <class Launch>
  void sweep(int lanes, Scalar const* x, Scalar* y, sweep_mode mode, row_action rows, Launch const& launch) const
  {
    around(x, y, mode, rows, [&] { for_groups(lanes, launch); });
  }

  // work(), which adds, between what must come before and after.
  template <class Work>
  void around(Scalar const* x, Scalar* y, sweep_mode mode, row_action rows, Work const& work) const
  {
    if (adds_at_once() && mode == sweep_mode::write) loop(backend_, nodes_ * options_.components, clearing(x, y, rows));
    rows_.begin(backend_, y, mode);
    work();
    finish(x, y, rows, mode);
  }

  // The parts of a sweep that writes, for those who do more in its kernels: `clearing` before the elements where they
  // add to y, else `adding_up` behind them; with rows `finish` is behind them, and nothing else.
  bool adds_at_once() const { return options_.policy == scatter::atomic; }
  bool has_rows() const { return !rows_.empty(); }

  // The same elements where these interpolate what hangs, for kernels that do; itself where none does. Its groups with
  // such elements are for_masked_groups, and no others have masks: (elements), null where none has.
  restriction_storage const& by_masks() const { return by_masks_.empty() ? *this : *by_masks_; }
  bool has_masks() const { return masks_.size() > 0; }
  std::uint32_t const* masks() const { return masks_.data(); }
  double const* half() const { return half_.data(); }
  void finish(Scalar const* x, Scalar* y, row_action rows, sweep_mode mode = sweep_mode::write) const
  {
    if (!adds_at_once()) loop(backend_, nodes_, adding_up(x, y, rows, mode));
    rows_.finish(backend_, x, y, mode, rows, options_.rows);
  }
  clear_entry<Scalar> clearing(Scalar const* x, Scalar* y, row_action rows) const { return {rows_with(x, rows), y}; }
  template <class Launch>
  void for_groups(int lanes, Launch const& launch) const
  {
    if (all_active_ && !has_masks())
      return launch(static_cast<index_t const*>(nullptr), (table_.elements + lanes - 1) / lanes);
    memory<index_t> const& groups = groups_of(lanes).plain;
    if (groups.size() > 0) launch(static_cast<index_t const*>(groups.data()), groups.size());
  }
  template <class Launch>
  void for_masked_groups(int lanes, Launch const& launch) const
  {
    memory<index_t> const& groups = groups_of(lanes).masked;
    if (groups.size() > 0) launch(static_cast<index_t const*>(groups.data()), groups.size());
  }
  sum_of_node<Scalar> adding_up(Scalar const* x, Scalar* y, row_action rows, sweep_mode mode = sweep_mode::write) const
  {
    return {work_.data(),           table_.work_stride,  first_.data(),      table_.step,
            table_.stride,          options_.components, rows_with(x, rows), y,
            mode == sweep_mode::add};
  }

  // The patches of so many elements whose teams take groups of `lanes`, made where they are asked for first; null where
  // the restriction was told of none such, or they are too large for their tables.
  patches<Scalar, Backend> const* patches_of(int elements, int lanes) const
  {
    if (elements != options_.patch || patched_numbers_.empty() || elements % lanes != 0 ||
        elements * table_.nodes_of_element >= index_t{1} << 16)
      return nullptr;
    for (auto const& made : patches_)
      if (made.are_of(elements, lanes)) return &made;
    int const tracked = table_.component_stride > 0 ? options_.components : 1;
    patch_source const source{patched_numbers_, nodes_,        table_.elements, table_.nodes_of_element,
                              table_.step,      table_.stride, tracked,         options_.components};
    patches_.push_back({backend_, source, elements, lanes});
    return &patches_.back();
  }
  // Calls launch(patches) between what must come before and after.
  template <class Launch>
  void sweep(patches<Scalar, Backend> const& of, Scalar const* x, Scalar* y, sweep_mode mode, row_action rows,
             Launch const& launch) const
  {
    bool const adds = mode == sweep_mode::add;
    rows_.begin(backend_, y, mode);
    launch(of.size());
    loop(backend_, of.sums(adds), of.adding_up(rows_with(x, rows), y));
    rows_.finish(backend_, x, y, mode, rows, options_.rows);
  }

  void gather(Scalar const* x, element_vector<Scalar> const& u) const
  {
    loop(backend_, places(),
         gather_place<Scalar, Extras>{{table_, u, n_, options_.components, active_.data()}, read(x)});
  }
  void scatter(element_vector<Scalar const> const& v, Scalar* y, sweep_mode mode) const
  {
    scatter_place<Scalar, Extras> const body{{table(mode), v, n_, options_.components, active_.data()}, y};
    around(nullptr, y, mode, row_action::zero, [&] { loop(backend_, places(), body); });
  }

  index_t constrained() const { return constrained_.size(); }
  // y = a at constrained entries.
  void set_constrained(Scalar* y, Scalar a) const
  {
    loop(backend_, constrained_.size(), set_listed<Scalar>{constrained_.data(), y, a});
  }
  void set_rows(constrained_rows const& rows)
  {
    options_.rows = rows;
    if (!by_masks_.empty()) by_masks_->set_rows(rows);
  }

private:
  template <class T>
  using memory = memory_of<T, Backend>;

  using term = device_term<Scalar>;

  // (E, C or 1, n^3): the code of each place's index, for places of active elements that are free. One thread asks for
  // codes place after place, several in any order.
  template <dof_map Map, class Code>
  static own_vector<std::uint32_t> tabulate(host const& threads, Map const& table, own_vector<index_t> const& active,
                                            Code const& code)
  {
    index_t const cube = table.box().all(), each = (table.has_marks() ? table.components() : 1) * cube;
    auto made = own_vector<std::uint32_t>::unwritten(static_cast<std::size_t>(table.elements() * each));
    threads.partition(static_cast<index_t>(made.size()), [&](index_t first, index_t last) {
      for (index_t i = first; i < last; ++i) made[static_cast<std::size_t>(i)] = table_type::dropped;
    });
    threads.partition(static_cast<index_t>(active.size()), [&](index_t first, index_t last) {
      for (index_t i = first; i < last; ++i) {
        index_t const e = active[static_cast<std::size_t>(i)];
        for (index_t p = 0; p < cube; ++p) {
          auto const node = static_cast<std::uint32_t>(table(e, p));
          std::uint32_t const at = signed_index(table, e, p, code(node), table_type::minus);
          for (int c = 0; c * cube < each; ++c)
            if (!table.constrained(node, c)) made[static_cast<std::size_t>(e * each + c * cube + p)] = at;
        }
      }
    });
    return made;
  }

  // The terms of all places that have a row with some, to which their numbers then refer.
  template <dof_map Map>
  own_vector<term> list_terms(Map const& table, own_vector<index_t> const& active, own_vector<std::uint32_t>& numbers)
  {
    own_vector<term> terms;
    own_vector<index_t> begin(1, 0);
    for (index_t const e : active)
      for (index_t p = 0; p < table_.nodes_of_element; ++p)
        for (int c = 0; c < table.components(); ++c) {
          if (!table.constrained(table(e, p), c)) continue;
          for (row_term const& t : table.row(table(e, p), c))
            terms.push_back({static_cast<std::uint32_t>(t.index), static_cast<std::uint32_t>(t.index), t.component,
                             static_cast<Scalar>(t.weight)});
          if (static_cast<index_t>(terms.size()) == begin.back()) continue;
          auto const row = table_type::row | static_cast<std::uint32_t>(begin.size() - 1);
          index_t const at = e * table_.element_stride + c * table_.component_stride + p;
          numbers[static_cast<std::size_t>(at)] = signed_index(table, e, p, row, table_type::minus);
          begin.push_back(static_cast<index_t>(terms.size()));
        }
    row_begin_ = upload(backend_, begin);
    return terms;
  }

  // Slots for what a node's elements have: none for a node of one element, which writes it, if its entries are all free
  // and no rows name it.
  template <dof_map Map>
  void share_out_slots(Map const& table, own_vector<index_t> const& active, own_vector<std::uint32_t> const& numbers,
                       own_vector<term>& terms)
  {
    constexpr std::uint32_t alone = table_type::alone, none_from = Extras.signs ? table_type::minus : alone;
    index_t const cube = table_.nodes_of_element;
    if (index_t const most = table.elements() * cube + static_cast<index_t>(terms.size());
        most >= index_t{none_from} || nodes_ >= index_t{none_from})
      failf("restriction",
            "there are too many nodes of elements for scatter::deterministic (got %lld, at most %lld "
            "expected): split the mesh into parts, or take scatter::atomic",
            static_cast<long long>(most > nodes_ ? most : nodes_), static_cast<long long>(none_from) - 1);
    own_vector<std::uint32_t> first(static_cast<std::size_t>(nodes_ + 1), 0);
    for (index_t const e : active)
      for (index_t p = 0; p < cube; ++p) ++first[static_cast<std::size_t>(table(e, p))];
    for (term const& t : terms) ++first[t.number];
    index_t count = 0;
    for (index_t node = 0; node < nodes_; ++node) {
      std::uint32_t& of_node = first[static_cast<std::size_t>(node)];
      bool const is_alone = !Extras.rows && of_node == 1 && constrained_components(table, node) == 0;
      auto const begin = static_cast<std::uint32_t>(count);
      count += is_alone ? 0 : of_node;
      of_node = is_alone ? begin | alone : begin;
    }
    first[static_cast<std::size_t>(nodes_)] = static_cast<std::uint32_t>(count);
    own_vector<std::uint32_t> next = first;
    auto targets = tabulate(host(1), table, active, [&](std::uint32_t node) {
      return (first[node] & alone) != 0 ? node | alone : next[node]++;
    });
    if constexpr (Extras.rows)
      for (std::size_t i = 0; i < targets.size(); ++i)
        if (numbers[i] != table_type::dropped && (numbers[i] & table_type::row) != 0) targets[i] = numbers[i];
    targets_ = upload(backend_, targets);
    for (term& t : terms) t.target = next[t.number]++;
    first_ = upload(backend_, first);
    // Zeros: slots of constrained entries are not written. One at the least, as without `work` sums are atomic.
    work_ = upload(backend_, own_vector<Scalar>(static_cast<std::size_t>(count * table.components() + 1), Scalar(0)));
    table_.targets = targets_.data();
    table_.work = work_.data();
    table_.work_stride = count;
  }
  struct listed_groups {
    int lanes;
    memory<index_t> plain, masked;
  };
  listed_groups const& groups_of(int lanes) const
  {
    for (auto const& made : groups_)
      if (made.lanes == lanes) return made;
    own_vector<index_t> plain, masked;
    for (std::size_t i = 0; i < active_list_.size();) {
      index_t const group = active_list_[i] / lanes;
      bool hangs = false;
      for (; i < active_list_.size() && active_list_[i] / lanes == group; ++i)
        hangs = hangs || (has_masks() && mask_list_[static_cast<std::size_t>(active_list_[i])] != 0);
      (hangs ? masked : plain).push_back(group);
    }
    groups_.push_back({lanes, upload(backend_, plain), upload(backend_, masked)});
    return groups_.back();
  }
  // Makes by_masks() where active elements have some.
  template <dof_map Map>
  void interpolate(Map const& table)
  {
    own_vector<std::uint32_t> masks(static_cast<std::size_t>(table.elements()), 0);
    bool any = false;
    for (index_t const e : active_list_) {
      masks[static_cast<std::size_t>(e)] = table.masks().mask(e);
      any = any || masks[static_cast<std::size_t>(e)] != 0;
    }
    if (!any) return;
    auto options = options_;
    options.patch = 0;
    by_masks_ = own_pointer<restriction_storage>(
        new restriction_storage(backend_, masked_reads<Map>(table, active_list_), active_list_, options));
    by_masks_->masks_ = upload(backend_, masks);
    by_masks_->mask_list_ = std::move(masks);
    for (int i = 0; i < n_ * n_; ++i) by_masks_->half_.push_back(table.masks().half()[i]);
  }
  index_t places() const { return active_.size() * options_.components * table_.nodes_of_element; }
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
  table_type table_;
  memory<std::uint32_t> numbers_, targets_, marks_;
  memory<index_t> active_, constrained_, row_begin_;
  memory<term> terms_;
  row_passes<Scalar, Backend> rows_;
  memory<std::uint32_t> first_;  // slot of a node in `work_`
  memory<Scalar> work_;
  // Lists of groups that subsets have, by the number of elements of a group. The memory of a list stays where it is,
  // as graphs of launches may name it.
  mutable own_vector<listed_groups> groups_;
  own_pointer<restriction_storage> by_masks_;
  memory<std::uint32_t> masks_;                // by element
  own_vector<std::uint32_t> mask_list_;        // the same
  own_vector<double> half_;                    // (n, n)
  own_vector<std::uint32_t> patched_numbers_;  // what patches are made of
  mutable own_vector<patches<Scalar, Backend>> patches_;
};

}  // namespace sumfac::detail
