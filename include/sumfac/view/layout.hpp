// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The layouts of a view: from the indices of an entry to its offset.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/view/extents.hpp>

#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

// Row-major: the last index runs fastest. As std::layout_right.
struct layout_right {
  template <class Extents>
  class mapping;
};

// Column-major: the first index runs fastest. As std::layout_left.
struct layout_left {
  template <class Extents>
  class mapping;
};

// A stride of its own for every dimension. As std::layout_stride.
struct layout_stride {
  template <class Extents>
  class mapping;
};

// Width elements side by side, so that a SIMD register of Width lanes holds the same node of Width elements: the first
// index e runs fastest within its block of Width, and the number of the block slowest.
//
// **Shapes** offset(e, rest...) = (e / Width) * (Width * product of the rest) + right_offset(rest...) * Width + e %
// Width; the first extent is rounded up to a multiple of Width in `required_span_size()`.
template <int Width>
struct layout_interleaved {
  static_assert(Width >= 1, "sumfac::layout_interleaved: fewer than one element side by side: pass W >= 1");
  static constexpr int width = Width;

  template <class Extents>
  class mapping;
};

namespace detail {

// What every mapping is made of: its extents, which take no room where all are static, and the types of its members.
template <class Extents, class Layout>
class mapping_base : private Extents {
public:
  using extents_type = Extents;
  using index_type = typename Extents::index_type;
  using size_type = typename Extents::size_type;
  using rank_type = typename Extents::rank_type;
  using layout_type = Layout;

  constexpr mapping_base() = default;
  SUMFAC_FUNCTION constexpr mapping_base(Extents const& shape) : Extents(shape) {}

  SUMFAC_FUNCTION constexpr Extents const& extents() const { return *this; }

  // What holds of most layouts; the others say otherwise.
  SUMFAC_FUNCTION static constexpr bool is_always_unique() { return true; }
  SUMFAC_FUNCTION static constexpr bool is_always_exhaustive() { return true; }
  SUMFAC_FUNCTION static constexpr bool is_always_strided() { return true; }
  SUMFAC_FUNCTION static constexpr bool is_unique() { return true; }
  SUMFAC_FUNCTION static constexpr bool is_exhaustive() { return true; }
  SUMFAC_FUNCTION static constexpr bool is_strided() { return true; }

  template <class Other>
  SUMFAC_FUNCTION friend constexpr bool operator==(mapping_base const& a, mapping_base<Other, Layout> const& b)
  {
    return a.extents() == b.extents();
  }

protected:
  static constexpr int rank_ = static_cast<int>(Extents::rank());

  // The extent of dimension R: a constant where it is static.
  template <int Rank>
  SUMFAC_INLINE constexpr index_type extent() const
  {
    constexpr auto r = static_cast<rank_type>(Rank);
    if constexpr (static_cast<index_t>(Extents::static_extent(r)) != dynamic_extent)
      return static_cast<index_type>(Extents::static_extent(r));
    else
      return extents().extent(r);
  }

  // The number of indices in dimensions first .. last-1.
  SUMFAC_FUNCTION constexpr index_type product(int first, int last) const
  {
    index_type product = 1;
    for (int r = first; r < last; ++r) product *= extents().extent(static_cast<rank_type>(r));
    return product;
  }
};

// A mapping that has a stride in every dimension, ours or another library's.
template <class Mapping>
concept strided_mapping = Mapping::is_always_unique() && Mapping::is_always_strided() && requires(Mapping const& m) {
  typename Mapping::extents_type;
  typename Mapping::layout_type;
  m.extents();
};

// Where bounds are checked, refuses strides that differ from those wanted, in dimensions of more than one index.
template <class To, class From>
SUMFAC_FUNCTION constexpr void check_strides([[maybe_unused]] To const& to, [[maybe_unused]] From const& from,
                                             [[maybe_unused]] char const* what)
{
#if SUMFAC_BOUNDS_CHECK
  for (typename To::rank_type r = 0; r < To::extents_type::rank(); ++r) {
    auto const given = static_cast<index_t>(from.stride(static_cast<typename From::rank_type>(r)));
    auto const wanted = static_cast<index_t>(to.stride(r));
    if (to.extents().extent(r) > 1 && given != wanted)
      refuse(what, static_cast<int>(r), "given", given, "wanted", wanted, "keep it a layout_stride, or copy");
  }
#endif
}

// What layout_right and layout_left are: entries side by side, the last or the first index fastest.
template <class Extents, class Layout>
class packed_mapping : public mapping_base<Extents, Layout> {
  using base = mapping_base<Extents, Layout>;
  static constexpr bool last_is_fastest = std::is_same_v<Layout, layout_right>;
  template <class Other>
  static constexpr bool converts =
      std::is_same_v<typename Other::layout_type, Layout> && !std::is_base_of_v<packed_mapping, Other> &&
      std::is_convertible_v<typename Other::extents_type, Extents>;

public:
  using typename base::index_type, typename base::rank_type;

