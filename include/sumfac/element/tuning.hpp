// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Which way a kernel goes through an element where none is named: rows of the table, and rules.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/concepts.hpp>
#include <sumfac/basis/detail/placed_nodes.hpp>
#include <sumfac/element/kernel/dense_sizes.hpp>
#include <sumfac/element/tuning_rows.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

// Elements of a device's team with `lines` threads each: one to two and a half warps, of which few threads idle.
constexpr int elements_per_team(int lines, int warp)
{
  if (lines > 2 * warp) return 1;
  int best = 1, least_waste = 2 * warp;
  for (int elements = 1; elements * lines <= 5 * warp; ++elements) {
    int const threads = elements * lines, launched = (threads + warp - 1) / warp * warp;
    // In 2 warps' parts of the launched, so that a larger team wins only where it wastes visibly less.
    int const waste = 2 * warp * (launched - threads) / launched;
    if (threads >= 2 * warp && waste < least_waste) best = elements, least_waste = waste;
  }
  return best;
}

// Teams of `threads` threads whose registers fit a multiprocessor: 4 parts of 16384 registers, given out to warps.
constexpr int resident_teams(int threads, int registers)
{
  int const warps = 4 * (512 / ((registers + 7) / 8 * 8)), teams = warps / ((threads + 31) / 32);
  return teams < 1 ? 1 : teams > 32 ? 32 : teams;
}

// How many of the functions of several<> have threads of their own in a team whose lines take so many for one.
constexpr int functions_side_by_side(int functions, int lines)
{
  int some = functions;
  while (some > 1 && (functions % some != 0 || some * lines > 512)) --some;
  return some;
}

// Registers with which nvcc 13 compiles a kernel of cubes without spills, in double: read from its reports. The less
// regular they are the less they mean: given more, it may keep more, and spill.
constexpr int registers_of(architecture device, problem_kind kind, int g)
{
  // g = 3, 4, ... 17
  constexpr int gradients_sm_90[] = {64, 64, 64, 128, 128, 128, 80, 168, 168, 128, 168, 80, 255, 255, 96};
  auto const at_least = [](int least, int r) { return r < least ? least : r; };
  if (kind == problem_kind::values) return at_least(g < 6 ? 40 : 48, 8 * g - 16);
  if (kind == problem_kind::gradients && device == architecture::sm_90 && g >= 3 && g <= 17)
    return gradients_sm_90[g - 3];
  int const more = device == architecture::sm_80 ? 8 : 0;
  if (kind == problem_kind::gradients) return at_least(64, 8 * g + 8) + more;
  if (device == architecture::sm_90 && g < 8) return 64;
  return at_least(64, g < 8 ? 6 * g + 48 : g == 8 ? 136 : g < 12 ? 184 : g == 13 ? 255 : 168) + more;
}

// The same in float, on sm_90, with the factors of the next points in registers.
constexpr int registers_of_floats(problem_kind kind, int g)
{
  return g < 10 ? 64 : kind == problem_kind::collocated && g > 14 ? 128 : 80;
}

// Points of a line whose factors are on their way to registers while one is worked on: as many as 28 registers hold,
// one to four, and fewer than the line has.
constexpr int points_ahead(int factor_bytes, int g)
{
  int const held = 112 / (factor_bytes < 1 ? 1 : factor_bytes), most = g > 4 ? 4 : g - 1;
  return held > most ? most : held < 1 ? 1 : held;
}

// Bytes of a team's cubes of points for one element.
template <class Form>
constexpr int cube_bytes(int g, int padding, int scalar_bytes)
{
  return (differentiates<Form> ? 3 : 1) * components_of<Form> * g * g * (g + padding) * scalar_bytes;
}

// Bytes of the places for factors in scratch for one element.
template <class Form>
constexpr int ring_bytes(tuning t, int g, int factor_bytes)
{
  return t.ahead == prefetch::scratch ? t.points_ahead * g * g * factors_of<Form> * factor_bytes : 0;
}

