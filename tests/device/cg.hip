// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients on AMD GPUs: sums, graphs, and the merged iteration.
#include <sumfac/backend/hip.hpp>

using device_backend = sumfac::hip;

// A stream of the current device for the length of a scope.
struct own_stream {
  own_stream() { static_cast<void>(hipStreamCreate(&handle)); }
  own_stream(own_stream const&) = delete;
  own_stream& operator=(own_stream const&) = delete;
  ~own_stream() { static_cast<void>(hipStreamDestroy(handle)); }
  hipStream_t handle = nullptr;
};

#include <device/cg.hpp>
