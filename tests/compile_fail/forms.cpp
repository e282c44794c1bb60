// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a form must have.
#include "support/fits.hpp"

#include <sumfac/form/mass.hpp>
#include <sumfac/form/tangent.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/face_operator.hpp>

// The parts of a form that is right.
struct value_alone {
  static constexpr auto trial = sumfac::value;
  static constexpr auto test = sumfac::value;
};
struct one_factor {
  template <class T>
  struct factors {
    T w;
  };
};
struct weighing : one_factor {
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.measure()};
  }
};
struct scaling {
  template <class T>
  sumfac::point_values<T> apply(one_factor::factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.w * u.value};
  }
};
struct nothing {};

// A form of elements where one of faces is asked for.
// expect: sumfac::face_operator: the form's setup must take a face_mapping<T, Dim> and return its factors
namespace face_form_of_elements {
struct of_faces : one_factor {
  template <class T>
  factors<T> setup(sumfac::face_mapping<T> const& x) const
  {
    return {x.measure()};
  }
};
struct reaction : value_alone, fitting<of_faces, weighing>, scaling {};
constexpr int nodes = sumfac::face_operator<reaction, 2>::nodes_1d;
}  // namespace face_form_of_elements

// Factors that hold something else than the scalar type.
// expect: sumfac::form: factors<T> holds something else than T: store the rest in the form itself
namespace form_factors_of_other_type {
struct reaction : value_alone {
  template <class T>
  struct factors {
    T w;
#if !defined(SUMFAC_FITS)
    double material = 0;
#endif
  };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.measure()};
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.w * u.value};
  }
};
constexpr int nodes = sumfac::element_operator<reaction, 2>::nodes_1d;
}  // namespace form_factors_of_other_type

// Factors with a member that hides where double would be padded anyway.
// expect: sumfac::form: factors<T> holds something else than T: store the rest in the form itself
namespace form_factors_with_number {
struct reaction : value_alone {
  template <class T>
  struct factors {
    T w;
#if !defined(SUMFAC_FITS)
    int material;
#endif
  };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    factors<T> f{};
    f.w = x.measure();
    return f;
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.w * u.value};
  }
};
constexpr int nodes = sumfac::element_operator<reaction, 2>::nodes_1d;
}  // namespace form_factors_with_number

// A form that is written for hexahedra, on quadrilaterals.
// expect: sumfac::form: the form is written for hexahedra alone
// errors: 2
namespace form_of_hexahedra {
struct for_all : value_alone, one_factor {
  template <class T, int Dim>
  factors<T> setup(sumfac::mapping<T, Dim> const& x) const
  {
    return {x.measure()};
  }
  template <class T, int Dim>
  sumfac::point_values<T, 1, Dim> apply(factors<T> const& f, sumfac::point_values<T, 1, Dim> const& u) const
  {
    return {.value = f.w * u.value};
  }
};
struct for_hexahedra : value_alone, weighing, scaling {};
constexpr int nodes = sumfac::element_operator<fitting<for_all, for_hexahedra>, sumfac::quadrilateral(2)>::nodes_1d;
}  // namespace form_of_hexahedra

// A form that can be applied to numbers of one type alone.
// expect: sumfac::form: apply(factors<T>, point_values<T, components>) const must be a template of T
// errors: 2
namespace form_of_one_type {
struct scaling_double {
  sumfac::point_values<double> apply(one_factor::factors<double> const& f, sumfac::point_values<double> const& u) const
  {
    return {.value = f.w * u.value};
  }
};
struct reaction : value_alone, weighing, fitting<scaling, scaling_double> {};
constexpr int nodes = sumfac::element_operator<reaction, 2>::nodes_1d;
}  // namespace form_of_one_type

// A form whose functions change it, and one whose functions return something else.
// expect: sumfac::form: setup(mapping<T>) is not const
// expect: sumfac::form: apply(factors<T>, point_values<T, components>) const must return point_values<T, components>
// expect: sumfac::element_operator: Form is no form, for the reasons that are given as sumfac::form
// errors: 3
namespace form_setup_not_const {
struct changing : one_factor {
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x)
  {
    return {x.measure()};
  }
  template <class T>
  T apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return f.w * u.value;
  }
};
struct right : weighing, scaling {};
struct reaction : value_alone, fitting<right, changing> {};
constexpr int nodes = sumfac::element_operator<reaction, 2>::nodes_1d;
}  // namespace form_setup_not_const

