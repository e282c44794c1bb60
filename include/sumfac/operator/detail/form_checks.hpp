// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a form promises and no compiler sees: that setup depends on no order of calls, and that apply is linear in u.
#pragma once

#include <sumfac/element/kernel/point_form.hpp>
#include <sumfac/mesh/element_geometry.hpp>

#include <array>
#include <cstddef>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Where views check their indices, operators check their forms.
inline constexpr bool checks_forms = SUMFAC_BOUNDS_CHECK == 1;

// The points of up to three groups of elements: the first, the middle and the last one.
template <class Geometry>
struct sampled_points {
  using T = geometry_number;
  struct place {
    index_t element;
    int q, r, s;
  };
  using mapping_type = typename Geometry::template mapping_type<T>;
  own_vector<mapping_type> maps{};
  own_vector<place> places{};

  [[gnu::cold, gnu::noinline]] explicit sampled_points(Geometry const& geometry, coefficient_reads const* reads)
  {
    constexpr index_t width = width_of<T>, most = 6000;
    index_t const points = geometry.points_of_element().all();
    index_t const groups = (geometry.elements() + width - 1) / width;
    index_t seen = -1;
    for (index_t const group : {index_t{0}, groups / 2, groups - 1}) {
      if (group <= seen || group >= groups || (seen >= 0 && points * 3 > most)) continue;
      seen = group;
      index_t const first = group * width;
      index_t const last = first + width < geometry.elements() ? first + width : geometry.elements();
      auto record = [&](index_t e, int s, int r, int q, mapping_type const& x) {
        maps.push_back(detail::places::read_by(reads, x));
        places.push_back({e, q, r, s});
      };
      geometry.visit_seldom(first, last, record);
    }
  }
};

// Throws unless setup makes the same factors in two orders of calls, each by a form of its own that was copied from
// `form`; a form that counts calls, or keeps what it saw, makes others.
//
// **Work** setup at all points of at most three groups of elements, twice.
template <class Form, class Geometry>
[[gnu::cold, gnu::noinline]] void check_setup(Form const& form, Geometry const& geometry,
                                              coefficient_reads const* reads = nullptr)
{
  using T = geometry_number;
  sampled_points<Geometry> const sample(geometry, reads);
  std::size_t const points = sample.maps.size();
  constexpr std::size_t count = std::size_t{factors_of<Form, Geometry::directions>} * width_of<T>;
  own_vector<double> forth(points * count), back(points * count);
  for (bool const forwards : {true, false}) {  // one call in the code, so that both round alike
    Form const copy = form;
    for (std::size_t k = 0; k < points; ++k) {
      std::size_t const i = forwards ? k : points - 1 - k;
      double* const numbers = (forwards ? forth : back).data() + i * count;
      for_each_number<T>(copy.setup(sample.maps[i]), [&](int n, int lane, double x) {
        numbers[static_cast<std::size_t>(n * width_of<T> + lane)] = x;
      });
    }
  }
  for (std::size_t i = 0; i < points; ++i)
    for (std::size_t n = 0; n < count; ++n) {
      double const a = forth[i * count + n], b = back[i * count + n];
      if (a == b || (a != a && b != b)) continue;
      if (__builtin_fabs(a - b) <= 1e-9 * (__builtin_fabs(a) + __builtin_fabs(b))) continue;
      auto const& at = sample.places[i];
      failf("form",
            "setup makes other factors in another order of calls (element %lld, point (q, r, s) = (%d, %d, %d), number "
            "%d: %.6g, then %.6g): let it read its argument and the form alone, set every number, and write nothing",
            static_cast<long long>(at.element + static_cast<index_t>(n) % width_of<T>), at.q, at.r, at.s,
            static_cast<int>(n) / width_of<T>, a, b);
    }
}

