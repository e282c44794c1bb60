// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How setup makes the numbers that are kept of a point, and how apply takes them.
#pragma once

#include <sumfac/form/weak/evaluate.hpp>
#include <sumfac/form/weak/expression.hpp>
#include <sumfac/form/weak/operations.hpp>
#include <sumfac/form/weak/plan.hpp>
#include <sumfac/form/weak/summands.hpp>
#include <sumfac/form/weak/values.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::weak::detail {

template <int Integral>
using constant_index = std::integral_constant<int, Integral>;
template <int Integral, class Items>
SUMFAC_INLINE constexpr auto const& item(Items const& items)
{
  if constexpr (Integral == 0)
    return items.first;
  else
    return item<Integral - 1>(items.rest);
}
// The sum of f(item, its index) from item Index on; nothing is copied on the way.
template <int Index = 0, class Items, class Function>
SUMFAC_INLINE constexpr auto total([[maybe_unused]] Items const& items, [[maybe_unused]] Function const& f)
{
  if constexpr (Index == Items::size) {
    return nothing{};
  } else {
    using term = decltype(f(item<Index>(items), constant_index<Index>{}));
    using others = decltype(total<Index + 1>(items, f));
    if constexpr (std::is_same_v<term, nothing>)
      return total<Index + 1>(items, f);
    else if constexpr (std::is_same_v<others, nothing>)
      return f(item<Index>(items), constant_index<Index>{});
    else
      return plus(f(item<Index>(items), constant_index<Index>{}), total<Index + 1>(items, f));
  }
}

// f(item, its index), one after the other.
template <int Integral = 0, class Items, class Function>
SUMFAC_INLINE constexpr void for_each([[maybe_unused]] Items const& items, [[maybe_unused]] Function const& f)
{
  if constexpr (Integral < Items::size) {
    f(item<Integral>(items), constant_index<Integral>{});
    for_each<Integral + 1>(items, f);
  }
}

// Numbers of a point from the first on, as a T, a vector or a matrix.
template <class Shape, class T>
SUMFAC_INLINE constexpr auto taken(T const* numbers)
{
  if constexpr (shape_of<Shape>::rank == 0)
    return numbers[0];
  else
    return with_entries<typename shape_of<Shape>::template of<T>>([&](int i) SUMFAC_LAMBDA { return numbers[i]; });
}
template <bool Adds, class T, class Value>
SUMFAC_INLINE constexpr void put(T* numbers, Value const& value)
{
  auto const to = [](T& place, auto const& number) SUMFAC_LAMBDA {
    if constexpr (Adds)
      place = place + T(number);
    else
      place = T(number);
  };
  if constexpr (shape_of<Value>::rank == 0) {
    to(numbers[0], value);
  } else {
    SUMFAC_UNROLL
    for (int i = 0; i < Value::size; ++i) to(numbers[i], value.entries[i]);
  }
}

// A reference gradient in the mesh, or, where these are not needed, the metric times it; by what is kept at `geometry`.
template <class Plan, int Dim, class T, class Slope>
SUMFAC_INLINE constexpr auto image_of(T const* numbers, Slope const& g)
{
  T const* const geometry = numbers + Plan::value.geometry;
  if constexpr (Plan::value.direct && shape_of<Slope>::rank == 1)
    return times_vector(taken<symmetric<T, Dim>>(geometry), g);
  else if constexpr (Plan::value.direct)
    return times_matrix(g, taken<symmetric<T, Dim>>(geometry));
  else if constexpr (shape_of<Slope>::rank == 1)
    return times_vector(transposed(taken<matrix<T, Dim>>(geometry)), g);
  else
    return times_matrix(g, taken<matrix<T, Dim>>(geometry));
}

// A point of functions and of what is kept of the mesh: u, and those that are given; and the image of u's gradient,
// which several terms have.
template <class Plan, class T, class Unknown, int Dim, class Inputs, class Image>
struct state_point {
  using scalar = scalar_of<T>;
  static constexpr int coordinates = Dim;
  static constexpr bool direct = Plan::value.direct;
  template <class Expression>
  static constexpr bool knows =
      is_function<Expression> || is_gradient<Expression> || (is_of_point<Expression> && !is_number<Expression>) ||
      (std::is_base_of_v<leaf, Expression> && !is_number<Expression>) ||
      (direct && (is_directional<Expression> || is_metric<Expression>));
  template <class Expression>
  static constexpr int kept = kept_in<Expression, direct, Dim>;

