// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a process applies its elements with: cut, where others have nodes in common with it, or as a whole.
#pragma once

#include <sumfac/dofs/halo.hpp>
#include <sumfac/dofs/parts/part_cut.hpp>
#include <sumfac/dofs/restriction.hpp>

#include <cstddef>

namespace sumfac::SUMFAC_TARGET::detail {

// A process' elements, cut, and the exchange of its vectors: for matrices, transfers and smoothers in parts.
template <class Scalar, class Backend, class Halo>
class mesh_part {
public:
  using exchange_type = typename Halo::template exchange<Scalar, Backend>;
  using restriction_type = sumfac::restriction<Scalar, Backend>;
  using cut_type = part_cut<Scalar, Backend>;

  // Elements that `waiting` names wait for ghosts as if they had some.
  mesh_part(restriction_type const& r, Halo const& halo, distributed_options const& options,
            element_flags const& waiting = {})
      : options_(options),
        cut_(r, halo.owned(), options.overlap == overlap::both ? 2 : 1, waiting),
        exchange_(halo, r.backend(), r.components(), r.options().components_lie)
  {
  }

  distributed_options const& options() const { return options_; }
  cut_type const& cut() const { return cut_; }
  index_t size() const { return cut_.owned_entries(); }  // entries of owned nodes
  exchange_type& exchange() const { return exchange_; }

  // y = what all processes' elements make of x, where y may be of another degree, a part cut in the same way: calls
  // work(restriction of x, restriction of y, x, y, mode) for some elements at a time, beside the exchanges.
  template <class Work>
  void sweep(mesh_part const& to, Scalar const* x, Scalar* y, Work const& work,
             sweep_mode mode = sweep_mode::write) const
  {
    sweep_all(mode, {this}, {&to}, x, y, [&](int, auto const&... of_elements) { work(of_elements...); });
  }
  // The same of the elements of several parts of the same nodes, by the exchanges of the first ones alone: calls
  // work(k, ...) for those of part k.
  template <int Parts, class Work>
  static void sweep_all(sweep_mode mode, mesh_part const* const (&from)[Parts], mesh_part const* const (&to)[Parts],
                        Scalar const* x, Scalar* y, Work const& work)
  {
    mesh_part const &one = *from[0], &other = *to[0];
    auto const how = one.options_.overlap;
    auto const each = [&](auto const& f) {
      for (int k = 0; k < Parts; ++k)
        f(k, *from[k], *to[k], [&work, k](auto const&... of_elements) { work(k, of_elements...); });
    };
    one.exchange_.begin_update(x, one.cut_.ghosts_x());
    if (how == overlap::none) one.exchange_.end_update(x, one.cut_.ghosts_x());
    one.watched(elements_at::interior, [&] {
      each([&](int k, mesh_part const& p, mesh_part const& p_to, auto const& of_part) {
        p.interior(p_to, 0, x, y, k == 0 ? mode : sweep_mode::add, of_part);
      });
    });
    if (how != overlap::none) one.exchange_.end_update(x, one.cut_.ghosts_x());
    one.watched(elements_at::boundary, [&] {
      each([&](int k, mesh_part const& p, mesh_part const& p_to, auto const& of_part) {
        if (k > 0) p.cut_.take_ghosts(one.cut_);
        p.boundary(p_to, x, of_part);
        if (k > 0) other.cut_.add_ghosts(p_to.cut_);
      });
    });
    other.exchange_.begin_add(other.cut_.ghosts_y(), y);
    each([&](int, mesh_part const&, mesh_part const& p_to, auto const&) { p_to.cut_.add_boundary(y); });
    if (how == overlap::both)
      one.watched(elements_at::interior, [&] {
        each([&](int, mesh_part const& p, mesh_part const& p_to, auto const& of_part) {
          p.interior(p_to, 1, x, y, sweep_mode::add, of_part);
        });
      });
    other.exchange_.end_add(other.cut_.ghosts_y(), y);
  }
  // The same, written, and then a body for each entry of y.
  template <int Parts, class Passes, class Work, class... Body>
  static void sweep_all(mesh_part const* const (&from)[Parts], mesh_part const* const (&to)[Parts], Scalar const* x,
                        Scalar* y, Passes const& passes, Work const& work, Body const&... body)
  {
    sweep_all(sweep_mode::write, from, to, x, y, work);
    (passes.run(to[0]->size(), body), ...);
  }

private:
  template <class Work>
  void interior(mesh_part const& to, int part, Scalar const* x, Scalar* y, sweep_mode mode, Work const& work) const
  {
    if (cut_.owned_entries() > 0 && to.cut_.owned_entries() > 0)
      work(cut_.interior(part), to.cut_.interior(part), x, y, mode);
    else if (mode == sweep_mode::write)  // all elements have ghosts
      each_entry(cut_.backend(), to.cut_.owned_entries(), zero_body<Scalar>{y});
  }
  template <class Work>
  void boundary(mesh_part const& to, Scalar const* x, Work const& work) const
  {
    if (cut_.boundary_elements() == 0) return to.cut_.clear_ghosts();
    cut_.take_boundary(x);
    work(cut_.boundary(), to.cut_.boundary(), cut_.boundary_x(), to.cut_.boundary_y(), sweep_mode::write);
  }
  template <class Work>
  void watched([[maybe_unused]] elements_at elements, Work const& work) const
  {
    if constexpr (watches_elements<exchange_type>) exchange_.begins(elements);
    work();
    if constexpr (watches_elements<exchange_type>) exchange_.ends(elements);
  }

