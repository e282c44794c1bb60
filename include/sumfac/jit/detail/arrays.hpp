// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Views as plain arrays: as units take them, and copied row by row.
#pragma once

#include <sumfac/jit/detail/interface.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace sumfac::SUMFAC_TARGET::jit::detail {

// An E-vector, or a vector, as a unit takes it.
template <class T, class Extents, class Layout>
array array_of(view<T, Extents, Layout> const& u)
{
  static_assert(Extents::rank() <= array::most_ranks, "sumfac::jit: a view of more than 5 dimensions");
  array result{.data = const_cast<std::remove_const_t<T>*>(u.data()), .rank = Extents::rank()};
  for (int r = 0; r < Extents::rank(); ++r) {
    result.extents[r] = u.extent(r);
    result.strides[r] = u.stride(r);
  }
  return result;
}
template <class T, class Extents, int Width>
array array_of(view<T, Extents, layout_interleaved<Width>> const& u)
{
  array result{.data = const_cast<std::remove_const_t<T>*>(u.data()), .rank = Extents::rank(), .width = Width};
  for (int r = 0; r < Extents::rank(); ++r) result.extents[r] = u.extent(r);
  return result;
}

// The numbers of a view, row by row.
template <class T, class View>
std::vector<T> in_rows(View const& x)
{
  std::vector<T> all;
  index_t size = 1;
  for (int r = 0; r < View::rank(); ++r) size *= x.extent(r);
  all.reserve(static_cast<std::size_t>(size));
  auto const visit = [&](auto const& self, auto... indices) -> void {
    if constexpr (int{sizeof...(indices)} == View::rank())
      all.push_back(static_cast<T>(x(indices...)));
    else
      for (index_t i = 0; i < x.extent(static_cast<int>(sizeof...(indices))); ++i) self(self, indices..., i);
  };
  if (size > 0) visit(visit);
  return all;
}

// Of a restriction, as interface.hpp has them.
struct equations {
  std::vector<std::int64_t> unknowns, begin{0}, terms;
  std::vector<double> values, weights;
};

// sumfac::restriction, of any backend.
template <class Restriction>
concept has_numbering = requires(Restriction const& r) { r.table().has_rows(); };

template <class T>
inline constexpr bool is_number =
    std::is_same_v<std::remove_const_t<T>, double> || std::is_same_v<std::remove_const_t<T>, float>;

}  // namespace sumfac::jit::detail