  T const* numbers;
  Unknown const& u;
  Inputs const& inputs;
  Image const& image_of_u;

  template <int First, class Expression>
  SUMFAC_INLINE constexpr decltype(auto) value(Expression const& e) const
  {
    if constexpr (Expression::rank == of_condition && is_of_point<Expression>)
      return numbers[First] != T(scalar(0));
    else if constexpr (is_of_point<Expression>)
      return taken<typename shape_at<Expression, Dim>::template of<T>>(numbers + First);
    else if constexpr (is_function<Expression>)
      return (function(e).value);
    else if constexpr (is_gradient<Expression>)
      return image(e);
    else if constexpr (direct && is_metric<Expression>)
      return contracted(slope(e.a), image(e.b));
    else if constexpr (direct && is_directional<Expression>)
      return functional<First, Expression>();
    else
      return static_cast<scalar>(e.value);
  }

  // A function's gradient in the reference element.
  template <class FunctionType>
  SUMFAC_INLINE constexpr auto const& slope(node<gradient_of, FunctionType> const& e) const
  {
    return function(e.a).gradient;
  }
  template <class FunctionType>
  SUMFAC_INLINE constexpr decltype(auto) image(node<gradient_of, FunctionType> const& e) const
  {
    if constexpr (is_trial<FunctionType>)
      return (image_of_u);
    else
      return image_of<Plan, Dim>(numbers, slope(e));
  }
  // A metric that lies at First, symmetric or not, times a reference gradient.
  template <int First, bool Symmetric = true, class Slope>
  SUMFAC_INLINE constexpr auto metric_times(Slope const& g) const
  {
    using metric = std::conditional_t<Symmetric, symmetric<T, Dim>, matrix<T, Dim>>;
    auto const m = taken<metric>(numbers + First);
    if constexpr (shape_of<Slope>::rank == 1)
      return times_vector(m, g);
    else
      return times_matrix(g, m);
  }
  // A functional of slopes that lies at First.
  template <int First, class Expression>
  SUMFAC_INLINE constexpr auto functional() const
  {
    typename gradient_in<Expression>::type const which{};
    auto const& g = slope(which);
    if constexpr (is_node<Expression, matrix_vector>)
      return times_vector(g, taken<vector<T, Dim>>(numbers + First));
    else
      return contracted(taken<typename shape_of<std::remove_cvref_t<decltype(g)>>::template of<T>>(numbers + First), g);
  }
  SUMFAC_INLINE constexpr auto inverse() const { return taken<matrix<T, Dim>>(numbers + Plan::value.geometry); }

private:
  template <class FunctionType>
  SUMFAC_INLINE constexpr auto const& function(FunctionType const&) const
  {
    if constexpr (is_trial<FunctionType>)
      return u;
    else
      return *item<FunctionType::index>(inputs);
  }
};

// b or B, that a gradient in the mesh is contracted with, as what a reference gradient is.
template <class Point, class Core>
SUMFAC_INLINE constexpr auto pulled_back(Point const& x, Core const& core)
{
  if constexpr (shape_of<Core>::rank == 1)
    return times_vector(x.inverse(), core);
  else
    return times_matrix(core, transposed(x.inverse()));
}

// Of one integrand, taken apart: what is kept, made and computed.
template <class Trial, int Tested, class Summands>
struct lowered {
  template <bool Direct, int Dim>
  static constexpr auto way = planned<Direct, Dim, Trial, Tested>(static_cast<Summands const*>(nullptr));
  template <int Dim>
  struct plan_of {
    static constexpr bool direct = way<true, Dim>.possible && way<true, Dim>.count <= way<false, Dim>.count;
    static constexpr auto value = way<direct, Dim>;
    // Where they are kept, as constants: device code takes no entry of a host's array.
    template <int Integral>
    static constexpr int weight = value.weight[Integral];
    template <int Integral>
    static constexpr int core = value.core[Integral];
  };
  template <class T>
  using tested_value = std::conditional_t<Tested == 1, T, vector<T, Tested>>;
  template <class T, int Dim>
  using tested_slope = std::conditional_t<Tested == 1, vector<T, Dim>, matrix<T, Tested, Dim>>;