// Whether apply is linear in u at a point. Number is what the form may be applied to where factors are known: a pack,
// or double.
template <class Form, class Number, int Directions>
class linearity {
public:
  static constexpr int components = components_of<Form>, test_components = test_components_of<Form>;
  static constexpr std::size_t of_component = 1 + Directions;
  static constexpr std::size_t size = of_component * components, test_size = of_component * test_components;
  using entries = std::array<double, size>;  // value and gradient, component by component
  using test_entries = std::array<double, test_size>;

  explicit linearity(Form const& form) : form_(form) {}

  // Throws unless f(u + v) = f(u) + f(v), f(s u) = s f(u) and f(0) = 0 up to rounding, for u and v that `seed` gives.
  template <class Point>
  [[gnu::cold, gnu::noinline]] void look_at(index_t element, Point const& here, unsigned seed) const
  {
    constexpr double factor = -37.5;
    entries u{}, v{}, sum{}, multiple{};
    test_entries most{};
    for (std::size_t j = 0; j < size; ++j) {
      u[j] = 0.5 + uniform(seed), v[j] = -0.5 - uniform(seed);  // of both signs
      sum[j] = u[j] + v[j], multiple[j] = factor * u[j];
    }
    test_entries const fu = at(here, u), fv = at(here, v), fsum = at(here, sum), fmultiple = at(here, multiple);
    double largest = 0;
    for (std::size_t j = 0; j < size; ++j) {
      entries unit{};
      unit[j] = 2;
      test_entries const column = at(here, unit);
      for (std::size_t i = 0; i < test_size; ++i) most[i] += __builtin_fabs(column[i]);
    }
    for (std::size_t i = 0; i < test_size; ++i) {
      most[i] += __builtin_fabs(fu[i]) + __builtin_fabs(fv[i]);
      if (most[i] > largest) largest = most[i];
    }
    test_entries const zero = at(here, {});
    for (std::size_t i = 0; i < test_size; ++i) {
      if (fu[i] - fu[i] != 0 && fv[i] - fv[i] != 0) continue;  // no number, whatever u: not for this check to say
      double const allowed = 1e-8 * most[i] + 1e-13 * largest;
      demand_equal(element, i, "0", zero[i], 0, 0);
      demand_equal(element, i, "u + v", fsum[i], fu[i] + fv[i], allowed);
      demand_equal(element, i, "-37.5 u", fmultiple[i], factor * fu[i], -factor * allowed);
    }
  }

private:
  static double uniform(unsigned& seed)
  {
    seed = seed * 1664525u + 1013904223u;
    return static_cast<double>(seed >> 8) * 0x1p-24;
  }

  static void demand_equal(index_t element, std::size_t i, char const* where, double got, double expected,
                           double allowed)
  {
    if (__builtin_fabs(got - expected) <= allowed) return;
    failf("form",
          "apply is not linear in u, which diagonals, element matrices and conjugate gradients need (element %lld, "
          "component %d, %s of the result at %s: got %.6g, %.6g expected): say `static constexpr bool linear = false;` "
          "in the form, and apply it alone",
          static_cast<long long>(element), static_cast<int>(i / of_component),
          i % of_component == 0 ? "value" : "gradient", where, got, expected);
  }

  static constexpr bool is_read(std::size_t j) { return has(Form::trial, j % of_component == 0 ? value : gradient); }
  static constexpr bool is_tested(std::size_t i) { return has(Form::test, i % of_component == 0 ? value : gradient); }

  template <class T, int Components>
  static T& entry(point_values<T, Components, Directions>& x, std::size_t i)
  {
    int const c = static_cast<int>(i / of_component), a = static_cast<int>(i % of_component);
    return a == 0 ? value_of(x, c) : gradient_of(x, c, a - 1);
  }

