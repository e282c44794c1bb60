// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// As much of ISO C++23's <mdspan> as the conversions need, for compilers whose library has none yet.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace stand_in {

inline constexpr std::size_t dynamic_extent = static_cast<std::size_t>(-1);

template <class Index, std::size_t... Es>
class extents {
public:
  using index_type = Index;
  using size_type = std::make_unsigned_t<Index>;
  using rank_type = std::size_t;

  static constexpr rank_type rank() { return sizeof...(Es); }
  static constexpr rank_type rank_dynamic() { return ((Es == dynamic_extent ? 1 : 0) + ... + 0); }
  static constexpr std::size_t static_extent(rank_type r) { return std::array<std::size_t, rank()>{Es...}[r]; }
  constexpr index_type extent(rank_type r) const { return values_[r]; }

  constexpr extents() = default;
  template <class... Is>
    requires(sizeof...(Is) > 0 && sizeof...(Is) == sizeof...(Es))
  constexpr explicit extents(Is... values) : values_{static_cast<Index>(values)...}
  {
  }

  friend constexpr bool operator==(extents const& a, extents const& b) { return a.values_ == b.values_; }

private:
  std::array<Index, sizeof...(Es)> values_{static_cast<Index>(Es == dynamic_extent ? 0 : Es)...};
};

template <class Index, std::size_t... Zeros>
extents<Index, (Zeros * 0 + dynamic_extent)...> all_dynamic(std::index_sequence<Zeros...>);

template <class Index, std::size_t Rank>
using dextents = decltype(all_dynamic<Index>(std::make_index_sequence<Rank>{}));

// A mapping that keeps its strides, whatever its layout; `Layout` says how it gets them.
template <class Extents, class Layout>
class strided_mapping {
public:
  using extents_type = Extents;
  using index_type = typename Extents::index_type;
  using size_type = typename Extents::size_type;
  using rank_type = typename Extents::rank_type;
  using layout_type = Layout;

  constexpr extents_type const& extents() const { return shape_; }
  constexpr index_type stride(rank_type r) const { return strides_[r]; }

  static constexpr bool is_always_unique() { return true; }
  static constexpr bool is_always_strided() { return true; }

  template <class... Is>
  constexpr index_type operator()(Is... indices) const
  {
    index_type sum = 0;
    rank_type r = 0;
    ((sum += static_cast<index_type>(indices) * strides_[r++]), ...);
    return sum;
  }

  friend constexpr bool operator==(strided_mapping const&, strided_mapping const&) = default;

protected:
  using stride_list = std::array<index_type, Extents::rank()>;

  constexpr strided_mapping() = default;
  constexpr strided_mapping(Extents const& shape, stride_list const& strides) : shape_(shape), strides_(strides) {}

  Extents shape_;
  stride_list strides_{};
};

struct layout_right {
  template <class Extents>
  struct mapping : strided_mapping<Extents, layout_right> {
    constexpr mapping() : mapping(Extents()) {}
    constexpr mapping(Extents const& shape)
    {
      typename Extents::index_type step = 1;
      this->shape_ = shape;
      for (auto r = Extents::rank(); r-- > 0; step *= shape.extent(r)) this->strides_[r] = step;
    }
  };
};

struct layout_left {
  template <class Extents>
  struct mapping : strided_mapping<Extents, layout_left> {
    constexpr mapping() : mapping(Extents()) {}
    constexpr mapping(Extents const& shape)
    {
      typename Extents::index_type step = 1;
      this->shape_ = shape;
      for (std::size_t r = 0; r < Extents::rank(); step *= shape.extent(r++)) this->strides_[r] = step;
    }
  };
};

struct layout_stride {
  template <class Extents>
  struct mapping : strided_mapping<Extents, layout_stride> {
    using base = strided_mapping<Extents, layout_stride>;
    constexpr mapping() : mapping(Extents(), {}) {}
    constexpr mapping(Extents const& shape, typename base::stride_list const& strides) : base(shape, strides) {}
    constexpr typename base::stride_list strides() const { return this->strides_; }
  };
};

// What C++26 adds: a layout of another name that has strides.
struct layout_right_padded {
  template <class Extents>
  struct mapping : strided_mapping<Extents, layout_right_padded> {
    using base = strided_mapping<Extents, layout_right_padded>;
    constexpr mapping(Extents const& shape, typename base::stride_list const& strides) : base(shape, strides) {}
  };
};

template <class T, class Extents, class Layout = layout_right>
class mdspan {
public:
  using element_type = T;
  using extents_type = Extents;
  using layout_type = Layout;
  using mapping_type = typename Layout::template mapping<Extents>;
  using data_handle_type = T*;
  using reference = T&;

  constexpr mdspan(T* data, mapping_type const& map) : data_(data), map_(map) {}

  constexpr T* data_handle() const { return data_; }
  constexpr mapping_type const& mapping() const { return map_; }
  constexpr extents_type const& extents() const { return map_.extents(); }

private:
  T* data_;
  mapping_type map_;
};

// The names, as sumfac's conversions ask for them.
struct family {
  template <class Index, std::size_t... Es>
  using extents = stand_in::extents<Index, Es...>;
  template <class T, class Extents, class Layout>
  using mdspan = stand_in::mdspan<T, Extents, Layout>;
  using layout_right = stand_in::layout_right;
  using layout_left = stand_in::layout_left;
  using layout_stride = stand_in::layout_stride;
};

}  // namespace stand_in
