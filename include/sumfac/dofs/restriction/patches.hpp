// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Patches of a restriction: which groups of elements a team takes one after the other, and the tables of their entries.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/dofs/restriction/patch_table.hpp>
#include <sumfac/dofs/restriction/slot_map.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// What patches are made of: the numbers (E, tracked, cube) of a device_table, in the host's memory.
struct patch_source {
  static constexpr std::uint32_t dropped = ~std::uint32_t{0};

  own_vector<std::uint32_t> const& numbers;
  index_t nodes, elements, cube, step, stride;
  int tracked, components;

  // Calls f(place among the group's, list, node) for what elements of a group have that is not dropped.
  template <class Function>
  void in_group(index_t group, int lanes, Function const& f) const
  {
    for (index_t e = group * lanes; e < (group + 1) * lanes && e < elements; ++e)
      for (int list = 0; list < tracked; ++list)
        for (index_t p = 0; p < cube; ++p)
          if (std::uint32_t const node = numbers[static_cast<std::size_t>((e * tracked + list) * cube + p)];
              node != dropped)
            f((e - group * lanes) * cube + p, list, index_t{node});
  }
};

// Lists of at most `most` groups that share many nodes: pairs of groups, then pairs of these, each with the neighbour
// with which it has most in common, the first of several; so 2 x 2 x 2 elements of a box in rows. Groups of no entry
// are in none.
inline own_vector<own_vector<index_t>> neighbours_together(patch_source const& of, int lanes, int most)
{
  index_t const groups = (of.elements + lanes - 1) / lanes;
  auto const at = [](index_t i) { return static_cast<std::size_t>(i); };
  own_vector<index_t> begin(at(of.nodes + 2), 0), last(at(of.nodes), -1), cluster_of(at(groups), -1);
  own_vector<own_vector<index_t>> clusters;
  for (index_t g = 0; g < groups; ++g) {
    of.in_group(g, lanes, [&](index_t, int, index_t node) {
      if (std::exchange(last[at(node)], g) != g) ++begin[at(node + 2)];
      cluster_of[at(g)] = 0;
    });
    if (cluster_of[at(g)] == 0) clusters.push_back(own_vector<index_t>(1, g));
  }
  for (index_t node = 0; node < of.nodes; ++node) begin[at(node + 2)] += begin[at(node + 1)];
  own_vector<index_t> groups_of(at(begin[at(of.nodes + 1)]));
  last.assign(at(of.nodes), -1);
  for (index_t g = 0; g < groups; ++g)
    of.in_group(g, lanes, [&](index_t, int, index_t node) {
      if (std::exchange(last[at(node)], g) != g) groups_of[at(begin[at(node + 1)]++)] = g;
    });
  for (int size = 1; size < most; size *= 2) {
    auto const count = static_cast<index_t>(clusters.size());
    for (index_t a = 0; a < count; ++a)
      for (index_t const g : clusters[at(a)]) cluster_of[at(g)] = a;
    own_vector<index_t> common(at(count), 0), nearby;
    own_vector<own_vector<index_t>> paired;
    own_vector<bool> taken(at(count), false);
    for (index_t a = 0; a < count; ++a) {
      if (taken[at(a)]) continue;
      taken[at(a)] = true;
      for (index_t const g : clusters[at(a)])
        of.in_group(g, lanes, [&](index_t, int, index_t node) {
          for (index_t i = begin[at(node)]; i < begin[at(node + 1)]; ++i)
            if (index_t const b = cluster_of[at(groups_of[at(i)])]; !taken[at(b)])
              if (common[at(b)]++ == 0) nearby.push_back(b);
        });
      index_t best = -1;
      for (index_t const b : nearby)
        if (best < 0 || common[at(b)] > common[at(best)] || (common[at(b)] == common[at(best)] && b < best)) best = b;
      for (index_t const b : nearby) common[at(b)] = 0;
      nearby.clear();
      paired.push_back(std::move(clusters[at(a)]));
      if (best < 0) continue;
      taken[at(best)] = true;
      paired.back().append(clusters[at(best)]);
    }
    clusters = std::move(paired);
  }
  return clusters;
}

// The tables of patches of `elements` elements, whose teams take groups of `lanes`, in a backend's memory.
template <class Scalar, class Backend>
class patches {
public:
  patches(Backend const& backend, patch_source const& of, int elements, int lanes);

