// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What lies behind each side of each element: which side of which other, and how that is turned.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction/node_table.hpp>
#include <sumfac/error.hpp>
#include <sumfac/mesh/boundary_faces.hpp>
#include <sumfac/mesh/faces/side_places.hpp>
#include <sumfac/view/view.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

// The side of another element that a side is, and how that element is turned to fit: element is -1 where there is
// none. `first` says that the side is the one of the two from which forms see the face as `in`: that of the lower
// element, or of the lower side of one element.
struct face_neighbour {
  index_t element = -1;
  std::int8_t side = 0, turn = 0;
  bool first = true;
};

// The neighbours of all sides of a mesh's elements: what interior_faces() finds.
class face_pairs {
public:
  face_pairs(index_t elements, int directions)
      : directions_(directions), behind_(static_cast<std::size_t>(elements * 2 * directions))
  {
  }

  int directions() const { return directions_; }
  int sides() const { return 2 * directions_; }
  index_t elements() const { return static_cast<index_t>(behind_.size()) / sides(); }
  // Faces that two elements have.
  index_t faces() const { return faces_; }

  face_neighbour const& behind(index_t e, int side) const
  {
    return behind_[static_cast<std::size_t>(e * sides() + side)];
  }
  face_neighbour const* data() const { return behind_.data(); }

  // The same, seen by forms as `in` from the element whose number(e) is lower.
  template <class Number>
  face_pairs seen_by(Number const& number) const
  {
    face_pairs seen(*this);
    for (index_t e = 0; e < elements(); ++e)
      for (int side = 0; side < sides(); ++side) {
        face_neighbour& other = seen.at({e, side});
        if (other.element >= 0)
          other.first = other.element == e ? side < other.side : number(e) < number(other.element);
      }
    return seen;
  }

  // Two sides become one: that of `in`, seen in turn 0, is that of `out` in `turn`, as detail::place_in_turned()
  // numbers turns; interior_faces() finds them. In the plane turn 1 is that of elements whose common coordinate runs
  // alike.
  // **Errors** argument_error for a side or a turn that there is not.
  void join(element_side const& in, element_side const& out, int turn)
  {
    check_side_of(in), check_side_of(out);
    if (turn < 0 || turn >= detail::turns_of_side(directions_))
      failf("face_pairs::join", "the turn does not exist (got %d, 0 to %d expected)", turn,
            detail::turns_of_side(directions_) - 1);
    at(in) = {out.element, static_cast<std::int8_t>(out.side), static_cast<std::int8_t>(turn), true};
    at(out) = {in.element, static_cast<std::int8_t>(in.side), static_cast<std::int8_t>(detail::inverse_turn(turn)),
               false};
    ++faces_;
  }

private:
  void check_side_of(element_side const& of) const
  {
    if (of.element < 0 || of.element >= elements() || of.side < 0 || of.side >= sides())
      failf("face_pairs::join", "a side does not exist (element %lld, side %d; there are %lld elements of %d sides)",
            static_cast<long long>(of.element), of.side, static_cast<long long>(elements()), sides());
  }
  face_neighbour& at(element_side const& side)
  {
    return behind_[static_cast<std::size_t>(side.element * sides() + side.side)];
  }

  int directions_;
  index_t faces_ = 0;
  std::vector<face_neighbour> behind_;
};

namespace detail {

// The turn in which the nodes of `out` are those of `in`.
//
// **Errors** argument_error: none, or several, as where an element of degree 1 or 2 is its own neighbour.
inline int turn_between(node_table const& table, element_side const& in, element_side const& out)
{
  node_box const box = table.box();
  int const n = box.x;
  side_box const side(table.directions(), n);
  auto const node = [&](element_side const& of, int j, int i, int turn) {
    side_place const p = place_in_turned(table.directions(), of.side, n, n - 1, j, i, turn);
    return table(of.element, (p.k * box.y + p.j) * box.x + p.i);
  };
  int found = 0, last = 0;
  for (int turn = 0; turn < turns_of_side(table.directions()); ++turn) {
    bool same = true;
    for (int j = 0; j < side.rows && same; ++j)
      for (int i = 0; i < side.columns && same; ++i) same = node(in, j, i, 0) == node(out, j, i, turn);
    if (same) ++found, last = turn;
  }
  if (found != 1)
    failf("interior_faces",
          "side %d of element %lld and side %d of element %lld have the same vertices, and %d of %d turns in which "
          "their nodes are the same (1 expected): %s",
          in.side, static_cast<long long>(in.element), out.side, static_cast<long long>(out.element), found,
          turns_of_side(table.directions()),
          found == 0 ? "number the nodes inside a side alike for both of its elements"
                     : "where a mesh is periodic over one element pass a table of degree 3 or more of it");
  return last;
}

}  // namespace detail

// The pairs of sides that are one in a table (those of a mesh are mesh.interior_faces()), as boundary_faces() tells
// them apart, which has the rest: periodic pairs are those of a table in which they have the same nodes.
//
// **Shapes** table (E, n, n, n), (E, n, n) of quadrilaterals or (E, n) of lines, as a restriction's, of `nodes` nodes.
// **Errors** those of boundary_faces(); two sides whose nodes are the same in no turn, or in several.
template <class Table>
face_pairs interior_faces(Table const& table, index_t nodes)
{
  if constexpr (detail::check_face_table<Table, 2>()) {
    auto const numbers = detail::make_node_table(host{}, table, nodes, {});
    face_pairs pairs(numbers.elements(), numbers.directions());
    std::vector<element_side> alone;
    detail::for_each_side(numbers, nodes, [&](element_side const& at, element_side const* other) {
      if (other == nullptr)
        alone.push_back(at);
      else
        pairs.join(at, *other, detail::turn_between(numbers, at, *other));
    });
    detail::check_vertices(numbers, nodes, alone);
    return pairs;
  } else {
    return {0, 3};
  }
}

}  // namespace sumfac
