// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What CUDA and HIP share: a handle of a device and a stream, its memory, its events, and how a team runs there.
#pragma once

#include <sumfac/backend/architecture.hpp>
#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/concepts.hpp>
#include <sumfac/backend/gpu/runtime.hpp>
#include <sumfac/backend/gpu/team.hpp>

#include <string>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

// What a block of a kernel takes of a device; registers and local memory (stack and spills) are a thread's.
struct kernel_resources {
  int threads = 0, scratch_bytes = 0, resident_blocks = 0, registers = 0, local_bytes = 0;
};

// One stream of one device of a run-time system: `cuda` or `hip`. A copy means the same stream; nothing is owned.
//
// Launches, copies and what is built on them (apply) are queued on the stream and return at once; nothing allocates or
// waits, so they can be captured into a graph. Wait with synchronize(), or with the run-time system's own means.
// Several threads may use one handle, or one each; the caller's current device is left as it was.
// **Errors** backend_error with the call, the kernel and the device's own text. An error of work that was queued shows
// up at a later call, as always with these systems. A launch clears an error that earlier calls of others have left.
template <class Runtime>
class gpu {
public:
  using runtime = Runtime;
  using stream_type = typename Runtime::stream;
  static constexpr architecture built_for = Runtime::built_for;

  template <class Kernel>
  using team = detail::gpu_team<Runtime, Kernel>;

  // The current device and its default stream.
  gpu() : gpu(stream_type{}) {}
  // A stream of the current device.
  explicit gpu(stream_type stream) : stream_(stream)
  {
    detail::check_call<Runtime>(Runtime::get_device(&device_), "GetDevice");
  }
  // A device by number, and a stream of it.
  explicit gpu(int device, stream_type stream = {}) : device_(device), stream_(stream)
  {
    int count = 0;
    detail::check_call<Runtime>(Runtime::count_devices(&count), "GetDeviceCount");
    if (device < 0 || device >= count)
      failf(Runtime::name, "there is no device %d (devices 0 to %d exist): pass one of them", device, count - 1);
  }

  // The same stream, where the blocks of a kernel that is launched by this handle may come to the device before the
  // kernel in front of it has ended; they wait for that before they do anything. Where there is none of it, as before
  // sm_90 and CUDA 12.4, and on AMD's, launches are as they were.
  gpu overlapping() const
  {
    gpu made = *this;
    made.overlaps_ = Runtime::overlaps;
    return made;
  }
  bool overlaps() const { return overlaps_; }

  int device() const { return device_; }
  stream_type stream() const { return stream_; }

  // Calls kernel(team, scratch, group) for group = 0 .. groups - 1 on the stream.
  template <class Kernel>
  void launch(Kernel const& kernel, index_t groups) const;

  // Refuses a kernel whose scratch this device does not hold, with both numbers; prepares it otherwise. launch() does
  // it too; an operator does it when it is made.
  template <class Kernel>
  void prepare() const;

  // Bytes of scratch of one block of Kernel, and of one multiprocessor at most for any block.
  template <class Kernel>
  static constexpr index_t scratch_bytes()
  {
    return detail::block_of<Runtime, Kernel>::scratch_bytes;
  }
  index_t scratch_limit() const { return attribute(Runtime::scratch_limit, "shared memory of a block"); }
  int multiprocessors() const { return attribute(Runtime::multiprocessors, "multiprocessors"); }
  // Of the device's last-level cache.
  index_t cache_bytes() const { return attribute(Runtime::cache_bytes, "bytes of cache"); }
  // Of a multiprocessor, cycles a second at most.
  double clock_rate() const { return attribute(Runtime::kilohertz, "clock rate") * 1e3; }
  // Of the device, as its maker calls it.
  std::string name() const
  {
    std::string name;
    detail::check_call<Runtime>(Runtime::get_name(&name, device_), "GetDeviceProperties");
    return name;
  }
  // As the run-time system counts them.
  int driver_version() const
  {
    int number = 0;
    detail::check_call<Runtime>(Runtime::driver_version(&number), "DriverGetVersion");
    return number;
  }

  // Who can read the memory at p.
  detail::memory_side side_of(void const* p) const
    requires requires { Runtime::side_of(p); }
  {
    return Runtime::side_of(p);
  }

  // Blocks of Kernel that this device runs on one multiprocessor at once.
  template <class Kernel>
  int resident_blocks() const;
  // Teams of Kernel that this device runs at once; it is asked for the first time only.
  template <class Kernel>
  index_t teams_at_once() const;
  // What a block of Kernel takes.
  template <class Kernel>
  kernel_resources resources() const;

  // Queues a copy of `size` entries from anywhere to anywhere: host and device memory in any mix.
  template <class T>
  void copy(T const* from, T* to, index_t size) const
  {
    if (size == 0) return;
    detail::device_guard<Runtime> const guard(device_);
    std::size_t const bytes = static_cast<std::size_t>(size) * sizeof(T);
    detail::check_call<Runtime>(Runtime::copy(to, from, bytes, stream_), "MemcpyAsync", "%lld bytes",
                                static_cast<long long>(bytes));
  }

