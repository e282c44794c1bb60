// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A restriction on the host: tables by lane, slots for what blocks share, and the order in which blocks are worked.
#pragma once

#include <sumfac/backend/detail/sole_use.hpp>
#include <sumfac/dofs/dof_map.hpp>
#include <sumfac/dofs/restriction/lane_sweep.hpp>
#include <sumfac/dofs/restriction/lane_tables.hpp>
#include <sumfac/dofs/restriction/options.hpp>
#include <sumfac/dofs/restriction/prefetch.hpp>
#include <sumfac/dofs/restriction/storage.hpp>
#include <sumfac/dofs/vectors/element_vector.hpp>
#include <sumfac/dofs/vectors/lane_transfer.hpp>

#include <cstddef>

namespace sumfac::SUMFAC_TARGET::detail {

// The constrained entries of a vector in lists, by the piece of a sweep that sets them: the blocks, the chunks of nodes
// that blocks share, and the nodes of no element.
class constrained_lists {
public:
  constrained_lists() = default;

  // The tables still have their owners.
  template <int Width>
  constrained_lists(lane_tables<Width> const& tables, own_vector<index_t> const& entries, entry_order const& order)
  {
    own_vector<own_vector<index_t>> of_piece(static_cast<std::size_t>(tables.pieces()));
    for (index_t const at : entries) {
      index_t const node = order.node(at);
      index_t piece = tables.owners.of(node);
      if (piece == no_owner)
        piece = tables.pieces() - 1;
      else if (piece == several_owners)
        piece = tables.blocks() + tables.owners.shared_place(node) / lane_tables<Width>::shared_chunk;
      of_piece[static_cast<std::size_t>(piece)].push_back(at);
    }
    for (auto const& list : of_piece) {
      entries_.append(list);
      first_.push_back(static_cast<index_t>(entries_.size()));
    }
  }

  index_t size() const { return static_cast<index_t>(entries_.size()); }
  index_t const* all() const { return entries_.data(); }
  // Of a piece.
  index_t const* begin(index_t piece) const { return entries_.data() + first_[static_cast<std::size_t>(piece)]; }
  index_t const* end(index_t piece) const { return begin(piece + 1); }

private:
  own_vector<index_t> entries_;
  own_vector<index_t> first_ = {0};  // of pieces, and the end
};

// The hooks of a sweep without any: entries of y become 0 before elements add to them.
template <class Scalar>
struct no_hooks {
  struct piece_sums {};

  Scalar const* x;
  Scalar* y;  // or null

  void before(index_t first, index_t last) const
  {
    if (y != nullptr) fill(y + first, y + last, Scalar{0});
  }
  void before_one(index_t) const {}
  Scalar next_x(index_t i) const { return x[i]; }
  void after(index_t, index_t, piece_sums&) const {}
  void after_one(index_t, piece_sums&) const {}
  void finish(index_t, piece_sums const&) const {}
};

template <class Scalar, dof_extras Extras>
class restriction_storage<Scalar, host, Extras> {
public:
  static constexpr int width = native_width<Scalar>;
  using tables_type = lane_tables<width>;
  using number = typename tables_type::number;
  using packed = pack<Scalar, width>;
  using sweep_type = lane_sweep<Scalar, width, Extras>;

  template <dof_map Map>
  restriction_storage(host const& backend, Map const& table, own_vector<index_t> const& active,
                      restriction_options const& options);

  // The vectors as a kernel sees them: for each group gather(group, packs) and add(group, packs).
  sweep_type lanes(Scalar const* x, Scalar* y) const
  {
    sweep_type lanes(tables_, nodes_, box_, components_, half_tables_.data());
    lanes.x = {x, x_slots_.data()};
    lanes.y = {y, y_slots_.data()};
    return lanes;
  }

