// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A team that multiplies matrices as NVIDIA's devices lay them out over the threads of a warp: PTX ISA 8.5,
// 9.7.14.5.14, matrix fragments for mma.m16n8k8 of .f64.
#pragma once

namespace support {

// Made of a team whose warps all multiply as often: its barriers are those of all threads.
template <class Team>
struct matrix_team {
  using scalar = double;
  static constexpr int threads = Team::threads, warps = threads / 32;
  static constexpr bool multiplies = true;
  template <class T, int... Extents>
  using shared = typename Team::template shared<T, Extents...>;
  template <class T, int... Extents>
  using per_thread = typename Team::template per_thread<T, Extents...>;
  struct matrices {
    shared<double, warps, 16, 8> a;
    shared<double, warps, 8, 8> b;
  };
  Team const& team;
  matrices& common;
  mutable int rank = 0;

  template <class Box, class Function>
  void each(Box all, Function const& f) const
  {
    team.each(all, [&](auto... i) {
      rank = Box::position(i...) % threads;
      f(i...);
    });
  }
  void phase(char const* name) const { team.phase(name); }
  void sync() const { team.sync(); }
  void sync_warp() const { team.sync(); }
  void multiply(double (&c)[4], double const (&a)[4], double const (&b)[2]) const
  {
    int const warp = rank / 32, group = rank % 32 / 4, within = rank % 4;
    for (int i = 0; i < 4; ++i) common.a(warp, i % 2 == 0 ? group : group + 8, i < 2 ? within : within + 4) = a[i];
    for (int i = 0; i < 2; ++i) common.b(warp, i == 0 ? within : within + 4, group) = b[i];
    team.sync();
    for (int i = 0; i < 4; ++i)
      for (int k = 0; k < 8; ++k)
        c[i] += common.a(warp, i < 2 ? group : group + 8, k) * common.b(warp, k, 2 * within + i % 2);
    team.sync();
  }
};

}  // namespace support
