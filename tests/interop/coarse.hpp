// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Foreign solvers of sparse matrices at run time: what tests ask of all is compiled once, in shared/coarse.cpp.
#pragma once

#include <sumfac/solver/assemble.hpp>
#include <sumfac/solver/detail/any_null_space.hpp>
#include <sumfac/view/view.hpp>

#include <memory>

namespace coarse {

template <class T>
using vector = sumfac::view<T, sumfac::dextents<1>>;

// z = P r, for vectors of double and of float.
struct solver {
  virtual ~solver() = default;
  virtual void apply(vector<double const> const& r, vector<double> const& z) const = 0;
  virtual void apply(vector<float const> const& r, vector<float> const& z) const = 0;
  virtual sumfac::index_t size() const = 0;
};

struct options {
  int cycles = 1;
  sumfac::detail::any_null_space null_space = {};
};

// A library: what makes a solver of a matrix in double, or in float; whether it solves, or makes cycles.
struct library {
  char const* name;
  bool solves;
  std::unique_ptr<solver const> (*of_double)(sumfac::csr_matrix<double> const& a, options const& told);
  std::unique_ptr<solver const> (*of_float)(sumfac::csr_matrix<float> const& a, options const& told);

  auto make(sumfac::csr_matrix<double> const& a, options const& told = {}) const { return of_double(a, told); }
  auto make(sumfac::csr_matrix<float> const& a, options const& told = {}) const { return of_float(a, told); }
};

// The one that the program is for.
extern library const tested;

}  // namespace coarse
