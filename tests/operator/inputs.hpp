// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Forms that read other functions at the points, and the oracle's fields for them.
#pragma once

#include "mixed_mesh.hpp"
#include "policies.hpp"

#include <support/measured.hpp>

#include <sumfac/form/inputs.hpp>
#include <sumfac/operator/element_operator.hpp>

#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace checks {

using sumfac::gradient;
using sumfac::point_values;
using sumfac::value;

// What an integrand makes of u and of the inputs, without weight and determinant.
using integrand_with_inputs =
    std::function<reference::field<>(reference::field<> const& u, std::vector<reference::field<>> const& inputs)>;

// The physics of a point, metric and measure.
struct with_metric {
  template <class T>
  struct factors {
    sumfac::symmetric<T, 3> metric;
    T measure;
  };
  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.metric(), x.measure()};
  }
};

// (k grad u, grad v) + (k u + grad k . grad u, v).
struct conducting : with_metric {
  static constexpr auto trial = value | gradient, test = value | gradient;
  using inputs = sumfac::reads<sumfac::input{.components = 1, .evaluates = value | gradient}>;

  template <class T>
  SUMFAC_FUNCTION point_values<T> apply(factors<T> const& f, point_values<T> const& u, point_values<T> const& k) const
  {
    auto const flux = f.metric * u.gradient;
    return {.value = f.measure * (k.value * u.value) + dot(k.gradient, flux), .gradient = k.value * flux};
  }

  static reference::field<> exact(reference::field<> const& u, std::vector<reference::field<>> const& inputs)
  {
    reference::field<> r;
    auto const& k = inputs[0];
    r.value[0] = k.value[0] * u.value[0];
    for (std::size_t d = 0; d < 3; ++d) {
      r.value[0] += k.gradient[0][d] * u.gradient[0][d];
      r.gradient[0][d] = k.value[0] * u.gradient[0][d];
    }
    return r;
  }
};

// (k grad u, grad v) alone, k of any degree.
template <int Order = 0>
struct diffusing : with_metric {
  static constexpr auto trial = gradient, test = gradient;
  using inputs = sumfac::reads<sumfac::input{.order = Order}>;

  template <class T>
  SUMFAC_FUNCTION point_values<T> apply(factors<T> const& f, point_values<T> const& u, point_values<T> const& k) const
  {
    return {.gradient = k.value * (f.metric * u.gradient)};
  }

  static reference::field<> exact(reference::field<> const& u, std::vector<reference::field<>> const& inputs)
  {
    reference::field<> r;
    for (std::size_t d = 0; d < 3; ++d) r.gradient[0][d] = inputs[0].value[0] * u.gradient[0][d];
    return r;
  }
};

// ((a0 + 2 a1 + a2 t) u, v): two inputs, the second of another degree.
template <int Order>
struct weighing : support::measured {
  static constexpr auto trial = value, test = value;
  using inputs = sumfac::reads<sumfac::input{.components = 3}, sumfac::input{.order = Order}>;

  template <class T>
  SUMFAC_FUNCTION point_values<T> apply(factors<T> const& f, point_values<T> const& u, point_values<T, 3> const& a,
                                        point_values<T> const& t) const
  {
    auto const two = sumfac::scalar_of<T>(2);
    return {.value = f.measure * ((a.value[0] + two * a.value[1] + a.value[2] * t.value) * u.value)};
  }

  static reference::field<> exact(reference::field<> const& u, std::vector<reference::field<>> const& inputs)
  {
    auto const& a = inputs[0].value;
    reference::field<> r;
    r.value[0] = (a[0] + 2 * a[1] + a[2] * inputs[1].value[0]) * u.value[0];
    return r;
  }
};

// Two components that an input of two components couples: (w_c grad u_c, grad v_c) + (grad w_c . grad u_d, v_c).
struct coupled : with_metric {
  static constexpr auto trial = gradient, test = value | gradient;
  static constexpr int components = 2;
  using inputs = sumfac::reads<sumfac::input{.components = 2, .evaluates = value | gradient}>;

  template <class T>
  SUMFAC_FUNCTION point_values<T, 2> apply(factors<T> const& f, point_values<T, 2> const& u,
                                           point_values<T, 2> const& w) const
  {
    point_values<T, 2> r{};
    for (int c = 0; c < 2; ++c) {
      sumfac::vector<T, 3> const of_u{u.gradient(c, 0), u.gradient(c, 1), u.gradient(c, 2)};
      sumfac::vector<T, 3> const of_w{w.gradient(1 - c, 0), w.gradient(1 - c, 1), w.gradient(1 - c, 2)};
      auto const flux = f.metric * of_u;
      r.value[1 - c] = dot(of_w, flux);
      for (int d = 0; d < 3; ++d) r.gradient(c, d) = w.value[c] * flux[d];
    }
    return r;
  }

