// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators of one space and their transposes on global vectors, on any backend and in any precision.
#pragma once

#include "two_spaces.hpp"

#include <support/larger.hpp>

#include <sumfac/operator/global_operator.hpp>
#include <sumfac/operator/transposed_operator.hpp>

#include <cmath>

namespace two_spaces {

// An operator of one space on global vectors beside the matrix of its elements' matrices: y = A x, y = A^T x,
// constrained rows of both, sums, and one restriction for both sides.
template <class Operator>
void check_one_space(Operator const& A, std::vector<std::int32_t> const& table, index_t nodes,
                     sumfac::restriction_options const& options)
{
  using backend = typename Operator::backend_type;
  using scalar = typename Operator::scalar_type;
  double const allowed = std::is_same_v<typename Operator::arithmetic_type, double> ? 1e-12 : 1e-4;
  index_t const of_element = trial_entries<Operator>;
  auto const marks = strip::every(5, nodes);
  auto const R = [&] {
    using sumfac::view;
    view const on_marks(marks.data(), nodes);
    if constexpr (Operator::directions == 3)
      return sumfac::restriction<scalar, backend>(
          A.backend(), view(table.data(), A.elements(), Operator::nodes_1d, Operator::nodes_1d, Operator::nodes_1d),
          nodes, on_marks, options);
    else
      return sumfac::restriction<scalar, backend>(
          A.backend(), view(table.data(), A.elements(), Operator::nodes_1d, Operator::nodes_1d), nodes, on_marks,
          options);
  }();
  std::vector<std::vector<double>> matrix(at(nodes), std::vector<double>(at(nodes), 0));
  for (index_t e = 0; e < A.elements(); ++e) {
    auto const here = A.element_matrix(e);
    for (index_t i = 0; i < of_element; ++i)
      for (index_t j = 0; j < of_element; ++j) {
        auto const row = at(table[at(e * of_element + i)]), column = at(table[at(e * of_element + j)]);
        if (!marks[row] && !marks[column]) matrix[row][column] += double(here[at(i * of_element + j)]);
      }
  }
  auto const x = support::random<scalar>(at(nodes), 3), before = support::random<scalar>(at(nodes), 4);
  std::vector<double> of_rows(at(nodes), 0), of_columns = of_rows;  // both without constrained rows
  double unlike = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) {
      of_rows[i] += matrix[i][j] * double(x[j]), of_columns[i] += matrix[j][i] * double(x[j]);
      unlike = support::larger(unlike, std::abs(matrix[i][j] - matrix[j][i]));
    }
  CHECK(unlike > 0.01);
  auto const near_after = [&](auto const& apply, std::vector<double> expected, bool rows, bool adds) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (rows && marks[i]) expected[i] = options.rows.value * double(x[i]);
      if (adds) expected[i] += double(before[i]);
    }
    auto y = adds ? before : std::vector<scalar>(x.size(), std::numeric_limits<scalar>::quiet_NaN());
    support::on_backend(A.backend(), x, y, [&](scalar const* from, scalar* to) {
      apply(sumfac::view(from, nodes), sumfac::view(to, nodes));
    });
    near(y, expected, allowed);
    return y;
  };
  auto const y = near_after([&](auto u, auto v) { A.apply(R, u, v); }, of_rows, true, false);
  auto const z = near_after([&](auto u, auto v) { A.apply_transposed(R, u, v); }, of_columns, true, false);
  near_after([&](auto u, auto v) { A.apply_transposed_add(R, u, v); }, of_columns, false, true);
  near_after([&](auto u, auto v) { A.apply(R, R, u, v); }, of_rows, false, false);
  near_after([&](auto u, auto v) { A.apply_transposed(R, R, u, v); }, of_columns, false, false);
  sumfac::global_operator const L{A, R};
  sumfac::transposed_operator const T{L};
  near_after([&](auto u, auto v) { T.apply(u, v); }, of_columns, true, false);
  near_after([&](auto u, auto v) { T.apply_transposed(u, v); }, of_rows, true, false);
  CHECK(std::abs(dot(x, y) - dot(z, x)) < 10 * allowed);
}

// Of hexahedra in a row of `cells`, of degree 1.
template <class Backend>
void check_one_space_on_cubes(sumfac::restriction_options const& options)
{
  constexpr int cells = 5;
  std::vector<double> xyz;
  std::vector<std::int32_t> table;
  for (int e = 0; e < cells; ++e)
    for (int p = 0; p < 8; ++p) {
      double const x = e + p % 2, y = p / 2 % 2, z = p / 4;
      xyz.push_back(x + 0.1 * y * z), xyz.push_back(y + 0.2 * std::sin(x)), xyz.push_back(z - 0.1 * x * y);
      table.push_back(p / 2 * (cells + 1) + e + p % 2);
    }
  sumfac::element_operator<transport, 1, sumfac::gauss<3>, Backend> const A{
      Backend{}, sumfac::view(xyz.data(), cells, 2, 2, 2, 3)};
  check_one_space(A, table, 4 * (cells + 1), options);
}

template <class Backend, class Precision = double>
void check_one_space_in_the_plane(sumfac::restriction_options const& options)
{
  strip const mesh{4};
  auto const vertices = mesh.vertices();
  sumfac::element_operator<transport, quadrilateral(2), sumfac::gauss<3>, Backend, Precision> const A{
      Backend{}, sumfac::view(vertices.data(), mesh.elements(), 2, 2, 2)};
  check_one_space(A, mesh.table(2), mesh.nodes(2), options);
}

}  // namespace two_spaces
