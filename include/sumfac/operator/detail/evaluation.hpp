// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Inputs of a form from nodes to points, on any backend: what linearize() does.
#pragma once

#include <sumfac/element/kernel/kernel_choice.hpp>
#include <sumfac/element/vectors/field_sources.hpp>
#include <sumfac/operator/detail/form_checks.hpp>
#include <sumfac/operator/detail/operator_arguments.hpp>
#include <sumfac/operator/field.hpp>

#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// Input I of an operator's form, and what can be wrong with a field for it.
template <class Operator, int Index>
class input_argument {
protected:
  using backend = typename Operator::backend_type;
  using scalar = typename Operator::scalar_type;
  using numbers = input_numbers<double, inputs_of<typename Operator::form_type>, Operator::directions>;
  static constexpr input description = numbers::list[Index];
  static constexpr int asked = description.order == 0 ? Operator::order : description.order;
  static constexpr auto elements_of = space_of<Operator::options::space>;
  static constexpr bool right_degree =
      is_tensor(elements_of)
          ? asked >= 1 && asked + 1 <= Operator::points_1d
          : asked >= 1 && asked <= 31 && (description.order == 0 || elements_of.shape != cell_shape::tables);
  static constexpr int components = description.components > 0 ? description.components : 1;

  // A function of its space at the operator's points; one of another degree is refused by fits().
  static constexpr space own_space = space_of_input(elements_of, right_degree ? description.order : 0);
  using problem = detail::problem<evaluation_form<description>, own_space, typename Operator::points_type,
                                  typename Operator::precision_type>;
  // Values of it, as a kernel makes them by the operator's tables, where it has any.
  template <class Values, class Tables>
  static Values values_by(Tables const& tables)
  {
    using sizes =
        table_sizes<typename Operator::options::problem, table_order_of(runs_on_host<backend>, Operator::tuned.way)>;
    return Values::template of<sizes, Index>(tables);
  }

public:
  explicit input_argument(Operator const& a) : a_(a) {}

  // Whether a field is of the operator's types, with a diagnostic where it is not.
  template <class Field>
  static constexpr bool fits()
  {
    static_assert(description.components >= 1, "sumfac::input: an input has at least 1 component");
    static_assert(right_degree || !is_tensor(elements_of),
                  "sumfac::input: too few points per direction for the input's degree (points_1d >= order + 1)");
    static_assert(right_degree || is_tensor(elements_of),
                  "sumfac::input: the input's degree is not from 1 to 31, or is another than that of a basis given as "
                  "tables: order = 0 is that of the operator");
    if constexpr (right_degree && description.components >= 1)
      return fits(static_cast<Field const*>(nullptr));
    else
      return false;
  }

  // Throws what is wrong with a field.
  template <class View>
  void check_field(char const* where, element_field<View> const& f) const
  {
    describe<components, Operator::axes>(where, name, constant(f.values), a_.elements(), nodes());
  }
  template <class Restriction, class View>
  void check_field(char const* where, global_field<Restriction, View> const& f) const
  {
    restriction<scalar, backend> const& r = f.restriction;
    check_equal(where, "number of elements of a field's restriction", a_.elements(), r.elements());
    check_equal(where, "number of elements that a field's restriction is left with, as a subset", a_.elements(),
                static_cast<index_t>(r.active().size()));
    check_equal(where, "number of directions of the elements of a field's restriction", Operator::axes, r.directions());
    check_equal(where, "number of nodes per direction of a field's restriction", nodes(), r.nodes_1d());
    check_equal(where, "number of components of a field's restriction", components, r.components());
    check_extent(where, name, 0, "entries", r.size(), f.values.extent(0));
    check_data(where, name, f.values.data(), r.size());
    check_stream(where, "a field's restriction", a_.backend(), r.backend());
  }

protected:
  // Where teams of Elements read it.
  template <int Elements, class View>
  auto source_of(char const* where, element_field<View> const& f, own_vector<scalar>&) const
  {
    return field_source<problem, backend, Elements>::of(
        describe<components, Operator::axes>(where, name, constant(f.values), a_.elements(), nodes()));
  }
  template <int Elements, class Restriction, class View>
  auto source_of(char const*, global_field<Restriction, View> const& f, own_vector<scalar>& copies) const
  {
    return field_source<problem, backend, Elements>::of(f.restriction, f.values.data(), copies);
  }

private:
  static constexpr auto name = "a field";

  int nodes() const { return known_or(problem::nodes_1d, a_.functions_of_element()); }

