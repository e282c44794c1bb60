// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// In place of the library's own header of this name: the backend `cuda` on the emulated devices, and CUDA's names for
// what the sources for devices call themselves. See tests/emulated/nvcc.
#pragma once

#include <emulated/device.hpp>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

struct cuda_runtime : hip_runtime {
  static constexpr char const* name = "cuda";
  static constexpr char const* prefix = "cuda";
  static constexpr int warp_teams = 4;
  static constexpr architecture built_for = architecture::sm_90;
  static constexpr attribute scratch_limit = emulatedAttributeMaxSharedMemoryPerBlockOptin;
};

}  // namespace detail

using cuda = gpu<detail::cuda_runtime>;

}  // namespace sumfac

using cudaError_t = hipError_t;
using cudaStream_t = hipStream_t;
using cudaGraph_t = hipGraph_t;
using cudaGraphExec_t = hipGraphExec_t;

constexpr auto cudaSuccess = hipSuccess;
constexpr auto cudaStreamCaptureModeGlobal = hipStreamCaptureModeGlobal;
constexpr auto cudaStreamCaptureModeThreadLocal = hipStreamCaptureModeThreadLocal;
constexpr unsigned cudaStreamNonBlocking = 1;
constexpr auto cudaDevAttrMemoryClockRate = hipDeviceAttributeClockRate;  // there is none: some number
constexpr auto cudaDevAttrGlobalMemoryBusWidth = hipDeviceAttributeMultiprocessorCount;

inline char const* cudaGetErrorString(cudaError_t e) { return hipGetErrorString(e); }
inline cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* all)
{
  *free = *all = std::size_t{1} << 30;
  return hipSuccess;
}
inline cudaError_t cudaStreamCreate(cudaStream_t* s) { return hipStreamCreate(s); }
inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* s, unsigned) { return hipStreamCreate(s); }
inline cudaError_t cudaStreamDestroy(cudaStream_t s) { return hipStreamDestroy(s); }
inline cudaError_t cudaStreamBeginCapture(cudaStream_t s, hipStreamCaptureMode m)
{
  return hipStreamBeginCapture(s, m);
}
inline cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t* g) { return hipStreamEndCapture(s, g); }
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t* r, cudaGraph_t g, int) { return hipGraphInstantiate(r, g, 0); }
inline cudaError_t cudaGraphLaunch(cudaGraphExec_t r, cudaStream_t s) { return hipGraphLaunch(r, s); }
inline cudaError_t cudaGraphGetNodes(cudaGraph_t g, void*, std::size_t* count)
{
  *count = g->size();
  return hipSuccess;
}
inline cudaError_t cudaGetLastError() { return hipGetLastError(); }
inline cudaError_t cudaGraphDestroy(cudaGraph_t g) { return hipGraphDestroy(g); }
inline cudaError_t cudaGraphExecDestroy(cudaGraphExec_t r) { return hipGraphExecDestroy(r); }
