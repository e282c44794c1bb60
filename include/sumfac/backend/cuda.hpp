// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// NVIDIA GPUs: CUDA's names for what gpu.hpp needs. Kernels are launched from sources that nvcc compiles.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>

// Without CUDA's headers this header declares nothing.
#if __has_include(<cuda_runtime.h>)

#include <sumfac/backend/gpu/backend.hpp>
#include <sumfac/backend/gpu/cuda_device.hpp>
#include <sumfac/backend/gpu/graph.hpp>

#include <cuda_runtime.h>

#include <cstddef>
#include <string>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

struct cuda_runtime : cuda_device {
  static constexpr char const* name = "cuda";
  static constexpr char const* prefix = "cuda";
  static constexpr long long most_threads = 1LL << 42;  // of a launch: its blocks are counted in 31 bits

  using error = cudaError_t;
  using stream = cudaStream_t;
  using event = cudaEvent_t;
  using attribute = cudaDeviceAttr;
  using graph = cudaGraphExec_t;

  static constexpr error success = cudaSuccess, refused = cudaErrorInvalidValue;
  static constexpr attribute scratch_limit = cudaDevAttrMaxSharedMemoryPerBlockOptin;
  static constexpr attribute multiprocessors = cudaDevAttrMultiProcessorCount;
  static constexpr attribute cache_bytes = cudaDevAttrL2CacheSize;
  static constexpr attribute kilohertz = cudaDevAttrClockRate;

  static char const* text(error e) { return cudaGetErrorString(e); }
  static error last_error() { return cudaGetLastError(); }

  static error count_devices(int* n) { return cudaGetDeviceCount(n); }
  static error get_device(int* device) { return cudaGetDevice(device); }
  static error set_device(int device) { return cudaSetDevice(device); }
  static error get_attribute(int* number, attribute a, int device) { return cudaDeviceGetAttribute(number, a, device); }

  static error driver_version(int* number) { return cudaDriverGetVersion(number); }

  static error get_name(std::string* to, int device)
  {
    cudaDeviceProp found{};
    error const e = cudaGetDeviceProperties(&found, device);
    *to = found.name;
    return e;
  }

  static memory_side side_of(void const* p)
  {
    cudaPointerAttributes found{};
    if (cudaPointerGetAttributes(&found, p) != cudaSuccess) {
      static_cast<void>(cudaGetLastError());  // forgets it
      return memory_side::host;
    }
    if (found.type == cudaMemoryTypeDevice) return memory_side::device;
    if (found.type != cudaMemoryTypeUnregistered) return memory_side::both;
    int device = 0, reads_all = 0;  // of what malloc returns, too
    static_cast<void>(cudaGetDevice(&device));
    static_cast<void>(cudaDeviceGetAttribute(&reads_all, cudaDevAttrPageableMemoryAccess, device));
    return reads_all != 0 ? memory_side::both : memory_side::host;
  }

  static error allocate(void** p, std::size_t bytes) { return cudaMalloc(p, bytes); }
  static error free(void* p) { return cudaFree(p); }
  static error zero(void* p, std::size_t bytes, stream s) { return cudaMemsetAsync(p, 0, bytes, s); }
  static error copy(void* to, void const* from, std::size_t bytes, stream s)
  {
    return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, s);
  }
  static error synchronize(stream s) { return cudaStreamSynchronize(s); }

  // What this thread queues on a stream becomes a graph, in place of being done.
  static error begin_capture(stream s) { return cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal); }
  static error is_capturing(stream s, bool* found)
  {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    error const e = cudaStreamIsCapturing(s, &status);
    *found = status != cudaStreamCaptureStatusNone;
    return e;
  }
  static error end_capture(stream s, graph* made)
  {
    cudaGraph_t captured = nullptr;
    error e = cudaStreamEndCapture(s, &captured);
    if (e == success && made != nullptr) e = cudaGraphInstantiateWithFlags(made, captured, 0);
    if (captured != nullptr) static_cast<void>(cudaGraphDestroy(captured));
    return e;
  }
  static error launch_graph(graph g, stream s) { return cudaGraphLaunch(g, s); }
  static error destroy_graph(graph g) { return cudaGraphExecDestroy(g); }

  static error create(event* e) { return cudaEventCreate(e); }
  static error destroy(event e) { return cudaEventDestroy(e); }
  static error record(event e, stream s) { return cudaEventRecord(e, s); }
  static error wait(event e) { return cudaEventSynchronize(e); }
  static error elapsed(float* milliseconds, event a, event b) { return cudaEventElapsedTime(milliseconds, a, b); }

#if defined(__CUDACC__)
  // Queues kernel(arguments...) with so many threads of each block and so many bytes of scratch; last_error() says how
  // it went.
  template <class Function, class... Arguments>
  static void launch(Function* kernel, unsigned blocks, int threads, std::size_t scratch, stream s,
                     Arguments const&... arguments)
  {
    kernel<<<blocks, static_cast<unsigned>(threads), scratch, s>>>(arguments...);
  }
  // The same, of a kernel that waits for those before by itself.
  template <class... Parameters, class... Arguments>
  static void launch_ahead(void (*kernel)(Parameters...), unsigned blocks, int threads, std::size_t scratch, stream s,
                           Arguments const&... arguments)
  {
    cudaLaunchAttribute ahead{};
    ahead.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    ahead.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t how{};
    how.gridDim = dim3(blocks), how.blockDim = dim3(static_cast<unsigned>(threads));
    how.dynamicSmemBytes = scratch, how.stream = s;
    how.attrs = &ahead, how.numAttrs = 1;
    static_cast<void>(cudaLaunchKernelEx(&how, kernel, arguments...));
  }
#endif
  template <class Function>
  static error allow_scratch(Function* kernel, int bytes)
  {
    return cudaFuncSetAttribute(reinterpret_cast<void const*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                bytes);
  }
  // Registers of a thread, and bytes of its local memory: stack and spills.
  template <class Function>
  static error resources(int* registers, int* local_bytes, Function* kernel)
  {
    cudaFuncAttributes found{};
    error const e = cudaFuncGetAttributes(&found, reinterpret_cast<void const*>(kernel));
    *registers = found.numRegs;
    *local_bytes = static_cast<int>(found.localSizeBytes);
    return e;
  }
  template <class Function>
  static error occupancy(int* blocks, Function* kernel, int threads, std::size_t scratch)
  {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<void const*>(kernel), threads,
                                                         scratch);
  }
};

}  // namespace detail

// Runs kernels on an NVIDIA GPU.
using cuda = gpu<detail::cuda_runtime>;

}  // namespace sumfac

#endif