  // Calls work(first, last, prefetch) for the groups first[0] .. last[-1] of each step of each block, between what must
  // come before and after: the block's copies of shared nodes of x, and their sums. x or y may be null where work does
  // not use it. `prefetch`, an entry_prefetch, has what the next step, or the next block's first, is the first to read.
  //
  // hooks.before(first, last) makes entries first .. last - 1 of x what they shall be and those of y 0, right before x
  // is read there; hooks.next_x(entry) is what it is going to make of x there. hooks.after(first, last, sum) is called
  // when y is complete, with the piece_sums of a piece, and hooks.finish(piece, sum) behind it. before_one(entry) and
  // after_one(entry, sum) are for a single entry. Pieces are worked one by one, each in a fixed order.
  template <class Work, class Hooks>
  void sweep(Scalar const* x, Scalar* y, sweep_mode mode, row_action rows, Work const& work, Hooks const& hooks) const;
  template <class Work>
  void sweep(Scalar const* x, Scalar* y, sweep_mode mode, row_action rows, Work const& work) const
  {
    sweep(x, y, mode, rows, work, no_hooks<Scalar>{x, mode == sweep_mode::write ? y : nullptr});
  }
  // Calls work(lanes) for what reads x by lanes in any order of groups: with all copies of shared nodes made.
  template <class Work>
  void read(Scalar const* x, Work const& work) const
  {
    sole_use const sole(x_owner_, "restriction");
    backend_.partition(tables_.blocks(), [&](index_t first, index_t last) {
      for (index_t block = first; block < last; ++block)
        load_slots(block, x_slots_.data(), [&](index_t at) { return x[at]; });
    });
    work(lanes(x, nullptr));
  }
  // A block's copies of what it shares, and its sums of others, from read(entry).
  template <class Read>
  void load_slots(index_t block, Scalar* loaded, Read const& read) const
  {
    for_each_slot(block, [&](index_t at, index_t i) { loaded[i] = read(at); });
    if (tables_.terms.empty()) return;
    auto const b = static_cast<std::size_t>(block);
    for (int c = 0; c < components_.count / components_.step; ++c)
      fill(loaded + slot(tables_.sum_slot[b], c), loaded + slot(tables_.block_slot[b + 1], c), Scalar{0});
    for_each_term(block, [&](index_t at, index_t i, Scalar weight) { loaded[i] += weight * read(at); });
  }
  index_t pieces() const { return tables_.pieces(); }
  // Memory for sums that hooks make: 8 numbers for each piece.
  double* piece_sums() const { return piece_sums_.data(); }
  void gather(Scalar const* x, element_vector<Scalar> const& u) const
  {
    auto const lanes = this->lanes(x, nullptr);
    index_t const size = index_t{components_.count} * box_.all();
    sweep(x, nullptr, sweep_mode::write, row_action::none,
          [&](index_t const* group, index_t const* last, auto prefetch) {
            packed* const packs = scratch_of(2 * size);
            prefetch.spread(last - group);
            for (; group != last; ++group) {
              prefetch.prefetch_group();
              lanes.template gather<0, 0, 0>(*group, packs);
              if (tables_.whole(*group, u.elements))
                lane_transfer<Scalar, width>(u, *group * width, components_.count, box_)
                    .scatter(packs, packs + size, false);
              else
                copy_lanes(packs, *group, u);
            }
          });
  }
  void scatter(element_vector<Scalar const> const& v, Scalar* y, sweep_mode mode) const
  {
    auto const lanes = this->lanes(nullptr, y);
    index_t const size = index_t{components_.count} * box_.all();
    auto const rows = mode == sweep_mode::write ? row_action::zero : row_action::none;
    sweep(nullptr, y, mode, rows, [&](index_t const* group, index_t const* last, auto const&) {
      packed* const packs = scratch_of(size);
      for (; group != last; ++group) {
        lane_transfer<Scalar const, width>(v, *group * width, components_.count, box_).gather(packs);
        lanes.template add<0, 0, 0>(*group, packs);
      }
    });
  }

