// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How tune() makes, checks and times candidates.
#pragma once

#include <sumfac/tools/tune/candidates.hpp>
#include <sumfac/tools/tune/cost.hpp>
#include <sumfac/tools/tune/kept_lines.hpp>
#include <sumfac/tools/tune_options.hpp>

#include <cmath>
#include <cstdint>
#include <exception>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

template <class First, class... Rest>
class tuned_operator;

namespace detail {

template <class List, class Nodes, class NodeSet>
class tuner;

// Whether some number of an operator's is a float.
template <class Operator>
inline constexpr bool computes_in_float = sizeof(typename Operator::scalar_type) == sizeof(float) ||
                                          sizeof(typename Operator::factor_type) == sizeof(float) ||
                                          sizeof(typename Operator::arithmetic_type) == sizeof(float);

// One call of tune().
template <class First, class... Rest, class Nodes, class NodeSet>
class tuner<operator_list<First, Rest...>, Nodes, NodeSet> {
  using backend_type = typename First::backend_type;
  using form_type = typename First::form_type;
  using scalar = typename First::scalar_type;
  using result_type = tuned_operator<First, Rest...>;
  using mesh_type = mesh_input<typename First::points_type, Nodes, NodeSet, cell_of(space_of<First::options::space>)>;
  static constexpr int count = 1 + int{sizeof...(Rest)}, n = First::nodes_1d, components = First::components;
  static constexpr index_t size = index_t{components} * node_box(n, First::directions).all();

public:
  tuner(backend_type const& backend, Nodes const& nodes, form_type const& form, tune_options const& options,
        NodeSet const& node_set, double tolerance)
      : backend_(backend),
        nodes_(nodes),
        form_(form),
        options_(options),
        node_set_(node_set),
        tolerance_(tolerance),
        elements_(nodes.extent(0))
  {
  }

  result_type choose()
  {
    auto const log = [this](std::string const& line) { say(line); };
    operators_ = text_of_operators<First, Rest...>(elements_);
    cache_file file(options_.cache, device_name(backend_), driver_name(backend_), operators_, log);
    if (int const kept = file.chosen(); kept >= 0 && make_kept(kept)) return std::move(result_);
    result_ = result_type{};
    result_.trials_.reserve(count);
    prepare();
    try_all(std::make_integer_sequence<int, count>{});
    if (result_.number_ < 0) refuse();
    auto const& best = result_.trials_[static_cast<std::size_t>(result_.number_)];
    say("takes " + name_of_number(result_.number_) + " (" + best.what + "), " + text_of_cost<backend_type>(best.cost));
    file.keep(result_.number_, best.what, text_of_cost<backend_type>(best.cost), log);
    return std::move(result_);
  }

private:
  void say(std::string const& line) const
  {
    if (options_.log != nullptr) options_.log(("sumfac::tune: " + operators_ + ": " + line).c_str());
  }
  static std::string name_of_number(int number)
  {
    return "candidate " + std::to_string(number + 1) + " of " + std::to_string(count);
  }

  template <class Operator>
  Operator* make() const
  {
    return new Operator(backend_, nodes_, form_, node_set_, tolerance_);
  }

  // The operator of a number that the cache has; false where that is not to be had.
  bool make_kept(int number)
  {
    bool made = false;
    std::string problem = "there is no such candidate";
    try {
      make_number(number, std::make_integer_sequence<int, count>{});
      made = number < count;
    } catch (std::exception const& error) {
      problem = error.what();
    }
    if (made)
      say("takes " + name_of_number(number) + ", as " + options_.cache + " has it");
    else
      say(std::string("warning: ") + options_.cache + " has candidate " + std::to_string(number + 1) + " of " +
          std::to_string(count) + ", which cannot be taken (" + problem + "): all are tried");
    return made;
  }
  template <int... Numbers>
  void make_number(int number, std::integer_sequence<int, Numbers...>)
  {
    ((Numbers == number ? take<Numbers>(make<operator_at<Numbers>>()) : void()), ...);
  }

  template <int Number, class Type, class... Types>
  struct at {
    using type = typename at<Number - 1, Types...>::type;
  };
  template <class Type, class... Types>
  struct at<0, Type, Types...> {
    using type = Type;
  };
  template <int Number>
  using operator_at = typename at<Number, First, Rest...>::type;

  template <int Number>
  void take(operator_at<Number>* made)
  {
    auto trials = std::move(result_.trials_);
    result_ = result_type{};
    result_.chosen_.template take<Number>(made);
    result_.number_ = Number;
    result_.trials_ = std::move(trials);
  }

