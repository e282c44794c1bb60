// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A row of the table made into an operator of which only the compiler of this file knows the type.
#pragma once

#include "any_operator.hpp"
#include "axes.hpp"

#include <sumfac/dofs/restriction.hpp>
#include <sumfac/operator/element_operator.hpp>

#include <support/moved.hpp>

#include <limits>
#include <type_traits>

namespace instances {

template <class Form, auto Space, class Points, class Way, class Scalar, class Geometry>
struct operator_of_row {
  using type = sumfac::element_operator<Form, Space, Points, typename Way::backend, Scalar, Geometry,
                                        sumfac::tuned<Way::at(Points::size)>>;
};
template <class Form, auto Space, class Points, class Way, class Scalar, class Geometry>
  requires(!requires { Way::at(1); })
struct operator_of_row<Form, Space, Points, Way, Scalar, Geometry> {
  using type = sumfac::element_operator<Form, Space, Points, typename Way::backend, Scalar, Geometry>;
};

template <class Rule>
rule as_rule()
{
  rule r{{Rule::nodes.begin(), Rule::nodes.end()}, {}};
  if constexpr (requires { Rule::weights; }) r.weights.assign(Rule::weights.begin(), Rule::weights.end());
  return r;
}

template <class Kind, auto Space, class Points, class Way, class Scalar, class Geometry>
class made final : public any_operator {
  using form_type = typename Kind::form;
  using op = typename operator_of_row<form_type, Space, Points, Way, Scalar, Geometry>::type;
  using backend = typename op::backend_type;
  using scalar = typename op::scalar_type;
  using numbers = std::vector<scalar>;
  using restriction = sumfac::restriction<scalar, backend>;
  using inputs = sumfac::inputs_of<form_type>;
  static constexpr int directions = op::directions, input_count = inputs::count;
  static constexpr bool one_space = op::has_one_space;
  static constexpr bool on_host = sumfac::runs_on_host<backend>;
  // Of symmetric forms where factors are stored alone: kernels of a transpose cost as much to compile as those of A.
  static constexpr bool transposes =
      op::linear && (!Kind::symmetric || !one_space || std::is_same_v<Geometry, sumfac::stored>);
  static constexpr bool has_tables = requires { typename Kind::tables; };

public:
  static traits about(std::string const& name, std::string const& geometry)
  {
    constexpr auto has = [](auto of, auto what) { return sumfac::has(of, what); };
    using problem_trial = sumfac::detail::nodes_of_space<Space>;
    traits t{name,
             geometry,
             directions,
             op::coordinates,
             op::points_1d,
             {as_rule<problem_trial>(), op::components},
             {as_rule<test_nodes>(), op::test_components},
             as_rule<Points>(),
             {},
             on_host,
             std::is_same_v<backend, sumfac::checked>,
             one_space,
             op::linear,
             Kind::symmetric && one_space,
             on_host ? sumfac::native_width<typename op::arithmetic_type> : op::tuned.elements,
             !std::is_same_v<Scalar, double>,
             std::is_same_v<scalar, float>,
             int{sizeof(scalar)},
             int{sizeof(typename op::factor_type)},
             sumfac::factors_of<form_type, directions>};
    if constexpr (directions == 3 && requires { form_type::flops_per_point(true); })
      t.flops = static_cast<int>(form_type::flops_per_point(op::nodes_1d == op::points_1d));
    t.transposes = transposes;
    t.has_tables = has_tables;
    t.by_differences = requires { Kind::by_differences; };
    t.reads_values = has(form_type::trial, value), t.reads_slopes = has(form_type::trial, gradient);
    t.tests_values = has(form_type::test, value), t.tests_slopes = has(form_type::test, gradient);
    if (directions == 3) t.low_power = Kind::low_power, t.high_power = Kind::high_power;
    for (int i = 0; i < input_count; ++i) {
      auto const& input = sumfac::detail::input_numbers<double, inputs, directions>::list[i];
      t.inputs.push_back(
          {input.order == 0 ? t.trial.nodes : reference::gauss_lobatto(input.order + 1), input.components});
      int const slopes = sumfac::has(input.evaluates, gradient) ? directions : 0;
      t.kept_numbers.push_back(input.components * (slopes + (sumfac::has(input.evaluates, value) ? 1 : 0)));
    }
    return t;
  }

  void set_up(elements const& mesh, int threads) override
  {
    if constexpr (on_host) backend_ = backend(threads);
    a_.reset();
    mesh_ = mesh;
    a_.emplace(backend_, nodes(), form());
  }
  void update(elements const& mesh) override
  {
    mesh_ = mesh;
    a_->update(nodes(), form());
  }

