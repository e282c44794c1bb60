// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Which elements of a mesh are the parts of larger ones: groups of 2^D around a vertex, found through what they share.
#pragma once

#include <sumfac/mesh/parts/element_parts.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// How an element is turned: along direction d of the turned one runs its own direction axis[d], there or backwards.
template <int Directions>
struct element_turn {
  std::int8_t axis[Directions];
  bool backwards[Directions];

  constexpr element_turn()
  {
    for (int d = 0; d < Directions; ++d) axis[d] = static_cast<std::int8_t>(d), backwards[d] = false;
  }

  // Turned so, and what comes of it as `next` says.
  constexpr element_turn then(element_turn const& next) const
  {
    element_turn both;
    for (int d = 0; d < Directions; ++d) {
      both.axis[d] = axis[next.axis[d]];
      both.backwards[d] = backwards[next.axis[d]] != next.backwards[d];
    }
    return both;
  }
  // Where a place of the turned element, one of n^D with x fastest, was in the element.
  constexpr int before(int place, int n) const
  {
    int was = 0;
    for (int d = 0; d < Directions; ++d, place /= n) {
      int stride = 1;
      for (int a = 0; a < axis[d]; ++a) stride *= n;
      was += stride * (backwards[d] ? n - 1 - place % n : place % n);
    }
    return was;
  }
  // Which side of the turned element a side of the element is.
  constexpr int side(int was) const
  {
    for (int d = 0; d < Directions; ++d)
      if (axis[d] == was / 2) return 2 * d + (was % 2 != static_cast<int>(backwards[d]) ? 1 : 0);
    return was;
  }
  friend bool operator==(element_turn const&, element_turn const&) = default;
};

// An element's place in what is made of pairs: of which parent, which part of it, and how it is turned to lie as that.
template <int Directions>
struct place_in_parent {
  index_t parent = -1;
  int part = 0;  // bit d: in the upper half along direction d
  element_turn<Directions> turn{};
};

// Numbers that are 0 or 1, of which it is said that two are the same or differ: a forest in which each knows whether it
// differs from the one above.
class parities {
public:
  explicit parities(std::size_t count) : above_(count), differs_(count, 0)
  {
    for (std::size_t i = 0; i < count; ++i) above_[i] = static_cast<std::uint32_t>(i);
  }

  // False where the opposite is known.
  bool join(std::size_t one, std::size_t other, bool differ)
  {
    root const a = find(one), b = find(other);
    bool const apart = (a.differs != b.differs) != differ;
    if (a.at == b.at) return !apart;
    std::uint32_t const low = a.at < b.at ? a.at : b.at, high = a.at < b.at ? b.at : a.at;
    above_[high] = low;
    differs_[high] = apart ? 1 : 0;
    return true;
  }
  // Whether it differs from the first one that it has been joined with.
  bool differs(std::size_t one) { return find(one).differs; }

private:
  struct root {
    std::uint32_t at;
    bool differs;
  };
  root find(std::size_t one)
  {
    root found{static_cast<std::uint32_t>(one), false};
    while (above_[found.at] != found.at) {  // and half as far for the next one
      std::uint32_t const up = above_[found.at];
      differs_[found.at] ^= differs_[up];
      above_[found.at] = above_[up];
      found.differs = found.differs != (differs_[found.at] != 0);
      found.at = above_[found.at];
    }
    return found;
  }

  own_vector<std::uint32_t> above_;
  own_vector<std::uint8_t> differs_;
};

// Groups of 2^D elements that could be the parts into which others have been cut.
//
// In which half of its parent an element lies is a parity for each of its directions. Across a side that of the
// direction through it changes, and those along it stay, as both elements have them; a side that nothing is behind is
// no inner one of a parent, nor are those at an edge, a vertex of quadrilaterals, around which there are other than
// four elements, nor one whose elements have it in two places, as at a period. So parities go through layers of
// elements, from where one ends; a layer that is closed begins anywhere.
template <int Directions>
class parent_finder {
  static constexpr int sides = 2 * Directions, corners = 1 << Directions, lattice = parts_of_element<Directions>;

public:
  using parts = element_parts<Directions>;
  using turn = element_turn<Directions>;

