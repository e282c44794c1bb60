// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator of which the compiler knows nothing: each is compiled once, and tests of properties loop over all.
#pragma once

#include "oracle.hpp"

#include <sumfac/dofs/restriction/options.hpp>
#include <sumfac/element/work.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace instances {

// What a row of the table is.
struct traits {
  std::string name;      // the row itself
  std::string geometry;  // stored, affine, trilinear, isoparametric or split
  int directions, coordinates, points_1d;
  reference::function_space trial, test;
  rule points;
  std::vector<reference::function_space> inputs;  // of other functions that the form reads
  bool on_host, on_checked, one_space, linear, symmetric;
  int group;      // elements that a kernel works on at once
  bool in_float;  // whether any of its numbers are
  bool float_vectors;
  int vector_bytes, factor_bytes;   // of a number
  int factors;                      // numbers that a point stores
  std::vector<int> kept_numbers{};  // at a point, of each input
  int flops = -1;                   // of the form at a point, where it declares them
  bool reads_values = false, reads_slopes = false, tests_values = false, tests_slopes = false;
  int power = 0;                      // of h that A of an element of size h grows by, where it is but one
  int low_power = 0, high_power = 0;  // the least and the greatest; 0: not for other sizes
  bool transposes = false;            // whether its transpose is compiled
  bool has_tables = false;            // coefficients by the numbers of elements
  bool by_differences = false;        // whether the oracle's integrand is a difference quotient
};

// A numbering of the nodes of one space, which no geometry need fit.
struct numbering {
  std::int64_t nodes = 0;
  std::vector<std::int64_t> table;                                      // (E, n, n, n)
  std::vector<std::uint8_t> marks;                                      // (nodes, C), or empty
  sumfac::interleaving components_lie = sumfac::interleaving::fastest;  // of inputs
};

// How a global vector is multiplied.
struct call {
  sumfac::restriction_options options{};
  bool transposed = false;
  vector const* add_to = nullptr;
  std::optional<std::vector<int>> subset{};
  std::vector<vector> const* fields = nullptr;              // at the call, as E-vectors
  std::vector<numbering> const* fields_numbered = nullptr;  // or as global vectors of these numbers
};

// Numbers are double here, and exact where those of the operator are fewer bits.
struct any_operator {
  virtual ~any_operator() = default;

  // Makes the operator the first time, then updates it; on the host by so many threads.
  virtual void set_up(elements const& mesh, int threads = 0) = 0;
  virtual void update(elements const& mesh) = 0;

  virtual vector apply(vector const& u) const = 0;
  virtual vector apply_transposed(vector const& v) const = 0;
  virtual vector diagonal() const = 0;
  virtual vector element_matrix(int element) const = 0;

  // On global vectors: with the numbers of the trial and of the test space.
  virtual vector apply(numbering const& trial, numbering const& test, vector const& x, call const& how) const = 0;
  virtual vector diagonal(numbering const& numbers, call const& how) const = 0;

  // Keeps inputs, E-vectors, or global vectors of these numbers.
  virtual void keep(std::vector<vector> const& inputs, std::vector<numbering> const* numbers = nullptr) = 0;
  virtual vector apply(vector const& u, std::vector<vector> const& inputs) const = 0;

  virtual sumfac::work work() const = 0;
  virtual long long findings() const = 0;  // of `checked`
  virtual integrand exact() const = 0;
};

// A row: what it is, and how to make it.
struct instance {
  traits about;
  std::function<std::unique_ptr<any_operator>()> make;
};

// All that the program has, by name.
std::vector<instance>& all();

// Thrown by what a row has not; traits say so before.
struct no_such : std::logic_error {
  using logic_error::logic_error;
};

}  // namespace instances