  // The numbers that are kept of a point of the mesh.
  template <int Dim, class Point, class T>
  SUMFAC_INLINE static constexpr void set_up(Summands const& summands, Point const& x, T* numbers)
  {
    using plan = plan_of<Dim>;
    if constexpr (!plan::value.direct) {
      constexpr bool flat = Point::coordinates == Dim;
      static_assert(flat,
                    "sumfac::weak: on surfaces and curves gradients stand in dot(grad(u), grad(v)), dot(b, grad(u)) "
                    "and "
                    "their like alone: other terms need the gradient in the mesh");
      if constexpr (flat) put<false>(numbers + plan::value.geometry, x.inverse());
    } else if constexpr (plan::value.geometry >= 0) {
      put<false>(numbers + plan::value.geometry, gram(x.inverse()));
    }
    mesh_point<Point> const at{x};
    for_each(summands, [&]<class Summand, int Integral>(Summand const& s, constant_index<Integral>)
                           SUMFAC_LAMBDA { set_up_summand<Dim, Integral>(s, at, numbers); });
  }

  // What the test function's value is multiplied by; nothing where it is not.
  template <int Dim, class At>
  SUMFAC_INLINE static constexpr auto value(Summands const& summands, At const& at)
  {
    using plan = plan_of<Dim>;
    using T = std::remove_cvref_t<decltype(at.numbers[0])>;
    return total(summands, [&]<class Summand, int Integral>(Summand const&, constant_index<Integral>) SUMFAC_LAMBDA {
      constexpr kind k = plan::value.kinds[Integral];
      constexpr int block = static_cast<int>(k) < blocks ? plan::value.block[static_cast<int>(k)] : -1;
      if constexpr (k == kind::load_value && plan::value.leads[Integral])
        return taken<tested_value<T>>(at.numbers + block);
      else if constexpr (k == kind::reaction && plan::value.leads[Integral])
        return scaled(at.numbers[block], at.u.value);
      else if constexpr (k == kind::advection && plan::value.leads[Integral])
        return at.template functional<block, functional_of<Summand>>();
      else if constexpr (!Summand::of_gradient && plan::value.is_first(Integral))
        return weighted<Dim, Integral>(summands, at);
      else
        return nothing{};
    });
  }

  // And its reference gradient.
  template <int Dim, class At>
  SUMFAC_INLINE static constexpr auto gradient(Summands const& summands, At const& at)
  {
    using plan = plan_of<Dim>;
    using T = std::remove_cvref_t<decltype(at.numbers[0])>;
    using slope = tested_slope<T, Dim>;
    auto const in_reference =
        total(summands, [&]<class Summand, int Integral>(Summand const& s, constant_index<Integral>) SUMFAC_LAMBDA {
          constexpr kind k = plan::value.kinds[Integral];
          constexpr int block = static_cast<int>(k) < blocks ? plan::value.block[static_cast<int>(k)] : -1;
          if constexpr (k == kind::load_gradient && plan::value.leads[Integral])
            return taken<slope>(at.numbers + block);
          else if constexpr (k == kind::upwind && plan::value.leads[Integral])
            return scaled(at.u.value, taken<slope>(at.numbers + block));
          else if constexpr (k == kind::metric && plan::value.leads[Integral])
            return at.template metric_times<block, plan::value.symmetric_metric>(at.u.gradient);
          else if constexpr (k == kind::slope)
            return scaled(scaled(at.numbers[plan::template weight<Integral>], number_of<Dim, Integral>(s, at)),
                          at.image(s.core));
          else if constexpr (k == kind::own_metric)
            return scaled(evaluated<plan::value.state[Integral]>(s.state, at),
                          at.template metric_times<plan::value.core[Integral]>(at.slope(s.core)));
          else if constexpr (k == kind::own_core)
            return scaled(evaluated<plan::value.state[Integral]>(s.state, at),
                          taken<slope>(at.numbers + plan::template core<Integral>));
          else
            return nothing{};
        });
    auto const in_mesh =
        total(summands, [&]<class Summand, int Integral>(Summand const&, constant_index<Integral>) SUMFAC_LAMBDA {
          if constexpr (Summand::of_gradient && plan::value.is_first(Integral))
            return weighted<Dim, Integral>(summands, at);
          else
            return nothing{};
        });
    using flux = std::remove_const_t<decltype(in_mesh)>;
    if constexpr (std::is_same_v<flux, nothing>)
      return in_reference;
    else if constexpr (shape_of<flux>::rank == 1)
      return plus(in_reference, times_vector(at.inverse(), in_mesh));
    else
      return plus(in_reference, times_matrix(in_mesh, transposed(at.inverse())));
  }

private:
  template <class Summand>
  using functional_of = std::conditional_t<is_directional<typename Summand::state_type>, typename Summand::state_type,
                                           typename Summand::core_type>;

