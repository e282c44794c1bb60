// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Which numbers a weak form keeps of a point, the fewest of two ways: gradients in the reference element, with the
// metric and pulled back coefficients; or gradients in the mesh, with the inverse Jacobian. What stands in a form more
// than once, as det(F) in an energy, is computed once at a point.
#pragma once

#include <sumfac/form/weak/evaluate.hpp>
#include <sumfac/form/weak/expression.hpp>
#include <sumfac/form/weak/operations.hpp>
#include <sumfac/form/weak/summands.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::weak::detail {

// What a summand is made to: a term of what is added up in setup, and kept as one,
//   load         by itself the result's value, or reference gradient
//   upwind       times u, the result's reference gradient
//   reaction     times u, the result's value
//   advection    contracted with u's reference gradient, the result's value
//   metric       times u's reference gradient, the result's
// or something that is computed in apply, times the point's weight,
//   state        as it is
//   slope        its number times the metric times a reference gradient
//   own_core     its number times a pulled back core that is kept for it
//   own_metric   its number times a metric that is kept for it, weight and all, times a reference gradient
enum class kind {
  load_value,
  load_gradient,
  upwind,
  reaction,
  advection,
  metric,
  state,
  slope,
  own_core,
  own_metric,
  none
};
inline constexpr int blocks = 6;

// K grad u with a matrix K of the point.
template <class Expression, class Trial>
inline constexpr bool is_tensor_times_slope = false;
template <class Kind, class Trial>
inline constexpr bool is_tensor_times_slope<node<matrix_vector, Kind, node<gradient_of, Trial>>, Trial> =
    is_of_point<Kind>;

template <class Summand, class Trial>
constexpr kind direct_kind()
{
  using state = typename Summand::state_type;
  using core = typename Summand::core_type;
  constexpr bool of_trial_slope = [] {
    if constexpr (is_directional<state> && is_one<core>)
      return std::is_same_v<typename gradient_in<state>::type, node<gradient_of, Trial>>;
    else if constexpr (is_one<state> && is_directional<core>)
      return std::is_same_v<typename gradient_in<core>::type, node<gradient_of, Trial>>;
    else
      return false;
  }();
  if constexpr (is_one<state> && is_of_point<core>)
    return Summand::of_gradient ? kind::load_gradient : kind::load_value;
  else if constexpr (Summand::of_gradient && std::is_same_v<state, Trial> && is_of_point<core>)
    return kind::upwind;
  else if constexpr (!Summand::of_gradient &&
                     ((std::is_same_v<state, Trial> && is_one<core>) || (is_one<state> && std::is_same_v<core, Trial>)))
    return kind::reaction;
  else if constexpr (!Summand::of_gradient && of_trial_slope)
    return kind::advection;
  else if constexpr (Summand::of_gradient && is_one<state> &&
                     (std::is_same_v<core, node<gradient_of, Trial>> || is_tensor_times_slope<core, Trial>))
    return kind::metric;
  else if constexpr (Summand::of_gradient && is_gradient<core> && is_direct<state>)
    return kind::slope;
  else if constexpr (Summand::of_gradient && is_of_point<core> && is_direct<state>)
    return kind::own_core;
  else if constexpr (!Summand::of_gradient && is_direct<state> && is_direct<core>)
    return kind::state;
  else
    return kind::none;
}

// The numbers that are kept of a point: where each lies, and how many.
template <int Summands>
struct plan {
  bool direct = false, possible = true, symmetric_metric = true;
  int count = 0;
  int geometry = -1;  // the first number of the metric, or the inverse
  int block[blocks] = {-1, -1, -1, -1, -1, -1};
  kind kinds[Summands] = {};
  bool gradients[Summands] = {};
  bool leads[Summands] = {};  // the first of its block, or its weight
  int weight[Summands] = {};  // where that is, or -1
  int core[Summands] = {};    // what is kept of its core
  int state[Summands] = {};   // what is kept in its state; and in its core, where that is computed

  // Whether summand i is the first that is computed and has its weight, of those of the gradient, or of the value.
  SUMFAC_FUNCTION constexpr bool is_first(int i) const
  {
    for (int j = 0; j < i; ++j)
      if (belongs_to(j, i)) return false;
    return kinds[i] == kind::state;
  }
  SUMFAC_FUNCTION constexpr bool belongs_to(int j, int i) const
  {
    return kinds[j] == kind::state && gradients[j] == gradients[i] && weight[j] == weight[i];
  }
};

