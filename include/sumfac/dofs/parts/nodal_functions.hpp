// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What function spaces on meshes of one kind of elements and of several have alike: values at nodes, norms, errors.
#pragma once

#include <sumfac/dofs/field_point.hpp>
#include <sumfac/dofs/function_space_options.hpp>
#include <sumfac/dofs/restriction.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// A function of the position there; a number is the same everywhere.
template <class Function, class Position>
auto value_at(Function const& f, Position const& x)
{
  if constexpr (std::is_arithmetic_v<Function>)
    return static_cast<double>(f);
  else
    return f(x);
}

// Space has for_each_node(f), which calls f(node, position) for each of its nodes, once or more; summed(u, f), the sum
// of f(point) times its measure, with u's values where u is not null; and distribute(u).
template <class Space, int Coordinates>
class nodal_functions {
public:
  using position = vector<double, Coordinates>;
  using point = field_point<Coordinates>;
  using values_argument = vector_argument<double const>;

  int degree() const { return degree_; }
  int components() const { return options_.components; }
  node_placement placement() const { return options_.nodes; }
  function_space_options const& options() const { return options_; }
  index_t nodes() const { return nodes_; }
  index_t size() const { return nodes_ * components(); }  // entries of global vectors
  bool is_fixed(index_t node, int component = 0) const { return marks_[mark(node, component)] != 0; }
  auto marks() const { return view(marks_.data(), nodes_, index_t{components()}); }

  // Where nodes lie, (nodes, Coordinates); f at all of them, (nodes C): the interpolating function.
  std::vector<double> positions() const
  {
    std::vector<double> found(static_cast<std::size_t>(nodes_ * Coordinates));
    self().for_each_node([&](index_t node, position const& x) {
      for (int c = 0; c < Coordinates; ++c) found[static_cast<std::size_t>(node * Coordinates + c)] = x[c];
    });
    return found;
  }
  template <class Function>
  std::vector<double> values(Function const& f) const
  {
    std::vector<double> u(static_cast<std::size_t>(size()));
    self().for_each_node([&](index_t node, position const& x) {
      auto const of_all = value_at(f, x);
      for (int c = 0; c < components(); ++c) u[entry(node, c)] = component(of_all, c);
    });
    self().distribute(u);
    return u;
  }
  // f at fixed entries, and the others as they are.
  template <class Function>
  void set_fixed(Function const& f, vector_argument<double> u) const
  {
    double* const to = checked("function_space::set_fixed", u);
    self().for_each_node([&](index_t node, position const& x) {
      for (int c = 0; c < components(); ++c)
        if (is_fixed(node, c)) to[entry(node, c)] = component(value_at(f, x), c);
    });
  }
  void zero_fixed(vector_argument<double> r) const
  {
    double* const to = checked("function_space::zero_fixed", r);
    for (index_t node = 0; node < nodes_; ++node)
      for (int c = 0; c < components(); ++c)
        if (is_fixed(node, c)) to[entry(node, c)] = 0;
  }

  // Of f(x) over the mesh; of f(point) with u's values and gradients; of u, of one component.
  template <class Function>
    requires std::is_invocable_v<Function const&, position const&>
  double integral(Function const& f) const
  {
    return self().summed(nullptr, [&](point const& p) { return static_cast<double>(f(p.position)); });
  }
  template <class Function>
    requires std::is_invocable_v<Function const&, point const&>
  double integral(values_argument u, Function const& f) const
  {
    return self().summed(checked("function_space::integral", u), f);
  }
  double integral(values_argument u) const
  {
    return integral(u, [](point const& p) { return p.value(); });
  }
  // In L2: of u; of u - f; in H1, with f's gradient, a vector, or of several components a matrix (c, d).
  double norm(values_argument u) const
  {
    return l2_error(u, [](position const&) { return zeros{}; });
  }
  template <class Function>
  double l2_error(values_argument u, Function const& f) const
  {
    return __builtin_sqrt(integral(u, [&](point const& p) {
      auto const exact = value_at(f, p.position);
      double square = 0;
      for (int c = 0; c < components(); ++c) {
        double const off = p.value(c) - component(exact, c);
        square += off * off;
      }
      return square;
    }));
  }
  template <class Function, class Gradient>
  double h1_error(values_argument u, Function const& f, Gradient const& slopes) const
  {
    double const of_values = l2_error(u, f);
    double const of_gradients =
        integral(u, [&](point const& p) { return square_off(p, components(), slopes(p.position)); });
    return __builtin_sqrt(of_values * of_values + of_gradients);
  }

protected:
  nodal_functions(int degree, function_space_options const& options, index_t count = 0,
                  own_vector<unsigned char> const& marks = {})
      : degree_(degree), options_(options), nodes_(count), marks_(marks)
  {
  }

  // What lift() returns, and makes of b, where apply(u, Au) applies the matrix; is_given(node, c) at fixed entries.
  template <class Function, class Apply, class Given>
  std::vector<double> lifted(Function const& g, vector_argument<double> b, values_argument guess, Apply const& apply,
                             Given const& is_given) const
  {
    double* const to = checked("function_space::lift", b);
    double const* const start = guess.entries.extent(0) == 0 ? nullptr : checked("function_space::lift", guess);
    std::vector<double> u(static_cast<std::size_t>(size())), of_u(u.size());
    set_fixed(g, u);
    self().distribute(u);
    apply(u, of_u);
    for (index_t node = 0; node < nodes_; ++node)
      for (int c = 0; c < components(); ++c) {
        std::size_t const i = entry(node, c);
        bool const given = is_given(node, c);
        to[i] = given ? u[i] : to[i] - of_u[i];
        if (start != nullptr && !given) u[i] = start[i];
      }
    return u;
  }
  restriction_options with_components(restriction_options options) const
  {
    if (block_ > 0 && components() > 1)
      failf("function_space",
            "no restriction has E-vectors of several components (got %d, 1 expected): operators take them as they are",
            components());
    options.components = components(), options.components_lie = options_.components_lie;
    return options;
  }
  std::size_t mark(index_t node, int c) const { return static_cast<std::size_t>(node * components() + c); }
  entry_order entries() const { return {nodes_, components(), options_.components_lie}; }
  std::size_t entry(index_t node, int c) const
  {
    if (block_ > 0) return static_cast<std::size_t>((node / block_ * components() + c) * block_ + node % block_);
    return static_cast<std::size_t>(entries().entry(node, c));
  }
  template <class T>
  T* checked(char const* where, vector_argument<T> const& u) const
  {
    check_extent(where, "u", 0, "entries", size(), u.entries.extent(0));
    return u.entries.data();
  }
  template <class Value>
  double component([[maybe_unused]] Value const& of_all, [[maybe_unused]] int c) const
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

  int degree_;
  function_space_options options_;
  index_t nodes_ = 0;
  index_t block_ = 0;                  // an element's nodes, of functions that are not continuous, which are E-vectors
  own_vector<unsigned char> marks_{};  // (nodes, C)

private:
  Space const& self() const { return static_cast<Space const&>(*this); }
};

}  // namespace sumfac::SUMFAC_TARGET::detail
