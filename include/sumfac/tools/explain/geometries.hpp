// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What other geometry policies would read and compute of an operator's mesh, and which of them its elements allow.
#pragma once

#include <sumfac/form/given_factors.hpp>
#include <sumfac/operator/detail/element_part.hpp>
#include <sumfac/operator/element_operator.hpp>

#include <cstddef>
#include <type_traits>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// Bytes that are read of the geometry, and flops that are spent on it.
struct geometry_cost {
  index_t bytes = 0, flops = 0;
};

template <class Form>
inline constexpr bool has_given_factors = false;
template <class Form, class Numbers>
inline constexpr bool has_given_factors<given_factors<Form, Numbers>> = true;

// What an operator is made of.
template <class Operator>
struct operator_facts {
  using form = typename Operator::form_type;
  using problem = typename Operator::options::problem;
  using geometry = typename Operator::geometry_type;
  using number = typename Operator::factor_type;
  template <class Policy>
  using storage_of = typename kernel_choice<problem, typename Operator::backend_type,
                                            with_options<Operator, Policy>::tuned, Policy>::storage;

  // The same of another form, by another policy.
  template <class Other, class Policy>
  using operator_with = operator_of<Other, Operator::options::space, Policy, typename Operator::points_type,
                                    typename Operator::backend_type, typename Operator::precision_type>;

  // Of so many elements by another policy: of forms without apply_at `setup` is run at each point.
  template <class Policy>
  static geometry_cost cost_of_policy(form const& f, index_t elements)
  {
    storage_of<Policy> const storage;
    return {index_t{sizeof(number)} * storage.numbers(elements), storage.geometry_flops(f, elements)};
  }
};

// What a mesh costs whose elements are run as some of each class.
template <class Facts, class Form>
geometry_cost cost_of_classes(Form const& form, geometry_classes const& c)
{
  geometry_cost const a = Facts::template cost_of_policy<affine>(form, c.affine);
  geometry_cost const t = Facts::template cost_of_policy<trilinear>(form, c.trilinear);
  geometry_cost const g = Facts::template cost_of_policy<stored>(form, c.general);
  return {a.bytes + t.bytes + g.bytes, a.flops + t.flops + g.flops};
}

// Elements of each class, and as they are run in groups of so many, each as its dearest.
inline geometry_classes count_classes(std::vector<geometry_class> const& classes, index_t lanes)
{
  geometry_classes count;
  auto const elements = static_cast<index_t>(classes.size());
  for (index_t first = 0; first < elements; first += lanes) {
    geometry_class dearest = geometry_class::affine;
    index_t const last = first + lanes < elements ? first + lanes : elements;
    for (index_t e = first; e < last; ++e) {
      auto const c = classes[static_cast<std::size_t>(e)];
      dearest = dearest < c ? c : dearest;
    }
    count[dearest] += last - first;
  }
  return count;
}

// What apply_at of a form cannot do without: of its parts the value times measure(), the gradients' metric_times().
template <class Form>
struct bare_form {
  static constexpr auto trial = Form::trial, test = Form::test;
  static constexpr int components = components_of<Form>;

  template <class T>
  struct factors {
    T measure;
  };
  template <class T>
  factors<T> setup(mapping<T> const& x) const
  {
    return {x.measure()};
  }
  template <class T>
  point_values<T, components> apply(factors<T> const&, point_values<T, components> const& u) const
  {
    return u;
  }
  template <class Point, class T>
  SUMFAC_INLINE point_values<T, components> apply_at(Point const& x, point_values<T, components> const& u) const
  {
    auto from = u;
    point_values<T, components> to{};
    SUMFAC_UNROLL
    for (int c = 0; c < components; ++c) {
      if constexpr (has(trial, value)) value_of(to, c) = x.measure() * value_of(from, c);
      if constexpr (has(trial, gradient)) {
        vector<T, 3> slopes{};
        SUMFAC_UNROLL
        for (int d = 0; d < 3; ++d) slopes[d] = gradient_of(from, c, d);
        auto const flux = x.metric_times(slopes);
        SUMFAC_UNROLL
        for (int d = 0; d < 3; ++d) gradient_of(to, c, d) = flux[d];
      }
    }
    return to;
  }
};

