// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// explain(P) of multigrid: what its levels are, what works on each, and what an application of each matrix moves.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/solver/multigrid.hpp>

#include <cstdio>
#include <string>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

// What works on a level, in words.
template <class Works>
std::string text_of_smoother(Works const& works)
{
  char text[120] = "a smoother of another kind";
  if constexpr (requires {
                  works.options().degree;
                  works.largest();
                })
    std::snprintf(text, sizeof text, "Chebyshev's polynomial of degree %d, for eigenvalues up to %.3g",
                  works.options().degree, works.largest());
  return text;
}
template <class Level, class Coarse>
std::string text_of_smoother(coarse_solve<Level, Coarse> const& works)
{
  if constexpr (std::is_same_v<Coarse, coarse_cg>) return "conjugate gradients with Jacobi's preconditioner";
  if constexpr (std::is_same_v<Coarse, coarse_chebyshev>)
    return "Chebyshev's polynomial for all eigenvalues, of degree " + std::to_string(works.degree());
  if constexpr (std::is_same_v<Coarse, coarse_gmres>) return "GMRES";
  if constexpr (requires { works.text(); }) return works.text();
  return "a solver of your own";
}

}  // namespace detail

// A line for each level, from the finest to the coarsest, and one for all.
template <class Levels, class Smoother, class Coarse>
std::string explain(multigrid<Levels, Smoother, Coarse> const& p)
{
  std::string lines;
  double total = 0;
  int count = 0, counted = 0;
  p.for_each_level([&](auto const& level, auto const& works) {
    using level_type = std::remove_cvref_t<decltype(level)>;
    char line[200];
    std::snprintf(line, sizeof line, "  degree %d, %lld elements, %lld unknowns in %s, ", level_type::order,
                  static_cast<long long>(level.restriction().elements()), static_cast<long long>(level.size()),
                  sizeof(typename level_type::scalar_type) == sizeof(float) ? "float" : "double");
    lines += line;
    if constexpr (requires { level.matrix().element_operator().work(); }) {  // not of sums
      auto const bytes = static_cast<double>(level.matrix().element_operator().work().bytes());
      std::snprintf(line, sizeof line, "%.3g MB an application; ", bytes / 1e6);
      lines += line;
      total += bytes;
      ++counted;
    }
    lines += detail::text_of_smoother(works) + "\n";
    ++count;
  });
  std::string const which =
      counted == count ? "whose matrices" : "the matrices of " + std::to_string(counted) + " of which";
  char first[120];
  std::snprintf(first, sizeof first, "multigrid of %d levels, %s move %.3g MB together\n", count, which.c_str(),
                total / 1e6);
  return first + lines;
}

}  // namespace sumfac
