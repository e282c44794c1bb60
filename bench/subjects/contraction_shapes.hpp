// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The shapes of the contractions that assembly codes ask for, and views of arrays of such shapes.
#pragma once

#include "check.hpp"

#include <sumfac/intrepid/contractions.hpp>
#include <sumfac/view/view.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace sumfac::bench {

// What is contracted: out (C, L, R), (C, F = R) or (C); points and components are the sum.
struct shape {
  enum { field_field, data_field, data_data } kind;
  int contracted;  // dimensions of the sum: P; P, D; P, D1, D2
  index_t c, l, r, p, d1, d2;

  index_t length() const { return p * d1 * d2; }
  index_t left_rows() const { return kind == field_field ? l : 1; }
  index_t right_rows() const { return kind == data_data ? 1 : r; }
  double flops() const { return 2.0 * double(c * left_rows() * right_rows() * length()); }
  double bytes() const
  {
    return 8.0 * double(c * ((left_rows() + right_rows()) * length() + left_rows() * right_rows()));
  }
  std::string name() const
  {
    std::string const kinds[] = {"contractFieldField", "contractDataField", "contractDataData"};
    return kinds[kind] + (contracted == 1 ? "Scalar" : contracted == 2 ? "Vector" : "Tensor");
  }
  std::string extents() const
  {
    auto const dimension = [](char const* n, index_t size) {
      return std::string("/") + n + ":" + std::to_string(size);
    };
    std::string text = dimension("C", c);
    if (kind == field_field) text += dimension("L", l) + dimension("R", r);
    if (kind == data_field) text += dimension("F", r);
    text += dimension("P", p);
    if (contracted == 2) text += dimension("D", d1);
    if (contracted == 3) text += dimension("D1", d1) + dimension("D2", d2);
    return text;
  }
};

// Cells that fill about so many bytes, at most 30000, in lines of memory.
inline index_t cells_of(shape s, index_t bytes)
{
  s.c = 1;
  index_t const fit = static_cast<index_t>(double(bytes) / s.bytes()) / 8 * 8;
  return std::clamp<index_t>(fit, 8, 30000);
}

// All of them in arrays of about `memory` bytes, and those of FieldField also in `cache` bytes.
inline std::vector<shape> contraction_shapes(index_t memory, index_t cache)
{
  std::vector<shape> all;
  for (index_t n : {8, 10, 16, 64, 125})
    for (index_t p : {8, 32, 216}) all.push_back({shape::field_field, 1, 0, n, n, p, 1, 1});
  for (index_t p : {8, 80, 320}) all.push_back({shape::field_field, 3, 0, 16, 16, p, 4, 4});
  all.push_back({shape::field_field, 3, 0, 125, 125, 8, 4, 4});
  for (index_t p : {8, 64}) all.push_back({shape::field_field, 2, 0, 27, 27, p, 3, 1});
  for (index_t f : {8, 125})
    for (index_t p : {8, 64, 216}) all.push_back({shape::data_field, 1, 0, 1, f, p, 1, 1});
  for (index_t p : {8, 64, 216}) all.push_back({shape::data_field, 2, 0, 1, 27, p, 3, 1});
  all.push_back({shape::data_field, 3, 0, 1, 27, 64, 3, 3});
  for (index_t p : {8, 64, 216}) all.push_back({shape::data_data, 1, 0, 1, 1, p, 1, 1});
  for (index_t p : {8, 64, 216}) all.push_back({shape::data_data, 2, 0, 1, 1, p, 3, 1});
  all.push_back({shape::data_data, 3, 0, 1, 1, 64, 3, 3});
  std::size_t const count = all.size();
  for (std::size_t i = 0; i < count; ++i) {
    shape s = all[i];
    all[i].c = cells_of(s, memory);
    s.c = cells_of(s, cache);
    if (s.kind == shape::field_field && s.c < all[i].c) all.push_back(s);
  }
  return all;
}

template <class T, class Layout, class... Extents>
auto make_view(T* data, Extents... extents)
{
  using shape_type = dextents<int{sizeof...(Extents)}>;
  return view<T, shape_type, Layout>(data, typename Layout::template mapping<shape_type>(shape_type(extents...)));
}

