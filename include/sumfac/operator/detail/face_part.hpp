// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What an interior_operator has of a mesh: what lies behind its sides, and in parts what processes exchange of it.
#pragma once

#include <sumfac/dofs/halo.hpp>
#include <sumfac/dofs/parts/part_cut.hpp>
#include <sumfac/element/kernel/interior_kernel.hpp>
#include <sumfac/element/kernel/launch_groups.hpp>

#include <cstddef>

namespace sumfac::SUMFAC_TARGET::detail {

struct no_other_kernel {};

// What lies behind the sides of the first elements, upon which kernels are launched.
template <class Problem, class T, class Backend>
class faces_behind {
public:
  faces_behind(Backend const& backend, index_t elements, face_pairs const& pairs) : elements_(elements)
  {
    own_vector<face_neighbour> all;
    for (index_t i = 0; i < elements * pairs.sides(); ++i) all.push_back(pairs.data()[i]);
    behind_ = upload<face_neighbour>(backend, all);
    own_vector<face_neighbour> parts;
    for (index_t i = 0; i < pairs.divided() * pairs.parts_of_side(); ++i) parts.push_back(pairs.parts()[i]);
    parts_ = upload<face_neighbour>(backend, parts);
  }

  index_t elements() const { return elements_; }
  index_t groups() const { return (elements_ + width - 1) / width; }
  face_neighbour const* behind() const { return behind_.data(); }
  face_neighbour const* parts() const { return parts_.data(); }

protected:
  static constexpr int width = width_of<T>;

  // Groups for launches: on devices those with parts of sides, which have a kernel of their own, apart from the others.
  static constexpr bool has_two_kernels = !runs_on_host<Backend> && Problem::directions > 1;
  struct group_lists {
    memory_of<index_t, Backend> usual, hanging;
  };
  template <class Choose>
  group_lists lists_of(Backend const& backend, face_pairs const& pairs, Choose const& choose) const
  {
    own_vector<index_t> usual, hanging;
    for (index_t g = 0; g < groups(); ++g)
      if (choose(g)) (has_two_kernels && hangs(pairs, g) ? hanging : usual).push_back(g);
    return {upload(backend, usual), upload(backend, hanging)};
  }
  static bool hangs(face_pairs const& pairs, index_t e)
  {
    bool has_parts = false;
    for (int side = 0; side < pairs.sides(); ++side)
      has_parts = has_parts || pairs.behind(e, side).divided >= 0 || pairs.behind(e, side).part >= 0;
    return has_parts;
  }
  // `with_parts` makes the other kernel.
  template <class Kernel, class WithParts>
  static void launch_lists(Backend const& backend, group_lists const& lists, Kernel const& kernel,
                           WithParts const& with_parts)
  {
    if (lists.usual.size() > 0) backend.launch(listed_kernel<Kernel>{kernel, lists.usual.data()}, lists.usual.size());
    if constexpr (has_two_kernels)
      if (lists.hanging.size() > 0) {
        auto const other = with_parts();
        backend.launch(listed_kernel<std::remove_const_t<decltype(other)>>{other, lists.hanging.data()},
                       lists.hanging.size());
      }
  }

  index_t elements_;
  memory_of<face_neighbour, Backend> behind_, parts_;
};

// Of the whole mesh.
template <class Problem, class T, class Backend, class Halo>
class face_part : public faces_behind<Problem, T, Backend> {
  using base = faces_behind<Problem, T, Backend>;

public:
  using ghosts_type = no_ghosts;

  face_part(Backend const& backend, whole const&, index_t elements, face_pairs const& pairs)
      : base(backend, (check_pairs(elements, pairs), elements), pairs)
  {
    if (base::has_two_kernels && pairs.divided() > 0)
      lists_ = this->lists_of(backend, pairs, [](index_t) { return true; });
  }

  // On devices: whether some elements have parts of sides.
  bool has_parts() const { return lists_.hanging.size() > 0; }

