// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How far an operator of mixed precision is off the oracle, and what its roundings may do.
#pragma once

#include "policies.hpp"

#include <support/larger.hpp>

#include <sumfac/math/precision.hpp>

namespace checks {

using sumfac::precision;

template <class T>
constexpr double unit = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;

// What a mix of precisions did on the worst of some elements.
struct errors {
  double greatest = 0;         // |v - A u|, per entry
  double of_result = 0;        // of |v - A u| / |v|, per entry, less what double arithmetic may do
  double doubles = 0;          // what is allowed where all is double
  double singles = 0;          // what is allowed where all is single
  double rounded_factors = 0;  // what a rounding of every factor to single may do, at most
  double relative = 0;         // greatest entry of v - A u / greatest entry of A u
  double energy = 0;           // |u'(v - A u)| / u'A u
  double energy_doubles = 0;   // of it, what double arithmetic may do
  double spread = 1;           // of the metric: what a relative error of all factors grows to in the energy, at most
};

// The energy's density is g'G g with G = w det J^-1 J^-T, six numbers each off by u of itself: off by u times
// |g|'|G||g| <= |G|_inf |g|^2 at most, and g'G g >= |g|^2 / |G^-1|_inf. The mass has one number, off by u.
inline double spread(reference::element<> const& element)
{
  real greatest = 1;
  for (auto const& x : element.points()) {
    real metric = 0, inverse = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      real of_metric = 0, of_inverse = 0;
      for (std::size_t b = 0; b < 3; ++b) {
        real g = 0, h = 0;
        for (std::size_t r = 0; r < 3; ++r) {
          g += x.inverse[a][r] * x.inverse[b][r];
          h += x.jacobian[r][a] * x.jacobian[r][b];
        }
        of_metric += std::abs(g);
        of_inverse += std::abs(h);
      }
      metric = std::max(metric, of_metric);
      inverse = std::max(inverse, of_inverse);
    }
    greatest = std::max(greatest, metric * inverse);
  }
  return static_cast<double>(greatest);
}

// Vectors whose entries are no floats, unless they are stored as such.
template <class T>
std::vector<T> random_vector(std::size_t size)
{
  auto const coarse = support::random<double>(size, 3), fine = support::random<double>(size, 4);
  std::vector<T> u(size);
  for (std::size_t i = 0; i < size; ++i) u[i] = static_cast<T>(coarse[i] + 0x1p-30 * fine[i]);
  return u;
}

template <class Operator>
errors measured(mesh::nodes const& mesh, reference::rule const& where, reference::space const& space,
                reference::integrand<> const& form, typename Operator::form_type const& own_form)
{
  using scalar = typename Operator::scalar_type;
  constexpr int n = Operator::nodes_1d, order = Operator::order;
  constexpr std::size_t size = std::size_t{n} * n * n;
  Operator const a(typename Operator::backend_type{}, checks::nodes_view(mesh), own_form);
  auto const u = random_vector<scalar>(size * static_cast<std::size_t>(mesh.elements));
  std::vector<scalar> v(u.size());
  a.apply(checks::vector_view<1>(u.data(), mesh.elements, n), checks::vector_view<1>(v.data(), mesh.elements, n));
  errors worst;
  for (int e = 0; e < mesh.elements; ++e) {
    auto const first = static_cast<std::ptrdiff_t>(size) * e, last = first + static_cast<std::ptrdiff_t>(size);
    std::vector<real> const in(u.begin() + first, u.begin() + last), out(v.begin() + first, v.begin() + last);
    reference::element<> const oracle(space, where, mesh.element(e), form);
    auto const exact = oracle.apply(in);
    double const doubles = reference::allowed<double>(oracle, in, order);
    auto const moduli = oracle.magnitude(in, real(1e30));  // of factors as they are, whatever the mesh's rounding
    worst.doubles = std::max(worst.doubles, doubles);
    worst.singles = std::max(worst.singles, reference::allowed<float>(oracle, in, order));
    real size_of_result = 0, error_of_energy = 0, energy = 0, moduli_of_u = 0, error_of_element = 0;
    for (std::size_t i = 0; i < size; ++i) {
      double const off = std::abs(static_cast<double>(out[i] - exact[i]));
      double const error = off == off ? off : std::numeric_limits<double>::infinity();
      worst.greatest = std::max(worst.greatest, error);
      worst.of_result = std::max(worst.of_result, (error - doubles) / std::abs(static_cast<double>(exact[i])));
      worst.rounded_factors = std::max(worst.rounded_factors, static_cast<double>(moduli[i]) * unit<float>);
      error_of_element = support::larger(error_of_element, real(error));
      size_of_result = support::larger(size_of_result, std::abs(exact[i]));
      error_of_energy += in[i] * (out[i] - exact[i]);
      energy += in[i] * exact[i];
      moduli_of_u += std::abs(in[i]);
    }
    worst.relative = std::max(worst.relative, static_cast<double>(error_of_element / size_of_result));
    worst.energy = std::max(worst.energy, static_cast<double>(std::abs(error_of_energy) / energy));
    worst.energy_doubles = std::max(worst.energy_doubles, doubles * static_cast<double>(moduli_of_u / energy));
    worst.spread = std::max(worst.spread, spread(oracle));
  }
  return worst;
}

template <int N, class Precision, class Backend = sumfac::host, class Policy = sumfac::stored>
errors of_bp35()
{
  auto const where = reference::equispaced(2);
  auto const mesh = mesh::sampled(mesh::jittered({3, 3, 3}, 0.2), N < 9 ? sumfac::native_width<float> + 1 : 3);
  return measured<sumfac::bp35<N, Backend, Precision, Policy>>(mesh, where, reference::collocated(N),
                                                               reference::stiffness(0.3), {.lambda = 0.3});
}

template <int N, class Precision, class Backend = sumfac::host, class Policy = sumfac::stored>
errors of_bp1()
{
  auto const where = reference::equispaced(2);
  auto const mesh = mesh::sampled(mesh::jittered({3, 3, 3}, 0.2), N < 9 ? sumfac::native_width<float> + 1 : 3);
  return measured<sumfac::bp1<N, Backend, Precision, Policy>>(mesh, where, reference::on_gauss(N), reference::mass(),
                                                              {});
}

}  // namespace checks
