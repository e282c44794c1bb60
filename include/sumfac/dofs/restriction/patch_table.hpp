// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The tables of patches as a device's threads read them: neighbouring elements whose sums a team makes in its scratch.
#pragma once

#include <sumfac/dofs/restriction/device_kernels.hpp>

#include <cstdint>

namespace sumfac::SUMFAC_TARGET::detail {

// What a patch has of one component, or of all where they have the same: its entries of global vectors, those first
// that it writes to y, and a slot for each of the others, whose first owner another patch is.
struct patch_record {
  std::uint32_t first, count, direct, first_slot;
  std::uint32_t pattern;  // where its pattern begins
  std::uint32_t zeros;    // not 0: some places have no entry, and read 0
};

// Copied into kernels. A pattern says at which places of a patch each of its entries is: (count + 1) beginnings, then
// the places, (element of the patch, node of it). Patches that are alike have one pattern.
// **Shapes** groups (patches, passes), -1 behind a patch's last; records (patches, tracked); work (C, slots).
template <class Scalar>
struct patch_table {
  index_t const* groups = nullptr;  // of elements, a pass each
  patch_record const* records = nullptr;
  std::uint32_t const* entries = nullptr;  // of component 0, or of the record's
  std::uint16_t const* patterns = nullptr;
  Scalar* work = nullptr;
  index_t work_stride = 0, stride = 0;  // stride: from a component to the next in global vectors
  int passes = 1, tracked = 1;
  bool adds = false;
};

// y plus what other patches than the first one have of an entry, in their order; then entries of no patch.
template <class T>
struct sum_of_patches {
  T const* work;
  index_t work_stride, stride;
  int components;                 // of each entry
  std::uint32_t const* entries;   // that several patches have: those with one slot, those with more
  std::uint32_t const* of_nodes;  // theirs, behind each other
  std::uint32_t const* first;     // of those with more, (more + 1)
  index_t with_one, shared;       // how many have one slot, or any
  std::uint32_t const* rest;      // of no patch
  rows_of<T> rows;
  T* y;

  SUMFAC_INLINE void operator()(index_t i) const
  {
    if (i >= shared) {
      index_t const entry = rest[i - shared];
      y[entry] = rows.at(entry, 0);
      return;
    }
    index_t const begin = i < with_one ? i : first[i - with_one], end = i < with_one ? i + 1 : first[i - with_one + 1];
    index_t const entry = entries[i];
    for (int c = 0; c < components; ++c) {
      T sum = y[entry + c * stride];
      for (index_t k = begin; k < end; ++k) sum += work[c * work_stride + of_nodes[k]];
      y[entry + c * stride] = sum;
    }
  }
};

}  // namespace sumfac::detail
