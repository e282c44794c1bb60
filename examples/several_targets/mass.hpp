// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The mass operator behind an interface that is the same for every processor: pointers and numbers, no view, no vector.
#pragma once

// [interface]
class mass {
public:
  virtual ~mass();
  virtual void apply(double const* u, double* v) const = 0;  // (E, 5, 5, 5), in the order of layout_right
};

using mass_maker = mass* (*)(double const* vertices, int elements);  // (E, 2, 2, 2, 3)

mass* make_mass_x86_64(double const* vertices, int elements);
mass* make_mass_avx2(double const* vertices, int elements);
mass* make_mass_avx512(double const* vertices, int elements);
// [interface]
