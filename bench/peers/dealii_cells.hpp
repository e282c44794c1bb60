// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// deal.II's and PETSc's side of bench/peers/cells.cpp, which are compiled apart: neither sees the other's headers.
#pragma once

#include <array>
#include <memory>
#include <vector>

// The Laplacian on n^3 cubes of five tetrahedra each, by deal.II's numbers of functions at equal distances.
struct dealii_cells {
  std::vector<double> vertices;               // (vertices, 3)
  std::vector<int> table;                     // (E, 4)
  std::vector<std::array<double, 3>> places;  // of functions

  virtual ~dealii_cells() = default;
  virtual void set(double const* u) = 0;
  virtual void apply() = 0;
  virtual void get(double* v) const = 0;
};
std::unique_ptr<dealii_cells> make_dealii_cells(int order, int cubes);

// A matrix by its rows, as PETSc's MatMult applies it.
struct petsc_product {
  virtual ~petsc_product() = default;
  virtual void apply() = 0;
  virtual void get(double* v) const = 0;
};
std::unique_ptr<petsc_product> make_petsc_product(std::vector<int> first, std::vector<int> columns,
                                                  std::vector<double> values, std::vector<double> const& u);