  // A summand's number: its factor times the value of its state.
  template <int Dim, int Integral, class Summand, class At>
  SUMFAC_INLINE static constexpr auto number_of(Summand const& s, At const& at)
  {
    auto const state = evaluated<plan_of<Dim>::value.state[Integral]>(s.state, at);
    if constexpr (is_one<typename Summand::factor_type>)
      return state;
    else
      return static_cast<typename At::scalar>(s.factor.value) * state;
  }
  // The sum of all that is computed and has the weight of summand Leader.
  template <int Dim, int Leader, class At>
  SUMFAC_INLINE static constexpr auto weighted(Summands const& summands, At const& at)
  {
    using plan = plan_of<Dim>;
    auto const sum =
        total(summands, [&]<class Summand, int Integral>(Summand const& s, constant_index<Integral>) SUMFAC_LAMBDA {
          if constexpr (!plan::value.belongs_to(Integral, Leader)) {
            return nothing{};
          } else if constexpr (is_one<typename Summand::core_type>) {
            return number_of<Dim, Integral>(s, at);
          } else {
            auto const& core =
                evaluated<plan::value.state[Integral] + kept_in<typename Summand::state_type, plan::value.direct, Dim>>(
                    s.core, at);
            if constexpr (is_one<typename Summand::factor_type> && is_one<typename Summand::state_type>)
              return core;
            else
              return scaled(number_of<Dim, Integral>(s, at), core);
          }
        });
    return scaled(at.numbers[plan::template weight<Leader>], sum);
  }

