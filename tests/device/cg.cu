// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients on NVIDIA GPUs: sums, graphs, and the merged iteration.
#include <sumfac/backend/cuda.hpp>

using device_backend = sumfac::cuda;

// A stream of the current device for the length of a scope.
struct own_stream {
  own_stream() { static_cast<void>(cudaStreamCreate(&handle)); }
  own_stream(own_stream const&) = delete;
  own_stream& operator=(own_stream const&) = delete;
  ~own_stream() { static_cast<void>(cudaStreamDestroy(handle)); }
  cudaStream_t handle = nullptr;
};

#include <device/cg.hpp>