  constexpr packed_mapping() = default;
  SUMFAC_FUNCTION constexpr packed_mapping(Extents const& shape) : base(shape) {}

  // From a mapping of this layout; or, where it is asked for, from one whose strides are this layout's: that is taken
  // on trust, and checked where bounds are. (Two, for g++ forgets explicit(...) of constructors that are inherited.)
  template <strided_mapping Other>
    requires converts<Other>
  SUMFAC_FUNCTION constexpr packed_mapping(Other const& other) : base(Extents(other.extents()))
  {
  }
  template <strided_mapping Other>
    requires(!converts<Other> && !std::is_base_of_v<packed_mapping, Other> &&
             std::is_constructible_v<Extents, typename Other::extents_type>)
  SUMFAC_FUNCTION constexpr explicit packed_mapping(Other const& other) : base(Extents(other.extents()))
  {
    if constexpr (!std::is_same_v<typename Other::layout_type, Layout>)
      check_strides(*this, other,
                    last_is_fastest ? "layout_right: the stride does not fit in dimension"
                                    : "layout_left: the stride does not fit in dimension");
  }

  template <index_like... Is>
    requires(sizeof...(Is) == Extents::rank())
  SUMFAC_INLINE constexpr index_type operator()(Is... indices) const
  {
    return offset(ranks<base::rank_>{}, static_cast<index_type>(indices)...);
  }

  SUMFAC_FUNCTION constexpr index_type required_span_size() const { return this->product(0, base::rank_); }
  SUMFAC_FUNCTION constexpr index_type stride(rank_type r) const
  {
    auto const dimension = static_cast<int>(r);
    return last_is_fastest ? this->product(dimension + 1, base::rank_) : this->product(0, dimension);
  }

private:
  template <int... Rs, class... Is>
  SUMFAC_INLINE constexpr index_type offset(std::integer_sequence<int, Rs...>, Is... indices) const
  {
    index_type sum = 0;
    if constexpr (last_is_fastest) {
      ((sum = sum * this->template extent<Rs>() + indices), ...);
    } else {
      [[maybe_unused]] index_type step = 1;
      ((sum += indices * step, step *= this->template extent<Rs>()), ...);
    }
    return sum;
  }
};

}  // namespace detail

template <class Extents>
class layout_right::mapping : public detail::packed_mapping<Extents, layout_right> {
public:
  using detail::packed_mapping<Extents, layout_right>::packed_mapping;
};

template <class Extents>
class layout_left::mapping : public detail::packed_mapping<Extents, layout_left> {
public:
  using detail::packed_mapping<Extents, layout_left>::packed_mapping;
};

template <class Extents>
class layout_stride::mapping : public detail::mapping_base<Extents, layout_stride> {
  using base = detail::mapping_base<Extents, layout_stride>;

public:
  using typename base::index_type, typename base::rank_type;

  // The strides of layout_right.
  SUMFAC_FUNCTION constexpr mapping() : mapping(layout_right::mapping<Extents>()) {}

  SUMFAC_FUNCTION constexpr mapping(Extents const& shape, index_t const (&strides)[base::rank_ > 0 ? base::rank_ : 1])
      : base(shape)
  {
    for (int r = 0; r < base::rank_; ++r) strides_[r] = strides[r];
  }

  // From any indexable list of strides: a std::array or std::span.
  template <class Strides>
    requires(std::is_class_v<Strides> && requires(Strides const& s) { static_cast<index_t>(s[0]); })
  SUMFAC_FUNCTION constexpr mapping(Extents const& shape, Strides const& strides) : base(shape)
  {
    for (int r = 0; r < base::rank_; ++r)
      strides_[r] = static_cast<index_t>(strides[static_cast<decltype(sizeof(0))>(r)]);
  }

  // From any mapping that has a stride in every dimension.
  template <detail::strided_mapping Other>
    requires(!std::is_same_v<Other, mapping> && std::is_constructible_v<Extents, typename Other::extents_type>)
  SUMFAC_FUNCTION constexpr explicit(!std::is_convertible_v<typename Other::extents_type, Extents>)
      mapping(Other const& other)
      : base(Extents(other.extents()))
  {
    for (int r = 0; r < base::rank_; ++r)
      strides_[r] = static_cast<index_t>(other.stride(static_cast<typename Other::rank_type>(r)));
  }

  template <index_like... Is>
    requires(sizeof...(Is) == Extents::rank())
  SUMFAC_INLINE constexpr index_type operator()(Is... indices) const
  {
    return offset(detail::ranks<base::rank_>{}, static_cast<index_type>(indices)...);
  }

