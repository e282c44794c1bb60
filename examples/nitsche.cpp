// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's problem with the boundary's values imposed weakly, by Nitsche's method: no entry is constrained. The error
// of the solution, and of its flux through the boundary, and the orders of both.
#include "curved_block.hpp"

#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

// [form]
// -(n . grad u, v) - (u, n . grad v) + penalty / h (u, v) on the faces.
struct nitsche {
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = sumfac::value | sumfac::gradient;

  template <class T, int Dim>
  struct factors {
    sumfac::vector<T, Dim> across;  // n . grad is its product with the reference gradient
    T penalty;
  };

  template <class T, int Dim>
  factors<T, Dim> setup(sumfac::face_mapping<T, Dim> const& x) const
  {
    return {x.normal_derivative() * x.measure(), penalty / x.height() * x.measure()};
  }

  template <class T, int Dim>
  sumfac::point_values<T, 1, Dim> apply(factors<T, Dim> const& f, sumfac::point_values<T, 1, Dim> const& u) const
  {
    return {.value = f.penalty * u.value - dot(f.across, u.gradient), .gradient = f.across * -u.value};
  }

  double penalty = 1;
};
// [form]

// -(u, n . grad v) + penalty / h (u, v): what the boundary's values give to the right side.
struct nitsche_load : nitsche {
  static constexpr auto trial = sumfac::value;

  template <class T, int Dim>
  sumfac::point_values<T, 1, Dim> apply(factors<T, Dim> const& f, sumfac::point_values<T, 1, Dim> const& u) const
  {
    return {.value = f.penalty * u.value, .gradient = f.across * -u.value};
  }
};

// The solution is sin 2x e^y cos z; the load is 4 times that.
template <class Place>
double solution(Place const& x)
{
  return std::sin(2 * x[0]) * std::exp(x[1]) * std::cos(x[2]);
}
sumfac::vector<double, 3> gradient(sumfac::vector<double, 3> const& x)
{
  double const s = std::sin(2 * x[0]), c = std::cos(2 * x[0]), e = std::exp(x[1]);
  return {2 * c * e * std::cos(x[2]), s * e * std::cos(x[2]), -s * e * std::sin(x[2])};
}

// [flux]
// n . grad u less that of the solution at a point, times the root of its area: squares are a norm on the boundary.
struct error_of_flux {
  static constexpr auto trial = sumfac::gradient, test = sumfac::value;
  static constexpr bool linear = false;

  template <class T>
  struct factors {
    sumfac::vector<T, 3> across;
    T exact, root;
  };

  template <class T>
  factors<T> setup(sumfac::face_mapping<T, 3> const& x) const
  {
    return {x.normal_derivative(), dot(x.normal(), gradient(x.position())), std::sqrt(x.measure())};
  }

  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = (dot(f.across, u.gradient) - f.exact) * f.root};
  }
};
// [flux]

struct errors {
  double solution, flux;
};

template <int Degree>
errors solve(int cells)
{
  constexpr int n = Degree + 1;
  constexpr double penalty = 2 * n * n;
  sumfac::mesh const mesh = curved_block(cells, Degree);
  sumfac::function_space const V{mesh, Degree};
  sumfac::host const backend;
  auto const R = V.restriction(backend);
  sumfac::element_operator<sumfac::laplace, Degree> const K{backend, mesh};
  // [faces]
  auto const numbers = sumfac::owner_table(V.table(), mesh.boundary());  // (F, n, n, n)
  auto const places = sumfac::owner_nodes(mesh, mesh.boundary());        // (F, n, n, n, 3)
  auto const count = static_cast<sumfac::index_t>(mesh.boundary().size());
  sumfac::mesh_view const behind(sumfac::view(places.data(), count, n, n, n, 3), mesh.node_set());
  sumfac::restriction const on_faces{backend, sumfac::view(numbers.data(), count, n, n, n), V.nodes()};
  sumfac::face_operator<nitsche, Degree> const B{backend, behind, {.penalty = penalty}};
  sumfac::face_operator<nitsche_load, Degree> const G{backend, behind, {{.penalty = penalty}}};
  // [faces]

  auto const exact = [](auto const& x) { return solution(x); };
  // [solve]
  auto b = V.load([&](auto const& x) { return 4 * exact(x); });          // (f, v)
  auto const g = V.values(exact);
  std::vector<double> u(b.size()), d(b.size());
  auto const as_view = [](auto& v) { return sumfac::view(v.data(), static_cast<sumfac::index_t>(v.size())); };
  G.apply_add(on_faces, as_view(g), as_view(b));                         // - (g, n . grad v) + penalty / h (g, v)
  sumfac::sum const A{sumfac::part{K, R}, sumfac::part{B, on_faces}};
  A.diagonal(d);
  auto const result = sumfac::cg(A, b, u, sumfac::jacobi(backend, d), {.tolerance = 1e-12});
  // [solve]
  if (result.status != sumfac::solve_status::converged) std::printf("%s\n", result.report().c_str());

  // [at points]
  sumfac::face_operator<error_of_flux, Degree> const Q{backend, behind};
  std::vector<double> off(static_cast<std::size_t>(count) * (n + 1) * (n + 1));
  Q.at_points(on_faces, as_view(u), sumfac::view(off.data(), count, n + 1, n + 1));
  // [at points]
  double square = 0;
  for (double const x : off) square += x * x;
  return {V.l2_error(u, exact), std::sqrt(square)};
}

template <int Degree>
bool show()
{
  errors const coarse = solve<Degree>(4), fine = solve<Degree>(8);
  double const order = std::log2(coarse.solution / fine.solution), of_flux = std::log2(coarse.flux / fine.flux);
  std::printf("%6d  %10.3e  %5.2f  %10.3e  %5.2f\n", Degree, fine.solution, order, fine.flux, of_flux);
  return std::abs(order - (Degree + 1)) < 0.2 && std::abs(of_flux - Degree) < 0.2;
}

}  // namespace

int main()
{
  std::printf("degree  solution    order  flux        order\n");
  bool right = show<1>();
  right = show<2>() && right;
  right = show<3>() && right;
  right = show<4>() && right;
  return right ? 0 : 1;
}
