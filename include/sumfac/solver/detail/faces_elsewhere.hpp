// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What lies behind faces at a part's end: what the elements of other processes say there, by an exchange of nodes.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/halo.hpp>
#include <sumfac/dofs/restriction/node_table.hpp>
#include <sumfac/solver/detail/schwarz_modes.hpp>
#include <sumfac/solver/detail/schwarz_nodes.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace sumfac::SUMFAC_TARGET::detail {

// Numbers for the elements behind the faces of a part that have no partner on it.
//
// Nodes within a face, on lines its end, are those of the elements on its two sides alone. Each writes there that it
// exists, and its numbers' bits in halves, which are whole numbers: sums of two of them are exact, and so is what is
// left of a sum without one's own. Faces with more than two sides count as open. The degree is 2 at least, or the
// elements are lines.
template <class Halo>
class faces_elsewhere {
public:
  // offer(e, c, face) is the face_scale that an element has to say. All processes make it at once.
  template <class Offer>
  faces_elsewhere(Halo const& halo, node_table const& table, own_vector<index_t> const& active,
                  schwarz_nodes const& nodes, Offer const& offer)
      : table_(table),
        nodes_(nodes),
        shape_(nodes.faces().shape()),
        found_(static_cast<std::size_t>(table.elements() * table.components() * shape_.faces()))
  {
    own_vector<double> sums(static_cast<std::size_t>(table.nodes() * each()), 0);
    for (index_t const e : active)
      for_each_end(e, [&](int face) {
        for (int c = 0; c < table.components(); ++c) {
          halves const own(offer(e, c, face));
          for_each_within(e, face, [&](index_t node) { own.add_to(sums.data() + node * each() + c * halves::count); });
        }
        for_each_within(e, face, [&](index_t node) { sums[static_cast<std::size_t>((node + 1) * each() - 1)] += 1; });
      });
    add_up_at_nodes(halo, each(), sums.data(), true);
    for (index_t const e : active)
      for_each_end(e, [&](int face) {
        index_t const node = first_within(e, face);
        if (sums[static_cast<std::size_t>((node + 1) * each() - 1)] != 2) return;
        for (int c = 0; c < table.components(); ++c)
          found_[place(e, c, face)] = halves(offer(e, c, face)).other(sums.data() + node * each() + c * halves::count);
      });
  }

  face_scale of(index_t e, int c, int face) const { return found_[place(e, c, face)]; }

private:
  // The bits of the numbers, 32 at a time.
  struct halves {
    static constexpr int count = 4;
    std::uint32_t half[count];

    explicit halves(face_scale const& s) { std::memcpy(half, &s, sizeof half); }
    void add_to(double* to) const
    {
      for (int i = 0; i < count; ++i) to[i] += half[i];
    }
    face_scale other(double const* sum) const
    {
      std::uint32_t rest[count];
      for (int i = 0; i < count; ++i) rest[i] = static_cast<std::uint32_t>(sum[i] - half[i]);
      face_scale s;
      std::memcpy(&s, rest, sizeof rest);
      return s;
    }
  };
  static_assert(sizeof(face_scale) == sizeof(halves));

  int each() const { return table_.components() * halves::count + 1; }
  std::size_t place(index_t e, int c, int face) const
  {
    return static_cast<std::size_t>((e * table_.components() + c) * shape_.faces() + face);
  }
  template <class Function>
  void for_each_end(index_t e, Function const& f) const
  {
    for (int face = 0; face < shape_.faces(); ++face)
      if (nodes_.faces().of(e, face).element < 0) f(face);
  }
  template <class Function>
  void for_each_within(index_t e, int face, Function const& f) const
  {
    int const row = shape_.rows() > 1 ? 1 : 0, column = shape_.columns() > 1 ? 1 : 0;
    for (int a = row; a < shape_.rows() - row; ++a)
      for (int b = column; b < shape_.columns() - column; ++b)
        f(static_cast<index_t>(table_(e, node_of_face(table_.nodes_1d(), face, a, b))));
  }
  index_t first_within(index_t e, int face) const
  {
    return table_(e, node_of_face(table_.nodes_1d(), face, shape_.rows() > 1 ? 1 : 0, shape_.columns() > 1 ? 1 : 0));
  }

  node_table const& table_;
  schwarz_nodes const& nodes_;
  face_shape shape_;
  own_vector<face_scale> found_;  // (E, C, faces)
};

// Where there are no other parts, nothing is there.
template <>
class faces_elsewhere<whole> {
public:
  template <class Offer>
  faces_elsewhere(whole const&, node_table const&, own_vector<index_t> const&, schwarz_nodes const&, Offer const&)
  {
  }
  face_scale of(index_t, int, int) const { return {}; }
};

}  // namespace sumfac::detail
