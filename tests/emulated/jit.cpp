// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a device does of an operator that is compiled at run time, on an emulated one: the factors that it sets up, and
// the kernel that it makes, whose places of u and v a launch fills in.
#include "device.hpp"

#include <sumfac/form/weak.hpp>
#include <sumfac/jit/detail/device_code.hpp>
#include <sumfac/jit/detail/device_unit.hpp>
#include <sumfac/operator/element_operator.hpp>

#include <catch2/catch.hpp>
#include <support/random.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

namespace {

namespace jit = sumfac::jit;

constexpr int N = 2, n = N + 1, E = 7, m = 3;

// As text becomes it: weak("(k*grad(u), grad(v)) + c*u*v + x[0]*u*v"), k by element.
struct of_form {
  SUMFAC_FUNCTION static auto made(jit::detail::given_values const& given)
  {
    constexpr sumfac::weak::trial_function<1> u{};
    constexpr sumfac::weak::test_function<1> v{};
    auto const k = sumfac::weak::coefficient(given.table<sumfac::extents<sumfac::dynamic_extent>>(0));
    auto const c = sumfac::weak::coefficient(given.number(0));
    return sumfac::weak::integrate(dot(k * grad(u), grad(v)) + c * u * v +
                                   sumfac::weak::component<0>(sumfac::weak::x) * u * v);
  }
};

}  // namespace

TEST_CASE("jit: a device sets up factors and its kernel, and has what the host has")
{
  using unit = jit::detail::device_unit<sumfac::hip::runtime, of_form, sumfac::space{N}, sumfac::gauss<N + 2>, double>;
  std::vector<double> nodes, k;
  support::generator next(11);
  for (int e = 0; e < E; ++e) {
    k.push_back(1.5 + next());
    for (int node = 0; node < m * m * m; ++node)
      for (int d = 0; d < 3; ++d) nodes.push_back(node / (d == 0 ? 1 : d == 1 ? m : m * m) % m + 0.1 * next());
  }
  std::vector<double> const numbers{0.75};
  jit::detail::array table{.data = k.data(), .rank = 1};
  table.extents[0] = E;

  long double const places[] = {-1, 0, 1};
  auto const rule = jit::detail::rule_table({.space = N}, N + 2, m, places);
  REQUIRE(rule.size() == (N + 2) * (2 * m + 1));
  jit::detail::device_facts facts;
  long long refused = E;
  jit::detail::device_parts parts;
  parts.given.nodes = nodes.data();
  parts.given.elements = E;
  parts.given.mesh_nodes_1d = m;
  parts.given.numbers = numbers.data();
  parts.given.tables = &table;
  parts.rule = rule.data();
  parts.facts = &facts;
  parts.refused = &refused;
  unit::make(parts);
  REQUIRE(facts.kernel_bytes == sizeof(unit::kernel));
  auto const groups = (E + facts.lanes - 1) / facts.lanes;
  std::vector<double> factors(static_cast<std::size_t>(groups * facts.group_bytes) / sizeof(double), -1.0);
  std::vector<char> bytes(sizeof(unit::kernel));
  parts.factors = factors.data();
  parts.kernel = bytes.data();
  unit::make(parts);
  auto const set_up = [&] {  // by one thread, after whatever was launched before
    blockIdx = threadIdx = {0, 0, 0};
    blockDim = gridDim = {1, 1, 1};
    unit::set_up(parts);
  };
  set_up();
  CHECK(refused == E);

  std::vector<double> u(E * n * n * n), v(u.size()), expected(u.size());
  for (double& x : u) x = next();
  double const* const from = u.data();
  double* const to = v.data();
  std::memcpy(bytes.data() + facts.place_of_u, &from, sizeof from);
  std::memcpy(bytes.data() + facts.place_of_v, &to, sizeof to);
  alignas(unit::kernel) unsigned char memory[sizeof(unit::kernel)];
  std::memcpy(memory, bytes.data(), sizeof memory);
  sumfac::hip const backend;
  backend.launch(*reinterpret_cast<unit::kernel const*>(memory), groups);
  backend.synchronize();

  auto const form = of_form::made(jit::detail::given_values{&parts.given});
  sumfac::element_operator<std::remove_const_t<decltype(form)>, N> const A{
      sumfac::host(1), sumfac::view(nodes.data(), E, m, m, m, 3), form};
  A.apply(sumfac::view(u.data(), E, n, n, n), sumfac::view(expected.data(), E, n, n, n));
  double largest = 0, off = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    largest = std::max(largest, std::abs(expected[i]));
    off = std::max(off, std::abs(v[i] - expected[i]));
  }
  CHECK(largest > 0);
  CHECK(off <= 100 * std::numeric_limits<double>::epsilon() * largest);

  // An element that is turned inside out is named.
  for (int node = 0; node < m * m * m; ++node) nodes[static_cast<std::size_t>((4 * m * m * m + node) * 3)] *= -1;
  set_up();
  CHECK(refused == 4);
}
