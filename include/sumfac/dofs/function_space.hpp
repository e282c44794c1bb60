// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Continuous functions on a mesh, of any degree: the numbers of their nodes, what is fixed where, values, norms, loads.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/dofs/constraints.hpp>
#include <sumfac/dofs/field_point.hpp>
#include <sumfac/dofs/fixed_sides.hpp>
#include <sumfac/dofs/function_space_options.hpp>
#include <sumfac/dofs/parts/nodal_functions.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/dofs/restriction/hanging_nodes.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET {
namespace detail {
struct space_joiner;
}  // namespace detail

// Polynomials of a degree on each element of a mesh, continuous across them: what global vectors are values of.
//
// A node is one for all elements that have it, found through the mesh's table. Where the mesh hangs, nodes of small
// elements on a side of a large one have its function's values there: restrictions have these equations, and whatever
// is said of functions here reads them, whatever a vector has at such nodes. Functions f of a position are called
// with a sumfac::vector<double, Coordinates>, and return a number, or something with f(x)[c] where there are
// components.
// With options.continuous = false each element has nodes of its own, and vectors are E-vectors, (E, C, n, ..., n).
//
// **Shapes** global vectors (nodes C), in double; table (E, n, ..., n), or of others (E, P); marks (nodes, C).
// **Work** sum factorization, of simplices and prisms dense products, by tables made for each call: now and then.
// **Errors** argument_error: a degree not in 1 .. 31, of simplices and prisms 1 .. 15; components; sides that do not
// exist; vectors that do not fit; geometry_error where an element cannot be integrated on.
template <int Directions, int Coordinates = Directions, cell_shape Shape = cell_shape::lines>
class function_space : public detail::nodal_functions<function_space<Directions, Coordinates, Shape>, Coordinates> {
  static_assert(Shape != cell_shape::mixed,
                "sumfac::function_space: on a mesh of several kinds of elements it is in sumfac/dofs/mixed_space.hpp: "
                "include it");
  using values_of = detail::nodal_functions<function_space, Coordinates>;
  friend values_of;

public:
  using mesh_type = sumfac::mesh<Directions, Coordinates, Shape>;
  using typename values_of::point;
  using typename values_of::position;
  using typename values_of::values_argument;
  using values_of::components, values_of::is_fixed, values_of::size;

  function_space(mesh_type const& of, int degree, function_space_options const& options = {})
      : function_space(of, degree, std::initializer_list<fixed_sides>{}, options)
  {
  }
  template <std::same_as<std::vector<element_side>> Sides>
  function_space(mesh_type const& of, int degree, Sides const& fixed, function_space_options const& options = {})
      : function_space(of, degree, {fixed_sides(fixed)}, options)
  {
  }
  function_space(mesh_type const& of, int degree, std::initializer_list<fixed_sides> fixed,
                 function_space_options const& options = {})
      : function_space(std::vector<fixed_sides>(fixed), of, degree, options)
  {
  }
  // A list that the run makes.
  template <std::same_as<std::vector<fixed_sides>> Fixed>
  function_space(mesh_type const& of, int degree, Fixed const& fixed, function_space_options const& options = {})
      : function_space(fixed, of, degree, options)
  {
  }

  mesh_type const& mesh() const { return mesh_; }
  // What a restriction is made of: numbers of nodes, not 0 where a component is fixed.
  auto table() const
  {
    if constexpr (Shape == cell_shape::lines)
      return detail::element_view<Directions>(table_.data(), mesh_.elements(), degree_ + 1);
    else
      return view(table_.data(), mesh_.elements(), nodes_of_element());
  }
  template <class Scalar = double, class Backend>
  sumfac::restriction<Scalar, Backend> restriction(Backend const& backend, restriction_options options = {}) const
  {
    return {backend, table(), nodes_, this->marks(), hanging_.rows(), with_components(options)};
  }
  // The same with no entry fixed.
  template <class Scalar = double, class Backend>
  sumfac::restriction<Scalar, Backend> unconstrained(Backend const& backend, restriction_options options = {}) const
  {
    return {backend, table(), nodes_, hanging_.rows(), with_components(options)};
  }

  constraints const& hanging() const { return hanging_.rows(); }  // equations of hanging nodes; u there
  void distribute(vector_argument<double> u) const
  {
    hanging_.distribute(checked("function_space::distribute", u), entries());
  }

