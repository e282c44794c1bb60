// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A group of elements between global vectors and packs, a lane for each element, by the host's tables.
#pragma once

#include <sumfac/dofs/restriction/half_sweep.hpp>
#include <sumfac/dofs/restriction/lane_tables.hpp>
#include <sumfac/math/detail/lane_rows.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// A global vector, and the slots of it.
template <class T>
struct lane_vector {
  T* nodes = nullptr;
  T* slot_data = nullptr;
};

// How the components of a node or slot lie: component c of number i is entry i * step + c * stride.
struct lane_components {
  int count = 1, step = 1;
  index_t node_stride = 0, slot_stride = 0;
  int const* places = nullptr;  // (n C): in an E-vector, of the entries of a row that lie side by side
};

// What a kernel needs of the tables, and the vectors that it reads and adds to.
//
// N and C are nodes per direction and components where the compiler knows them, 0 where they are run-time numbers.
template <class Scalar, int Width, dof_extras Extras = dof_extras{}>
class lane_sweep {
public:
  using packed = pack<Scalar, Width>;
  using number = typename lane_tables<Width>::number;

  lane_vector<Scalar const> x;
  lane_vector<Scalar> y;

  lane_sweep() = default;
  // half_tables (2, n, n): from lines to halves, and its transpose, where elements have masks.
  lane_sweep(lane_tables<Width> const& tables, index_t nodes, node_box const& of_element,
             lane_components const& components, Scalar const* half_tables = nullptr)
      : entries_(tables.entries.data()),
        place_(tables.place.data()),
        kind_(tables.kind.data()),
        components_(components),
        nodes_(static_cast<number>(nodes)),
        halves_(tables.halves.data()),
        first_half_(tables.halves.empty() ? nullptr : tables.first_half.data()),
        half_tables_(half_tables),
        n_(of_element.x),
        of_element_(of_element.all()),
        by_component_(tables.by_component)
  {
  }

  // to (C, n, n, n); n, the number of components and that of directions, or 0 where they are not known to the compiler.
  template <int Nodes1d, int Components, int Directions>
  __attribute__((noinline)) void gather(index_t group, packed* to) const
  {
    lane_sweep const own = *this;  // which stores cannot change
    own.template for_each_run<Nodes1d, Components, Directions>(
        group, [&](auto const& locate, int first, int size, auto place) SUMFAC_LAMBDA {
          Scalar const* row[Width];
          locate(own.x, row);
          for_each_block(size, 0, [&]<class Block>(int offset, Block) SUMFAC_LAMBDA {
            packed block[Block::value];
            Scalar const* at[Width];
            move(row, offset, at);
            load_rows(at, block);
            SUMFAC_UNROLL
            for (int q = 0; q < Block::value; ++q) to[first + place(offset + q)] = locate.turned(block[q]);
          });
        });
    if constexpr (Directions != 1)
      if (first_half_ != nullptr) halve<Nodes1d>(group, to, false);
  }
  // from (C, n, n, n), where elements have masks changed.
  template <int Nodes1d, int Components, int Directions>
  __attribute__((noinline)) void add(index_t group, packed* from) const
  {
    lane_sweep const own = *this;
    if constexpr (Directions != 1)
      if (first_half_ != nullptr) halve<Nodes1d>(group, from, true);
    own.template for_each_run<Nodes1d, Components, Directions>(
        group, [&](auto const& locate, int first, int size, auto place) SUMFAC_LAMBDA {
          Scalar* row[Width];
          locate(own.y, row);
          for_each_block(size, 0, [&]<class Block>(int offset, Block) SUMFAC_LAMBDA {
            packed block[Block::value];
            SUMFAC_UNROLL
            for (int q = 0; q < Block::value; ++q) block[q] = locate.turned(from[first + place(offset + q)]);
            Scalar* to[Width];
            move(row, offset, to);
            add_to_rows(to, block);
          });
        });
  }

