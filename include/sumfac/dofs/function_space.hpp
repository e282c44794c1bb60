// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Continuous functions on a mesh, of any degree: the numbers of their nodes, what is fixed where, values, norms, loads.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/basis/detail/line_table.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/constraints.hpp>
#include <sumfac/dofs/field_point.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/dofs/restriction/hanging_nodes.hpp>
#include <sumfac/error.hpp>
#include <sumfac/math/small.hpp>
#include <sumfac/mesh/boundary_faces.hpp>
#include <sumfac/mesh/mesh.hpp>
#include <sumfac/view/vector_argument.hpp>
#include <sumfac/view/view.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

struct function_space_options {
  int components = 1;
  interleaving components_lie = interleaving::fastest;
  node_placement nodes = node_placement::gauss_lobatto;  // or equispaced
  int points = 0;                                        // Gauss points of integrals along an edge; 0: degree + 2
};

// Sides where values are given: those of all components, or of one.
struct fixed_sides {
  fixed_sides(std::vector<element_side> of, int of_component = -1) : sides(std::move(of)), component(of_component) {}

  std::vector<element_side> sides;
  int component;  // -1: all

  // For spaces.
  void check_all(int components, index_t elements, int directions) const
  {
    if (component < -1 || component >= components)
      failf("function_space", "a component that is fixed does not exist (got %d, 0 to %d expected, or -1: all)",
            component, components - 1);
    for (element_side const& at : sides) detail::check_side("function_space", at, elements, directions);
  }
};

// Polynomials of a degree on each element of a mesh, continuous across them: what global vectors are values of.
//
// A node is one for all elements that have it, found through the mesh's table. Where the mesh hangs, nodes of small
// elements on a side of a large one have its function's values there: restrictions have these equations, and whatever
// is said of functions here reads them, whatever a vector has at such nodes. Functions f of a position are called
// with a sumfac::vector<double, Coordinates>, and return a number, or something with f(x)[c] where there are
// components.
// **Shapes** global vectors (nodes C), in double; table (E, n, n, n), (E, n, n), (E, n); marks (nodes, C).
// **Work** integrals and values by sum factorization with tables made at run time: for what is done now and then.
// **Errors** argument_error: a degree that is not in 1 .. 31; components; sides that do not exist; vectors that do not
// fit; geometry_error where an element cannot be integrated on.
template <int Directions, int Coordinates = Directions>
class function_space {
public:
  using mesh_type = sumfac::mesh<Directions, Coordinates>;
  using position = vector<double, Coordinates>;
  using point = field_point<Coordinates>;
  using values_argument = vector_argument<double const>;

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
                 function_space_options const& options = {});

  mesh_type const& mesh() const { return mesh_; }
  int degree() const { return degree_; }
  int components() const { return options_.components; }
  index_t nodes() const { return nodes_; }
  index_t size() const { return nodes_ * components(); }  // entries of global vectors
  bool is_fixed(index_t node, int component = 0) const { return marks_[mark(node, component)] != 0; }

  // What a restriction is made of: numbers of nodes, not 0 where a component is fixed.
  auto table() const { return detail::element_view<Directions>(table_.data(), mesh_.elements(), degree_ + 1); }
  auto marks() const { return view(marks_.data(), nodes_, index_t{components()}); }
  template <class Scalar = double, class Backend>
  sumfac::restriction<Scalar, Backend> restriction(Backend const& backend, restriction_options options = {}) const
  {
    return {backend, table(), nodes_, marks(), hanging_.rows(), with_components(options)};
  }
  // The same with no entry fixed.
  template <class Scalar = double, class Backend>
  sumfac::restriction<Scalar, Backend> unconstrained(Backend const& backend, restriction_options options = {}) const
  {
    return {backend, table(), nodes_, hanging_.rows(), with_components(options)};
  }

  // The equations of hanging nodes; u at these, from the others.
  constraints const& hanging() const { return hanging_.rows(); }
  void distribute(vector_argument<double> u) const
  {
    hanging_.distribute(checked("function_space::distribute", u), entries());
  }

  // The same functions, with the same numbers, on some sides of the elements: for terms on the boundary.
  auto on(std::vector<element_side> const& sides) const
    requires(Directions > 1);

  // Where nodes lie, (nodes, Coordinates); f at all of them, (nodes C): the interpolating function.
  std::vector<double> positions() const;
  template <class Function>
  std::vector<double> values(Function const& f) const;
  // A function of another degree, or other nodes, on the same mesh, at the nodes of this space.
  std::vector<double> values(function_space const& other, values_argument u) const;
  // f at fixed entries, and the others as they are.
  template <class Function>
  void set_fixed(Function const& f, vector_argument<double> u) const;
  void zero_fixed(vector_argument<double> r) const;
  // Given values g at fixed entries: returns u, which has them there and is 0 else, and makes of b the right side to
  // which the matrix with these entries fixed has the solution: b - A u, and u at fixed entries and hanging nodes. From
  // u solvers start.
  template <class Operator, class Function>
  std::vector<double> lift(Operator const& matrix, Function const& g, vector_argument<double> b) const;

  // (f, v) for all v, 0 at fixed entries.
  template <class Function>
  std::vector<double> load(Function const& f) const;

  // Of f(x) over the mesh; of f(point) with u's values and gradients; of u, of one component.
  template <class Function>
    requires std::is_invocable_v<Function const&, position const&>
  double integral(Function const& f) const
  {
    return summed(nullptr, [&](point const& p) { return static_cast<double>(f(p.position)); });
  }
  template <class Function>
    requires std::is_invocable_v<Function const&, point const&>
  double integral(values_argument u, Function const& f) const
  {
    return summed(checked("function_space::integral", u), f);
  }
  double integral(values_argument u) const
  {
    return integral(u, [](point const& p) { return p.value(); });
  }
  // In L2: of u; of u - f; in H1, with f's gradient, a vector, or of several components a matrix (c, d).
  double norm(values_argument u) const
  {
    return l2_error(u, [](position const&) { return detail::zeros{}; });
  }
  template <class Function>
  double l2_error(values_argument u, Function const& f) const;
  template <class Function, class Gradient>
  double h1_error(values_argument u, Function const& f, Gradient const& gradient) const;

