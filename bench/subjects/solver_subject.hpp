// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The catalogue of the solver benchmark: problems at a degree, the operators' types hidden behind it.
#pragma once

#include "cycle_clock.hpp"

#include <sumfac/config.hpp>

#include <memory>
#include <string>
#include <vector>

namespace sumfac::bench {

struct solver_request {
  std::string mesh;
  double dofs = 0;  // wanted
  int threads = 0;  // OpenMP's choice where 0
  int chebyshev = 3;
  int schwarz = 2;    // degree of the polynomials over Schwarz
  bool flat = false;  // multigrid's levels in the degree alone
};

// What one set-up of a solver and one solve, from x = 0 to a residual of 1e-8 of the first, took.
struct solver_run {
  index_t iterations = 0;
  bool converged = false;
  double setup_seconds = 0, solve_seconds = 0;
  int chebyshev = 0;    // degree of multigrid's smoothers
  cycle_seconds cycle;  // of multigrid
};

// A problem on a mesh: everything is there but the preconditioners.
class solver_instance {
public:
  virtual ~solver_instance() = default;
  virtual index_t elements() const = 0;
  virtual index_t dofs() const = 0;
  // Seconds to number the nodes, and to make the restriction and the operator.
  virtual double problem_seconds() const = 0;
  // Seconds of one of `count` applications of the operator.
  virtual double operator_seconds(int count) = 0;
  virtual solver_run run(std::string const& solver) = 0;
  // The error of the last solution in the norm of L2, over the norm of what is right.
  virtual double error() const = 0;
};

struct solver_subject {
  std::string problem;  // "BPS5"
  int order;
  std::vector<std::string> solvers;
  std::unique_ptr<solver_instance> (*make)(solver_request const&);
};

inline std::vector<solver_subject>& solver_catalogue()
{
  static std::vector<solver_subject> all;
  return all;
}

struct solver_entered {
  explicit solver_entered(solver_subject const& one) { solver_catalogue().push_back(one); }
};

}  // namespace sumfac::bench
