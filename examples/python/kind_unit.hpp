// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a backend and numbers have once for all problems and degrees: restrictions and conjugate gradients.
#pragma once

#include "on_backend.hpp"

#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/detail/coarse_nodes.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/solver/vector_ops.hpp>

#include <cstdint>
#include <memory>

namespace sumfac_python {

// With a table of numbers of this type in place of the numbering's.
template <class Scalar, class Backend, class Number>
std::shared_ptr<restriction const> make_restriction_of(Number const* numbers, numbering const& of)
{
  using made = restriction_on<Scalar, Backend>;
  using inner = typename made::type;
  sumfac::restriction_options const options{.components = of.components};
  sumfac::view const table(numbers, of.elements, of.nodes_1d, of.nodes_1d, of.nodes_1d);
  if (of.marks == nullptr) return std::make_shared<made>(inner(Backend{}, table, of.nodes, options));
  if (of.marks_by_component) {
    sumfac::view const marks(of.marks, of.nodes, index_t{of.components});
    return std::make_shared<made>(inner(Backend{}, table, of.nodes, marks, options));
  }
  return std::make_shared<made>(inner(Backend{}, table, of.nodes, vector_of(of.marks, of.nodes), options));
}

template <class Scalar, class Backend>
std::shared_ptr<restriction const> make_restriction(numbering const& of)
{
  if (of.bytes == 4) return make_restriction_of<Scalar, Backend>(static_cast<std::int32_t const*>(of.table), of);
  return make_restriction_of<Scalar, Backend>(static_cast<std::int64_t const*>(of.table), of);
}

// Numbers and marks as sumfac::p_levels makes them.
template <class Scalar, class Backend>
std::shared_ptr<restriction const> restriction_on<Scalar, Backend>::at_degree(int degree) const
{
  sumfac::detail::coarse_nodes const coarse(sumfac::host{}, inner.table(),
                                            {inner.table().directions(), inner.table().nodes_1d(), degree + 1});
  numbering of{.elements = elements, .nodes_1d = degree + 1, .nodes = coarse.nodes, .components = components};
  if (coarse.marks.size() > 0) of.marks = coarse.marks.data(), of.marks_by_component = true;
  return make_restriction_of<Scalar, Backend>(coarse.numbers.data(), of);
}

template <class Scalar, class Backend>
auto jacobi_of(matrix_on<Scalar, Backend> const& a)
{
  sumfac::buffer<Scalar, Backend> memory(a.backend(), a.size());
  a.diagonal(vector_of(memory.data(), a.size()));
  return sumfac::jacobi(a.backend(), vector_of<Scalar const>(memory.data(), a.size()));
}

// Conjugate gradients to a tolerance, as multigrid wants them for its last level.
template <class Scalar, class Backend>
class coarse_cg_on final : public preconditioner_on<Scalar, Backend> {
public:
  coarse_cg_on(matrix_parts const& m, double tolerance)
      : kept_(m),
        a_(m),
        jacobi_(jacobi_of(a_)),
        ops_(a_.backend(), a_.size()),
        workspace_(a_.backend(), a_.size()),
        options_{.tolerance = tolerance}
  {
  }

  void apply_there(Scalar const* r, Scalar* z) const override
  {
    auto const x = vector_of(z, size());
    ops_.fill(Scalar{0}, x);
    static_cast<void>(sumfac::cg(a_, vector_of(r, size()), x, jacobi_, options_, sumfac::no_monitor{}, workspace_));
  }
  index_t size() const override { return a_.size(); }
  Backend const& backend() const override { return a_.backend(); }

private:
  matrix_parts kept_;
  matrix_on<Scalar, Backend> a_;
  sumfac::jacobi<Scalar, Backend> jacobi_;
  sumfac::vector_ops<Scalar, Backend> ops_;
  mutable sumfac::cg_workspace<Scalar, Backend> workspace_;
  sumfac::cg_options options_;
};

inline char const* name_of(sumfac::solve_status status)
{
  constexpr char const* names[] = {"converged",    "iterations_done", "not_finite",   "indefinite",
                                   "out_of_range", "diverged",        "not_symmetric"};
  return names[static_cast<int>(status)];
}

// Any preconditioner, as sumfac::cg asks for one.
template <class Scalar, class Backend>
struct applied {
  preconditioner const* by;

  template <class From, class To>
  void apply(From const& r, To const& z) const
  {
    bool const on_device = !is_host<Backend>;
    by->apply({const_cast<Scalar*>(r.data()), on_device}, {z.data(), on_device});
  }
};

template <class Scalar, class Backend>
solve_report solve(matrix_parts const& m, place b_array, place x_array, solve_options const& asked)
{
  matrix_on<Scalar, Backend> const a(m);
  brought<Scalar, Backend> b_there(a.backend(), b_array, a.size(), true), x_there(a.backend(), x_array, a.size(), true);
  auto const b = vector_of<Scalar const>(b_there.data(), a.size());
  auto const x = vector_of(x_there.data(), a.size());
  sumfac::cg_options const options{
      .iterations = asked.iterations, .tolerance = asked.tolerance, .absolute = asked.absolute};
  sumfac::solve_result result;
  if (asked.by != nullptr)
    result = sumfac::cg(a, b, x, applied<Scalar, Backend>{asked.by}, options);
  else if (asked.by_jacobi)
    result = sumfac::cg(a, b, x, jacobi_of(a), options);
  else
    result = sumfac::cg(a, b, x, options);
  x_there.bring_back();
  return {name_of(result.status), result.report(),         result.iterations,
          result.residual,        result.initial_residual, static_cast<bool>(result)};
}

template <class Scalar, class Backend>
kind_entry entry_of_kind()
{
  return {kind_of<Scalar, Backend>(), make_restriction<Scalar, Backend>, solve<Scalar, Backend>,
          [](matrix_parts const& m, double tolerance) {
            return std::make_shared<coarse_cg_on<Scalar, Backend>>(m, tolerance);
          }};
}

}  // namespace sumfac_python