  // The kernel on all groups, of functions u; on devices the one that `with_parts` makes on those that have such sides.
  template <class Kernel, class Functions, class WithParts = no_other_kernel>
  void sweep(Backend const& backend, Kernel const& kernel, Functions const&, WithParts const& with_parts = {}) const
  {
    if constexpr (base::has_two_kernels)
      if (lists_.hanging.size() > 0) return this->launch_lists(backend, lists_, kernel, with_parts);
    if (this->elements() > 0) launch_groups(backend, kernel, this->groups());
  }

private:
  static void check_pairs(index_t elements, face_pairs const& pairs)
  {
    constexpr auto here = "interior_operator";
    check_equal(here, "number of elements of the faces", elements, pairs.elements());
    check_equal(here, "number of directions of the faces", Problem::directions, pairs.directions());
  }

  typename base::group_lists lists_;  // where a mesh hangs
};

// to[i] = entry i of the items that others read: elements, or nodes on sides of theirs.
template <class Kernel>
struct item_body {
  using scalar = typename Kernel::scalar;
  element_vector<scalar const> u;
  index_t const* sides;  // of each item, counted through all elements
  scalar* to;
  SUMFAC_INLINE void operator()(index_t i) const
  {
    constexpr index_t nodes = Kernel::nodes_of_item, of_item = Kernel::components * nodes;
    index_t const side = sides[i / of_item] % Kernel::sides;
    index_t rest = i % nodes, x[3] = {};
    for (int a = 0; a < Kernel::directions; ++a) {
      if (!Kernel::reads_lines && a == side / 2) {
        x[a] = side % 2 == 0 ? 0 : Kernel::n - 1;
      } else {
        x[a] = rest % Kernel::n;
        rest /= Kernel::n;
      }
    }
    to[i] = u(sides[i / of_item] / Kernel::sides, i % of_item / nodes, x[2], x[1], x[0]);
  }
};

// Of a process' own elements, whose ghosts, elements of other processes behind their sides, come behind them in mesh
// and pairs. Items are exchanged: the nodes on each side that a ghost lies behind, where a form reads no others; else
// the elements of such sides. Groups of elements without ghosts are worked meanwhile.
//
// The halo is one of elements: a concept halo_for with number(e) in the whole mesh and subset(chosen, each).
template <class Problem, class T, class Backend, class Halo>
  requires(!is_whole<Halo>)
class face_part<Problem, T, Backend, Halo> : public faces_behind<Problem, T, Backend> {
  using base = faces_behind<Problem, T, Backend>;
  using of_whole = interior_kernel<Problem, T>;
  using scalar = typename of_whole::scalar;
  using exchange_type = typename Halo::template exchange<scalar, Backend>;
  using base::width;
  static constexpr int sides = of_whole::sides, functions = of_whole::functions;
  static constexpr int each = of_whole::reads_lines ? 1 : sides;  // items of an element
  static constexpr int entries = of_whole::components * of_whole::nodes_of_item;

public:
  using ghosts_type = ghost_items<scalar, functions>;

  // Pairs as forms see them, where mesh and pairs are those of the halo's elements, which comes first.
  static face_pairs seen_by(Halo const& halo, index_t elements, face_pairs const& pairs)
  {
    agree(halo, elements, pairs);
    return pairs.seen_by([&](index_t e) { return halo.number(e); });
  }

  // Of pairs that seen_by() has given.
  face_part(Backend const& backend, Halo const& halo, index_t, face_pairs const& pairs)
      : base(backend, halo.owned(), pairs), halo_(&halo)
  {
    index_t const owned = halo.owned();
    own_vector<unsigned char> chosen(static_cast<std::size_t>((owned + halo.ghosts()) * each), 0);
    for_each_cut(pairs, [&](index_t e, int side, face_neighbour const& ghost) {
      chosen[item(e, side)] = chosen[item(ghost.element, ghost.side)] = 1;
    });
    auto const items = static_cast<index_t>(chosen.size());
    items_ = own_pointer<Halo const>(
        new Halo(halo.subset(view<unsigned char const, dextents<1>>(chosen.data(), items), each)));
    for (int f = 0; f < functions; ++f) {
      exchange_[f] = own_pointer<exchange_type>(new exchange_type(*items_, backend, entries, interleaving::fastest));
      sent_[f] = make_memory<scalar>(backend, items_->owned() * entries);
      received_[f] = make_memory<scalar>(backend, items_->ghosts() * entries);
    }
    own_vector<index_t> sent, number(chosen.size(), 0);
    for (index_t i = 0, next = 0; i < items; ++i) {
      if (i == owned * each) next = 0;
      if (chosen[static_cast<std::size_t>(i)] == 0) continue;
      number[static_cast<std::size_t>(i)] = next++;
      if (i < owned * each) sent.push_back(i * (sides / each));
    }
    sides_ = upload<index_t>(backend, sent);
    number_ghosts(backend, pairs, number);
  }

