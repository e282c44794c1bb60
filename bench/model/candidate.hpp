// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Kernels of tunings that are compiled to be read, not run: their names say what the launch would know.
#pragma once

#include "../gpu/kinds.hpp"

#include <sumfac/element/kernel/kernel_choice.hpp>

#include <type_traits>

namespace sumfac::bench {

// What a kernel's name says: which of a list it is; of a block threads, bytes of scratch and elements; and padding.
template <int Index, int Threads, int ScratchBytes, int Elements, int Padding, class Kernel>
struct candidate : Kernel {};

template <class Problem, class Kind, int Order, vector_kind Vectors, tuning Tuning, int Directions = 3>
struct candidate_kernel {
  static constexpr space elements = sumfac::detail::space_of<space_on<Order, Directions>>;
  using problem = sumfac::detail::problem<typename Problem::form, elements, typename Problem::template points<Order>,
                                          typename Kind::numbers, elements>;  // (named twice for g++ 12)
  using choice = sumfac::detail::kernel_choice<problem, device, Tuning, typename Kind::policy>;
  using packed = typename sumfac::detail::packed_vectors_of<choice>::type;
  using vectors = std::conditional_t<Vectors == vector_kind::global, typename choice::global_vectors, packed>;
  using type = sumfac::detail::kernel_on<choice, vectors>;
};

// The address of a kernel, so that it is compiled.
template <int Index, class Problem, class Kind, int Order, vector_kind Vectors, tuning Tuning, int Directions>
void const* compiled()
{
  using kernel = typename candidate_kernel<Problem, Kind, Order, Vectors, Tuning, Directions>::type;
  using block = sumfac::detail::block_of<device::runtime, kernel>;
  // Scratch of warps has no conflicts, as cubes of 8 points that are padded.
  constexpr int padding = Tuning.way == variant::warps ? 1 : Tuning.padding;
  using named = candidate<Index, block::threads, block::scratch_bytes, block::teams * Tuning.elements, padding, kernel>;
  auto* const entry = sumfac::detail::run_team<device::runtime, named>;
  return reinterpret_cast<void const*>(entry);
}

}  // namespace sumfac::bench
