// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// From mesh nodes to a mapping at every quadrature point, where the form's factors are set up.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/basis/detail/tables.hpp>
#include <sumfac/basis/lagrange.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/error.hpp>
#include <sumfac/math/detail/atomic.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/mesh/mapping.hpp>
#include <sumfac/mesh/maps/element_group.hpp>
#include <sumfac/mesh/maps/refused_elements.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>

#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

// What an operator visits a mesh in: as many elements at once as a register has lanes. In a source that nvcc compiles
// packs are arrays, which the host's compiler takes long over, so there it is one.
#if !SUMFAC_HAS_VECTOR_TYPES
using geometry_number = double;
#else
using geometry_number = pack<double, native_width<double>>;
#endif

template <class T>
class refused_lanes;

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
    double const det = detail::lane_of(x.scaled_det(), 0);
    bool const finite_here = det - det == 0, refused_here = !(finite_here && det > 0);
    // The first that is refused; should another rounding than that of the caller's lanes refuse none, the least.
    if (count == 0 && (refused_here || det < least)) {
      least = det, shown = detail::lane_of(x.det(), 0);
      place[0] = q, place[1] = r, place[2] = s;
    }
    count += refused_here ? 1 : 0;
    finite = finite && finite_here;
  }
};

// Looks at no point: visit() then looks at determinants alone.
struct no_visitor {
  template <class... Arguments>
  SUMFAC_INLINE void operator()(Arguments const&...) const
  {
  }
};
}  // namespace detail

// The isoparametric map of a mesh's elements at the points of a tensor-product rule.
//
// The map of an element is the polynomial of degree m - 1 in each direction through its m^3 nodes. It is evaluated
// direction by direction in double, relative to the element's first node: a mesh far from the origin loses nothing.
// Const objects may be used by several threads at once.
// Lines and quadrilaterals, in as many coordinates as they have directions or in more, are the same with fewer indices:
// of a quadrilateral s is 0, of a line r too, and what must be positive is the area or length of surfaces and curves.
// **Shapes** nodes (E, m, m, m, 3), 2 <= m <= 16: element; reference z, y, x; coordinate. Any layout, float or double.
// Of quadrilaterals (E, m, m, Coordinates), of lines (E, m, Coordinates).
// **Work** per element, g points per direction: 12 m^3 g + 18 m^2 g^2 + 24 m g^3 flops.
// **Errors** argument_error for extents that do not fit and for null data.
template <class Points, class Nodes, int Coordinates = int{Nodes::rank()} - 2>
class element_geometry {
  static_assert(quadrature_rule<Points>,
                "sumfac::element_geometry: Points is no quadrature rule: it needs size, nodes and weights");
  static_assert(Nodes::rank() >= 3 && Nodes::rank() <= 5,
                "sumfac::element_geometry: mesh nodes are a view of rank 5, 4 or 3: (E, m, m, m, 3), (E, m, m, 2), "
                "(E, m, 1)");

public:
  static constexpr int points_1d = Points::size, directions = int{Nodes::rank()} - 2, coordinates = Coordinates;
  static_assert(coordinates >= directions && coordinates <= 3,
                "sumfac::element_geometry: a mesh has at least as many coordinates as its elements have directions, "
                "and "
                "at most 3");
  template <class T>
  using mapping_type = mapping<T, directions, coordinates>;

  template <mesh_node_set Set = unsaid_nodes>
  explicit element_geometry(Nodes const& nodes, Set const& set = {});

  index_t elements() const { return nodes_.extent(0); }
  int nodes_1d() const { return m_; }

  // Calls f(e, s, r, q, x) for each point, q along reference x, r along y, s along z, of elements first .. last - 1: x
  // is the mapping<T> of elements e, e + 1, ..., one in each lane of T, which is double or a pack of it. Lanes past the
  // end repeat the last element.
  //
  // Returns the first element whose determinant is not positive and finite at some point, or elements(). Stops there,
  // with f called for all of its points.
  template <class T, class Function>
  index_t visit(index_t first, index_t last, Function&& f) const;

  // The same for all elements on the threads of a backend, a group of lanes at a time; f must bear concurrent calls.
  //
  // **Errors** geometry_error as refuse() for the first element that is refused, with the number of those that are and
  // the first ten of them, whatever the number of threads.
  template <class T, class Backend, class Function>
  void visit_all(Backend const& backend, Function const& f) const;

  // Throws geometry_error, which says what is wrong with an element that visit() returned: the first point refused, the
  // determinant there, at how many points, and the likely cause; `more` ends the sentence.
  [[noreturn]] void refuse(index_t element, std::string const& more = {}) const;

  // visit() for what is seldom called: one piece of code for all visitors.
  using any_visitor = detail::any_visitor<mapping_type<detail::geometry_number>>;
  [[gnu::cold, gnu::noinline]] index_t visit_seldom(index_t first, index_t last, any_visitor const& f) const;

private:
  template <class Set>
  void tabulate(Set const& set);

  static constexpr auto weights_ = detail::quadrature_weights<double, Points>();

  Nodes nodes_;
  int m_ = 0;
  double values_[points_1d][detail::max_mesh_nodes_1d] = {};  // (g, m): I
  double slopes_[points_1d][detail::max_mesh_nodes_1d] = {};  // (g, m): D
};

