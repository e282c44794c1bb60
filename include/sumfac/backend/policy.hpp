// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The box of work items that a team spreads over its threads, and what a kernel asks of its team.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/math/detail/plain.hpp>

#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

// A box of work items, `Extents` long in each direction, numbered from 0 with the last index fastest: item
// `position` belongs to the thread of that rank, and to thread `position % threads` where the box is the larger.
template <int... Extents>
struct box {
  static_assert(sizeof...(Extents) > 0, "sumfac::box: no extent (at least one is needed) write box<1> for one item");
  static_assert(((Extents > 0) && ...), "sumfac::box: an extent is not positive: give every direction an item or more");

  static constexpr int rank = int{sizeof...(Extents)};
  static constexpr int size = (Extents * ... * 1);

  SUMFAC_FUNCTION static constexpr int extent(int r)
  {
    constexpr int extents[] = {Extents...};
    return extents[r];
  }

  // Distance of two neighbours in direction r: the product of the extents behind it.
  SUMFAC_FUNCTION static constexpr int stride(int r)
  {
    int product = 1;
    for (int s = r + 1; s < rank; ++s) product *= extent(s);
    return product;
  }

  // Index r of the item at `position`, 0 <= position < size.
  SUMFAC_FUNCTION static constexpr int index(int position, int r) { return position / stride(r) % extent(r); }

  // Number of the item at indices (i...).
  template <class... Indices>
  SUMFAC_FUNCTION static constexpr int position(Indices... i)
  {
    static_assert(sizeof...(Indices) == sizeof...(Extents), "sumfac::box: position() takes one index per extent");
    int result = 0;
    ((result = result * Extents + static_cast<int>(i)), ...);
    return result;
  }

  // Calls f with the indices of the item at `position`.
  template <class Function>
  SUMFAC_INLINE static constexpr void visit(int position, Function&& f)
  {
    visit(position, f, std::make_integer_sequence<int, rank>{});
  }

private:
  template <class Function, int... Directions>
  SUMFAC_INLINE static constexpr void visit(int position, Function& f, std::integer_sequence<int, Directions...>)
  {
    f((Directions == 0 ? position / std::integral_constant<int, stride(Directions)>::value
                       : position / std::integral_constant<int, stride(Directions)>::value % extent(Directions))...);
  }
};

namespace detail {

// Threads of a team that runs Kernel: its `static constexpr int threads`, or 256 where it names none. A team on the
// host is one thread whatever the kernel says.
template <class Kernel>
inline constexpr int kernel_threads = 256;
template <class Kernel>
  requires requires { Kernel::threads; }
inline constexpr int kernel_threads<Kernel> = Kernel::threads;

// Elements that a team of Kernel works on at once: its `static constexpr int elements`, or 1.
template <class Kernel>
inline constexpr int kernel_elements = 1;
template <class Kernel>
  requires requires { Kernel::elements; }
inline constexpr int kernel_elements<Kernel> = Kernel::elements;

// Teams that Kernel wants on a multiprocessor at the same time, which bounds its registers: its
// `static constexpr int resident_teams`, or 1.
template <class Kernel>
inline constexpr int kernel_resident_teams = 1;
template <class Kernel>
  requires requires { Kernel::resident_teams; }
inline constexpr int kernel_resident_teams<Kernel> = Kernel::resident_teams;

// Teams of a warp that share a block of Kernel: its `static constexpr int block_teams`, or Usual.
template <class Kernel, int Usual>
inline constexpr int kernel_block_teams = Usual;
template <class Kernel, int Usual>
  requires requires { Kernel::block_teams; }
inline constexpr int kernel_block_teams<Kernel, Usual> = Kernel::block_teams;

// What one thread of Kernel computes in: its type `scalar`, or double. The host computes in packs of it.
template <class Kernel>
using scalar_in_kernel = typename Kernel::scalar;
template <class Kernel>
using kernel_scalar = member_or<scalar_in_kernel, Kernel, double>;

// What a thread of a device's team keeps to itself: registers, where the box has no more items than there are threads.
template <class T, int Threads, int... Extents>
struct own_entries {
  static constexpr int owned = (box<Extents...>::size + Threads - 1) / Threads;

  T entries[owned];

  template <class... Indices>
  SUMFAC_INLINE T& operator()([[maybe_unused]] Indices... i)
  {
    if constexpr (owned == 1)
      return entries[0];
    else
      return entries[box<Extents...>::position(i...) / Threads];
  }
};

// Calls f with the indices of the items of a box that belong to the thread of this rank in a device's team of
// `Threads`; `Exactly` says that no more were launched: those behind the team's own have no items.
template <int Threads, bool Exactly, int... Extents, class Function>
SUMFAC_INLINE void visit_own(int rank, box<Extents...>, Function&& f)
{
  using items = box<Extents...>;
  if constexpr (items::size == Threads && Exactly) {
    items::visit(rank, f);
  } else if constexpr (items::size <= Threads) {
    if (rank < items::size) items::visit(rank, f);
  } else if (Exactly || rank < Threads) {
    for (int position = rank; position < items::size; position += Threads) items::visit(position, f);
  }
}

// Memory that a team shares, on the host and on devices.
template <class T, int... Extents>
struct shared_array {
  T entries[box<Extents...>::size];

  template <class... Indices>
  SUMFAC_INLINE T& operator()(Indices... i)
  {
    return entries[box<Extents...>::position(i...)];
  }
  template <class... Indices>
  SUMFAC_INLINE T const& operator()(Indices... i) const
  {
    return entries[box<Extents...>::position(i...)];
  }
};

}  // namespace detail

}  // namespace sumfac
