// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The inside of an operator that is compiled at run time: the functions that it hands to the program.
#pragma once

#include <sumfac/jit/detail/interface.hpp>
#include <sumfac/operator/element_operator.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>
#include <utility>

namespace sumfac::SUMFAC_TARGET::jit::detail {

// Calls f, and keeps what it throws.
template <class Result, class Function>
Result guarded(outcome* end, Function const& f)
{
  auto const say = [&](int kind, char const* text) {
    end->kind = kind;
    std::snprintf(end->text, sizeof end->text, "%s", text);
  };
  try {
    return f();
  } catch (argument_error const& error) {
    say(outcome::argument, error.what());
  } catch (geometry_error const& error) {
    say(outcome::geometry, error.what());
  } catch (backend_error const& error) {
    say(outcome::backend, error.what());
  } catch (std::bad_alloc const&) {
    say(outcome::memory, "sumfac::jit: no memory");
  } catch (std::exception const& error) {
    say(outcome::other, error.what());
  } catch (...) {
    say(outcome::other, "sumfac::jit: an exception of an unknown type");
  }
  return Result();
}

// Calls f with extents.
template <class Function, std::size_t... Rs>
auto from_extents(std::int64_t const* extents, Function const& f, std::index_sequence<Rs...>)
{
  return f(extents[Rs]...);
}
// Views of so many dimensions all of which are known at run time.
template <class T, int Rank>
auto in_rows(T* data, std::int64_t const* extents)
{
  return from_extents(
      extents, [&](auto... of) { return view<T, dextents<Rank>>(data, of...); }, std::make_index_sequence<Rank>{});
}

// The functions of Operator; Form::made(given_values) makes its form.
template <class Operator, class Form>
class unit {
  using scalar = typename Operator::scalar_type;
  using inputs = inputs_of<typename Operator::form_type>;
  using numbers_of_inputs = sumfac::detail::input_numbers<double, inputs, Operator::directions>;
  static constexpr int axes = Operator::axes;

public:
  static functions const* all()
  {
    static constexpr functions of_unit{
        .components = Operator::components,
        .test_components = Operator::test_components,
        .directions = Operator::directions,
        .axes = Operator::axes,
        .coordinates = Operator::coordinates,
        .nodes_1d = Operator::nodes_1d,
        .points_1d = Operator::points_1d,
        .bytes = int{sizeof(scalar)},
        .arithmetic_bytes = int{sizeof(typename Operator::arithmetic_type)},
        .linear = Operator::linear,
        .symmetric = Operator::symmetric,
        .inputs = inputs::count,
        .make = make,
        .destroy = destroy,
        .apply = apply,
        .diagonal = diagonal,
        .work = work_of,
        .linearize = linearize,
    };
    return &of_unit;
  }

private:
  // Calls f with an E-vector of so many components.
  template <class T, int Components, class Function>
  static void with_vector(array const& u, Function const& f)
  {
    constexpr int rank = Components == 1 ? axes + 1 : axes + 2;
    auto* const data = static_cast<T*>(u.data);
    dextents<rank> const shape = from_extents(
        u.extents, [](auto... of) { return dextents<rank>(of...); }, std::make_index_sequence<rank>{});
    if (u.width > 1) {
      using interleaved = layout_interleaved<native_width<scalar>>;
      if (u.width != native_width<scalar>)
        failf("jit::element_operator", "a vector has %d elements side by side, which the unit has not (%d expected)",
              u.width, native_width<scalar>);
      f(view<T, dextents<rank>, interleaved>(data, typename interleaved::template mapping<dextents<rank>>(shape)));
    } else {
      std::array<index_t, static_cast<std::size_t>(rank)> strides{};
      for (std::size_t r = 0; r < strides.size(); ++r) strides[r] = u.strides[r];
      f(view<T, dextents<rank>, layout_stride>(data, layout_stride::mapping<dextents<rank>>(shape, strides)));
    }
  }
  static void* make(parts const* of, outcome* end)
  {
    return guarded<void*>(end, [&]() -> void* {
      std::int64_t extents[axes + 2] = {of->elements};
      for (int d = 1; d <= axes; ++d) extents[d] = of->mesh_nodes_1d;
      extents[axes + 1] = Operator::coordinates;
      auto const node_set = [of](int m, long double* nodes) {
        for (int i = 0; i < m; ++i) nodes[i] = of->places[i];
      };
      return new Operator(host(of->threads), in_rows<double const, axes + 2>(of->nodes, extents),
                          Form::made(given_values{of}), node_set, of->tolerance);
    });
  }
  static void destroy(void* a) { delete static_cast<Operator*>(a); }
  static Operator const& at(void const* a) { return *static_cast<Operator const*>(a); }

