// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How a kernel goes through an element, as a plain value; and the values that were measured, or counted, to be best.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/architecture.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/mesh/policy.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

// Ways through an element.
enum class variant {
  planes,  // plane by plane, one element a team: the host's; on `checked` it is watched as a device would run it
  cubes,   // all points in scratch, lines of them in registers: the value of u and two derivatives as cubes
  slices,  // columns of points in registers, a few planes of derivatives in scratch at a time
  dense,   // all functions at all points by tables, where elements are no products of lines
  rows,    // quadrilaterals and lines on devices: a row of points in registers, columns through scratch
  warps,   // an element of 8 points a direction in a warp's registers, its lines by matrix instructions where there are
  matrices,  // as dense on devices, of 16 elements and more a team, its tables by matrix instructions where there are
};

// What a team asks the memory for before it needs it.
enum class prefetch {
  none,
  cache,      // when u is there: factors to the device's common cache, for the team one wave of teams later
  registers,  // factors of a line or of a few planes to registers, before the barrier that they are used behind
  scratch,    // when u is there: factors of the next points_ahead points of a line to scratch, past the registers
};

// When a device's kernel reads stored factors that are not read to registers early.
enum class read_order {
  free,  // as the compiler likes it: early, where it finds registers
  kept,  // where they are used, point by point: fewer registers
};

// One row of the tuning table: element_operator takes any value, as tuned<value>, in place of the recommended one.
//
// One type for all ways, so that tables, candidates and `tuned` hold any of them; a member of another way is refused.
struct tuning {
  variant way = variant::cubes;
  int elements = 1;        // that a team works on at once; planes: 1
  int planes = 0;          // of a slice; slices only
  int padding = 0;         // entries behind each row of scratch, against bank conflicts
  int resident_teams = 1;  // wanted on a multiprocessor at once: bounds the registers of a thread; not of dense
  prefetch ahead = prefetch::none;
  read_order reads = read_order::free;
  int tables = 1;        // cubes only: 3 has copies for rows and their transpose, 4 one for y, too
  int points_ahead = 0;  // cubes with derivatives: points whose factors are read, or copied, while one is worked on
  int patch = 0;         // elements of a patch, for restrictions that have such: a multiple of `elements`, or 0: none

  friend constexpr bool operator==(tuning const&, tuning const&) = default;
};

namespace detail {

// The ways through what is no tensor.
constexpr bool is_dense(variant way) { return way == variant::dense || way == variant::matrices; }

}  // namespace detail

// A tuning among the options of an operator: element_operator<stiffness, 3, cuda, tuned<tuning{...}>>.
template <tuning Value>
struct tuned {
  static constexpr tuning value = Value;
};