  number const* entries_of(index_t group) const { return entries_ + place_[group]; }

private:
  // u of elements from what they read; or, from the last lines on, by the transpose.
  template <int Nodes1d>
  __attribute__((noinline)) void halve(index_t group, packed* u, bool transposed) const
  {
    half_sweep<Nodes1d, Scalar, Width> const sweep(half_tables_ + (transposed ? n_ * n_ : 0), n_);
    index_t const count = first_half_[group + 1] - first_half_[group];
    half_lines const* lines = halves_ + first_half_[group] + (transposed ? count - 1 : 0);
    for (index_t i = 0; i < count; ++i, lines += transposed ? -1 : 1)
      sweep.apply(*lines, u, components_.count, of_element_);
  }

  // Entries of a row, places in the E-vector: next to each other, or by the list.
  struct one_component {
    SUMFAC_HOST_INLINE int operator()(int m) const { return m; }
  };
  struct all_components {
    int const* places;
    SUMFAC_HOST_INLINE int operator()(int m) const { return places[m]; }
  };
  template <int Nodes, int Components>
  struct known_components {
    SUMFAC_HOST_INLINE int operator()(int m) const { return m % Components * Nodes + m / Components; }
  };

  // Nodes of an element.
  template <int Nodes1d, int Directions>
  SUMFAC_HOST_INLINE int nodes_of_element() const
  {
    return Nodes1d > 0 ? node_box(Nodes1d, Directions).all() : of_element_;
  }

  // Calls f(rows, c, step, first, size, place) for all that lies side by side in a vector: `size` entries from
  // component c on, the m-th of which is entry first + place(m) of the element; rows(v) is where they are in v.
  template <int Nodes1d, int Components, int Directions, class Function>
  SUMFAC_HOST_INLINE void for_each_run(index_t group, Function const& f) const
  {
    number const* const at = entries_of(group);
    auto const as = [&]<lane_kind Kind>(std::integral_constant<lane_kind, Kind> kind)
                        SUMFAC_LAMBDA { for_each_run_of<Nodes1d, Components, Directions>(at, kind, f); };
    switch (kind_[group]) {
      case lane_kind::own_pairs: return as(std::integral_constant<lane_kind, lane_kind::own_pairs>{});
      case lane_kind::pairs: return as(std::integral_constant<lane_kind, lane_kind::pairs>{});
      case lane_kind::own_rows: return as(std::integral_constant<lane_kind, lane_kind::own_rows>{});
      case lane_kind::rows: return as(std::integral_constant<lane_kind, lane_kind::rows>{});
      case lane_kind::single: return as(std::integral_constant<lane_kind, lane_kind::single>{});
    }
  }

  template <int Nodes1d, int Components, int Directions, class Kind, class Function>
  SUMFAC_HOST_INLINE void for_each_run_of(number const* at, Kind kind, Function const& f) const
  {
    bool const apart = kind() == lane_kind::single && by_component_;
    if constexpr (Components == 1)
      for_each_part<Nodes1d, Directions>(at, kind, [&](number const* entries, int p, int count) SUMFAC_LAMBDA {
        f(locator<Kind>{*this, entries, 0, 1}, p, count, one_component{});
      });
    else if (components_.step == 1 || apart)
      for_each_component<Nodes1d, Components, Directions>(at, kind, apart, f);
    else
      for_each_part<Nodes1d, Directions>(at, kind, [&](number const* entries, int p, int count) SUMFAC_LAMBDA {
        if constexpr (Nodes1d > 0 && Components > 0)
          f(locator<Kind>{*this, entries, 0, Components}, p, count * Components,
            known_components<node_box(Nodes1d, Directions).all(), Components>{});
        else
          f(locator<Kind>{*this, entries, 0, components_.step}, p, count * components_.step,
            all_components{components_.places});
      });
  }

  // Components one after the other.
  template <int Nodes1d, int Components, int Directions, class Kind, class Function>
  SUMFAC_HOST_INLINE void for_each_component(number const* at, Kind kind, bool apart, Function const& f) const
  {
    int const cube = nodes_of_element<Nodes1d, Directions>();
    for (int c = 0; c < (Components > 0 ? Components : components_.count); ++c, at += apart ? cube * Width : 0)
      for_each_part<Nodes1d, Directions>(at, kind, [&](number const* entries, int p, int count) SUMFAC_LAMBDA {
        f(locator<Kind>{*this, entries, c, components_.step}, c * cube + p, count, one_component{});
      });
  }

