// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Stokes' flow in a cavity whose lid moves, by the Taylor-Hood pair of degrees 4 and 3, beside reference values: those
// of the vortices, and velocities along both centre lines.
//
// The lid has velocity 1 up to its corners, where velocities jump and the pressure is not bounded: cells get smaller
// towards the sides. At the two nodes that the lid has in common with a side the velocity is 0.
//
// usage: driven_cavity [VELOCITIES.vtu]
#include "taylor_hood.hpp"

#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

// [reference]
// u on the line x = 1/2 at y = 1/16, 2/16, ..., and v on y = 1/2 at x = 1/16, ... by the method of P. D. Brubeck and
// L. N. Trefethen, Lightning Stokes solver, SIAM J. Sci. Comput. 44 (2022): tests/tools/driven_cavity computes them.
constexpr double u_on_middle[] = {-0.0385275, -0.0695844, -0.0969067, -0.1225956, -0.1474617,
                                  -0.1710671, -0.1915359, -0.2051917, -0.2060894, -0.1855811,
                                  -0.1322092, -0.0324437, 0.1270550,  0.3552283,  0.6511763};
constexpr double v_on_middle[] = {0.0945746, 0.1559886, 0.1826460, 0.1788521, 0.1517845, 0.1089060, 0.0566089};
constexpr double center_of_vortex = 0.7650265, stream_of_vortex = -0.1000763;
constexpr double stream_of_eddy = 2.2275e-6;  // in the lower corners, at (0.03766, 0.03811)
// As https://cats2d.com/moffatt_eddies.html has them, from 300 x 300 elements.
constexpr double published_vortex = -1.0007e-1, published_eddy = 2.227e-6;
// [reference]

// Cells that get smaller towards all sides.
sumfac::vector<double, 2> graded(sumfac::vector<double, 2> const& x)
{
  double const pi = std::acos(-1.0);
  return {(1 - std::cos(pi * x[0])) / 2, (1 - std::cos(pi * x[1])) / 2};
}

// The stream function at (x, y) of velocities at places (P, 2): the integral of u over y from the bottom on, by 128
// pieces of 3 Gauss points.
template <class Velocity>
double stream_function(Velocity const& velocities_at, double x, double y)
{
  constexpr int pieces = 128;
  using rule = sumfac::gauss<3>;
  std::vector<double> places, weights;
  for (int i = 0; i < pieces; ++i)
    for (std::size_t q = 0; q < 3; ++q) {
      places.push_back(x), places.push_back((i + (1 + double(rule::nodes[q])) / 2) * y / pieces);
      weights.push_back(double(rule::weights[q]) / 2 * y / pieces);
    }
  auto const velocities = velocities_at(places);
  double sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) sum += weights[i] * velocities[2 * i];
  return sum;
}

// Where u changes its sign on the line x = 1/2.
template <class Velocity>
double center(Velocity const& velocities_at)
{
  double below = 0.6, above = 0.9;
  for (int step = 0; step < 40; ++step) {
    double const middle = (below + above) / 2;
    (velocities_at({0.5, middle})[0] < 0 ? below : above) = middle;
  }
  return below;
}

struct cavity {
  double center, stream, eddy;  // of the vortex; of the eddies in the lower corners
  double off_u, off_v;          // the greatest errors on the centre lines
  sumfac::index_t unknowns, iterations;
};