  template <class View>
  static constexpr bool fits(element_field<View> const*)
  {
    return takes<View>();
  }
  template <class Restriction, class View>
  static constexpr bool fits(global_field<Restriction, View> const*)
  {
    constexpr bool is_right = is_restriction_for<Restriction, scalar, backend>;
    static_assert(is_right, "sumfac::field: the restriction must be of the operator's scalar type and backend");
    if constexpr (is_right && takes<View>()) {
      static_assert(is_vector_view<View>,
                    "sumfac::field: behind a restriction stands a global vector, contiguous and of rank 1");
      return is_vector_view<View>;
    }
    return false;
  }
  template <class View>
  static constexpr bool takes()
  {
    constexpr bool of_scalar = is_view_of<View, scalar>;
    static_assert(of_scalar || !is_view<View>,
                  "sumfac::field: a field must be a sumfac::view of the operator's scalar type");
    return of_scalar;
  }
  template <class View>
  static auto constant(View const& u)
  {
    return view<scalar const, typename View::extents_type, typename View::layout_type>(u);
  }

  Operator const& a_;
};

// An input that is kept at the points, where Kernel reads them.
template <class Operator, class Kernel, class Storage, int Index>
class kept_argument : input_argument<Operator, Index> {
  using argument = input_argument<Operator, Index>;
  using typename argument::backend, typename argument::numbers, typename argument::problem, typename argument::scalar;
  using number = typename problem::factor_number;

public:
  explicit kept_argument(Operator const& a) : argument(a), backend_(a.backend()), elements_(a.elements()) {}
  using argument::check_field;

  // Writes it to `kept`, of all groups; a device has done so on return.
  template <class Field, class Tables>
  void keep(char const* where, Field const& f, number* kept, own_vector<scalar>& copies, Tables const& tables) const
  {
    auto const source = argument::template source_of<1>(where, f, copies);
    using kernel =
        keep_kernel<problem, argument::description, numbers::template first_of<Index>, Kernel,
                    typename Storage::kept_reader, std::remove_const_t<decltype(source)>, runs_on_host<backend>>;
    if constexpr (is_device<backend>) backend_.template prepare<kernel>();
    backend_.launch(kernel{source, kept, argument::template values_by<typename kernel::values>(tables)},
                    Storage::groups(elements_) * kernel::teams_of_group);
    if constexpr (is_device<backend>) backend_.synchronize();
  }

private:
  backend const& backend_;
  index_t elements_;
};

// Whether fields, one for each input, are of the operator's types.
template <class Operator, class... Fields>
constexpr bool fields_fit()
{
  return []<int... Is>(std::integer_sequence<int, Is...>) {
    return (input_argument<Operator, Is>::template fits<Fields>() && ...);
  }(std::make_integer_sequence<int, int{sizeof...(Fields)}>{});
}

// Whether an operator keeps these fields, with a diagnostic where it does not.
template <class Operator, class... Fields>
constexpr bool check_kept_fields()
{
  constexpr int expected = inputs_of<typename Operator::form_type>::count, got = int{sizeof...(Fields)};
  static_assert(expected > 0, "sumfac::element_operator: the form reads no other functions: it has no `inputs`");
  static_assert(got == expected || expected == 0,
                "sumfac::element_operator: linearize takes a field for each of the form's inputs");
  if constexpr (expected > 0 && got == expected) return fields_fit<Operator, Fields...>();
  return false;
}

// All inputs: fields in the order of the form's `inputs`. All are looked at before any is kept, and what the form makes
// of them then: on devices where forms are checked, and not where a point's result is that of one node alone, which may
// be constrained. points() is what the form is given at the points.
template <class Kernel, class Operator, class Storage, class Points, class... Fields>
void keep_inputs(Operator const& a, Storage& storage, Points const& points, Fields const&... fields)
{
  constexpr auto where = "element_operator::linearize";
  auto const each = [&]<int... Is>(std::integer_sequence<int, Is...>) {
    (kept_argument<Operator, Kernel, Storage, Is>(a).check_field(where, fields), ...);
    auto* const kept = storage.keep(a.backend(), a.elements());
    if (a.elements() == 0) return;
    auto const tables = reader_at(storage.of_geometry(), 0, a.elements());
    (kept_argument<Operator, Kernel, Storage, Is>(a).keep(where, fields, kept, storage.copies(), tables), ...);
  };
  each(std::make_integer_sequence<int, int{sizeof...(Fields)}>{});
  using form = typename Operator::form_type;
  constexpr bool mixes_nodes =
      !Operator::options::problem::collocated || has(form::trial, gradient) || has(form::test, gradient);
  if constexpr (mixes_nodes && (checks_forms || !is_device<typename Operator::backend_type>))
    check_kept_inputs<form, Operator::directions, Operator::axes>(a.form(), points(), a.elements(),
                                                                  known_or(Operator::points_1d, a.points_of_element()));
}

}  // namespace sumfac::detail
