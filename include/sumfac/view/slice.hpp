// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Slices of a view: the same entries with some dimensions fixed or cut short.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/view/view.hpp>

#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

// In a slice: the whole of a dimension. Write `sumfac::all` in CUDA code, which has another `all`.
struct all_indices {
  explicit all_indices() = default;
};
inline constexpr all_indices all{};

// In a slice: the indices first .. last-1 of a dimension.
struct range {
  template <index_like First, index_like Last>
  SUMFAC_FUNCTION constexpr range(First first_index, Last last_index)
      : first(static_cast<index_t>(first_index)), last(static_cast<index_t>(last_index))
  {
  }

  SUMFAC_FUNCTION constexpr index_t size() const { return last - first; }

  index_t first, last;
};

// What may stand for a dimension in a slice: an index, which drops the dimension, `all` or a `range`.
template <class Specifier>
concept slice_specifier =
    index_like<Specifier> || std::is_same_v<Specifier, all_indices> || std::is_same_v<Specifier, range>;

namespace detail {

enum class kept { no, part, whole };

template <class Specifier>
inline constexpr kept kept_by = std::is_same_v<Specifier, all_indices> ? kept::whole
                                : std::is_same_v<Specifier, range>     ? kept::part
                                                                       : kept::no;

// What a slice keeps of a view: which dimensions, and so which extents and which layout.
template <class Extents, class Layout, class... Specs>
struct slicing {
  static constexpr int rank = static_cast<int>(sizeof...(Specs));
  static constexpr int kept_rank = ((kept_by<Specs> == kept::no ? 0 : 1) + ... + 0);

  // The dimension of the view that becomes dimension n of the slice.
  SUMFAC_FUNCTION static constexpr int source(int n)
  {
    constexpr kept how[] = {kept_by<Specs>..., kept::no};
    for (int r = 0; r < rank; ++r)
      if (how[r] != kept::no && n-- == 0) return r;
    return rank;
  }

  static constexpr index_t static_extent(int n)
  {
    constexpr kept how[] = {kept_by<Specs>..., kept::no};
    return how[source(n)] == kept::whole ? Extents::static_extent(source(n)) : dynamic_extent;
  }

  // Whether the slice's dimensions are those from `from` on, whole except perhaps dimension `cut` of the slice.
  static constexpr bool is_run(int from, int cut)
  {
    constexpr kept how[] = {kept_by<Specs>..., kept::no};
    for (int n = 0; n < kept_rank; ++n)
      if (source(n) != from + n || (n != cut && how[source(n)] != kept::whole)) return false;
    return true;
  }

  template <int... Ns>
  static extents<static_extent(Ns)...> shape_of(std::integer_sequence<int, Ns...>);

  template <class Source>
  static auto layout_of(Source)
  {
    if constexpr (kept_rank == 0)
      return layout_right{};
    else if constexpr (std::is_same_v<Source, layout_right> && is_run(rank - kept_rank, 0))
      return layout_right{};
    else if constexpr (std::is_same_v<Source, layout_left> && is_run(0, kept_rank - 1))
      return layout_left{};
    else
      return layout_stride{};
  }

  // Blocks of Width elements stay so where the elements are kept from a multiple of Width on, and all else whole.
  template <int Width>
  static auto layout_of(layout_interleaved<Width>)
  {
    static_assert(Width == 1 || kept_rank == 0 || source(0) != 0 || (kept_rank == rank && is_run(0, 0)),
                  "sumfac::slice: what is left of an interleaved view has no stride over its elements: fix the element "
                  "(the first index), or keep `all` of every other dimension");
    if constexpr (kept_rank == rank && is_run(0, 0))
      return layout_interleaved<Width>{};
    else if constexpr (kept_rank == 0)
      return layout_right{};
    else
      return layout_stride{};
  }

