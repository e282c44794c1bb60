// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A stream of the current device for the length of a scope: CUDA's where nvcc compiles, else HIP's, or the emulated
// one.
#pragma once

#if defined(__CUDACC__)
#include <sumfac/backend/cuda.hpp>
#else
#include <sumfac/backend/hip.hpp>
#endif

namespace support {

struct own_stream {
  own_stream(own_stream const&) = delete;
  own_stream& operator=(own_stream const&) = delete;
#if defined(__CUDACC__)
  own_stream() { static_cast<void>(cudaStreamCreate(&handle)); }
  ~own_stream() { static_cast<void>(cudaStreamDestroy(handle)); }
  cudaStream_t handle = nullptr;
#else
  own_stream() { static_cast<void>(hipStreamCreate(&handle)); }
  ~own_stream() { static_cast<void>(hipStreamDestroy(handle)); }
  hipStream_t handle = nullptr;
#endif
};

}  // namespace support
