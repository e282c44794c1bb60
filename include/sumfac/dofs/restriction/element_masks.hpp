// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Elements with sides or edges that hang: which, in which half of the large ones, and the nodes that they read there.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/dofs/restriction/line_halves.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// What elements read instead of nodes that hang: the large element's, in the same order, on the whole side or edge.
// From these they interpolate to their own, line by line: what equations say node by node.
//
// **Source** Ljungkvist, Finite element computations on multicore and graphics processors, Uppsala 2017; Munch,
// Ljungkvist, Kronbichler, Efficient application of hanging-node constraints for matrix-free high-order FEM
// computations on CPU and GPU, ISC High Performance 2022.
class element_masks {
public:
  using number = std::uint32_t;
  using bits = element_mask::bits;

  element_masks() = default;
  // half (n, n): at the nodes of the lower half of a line the functions of the whole one.
  element_masks(index_t elements, int nodes_1d, int directions, own_vector<double> half)
      : n_(nodes_1d), directions_(directions), half_(std::move(half))
  {
    place_.assign(static_cast<std::size_t>(elements), -1);
  }
  // Of an element that has the nodes `own` and reads others.
  template <class Number>
  void add(index_t element, bits mask, Number const* own, own_vector<number> const& read)
  {
    place_[static_cast<std::size_t>(element)] = static_cast<std::int32_t>(masks_.size());
    masks_.push_back(mask);
    prints_.push_back(print_of(own));
    read_.append(read);
  }

  // Those of other elements in other numbers: element e is of(e) here, or none where that is negative, and has the
  // nodes own(e); node i here is number_of(i) there.
  template <class Of, class Own, class Number>
  element_masks with_numbers(index_t elements, Of const& of, Own const& own, Number const& number_of) const
  {
    if (size() == 0) return {};
    element_masks made(elements, n_, directions_, half_);
    own_vector<number> to(static_cast<std::size_t>(box().all()));
    for (index_t e = 0; e < elements; ++e) {
      index_t const here = of(e);
      if (here < 0 || place_of(here) < 0) continue;
      number const* const from = read(here);
      for (std::size_t p = 0; p < to.size(); ++p) to[p] = static_cast<number>(number_of(static_cast<index_t>(from[p])));
      made.add(e, mask(here), own(e), to);
    }
    return made;
  }

  index_t size() const { return static_cast<index_t>(masks_.size()); }
  bits mask(index_t element) const
  {
    std::int32_t const at = place_of(element);
    return at < 0 ? 0 : masks_[static_cast<std::size_t>(at)];
  }
  // Null where it has none.
  number const* read(index_t element) const
  {
    std::int32_t const at = place_of(element);
    return at < 0 ? nullptr : read_.data() + at * box().all();
  }
  double const* half() const { return half_.data(); }

  // Whether they are of the elements of a table: nodes(e) are those of one.
  template <class Nodes>
  bool fits(index_t elements, int nodes_1d, int directions, Nodes const& nodes) const
  {
    bool same =
        size() > 0 && static_cast<index_t>(place_.size()) == elements && n_ == nodes_1d && directions_ == directions;
    for (index_t e = 0; same && e < elements; ++e)
      if (std::int32_t const at = place_[static_cast<std::size_t>(e)]; at >= 0)
        same = print_of(nodes(e)) == prints_[static_cast<std::size_t>(at)];
    return same;
  }

private:
  std::int32_t place_of(index_t element) const
  {
    return place_.empty() ? -1 : place_[static_cast<std::size_t>(element)];
  }
  node_box box() const { return {n_, directions_}; }
  // Of an element's nodes, which others do not have by chance.
  template <class Number>
  std::uint64_t print_of(Number const* nodes) const
  {
    std::uint64_t print = 0xcbf29ce484222325u;
    for (index_t p = 0; p < box().all(); ++p) print = (print ^ static_cast<std::uint64_t>(nodes[p])) * 0x100000001b3u;
    return print;
  }

  int n_ = 0, directions_ = 0;
  own_vector<std::int32_t> place_;  // by element, -1 without a mask
  own_vector<bits> masks_;
  own_vector<std::uint64_t> prints_;
  own_vector<number> read_;  // (masks, n^D)
  own_vector<double> half_;
};

// Lines of nodes of a group of elements that are interpolated to a half, all of its lanes at once.
struct half_lines {
  std::int32_t first, step, count;  // the first line's first node, and how far apart lines begin
  std::int32_t stride;              // of nodes along a line
  std::uint32_t lanes, upper;       // elements that have them, and elements in the upper half
};

// Adds those of a group with these masks, direction by direction; mask (Width).
inline void add_half_lines(node_box const& box, int directions, element_mask::bits const* mask, int width,
                           own_vector<half_lines>& to)
{
  int const n = box.x, end = n - 1;
  int const stride[3] = {1, n, n * n};
  auto const lanes_with = [&](element_mask::bits any) {
    std::uint32_t lanes = 0;
    for (int l = 0; l < width; ++l)
      if ((mask[l] & any) != 0) lanes |= std::uint32_t{1} << l;
    return lanes;
  };
  for (int d = 0; d < directions; ++d) {
    std::uint32_t const upper = lanes_with(element_mask::upper(d));
    auto const add = [&](int first, int step, int count, std::uint32_t lanes) {
      if (lanes != 0 && count > 0) to.push_back({first, step, count, stride[d], lanes, upper & lanes});
    };
    int const others[2] = {d == 0 ? 1 : 0, d == 2 ? 1 : 2};
    if (directions == 2) {
      for (int e = 0; e < 2; ++e)
        add(e * end * stride[others[0]], 0, 1, lanes_with(element_mask::side(2 * others[0] + e)));
      continue;
    }
    std::uint32_t edges[4];  // of those that are not among a side's lines
    for (int e = 0; e < 4; ++e)
      edges[e] = lanes_with(element_mask::edge(d, e) | element_mask::side(2 * others[0] + (e & 1)) |
                            element_mask::side(2 * others[1] + (e >> 1)));
    for (int a = 0; a < 2; ++a)
      for (int e = 0; e < 2; ++e) {
        std::uint32_t const lanes = lanes_with(element_mask::side(2 * others[a] + e));
        int first = 1, last = end;
        for (int other = 0; other < 2; ++other)
          if (std::uint32_t& edge = edges[a == 0 ? e + 2 * other : other + 2 * e]; lanes != 0 && edge == lanes) {
            (other == 0 ? first : last) = other == 0 ? 0 : n;
            edge = 0;
          }
        int const along = stride[others[1 - a]];
        add(e * end * stride[others[a]] + first * along, along, last - first, lanes);
      }
    for (int e = 0; e < 4; ++e) add(end * ((e & 1) * stride[others[0]] + (e >> 1) * stride[others[1]]), 0, 1, edges[e]);
  }
}

}  // namespace sumfac::detail
