// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Waves in first order by discontinuous Galerkin with upwind fluxes: sound between walls and in a curved duct, and
// light in a cavity of metal; orders, and energies that do not grow.
//
// usage: waves [DUCT.vtu LIGHT.vtu]
#include "flows.hpp"
#include "in_time.hpp"
#include "orders.hpp"

#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

using sumfac::vector;

constexpr double pi = 3.14159265358979323846;

// The unit square, or cube, bent within.
template <int Dim>
sumfac::mesh<Dim> bent_box(int cells, int order)
{
  auto const place = [](vector<double, Dim> const& x) {
    double bend = 0.03;
    for (int d = 0; d < Dim; ++d) bend *= std::sin(2 * pi * x[d]);
    auto y = x;
    for (int d = 0; d < Dim; ++d) y[d] += d % 2 == 0 ? bend : -bend;
    return y;
  };
  if constexpr (Dim == 3)
    return sumfac::box_mesh({cells, cells, cells}, place, order);
  else
    return sumfac::box_mesh({cells, cells}, place, order);
}

// A standing wave of sound between four walls.
struct standing_sound {
  double time = 0;

  vector<double, 3> operator()(vector<double, 2> const& x) const
  {
    double const k = pi, w = std::sqrt(2.0) * k, at = std::sin(w * time) * k / w;
    double const c[] = {std::cos(k * x[0]), std::cos(k * x[1])}, s[] = {std::sin(k * x[0]), std::sin(k * x[1])};
    return {c[0] * c[1] * std::cos(w * time), s[0] * c[1] * at, c[0] * s[1] * at};
  }
};

// Light that stands in a cube of metal: the lowest wave that varies along all directions.
struct standing_light {
  double time = 0;

  vector<double, 6> operator()(vector<double, 3> const& x) const
  {
    double const w = std::sqrt(3.0) * pi, e = std::cos(w * time), h = -1.5 * pi / w * std::sin(w * time);
    double c[3], s[3];
    for (int d = 0; d < 3; ++d) c[d] = std::cos(pi * x[d]), s[d] = std::sin(pi * x[d]);
    return {-0.5 * e * c[0] * s[1] * s[2], -0.5 * e * s[0] * c[1] * s[2], e * s[0] * s[1] * c[2],
            h * s[0] * c[1] * c[2],        -h * c[0] * s[1] * c[2],       0};
  }
};

// Component c of u as elements have it.
template <int Order, int Dim>
auto component(sumfac::mesh<Dim> const& box, std::vector<double>& u, int c)
{
  auto const nodes = box.size() / Dim;
  auto const shaped = of_elements<Dim>(u.data(), box.elements(), int(u.size()) / int(nodes), Order + 1);
  if constexpr (Dim == 3)
    return slice(shaped, sumfac::all, c, sumfac::all, sumfac::all, sumfac::all);
  else
    return slice(shaped, sumfac::all, c, sumfac::all, sumfac::all);
}

// The energy of all components, twice.
template <class System, int Order, int Dim>
double energy(sumfac::mesh<Dim> const& box, std::vector<double> u)
{
  sumfac::element_operator<sumfac::mass, sumfac::space(Order, Dim), sumfac::gauss<Order + 1>> const M{sumfac::host{},
                                                                                                     box};
  std::vector<double> v(u.size());
  for (int c = 0; c < System::components; ++c) M.apply(component<Order>(box, u, c), component<Order>(box, v, c));
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) sum += u[i] * v[i];
  return sum;
}

// Carries u through time in parts; whether its energy never grows, and falls to no less than `kept` of what it was.
template <class System, int Order, int Dim>
bool keeps_energy(sumfac::mesh<Dim> const& box, std::vector<double>& u, double end, int steps, double kept)
{
  constexpr int parts = 4;
  double const first = energy<System, Order>(box, u);
  double last = first;
  bool grows = false;
  for (int part = 0; part < parts; ++part) {
    carry<Order>(box, flows::within<System>{}, flows::between<System>{}, u, end / parts, steps / parts);
    double const now = energy<System, Order>(box, u);
    grows = grows || now > last;
    last = now;
  }
  return !grows && last > kept * first;
}

// An error at a time, of an exact solution.
template <class System, int Order, int Dim, class Exact>
double error_of(Exact const& exact, double end, int cells, double kept, bool& keeps)
{
  auto const box = bent_box<Dim>(cells, Order);
  auto u = at_nodes(box, Exact{});
  keeps = keeps_energy<System, Order>(box, u, end, 2 * Order * cells, kept) && keeps;
  return difference(u, at_nodes(box, exact));
}

// Component c as a function that is continuous: what elements have at a node, the mean of it.
template <int Order, int Dim>
void write(char const* file, sumfac::mesh<Dim> const& box, std::vector<double> u, int c)
{
  sumfac::function_space const V{box, Order};
  auto const R = V.restriction(sumfac::host{});
  std::vector<double> ones(u.size(), 1), sums(std::size_t(V.nodes())), counts(sums.size());
  R.scatter(component<Order>(box, u, c), sumfac::view(sums.data(), V.nodes()));
  R.scatter(component<Order>(box, ones, c), sumfac::view(counts.data(), V.nodes()));
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] /= counts[i];
  sumfac::write_vtu(file, V, {{"u", sums}});
}

// [duct]
// A duct that goes straight, a quarter round, and straight.
sumfac::mesh<2> duct(int cells)
{
  auto const place = [](vector<double, 2> const& x) {
    double const s = (3 * x[0] - 1) * pi / 2, r = 0.6 + 0.8 * x[1], angle = std::clamp(s, 0.0, pi / 2);
    return vector<double, 2>{r * std::sin(angle) + std::min(s, 0.0), r * std::cos(angle) - std::max(s - pi / 2, 0.0)};
  };
  return sumfac::box_mesh({12 * cells, 3 * cells}, place, 3);
}
// [duct]

// A pulse of sound that goes round the bend.
bool goes_round(int cells, char const* file)
{
  auto const box = duct(cells);
  auto u = at_nodes(box, [](vector<double, 2> const& x) {
    double const p = std::exp(-20 * (x[0] + 1) * (x[0] + 1));
    return vector<double, 3>{p, p, 0};
  });
  bool const keeps = keeps_energy<flows::sound<2>, 3>(box, u, 3.0, 120 * cells, 0.8);
  if (file != nullptr) write<3>(file, box, u, 0);
  return keeps;
}

bool lights_up(char const* file)
{
  auto const box = bent_box<3>(4, 2);
  auto u = at_nodes(box, standing_light{});
  bool const keeps = keeps_energy<flows::maxwell, 2>(box, u, 0.4, 24, 0.98);
  if (file != nullptr) write<2>(file, box, u, 2);
  return keeps;
}

}  // namespace

int main(int argc, char** argv)
{
  constexpr double end = 0.4;
  bool keeps = true;
  std::puts("degree      coarse        fine  order");
  bool ok = show_order(3, 0.5, [&](int cells) {
    return error_of<flows::sound<2>, 3, 2>(standing_sound{end}, end, 2 * cells, 0.99, keeps);
  });
  ok = show_order(2, 0.6, [&](int cells) {
    return error_of<flows::maxwell, 2, 3>(standing_light{end}, end, cells, 0.8, keeps);
  }) && ok;
  keeps = goes_round(argc > 2 ? 2 : 1, argc > 2 ? argv[1] : nullptr) && keeps;
  if (argc > 2) keeps = lights_up(argv[2]) && keeps;
  std::printf("energies %s\n", keeps ? "do not grow" : "grow, or fall by much");
  return ok && keeps ? 0 : 1;
}