  // Calls f(entries, p, count) for nodes p .. p + count - 1, which follow one another in memory.
  template <int Nodes1d, int Directions, class Kind, class Function>
  SUMFAC_HOST_INLINE void for_each_part(number const* at, Kind, Function const& f) const
  {
    constexpr lane_kind kind = Kind::value;
    int const n = Nodes1d > 0 ? Nodes1d : n_, cube = nodes_of_element<Nodes1d, Directions>();
    if constexpr (kind == lane_kind::single) {
      for (int p = 0; p < cube; ++p, at += Width) f(at, p, 1);
    } else {
      bool const paired = kind == lane_kind::own_pairs || kind == lane_kind::pairs;
      int const parts = paired ? 2 : lane_tables<Width>::parts(n);
      // A row's first node is often the last one of another lane's. Added to before that row, which is loaded as packs,
      // it would have to reach the cache first.
      for (int p = 0; p < cube; p += n, at += parts * Width) {
        f(at + Width, p + 1, n + 1 - parts);
        f(at, p, 1);
        if (parts == 3) f(at + 2 * Width, p + n - 1, 1);
      }
    }
  }

  // Has the compiler make an address one number: a base and an index for each lane are more than there are registers.
  template <class T>
  SUMFAC_HOST_INLINE static void keep_sum([[maybe_unused]] T*& address)
  {
#if !SUMFAC_ON_DEVICE
    asm("" : "+r"(address));
#endif
  }

  // Where the nodes that Width entries name are, component c of them; with which signs.
  template <class Kind>
  struct locator {
    lane_sweep const& sweep;
    number const* entries;
    int c;
    index_t step;

    template <class T>
    SUMFAC_HOST_INLINE void operator()(lane_vector<T> const& v, T* (&row)[Width]) const
    {
      constexpr bool slotted = Kind::value != lane_kind::own_pairs && Kind::value != lane_kind::own_rows;
      T* const nodes = v.nodes + c * sweep.components_.node_stride;
      T* const shared = v.slot_data + c * sweep.components_.slot_stride - index_t{sweep.nodes_} * step;
      SUMFAC_UNROLL
      for (int l = 0; l < Width; ++l) {
        number const at = Extras.signs ? entries[l] & ~lane_tables<Width>::minus : entries[l];
        row[l] = (slotted && at >= sweep.nodes_ ? shared : nodes) + index_t{at} * step;
        if constexpr (slotted) keep_sum(row[l]);
      }
    }
    // What entries of the vector and of elements are to each other: the same, or minus the other.
    SUMFAC_HOST_INLINE packed turned(packed a) const
    {
      if constexpr (Extras.signs)
        for (int l = 0; l < Width; ++l)
          if (entries[l] >= lane_tables<Width>::minus) a.set(l, -a[l]);
      return a;
    }
  };

  // Calls f(offset, width) for blocks as wide as a pack, and half and so on for the rest, which cover 0 .. size - 1.
  template <int Block = Width, class Function>
  SUMFAC_HOST_INLINE static void for_each_block(int size, int offset, Function const& f)
  {
    if constexpr (Block == Width) {
      for (; offset + Width <= size; offset += Width) f(offset, std::integral_constant<int, Width>{});
    } else if ((size & Block) != 0) {
      f(offset, std::integral_constant<int, Block>{});
      offset += Block;
    }
    if constexpr (Block > 1) for_each_block<Block / 2>(size, offset, f);
  }

  template <class T>
  SUMFAC_HOST_INLINE static void move(T* const (&row)[Width], int offset, T* (&moved)[Width])
  {
    SUMFAC_UNROLL
    for (int l = 0; l < Width; ++l) moved[l] = row[l] + offset;
  }

  number const* entries_ = nullptr;
  index_t const* place_ = nullptr;
  lane_kind const* kind_ = nullptr;
  lane_components components_;
  number nodes_ = 0;
  half_lines const* halves_ = nullptr;
  index_t const* first_half_ = nullptr;
  Scalar const* half_tables_ = nullptr;
  int n_ = 0, of_element_ = 0;
  bool by_component_ = false;
};

}  // namespace sumfac::detail