  static void apply(void const* a, array const* u, array const* v, outcome* end)
  {
    guarded<void>(end, [&] {
      with_vector<scalar const, Operator::components>(*u, [&](auto const& from) {
        with_vector<scalar, Operator::test_components>(*v, [&](auto const& to) { at(a).apply(from, to); });
      });
    });
  }
  // Of a linear form; else the program has said so before.
  static void diagonal([[maybe_unused]] void const* a, [[maybe_unused]] array const* d, [[maybe_unused]] outcome* end)
  {
    if constexpr (Operator::linear)
      guarded<void>(
          end, [&] { with_vector<scalar, Operator::components>(*d, [&](auto const& to) { at(a).diagonal(to); }); });
  }
  // Of so many E-vectors, one for each input.
  static void linearize([[maybe_unused]] void* a, [[maybe_unused]] array const* fields, [[maybe_unused]] outcome* end)
  {
    if constexpr (inputs::count > 0) guarded<void>(end, [&] { linearize_with(static_cast<Operator*>(a), fields); });
  }
  // Of these first inputs, and those that follow.
  template <class... Fields>
  static void linearize_with(Operator* a, array const* fields, Fields const&... of)
  {
    if constexpr (int{sizeof...(Fields)} == inputs::count)
      a->linearize(field(of)...);
    else
      with_vector<scalar const, numbers_of_inputs::list[sizeof...(Fields)].components>(
          fields[sizeof...(Fields)], [&](auto const& next) { linearize_with(a, fields, of..., next); });
  }
  static void work_of(void const* a, work_numbers* numbers, outcome* end)
  {
    guarded<void>(end, [&] {
      sumfac::work const w = at(a).work();
      *numbers = {w.flops, w.bytes_read, w.bytes_written, w.geometry_flops};
    });
  }
};

// The same on global vectors, by a restriction.
template <class Operator>
class global_unit {
  using scalar = typename Operator::scalar_type;
  using restriction_type = sumfac::restriction<scalar, host>;  // jit has one of its own
  static constexpr int axes = Operator::axes;

public:
  static global_functions const* all()
  {
    static constexpr global_functions of_unit{.make_restriction = make_restriction,
                                              .destroy_restriction = destroy_restriction,
                                              .apply = apply,
                                              .diagonal = diagonal,
                                              .linearize = linearize};
    return &of_unit;
  }

private:
  static Operator const& at(void const* a) { return *static_cast<Operator const*>(a); }
  static restriction_type const& restriction_at(void const* r) { return *static_cast<restriction_type const*>(r); }
  template <class T>
  static view<T, dextents<1>> vector_of(array const& x)
  {
    return view<T, dextents<1>>(static_cast<T*>(x.data), x.extents[0]);
  }

  static void* make_restriction(numbering const* of, outcome* end)
  {
    return guarded<void*>(
        end, [&] { return of->bytes == 4 ? restriction_of<std::int32_t>(*of) : restriction_of<std::int64_t>(*of); });
  }
  template <class Number>
  static void* restriction_of(numbering const& of)
  {
    std::int64_t extents[axes + 1] = {of.elements};
    for (int d = 1; d <= axes; ++d) extents[d] = of.nodes_1d;
    auto const table = in_rows<Number const, axes + 1>(static_cast<Number const*>(of.table), extents);
    restriction_options const options{
        .components = of.components,
        .components_lie = of.components_slowest != 0 ? interleaving::slowest : interleaving::fastest,
        .rows = of.constrained_rows};
    host const backend(of.threads);
    if (of.equations > 0)
      return new restriction_type(backend, table, of.nodes,
                                  view<unsigned char const, dextents<2>>(of.marks, of.nodes, of.components),
                                  equations_of(of), options);
    if (of.marks == nullptr) return new restriction_type(backend, table, of.nodes, options);
    if (of.marks_rank == 1)
      return new restriction_type(backend, table, of.nodes, view<unsigned char const, dextents<1>>(of.marks, of.nodes),
                                  options);
    return new restriction_type(backend, table, of.nodes,
                                view<unsigned char const, dextents<2>>(of.marks, of.nodes, of.components), options);
  }
  static constraints equations_of(numbering const& of)
  {
    constraints made;
    sumfac::detail::own_vector<constraint_term> terms;
    for (std::int64_t i = 0; i < of.equations; ++i) {
      terms.clear();
      for (std::int64_t t = of.begin[i]; t < of.begin[i + 1]; ++t)
        terms.push_back({of.terms[t] / of.components, of.weights[t], static_cast<int>(of.terms[t] % of.components)});
      made.add_component(of.unknowns[i] / of.components, static_cast<int>(of.unknowns[i] % of.components), terms,
                         of.values[i]);
    }
    return made;
  }
  static void destroy_restriction(void* r) { delete static_cast<restriction_type*>(r); }

  static void apply(void const* a, void const* r, int add, array const* x, array const* y, outcome* end)
  {
    guarded<void>(end, [&] {
      if (add != 0)
        at(a).apply_add(restriction_at(r), vector_of<scalar const>(*x), vector_of<scalar>(*y));
      else
        at(a).apply(restriction_at(r), vector_of<scalar const>(*x), vector_of<scalar>(*y));
    });
  }
  static void diagonal([[maybe_unused]] void const* a, [[maybe_unused]] void const* r, [[maybe_unused]] array const* d,
                       [[maybe_unused]] outcome* end)
  {
    if constexpr (Operator::linear)
      guarded<void>(end, [&] { at(a).diagonal(restriction_at(r), vector_of<scalar>(*d)); });
  }
  static void linearize([[maybe_unused]] void* a, [[maybe_unused]] void const* r, [[maybe_unused]] array const* x,
                        [[maybe_unused]] outcome* end)
  {
    if constexpr (inputs_of<typename Operator::form_type>::count == 1)
      guarded<void>(end, [&] { static_cast<Operator*>(a)->linearize(restriction_at(r), vector_of<scalar const>(*x)); });
  }
};

}  // namespace sumfac::jit::detail
