// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Values and gradients of a global vector at points of elements, and sources there.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/element/kernel/problem.hpp>
#include <sumfac/mesh/locator.hpp>
#include <sumfac/points/detail/host_points.hpp>
#include <sumfac/points/detail/point_arguments.hpp>
#include <sumfac/points/detail/point_geometry.hpp>
#include <sumfac/points/detail/point_kernels.hpp>
#include <sumfac/points/detail/point_list.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

// What becomes of points of element -1, which a locator has not found: they are refused, or their numbers stay as they
// are in results and are not read from sources.
enum class point_misses { refuse, skip };

struct evaluator_options {
  // How far beyond the bounds of the element reference coordinates may be, but for what a locator has found.
  double tolerance = 1e-10;
  point_misses misses = point_misses::refuse;
  bool sources = false;  // whether add_sources() will be called: it needs memory for the nodes of the points' elements
};

// The functions that a restriction's global vectors are, in a space of polynomials, at P points of elements.
//
// Points are sorted by element when it is made; nothing is allocated afterwards. u and f have the points in the order
// given. The restriction must live as long, and what is constrained in it counts as 0. On a device calls are queued.
// **Shapes** elements (P), integers; places (P, D), reference coordinates in [-1, 1] along x, y, z, or those of
// simplices and prisms; mesh nodes (E, m, m, m, 3), or as the space has them: all in the host's memory, in any layout.
// x, y: contiguous views of rank 1. u, f (P), or (P, C) for C > 1 components; g (P, D), or (P, C, D), where D is the
// number of directions, or of the mesh's coordinates: in any layout that has strides, in the backend's memory, as x and
// y are.
// **Work** for a point of a space of n nodes per direction 2 n^3 flops a value, 4 n^3 a gradient, and some 15 n for the
// basis; of memory 8 D + 4 bytes, those of the result, for gradients in coordinates 8 D^2 more, and the n^3 nodes of
// its element, once for up to 64 points. Of triangles, tetrahedra and prisms, on the host alone, the M functions and
// their derivatives are kept at each point, 8 (1 + D) M bytes, which 2 (1 + D) M^2 flops make; a value takes 2 M flops,
// a gradient 2 D M.
// **Errors** argument_error: an element that is out of range or not of the restriction's subset, reference coordinates
// outside of the element or not finite, extents, null, vectors that share memory. geometry_error: the Jacobian at a
// point has no positive determinant.
template <auto Space, class Scalar = double, class Backend = host>
class evaluator {
  static_assert(space_like<decltype(Space)> && !std::is_same_v<std::remove_cvref_t<decltype(Space)>, spaces>,
                "sumfac::evaluator: the space is a number, a degree, or one sumfac::space: evaluator<3>");
  static constexpr space of = detail::space_of<Space>;
  static constexpr bool is_tensor = detail::is_tensor(of);
  static_assert(is_tensor || of.shape == cell_shape::simplex || of.shape == cell_shape::prism,
                "sumfac::evaluator: points are found in lines, quadrilaterals, hexahedra, triangles, tetrahedra and "
                "prisms, not in elements of a basis given as tables");
  static_assert(of.degree >= 1 && of.degree <= (is_tensor ? 31 : 15),
                "sumfac::evaluator: the degree is from 1 to 31, of triangles, tetrahedra and prisms to 15");
  static_assert(is_tensor || runs_on_host<Backend>,
                "sumfac::evaluator: points of triangles, tetrahedra and prisms are evaluated on the host alone");
  using located_type = located_points<of.directions, of.shape>;

public:
  using restriction_type = restriction<Scalar, Backend>;
  static constexpr int directions = detail::directions_of<Space>, coordinates = detail::coordinates_of<Space>;
  static constexpr int nodes_1d = of.degree + 1;

