// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An order of a mesh's elements in which like stands by like, and what brings arrays into it and back.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/dofs/vectors/vector_checks.hpp>
#include <sumfac/mesh/classify.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

// Which element of a mesh stands at which place, such that an operator whose geometry is split runs each as what it is.
//
// Elements alike stand in runs, which begin at multiples of their length; within a class the order is the mesh's own.
// The runs of a class are spread evenly over all places, so that equal numbers of elements are about equal work.
// What does not fill a run stands at the end, affine elements first. Global vectors know no order of elements: with a
// restriction, the mesh's nodes and its table are all there is to bring.
class element_order {
public:
  // A multiple of what a team of the host works at once.
  static constexpr index_t usual_run = 64;

  // By what each element allows, within a tolerance: see classify. Teams of t elements, a number that does not divide
  // `run`, are of two classes in t cases of `run`: a longer run is better there.
  //
  // **Shapes** nodes (E, m, m, m, 3), of quadrilaterals (E, m, m, C), of lines (E, m, C); classes (E).
  // **Errors** those of classify, argument_error for a number that is no geometry_class and a run without elements.
  template <class Nodes, mesh_node_set Set = unsaid_nodes>
    requires is_view<Nodes>
  static element_order like_by_like(Nodes const& nodes, Set const& set = {}, double tolerance = geometry_tolerance,
                                    index_t run = usual_run)
  {
    return like_by_like(classify(nodes, set, tolerance), run);
  }
  static element_order like_by_like(std::vector<geometry_class> const& classes, index_t run = usual_run)
  {
    if (run < 1)
      failf("element_order::like_by_like", "a run has no elements (got %lld, at least 1 expected)",
            static_cast<long long>(run));
    auto const alike = by_class(classes);
    index_t taken[3] = {};
    // Where the middle of a class's next run lies, as a fraction of the class; 1 where no run is left.
    auto const middle = [&](std::size_t c) {
      index_t const whole = static_cast<index_t>(alike[c].size()) / run, at = taken[c] / run;
      return at < whole ? (static_cast<double>(at) + 0.5) / static_cast<double>(whole) : 1;
    };
    detail::own_vector<index_t> elements;
    elements.reserve(classes.size());
    auto const take = [&](std::size_t c, index_t count) {
      for (; count > 0; --count) elements.push_back(alike[c][static_cast<std::size_t>(taken[c]++)]);
    };
    for (;;) {
      std::size_t next = 0;
      for (std::size_t c = 1; c < 3; ++c) next = middle(c) < middle(next) ? c : next;
      if (middle(next) == 1) break;
      take(next, run);
    }
    for (std::size_t c = 0; c < 3; ++c) take(c, static_cast<index_t>(alike[c].size()) - taken[c]);
    return element_order(std::move(elements));
  }
  // What is neither is refused with a diagnostic.
  template <class Other, class... Rest>
    requires(!is_view<Other> && !std::is_convertible_v<Other const&, std::vector<geometry_class> const&>)
  static element_order like_by_like(Other const&, Rest const&...)
  {
    static_assert(is_view<Other>,
                  "sumfac::element_order::like_by_like: the mesh must be a sumfac::view of nodes, of "
                  "shape (E, m, m, m, 3), (E, m, m, C) or (E, m, C), or a "
                  "std::vector<sumfac::geometry_class>");
    return element_order({});
  }

  index_t elements() const { return static_cast<index_t>(elements_.size()); }

  // The element that stands at a place, and the place where an element stands.
  index_t element_at(index_t place) const { return elements_[static_cast<std::size_t>(place)]; }
  index_t place_of(index_t element) const { return places_[static_cast<std::size_t>(element)]; }

  // Brings what elements have into this order: out(place, ...) = in(element, ...). Mesh nodes, a restriction's table,
  // coefficients, E-vectors; in the host's memory, before what a device needs is copied there.
  //
  // **Shapes** in and out (E, ...), of any rank from 1 on and any layouts.
  // **Errors** argument_error, with out untouched, for extents, null and views that overlap.
  template <class In, class Out>
  void apply(In const& in, Out const& out) const
  {
    copy("element_order::apply", in, out, elements_);
  }

  // Brings it back into the mesh's own: out(element, ...) = in(place, ...). The rest is as for apply.
  template <class In, class Out>
  void undo(In const& in, Out const& out) const
  {
    copy("element_order::undo", in, out, places_);
  }

private:
  template <int, int>
  friend class nesting;

  explicit element_order(detail::own_vector<index_t> elements)
      : elements_(std::move(elements)), places_(elements_.size())
  {
    for (index_t place = 0; place < this->elements(); ++place)
      places_[static_cast<std::size_t>(element_at(place))] = place;
  }

  // The elements of each class, from the cheapest, in the mesh's order.
  static detail::own_vector<detail::own_vector<index_t>> by_class(std::vector<geometry_class> const& classes)
  {
    detail::own_vector<detail::own_vector<index_t>> alike(3);
    for (std::size_t e = 0; e < classes.size(); ++e) {
      auto const c = static_cast<std::size_t>(classes[e]);
      if (c >= alike.size())
        failf("element_order::like_by_like", "the class of element %lld is none (got %lld, 0 to 2 expected)",
              static_cast<long long>(e), static_cast<long long>(c));
      alike[c].push_back(static_cast<index_t>(e));
    }
    return alike;
  }

  template <class In, class Out>
  void copy(char const* where, In const& in, Out const& out, detail::own_vector<index_t> const& from) const
  {
    static_assert(is_view<In> && is_view<Out>, "sumfac::element_order: in and out must be sumfac::view");
    if constexpr (is_view<In> && is_view<Out>) {
      constexpr bool fits = In::rank() >= 1 && In::rank() == Out::rank() &&
                            std::is_same_v<typename In::value_type, typename Out::element_type>;
      static_assert(fits,
                    "sumfac::element_order: in and out must be views of one rank, from 1 on, with entries of one "
                    "type, and out not const");
      if constexpr (fits) {
        check_views(where, in, out);
        host{}.partition(elements(), [&](index_t first, index_t last) {
          for (index_t e = first; e < last; ++e) copy_entries(in, from[static_cast<std::size_t>(e)], out, e);
        });
      }
    }
  }
  template <class In, class Out>
  void check_views(char const* where, In const& in, Out const& out) const
  {
    detail::check_extent(where, "in", 0, "elements", elements(), in.extent(0));
    detail::check_extent(where, "out", 0, "elements", elements(), out.extent(0));
    for (int r = 1; r < In::rank(); ++r) detail::check_extent(where, "out", r, "as of in", in.extent(r), out.extent(r));
    check_data(where, "in", in.data(), in.size());
    check_data(where, "out", out.data(), out.size());
    if constexpr (std::is_same_v<typename Out::layout_type, layout_stride>) {
      detail::view_shape const shape(out);
      detail::check_places(where, "out", shape.rank, shape.extents, shape.strides);
    }
    if (!in.empty()) detail::check_distinct(where, in, out, "in", "out");
  }
  // out(to, inner..., all others) = in(from, inner..., all others).
  template <class In, class Out, class... Inner>
  static void copy_entries(In const& in, index_t from, Out const& out, index_t to, Inner... inner)
  {
    constexpr int next = 1 + static_cast<int>(sizeof...(Inner));
    if constexpr (next == In::rank())
      out(to, inner...) = in(from, inner...);
    else
      for (index_t i = 0; i < in.extent(next); ++i) copy_entries(in, from, out, to, inner..., i);
  }

  detail::own_vector<index_t> elements_, places_;  // by place; by element
};

}  // namespace sumfac
