// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// All points of a mesh's elements, visited on threads, and the elements that are refused: how many, and the first.
#pragma once

#include <sumfac/error.hpp>
#include <sumfac/math/detail/atomic.hpp>
#include <sumfac/mesh/maps/element_group.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Several threads may add elements at once, no two the same one.
class refused_elements {
public:
  explicit refused_elements(index_t elements) : refused_(static_cast<std::size_t>(elements)) {}

  void add(index_t e) { refused_[static_cast<std::size_t>(e)] = 1; }

  // " (3 elements are refused: 4, 7, 9)", or nothing where it is one alone; ten are listed at most.
  [[gnu::cold, gnu::noinline]] std::string list() const
  {
    constexpr index_t most = 10;
    formatted first;
    index_t count = 0;
    for (std::size_t e = 0; e < refused_.size(); ++e)
      if (refused_[e] != 0 && count++ < most) first.add("%s%lld", count == 1 ? "" : ", ", static_cast<long long>(e));
    if (count < 2) return {};
    return formatted(" (%lld elements are refused: %s%s)", static_cast<long long>(count), first.c_str(),
                     count > most ? ", ..." : "");
  }

private:
  own_vector<std::uint8_t> refused_;
};

// What an operator visits a mesh in: as many elements at once as a register has lanes. In a source that nvcc compiles
// packs are arrays, which the host's compiler takes long over, so there it is one.
#if !SUMFAC_HAS_VECTOR_TYPES
using geometry_number = double;
#else
using geometry_number = pack<double, native_width<double>>;
#endif

// Any visitor that is an object in memory, which must live as long.
template <class Mapping>
class any_visitor {
public:
  template <class Visitor>
    requires(!std::is_same_v<Visitor, any_visitor>)
  any_visitor(Visitor& visitor)
      : visitor_(&visitor), call_([](void* f, index_t e, int s, int r, int q, Mapping const& x) {
          (*static_cast<Visitor*>(f))(e, s, r, q, x);
        })
  {
  }

  void operator()(index_t e, int s, int r, int q, Mapping const& x) const { call_(visitor_, e, s, r, q, x); }

private:
  void* visitor_;
  void (*call_)(void*, index_t, int, int, int, Mapping const&);
};

// What is wrong with the points of the element in the first lane.
struct refused_points {
  double least = std::numeric_limits<double>::infinity(), shown = 0;
  int place[3] = {}, count = 0;
  bool finite = true;

  template <class Mapping>
  SUMFAC_INLINE void operator()(index_t, int s, int r, int q, Mapping const& x)
  {
    double const det = lane_of(x.scaled_det(), 0);
    bool const finite_here = det - det == 0, refused_here = !(finite_here && det > 0);
    // The first that is refused; should another rounding than that of the caller's lanes refuse none, the least.
    if (count == 0 && (refused_here || det < least)) {
      least = det, shown = lane_of(x.det(), 0);
      place[0] = q, place[1] = r, place[2] = s;
    }
    count += refused_here ? 1 : 0;
    finite = finite && finite_here;
  }
};

// Remembers in which lanes a determinant was not positive or not finite.
template <class T>
class refused_lanes {
public:
  SUMFAC_INLINE void test(T const& det)
  {
    if constexpr (std::is_same_v<T, double>)
      least_ = det < least_ ? det : least_;
    else
      least_ = min SUMFAC_NO_MACRO(det, least_);
    zero_ = zero_ + (det - det);
  }

  // The first of them, or their number.
  int first() const
  {
    int lane = 0;
    while (lane < width_of<T> && lane_of(least_, lane) > 0 && lane_of(zero_, lane) == 0) ++lane;
    return lane;
  }

private:
  T least_ = static_cast<T>(1);
  T zero_{};  // becomes NaN by what is not finite
};

// What geometries have in common, whose visit<T>(first, last, f) goes through the points of some elements in order and
// returns the first that is refused, or elements(). Mapping is what it hands to f where T is geometry_number.
template <class Derived, class Mapping>
class visited_points {
public:
  // The same for all elements on the threads of a backend, a group of lanes at a time; f must bear concurrent calls.
  //
  // **Errors** geometry_error as refuse() for the first element that is refused, with the number of those that are and
  // the first ten of them, whatever the number of threads.
  template <class T, class Backend, class Function>
  void visit_all(Backend const& backend, Function const& f) const
  {
    constexpr index_t width = width_of<T>;
    index_t const elements = self().elements();
    first_of_all refused(elements);
    backend.partition((elements + width - 1) / width, [&](index_t first, index_t last) {
      refused.keep(self().template visit<T>(first * width, last * width < elements ? last * width : elements, f));
    });
    if (refused.index() == elements) return;
    refused_elements listed(elements);
    refused_points seen;
    for (index_t e = refused.index(); e < elements; e = visit_seldom(e + 1, elements, seen)) listed.add(e);
    refuse(refused.index(), listed.list());
  }

  // visit() for what is seldom called: one piece of code for all visitors.
  using any_visitor = detail::any_visitor<Mapping>;
  [[gnu::cold, gnu::noinline]] index_t visit_seldom(index_t first, index_t last, any_visitor const& f) const
  {
    return self().template visit<geometry_number>(first, last, f);
  }

  // Throws geometry_error, which says what is wrong with an element that visit() returned: the first point refused, the
  // determinant there, at how many points, and the likely cause; `more` ends the sentence.
  [[noreturn]] void refuse(index_t element, std::string const& more = {}) const
  {
    constexpr int directions = Mapping::dimension;
    int const points = self().points_of_element().all();
    refused_points seen;
    static_cast<void>(visit_seldom(element, element + 1, seen));
    char const* const advice = !seen.finite ? "make its coordinates finite numbers of moderate size"
                               : seen.count == points && seen.least == 0 ? "move its nodes apart, or leave it out: it "
                                                                           "has no volume"
                               : seen.count == points && directions == 1 ? "list its nodes from left to right"
                               : seen.count == points && directions == 2 ? "list its nodes so that the directions x "
                                                                           "(fastest), y turn anticlockwise"
                               : seen.count == points  ? "list its nodes so that the directions x (fastest), y, z are "
                                                         "right-handed"
                               : self().nodes_1d() > 3 ? "untangle it, or name the node set that its nodes were placed "
                                                         "by"
                                                       : "untangle it, or list its nodes with x fastest, then y, then "
                                                         "z";
    throw_text<geometry_error>(
        "sumfac::element_geometry: element %lld cannot be integrated on (determinant of the Jacobian %.6g at "
        "point (q, r, s) = (%d, %d, %d), greater than 0 and finite expected; wrong at %d of %d points): %s%s",
        static_cast<long long>(element), seen.shown, seen.place[0], seen.place[1], seen.place[2], seen.count, points,
        advice, more.c_str());
  }

private:
  Derived const& self() const { return static_cast<Derived const&>(*this); }
};

}  // namespace sumfac::SUMFAC_TARGET::detail
