// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What lies behind each side of each element: which side of which other, and how that is turned.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/mesh/boundary_faces.hpp>
#include <sumfac/mesh/faces/side_places.hpp>
#include <sumfac/mesh/parts/hanging_parts.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

// The side of another element that a side is, and how that element is turned to fit: element is -1 where there is
// none. `first` says that the side is the one of the two from which forms see the face as `in`: that of the lower
// element, or of the lower side of one element.
//
// Where a mesh hangs, `part` says which part of the side of a larger element the side is, -1 where it is all of it:
// bit 0 is 1 in the upper half along x of the side as this element has it in turn 0, bit 1 along y. Behind the side of
// a larger element lies the small one of its part 0, and part(e, side, p) says what lies behind each.
struct face_neighbour {
  index_t element = -1;
  std::int8_t side = 0, turn = 0;
  bool first = true;
  std::int8_t part = -1;
  std::int32_t divided = -1;  // of a larger element's side: which of all that are
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

  // Sides of large elements that are faces of 2 small ones, or 4: how many there are, and what lies behind part p of
  // one, as the large element has it.
  index_t divided() const { return static_cast<index_t>(parts_.size()) / parts_of_side(); }
  int parts_of_side() const { return 1 << (directions_ - 1); }
  face_neighbour const& part(index_t e, int side, int p) const { return parts_[place_of(behind(e, side).divided, p)]; }
  face_neighbour const* parts() const { return parts_.data(); }  // (divided, parts_of_side)

  // The same, seen by forms as `in` from the element whose number(e) is lower.
  template <class Number>
  face_pairs seen_by(Number const& number) const
  {
    face_pairs seen(*this);
    for (index_t e = 0; e < elements(); ++e)
      for (int side = 0; side < sides(); ++side) {
        face_neighbour& other = seen.at({e, side});
        auto const see = [&](face_neighbour& behind) {
          if (behind.element >= 0)
            behind.first = behind.element == e ? side < behind.side : number(e) < number(behind.element);
        };
        see(other);
        for (int p = 0; other.divided >= 0 && p < parts_of_side(); ++p) see(seen.parts_[place_of(other.divided, p)]);
      }
    return seen;
  }

  // The same of some of the elements, in the order of this list: nothing lies behind sides where others did.
  // **Errors** argument_error for an element that there is not, or that is listed twice.
  template <class List>
  face_pairs only(List const& elements) const
  {
    face_pairs some(static_cast<index_t>(elements.size()), directions_);
    std::vector<index_t> place(behind_.size() / static_cast<std::size_t>(sides()), -1);
    for (index_t i = 0; i < some.elements(); ++i) {
      auto const e = static_cast<index_t>(elements[static_cast<std::size_t>(i)]);
      if (e < 0 || e >= this->elements() || place[static_cast<std::size_t>(e)] >= 0)
        failf("face_pairs::only", "an element does not exist, or is listed twice (%lld; there are %lld elements)",
              static_cast<long long>(e), static_cast<long long>(this->elements()));
      place[static_cast<std::size_t>(e)] = i;
    }
    auto const renumbered = [&](face_neighbour of) {
      if (of.element >= 0) of.element = place[static_cast<std::size_t>(of.element)];
      return of.element < 0 ? face_neighbour{} : of;
    };
    index_t twice = 0;  // faces, from both of their sides
    for (index_t i = 0; i < some.elements(); ++i)
      for (int side = 0; side < sides(); ++side) {
        face_neighbour const& of = behind(static_cast<index_t>(elements[static_cast<std::size_t>(i)]), side);
        face_neighbour& to = some.at({i, side});
        to = renumbered(of);
        if (of.divided < 0) {
          twice += to.element >= 0 ? 1 : 0;
          continue;
        }
        to.divided = static_cast<std::int32_t>(some.divided());
        for (int p = 0; p < parts_of_side(); ++p) {
          some.parts_.push_back(renumbered(parts_[place_of(of.divided, p)]));
          twice += some.parts_.back().element >= 0 ? 1 : 0;
        }
      }
    some.faces_ = twice / 2;
    return some;
  }

