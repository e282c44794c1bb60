// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A program that includes every header of users and instantiates something of each floor.
#pragma once

#include <users_headers.hpp>

#include <vector>

// Lines from here on have no name that may be a macro either: foreign_macros.cpp includes them.
struct program_mesh {
  std::vector<double> vertices = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
  std::vector<int> numbers;

  program_mesh()
  {
    for (int node = 0; node < 27; ++node) numbers.push_back(node);
  }
};

template <class Real, class Backend>
Real program_solve(Backend const& backend, program_mesh const& mesh)
{
  int const count = 27;
  sumfac::view<double const, sumfac::dextents<5>> const vertices(mesh.vertices.data(), 1, 2, 2, 2, 3);
  sumfac::view<int const, sumfac::dextents<4>> const table(mesh.numbers.data(), 1, 3, 3, 3);
  sumfac::restriction<Real, Backend> const nodes{backend, table, count};
  sumfac::bp3<2, Backend, Real> const stiffness{backend, vertices, {.lambda = 1}};
  sumfac::global_operator const matrix{stiffness, nodes};

  std::vector<Real> right(27, Real(1)), solution(27), diagonal(27);
  sumfac::view const b(right.data(), count), x(solution.data(), count), d(diagonal.data(), count);
  matrix.diagonal(d);
  sumfac::vector_ops<Real, Backend> const ops{backend, count};
  ops.fill(0, x);
  return sumfac::cg(matrix, b, x, sumfac::jacobi{backend, d}, {.tolerance = 1e-3}) ? ops.norm(x) : Real(0);
}

template <class Real, class Backend>
void program_contract(Backend const& backend, std::vector<Real> const& factor, std::vector<Real>& sums)
{
  sumfac::view<Real, sumfac::dextents<2>> const out(sums.data(), 1, 2);
  sumfac::view<Real const, sumfac::dextents<2>> const data(factor.data(), 1, 3);
  sumfac::view<Real const, sumfac::dextents<3>> const fields(factor.data(), 1, 2, 3);
  sumfac::intrepid::contractDataFieldScalar(backend, out, data, fields);
}

double program_run()
{
  program_mesh const mesh;
  std::vector<double> const factor(6, 0.5);
  std::vector<double> sums(2);
  sumfac::host const backend(1);
  program_contract(backend, factor, sums);
  sumfac::pack<float, 4> const lanes(2.f);
  return program_solve<double>(backend, mesh) + static_cast<double>(program_solve<float>(backend, mesh)) + sums[0] +
         static_cast<double>((lanes * lanes)[0]);
}

int main() { return program_run() > 0 && program_solve<double>(sumfac::checked{}, program_mesh{}) > 0 ? 0 : 1; }
