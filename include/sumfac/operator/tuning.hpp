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

// Elements of a device's team, so that its threads fill whole warps well and a block is neither small nor large.
constexpr int elements_per_team(int n, int g)
{
  int const lines = g * g;
  static_cast<void>(n);
  if (lines > 64) return 1;
  int best = 1, best_idle = 32;
  for (int elements = 1; elements * lines <= 160; ++elements) {
    int const threads = elements * lines, idle = (threads + 31) / 32 * 32 - threads;
    // Idle threads in 1/64 of the launched, so that a larger team wins only where it wastes less.
    int const waste = 64 * idle / (threads + idle);
    if (threads >= 64 && waste < best_idle) best = elements, best_idle = waste;
  }
  return best;
}

// The tuning table of devices: by kind of form, nodes n and points g per direction, and bytes of the scalar.
template <class Form>
constexpr tuning device_tuning(int n, int g, int scalar_bytes)
{
  static_cast<void>(scalar_bytes);
  tuning t;
  t.elements = elements_per_team(n, g);
  t.padding = g % 2 == 0 ? 1 : 0;
  if (!differentiates<Form>) {
    t.ahead = prefetch::registers;
  } else if (g >= 11 && components_of<Form> == 1) {
    t.way = variant::slices;
    t.planes = (g + 3) / 4;
    t.ahead = prefetch::cache;
  } else {
    t.ahead = prefetch::cache;
  }
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
