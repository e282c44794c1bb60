// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What an operator costs: the flops it is credited with and the bytes it must move.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/basis/detail/placed_nodes.hpp>
#include <sumfac/form/form.hpp>

#include <compare>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

// Flops, and bytes of main memory read and written, of one application of an operator.
//
// Credited flops do not depend on how the kernel saves some of them; tables and index arrays are not counted.
//
// Geometry that a policy recomputes costs flops for which nobody gets credit: they are counted apart, beyond those of
// the same form with stored factors.
// **Source** arXiv 1711.00903, section 2; CEED bake-off problems.
struct work {
  index_t flops = 0, bytes_read = 0, bytes_written = 0, geometry_flops = 0;

  constexpr index_t bytes() const { return bytes_read + bytes_written; }
};

namespace detail {

// A number that counts the operations done on it, for forms which do not declare theirs.
//
// What is `fixed` is so at all points of an element, as constants are and an affine element's Jacobian: operations on
// nothing else are counted apart, since compilers leave them in front of a line's points.
struct counted : stands_for_number {
  static inline thread_local index_t operations = 0, hoisted = 0;
  double x = 0;
  bool fixed = false;

  counted() = default;
  SUMFAC_FUNCTION counted(double value) : x(value), fixed(true) {}
  SUMFAC_FUNCTION counted(double value, bool is_fixed) : x(value), fixed(is_fixed) {}
  SUMFAC_FUNCTION counted operator-() const { return {-x, fixed}; }
  SUMFAC_FUNCTION counted& operator+=(counted b) { return *this = *this + b; }
  SUMFAC_FUNCTION counted& operator-=(counted b) { return *this = *this - b; }
  SUMFAC_FUNCTION counted& operator*=(counted b) { return *this = *this * b; }
  SUMFAC_FUNCTION counted& operator/=(counted b) { return *this = *this / b; }
  SUMFAC_FUNCTION friend counted operator+(counted a, counted b) { return of(a.x + b.x, 1, a.fixed && b.fixed); }
  SUMFAC_FUNCTION friend counted operator-(counted a, counted b) { return of(a.x - b.x, 1, a.fixed && b.fixed); }
  SUMFAC_FUNCTION friend counted operator*(counted a, counted b) { return of(a.x * b.x, 1, a.fixed && b.fixed); }
  SUMFAC_FUNCTION friend counted operator/(counted a, counted b) { return of(a.x / b.x, 1, a.fixed && b.fixed); }
  SUMFAC_FUNCTION friend counted fma(counted a, counted b, counted c)
  {
    return of(a.x * b.x + c.x, 2, a.fixed && b.fixed && c.fixed);
  }
  SUMFAC_FUNCTION friend counted fnma(counted a, counted b, counted c)
  {
    return of(c.x - a.x * b.x, 2, a.fixed && b.fixed && c.fixed);
  }
  SUMFAC_FUNCTION friend counted sqrt(counted a) { return of(a.x, 1, a.fixed); }
  SUMFAC_FUNCTION friend counted(abs)(counted a) { return {a.x < 0 ? -a.x : a.x, a.fixed}; }
  SUMFAC_FUNCTION friend counted(min)(counted a, counted b) { return of(a.x < b.x ? a.x : b.x, 1, a.fixed && b.fixed); }
  SUMFAC_FUNCTION friend counted(max)(counted a, counted b) { return of(a.x < b.x ? b.x : a.x, 1, a.fixed && b.fixed); }
  SUMFAC_FUNCTION friend bool operator==(counted a, counted b) { return a.x == b.x; }
  SUMFAC_FUNCTION friend auto operator<=>(counted a, counted b) { return a.x <=> b.x; }

