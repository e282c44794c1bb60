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
#include <utility>
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
  int axes = 3;  // along which an element's nodes are counted: 1 on simplices
  // It and all that refers to it have work memory: who goes through it holds this.
  mutable std::recursive_mutex in_use;
};

// (E, m, ..., m, C) coordinates in the host's memory, of simplices (E, M, C).
struct mesh {
  double const* nodes = nullptr;
  index_t elements = 0, nodes_1d = 0;
  bool equispaced = false;
  double lambda = 0.1;  // of bp3
  int directions = 3, coordinates = 3;
  bool simplices = false;
  std::vector<long double> places = {};  // of nodes on an edge, where the mesh says them itself
};

class element_operator {
public:
  virtual ~element_operator() = default;

  // E-vectors: v = A u.
  virtual void apply(place u, place v) const = 0;
  // Global vectors: y = A x, and the diagonal.
  virtual void apply(restriction const& r, place x, place y) const = 0;
  virtual void diagonal(restriction const& r, place d) const = 0;
  // y = y + A x, y being as it is at constrained entries; by a restriction that is not kept.
  virtual void add_once(restriction const& r, place x, place y) const = 0;
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

// From the nodes of a degree to those of a higher one, on many elements: of each component (nodes of an element).
class element_transfer {
public:
  virtual ~element_transfer() = default;
  virtual void to_fine(double const* coarse, double* fine, index_t blocks) const = 0;
  virtual void to_coarse(double const* fine, double* coarse, index_t blocks) const = 0;
};

// Two levels of multigrid: a finer matrix, a coarser one, and what solves with that.
struct level_pair {
  matrix_parts fine, coarse;
  std::shared_ptr<preconditioner const> solver;
  int chebyshev = 3;
  std::shared_ptr<element_transfer const> between = nullptr;  // of function spaces
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

struct side {
  index_t element;
  index_t number;
};
// Values (count, components) at positions (count, coordinates).
using function_of_positions = std::function<std::vector<double>(std::vector<double> const&)>;

// Points of a space's integrals, (count), and what a function of it is there: (count, C), (count, C, coordinates).
struct space_points {
  std::vector<double> positions, measures, values, gradients;
};

struct space_options {
  int degree = 1, components = 1, points = 0;
  std::vector<std::pair<std::vector<side>, int>> fixed = {};  // sides, and the component; -1: all
};

// sumfac::function_space, whatever its mesh.
class any_space {
public:
  virtual ~any_space() = default;

  virtual std::shared_ptr<restriction const> make_restriction(bool constrained) const = 0;
  virtual std::vector<double> positions() const = 0;  // of nodes
  virtual std::int32_t const* table() const = 0;      // (E, nodes of an element)
  virtual std::vector<unsigned char> marks() const = 0;
  virtual space_points points(double const* u) const = 0;
  virtual std::vector<double> load(std::vector<double> const& at_points) const = 0;
  // `matrix` makes A u of all entries, none of them constrained.
  virtual std::vector<double> lift(std::function<void(double const* u, double* of_u)> const& matrix,
                                   function_of_positions const& g, double* b, double const* guess) const = 0;
  virtual void set_fixed(function_of_positions const& g, double* u) const = 0;
  virtual void distribute(double* u) const = 0;
  virtual std::vector<double> values_of(any_space const& other, double const* u) const = 0;
  virtual std::shared_ptr<any_space const> on(std::vector<side> const& sides) const = 0;
  virtual std::shared_ptr<any_space const> at_degree(int degree, int points) const = 0;  // 0: degree + 2
  virtual std::shared_ptr<element_transfer const> transfer_from(int degree) const = 0;
  virtual void write(std::string const& file,
                     std::vector<std::pair<std::string, std::vector<double>>> const& fields) const = 0;

  index_t size() const { return nodes * components; }
  index_t points_of_element() const
  {
    index_t count = 1;
    for (int d = 0; d < of_mesh.directions; ++d) count *= points_1d;
    return count;
  }

  mesh of_mesh;
  int degree = 1, components = 1, points_1d = 0;
  index_t nodes = 0, nodes_of_element = 0;
};

// sumfac::mesh, of any elements.
class any_mesh {
public:
  virtual ~any_mesh() = default;

  virtual std::vector<side> boundary() const = 0;
  virtual std::vector<side> boundary(std::string const& name) const = 0;
  virtual std::vector<side> boundary(int tag) const = 0;
  // Those all of whose nodes are where `where`, of one number, is not 0.
  virtual std::vector<side> boundary(function_of_positions const& where) const = 0;
  virtual std::vector<index_t> elements(std::string const& name) const = 0;
  virtual std::shared_ptr<any_mesh const> named(std::string const& name, std::vector<side> const& sides) const = 0;
  virtual std::shared_ptr<any_mesh const> moved(function_of_positions const& place) const = 0;
  virtual std::shared_ptr<any_mesh const> refined(int times) const = 0;
  virtual std::shared_ptr<any_mesh const> refine(std::vector<index_t> const& elements) const = 0;
  virtual std::shared_ptr<any_space const> make_space(space_options const& options) const = 0;

  mesh of;
  index_t vertices = 0, hanging = 0;
};

// Node numbers or vertices: (E, n, ..., n), of simplices (E, V).
struct mesh_table {
  std::int64_t const* numbers = nullptr;  // null: vertices are one where they coincide
  index_t nodes_1d = 0;
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
  // The sum of operators on the same global vectors, each with its restriction; all but the first are of forms.
  std::function<std::shared_ptr<element_operator>(std::vector<matrix_parts> const&)> add;
};

// What makes meshes of so many directions, of lines' products or of simplices.
struct mesh_entry {
  int directions = 0;
  bool simplices = false;
  std::function<std::shared_ptr<any_mesh const>(std::vector<int> const& cells, int order)> box;
  // Of nodes; of simplices of points (points, coordinates), `nodes_1d` being how many there are.
  std::function<std::shared_ptr<any_mesh const>(mesh const& nodes, mesh_table const& table)> make;
  std::function<std::shared_ptr<any_mesh const>(std::string const& file)> read;
};
// What makes a level of multigrid between two function spaces.
struct space_levels_entry {
  std::function<std::shared_ptr<preconditioner const>(level_pair const&)> make;
};

// A list for each type of entry, one in the whole module.
std::vector<kind_entry>& entries(kind_entry const*);
std::vector<operator_entry>& entries(operator_entry const*);
std::vector<levels_entry>& entries(levels_entry const*);
std::vector<form_entry>& entries(form_entry const*);
std::vector<mesh_entry>& entries(mesh_entry const*);
std::vector<space_levels_entry>& entries(space_levels_entry const*);

template <class Entry>
struct entered {
  explicit entered(Entry const& one) { entries(static_cast<Entry const*>(nullptr)).push_back(one); }
  explicit entered(std::vector<Entry> const& several)
  {
    for (Entry const& one : several) entries(static_cast<Entry const*>(nullptr)).push_back(one);
  }
};

}  // namespace sumfac_python
