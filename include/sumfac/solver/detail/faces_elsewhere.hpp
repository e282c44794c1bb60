// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What lies behind faces at a part's end: what the elements of other processes say there, by an exchange of nodes, and
// for subdomains with overlap these elements themselves.
#pragma once

#include <sumfac/mesh/parts/element_views.hpp>
#include <sumfac/solver/detail/schwarz_modes.hpp>
#include <sumfac/solver/detail/schwarz_nodes.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// Numbers for the elements behind the faces of a part that have no partner among its own elements.
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
      if (!nodes_.is_inside(e, face)) f(face);
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

// The elements that subdomains reach: a process' own ones and, of an overlap on parts, those of others behind their
// faces. The halo's further ghosts are what subdomains have of these; nodes beyond them, of which nothing is known,
// make the others' rows whole.
template <class Halo, int Overlap, int Directions>
class reached_elements {
public:
  // All processes make it at once.
  reached_elements(Halo const& halo, node_table const& own, own_vector<index_t> const& active)
      : halo_(&halo), table_(&own), active_(&active), nodes_(own.nodes())
  {
    if constexpr (Overlap > 0 && !is_whole<Halo>) extend();
  }
  reached_elements(reached_elements const&) = delete;
  reached_elements& operator=(reached_elements const&) = delete;

  Halo const& halo() const { return *halo_; }
  node_table const& table() const { return *table_; }
  own_vector<index_t> const& active() const { return *active_; }
  index_t nodes() const { return nodes_; }  // of the halo

  own_pointer<Halo const> own_halo;  // empty where it is the given one

private:
  void extend()
  {
    node_table const& own = *table_;
    own_vector<node_table::number> rows;
    for (index_t const e : *active_)
      for (index_t p = 0; p < own.nodes_of_element(); ++p) rows.push_back(own(e, p));
    auto const behind = halo_->elements_behind(element_view<Directions, node_table::number const>(
        rows.data(), static_cast<index_t>(active_->size()), own.nodes_1d()));
    auto places = places_here(behind.number);
    index_t const all = number_others(behind, places);
    rows.clear();
    for (index_t e = 0; e < own.elements(); ++e)
      for (index_t p = 0; p < own.nodes_of_element(); ++p) rows.push_back(own(e, p));
    for (index_t const place : places) rows.push_back(static_cast<node_table::number>(place));
    auto const others = static_cast<index_t>(places.size()) / own.nodes_of_element();
    auto const marks = marks_of_all(all);
    restriction_options options;
    options.components = own.components(), options.every_node = false;
    own_table_ = own_pointer<node_table const>(new node_table(make_node_table(
        host{1},
        element_view<Directions, node_table::number const>(rows.data(), own.elements() + others, own.nodes_1d()), all,
        options, view<std::uint8_t const, dextents<2>>(marks.data(), all, index_t{own.components()}))));
    own_active_ = *active_;
    for (index_t e = 0; e < others; ++e) own_active_.push_back(own.elements() + e);
    table_ = &*own_table_, active_ = &own_active_;
  }

  // Where nodes of these numbers are on this process, or -1.
  own_vector<index_t> places_here(own_vector<std::int64_t> const& numbers) const
  {
    own_vector<index_t> by_number, places;
    for (index_t node = 0; node < nodes_; ++node) by_number.push_back(node);
    auto const number = [&](index_t node) { return static_cast<std::int64_t>(halo_->number(node)); };
    std::sort(by_number.begin(), by_number.end(), [&](index_t a, index_t b) { return number(a) < number(b); });
    for (std::int64_t const wanted : numbers) {
      auto const* const at = std::lower_bound(by_number.begin(), by_number.end(), wanted,
                                              [&](index_t node, std::int64_t x) { return number(node) < x; });
      places.push_back(at != by_number.end() && number(*at) == wanted ? *at : -1);
    }
    return places;
  }

  // Gives places to the others' nodes that are not here: first to those that subdomains reach, which become ghosts.
  // Returns how many nodes there are then.
  index_t number_others(numbered_nodes const& behind, own_vector<index_t>& places)
  {
    auto const at = [](index_t i) { return static_cast<std::size_t>(i); };
    auto const reached = reached_places(places);
    own_vector<index_t> missing;
    for (index_t p = 0; p < static_cast<index_t>(places.size()); ++p)
      if (places[at(p)] < 0) missing.push_back(p);
    std::sort(missing.begin(), missing.end(),
              [&](index_t p, index_t q) { return behind.number[at(p)] < behind.number[at(q)]; });
    numbered_nodes more;
    for (std::size_t i = 0, end = 0; i < missing.size(); i = end) {
      bool any = false;
      std::int64_t const number = behind.number[at(missing[i])];
      for (; end < missing.size() && behind.number[at(missing[end])] == number; ++end)
        any = any || reached[at(missing[end])];
      if (!any) continue;
      for (std::size_t k = i; k < end; ++k) places[at(missing[k])] = nodes_;
      more.owner.push_back(behind.owner[at(missing[i])]), more.number.push_back(number);
      ++nodes_;
    }
    index_t next = nodes_;
    for (index_t const p : missing)
      if (places[at(p)] < 0) places[at(p)] = next++;
    own_halo = own_pointer<Halo const>(new Halo(halo_->with_ghosts(more)));
    halo_ = &*own_halo;
    return next;
  }

  // Of others' elements the layers behind faces that are here.
  own_vector<bool> reached_places(own_vector<index_t> const& places) const
  {
    face_shape const shape{Directions, table_->nodes_1d()};
    auto const each = static_cast<std::size_t>(table_->nodes_of_element());
    own_vector<bool> reached(places.size(), false);
    for (std::size_t first = 0; first < places.size(); first += each)
      for (int face = 0; face < shape.faces(); ++face) {
        auto const for_each_node = [&](int depth, auto const& f) {
          for (int a = 0; a < shape.rows(); ++a)
            for (int b = 0; b < shape.columns(); ++b)
              f(first + static_cast<std::size_t>(node_of_face(shape.nodes_1d, face, a, b, depth)));
        };
        bool here = true;
        for_each_node(0, [&](std::size_t p) { here = here && places[p] >= 0; });
        if (here) for_each_node(1, [&](std::size_t p) { reached[p] = true; });
      }
    return reached;
  }

  // The owners' marks at the halo's nodes, 0 at all others.
  own_vector<std::uint8_t> marks_of_all(index_t all) const
  {
    int const components = table_->components();
    own_vector<double> said(static_cast<std::size_t>(nodes_ * components), 0);
    for (index_t node = 0; node < halo_->owned(); ++node)
      for (int c = 0; c < components; ++c)
        said[static_cast<std::size_t>(node * components + c)] = table_->constrained(node, c) ? 1 : 0;
    add_up_at_nodes(*halo_, components, said.data(), true);
    own_vector<std::uint8_t> marks(static_cast<std::size_t>(all * components), 0);
    for (std::size_t i = 0; i < said.size(); ++i) marks[i] = said[i] != 0 ? 1 : 0;
    return marks;
  }

  Halo const* halo_;
  node_table const* table_;
  own_vector<index_t> const* active_;
  index_t nodes_;
  own_pointer<node_table const> own_table_;
  own_vector<index_t> own_active_;
};

}  // namespace sumfac::detail
