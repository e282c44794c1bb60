// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Where the entries of a view lie, whatever the signs of its strides, and whether each has a place of its own.
#pragma once

#include <sumfac/error.hpp>
#include <sumfac/view/view.hpp>

#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// Offsets from a view's data, of the first entry in memory and behind the last one; equal where there are no entries.
struct entry_span {
  index_t first = 0, last = 0;
  index_t size() const { return last - first; }
};

inline entry_span span_of(int rank, index_t const* extents, index_t const* strides)
{
  entry_span s{0, 1};
  for (int r = 0; r < rank; ++r) {
    if (extents[r] == 0) return {};
    (strides[r] < 0 ? s.first : s.last) += (extents[r] - 1) * strides[r];
  }
  return s;
}

// The same as addresses, of entries of so many bytes.
inline entry_span addresses_of(void const* data, entry_span entries, index_t entry_bytes)
{
  auto const at = static_cast<index_t>(reinterpret_cast<std::uintptr_t>(data));
  return {at + entries.first * entry_bytes, at + entries.last * entry_bytes};
}

inline bool meet(entry_span a, entry_span b) { return a.first < b.last && b.first < a.last; }

// Extents and strides of a view that has strides.
template <class View>
struct view_shape {
  static constexpr int rank = static_cast<int>(View::rank());
  index_t extents[rank], strides[rank];

  explicit view_shape(View const& u)
  {
    for (int r = 0; r < rank; ++r) {
      extents[r] = static_cast<index_t>(u.extent(r));
      strides[r] = static_cast<index_t>(u.stride(r));
    }
  }
};

template <class View>
entry_span span_of(View const& u)
{
  if constexpr (View::rank() > 0 && std::is_same_v<typename View::layout_type, layout_stride>) {
    view_shape<View> const shape(u);
    return span_of(shape.rank, shape.extents, shape.strides);
  } else {
    return {0, static_cast<index_t>(u.mapping().required_span_size())};
  }
}

// Whether fewer than n steps of `a` entries lead where fewer than m steps of `b` lead, other than to the start.
inline bool steps_meet(index_t n, index_t a, index_t m, index_t b)
{
  if (a == 0) return n > 1;
  if (b == 0) return m > 1;
  index_t common = a, rest = b;
  while (rest != 0) common %= rest, std::swap(common, rest);
  return (std::abs)(b / common) < n && (std::abs)(a / common) < m;
}

// Throws if entries of a view to be written to share places, as strides of 0 make them: if it has fewer places than
// entries, or if steps in one dimension, or in two, lead back to where they began.
inline void check_places(char const* where, char const* what, int rank, index_t const* extents, index_t const* strides)
{
  index_t entries = 1;
  for (int r = 0; r < rank; ++r) entries *= extents[r];
  index_t const span = span_of(rank, extents, strides).size();
  if (span < entries)
    failf(where,
          "%s overlaps itself (%lld entries, but a span of %lld): pass a view whose entries have places of "
          "their own",
          what, static_cast<long long>(entries), static_cast<long long>(span));
  for (int r = 0; r < rank && entries > 0; ++r)
    for (int s = r; s < rank; ++s) {
      bool const overlap =
          r == s ? strides[r] == 0 && extents[r] > 1 : steps_meet(extents[r], strides[r], extents[s], strides[s]);
      if (overlap)
        failf(where,
              "%s overlaps itself (dimensions %d and %d meet: extents %lld and %lld, strides %lld and %lld): "
              "pass a view whose entries have places of their own",
              what, r, s, static_cast<long long>(extents[r]), static_cast<long long>(extents[s]),
              static_cast<long long>(strides[r]), static_cast<long long>(strides[s]));
    }
}

}  // namespace sumfac::detail
