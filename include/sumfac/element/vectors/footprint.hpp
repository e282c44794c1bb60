// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Where what an operator reads and writes lies, by how much it is.
#pragma once

#include <sumfac/config.hpp>
#if SUMFAC_HAS_HOST
#include <sumfac/backend/detail/machine.hpp>
#endif

namespace sumfac::SUMFAC_TARGET::detail {

// In the caches from one application to the next; there in part, where others need them too; in memory.
enum class footprint { in_caches, near_caches, in_memory };

#if SUMFAC_HAS_HOST
// Of an operator that reads and writes so many bytes. Prefetching them costs up to a tenth of the
// time where they are in the caches, and saves up to a fourth from half of the last one's size on (Zen 5).
inline footprint footprint_of(index_t bytes)
{
  index_t const caches = cache_bytes();
  return bytes > caches ? footprint::in_memory : bytes > caches / 2 ? footprint::near_caches : footprint::in_caches;
}
#endif

}  // namespace sumfac::detail
