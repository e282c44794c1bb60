// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What `bake_off` can solve: one entry per problem and degree, the operator's type hidden behind it.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/geometry/restriction.hpp>

#include <memory>
#include <string>
#include <vector>

namespace sumfac::bench {

// A problem of the bake-off on a mesh, ready to be solved.
class solve_subject {
public:
  virtual ~solve_subject() = default;

  virtual index_t dofs() const = 0;
  virtual index_t elements() const = 0;
  // Bytes that an iteration of each kind cannot do without, out of cache.
  virtual double operator_bytes() const = 0;

  // Seconds of `iterations` iterations of conjugate gradients from x = 0, and of as many applications of the operator.
  virtual double plain_seconds(index_t iterations) = 0;
  virtual double merged_seconds(index_t iterations) = 0;
  virtual double operator_seconds(scatter policy, index_t applications) = 0;
  // Seconds of finding the matrix' diagonal so many times.
  virtual double diagonal_seconds(index_t times) = 0;

  // Residuals after some iterations of both kinds, over the first one.
  virtual double plain_residual() const = 0;
  virtual double merged_residual() const = 0;
};

struct solve_entry {
  std::string problem;  // "BP1"; "BP5-affine" where factors are not stored
  int order;            // N
  int components;
  std::unique_ptr<solve_subject> (*make)(int log_elements, int threads, bool with_atomic);
};

// All that is in this program. Each problem has a source file and enters itself.
inline std::vector<solve_entry>& solve_catalogue()
{
  static std::vector<solve_entry> all;
  return all;
}

}  // namespace sumfac::bench
