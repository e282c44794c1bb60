// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Discontinuous Galerkin: Poisson's equation with interior penalties, by CG with multigrid; a pulse that the wind
// turns, and a vortex of Euler's equations, in time; the orders that refinement shows.
//
// usage: discontinuous_galerkin [DISK.msh]
// With a mesh of Gmsh's, of a disk of radius 1, it solves Poisson's equation there.
#include "bent_square.hpp"
#include "gas.hpp"
#include "in_time.hpp"
#include "orders.hpp"

#include <sumfac/interop/gmsh.hpp>
#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

constexpr double pi = 3.14159265358979323846;

using sumfac::both_sides, sumfac::face_mapping, sumfac::point_values;
using point = sumfac::vector<double, 2>;
using one = sumfac::vector<double, 1>;

// [sip]
// -{n . grad u} [v] - [u] {n . grad v} + {penalty / h} [u] [v] between elements, and u = 0 on the boundary.
struct interior_penalty {
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = sumfac::value | sumfac::gradient;

  template <class T, int Dim>
  struct factors {
    sumfac::vector<T, Dim> in, out;  // half the derivative along the normal out of `in`
    T penalty;
  };
  template <class T, int Dim>
  factors<T, Dim> setup(both_sides<face_mapping<T, Dim>> const& x) const
  {
    T const half = x.in.measure() / 2;
    return {x.in.normal_derivative() * half, x.out.normal_derivative() * -half,
            penalty * half * (1 / x.in.height() + 1 / x.out.height())};
  }
  template <class T, int Dim>
  SUMFAC_FUNCTION both_sides<point_values<T, 1, Dim>> apply(factors<T, Dim> const& f,
                                                            point_values<T, 1, Dim> const& in,
                                                            point_values<T, 1, Dim> const& out) const
  {
    T const jump = in.value - out.value;
    T const flux = f.penalty * jump - dot(f.in, in.gradient) - dot(f.out, out.gradient);
    return {{.value = flux, .gradient = f.in * -jump}, {.value = -flux, .gradient = f.out * -jump}};
  }
  template <class T, int Dim>
  SUMFAC_FUNCTION point_values<T, 1, Dim> exterior(factors<T, Dim> const&, point_values<T, 1, Dim> const& in) const
  {
    auto out = continued(in);
    out.value = -out.value;
    return out;
  }

  double penalty = 10;
};
// [sip]

// [on paper]
auto interior_penalty_on_paper()
{
  using namespace sumfac::weak;
  return integrate_faces(-dot(average(grad(u)), n) * jump(v) - jump(u) * dot(average(grad(v)), n) +
                             10 / h * jump(u) * jump(v),
                         fixed());
}
// [on paper]

// [upwind]
// div(a u) by parts, a the wind that turns around the origin: what is carried within elements, and through faces from
// where the wind comes; nothing comes in through the boundary.
struct wind {
  static constexpr auto trial = sumfac::value, test = sumfac::gradient;

  template <class T, int Dim>
  struct factors {
    sumfac::vector<T, Dim> carried;
  };
  template <class T>
  factors<T, 2> setup(sumfac::mapping<T, 2> const& x) const
  {
    auto const p = x.position();
    return {x.inverse() * sumfac::vector<T, 2>{-p[1], p[0]} * x.measure()};
  }
  template <class T>
  SUMFAC_FUNCTION point_values<T, 1, 2> apply(factors<T, 2> const& f, point_values<T, 1, 2> const& u) const
  {
    return {.gradient = f.carried * -u.value};
  }
};
struct upwind {
  static constexpr auto trial = sumfac::value, test = sumfac::value;

  template <class T>
  struct factors {
    T through;  // out of `in`
  };
  template <class T>
  factors<T> setup(both_sides<face_mapping<T, 2>> const& x) const
  {
    auto const p = x.in.position();
    return {dot(x.in.normal(), sumfac::vector<T, 2>{-p[1], p[0]}) * x.in.measure()};
  }
  template <class T>
  SUMFAC_FUNCTION both_sides<point_values<T, 1, 2>> apply(factors<T> const& f, point_values<T, 1, 2> const& in,
                                                          point_values<T, 1, 2> const& out) const
  {
    T const flux = f.through * sumfac::select(f.through > 0.0, in.value, out.value);
    return {{.value = flux}, {.value = -flux}};
  }
  template <class T>
  SUMFAC_FUNCTION point_values<T, 1, 2> exterior(factors<T> const&, point_values<T, 1, 2> const&) const
  {
    return {};
  }
};
// [upwind]

// Of -div grad u = f, and u = 0 on the boundary.
template <int Order, class Exact, class Load>
double poisson_error(sumfac::mesh<2> const& box, Exact const& solution, Load const& load, sumfac::index_t& iterations)
{
  constexpr auto space = sumfac::quadrilateral(Order);
  constexpr int n = Order + 1;
  sumfac::host const backend;
  sumfac::element_operator<sumfac::mass, space> const M{backend, box};
  auto const shaped = [&](auto& x) { return sumfac::view(x.data(), box.elements(), n, n); };
  // [functions]
  sumfac::function_space const D{box, Order, {.continuous = false}};      // its vectors are E-vectors
  auto const exact = D.values(solution), f = D.values(load);
  // [functions]
  std::vector<double> b(exact.size()), u(exact.size(), 0);
  M.apply(shaped(f), shaped(b));
  // [matrix]
  sumfac::element_operator<sumfac::laplace, space> const K{backend, box};
  sumfac::interior_operator<interior_penalty, space> const F{backend, box, {4.0 * n * n}};
  sumfac::sum const A{K, F};  // on E-vectors
  // [matrix]
  // [multigrid]
  sumfac::function_space const V{box, Order, box.boundary()};
  auto const R = V.restriction(backend);                                  // of continuous functions, 0 on the boundary
  sumfac::multigrid const P{sumfac::p_levels<Order, 1>(A, K, box, R)};    // A, and behind it K of degrees Order and 1
  sumfac::solve_result const result = sumfac::cg(A, b, u, P, {.tolerance = 1e-8});
  // [multigrid]
  if (!result || result.iterations > iterations) iterations = result ? result.iterations : 1000;
  return difference(u, exact);
}

