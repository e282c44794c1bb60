// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Two devices on the processor, for run-time systems that have a header of their own here: HIP's and SYCL's.
//
// They are as unkind as a device may be. Nothing that is queued on a stream is done before somebody waits for it, and
// then nothing of other streams. The memory of a device can be touched by its own kernels and by copies alone: the
// host, or the other device's kernels, get a segmentation fault, as does who goes beyond its end. New memory and
// scratch are NaN. The threads of a block are fibers, and the blocks of every other launch run from the last to the
// first.
#pragma once

#define SUMFAC_EMULATED_DEVICE 1  // the host runs what is compiled for a device

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

struct dim3 {
  constexpr dim3(unsigned along_x, unsigned along_y = 1, unsigned along_z = 1) : x(along_x), y(along_y), z(along_z) {}
  unsigned x, y, z;
};

inline dim3 threadIdx{0, 0, 0}, blockIdx{0, 0, 0}, blockDim{1, 1, 1}, gridDim{1, 1, 1};

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
  void barrier() { change(crew_[now_].at, caller_); }

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

  // Bytes of scratch that a device's functions were allowed.
  std::map<std::pair<int, void const*>, std::size_t> allowed;

  // The next call of this name fails; "" is none.
  std::string failing;
  bool fails(char const* call)
  {
    if (failing != call) return false;
    failing.clear();
    return true;
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
    drain_device(found->second.device);
    return unmap(p);
  }
  // The same, without waiting for work that is queued.
  bool unmap(void* p)
  {
    auto const found = memory_.find(p);
    if (found == memory_.end()) return false;
    munmap(found->second.first, found->second.mapped);
    used_ -= found->second.bytes;
    memory_.erase(found);
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
inline void asked_for(void const* p) { ++lines_asked_for[p]; }
// And bytes of vectors that they loaded.
inline std::size_t bytes_loaded = 0;
inline void loaded(std::size_t bytes) { bytes_loaded += bytes; }

// Runs the blocks of a kernel one after the other, each of whose threads calls `thread`, upon so many bytes of scratch.
template <class Thread>
void run_grid(unsigned blocks, unsigned threads, void* scratch, std::size_t bytes, Thread const& thread)
{
  blockDim.x = threads;
  bool const backwards = ++here().counts.kernels % 2 == 0;
  for (unsigned b = 0; b < blocks; ++b) {
    if (bytes > 0) std::memset(scratch, 0xff, bytes);
    blockIdx.x = backwards ? blocks - 1 - b : b;
    block::running().run(threads, thread);
  }
}

}  // namespace emulated
