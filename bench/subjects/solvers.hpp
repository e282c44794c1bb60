// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Problems of the solver benchmark: a bake-off problem at a degree, and the solvers that it knows.
#pragma once

#include "../report/timing.hpp"
#include "cycle_clock.hpp"
#include "problems.hpp"
#include "solver_mesh.hpp"
#include "solver_subject.hpp"

#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/dofs/node_order.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/mesh/mesh.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/merged_cg.hpp>
#include <sumfac/solver/multigrid.hpp>
#include <sumfac/solver/p_levels.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/solver/schwarz.hpp>

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace sumfac::bench {

template <class Problem, int Order>
class solver_case : public solver_instance {
  using operator_type = element_operator<typename Problem::form, Order, typename Problem::template points<Order>>;
  static constexpr int components = operator_type::components;
  static constexpr equation what = Problem::constrained ? equation::stiffness : equation::mass;
  using vector_view = view<double, dextents<1>>;
  using const_view = view<double const, dextents<1>>;

public:
  explicit solver_case(solver_request const& r)
      : backend_(r.threads),
        chebyshev_{.degree = r.chebyshev},
        schwarz_(r.schwarz),
        mesh_(r.mesh, Order, r.dofs / components)
  {
    auto const coordinates = mesh_.coordinates();
    if (!r.flat) nested_.emplace(mesh_.nested());
    if (r.flat) nested_.emplace(mesh<3>::copy_of(coordinates));
    double const begin = now();
    if constexpr (Problem::constrained)
      mesh_.renumber(node_order(mesh_.table(), mesh_.count(), mesh_.marks()));
    else
      mesh_.renumber(node_order(mesh_.table(), mesh_.count()));
    operator_.emplace(backend_, coordinates);
    restriction_options const all{.components = components};
    if constexpr (Problem::constrained)
      restriction_.emplace(backend_, mesh_.table(), mesh_.count(), mesh_.marks(), all);
    else
      restriction_.emplace(backend_, mesh_.table(), mesh_.count(), all);
    problem_seconds_ = now() - begin;
    matrix_.emplace(*operator_, *restriction_);
    workspace_.emplace(backend_, dofs());
    x_ = buffer<double>(backend_, dofs());
    b_ = buffer<double>(backend_, dofs());
    auto const load = mesh_.load(what, components);
    for (index_t i = 0; i < dofs(); ++i) b_[i] = load[static_cast<std::size_t>(i)];
  }

  static solver_subject entry()
  {
    std::vector<std::string> solvers{"jacobi"};
    if constexpr (Problem::constrained && Order > 1)
      solvers.insert(solvers.end(), {"multigrid", "multigrid-float", "schwarz-float"});
    return {
        "BPS" + std::string(Problem::name).substr(2), Order, solvers,
        [](solver_request const& r) -> std::unique_ptr<solver_instance> { return std::make_unique<solver_case>(r); }};
  }

  index_t elements() const override { return mesh_.elements(); }
  index_t dofs() const override { return restriction_->size(); }
  double problem_seconds() const override { return problem_seconds_; }
  double error() const override { return mesh_.error(x_.data(), components); }

  double operator_seconds(int count) override
  {
    operator_->apply(*restriction_, b(), x());
    double const begin = now();
    for (int i = 0; i < count; ++i) operator_->apply(*restriction_, b(), x());
    return (now() - begin) / count;
  }

  // The solvers by name: a preconditioner is one line here, and its name one in entry().
  solver_run run(std::string const& solver) override
  {
    if (solver == "jacobi") return by_jacobi();
    if constexpr (Problem::constrained && Order > 1) {
      // Over coarser meshes by degree 2, which costs less than degree 1 for as many unknowns.
      bool const nested = nested_->coarser() != nullptr;
      if (solver == "multigrid")
        return nested ? by_multigrid<double>(chebyshev_, halved<Order, 2>())
                      : by_multigrid<double>(chebyshev_, halved<Order>());
      if (solver == "multigrid-float")
        return nested ? by_multigrid<float>(chebyshev_, halved<Order, 2>())
                      : by_multigrid<float>(chebyshev_, halved<Order>());
      if (solver == "schwarz-float")
        return by_multigrid<float>(schwarz<1>{.polynomial = {.degree = schwarz_}}, halved<Order>());
    }
    throw std::invalid_argument("bps: degree " + std::to_string(Order) + " knows no solver " + solver);
  }

private:
  static constexpr cg_options options{.iterations = 100000, .tolerance = 1e-8};

  const_view b() const { return const_view(b_.data(), b_.size()); }
  vector_view x() { return vector_view(x_.data(), x_.size()); }
  void start_from_zero()
  {
    for (double& entry : x_) entry = 0;
  }

  solver_run by_jacobi()
  {
    start_from_zero();
    double const begin = now();
    buffer<double> diagonal(backend_, dofs());
    matrix_->diagonal(vector_view(diagonal.data(), dofs()));
    jacobi const inverse{backend_, const_view(diagonal.data(), dofs())};
    double const ready = now();
    return done(merged_cg(*matrix_, b(), x(), inverse, options, no_monitor{}, *workspace_), begin, ready);
  }

  template <class Numbers, class Smoother, int... Orders>
  solver_run by_multigrid(Smoother const& smoother, order_list<Orders...>)
  {
    start_from_zero();
    // Coarser meshes count to the last degree, and what goes down to them to the level before it.
    std::vector<int> orders{Orders...};
    if (nested_->coarser() != nullptr) orders.push_back(orders.back());
    cycle_clock clock(orders);
    double const begin = now();
    auto levels = p_levels<Numbers, Orders...>(*operator_, *nested_, *restriction_);
    clocked_coarse_cg const coarse(levels.coarsest(), coarse_cg{}, &clock);
    multigrid const cycle{std::move(levels),
                          multigrid_options<clocked_smoother<Smoother>>{.smoother = {smoother, &clock}}, coarse};
    clocked_cycle<decltype(cycle)> const preconditioner{cycle, clock};
    clock.reset();
    double const ready = now();
    auto const result = cg(*matrix_, b(), x(), preconditioner, options, no_monitor{}, *workspace_);
    solver_run run = done(result, begin, ready);
    run.chebyshev = degree_of_polynomial(smoother);
    run.cycle = clock.seconds();
    return run;
  }

  static int degree_of_polynomial(chebyshev const& smoother) { return smoother.degree; }
  template <int Overlap>
  static int degree_of_polynomial(schwarz<Overlap> const& smoother)
  {
    return smoother.polynomial.degree;
  }

  template <class Cycle>
  struct clocked_cycle {
    Cycle& cycle;
    cycle_clock& clock;

    void apply(const_view r, vector_view z) const
    {
      clock.begin_cycle();
      cycle.apply(r, z);
      clock.end_cycle();
    }
    index_t size() const { return cycle.size(); }
  };

  static solver_run done(solve_result const& result, double begin, double ready)
  {
    return {result.iterations, result.status == solve_status::converged, ready - begin, now() - ready, 0, {}};
  }

  host backend_;
  chebyshev chebyshev_;
  int schwarz_;
  solver_mesh mesh_;
  std::optional<mesh<3>> nested_;
  std::optional<operator_type> operator_;
  std::optional<restriction<double>> restriction_;
  std::optional<global_operator<operator_type, restriction<double>>> matrix_;
  std::optional<cg_workspace<double>> workspace_;
  buffer<double> x_, b_;
  double problem_seconds_ = 0;
};

}  // namespace sumfac::bench