// Whether geometry can be made in the kernel: not where elements are no products of lines.
template <class Operator>
inline constexpr bool has_policies = Operator::axes == Operator::directions;

// Whether a form could have an apply_at of such parts, and has none: on hexahedra.
template <class Operator>
inline constexpr bool lacks_apply_at = [] {
  using form = typename Operator::form_type;
  return Operator::directions == 3 && !applies_to_points<form> && !has_given_factors<form> &&
         inputs_of<form>::count == 0 && components_of<form> == test_components_of<form> &&
         has(form::trial, value) == has(form::test, value) && has(form::trial, gradient) == has(form::test, gradient);
}();

// How many times as fast as now an application was with other policies, and with an apply_at of bare parts and the
// cheapest of them; 0 where it was not timed.
struct timed_gains {
  double stored = 0, affine = 0, trilinear = 0, with_apply_at = 0;
};

// Whether stored factors are those of affine elements: over the points' weights, or by themselves, the same at all
// points of an element. Forms whose coefficients vary within elements, and factors that were given, are not.
template <class Operator>
bool has_affine_factors(Operator const& a)
{
  using facts = operator_facts<Operator>;
  using problem = typename facts::problem;
  constexpr int g = problem::points_1d, points = problem::points_of_element, count = problem::factors_of_point;
  if constexpr (!std::is_same_v<typename facts::geometry, stored> || has_given_factors<typename problem::form> ||
                problem::trial_space.shape == cell_shape::tables ||  // whose weights are not kept
                !runs_on_host<typename Operator::backend_type>) {
    return false;
  } else {
    auto const factor = operator_parts<Operator>::read_factors(a);
    double weights[points];
    int places[points];
    for (int p = 0; p < points; ++p) {
      int const at[3] = {p % g, p / g % problem::points_y, p / g / problem::points_y};
      weights[p] = 1;
      for (int d = 0; d < problem::directions; ++d)
        weights[p] *= static_cast<double>(problem::points::weights[static_cast<std::size_t>(at[d])]);
      places[p] = operator_parts<Operator>::place(at[2], at[1], at[0]);
    }
    constexpr double tolerance = sizeof(typename facts::number) == sizeof(double) ? 1e-10 : 1e-6;
    auto const fits = [&](index_t e) {
      double largest = 0, off[2][count] = {};
      for (int i = 0; i < count; ++i)
        for (int p = 0; p < points; ++p) {
          double const first = factor(e, places[0], i), here = factor(e, places[p], i);
          double const by_weight = here / weights[p], magnitude = __builtin_fabs(by_weight);
          largest = magnitude > largest ? magnitude : largest;
          off[0][i] = __builtin_fmax(off[0][i], __builtin_fabs(by_weight - first / weights[0]));
          off[1][i] = __builtin_fmax(off[1][i], __builtin_fabs(here - first));
        }
      for (int i = 0; i < count; ++i)
        if (!(off[0][i] <= tolerance * largest || off[1][i] <= tolerance * largest)) return false;
      return true;
    };
    shared_count others;
    a.backend().partition(a.elements(), [&](index_t first, index_t last) {
      for (index_t e = first; e < last && others.load_relaxed() == 0; ++e)
        if (!fits(e)) others.store_relaxed(1);
    });
    return a.elements() > 0 && others.load_relaxed() == 0;
  }
}

// Elements of each class, by `classes`, or where there are none by stored factors.
template <class Operator>
geometry_classes classes_found(Operator const& a, std::vector<geometry_class> const& classes)
{
  if (!classes.empty()) return count_classes(classes, 1);
  if (has_affine_factors(a)) return {.affine = a.elements()};
  return {.general = a.elements()};
}

}  // namespace sumfac::detail