  SUMFAC_FUNCTION constexpr index_type required_span_size() const
  {
    index_type last = 0;
    for (int r = 0; r < base::rank_; ++r) {
      auto const extent = this->extents().extent(static_cast<rank_type>(r));
      if (extent == 0) return 0;
      last += (extent - 1) * static_cast<index_type>(strides_[r]);
    }
    return last + 1;
  }

  SUMFAC_FUNCTION constexpr index_type stride(rank_type r) const
  {
    return static_cast<index_type>(strides_[static_cast<int>(r)]);
  }

  SUMFAC_FUNCTION static constexpr bool is_always_exhaustive() { return false; }
  SUMFAC_FUNCTION constexpr bool is_exhaustive() const { return required_span_size() == this->product(0, base::rank_); }

  template <class Other>
  SUMFAC_FUNCTION friend constexpr bool operator==(mapping const& a, mapping<Other> const& b)
  {
    if (!(a.extents() == b.extents())) return false;
    for (int r = 0; r < base::rank_; ++r)
      if (a.stride(static_cast<rank_type>(r)) != b.stride(static_cast<rank_type>(r))) return false;
    return true;
  }

private:
  template <int... Rs, class... Is>
  SUMFAC_INLINE constexpr index_type offset(std::integer_sequence<int, Rs...>, Is... indices) const
  {
    return ((indices * static_cast<index_type>(strides_[Rs])) + ... + index_type(0));
  }

  detail::index_list<(base::rank_ > 0 ? base::rank_ : 1)> strides_;
};

template <int Width>
template <class Extents>
class layout_interleaved<Width>::mapping : public detail::mapping_base<Extents, layout_interleaved<Width>> {
  using base = detail::mapping_base<Extents, layout_interleaved<Width>>;
  static_assert(Extents::rank() >= 1, "sumfac::layout_interleaved: rank 0: there is no first index to interleave");

public:
  using typename base::index_type, typename base::rank_type;

  constexpr mapping() = default;
  SUMFAC_FUNCTION constexpr mapping(Extents const& shape) : base(shape) {}

  template <class Other>
    requires std::is_constructible_v<Extents, Other>
  SUMFAC_FUNCTION constexpr explicit(!std::is_convertible_v<Other, Extents>) mapping(mapping<Other> const& other)
      : base(Extents(other.extents()))
  {
  }

  template <index_like... Is>
    requires(sizeof...(Is) == Extents::rank())
  SUMFAC_INLINE constexpr index_type operator()(Is... indices) const
  {
    return offset(detail::ranks<base::rank_>{}, static_cast<index_type>(indices)...);
  }

  // The number of blocks of Width elements, the last of which may be filled in part only.
  SUMFAC_FUNCTION constexpr index_type blocks() const { return (this->template extent<0>() + Width - 1) / Width; }

  SUMFAC_FUNCTION constexpr index_type required_span_size() const
  {
    return Width * blocks() * this->product(1, base::rank_);
  }

  // The stride of dimension r >= 1, or of any dimension where `is_strided()`.
  SUMFAC_FUNCTION constexpr index_type stride(rank_type r) const
  {
    if (r == 0) return Width == 1 ? this->product(1, base::rank_) : 1;
    return Width * this->product(static_cast<int>(r) + 1, base::rank_);
  }

  SUMFAC_FUNCTION static constexpr bool is_always_exhaustive()
  {
    constexpr auto elements = static_cast<index_t>(Extents::static_extent(0));
    return Width == 1 || (elements != dynamic_extent && elements % Width == 0);
  }
  SUMFAC_FUNCTION static constexpr bool is_always_strided()
  {
    constexpr auto elements = static_cast<index_t>(Extents::static_extent(0));
    return Width == 1 || (elements != dynamic_extent && elements <= Width);
  }
  SUMFAC_FUNCTION constexpr bool is_exhaustive() const { return required_span_size() == this->product(0, base::rank_); }
  SUMFAC_FUNCTION constexpr bool is_strided() const { return Width == 1 || this->template extent<0>() <= Width; }

private:
  // Divides as unsigned numbers: with Width a power of two, a shift and a mask.
  template <int First, int... Rs, class... Is>
  SUMFAC_INLINE constexpr index_type offset(std::integer_sequence<int, First, Rs...>, index_type element,
                                            Is... rest) const
  {
    using unsigned_type = std::make_unsigned_t<index_type>;
    auto const e = static_cast<unsigned_type>(element);
    auto sum = static_cast<index_type>(e / unsigned_type(Width));
    ((sum = sum * this->template extent<Rs>() + rest), ...);
    return sum * Width + static_cast<index_type>(e % unsigned_type(Width));
  }
};

}  // namespace sumfac