  // `names` are those that elements have in what is said of them; apart(e, v, other, w): whether a vertex of two
  // elements, v of one and w of the other, is in two places; bit s of `periods` that it is so of an element's side s.
  template <class Apart>
  parent_finder(parts const& of, own_vector<index_t> const& names, own_vector<std::uint8_t> periods, Apart const& apart)
      : of_(of), names_(names), periods_(std::move(periods)), halves_(static_cast<std::size_t>(of.elements()), 0)
  {
    is_found_ = of.elements() > 0 && find_neighbours() && find_halves(apart) && group() && make_parents();
  }

  bool is_found() const { return is_found_; }
  std::string const& why_not() const { return why_not_; }
  own_vector<place_in_parent<Directions>>& places() { return places_; }  // of elements
  parts& parents() { return parents_; }
  own_vector<index_t>& names_of_parents() { return names_of_parents_; }
  own_vector<std::uint8_t>& periods_of_parents() { return periods_of_parents_; }

private:
  using number = typename parts::number;
  static constexpr index_t none = -1;

  bool no(std::string const& why)
  {
    why_not_ = why;
    return false;
  }
  long long name(index_t e) const { return static_cast<long long>(names_[static_cast<std::size_t>(e)]); }
  index_t behind(index_t e, int side) const { return behind_[static_cast<std::size_t>(e * sides + side)]; }
  bool is_period(index_t e, int side) const { return (periods_[static_cast<std::size_t>(e)] >> side & 1) != 0; }
  void add_period(index_t e, int side)
  {
    periods_[static_cast<std::size_t>(e)] |= static_cast<std::uint8_t>(1 << side);
  }
  bool is_upper(index_t e, int d) const { return (halves_[static_cast<std::size_t>(e)] >> d & 1) != 0; }

  bool find_neighbours()
  {
    own_vector<index_t> first(static_cast<std::size_t>(of_.count()), none);
    behind_ = own_vector<index_t>(static_cast<std::size_t>(of_.elements() * sides), none);
    for (index_t i = 0; i < of_.elements() * sides; ++i) {
      index_t& other = first[of_(i / sides, place_of_side(Directions, static_cast<int>(i % sides)))];
      if (other == none)
        other = i;
      else if (behind_[static_cast<std::size_t>(other)] != none)
        return no(formatted("element %lld has a side that three elements have", name(i / sides)));
      else
        behind_[static_cast<std::size_t>(other)] = i, behind_[static_cast<std::size_t>(i)] = other;
    }
    return true;
  }
  // How the element behind a side is turned to lie as this one does; false where their vertices do not say.
  bool turn_behind(index_t e, int side, turn& to) const
  {
    index_t const other = behind(e, side) / sides;
    int const its = static_cast<int>(behind(e, side) % sides), corner = side % 2 << side / 2;
    auto const there = [&](int v) {
      for (int its_v = 0; its_v < corners; ++its_v)
        if ((its_v >> its / 2 & 1) == its % 2 && of_.vertex(other, its_v) == of_.vertex(e, v)) return its_v;
      return -1;
    };
    int const origin = there(corner);
    for (int d = 0; d < Directions; ++d) {
      bool const is_through = d == side / 2;
      int const end = is_through ? origin ^ 1 << its / 2 : there(corner | 1 << d);
      int a = 0;
      while (a < Directions && (origin ^ end) != 1 << a) ++a;
      if (origin < 0 || end < 0 || a == Directions) return false;
      to.axis[d] = static_cast<std::int8_t>(a);
      to.backwards[d] = is_through ? side % 2 == its % 2 : (origin >> a & 1) != 0;
    }
    return true;
  }