  Halo const& halo() const { return *halo_; }
  ghosts_type ghosts() const
  {
    ghosts_type g{this->elements(), {}};
    for (int f = 0; f < functions; ++f) g.data[f] = received_[f].data();
    return g;
  }

  // The kernel on all groups, of functions u, of which others get what they read: those with ghosts last.
  template <class Kernel, class WithParts = no_other_kernel>
  void sweep(Backend const& backend, Kernel const& kernel, element_vector<scalar const> const (&u)[functions],
             WithParts const& with_parts = {}) const
  {
    for (int f = 0; f < functions; ++f) {
      each_entry(backend, items_->owned() * entries, item_body<of_whole>{u[f], sides_.data(), sent_[f].data()});
      exchange_[f]->begin_update(sent_[f].data(), received_[f].data());
    }
    this->launch_lists(backend, groups_[0], kernel, with_parts);
    for (int f = 0; f < functions; ++f) exchange_[f]->end_update(sent_[f].data(), received_[f].data());
    this->launch_lists(backend, groups_[1], kernel, with_parts);
  }

private:
  static std::size_t item(index_t e, int side) { return static_cast<std::size_t>(e * each + side % each); }

  template <class Visit>
  void for_each_cut(face_pairs const& pairs, Visit const& visit) const
  {
    for (index_t e = 0; e < this->elements(); ++e)
      for (int side = 0; side < sides; ++side)
        for (int part = 0; part < parts_behind(pairs, e, side); ++part)
          if (auto const& ghost = part_behind(pairs, e, side, part); ghost.element >= this->elements())
            visit(e, side, ghost);
  }
  // What lies behind each part of a side that small elements divide, or behind the side.
  static int parts_behind(face_pairs const& pairs, index_t e, int side)
  {
    return pairs.behind(e, side).divided >= 0 ? pairs.parts_of_side() : 1;
  }
  static face_neighbour const& part_behind(face_pairs const& pairs, index_t e, int side, int part)
  {
    return pairs.behind(e, side).divided >= 0 ? pairs.part(e, side, part) : pairs.behind(e, side);
  }

  // Kernels find a ghost by its item's number; which groups have one.
  void number_ghosts(Backend const& backend, face_pairs const& pairs, own_vector<index_t> const& number)
  {
    auto const by_item = [&](face_neighbour of) {
      if (of.element >= this->elements()) of.element = this->elements() + number[item(of.element, of.side)];
      return of;
    };
    own_vector<face_neighbour> all, parts(static_cast<std::size_t>(pairs.divided() * pairs.parts_of_side()));
    for (index_t i = 0; i < this->elements() * sides; ++i) {
      all.push_back(by_item(pairs.data()[i]));
      if (index_t const divided = pairs.data()[i].divided; divided >= 0)
        for (index_t p = divided * pairs.parts_of_side(); p < (divided + 1) * pairs.parts_of_side(); ++p)
          parts[static_cast<std::size_t>(p)] = by_item(pairs.parts()[p]);
    }
    this->behind_ = upload<face_neighbour>(backend, all);
    this->parts_ = upload<face_neighbour>(backend, parts);
    own_vector<bool> waits(static_cast<std::size_t>(this->groups()), false);
    for_each_cut(pairs,
                 [&](index_t e, int, face_neighbour const&) { waits[static_cast<std::size_t>(e / width)] = true; });
    for (int last = 0; last < 2; ++last)
      groups_[last] =
          this->lists_of(backend, pairs, [&](index_t g) { return waits[static_cast<std::size_t>(g)] == (last == 1); });
  }