// Bytes of scratch of a team, without what recomputed geometry needs: cubes of points, or layers of slices, and places
// for factors. Its columns are in memory where nothing is interpolated or differentiated.
template <class Form>
constexpr int team_bytes(tuning t, int n, int g, int scalar_bytes, int factor_bytes)
{
  int const layers = n == g || 3 * t.planes > n ? 3 * t.planes : n, places = t.elements * g * g;
  if (t.way == variant::slices) return places / g * components_of<Form> * layers * (g + t.padding) * scalar_bytes;
  if (t.way != variant::cubes) return 0;
  if (!differentiates<Form>) return n == g ? 0 : places * components_of<Form> * (n + t.padding) * scalar_bytes;
  return t.elements * (cube_bytes<Form>(g, t.padding, scalar_bytes) + ring_bytes<Form>(t, g, factor_bytes));
}

// Bytes of scratch in which an element's m^3 mesh nodes become lines of points (see node_reader).
constexpr int node_bytes(int m, int g, int scalar_bytes) { return (6 * g * m * m + 9 * g * g * m) * scalar_bytes; }

// The rule: cubes where they fit a block's scratch, slices elsewhere.
template <class Form>
constexpr tuning tuning_by_rule(architecture device, int n, int g, int scalar_bytes)
{
  auto const kind = kind_of<Form>(n, g);
  auto const limits = limits_of(device);
  bool const with_gradient = differentiates<Form>;
  tuning t;
  t.elements = elements_per_team(g * g, limits.warp);
  // Rows of an odd number: without derivatives a row of scratch holds the n nodes, else the g points.
  t.padding = (with_gradient ? g : n) % 2 == 0 ? 1 : 0;
  t.ahead = with_gradient ? prefetch::cache : prefetch::registers;
  // On an H200 asking the cache cost a quarter of the time, in kernels that read factors a few points ahead instead.
  bool const reads_ahead = with_gradient && device == architecture::sm_90;
  int registers = registers_of(device, kind, g);
  if (scalar_bytes == 4) registers = reads_ahead ? registers_of_floats(kind, g) : registers / 2 + 16;
  auto const scratch = [&] { return t.elements * cube_bytes<Form>(g, t.padding, scalar_bytes); };
  // Several elements share a team only where four teams still share a multiprocessor's scratch.
  while (t.elements > 1 && scratch() > limits.scratch_bytes / 4) --t.elements;
  // On gfx90a, which has no prefetching, too few wavefronts hide the memory's latency where the scratch of three teams
  // does not fit. From g = 11 on slices take more than 256 registers, and no more wavefronts fit than with cubes.
  int const least_teams = device == architecture::gfx90a && components_of<Form> == 1 && g <= 10 ? 3 : 1;
  if (device == architecture::gfx90a && t.ahead == prefetch::cache) t.ahead = prefetch::none;
  if (with_gradient && least_teams * scratch() > limits.scratch_bytes) {
    t.way = variant::slices;
    t.planes = (g + 3) / 4;
    return t;
  }
  if (reads_ahead) {
    t.ahead = prefetch::none, t.reads = read_order::kept;
    t.points_ahead = points_ahead(factors_of<Form> * scalar_bytes, g);
  }
  // On gfx90a a wavefront has 256 registers where scratch leaves eight of them on a multiprocessor, 512 where it leaves
  // four: factors of the next points wait there.
  if (device == architecture::gfx90a && with_gradient && components_of<Form> == 1) {
    int const wavefronts = (t.elements * g * g + limits.warp - 1) / limits.warp;
    if (limits.scratch_bytes / scratch() * wavefronts <= 8) t.points_ahead = g > 4 ? 4 : g - 1;
  }
  if (components_of<Form> == 1) t.resident_teams = resident_teams(t.elements * g * g, registers);
  if (with_gradient && functions_apart<Form>::count > 1 && t.ahead != prefetch::scratch) {
    int const lines = t.elements * g * g, threads = lines * functions_side_by_side(functions_apart<Form>::count, lines);
    int const by_registers = resident_teams(threads, 80), by_scratch = limits.scratch_bytes / (scratch() + 1024);
    t.resident_teams = by_scratch < 1 ? 1 : by_scratch < by_registers ? by_scratch : by_registers;
  }
  return t;
}

