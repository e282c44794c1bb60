// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Continuous functions on a mesh of several kinds of elements, with one number for each node.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/dofs/fixed_sides.hpp>
#include <sumfac/dofs/function_space.hpp>
#include <sumfac/dofs/function_space_options.hpp>
#include <sumfac/dofs/joined_spaces.hpp>
#include <sumfac/dofs/parts/nodal_functions.hpp>
#include <sumfac/mesh/mixed_mesh.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

// The functions of each kind, continuous from one to the other: what is said of functions on one kind holds for all.
//
// Restrictions are of a kind's elements, V.of<cell_shape::prism>().restriction(backend), all of the same vectors:
// sum_by_kind makes them, and an operator for each.
// **Errors** as of one kind, of which the degree is at most 15.
template <int Directions, int Coordinates>
class function_space<Directions, Coordinates, cell_shape::mixed>
    : public detail::nodal_functions<function_space<Directions, Coordinates, cell_shape::mixed>, Coordinates>,
      public detail::kinds_by_shape<function_space<Directions, Coordinates, cell_shape::mixed>> {
  using values_of = detail::nodal_functions<function_space, Coordinates>;
  using by_shape = detail::kinds_by_shape<function_space>;
  friend values_of;
  friend by_shape;
  using kinds_type = typename detail::by_kind<sumfac::function_space, Directions, Coordinates>::type;

public:
  using mesh_type = sumfac::mesh<Directions, Coordinates, cell_shape::mixed>;
  using typename values_of::point;
  using typename values_of::position;
  using typename values_of::values_argument;
  using values_of::components, values_of::is_fixed, values_of::nodes, values_of::size;
  static constexpr int kinds = mesh_type::kinds;

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
      : function_space(of, made(of, degree, fixed, options))
  {
  }

  mesh_type const& mesh() const { return mesh_; }
  // The same functions on the elements of a kind, of<cell_shape::prism>() or at<1>().
  using by_shape::for_each_kind;

  // The same functions on some sides of the elements, of quadrilaterals and triangles: for terms on the boundary.
  auto on(std::vector<element_side> const& sides) const
    requires(Directions == 3)
  {
    using on_sides = function_space<2, Coordinates, cell_shape::mixed>;
    auto const mesh = mesh_.sides(sides);
    int const n = this->degree() + 1;
    detail::own_vector<std::int32_t> four, three;
    int kind = 0;
    for_each_kind([&](auto const& of) {
      auto const places = std::remove_cvref_t<decltype(of)>::mesh_type::places_along_sides(n - 1);
      for (element_side const& at : mesh_.of_kind(kind++, sides)) {
        auto const& own = places[static_cast<std::size_t>(at.side)];
        auto& table = own.size() == static_cast<std::size_t>(n * n) ? four : three;
        for (int const p : own)
          table.push_back(of.table_[static_cast<std::size_t>(at.element * of.nodes_of_element() + p)]);
      }
    });
    using quadrilaterals = function_space<2, Coordinates>;
    using triangles = function_space<2, Coordinates, cell_shape::simplex>;
    return on_sides(
        mesh, {quadrilaterals(mesh.template at<0>(), n - 1, this->options_, nodes(), std::move(four), this->marks_, {}),
               triangles(mesh.template at<1>(), n - 1, this->options_, nodes(), std::move(three), this->marks_, {})});
  }

  using values_of::values;  // of a function of the position
  // A function of another degree, or other nodes, on the same mesh.
  std::vector<double> values(function_space const& other, values_argument u) const
  {
    std::vector<double> found(static_cast<std::size_t>(size()));
    for_each_pair(other, [&](auto const& own, auto const& from) {
      auto const of_kind = own.values(from, u);
      for (auto const node : own.table_)
        for (int c = 0; c < components(); ++c) found[entry(node, c)] = of_kind[entry(node, c)];
    });
    return found;
  }
  // As on one kind: of a sum with all its parts, as a sum_by_kind or A + B of one on the elements and one on(sides).
  template <class Matrix, class Function>
  std::vector<double> lift(Matrix const& matrix, Function const& g, vector_argument<double> b,
                           values_argument guess = view<double const, dextents<1>>()) const
  {
    constexpr bool is_sum = requires { matrix.unconstrained(); };
    static_assert(is_sum,
                  "sumfac::function_space::lift: on several kinds of elements the matrix must be a sum, as sum_by_kind "
                  "makes it, or the sum of such ones");
    auto const apply = [&](std::vector<double> const& u, std::vector<double>& of_u) {
      matrix.unconstrained().apply(u, of_u);
    };
    return this->lifted(g, b, guess, apply, [&](index_t node, int c) { return is_fixed(node, c); });
  }

  // (f, v) for all v, 0 at fixed entries.
  template <class Function>
  std::vector<double> load(Function const& f) const
  {
    std::vector<double> b(static_cast<std::size_t>(size()));
    for_each_kind([&](auto const& of) {
      auto const of_kind = of.load(f);
      for (std::size_t i = 0; i < b.size(); ++i) b[i] += of_kind[i];
    });
    return b;
  }
  void distribute(vector_argument<double> u) const { checked("function_space::distribute", u); }

private:
  template <int, int, cell_shape>
  friend class function_space;

  function_space(mesh_type const& of, kinds_type&& of_kinds)
      : values_of(std::get<0>(of_kinds).degree_, std::get<0>(of_kinds).options_, std::get<0>(of_kinds).nodes_,
                  std::get<0>(of_kinds).marks_),
        mesh_(of),
        kinds_(std::move(of_kinds))
  {
  }
  static kinds_type made(mesh_type const& of, int degree, std::initializer_list<fixed_sides> fixed,
                         function_space_options const& options)
  {
    for (auto const& these : fixed) these.check_all(options.components, of.elements(), mesh_type::sides_of_element);
    auto const of_kind = [&]<class Space>(std::type_identity<Space>, auto const& mesh, int kind) {
      std::vector<fixed_sides> own;
      for (auto const& these : fixed) own.emplace_back(of.of_kind(kind, these.sides), these.component);
      return Space(own, mesh, degree, options);
    };
    return [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      return detail::space_joiner::join(of.numbers().data(),
                                        of_kind(std::type_identity<std::tuple_element_t<Index, kinds_type>>{},
                                                of.template at<static_cast<int>(Index)>(), static_cast<int>(Index))...);
    }(std::make_index_sequence<std::size_t{kinds}>{});
  }
  template <class Function>
  void for_each_pair(function_space const& other, Function const& f) const
  {
    [&]<std::size_t... Index>(std::index_sequence<Index...>) {
      (f(std::get<Index>(kinds_), std::get<Index>(other.kinds_)), ...);
    }(std::make_index_sequence<std::size_t{kinds}>{});
  }
  template <class Function>
  void for_each_node(Function const& f) const
  {
    for_each_kind([&](auto const& of) { of.for_each_node(f); });
  }
  template <class Function>
  double summed(double const* u, Function const& f) const
  {
    double sum = 0;
    for_each_kind([&](auto const& of) { sum += of.summed(u, f); });
    return sum;
  }

  using values_of::checked, values_of::entry;
  kinds_type const& of_kinds() const { return kinds_; }

  mesh_type mesh_;
  kinds_type kinds_;
};

}  // namespace sumfac::SUMFAC_TARGET
