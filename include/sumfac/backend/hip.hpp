// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// AMD GPUs: HIP's names for what gpu.hpp needs. Kernels are launched from sources that hipcc compiles.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>

// Without HIP's headers, or under nvcc, this header declares nothing.
#if defined(__HIP__)

#include <hip/hip_runtime.h>

#include <sumfac/backend/gpu/backend.hpp>
#include <sumfac/backend/gpu/graph.hpp>
#include <sumfac/backend/gpu/hip_device.hpp>

#include <cstddef>
#include <string>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

struct hip_runtime : hip_device {
  static constexpr char const* name = "hip";
  static constexpr char const* prefix = "hip";
  static constexpr long long most_threads = 0xffffffff;  // of a launch: AMD counts them in 32 bits

  using error = hipError_t;
  using stream = hipStream_t;
  using event = hipEvent_t;
  using attribute = hipDeviceAttribute_t;
  using graph = hipGraphExec_t;

  static constexpr error success = hipSuccess, refused = hipErrorInvalidValue;
  static constexpr attribute scratch_limit = hipDeviceAttributeMaxSharedMemoryPerBlock;
  static constexpr attribute multiprocessors = hipDeviceAttributeMultiprocessorCount;
  static constexpr attribute cache_bytes = hipDeviceAttributeL2CacheSize;
  static constexpr attribute kilohertz = hipDeviceAttributeClockRate;

  static char const* text(error e) { return hipGetErrorString(e); }
  static error last_error() { return hipGetLastError(); }

  static error count_devices(int* n) { return hipGetDeviceCount(n); }
  static error get_device(int* device) { return hipGetDevice(device); }
  static error set_device(int device) { return hipSetDevice(device); }
  static error get_attribute(int* number, attribute a, int device) { return hipDeviceGetAttribute(number, a, device); }

  static error driver_version(int* number) { return hipDriverGetVersion(number); }

  static error get_name(std::string* to, int device)
  {
    hipDeviceProp_t found{};
    error const e = hipGetDeviceProperties(&found, device);
    *to = found.name;
    return e;
  }

  // HIP has called it by two names.
  template <class Attributes>
  static auto kind_of(Attributes const& found)
  {
    if constexpr (requires { found.memoryType; })
      return found.memoryType;
    else
      return found.type;
  }
  static memory_side side_of(void const* p)
  {
    hipPointerAttribute_t found{};
    if (hipPointerGetAttributes(&found, p) == hipSuccess) {
      auto const kind = kind_of(found);
      if (found.isManaged != 0 || kind == hipMemoryTypeHost) return memory_side::both;
      if (kind == hipMemoryTypeDevice) return memory_side::device;
    }
    static_cast<void>(hipGetLastError());  // forgets an error
    int device = 0, reads_all = 0;         // of what malloc returns, too
    static_cast<void>(hipGetDevice(&device));
    static_cast<void>(hipDeviceGetAttribute(&reads_all, hipDeviceAttributePageableMemoryAccess, device));
    return reads_all != 0 ? memory_side::both : memory_side::host;
  }

  static error allocate(void** p, std::size_t bytes) { return hipMalloc(p, bytes); }
  static error free(void* p) { return hipFree(p); }
  static error zero(void* p, std::size_t bytes, stream s) { return hipMemsetAsync(p, 0, bytes, s); }
  static error copy(void* to, void const* from, std::size_t bytes, stream s)
  {
    return hipMemcpyAsync(to, from, bytes, hipMemcpyDefault, s);
  }
  static error synchronize(stream s) { return hipStreamSynchronize(s); }

  // What this thread queues on a stream becomes a graph, in place of being done.
  static error begin_capture(stream s) { return hipStreamBeginCapture(s, hipStreamCaptureModeThreadLocal); }
  static error is_capturing(stream s, bool* found)
  {
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    error const e = hipStreamIsCapturing(s, &status);
    *found = status != hipStreamCaptureStatusNone;
    return e;
  }
  static error end_capture(stream s, graph* made)
  {
    hipGraph_t captured = nullptr;
    error e = hipStreamEndCapture(s, &captured);
    if (e == success && made != nullptr) e = hipGraphInstantiateWithFlags(made, captured, 0);
    if (captured != nullptr) static_cast<void>(hipGraphDestroy(captured));
    return e;
  }
  static error launch_graph(graph g, stream s) { return hipGraphLaunch(g, s); }
  static error destroy_graph(graph g) { return hipGraphExecDestroy(g); }

  static error create(event* e) { return hipEventCreate(e); }
  static error destroy(event e) { return hipEventDestroy(e); }
  static error record(event e, stream s) { return hipEventRecord(e, s); }
  static error wait(event e) { return hipEventSynchronize(e); }
  static error elapsed(float* milliseconds, event a, event b) { return hipEventElapsedTime(milliseconds, a, b); }

  // Queues kernel(arguments...) with so many threads of each block and so many bytes of scratch; last_error() says how
  // it went.
  template <class Function, class... Arguments>
  static void launch(Function* kernel, unsigned blocks, int threads, std::size_t scratch, stream s,
                     Arguments const&... arguments)
  {
    hipLaunchKernelGGL(kernel, dim3(blocks), dim3(static_cast<unsigned>(threads)), scratch, s, arguments...);
  }
  template <class Function>
  static error allow_scratch(Function* kernel, int bytes)
  {
    return hipFuncSetAttribute(reinterpret_cast<void const*>(kernel), hipFuncAttributeMaxDynamicSharedMemorySize,
                               bytes);
  }
  // Registers of a thread, and bytes of its local memory: stack and spills.
  template <class Function>
  static error resources(int* registers, int* local_bytes, Function* kernel)
  {
    hipFuncAttributes found{};
    error const e = hipFuncGetAttributes(&found, reinterpret_cast<void const*>(kernel));
    *registers = found.numRegs;
    *local_bytes = static_cast<int>(found.localSizeBytes);
    return e;
  }
  template <class Function>
  static error occupancy(int* blocks, Function* kernel, int threads, std::size_t scratch)
  {
    return hipOccupancyMaxActiveBlocksPerMultiprocessor(blocks, kernel, threads, scratch);
  }
};

}  // namespace detail

// Runs kernels on an AMD GPU.
using hip = gpu<detail::hip_runtime>;

}  // namespace sumfac

#endif
