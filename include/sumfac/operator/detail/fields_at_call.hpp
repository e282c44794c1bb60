// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form's inputs as they are given to one call of apply(): looked at, and made readable for its kernel.
#pragma once

#include <sumfac/element/kernel/read_inputs.hpp>
#include <sumfac/operator/detail/evaluation.hpp>
#include <sumfac/operator/field.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Whether an operator takes these fields at a call, with a diagnostic where it does not.
template <class Operator, class... Fields>
constexpr bool check_fields_at_call()
{
  constexpr int expected = inputs_of<typename Operator::form_type>::count, got = int{sizeof...(Fields)};
  using backend = typename Operator::backend_type;
  constexpr bool in_scratch = runs_on_host<backend> || !Operator::options::problem::at_run_time;
  static_assert(expected > 0, "sumfac::element_operator: the form reads no other functions: it has no `inputs`");
  static_assert(got == expected || expected == 0,
                "sumfac::element_operator: apply takes a field for each of the form's inputs");
  static_assert(
      in_scratch,
      "sumfac::element_operator: where sizes of tables are dynamic, a form's inputs are kept at the points on "
      "devices and `checked`: call A.linearize(field(R, x), ...), then A.apply(R, x, y)");
  if constexpr (expected > 0 && got == expected && in_scratch) return fields_fit<Operator, Fields...>();
  return false;
}

// What is read and computed of all of them in a call.
template <class Operator>
void count_fields(work& w, Operator const& a, bool collocated)
{
  using inputs = inputs_of<typename Operator::form_type>;
  constexpr int directions = Operator::directions;
  int const points_1d = known_or(Operator::points_1d, a.points_of_element());
  for (int k = 0; k < inputs::count; ++k) {
    input const& i = input_numbers<double, inputs, directions>::list[k];
    space of = space_of_input(space_of<Operator::options::space>, i.order);
    if (of.shape == cell_shape::tables) of.functions = a.functions_of_element();
    auto const read = count_input(i, a.elements(), of, points_1d, collocated && of.degree + 1 == points_1d,
                                  sizeof(typename Operator::scalar_type));
    w.flops += read.flops, w.bytes_read += read.bytes_read;
  }
}

// One of them, and what it needs for the length of the call.
template <class Operator, int Index>
class read_argument : input_argument<Operator, Index> {
  using argument = input_argument<Operator, Index>;
  using typename argument::backend, typename argument::numbers, typename argument::problem, typename argument::scalar;
  static constexpr bool on_host = runs_on_host<backend>;
  static constexpr int elements = on_host ? 1 : Operator::tuned.elements;

  using values = field_values<problem, argument::description, elements, on_host>;
  template <class Source>
  using reader = field_reader<Source, values, numbers::template first_of<Index>>;

public:
  explicit read_argument(Operator const& a) : argument(a) {}
  using argument::check_field;

  // `copies` is memory for what the reader reads; tables are the operator's.
  template <class Field, class Tables>
  auto read(char const* where, Field const& f, own_vector<scalar>& copies, Tables const& tables) const
  {
    auto const source = argument::template source_of<elements>(where, f, copies);
    return reader<std::remove_const_t<decltype(source)>>{source, argument::template values_by<values>(tables)};
  }
};

// Those of inputs I, I + 1, ...
template <class Operator, int Index, class... Fields>
class fields_from {
public:
  explicit fields_from(Operator const&) {}
  void check_all(char const*) const {}
  template <class View>
  void check_apart(char const*, View const&, char const*) const
  {
  }
  template <class Tables>
  field_readers<> readers(char const*, Tables const&) const
  {
    return {};
  }
};
template <class Operator, int Index, class Field, class... Rest>
class fields_from<Operator, Index, Field, Rest...> {
public:
  fields_from(Operator const& a, Field const& field, Rest const&... rest)
      : argument_(a), field_(field), rest_(a, rest...)
  {
  }

  void check_all(char const* where) const
  {
    argument_.check_field(where, field_);
    rest_.check_all(where);
  }
  template <class View>
  void check_apart(char const* where, View const& v, char const* name) const
  {
    check_distinct(where, field_.values, v, "a field", name);
    rest_.check_apart(where, v, name);
  }
  template <class Tables>
  auto readers(char const* where, Tables const& tables)
  {
    auto const first = argument_.read(where, field_, copies_, tables);
    return joined(first, rest_.readers(where, tables));
  }

private:
  template <class First, class... Others>
  static field_readers<First, Others...> joined(First const& first, field_readers<Others...> const& others)
  {
    return {first, others};
  }

  read_argument<Operator, Index> argument_;
  Field field_;
  fields_from<Operator, Index + 1, Rest...> rest_;
  own_vector<typename Operator::scalar_type> copies_;
};

// All of them, for the length of a call.
template <class Operator, class... Fields>
class fields_at_call {
public:
  static constexpr bool packs_vectors = is_device<typename Operator::backend_type>;

  // Throws what is wrong with them; `where` is the function that got them.
  fields_at_call(Operator const& a, char const* where, Fields const&... fields) : where_(where), fields_(a, fields...)
  {
    fields_.check_all(where);
  }
  fields_at_call(fields_at_call const&) = delete;
  fields_at_call& operator=(fields_at_call const&) = delete;

  // Throws where one of them lies where `v` does, which is written.
  template <class View>
  void check_apart(View const& v, char const* name) const
  {
    if (v.size() > 0) fields_.check_apart(where_, v, name);
  }

  // A reader of the geometry with those of the fields.
  template <class Problem, class Reader>
  auto beside(Reader const& reader) const
  {
    return with_fields<Problem>(reader, fields_.readers(where_, reader));
  }

private:
  char const* where_;
  mutable fields_from<Operator, 0, Fields...> fields_;
};

}  // namespace sumfac::detail
