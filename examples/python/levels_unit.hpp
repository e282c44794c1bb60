// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Multigrid between two degrees, of any problem; what solves on the coarser one may be the next pair. CMake writes a
// source for each pair.
#pragma once

#include "on_backend.hpp"

#include <sumfac/solver/level.hpp>
#include <sumfac/solver/multigrid.hpp>
#include <sumfac/solver/transfer.hpp>

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

  explicit level_on(matrix_parts const& m) : matrix_(m) {}

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

template <int Fine, int Coarse, class Scalar, class Backend>
class level_pair_on final : public preconditioner_on<Scalar, Backend> {
  using fine_level = level_on<Fine, Scalar, Backend>;
  using coarse_level = level_on<Coarse, Scalar, Backend>;
  using levels = sumfac::levels<fine_level, coarse_level>;

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
        cycle_(levels(fine_level(of.fine), coarse_level(of.coarse)), {.smoother = {.degree = of.chebyshev}},
               next{static_cast<preconditioner_on<Scalar, Backend> const*>(of.solver.get())})
  {
  }

  static levels_entry entry()
  {
    return {kind_of<Scalar, Backend>(), Fine, Coarse,
            [](level_pair const& of) { return std::make_shared<level_pair_on>(of); }};
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
