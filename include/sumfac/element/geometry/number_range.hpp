// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Whether what a form asks of each element is a number of the types that an operator has.
#pragma once

#include <sumfac/form/detail/element_lines.hpp>
#include <sumfac/math/precision.hpp>
#include <sumfac/mesh/element_geometry.hpp>
#include <sumfac/mesh/maps/element_shapes.hpp>

#include <limits>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// As packs have them.
SUMFAC_FUNCTION inline double min SUMFAC_NO_MACRO(double a1, double a2) { return a1 < a2 ? a1 : a2; }
SUMFAC_FUNCTION inline double max SUMFAC_NO_MACRO(double a1, double a2) { return a1 < a2 ? a2 : a1; }
SUMFAC_FUNCTION inline double sqrt(double x) { return __builtin_sqrt(x); }

// Which products of the geometry a form is made of, as far as what it evaluates says so.
template <class Form>
inline constexpr bool asks_volume = has(Form::trial, value) && has(Form::test, value);
template <class Form>
inline constexpr bool asks_metric = has(Form::trial, gradient) && has(Form::test, gradient);
template <class Form>
inline constexpr bool asks_areas = !(asks_volume<Form> && asks_metric<Form>)&&(
    (has(Form::trial, value) && has(Form::test, gradient)) || (has(Form::trial, gradient) && has(Form::test, value)));

// Looks at the geometry of all points while an operator is set up: what a form asks of it must be normal numbers of
// type Number, factors must be finite ones, and where kernels recompute geometry, so must be the products on the way.
template <class Form, class Policy, class Number, int Directions = 3>
class number_range {
public:
  explicit number_range(index_t elements) : refused_(elements), elements_(elements) {}

  // Takes a point of elements e .. e + width_of<T> - 1; several threads may.
  template <class T, int Coordinates>
  void look(index_t e, mapping<T, Directions, Coordinates> const& x, factors_at<Form, T, Directions> const& f)
  {
    T room = static_cast<T>(most_number);  // the least distance from the ends of the range
    for_each_size(x, [&](char const*, T const& size) {
      room = min SUMFAC_NO_MACRO(
          room, min SUMFAC_NO_MACRO(size - static_cast<T>(least_number), static_cast<T>(most_number) - size));
    });
    bool fits[width_of<T>];
    for (int lane = 0; lane < width_of<T>; ++lane) fits[lane] = lane_of(room, lane) >= 0;
    if constexpr (sizeof(Number) < sizeof(double))
      for_each_number<T>(f, [&](int, int lane, double factor) { fits[lane] = fits[lane] && !overflows(factor); });
    for (int lane = width_of<T> - 1; lane >= 0; --lane)
      if (!fits[lane] && e + lane < elements_) refused_.keep(e + lane);
  }

  // Throws geometry_error for the first element that was found beyond the numbers.
  template <class Mesh>
  void refuse_beyond(Mesh const& mesh, Form const& form) const
  {
    if (refused_.index() < elements_) refuse(mesh, form, refused_.index());
  }

private:
  static constexpr double least_number = static_cast<double>(std::numeric_limits<Number>::min SUMFAC_NO_MACRO());
  static constexpr double most_number = static_cast<double>(std::numeric_limits<Number>::max SUMFAC_NO_MACRO());

  static bool is_normal(double x) { return x >= least_number && x <= most_number; }
  static bool overflows(double x) { return x - x == 0 && (x > most_number || x < -most_number); }

  // visit(what, size), where what is named by the diagnostic that refuses it. Weights of a rule may be negative, so
  // their sizes are taken; and 0, but where a metric_line divides by them.
  template <class T, int Coordinates, class Visit>
  static void for_each_size(mapping<T, Directions, Coordinates> const& at, Visit const& visit)
  {
    T const weight = max SUMFAC_NO_MACRO(at.weight(), -at.weight());
    constexpr bool has_lines = std::is_same_v<Policy, trilinear> || std::is_same_v<Policy, split>;
    if (!(has_lines && need_of<Form> == geometry_need::both) && lane_of(weight, 0) == 0) return;
    mapping<T, Directions, Coordinates> const x(at.scaled_jacobian(), weight, at.position(), at.scale());
    if constexpr (asks_volume<Form>) visit("weight times determinant", x.measure());
    if constexpr (asks_metric<Form>) {
      auto const g = x.metric();
      visit("least diagonal entry of w det J^-1 J^-T", least_of(diagonal_of(g)));
      visit("greatest diagonal entry of w det J^-1 J^-T", greatest_of(diagonal_of(g)));
    }
    if constexpr (asks_areas<Form> && Directions == Coordinates) {
      auto const a = sums_of_squares(sumfac::adjugate(x.scaled_jacobian()));
      T const scale = Directions == 3   ? x.weight() * (x.scale() * x.scale())
                      : Directions == 2 ? x.weight() * x.scale()
                                        : x.weight();
      visit("weight times the least area of the faces", scale * sqrt(least_of(a)));
      visit("weight times the greatest area of the faces", scale * sqrt(greatest_of(a)));
    }
    if constexpr (asks_areas<Form> && Directions != Coordinates) {
      visit("weight times determinant", x.measure());  // there is no adjugate() to do without it
      auto const slopes = diagonal_of(gram(x.inverse() * x.scale()));
      T const scale = Directions == 2 ? x.weight() * x.scaled_det() * x.scale() : x.weight() * x.scaled_det();
      visit("weight times determinant times the least change of a reference coordinate",
            scale * sqrt(least_of(slopes)));
      visit("weight times determinant times the greatest change of a reference coordinate",
            scale * sqrt(greatest_of(slopes)));
    }
    if constexpr (!std::is_same_v<Policy, stored> && Directions == Coordinates) for_each_recomputed(x, visit);
    if constexpr (!std::is_same_v<Policy, stored> && Directions != Coordinates) {
      if constexpr (asks_volume<Form> || asks_areas<Form>) visit("power of two near the size", x.scale());
      visit("square of the area, or length, over that of the size", x.scaled_det() * x.scaled_det());
    }
  }

