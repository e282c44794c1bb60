// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation on a mesh and its space, for multigrid over meshes.
#pragma once

#include "multigrid_case.hpp"

#include <sumfac/dofs/function_space.hpp>

#include <support/unknowns.hpp>

#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

namespace checks {

// Not finite where an entry is not, or where lengths differ.
inline double largest_difference(std::vector<double> const& a, std::vector<double> const& b)
{
  double most = a.size() == b.size() ? 0 : HUGE_VAL;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    if (double const d = std::abs(a[i] - b[i]); !(d <= most) && most == most) most = d;  // NaN stays
  return most;
}

// A mesh and a space's numbers, as the oracle has them.
template <int D>
reference::unknowns unknowns_of(sumfac::mesh<D> const& mesh, int degree, std::vector<std::int64_t> const& table)
{
  return {{D, reference::gauss_lobatto(mesh.nodes_1d()), {mesh.data(), mesh.data() + mesh.size()}},
          reference::gauss_lobatto(degree + 1),
          table};
}
template <int D>
reference::unknowns unknowns_of(sumfac::function_space<D> const& V)
{
  auto const table = V.table();
  return unknowns_of(V.mesh(), V.degree(), {table.data(), table.data() + table.size()});
}

// Poisson's equation on a mesh, 0 where `fixed` says.
template <class Operator, int D, int C>
struct poisson {
  using scalar = double;

  poisson(sumfac::mesh<D, C> const& on, std::vector<sumfac::element_side> const& fixed,
          typename Operator::form_type const& form = {})
      : mesh(on),
        space(mesh, Operator::order, fixed),
        a(backend, mesh, form),
        r(space.restriction(backend)),
        l(a, r),
        b(space.load([](auto const& x) { return 1 + x[0]; }))
  {
  }

  using backend_type = typename Operator::backend_type;  // host or checked
  using restriction_type = sumfac::restriction<double, backend_type>;

  backend_type backend;
  sumfac::mesh<D, C> mesh;
  sumfac::function_space<D, C> space;
  Operator a;
  restriction_type r;
  sumfac::global_operator<Operator, restriction_type> l;
  std::vector<double> b;
};

template <class Problem, class Preconditioner>
int iterations(Problem const& p, Preconditioner const& preconditioner, sumfac::cg_options const& options = {})
{
  std::vector<double> x(p.b.size()), y(p.b.size());
  auto const result = sumfac::cg(p.l, p.b, x, preconditioner, options);
  INFO(result.report());
  CHECK(result.status == sumfac::solve_status::converged);
  p.l.apply(x, y);
  CHECK(largest_difference(y, p.b) <= 1e-7);
  return int(result.iterations);
}

// Whether two restrictions are of the same nodes, each numbered in its way, with the same marks.
template <class First, class Second>
bool same_nodes(First const& a, Second const& b)
{
  auto const &one = a.table(), &other = b.table();
  std::map<index_t, index_t> there, back;
  for (index_t e = 0; e < one.elements(); ++e)
    for (index_t p = 0; p < one.nodes_of_element(); ++p) {
      index_t const i = one(e, p), j = other(e, p);
      if (there.emplace(i, j).first->second != j || back.emplace(j, i).first->second != i) return false;
      for (int c = 0; c < one.components(); ++c)
        if (one.constrained(i, c) != other.constrained(j, c)) return false;
    }
  return one.elements() == other.elements() && one.nodes() == other.nodes();
}

}  // namespace checks
