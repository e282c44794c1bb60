// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form of several right sides at once, and the sum of two forms: forms made of others.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/error.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/form/inputs.hpp>
#include <sumfac/form/point_values.hpp>

namespace sumfac::SUMFAC_TARGET {

// Form on Count functions at once: its factors, and tables, are read once for all. Component s C + c is component c of
// function s, so that a restriction of Count C components is that of all; inputs are the same for all.
//
// **Work** Count times Form's flops; u and v of all, and the factors of one.
template <class Form, int Count>
struct several : Form {
  static_assert(Count >= 1, "sumfac::several: there is at least one function: several<Form, 8>");
  static constexpr int components = Count * components_of<Form>, test_components = Count * test_components_of<Form>;

  several() = default;
  SUMFAC_FUNCTION constexpr several(Form const& form) : Form(form) {}

  static void flops_per_point() = delete;  // those of one
  static void apply_at() = delete;         // a point's factors serve all where they are made in the kernel, too

  template <class Factors, class T, int Dim, class... Inputs>
  SUMFAC_INLINE point_values<T, test_components, Dim> apply(Factors const& f, point_values<T, components, Dim> const& u,
                                                            Inputs const&... inputs) const
  {
    constexpr int of_u = components_of<Form>, of_v = test_components_of<Form>;
    Form const& form = *this;
    point_values<T, test_components, Dim> results;
    SUMFAC_UNROLL
    for (int s = 0; s < Count; ++s) {
      point_values<T, of_u, Dim> one;
      SUMFAC_UNROLL
      for (int c = 0; c < of_u; ++c) copy_component<Form::trial>(u, s * of_u + c, one, c);
      auto const tested = form.apply(f, one, inputs...);
      SUMFAC_UNROLL
      for (int c = 0; c < of_v; ++c) copy_component<Form::test>(tested, c, results, s * of_v + c);
    }
    return results;
  }

private:
  template <evaluation Members, class T, int From, int To, int Dim>
  SUMFAC_INLINE static void copy_component(point_values<T, From, Dim> const& from, int c, point_values<T, To, Dim>& to,
                                           int d)
  {
    SUMFAC_UNROLL
    for (int a = 0; a <= Dim; ++a)
      if (has(Members, a == 0 ? value : gradient)) detail::point_entry(to, d, a) = detail::point_entry(from, c, a);
  }
};

template <class Form, int Count>
struct detail::functions_apart<several<Form, Count>> {
  static constexpr int count = Count;
  using form = Form;
};

// a (First) + b (Second) in one kernel, which goes through memory once; a and b may change between two calls:
//
//     element_operator<form_sum<mass, laplace>, 4> A{backend, mesh, {.of_second = dt}};  // (u, v) + dt (du, dv)
//     A.form().of_second = dt / 2;
//
// Both are on the same components, and read no inputs. A point has the factors of both.
template <class First, class Second>
struct form_sum {
  static_assert(components_of<First> == components_of<Second> &&
                    test_components_of<First> == test_components_of<Second>,
                "sumfac::form_sum: both forms must have as many components");
  static_assert(inputs_of<First>::count == 0 && inputs_of<Second>::count == 0,
                "sumfac::form_sum: forms with inputs are not added up: take a sumfac::sum of two operators");
  static constexpr evaluation trial = First::trial | Second::trial, test = First::test | Second::test;
  static constexpr int components = components_of<First>, test_components = test_components_of<First>;
  static constexpr bool linear = is_linear<First> && is_linear<Second>;
  static constexpr bool symmetric = may_be_symmetric<First> && may_be_symmetric<Second>;

  template <class T, int Dim = 3>
  struct factors {
    factors_at<First, T, Dim> of_first;
    factors_at<Second, T, Dim> of_second;
  };

  template <class T, int Dim, int Coordinates>
  SUMFAC_INLINE factors<T, Dim> setup(mapping<T, Dim, Coordinates> const& x) const
  {
    return {first.setup(x), second.setup(x)};
  }

  template <class T, int Dim>
  SUMFAC_INLINE point_values<T, test_components, Dim> apply(factors<T, Dim> const& f,
                                                            point_values<T, components, Dim> const& u) const
  {
    return added(first.apply(f.of_first, u), second.apply(f.of_second, u));
  }
  // Where both have it.
  template <class Point, class T, int Dim>
    requires requires(First const& a, Second const& b, Point const& x, point_values<T, components, Dim> const& u) {
      a.apply_at(x, u);
      b.apply_at(x, u);
    }
  SUMFAC_INLINE point_values<T, test_components, Dim> apply_at(Point const& x,
                                                               point_values<T, components, Dim> const& u) const
  {
    return added(first.apply_at(x, u), second.apply_at(x, u));
  }

  void(check)() const
  {
    if constexpr (requires { (first.check)(); }) (first.check)();
    if constexpr (requires { (second.check)(); }) (second.check)();
    double const scales[] = {of_first, of_second};
    for (double const by : scales)
      if (by - by != 0) failf("form_sum", "a form is multiplied by what is not a finite number (got %g)", by);
  }

  First first = {};
  Second second = {};
  double of_first = 1, of_second = 1;

private:
  template <class T, int Dim>
  SUMFAC_INLINE point_values<T, test_components, Dim> added(point_values<T, test_components, Dim> a,
                                                            point_values<T, test_components, Dim> b) const
  {
    auto const by_a = scalar_of<T>(of_first), by_b = scalar_of<T>(of_second);
    point_values<T, test_components, Dim> v;
    SUMFAC_UNROLL
    for (int c = 0; c < test_components; ++c) {
      SUMFAC_UNROLL
      for (int i = 0; i <= Dim; ++i) {
        auto const member = i == 0 ? value : gradient;
        if (has(First::test, member)) detail::point_entry(v, c, i) = by_a * detail::point_entry(a, c, i);
        if (has(Second::test, member))
          detail::point_entry(v, c, i) = has(First::test, member)
                                             ? detail::point_entry(v, c, i) + by_b * detail::point_entry(b, c, i)
                                             : by_b * detail::point_entry(b, c, i);
      }
    }
    return v;
  }
};

}  // namespace sumfac
