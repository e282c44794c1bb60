// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The fused kernel of which a warp has an element in its registers and makes its lines by matrix instructions.
#pragma once

#include <sumfac/element/kernel/concepts.hpp>
#include <sumfac/element/kernel/point_form.hpp>
#include <sumfac/element/kernel/warp_lines.hpp>
#include <sumfac/element/tuning.hpp>
#include <sumfac/tensor/kept_table.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

template <class Exchanged, class Geometry, class Team>
struct warp_kernel_scratch {
  using slopes = typename Team::template shared<typename Team::scalar, 2, warp_line, 8, 4>;

  warp_scratch<Team> lines;
  slopes values, along_x, along_y;  // of each thread its own, (half, z, a, l)
  SUMFAC_NO_UNIQUE_ADDRESS Exchanged exchanged;
  SUMFAC_NO_UNIQUE_ADDRESS Geometry geometry;

  template <class Name>
  void names(Name const& name)
  {
    name("lines", lines), name("values", values), name("along_x", along_x), name("along_y", along_y);
  }
};

// y = A x on an element of 8 x 8 x 8 points.
//
// A thread has two lines along z at all times, and works those as variant::slices does; lines along y and x lie across
// four threads (warp_part). The product with tables along y leaves its lines turned, so that x is next without a
// barrier; on the way back they are turned through scratch, which nothing else is in.
// **Shapes** a part (z, a, b): nodes (k, i, j) or points (z, r, q).
// **Work** 40 products of 16 x 8 by 8 x 8 numbers for lines along x and y; along z as other kernels.
template <class Problem, tuning Tuning, class Exchange>
struct warp_kernel {
  using form_type = typename Problem::form;
  using scalar = typename Problem::number;
  static constexpr int directions = 3, n = Problem::nodes_1d, g = Problem::points_1d;
  static constexpr int components = Problem::components, elements = 1;
  static constexpr int threads = warp_threads::size, resident_teams = Tuning.resident_teams, block_teams = 1;
  static constexpr bool collocated = Problem::collocated;
  static constexpr bool has_slopes = Problem::has_slopes, has_fluxes = Problem::has_fluxes;
  static constexpr bool differentiates = Problem::differentiates, prefetches_factors = false;

  form_type form;
  Exchange exchange;  // where u, v and the factors are
  kept_table<interpolate<scalar, typename Problem::nodes, typename Problem::points>> to_points = {};
  kept_table<differentiate<scalar, typename Problem::points>> derivative = {};

  template <class Team>
  using scratch = warp_kernel_scratch<typename Exchange::vectors_type::template scratch<Team>,
                                      typename Exchange::template geometry_scratch<Team>, Team>;

  // Lines of points that the form is applied along: of z.
  static constexpr int form_direction = 2;

  // Place of point (z, r, q) among an element's factors: threads side by side read numbers side by side.
  SUMFAC_FUNCTION static constexpr int point(int z, int r, int q) { return (z * g + r) * g + q; }

  template <class Team>
    requires line_vectors<typename Exchange::vectors_type, scratch<Team>> &&
             factor_reader<typename Exchange::factors_type, scalar>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    typename Team::template per_thread<warp_part<T>, 8, 4> value, slope;
    exchange.template prepare_lines<form_direction>(team, s.geometry, group);
    read_columns(team, s, group, value);
    team.sync();  // matrices are multiplied by all threads at once
    team.phase("interpolate and differentiate along y");
    warp_columns<to_values, to_slopes>(team, value, value, slope, s.lines);
    team.phase("interpolate and differentiate along x");
    warp_lines<to_values>(team, slope, slope, s.lines);
    put_aside(team, slope, s.along_y);
    warp_lines<to_slopes>(team, value, slope, s.lines);
    put_aside(team, slope, s.along_x);
    warp_lines<to_values>(team, value, value, s.lines);
    put_aside(team, value, s.values);
    apply_columns(team, s, group);
    team.sync();
    team.phase("project along x");
    take_back(team, s.values, value);
    warp_lines<from_values>(team, value, value, s.lines);
    take_back(team, s.along_x, slope);
    warp_lines<from_slopes, true>(team, slope, value, s.lines);
    take_back(team, s.along_y, slope);
    warp_lines<from_values>(team, slope, slope, s.lines);
    team.phase("turn");
    warp_transpose(team, value, s.lines);
    warp_transpose(team, slope, s.lines);
    team.phase("project along y");
    warp_lines<from_values>(team, value, value, s.lines);
    warp_lines<from_slopes, true>(team, slope, value, s.lines);
    write_columns(team, s, group, value);
  }

