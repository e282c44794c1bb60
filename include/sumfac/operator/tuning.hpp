// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How a kernel goes through an element, as a plain value; and the values that measurements and counts recommend.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/form/form.hpp>

#include <type_traits>

namespace sumfac {

// Ways through an element.
enum class variant {
  planes,  // plane by plane, one element a team: the host's; on `checked` it is watched as a device would run it
  cubes,   // all points in scratch, lines of them in registers: the value of u and two derivatives as cubes
  slices,  // columns of points in registers, a few planes of derivatives in scratch at a time
};

// What a team asks the memory for before it needs it.
enum class prefetch {
  none,
  cache,      // factors to the device's common cache, at the start
  registers,  // factors of a line or of a few planes to registers, before the barrier that they are used behind
};

// One row of the tuning table: any value may be passed to element_operator in place of the recommended one.
struct tuning {
  variant way = variant::cubes;
  int elements = 1;        // that a team works on at once; planes: 1
  int planes = 0;          // of a slice; slices only
  int padding = 0;         // entries behind each row of scratch, against bank conflicts
  int resident_teams = 1;  // wanted on a multiprocessor at once: bounds the registers of a thread
  prefetch ahead = prefetch::none;

  friend constexpr bool operator==(tuning const&, tuning const&) = default;
};

namespace detail {

template <class Form>
inline constexpr bool differentiates = has(Form::trial, gradient) || has(Form::test, gradient);

// Elements of a device's team with `lines` threads each: 64 to 160 threads, of which few idle in the last warp.
constexpr int elements_per_team(int lines)
{
  if (lines > 64) return 1;
  int best = 1, least_waste = 64;
  for (int elements = 1; elements * lines <= 160; ++elements) {
    int const threads = elements * lines, launched = (threads + 31) / 32 * 32;
    // In 64ths of the launched, so that a larger team wins only where it wastes visibly less.
    int const waste = 64 * (launched - threads) / launched;
    if (threads >= 64 && waste < least_waste) best = elements, least_waste = waste;
  }
  return best;
}

// Teams of `threads` threads whose registers fit a multiprocessor: 4 parts of 16384 registers, given out to warps.
constexpr int resident_teams(int threads, int registers)
{
  int const warps = 4 * (512 / ((registers + 7) / 8 * 8)), teams = warps / ((threads + 31) / 32);
  return teams < 1 ? 1 : teams > 32 ? 32 : teams;
}

// Registers with which nvcc compiles a kernel of cubes without spills, in double: read from its reports.
constexpr int registers_of(bool with_gradient, bool collocated, int g)
{
  int const collocated_r = g < 8 ? 6 * g + 48 : g == 8 ? 136 : g < 12 ? 184 : 168;
  int const r = !with_gradient ? 8 * g - 16 : collocated ? collocated_r : 8 * g + 8;
  int const least = with_gradient ? 64 : 40;
  return r < least ? least : r;
}

// The tuning table of devices: by kind of form, nodes n and points g per direction, and bytes of the scalar.
template <class Form>
constexpr tuning device_tuning(int n, int g, int scalar_bytes)
{
  bool const with_gradient = differentiates<Form>;
  tuning t;
  t.elements = elements_per_team(g * g);
  // Rows of an odd number: without derivatives a row of scratch holds the n nodes, else the g points.
  t.padding = (with_gradient ? g : n) % 2 == 0 ? 1 : 0;
  t.ahead = with_gradient ? prefetch::cache : prefetch::registers;
  int registers = registers_of(with_gradient, n == g, g);
  if (scalar_bytes == 4) registers = registers / 2 + 16;
  t.resident_teams = resident_teams(t.elements * g * g, registers);
  // Three cubes in double: 163 KB are the least of the devices' limits, 118 KB those of g = 17.
  int const cubes = with_gradient ? 3 * components_of<Form> : components_of<Form>;
  if (with_gradient && cubes * g * g * (g + t.padding) * scalar_bytes > 160 * 1024) {
    t.way = variant::slices;
    t.planes = (g + 3) / 4;
    t.resident_teams = 1;
  }
  if (components_of<Form> > 1) t.resident_teams = 1;
  return t;
}

}  // namespace detail

// The tuning that is taken where none is named: planes on the host, elsewhere by the table above.
template <class Backend, class Form, int Order, class Points, class Scalar>
inline constexpr tuning recommended_tuning = [] {
  if constexpr (std::is_same_v<Backend, host>)
    return tuning{.way = variant::planes};
  else if constexpr (requires { Points::size, Form::trial, Form::test, typename Form::template factors<double>{}; })
    return detail::device_tuning<Form>(Order + 1, Points::size, int{sizeof(Scalar)});
  else
    return tuning{};
}();

}  // namespace sumfac