  // The same functions, with the same numbers, on some sides of the elements: for terms on the boundary.
  //
  // **Errors** argument_error: nodes at Gauss points, none of which lie on sides; sides that do not exist.
  auto on(std::vector<element_side> const& sides) const
    requires(Directions > 1 && Shape != cell_shape::prism)
  {
    if (options_.nodes == node_placement::gauss)
      fail("function_space::on",
           "nodes at Gauss points have none on the elements' sides (gauss_lobatto or equispaced expected): take "
           "L.on(sides) of a space L of this degree with such nodes, and L.values(V, u) for u of this space V");
    auto on_sides = mesh_.sides(sides);
    using side_mesh = decltype(on_sides);
    auto const places = mesh_type::places_along_sides(degree_);
    detail::own_vector<std::int32_t> table;
    for (element_side const& at : sides)
      for (int const p : places[static_cast<std::size_t>(at.side)])
        table.push_back(table_[static_cast<std::size_t>(at.element * nodes_of_element() + p)]);
    function_space<Directions - 1, Coordinates, side_mesh::shape> result(on_sides, degree_, options_, nodes_,
                                                                         std::move(table), marks_, hanging_);
    result.block_ = this->block_;
    return result;
  }

  using values_of::values;  // of a function of the position
  // A function of another degree, or other nodes, on the same mesh or one that it was cut from, at this space's nodes.
  std::vector<double> values(function_space const& other, values_argument u) const
  {
    constexpr auto here = "function_space::values";
    double const* const from = other.checked(here, u);
    check_equal(here, "number of components of the other space", components(), other.components());
    std::vector<index_t> const* first = nullptr;
    if constexpr (Shape == cell_shape::lines)
      if (auto const* const coarser = mesh_.coarser();
          coarser != nullptr && other.mesh_.elements() < mesh_.elements()) {
        if (other.mesh_.elements() < coarser->elements()) {  // a function of each mesh in between
          function_space const between{*coarser, other.degree_, other.options_};
          return values(between, between.values(other, u));
        }
        first = &mesh_.first_parts();
      }
    check_equal(here, "number of elements of the other space's mesh",
                first == nullptr ? mesh_.elements() : static_cast<index_t>(first->size()) - 1, other.mesh_.elements());
    detail::own_vector<double> local(static_cast<std::size_t>(other.nodes_of_element() * components()));
    std::vector<double> result(static_cast<std::size_t>(size()));
    detail::values_elsewhere<Directions, Shape>(
        other.own_basis(), own_basis(), components(), other.mesh_.elements(), first,
        [&](index_t e) {
          other.gather(e, from, local.data());
          return static_cast<double const*>(local.data());
        },
        [&](index_t e, index_t p, double const* numbers) {
          auto const node = table_[static_cast<std::size_t>(e * nodes_of_element() + p)];
          for (int c = 0; c < components(); ++c) result[entry(node, c)] = numbers[c];
        });
    distribute(result);
    return result;
  }
  // Given values g at fixed entries: returns u, which has them there and is 0 else, and makes of b the right side to
  // which the matrix with these entries fixed has the solution: b - A u, and u at fixed entries and hanging nodes. From
  // u solvers start; or from a guess, which the result has at the entries that are free.
  template <class Operator, class Function>
  std::vector<double> lift(Operator const& matrix, Function const& g, vector_argument<double> b,
                           values_argument guess = view<double const, dextents<1>>()) const
  {
    using of_all = sumfac::restriction<double, std::remove_cvref_t<decltype(matrix.backend())>>;
    constexpr bool fits = requires(of_all const& of, std::vector<double> const& u, std::vector<double>& of_u) {
      matrix.apply(of, u, of_u);
    };
    static_assert(fits,
                  "sumfac::function_space::lift: the matrix must be an operator on elements, or a sum of them: a "
                  "global_operator has its restriction, where the fixed entries are 0");
    detail::own_vector<bool> is_own(static_cast<std::size_t>(nodes_), false);  // of a joined space not all are
    for (auto const node : table_) is_own[static_cast<std::size_t>(node)] = true;
    return this->lifted(
        g, b, guess,
        [&](std::vector<double> const& u, std::vector<double>& of_u) {
          hanging_.gather_load(b.entries.data(), entries());
          matrix.apply(unconstrained(matrix.backend()), u, of_u);
        },
        [&](index_t node, int c) {
          return is_own[static_cast<std::size_t>(node)] && (is_fixed(node, c) || hanging_.has(node));
        });
  }

