// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Stokes' equations in the plane by the Taylor-Hood pair: velocities of degree N, pressures of degree N - 1, MINRES.
#include "taylor_hood.hpp"

#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

// The flow of the stream function a(x) a(y), a(t) = t^2 (1 - t)^2, which rests on the boundary, and its pressure.
double a(double t, int derivative)
{
  switch (derivative) {
    case 0: return t * t * (1 - t) * (1 - t);
    case 1: return 2 * t - 6 * t * t + 4 * t * t * t;
    case 2: return 2 - 12 * t + 12 * t * t;
    default: return -12 + 24 * t;
  }
}
double velocity(int c, double x, double y)
{
  return c == 0 ? a(x, 0) * a(y, 1) : -a(x, 1) * a(y, 0);
}
double pressure(double x, double y)
{
  return x * x * x - y * y * y;
}
double force(int c, double x, double y)
{
  return c == 0 ? -(a(x, 2) * a(y, 1) + a(x, 0) * a(y, 3)) + 3 * x * x
                : a(x, 3) * a(y, 0) + a(x, 1) * a(y, 2) - 3 * y * y;
}

// Where a vertex goes: those in the middle are moved.
void moved_inside(double a, double b, double* xy)
{
  double const bump = 0.4 * a * (1 - a) * b * (1 - b);
  xy[0] = a + bump * std::cos(3 * b), xy[1] = b + bump * std::sin(3 * a);
}

struct errors {
  double velocity, pressure;
  long long iterations;
};

template <int Degree>
errors solve(int cells)
{
  constexpr int n = Degree + 1;
  square const mesh(cells, moved_inside);
  sumfac::host const backend;
  auto const numbers_of_u = mesh.table(Degree), numbers_of_p = mesh.table(Degree - 1);
  auto const walls = mesh.boundary(Degree);
  sumfac::index_t const nodes = mesh.nodes_of(Degree), nodes_of_p = mesh.nodes_of(Degree - 1);
  // [operators]
  sumfac::view const vertices(mesh.vertices.data(), mesh.elements, 2, 2, 2);
  sumfac::view const table_of_u(numbers_of_u.data(), mesh.elements, n, n);
  sumfac::view const table_of_p(numbers_of_p.data(), mesh.elements, n - 1, n - 1);
  sumfac::restriction const of_u{backend, table_of_u, nodes, sumfac::view(walls.data(), nodes), {.components = 2}};
  sumfac::restriction const of_p{backend, table_of_p, nodes_of_p};
  sumfac::element_operator<sumfac::vector_laplace<2>, sumfac::quadrilateral(Degree)> const K{backend, vertices};
  sumfac::element_operator<divergence, taylor_hood<Degree>> const B{backend, vertices};
  // [operators]
  sumfac::element_operator<sumfac::vector_mass<2>, sumfac::quadrilateral(Degree)> const M{backend, vertices};
  sumfac::element_operator<sumfac::mass, sumfac::quadrilateral(Degree - 1)> const M_p{backend, vertices};
  sumfac::restriction const all_of_u{backend, table_of_u, nodes, {.components = 2}};

  auto const size = static_cast<std::size_t>(of_u.size() + of_p.size()),
             of_velocity = static_cast<std::size_t>(of_u.size());
  std::vector<double> f(of_velocity), b(size), x(size), d(size), exact(size), error(size), weighted(size);
  auto const velocities = [&](std::vector<double>& v) { return whole_vector(v.data(), of_u.size()); };
  auto const pressures = [&](std::vector<double>& v) { return whole_vector(v.data() + of_u.size(), of_p.size()); };
  auto const xy = mesh.places(Degree), xy_of_p = mesh.places(Degree - 1);
  for (std::size_t at = 0; at < of_velocity; ++at) {
    int const c = static_cast<int>(at % 2);
    f[at] = force(c, xy[at - at % 2], xy[at - at % 2 + 1]);
    exact[at] = velocity(c, xy[at - at % 2], xy[at - at % 2 + 1]);
  }
  for (std::size_t at = 0; at < xy_of_p.size() / 2; ++at)
    exact[of_velocity + at] = pressure(xy_of_p[2 * at], xy_of_p[2 * at + 1]);
  M.apply(all_of_u, whole_vector(f.data(), of_u.size()), velocities(b));
  for (std::size_t at = 0; at < of_velocity; ++at)
    if (walls[at / 2]) b[at] = 0;
  K.diagonal(of_u, velocities(d));
  M_p.diagonal(of_p, pressures(d));

  stokes<decltype(K), decltype(B), decltype(of_u)> const A{K, B, of_u, of_p};
  sumfac::view const right(b.data(), A.size()), solution(x.data(), A.size()), diagonal(d.data(), A.size());
  auto const result = sumfac::minres(A, right, solution, sumfac::jacobi(backend, diagonal),
                                     {.iterations = 20000, .tolerance = 1e-11});
  if (result.status != sumfac::solve_status::converged) std::printf("%s\n", result.report().c_str());

  // Pressures are known up to a constant: errors without their mean.
  for (std::size_t at = 0; at < size; ++at) error[at] = x[at] - exact[at];
  M.apply(all_of_u, velocities(error), velocities(weighted));
  M_p.apply(of_p, pressures(error), pressures(weighted));
  double of_u_squared = 0, of_p_squared = 0, mean = 0;
  for (std::size_t at = 0; at < size; ++at) {
    (at < of_velocity ? of_u_squared : of_p_squared) += error[at] * weighted[at];
    if (at >= of_velocity) mean += weighted[at];
  }
  return {std::sqrt(of_u_squared), std::sqrt(of_p_squared - mean * mean), static_cast<long long>(result.iterations)};
}

template <int Degree>
bool show()
{
  errors const coarse = solve<Degree>(4), fine = solve<Degree>(8);
  double const order = std::log2(coarse.velocity / fine.velocity),
               order_of_p = std::log2(coarse.pressure / fine.pressure);
  std::printf("Q%d-Q%d  %10.3e  %5.2f  %10.3e  %5.2f  %6lld\n", Degree, Degree - 1, fine.velocity, order, fine.pressure,
              order_of_p, fine.iterations);
  return order > Degree + 1 - 0.3 && order_of_p > Degree - 0.3;
}

}  // namespace

int main()
{
  std::printf("pair    velocity  order    pressure  order  MINRES\n");
  bool right = show<2>();
  right = show<3>() && right;
  right = show<4>() && right;
  return right ? 0 : 1;
}
