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
using place = sumfac::vector<double, 2>;
place velocity(place const& x)
{
  return {a(x[0], 0) * a(x[1], 1), -a(x[0], 1) * a(x[1], 0)};
}
double pressure(place const& x)
{
  return x[0] * x[0] * x[0] - x[1] * x[1] * x[1];
}
place force(place const& at)
{
  auto const [x, y] = at.entries;
  return {-(a(x, 2) * a(y, 1) + a(x, 0) * a(y, 3)) + 3 * x * x, a(x, 3) * a(y, 0) + a(x, 1) * a(y, 2) - 3 * y * y};
}

// Vertices in the middle are moved.
place moved_inside(place const& x)
{
  double const bump = 0.4 * x[0] * (1 - x[0]) * x[1] * (1 - x[1]);
  return {x[0] + bump * std::cos(3 * x[1]), x[1] + bump * std::sin(3 * x[0])};
}

struct errors {
  double velocity, pressure;
  long long iterations;
};

template <int Degree>
errors solve(int cells)
{
  sumfac::host const backend;
  // [operators]
  sumfac::mesh const mesh = sumfac::box_mesh({cells, cells}, moved_inside, 1);
  sumfac::function_space const V{mesh, Degree, mesh.boundary(), {.components = 2}}, Q{mesh, Degree - 1};
  auto const of_u = V.restriction(backend), of_p = Q.restriction(backend);
  sumfac::element_operator<decltype(viscous), sumfac::quadrilateral(Degree)> const K{backend, mesh, viscous};
  sumfac::element_operator<decltype(divergence), taylor_hood<Degree>> const B{backend, mesh, divergence};
  // [operators]
  sumfac::element_operator<sumfac::mass, sumfac::quadrilateral(Degree - 1)> const M_p{backend, mesh};

  auto const size = static_cast<std::size_t>(V.size() + Q.size());
  std::vector<double> b = V.load(force), x(size), d(size);
  b.resize(size);
  // [solve]
  sumfac::block_operator const A{sumfac::global_operator{K, of_u}, sumfac::coupling{B, of_p, of_u}};
  K.diagonal(of_u, A.first(d));
  M_p.diagonal(of_p, A.second(d));
  auto const result = sumfac::minres(A, b, x, sumfac::jacobi(backend, d),
                                     {.iterations = 20000, .tolerance = 1e-11});
  // [solve]
  if (result.status != sumfac::solve_status::converged) std::printf("%s\n", result.report().c_str());

  // Pressures are known up to a constant: errors without their mean.
  auto const u = A.first(x), p = A.second(x);
  double const off = Q.integral(p) - Q.integral(pressure);
  return {V.l2_error(u, velocity), Q.l2_error(p, [&](place const& at) { return pressure(at) + off; }),
          static_cast<long long>(result.iterations)};
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