  // Whether mesh and pairs are those of the halo's elements, and processes know the same faces between them.
  static void agree(Halo const& halo, index_t elements, face_pairs const& pairs)
  {
    constexpr auto here = "interior_operator";
    auto const printed = [](auto i) { return static_cast<long long>(i); };
    index_t const owned = halo.owned(), all = owned + halo.ghosts();
    first_problem text;
    if (elements != all || pairs.elements() != all)
      text.say("mesh and faces have not the elements of the halo (%lld and %lld, %lld owned and %lld ghosts expected)",
               printed(elements), printed(pairs.elements()), printed(owned), printed(halo.ghosts()));
    else if (pairs.directions() != Problem::directions)
      text.say("number of directions of the faces does not match (expected %d, got %d)", Problem::directions,
               pairs.directions());
    halo.agree(here, text);
    // Of each side what lies behind, as its owner has it.
    constexpr int larger = -2, of_part = 4, numbers = of_part << (Problem::directions - 1);
    own_vector<double> known(static_cast<std::size_t>(all * sides * numbers), -1);
    auto const of_side = [&](index_t e, int side) { return known.data() + (e * sides + side) * numbers; };
    for (index_t e = 0; e < owned; ++e)
      for (int side = 0; side < sides; ++side)
        for (int part = 0; part < parts_behind(pairs, e, side); ++part) {
          auto const& other = part_behind(pairs, e, side, part);
          double* const to = of_side(e, side) + part * of_part;
          to[0] = other.element < 0 ? -1 : static_cast<double>(halo.number(other.element));
          to[1] = other.side, to[2] = other.turn, to[3] = parts_behind(pairs, e, side) > 1 ? larger : other.part;
        }
    typename Halo::template exchange<double, host> exchange(halo, host{1}, sides * numbers, interleaving::fastest);
    exchange.begin_update(known.data(), of_side(owned, 0));
    exchange.end_update(known.data(), of_side(owned, 0));
    for (index_t e = 0; e < owned; ++e)
      for (int side = 0; side < sides; ++side)
        for (int part = 0; part < parts_behind(pairs, e, side); ++part) {
          auto const& ghost = part_behind(pairs, e, side, part);
          if (ghost.element < owned) continue;
          // What the latter has there: of a large side the part that lies here, of a small one which part it is.
          bool const is_large = parts_behind(pairs, e, side) > 1, is_small = ghost.part >= 0;
          int const behind_part = is_small ? turned_part(ghost.part, ghost.turn) : 0;
          int const expected_part = is_large ? turned_part(part, ghost.turn) : is_small ? larger : -1;
          double const* const got = of_side(ghost.element, ghost.side) + behind_part * of_part;
          auto const mine = printed(halo.number(e)), theirs = printed(halo.number(ghost.element));
          if (got[0] < 0)
            text.say(
                "side %d of element %lld and side %d of element %lld are one here, and nothing lies behind the latter "
                "on the process that owns it: pass all elements behind sides of own ones as ghosts, and node numbers "
                "by which they share nodes",
                side, mine, ghost.side, theirs);
          else if (got[0] != static_cast<double>(mine) || got[1] != side || got[2] != inverse_turn(ghost.turn) ||
                   got[3] != expected_part)
            text.say(
                "side %d of element %lld and side %d of element %lld are one here, turned by %d, and on the process "
                "that owns the latter it is one with side %d of element %lld, turned by %d (%d expected), as part %d "
                "of that (%d expected; -1 is all, -2 a larger side): number nodes alike on all processes",
                side, mine, ghost.side, theirs, int{ghost.turn}, static_cast<int>(got[1]),
                static_cast<long long>(got[0]), static_cast<int>(got[2]), inverse_turn(ghost.turn),
                static_cast<int>(got[3]), expected_part);
        }
    halo.agree(here, text);
  }

  Halo const* halo_;
  own_pointer<Halo const> items_;
  own_pointer<exchange_type> exchange_[functions];  // of each function
  memory_of<index_t, Backend> sides_;               // of each item that is sent
  mutable memory_of<scalar, Backend> sent_[functions], received_[functions];
  typename base::group_lists groups_[2];  // without ghosts, and with
};

}  // namespace sumfac::detail