  // Waits for all that was queued on the stream.
  void synchronize() const
  {
    detail::device_guard<Runtime> const guard(device_);
    detail::check_call<Runtime>(Runtime::synchronize(stream_), "StreamSynchronize");
  }

private:
  int attribute(typename Runtime::attribute which, char const* name) const
  {
    int number = 0;
    detail::check_call<Runtime>(Runtime::get_attribute(&number, which, device_), "DeviceGetAttribute", name);
    return number;
  }
  // Whether what was done before is done again: what a reset of the device undid.
  enum class asked { once, anew };
  template <class Kernel, class Function>
  void allow_scratch(Function* function, asked when) const;

  int device_ = 0;
  stream_type stream_{};
  bool overlaps_ = false;
};

// A mark on a stream; two of them measure time.
template <class Runtime>
class gpu_event {
public:
  explicit gpu_event(gpu<Runtime> const& backend) : backend_(backend)
  {
    detail::device_guard<Runtime> const guard(backend.device());
    detail::check_call<Runtime>(Runtime::create(&event_), "EventCreate");
  }
  gpu_event(gpu_event const&) = delete;
  gpu_event& operator=(gpu_event const&) = delete;
  ~gpu_event() { static_cast<void>(Runtime::destroy(event_)); }

  // Marks this place of the stream.
  void record()
  {
    detail::device_guard<Runtime> const guard(backend_.device());
    detail::check_call<Runtime>(Runtime::record(event_, backend_.stream()), "EventRecord");
  }
  // Waits until the stream has reached this mark.
  void synchronize() { detail::check_call<Runtime>(Runtime::wait(event_), "EventSynchronize"); }

  // Seconds from `begin` to this event, both of which have been reached.
  double seconds_since(gpu_event const& begin) const
  {
    float milliseconds = 0;
    detail::check_call<Runtime>(Runtime::elapsed(&milliseconds, begin.event_, event_), "EventElapsedTime");
    return static_cast<double>(milliseconds) * 1e-3;
  }

private:
  gpu<Runtime> backend_;
  typename Runtime::event event_{};
};

// `size` entries of T in a device's memory, zero at first, owned by the buffer and freed with it.
//
// **Errors** argument_error for a negative size, backend_error where the device has not so much memory.
template <class T, class Runtime>
class buffer<T, gpu<Runtime>> : public detail::buffer_entries<T, buffer<T, gpu<Runtime>>, int> {
  using base = detail::buffer_entries<T, buffer, int>;
  using base::data_, base::owner_;  // the device

public:
  buffer() = default;
  buffer(gpu<Runtime> const& backend, index_t size) : base(size, backend.device())
  {
    std::size_t const bytes = detail::buffer_bytes<T>(size);
    if (size == 0) return;
    detail::device_guard<Runtime> const guard(owner_);
    void* memory = nullptr;
    detail::check_call<Runtime>(Runtime::allocate(&memory, bytes), "Malloc", "%lld bytes",
                                static_cast<long long>(bytes));
    data_ = static_cast<T*>(memory);
    if (auto const error = Runtime::zero(data_, bytes, backend.stream()); error != Runtime::success) {
      static_cast<void>(Runtime::free(data_));
      detail::check_call<Runtime>(error, "MemsetAsync");
    }
  }

  buffer(buffer&& other) noexcept = default;
  buffer& operator=(buffer&& other) noexcept = default;
  // Waits for the device, as freeing memory does there.
  ~buffer()
  {
    if (data_ == nullptr) return;
    detail::device_guard<Runtime> const guard(owner_, std::nothrow);
    static_cast<void>(Runtime::free(data_));
  }
};

#if SUMFAC_HAS_KERNELS

template <class Runtime>
template <class Kernel>
void gpu<Runtime>::prepare() const
{
  check_kernel<Kernel, team<Kernel>>();
  detail::check_parameters<Runtime>(detail::block_of<Runtime, Kernel>::parameter_bytes);
  allow_scratch<Kernel>(detail::run_team<Runtime, Kernel>, asked::anew);
}