// A product of sines on a square.
template <int Order>
double sines_error(sumfac::mesh<2> const& square, sumfac::index_t& iterations)
{
  auto const sines = [](double factor) {
    return [factor](point const& x) { return factor * std::sin(pi * x[0]) * std::sin(pi * x[1]); };
  };
  return poisson_error<Order>(square, sines(1), sines(2 * pi * pi), iterations);
}

// Meshes that hang: 4 x 4 elements of which those in a corner are cut, and then, for more cells, all of them.
sumfac::mesh<2> cut_in_a_corner(int cells, int order)
{
  // [hanging]
  auto const mesh = sumfac::refine(bent_square(4, order), {0, 1, 4, 5});
  // [hanging]
  return cells == 2 ? mesh : sumfac::refined(mesh);
}

// On a disk of radius 1, a mesh of Gmsh's, which is refined once.
bool solves_on_disk(char const* file)
{
  auto const disk = sumfac::refined(sumfac::gmsh::read<2>(file), 1);
  sumfac::index_t iterations = 0;
  double const error = poisson_error<3>(
      disk, [](point const& x) { return (1 - dot(x, x)) * (1 + x[0]); },
      [](point const& x) { return 4 + 8 * x[0]; }, iterations);
  std::printf("%d elements of a disk: error %.3e, %d iterations with multigrid\n", static_cast<int>(disk.elements()),
              error, static_cast<int>(iterations));
  return error < 1e-4 && iterations <= 10;
}

// Whether what stands on paper is the same.
bool are_one()
{
  constexpr auto space = sumfac::quadrilateral(2);
  auto const box = bent_square(3, 2);
  auto const form = interior_penalty_on_paper();
  sumfac::interior_operator<interior_penalty, space> const F{sumfac::host{}, box};
  sumfac::interior_operator<decltype(interior_penalty_on_paper()), space> const G{sumfac::host{}, box, form};
  auto const u = at_nodes(box, [](point const& x) { return one{std::exp(x[0]) * std::cos(3 * x[1])}; });
  std::vector<double> v(u.size()), w(u.size());
  F.apply(sumfac::view(u.data(), 9, 3, 3), sumfac::view(v.data(), 9, 3, 3));
  G.apply(sumfac::view(u.data(), 9, 3, 3), sumfac::view(w.data(), 9, 3, 3));
  return difference(v, w) < 1e-12;
}

// A pulse that a sixth of a turn carries along.
template <int Order>
double pulse_error(int cells)
{
  auto const box = bent_square(4 * cells, Order);
  auto const pulse = [&](double angle) {
    point const middle{0.3 * std::cos(angle), 0.3 * std::sin(angle)};
    return at_nodes(box, [middle](point const& x) { return one{std::exp(-20 * dot(x - middle, x - middle))}; });
  };
  auto u = pulse(0);
  carry<Order>(box, wind{}, upwind{}, u, pi / 3, 8 * cells * Order);
  return difference(u, pulse(pi / 3));
}

// A vortex in a gas; what is far from it comes in through the boundary.
template <int Order>
double vortex_error(int cells)
{
  auto const box = bent_square(4 * cells, Order);
  double const end = 0.4;
  auto u = at_nodes(box, gas::vortex{});
  carry<Order>(box, gas::within{}, gas::between<gas::vortex>{}, u, end, 5 * cells * Order);
  return difference(u, at_nodes(box, gas::vortex{end}));
}

}  // namespace

int main(int argc, char** argv)
{
  if (argc > 1) return solves_on_disk(argv[1]) ? 0 : 1;
  bool ok = are_one();
  std::puts("Poisson's equation: errors on 4 x 4 and 8 x 8 elements\ndegree      coarse        fine  order");
  sumfac::index_t iterations = 0;
  ok = show_order(2, 0.5, [&](int cells) { return sines_error<2>(bent_square(2 * cells, 2), iterations); }) && ok;
  ok = show_order(3, 0.5, [&](int cells) { return sines_error<3>(bent_square(2 * cells, 3), iterations); }) && ok;
  std::printf("by at most %d iterations with multigrid\n", static_cast<int>(iterations));
  ok = ok && iterations <= 8;
  iterations = 0;
  std::puts("and on meshes that hang, around elements of half the size\ndegree      coarse        fine  order");
  ok = show_order(3, 0.5, [&](int cells) { return sines_error<3>(cut_in_a_corner(cells, 3), iterations); }) && ok;
  std::printf("by at most %d iterations\n", static_cast<int>(iterations));
  ok = ok && iterations <= 9;
  std::puts("A pulse in the wind\ndegree      coarse        fine  order");
  ok = show_order(3, 0.6, pulse_error<3>) && ok;
  std::puts("A vortex in a gas\ndegree      coarse        fine  order");
  ok = show_order(3, 0.6, vortex_error<3>) && ok;
  return ok ? 0 : 1;
}
