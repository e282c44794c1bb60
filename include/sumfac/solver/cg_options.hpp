// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What conjugate gradients are told, and what they report.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/solver/detail/any_null_space.hpp>

#include <string>

namespace sumfac::SUMFAC_TARGET {

// Stops when |r| <= tolerance |r_0| or |r| <= absolute in the 2-norm, and after `iterations` iterations. r is b - A x
// at the first guess and then the recursion's r - alpha A p, which near rounding becomes smaller than b - A x: where a
// bound of their difference allows that it matters, b - A x is computed anew before the solve ends as `converged`, and
// the iteration goes on from there.
// With tolerance = absolute = 0 it makes exactly `iterations`, unless r vanishes: becomes so small that its square has
// no digits left.
struct cg_options {
  index_t iterations = 1000;
  double tolerance = 1e-8;
  double absolute = 0;
  index_t check_every = 8;  // devices: iterations between two looks at the residual, each of which waits
  bool graph = false;       // devices: what lies between two looks is launched as one, a graph; see gpu_graph
  bool flexible = false;    // cg: P may be another in each iteration, as one with a solver inside is (Notay 2000)
  detail::any_null_space null_space = {};  // a sumfac::null_space of A that b, x and residuals are taken without
};

// How a solve came to its end; only `converged` says that x solves A x = b.
enum class solve_status {
  converged,
  iterations_done,
  not_finite,     // b, the first guess, a result of the operator or the preconditioner, or x has infinities or NaN
  indefinite,     // p . A p or r . P r is not positive: A or the preconditioner is not positive definite
  out_of_range,   // in the course of the solve the residual's square, or p . A p, became too small for the numbers
  diverged,       // the residual's rounding is as large as the first residual: A is singular, and no x solves A x = b
  not_symmetric,  // it did not converge, and for two vectors y . A z is not z . A y
  stagnated,      // the iteration's residual is small and b - A x, computed anew, is not, and does not become so
};

// What the solves inside of a preconditioner came to, as multigrid's on its last level: how many there were, how many
// did not do what they were asked for, and how the last of these ended.
struct inner_solves {
  index_t count = 0, failed = 0;
  solve_status status = solve_status::converged;
  index_t iterations = 0;
  double initial_residual = 0, residual = 0;
  char const* solver = "";
};

// How a solve ended. x is the last iterate; only where the status is not_finite it may have infinities or NaN itself.
struct solve_result {
  solve_status status = solve_status::iterations_done;
  index_t iterations = 0;
  double initial_residual = 0, residual = 0;
  double curvature = 0;         // p . A p of the last iteration
  double product = 0;           // r . P r, where the preconditioner is P
  double forth = 0, back = 0;   // of status not_symmetric y . A z and z . A y
  double recursion = 0;         // of status stagnated the iteration's own residual; `residual` is b - A x
  bool free_constants = false;  // it failed, A takes constants to 0, and nothing is constrained,
  int free_component = -1;      // or nothing in this component; -1: in none
  bool fixed_count = false;     // whether no tolerance was asked for
  char const* solver = "cg";    // merged_cg, gmres, minres
  inner_solves inner = {};      // of the preconditioner, where it has some

  // A sentence for a log or a message.
  std::string report() const { return sentence() + inner_sentence(); }

  // Whether the solve did what it was asked for: converged, or all iterations of a fixed number.
  explicit operator bool() const
  {
    return status == solve_status::converged || (status == solve_status::iterations_done && fixed_count);
  }

private:
  std::string sentence() const
  {
    std::string text = std::string("sumfac::") + solver + ": " + ending();
    if (free_constants)
      text += "; nothing is constrained" +
              (free_component < 0 ? std::string() : " in component " + std::to_string(free_component)) +
              ": constants? A takes them to 0, so that b must have the mean 0: pass .null_space, a "
              "sumfac::null_space{A}, or constrain a node";
    return text;
  }
  std::string ending() const
  {
    auto const n = static_cast<long long>(iterations);
    bool const by_a = product > 0;
    switch (status) {
      case solve_status::converged:
        return detail::formatted("converged in %lld iterations (residual %.3g, %.3g at first)", n, residual,
                                 initial_residual);
      case solve_status::iterations_done:
        return detail::formatted("stopped after %lld iterations (residual %.3g, %.3g at first)", n, residual,
                                 initial_residual);
      case solve_status::not_finite:
        return detail::formatted(
            "a number is not finite in iteration %lld (residual %.3g, p . A p = %.3g): look for infinities "
            "and NaN in b, x, the operator and the preconditioner",
            n, residual, curvature);
      case solve_status::indefinite:
        return detail::formatted("not positive definite in iteration %lld (%s = %.3g, residual %.3g): %s must be", n,
                                 by_a ? "p . A p" : "r . P r", by_a ? curvature : product, residual,
                                 by_a ? "A and the preconditioner" : "the preconditioner P");
      case solve_status::diverged:
        return detail::formatted(
            "diverged in iteration %lld (residual %.3g, %.3g at first): A is singular to these numbers; b "
            "must be 0 where rows of A are, as at nodes of no element",
            n, residual, initial_residual);
      case solve_status::out_of_range:
        return detail::formatted(
            "squares are too small for the numbers in iteration %lld (residual %.3g, %.3g at first, p . A p "
            "= %.3g): scale A, or ask for less",
            n, residual, initial_residual, curvature);
      case solve_status::not_symmetric:
        return detail::formatted(
            "A is not symmetric: not converged in %lld iterations (residual %.3g, %.3g at first; for two "
            "vectors y . A z = %.8g, z . A y = %.8g): only symmetric matrices are solved with",
            n, residual, initial_residual, forth, back);
      case solve_status::stagnated:
        return detail::formatted(
            "stagnated in iteration %lld (residual %.3g by the iteration, of b - A x %.3g, %.3g at first): "
            "rounding allows no more, or no x solves A x = b: ask for less, or compute in double",
            n, recursion, residual, initial_residual);
    }
    return {};
  }
  std::string inner_sentence() const
  {
    if (inner.failed == 0) return {};
    solve_result last;
    last.status = inner.status, last.iterations = inner.iterations, last.solver = inner.solver;
    last.initial_residual = inner.initial_residual, last.residual = inner.residual;
    return std::string(detail::formatted("; of %lld solves inside of the preconditioner %lld failed, the last: ",
                                         static_cast<long long>(inner.count), static_cast<long long>(inner.failed))) +
           last.sentence();
  }
};

// The monitor that is not interested.
struct no_monitor {
  void operator()(index_t, double) const {}
};

}  // namespace sumfac
