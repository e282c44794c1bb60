// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation on a box: a table of node numbers, a constrained boundary, and a solve.
#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

constexpr int order = 4, n = order + 1;

// The solution, by the merged iteration on nodes with the numbers that it runs best under, in the mesh's own order.
template <class Operator>
std::vector<double> solve_renumbered(Operator const& A, sumfac::function_space<3> const& V,
                                     std::vector<double> const& load)
{
  auto const table = V.table();
  auto const marks = V.marks();
  sumfac::index_t const count = V.nodes();
  // [renumbered]
  std::vector<sumfac::index_t> const number = sumfac::node_order(table, count, marks);
  std::vector<sumfac::index_t> numbers;                                  // the table's new numbers
  for (sumfac::index_t i = 0; i < table.size(); ++i) numbers.push_back(number[std::size_t(table.data()[i])]);
  std::vector<unsigned char> boundary(number.size());
  std::vector<double> b(number.size()), u(number.size());
  for (std::size_t node = 0; node < number.size(); ++node) {
    boundary[std::size_t(number[node])] = marks.data()[node];
    b[std::size_t(number[node])] = load[node];
  }
  // [renumbered]
  sumfac::restriction const R{A.backend(), sumfac::view(numbers.data(), table.extent(0), n, n, n), count,
                              sumfac::view(boundary.data(), count)};
  if (!sumfac::merged_cg(sumfac::global_operator{A, R}, b, u)) return {};
  std::vector<double> solution;
  for (sumfac::index_t const node : number) solution.push_back(u[std::size_t(node)]);
  return solution;
}

// The residual that conjugate gradients came to by their recursion, beside b - A u.
template <class Scalar>
void compare_residuals(sumfac::function_space<3> const& V)
{
  sumfac::host const backend;
  sumfac::index_t const count = V.size();
  auto const R = V.restriction<Scalar>(backend);
  sumfac::element_operator<sumfac::laplace, order, Scalar> const A{backend, V.mesh()};
  std::vector<double> const load = V.load([](auto const&) { return 1; });
  std::vector<Scalar> b_data(load.begin(), load.end()), u_data(load.size()), d_data(load.size());
  sumfac::view b(b_data.data(), count), u(u_data.data(), count), d(d_data.data(), count);
  sumfac::global_operator const L{A, R};
  sumfac::jacobi const P{L};
  sumfac::vector_ops<Scalar> const ops{backend, count};
  for (double const tolerance : {1e-4, 1e-8, 1e-12, 1e-14}) {
    ops.fill(0, u);
    // [residuals]
    sumfac::solve_result const r = sumfac::cg(L, b, u, P, {.tolerance = tolerance});
    L.apply(u, d);
    ops.axpy(-1, b, d);                                                // d = A u - b
    double const own = r.status == sumfac::solve_status::stagnated ? r.recursion : r.residual, computed = ops.norm(d);
    // [residuals]
    std::printf("%-6s tolerance %.0e: %s, %.1e by the recursion, %.1e computed anew\n",
                sizeof(Scalar) == 4 ? "float" : "double", tolerance, r ? "converged" : "stagnated",
                own / r.initial_residual, computed / r.initial_residual);
  }
}

}  // namespace

int main()
{
  sumfac::host const backend;
  sumfac::mesh const box = sumfac::box_mesh({6, 6, 6});
  sumfac::function_space const V{box, order, box.boundary()};
  sumfac::index_t const count = V.nodes(), elements = box.elements();

  // [restriction]
  auto const table = V.table();                                        // (E, z, y, x): node numbers
  auto const marks = V.marks();                                        // not 0: constrained
  sumfac::restriction R{backend, table, count, marks};
  // [restriction]

  // [operators]
  sumfac::element_operator<sumfac::laplace, order> const A{backend, box};
  sumfac::bp1<order> const M{backend, box};
  // [operators]

  // [apply]
  std::vector<double> f(std::size_t(count), 1.0), b_data(f.size()), u_data(f.size()), d_data(f.size());
  sumfac::view<double const, sumfac::dextents<1>> load(f.data(), count);
  sumfac::view b(b_data.data(), count), u(u_data.data(), count), d(d_data.data(), count);
  sumfac::restriction everywhere{backend, table, count};               // no node constrained
  M.apply(everywhere, load, b);                                        // b = M f
  V.zero_fixed(b_data);                                                // the boundary's values
  // [apply]

  // [solve]
  sumfac::global_operator const L{A, R};
  sumfac::jacobi const P{L};
  sumfac::cg_options const options{.iterations = 500, .tolerance = 1e-10};
  sumfac::solve_result const result = sumfac::cg(L, b, u, P, options);
  std::printf("%s\n", result.report().c_str());
  // [solve]
  if (!result) return 1;
  double const center = u_data[std::size_t(table(129, 0, 0, 0))];      // a corner of element (3, 3, 3)

  // [merged]
  std::fill(u_data.begin(), u_data.end(), 0.0);
  sumfac::cg_workspace workspace{backend, count};                      // solves allocate nothing
  auto const history = [](sumfac::index_t iteration, double residual) {
    if (iteration % 10 == 0) std::printf("%4d %.3e\n", static_cast<int>(iteration), residual);
  };
  sumfac::merged_cg(L, b, u, P, options, history, workspace);
  // [merged]

  // [parts]
  sumfac::restriction const first = R.subset(0, elements / 2), rest = R.subset(elements / 2, elements);
  A.apply(first, u, d);                                                // d = A u of the first half
  A.apply_add(rest, u, d);                                             // d += A u of the other one
  // [parts]

  // [vectors]
  std::vector<double> e_data(std::size_t(elements * n * n * n));
  sumfac::view e(e_data.data(), elements, n, n, n);
  R.gather(u, e);                                                      // e = R u, 0 at constrained nodes
  R.scatter(e, d);                                                     // d = R^T e
  // [vectors]

  // [ops]
  sumfac::vector_ops const ops{backend, count};
  ops.axpy(-1.0, b, d);                                                // d = d - b
  double const length = ops.norm(u);
  // [ops]

  std::vector<double> const again = solve_renumbered(A, V, b_data);
  double difference = again.empty() ? 1 : 0;
  for (std::size_t i = 0; i < again.size(); ++i) difference = std::max(difference, std::abs(again[i] - u_data[i]));
  std::printf("renumbered: differs by %.1e\n", difference);
  compare_residuals<double>(V);
  compare_residuals<float>(V);
  std::printf("u in the middle: %.8f (0.05621 of the series), |u| = %.6f\n", center, length);
  return std::abs(center - 0.05621) < 1e-4 && difference < 1e-8 ? 0 : 1;
}