private:
  template <int, int>
  friend class function_space;

  function_space(mesh_type const& of, int degree, function_space_options const& options, index_t nodes,
                 detail::own_vector<std::int32_t> table, detail::own_vector<unsigned char> const& marks,
                 detail::hanging_nodes const& hanging)
      : mesh_(of),
        degree_(degree),
        options_(options),
        nodes_(nodes),
        table_(std::move(table)),
        marks_(marks),
        hanging_(hanging)
  {
  }

  static constexpr int at_most = 31;

  restriction_options with_components(restriction_options options) const
  {
    options.components = components(), options.components_lie = options_.components_lie;
    return options;
  }
  std::size_t mark(index_t node, int c) const { return static_cast<std::size_t>(node * components() + c); }
  detail::entry_order entries() const { return {nodes_, components(), options_.components_lie}; }
  std::size_t entry(index_t node, int c) const { return static_cast<std::size_t>(entries().entry(node, c)); }
  index_t nodes_of_element() const { return detail::node_box(degree_ + 1, Directions).all(); }

  template <class T>
  T* checked(char const* where, vector_argument<T> const& u) const
  {
    detail::check_extent(where, "u", 0, "entries", size(), u.entries.extent(0));
    return u.entries.data();
  }
  // An element's values, (nodes, C).
  void gather(index_t e, double const* u, double* local) const
  {
    hanging_.gather(u, table_.data() + e * nodes_of_element(), nodes_of_element(), entries(), local);
  }
  template <class Value>
  double component(Value const& value, int c) const;
  detail::own_vector<long double> places() const;
  detail::own_vector<long double> mesh_places() const;
  // Calls f(node, position) of each node once.
  template <class Function>
  void for_each_node(Function const& f) const;
  // Calls f(e, points) of each element on the host's threads, with u's values where u is not null.
  void for_each_element(double const* u, detail::line_table const& table, detail::points_visitor<Coordinates> f) const;
  detail::line_table points_table(detail::own_vector<long double> const& nodes) const;
  template <class Function>
  double summed(double const* u, Function const& f) const;

  mesh_type mesh_;
  int degree_;
  function_space_options options_;
  index_t nodes_ = 0;
  detail::own_vector<std::int32_t> table_;   // (E, n^D)
  detail::own_vector<unsigned char> marks_;  // (nodes, C)
  detail::hanging_nodes hanging_;
};