template <class Core, int Dim>
inline constexpr bool is_symmetric_tensor = false;
template <class Kind, class Slope, int Dim>
inline constexpr bool is_symmetric_tensor<node<matrix_vector, Kind, Slope>, Dim> =
    is_symmetric_core<Kind> || std::is_same_v<typename shape_at<Kind, Dim>::template of<int>, symmetric<int, Dim>>;
template <class Summand, bool Direct, int Dim>
inline constexpr int kept_core = Direct && Summand::of_gradient ? 0 : kept_in<typename Summand::core_type, Direct, Dim>;
// Numbers of an advection: of the functional that it is.
template <class Summand, int Dim>
inline constexpr int advection_numbers = [] {
  if constexpr (is_directional<typename Summand::state_type>)
    return directional_numbers<typename Summand::state_type, Dim>;
  else if constexpr (is_directional<typename Summand::core_type>)
    return directional_numbers<typename Summand::core_type, Dim>;
  else
    return 0;
}();
template <class Point, class... Summand>
constexpr void weights_like(bool* same)
{
  ((*same++ = std::is_same_v<Point, typename Summand::point_type> && is_shared<Point>), ...);
}

template <bool Direct, int Dim, class Trial, int Tested, class... Summand>
constexpr plan<int{sizeof...(Summand)}> planned(list<Summand...> const*)
{
  constexpr int count = sizeof...(Summand);
  constexpr int symmetric_size = Dim * (Dim + 1) / 2;
  plan<count> result{.direct = Direct};
  // Of each summand.
  kind kinds[] = {direct_kind<Summand, Trial>()...};
  bool const gradients[] = {Summand::of_gradient...};
  bool const unweighted[] = {is_one<typename Summand::point_type>...};
  bool const numeric[] = {is_number<typename Summand::core_type>...};
  bool const tensors[] = {is_tensor_times_slope<typename Summand::core_type, Trial>...};
  bool const symmetric_tensors[] = {is_symmetric_tensor<typename Summand::core_type, Dim>...};
  bool const metrics[] = {(has_metric<typename Summand::state_type> || has_metric<typename Summand::core_type>)...};
  int const in_state[] = {(kept_in<typename Summand::state_type, Direct, Dim> + kept_core<Summand, Direct, Dim>)...};
  int const adv[] = {advection_numbers<Summand, Dim>...};
  bool same_weight[count][count] = {};
  {
    int i = 0;
    ((weights_like<typename Summand::point_type, Summand...>(same_weight[i++])), ...);
  }

  if (Direct) {
    int slopes = 0;
    bool metric = false, any = false;
    for (int i = 0; i < count; ++i) {
      result.possible = result.possible && kinds[i] != kind::none;
      slopes += kinds[i] == kind::slope ? 1 : 0;
      metric = metric || kinds[i] == kind::metric;
      any = any || metrics[i];
    }
    bool const pure = any || slopes + (metric ? 1 : 0) > 1;
    for (int i = 0; i < count; ++i) {
      if (kinds[i] == kind::slope && !pure) kinds[i] = kind::own_metric;
      if (kinds[i] == kind::metric && pure && !tensors[i]) kinds[i] = kind::slope;
    }
    if (pure) {
      result.geometry = 0;
      result.count = symmetric_size;
    }
  } else {
    for (int i = 0; i < count; ++i) {
      bool const load = kinds[i] == kind::load_value || kinds[i] == kind::load_gradient;
      if (!load || (numeric[i] && unweighted[i])) kinds[i] = kind::state;
    }
    result.geometry = 0;
    result.count = Dim * Dim;
  }
  // Weights; one that is there for others serves what else would be kept for itself.
  auto const has_weight = [](kind k) { return k == kind::state || k == kind::slope; };
  bool measure = false;
  for (int i = 0; i < count; ++i) measure = measure || (has_weight(kinds[i]) && unweighted[i]);
  for (int i = 0; i < count; ++i)
    if (measure && unweighted[i] && numeric[i] && (kinds[i] == kind::reaction || kinds[i] == kind::load_value))
      kinds[i] = kind::state;
  for (int i = 0; i < count; ++i)
    if (measure && unweighted[i] && kinds[i] == kind::reaction) kinds[i] = kind::state;
  for (int i = 0; i < count; ++i) {
    result.weight[i] = -1;
    if (!has_weight(kinds[i])) continue;
    for (int j = 0; j < i && result.weight[i] < 0; ++j)
      if (same_weight[i][j] && has_weight(kinds[j])) result.weight[i] = result.weight[j];
    result.leads[i] = result.weight[i] < 0;
    if (result.leads[i]) result.weight[i] = result.count++;
  }
  // Blocks.
  for (int i = 0; i < count; ++i)
    if (kinds[i] == kind::metric && tensors[i] && !symmetric_tensors[i]) result.symmetric_metric = false;
  for (int i = 0; i < count; ++i) {
    auto const b = static_cast<int>(kinds[i]);
    if (b >= blocks || result.block[b] >= 0) continue;
    result.leads[i] = true;
    result.block[b] = result.count;
    result.count += kinds[i] == kind::load_value  ? Tested
                    : kinds[i] == kind::reaction  ? 1
                    : kinds[i] == kind::advection ? adv[i]
                    : kinds[i] == kind::metric    ? (result.symmetric_metric ? symmetric_size : Dim * Dim)
                                                  : Tested * Dim;
  }
  // What is kept for one summand alone.
  for (int i = 0; i < count; ++i) {
    result.kinds[i] = kinds[i];
    result.gradients[i] = gradients[i];
    if (static_cast<int>(kinds[i]) < blocks) continue;
    result.core[i] = result.count;
    if (kinds[i] == kind::own_core) result.count += Tested * Dim;
    if (kinds[i] == kind::own_metric) result.count += symmetric_size;
    result.state[i] = result.count;
    result.count += in_state[i];
  }
  return result;
}

