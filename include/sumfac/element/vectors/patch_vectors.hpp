// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Global vectors as a device's team reads and writes them for a patch of neighbouring elements, by way of its scratch.
#pragma once

#include <sumfac/dofs/restriction/patch_table.hpp>
#include <sumfac/element/vectors/team_global.hpp>

#include <cstdint>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// u and v of elements in scratch (C, place), by lines, from place `first` on.
template <class Problem, class Numbers>
struct lines_in_scratch {
  using number = typename Problem::number;
  static constexpr int n = Problem::nodes_1d, nodes = n * Problem::nodes_y * Problem::nodes_z;

  Numbers& numbers;
  int first;

  template <axis Along>
  SUMFAC_INLINE pencil<number, n> read(int e, int c, int a, int b) const
  {
    int const begin = first + e * nodes + first_of_line<Along, n>(a, b);
    return fetch<number, n>([&](int i) SUMFAC_LAMBDA { return numbers(c, begin + i * stride_of_line<Along, n>); });
  }
  template <axis Along>
  SUMFAC_INLINE auto write(int e, int c, int a, int b) const
  {
    int const begin = first + e * nodes + first_of_line<Along, n>(a, b);
    return [numbers = &numbers, c, begin](int i, number v)
               SUMFAC_LAMBDA { (*numbers)(c, begin + i * stride_of_line<Along, n>) = v; };
  }
};

// u of all elements of a patch, which the elements' v replaces one after the other: an element's u is read before its v
// is written. Each entry of the patch is read from x once, and written once: its sum over the patch, in the order of
// the pattern, to y or, where an earlier patch has it, too, to a slot.
template <class Problem, int Elements, int Patch>
struct patch_vectors {
  using number = typename Problem::number;
  using entry = typename Problem::vector_number;
  static constexpr int elements = Elements, patch = Patch, n = Problem::nodes_1d, components = Problem::components;
  static constexpr int nodes = n * Problem::nodes_y * Problem::nodes_z;

  static constexpr int prefetch_lines = 0;
  static constexpr bool gathers = false;

  patch_table<entry> table;
  entry const* x = nullptr;
  entry* y = nullptr;

  template <class Team>
  struct scratch {
    typename Team::template shared<number, components, (Patch > 0 ? Patch : 1) * nodes> numbers;  // (C, place)
  };

  // What kernels call a group: that among all, and the pass that takes it.
  static constexpr int pass_bit = 48;
  SUMFAC_INLINE static constexpr index_t of_pass(index_t group, int pass) { return group | index_t{pass} << pass_bit; }
  SUMFAC_INLINE static constexpr index_t group_of(index_t group) { return group & ((index_t{1} << pass_bit) - 1); }

  template <class Scratch>
  SUMFAC_INLINE auto memory(Scratch& s, index_t group) const
  {
    auto& numbers = s.exchanged.numbers;
    return lines_in_scratch<Problem, std::remove_reference_t<decltype(numbers)>>{
        numbers, static_cast<int>(group >> pass_bit) * (Elements * nodes)};
  }

  // u of the patch.
  template <class Team, class Scratch>
  SUMFAC_INLINE void gather(Team const& team, Scratch& s, index_t which) const
  {
    team.phase("gather a patch");
    SUMFAC_UNROLL
    for (int c = 0; c < components; ++c) {
      patch_record const r = record(which, c);
      if (r.zeros == 0) continue;
      team.each(box<Patch * nodes>{}, [&](int place) { s.numbers(c, place) = number(0); });
      team.sync();
    }
    SUMFAC_UNROLL
    for (int c = 0; c < components; ++c) {
      patch_record const r = record(which, c);
      in_batches(team, r, [&](item(&items)[batch], int, int count) SUMFAC_LAMBDA {
        number values[batch];
        SUMFAC_UNROLL
        for (int k = 0; k < batch; ++k)
          values[k] = k < count ? static_cast<number>(load_constant(x + (items[k].entry + of_list(c) * table.stride)))
                                : number(0);
        SUMFAC_UNROLL
        for (int k = 0; k < batch; ++k)
          if (k < count) at_places(r, items[k], [&](int place) SUMFAC_LAMBDA { s.numbers(c, place) = values[k]; });
      });
    }
  }

  // The sums of v over the patch.
  template <class Team, class Scratch>
  SUMFAC_INLINE void scatter(Team const& team, Scratch& s, index_t which) const
  {
    team.phase("add up a patch");
    SUMFAC_UNROLL
    for (int c = 0; c < components; ++c) {
      patch_record const r = record(which, c);
      entry* const own_slots = table.work + (of_list(c) * table.work_stride + r.first_slot);
      in_batches(team, r, [&](item(&items)[batch], int first, int count) SUMFAC_LAMBDA {
        SUMFAC_UNROLL
        for (int k = 0; k < batch; ++k) {
          if (k >= count) continue;
          int const i = first + k * Team::threads;
          number sum(0);
          at_places(r, items[k], [&](int place) SUMFAC_LAMBDA { sum += number(s.numbers(c, place)); });
          if (i >= static_cast<int>(r.direct)) {
            own_slots[i - static_cast<int>(r.direct)] = static_cast<entry>(sum);
          } else {
            entry* const to = y + (items[k].entry + of_list(c) * table.stride);
            *to = table.adds ? *to + static_cast<entry>(sum) : static_cast<entry>(sum);
          }
        }
      });
    }
  }

private:
  static constexpr int batch = 4;  // entries that a thread has on their way at once

  SUMFAC_INLINE patch_record record(index_t which, int c) const
  {
    return table.records[which * table.tracked + (table.tracked > 1 ? c : 0)];
  }
  // A component among those of its list.
  SUMFAC_INLINE index_t of_list(int c) const { return table.tracked > 1 ? 0 : c; }

  // An entry of a patch: the first of its places, and where the others are in the pattern.
  struct item {
    std::uint32_t entry = 0;
    int place = 0, next = 0, end = 0;
  };

  SUMFAC_INLINE std::uint16_t const* places_of(patch_record const& r) const
  {
    return table.patterns + r.pattern + r.count + 1;
  }

  // Calls f(items, first, count) for a thread's entries first, first + threads, ... of a patch, some at once; what the
  // tables say of these is read side by side.
  template <class Team, class Function>
  SUMFAC_INLINE void in_batches(Team const& team, patch_record const& r, Function const& f) const
  {
    constexpr int threads = Team::threads;
    int const size = static_cast<int>(r.count);
    for (int begin = 0; begin < size; begin += batch * threads)
      team.each(box<threads>{}, [&](int t) {
        int const first = begin + t, count = (size - first + threads - 1) / threads;
        if (count <= 0) return;
        item items[batch];
        SUMFAC_UNROLL
        for (int k = 0; k < batch; ++k)
          if (k < count) {
            int const i = first + k * threads;
            std::uint16_t const* const places = table.patterns + r.pattern + i;
            items[k] = {load_constant(table.entries + r.first + i), 0, load_constant(places),
                        load_constant(places + 1)};
          }
        SUMFAC_UNROLL
        for (int k = 0; k < batch; ++k)
          if (k < count) items[k].place = load_constant(places_of(r) + items[k].next++);
        f(items, first, count);
      });
  }

  // Calls f(place) for the places of an entry, in order.
  template <class Function>
  SUMFAC_INLINE void at_places(patch_record const& r, item const& of, Function const& f) const
  {
    f(of.place);
    for (int k = of.next; k < of.end; ++k) f(static_cast<int>(load_constant(places_of(r) + k)));
  }
};

}  // namespace sumfac::detail