  vector apply(vector const& u) const override
  {
    return computed(u, test_size(), [&](auto* from, auto* to) { a_->apply(trial_view(from), test_view(to)); });
  }
  vector apply_transposed(vector const& v) const override
  {
    if constexpr (transposes)
      return computed(v, trial_size(),
                      [&](auto* from, auto* to) { a_->apply_transposed(test_view(from), trial_view(to)); });
    else
      throw no_such("transpose");
  }
  vector diagonal() const override
  {
    if constexpr (op::linear && one_space)
      return computed({}, trial_size(), [&](auto*, auto* to) { a_->diagonal(trial_view(to)); });
    else
      throw no_such("diagonal");
  }
  vector element_matrix(int element) const override
  {
    if constexpr (op::linear) {
      auto const matrix = a_->element_matrix(element);
      return {matrix.begin(), matrix.end()};
    } else {
      throw no_such("matrix");
    }
  }

  vector apply(numbering const& trial, numbering const& test, vector const& x, call const& how) const override
  {
    restriction const of_trial = made_restriction(trial, op::components, trial_1d, how);
    auto const compute = [&](auto const& function) {
      numbering const& to = how.transposed ? trial : test;
      int const components = how.transposed ? op::components : op::test_components;
      return computed(x, static_cast<std::size_t>(to.nodes) * static_cast<std::size_t>(components), function,
                      how.add_to);
    };
    bool const adds = how.add_to != nullptr;
    if constexpr (one_space) {
      return compute([&](auto* from, auto* to) {
        sumfac::view const in(from, of_trial.size());
        sumfac::view const out(to, of_trial.size());
        if (how.transposed) {
          if constexpr (transposes)
            adds ? a_->apply_transposed_add(of_trial, in, out) : a_->apply_transposed(of_trial, in, out);
        } else if (how.fields != nullptr) {
          with_fields(*how.fields, how.fields_numbered, [&](auto const&... fields) {
            if constexpr (sizeof...(fields) > 0)
              adds ? a_->apply_add(of_trial, in, out, fields...) : a_->apply(of_trial, in, out, fields...);
          });
        } else {
          adds ? a_->apply_add(of_trial, in, out) : a_->apply(of_trial, in, out);
        }
      });
    } else {
      restriction const of_test = made_restriction(test, op::test_components, test_1d, how);
      return compute([&](auto* from, auto* to) {
        if (how.transposed) {
          sumfac::view const in(from, of_test.size());
          sumfac::view const out(to, of_trial.size());
          if constexpr (transposes)
            adds ? a_->apply_transposed_add(of_trial, of_test, in, out)
                 : a_->apply_transposed(of_trial, of_test, in, out);
        } else {
          sumfac::view const in(from, of_trial.size());
          sumfac::view const out(to, of_test.size());
          adds ? a_->apply_add(of_test, of_trial, in, out) : a_->apply(of_test, of_trial, in, out);
        }
      });
    }
  }
  vector diagonal(numbering const& of, call const& how) const override
  {
    if constexpr (op::linear && one_space) {
      restriction const r = made_restriction(of, op::components, trial_1d, how);
      return computed({}, static_cast<std::size_t>(r.size()),
                      [&](auto*, auto* to) { a_->diagonal(r, sumfac::view(to, r.size())); });
    } else {
      throw no_such("diagonal");
    }
  }

  void keep(std::vector<vector> const& values, std::vector<numbering> const* numbered) override
  {
    with_fields(values, numbered, [&](auto const&... fields) {
      if constexpr (sizeof...(fields) > 0) a_->linearize(fields...);
    });
  }
  vector apply(vector const& u, std::vector<vector> const& values) const override
  {
    if constexpr (input_count > 0) {
      return computed(u, test_size(), [&](auto* from, auto* to) {
        with_fields(values, nullptr, [&](auto const&... fields) {
          if constexpr (sizeof...(fields) > 0) a_->apply(trial_view(from), test_view(to), fields...);
        });
      });
    } else {
      throw no_such("inputs");
    }
  }

  sumfac::work work() const override { return a_->work(); }
  long long findings() const override
  {
    if constexpr (requires { a_->backend().finding_count(); })
      return static_cast<long long>(a_->backend().finding_count());
    else
      return 0;
  }
  integrand exact() const override { return Kind::exact(); }

private:
  using test_nodes = typename sumfac::detail::problem<form_type, sumfac::detail::space_of<Space>, Points, Scalar,
                                                      sumfac::detail::test_space_of<Space>>::test_side::nodes;
  static constexpr int trial_1d = op::nodes_1d, test_1d = op::test_nodes_1d;

  static std::size_t box(int n) { return static_cast<std::size_t>(sumfac::detail::node_box(n, directions).all()); }
  std::size_t count() const { return static_cast<std::size_t>(mesh_.count); }
  std::size_t trial_size() const { return count() * op::components * box(trial_1d); }
  std::size_t test_size() const { return count() * op::test_components * box(test_1d); }