  // (f, v) for all v, 0 at fixed entries.
  template <class Function>
  std::vector<double> load(Function const& f) const
  {
    return load_by([&](point const& p) { return detail::value_at(f, p.position); });
  }
  // The same of an f that is known at the points of integrals, (points, C), by their numbers.
  std::vector<double> load_at_points(values_argument f) const
  {
    detail::check_extent("function_space::load_at_points", "f", 0, "numbers at points",
                         mesh_.elements() * functions::count(points_1d()) * components(), f.entries.extent(0));
    return load_by([&](point const& p) { return f.entries.data() + p.number * components(); });
  }

private:
  template <class AtPoint>
  std::vector<double> load_by(AtPoint const& f) const
  {
    auto const table = points_table(own_basis());
    index_t const count = nodes_of_element();
    int const numbers_of_all = components();
    detail::own_vector<double> sums(static_cast<std::size_t>(mesh_.elements() * count * numbers_of_all));
    for_each_element(nullptr, table, [&](index_t e, auto const& points) {
      typename functions::contraction field(table, numbers_of_all);
      detail::own_vector<double> at_points;
      for (point const& p : points) {
        auto const of_all = f(p);
        for (int c = 0; c < numbers_of_all; ++c) at_points.push_back(p.measure * component(of_all, c));
      }
      double const* const at_nodes = field.at_nodes(at_points.data());
      for (index_t i = 0; i < count * numbers_of_all; ++i)
        sums[static_cast<std::size_t>(e * count * numbers_of_all + i)] = at_nodes[i];
    });
    std::vector<double> b(static_cast<std::size_t>(size()));
    for (std::size_t p = 0; p < table_.size(); ++p)
      for (int c = 0; c < numbers_of_all; ++c)
        b[entry(table_[p], c)] += sums[p * static_cast<std::size_t>(numbers_of_all) + static_cast<std::size_t>(c)];
    hanging_.gather_load(b.data(), entries());
    this->zero_fixed(b);
    return b;
  }

  template <int, int, cell_shape>
  friend class function_space;
  friend struct detail::space_joiner;
  using functions = detail::element_functions<Directions, Shape>;
  using basis = typename functions::basis;
  using table_type = typename functions::table;

  function_space(std::vector<fixed_sides> const& fixed, mesh_type const& of, int degree,
                 function_space_options const& options)
      : values_of(degree, options), mesh_(of)
  {
    if (degree < 1 || degree > functions::most_degree)
      failf("function_space", "the degree does not fit (got %d, 1 to %d expected)", degree, functions::most_degree);
    if (options.components < 1)
      failf("function_space", "components is less than 1 (got %d, at least 1 expected)", options.components);
    if (options.nodes == node_placement::gauss && (options.continuous || Shape != cell_shape::lines))
      fail("function_space",
           "nodes at Gauss points have none on the elements' sides (gauss_lobatto or equispaced expected): "
           "on lines, quadrilaterals and hexahedra they are of functions with {.continuous = false}");
    if (!options.continuous && !fixed.empty())
      fail("function_space",
           "functions that are not continuous are fixed nowhere: what they are on the boundary is said by fixed(g) in "
           "integrate_faces");
    for (auto const& sides : fixed) sides.check_all(options.components, of.elements(), mesh_type::sides_of_element);
    if (options.continuous) {
      nodes_ = of.number_nodes(degree, table_);
    } else {
      this->block_ = nodes_of_element();
      nodes_ = of.elements() * this->block_;
      if (nodes_ > index_t{0x7fffffff})
        failf("function_space", "there are more nodes than numbers (got %lld, 2147483647 at most)",
              static_cast<long long>(nodes_));
      for (index_t node = 0; node < nodes_; ++node) table_.push_back(static_cast<std::int32_t>(node));
    }
    marks_ = detail::own_vector<unsigned char>(static_cast<std::size_t>(size()), 0);
    auto const on_sides = mesh_type::places_on_sides(degree);
    for (fixed_sides const& these : fixed)
      for (element_side const& at : these.sides)
        for (int const p : on_sides[static_cast<std::size_t>(at.side)])
          for (int c = 0; c < components(); ++c)
            if (these.component < 0 || c == these.component)
              marks_[mark(table_[static_cast<std::size_t>(at.element * nodes_of_element() + p)], c)] = 1;
    if constexpr (Directions > 1 && Shape == cell_shape::lines) {
      if (!options.continuous) return;
      hanging_ = detail::hanging_nodes::of<Directions>(of.hanging(), nodes_, own_basis(), table());
      hanging_.fix_terms(marks_, components());
    }
  }
  function_space(mesh_type const& of, int degree, function_space_options const& options, index_t nodes,
                 detail::own_vector<std::int32_t> table, detail::own_vector<unsigned char> const& marks,
                 detail::hanging_nodes const& hanging)
      : values_of(degree, options, nodes, marks), mesh_(of), table_(std::move(table)), hanging_(hanging)
  {
  }