  using extents_type = decltype(shape_of(ranks<kept_rank>{}));
  using layout_type = decltype(layout_of(Layout{}));
};

// What a specifier keeps of a dimension, as a range.
template <class Specifier>
SUMFAC_FUNCTION constexpr range slice_part(Specifier const& spec, index_t extent)
{
  if constexpr (std::is_same_v<Specifier, range>)
    return spec;
  else if constexpr (std::is_same_v<Specifier, all_indices>)
    return {0, extent};
  else
    return {static_cast<index_t>(spec), static_cast<index_t>(spec) + 1};
}

// The width of the blocks in which a layout keeps the first index together.
template <class Layout>
inline constexpr int block_width = 1;

template <int Width>
inline constexpr int block_width<layout_interleaved<Width>> = Width;

// Refuses a part that is not inside its dimension, or cuts a block of interleaved elements.
template <class Spec, class View>
SUMFAC_FUNCTION constexpr void check_part([[maybe_unused]] View const& v, [[maybe_unused]] int r,
                                          [[maybe_unused]] range part)
{
#if SUMFAC_BOUNDS_CHECK
  auto const extent = v.extent(r);
  if (kept_by<Spec> == kept::no) {
    if (part.first < 0 || part.first >= extent)
      refuse(v.extents(), "slice: index is outside dimension", r, "index", part.first, "extent", extent,
             "pass 0 <= index < extent");
  } else {
    if (part.first < 0 || part.first > part.last)
      refuse(v.extents(), "slice: the range does not begin within dimension", r, "first", part.first, "last", part.last,
             "pass 0 <= first <= last <= extent");
    if (part.last > extent)
      refuse(v.extents(), "slice: the range does not end within dimension", r, "last", part.last, "extent", extent,
             "pass 0 <= first <= last <= extent");
    constexpr int width = block_width<typename View::layout_type>;
    if (r == 0 && part.size() > 0 && part.first % width != 0)
      refuse(v.extents(), "slice: the range begins within a block of interleaved elements in dimension", r, "first",
             part.first, "width", width, "begin at a multiple of the width");
  }
#endif
}

// Extents from one value for every dimension, of which there may be none.
template <class Extents, class... Is>
SUMFAC_FUNCTION constexpr Extents extents_of(Is... values)
{
  if constexpr (sizeof...(Is) == 0)
    return {};
  else
    return Extents(values...);
}

template <class Kept, class T, class Extents, class Layout, int... Rs, int... Ns, class... Specs>
SUMFAC_FUNCTION constexpr auto make_slice(view<T, Extents, Layout> const& v, std::integer_sequence<int, Rs...>,
                                          std::integer_sequence<int, Ns...>, Specs const&... specs)
{
  using shape_type = typename Kept::extents_type;
  using view_type = view<T, shape_type, typename Kept::layout_type>;

  range const part[] = {slice_part(specs, v.extent(Rs))..., range{0, 0}};
  (check_part<Specs>(v, Rs, part[Rs]), ...);
  // An empty slice begins with the view, lest its address lie beyond the entries.
  bool const empty = ((part[Rs].first == part[Rs].last) || ...);
  auto const data = empty ? v.data() : v.data() + v.mapping()(part[Rs].first...);

  auto const shape = extents_of<shape_type>(part[Kept::source(Ns)].size()...);
  if constexpr (std::is_same_v<typename Kept::layout_type, layout_stride>)
    return view_type(data, {shape, {v.stride(Kept::source(Ns))...}});
  else
    return view_type(data, shape);
}

}  // namespace detail

// The entries of `v` with one specifier for every dimension: an index fixes it and drops it from the shape, `all` keeps
// it whole (a static extent stays static), `range{first, last}` keeps a part of it.
//
// **Shapes** the kept dimensions, in order. layout_right and layout_left stay where what is kept is still in such an
// order, as the types of the specifiers tell; an interleaved view stays so where only its elements are cut, from a
// multiple of Width on; else the result is layout_stride.
// **Errors** (compile time) a part of an interleaved view that no layout describes; (debug) an index or range outside
// its extent, or a cut within a block of interleaved elements: std::out_of_range.
// **Source** std::submdspan of ISO C++26.
template <class T, class Extents, class Layout, slice_specifier... Specs>
  requires(sizeof...(Specs) == Extents::rank())
SUMFAC_FUNCTION constexpr auto slice(view<T, Extents, Layout> const& v, Specs... specs)
{
  using kept = detail::slicing<Extents, Layout, Specs...>;
  return detail::make_slice<kept>(v, detail::ranks<kept::rank>{}, detail::ranks<kept::kept_rank>{}, specs...);
}

}  // namespace sumfac