  static reference::field<> exact(reference::field<> const& u, std::vector<reference::field<>> const& inputs)
  {
    reference::field<> r;
    auto const& w = inputs[0];
    for (std::size_t c = 0; c < 2; ++c)
      for (std::size_t d = 0; d < 3; ++d) {
        r.gradient[c][d] = w.value[c] * u.gradient[c][d];
        r.value[1 - c] += w.gradient[1 - c][d] * u.gradient[c][d];
      }
    return r;
  }
};

// The same as `conducting`, and where geometry is recomputed without factors.
struct conducting_at : conducting {
  template <class Point, class T>
  SUMFAC_INLINE point_values<T> apply_at(Point const& x, point_values<T> const& u, point_values<T> const& k) const
  {
    auto const flux = x.metric_times(u.gradient);
    return {.value = x.measure() * (k.value * u.value) + dot(k.gradient, flux), .gradient = k.value * flux};
  }
};

// An operator's inputs on some elements: random numbers from 1 to 2, in the memory of the backend, and for the oracle.
template <class Operator>
class random_inputs {
  using form = typename Operator::form_type;
  using scalar = typename Operator::scalar_type;
  using numbers = sumfac::detail::input_numbers<double, sumfac::inputs_of<form>>;
  static constexpr int count = sumfac::inputs_of<form>::count;

public:
  template <int I>
  static constexpr int components = numbers::list[I].components;
  template <int I>
  static constexpr int nodes_1d = (numbers::list[I].order == 0 ? Operator::order : numbers::list[I].order) + 1;

  explicit random_inputs(index_t elements) : elements_(elements)
  {
    each([&]<int I>() {
      constexpr int n = nodes_1d<I>;
      auto x = support::random<scalar>(static_cast<std::size_t>(elements * components<I> * n * n * n), 100 + I);
      for (scalar& at : x) at = (3 + at) / 2;
      values.push_back(x);
    });
  }

  // What they are at the points of an element of the mesh.
  std::vector<std::vector<reference::field<>>> at_points(mesh::nodes const& mesh, reference::rule const& where,
                                                         reference::space const& space, int e) const
  {
    std::vector<std::vector<reference::field<>>> result;
    each([&]<int I>() {
      constexpr int n = nodes_1d<I>;
      reference::space const own{reference::gauss_lobatto(n), space.points, components<I>};
      reference::element<> const of_input(own, where, mesh.element(e), reference::mass());
      auto const first = values[I].begin() + std::ptrdiff_t{e} * of_input.size();
      std::vector<real> const x(first, first + of_input.size());
      std::vector<reference::field<>> there;
      for (int q = 0; q < static_cast<int>(of_input.points().size()); ++q) there.push_back(of_input.at_point(x, q));
      result.push_back(there);
    });
    return result;
  }

  // Calls f with a field for each, as E-vectors of the backend.
  template <class Function>
  void with_fields(typename Operator::backend_type const& backend, Function const& f) const
  {
    with_fields<0>(backend, f);
  }

  std::vector<std::vector<scalar>> values;

private:
  template <class Function>
  static void each(Function const& f)
  {
    [&]<int... Is>(std::integer_sequence<int, Is...>) {
      (f.template operator()<Is>(), ...);
    }(std::make_integer_sequence<int, count>{});
  }

  template <int I, class Backend, class Function, class... Fields>
  void with_fields(Backend const& backend, Function const& f, Fields const&... fields) const
  {
    if constexpr (I == count) {
      f(fields...);
    } else {
      std::vector<scalar> unused;
      support::on_backend(backend, values[I], unused, [&](scalar const* from, scalar*) {
        with_fields<I + 1>(backend, f, fields...,
                           sumfac::field(vector_view<components<I>>(from, elements_, nodes_1d<I>)));
      });
    }
  }

  index_t elements_;
};

// The oracle of an element, with the inputs at its points.
template <class Operator>
reference::element<> oracle_with_inputs(random_inputs<Operator> const& inputs, mesh::nodes const& mesh,
                                        reference::rule const& where, reference::space const& space, int e)
{
  return {
      space, where, mesh.element(e),
      [at_points = inputs.at_points(mesh, where, space, e)](reference::point<> const& x, reference::field<> const& u) {
        std::vector<reference::field<>> here;
        for (auto const& of_input : at_points) here.push_back(of_input[static_cast<std::size_t>(x.number)]);
        return Operator::form_type::exact(u, here);
      }};
}

template <class Unit, class Operator>
void compare_with_inputs(observed const& o, random_inputs<Operator> const& inputs, mesh::nodes const& mesh,
                         reference::rule const& where, reference::space const& space)
{
  for (int e = 0; e < mesh.elements; ++e) {
    auto const oracle = oracle_with_inputs(inputs, mesh, where, space, e);
    auto const u = o.part(o.u, e);
    INFO("degree " << o.order << ", " << mesh.nodes_1d << " mesh nodes per edge, element " << e);
    check_near("A u", distance(o.part(o.v, e), oracle.apply(u)), reference::allowed<Unit>(oracle, u, o.order));
    check_near("the diagonal", distance(o.part(o.d, e), oracle.diagonal()),
               reference::allowed_diagonal<Unit>(oracle, o.order));
    if (o.matrices.count(e) == 0) continue;
    auto const& matrix = o.matrices.at(e);
    auto const expected = oracle.matrix();
    REQUIRE(matrix.size() == expected.size());
    for (std::size_t j = 0; j < o.size(); ++j) {
      std::vector<real> unit(o.size());
      unit[j] = 1;
      check_near("the element's matrix", distance(column(matrix, o.size(), j), column(expected, o.size(), j)),
                 reference::allowed<Unit>(oracle, unit, o.order));
    }
  }
}

