// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// HIP's run-time system on the processor, as much of it as sumfac calls: two devices that run the very code of
// backend/gpu/backend.hpp and its teams where there is no GPU (machine.hpp). An include path in front of HIP's own and -D__HIP__ choose it.
#pragma once

#define __HIPCC__ 1
#define __HIP_DEVICE_COMPILE__ 1
#define __host__
#define __device__
#define __global__
#define __shared__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)

#include "../machine.hpp"

#if !defined(__clang__)
#define __builtin_nontemporal_load(p) (*(p))
#define __builtin_nontemporal_store(x, p) (*(p) = (x))
#endif

enum hipError_t {
  hipSuccess = 0,
  hipErrorInvalidValue = 1,
  hipErrorOutOfMemory = 2,
  hipErrorInvalidDevice = 101,
  hipErrorInvalidResourceHandle = 400,
  hipErrorStreamCaptureUnsupported = 900
};
enum hipDeviceAttribute_t {
  hipDeviceAttributeMaxSharedMemoryPerBlock,
  emulatedAttributeMaxSharedMemoryPerBlockOptin,  // what CUDA has beside it
  hipDeviceAttributeMultiprocessorCount,
  hipDeviceAttributeL2CacheSize,
  hipDeviceAttributeClockRate,
  hipDeviceAttributePageableMemoryAccess
};
enum hipMemoryType { hipMemoryTypeHost, hipMemoryTypeDevice };
struct hipPointerAttribute_t {
  hipMemoryType memoryType;
  int isManaged;
};
enum hipMemcpyKind { hipMemcpyDefault };
enum hipFuncAttribute { hipFuncAttributeMaxDynamicSharedMemorySize };
struct hipDeviceProp_t {
  char name[256];
};
struct hipFuncAttributes {
  int numRegs;
  std::size_t localSizeBytes;
};

namespace emulated {

inline hipError_t& last_error()
{
  thread_local hipError_t error = hipSuccess;
  return error;
}
inline hipError_t report(hipError_t e)
{
  if (e != hipSuccess) last_error() = e;
  return e;
}
inline hipError_t failure_of(char const* call)
{
  return here().fails(call) ? report(hipErrorInvalidValue) : hipSuccess;
}

// Where the array of unknown size lies that kernels declare as theirs.
inline void* scratch = nullptr;
inline int driver_version = 50200000;

}  // namespace emulated

using hipStream_t = emulated::stream*;
using hipEvent_t = emulated::event*;

inline void __syncthreads() { emulated::block::running().barrier(); }
inline void __threadfence() {}

template <class T>
T atomicAdd(T* p, T x)
{
  T const before = *p;
  *p += x;
  return before;
}

template <class T>
T atomicMin(T* p, T x)
{
  T const before = *p;
  if (x < before) *p = x;
  return before;
}

inline char const* hipGetErrorString(hipError_t e)
{
  switch (e) {
    case hipSuccess: return "no error";
    case hipErrorInvalidValue: return "invalid argument";
    case hipErrorOutOfMemory: return "out of memory";
    case hipErrorInvalidDevice: return "invalid device ordinal";
    case hipErrorStreamCaptureUnsupported: return "operation not permitted when stream is capturing";
    default: return "invalid resource handle";
  }
}
inline hipError_t hipGetLastError() { return std::exchange(emulated::last_error(), hipSuccess); }

inline hipError_t hipGetDeviceCount(int* n)
{
  *n = emulated::devices;
  return hipSuccess;
}
inline hipError_t hipGetDevice(int* device)
{
  *device = emulated::here().current_device();
  return hipSuccess;
}
inline hipError_t hipSetDevice(int device)
{
  if (device < 0 || device >= emulated::devices) return emulated::report(hipErrorInvalidDevice);
  emulated::here().current_device() = device;
  return hipSuccess;
}
// The current device forgets what its functions were allowed; who has memory there keeps it, unlike on a device.
inline hipError_t hipDeviceReset()
{
  std::lock_guard const held(emulated::here().lock);
  std::erase_if(emulated::here().allowed,
                [](auto const& each) { return each.first.first == emulated::here().current_device(); });
  return hipSuccess;
}
inline hipError_t hipDeviceGetAttribute(int* number, hipDeviceAttribute_t a, int)
{
  switch (a) {
    case hipDeviceAttributeMaxSharedMemoryPerBlock: *number = emulated::scratch_bytes; break;
    case emulatedAttributeMaxSharedMemoryPerBlockOptin: *number = emulated::most_scratch_bytes; break;
    case hipDeviceAttributeMultiprocessorCount: *number = 3; break;
    case hipDeviceAttributeL2CacheSize: *number = 1 << 20; break;
    case hipDeviceAttributeClockRate: *number = 1000000; break;
    case hipDeviceAttributePageableMemoryAccess: *number = 0; break;
  }
  return hipSuccess;
}
inline hipError_t hipDriverGetVersion(int* number)
{
  *number = emulated::driver_version;
  return hipSuccess;
}
inline hipError_t hipGetDeviceProperties(hipDeviceProp_t* p, int device)
{
  std::snprintf(p->name, sizeof p->name, "emulated device %d", device);
  return hipSuccess;
}

