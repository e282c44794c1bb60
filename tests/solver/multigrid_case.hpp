// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation on boxes for multigrid: operator, restriction and right side on a mesh of any shape.
#pragma once

#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/multigrid.hpp>

#include <operator/problems.hpp>

#include <dofs/global_vectors.hpp>

#include <cmath>
#include <vector>

namespace checks {

// The essential boundary is the box's; numbers of nodes are in random order, or as they lie with seed 0.
template <class Operator>
struct box_problem {
  using scalar = typename Operator::scalar_type;
  using backend_type = typename Operator::backend_type;
  static constexpr int order = Operator::order;

  template <class Map>
  box_problem(mesh::counts counts, Map const& map, std::uint64_t seed = 3, sumfac::restriction_options options = {},
              typename Operator::form_type const& form = {}, backend_type const& here = {})
      : backend(here),
        shape(mesh::mapped(mesh::box(counts), map)),
        numbered{mesh::numbered(counts, order, seed), Operator::components},
        a(backend, nodes(), form),
        r(make_restriction(options)),
        b(support::random<scalar>(numbered.size(), 5))
  {
    for (std::size_t i = 0; i < b.size(); ++i)
      if (numbered.constrained_entries(options.components_lie)[i]) b[i] = 0;
  }

  auto nodes() const { return nodes_view(shape); }

  backend_type backend;
  mesh::nodes shape;
  restricted_mesh numbered;
  Operator a;
  sumfac::restriction<scalar, backend_type> r;
  std::vector<scalar> b;

private:
  auto make_restriction(sumfac::restriction_options const& options)
  {
    numbered.marks.assign(numbered.size(), 0);
    for (auto const node : numbered.numbers.boundary)
      for (int c = 0; c < Operator::components; ++c)
        numbered.marks[static_cast<std::size_t>(node * Operator::components + c)] = 1;
    return numbered.template restriction<scalar>(backend, options);
  }
};

// The same without a boundary's conditions, in a box that meets itself or in one that does not.
template <class Operator>
struct free_problem {
  using scalar = typename Operator::scalar_type;
  using backend_type = typename Operator::backend_type;

  free_problem(mesh::counts counts, bool periodic, backend_type const& here = {})
      : backend(here),
        shape(mesh::mapped(mesh::box(counts), mesh::smooth{})),
        numbered{mesh::numbered(counts, Operator::order, 3, {periodic, periodic, periodic}), Operator::components},
        a(backend, nodes()),
        r(numbered.template restriction<scalar>(backend, {})),
        l(a, r),
        b(support::random<scalar>(numbered.size(), 5))
  {
  }

  auto nodes() const { return nodes_view(shape); }

  backend_type backend;
  mesh::nodes shape;
  restricted_mesh numbered;
  Operator a;
  sumfac::restriction<scalar, backend_type> r;
  sumfac::global_operator<Operator, sumfac::restriction<scalar, backend_type>> l;
  std::vector<scalar> b;
};

template <class T>
double mean_of(std::vector<T> const& x)
{
  double sum = 0;
  for (T const entry : x) sum += static_cast<double>(entry);
  return sum / static_cast<double>(x.size());
}

template <class T>
double inner_product(std::vector<T> const& x, std::vector<T> const& y)
{
  long double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += static_cast<long double>(x[i]) * static_cast<long double>(y[i]);
  return static_cast<double>(sum);
}

// How far (P r, s) is from (r, P s), over |P r| |s|, for vectors of the problem's free entries.
template <class Preconditioner, class Problem>
double lack_of_symmetry(Preconditioner const& p, Problem const& problem)
{
  using scalar = typename Problem::scalar;
  auto r = problem.b, s = support::random<scalar>(r.size(), 99);
  for (std::size_t i = 0; i < s.size(); ++i)
    if (r[i] == 0) s[i] = 0;
  std::vector<scalar> pr(r.size()), ps(r.size());
  p.apply(global_view(std::as_const(r)), global_view(pr));
  p.apply(global_view(std::as_const(s)), global_view(ps));
  return std::abs(inner_product(pr, s) - inner_product(r, ps)) / std::sqrt(inner_product(pr, pr) * inner_product(s, s));
}

}  // namespace checks
