// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Functions of tetrahedra as tables, whose sizes the compiler knows, or which are known at run time alone, in turns:
// the Laplacian and the mass on one thread, in cache and out of it. Medians of nine turns.
#include "../report/timing.hpp"
#include "../subjects/tetrahedra.hpp"

#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <cstdio>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

// A tetrahedron's functions and rule as a user's tables.
template <int N, class Rule>
sumfac::tabulated_basis as_tables()
{
  auto const functions = sumfac::detail::basis_of(sumfac::tetrahedron(N)),
             corners = sumfac::detail::basis_of(sumfac::tetrahedron(1));
  std::vector<double> numbers[4], weights;
  auto const put = [&](auto const& basis, auto const& point, auto& values, auto& gradients) {
    std::vector<long double> v(std::size_t(basis.size())), g(3 * v.size());
    basis.evaluate(point.data(), v.data(), g.data());
    values.insert(values.end(), v.begin(), v.end()), gradients.insert(gradients.end(), g.begin(), g.end());
  };
  for (std::size_t q = 0; q < std::size_t(Rule::size); ++q) {
    put(functions, Rule::points[q], numbers[0], numbers[1]);
    put(corners, Rule::points[q], numbers[2], numbers[3]);
    weights.push_back(double(Rule::weights[q]));
  }
  sumfac::index_t const points = Rule::size, p = functions.size();
  return {sumfac::view(numbers[0].data(), points, p), sumfac::view(numbers[1].data(), points, p, 3),
          sumfac::view(weights.data(), points), sumfac::view(numbers[2].data(), points, 4),
          sumfac::view(numbers[3].data(), points, 4, 3)};
}

// In cache, or factors and vectors of 250 MB; medians of nine turns.
template <class Form, int N>
void as_tables_of_run_time(char const* name, bool in_cache)
{
  using rule = sumfac::tetrahedron_rule<2 * N>;
  constexpr sumfac::index_t p = sumfac::detail::functions_of_cell(sumfac::tetrahedron(N)), q = rule::size;
  sumfac::host const backend{1};
  auto const basis = as_tables<N, rule>();
  auto const of = [&]<sumfac::space Space>(std::integral_constant<sumfac::space, Space>, auto const& vertices) {
    sumfac::view const nodes(vertices.data(), sumfac::index_t(vertices.size()) / 12, 4, 3);
    return sumfac::element_operator<Form, Space>{backend, nodes, basis};
  };
  std::integral_constant<sumfac::space, sumfac::tabulated(p, q, 3)> const known;
  std::integral_constant<sumfac::space, sumfac::tabulated(sumfac::dynamic, sumfac::dynamic, 3)> const unknown;
  sumfac::index_t const elements =
      in_cache ? 64 : 250'000'000 / of(known, sumfac::bench::some_tetrahedra(1)).work().bytes();
  auto const vertices = sumfac::bench::some_tetrahedra(elements);
  auto const by_constants = of(known, vertices);
  auto const at_run_time = of(unknown, vertices);
  std::vector<double> from(std::size_t(elements * p), 1.0), to(from.size());
  sumfac::view const u(from.data(), elements, p), v(to.data(), elements, p);
  int const repeats = in_cache ? std::max(1, int(1e8 / double(by_constants.work().flops))) : 1;
  std::vector<double> one, other, ratios;
  for (int turn = 0; turn < 9; ++turn) {
    one.push_back(sumfac::bench::seconds_of(repeats, [&] { by_constants.apply(u, v); }));
    other.push_back(sumfac::bench::seconds_of(repeats, [&] { at_run_time.apply(u, v); }));
    ratios.push_back(other.back() / one.back());
  }
  std::sort(ratios.begin(), ratios.end());
  auto const rate = [&](std::vector<double> x) {
    return std::sort(x.begin(), x.end()), double(by_constants.work().flops) / x[x.size() / 2] * 1e-9;
  };
  std::printf("%-8s %2d %5d %5d %12.1f %12.1f %6.2f (%.2f to %.2f)\n", name, N, int(p), int(q), rate(one), rate(other),
              ratios[ratios.size() / 2], ratios.front(), ratios.back());
}
template <int... N>
void all_as_tables(bool in_cache, std::integer_sequence<int, N...>)
{
  (as_tables_of_run_time<sumfac::laplace, N + 1>("laplace", in_cache), ...);
  (as_tables_of_run_time<sumfac::mass, N + 1>("mass", in_cache), ...);
}

}  // namespace

int main()
{
  for (bool const in_cache : {true, false}) {
    std::printf("%s N     P     Q GFLOP/s: known  at run time  times\n", in_cache ? "in cache " : "of 250 MB");
    all_as_tables(in_cache, std::make_integer_sequence<int, 4>{});
  }
}
