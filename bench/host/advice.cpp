// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What explain() promises of other geometry, and what it comes to: reaction and diffusion on cubes, a form as users
// write it, without apply_at and with it, by one thread.
//
// Promised is what stored factors' operator is told for a mesh of affine elements and of trilinear ones; reached is the
// median of rounds in which the operators of both ways are timed in turns, by the time that the processor gave.
// usage: advice [UNKNOWNS]
#include "../report/timing.hpp"

#include <sumfac/sumfac.hpp>

#include <sumfac/tools/explain.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using namespace sumfac;

// (k grad u, grad v) + (c u, v)
struct reaction_diffusion {
  static constexpr auto trial = value | gradient, test = value | gradient;

  template <class T>
  struct factors {
    symmetric<T, 3> diffusion;
    T reaction;
  };
  template <class T>
  factors<T> setup(mapping<T> const& x) const
  {
    return {x.metric() * scalar_of<T>(k), scalar_of<T>(c) * x.measure()};
  }
  template <class T>
  point_values<T> apply(factors<T> const& f, point_values<T> const& u) const
  {
    return {.value = f.reaction * u.value, .gradient = f.diffusion * u.gradient};
  }

  double k = 0.5, c = 2;
};

struct with_apply_at : reaction_diffusion {
  template <class Point, class T>
  point_values<T> apply_at(Point const& x, point_values<T> const& u) const
  {
    return {.value = scalar_of<T>(c) * (x.measure() * u.value),
            .gradient = scalar_of<T>(k) * x.metric_times(u.gradient)};
  }
};

// How many times as fast b() is as a().
template <class A, class B>
double reached(A const& a, B const& b)
{
  constexpr int rounds = 11;
  auto const time = [](auto const& run, int count) {
    double const begin = sumfac::bench::processor_seconds();
    for (int i = 0; i < count; ++i) run();
    return (sumfac::bench::processor_seconds() - begin) / count;
  };
  a(), b();
  int const count = std::max(1, static_cast<int>(0.02 / time(a, 2)));
  double ratio[rounds];
  for (double& r : ratio) {
    double const of_a = time(a, count);
    r = of_a / time(b, count);
  }
  std::nth_element(ratio, ratio + rounds / 2, ratio + rounds);
  return ratio[rounds / 2];
}

double promised(explanation const& e, advice_on on)
{
  for (auto const& a : e.what_helps)
    if (a.on == on) return a.gain;
  return 0;  // nothing was
}

template <int Order, class Form, class Policy>
using operator_of = element_operator<Form, Order, gauss<Order + 2>, host, double, Policy>;

template <int Order>
void compare(double unknowns)
{
  constexpr int n = Order + 1;
  host const one_thread{1};
  auto const elements = static_cast<index_t>(unknowns / (Order * Order * Order));
  std::vector<double> corners(static_cast<std::size_t>(elements * 24));
  for (std::size_t i = 0; i < corners.size(); ++i) corners[i] = static_cast<double>(((i / 3) >> (i % 3)) & 1);
  view const cubes(static_cast<double const*>(corners.data()), elements, 2, 2, 2, 3);
  std::vector<double> u(static_cast<std::size_t>(elements * n * n * n), 1), v(u.size());
  using e_vector = extents<dynamic_extent, n, n, n>;
  view<double const, e_vector> const from(u.data(), elements);
  view<double, e_vector> const to(v.data(), elements);

  operator_of<Order, reaction_diffusion, stored> const a{one_thread, cubes};
  auto const of_a = [&] { a.apply(from, to); };
  auto const line = [&](char const* policy, char const* what, double promise, double is) {
    std::printf("%2d %8lld  %-9s %-8s  %8.2f %8.2f  %s\n", Order, static_cast<long long>(sumfac::explain(a).unknowns),
                policy, what, promise, is,
                promise == 0                         ? (is < 1.1 * 1.25 ? "rightly none" : "missed")
                : std::abs(promise / is - 1) <= 0.25 ? "within 25 %"
                                                     : "OFF");
    std::fflush(stdout);
  };
  auto const by = [&]<class Policy>(Policy, char const* name, geometry_class c) {
    explain_options options{.least_gain = 1.1};
    options.classes.assign(static_cast<std::size_t>(elements), c);
    auto const e = sumfac::explain(a, from, to, options);
    operator_of<Order, reaction_diffusion, Policy> const b{one_thread, cubes};
    line(name, "as it is", promised(e, advice_on::geometry), reached(of_a, [&] { b.apply(from, to); }));
    operator_of<Order, with_apply_at, Policy> const d{one_thread, cubes};
    line(name, "apply_at", promised(e, advice_on::form), reached(of_a, [&] { d.apply(from, to); }));
  };
  by(affine{}, "affine", geometry_class::affine);
  by(trilinear{}, "trilinear", geometry_class::trilinear);
}

template <int... Orders>
void compare_all(double unknowns)
{
  std::printf(" N unknowns  geometry  form      promised  reached\n");
  (compare<Orders>(unknowns), ...);
}

}  // namespace

int main(int argc, char** argv)
{
  double const unknowns = argc > 1 ? std::atof(argv[1]) : 1e6;
#if defined(ONLY)
  compare_all<ONLY>(unknowns);
#else
  compare_all<2, 3, 4, 7>(unknowns);
#endif
}