  // What is known of the halves in which elements lie; false where that is no more possible.
  static std::size_t half(index_t e, int d)
  {
    return static_cast<std::size_t>(1 + e * Directions + d);
  }  // 0: the lower
  bool ends(index_t e, int d, bool above) { return upper_.join(0, half(e, d), above) || are_odd(e, d); }
  bool are_odd(index_t e, int d)
  {
    return no(formatted("elements in a row with element %lld, along its direction %d, are no pairs", name(e), d));
  }
  template <class Apart>
  bool find_halves(Apart const& apart)
  {
    upper_ = parities(static_cast<std::size_t>(1 + of_.elements() * Directions));
    for (index_t e = 0; e < of_.elements(); ++e)
      for (int side = 0; side < sides; ++side) {
        bool const is_first = behind(e, side) > e * sides + side;
        if (behind(e, side) == none ? !ends(e, side / 2, side % 2 != 0) : is_first && !pair_across(e, side, apart))
          return false;
      }
    if constexpr (Directions > 1) {
      auto const around = elements_around();
      for (index_t e = 0; e < of_.elements(); ++e)
        for (int place = 0; place < lattice; ++place) {
          if (dimension_of_part(place) != Directions - 2 || around[of_(e, place)] == regular) continue;
          for (int d = 0; d < Directions; ++d)
            if (int const digit = digit_of_part(place, d); digit != 1 && !ends(e, d, digit == 2)) return false;
        }
    }
    for (index_t e = 0; e < of_.elements(); ++e)
      for (int d = 0; d < Directions; ++d)
        halves_[static_cast<std::size_t>(e)] |= static_cast<std::uint8_t>((upper_.differs(half(e, d)) ? 1 : 0) << d);
    return true;
  }
  template <class Apart>
  bool pair_across(index_t e, int side, Apart const& apart)
  {
    index_t const other = behind(e, side) / sides;
    turn across;
    if (!turn_behind(e, side, across))
      return no(formatted("the elements on side %d of element %lld have its vertices in other orders", side, name(e)));
    for (int d = 0; d < Directions; ++d)
      if (!upper_.join(half(e, d), half(other, across.axis[d]), (d == side / 2) != across.backwards[d]))
        return are_odd(e, d);
    for (int v = 0; v < corners; ++v)
      if ((v >> side / 2 & 1) == side % 2 && apart(e, v, other, across.before(v ^ 1 << side / 2, 2)))
        add_period(e, side), add_period(other, static_cast<int>(behind(e, side) % sides));
    return !is_period(e, side) || ends(e, side / 2, side % 2 != 0);
  }
  // For each part whether there are as many elements around it as where a grid of them is, or ends.
  static constexpr std::uint8_t regular = 1;
  own_vector<std::uint8_t> elements_around() const
  {
    constexpr std::uint8_t most = 5, outside = 8;
    own_vector<std::uint8_t> around(static_cast<std::size_t>(of_.count()), 0);
    for (index_t e = 0; e < of_.elements(); ++e)
      for (int place = 0; place < lattice; ++place) {
        if (dimension_of_part(place) != Directions - 2) continue;
        std::uint8_t& count = around[of_(e, place)];
        if (count % outside < most) ++count;
        for (int d = 0; d < Directions; ++d)
          if (int const digit = digit_of_part(place, d); digit != 1 && behind(e, 2 * d + digit / 2) == none)
            count |= outside;
      }
    for (std::uint8_t& count : around) count = count == 4 || (count > outside && count <= outside + 2) ? regular : 0;
    return around;
  }