private:
  using T = scalar;
  using to_values = interpolate<T, typename Problem::nodes, typename Problem::points>;
  using to_slopes = differentiate<T, typename Problem::nodes, typename Problem::points>;
  using from_values = transposed<to_values>;
  using from_slopes = transposed<to_slopes>;

  // u along z: -> (z, i, j), node i of x at the a of which it is the warp_place, as warp_columns wants it.
  template <class Team, class Parts>
  SUMFAC_INLINE void read_columns(Team const& team, scratch<Team>& s, index_t group, Parts& value) const
  {
    team.phase("interpolate along z");
    team.each(warp_threads{}, [&](int a, int l) {
      auto const memory = exchange.memory(s, group);
      pencil<T, n> line[2];
      SUMFAC_UNROLL
      for (int half = 0; half < 2; ++half) {
        int const j = l + 4 * half, i = warp_place(a);
        if (i < n && j < n)
          line[half] = memory.template read<axis::z>(0, 0, j, i);
        else
          line[half] = {};
      }
      SUMFAC_UNROLL
      for (int half = 0; half < 2; ++half)
        contract(to_points.forward(), line[half], [&](int z, T x) SUMFAC_LAMBDA { value(a, l).value[z][half] = x; });
    });
  }

  // Derivatives that a thread has no registers for while it works on lines of points.
  template <class Team, class Parts, class Slopes>
  SUMFAC_INLINE void put_aside(Team const& team, Parts& from, Slopes& to) const
  {
    team.each(warp_threads{}, [&](int a, int l) {
      SUMFAC_UNROLL
      for (int z = 0; z < g; ++z) to(0, z, a, l) = from(a, l).value[z][0], to(1, z, a, l) = from(a, l).value[z][1];
    });
  }
  template <class Team, class Slopes, class Parts>
  SUMFAC_INLINE void take_back(Team const& team, Slopes& from, Parts& to) const
  {
    team.each(warp_threads{}, [&](int a, int l) {
      SUMFAC_UNROLL
      for (int z = 0; z < g; ++z) to(a, l).value[z][0] = from(0, z, a, l), to(a, l).value[z][1] = from(1, z, a, l);
    });
  }

  // The form on columns of points; fluxes take the derivatives' place, and values have those along z with them.
  template <class Team>
  SUMFAC_INLINE void apply_columns(Team const& team, scratch<Team>& s, index_t group) const
  {
    team.phase("apply the form along z");
    team.each(warp_threads{}, [&](int r, int l) {
      SUMFAC_ROLLED
      for (int half = 0; half < 2; ++half) {
        auto const at_point = exchange.template line_of<T, 2>(s.geometry, group, 0, r, l + 4 * half);
        auto const line = fetch<T, g>([&](int z) SUMFAC_LAMBDA { return s.values(half, z, r, l); });
        auto slope = contract(derivative.forward(), line);
        pencil<T, g> v;
        apply_on_line<T, 3, g>(
            form, at_point, [&](int, int z) SUMFAC_LAMBDA { return line[z]; },
            [&](int, int z, T number) SUMFAC_LAMBDA { v[z] = number; },
            [&](int, int z) SUMFAC_LAMBDA -> decltype(auto) { return s.along_x(half, z, r, l); },
            [&](int, int z) SUMFAC_LAMBDA -> decltype(auto) { return s.along_y(half, z, r, l); },
            [&](int, int z) SUMFAC_LAMBDA -> T& { return slope[z]; });
        contract(derivative.backward(), slope, [&](int z, T number) SUMFAC_LAMBDA {
          s.values(half, z, r, l) = Problem::tests_values ? v[z] + number : number;
        });
      }
    });
  }

  // v along z, from (z, i, j).
  template <class Team, class Parts>
  SUMFAC_INLINE void write_columns(Team const& team, scratch<Team>& s, index_t group, Parts& value) const
  {
    team.phase("project along z");
    team.each(warp_threads{}, [&](int i, int l) {
      auto const memory = exchange.memory(s, group);
      SUMFAC_UNROLL
      for (int half = 0; half < 2; ++half) {
        int const j = l + 4 * half;
        auto const line = fetch<T, g>([&](int z) SUMFAC_LAMBDA { return value(i, l).value[z][half]; });
        if (i < n && j < n) contract(to_points.backward(), line, memory.template write<axis::z>(0, 0, j, i));
      }
    });
  }
};

}  // namespace sumfac::SUMFAC_TARGET::detail
