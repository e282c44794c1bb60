// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// HIP's run-time system on the processor, as much of it as sumfac calls: two devices that run the very code of
// backend/gpu/backend.hpp and its teams where there is no GPU. An include path in front of HIP's own and -D__HIP__ choose it.
//
// It is as unkind as a device may be. Nothing that is queued on a stream is done before somebody waits for it, and then
// nothing of other streams. The memory of a device can be touched by its own kernels and by copies alone: the host, or
// the other device's kernels, get a segmentation fault, as does who goes beyond its end. New memory and scratch are NaN.
// The threads of a block are fibers, and the blocks of every other launch run from the last to the first.
#pragma once

#define __HIPCC__ 1
#define __HIP_DEVICE_COMPILE__ 1
#define SUMFAC_EMULATED_DEVICE 1  // the host runs what is compiled for a device
#define __host__
#define __device__
#define __global__
#define __shared__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)

#if defined(__SANITIZE_ADDRESS__)
#define EMULATED_BY_CONTEXTS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EMULATED_BY_CONTEXTS 1
#endif
#endif

#include <sys/mman.h>
#include <ucontext.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#if !defined(__clang__)
#define __builtin_nontemporal_load(p) (*(p))
#define __builtin_nontemporal_store(x, p) (*(p) = (x))
#endif

struct dim3 {
  constexpr dim3(unsigned along_x, unsigned along_y = 1, unsigned along_z = 1) : x(along_x), y(along_y), z(along_z) {}
  unsigned x, y, z;
};

inline dim3 threadIdx{0, 0, 0}, blockIdx{0, 0, 0}, blockDim{1, 1, 1};

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

constexpr int devices = 2;
constexpr std::size_t memory_bytes = std::size_t{4} << 30;
constexpr std::size_t least_scratch_bytes = std::size_t{48} << 10;
constexpr std::size_t scratch_bytes = std::size_t{64} << 10, most_scratch_bytes = std::size_t{227} << 10;

// The threads of one block, each on a stack of its own: they run one after the other from barrier to barrier.
class block {
public:
  static block& running()
  {
    static block one;
    return one;
  }

  void run(unsigned threads, std::function<void()> const& kernel)
  {
    if (crew_.size() < threads) {
      crew_ = std::vector<fiber>(threads);
      for (fiber& f : crew_) make(f);
    }
    kernel_ = &kernel;
    for (unsigned t = 0; t < threads; ++t) crew_[t].ended = false;
    for (bool all_ended = false; !all_ended;) {
      all_ended = true;
      for (unsigned t = 0; t < threads; ++t) {
        if (crew_[t].ended) continue;
        threadIdx.x = now_ = t;
        change(caller_, crew_[t].at);
        all_ended = all_ended && crew_[t].ended;
      }
    }
  }

  // Threads that have ended do not hold up the others.
  void barrier()
  {
    change(crew_[now_].at, caller_);
  }

private:
  static constexpr std::size_t stack_bytes = std::size_t{1} << 18;

  // Where a stack was left: by a jump, which takes no call of the system as a change of contexts does; at first, and
  // where AddressSanitizer has to know of it, by a context.
  struct place {
    ucontext_t context;
    void* jump[5];
    bool jumped = false;
  };

  struct fiber {
    place at;
    std::unique_ptr<std::byte[]> stack{new std::byte[stack_bytes]};
    bool ended = true;
  };

  [[gnu::noinline]] static void change(place& from, place& to)
  {
#if defined(EMULATED_BY_CONTEXTS)
    swapcontext(&from.context, &to.context);
#else
    from.jumped = true;
    if (__builtin_setjmp(from.jump) == 0) leave_for(to);
#endif
  }

  [[gnu::noinline, noreturn]] static void leave_for(place& to)
  {
    if (to.jumped) __builtin_longjmp(to.jump, 1);
    setcontext(&to.context);
    std::abort();
  }

  void make(fiber& f)
  {
    getcontext(&f.at.context);
    f.at.context.uc_stack.ss_sp = f.stack.get();
    f.at.context.uc_stack.ss_size = stack_bytes;
    f.at.context.uc_link = nullptr;
    makecontext(&f.at.context, &block::enter, 0);
  }

  // Runs each kernel that is begun, for ever.
  static void enter()
  {
    for (block& b = running();;) {
      (*b.kernel_)();
      b.crew_[b.now_].ended = true;
      b.barrier();
    }
  }

  std::vector<fiber> crew_;
  place caller_;
  std::function<void()> const* kernel_ = nullptr;
  unsigned now_ = 0;
};

using work = std::function<void()>;

struct stream {
  int device = 0;
  std::deque<work> queue;
  std::vector<work>* captured = nullptr;  // where the work goes while a graph is made of it
};