// An operation's node, and by how many others it is asked for.
template <class Expression, int Times>
struct asked {
  static constexpr int times = Times;
  using type = Expression;
};
template <class... Asked>
struct all_asked {
  template <class Expression>
  static constexpr bool has = (std::is_same_v<typename Asked::type, Expression> || ...);
  template <class Expression>
  using again = all_asked<
      asked<typename Asked::type, Asked::times + (std::is_same_v<typename Asked::type, Expression> ? 1 : 0)>...>;
  template <class Expression>
  using with = all_asked<Asked..., asked<Expression, 1>>;
};

// Nodes of one type are equal, and may be computed once, where they have neither numbers nor anything of the point.
template <class Expression, class Point>
inline constexpr bool is_repeatable =
    is_shared<Expression> && !is_gradient<Expression> && Point::template kept<Expression> == 0;

// Of nodes, arguments first: a node that is found again is not gone through again.
template <class Asked, class Point, class... Expressions>
struct asked_for {
  using type = Asked;
};
template <class Asked, class Point, class Op, class... Arguments, class... Rest>
struct asked_for<Asked, Point, node<Op, Arguments...>, Rest...> {
  static constexpr auto found()
  {
    using here = node<Op, Arguments...>;
    constexpr bool repeatable = is_repeatable<here, Point>, known = Point::template knows<here>;
    if constexpr (repeatable && Asked::template has<here>) {
      return typename Asked::template again<here>{};
    } else {
      using within =
          typename std::conditional_t<known, asked_for<Asked, Point>, asked_for<Asked, Point, Arguments...>>::type;
      if constexpr (repeatable)
        return typename within::template with<here>{};
      else
        return within{};
    }
  }
  using type = typename asked_for<decltype(found()), Point, Rest...>::type;
};
template <class Asked, class Point, class Leaf, class... Rest>
struct asked_for<Asked, Point, Leaf, Rest...> : asked_for<Asked, Point, Rest...> {};
template <class Point, class... Summand>
constexpr auto asked_by(list<Summand...> const*)
{
  return
      typename asked_for<all_asked<>, Point, typename Summand::state_type..., typename Summand::core_type...>::type{};
}

// A point that also has the value of an expression.
template <class Point, class Expression, class Value>
struct point_with : Point {
  template <class Other>
  static constexpr bool knows = std::is_same_v<Other, Expression> || Point::template knows<Other>;

  Value const& known;

  template <int First, class Other>
  SUMFAC_INLINE constexpr decltype(auto) value(Other const& e) const
  {
    if constexpr (std::is_same_v<Other, Expression>)
      return (known);
    else
      return Point::template value<First>(e);
  }
};

// f of the point with the values of what is asked for more than once.
SUMFAC_INLINE constexpr auto with_repeated(auto const& at, all_asked<>, auto const& f) { return f(at); }
template <class Point, class First, class... Rest, class Function>
SUMFAC_INLINE constexpr auto with_repeated(Point const& at, all_asked<First, Rest...>, Function const& f)
{
  if constexpr (First::times == 1) {
    return with_repeated(at, all_asked<Rest...>{}, f);
  } else {
    using expression = typename First::type;
    auto const known = evaluated<0>(expression{}, at);
    return with_repeated(point_with<Point, expression, std::remove_const_t<decltype(known)>>{at, known},
                         all_asked<Rest...>{}, f);
  }
}

}  // namespace sumfac::weak::detail