  index_t constrained() const { return constrained_.size(); }
  // y = a at constrained entries.
  void set_constrained(Scalar* y, Scalar a) const
  {
    backend_.partition(constrained_.size(), [&](index_t first, index_t last) {
      for (index_t const* at = constrained_.all() + first; at != constrained_.all() + last; ++at) y[*at] = a;
    });
  }
  void set_rows(constrained_rows const& rows) { options_.rows = rows; }
  tables_type const& tables() const { return tables_; }

private:
  index_t entry(index_t node, int c) const { return node * components_.step + c * components_.node_stride; }
  index_t slot(index_t i, int c) const { return i * components_.step + c * components_.slot_stride; }

  void finish_rows(index_t piece, Scalar const* x, Scalar* y, row_action rows) const
  {
    if (rows == row_action::none) return;
    index_t const* const last = constrained_.end(piece);
    for (index_t const* at = constrained_.begin(piece); at != last; ++at)
      y[*at] = rows == row_action::copy ? static_cast<Scalar>(options_.rows.value) * x[*at] : Scalar{0};
  }
  // Calls f(first, last) for the entries that a step is the first to have, of nodes of its block alone, as they lie
  // side by side; behind the last step, for those that no element has.
  template <class Function>
  void for_each_run(index_t step, Function const& f) const
  {
    int const arrays = components_.count / components_.step;  // one, or one for each component
    auto const s = static_cast<std::size_t>(step);
    for (int c = 0; c < arrays; ++c)
      for (index_t i = tables_.step_run[s]; i < tables_.step_run[s + 1]; ++i) {
        node_range const nodes = tables_.runs[static_cast<std::size_t>(i)];
        f(entry(nodes.first, c), entry(nodes.first, c) + (nodes.last - nodes.first) * components_.step);
      }
  }
  // What a step is the first to have of x.
  entry_prefetch<Scalar> prefetch_of(Scalar const* x, index_t step) const
  {
    if (x == nullptr || step >= tables_.steps()) return {};
    index_t const* const first = &tables_.step_run[static_cast<std::size_t>(step)];
    node_range const* const runs = tables_.runs.data();
    int const arrays = components_.count / components_.step;
    return {{x, components_.step, arrays, components_.node_stride}, runs + first[0], runs + first[1]};
  }
  // Calls f(entry) for all entries of the shared nodes of chunks.
  template <class Function>
  void for_each_shared(index_t first_chunk, index_t last_chunk, Function const& f) const
  {
    index_t const first = first_chunk * tables_type::shared_chunk;
    index_t const last = lesser(last_chunk * tables_type::shared_chunk, tables_.shared_count());
    for (int c = 0; c < components_.count; ++c)
      for (index_t i = first; i < last; ++i) f(entry(tables_.shared[static_cast<std::size_t>(i)].node, c));
  }
  // Calls f(entry, slot, weight) for the terms of a block's sums.
  template <class Function>
  void for_each_term(index_t block, Function const& f) const
  {
    if (tables_.terms.empty()) return;
    auto const b = static_cast<std::size_t>(block);
    auto const* const end = tables_.terms.data() + tables_.block_term[b + 1];
    for (auto const* t = tables_.terms.data() + tables_.block_term[b]; t != end; ++t)
      f(entry(t->node, t->of_node), slot(t->slot, t->component), static_cast<Scalar>(t->weight));
  }
  // Calls f(entry, slot) for the slots of a block that are of entries.
  template <class Function>
  void for_each_slot(index_t block, Function const& f) const
  {
    auto const b = static_cast<std::size_t>(block);
    for (int c = 0; c < components_.count; ++c)
      for (index_t i = tables_.block_slot[b] + tables_.dropped_slots; i < tables_.sum_slot[b]; ++i)
        f(entry(tables_.slot_node[static_cast<std::size_t>(i)], c), slot(i, c));
  }
  void clear_slots(index_t block) const
  {
    auto const b = static_cast<std::size_t>(block);
    Scalar* const at = y_slots_.data();
    for (int c = 0; c < components_.count / components_.step; ++c)
      fill(at + slot(tables_.block_slot[b], c), at + slot(tables_.block_slot[b + 1], c), Scalar{0});
  }
  // The sums of a chunk of shared nodes, block after block.
  void sum_slots(index_t chunk, Scalar* y, sweep_mode mode) const
  {
    index_t const first = chunk * tables_type::shared_chunk;
    index_t const last = lesser(first + tables_type::shared_chunk, tables_.shared_count());
    auto const* const shared = tables_.shared.data();
    for (int c = 0; c < components_.count; ++c)
      for (index_t i = first; i < last; ++i) {
        Scalar total = 0;
        for (number at = shared[i].first_slot; at < shared[i + 1].first_slot; ++at)
          total += y_slots_[slot(tables_.shared_slots[at], c)];
        Scalar& sum = y[entry(shared[i].node, c)];
        sum = mode == sweep_mode::write ? total : sum + total;
      }
    if (tables_.terms.empty()) return;
    auto const* const begin = tables_.shared_term.data();
    for (index_t i = begin[first]; i < begin[last]; ++i) {
      auto const& t = tables_.terms[static_cast<std::size_t>(tables_.of_shared[static_cast<std::size_t>(i)])];
      y[entry(t.node, t.of_node)] += static_cast<Scalar>(t.weight) * y_slots_[slot(t.slot, t.component)];
    }
  }
  // Of a group of which not all elements are active.
  void copy_lanes(packed const* packs, index_t group, element_vector<Scalar> const& u) const
  {
    tables_.for_each_lane(group, [&](int lane, index_t e) {
      for (int p = 0; p < components_.count * box_.all(); ++p) {
        int const c = p / box_.all(), k = p / (box_.x * box_.y) % box_.z;
        u(e, c, k, p / box_.x % box_.y, p % box_.x) = packs[p][lane];
      }
    });
  }
  static packed* scratch_of(index_t packs)
  {
    return static_cast<packed*>(thread_scratch(static_cast<std::size_t>(packs) * sizeof(packed)));
  }

