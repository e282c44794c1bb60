// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Discontinuous functions in time: values at nodes, and what the terms within elements and between them do.
#pragma once

#include "runge_kutta.hpp"

#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

// f(x), a vector of components, at the nodes, which are those of a mesh of as many.
template <int Dim, class Function>
std::vector<double> at_nodes(sumfac::mesh<Dim> const& box, Function const& f)
{
  std::vector<double> u;
  auto const nodes = box.size() / box.elements() / Dim;
  for (sumfac::index_t e = 0; e < box.elements(); ++e)
    for (int c = 0; c < decltype(f(sumfac::vector<double, Dim>{}))::size; ++c)
      for (sumfac::index_t p = 0; p < nodes; ++p) {
        sumfac::vector<double, Dim> x;
        for (int d = 0; d < Dim; ++d) x[d] = box.data()[(e * nodes + p) * Dim + d];
        u.push_back(f(x)[c]);
      }
  return u;
}

inline double difference(std::vector<double> const& a, std::vector<double> const& b)
{
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(squares / double(a.size()));
}

// A vector's entries as elements have them, (E, C, n, ..., n).
template <int Dim>
auto of_elements(double* entries, sumfac::index_t elements, int components, int n)
{
  if constexpr (Dim == 3)
    return sumfac::view(entries, elements, components, n, n, n);
  else
    return sumfac::view(entries, elements, components, n, n);
}

// u at the time `end` of u' = -M^-1 (A u + F u), by so many steps.
template <int Order, int Dim, class Within, class Between>
void carry(sumfac::mesh<Dim> const& box, Within const& within, Between const& between, std::vector<double>& u,
           double end, int steps)
{
  constexpr auto space = sumfac::space(Order, Dim);
  constexpr int n = Order + 1;
  // [rate]
  sumfac::host const backend;
  sumfac::element_operator<Within, space, sumfac::gauss<n>> const A{backend, box, within};
  sumfac::interior_operator<Between, space, sumfac::gauss<n>> const F{backend, box, between};
  sumfac::sum const terms{A, F};
  sumfac::inverse_mass<space> const inverse{backend, box};
  auto const rate = [&](std::vector<double> const& from, std::vector<double>& r) {
    terms.apply(from, r);
    auto const v = of_elements<Dim>(r.data(), box.elements(), A.components, n);  // (E, C, n, n), (E, C, n, n, n)
    inverse.apply(v, v);
    for (double& x : r) x = -x;
  };
  // [rate]
  advance(u, end / steps, steps, rate);
}
