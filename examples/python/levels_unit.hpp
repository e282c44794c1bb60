// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Multigrid between two degrees, of any problem; what solves on the coarser one may be the next pair. CMake writes a
// source for each pair, and one for function spaces of all degrees.
#pragma once

#include "on_backend.hpp"

#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/level.hpp>
#include <sumfac/solver/multigrid.hpp>
#include <sumfac/solver/transfer.hpp>

#include <cstddef>
#include <vector>

namespace sumfac_python {

// A level as sumfac::levels asks for, of an operator that is known by its interface.
template <int Order, class Scalar, class Backend>
class level_on {
public:
  using scalar_type = Scalar;
  using backend_type = Backend;
  using matrix_type = matrix_on<Scalar, Backend>;
  using restriction_type = typename matrix_type::restriction_type;
  static constexpr int order = Order;

  level_on(matrix_parts const& m, level_pair const&) : matrix_(m) {}

  matrix_type const& matrix() const { return matrix_; }
  matrix_type const& element_operator() const { return matrix_; }  // which is asked for its number of elements
  restriction_type const& restriction() const { return matrix_.restriction(); }
  Backend const& backend() const { return matrix_.backend(); }
  index_t size() const { return matrix_.size(); }

  auto make_jacobi() const
  {
    sumfac::buffer<Scalar, Backend> memory(backend(), size());
    matrix_.diagonal(vector_of(memory.data(), size()));
    return sumfac::jacobi(backend(), vector_of<Scalar const>(memory.data(), size()));
  }
  template <class Coarser>
  auto make_transfer(Coarser const&, restriction_type const& coarse) const
  {
    return sumfac::transfer<Order, Coarser::order, Scalar, Backend>(restriction(), coarse);
  }

private:
  matrix_type matrix_;
};

// Prolongation and its transpose by tables of the run, as a cycle of sumfac::multigrid asks for them.
template <class Scalar>
class transfer_by_tables {
  using restriction_type = sumfac::restriction<Scalar, sumfac::host>;

public:
  // What hangs is set by others, and read from them: it has no value of its own.
  transfer_by_tables(restriction_type const& fine, restriction_type const& coarse, element_transfer const& between)
      : fine_(fine.without_rows()), coarse_(coarse.backend(), coarse), between_(&between)
  {
    auto const& table = fine_.inner.table();
    weights_.resize(static_cast<std::size_t>(fine_.inner.size()));
    std::vector<double> count(static_cast<std::size_t>(fine.nodes()));
    for (index_t e = 0; e < fine.elements(); ++e)
      for (index_t p = 0; p < table.nodes_of_element(); ++p) ++count[static_cast<std::size_t>(table(e, p))];
    for (index_t i = 0; i < fine.size(); ++i) {
      index_t const node = fine.node_of(i);
      double const elements = count[static_cast<std::size_t>(node)];
      if (elements > 0 && !table.constrained(node, fine.component_of(i)))
        weights_[static_cast<std::size_t>(i)] = Scalar{1} / static_cast<Scalar>(elements);
    }
    at_fine_.resize(static_cast<std::size_t>(fine_.e_entries()));
    at_coarse_.resize(static_cast<std::size_t>(coarse_.e_entries()));
  }

  index_t fine_entries() const { return fine_.inner.size(); }
  index_t coarse_entries() const { return coarse_.inner.size(); }
  Scalar const* weights() const { return weights_.data(); }
  // y = P^T r, r having been multiplied by the weights, and then a body on y.
  template <class... Body>
  void restrict_weighted(Scalar const* r, Scalar* y, Body const&... body) const
  {
    fine_.gather_there(r, at_fine_.data());
    between_->to_coarse(at_fine_.data(), at_coarse_.data(), blocks());
    coarse_.scatter_there(at_coarse_.data(), y);
    sumfac::detail::pass_runner const passes(fine_.inner.backend(), coarse_entries());
    (passes.run(coarse_entries(), body), ...);
  }
  // y = y + P x
  void add_prolonged(Scalar const* x, Scalar* work, Scalar* y) const
  {
    coarse_.gather_there(x, at_coarse_.data());
    between_->to_fine(at_coarse_.data(), at_fine_.data(), blocks());
    fine_.scatter_there(at_fine_.data(), work);
    for (std::size_t i = 0; i < weights_.size(); ++i) y[i] += weights_[i] * work[i];
  }

private:
  index_t blocks() const { return fine_.elements * fine_.components; }

  restriction_on<Scalar, sumfac::host> fine_, coarse_;
  element_transfer const* between_;
  std::vector<Scalar> weights_;
  mutable std::vector<Scalar> at_fine_, at_coarse_;
};

// A level of a function space: `Order` tells the finer one of two from the other.
template <int Order>
class space_level : public level_on<Order, double, sumfac::host> {
  using above = level_on<Order, double, sumfac::host>;

public:
  space_level(matrix_parts const& m, level_pair const& of) : above(m, of), between_(of.between.get()) {}

  template <class Coarser>
  auto make_transfer(Coarser const&, typename above::restriction_type const& coarse) const
  {
    return transfer_by_tables<double>(this->restriction(), coarse, *between_);
  }

private:
  element_transfer const* between_;
};

template <class Fine, class Coarse>
class level_pair_on final : public preconditioner_on<typename Fine::scalar_type, typename Fine::backend_type> {
  using Scalar = typename Fine::scalar_type;
  using Backend = typename Fine::backend_type;
  using levels = sumfac::levels<Fine, Coarse>;

  struct next {
    preconditioner_on<Scalar, Backend> const* solver;

    template <class From, class To>
    void operator()(From const& r, To const& z) const
    {
      solver->apply_there(r.data(), z.data());
    }
  };

public:
  explicit level_pair_on(level_pair const& of)
      : of_(of),
        cycle_(levels(Fine(of.fine, of), Coarse(of.coarse, of)), {.smoother = {.degree = of.chebyshev}},
               next{static_cast<preconditioner_on<Scalar, Backend> const*>(of.solver.get())})
  {
  }

  static levels_entry entry()
  {
    return {kind_of<Scalar, Backend>(), Fine::order, Coarse::order,
            [](level_pair const& of) { return std::make_shared<level_pair_on>(of); }};
  }
  static space_levels_entry entry_of_spaces()
  {
    return {[](level_pair const& of) { return std::make_shared<level_pair_on>(of); }};
  }

  void apply_there(Scalar const* r, Scalar* z) const override
  {
    cycle_.apply(vector_of(r, size()), vector_of(z, size()));
  }
  index_t size() const override { return cycle_.size(); }
  Backend const& backend() const override { return cycle_.levels().finest().backend(); }

private:
  level_pair of_;  // what the cycle refers to
  sumfac::multigrid<levels, sumfac::chebyshev, next> cycle_;
};

}  // namespace sumfac_python