// Which row of the table is for such a kernel, or -1.
template <class Form>
constexpr int row_of(architecture device, row_geometry geometry, int n, int g, int scalar_bytes)
{
  if (components_of<Form> != 1) return -1;
  int i = 0;
  for (auto const& row : tuning_table) {
    if (row.device == device && row.kind == kind_of<Form>(n, g) && row.n == n && row.g == g &&
        row.scalar_bytes == scalar_bytes && row.geometry == geometry)
      return i;
    ++i;
  }
  return -1;
}

template <class Form>
constexpr tuning device_tuning(architecture device, int n, int g, int scalar_bytes)
{
  int const row = row_of<Form>(device, row_geometry::stored, n, g, scalar_bytes);
  return row >= 0 ? tuning_table[row].value : tuning_by_rule<Form>(device, n, g, scalar_bytes);
}

// A row with patches of so many elements: as many side by side as keep most threads on a multiprocessor, whose scratch
// has the patches, too; as many threads as the row has, whose registers are known to be enough.
template <class Form>
constexpr tuning with_patches(tuning t, architecture device, int patch, int n, int g, int scalar_bytes)
{
  if (t.way == variant::warps) return t;  // which have none
  auto const launched = [&](int elements) { return (elements * g * g + 31) / 32 * 32; };
  // Kernels with derivatives between nodes use all their registers: an eighth fewer threads for what patches take.
  int const eighths = kind_of<Form>(n, g) == problem_kind::gradients ? 7 : 8;
  int const wanted = t.resident_teams * launched(t.elements) * eighths / 8, before = t.elements;
  int const of_patch = patch * components_of<Form> * n * n * n * scalar_bytes, kept_back = 1024;
  int most = 0;
  t.patch = patch;
  auto const offer = [&](int elements) {
    if (elements > patch || launched(elements) > 768) return;
    int const of_element = cube_bytes<Form>(g, t.padding, scalar_bytes) + ring_bytes<Form>(t, g, scalar_bytes);
    int const bytes = of_patch + elements * of_element + kept_back;
    int teams = limits_of(device).scratch_bytes / bytes;
    if (teams * launched(elements) > wanted) teams = wanted / launched(elements);
    int const active = teams * elements * g * g;
    if (7 * active <= 8 * most) return;
    most = active, t.elements = elements, t.resident_teams = teams;
  };
  // As the row has it, or others that are better by a seventh.
  int like_row = 1;
  while (2 * like_row <= before) like_row *= 2;
  offer(like_row);
  for (int elements = 1; elements <= patch; elements *= 2) offer(elements);
  if (most == 0) t.patch = 0;
  if (functions_apart<Form>::count > 1) t.resident_teams = 1;  // whose teams have more threads
  return t;
}

// Of quadrilaterals and lines: as many elements as three warps have rows of points, and rows of an odd number.
constexpr tuning tuning_of_rows(architecture device, int n, int g, int directions)
{
  int const rows = directions == 2 ? g : 1, wanted = 3 * limits_of(device).warp;
  return {.way = variant::rows, .elements = rows < wanted ? wanted / rows : 1, .padding = n % 2 == 0 ? 1 : 0};
}

// Registers with which nvcc 13 compiles a kernel of cubes whose lines of points are made from an element's map: where
// their number is low, with at most 88 bytes of spills; arithmetic in doubles waits for more teams.
template <class Geometry>
constexpr int registers_of_lines(problem_kind kind, int g)
{
  bool const few = std::is_same_v<Geometry, affine> || (kind == problem_kind::collocated && g <= 8);
  return few ? 128 : 168;
}

