// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Views of what elements have, and their places, for any number of directions.
#pragma once

#include <sumfac/basis/space.hpp>
#include <sumfac/view/view.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// Views (E, n, n, n), or of fewer directions, and more extents behind.
template <int Directions, class T, class... More>
auto element_view(T* data, index_t elements, index_t n, More... more)
{
  if constexpr (Directions == 3)
    return view(data, elements, n, n, n, more...);
  else if constexpr (Directions == 2)
    return view(data, elements, n, n, more...);
  else
    return view(data, elements, n, more...);
}
// Called with each place (k, j, i) of elements of so many directions, n along each.
template <int Directions, class Function>
void for_each_place(int n, Function const& f)
{
  node_box const box(n, Directions);
  for (int k = 0; k < box.z; ++k)
    for (int j = 0; j < box.y; ++j)
      for (int i = 0; i < box.x; ++i) f(k, j, i);
}
// view(e, k, j, i, rest...) of elements of fewer directions, too.
template <int Directions, class View, class... Rest>
auto entry_at(View const& view, index_t e, [[maybe_unused]] int k, [[maybe_unused]] int j, int i, Rest... rest)
{
  if constexpr (Directions == 3)
    return view(e, k, j, i, rest...);
  else if constexpr (Directions == 2)
    return view(e, j, i, rest...);
  else
    return view(e, i, rest...);
}

}  // namespace sumfac::detail
