// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the module asks of operators, restrictions and solvers, whatever their degree, numbers and backend: neither
// Python nor sumfac is in it, so that each is compiled once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sumfac_python {

using index_t = std::int64_t;

// A backend and the numbers of vectors there: "host" or "cuda"; 8 bytes are double, 4 are float.
struct kind {
  std::string backend;
  int bytes = 8;

  friend bool operator==(kind const&, kind const&) = default;
};

// The entries of an array, in the host's memory or in a device's.
struct place {
  void* data = nullptr;
  bool on_device = false;
};

// (E, n, n, n) numbers of nodes, and marks (nodes) or (nodes, C), null where nothing is constrained.
struct numbering {
  void const* table = nullptr;
  int bytes = 8;  // of a number: 4 or 8
  index_t elements = 0, nodes_1d = 0, nodes = 0;
  int components = 1;
  unsigned char const* marks = nullptr;
  bool marks_by_component = false;
};

class restriction {
public:
  virtual ~restriction() = default;

  virtual void gather(place x, place u) const = 0;
  virtual void scatter(place v, place y) const = 0;
  // The same elements with the nodes of a lower degree.
  virtual std::shared_ptr<restriction const> at_degree(int degree) const = 0;

  index_t elements = 0, nodes_1d = 0, nodes = 0;
  int components = 1;
  // It and all that refers to it have work memory: who goes through it holds this.
  mutable std::recursive_mutex in_use;
};

// (E, m, m, m, 3) coordinates in the host's memory.
struct mesh {
  double const* nodes = nullptr;
  index_t elements = 0, nodes_1d = 0;
  bool equispaced = false;
  double lambda = 0.1;  // of bp3
};

class element_operator {
public:
  virtual ~element_operator() = default;

  // E-vectors: v = A u.
  virtual void apply(place u, place v) const = 0;
  // Global vectors: y = A x, and the diagonal.
  virtual void apply(restriction const& r, place x, place y) const = 0;
  virtual void diagonal(restriction const& r, place d) const = 0;
  // Where a tangent is taken; other operators throw.
  virtual void linearize(restriction const& r, place x) = 0;
  virtual void linearize(place u) = 0;
  // Throws where the restriction does not fit.
  virtual void check(restriction const& r) const = 0;

  index_t elements = 0, flops = 0, bytes = 0;  // of one application to E-vectors
  int components = 1;
};

class preconditioner {
public:
  virtual ~preconditioner() = default;
  virtual void apply(place r, place z) const = 0;
};

struct solve_options {
  bool by_jacobi = false;
  preconditioner const* by = nullptr;  // null: none, or Jacobi's
  double tolerance = 1e-8, absolute = 0;
  index_t iterations = 1000;
};

struct solve_report {
  std::string status, sentence;
  index_t iterations = 0;
  double residual = 0, initial_residual = 0;
  bool done = false;
};

// An operator on global vectors, by one restriction.
struct matrix_parts {
  std::shared_ptr<element_operator const> a;
  std::shared_ptr<restriction const> r;
};

// Two levels of multigrid: a finer matrix, a coarser one, and what solves with that.
struct level_pair {
  matrix_parts fine, coarse;
  std::shared_ptr<preconditioner const> solver;
  int chebyshev = 3;
};

// A weak form's text, and what its names stand for: a number, or an array of the caller's, by element or by point.
struct form_text {
  struct coefficient {
    std::string name;
    double number = 0;
    double const* array = nullptr;
    std::vector<index_t> extents;
  };

  std::string text;
  int components = 1;
  std::vector<coefficient> coefficients;
  std::vector<std::string> flags;  // of the compiler
  bool is_tangent = false;         // of what the text says
};

// What is compiled for a backend and numbers, of a problem and a degree, and between two degrees; it enters itself when
// the module is loaded.
struct kind_entry {
  kind of;
  std::function<std::shared_ptr<restriction const>(numbering const&)> make_restriction;
  std::function<solve_report(matrix_parts const&, place b, place x, solve_options const&)> solve;
  std::function<std::shared_ptr<preconditioner const>(matrix_parts const&, double tolerance)> make_coarse;
};
struct operator_entry {
  kind of;
  std::string problem;
  int degree = 0, components = 1;
  std::function<std::shared_ptr<element_operator>(mesh const&)> make;
};
struct levels_entry {
  kind of;
  int fine = 0, coarse = 0;
  std::function<std::shared_ptr<preconditioner const>(level_pair const&)> make;
};

// What compiles operators of forms that are text, when they are made.
struct form_entry {
  kind of;
  std::function<void(form_text const&)> check;
  std::function<std::shared_ptr<element_operator>(form_text const&, int degree, int points, mesh const&)> make;
};

// A list for each type of entry, one in the whole module.
std::vector<kind_entry>& entries(kind_entry const*);
std::vector<operator_entry>& entries(operator_entry const*);
std::vector<levels_entry>& entries(levels_entry const*);
std::vector<form_entry>& entries(form_entry const*);

template <class Entry>
struct entered {
  explicit entered(Entry const& one) { entries(static_cast<Entry const*>(nullptr)).push_back(one); }
};

}  // namespace sumfac_python
