// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
#include "subject.hpp"

#include <operator/mixed_mesh.hpp>
#include <support/flat_mesh.hpp>
#include <support/larger.hpp>
#include <support/numbering.hpp>
#include <support/random.hpp>
#include <support/shapes.hpp>

#include <algorithm>
#include <cmath>

namespace instances {

namespace {

int power(int base, int exponent) { return exponent == 0 ? 1 : base * power(base, exponent - 1); }

}  // namespace

std::vector<instance>& all()
{
  static std::vector<instance> rows;
  return rows;
}

std::vector<property const*>& properties()
{
  static std::vector<property const*> list;
  return list;
}

property::property(std::string const& of_name, std::function<bool(traits const&)> const& predicate)
    : name(of_name), fits(predicate)
{
  properties().push_back(this);
}

void property::check(std::function<void(instance const&)> const& body) const
{
  for (instance const& row : all()) {
    if (!fits(row.about)) continue;
    INFO(row.about.name);
    try {
      body(row);
    } catch (std::exception const& error) {
      FAIL_CHECK("an exception: " << error.what());
    }
  }
}

elements mesh_for(traits const& about, int count, int m)
{
  elements result{count, about.directions, about.coordinates, m, {}};
  bool const affine = about.geometry == "affine", trilinear = about.geometry == "trilinear";
  if (about.directions == 3) {
    auto const where = reference::gauss_lobatto(m);
    auto const mesh = affine      ? mesh::parallelepipeds(count, where, 3)
                      : trilinear ? mesh::sampled(mesh::jittered({3, 3, 3}, 0.2, where), count)
                      : about.geometry == "split"
                          ? mesh::mixed(mesh::random_kinds(count, 5), where)
                          : mesh::sampled(mesh::mapped(mesh::box({3, 2, 2}, where), mesh::smooth{}), count);
    result.numbers = mesh::mapped(mesh, mesh::affine{{1, 1, 1}, 0, 0, 0, {2.5, 3, 2.75}}).coordinates;
  } else {
    double const moved = affine || (trilinear && m > 2) ? 0 : 0.05;
    result.numbers = checks::flat_mesh(count, about.directions, about.coordinates, m, moved).numbers;
    for (double& x : result.numbers) x += 2.75;
  }
  return result;
}

vector random_vector(std::size_t size, unsigned seed) { return support::random<double>(size, seed); }
vector random_from_1_to_2(std::size_t size, unsigned seed)
{
  vector x = random_vector(size, seed);
  for (double& entry : x) entry = 1.5 + std::floor(1024 * entry) / 2048;
  return x;
}

std::size_t entries(traits const& about, reference::function_space const& space)
{
  return static_cast<std::size_t>(space.components * power(space.nodes.size(), about.directions));
}

numbering numbered(traits const& about, reference::function_space const& space, int elements, int every, unsigned seed)
{
  int const nodes = power(space.nodes.size(), about.directions), stride = nodes - nodes / 3;
  numbering result{std::int64_t{elements - 1} * stride + nodes, {}, {}, sumfac::interleaving::fastest};
  auto const names = mesh::shuffled(result.nodes, seed);
  for (int e = 0; e < elements; ++e)
    for (int i = 0; i < nodes; ++i) result.table.push_back(names[static_cast<std::size_t>(e * stride + i)]);
  if (every == 0) return result;
  support::generator next(seed + 1);
  for (std::int64_t i = 0; i < result.nodes * space.components; ++i)
    result.marks.push_back(next.bits() % static_cast<unsigned>(every) == 0);
  result.marks[0] = 1, result.marks[1] = 0;
  return result;
}

double greatest(vector const& x)
{
  double most = 0;
  for (double const entry : x) most = entry == entry ? std::max(most, std::abs(entry)) : HUGE_VAL;
  return most;
}

double dot(vector const& x, vector const& y)
{
  real sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += real(x[i]) * real(y[i]);
  return static_cast<double>(sum);
}

subject::subject(instance const& row, elements const& on, int threads) : about_(row.about), a_(row.make()), mesh_(on)
{
  a_->set_up(mesh_, threads);
  unsigned seed = 100;
  for (auto const& input : about_.inputs)
    inputs_.push_back(random_from_1_to_2(count() * entries(about_, input), seed++));
  if (!inputs_.empty()) a_->keep(inputs_);
}

vector subject::u(unsigned seed) const
{
  return about_.linear ? random_vector(trial_size(), seed) : random_from_1_to_2(trial_size(), seed);
}

exact_element subject::exact(int e) const
{
  std::vector<input_values> values;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    auto const here = part(inputs_[i], e, entries(about_, about_.inputs[i]));
    values.push_back({about_.inputs[i].nodes, about_.inputs[i].components, {here.begin(), here.end()}});
  }
  return {mesh_, e, about_.trial, about_.test, about_.points, a_->exact(), values};
}