  host backend_;
  restriction_options options_;
  index_t nodes_ = 0;
  node_box box_{0, 3};
  tables_type tables_;
  constrained_lists constrained_;
  lane_components components_;
  own_vector<int> places_;
  buffer<Scalar> half_tables_;  // (2, n, n), or nothing
  mutable buffer<Scalar> x_slots_, y_slots_;
  mutable buffer<double> piece_sums_;
  work_owner x_owner_, y_owner_;  // of slots
};

template <class Scalar, dof_extras Extras>
template <dof_map Map>
restriction_storage<Scalar, host, Extras>::restriction_storage(host const& backend, Map const& table,
                                                               own_vector<index_t> const& active,
                                                               restriction_options const& options)
    : backend_(backend),
      options_(options),
      nodes_(table.nodes()),
      box_(table.box()),
      tables_(backend, table, active, options.blocks),
      x_slots_(backend, tables_.slot_count * table.components()),
      y_slots_(backend, tables_.slot_count * table.components()),
      piece_sums_(backend, 8 * pieces())
{
  static_assert(Map::extras.signs == Extras.signs);  // rows are slots
  entry_order const order{nodes_, table.components(), options.components_lie};
  components_.count = order.components;
  if (order.lie == interleaving::fastest) {
    components_.step = components_.count;
    components_.node_stride = components_.slot_stride = 1;
  } else {
    components_.node_stride = nodes_;
    components_.slot_stride = tables_.slot_count;
  }
  for (int m = 0; m < box_.x * components_.count; ++m)
    places_.push_back(m % components_.count * box_.all() + m / components_.count);
  components_.places = places_.data();
  constrained_ = {tables_, constrained_entries(backend, table, order), order};
  if constexpr (Map::extras.masks)
    if (index_t const n = box_.x; !tables_.halves.empty()) {
      half_tables_ = buffer<Scalar>(backend, 2 * n * n);
      for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < n; ++j)
          half_tables_[i * n + j] = half_tables_[(n + j) * n + i] =
              static_cast<Scalar>(table.masks().half()[i * n + j]);
    }
  tables_.owners = {};
}

