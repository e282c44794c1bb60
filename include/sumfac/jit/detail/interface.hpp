// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a program and an operator that it compiles at run time say to each other: plain numbers, pointers and functions,
// the same for all compilers and targets.
#pragma once

#include <sumfac/view/view.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace sumfac::SUMFAC_TARGET::jit::detail {

// Changes with what is below: a unit of another version is not called.
inline constexpr int interface_version = 4;

// How a call ended; the text is the exception's.
struct outcome {
  enum kind_of_end : int { done, argument, geometry, backend, memory, other };
  int kind = done;
  char text[2000] = "";
};

// An array of a view: its shape, and the distances of entries along each dimension. Of an E-vector `width` elements may
// lie side by side (layout_interleaved), else it is 0.
struct array {
  static constexpr int most_ranks = 5;
  void* data = nullptr;
  int rank = 0, width = 0;
  std::int64_t extents[most_ranks] = {}, strides[most_ranks] = {};
};

// What an operator is made of. Tables are read where they lie.
struct parts {
  int threads = 0;
  double const* nodes = nullptr;  // (E, m, ..., C), row by row
  std::int64_t elements = 0, mesh_nodes_1d = 0;
  long double const* places = nullptr;  // of the m nodes on an edge
  double tolerance = 0;
  double const* numbers = nullptr;
  array const* tables = nullptr;
};

struct numbering {
  int threads = 0;
  void const* table = nullptr;  // (E, n, ..., n) of int32 or int64
  int bytes = 8, components = 1, components_slowest = 0, marks_rank = 1;
  std::int64_t elements = 0, nodes_1d = 0, nodes = 0;
  unsigned char const* marks = nullptr;
  double constrained_rows = 1;
  // Equations: of unknown (node * components + component), its value, and its terms from one entry of `begin` to the
  // next.
  std::int64_t equations = 0;
  std::int64_t const *unknowns = nullptr, *begin = nullptr, *terms = nullptr;  // terms are unknowns, too
  double const *values = nullptr, *weights = nullptr;
};

struct work_numbers {
  std::int64_t flops = 0, bytes_read = 0, bytes_written = 0, geometry_flops = 0;
};

// What a unit has, of one operator type: what it does on E-vectors, or on global vectors. Those of one type are
// compiled by one compiler with the same options, so that an operator that one has made is one to the other.
struct functions {
  int version = interface_version;
  int components = 1, test_components = 1, directions = 3, axes = 3, coordinates = 3, nodes_1d = 0, points_1d = 0;
  int bytes = 8, arithmetic_bytes = 8, linear = 1, symmetric = 1, inputs = 0;
  void* (*make)(parts const*, outcome*) = nullptr;
  void (*destroy)(void*) = nullptr;
  void (*apply)(void const*, array const* u, array const* v, outcome*) = nullptr;
  void (*diagonal)(void const*, array const* d, outcome*) = nullptr;
  void (*work)(void const*, work_numbers*, outcome*) = nullptr;
  void (*linearize)(void*, array const* fields, outcome*) = nullptr;  // one for each input
};
struct global_functions {
  int version = interface_version;
  void* (*make_restriction)(numbering const*, outcome*) = nullptr;
  void (*destroy_restriction)(void*) = nullptr;
  // y = A x, or y = y + A x.
  void (*apply)(void const*, void const* r, int add, array const* x, array const* y, outcome*) = nullptr;
  void (*diagonal)(void const*, void const* r, array const* d, outcome*) = nullptr;
  void (*linearize)(void*, void const* r, array const* x, outcome*) = nullptr;  // of a form with one input
};

// What the kernel of a unit for a device makes: v = A u, or the diagonal of A, or the numbers of an input at the
// points; of element or global vectors; on all groups of elements, or listed ones.
struct unit_kind {
  bool on_global = false, is_diagonal = false, is_listed = false;
  int input = -1;  // its number among the form's, where it is kept

  friend constexpr bool operator==(unit_kind const&, unit_kind const&) = default;
};
// What it hands out: how its kernel is launched. Places are bytes into the kernel's parameter.
struct device_facts {
  std::int64_t kernel_bytes = 0, place_of_u = 0, place_of_v = 0, threads = 0, teams = 0, scratch_bytes = 0, lanes = 0,
               group_bytes = 0, components = 0, nodes_1d = 0, points_1d = 0, bytes = 0, linear = 1;
  std::int64_t inputs = 0, kept_bytes = 0;           // of the form, and of a group, what is kept of them
  std::int64_t kept_nodes_1d = 0;                    // of isoparametric elements
  std::int64_t cell_table_bytes = 0;                 // of what is no product of lines
  std::int64_t place_of_table = 0, table_bytes = 0;  // on global vectors, sumfac::detail::device_table
  std::int64_t place_of_groups = 0;                  // of a list
};
// What its other kernels are given; all pointers are of the device.
struct device_parts {
  parts given;
  double const* rule = nullptr;       // (g, 2 m + 1); of what is no product of lines (Q, M (1 + D) + 1)
  double const* maps = nullptr;       // (E, 8, 3), trilinear maps; or (E, M^D C + C), nodes relative to the first, it
  double* points = nullptr;           // (Q, D + 1), to be written: places and weights, where elements are no products
  double const* functions = nullptr;  // (Q, P, 1 + D), there, too: values and derivatives
  void* tables = nullptr;             // of these, as kernels read them
  void* kept = nullptr;               // the inputs at the points
  void* factors = nullptr;            // or the numbers of elements
  unsigned long long* refused = nullptr;  // the least element whose determinant is not positive and finite
  void const* u = nullptr;
  void* v = nullptr;
  void* kernel = nullptr;
  device_facts* facts = nullptr;
};

// The function that a unit has by this name gives them.
inline constexpr char entry_name[] = "sumfac_jit_unit";

// Numbers and tables of a form, by place.
struct given_values {
  parts const* of;

  SUMFAC_FUNCTION double number(int i) const { return of->numbers[i]; }
  // A table whose shape is in its type, where it is known when the unit is compiled.
  template <class Extents>
  SUMFAC_FUNCTION view<double const, Extents> table(int i) const
  {
    return shaped<Extents>(of->tables[i], std::make_index_sequence<Extents::rank()>{});
  }

private:
  template <class Extents, std::size_t... Rs>
  SUMFAC_FUNCTION static view<double const, Extents> shaped(array const& a, std::index_sequence<Rs...>)
  {
    return view<double const, Extents>(static_cast<double const*>(a.data), Extents(a.extents[Rs]...));
  }
};

}  // namespace sumfac::jit::detail
