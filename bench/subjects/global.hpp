// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Subjects on the host's global vectors: a bake-off problem on hexahedra or quadrilaterals, its operator alone and in
// conjugate gradients.
#pragma once

#include "../report/timing.hpp"
#include "check.hpp"
#include "global_error.hpp"
#include "global_mesh.hpp"
#include "problems.hpp"
#include "subject.hpp"

#include <support/random.hpp>

#include <sumfac/sumfac.hpp>  // all of it: trees that bench/trees is asked to compile have other folders

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace sumfac::bench {

// The ways: an application of the operator; an iteration of conjugate gradients, plain or merged, from x = 0; the
// matrix' diagonal; an application with atomic scatter, where that is asked for.
template <class Problem, class Kind, int Order, int Directions>
class global_instance : public instance {
  enum known_way { apply, plain, merged, diagonal, atomic };

  using operator_type =
      element_operator<typename Problem::form, space_on<Order, Directions>, typename Problem::template points<Order>,
                       host, typename Kind::numbers, typename Kind::policy>;
  using mesh_type = box_mesh<Directions>;
  using numbering = typename mesh_type::numbering;
  static_assert(std::is_same_v<typename operator_type::scalar_type, double>);
  static constexpr int components = operator_type::components, n = Order + 1;
  static constexpr int nodes = n * n * (Directions == 3 ? n : 1);
  using vector_view = view<double, dextents<1>>;
  using const_view = view<double const, dextents<1>>;

public:
  explicit global_instance(request const& r)
      : instance(r.atomic ? std::vector<std::string>{"apply", "plain", "merged", "diagonal", "atomic"}
                          : std::vector<std::string>{"apply", "plain", "merged", "diagonal"}),
        backend_(r.threads),
        mesh_(log_of(r.elements), !std::is_same_v<typename Kind::policy, affine>),
        numbers_(number_nodes(mesh_)),
        operator_(backend_, mesh_.vertices()),
        restriction_(make_restriction(scatter::deterministic)),
        matrix_(operator_, restriction_),
        b_(backend_, restriction_.size()),
        x_(backend_, restriction_.size()),
        workspace_(backend_, restriction_.size())
  {
    if (r.atomic) atomic_.emplace(make_restriction(scatter::atomic));
    auto const& marks = numbers_.on_boundary;
    for (index_t i = 0; i < b_.size(); ++i) {
      bool const fixed = Problem::constrained && marks[static_cast<std::size_t>(i / components)] != 0;
      b_[i] = fixed ? 0 : support::generator(static_cast<std::uint64_t>(i))();
    }
  }

  static subject entry()
  {
    constexpr index_t g = operator_type::points_1d, points = g * g * (Directions == 3 ? g : 1);
    constexpr index_t factors = factors_on<typename Problem::form, Directions>;
    return subject_of<global_instance, Problem, Kind>("host", Order, g, components, vector_kind::global,
                                                      native_width<double>,
                                                      8 * (2 * components * nodes + factors * points), "", Directions);
  }

  index_t dofs() const override { return restriction_.size(); }
  index_t elements() const override { return operator_.elements(); }

  // Out of cache: factors, the table, and the vectors once in, once out.
  cost work() const override
  {
    auto const w = operator_.work();
    auto const factors = static_cast<index_t>(w.bytes_read - w.bytes_written);
    auto const table = restriction_.storage().tables().entries.size() * index_t{sizeof(std::uint32_t)};
    auto const vector = restriction_.size() * index_t{sizeof(double)};
    return {static_cast<index_t>(w.flops), factors + table + vector, vector};
  }

  double seconds(int way, int count) override
  {
    for (double& entry : x_) entry = 0;
    double const begin = now();
    use(way, count);
    return (now() - begin) / count;
  }

  // Of an application: at the nodes of two elements. Of merged solves: how far the residual of the last one is from
  // that of the last plain one. The others are not compared.
  double error(int way) override
  {
    if (way == merged) return std::abs(merged_residual_ / plain_residual_ - 1) / solve_tolerance;
    if (way != apply && way != atomic) return 0;
    for (double& entry : x_) entry = std::numeric_limits<double>::quiet_NaN();
    use(way, 1);
    return std::max(error_at(0), error_at(elements() / 2));
  }

private:
  static int log_of(index_t elements) { return static_cast<int>(std::lround(std::log2(double(elements)))); }

  static numbering number_nodes(mesh_type const& mesh)
  {
    auto numbers = mesh.number_nodes(Order);
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

  const_view b() const { return const_view(b_.data(), b_.size()); }
  vector_view x() { return vector_view(x_.data(), x_.size()); }

  void use(int way, int count)
  {
    cg_options const fixed{.iterations = count, .tolerance = 0, .absolute = 0};
    switch (way) {
      case plain: plain_residual_ = residual(cg(matrix_, b(), x(), fixed, no_monitor{}, workspace_), count); return;
      case merged:
        merged_residual_ = residual(merged_cg(matrix_, b(), x(), fixed, no_monitor{}, workspace_), count);
        return;
      case diagonal:
        for (int i = 0; i < count; ++i) operator_.diagonal(restriction_, x());
        return;
      default:
        for (int i = 0; i < count; ++i) operator_.apply(way == atomic ? *atomic_ : restriction_, b(), x());
    }
  }

  // Of a solve that made all its iterations: the time of fewer would pass for that of all.
  double residual(solve_result const& r, index_t iterations) const
  {
    if (r.iterations != iterations)
      throw std::runtime_error(std::string(Problem::name) + ": a solve of " + std::to_string(dofs()) +
                               " degrees of freedom ended after " + std::to_string(r.iterations) + " of " +
                               std::to_string(iterations) + " iterations (" + r.report() +
                               "): ask for fewer iterations or more degrees of freedom");
    return r.residual / r.initial_residual;
  }

  double error_at(index_t element) const
  {
    return global_error<Problem, Directions>(
        mesh_, numbers_, element, [&](index_t i) { return b_[i]; }, [&](index_t i) { return x_[i]; });
  }

  host backend_;
  mesh_type mesh_;
  numbering numbers_;
  operator_type operator_;
  restriction<double> restriction_;
  std::optional<restriction<double>> atomic_;
  global_operator<operator_type, restriction<double>> matrix_;
  buffer<double> b_, x_;
  cg_workspace<double> workspace_;
  double plain_residual_ = 0, merged_residual_ = 0;
};

// The subjects of a problem in one kind at some degrees.
template <class Problem, class Kind, int Directions = 3, int... Orders>
std::vector<subject> global_subjects(order_list<Orders...>)
{
  return {global_instance<Problem, Kind, Orders, Directions>::entry()...};
}

}  // namespace sumfac::bench