template <int Directions, int Coordinates>
function_space<Directions, Coordinates>::function_space(mesh_type const& of, int degree,
                                                        std::initializer_list<fixed_sides> fixed,
                                                        function_space_options const& options)
    : mesh_(of), degree_(degree), options_(options)
{
  if (degree < 1 || degree > at_most)
    failf("function_space", "the degree does not fit (got %d, 1 to %d expected)", degree, at_most);
  if (options.components < 1)
    failf("function_space", "components is less than 1 (got %d, at least 1 expected)", options.components);
  if (options.nodes == node_placement::gauss)
    fail("function_space",
         "nodes at Gauss points have none on the elements' sides (gauss_lobatto or equispaced expected): "
         "functions that are not continuous are E-vectors");
  for (auto const& sides : fixed) sides.check_all(options.components, of.elements(), Directions);
  nodes_ = of.element_parts().number_nodes(degree, table_);
  marks_ = detail::own_vector<unsigned char>(static_cast<std::size_t>(size()), 0);
  for (fixed_sides const& these : fixed)
    for (element_side const& at : these.sides)
      detail::for_each_place<Directions>(degree + 1, [&](int k, int j, int i) {
        int const here[] = {i, j, k};
        if (here[at.side / 2] != at.side % 2 * degree) return;
        index_t const node = detail::entry_at<Directions>(table(), at.element, k, j, i);
        for (int c = 0; c < components(); ++c)
          if (these.component < 0 || c == these.component) marks_[mark(node, c)] = 1;
      });
  if constexpr (Directions > 1) {
    hanging_ = detail::hanging_nodes::of<Directions>(of.hanging(), nodes_, places(), table());
    hanging_.fix_terms(marks_, components());
  }
}

template <int Directions, int Coordinates>
auto function_space<Directions, Coordinates>::on(std::vector<element_side> const& sides) const
  requires(Directions > 1)
{
  auto const numbers = face_table(table(), sides);
  auto table = detail::own_vector<std::int32_t>::unwritten(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) table[i] = static_cast<std::int32_t>(numbers[i]);
  return function_space<Directions - 1, Coordinates>(mesh_.sides(sides), degree_, options_, nodes_, std::move(table),
                                                     marks_, hanging_);
}

template <int Directions, int Coordinates>
template <class Value>
double function_space<Directions, Coordinates>::component([[maybe_unused]] Value const& of_all,
                                                          [[maybe_unused]] int c) const
{
  if constexpr (std::is_arithmetic_v<Value>) {
    if (components() > 1)
      failf("function_space", "a function of x returns one number (%d components expected): return a sumfac::vector",
            components());
    return static_cast<double>(of_all);
  } else {
    return static_cast<double>(of_all[c]);
  }
}

template <int Directions, int Coordinates>
detail::own_vector<long double> function_space<Directions, Coordinates>::places() const
{
  detail::own_vector<long double> at(static_cast<std::size_t>(degree_ + 1)), weights(at.size());
  if (options_.nodes == node_placement::equispaced)
    make_equispaced(degree_ + 1, at.data());
  else
    make_gauss_lobatto(degree_ + 1, at.data(), weights.data());
  return at;
}

template <int Directions, int Coordinates>
detail::own_vector<long double> function_space<Directions, Coordinates>::mesh_places() const
{
  detail::own_vector<long double> at(static_cast<std::size_t>(mesh_.nodes_1d()));
  mesh_.node_set()(mesh_.nodes_1d(), at.data());
  return at;
}

