// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Checks of the E-vectors and global vectors that callers pass, and descriptions of them for kernels.
#pragma once

#include <sumfac/dofs/vectors/element_vector.hpp>
#include <sumfac/view/detail/places.hpp>

#include <cstddef>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Extents of an E-vector of elements of so many nodes per direction and directions.
template <int Components, int Nodes1d, int Directions, index_t... Ones>
struct e_vector_shape {
  static constexpr index_t size = Nodes1d == dynamic ? dynamic_extent : index_t{Nodes1d};
  using type = typename e_vector_shape<Components, Nodes1d, Directions - 1, Ones..., size>::type;
};
template <int Components, int Nodes1d, index_t... Sizes>
struct e_vector_shape<Components, Nodes1d, 0, Sizes...> {
  using type = extents<dynamic_extent, Components, Sizes...>;
};
template <int Nodes1d, index_t... Sizes>
struct e_vector_shape<1, Nodes1d, 0, Sizes...> {
  using type = extents<dynamic_extent, Sizes...>;
};
template <int Components, int Nodes1d, int Directions>
using e_vector_extents = typename e_vector_shape<Components, Nodes1d, Directions>::type;

// Such a view of layout_right on elements of so many nodes along each direction, if the compiler does not know them.
template <int Components, int Nodes1d, int Directions, class T>
view<T, e_vector_extents<Components, Nodes1d, Directions>> e_vector_view(T* data, index_t elements,
                                                                         [[maybe_unused]] index_t nodes_1d)
{
  using result = view<T, e_vector_extents<Components, Nodes1d, Directions>>;
  if constexpr (Nodes1d == dynamic)
    return result(data, elements, nodes_1d);
  else
    return result(data, elements);
}

template <class Layout>
inline constexpr index_t interleaved_width = 0;
template <int Width>
inline constexpr index_t interleaved_width<layout_interleaved<Width>> = Width;

inline void check_extent(char const* where, char const* what, int r, char const* name, index_t expected, index_t got)
{
  if (got != expected)
    failf(where, "extent %d (%s) of %s does not match (expected %lld, got %lld)", r, name, what,
          static_cast<long long>(expected), static_cast<long long>(got));
}

// Checks the shape (elements, [components,] n, n, n) of an E-vector, of as many n as elements have directions, and
// describes it.
//
// **Errors** argument_error naming the operation, the argument and both numbers.
template <int Directions, class T, class Extents, class Layout>
element_vector<T> describe_on(char const* where, char const* what, view<T, Extents, Layout> const& u, index_t elements,
                              int components, index_t nodes_1d)
{
  constexpr int rank = Extents::rank();
  constexpr index_t width = interleaved_width<Layout>;
  constexpr bool has_components = rank == 2 + Directions;
  check_extent(where, what, 0, "elements", elements, u.extent(0));
  if constexpr (has_components)
    check_extent(where, what, 1, "components", components, u.extent(1));
  else if (components > 1)
    failf(where, "%s has no dimension for the components (rank %d, and %d components): pass a view of shape %s", what,
          rank, components,
          Directions == 3   ? "(E, C, n, n, n)"
          : Directions == 2 ? "(E, C, n, n)"
                            : "(E, C, n)");
  if constexpr (Directions >= 3) check_extent(where, what, rank - 3, "k", nodes_1d, u.extent(rank - 3));
  if constexpr (Directions >= 2) check_extent(where, what, rank - 2, "j", nodes_1d, u.extent(rank - 2));
  check_extent(where, what, rank - 1, "i", nodes_1d, u.extent(rank - 1));
  check_data(where, what, u.data(), u.size());
  if constexpr (std::is_same_v<Layout, layout_stride> && !std::is_const_v<T>) {
    view_shape const shape(u);
    check_places(where, what, rank, shape.extents, shape.strides);
  }

  element_vector<T> x{.data = u.data(), .elements = elements};
  if constexpr (width > 0) {
    x.width = width;
    x.lane_stride = 1;
    x.block_stride = width * components * node_box(static_cast<int>(nodes_1d), Directions).all();
  } else {
    x.block_stride = u.stride(0);
  }
  if constexpr (has_components) x.stride_c = u.stride(1);
  if constexpr (Directions >= 3) x.stride_k = u.stride(rank - 3);
  if constexpr (Directions >= 2) x.stride_j = u.stride(rank - 2);
  x.stride_i = u.stride(rank - 1);
  return x;
}