  // u of all elements, and what v must be on the first, the middle and the last of them.
  void prepare()
  {
    own_vector<scalar> u(static_cast<std::size_t>(elements_ * size));
    std::uint32_t state = 1;
    for (auto& x : u) {
      state = state * 1664525u + 1013904223u;
      x = static_cast<scalar>(static_cast<double>(state >> 8) / (1 << 23) - 1);
    }
    u_ = upload(backend_, u);
    v_ = make_memory<scalar>(backend_, elements_ * size);
    mesh_type const mesh{host_of(backend_), nodes_, node_set_, tolerance_};
    for (index_t const e : {index_t{0}, elements_ / 2, elements_ - 1}) {
      if (e < 0 || e >= elements_ || (!compared_.empty() && compared_.back() == e)) continue;
      auto const* first = u.data() + e * size;
      compared_.push_back(e);
      expected_.emplace_back(form_, mesh.geometry, e, std::vector<double>(first, first + size));
    }
  }

  template <int... Numbers>
  void try_all(std::integer_sequence<int, Numbers...>)
  {
    (try_one<Numbers>(), ...);
  }

  template <int Number>
  void try_one()
  {
    using type = operator_at<Number>;
    auto& trial = result_.trials_.emplace_back();
    trial.what = text_of_candidate<type>();
    type* made = nullptr;
    try {
      made = make<type>();
      measure(*made, trial);
    } catch (std::exception const& error) {
      trial.refused = error.what();
      if (!first_error_) first_error_ = std::current_exception();
    }
    bool const best = trial.refused.empty() && (result_.number_ < 0 || trial.cost < least_ * 0.98);
    say(name_of_number(Number) + " (" + trial.what + "): " +
        (trial.refused.empty() ? text_of_cost<backend_type>(trial.cost) + ", off by " + digits(trial.error)
                               : "left out: " + trial.refused));
    if (!best) {
      delete made;
      return;
    }
    least_ = trial.cost;
    take<Number>(made);
  }

  template <class Operator, class Trial>
  void measure(Operator const& a, Trial& trial)
  {
    auto const u = on_elements(static_cast<scalar const*>(u_.data()));
    auto const v = on_elements(v_.data());
    own_vector<scalar> const nothing(static_cast<std::size_t>(size), std::numeric_limits<scalar>::quiet_NaN());
    for (index_t const e : compared_) copy(nothing.data(), v_.data() + e * size);
    if (elements_ == 0) return;  // nothing to time: all cost the same, and the first is taken
    trial.cost = cost_of(backend_, options_.seconds, [&] { a.apply(u, v); });
    for (std::size_t i = 0; i < compared_.size(); ++i) {
      own_vector<scalar> got(static_cast<std::size_t>(size));
      copy(v_.data() + compared_[i] * size, got.data());
      double const off = expected_[i].difference(got.data());
      trial.error = off > trial.error ? off : trial.error;
    }
    if (trial.error > allowed)
      trial.refused = "its results are wrong: off by " + digits(trial.error) + ", " + digits(allowed) + " is allowed";
  }

  // Entries of an element; the source or the target is the host's.
  void copy(scalar const* from, scalar* to) const
  {
    if constexpr (is_device<backend_type>) {
      backend_.copy(from, to, size);
      backend_.synchronize();
    } else {
      for (index_t i = 0; i < size; ++i) to[i] = from[i];
    }
  }

  template <class T>
  auto on_elements(T* data) const
  {
    return view<T, e_vector_extents<components, n, First::directions>>(data, elements_);
  }

  [[noreturn]] void refuse()
  {
    if (first_error_) std::rethrow_exception(first_error_);
    throw backend_error("sumfac::tune: no candidate gives right results (" + std::to_string(count) +
                        " tried, the "
                        "first: " +
                        result_.trials_.front().refused + "): run the tests on this device");
  }

  static std::string digits(double x) { return formatted("%.1e", x); }

  // Of the sums' terms: each goes through some 3 (n + g) roundings of the coarsest number that an operator has.
  static constexpr double allowed =
      16.0 * 3 * (First::nodes_1d + First::points_1d) * (computes_in_float<First> ? 1.2e-7 : 2.3e-16);

  backend_type backend_;
  Nodes const& nodes_;
  form_type const& form_;
  tune_options const& options_;
  NodeSet const& node_set_;
  double tolerance_;
  index_t elements_;

  std::string operators_;
  memory_of<scalar, backend_type> u_, v_;
  std::vector<index_t> compared_;
  std::vector<plain_element<First>> expected_;
  std::exception_ptr first_error_;
  double least_ = 0;
  result_type result_;
};

}  // namespace detail

}  // namespace sumfac