  // Without mesh nodes there are no gradients in coordinates.
  template <class Elements, class Places>
    requires is_view<Elements>
  evaluator(restriction_type const& r, Elements const& elements, Places const& places,
            evaluator_options const& options = {})
      : restriction_(&r), list_(sorted(elements, places, options)), sources_(options.sources ? &list_ : nullptr, r)
  {
    send();
  }
  template <class Elements, class Places, class Mesh, class Set = unsaid_nodes>
    requires(is_view<Elements> && is_view<Mesh>)
  evaluator(restriction_type const& r, Elements const& elements, Places const& places, Mesh const& mesh,
            Set const& set = {}, evaluator_options const& options = {})
      : evaluator(r, elements, places, options)
  {
    host const threads = detail::host_of(r.backend());
    inverse_ = detail::upload(
        r.backend(), detail::inverse_jacobians<of.shape, coordinates>(threads, list_, r.elements(), mesh, set));
  }
  // Of points that a locator has found.
  evaluator(restriction_type const& r, located_type const& found, evaluator_options const& options = {})
      : evaluator(r, found.elements(), found.coordinates(), as_found(found, options))
  {
  }
  template <class Mesh, class Set = unsaid_nodes>
    requires is_view<Mesh>
  evaluator(restriction_type const& r, located_type const& found, Mesh const& mesh, Set const& set = {},
            evaluator_options const& options = {})
      : evaluator(r, found.elements(), found.coordinates(), mesh, set, as_found(found, options))
  {
  }

  index_t points() const { return list_.given; }
  int components() const { return restriction_->components(); }

  // u = the values of x at the points.
  template <class From, class To>
  void values(From const& x, To const& u) const
  {
    run<detail::point_quantity::value>("evaluator::values", x, u);
  }
  // g = the derivatives of x along reference directions.
  template <class From, class To>
  void reference_gradients(From const& x, To const& g) const
  {
    run<detail::point_quantity::reference_gradient>("evaluator::reference_gradients", x, g);
  }
  // g = the derivatives of x in the coordinates of the mesh nodes.
  template <class From, class To>
  void gradients(From const& x, To const& g) const
  {
    if (inverse_.size() == 0)
      failf("evaluator::gradients",
            "the mesh is not known (0 nodes were given, %lld points): pass mesh nodes "
            "when it is made",
            static_cast<long long>(points()));
    run<detail::point_quantity::gradient>("evaluator::gradients", x, g);
  }
  // y = y + E^T f, where u = E x are the values: what point sources of strengths f are when tested with the basis.
  //
  // Constrained entries stay as they are. Sums are made in an order that the points fix: the same bits for any number
  // of threads.
  template <class From, class To>
  void add_sources(From const& f, To const& y) const
  {
    constexpr auto here = "evaluator::add_sources";
    if constexpr (detail::is_evaluated<Scalar, To, From, To>()) {
      detail::check_global(here, "y", y, restriction_->size());
      view<Scalar const, typename From::extents_type, typename From::layout_type> const read = f;
      auto const from = detail::describe_points<0>(here, "f", read, points(), components());
      detail::check_distinct(here, f, y, "f", "y");
      sources_.refuse_unprepared(here, points());
      index_t const segments = segments_.size();
      if constexpr (runs_on_host<Backend>) {
        host_type const work = on_host();
        restriction_->backend().balance(segments, [&](index_t first, index_t last) {
          auto const size = static_cast<std::size_t>(components() * nodes_of_element);
          using packed = typename host_type::packed;
          auto* const sums = static_cast<packed*>(detail::thread_scratch(size * sizeof(packed)));
          for (index_t s = first; s < last; ++s)
            work.add_up(segments_[s], from, sources_.work(s * components() * nodes_of_element), sums);
        });
      } else if constexpr (is_tensor) {
        using kernel = detail::source_kernel<space_type, Scalar>;
        if (segments > 0)
          restriction_->backend().launch(kernel{{}, places(), components(), from, sources_.work(0)}, segments);
      }
      sources_.add(y.data());
    }
  }

private:
  static evaluator_options as_found(located_type const& found, evaluator_options options)
  {
    double const more = found.beyond() < detail::most_beyond ? found.beyond() : detail::most_beyond;
    if (more > options.tolerance) options.tolerance = more;
    return options;
  }