namespace detail {

template <class Form>
inline constexpr bool differentiates = has(Form::trial, gradient) || has(Form::test, gradient);

// Kinds of element kernels that are tuned apart.
enum class problem_kind {
  values,      // no derivatives, interpolated (BP1) or not
  collocated,  // derivatives at the nodes (BP3.5, BP5)
  gradients,   // derivatives at points of their own (BP3, BP3.0)
};

template <class Form>
constexpr problem_kind kind_of(int n, int g)
{
  return !differentiates<Form> ? problem_kind::values : n == g ? problem_kind::collocated : problem_kind::gradients;
}

// Geometries that rows are apart for; isoparametric and split elements have the rule alone.
enum class row_geometry { stored, trilinear, affine, others };

template <class Geometry>
constexpr row_geometry row_geometry_of()
{
  return std::is_same_v<Geometry, stored>      ? row_geometry::stored
         : std::is_same_v<Geometry, trilinear> ? row_geometry::trilinear
         : std::is_same_v<Geometry, affine>    ? row_geometry::affine
                                               : row_geometry::others;
}

// One row of the table: the tuning of a kind of kernel with n nodes and g points per direction, for one component.
struct tuning_row {
  architecture device;
  problem_kind kind;
  int n, g, scalar_bytes;
  tuning value;
  row_geometry geometry = row_geometry::stored;
};

// Tunings that beat the rules below. sm_90, derivatives in double, and float: the fastest of those timed on an H200
// (docs/results/2026-11-26-nvidia-h200/roofline.md) and an H100 (docs/tuning.md); warps, and values of 4 points in
// float, on an H200 alone (docs/results/2026-11-28-nvidia-h200/kernels.md#after-the-rewrite). The others have not
// been timed: as many teams on a multiprocessor as nvcc 13 compiles without spills, or with 24 bytes a thread at most
// where n > 12 (docs/results/compiled_kernels_2026-11-26.md). `bench/tune` prints rows from measurements.
// clang-format off
inline constexpr tuning_row tuning_table[] = {
    {architecture::sm_90, problem_kind::values, 7, 8, 8,
     {.resident_teams = 20, .ahead = prefetch::registers, .tables = 3}},
    {architecture::sm_90, problem_kind::values, 8, 9, 8,
     {.padding = 1, .resident_teams = 12, .ahead = prefetch::registers, .tables = 3}},
    {architecture::sm_90, problem_kind::values, 9, 10, 8,
     {.resident_teams = 8, .ahead = prefetch::registers, .tables = 3}},
    {architecture::sm_90, problem_kind::values, 10, 11, 8,
     {.padding = 1, .resident_teams = 7, .ahead = prefetch::registers, .tables = 3}},
    {architecture::sm_90, problem_kind::values, 11, 12, 8,
     {.resident_teams = 4, .ahead = prefetch::registers, .tables = 3}},
    {architecture::sm_90, problem_kind::values, 12, 13, 8,
     {.padding = 1, .resident_teams = 4, .ahead = prefetch::registers, .tables = 3}},
    {architecture::sm_90, problem_kind::values, 13, 14, 8,
     {.resident_teams = 3, .ahead = prefetch::registers, .tables = 3}},
    {architecture::sm_90, problem_kind::values, 14, 15, 8,
     {.padding = 1, .resident_teams = 3, .ahead = prefetch::registers, .tables = 3}},
    {architecture::sm_90, problem_kind::values, 15, 16, 8,
     {.resident_teams = 3, .ahead = prefetch::registers, .tables = 3}},
    {architecture::sm_90, problem_kind::values, 16, 17, 8,
     {.padding = 1, .resident_teams = 2, .ahead = prefetch::registers, .tables = 3}},
    {architecture::sm_90, problem_kind::gradients, 2, 3, 8,
     {.elements = 14, .resident_teams = 6, .reads = read_order::kept, .tables = 3, .points_ahead = 2}},
    {architecture::sm_90, problem_kind::gradients, 3, 4, 8,
     {.elements = 4, .padding = 1, .resident_teams = 10, .reads = read_order::kept, .tables = 3, .points_ahead = 2}},
    {architecture::sm_90, problem_kind::gradients, 4, 5, 8,
     {.elements = 5, .resident_teams = 5, .reads = read_order::kept, .tables = 3, .points_ahead = 3}},
    {architecture::sm_90, problem_kind::gradients, 5, 6, 8,
     {.elements = 4, .padding = 1, .resident_teams = 4, .reads = read_order::kept, .tables = 3, .points_ahead = 3}},
    {architecture::sm_90, problem_kind::gradients, 6, 7, 8,
     {.resident_teams = 8, .ahead = prefetch::scratch, .tables = 3, .points_ahead = 5}},
    {architecture::sm_90, problem_kind::gradients, 7, 8, 8,
     {.padding = 1, .resident_teams = 8, .reads = read_order::kept, .tables = 3, .points_ahead = 4}},
    {architecture::sm_90, problem_kind::gradients, 8, 9, 8,
     {.resident_teams = 5, .reads = read_order::kept, .points_ahead = 2}},
    {architecture::sm_90, problem_kind::gradients, 9, 10, 8,
     {.padding = 1, .resident_teams = 3, .ahead = prefetch::scratch, .tables = 3, .points_ahead = 6}},
    {architecture::sm_90, problem_kind::gradients, 10, 11, 8,
     {.resident_teams = 3, .reads = read_order::kept, .tables = 3, .points_ahead = 4}},
    {architecture::sm_90, problem_kind::gradients, 11, 12, 8,
     {.padding = 1, .resident_teams = 3, .reads = read_order::kept, .points_ahead = 2}},
    {architecture::sm_90, problem_kind::gradients, 12, 13, 8,
     {.resident_teams = 2, .reads = read_order::kept, .points_ahead = 2}},
    {architecture::sm_90, problem_kind::gradients, 13, 14, 8,
     {.padding = 1, .resident_teams = 2, .reads = read_order::kept, .tables = 3, .points_ahead = 4}},
    {architecture::sm_90, problem_kind::gradients, 14, 15, 8,
     {.resident_teams = 2, .reads = read_order::kept, .points_ahead = 2}},
    {architecture::sm_90, problem_kind::gradients, 15, 16, 8,
     {.padding = 1, .ahead = prefetch::scratch, .tables = 3, .points_ahead = 6}},
    {architecture::sm_90, problem_kind::gradients, 16, 17, 8,
     {.reads = read_order::kept, .points_ahead = 2}},
    {architecture::sm_90, problem_kind::collocated, 2, 2, 8,
     {.elements = 16, .padding = 1, .resident_teams = 16, .reads = read_order::kept, .points_ahead = 1}},
    {architecture::sm_90, problem_kind::collocated, 3, 3, 8,
     {.elements = 14, .resident_teams = 6, .reads = read_order::kept, .points_ahead = 2}},
    {architecture::sm_90, problem_kind::collocated, 4, 4, 8,
     {.elements = 4, .padding = 1, .resident_teams = 12, .reads = read_order::kept, .points_ahead = 3}},
    {architecture::sm_90, problem_kind::collocated, 5, 5, 8,
     {.elements = 5, .resident_teams = 4, .reads = read_order::kept, .tables = 3, .points_ahead = 2}},
    {architecture::sm_90, problem_kind::collocated, 6, 6, 8,
     {.elements = 4, .padding = 1, .resident_teams = 4}},
    {architecture::sm_90, problem_kind::collocated, 7, 7, 8,
     {.elements = 3, .resident_teams = 3, .reads = read_order::kept, .tables = 3, .points_ahead = 4}},
    {architecture::sm_90, problem_kind::collocated, 8, 8, 8,
     {.padding = 1, .resident_teams = 8, .reads = read_order::kept, .tables = 3, .points_ahead = 4}},
    {architecture::sm_90, problem_kind::collocated, 9, 9, 8,
     {.resident_teams = 2, .ahead = prefetch::cache}},
    {architecture::sm_90, problem_kind::collocated, 10, 10, 8,
     {.padding = 1, .resident_teams = 2, .ahead = prefetch::cache}},
    {architecture::sm_90, problem_kind::collocated, 11, 11, 8,
     {.resident_teams = 3, .reads = read_order::kept, .tables = 3, .points_ahead = 4}},
    {architecture::sm_90, problem_kind::collocated, 12, 12, 8,
     {.padding = 1, .resident_teams = 2, .reads = read_order::kept, .tables = 3, .points_ahead = 4}},
    {architecture::sm_90, problem_kind::collocated, 13, 13, 8,
     {.resident_teams = 2, .ahead = prefetch::scratch, .points_ahead = 6}},
    {architecture::sm_90, problem_kind::collocated, 14, 14, 8,
     {.padding = 1, .reads = read_order::kept, .tables = 3, .points_ahead = 2}},
    {architecture::sm_90, problem_kind::collocated, 15, 15, 8,
     {.reads = read_order::kept, .tables = 3, .points_ahead = 4}},
    {architecture::sm_90, problem_kind::collocated, 16, 16, 8,
     {.padding = 1, .ahead = prefetch::scratch, .tables = 3, .points_ahead = 6}},
    {architecture::sm_90, problem_kind::gradients, 7, 8, 8,
     {.way = variant::warps, .resident_teams = 12}, row_geometry::trilinear},
    {architecture::sm_90, problem_kind::gradients, 7, 8, 8,
     {.way = variant::warps, .resident_teams = 12}, row_geometry::affine},
    {architecture::sm_90, problem_kind::values, 3, 4, 4,
     {.elements = 2, .resident_teams = 32, .ahead = prefetch::registers}},
    {architecture::sm_90, problem_kind::values, 13, 14, 4,
     {.resident_teams = 5, .tables = 3}},
    {architecture::sm_90, problem_kind::values, 14, 15, 4,
     {.padding = 1, .resident_teams = 4, .tables = 3}},
    {architecture::sm_90, problem_kind::values, 15, 16, 4,
     {.resident_teams = 4, .tables = 3}},
    {architecture::sm_90, problem_kind::values, 16, 17, 4,
     {.padding = 1, .resident_teams = 3, .tables = 3}},
    {architecture::sm_90, problem_kind::gradients, 10, 11, 4,
     {.resident_teams = 4, .reads = read_order::kept, .points_ahead = 4}},
    {architecture::sm_90, problem_kind::gradients, 12, 13, 4,
     {.resident_teams = 4, .reads = read_order::kept, .points_ahead = 2}},
    {architecture::sm_90, problem_kind::gradients, 15, 16, 4,
     {.padding = 1, .resident_teams = 4, .reads = read_order::kept, .points_ahead = 4}},
    {architecture::sm_90, problem_kind::collocated, 8, 8, 4,
     {.padding = 1, .resident_teams = 16, .reads = read_order::kept, .points_ahead = 2}},
    {architecture::sm_90, problem_kind::collocated, 9, 9, 4,
     {.resident_teams = 8, .reads = read_order::kept, .points_ahead = 2}},
    {architecture::sm_90, problem_kind::collocated, 10, 10, 4,
     {.padding = 1, .resident_teams = 6, .reads = read_order::kept, .points_ahead = 2}},
    {architecture::sm_90, problem_kind::collocated, 12, 12, 4,
     {.padding = 1, .resident_teams = 4, .reads = read_order::kept, .points_ahead = 2}},
    {architecture::sm_90, problem_kind::collocated, 13, 13, 4,
     {.resident_teams = 3, .reads = read_order::kept, .points_ahead = 2}},
    {architecture::sm_90, problem_kind::collocated, 14, 14, 4,
     {.padding = 1, .resident_teams = 2, .reads = read_order::kept, .tables = 3, .points_ahead = 4}},
    {architecture::sm_90, problem_kind::collocated, 15, 15, 4,
     {.resident_teams = 2, .reads = read_order::kept, .tables = 3, .points_ahead = 4}},
    {architecture::sm_80, problem_kind::values, 16, 17, 8,
     {.padding = 1, .resident_teams = 2, .ahead = prefetch::registers}},
    {architecture::sm_80, problem_kind::gradients, 6, 7, 8,
     {.elements = 3, .resident_teams = 4, .ahead = prefetch::cache}},
    {architecture::sm_80, problem_kind::gradients, 7, 8, 8,
     {.padding = 1, .resident_teams = 10, .ahead = prefetch::cache}},
    {architecture::sm_80, problem_kind::gradients, 14, 15, 8,
     {.resident_teams = 2, .ahead = prefetch::cache}},
    {architecture::sm_80, problem_kind::collocated, 11, 11, 8,
     {.resident_teams = 3, .ahead = prefetch::cache}},
    {architecture::sm_80, problem_kind::collocated, 12, 12, 8,
     {.padding = 1, .resident_teams = 3, .ahead = prefetch::cache}},
    {architecture::sm_80, problem_kind::collocated, 13, 13, 8,
     {.resident_teams = 2, .ahead = prefetch::cache}},
    {architecture::sm_80, problem_kind::collocated, 14, 14, 8,
     {.padding = 1, .resident_teams = 2, .ahead = prefetch::cache}},
    {architecture::sm_80, problem_kind::collocated, 15, 15, 8,
     {.resident_teams = 2, .ahead = prefetch::cache}},
};
// clang-format on

}  // namespace detail

}  // namespace sumfac
