// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Heat that leaves through the boundary: -div grad u = f, du/dn + kappa u = g on all sides, and the orders that
// refinement shows.
#include "curved_block.hpp"
#include "orders.hpp"

#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

// kappa (u, v) on a surface or a curve.
struct transfer_term {
  static constexpr auto trial = sumfac::value, test = sumfac::value;

  template <class T>
  struct factors {
    T measure;
  };

  template <class T, int Dim, int Coordinates>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T, Dim, Coordinates> const& x) const
  {
    return {sumfac::scalar_of<T>(kappa) * x.measure()};
  }

  template <class T, int Dim>
  SUMFAC_FUNCTION sumfac::point_values<T, 1, Dim> apply(factors<T> const& f,
                                                        sumfac::point_values<T, 1, Dim> const& u) const
  {
    return {.value = f.measure * u.value};
  }

  double kappa = 1;
};

// The solution, and its gradient, in any numbers.
template <class T>
T solution(T const& x, T const& y, T const& z)
{
  return x * y * (x * x - y * y) + z * z * z * z * sumfac::scalar_of<T>(0.25);
}
template <class T>
sumfac::vector<T, 3> gradient(T const& x, T const& y, T const& z)
{
  auto const three = sumfac::scalar_of<T>(3);
  return {three * x * x * y - y * y * y, x * x * x - three * x * y * y, z * z * z};
}
double load(sumfac::vector<double, 3> const& x)
{
  return -3 * x[2] * x[2];
}

// (n . grad u, v) of the solution u on a surface, for the right side: applied to 1.
struct flux_through {
  static constexpr auto trial = sumfac::value, test = sumfac::value;

  template <class T>
  struct factors {
    T through;
  };

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T, 2, 3> const& x) const
  {
    auto const& at = x.position();
    return {x.weight() * dot(x.scaled_normal(), gradient(at[0], at[1], at[2]))};
  }

  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T, 1, 2> apply(factors<T> const& f, sumfac::point_values<T, 1, 2> const& u) const
  {
    return {.value = f.through * u.value};
  }
};

constexpr double kappa = 2;

template <int Degree>
double solve(int cells)
{
  sumfac::host const backend;
  auto const exact = [](auto const& x) { return solution(x[0], x[1], x[2]); };
  // [faces]
  sumfac::mesh const mesh = curved_block(cells, Degree);
  sumfac::function_space const V{mesh, Degree};
  auto const S = V.on(mesh.boundary());                                   // the same functions on the boundary
  auto const R = V.restriction(backend), on_faces = S.restriction(backend);
  sumfac::element_operator<sumfac::laplace, Degree> const K{backend, mesh};
  sumfac::element_operator<transfer_term, sumfac::surface(Degree)> const B{backend, S.mesh(), {.kappa = kappa}};
  // [faces]

  sumfac::element_operator<flux_through, sumfac::surface(Degree)> const Q{backend, S.mesh()};
  // [load]
  auto b = V.load(load);                                                  // (f, v)
  Q.apply_add(on_faces, std::vector<double>(b.size(), 1), b);             // + (n . grad u, v) on the boundary
  B.apply_add(on_faces, V.values(exact), b);                              // + kappa (u, v)
  // [load]
  // [sum]
  sumfac::sum const A{sumfac::part{K, R}, sumfac::part{B, on_faces}};
  std::vector<double> u(b.size()), d(b.size());
  A.diagonal(d);
  auto const result = sumfac::cg(A, b, u, sumfac::jacobi(backend, d), {.tolerance = 1e-12});
  // [sum]
  if (result.status != sumfac::solve_status::converged) std::printf("%s\n", result.report().c_str());
  return V.l2_error(u, exact);
}

template <int Degree>
bool show()
{
  return show_order(Degree, 0.25, solve<Degree>);
}

}  // namespace

int main()
{
  std::printf("degree   error, h     error, h/2  order\n");
  bool right = show<1>();
  right = show<2>() && right;
  right = show<3>() && right;
  right = show<4>() && right;
  return right ? 0 : 1;
}