  distributed_options options_;
  cut_type cut_;
  mutable exchange_type exchange_;
};

// The whole of a mesh: work() is called once for each part, that of a single one with the body, for what it can do
// behind each piece of y.
template <class Scalar, class Backend>
class mesh_part<Scalar, Backend, whole> {
public:
  using restriction_type = sumfac::restriction<Scalar, Backend>;

  explicit mesh_part(restriction_type const& r, whole const& = {}, distributed_options const& = {}) : restriction_(&r)
  {
  }

  index_t size() const { return restriction_->size(); }

  template <int Parts, class Passes, class Work, class... Body>
  static void sweep_all(mesh_part const* const (&from)[Parts], mesh_part const* const (&to)[Parts], Scalar const* x,
                        Scalar* y, Passes const& passes, Work const& work, Body const&... body)
  {
    if constexpr (Parts == 1) {
      work(0, *from[0]->restriction_, *to[0]->restriction_, x, y, sweep_mode::write, body...);
    } else {
      for (int k = 0; k < Parts; ++k)
        work(k, *from[k]->restriction_, *to[k]->restriction_, x, y, k == 0 ? sweep_mode::write : sweep_mode::add);
      (passes.run(to[0]->size(), body), ...);
    }
  }

private:
  restriction_type const* restriction_;
};

// The parts of a process on two degrees, cut alike: matrices' own where they are, else made.
//
// An element waits that has ghosts on either of both degrees, or waits in a matrix's part.
template <class Scalar, class Backend, class Halo>
class part_pair {
  using part_type = mesh_part<Scalar, Backend, Halo>;
  using restriction_type = restriction<Scalar, Backend>;

public:
  // The parts may be null.
  part_pair(restriction_type const& fine, Halo const& fine_halo, part_type const* fine_part,
            restriction_type const& coarse, Halo const& coarse_halo, part_type const* coarse_part,
            distributed_options const& options)
  {
    element_flags waiting = part_type::cut_type::waiting_of(fine, fine_halo.owned());
    add(part_type::cut_type::waiting_of(coarse, coarse_halo.owned()), waiting);
    if (fine_part != nullptr) add(fine_part->cut().waiting(), waiting);
    // All processes make a part, or none: its exchange is made by all.
    double others[2] = {differs(fine_part, options, waiting), differs(coarse_part, options, waiting)};
    reduction const of_all = fine_halo.reduction();
    if (of_all.add_up != nullptr) of_all.add_up(of_all.context, others, 2);
    if (others[0] > 0) own_fine_ = own_pointer<part_type const>(new part_type(fine, fine_halo, options, waiting));
    if (others[1] > 0) own_coarse_ = own_pointer<part_type const>(new part_type(coarse, coarse_halo, options, waiting));
    fine_ = others[0] > 0 ? &*own_fine_ : fine_part;
    coarse_ = others[1] > 0 ? &*own_coarse_ : coarse_part;
  }

  part_type const& fine() const { return *fine_; }
  part_type const& coarse() const { return *coarse_; }

private:
  static void add(element_flags const& more, element_flags& flags)
  {
    for (std::size_t e = 0; e < flags.size(); ++e) flags[e] = flags[e] || more[e];
  }
  static double differs(part_type const* given, distributed_options const& options, element_flags const& waiting)
  {
    if (given == nullptr || given->options().overlap != options.overlap) return 1;
    for (std::size_t e = 0; e < waiting.size(); ++e)
      if (given->cut().waiting()[e] != waiting[e]) return 1;
    return 0;
  }

  own_pointer<part_type const> own_fine_, own_coarse_;
  part_type const *fine_ = nullptr, *coarse_ = nullptr;
};

template <class Scalar, class Backend>
class part_pair<Scalar, Backend, whole> {
  using part_type = mesh_part<Scalar, Backend, whole>;
  using restriction_type = restriction<Scalar, Backend>;

public:
  part_pair(restriction_type const& fine, whole const&, part_type const*, restriction_type const& coarse, whole const&,
            part_type const*, distributed_options const&)
      : fine_(fine), coarse_(coarse)
  {
  }

  part_type const& fine() const { return fine_; }
  part_type const& coarse() const { return coarse_; }

private:
  part_type fine_, coarse_;
};

}  // namespace sumfac::detail