  index_t nodes_of_element() const { return functions::size(degree_); }

  // An element's values, (nodes, C).
  void gather(index_t e, double const* u, double* local) const
  {
    index_t const count = nodes_of_element();
    for (index_t i = 0; this->block_ > 0 && i < count * components(); ++i)
      local[i] = u[entry(table_[static_cast<std::size_t>(e * count + i / components())], int(i % components()))];
    if (this->block_ == 0)
      hanging_.gather(u, table_.data() + e * nodes_of_element(), nodes_of_element(), entries(), local);
  }
  basis own_basis() const
  {
    return functions::through(degree_ + 1, [this](int n, long double* nodes) {
      long double weights[max_points];
      if (options_.nodes == node_placement::equispaced)
        make_equispaced(n, nodes);
      else if (options_.nodes == node_placement::gauss)
        make_gauss(n, nodes, weights);
      else
        make_gauss_lobatto(n, nodes, weights);
    });
  }
  basis mesh_basis() const { return functions::through(mesh_.nodes_1d(), mesh_.node_set()); }
  // Calls f(node, position) of each node once.
  template <class Function>
  void for_each_node(Function const& f) const
  {
    table_type const table(functions::nodes_of(own_basis()), mesh_basis());
    typename functions::contraction geometry(table, Coordinates);
    detail::own_vector<bool> known(static_cast<std::size_t>(nodes_), false);
    index_t const count = nodes_of_element(), stride = mesh_.size() / (mesh_.elements() > 0 ? mesh_.elements() : 1);
    for (index_t e = 0; e < mesh_.elements(); ++e) {
      double const* const at = geometry.at_points(mesh_.data() + e * stride);
      for (index_t p = 0; p < count; ++p) {
        auto const node = static_cast<std::size_t>(table_[static_cast<std::size_t>(e * count + p)]);
        if (std::exchange(known[node], true)) continue;
        position x{};
        for (int c = 0; c < Coordinates; ++c) x[c] = at[p * Coordinates + c];
        f(static_cast<index_t>(node), x);
      }
    }
  }
  // Calls f(e, points) of each element on the host's threads, with u's values where u is not null.
  void for_each_element(double const* u, table_type const& table, detail::points_visitor<Coordinates> f) const
  {
    detail::own_vector<double> weights;
    table_type const of_mesh(functions::rule(points_1d(), weights), mesh_basis());
    detail::visit_points(mesh_, of_mesh, table, weights, nodes_of_element(), components(), u != nullptr, f,
                         [&](index_t e, double* local) { gather(e, u, local); });
  }
  int points_1d() const { return options_.points > 0 ? options_.points : degree_ + 2; }
  table_type points_table(basis const& of) const
  {
    detail::own_vector<double> weights;
    return {functions::rule(points_1d(), weights), of};
  }
  template <class Function>
  double summed(double const* u, Function const& f) const
  {
    detail::own_vector<double> sums(static_cast<std::size_t>(mesh_.elements()), 0);
    for_each_element(u, points_table(own_basis()), [&](index_t e, auto const& points) {
      for (point const& p : points) sums[static_cast<std::size_t>(e)] += p.measure * static_cast<double>(f(p));
    });
    double sum = 0;
    for (double const of_element : sums) sum += of_element;
    return sum;
  }

  using values_of::checked, values_of::component, values_of::entries, values_of::entry, values_of::mark,
      values_of::with_components, values_of::degree_, values_of::marks_, values_of::nodes_, values_of::options_;

  mesh_type mesh_;
  detail::own_vector<std::int32_t> table_;  // (E, n^D)
  detail::hanging_nodes hanging_;
};

}  // namespace sumfac