inline hipError_t hipMalloc(void** p, std::size_t bytes)
{
  std::lock_guard const held(emulated::here().lock);
  if (emulated::here().capturing > 0) return emulated::report(hipErrorStreamCaptureUnsupported);
  *p = emulated::here().allocate(bytes);
  return *p ? hipSuccess : emulated::report(hipErrorOutOfMemory);
}
inline hipError_t hipFree(void* p)
{
  std::lock_guard const held(emulated::here().lock);
  return emulated::here().release(p) ? hipSuccess : emulated::report(hipErrorInvalidValue);
}
inline hipError_t hipPointerGetAttributes(hipPointerAttribute_t* found, void const* p)
{
  std::lock_guard const held(emulated::here().lock);
  if (!emulated::here().owns(p)) return emulated::report(hipErrorInvalidValue);
  *found = {hipMemoryTypeDevice, 0};
  return hipSuccess;
}
inline hipError_t hipMemsetAsync(void* p, int value, std::size_t bytes, hipStream_t s)
{
  std::lock_guard const held(emulated::here().lock);
  if (hipError_t const e = emulated::failure_of("hipMemsetAsync"); e != hipSuccess) return e;
  emulated::stream& on = emulated::here().of(s);
  emulated::here().push(on, [=, device = on.device] {
    emulated::here().on_device(device, [&] { std::memset(p, value, bytes); });
  });
  return hipSuccess;
}
inline hipError_t hipMemcpyAsync(void* to, void const* from, std::size_t bytes, hipMemcpyKind, hipStream_t s)
{
  std::lock_guard const held(emulated::here().lock);
  if (hipError_t const e = emulated::failure_of("hipMemcpyAsync"); e != hipSuccess) return e;
  ++emulated::here().counts.copies;
  emulated::here().push(emulated::here().of(s), [=] {
    emulated::here().on_device(-1, [&] { std::memcpy(to, from, bytes); });
  });
  return hipSuccess;
}

inline hipError_t hipStreamCreate(hipStream_t* s)
{
  std::lock_guard const held(emulated::here().lock);
  *s = new emulated::stream{emulated::here().current_device(), {}, nullptr};
  emulated::here().add(*s);
  return hipSuccess;
}
inline hipError_t hipStreamSynchronize(hipStream_t s)
{
  std::lock_guard const held(emulated::here().lock);
  if (emulated::here().of(s).captured) return emulated::report(hipErrorStreamCaptureUnsupported);
  ++emulated::here().counts.waits;
  emulated::here().drain(emulated::here().of(s));
  return hipSuccess;
}
inline hipError_t hipStreamDestroy(hipStream_t s)
{
  std::lock_guard const held(emulated::here().lock);
  emulated::here().drain(*s);
  emulated::here().remove(s);
  delete s;
  return hipSuccess;
}

using hipGraph_t = std::vector<emulated::work>*;
using hipGraphExec_t = std::vector<emulated::work>*;
enum hipStreamCaptureMode { hipStreamCaptureModeGlobal, hipStreamCaptureModeThreadLocal };

inline hipError_t hipStreamBeginCapture(hipStream_t s, hipStreamCaptureMode)
{
  std::lock_guard const held(emulated::here().lock);
  if (s == nullptr || s->captured) return emulated::report(hipErrorStreamCaptureUnsupported);
  s->captured = new std::vector<emulated::work>;
  ++emulated::here().capturing;
  return hipSuccess;
}
enum hipStreamCaptureStatus { hipStreamCaptureStatusNone, hipStreamCaptureStatusActive };
inline hipError_t hipStreamIsCapturing(hipStream_t s, hipStreamCaptureStatus* status)
{
  std::lock_guard const held(emulated::here().lock);
  bool const captured = emulated::here().of(s).captured != nullptr;
  *status = captured ? hipStreamCaptureStatusActive : hipStreamCaptureStatusNone;
  return hipSuccess;
}
inline hipError_t hipStreamEndCapture(hipStream_t s, hipGraph_t* graph)
{
  std::lock_guard const held(emulated::here().lock);
  *graph = std::exchange(s->captured, nullptr);
  --emulated::here().capturing;
  if (*graph) ++emulated::here().graphs;
  return *graph ? hipSuccess : emulated::report(hipErrorInvalidValue);
}
inline hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* ready, hipGraph_t graph, unsigned long long)
{
  if (hipError_t const e = emulated::failure_of("hipGraphInstantiateWithFlags"); e != hipSuccess) return e;
  ++emulated::here().ready_graphs;
  *ready = new std::vector<emulated::work>(*graph);
  return hipSuccess;
}
inline hipError_t hipGraphLaunch(hipGraphExec_t ready, hipStream_t s)
{
  std::lock_guard const held(emulated::here().lock);
  if (emulated::here().of(s).captured) return emulated::report(hipErrorStreamCaptureUnsupported);
  ++emulated::here().counts.graphs;
  for (emulated::work const& each : *ready) emulated::here().push(emulated::here().of(s), each);
  return hipSuccess;
}
inline hipError_t hipGraphInstantiate(hipGraphExec_t* ready, hipGraph_t graph, unsigned long long flags)
{
  return hipGraphInstantiateWithFlags(ready, graph, flags);
}
inline hipError_t hipGraphDestroy(hipGraph_t graph)
{
  --emulated::here().graphs;
  delete graph;
  return hipSuccess;
}
inline hipError_t hipGraphExecDestroy(hipGraphExec_t ready)
{
  --emulated::here().ready_graphs;
  delete ready;
  return hipSuccess;
}