  using nodes = detail::nodes_of_space<Space>;
  using space_type = detail::point_space<nodes, directions, coordinates, detail::axes_of(of)>;
  using list_type = detail::point_list<Scalar, directions>;
  using host_type =
      std::conditional_t<is_tensor, detail::host_points<space_type, Scalar>, detail::cell_points<space_type, Scalar>>;
  static constexpr int nodes_of_element = space_type::nodes_of_element;
  template <class T>
  using memory = detail::memory_of<T, Backend>;

  template <class Elements, class Places>
  list_type sorted(Elements const& elements, Places const& places, evaluator_options const& options) const
  {
    constexpr auto here = "evaluator";
    if constexpr (detail::are_points<Elements, Places>()) {
      constexpr auto counted = is_tensor ? "number of nodes per direction of the restriction"
                                         : "number of nodes of an element of the restriction";
      check_equal(here, counted, nodes::size, restriction_->nodes_1d());
      check_equal(here, "number of directions of the restriction", detail::axes_of(of), restriction_->directions());
      detail::check_points<directions, of.shape>(here, elements, places, restriction_->elements(), options.tolerance,
                                                 options.misses == point_misses::skip);
      detail::check_active(here, elements, restriction_->active(), restriction_->elements());
      return detail::sort_points<Scalar, directions>(elements, places, restriction_->elements());
    } else {
      return {};
    }
  }
  // Copies the list to where kernels read it.
  void send()
  {
    auto const& backend = restriction_->backend();
    segments_ = detail::upload(backend, list_.segments);
    order_ = detail::upload(backend, list_.order);
    places_ = detail::upload(backend, list_.places);
    if constexpr (!is_tensor && runs_on_host<Backend>) rows_ = detail::rows_of_points(backend, of, list_);
  }
  template <detail::point_quantity Asked, class From, class To>
  void run(char const* where, From const& x, To const& u) const
  {
    using detail::point_quantity;
    constexpr int slopes = Asked == point_quantity::gradient ? coordinates : directions;
    constexpr int numbers = Asked == point_quantity::value ? 0 : slopes;
    if constexpr (detail::is_evaluated<Scalar, From, To>()) {
      detail::check_global(where, "x", x, restriction_->size());
      auto const to = detail::describe_points<numbers>(where, "the result", u, points(), components());
      detail::check_distinct(where, x, u, "x", "the result");
      index_t const segments = segments_.size();
      if constexpr (runs_on_host<Backend>) {
        host_type const work = on_host();
        restriction_->backend().balance(segments, [&](index_t first, index_t last) {
          auto const size = static_cast<std::size_t>(components() * nodes_of_element);
          auto* const gathered = static_cast<Scalar*>(detail::thread_scratch(size * sizeof(Scalar)));
          for (index_t s = first; s < last; ++s) work.template evaluate<Asked>(segments_[s], x.data(), to, gathered);
        });
      } else if constexpr (is_tensor) {
        if (segments == 0) return;
        using kernel = detail::point_kernel<space_type, Asked, Scalar>;
        auto const& table = restriction_->storage().table();
        restriction_->backend().launch(kernel{{}, places(), table, components(), x.data(), to}, segments);
      }
    }
  }
  detail::host_entries<Scalar> entries() const
  {
    return {restriction_->table(), restriction_->entry_of(1, 0), restriction_->entry_of(0, 1)};
  }
  detail::point_places_of<Scalar> places() const
  {
    return {segments_.data(), order_.data(), places_.data(), inverse_.data(), list_.stride};
  }

  host_type on_host() const
  {
    if constexpr (is_tensor)
      return {places(), entries()};
    else
      return {places(), entries(), rows_.data()};
  }

  restriction_type const* restriction_;
  list_type list_;
  detail::source_lists<Scalar, Backend> sources_;
  memory<detail::point_segment> segments_;
  memory<std::uint32_t> order_;
  memory<Scalar> places_, inverse_;
  detail::own_vector<Scalar> rows_;  // the functions at each point, of what is no product of lines
};

}  // namespace sumfac