struct event {
  int device = 0;
  stream* of = nullptr;
  std::chrono::steady_clock::time_point time;
  bool recorded = false, reached = false;
};

// Everything there is, behind one lock.
class machine {
public:
  static machine& instance()
  {
    static machine one;
    return one;
  }

  std::recursive_mutex lock;

  int& current_device()
  {
    thread_local int device = 0;
    return device;
  }
  hipError_t& last_error()
  {
    thread_local hipError_t error = hipSuccess;
    return error;
  }
  hipError_t report(hipError_t e)
  {
    if (e != hipSuccess) last_error() = e;
    return e;
  }

  // Bytes of scratch that a device's functions were allowed.
  std::map<std::pair<int, void const*>, std::size_t> allowed;

  // The next call of this name fails; "" is none.
  std::string failing;
  hipError_t failure_of(char const* call)
  {
    if (failing != call) return hipSuccess;
    failing.clear();
    return report(hipErrorInvalidValue);
  }

  // The stream that a handle means: null is the current device's own.
  stream& of(stream* s) { return s ? *s : defaults_[current_device()]; }

  void push(stream& s, work w)
  {
    if (s.captured)
      s.captured->push_back(std::move(w));
    else
      s.queue.push_back(std::move(w));
  }

  // What was asked for since the start: launches, graphs of them, copies and waits; and kernels that ran.
  struct {
    std::size_t launches = 0, graphs = 0, copies = 0, waits = 0, kernels = 0;
  } counts;

  // Streams of which a graph is being made: meanwhile nobody may wait or ask for memory.
  int capturing = 0;
  int graphs = 0, ready_graphs = 0;  // that have not been destroyed

  // Does what is queued on a stream; the devices' own streams wait for all others first.
  void drain(stream& s)
  {
    if (&s == &defaults_[s.device])
      for (stream* other : streams_)
        if (other->device == s.device) drain(*other);
    while (!s.queue.empty()) {
      work const next = std::move(s.queue.front());
      s.queue.pop_front();
      next();
    }
  }
  void drain_device(int device) { drain(defaults_[device]); }

  void add(stream* s) { streams_.push_back(s); }
  void remove(stream* s) { std::erase(streams_, s); }

