// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A restriction on the host: tables by lane, slots for what blocks share, and the order in which blocks are worked.
#pragma once

#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/geometry/element_vector.hpp>
#include <sumfac/geometry/lane_transfer.hpp>
#include <sumfac/geometry/restriction/lane_sweep.hpp>
#include <sumfac/geometry/restriction/lane_tables.hpp>
#include <sumfac/geometry/restriction/node_table.hpp>
#include <sumfac/geometry/restriction/options.hpp>
#include <sumfac/geometry/restriction/storage.hpp>

#include <algorithm>
#include <atomic>
#include <vector>

namespace sumfac::detail {

template <class Scalar>
class restriction_storage<Scalar, host> {
public:
  static constexpr int width = native_width<Scalar>;
  using number = lane_tables::number;
  using packed = pack<Scalar, width>;
  using sweep_type = lane_sweep<Scalar, width>;

  restriction_storage(host const& backend, node_table const& table, std::vector<index_t> const& active,
                      std::vector<index_t> const& constrained, restriction_options const& options);

  // The vectors as a kernel sees them: for each group gather(group, packs) and add(group, packs).
  sweep_type lanes(Scalar const* x, Scalar* y, sweep_mode mode) const;

  // Calls work(first, last) for the groups first[0] .. last[-1] of each block, between what must come before and after:
  // the block's copies of shared nodes of x, and their sums. x or y may be null where work does not use it.
  template <class Work>
  void sweep(Scalar const* x, Scalar* y, sweep_mode mode, Work const& work) const;

  void gather(Scalar const* x, element_vector<Scalar> const& u) const;
  void scatter(element_vector<Scalar const> const& v, Scalar* y, sweep_mode mode) const;

  // y = x at constrained entries, and y = a.
  void copy_constrained(Scalar const* x, Scalar* y) const;
  void set_constrained(Scalar* y, Scalar a) const;

  lane_tables const& tables() const { return tables_; }

private:
  using range = lane_tables::range;

  index_t entry(index_t node, int c) const { return node * components_.step + c * components_.node_stride; }
  index_t slot(index_t i, int c) const { return i * components_.step + c * components_.slot_stride; }

  void load_slots(index_t block, Scalar const* x) const;
  void add_slots_atomically(index_t block, Scalar* y) const;
  void clear_slots(index_t block) const;
  void clear_shared(Scalar* y) const;
  void clear_untouched(Scalar* y) const;
  void sum_slots(index_t first, index_t last, Scalar* y, sweep_mode mode) const;
  void copy_lanes(packed const* packs, index_t group, element_vector<Scalar> const& u) const;