// Lets a function that runs Kernel have its scratch. Each source may have one of its own, as nvcc arranges it, while
// the linker makes what is static here one for all.
template <class Runtime>
template <class Kernel, class Function>
void gpu<Runtime>::allow_scratch(Function* function, asked when) const
{
  using block = detail::block_of<Runtime, Kernel>;
  constexpr index_t without_asking = index_t{48} << 10;
  if constexpr (block::scratch_bytes > without_asking) {
    // Of each device the function that was prepared last; on devices beyond these it is prepared every time.
    constexpr int devices = 64;
    static Function* latest[devices] = {};
    Function** const last = device_ < devices ? &latest[device_] : nullptr;
    if (when == asked::once && last != nullptr && __atomic_load_n(last, __ATOMIC_ACQUIRE) == function) return;
    if (index_t const limit = scratch_limit(); block::scratch_bytes > limit) {
      constexpr auto name = detail::name_of<Kernel>();
      detail::throw_text<backend_error>(
          "sumfac::%s: a team of %.*s needs more scratch than a block of device %d has (%d bytes, %lld there): choose "
          "a sumfac::tuning with slices, fewer planes or fewer elements",
          Runtime::name, static_cast<int>(name.size() < 300 ? name.size() : 300), name.data(), device_,
          int{block::scratch_bytes}, static_cast<long long>(limit));
    }
    detail::device_guard<Runtime> const guard(device_);
    detail::check_call<Runtime>(Runtime::allow_scratch(function, int{block::scratch_bytes}), "FuncSetAttribute",
                                detail::name_of<Kernel>());
    if (last != nullptr) __atomic_store_n(last, function, __ATOMIC_RELEASE);
  }
}

template <class Runtime>
template <class Kernel>
void gpu<Runtime>::launch(Kernel const& kernel, index_t groups) const
{
  if (groups < 0)
    failf(Runtime::name, "groups of a launch are negative (%lld): pass the number of teams to run",
          static_cast<long long>(groups));
  check_kernel<Kernel, team<Kernel>>();
  detail::check_parameters<Runtime>(detail::block_of<Runtime, Kernel>::parameter_bytes);
  auto* const function = detail::run_team<Runtime, Kernel>;
  allow_scratch<Kernel>(function, asked::once);
  using block = detail::block_of<Runtime, Kernel>;
  detail::device_guard<Runtime> const guard(device_);
  static_cast<void>(Runtime::last_error());  // what others left there is not this launch's
  constexpr index_t most_blocks = Runtime::most_threads / block::threads;
  constexpr index_t most = (most_blocks < 0x7fffffff ? most_blocks : 0x7fffffff) * block::teams;
  for (index_t first = 0; first < groups; first += most) {
    index_t const count = groups - first < most ? groups - first : most;
    auto const blocks = static_cast<unsigned>((count + block::teams - 1) / block::teams);
    auto const run = [&] {
      if constexpr (Runtime::overlaps)
        if (overlaps_) {
          Runtime::launch_ahead(function, blocks, block::threads, block::scratch_bytes, stream_, kernel, first,
                                -groups);
          return Runtime::last_error();
        }
      Runtime::launch(function, blocks, block::threads, block::scratch_bytes, stream_, kernel, first, groups);
      return Runtime::last_error();
    };
    auto error = run();
    // A reset of the device takes back what its functions were allowed.
    if (error == Runtime::refused) {
      allow_scratch<Kernel>(function, asked::anew);
      error = run();
    }
    detail::check_call<Runtime>(error, "launch", detail::name_of<Kernel>());
  }
}

template <class Runtime>
template <class Kernel>
int gpu<Runtime>::resident_blocks() const
{
  check_kernel<Kernel, team<Kernel>>();
  auto* const function = detail::run_team<Runtime, Kernel>;
  allow_scratch<Kernel>(function, asked::anew);
  using block = detail::block_of<Runtime, Kernel>;
  detail::device_guard<Runtime> const guard(device_);
  int blocks = 0;
  detail::check_call<Runtime>(Runtime::occupancy(&blocks, function, block::threads, block::scratch_bytes),
                              "OccupancyMaxActiveBlocksPerMultiprocessor", detail::name_of<Kernel>());
  return blocks;
}

template <class Runtime>
template <class Kernel>
index_t gpu<Runtime>::teams_at_once() const
{
  constexpr int devices = 64;
  static index_t known[devices] = {};
  index_t* const kept = device_ < devices ? &known[device_] : nullptr;
  if (index_t const found = kept != nullptr ? __atomic_load_n(kept, __ATOMIC_RELAXED) : 0; found > 0) return found;
  using block = detail::block_of<Runtime, Kernel>;
  index_t const teams = index_t{resident_blocks<Kernel>()} * block::teams * multiprocessors();
  if (kept != nullptr) __atomic_store_n(kept, teams, __ATOMIC_RELAXED);
  return teams;
}

template <class Runtime>
template <class Kernel>
kernel_resources gpu<Runtime>::resources() const
{
  using block = detail::block_of<Runtime, Kernel>;
  kernel_resources taken{block::threads, block::scratch_bytes, resident_blocks<Kernel>(), 0, 0};
  detail::device_guard<Runtime> const guard(device_);
  detail::check_call<Runtime>(
      Runtime::resources(&taken.registers, &taken.local_bytes, detail::run_team<Runtime, Kernel>), "FuncGetAttributes",
      detail::name_of<Kernel>());
  return taken;
}

#endif

}  // namespace sumfac