template <int Directions, int Coordinates>
template <class Function>
void function_space<Directions, Coordinates>::for_each_node(Function const& f) const
{
  detail::line_table const table(places(), mesh_places());
  detail::box_contraction geometry(table, Directions, Coordinates);
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

template <int Directions, int Coordinates>
std::vector<double> function_space<Directions, Coordinates>::positions() const
{
  std::vector<double> found(static_cast<std::size_t>(nodes_ * Coordinates));
  for_each_node([&](index_t node, position const& x) {
    for (int c = 0; c < Coordinates; ++c) found[static_cast<std::size_t>(node * Coordinates + c)] = x[c];
  });
  return found;
}

template <int Directions, int Coordinates>
template <class Function>
std::vector<double> function_space<Directions, Coordinates>::values(Function const& f) const
{
  std::vector<double> u(static_cast<std::size_t>(size()));
  for_each_node([&](index_t node, position const& x) {
    auto const of_all = f(x);
    for (int c = 0; c < components(); ++c) u[entry(node, c)] = component(of_all, c);
  });
  distribute(u);
  return u;
}

template <int Directions, int Coordinates>
std::vector<double> function_space<Directions, Coordinates>::values(function_space const& other,
                                                                    values_argument u) const
{
  constexpr auto here = "function_space::values";
  check_equal(here, "number of elements of the other space's mesh", mesh_.elements(), other.mesh_.elements());
  check_equal(here, "number of components of the other space", components(), other.components());
  double const* const from = other.checked(here, u);
  detail::line_table const table(places(), other.places());
  detail::box_contraction field(table, Directions, components());
  detail::own_vector<double> local(static_cast<std::size_t>(other.nodes_of_element() * components()));
  std::vector<double> result(static_cast<std::size_t>(size()));
  index_t const count = nodes_of_element();
  for (index_t e = 0; e < mesh_.elements(); ++e) {
    other.gather(e, from, local.data());
    double const* number = field.at_points(local.data());
    for (index_t p = e * count; p < (e + 1) * count; ++p)
      for (int c = 0; c < components(); ++c) result[entry(table_[static_cast<std::size_t>(p)], c)] = *number++;
  }
  distribute(result);
  return result;
}

template <int Directions, int Coordinates>
template <class Function>
void function_space<Directions, Coordinates>::set_fixed(Function const& f, vector_argument<double> u) const
{
  double* const to = checked("function_space::set_fixed", u);
  for_each_node([&](index_t node, position const& x) {
    for (int c = 0; c < components(); ++c)
      if (is_fixed(node, c)) to[entry(node, c)] = component(f(x), c);
  });
}

template <int Directions, int Coordinates>
void function_space<Directions, Coordinates>::zero_fixed(vector_argument<double> r) const
{
  double* const to = checked("function_space::zero_fixed", r);
  for (index_t node = 0; node < nodes_; ++node)
    for (int c = 0; c < components(); ++c)
      if (is_fixed(node, c)) to[entry(node, c)] = 0;
}

template <int Directions, int Coordinates>
template <class Operator, class Function>
std::vector<double> function_space<Directions, Coordinates>::lift(Operator const& matrix, Function const& g,
                                                                  vector_argument<double> b) const
{
  double* const to = checked("function_space::lift", b);
  std::vector<double> u(static_cast<std::size_t>(size())), lifted(u.size());
  set_fixed(g, u);
  distribute(u);
  hanging_.gather_load(to, entries());
  matrix.apply(unconstrained(matrix.backend()), u, lifted);
  for (index_t node = 0; node < nodes_; ++node)
    for (int c = 0; c < components(); ++c) {
      std::size_t const i = entry(node, c);
      to[i] = is_fixed(node, c) || hanging_.has(node) ? u[i] : to[i] - lifted[i];
    }
  return u;
}

template <int Directions, int Coordinates>
detail::line_table function_space<Directions, Coordinates>::points_table(
    detail::own_vector<long double> const& nodes) const
{
  int const g = options_.points > 0 ? options_.points : degree_ + 2;
  detail::own_vector<long double> at(static_cast<std::size_t>(g)), weights(at.size());
  make_gauss(g, at.data(), weights.data());
  return {at, nodes};
}

template <int Directions, int Coordinates>
void function_space<Directions, Coordinates>::for_each_element(double const* u, detail::line_table const& table,
                                                               detail::points_visitor<Coordinates> f) const
{
  detail::visit_points(mesh_, points_table(mesh_places()), table, components(), u != nullptr, f,
                       [&](index_t e, double* local) { gather(e, u, local); });
}

template <int Directions, int Coordinates>
template <class Function>
double function_space<Directions, Coordinates>::summed(double const* u, Function const& f) const
{
  detail::own_vector<double> sums(static_cast<std::size_t>(mesh_.elements()), 0);
  for_each_element(u, points_table(places()), [&](index_t e, auto const& points) {
    for (point const& p : points) sums[static_cast<std::size_t>(e)] += p.measure * static_cast<double>(f(p));
  });
  double sum = 0;
  for (double const of_element : sums) sum += of_element;
  return sum;
}

template <int Directions, int Coordinates>
template <class Function>
std::vector<double> function_space<Directions, Coordinates>::load(Function const& f) const
{
  auto const table = points_table(places());
  index_t const count = nodes_of_element();
  int const numbers_of_all = components();
  detail::own_vector<double> sums(static_cast<std::size_t>(mesh_.elements() * count * numbers_of_all));
  for_each_element(nullptr, table, [&](index_t e, auto const& points) {
    detail::box_contraction field(table, Directions, numbers_of_all);
    detail::own_vector<double> at_points;
    for (point const& p : points) {
      auto const of_all = f(p.position);
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
  zero_fixed(b);
  return b;
}

template <int Directions, int Coordinates>
template <class Function>
double function_space<Directions, Coordinates>::l2_error(values_argument u, Function const& f) const
{
  return __builtin_sqrt(integral(u, [&](point const& p) {
    auto const exact = f(p.position);
    double square = 0;
    for (int c = 0; c < components(); ++c) {
      double const off = p.value(c) - component(exact, c);
      square += off * off;
    }
    return square;
  }));
}

template <int Directions, int Coordinates>
template <class Function, class Gradient>
double function_space<Directions, Coordinates>::h1_error(values_argument u, Function const& f,
                                                         Gradient const& slopes) const
{
  double const of_values = l2_error(u, f);
  double const of_gradients =
      integral(u, [&](point const& p) { return detail::square_off(p, components(), slopes(p.position)); });
  return __builtin_sqrt(of_values * of_values + of_gradients);
}

}  // namespace sumfac
