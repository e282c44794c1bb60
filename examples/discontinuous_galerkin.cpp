// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Discontinuous Galerkin: Poisson's equation with interior penalties, by CG, and a pulse that the wind turns, in time;
// the orders that refinement shows.
#include "orders.hpp"

#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

constexpr double pi = 3.14159265358979323846;

using sumfac::both_sides, sumfac::face_mapping, sumfac::point_values;

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

// The square [-1, 1]^2, bent within.
sumfac::mesh<2> bent_square(int cells, int order)
{
  auto const place = [](sumfac::vector<double, 2> const& x) {
    double const bend = 0.06 * std::sin(2 * pi * x[0]) * std::sin(2 * pi * x[1]);
    return sumfac::vector<double, 2>{2 * (x[0] + bend) - 1, 2 * (x[1] - bend) - 1};
  };
  return sumfac::box_mesh({cells, cells}, place, order);
}

// f at the nodes, which are those of a mesh of as many.
template <class Function>
std::vector<double> at_nodes(sumfac::mesh<2> const& box, Function const& f)
{
  std::vector<double> u;
  for (sumfac::index_t i = 0; i < box.size(); i += 2) u.push_back(f(box.data()[i], box.data()[i + 1]));
  return u;
}

double difference(std::vector<double> const& a, std::vector<double> const& b)
{
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(squares / double(a.size()));
}

// [matrix]
// Within elements and between them, on vectors of all their nodes.
template <int Order>
struct poisson_matrix {
  static constexpr auto space = sumfac::quadrilateral(Order);
  static constexpr int n = Order + 1;
  sumfac::element_operator<sumfac::laplace, space> K;
  sumfac::interior_operator<interior_penalty, space> F;

  explicit poisson_matrix(sumfac::mesh<2> const& box)
      : K(sumfac::host{}, box), F(sumfac::host{}, box, {4.0 * n * n})
  {
  }

  template <class From, class To>
  void apply(From const& x, To const& y) const
  {
    sumfac::view const u(x.data(), K.elements(), n, n);
    sumfac::view const v(y.data(), K.elements(), n, n);
    K.apply(u, v);
    F.apply_add(u, v);
  }
  sumfac::index_t size() const { return K.elements() * n * n; }
  sumfac::host const& backend() const { return K.backend(); }
};
// [matrix]

template <int Order>
double poisson_error(int cells)
{
  auto const box = bent_square(cells, Order);
  auto const exact = at_nodes(box, [](double x, double y) { return std::sin(pi * x) * std::sin(pi * y); });
  poisson_matrix<Order> const A(box);
  std::vector<double> f(exact.size()), b(exact.size()), u(exact.size(), 0);
  for (std::size_t i = 0; i < f.size(); ++i) f[i] = 2 * pi * pi * exact[i];
  int constexpr n = Order + 1;
  sumfac::element_operator<sumfac::mass, sumfac::quadrilateral(Order)> const M{sumfac::host{}, box};
  M.apply(sumfac::view(f.data(), box.elements(), n, n), sumfac::view(b.data(), box.elements(), n, n));
  sumfac::cg(A, sumfac::view(b.data(), A.size()), sumfac::view(u.data(), A.size()),
             {.iterations = 2000, .tolerance = 1e-8});
  return difference(u, exact);
}

// [runge-kutta]
// Steps of u' = rate(u) by the five stages of order 4 of Carpenter and Kennedy (NASA TM 109112), with a vector beside.
template <class Rate>
void advance(std::vector<double>& u, double dt, int steps, Rate const& rate)
{
  constexpr double a[] = {0, -567301805773.0 / 1357537059087, -2404267990393.0 / 2016746695238,
                          -3550918686646.0 / 2091501179385, -1275806237668.0 / 842570457699};
  constexpr double b[] = {1432997174477.0 / 9575080441755, 5161836677717.0 / 13612068292357,
                          1720146321549.0 / 2090206949498, 3134564353537.0 / 4481467310338,
                          2277821191437.0 / 14882151754819};
  std::vector<double> change(u.size(), 0), r(u.size());
  for (int step = 0; step < steps; ++step)
    for (int stage = 0; stage < 5; ++stage) {
      rate(u, r);
      for (std::size_t i = 0; i < u.size(); ++i) {
        change[i] = a[stage] * change[i] + dt * r[i];
        u[i] += b[stage] * change[i];
      }
    }
}
// [runge-kutta]

// Whether what stands on paper is the same.
bool are_one()
{
  constexpr auto space = sumfac::quadrilateral(2);
  auto const box = bent_square(3, 2);
  auto const form = interior_penalty_on_paper();
  sumfac::interior_operator<interior_penalty, space> const F{sumfac::host{}, box};
  sumfac::interior_operator<decltype(interior_penalty_on_paper()), space> const G{sumfac::host{}, box, form};
  auto const u = at_nodes(box, [](double x, double y) { return std::exp(x) * std::cos(3 * y); });
  std::vector<double> one(u.size()), other(u.size());
  F.apply(sumfac::view(u.data(), 9, 3, 3), sumfac::view(one.data(), 9, 3, 3));
  G.apply(sumfac::view(u.data(), 9, 3, 3), sumfac::view(other.data(), 9, 3, 3));
  return difference(one, other) < 1e-12;
}

// A pulse that a sixth of a turn carries along.
template <int Order>
double pulse_error(int cells)
{
  constexpr auto space = sumfac::quadrilateral(Order);
  constexpr int n = Order + 1;
  double const end = pi / 3;
  auto const box = bent_square(4 * cells, Order);
  auto const pulse = [&](double angle) {
    return at_nodes(box, [angle](double x, double y) {
      double const dx = x - 0.3 * std::cos(angle), dy = y - 0.3 * std::sin(angle);
      return std::exp(-20 * (dx * dx + dy * dy));
    });
  };
  // [rate]
  sumfac::host const backend;
  sumfac::element_operator<wind, space, sumfac::gauss<n>> const A{backend, box};
  sumfac::interior_operator<upwind, space, sumfac::gauss<n>> const F{backend, box};
  sumfac::inverse_mass<space> const inverse{backend, box};
  auto const rate = [&](std::vector<double> const& u, std::vector<double>& r) {
    sumfac::view const from(u.data(), box.elements(), n, n);
    sumfac::view const to(r.data(), box.elements(), n, n);
    A.apply(from, to);
    F.apply_add(from, to);
    inverse.apply(to, to);
    for (double& x : r) x = -x;
  };
  // [rate]
  auto u = pulse(0);
  int const steps = 8 * cells * Order;
  advance(u, end / steps, steps, rate);
  return difference(u, pulse(end));
}

}  // namespace

int main()
{
  bool ok = are_one();
  std::puts("Poisson's equation: errors on 4 x 4 and 8 x 8 elements\ndegree      coarse        fine  order");
  ok = show_order(2, 0.5, [](int cells) { return poisson_error<2>(2 * cells); }) && ok;
  ok = show_order(3, 0.5, [](int cells) { return poisson_error<3>(2 * cells); }) && ok;
  std::puts("A pulse in the wind\ndegree      coarse        fine  order");
  ok = show_order(3, 0.6, pulse_error<3>) && ok;
  return ok ? 0 : 1;
}