exact_element::sums subject::sums(int e) const
{
  int const degree = std::max(about_.trial.nodes.size(), about_.test.nodes.size()) - 1;
  return exact(e).assembled(static_cast<real>(std::sqrt(reference::roundings(degree))));
}

double subject::tolerance() const
{
  int const degree = std::max(about_.trial.nodes.size(), about_.test.nodes.size()) - 1;
  double const once = about_.in_float ? reference::tolerance<float>(degree) : reference::tolerance<double>(degree);
  return about_.directions == 3 && about_.one_space ? once : 4 * once;
}

double subject::allowed(int e, vector const& u, exact_element::sums const& of) const
{
  std::size_t const columns = entries(about_, about_.trial), rows = of.moduli.size() / columns;
  auto const here = part(u, e, columns);
  real most = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    real sum = 0;
    for (std::size_t j = 0; j < columns; ++j) sum += of.moduli[i * columns + j] * std::abs(real(here[j]));
    most = std::max(most, sum);
  }
  return tolerance() * static_cast<double>(most);
}

vector subject::part(vector const& x, int e, std::size_t size)
{
  auto const first = x.begin() + static_cast<std::ptrdiff_t>(size) * e;
  return {first, first + static_cast<std::ptrdiff_t>(size)};
}

void subject::compare(char const* what, int e, vector const& u, vector const& v, bool transposed) const
{
  std::size_t columns = entries(about_, about_.trial), rows = entries(about_, about_.test);
  if (transposed) std::swap(rows, columns);
  auto const of_u = part(u, e, columns), of_v = part(v, e, rows);
  std::vector<real> expected(rows, 0);
  double bound = 0;
  if (about_.linear && !about_.by_differences) {
    auto const of = sums(e);
    for (std::size_t i = 0; i < rows; ++i) {
      real sum = 0;
      for (std::size_t j = 0; j < columns; ++j) {
        std::size_t const at = transposed ? j * rows + i : i * columns + j;
        expected[i] += of.matrix[at] * real(of_u[j]);
        sum += of.moduli[at] * std::abs(real(of_u[j]));
      }
      bound = support::larger(bound, tolerance() * static_cast<double>(sum));
    }
  } else {
    auto const of = exact(e);
    if (transposed) {
      auto const matrix = of.assembled(1).matrix;
      for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) expected[i] += matrix[j * rows + i] * real(of_u[j]);
    } else {
      expected = of.apply({of_u.begin(), of_u.end()});
    }
    for (real const x : expected) bound = support::larger(bound, static_cast<double>(std::abs(x)));
    bound *= about_.in_float ? 2e-5 : 2e-13;
  }
  double error = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    double const off = std::abs(static_cast<double>(real(of_v[i]) - expected[i]));
    error = off == off ? std::max(error, off) : HUGE_VAL;
  }
  INFO(what << ", element " << e << " of " << mesh_.count << ": off by " << error << ", " << error / bound
            << " of what is allowed");
  CHECK(error <= bound);
}

}  // namespace instances
