// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of a device's team on what each policy keeps of the geometry, with all that they are made of. It includes
// nothing that a compiler of device code alone, as NVRTC, does not read.
#pragma once

#include <sumfac/backend/gpu/team.hpp>
#include <sumfac/element/geometry/factor_readers.hpp>
#include <sumfac/element/geometry/map_reader.hpp>
#include <sumfac/element/geometry/node_reader.hpp>
#include <sumfac/element/kernel/cube_kernel.hpp>
#include <sumfac/element/kernel/dense_matrices.hpp>
#include <sumfac/element/kernel/dense_team_kernel.hpp>
#include <sumfac/element/kernel/exchange.hpp>
#include <sumfac/element/kernel/problem.hpp>
#include <sumfac/element/kernel/row_kernel.hpp>
#include <sumfac/element/kernel/slice_kernel.hpp>
#include <sumfac/element/kernel/split_kernel.hpp>
#include <sumfac/element/kernel/warp_kernel.hpp>
#include <sumfac/element/tuning.hpp>
#include <sumfac/element/vectors/masked_vectors.hpp>
#include <sumfac/element/vectors/patch_vectors.hpp>
#include <sumfac/element/vectors/team_global.hpp>
#include <sumfac/element/vectors/team_vectors.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// The kernel of a way through an element; slices are of one space alone.
template <variant Way, class Problem, tuning Tuning, class Exchange>
struct team_kernel {
  using type = cube_kernel<Problem, Tuning, Exchange>;
};
template <class Problem, tuning Tuning, class Exchange>
  requires(Problem::has_one_side)
struct team_kernel<variant::slices, Problem, Tuning, Exchange> {
  using type = slice_kernel<Problem, Tuning, Exchange>;
};
template <class Problem, tuning Tuning, class Exchange>
  requires(Problem::has_one_side)
struct team_kernel<variant::warps, Problem, Tuning, Exchange> {
  using type = warp_kernel<Problem, Tuning, Exchange>;
};
template <class Problem, tuning Tuning, class Exchange>
struct team_kernel<variant::rows, Problem, Tuning, Exchange> {
  using type = row_kernel<Problem, Tuning, Exchange>;
};
template <class Problem, tuning Tuning, class Exchange>
struct team_kernel<variant::dense, Problem, Tuning, Exchange> {
  using type = dense_team_kernel<Problem, Exchange, Tuning.elements>;
};
template <class Problem, tuning Tuning, class Exchange>
struct team_kernel<variant::matrices, Problem, Tuning, Exchange> {
  using type = dense_matrix_kernel<Problem, Exchange, Tuning>;
};

// Global vectors with a restriction for each side.
template <class Problem, int Elements>
using team_pair_vectors =
    team_vectors<pair_entries<typename Problem::vector_number, Problem::nodes_1d, Problem::test_side::nodes_1d>,
                 Problem, Elements>;

// How a team of Tuning reads and writes vectors, and its kernel on these and on what it reads of the geometry.
template <class Problem, tuning Tuning>
struct team_choice {
  static constexpr int elements = Tuning.elements;
  using vectors = team_vectors<strided_entries<typename Problem::vector_number>, Problem, elements>;
  static constexpr bool packs_vectors = Problem::axes == 3 && Problem::has_one_side;
  using packed_vectors =
      team_vectors<packed_entries<typename Problem::vector_number, Problem::components, Problem::nodes_1d>, Problem,
                   elements>;
  using global_vectors =
      team_vectors<table_entries<typename Problem::vector_number, Problem::nodes_1d>, Problem, elements>;
  using pair_vectors = team_pair_vectors<Problem, elements>;
  static constexpr int patch = Tuning.patch;  // elements of it, or 0
  using patch_vectors = detail::patch_vectors<Problem, elements, patch>;
  // Elements of which sides or edges may hang.
  static constexpr bool is_masked = Problem::has_one_side && Problem::is_tensor && Problem::directions >= 2 &&
                                    Problem::trial_space.family == function_family::nodal;
  using masked_vectors = detail::masked_vectors<Problem, elements>;
  template <class Vectors, class Factors = team_factor_reader<Problem, elements, Tuning.reads>>
  using kernel_of = typename team_kernel<Tuning.way, Problem, Tuning, exchange<Vectors, Factors>>::type;
};

}  // namespace sumfac::detail