  bool are_of(int elements, int lanes) const { return elements_ == elements && lanes_ == lanes; }
  index_t size() const { return count_; }

  patch_table<Scalar> table(bool adds) const
  {
    auto copy = table_;
    copy.adds = adds;
    return copy;
  }
  // What comes behind the elements' kernel, for so many items: entries of several patches, those of none where they are
  // written.
  sum_of_patches<Scalar> adding_up(rows_of<Scalar> const& rows, Scalar* y) const
  {
    return {work_.data(),  table_.work_stride, table_.stride,  components_,  shared_.data(), slots_.data(),
            first_.data(), with_one_,          shared_.size(), rest_.data(), rows,           y};
  }
  index_t sums(bool adds) const { return shared_.size() + (adds ? 0 : rest_.size()); }

  // Bytes of tables that a sweep reads, and that its sums write and read again.
  index_t table_bytes() const
  {
    return groups_.size() * 8 + records_.size() * index_t{sizeof(patch_record)} + entries_.size() * 4 +
           patterns_.size() * 2 + shared_.size() * 4 + slots_.size() * 4 + first_.size() * 4 + rest_.size() * 4;
  }
  index_t slot_count() const { return table_.work_stride; }
  index_t shared() const { return shared_.size(); }

private:
  template <class T>
  using memory = memory_of<T, Backend>;

  int elements_, lanes_, components_;
  index_t count_ = 0, with_one_ = 0;
  patch_table<Scalar> table_;
  memory<index_t> groups_;
  memory<patch_record> records_;
  memory<std::uint32_t> entries_, shared_, slots_, first_, rest_;
  memory<std::uint16_t> patterns_;
  memory<Scalar> work_;
};

// Patterns, each once.
class pattern_list {
public:
  // Where such a pattern is.
  std::uint32_t place_of(own_vector<std::uint16_t> const& pattern)
  {
    std::uint32_t hash = 2166136261u;
    for (std::uint16_t const i : pattern) hash = (hash ^ i) * 16777619u;
    for (;; ++hash) {
      if (hash == ~std::uint32_t{0}) hash = 0;
      auto const next = static_cast<std::uint32_t>(all.size());
      if (known_.insert(hash, next)) {
        all.append(pattern);
        return next;
      }
      std::uint32_t const place = known_.at(hash);
      bool same = place + pattern.size() <= all.size();
      for (std::size_t i = 0; same && i < pattern.size(); ++i) same = all[place + i] == pattern[i];
      if (same) return place;
    }
  }

  own_vector<std::uint16_t> all;

private:
  slot_map known_;
};

