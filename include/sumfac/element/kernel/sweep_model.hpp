// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Whether terms within elements and on their sides are one kernel on a device: a model of both ways.
#pragma once

#include <sumfac/element/kernel/face_team.hpp>
#include <sumfac/element/tuning.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Bytes are of an element and move between memory and the device: vectors, factors at points within it and on its
// sides. What lies behind these other teams read anyhow.
struct sweep_model {
  bool possible = false;
  // Of the one kernel: teams on a multiprocessor at once, threads of each, and its scratch for sides.
  int teams = 1, threads = 0, side_bytes = 0;
  double one = 0, two = 0;  // bytes of one kernel, and of two
  double in_flight = 1;     // part of the bytes that must be on their way for all that memory gives

  // How many times as fast one kernel is, where memory bounds both.
  constexpr double gain() const { return possible ? two / (one / in_flight) : 0; }
  // Sides wait for scratch and barriers more than for memory: they need about the threads of their own kernel.
  static constexpr double least_gain = 1.2;
  static constexpr int least_threads = 640;
  constexpr bool pays() const { return gain() >= least_gain && teams * threads >= least_threads; }
};

// Whole warps for so many lines.
constexpr int threads_of_sweep(int lines) { return (lines + 31) / 32 * 32; }

// Of a problem of hexahedra and its kernel of cubes, and the problem of the sides. Of more than 12 points a direction
// tables may be more than a kernel's parameters before CUDA 12.1.
template <class Within, class Between, architecture Device, tuning Tuning, bool IsStored>
constexpr sweep_model model_of_sweep()
{
  using number = typename Within::number;
  using form = typename Within::form;
  sweep_model m;
  if constexpr (Within::is_tensor && Within::directions == 3 && Within::has_one_side && Tuning.way == variant::cubes &&
                inputs_of<typename Between::form>::count == 0 && functions_apart<form>::count == 1 &&
                Within::points_1d <= 12 && std::is_same_v<number, typename Within::vector_number> &&
                std::is_same_v<number, typename Between::number>) {
    using sides = face_team_evaluation<Between, 1>;
    constexpr int n = Within::nodes_1d, g = Within::points_1d, components = Within::components;
    constexpr int bytes{sizeof(number)}, of_factor{sizeof(typename Within::factor_number)};
    constexpr int lines = Tuning.elements * g * g, threads = threads_of_sweep(lines);
    constexpr int waiting = 2 * Tuning.elements * components * n * n * (n | 1) * bytes, kept_back = 2048;
    constexpr int rest = team_bytes<form>(Tuning, n, g, bytes, of_factor) + waiting + kept_back;
    constexpr int of_side = sides::numbers_of_side * bytes, all = limits_of(Device).scratch_bytes;
    m.possible = rest + of_side <= all && threads <= 1024;
    if (!m.possible) return m;
    // Sides take 80 registers at most, as in a kernel of their own, and two of them at once are worth more than teams.
    constexpr int of_cubes = registers_of(Device, kind_of<form>(n, g), g);
    constexpr int registers = Within::has_slopes && Within::has_fluxes ? greater(80, of_cubes) : 80;
    constexpr int by_scratch = all / (rest + 2 * of_side);
    m.threads = threads;
    m.teams = greater(1, lesser(resident_teams(threads, registers), by_scratch));
    m.side_bytes = all / m.teams - rest;
    constexpr double of_vector = double(n) * n * n * components * bytes;
    constexpr double within = IsStored ? double(g) * g * g * Within::factors_of_point * of_factor : 0;
    constexpr double between = 2.0 * 3 * sides::points_of_face * Between::factors_of_point * bytes;
    // A thread asks for a line of nodes. An H100's multiprocessor has some 16 KiB on their way (3 TB/s, 132 of them,
    // 0.7 us), or fewer, if these suffice for K's own kernel.
    constexpr int own = team_bytes<form>(Tuning, n, g, bytes, of_factor) + kept_back;
    constexpr int alone = Tuning.resident_teams > 1 ? Tuning.resident_teams : lesser(all / own, 2048 / threads);
    constexpr int wanted = lesser(16 * 1024, alone * lines * n * bytes);
    double const asked = double(m.teams) * lines * n * bytes / wanted;
    m.in_flight = asked < 1 ? asked : 1;
    m.two = 5 * of_vector + within + between;
    m.one = 2 * of_vector + within + between;
  }
  return m;
}

}  // namespace sumfac::SUMFAC_TARGET::detail