  static index_t all() { return operations + hoisted; }
  static void clear() { operations = hoisted = 0; }

private:
  // On the host, which alone asks for work; forms are for both.
  SUMFAC_FUNCTION static counted of(double x, [[maybe_unused]] int flops, bool fixed)
  {
#if !SUMFAC_ON_DEVICE || defined(SUMFAC_EMULATED_DEVICE)
    (fixed ? hoisted : operations) += flops;
#endif
    return {x, fixed};
  }
};

template <>
struct lanes_of<counted> {
  using scalar = counted;
  static constexpr int width = 1;
};

template <>
inline constexpr bool reads_coefficients<counted> = false;

// Operations of a form at what apply_form takes of a point; its inputs are not evaluated. The counters say which.
template <int Directions = 3, class Form, class At>
index_t operations_at(Form const& form, At const& at)
{
  using inputs = inputs_of<Form>;
  point_values<counted, components_of<Form>, Directions> const u{};
  counted::clear();
  if constexpr (inputs::count == 0)
    static_cast<void>(apply_form(form, at, u));
  else
    static_cast<void>(apply_form(form, point_with_inputs<At, input_numbers<counted, inputs, Directions>>{at, {}}, u));
  return counted::all();
}
template <int Directions = 3, class Form>
index_t operations_with_factors(Form const& form)
{
  return operations_at<Directions>(form, factors_at<Form, counted, Directions>{});
}

// Flops of a form at one point: on hexahedra as declared by flops_per_point(collocated), or counted.
template <int Directions = 3, class Form>
index_t flops_per_point(Form const& form, bool collocated)
{
  if constexpr (Directions == 3 && requires {
                  { Form::flops_per_point(collocated) } -> std::convertible_to<index_t>;
                }) {
    return Form::flops_per_point(collocated);
  } else if constexpr (form_calls<Form, counted, Directions>::const_apply) {
    return operations_with_factors<Directions>(form);
  } else {
    return 0;
  }
}

// Whether a form's factors depend on where a point is.
template <class Form>
bool reads_position(Form const& form)
{
  counted const nowhere(__builtin_nan(""), false);
  mapping<counted> const x({}, counted(1), {nowhere, nowhere, nowhere}, counted(1), {.last = 0});
  auto const factors = form.setup(x);
  auto const* const numbers = reinterpret_cast<counted const*>(&factors);
  for (int i = 0; i < factors_of<Form>; ++i)
    if (numbers[i].x != numbers[i].x) return true;
  return false;
}

// What an element's lines of g points each cost a kernel that recomputes geometry, beyond the form
// with stored factors. Of maps that are the same at all points what follows from them alone is worked once a line.
template <class Lines, bool SameAtAllPoints = false, class Form>
index_t geometry_flops(Form const& form, index_t g, index_t lines)
{
  using map_type = typename Lines::template map<counted>;
  map_type map{};
  auto* const numbers = reinterpret_cast<counted*>(&map);
  for (int i = 0; i < map_type::count; ++i) numbers[i] = counted(1, SameAtAllPoints);
  counted const some(1, false);
  counted::clear();
  auto const line = Lines::template line<0, counted>(map, some, some, some);
  index_t const of_line = counted::all();
  counted::clear();
  auto const x = line.at(some, some);
  index_t const of_point = counted::all();
  placed_point<counted, std::remove_const_t<decltype(x)>> const point({.last = 0}, x);
  index_t applied = operations_at(form, point), hoisted = 0;
  if constexpr (SameAtAllPoints) {
    hoisted = counted::hoisted;
    applied -= hoisted;
    if constexpr (!applies_to_points<Form>) {
      counted::clear();
      static_cast<void>(point.map());  // the weight, and the place, which setup may not want
      index_t const of_weight = 1, of_place = counted::operations - of_weight;
      if (!reads_position(form)) applied -= of_place;
    }
  }
  return lines * (of_line + hoisted + g * (of_point + applied - operations_with_factors(form)));
}

// What the form costs at a mapping beyond the form with stored factors.
template <int Directions = 3, int Coordinates = Directions, class Form>
index_t mapping_flops(Form const& form)
{
  mapping<counted, Directions, Coordinates> const x({}, counted(1), {}, counted(1), {.last = 0});
  if constexpr (applies_to_points<Form, Directions, Coordinates>) {
    return operations_at<Directions>(form, x) - operations_with_factors<Directions>(form);
  } else {
    counted::clear();
    auto const factors = form.setup(x);
    index_t const of_setup = counted::all();
    return of_setup + operations_at<Directions>(form, factors) - operations_with_factors<Directions>(form);
  }
}

// From n nodes to g points per direction, one component of an element.
constexpr index_t interpolation_flops(index_t n, index_t g, bool collocated, int directions = 3)
{
  if (collocated) return 0;
  return directions == 3   ? 2 * (g * n * n * n + g * g * n * n + g * g * g * n)
         : directions == 2 ? 2 * (g * n * n + g * g * n)
                           : 2 * g * n;
}

// Of functions that are no products of lines all at all points, as far as their values and derivatives are asked for.
constexpr index_t tabulation_flops(index_t n, index_t points, evaluation const& asked, int directions)
{
  return 2 * n * points * ((has(asked, value) ? 1 : 0) + (has(asked, gradient) ? directions : 0));
}

// Work of a problem on `elements` elements, for all of which geometry_bytes are read.
template <class Problem, class Form>
work count_work(Form const& form, index_t elements, index_t geometry_bytes,
                typename Problem::sizes_type const& sizes = {})
{
  using trial = typename Problem::trial_side;
  using test = typename Problem::test_side;
  constexpr int directions = Problem::directions;
  constexpr index_t slopes = has(Form::trial, gradient) ? trial::components : 0;
  constexpr index_t fluxes = has(Form::test, gradient) ? test::components : 0;
  constexpr index_t entry_bytes = sizeof(typename Problem::vector_number);
  index_t const points = known_or(Problem::points_of_element, sizes.points), g = Problem::points_1d;
  auto const entries = [&](int known, int components) { return known_or(known, components * sizes.functions); };
  auto const interpolated = [&](index_t n) { return interpolation_flops(n, g, Problem::collocated, directions); };
  auto const tabulated = [&](index_t n, evaluation const& asked) {
    return tabulation_flops(n, points, asked, directions);
  };
  work w;
  if constexpr (Problem::is_tensor)
    w.flops = trial::components * interpolated(trial::nodes_1d) + test::components * interpolated(test::nodes_1d) +
              (slopes + fluxes) * 2 * directions * points * g;
  else
    w.flops = trial::components * tabulated(entries(trial::nodes_1d, 1), Form::trial) +
              test::components * tabulated(entries(test::nodes_1d, 1), Form::test);
  w.flops = elements * (w.flops + points * flops_per_point<directions>(form, Problem::collocated));
  w.bytes_read = elements * entry_bytes * entries(trial::entries_of_element, trial::components) + geometry_bytes;
  w.bytes_written = elements * entry_bytes * entries(test::entries_of_element, test::components);
  return w;
}

// What is evaluated of an input that is given at a call, of a space at g points, and what is read of it.
inline work count_input(input const& i, index_t elements, space const& of, index_t g, bool collocated,
                        index_t entry_bytes)
{
  index_t const points = node_box(static_cast<int>(g), axes_of(of)).all(), functions = block_box(of, 0).all();
  work w;
  if (is_tensor(of)) {
    index_t const slopes = has(i.evaluates, gradient) ? 2 * of.directions * points * g : 0;
    w.flops = elements * i.components * (interpolation_flops(of.degree + 1, g, collocated, of.directions) + slopes);
  } else {
    w.flops = elements * i.components * tabulation_flops(functions, points, i.evaluates, of.directions);
  }
  w.bytes_read = elements * entry_bytes * i.components * functions;
  return w;
}

}  // namespace detail

}  // namespace sumfac