  template <int Components, int Nodes1d, class T>
  auto e_vector(T* data) const
  {
    return sumfac::view<T, sumfac::detail::e_vector_extents<Components, Nodes1d, directions>>(data, mesh_.count);
  }
  template <class T>
  auto trial_view(T* data) const
  {
    return e_vector<op::components, trial_1d>(data);
  }
  template <class T>
  auto test_view(T* data) const
  {
    return e_vector<op::test_components, test_1d>(data);
  }

  auto nodes() const
  {
    sumfac::gauss_lobatto_nodes const set;
    auto const* const data = mesh_.numbers.data();
    sumfac::index_t const e = mesh_.count, m = mesh_.m, c = op::coordinates;
    if constexpr (directions == 3)
      return sumfac::mesh_view(sumfac::view<double const, sumfac::dextents<5>>(data, e, m, m, m, c), set);
    else if constexpr (directions == 2)
      return sumfac::mesh_view(sumfac::view<double const, sumfac::dextents<4>>(data, e, m, m, c), set);
    else
      return sumfac::mesh_view(sumfac::view<double const, sumfac::dextents<3>>(data, e, m, c), set);
  }
  form_type form()
  {
    if constexpr (has_tables) {
      tables_.emplace(mesh_.count);
      return tables_->form();
    } else {
      return Kind::made();
    }
  }

  static numbers narrowed(vector const& x)
  {
    numbers result(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) result[i] = static_cast<scalar>(x[i]);
    return result;
  }

  // What function(from, to) makes of x, in a vector of so many numbers that are none, or added to what is there.
  template <class Function>
  vector computed(vector const& x, std::size_t size, Function const& function, vector const* before = nullptr) const
  {
    numbers const in = narrowed(x);
    numbers out = before != nullptr ? narrowed(*before) : numbers(size, std::numeric_limits<scalar>::quiet_NaN());
    support::on_backend(backend_, in, out, [&](scalar const* from, scalar* to) { function(from, to); });
    return {out.begin(), out.end()};
  }

  restriction made_restriction(numbering const& of, int components, int n, call const& how) const
  {
    auto options = how.options;
    options.components = components;
    restriction whole = [&] {
      auto const on = [&](auto const& table) {
        if (of.marks.empty()) return restriction(backend_, table, of.nodes, options);
        sumfac::view<std::uint8_t const, sumfac::dextents<2>> const marks(of.marks.data(), of.nodes, components);
        return restriction(backend_, table, of.nodes, marks, options);
      };
      if constexpr (directions == 3)
        return on(sumfac::view<std::int64_t const, sumfac::dextents<4>>(of.table.data(), mesh_.count, n, n, n));
      else if constexpr (directions == 2)
        return on(sumfac::view<std::int64_t const, sumfac::dextents<3>>(of.table.data(), mesh_.count, n, n));
      else
        return on(sumfac::view<std::int64_t const, sumfac::dextents<2>>(of.table.data(), mesh_.count, n));
    }();
    if (!how.subset) return whole;
    return whole.subset(sumfac::view(how.subset->data(), static_cast<sumfac::index_t>(how.subset->size())));
  }

  // Calls f with a field for each input.
  template <int I = 0, class Function, class... Fields>
  void with_fields(std::vector<vector> const& values, std::vector<numbering> const* numbered, Function const& f,
                   Fields const&... fields) const
  {
    if constexpr (I == input_count) {
      f(fields...);
    } else {
      constexpr auto input = sumfac::detail::input_numbers<double, inputs, directions>::list[I];
      constexpr int n = input.order == 0 ? trial_1d : input.order + 1;
      numbers unused;
      support::on_backend(backend_, narrowed(values[I]), unused, [&](scalar const* from, scalar*) {
        if (numbered == nullptr) {
          with_fields<I + 1>(values, numbered, f, fields..., sumfac::field(e_vector<input.components, n>(from)));
        } else {
          numbering const& of = (*numbered)[I];
          restriction const r = made_restriction(of, input.components, n,
                                                 {.options = {.components_lie = of.components_lie, .blocks = 2}});
          with_fields<I + 1>(values, numbered, f, fields..., sumfac::field(r, sumfac::view(from, r.size())));
        }
      });
    }
  }

  struct none {};
  template <class K>
  struct tables_of {
    using type = none;
  };
  template <class K>
    requires requires { typename K::tables; }
  struct tables_of<K> {
    using type = typename K::tables;
  };

  backend backend_{};
  elements mesh_;
  std::optional<typename tables_of<Kind>::type> tables_;
  std::optional<op> a_;
};

// Puts a row into the list of all; the columns are types and a space of axes.hpp by their names.
template <class Kind, auto Space, class Points, class Way, class Scalar, class Geometry>
struct row {
  row(std::string const& name, std::string const& geometry)
  {
    using made_type = made<Kind, Space, Points, Way, Scalar, Geometry>;
    all().push_back({made_type::about(name, geometry),
                     []() -> std::unique_ptr<any_operator> { return std::make_unique<made_type>(); }});
  }
};

}  // namespace instances