// The same where directions are a run-time number, as a restriction has them.
template <class T, class Extents, class Layout>
element_vector<T> describe(char const* where, char const* what, view<T, Extents, Layout> const& u, index_t elements,
                           int components, index_t nodes_1d, int directions)
{
  constexpr int rank = Extents::rank();
  static_assert(rank >= 2 && rank <= 5,
                "sumfac: the rank of an E-vector is 4, (E, k, j, i), or 5, (E, c, k, j, i), and one less for each "
                "direction that elements have not");
  if constexpr (rank >= 4 && rank <= 5)
    if (directions == 3) return describe_on<3>(where, what, u, elements, components, nodes_1d);
  if constexpr (rank >= 3 && rank <= 4)
    if (directions == 2) return describe_on<2>(where, what, u, elements, components, nodes_1d);
  if constexpr (rank >= 2 && rank <= 3)
    if (directions == 1) return describe_on<1>(where, what, u, elements, components, nodes_1d);
  failf(where, "the rank of %s does not match elements of %d directions (got %d, %d expected)", what, directions, rank,
        1 + directions + (components > 1 ? 1 : 0));
}

// The same where the numbers of components and directions are known to the compiler, as an operator has them.
template <int Components, int Directions = 3, class T, class Extents, class Layout>
element_vector<T> describe(char const* where, char const* what, view<T, Extents, Layout> const& u, index_t elements,
                           index_t nodes_1d)
{
  constexpr bool strided = std::is_same_v<Layout, layout_right> || std::is_same_v<Layout, layout_left> ||
                           std::is_same_v<Layout, layout_stride>;
  constexpr bool fits = int{Extents::rank()} == 1 + Directions + (Components == 1 ? 0 : 1);
  static_assert(fits || Directions != 3,
                "sumfac::element_operator: the rank of an E-vector is (E, k, j, i) for one component, (E, c, k, j, i) "
                "for several");
  static_assert(fits || Directions == 3,
                "sumfac::element_operator: the rank of an E-vector is (E, j, i) on quadrilaterals, (E, i) on lines, "
                "triangles, tetrahedra and prisms for one component, (E, c, j, i) and (E, c, i) for several");
  static_assert(strided || interleaved_width<Layout> > 0,
                "sumfac::element_operator: the layout of an E-vector must be layout_right, "
                "layout_left, layout_stride or layout_interleaved<W>");
  if constexpr (fits)
    return describe_on<Directions>(where, what, u, elements, Components, nodes_1d);
  else
    return {};
}

// Refuses vectors, u and v by name, that share memory: v is written while u is still read.
template <class From, class To>
void check_distinct(char const* where, From const& u, To const& v, char const* u_name = "u", char const* v_name = "v")
{
  auto const addresses = [](auto const& x) { return addresses_of(x.data(), span_of(x), sizeof(*x.data())); };
  entry_span const of_u = addresses(u), of_v = addresses(v);
  if (meet(of_u, of_v))
    failf(where, "%s and %s overlap (%s begins %lld bytes behind %s's begin, %s spans %lld bytes): pass two vectors",
          u_name, v_name, v_name, static_cast<long long>(of_v.first - of_u.first), u_name, u_name,
          static_cast<long long>(of_u.size()));
}

// Throws unless global vectors x and y, of those names, have so many entries, and neither is null nor a part of the
// other.
template <class From, class To>
void check_vectors(char const* where, char const* x_name, From const& x, index_t x_size, char const* y_name,
                   To const& y, index_t y_size)
{
  check_extent(where, x_name, 0, "entries", x_size, x.extent(0));
  check_extent(where, y_name, 0, "entries", y_size, y.extent(0));
  check_data(where, x_name, x.data(), x_size);
  check_data(where, y_name, y.data(), y_size);
  if (x_size > 0 && y_size > 0) check_distinct(where, x, y, x_name, y_name);
}

}  // namespace sumfac::detail