  template <class T, int Coordinates, class Visit>
  static void for_each_recomputed(mapping<T, Directions, Coordinates> const& x, Visit const& visit)
  {
    constexpr auto need = need_of<Form>;
    visit("power of two near the size", x.scale());
    if constexpr (need != geometry_need::measure && !(std::is_same_v<Policy, affine> && need != geometry_need::map)) {
      auto const a = sums_of_squares(sumfac::adjugate(x.scaled_jacobian()));
      visit("square of the least face over that of the greatest", least_of(a));
    }
    if constexpr (need == geometry_need::both && !std::is_same_v<Policy, affine>) {
      auto const t = sums_of_squares(transpose(x.jacobian()));
      visit("square of the least edge", least_of(t));
    }
  }

  template <class T>
  static vector<T, Directions> sums_of_squares(matrix<T, Directions> const& a)
  {
    return diagonal_of(gram(a));
  }
  template <class T>
  static vector<T, Directions> diagonal_of(symmetric<T, Directions> const& a)
  {
    vector<T, Directions> d{};
    for (int i = 0; i < Directions; ++i) d[i] = a(i, i);
    return d;
  }
  template <class T>
  static T least_of(vector<T, Directions> const& x)
  {
    T least = x[0];
    for (int i = 1; i < Directions; ++i) least = min SUMFAC_NO_MACRO(least, x[i]);
    return least;
  }
  template <class T>
  static T greatest_of(vector<T, Directions> const& x)
  {
    T greatest = x[0];
    for (int i = 1; i < Directions; ++i) greatest = max SUMFAC_NO_MACRO(greatest, x[i]);
    return greatest;
  }

  template <class Mesh>
  [[noreturn, gnu::cold, gnu::noinline]] static void refuse(Mesh const& mesh, Form const& form, index_t element)
  {
    char const* what = "factor of the form";  // null: a weight of 0
    double size = 0;
    int place[3] = {};
    bool found = false;
    auto const keep = [&](char const* name, double x, int q, int r, int s) {
      if (found) return;
      what = name, size = x, found = true;
      place[0] = q, place[1] = r, place[2] = s;
    };
    auto look = [&](index_t, int s, int r, int q, typename Mesh::mapping_type const& lanes) {
      auto const x = places::read_by(mesh.reads, first_lane(lanes));
      for_each_size(x, [&](char const* name, double number) {
        if (!is_normal(number)) keep(x.weight() == 0 ? nullptr : name, number, q, r, s);
      });
      for_each_number<double>(form.setup(x), [&](int, int, double factor) {
        if (overflows(factor)) keep("factor of the form", factor, q, r, s);
      });
    };
    static_cast<void>(mesh.geometry.visit_seldom(element, element + 1, look));
    if (what == nullptr) {
      throw_text<geometry_error>(
          "sumfac::element_operator: the rule's weight is 0 at point (q, r, s) = (%d, %d, %d) and sumfac::%s "
          "divides by weights (got 0, another number expected): take sumfac::stored or sumfac::isoparametric",
          place[0], place[1], place[2], std::is_same_v<Policy, split> ? "split" : "trilinear");
    }
    throw_text<geometry_error>(
        "sumfac::element_operator: element %lld is beyond the numbers of type %s (%s %.6g at point (q, r, s) = "
        "(%d, %d, %d), %.3g to %.3g expected): scale the mesh%s",
        static_cast<long long>(element), name_of_number<Number>(), what, size, place[0], place[1], place[2],
        least_number, most_number, sizeof(Number) < sizeof(double) ? ", or take double throughout" : "");
  }

  first_of_all refused_;
  index_t elements_;
};

// Calls function(e, z, y, x, factors) for the form's factors at all points of a mesh_input.
//
// **Errors** geometry_error for elements that cannot be integrated on, or are beyond the numbers of Problem.
template <class Problem, class Policy, class Mesh, class Form, class Function>
void visit_factors(Mesh const& mesh, Form const& form, Function const& function)
{
  using number = narrowest<typename Problem::vector_number, typename Problem::factor_number, typename Problem::number>;
  number_range<Form, Policy, number, Problem::directions> range(mesh.elements());
  mesh.visit_points([&](index_t e, int z, int y, int x, typename Mesh::mapping_type const& at) {
    auto const factors = form.setup(at);
    range.look(e, at, factors);
    function(e, z, y, x, factors);
  });
  range.refuse_beyond(mesh, form);
}

// Throws its geometry_error, and does nothing else.
template <class Problem, class Policy, class Mesh, class Form>
void check_points(Mesh const& mesh, Form const& form)
{
  visit_factors<Problem, Policy>(mesh, form, [](index_t, int, int, int, auto const&) {});
}

}  // namespace sumfac::detail
