// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The host's side of tests/device/runtime.cu.
#include "expected.hpp"

#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/dispatch.hpp>

#include <random>
#include <stdexcept>

namespace expected {

using namespace sumfac;

std::vector<double> const& vertices()
{
  static std::vector<double> const all = [] {
    std::mt19937 random(1);
    std::uniform_real_distribution<> jitter(-0.1, 0.1);
    std::vector<double> x;
    for (index_t e = 0; e < elements; ++e)
      for (int vertex = 0; vertex < 8; ++vertex)
        for (int c = 0; c < 3; ++c) x.push_back((vertex >> c & 1) + jitter(random) + static_cast<double>(e));
    return x;
  }();
  return all;
}

// f(A) for the operator of that name and degree.
template <class Function>
std::vector<double> with_operator(std::string const& problem, int order, Function const& f)
{
  view<double const, dextents<5>> const nodes(vertices().data(), elements, 2, 2, 2, 3);
  return dispatch_order<orders<2, 4, 7>>(order, [&]<int Order>() -> std::vector<double> {
    if (problem == "BP1.0") return f(bp1<Order>(host{1}, nodes));
    if (problem == "BP3.0") return f(bp3<Order>(host{1}, nodes));
    if (problem == "BP3.5") return f(bp35<Order>(host{1}, nodes));
    throw std::invalid_argument("expected: no problem " + problem);
  });
}

std::vector<double> apply(std::string const& problem, int order, std::vector<double> const& u)
{
  return with_operator(problem, order, [&](auto const& a) {
    std::vector<double> v(u.size());
    auto const n = a.nodes_1d;
    a.apply(view<double const, dextents<4>>(u.data(), elements, n, n, n),
            view<double, dextents<4>>(v.data(), elements, n, n, n));
    return v;
  });
}

std::vector<double> diagonal(std::string const& problem, int order)
{
  return with_operator(problem, order, [&](auto const& a) {
    auto const n = a.nodes_1d;
    std::vector<double> d(static_cast<std::size_t>(elements * n * n * n));
    a.diagonal(view<double, dextents<4>>(d.data(), elements, n, n, n));
    return d;
  });
}

std::vector<double> matrix(std::string const& problem, int order, index_t element)
{
  return with_operator(problem, order, [&](auto const& a) { return a.element_matrix(element); });
}

}  // namespace expected
