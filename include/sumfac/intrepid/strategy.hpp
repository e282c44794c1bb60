// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The ways to spread a contraction over threads, as types to choose by.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>

namespace sumfac::SUMFAC_TARGET::intrepid {

// Leaves the choice to the library: by the function, the extents and the backend.
struct automatic {};

// A thread for each entry of the output. On the host: one output at a time, the contraction in SIMD lanes (cells in
// lanes where cells are adjacent in memory).
struct flat {};

// A team of `Threads` for each entry of the output: the last `Depth` contracted dimensions are spread over its threads,
// each of which goes through the others; Depth = 3 is Intrepid's team stride, which knows one contracted index only.
// On the host: one output at a time, in four independent sums.
template <int Depth = 3, int Threads = 32>
struct team_reduction {
  static_assert(Depth >= 1 && Depth <= 3, "sumfac::intrepid::team_reduction: Depth is not in 1..3");
  static_assert(Threads >= 1 && Threads <= 1024 && (Threads & (Threads - 1)) == 0,
                "sumfac::intrepid::team_reduction: Threads must be a power of two and at most 1024");
};
using team_stride = team_reduction<3, 32>;

// A team of `Threads` for several entries of the output, `Lanes` threads for each: for contractions of 16 or fewer.
template <int Lanes = 16, int Threads = 32>
struct shared_reduction {
  static_assert(Lanes >= 1 && (Lanes & (Lanes - 1)) == 0 && Threads >= 1 && Threads <= 1024 && Threads % Lanes == 0,
                "sumfac::intrepid::shared_reduction: Lanes must be a power of two that divides Threads, which is from "
                "1 "
                "to 1024");
};

// A team for `Slices` left fields, which it keeps in shared memory, and a thread for each right field. On the host:
// that many left fields, at most three, pass by all right fields in blocks of registers.
template <int Slices = 1, int Threads = 64>
struct slicing {
  static_assert(Slices >= 1 && Slices <= 64,
                "sumfac::intrepid::slicing: Slices is not in 1..64: a thread keeps a sum for each");
  static_assert(Threads >= 1 && Threads <= 1024, "sumfac::intrepid::slicing: Threads is not in 1..1024");
};

// A team for a tile of Left x Right fields, which goes through the contraction `Depth` at a time in shared memory. A
// thread has Block x Block entries of the tile, so that it uses what it reads from there Block times. Tiles need not
// divide the extents. On the host: blocks of registers within tiles that stay in the caches.
template <int Left = 16, int Right = 16, int Depth = 16, int Block = 1>
struct tiling {
  static_assert(Left >= 1 && Right >= 1 && Depth >= 1, "sumfac::intrepid::tiling: a tile is empty");
  static_assert(Block >= 1 && Left % Block == 0 && Right % Block == 0,
                "sumfac::intrepid::tiling: Block must divide Left and Right");
  static_assert(Left * Right <= 1024 * Block * Block,
                "sumfac::intrepid::tiling: a tile has more than 1024 blocks, one thread each");
};
// For many fields: 256 threads, and two reads from shared memory for four products.
using large_tiling = tiling<64, 64, 16, 4>;

}  // namespace sumfac::intrepid