  template <int Dim, int Integral, class Summand, class At, class T>
  SUMFAC_INLINE static constexpr void set_up_summand(Summand const& s, At const& at, T* numbers)
  {
    using plan = plan_of<Dim>;
    constexpr kind k = plan::value.kinds[Integral];
    using core = shape_at<typename Summand::core_type, At::coordinates>;
    constexpr int rows = Summand::of_gradient && Tested == 1 ? At::coordinates : Tested;
    constexpr bool fits =
        core::rows == rows && core::cols == (Summand::of_gradient && Tested > 1 ? At::coordinates : 1);
    static_assert(fits,
                  "sumfac::weak::integrate: what v, or grad(v), is multiplied by is of another size: u and v, vectors "
                  "and matrices must have as many components as each other, or as the mesh has coordinates");
    constexpr bool in_block = static_cast<int>(k) < blocks, adds = in_block && !plan::value.leads[Integral];
    constexpr int first = in_block ? plan::value.block[static_cast<int>(k)] : plan::value.core[Integral];
    [[maybe_unused]] auto const amount = [&](auto const& of) SUMFAC_LAMBDA {
      auto const of_point = scaled(evaluated<0>(s.point, at), of);
      if constexpr (is_one<typename Summand::factor_type>)
        return of_point;
      else
        return scaled(static_cast<typename At::scalar>(s.factor.value), of_point);
    };
    [[maybe_unused]] auto const of_functional = [&](auto const& e) SUMFAC_LAMBDA {
      return scaled(amount(at.x.measure()), pulled_back(at.x, coefficient_in(e, at)));
    };
    if constexpr (k == kind::load_value) {
      put<adds>(numbers + first, scaled(amount(at.x.measure()), evaluated<0>(s.core, at)));
    } else if constexpr (k == kind::reaction) {
      put<adds>(numbers + first, amount(at.x.measure()));
    } else if constexpr (k == kind::load_gradient || k == kind::upwind || k == kind::own_core) {
      put<adds>(numbers + first, dense(scaled(amount(at.x.measure()), pulled_back(at.x, evaluated<0>(s.core, at)))));
    } else if constexpr (k == kind::advection) {
      if constexpr (is_directional<typename Summand::state_type>)
        put<adds>(numbers + first, of_functional(s.state));
      else
        put<adds>(numbers + first, of_functional(s.core));
    } else if constexpr (k == kind::metric || k == kind::own_metric) {
      auto const metric = [&] {
        if constexpr (is_gradient<typename Summand::core_type>)
          return amount(metric_of(at.x));
        else
          return scaled(amount(at.x.measure()), times_matrix(at.x.inverse(), times_matrix(evaluated<0>(s.core.a, at),
                                                                                          transposed(at.x.inverse()))));
      }();
      if constexpr (plan::value.symmetric_metric || k == kind::own_metric)
        put<adds>(numbers + first, symmetric_part::apply(metric));
      else
        put<adds>(numbers + first, dense(metric));
    } else if constexpr (plan::value.leads[Integral]) {
      put<false>(numbers + plan::template weight<Integral>, scaled(evaluated<0>(s.point, at), at.x.measure()));
    }
    if constexpr (!in_block) {
      keep<plan::value.state[Integral], plan::value.direct, Dim>(s.state, at, numbers);
      if constexpr (k == kind::state)
        keep<plan::value.state[Integral] + kept_in<typename Summand::state_type, plan::value.direct, Dim>,
             plan::value.direct, Dim>(s.core, at, numbers);
    }
  }
  template <class Point>
  SUMFAC_INLINE static constexpr auto metric_of(Point const& x)
  {
    if constexpr (requires { x.metric(); })
      return x.metric();
    else
      return scaled(x.measure(), gram(x.inverse()));
  }

  // What is of the point alone in an expression of state.
  template <int First, bool Direct, int Dim, class Expression, class At, class T>
  SUMFAC_INLINE static constexpr void keep(Expression const& e, At const& at, T* numbers)
  {
    if constexpr (kept_in<Expression, Direct, Dim> > 0) {
      if constexpr (is_of_point<Expression> && Expression::rank == of_condition) {  // as a number, 1 or 0
        using scalar = scalar_of<T>;
        numbers[First] = select(evaluated<0>(e, at), T(scalar(1)), T(scalar(0)));
      } else if constexpr (is_of_point<Expression>) {
        auto const value = evaluated<0>(e, at);
        constexpr bool fits = std::is_same_v<typename shape_of<decltype(value)>::template of<int>,
                                             typename shape_at<Expression, Dim>::template of<int>> ||
                              shape_of<decltype(value)>::rank == 0;
        static_assert(fits,
                      "sumfac::weak: on surfaces and curves a vector of the position, or n, cannot be kept: "
                      "multiply it with what is of the point alone");
        put<false>(numbers + First, value);
      } else if constexpr (Direct && is_directional<Expression>) {
        put<false>(numbers + First, dense(pulled_back(at.x, coefficient_in(e, at))));
      } else {
        keep<First, Direct, Dim>(e.a, at, numbers);
        if constexpr (requires { e.b; }) {
          constexpr int second = First + kept_in<std::remove_cvref_t<decltype(e.a)>, Direct, Dim>;
          keep<second, Direct, Dim>(e.b, at, numbers);
          if constexpr (requires { e.c; })
            keep<second + kept_in<std::remove_cvref_t<decltype(e.b)>, Direct, Dim>, Direct, Dim>(e.c, at, numbers);
        }
      }
    }
  }
};

}  // namespace sumfac::weak::detail