template <class Scalar, class Backend>
patches<Scalar, Backend>::patches(Backend const& backend, patch_source const& of, int elements, int lanes)
    : elements_(elements), lanes_(lanes), components_(of.tracked > 1 ? 1 : of.components)
{
  auto const at = [](index_t i) { return static_cast<std::size_t>(i); };
  int const passes = elements / lanes;
  auto const lists = neighbours_together(of, lanes, passes);
  count_ = static_cast<index_t>(lists.size());
  // Of each node and list: the patch that has it first, and how many others have it.
  index_t const ids = of.nodes * of.tracked;
  own_vector<index_t> owner(at(ids), -1), last(at(ids), -1);
  own_vector<std::uint32_t> others(at(ids), 0);
  auto const in_patch = [&](index_t patch, auto const& f) {
    for (std::size_t pass = 0; pass < lists[at(patch)].size(); ++pass)
      of.in_group(lists[at(patch)][pass], lanes, [&](index_t p, int list, index_t node) {
        f(static_cast<index_t>(pass) * lanes * of.cube + p, list, node * of.tracked + list);
      });
  };
  for (index_t patch = 0; patch < count_; ++patch)
    in_patch(patch, [&](index_t, int, index_t id) {
      if (std::exchange(last[at(id)], patch) == patch) return;
      if (owner[at(id)] < 0)
        owner[at(id)] = patch;
      else
        ++others[at(id)];
    });

  auto const entry_of = [&](index_t id) {
    return static_cast<std::uint32_t>(id / of.tracked * of.step + id % of.tracked * of.stride);
  };
  own_vector<std::uint32_t> shared, first(1, 0), rest, next(at(ids), 0);
  for (index_t id = 0; id < ids; ++id)
    if (others[at(id)] == 1) next[at(id)] = static_cast<std::uint32_t>(shared.size()), shared.push_back(entry_of(id));
  with_one_ = static_cast<index_t>(shared.size());
  first[0] = static_cast<std::uint32_t>(with_one_);
  for (index_t id = 0; id < ids; ++id) {
    if (owner[at(id)] < 0)
      for (int c = 0; c < components_; ++c) rest.push_back(entry_of(id) + static_cast<std::uint32_t>(c * of.stride));
    if (others[at(id)] < 2) continue;
    next[at(id)] = first.back();
    first.push_back(first.back() + others[at(id)]);
    shared.push_back(entry_of(id));
  }
  own_vector<std::uint32_t> of_slots(first.back());

  own_vector<index_t> groups;
  own_vector<patch_record> records;
  own_vector<std::uint32_t> entries, local(at(ids)), begin;
  own_vector<std::uint16_t> pattern;
  pattern_list patterns;
  std::uint32_t slot = 0;
  last.assign(at(ids), -1);
  index_t stamp = 0;
  for (index_t patch = 0; patch < count_; ++patch) {
    for (int pass = 0; pass < passes; ++pass)
      groups.push_back(at(pass) < lists[at(patch)].size() ? lists[at(patch)][at(pass)] : -1);
    for (int list = 0; list < of.tracked; ++list) {
      patch_record record{static_cast<std::uint32_t>(entries.size()), 0, 0, slot, 0, 0};
      // Its entries, with how often each is there, as its elements meet them; then in the order of the list: by what is
      // done with them and by how often they are there, so that threads side by side do the same.
      own_vector<index_t> met;
      begin.clear();
      index_t places = 0;
      std::uint32_t most = 0;
      ++stamp;
      in_patch(patch, [&](index_t, int of_list, index_t id) {
        if (of_list != list) return;
        ++places;
        if (std::exchange(last[at(id)], stamp) != stamp) {
          local[at(id)] = static_cast<std::uint32_t>(met.size());
          met.push_back(id), begin.push_back(0);
        }
        if (std::uint32_t const times = ++begin[local[at(id)]]; times > most) most = times;
      });
      own_vector<own_vector<index_t>> by_kind(2 * std::size_t{most} + 2);
      for (std::size_t i = 0; i < met.size(); ++i)
        by_kind[(owner[at(met[i])] == patch ? 0 : most + 1) + begin[i]].push_back(met[i]);
      own_vector<index_t> here;
      for (std::size_t kind = 0; kind < by_kind.size(); ++kind) {
        here.append(by_kind[kind]);
        if (kind == most) record.direct = static_cast<std::uint32_t>(here.size());
      }
      for (std::size_t i = 0; i < here.size(); ++i) {
        local[at(here[i])] = static_cast<std::uint32_t>(i);
        entries.push_back(entry_of(here[i]));
        if (i >= record.direct) of_slots[next[at(here[i])]++] = slot++;
      }
      record.count = static_cast<std::uint32_t>(here.size());
      record.zeros = places < index_t{elements} * of.cube ? 1 : 0;
      begin.assign(here.size() + 1, 0);
      in_patch(patch, [&](index_t, int of_list, index_t id) {
        if (of_list == list) ++begin[local[at(id)] + 1];
      });
      for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
      pattern.resize(begin.size() + at(places));
      for (std::size_t i = 0; i < begin.size(); ++i) pattern[i] = static_cast<std::uint16_t>(begin[i]);
      in_patch(patch, [&](index_t p, int of_list, index_t id) {
        if (of_list == list) pattern[here.size() + 1 + begin[local[at(id)]]++] = static_cast<std::uint16_t>(p);
      });
      record.pattern = patterns.place_of(pattern);
      records.push_back(record);
    }
  }
  groups_ = upload(backend, groups);
  records_ = upload(backend, records);
  entries_ = upload(backend, entries);
  patterns_ = upload(backend, patterns.all);
  shared_ = upload(backend, shared);
  slots_ = upload(backend, of_slots);
  first_ = upload(backend, first);
  rest_ = upload(backend, rest);
  work_ = make_memory<Scalar>(backend, index_t{slot} * components_);
  table_ = {groups_.data(), records_.data(), entries_.data(), patterns_.data(), work_.data(),
            index_t{slot},  of.stride,       passes,          of.tracked};
}

}  // namespace sumfac::detail
