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
  std::string geometry;   // "stored"
  int order;              // N
  int width;              // elements side by side in a register
  index_t element_bytes;  // read and written per element
  std::unique_ptr<application> (*make)(index_t elements, vector_layout layout, int threads);
};

// All that is in this program. Each problem and scalar has a source file, so that they compile in parallel, and enters
// itself.
inline std::vector<kernel>& catalogue()
{
  static std::vector<kernel> all;
  return all;
}

struct entries {
  explicit entries(std::vector<kernel> const& some) { catalogue().insert(catalogue().end(), some.begin(), some.end()); }
};

}  // namespace sumfac::bench
