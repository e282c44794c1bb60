// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
#include "oracle.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace instances {

namespace {

std::size_t at(std::ptrdiff_t i) { return static_cast<std::size_t>(i); }
int power(int base, int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

// What flat_element keeps for those that derive from it.
struct tools : reference::flat_element {
  using flat_element::basis, flat_element::flat_element, flat_element::place;
};

// The greatest sum of moduli in a row.
real norm(std::vector<std::vector<real>> const& a)
{
  real greatest = 0;
  for (auto const& row : a) {
    real sum = 0;
    for (real const x : row) sum += std::abs(x);
    greatest = std::max(greatest, sum);
  }
  return greatest;
}

// Values and slopes of all basis functions at a point: (nodes, 1 + D).
std::vector<real> bases(tools const& of, rule const& nodes, int directions, std::vector<real> const& xi)
{
  std::vector<real> result;
  for (int i = 0; i < power(nodes.size(), directions); ++i)
    for (int d = -1; d < directions; ++d) result.push_back(of.basis(nodes, i, xi, d));
  return result;
}

}  // namespace

elements elements::part(int first, int last) const
{
  auto const size = static_cast<std::ptrdiff_t>(element_size());
  return {last - first, directions, coordinates, m, {numbers.begin() + first * size, numbers.begin() + last * size}};
}

elements elements::scaled(double h) const
{
  elements result = *this;
  for (double& x : result.numbers) x *= h;
  return result;
}

exact_element::exact_element(elements const& mesh, int element, reference::function_space const& trial,
                             reference::function_space const& test, rule const& points, integrand const& form,
                             std::vector<input_values> const& inputs)
    : directions_(mesh.directions),
      coordinates_(mesh.coordinates),
      trial_components_(trial.components),
      test_components_(test.components),
      form_(form)
{
  tools const of(directions_, coordinates_, {}, {}, points);
  auto const where = reference::gauss_lobatto(mesh.m);
  double const* const x = mesh.numbers.data() + at(element) * mesh.element_size();
  for (int q = 0; q < power(points.size(), directions_); ++q) {
    auto const xi = of.place(points, q);
    point p{{element, q, std::vector<real>(at(coordinates_), 0), {}}, 1, {}, 0};
    std::vector<std::vector<real>> jacobian(at(coordinates_), std::vector<real>(at(directions_), 0)), moduli = jacobian;
    auto const on_mesh = bases(of, where, directions_, xi);
    for (std::size_t i = 0; i < on_mesh.size() / at(1 + directions_); ++i)
      for (std::size_t c = 0; c < at(coordinates_); ++c) {
        real const x_c = x[i * at(coordinates_) + c];
        real const* const phi = &on_mesh[i * at(1 + directions_)];
        p.at.position[c] += phi[0] * x_c;
        for (std::size_t d = 0; d < at(directions_); ++d) {
          jacobian[c][d] += phi[1 + d] * x_c;
          moduli[c][d] += std::abs(phi[1 + d] * x_c);
        }
      }
    auto const [root, inverse] = reference::invert(jacobian);
    p.weight = root;
    for (int d = 0, rest = q; d < directions_; ++d, rest /= points.size())
      p.weight *= points.weights[at(rest % points.size())];
    p.inverse = inverse;
    p.condition = norm(inverse) * norm(moduli);
    for (input_values const& input : inputs)
      p.at.inputs.push_back(field_at(bases(of, input.nodes, directions_, xi), input.components, input.values, p));
    points_.push_back(p);
    trial_.push_back(bases(of, trial.nodes, directions_, xi));
    test_.push_back(bases(of, test.nodes, directions_, xi));
  }
}

flat_field exact_element::field_at(std::vector<real> const& basis, int components, std::vector<real> const& u,
                                   point const& x) const
{
  auto const d_count = at(directions_), nodes = basis.size() / (1 + d_count);
  flat_field field{std::vector<real>(at(components), 0),
                   std::vector<std::vector<real>>(at(components), std::vector<real>(at(coordinates_), 0))};
  for (std::size_t c = 0; c < at(components); ++c)
    for (std::size_t i = 0; i < nodes; ++i) {
      real const entry = u[c * nodes + i];
      field.value[c] += entry * basis[i * (1 + d_count)];
      for (std::size_t d = 0; d < d_count; ++d)
        for (std::size_t r = 0; r < at(coordinates_); ++r)
          field.gradient[c][r] += entry * basis[i * (1 + d_count) + 1 + d] * x.inverse[d][r];
    }
  return field;
}

std::vector<real> exact_element::apply(std::vector<real> const& u) const
{
  auto const d_count = at(directions_), nodes = test_[0].size() / (1 + d_count);
  std::vector<real> v(at(test_components_) * nodes, 0);
  for (std::size_t q = 0; q < points_.size(); ++q) {
    point const& x = points_[q];
    flat_field const tested = form_(x.at, field_at(trial_[q], trial_components_, u, x));
    for (std::size_t c = 0; c < at(test_components_); ++c)
      for (std::size_t i = 0; i < nodes; ++i) {
        real const* const phi = &test_[q][i * (1 + d_count)];
        real sum = phi[0] * tested.value[c];
        for (std::size_t d = 0; d < d_count; ++d)
          for (std::size_t r = 0; r < at(coordinates_); ++r)
            sum += phi[1 + d] * x.inverse[d][r] * tested.gradient[c][r];
        v[c * nodes + i] += x.weight * sum;
      }
  }
  return v;
}

exact_element::sums exact_element::assembled(real depth) const
{
  std::size_t const of_point = at(1 + directions_);
  std::size_t const trial_nodes = trial_[0].size() / of_point, test_nodes = test_[0].size() / of_point;
  std::size_t const rows = at(test_components_) * test_nodes, columns = at(trial_components_) * trial_nodes;
  sums result{std::vector<real>(rows * columns, 0), std::vector<real>(rows * columns, 0)};
  for (std::size_t q = 0; q < points_.size(); ++q) {
    point const& x = points_[q];
    for (std::size_t b = 0; b < at(trial_components_) * of_point; ++b) {
      // A function whose value, or one of whose reference slopes, is 1.
      std::size_t const of_u = b / of_point;
      flat_field unit{std::vector<real>(at(trial_components_), 0),
                      std::vector<std::vector<real>>(at(trial_components_), std::vector<real>(at(coordinates_), 0))};
      if (b % of_point == 0)
        unit.value[of_u] = 1;
      else
        unit.gradient[of_u] = x.inverse[b % of_point - 1];
      flat_field const tested = form_(x.at, unit);
      for (std::size_t a = 0; a < at(test_components_) * of_point; ++a) {
        std::size_t const of_v = a / of_point;
        real factor = a % of_point == 0 ? tested.value[of_v] : 0;
        if (a % of_point != 0)
          for (std::size_t r = 0; r < at(coordinates_); ++r)
            factor += x.inverse[a % of_point - 1][r] * tested.gradient[of_v][r];
        factor *= x.weight;
        if (factor == 0) continue;
        real const larger = 1 + x.condition / depth;
        for (std::size_t i = 0; i < test_nodes; ++i) {
          real const with = factor * test_[q][i * of_point + a % of_point];
          std::size_t const row = (of_v * test_nodes + i) * columns + of_u * trial_nodes;
          for (std::size_t j = 0; j < trial_nodes; ++j) {
            real const term = with * trial_[q][j * of_point + b % of_point];
            result.matrix[row + j] += term;
            result.moduli[row + j] += larger * std::abs(term);
          }
        }
      }
    }
  }
  return result;
}

}  // namespace instances