template <int Degree>
cavity solve(int cells, char const* vtu)
{
  sumfac::mesh const mesh = sumfac::box_mesh({cells, cells}, graded, 1);
  sumfac::function_space const V{mesh, Degree, mesh.boundary(), {.components = 2}}, Q{mesh, Degree - 1};
  sumfac::host const backend{1};  // a thread: more would wait for each other most of the time
  auto const of_u = V.restriction(backend), all_of_u = V.unconstrained(backend), of_p = Q.restriction(backend);
  sumfac::element_operator<decltype(viscous), sumfac::quadrilateral(Degree)> const K{backend, mesh, viscous};
  sumfac::element_operator<decltype(divergence), taylor_hood<Degree>> const B{backend, mesh, divergence};
  sumfac::element_operator<sumfac::mass, sumfac::quadrilateral(Degree - 1)> const M_p{backend, mesh};

  // [lid]
  // Velocity 1 along the lid, its ends aside; what it gives to the equations of all others goes to the right.
  auto const size = static_cast<std::size_t>(of_u.size() + of_p.size());
  std::vector<double> b(size), x(size), d(size), lid = V.values([](auto const& at) {
    return sumfac::vector<double, 2>{at[1] == 1 && at[0] > 0 && at[0] < 1 ? 1.0 : 0.0, 0};
  });
  lid.resize(size);
  sumfac::block_operator const all{sumfac::global_operator{K, all_of_u}, sumfac::coupling{B, of_p, all_of_u}};
  all.apply(lid, b);
  for (double& entry : b) entry = -entry;
  V.zero_fixed(all.first(b));
  // [lid]
  sumfac::block_operator const A{sumfac::global_operator{K, of_u}, sumfac::coupling{B, of_p, of_u}};
  K.diagonal(of_u, A.first(d));
  M_p.diagonal(of_p, A.second(d));
  auto const result = sumfac::minres(A, b, x, sumfac::jacobi(backend, d), {.iterations = 100000, .tolerance = 1e-9});
  if (result.status != sumfac::solve_status::converged) std::printf("%s\n", result.report().c_str());
  for (std::size_t at = 0; at < size; ++at) x[at] += lid[at];
  if (vtu != nullptr) sumfac::write_vtu(vtu, V, {{"u", whole_vector(x.data(), V.size())}});

  // [points]
  sumfac::locator const search{backend, mesh};
  auto const velocities_at = [&](std::vector<double> const& places) {  // (P, 2) -> (P, 2)
    auto const count = static_cast<sumfac::index_t>(places.size() / 2);
    std::vector<double> u(places.size());
    auto const found = search.locate(sumfac::view(places.data(), count, 2));
    sumfac::evaluator<sumfac::quadrilateral(Degree)> const points{all_of_u, found};
    points.values(whole_vector(x.data(), of_u.size()), sumfac::view(u.data(), count, 2));
    return u;
  };
  // [points]
  double off_u = 0, off_v = 0;
  for (int i = 0; i < 15; ++i)
    off_u = std::max(off_u, std::abs(velocities_at({0.5, (i + 1) / 16.0})[0] - u_on_middle[i]));
  for (int i = 0; i < 7; ++i)
    off_v = std::max(off_v, std::abs(velocities_at({(i + 1) / 16.0, 0.5})[1] - v_on_middle[i]));
  double const y = center(velocities_at);
  return {y, stream_function(velocities_at, 0.5, y), stream_function(velocities_at, 0.03766, 0.03811), off_u, off_v,
          A.size(), result.iterations};
}

}  // namespace

int main(int argc, char** argv)
{
  std::printf("cells  unknowns  MINRES  vortex, y  stream      eddies     u, x = 1/2  v, y = 1/2\n");
  cavity c{};
  for (int const cells : {4, 8, 16}) {
    c = solve<4>(cells, cells == 16 && argc > 1 ? argv[1] : nullptr);
    std::printf("%5d  %8lld  %6lld  %.7f  %.7f  %.3e  %10.1e  %10.1e\n", cells, static_cast<long long>(c.unknowns),
                static_cast<long long>(c.iterations), c.center, c.stream, c.eddy, c.off_u, c.off_v);
  }
  std::printf("reference                %.7f  %.7f  %.3e\n", center_of_vortex, stream_of_vortex, stream_of_eddy);
  std::printf("published                           %.5f    %.3e\n", published_vortex, published_eddy);
  bool const right = c.off_u < 2e-6 && c.off_v < 2e-6 && std::abs(c.center - center_of_vortex) < 1e-6 &&
                     std::abs(c.stream - stream_of_vortex) < 1e-6 && std::abs(c.eddy / stream_of_eddy - 1) < 1e-3;
  return right ? 0 : 1;
}