  // What is tested of the form at u, of which it sees what it reads.
  template <class Point>
  [[gnu::cold, gnu::noinline]] test_entries at(Point const& here, entries const& u) const
  {
    point_values<double, components, Directions> seen{};
    for (std::size_t j = 0; j < size; ++j)
      if (is_read(j)) entry(seen, j) = u[j];
    test_entries tested{};
    auto const take = [&](auto result) {
      for (std::size_t i = 0; i < test_size; ++i)
        if (is_tested(i)) tested[i] = lane_of(entry(result, i), 0);
    };
    if constexpr (width_of<Number> > 1 && std::is_same_v<Point, factors_at<Form, double, Directions>>)
      take(form_.apply(in_all_lanes<factors_at<Form, Number, Directions>, Number>(here),
                       in_all_lanes<point_values<Number, components, Directions>, Number>(seen)));
    else
      take(apply_form(form_, here, seen));
    return tested;
  }

  Form const& form_;
};

// Calls look(e, z, y, x) at a few points of a few elements.
template <int Axes, class Look>
void at_few_points(index_t elements, int points_1d, Look const& look)
{
  index_t seen = -1;
  for (index_t const e : {index_t{0}, elements / 2, elements - 1}) {
    if (e <= seen || e >= elements) continue;
    seen = e;
    for (int const p : {0, points_1d / 2}) look(e, Axes >= 3 ? p : 0, Axes >= 2 ? points_1d - 1 - p : 0, p);
  }
}

// Throws where apply is seen not to be linear in u, at a few points of a few elements; at(e, z, y, x, f) calls f with
// what apply_form takes at a point.
template <class Form, class Number, int Directions, int Axes, class At>
void check_linear(Form const& form, At const& at, index_t elements, int points_1d)
{
  at_few_points<Axes>(elements, points_1d, [&](index_t e, int z, int y, int x) {
    auto const seed = static_cast<unsigned>(2 * e + x + 1);
    at(e, z, y, x, [&](auto const& here) { linearity<Form, Number, Directions>(form).look_at(e, here, seed); });
  });
}

// Throws where a form with inputs is seen to make no number of numbers: where it takes the root of what is 0, or
// divides by it, if only in the derivative that a tangent has. At a few points, or at all where forms are checked.
template <class Form, int Directions, int Axes, class At>
[[gnu::cold, gnu::noinline]] void check_kept_inputs(Form const& form, At const& at, index_t elements, int points_1d)
{
  auto const is_number = [](double x) { return x - x == 0; };
  auto const look = [&](index_t e, int z, int y, int x) {
    at(e, z, y, x, [&](auto const& here) {
      for (double const number : here.inputs.numbers)
        if (!is_number(number)) return;  // a state that has diverged: for solvers to say
      point_values<double, components_of<Form>, Directions> u{};
      for (int c = 0; c < components_of<Form>; ++c) {
        if (has(Form::trial, value)) value_of(u, c) = 1;
        for (int d = 0; d < Directions && has(Form::trial, gradient); ++d) gradient_of(u, c, d) = 1;
      }
      auto v = apply_form(form, here, u);
      for (int c = 0; c < test_components_of<Form>; ++c)
        for (int d = -1; d < Directions; ++d) {
          double const entry = d < 0 ? value_of(v, c) : gradient_of(v, c, d);
          if (!has(Form::test, d < 0 ? value : gradient) || is_number(entry)) continue;
          failf("element_operator::linearize",
                "the form's %s is not finite at what its inputs are there (element %lld, point (q, r, s) = (%d, %d, "
                "%d), component %d: %g): a root or a quotient of 0, or the derivative of one: take sqrt(x + a) with a "
                "small a > 0, or start from a state that is not 0",
                d < 0 ? "value" : "gradient", static_cast<long long>(e), x, y, z, c, entry);
        }
    });
  };
  if (!checks_forms) return at_few_points<Axes>(elements, points_1d, look);
  node_box const points(points_1d, Axes);
  for (index_t e = 0; e < elements; ++e)
    for (int z = 0; z < points.z; ++z)
      for (int y = 0; y < points.y; ++y)
        for (int x = 0; x < points.x; ++x) look(e, z, y, x);
}

}  // namespace sumfac::detail