// A form whose setup is for double alone, where the host sets up packs.
// expect: sumfac::form: setup(mapping<T>) const must be a template of T
namespace form_setup_of_one_type {
struct weighing_double : one_factor {
  factors<double> setup(sumfac::mapping<double> const& x) const { return {x.measure()}; }
};
struct reaction : value_alone, fitting<weighing, weighing_double>, scaling {};
constexpr int nodes = sumfac::element_operator<reaction, 2>::nodes_1d;
}  // namespace form_setup_of_one_type

// A form that cannot be applied.
// expect: sumfac::form: apply(factors<T>, point_values<T, components>) const
namespace form_without_apply {
struct reaction : value_alone, weighing, fitting<scaling, nothing> {};
constexpr int nodes = sumfac::element_operator<reaction, 2>::nodes_1d;
}  // namespace form_without_apply

// A form each object of which says by itself what it reads.
// expect: sumfac::form: no constant trial: say what apply reads of u
// expect: sumfac::form: no constant test: say what the result is tested against
namespace form_without_constants {
struct value_of_object {
  sumfac::evaluation trial = sumfac::value, test = sumfac::value;
};
struct reaction : fitting<value_alone, value_of_object>, weighing, scaling {};
constexpr int nodes = sumfac::element_operator<reaction, 2>::nodes_1d;
}  // namespace form_without_constants

// A form whose factors have another name.
// expect: sumfac::form: no member template factors<T>: write an aggregate of T for what a point stores
// errors: 2
namespace form_without_factors {
struct other_name {
  template <class T>
  struct factor {
    T w;
  };
  template <class T>
  factor<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.measure()};
  }
};
struct reaction : value_alone, fitting<weighing, other_name>, scaling {};
constexpr int nodes = sumfac::element_operator<reaction, 2>::nodes_1d;
}  // namespace form_without_factors

// A form that makes no factors.
// expect: sumfac::form: setup(mapping<T>) const -> factors<T> cannot be called
namespace form_without_setup {
struct reaction : value_alone, fitting<weighing, one_factor>, scaling {};
constexpr int nodes = sumfac::element_operator<reaction, 2>::nodes_1d;
}  // namespace form_without_setup

// A form that does not say what it reads of u.
// expect: sumfac::form: no constant trial: say what apply reads of u
namespace form_without_trial {
struct test_alone {
  static constexpr auto test = sumfac::value;
};
struct reaction : fitting<value_alone, test_alone>, weighing, scaling {};
constexpr int nodes = sumfac::element_operator<reaction, 2>::nodes_1d;
}  // namespace form_without_trial

// The residual of a form that has no energy.
// expect: sumfac::residual: the form has no energy(factors<T>, point_values<T, components>, inputs...) const
namespace residual_without_energy {
struct potential : value_alone, weighing {
  template <class T>
  T energy(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return f.w * u.value * u.value;
  }
};
using form = fitting<potential, sumfac::mass>;

sumfac::point_values<double> at(sumfac::residual<form> const& form, form::factors<double> const& f)
{
  return form.apply(f, sumfac::point_values<double>{});
}
}  // namespace residual_without_energy

// The tangent of a form that computes in double alone.
// expect: sumfac::tangent: the form's apply cannot be called with sumfac::dual numbers
namespace tangent_of_one_type {
struct square_double {
  sumfac::point_values<double> apply(one_factor::factors<double> const& f, sumfac::point_values<double> const& u) const
  {
    return {.value = f.w * u.value * u.value};
  }
};
struct rigid : value_alone, weighing, fitting<scaling, square_double> {
  static constexpr bool linear = false;
};

sumfac::point_values<double> at(sumfac::tangent<rigid> const& form, sumfac::point_values<double> const& w)
{
  return form.apply({1}, w, w);
}
}  // namespace tangent_of_one_type
