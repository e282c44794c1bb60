// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the nine contractions have in common: out(c, l, r) = sum over k of left(c, l, k) right(c, r, k), in any strides.
#pragma once

#include <sumfac/view/detail/places.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Which of the nine: what its arguments are, and how many contracted dimensions they have (P; P, D; P, D1, D2).
enum class contraction_kind { field_field, data_field, data_data };

struct contraction_name {
  char const* function;
  contraction_kind kind;
  int contracted;
};

// A view without its type: extents and strides, and how cells are found.
struct contraction_argument {
  char const* name;
  void const* data;
  index_t extent[5], stride[5];
  index_t block_width, block_stride;  // cells of a block, which lie stride[0] apart, and the distance of two blocks
  entry_span span;                    // where the entries lie, where there are no gaps between them; empty else
};

// One factor, or the output: where the entries of cell c, row r and contracted index (k0, k1, k2) lie. Of the output
// the rows are the left fields, and k2 is the right field.
template <class T>
struct contraction_operand {
  T* data;
  index_t block_width, block, cell, row, k0, k1, k2;

  SUMFAC_INLINE index_t cell_offset(index_t c) const
  {
    return block == 0 ? c * cell : c / block_width * block + c % block_width * cell;
  }
  SUMFAC_INLINE T* at(index_t c) const { return data + cell_offset(c); }
  SUMFAC_INLINE index_t inner(index_t p, index_t d1, index_t d2) const { return p * k0 + d1 * k1 + d2 * k2; }

  // Whether `count` cells from a multiple of `count` on lie side by side.
  SUMFAC_INLINE bool is_adjacent(index_t count) const { return cell == 1 && (block == 0 || block_width % count == 0); }
};

// The sum as every backend gets it. Data are fields of which there is one; constant data have k0 = 0.
template <class Out, class Left, class Right>
struct contraction {
  using accumulator = std::common_type_t<Out, Left, Right>;
  using out_type = Out;
  using left_type = Left;
  using right_type = Right;

  contraction_operand<Out> out;
  contraction_operand<Left const> left;
  contraction_operand<Right const> right;
  index_t cells, left_rows, right_rows;
  index_t n0, n1, n2;  // the contracted dimensions, innermost last
  bool add;

  SUMFAC_INLINE index_t length() const { return n0 * n1 * n2; }
};

template <class Layout>
inline constexpr index_t cells_of_block = index_t{1} << 62;
template <int Width>
inline constexpr index_t cells_of_block<layout_interleaved<Width>> = Width;

