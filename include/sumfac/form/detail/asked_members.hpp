// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Whether a form reads what it asks for alone, and returns nothing that is not tested: what would be 0 without a word.
#pragma once

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/error.hpp>
#include <sumfac/form/form.hpp>

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

// Lets a form refuse what its members are.
template <class Form>
void check_members(Form const& form)
{
  if constexpr (requires { (form.check)(); }) (form.check)();
}

// A function at a point: the numbers of its values and derivatives, and which of them a form asks for.
struct asked_function {
  int components;
  evaluation asked;

  index_t size(int directions) const { return components * (1 + directions); }
  evaluation member(index_t i) const { return i < components ? value : gradient; }
};

// A form at a point, as a function of numbers: those of u and of its inputs, one behind the other, to a result's.
struct form_at_point {
  void const* form;
  void (*apply)(void const* form, double const* numbers, double* result);
  char const* name;                 // of the member that is called
  asked_function const* functions;  // u, then inputs
  int count;
  asked_function result;
  int directions;
};

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_read(char const* name, int function, evaluation member)
{
  bool const is_value = member == value;
  char const* const what = is_value ? "value" : "gradient";
  if (function == 0)
    failf("form",
          "%s reads the %s of u, which trial does not name, so that it is 0 in every kernel (trial = sumfac::%s): "
          "write trial = sumfac::value | sumfac::gradient, or do not read it",
          name, what, is_value ? "gradient" : "value");
  failf("form",
        "%s reads the %s of input %d (the first is 0), which its `evaluates` does not name, so that it is 0 in every "
        "kernel (evaluates = sumfac::%s): write .evaluates = sumfac::value | sumfac::gradient, or do not read it",
        name, what, function - 1, is_value ? "gradient" : "value");
}

[[noreturn, gnu::cold, gnu::noinline]] inline void refuse_result(char const* name, int component, evaluation member,
                                                                 double got)
{
  bool const is_value = member == value;
  failf("form",
        "%s returns a %s, which test does not name, so that no kernel looks at it (component %d: %.6g, 0 expected, "
        "test = sumfac::%s): write test = sumfac::value | sumfac::gradient, or leave it out of the result",
        name, is_value ? "value" : "gradient", component, got, is_value ? "gradient" : "value");
}

// Throws where the result has what is not tested, or what is tested changes with what is not asked for. u and inputs
// are small numbers at first, as forms that are not linear meet them, then 0.
[[gnu::cold, gnu::noinline]] inline void check_asked_members(form_at_point const& f)
{
  own_vector<double> numbers, expected(static_cast<std::size_t>(f.result.size(f.directions))), got = expected;
  for (int k = 0; k < f.count; ++k)
    for (index_t i = 0; i < f.functions[k].size(f.directions); ++i) numbers.push_back(0);
  auto const is_number = [](double x) { return x - x == 0; };
  for (bool const zero : {false, true}) {
    double next = 0x1p-7;
    std::size_t at = 0;
    for (int k = 0; k < f.count; ++k)
      for (index_t i = 0; i < f.functions[k].size(f.directions); ++i, ++at, next += 0x1p-11)
        numbers[at] = !zero && has(f.functions[k].asked, f.functions[k].member(i)) ? next : 0;
    f.apply(f.form, numbers.data(), expected.data());
    for (std::size_t i = 0; i < expected.size(); ++i) {
      auto const entry = static_cast<index_t>(i);
      evaluation const member = f.result.member(entry);
      if (!has(f.result.asked, member) && expected[i] != 0 && is_number(expected[i]))
        refuse_result(f.name, static_cast<int>(member == value ? entry : (entry - f.result.components) / f.directions),
                      member, expected[i]);
    }
    std::size_t first = 0;
    for (int k = 0; k < f.count; ++k) {
      auto const size = static_cast<std::size_t>(f.functions[k].size(f.directions));
      for (evaluation const member : {value, gradient}) {
        if (has(f.functions[k].asked, member)) continue;
        // Comparisons take NaN as they take 0.
        for (double const odd : {__builtin_nan(""), 1.0, -1.0}) {
          own_vector<double> other = numbers;
          for (std::size_t i = 0; i < size; ++i)
            if (f.functions[k].member(static_cast<index_t>(i)) == member) other[first + i] = odd;
          f.apply(f.form, other.data(), got.data());
          for (std::size_t i = 0; i < expected.size(); ++i)
            if (has(f.result.asked, f.result.member(static_cast<index_t>(i))) && is_number(expected[i]) &&
                got[i] != expected[i])
              refuse_read(f.name, k, member);
        }
      }
      first += size;
    }
  }
}

// A form, or an energy, upon what apply_form takes at a point, as check_asked_members calls it.
template <class Made, class At, int Dim, class Inputs = inputs_of<typename Made::type>>
struct called_form;
template <class Made, class At, int Dim, input... Inputs>
struct called_form<Made, At, Dim, reads<Inputs...>> {
  using form_type = typename Made::type;
  form_type const& form;
  At const& at;

  static constexpr int count = 1 + int{sizeof...(Inputs)};
  static constexpr asked_function functions[count] = {{components_of<form_type>, form_type::trial},
                                                      {Inputs.components, Inputs.evaluates}...};
  template <int Index>
  static auto take(double const* numbers)
  {
    for (int k = 0; k < Index; ++k) numbers += functions[k].size(Dim);
    point_values<double, functions[Index].components, Dim> u;
    static_assert(sizeof u == sizeof(double) * functions[Index].components * (1 + Dim));
    std::memcpy(static_cast<void*>(&u), numbers, sizeof u);
    return u;
  }

  static void apply(void const* self, double const* numbers, double* result)
  {
    auto const& f = *static_cast<called_form const*>(self);
    [&]<int... Is>(std::integer_sequence<int, Is...>) {
      if constexpr (Made::has_energy) {
        result[0] = f.form.energy(f.at, take<Is>(numbers)...);
        for (int d = 0; d < Dim; ++d) result[1 + d] = 0;
      } else {
        auto const v = call_form(f.form, f.at, take<Is>(numbers)...);
        std::memcpy(result, static_cast<void const*>(&v), sizeof v);
      }
    }(std::make_integer_sequence<int, count>{});
  }

  void refuse(char const* name) const
  {
    asked_function result{1, value};
    if constexpr (!Made::has_energy) result = {test_components_of<form_type>, form_type::test};
    check_asked_members({this, apply, name, functions, count, result, Dim});
  }
};

// Throws where a form, or that which it is made of, reads or returns what it does not name.
//
// **Work** apply at one point, some eight times for each function.
template <int Dim, class At, class Form>
void check_asked_members_of(Form const& form, At const& at)
{
  using made = made_of<Form>;
  using type = typename made::type;
  called_form<made, At, Dim> const called{form, at};
  if constexpr (std::is_same_v<At, factors_at<Form, double, Dim>>)
    called.refuse(made::has_energy ? "energy" : "apply");
  else if constexpr (!made::has_energy && applies_to_points<type, Dim, At::coordinates>)
    called.refuse("apply_at");
}

}  // namespace detail

}  // namespace sumfac
