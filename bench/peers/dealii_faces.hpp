// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// deal.II's side of bench/peers/faces.cpp, which are compiled apart: neither sees the other's headers.
#pragma once

#include <memory>

// Of -Laplace u = 1 with interior penalties: what conjugate gradients took, and the integral of u.
struct dealii_solution {
  int iterations;
  double seconds, integral;
};

// An operator on a cube of cells^3 elements, whose entries are in sumfac's order: element by element, x fastest; where
// it is solved with, in the order of nested meshes.
struct dealii_faces {
  virtual ~dealii_faces() = default;
  virtual void set(double const* u) = 0;
  virtual void apply() = 0;
  virtual void get(double* v) const = 0;
  // To 1e-8, by geometric multigrid in float, whose smoothers are Chebyshev's of a degree; made before it is timed.
  virtual dealii_solution solve(unsigned chebyshev) = 0;
};

// `laplace` or the wind; bend(x) moves the vertices. With `nested` cells are a power of two, and the mesh is one
// element that is cut.
std::unique_ptr<dealii_faces> make_dealii_faces(int order, bool laplace, int cells, void (*bend)(double (&)[3]),
                                                double penalty, double const (&wind)[3], bool nested = false);