// linearize(), then A u, the diagonal and matrices of two elements. Rounding is that of Unit.
template <class Operator, class Unit = typename Operator::scalar_type>
void kept_inputs_agree(mesh::nodes const& mesh, reference::rule const& where, reference::space const& space)
{
  Operator a(typename Operator::backend_type{}, nodes_view(mesh));
  random_inputs<Operator> const inputs(mesh.elements);
  inputs.with_fields(a.backend(), [&](auto const&... fields) { a.linearize(fields...); });
  compare_with_inputs<Unit>(observe(a, {0, mesh.elements - 1}), inputs, mesh, where, space);
  if constexpr (requires { a.backend().finding_count(); }) CHECK(a.backend().finding_count() == 0);
}

// A u of a vector with the inputs given at the call, kept nowhere.
template <class Operator, class Unit = typename Operator::scalar_type>
void given_inputs_agree(mesh::nodes const& mesh, reference::rule const& where, reference::space const& space)
{
  using scalar = typename Operator::scalar_type;
  constexpr int n = Operator::nodes_1d, components = Operator::components;
  Operator const a(typename Operator::backend_type{}, nodes_view(mesh));
  random_inputs<Operator> const inputs(mesh.elements);
  auto const u = support::random<scalar>(static_cast<std::size_t>(a.elements()) * components * n * n * n, n);
  std::vector<scalar> v(u.size(), std::numeric_limits<scalar>::quiet_NaN());
  inputs.with_fields(a.backend(), [&](auto const&... fields) {
    support::on_backend(a.backend(), u, v, [&](scalar const* from, scalar* to) {
      a.apply(vector_view<components>(from, a.elements(), n), vector_view<components>(to, a.elements(), n), fields...);
    });
  });
  auto const part = [&](std::vector<scalar> const& x, int e) {
    auto const size = static_cast<std::ptrdiff_t>(u.size()) / mesh.elements, first = size * e;
    return std::vector<real>(x.begin() + first, x.begin() + first + size);
  };
  for (int e = 0; e < mesh.elements; ++e) {
    auto const oracle = oracle_with_inputs(inputs, mesh, where, space, e);
    auto const of_u = part(u, e);
    INFO("degree " << Operator::order << ", element " << e);
    check_near("A u, inputs at the call", distance(part(v, e), oracle.apply(of_u)),
               reference::allowed<Unit>(oracle, of_u, Operator::order));
  }
}

// Calls f(operator's type, mesh, mesh nodes, space) with as many elements of a kind as a policy takes, more than a
// register holds.
template <class Form, int Order, class Points, class Backend, class Scalar, class Policy, class Function>
void on_elements(Function const& f)
{
  using subject = sumfac::element_operator<Form, Order, Points, Backend, Scalar, Policy>;
  constexpr int components = sumfac::components_of<Form>;
  bool const collocated = Points::size == Order + 1;
  reference::space const space{reference::gauss_lobatto(Order + 1),
                               collocated ? reference::gauss_lobatto(Order + 1) : reference::gauss(Points::size),
                               components};
  auto const where = reference::gauss_lobatto(3);
  auto const mesh = [&] {
    constexpr int count = enough_elements<subject>;
    if constexpr (std::is_same_v<Policy, sumfac::split>)
      return mesh::mixed(mesh::random_kinds(4 * count, 3), where);
    else if constexpr (std::is_same_v<Policy, sumfac::stored>)
      return mesh_for(sumfac::isoparametric<0>{}, count, where);
    else
      return mesh_for(Policy{}, count, where);
  }();
  f(std::type_identity<subject>{}, mesh, where, space);
}

template <class Form, int Order, class Points, class Backend = sumfac::host, class Scalar = double,
          class Policy = sumfac::stored, class Unit = sumfac::vector_scalar<Scalar>>
void kept_inputs_agree()
{
  on_elements<Form, Order, Points, Backend, Scalar, Policy>(
      [](auto type, auto const&... all) { kept_inputs_agree<typename decltype(type)::type, Unit>(all...); });
}

template <class Form, int Order, class Points, class Backend, class Scalar = double, class Policy = sumfac::stored,
          class Unit = sumfac::vector_scalar<Scalar>>
void given_inputs_agree()
{
  on_elements<Form, Order, Points, Backend, Scalar, Policy>(
      [](auto type, auto const&... all) { given_inputs_agree<typename decltype(type)::type, Unit>(all...); });
}

}  // namespace checks