template <class T, class Extents, class Layout>
contraction_argument describe_argument(char const* name, view<T, Extents, Layout> const& v)
{
  using mapping = typename Layout::template mapping<Extents>;
  constexpr bool interleaved = cells_of_block<Layout> < (index_t{1} << 62);
  static_assert(interleaved || mapping::is_always_strided(),
                "sumfac::intrepid: an argument's layout has no strides: copy its entries to a layout that has");
  contraction_argument a{name, v.data(), {1, 1, 1, 1, 1}, {}, cells_of_block<Layout>, 0, {}};
  for (int r = 0; r < Extents::rank(); ++r) {
    a.extent[r] = static_cast<index_t>(v.extent(r));
    a.stride[r] = interleaved && r == 0 ? 1 : static_cast<index_t>(v.stride(r));
  }
  if (interleaved) {
    a.block_stride = a.block_width;
    for (int r = 1; r < Extents::rank(); ++r) a.block_stride *= a.extent[r];
  }
  entry_span const span = span_of(v);
  if (interleaved || span.size() <= static_cast<index_t>(v.size())) a.span = span;
  return a;
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_extent(contraction_name const& n, char const* dimension,
                                                                 char const* a, index_t size_a, char const* b,
                                                                 index_t size_b, char const* advice)
{
  failf(n.function, "dimension %s of %s and %s does not match (%s has %lld, %s has %lld): %s", dimension, a, b, a,
        static_cast<long long>(size_a), b, static_cast<long long>(size_b), advice);
}

// Refuses what does not fit, in the documented order: C, P, D, D1, D2 of the factors, then the output's; then null.
inline void check_contraction(contraction_name const& n, contraction_argument const& out,
                              contraction_argument const& left, contraction_argument const& right)
{
  using enum contraction_kind;
  for (auto const* a : {&out, &left, &right})
    for (index_t e : a->extent)
      if (e < 0)
        failf(n.function, "an extent of %s is negative (got %lld, at least 0 expected)", a->name,
              static_cast<long long>(e));
  constexpr char const* points[3][3] = {{"P"}, {"P", "D"}, {"P", "D1", "D2"}};
  int const l = n.kind == field_field ? 2 : 1, r = n.kind == data_data ? 1 : 2;  // where the contracted ones begin
  if (left.extent[0] != right.extent[0])
    refuse_extent(n, "C", left.name, left.extent[0], right.name, right.extent[0], "pass the same cells");
  for (int i = 0; i < n.contracted; ++i) {
    index_t const a = left.extent[l + i], b = right.extent[r + i];
    if (a == b || (i == 0 && n.kind == data_field && a == 1)) continue;
    refuse_extent(n, points[n.contracted - 1][i], left.name, a, right.name, b,
                  i > 0                  ? "pass factors of the same components"
                  : n.kind == data_field ? "pass data at the fields' points, or 1 for constant data"
                                         : "pass factors at the same points");
  }
  constexpr auto advice = "pass an output of the factors' extents";
  if (out.extent[0] != left.extent[0])
    refuse_extent(n, "C", out.name, out.extent[0], left.name, left.extent[0], advice);
  if (n.kind == field_field && out.extent[1] != left.extent[1])
    refuse_extent(n, "L", out.name, out.extent[1], left.name, left.extent[1], advice);
  if (n.kind == field_field && out.extent[2] != right.extent[1])
    refuse_extent(n, "R", out.name, out.extent[2], right.name, right.extent[1], advice);
  if (n.kind == data_field && out.extent[1] != right.extent[1])
    refuse_extent(n, "F", out.name, out.extent[1], right.name, right.extent[1], advice);
  for (auto const* a : {&out, &left, &right}) {
    index_t size = 1;
    for (index_t e : a->extent) size *= e;
    check_data(n.function, a->name, a->data, size);
    if (a == &out && a->block_stride == 0) check_places(n.function, a->name, 5, a->extent, a->stride);
  }
}

// Refuses an output that shares memory with a factor; views with gaps are taken on trust.
template <class Out, class Factor>
void check_no_overlap(contraction_name const& n, contraction_argument const& out, contraction_argument const& factor)
{
  if (out.span.size() == 0 || factor.span.size() == 0) return;
  if (meet(addresses_of(out.data, out.span, sizeof(Out)), addresses_of(factor.data, factor.span, sizeof(Factor))))
    failf(n.function, "%s shares memory with %s (addresses %p and %p): pass an output of its own", out.name,
          factor.name, out.data, factor.data);
}

template <class T>
contraction_operand<T> make_operand(contraction_argument const& a, T* data, int row, int first, int contracted,
                                    bool is_constant)
{
  bool const blocks = a.block_width < (index_t{1} << 62);
  contraction_operand<T> x{
      data, a.block_width, blocks ? a.block_stride : 0, a.stride[0], row > 0 ? a.stride[row] : 0, 0, 0, 0};
  index_t* const k[3] = {&x.k0, &x.k1, &x.k2};
  for (int i = 0; i < contracted; ++i) *k[3 - contracted + i] = i == 0 && is_constant ? 0 : a.stride[first + i];
  return x;
}

// Checks the arguments of one of the nine functions and says what is to be summed.
template <class Out, class Left, class Right>
auto make_contraction(contraction_name const& name, contraction_argument const& out, Out* out_data,
                      contraction_argument const& left, Left* left_data, contraction_argument const& right,
                      Right* right_data, bool add)
{
  using enum contraction_kind;
  check_contraction(name, out, left, right);
  check_no_overlap<Out, Left>(name, out, left);
  check_no_overlap<Out, Right>(name, out, right);

  int const l = name.kind == field_field ? 2 : 1, r = name.kind == data_data ? 1 : 2, count = name.contracted;
  index_t n[3] = {1, 1, 1};
  for (int i = 0; i < count; ++i) n[3 - count + i] = right.extent[r + i];
  bool const is_constant = name.kind == data_field && left.extent[l] == 1;
  contraction<Out, std::remove_const_t<Left>, std::remove_const_t<Right>> sum{
      .out = make_operand(out, out_data, 0, 0, 0, false),
      .left = make_operand<Left const>(left, left_data, l - 1, l, count, is_constant),
      .right = make_operand<Right const>(right, right_data, r - 1, r, count, false),
      .cells = out.extent[0],
      .left_rows = name.kind == field_field ? left.extent[1] : 1,
      .right_rows = name.kind == data_data ? 1 : right.extent[1],
      .n0 = n[0],
      .n1 = n[1],
      .n2 = n[2],
      .add = add};
  if (name.kind == field_field) sum.out.row = out.stride[1], sum.out.k2 = out.stride[2];
  if (name.kind == data_field) sum.out.k2 = out.stride[1];
  return sum;
}

}  // namespace sumfac::detail
