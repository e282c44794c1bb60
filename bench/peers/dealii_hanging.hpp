// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// deal.II's side of bench/peers/hanging.cpp, which are compiled apart: neither sees the other's headers.
#pragma once

#include <memory>
#include <vector>

// Laplace's operator on a cube that is refined around a sphere, given on the boundary; vectors are those of the
// unknowns, which are neither fixed nor hanging.
struct dealii_hanging {
  virtual ~dealii_hanging() = default;
  virtual std::vector<double> vertices() const = 0;  // (E, 2, 2, 2, 3), part by part of what was cut
  virtual std::vector<double> points() const = 0;    // (unknowns, 3)
  virtual void set(std::vector<double> const& u) = 0;
  virtual void apply() = 0;
  virtual std::vector<double> result() const = 0;
  virtual void set_diagonal(std::vector<double> const& d) = 0;
  virtual int solve(double tolerance) = 0;  // with what was set as right side, by Jacobi and cg; its iterations
};

// A cube of cells^3 elements, `local` times refined around the sphere; bend(x) moves the first vertices.
std::unique_ptr<dealii_hanging> make_dealii_hanging(int order, int cells, int local, void (*bend)(double (&)[3]));
