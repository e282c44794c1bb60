// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Why p_levels cannot make operators of lower degrees of a form, by what that reads: a diagnostic.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/error.hpp>
#include <sumfac/form/inputs.hpp>
#include <sumfac/math/small.hpp>
#include <sumfac/mesh/mapping.hpp>
#include <sumfac/mesh/maps/element_point.hpp>
#include <sumfac/operator/detail/form_reads.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Looks for a coefficient by point whose points are not those of a level.
class points_of_level : public coefficient_reads {
public:
  points_of_level(int degree, int points, first_problem& text)
      : coefficient_reads([](coefficient_reads const& self, coefficient_view const& v) {
          return static_cast<points_of_level const&>(self).look_at(v);
        }),
        degree_(degree),
        points_(points),
        text_(text)
  {
  }

private:
  void const* look_at(coefficient_view const& v) const
  {
    for (int r = 1; r <= point_extents(v); ++r)
      if (v.extents[r] != points_)
        text_.say(
            "the form's coefficient of shape %s is of other points than those of the level of degree %d (%lld "
            "points per direction, %d expected): give the form coefficients by element, or make the levels one "
            "by one, sumfac::levels{sumfac::level{A, R}, sumfac::level{B, S}}, where B's form has a coefficient "
            "at its own points",
            coefficient_shape(v), degree_, static_cast<long long>(v.extents[r]), points_);
    return nullptr;
  }

  int degree_, points_;
  first_problem& text_;
};

// Why operator Made cannot be made of `a`'s form; an empty text where it can.
template <class Made, class Operator>
first_problem obstacle_of(Operator const& a)
{
  using form = typename Operator::form_type;
  first_problem text;
  if constexpr (inputs_of<form>::count > 0) {
    static_cast<void>(a);
    text.say(
        "the level of degree %d cannot be given the functions that the form reads, as a tangent its state (%d, 0 "
        "expected): make the levels one by one, sumfac::levels{sumfac::level{A, R}, sumfac::level{B, S}}, where "
        "B.linearize is given what sumfac::transfer's interpolate makes of A's state",
        Made::order, static_cast<int>(inputs_of<form>::count));
  } else if constexpr (!std::is_empty_v<form>) {
    points_of_level const reads(Made::order, Made::points_1d, text);
    if (a.elements() == 0) return text;
    matrix<double, Operator::coordinates, Operator::directions> jacobian{};
    for (int d = 0; d < Operator::directions; ++d) jacobian(d, d) = 1;
    mapping<double, Operator::directions, Operator::coordinates> const point(jacobian, 1.0, {}, 1.0, {.last = 0});
    static_cast<void>(a.form().setup(places::read_by(&reads, point)));
  }
  return text;
}

}  // namespace sumfac::detail