  // Two sides become one: that of `in`, seen in turn 0, is that of `out` in `turn`, as detail::place_in_turned()
  // numbers turns; interior_faces() finds them. In the plane turn 1 is that of elements whose common coordinate runs
  // alike.
  // **Errors** argument_error for a side or a turn that there is not.
  void join(element_side const& in, element_side const& out, int turn)
  {
    check_side_of(in), check_side_of(out), check_turn(turn);
    at(in) = {out.element, static_cast<std::int8_t>(out.side), static_cast<std::int8_t>(turn), true};
    at(out) = {in.element, static_cast<std::int8_t>(in.side), static_cast<std::int8_t>(detail::inverse_turn(turn)),
               false};
    ++faces_;
  }

  // The side of a large element becomes those of small ones: of its part p, where it is seen in turn 0, that of
  // fine[p] in turn[p], as above.
  // **Errors** argument_error for a side or a turn that there is not.
  void join_parts(element_side const& large, element_side const* fine, int const* turn)
  {
    check_side_of(large);
    for (int p = 0; p < parts_of_side(); ++p) check_side_of(fine[p]), check_turn(turn[p]);
    constexpr index_t most = std::numeric_limits<std::int32_t>::max SUMFAC_NO_MACRO();
    if (this->divided() >= most)
      failf("face_pairs::join_parts", "too many sides are divided (got %lld, at most %lld expected)",
            static_cast<long long>(this->divided() + 1), static_cast<long long>(most));
    auto const divided = static_cast<std::int32_t>(this->divided());
    for (int p = 0; p < parts_of_side(); ++p) {
      element_side const& of = fine[p];
      bool const first = large.element < of.element;
      auto const back = static_cast<std::int8_t>(detail::inverse_turn(turn[p]));
      auto const part = static_cast<std::int8_t>(detail::turned_part(p, turn[p]));
      parts_.push_back(
          {of.element, static_cast<std::int8_t>(of.side), static_cast<std::int8_t>(turn[p]), first, -1, -1});
      at(of) = {large.element, static_cast<std::int8_t>(large.side), back, !first, part, -1};
    }
    at(large) = parts_[place_of(divided, 0)];
    at(large).divided = divided;
    faces_ += parts_of_side();
  }

private:
  std::size_t place_of(index_t divided, int p) const { return static_cast<std::size_t>(divided * parts_of_side() + p); }
  void check_turn(int turn) const
  {
    if (turn < 0 || turn >= detail::turns_of_side(directions_))
      failf("face_pairs::join", "the turn does not exist (got %d, 0 to %d expected)", turn,
            detail::turns_of_side(directions_) - 1);
  }
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
  std::vector<face_neighbour> behind_, parts_;
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

// Sides of a mesh that hang become faces: vertex(e, v) is the number of a vertex of an element.
//
// A small side is turned so that at its part's corner it has the large side's vertex there, and next to that along the
// first direction a vertex that the small side beside it has, too.
// **Errors** argument_error: no such turn, or several, as where a mesh is periodic over one large element.
template <class Vertex>
void join_hanging(face_pairs& pairs, std::vector<hanging_side> const& sides, Vertex const& vertex)
{
  int const directions = pairs.directions();
  auto const corner = [&](element_side const& of, int p, int turn) {
    side_place const at = place_in_turned(directions, of.side, 2, 1, p >> 1, p & 1, turn);
    return vertex(of.element, (at.k * 2 + at.j) * 2 + at.i);
  };
  for (hanging_side const& hangs : sides) {
    element_side fine[4]{};
    int turn[4] = {};
    // Corners are listed as the side's nodes are, which in the plane turned elements go through backwards.
    for (int p = 0; p < pairs.parts_of_side(); ++p) fine[p] = hangs.fine[directions == 2 ? 1 - p : p];
    for (int p = 0; p < pairs.parts_of_side(); ++p) {
      int found = 0;
      for (int t = 0; t < turns_of_side(directions); ++t) {
        bool fits = corner(fine[p], p, t) == corner(hangs.coarse, p, 0), beside = directions == 2;
        for (int q = 0; q < pairs.parts_of_side() && !beside; ++q)
          beside = corner(fine[p ^ 1], q, 0) == corner(fine[p], p ^ 1, t);
        if (fits && beside) ++found, turn[p] = t;
      }
      if (found != 1)
        failf("interior_faces",
              "side %d of element %lld is a part of side %d of the larger element %lld in %d of %d turns (1 expected): "
              "where a mesh is periodic make it so over two elements or more",
              fine[p].side, static_cast<long long>(fine[p].element), hangs.coarse.side,
              static_cast<long long>(hangs.coarse.element), found, turns_of_side(directions));
    }
    pairs.join_parts(hangs.coarse, fine, turn);
  }
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