template <class Points, class Nodes, int Coordinates>
template <mesh_node_set Set>
element_geometry<Points, Nodes, Coordinates>::element_geometry(Nodes const& nodes, Set const& set) : nodes_(nodes)
{
  detail::check_mesh_nodes("element_geometry", nodes, coordinates);
  m_ = static_cast<int>(nodes.extent(1));
  tabulate(detail::said_nodes("element_geometry", nodes, set));
}

template <class Points, class Nodes, int Coordinates>
template <class Set>
void element_geometry<Points, Nodes, Coordinates>::tabulate(Set const& set)
{
  long double places[detail::max_mesh_nodes_1d], barycentric[detail::max_mesh_nodes_1d];
  long double values[detail::max_mesh_nodes_1d], slopes[detail::max_mesh_nodes_1d];
  set(m_, places);
  lagrange_weights(places, m_, barycentric);
  for (int q = 0; q < points_1d; ++q) {
    auto const x = static_cast<long double>(Points::nodes[static_cast<std::size_t>(q)]);
    lagrange_derivatives(places, barycentric, m_, x, values, slopes);
    for (int i = 0; i < m_; ++i) {
      values_[q][i] = static_cast<double>(values[i]);
      slopes_[q][i] = static_cast<double>(slopes[i]);
    }
  }
}

template <class Points, class Nodes, int Coordinates>
template <class T, class Function>
index_t element_geometry<Points, Nodes, Coordinates>::visit(index_t first, index_t last, Function&& f) const
{
  static_assert(std::is_same_v<scalar_of<T>, double>,
                "sumfac::element_geometry: T is not double or a pack of it: round the factors afterwards");
  constexpr detail::node_box points(points_1d, directions);
  detail::element_group<T, directions, coordinates> group(m_);
  for (index_t e = first; e < last; e += width_of<T>) {
    detail::refused_lanes<T> refused;
    group.load(nodes_, e, last);
    for (int s = 0; s < points.z; ++s) {
      double const weight_s = directions >= 3 ? weights_(s) : 1.0;
      group.contract_z(values_[s], slopes_[s]);
      for (int r = 0; r < points.y; ++r) {
        double const weight_r = directions >= 2 ? weights_(r) : 1.0;
        group.contract_y(values_[r], slopes_[r]);
        for (int q = 0; q < points.x; ++q) {
          double const weight = weight_s * weight_r * weights_(q);
          auto const x = group.contract_x(values_[q], slopes_[q], weight, {e, elements() - 1, {s, r, q}});
          refused.test(x.scaled_det());
          f(e, s, r, q, x);
        }
      }
    }
    if (int const lane = refused.first(); lane < width_of<T>) return e + lane;
  }
  return elements();
}

template <class Points, class Nodes, int Coordinates>
template <class T, class Backend, class Function>
void element_geometry<Points, Nodes, Coordinates>::visit_all(Backend const& backend, Function const& f) const
{
  constexpr index_t width = width_of<T>;
  detail::first_of_all refused(elements());
  backend.partition((elements() + width - 1) / width, [&](index_t first, index_t last) {
    refused.keep(visit<T>(first * width, last * width < elements() ? last * width : elements(), f));
  });
  if (refused.index() == elements()) return;
  detail::refused_elements listed(elements());
  detail::refused_points seen;
  for (index_t e = refused.index(); e < elements(); e = visit_seldom(e + 1, elements(), seen)) listed.add(e);
  refuse(refused.index(), listed.list());
}

template <class Points, class Nodes, int Coordinates>
index_t element_geometry<Points, Nodes, Coordinates>::visit_seldom(index_t first, index_t last,
                                                                   any_visitor const& f) const
{
  return visit<detail::geometry_number>(first, last, f);
}

template <class Points, class Nodes, int Coordinates>
[[noreturn]] void element_geometry<Points, Nodes, Coordinates>::refuse(index_t element, std::string const& more) const
{
  constexpr int points = detail::node_box(points_1d, directions).all();
  detail::refused_points seen;
  static_cast<void>(visit_seldom(element, element + 1, seen));
  char const* const advice = !seen.finite ? "make its coordinates finite numbers of moderate size"
                             : seen.count == points && seen.least == 0 ? "move its nodes apart, or leave it out: it "
                                                                         "has no volume"
                             : seen.count == points && directions == 1 ? "list its nodes from left to right"
                             : seen.count == points && directions == 2 ? "list its nodes so that the directions x "
                                                                         "(fastest), y turn anticlockwise"
                             : seen.count == points ? "list its nodes so that the directions x (fastest), y, z are "
                                                      "right-handed"
                             : m_ > 3               ? "untangle it, or name the node set that its nodes were placed by"
                                                    : "untangle it, or list its nodes with x fastest, then y, then z";
  detail::throw_text<geometry_error>(
      "sumfac::element_geometry: element %lld cannot be integrated on (determinant of the Jacobian %.6g at "
      "point (q, r, s) = (%d, %d, %d), greater than 0 and finite expected; wrong at %d of %d points): %s%s",
      static_cast<long long>(element), seen.shown, seen.place[0], seen.place[1], seen.place[2], seen.count, points,
      advice, more.c_str());
}

namespace detail {

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
    while (lane < width_of<T> && detail::lane_of(least_, lane) > 0 && detail::lane_of(zero_, lane) == 0) ++lane;
    return lane;
  }

private:
  T least_ = static_cast<T>(1);
  T zero_{};  // becomes NaN by what is not finite
};

}  // namespace detail

}  // namespace sumfac