// f(out, left, right) on (C, rows, sum) with the sum as one index.
template <class Layout, class F>
void with_points(shape const& s, double* out, double const* left, double const* right, F const& f)
{
  f(make_view<double, Layout>(out, s.c, s.left_rows(), s.right_rows()),
    make_view<double const, Layout>(left, s.c, s.left_rows(), s.length()),
    make_view<double const, Layout>(right, s.c, s.right_rows(), s.length()));
}

// f(function, out, left, right) with the function's own ranks.
template <class Layout, class F>
void with_views(shape const& s, double* out_data, double const* left_data, double const* right_data, F const& f)
{
  auto const out = [&](auto... e) { return make_view<double, Layout>(out_data, e...); };
  auto const left = [&](auto... e) { return make_view<double const, Layout>(left_data, e...); };
  auto const right = [&](auto... e) { return make_view<double const, Layout>(right_data, e...); };
  auto const [kind, contracted, c, l, r, p, d1, d2] = s;
  if (kind == shape::field_field && contracted == 1)
    f([](auto const&... x) { intrepid::contractFieldFieldScalar(x...); }, out(c, l, r), left(c, l, p), right(c, r, p));
  if (kind == shape::field_field && contracted == 2)
    f([](auto const&... x) { intrepid::contractFieldFieldVector(x...); }, out(c, l, r), left(c, l, p, d1),
      right(c, r, p, d1));
  if (kind == shape::field_field && contracted == 3)
    f([](auto const&... x) { intrepid::contractFieldFieldTensor(x...); }, out(c, l, r), left(c, l, p, d1, d2),
      right(c, r, p, d1, d2));
  if (kind == shape::data_field && contracted == 1)
    f([](auto const&... x) { intrepid::contractDataFieldScalar(x...); }, out(c, r), left(c, p), right(c, r, p));
  if (kind == shape::data_field && contracted == 2)
    f([](auto const&... x) { intrepid::contractDataFieldVector(x...); }, out(c, r), left(c, p, d1), right(c, r, p, d1));
  if (kind == shape::data_field && contracted == 3)
    f([](auto const&... x) { intrepid::contractDataFieldTensor(x...); }, out(c, r), left(c, p, d1, d2),
      right(c, r, p, d1, d2));
  using line = view<double, dextents<1>, Layout>;
  if (kind == shape::data_data && contracted == 1)
    f([](auto const&... x) { intrepid::contractDataDataScalar(x...); }, line(out_data, dextents<1>(c)), left(c, p),
      right(c, p));
  if (kind == shape::data_data && contracted == 2)
    f([](auto const&... x) { intrepid::contractDataDataVector(x...); }, line(out_data, dextents<1>(c)), left(c, p, d1),
      right(c, p, d1));
  if (kind == shape::data_data && contracted == 3)
    f([](auto const&... x) { intrepid::contractDataDataTensor(x...); }, line(out_data, dextents<1>(c)),
      left(c, p, d1, d2), right(c, p, d1, d2));
}

// The largest deviation from plain loops on some cells over the allowed one, of arrays in the host's memory.
template <class Layout>
double contraction_error(shape const& s, double* out_data, double const* left_data, double const* right_data)
{
  double worst = 0;
  index_t const step = std::max<index_t>(s.c / 5, 1);
  with_points<Layout>(s, out_data, left_data, right_data, [&](auto const& out, auto const& left, auto const& right) {
    for (index_t c = 0; c < s.c; c += step)
      for (index_t l = 0; l < s.left_rows(); ++l)
        for (index_t r = 0; r < s.right_rows(); ++r) {
          double sum = 0;
          for (index_t k = 0; k < s.length(); ++k) sum += left(c, l, k) * right(c, r, k);
          double const error = std::abs(out(c, l, r) - sum) / (1 + std::abs(sum));
          worst = error <= worst ? worst : error;  // NaN is the worst
        }
  });
  return worst / contraction_tolerance;
}

}  // namespace sumfac::bench