// Leaves the registers that a line's geometry takes, so that nvcc 13 spills little where it is recomputed, and the
// scratch of mesh nodes, m per direction.
template <class Form, class Geometry>
constexpr tuning with_geometry(tuning t, architecture device, problem_kind kind, int m, int g, int scalar_bytes)
{
  if constexpr (is_isoparametric<Geometry>) {
    int const of_element = cube_bytes<Form>(g, t.padding, scalar_bytes) + node_bytes(m, g, scalar_bytes);
    while (t.elements > 1 && t.elements * of_element > limits_of(device).scratch_bytes / 4) --t.elements;
  }
  if (!std::is_same_v<Geometry, stored> && functions_apart<Form>::count > 1) t.resident_teams = 1;
  bool const lines_alone = std::is_same_v<Geometry, affine> || std::is_same_v<Geometry, trilinear>;
  // Without gradients only determinants are made, which fit all but the smallest teams' registers.
  bool const determinants = !differentiates<Form> && !is_isoparametric<Geometry>;
  if (std::is_same_v<Geometry, stored> || (determinants && (g > 5 || std::is_same_v<Geometry, affine>))) return t;
  t.tables = 1, t.reads = read_order::free;  // these are chosen for factors that are read
  int const registers = determinants ? 48 : lines_alone ? registers_of_lines<Geometry>(kind, g) : 255;
  int const most = resident_teams(t.elements * g * g, scalar_bytes == 8 ? registers : registers / 2 + 16);
  bool const lines_decide =
      lines_alone && !determinants && components_of<Form> == 1 && scalar_bytes == 8 && t.way == variant::cubes;
  if (lines_decide || most < t.resident_teams) t.resident_teams = most;
  return t;
}

// Of hexahedra whose lines of points have a thread each: the row for stored factors or the rule, and what geometry
// takes.
template <class Form, class Geometry>
constexpr tuning tuning_of_lines(architecture device, int n, int g, int scalar_bytes)
{
  int const m = nodes_per_edge<Geometry> == 0 ? n : nodes_per_edge<Geometry>;
  return with_geometry<Form, Geometry>(device_tuning<Form>(device, n, g, scalar_bytes), device, kind_of<Form>(n, g), m,
                                       g, scalar_bytes);
}

// Of triangles, tetrahedra and prisms.
template <class Form, space Space, int ScalarBytes>
constexpr tuning tuning_of_dense(int points, bool stored)
{
  constexpr int trial = components_of<Form>, test = test_components_of<Form>;
  constexpr int fields = (has(Form::test, value) ? 1 : 0) + (has(Form::test, gradient) ? Space.directions : 0);
  constexpr int most = trial > test ? trial : test;
  int const functions = known_or(functions_of_cell(Space), most_dense_functions(most));
  return {.way = variant::dense,
          .elements = dense_elements(known_or(points, usual_dense_points), most, trial * functions, test * fields,
                                     ScalarBytes, stored)};
}

}  // namespace detail

// The tuning that is taken where none is named: planes on the host; elsewhere the table's row, or the rule's.
template <class Backend, class Form, auto Space, class Points, class Scalar, class Geometry = stored>
inline constexpr tuning recommended_tuning = [] {
  constexpr int directions = detail::directions_of<Space>;
  if constexpr (!detail::is_tensor(detail::space_of<Space>)) {
    if constexpr (runs_on_host<Backend>)
      return tuning{.way = variant::dense};
    else
      return detail::tuning_of_dense<Form, detail::space_of<Space>, int{sizeof(Scalar)}>(
          Points::size, std::is_same_v<Geometry, stored>);
  } else if constexpr (runs_on_host<Backend>)
    return tuning{.way = variant::planes};
  else if constexpr (directions < 3 && requires { Points::size; })
    return detail::tuning_of_rows(detail::architecture_of<Backend>, detail::degree_of<Space> + 1, Points::size,
                                  directions);
  else if constexpr (requires { Points::size, Form::trial, Form::test, factors_at<Form, double>{}; }) {
    constexpr int bytes{sizeof(Scalar)}, n = detail::degree_of<Space> + 1;
    constexpr auto device = detail::architecture_of<Backend>;
    constexpr auto geometry = detail::row_geometry_of<Geometry>();
    // A row for recomputed geometry is of forms of one space that read nothing else.
    constexpr bool may_have_row = geometry != detail::row_geometry::stored &&
                                  detail::space_of<Space> == detail::test_space_of<Space> &&
                                  test_components_of<Form> == 1 && has(Form::trial, gradient) &&
                                  has(Form::test, gradient) && inputs_of<Form>::count == 0;
    constexpr int row = may_have_row ? detail::row_of<Form>(device, geometry, n, Points::size, bytes) : -1;
    if constexpr (row >= 0)
      return detail::tuning_table[row].value;
    else
      return detail::tuning_of_lines<Form, Geometry>(device, n, Points::size, bytes);
  } else
    return tuning{};
}();

}  // namespace sumfac
