// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// deal.II's side of bench/peers/faces.cpp, which are compiled apart: neither sees the other's headers.
#pragma once

#include <memory>

// An operator on a cube of cells^3 elements, whose entries are in sumfac's order: element by element, x fastest.
struct dealii_faces {
  virtual ~dealii_faces() = default;
  virtual void set(double const* u) = 0;
  virtual void apply() = 0;
  virtual void get(double* v) const = 0;
};

// `laplace` or the wind; bend(x) moves the vertices.
std::unique_ptr<dealii_faces> make_dealii_faces(int order, bool laplace, int cells, void (*bend)(double (&)[3]),
                                                double penalty, double const (&wind)[3]);
