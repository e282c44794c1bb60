// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What can be measured: one entry per problem, scalar and degree, the operator's type hidden behind it.
#pragma once

#include "ceilings.hpp"

#include <sumfac/config.hpp>

#include <memory>
#include <string>
#include <vector>

namespace sumfac::bench {

// Order of the vectors u and v.
enum class vector_layout { interleaved, right };

// An operator on a mesh, with a random u and a v.
class application {
public:
  virtual ~application() = default;

  // v = A u
  virtual void apply() = 0;

  // What one apply() is credited with, and the bytes it cannot do without.
  virtual double flops() const = 0;
  virtual traffic bytes() const = 0;

  // Applies, and compares some elements of v with the reference: the largest error as a fraction of the allowed one.
  virtual double error() = 0;
};

struct kernel {
  std::string problem;    // "BP1.0"
  std::string scalar;     // "f64"
  int order;              // N
  int width;              // elements side by side in a register
  index_t element_bytes;  // read and written per element
  std::unique_ptr<application> (*make)(index_t elements, vector_layout layout, int threads);
};

// N = 1 .. 15 of each, a source file each, so that they compile in parallel.
std::vector<kernel> bp1_f64();
std::vector<kernel> bp1_f32();
std::vector<kernel> bp3_f64();
std::vector<kernel> bp3_f32();
std::vector<kernel> bp35_f64();
std::vector<kernel> bp35_f32();

}  // namespace sumfac::bench
