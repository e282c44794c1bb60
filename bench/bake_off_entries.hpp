// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes the entries of bake_off_subject.hpp: the operators of one problem at all degrees, in conjugate gradients.
#pragma once

#include "bake_off_subject.hpp"
#include "global_mesh.hpp"

#include <support/random.hpp>

#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/geometry/node_order.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/merged_cg.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

namespace sumfac::bench {

// Degrees 1 .. SUMFAC_BENCHMARK_ORDERS are compiled, or SUMFAC_BENCHMARK_ORDER alone.
#if !defined(SUMFAC_BENCHMARK_ORDERS)
#define SUMFAC_BENCHMARK_ORDERS 8
#endif

template <class Operator, class Problem>
class solved_operator : public solve_subject {
  static constexpr int order = Operator::order, components = Operator::components;
  using vector_view = view<double, dextents<1>>;
  using const_view = view<double const, dextents<1>>;

public:
  solved_operator(int log_elements, int threads, bool with_atomic)
      : backend_(threads),
        mesh_(log_elements, Problem::bent),
        numbers_(number_nodes(mesh_)),
        operator_(backend_, mesh_.vertices()),
        restriction_(make_restriction(scatter::deterministic)),
        matrix_(operator_, restriction_),
        b_(backend_, restriction_.size()),
        x_(backend_, restriction_.size()),
        workspace_(backend_, restriction_.size())
  {
    if (with_atomic) atomic_.emplace(make_restriction(scatter::atomic));
    auto const& marks = numbers_.on_boundary;
    for (index_t i = 0; i < b_.size(); ++i) {
      bool const fixed = Problem::constrained && marks[static_cast<std::size_t>(i / components)] != 0;
      b_[i] = fixed ? 0 : support::generator(static_cast<std::uint64_t>(i))();
    }
  }

  index_t dofs() const override { return restriction_.size(); }
  index_t elements() const override { return operator_.elements(); }

  double operator_bytes() const override
  {
    auto const factors = operator_.work().bytes_read - operator_.work().bytes_written;
    auto const table = restriction_.storage().tables().entries.size() * index_t{sizeof(std::uint32_t)};
    return static_cast<double>(factors + table + 2 * restriction_.size() * index_t{sizeof(double)});
  }

  double plain_seconds(index_t iterations) override
  {
    return seconds(
        [&] { plain_ = residual(cg(matrix_, b(), x(), fixed(iterations), no_monitor{}, workspace_), iterations); });
  }
  double merged_seconds(index_t iterations) override
  {
    return seconds([&] {
      merged_ = residual(merged_cg(matrix_, b(), x(), fixed(iterations), no_monitor{}, workspace_), iterations);
    });
  }
  double operator_seconds(scatter policy, index_t applications) override
  {
    auto const& r = policy == scatter::atomic ? *atomic_ : restriction_;
    return seconds([&] {
      for (index_t i = 0; i < applications; ++i) operator_.apply(r, b(), x());
    });
  }

  double diagonal_seconds(index_t times) override
  {
    return seconds([&] {
      for (index_t i = 0; i < times; ++i) operator_.diagonal(restriction_, x());
    });
  }

  double plain_residual() const override { return plain_; }
  double merged_residual() const override { return merged_; }

private:
  const_view b() const { return const_view(b_.data(), b_.size()); }
  vector_view x() { return vector_view(x_.data(), x_.size()); }

  static global_mesh::numbering number_nodes(global_mesh const& mesh)
  {
    auto numbers = mesh.number_nodes(order);
    if constexpr (Problem::constrained)
      numbers.renumber(node_order(numbers.table(), numbers.nodes, numbers.marks()));
    else
      numbers.renumber(node_order(numbers.table(), numbers.nodes));
    return numbers;
  }

  restriction<double> make_restriction(scatter policy) const
  {
    restriction_options const options{.components = components, .policy = policy};
    if constexpr (Problem::constrained)
      return {backend_, numbers_.table(), numbers_.nodes, numbers_.marks(), options};
    else
      return {backend_, numbers_.table(), numbers_.nodes, options};
  }

  static cg_options fixed(index_t iterations) { return {.iterations = iterations, .tolerance = 0, .absolute = 0}; }

  // Of a solve that made all its iterations: the time of fewer would pass for that of all.
  double residual(cg_result const& r, index_t iterations) const
  {
    if (r.iterations != iterations)
      throw std::runtime_error(std::string(Problem::name) + ": a solve of " + std::to_string(dofs()) +
                               " degrees of freedom ended after " + std::to_string(r.iterations) + " of " +
                               std::to_string(iterations) + " iterations (" + r.report() +
                               "): ask for fewer iterations or more degrees of freedom");
    return r.residual / r.initial_residual;
  }

  template <class Function>
  double seconds(Function const& f)
  {
    for (double& entry : x_) entry = 0;
    auto const begin = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  host backend_;
  global_mesh mesh_;
  global_mesh::numbering numbers_;
  Operator operator_;
  restriction<double> restriction_;
  std::optional<restriction<double>> atomic_;
  global_operator<Operator, restriction<double>> matrix_;
  buffer<double> b_, x_;
  cg_workspace<double> workspace_;
  double plain_ = 0, merged_ = 0;
};

// The entries of one problem: Problem::name, ::constrained, ::bent (the mesh), ::operator_type<Order>.
template <class Problem>
struct solve_entries {
  solve_entries()
  {
#if defined(SUMFAC_BENCHMARK_ORDER)
    add_one<SUMFAC_BENCHMARK_ORDER>();
#else
    add(std::make_integer_sequence<int, SUMFAC_BENCHMARK_ORDERS>{});
#endif
  }

private:
  template <int... Is>
  static void add(std::integer_sequence<int, Is...>)
  {
    (add_one<Is + 1>(), ...);
  }
  template <int Order>
  static void add_one()
  {
    using operator_type = typename Problem::template operator_type<Order>;
    solve_catalogue().push_back({Problem::name, Order, operator_type::components,
                                 [](int log_elements, int threads, bool with_atomic) -> std::unique_ptr<solve_subject> {
                                   return std::make_unique<solved_operator<operator_type, Problem>>(
                                       log_elements, threads, with_atomic);
                                 }});
  }
};

}  // namespace sumfac::bench