template <class Scalar, dof_extras Extras>
template <class Work, class Hooks>
void restriction_storage<Scalar, host, Extras>::sweep(Scalar const* x, Scalar* y, sweep_mode mode, row_action rows,
                                                      Work const& work, Hooks const& hooks) const
{
  using piece_sums = typename Hooks::piece_sums;
  bool const atomic = y != nullptr && options_.policy == scatter::atomic;
  sole_use const of_x(x != nullptr ? &x_owner_ : nullptr, "restriction");
  sole_use const of_y(y != nullptr ? &y_owner_ : nullptr, "restriction");
  index_t const chunks = y != nullptr ? tables_.shared_chunks() : 0;
  if (atomic && mode == sweep_mode::write)
    backend_.partition(chunks, [&](index_t first, index_t last) {
      for_each_shared(first, last, [&](index_t at) {
        hooks.before_one(at);
        y[at] = 0;
      });
    });
  // What comes behind the elements of a piece that is first to have the runs of these steps.
  auto const finish_steps = [&](index_t piece, index_t first, index_t last) {
    finish_rows(piece, x, y, rows);
    piece_sums sum;
    for (index_t step = first; step < last; ++step)
      for_each_run(step, [&](index_t i, index_t j) { hooks.after(i, j, sum); });
    hooks.finish(piece, sum);
  };
  auto const work_block = [&](index_t block) {
    if (x != nullptr) load_slots(block, x_slots_.data(), [&](index_t at) { return atomic ? x[at] : hooks.next_x(at); });
    if (y != nullptr) clear_slots(block);
    auto const b = static_cast<std::size_t>(block);
    index_t const first = tables_.block_step[b], last = tables_.block_step[b + 1];
    index_t const *const groups = tables_.groups.data(), *const of_step = tables_.step_group.data();
    for (index_t step = first; step < last; ++step) {
      for_each_run(step, [&](index_t i, index_t j) { hooks.before(i, j); });
      work(groups + of_step[step], groups + of_step[step + 1], prefetch_of(x, step + 1));
    }
    if (atomic) {
      for_each_slot(block, [&](index_t at, index_t i) { add_atomically(y[at], y_slots_[i]); });
      for_each_term(block, [&](index_t at, index_t i, Scalar a) { add_atomically(y[at], a * y_slots_[i]); });
    }
    finish_steps(block, first, last);
  };
  auto const finish_chunk = [&](index_t chunk) {
    index_t const piece = tables_.blocks() + chunk;
    if (!atomic) {
      for_each_shared(chunk, chunk + 1, [&](index_t at) { hooks.before_one(at); });
      sum_slots(chunk, y, mode);
    }
    finish_rows(piece, x, y, rows);
    piece_sums sum;
    for_each_shared(chunk, chunk + 1, [&](index_t at) { hooks.after_one(at, sum); });
    hooks.finish(piece, sum);
  };
  backend_.balance_then(
      tables_.blocks(),
      [&](index_t first, index_t last) {
        for (index_t block = first; block < last; ++block) work_block(block);
      },
      chunks,
      [&](index_t first, index_t last) {
        for (index_t chunk = first; chunk < last; ++chunk) finish_chunk(chunk);
      });
  if (y == nullptr) return;
  // Nodes of no element, as a block without elements.
  index_t const behind = tables_.steps();
  for_each_run(behind, [&](index_t i, index_t j) { hooks.before(i, j); });
  finish_steps(pieces() - 1, behind, behind + 1);
}

}  // namespace sumfac::detail