  bool group()
  {
    if (of_.elements() < corners) return no(formatted("there are fewer than %d elements", corners));
    places_ = own_vector<place_in_parent<Directions>>(static_cast<std::size_t>(of_.elements()));
    lattice_ = own_vector<number>(static_cast<std::size_t>(of_.elements() / corners * lattice), unknown);
    index_t parent = 0;
    for (index_t e = 0; e < of_.elements(); ++e) {
      if (places_[static_cast<std::size_t>(e)].parent != none) continue;
      if (!take(e, parent++))
        return no(formatted("element %lld has no %d others around a vertex with it", name(e), corners - 1));
      names_of_parents_.push_back(names_[static_cast<std::size_t>(e)]);
      periods_of_parents_.push_back(periods_of_group_);
    }
    return true;
  }
  // An element and the others of its group, which lie as it does.
  bool take(index_t e, index_t parent)
  {
    index_t at[corners] = {};
    turn turns[corners];
    int const own = halves_[static_cast<std::size_t>(e)];
    at[own] = e;
    for (int apart = 1; apart < corners; ++apart) {
      int const to = own ^ apart, from = own ^ (apart & (apart - 1));
      int d = 0;
      while ((apart >> d & 1) == 0) ++d;
      int const a = turns[from].axis[d], side = 2 * a + (is_upper(at[from], a) ? 0 : 1);
      turn across;
      if (behind(at[from], side) == none || !turn_behind(at[from], side, across)) return false;
      at[to] = behind(at[from], side) / sides;
      turns[to] = across.then(turns[from]);
    }
    for (int part = 0; part < corners; ++part) {
      auto& place = places_[static_cast<std::size_t>(at[part])];
      if (place.parent != none) return false;
      for (int d = 0; d < Directions; ++d)
        if ((is_upper(at[part], turns[part].axis[d]) != turns[part].backwards[d]) != ((part >> d & 1) != 0))
          return false;
      place = {parent, part, turns[part]};
    }
    periods_of_group_ = 0;
    for (int side = 0; side < sides; ++side) {
      int const d = side / 2, part = side % 2 << d;
      if (is_period(at[part],
                    2 * turns[part].axis[d] + (side % 2 != static_cast<int>(turns[part].backwards[d]) ? 1 : 0)))
        periods_of_group_ |= static_cast<std::uint8_t>(1 << side);
    }
    for (int part = 0; part < corners; ++part)
      for (int v = 0; v < corners; ++v) {
        int there = 0, power = 1;
        for (int d = 0; d < Directions; ++d, power *= 3) there += power * ((part >> d & 1) + (v >> d & 1));
        number const vertex = of_.vertex(at[part], turns[part].before(v, 2));
        number& known = lattice_[static_cast<std::size_t>(parent * lattice + there)];
        if (known != unknown && known != vertex) return false;
        known = vertex;
      }
    return true;
  }

  // Their vertices, edges and faces: one for each vertex of the elements.
  bool make_parents()
  {
    index_t const count = of_.elements() / corners;
    auto const at = [this](index_t parent, int place) {
      return lattice_[static_cast<std::size_t>(parent * lattice + place)];
    };
    own_vector<number> vertices;
    for (index_t parent = 0; parent < count; ++parent)
      for (int v = 0; v < corners; ++v) {
        for (int before = 0; before < v; ++before)
          if (at(parent, place_of_vertex(v)) == at(parent, place_of_vertex(before)))
            return no(formatted("a larger one around element %lld would be its own neighbour",
                                static_cast<long long>(names_of_parents_[static_cast<std::size_t>(parent)])));
        vertices.push_back(at(parent, place_of_vertex(v)));
      }
    index_t const of_corners = close_gaps(vertices);
    parents_ = parts(
        vertices, of_corners, [&](index_t parent, int place) { return index_t{at(parent, place)}; }, true);
    own_vector<std::uint8_t> is_known(static_cast<std::size_t>(of_.vertices()), 0);
    index_t known = 0;
    for (number const vertex : lattice_) {
      known += is_known[vertex] == 0 ? 1 : 0;
      is_known[vertex] = 1;
    }
    return parents_.count() == known || no("larger ones would not have whole sides in common");
  }

  static constexpr number unknown = ~number{0};

  parts const& of_;
  own_vector<index_t> const& names_;
  own_vector<std::uint8_t> periods_;
  parities upper_{0};
  own_vector<index_t> behind_;       // (E, 2 D): sides times an element plus its side, or none
  own_vector<std::uint8_t> halves_;  // bit d: the upper one along direction d
  own_vector<place_in_parent<Directions>> places_;
  own_vector<number> lattice_;  // (parents, 3^D): the vertices of their parts
  parts parents_;
  own_vector<index_t> names_of_parents_;
  own_vector<std::uint8_t> periods_of_parents_;
  std::uint8_t periods_of_group_ = 0;
  bool is_found_ = false;
  std::string why_not_;
};

}  // namespace sumfac::detail