  host backend_;
  restriction_options options_;
  index_t nodes_ = 0;
  int n_ = 0;
  lane_tables tables_;
  std::vector<index_t> constrained_;
  lane_components components_;
  std::vector<int> places_;
  mutable buffer<Scalar> x_slots_, y_slots_;
};

template <class Scalar>
restriction_storage<Scalar, host>::restriction_storage(host const& backend, node_table const& table,
                                                       std::vector<index_t> const& active,
                                                       std::vector<index_t> const& constrained,
                                                       restriction_options const& options)
    : backend_(backend),
      options_(options),
      nodes_(table.nodes()),
      n_(table.nodes_1d()),
      tables_(backend, table, active, options.blocks, width),
      constrained_(constrained),
      x_slots_(backend, tables_.slots * table.components()),
      y_slots_(backend, tables_.slots * table.components())
{
  components_.count = table.components();
  if (options.components_lie == interleaving::fastest) {
    components_.step = components_.count;
    components_.node_stride = components_.slot_stride = 1;
  } else {
    components_.node_stride = nodes_;
    components_.slot_stride = tables_.slots;
  }
  for (int m = 0; m < n_ * components_.count; ++m)
    places_.push_back(m % components_.count * n_ * n_ * n_ + m / components_.count);
  components_.places = places_.data();
}

template <class Scalar>
auto restriction_storage<Scalar, host>::lanes(Scalar const* x, Scalar* y, sweep_mode mode) const -> sweep_type
{
  // The first slots of the first block read as 0, whatever the block writes to their like beside y.
  sweep_type lanes(tables_, nodes_, n_, components_, x_slots_.data());
  lanes.x = {x, x_slots_.data()};
  lanes.y = {y, y_slots_.data()};
  lanes.write_first(mode == sweep_mode::write);
  return lanes;
}

template <class Scalar>
template <class Work>
void restriction_storage<Scalar, host>::sweep(Scalar const* x, Scalar* y, sweep_mode mode, Work const& work) const
{
  bool const atomic = y != nullptr && options_.policy == scatter::atomic;
  if (atomic && mode == sweep_mode::write) clear_shared(y);
  backend_.partition(tables_.blocks(), [&](index_t first, index_t last) {
    for (index_t block = first; block < last; ++block) {
      if (x != nullptr) load_slots(block, x);
      if (mode == sweep_mode::add) clear_slots(block);
      auto const* const groups = tables_.groups.data();
      work(groups + tables_.block_group[static_cast<std::size_t>(block)],
           groups + tables_.block_group[static_cast<std::size_t>(block) + 1]);
      if (atomic) add_slots_atomically(block, y);
    }
  });
  if (y == nullptr) return;
  if (!atomic)
    backend_.partition(static_cast<index_t>(tables_.shared.size()) - 1,
                       [&](index_t first, index_t last) { sum_slots(first, last, y, mode); });
  if (mode == sweep_mode::write) clear_untouched(y);
}

template <class Scalar>
void restriction_storage<Scalar, host>::load_slots(index_t block, Scalar const* x) const
{
  auto const b = static_cast<std::size_t>(block);
  for (int c = 0; c < components_.count; ++c)
    for (index_t i = tables_.block_slot[b] + n_; i < tables_.block_slot[b + 1]; ++i)
      x_slots_[slot(i, c)] = x[entry(tables_.slot_node[static_cast<std::size_t>(i)], c)];
}

template <class Scalar>
void restriction_storage<Scalar, host>::add_slots_atomically(index_t block, Scalar* y) const
{
  auto const b = static_cast<std::size_t>(block);
  for (int c = 0; c < components_.count; ++c)
    for (index_t i = tables_.block_slot[b] + n_; i < tables_.block_slot[b + 1]; ++i)
      std::atomic_ref<Scalar>(y[entry(tables_.slot_node[static_cast<std::size_t>(i)], c)])
          .fetch_add(y_slots_[slot(i, c)], std::memory_order_relaxed);
}

template <class Scalar>
void restriction_storage<Scalar, host>::clear_slots(index_t block) const
{
  auto const b = static_cast<std::size_t>(block);
  for (int c = 0; c < components_.count; ++c)
    for (index_t i = tables_.block_slot[b]; i < tables_.block_slot[b + 1]; ++i) y_slots_[slot(i, c)] = 0;
}

template <class Scalar>
void restriction_storage<Scalar, host>::clear_shared(Scalar* y) const
{
  for (std::size_t i = 0; i + 1 < tables_.shared.size(); ++i)
    for (int c = 0; c < components_.count; ++c) y[entry(tables_.shared[i].node, c)] = 0;
}

template <class Scalar>
void restriction_storage<Scalar, host>::clear_untouched(Scalar* y) const
{
  for (range const& nodes : tables_.untouched)
    for (index_t node = nodes.first; node < nodes.last; ++node)
      for (int c = 0; c < components_.count; ++c) y[entry(node, c)] = 0;
}

// The sums of shared nodes first .. last - 1, block after block.
template <class Scalar>
void restriction_storage<Scalar, host>::sum_slots(index_t first, index_t last, Scalar* y, sweep_mode mode) const
{
  auto const* const shared = tables_.shared.data();
  for (int c = 0; c < components_.count; ++c)
    for (index_t i = first; i < last; ++i) {
      Scalar& sum = y[entry(shared[i].node, c)];
      number at = shared[i].first_slot;
      Scalar total = y_slots_[slot(tables_.shared_slots[at], c)];
      while (++at < shared[i + 1].first_slot) total += y_slots_[slot(tables_.shared_slots[at], c)];
      sum = mode == sweep_mode::write ? total : sum + total;
    }
}

template <class Scalar>
void restriction_storage<Scalar, host>::copy_constrained(Scalar const* x, Scalar* y) const
{
  backend_.partition(static_cast<index_t>(constrained_.size()), [&](index_t first, index_t last) {
    for (index_t const* at = constrained_.data() + first; at != constrained_.data() + last; ++at) y[*at] = x[*at];
  });
}

template <class Scalar>
void restriction_storage<Scalar, host>::set_constrained(Scalar* y, Scalar a) const
{
  backend_.partition(static_cast<index_t>(constrained_.size()), [&](index_t first, index_t last) {
    for (index_t const* at = constrained_.data() + first; at != constrained_.data() + last; ++at) y[*at] = a;
  });
}

template <class Scalar>
void restriction_storage<Scalar, host>::gather(Scalar const* x, element_vector<Scalar> const& u) const
{
  auto const lanes = this->lanes(x, nullptr, sweep_mode::write);
  index_t const size = index_t{components_.count} * n_ * n_ * n_;
  sweep(x, nullptr, sweep_mode::write, [&](index_t const* group, index_t const* last) {
    buffer<packed> packs(2 * size);
    for (; group != last; ++group) {
      lanes.gather(*group, packs.data());
      if (tables_.whole(*group, u.elements))
        lane_transfer<Scalar, width>(u, *group * width, components_.count, n_)
            .scatter(packs.data(), packs.data() + size, false);
      else
        copy_lanes(packs.data(), *group, u);
    }
  });
}

template <class Scalar>
void restriction_storage<Scalar, host>::copy_lanes(packed const* packs, index_t group,
                                                   element_vector<Scalar> const& u) const
{
  tables_.for_each_lane(group, [&](int lane, index_t e) {
    packed const* at = packs;
    for (int c = 0; c < components_.count; ++c)
      for (int k = 0; k < n_; ++k)
        for (int j = 0; j < n_; ++j)
          for (int i = 0; i < n_; ++i, ++at) u(e, c, k, j, i) = (*at)[lane];
  });
}

template <class Scalar>
void restriction_storage<Scalar, host>::scatter(element_vector<Scalar const> const& v, Scalar* y, sweep_mode mode) const
{
  auto const lanes = this->lanes(nullptr, y, mode);
  index_t const size = index_t{components_.count} * n_ * n_ * n_;
  sweep(nullptr, y, mode, [&](index_t const* group, index_t const* last) {
    buffer<packed> packs(size);
    for (; group != last; ++group) {
      lane_transfer<Scalar const, width>(v, *group * width, components_.count, n_).gather(packs.data());
      lanes.add(*group, packs.data());
    }
  });
}

}  // namespace sumfac::detail