  // Behind its last bytes lies a page that nobody may touch.
  void* allocate(std::size_t bytes)
  {
    constexpr std::size_t page = 4096, alignment = 16;
    std::size_t const pages = (bytes + page - 1) / page * page;
    if (bytes > memory_bytes || pages + used_ > memory_bytes) return nullptr;
    void* const first = mmap(nullptr, pages + page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (first == MAP_FAILED) return nullptr;
    mprotect(first, pages, PROT_READ | PROT_WRITE);
    std::memset(first, 0xff, pages);
    mprotect(first, pages, PROT_NONE);
    used_ += pages;
    void* const p = static_cast<std::byte*>(first) + (pages - (bytes + alignment - 1) / alignment * alignment);
    memory_[p] = {first, pages, pages + page, current_device()};
    return p;
  }
  bool release(void* p)
  {
    auto const found = memory_.find(p);
    if (found == memory_.end()) return false;
    allocation const a = found->second;
    drain_device(a.device);
    munmap(a.first, a.mapped);
    used_ -= a.bytes;
    memory_.erase(p);
    return true;
  }
  std::size_t allocations() const { return memory_.size(); }
  bool owns(void const* p) const
  {
    auto const* const at = static_cast<std::byte const*>(p);
    return std::any_of(memory_.begin(), memory_.end(), [at](auto const& of) {
      auto const* const first = static_cast<std::byte const*>(of.second.first);
      return at >= first && at < first + of.second.bytes;
    });
  }

  // Runs work that may touch the memory of a device; -1 means that of all.
  template <class Work>
  void on_device(int device, Work const& touch)
  {
    open(device, PROT_READ | PROT_WRITE);
    touch();
    open(device, PROT_NONE);
  }

private:
  struct allocation {
    void* first;
    std::size_t bytes, mapped;
    int device;
  };

  void open(int device, int protection)
  {
    for (auto const& [p, a] : memory_)
      if (device < 0 || device == a.device) mprotect(a.first, a.bytes, protection);
  }

  std::map<void*, allocation> memory_;
  std::size_t used_ = 0;
  stream defaults_[devices] = {{0, {}, nullptr}, {1, {}, nullptr}};
  std::vector<stream*> streams_;
};

inline machine& here() { return machine::instance(); }

// What kernels asked memory for: lines that must be of memory.
inline std::map<void const*, int> lines_asked_for;
inline void asked_for(void const* p)
{
  ++lines_asked_for[p];
}

// Where the array of unknown size lies that kernels declare as theirs.
inline void* scratch = nullptr;
inline int driver_version = 50200000;

template <class Kernel, class... Arguments>
void run_grid(Kernel* kernel, unsigned blocks, unsigned threads, std::size_t shared, Arguments const&... arguments)
{
  blockDim.x = threads;
  bool const backwards = ++here().counts.kernels % 2 == 0;
  for (unsigned b = 0; b < blocks; ++b) {
    std::memset(scratch, 0xff, shared);
    blockIdx.x = backwards ? blocks - 1 - b : b;
    block::running().run(threads, [&] { kernel(arguments...); });
  }
}

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
inline hipError_t hipGetLastError() { return std::exchange(emulated::here().last_error(), hipSuccess); }

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
  if (device < 0 || device >= emulated::devices) return emulated::here().report(hipErrorInvalidDevice);
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
  if (emulated::here().capturing > 0) return emulated::here().report(hipErrorStreamCaptureUnsupported);
  *p = emulated::here().allocate(bytes);
  return *p ? hipSuccess : emulated::here().report(hipErrorOutOfMemory);
}
inline hipError_t hipFree(void* p)
{
  std::lock_guard const held(emulated::here().lock);
  return emulated::here().release(p) ? hipSuccess : emulated::here().report(hipErrorInvalidValue);
}
inline hipError_t hipPointerGetAttributes(hipPointerAttribute_t* found, void const* p)
{
  std::lock_guard const held(emulated::here().lock);
  if (!emulated::here().owns(p)) return emulated::here().report(hipErrorInvalidValue);
  *found = {hipMemoryTypeDevice, 0};
  return hipSuccess;
}
inline hipError_t hipMemsetAsync(void* p, int value, std::size_t bytes, hipStream_t s)
{
  std::lock_guard const held(emulated::here().lock);
  if (hipError_t const e = emulated::here().failure_of("hipMemsetAsync"); e != hipSuccess) return e;
  emulated::stream& on = emulated::here().of(s);
  emulated::here().push(on, [=, device = on.device] {
    emulated::here().on_device(device, [&] { std::memset(p, value, bytes); });
  });
  return hipSuccess;
}
inline hipError_t hipMemcpyAsync(void* to, void const* from, std::size_t bytes, hipMemcpyKind, hipStream_t s)
{
  std::lock_guard const held(emulated::here().lock);
  if (hipError_t const e = emulated::here().failure_of("hipMemcpyAsync"); e != hipSuccess) return e;
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
  if (emulated::here().of(s).captured) return emulated::here().report(hipErrorStreamCaptureUnsupported);
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
  if (s == nullptr || s->captured) return emulated::here().report(hipErrorStreamCaptureUnsupported);
  s->captured = new std::vector<emulated::work>;
  ++emulated::here().capturing;
  return hipSuccess;
}
inline hipError_t hipStreamEndCapture(hipStream_t s, hipGraph_t* graph)
{
  std::lock_guard const held(emulated::here().lock);
  *graph = std::exchange(s->captured, nullptr);
  --emulated::here().capturing;
  if (*graph) ++emulated::here().graphs;
  return *graph ? hipSuccess : emulated::here().report(hipErrorInvalidValue);
}
inline hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t* ready, hipGraph_t graph, unsigned long long)
{
  if (hipError_t const e = emulated::here().failure_of("hipGraphInstantiateWithFlags"); e != hipSuccess) return e;
  ++emulated::here().ready_graphs;
  *ready = new std::vector<emulated::work>(*graph);
  return hipSuccess;
}
inline hipError_t hipGraphLaunch(hipGraphExec_t ready, hipStream_t s)
{
  std::lock_guard const held(emulated::here().lock);
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
    return emulated::here().report(hipErrorInvalidResourceHandle);
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
  if (!e->recorded) return emulated::here().report(hipErrorInvalidResourceHandle);
  emulated::here().drain(*e->of);
  return hipSuccess;
}
inline hipError_t hipEventElapsedTime(float* milliseconds, hipEvent_t a, hipEvent_t b)
{
  if (!a->reached || !b->reached) return emulated::here().report(hipErrorInvalidResourceHandle);
  *milliseconds = std::chrono::duration<float, std::milli>(b->time - a->time).count();
  return hipSuccess;
}

// A function is allowed scratch on the current device; until then it has the least.
inline hipError_t hipFuncSetAttribute(void const* function, hipFuncAttribute, int bytes)
{
  std::lock_guard const held(emulated::here().lock);
  if (static_cast<std::size_t>(bytes) > emulated::most_scratch_bytes)
    return emulated::here().report(hipErrorInvalidValue);
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
    emulated::here().report(hipErrorInvalidValue);
    return;
  }
  ++emulated::here().counts.launches;
  emulated::here().push(on, [=, device = on.device] {
    emulated::here().on_device(device, [&] { emulated::run_grid(kernel, blocks.x, threads.x, scratch, arguments...); });
  });
}