inline hipError_t hipEventCreate(hipEvent_t* e)
{
  *e = new emulated::event;
  (*e)->device = emulated::here().current_device();
  return hipSuccess;
}
inline hipError_t hipEventDestroy(hipEvent_t e)
{
  delete e;
  return hipSuccess;
}
inline hipError_t hipEventRecord(hipEvent_t e, hipStream_t s)
{
  std::lock_guard const held(emulated::here().lock);
  if (e->device != emulated::here().current_device() || emulated::here().of(s).device != e->device)
    return emulated::report(hipErrorInvalidResourceHandle);
  e->of = &emulated::here().of(s);
  e->recorded = true;
  e->reached = false;
  emulated::here().push(*e->of, [=] {
    e->time = std::chrono::steady_clock::now();
    e->reached = true;
  });
  return hipSuccess;
}
inline hipError_t hipEventSynchronize(hipEvent_t e)
{
  std::lock_guard const held(emulated::here().lock);
  if (!e->recorded) return emulated::report(hipErrorInvalidResourceHandle);
  emulated::here().drain(*e->of);
  return hipSuccess;
}
inline hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t a, hipEvent_t b)
{
  if (!a->reached || !b->reached) return emulated::report(hipErrorInvalidResourceHandle);
  *milliseconds = std::chrono::duration<float, std::milli>(b->time - a->time).count();
  return hipSuccess;
}

// A function is allowed scratch on the current device; until then it has the least.
inline hipError_t hipFuncSetAttribute(void const* function, hipFuncAttribute, int bytes)
{
  std::lock_guard const held(emulated::here().lock);
  if (static_cast<std::size_t>(bytes) > emulated::most_scratch_bytes)
    return emulated::report(hipErrorInvalidValue);
  emulated::here().allowed[{emulated::here().current_device(), function}] = static_cast<std::size_t>(bytes);
  return hipSuccess;
}
inline hipError_t hipFuncGetAttributes(hipFuncAttributes* found, void const*)
{
  *found = {0, 0};
  return hipSuccess;
}
template <class Kernel>
hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel*, int threads, std::size_t scratch)
{
  std::size_t const by_threads = 2048 / static_cast<std::size_t>(threads);
  std::size_t const room = scratch <= emulated::scratch_bytes ? emulated::scratch_bytes : emulated::most_scratch_bytes;
  std::size_t const by_scratch = scratch == 0 ? by_threads : room / scratch;
  *blocks = static_cast<int>(by_threads < by_scratch ? by_threads : by_scratch);
  return hipSuccess;
}

// As on a device, the arguments are copied when the kernel is launched.
template <class... Parameters, class... Arguments>
void hipLaunchKernelGGL(void (*kernel)(Parameters...), dim3 blocks, dim3 threads, std::size_t scratch, hipStream_t s,
                        Arguments const&... arguments)
{
  std::lock_guard const held(emulated::here().lock);
  emulated::stream& on = emulated::here().of(s);
  std::size_t const allowed = emulated::here().allowed[{on.device, reinterpret_cast<void const*>(kernel)}];
  bool const fits = scratch <= std::max(allowed, emulated::least_scratch_bytes) && threads.x <= 1024;
  bool const here = on.device == emulated::here().current_device();
  if (!fits || !here) {
    emulated::report(hipErrorInvalidValue);
    return;
  }
  ++emulated::here().counts.launches;
  emulated::here().push(on, [=, device = on.device] {
    emulated::here().on_device(device, [&] { emulated::run_grid(blocks.x, threads.x, emulated::scratch, scratch, [&] { kernel(arguments...); }); });
  });
}
