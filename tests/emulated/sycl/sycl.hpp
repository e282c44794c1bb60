// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// SYCL 2020 on the processor, as much of it as sumfac calls, written from its specification: the devices of machine.hpp
// under SYCL's names. An include path in front of SYCL's own chooses it; it comes before other headers.
//
// Sources are compiled as in the pass for devices of a compiler for SYCL, which takes the functions of SYCL's that work
// there alone. What is queued is done when somebody waits, in order; a queue out of order is one to be refused.
#pragma once

#define SYCL_LANGUAGE_VERSION 202012L
#define __SYCL_DEVICE_ONLY__ 1

#include "../machine.hpp"

#include <cstddef>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace emulated {

// What the devices say of themselves, which tests may change; the second has no units for doubles.
struct device_sizes {
  std::size_t work_items = 1024, local_memory = std::size_t{64} << 10, parameters = 4096;
};
inline device_sizes sizes;

// Where the scratch lies of the group that runs.
inline std::byte* local_memory = nullptr;

}  // namespace emulated

namespace sycl {

// clang-format off
using std::acos, std::acosh, std::asin, std::asinh, std::atan, std::atan2, std::atanh, std::cbrt, std::ceil, std::cos,
    std::cosh, std::erf, std::erfc, std::exp, std::exp2, std::expm1, std::floor, std::fmod, std::hypot, std::lgamma,
    std::log, std::log10, std::log1p, std::log2, std::pow, std::round, std::sin, std::sinh, std::sqrt, std::tan,
    std::tanh, std::tgamma, std::trunc;
// clang-format on

class exception : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};
using exception_list = std::vector<std::exception_ptr>;
using async_handler = std::function<void(exception_list)>;

enum class aspect { fp64, usm_device_allocations, usm_system_allocations };
enum class memory_order { relaxed, acq_rel };
enum class memory_scope { device };
namespace usm {
enum class alloc { host, device, shared, unknown };
}

namespace info::device {
struct name {};
struct max_work_group_size {};
struct local_mem_size {};
struct max_parameter_size {};
}  // namespace info::device

class device {
public:
  explicit device(int number = 0) : number_(number) {}
  friend bool operator==(device a, device b) { return a.number_ == b.number_; }

  bool has(aspect a) const { return a == aspect::usm_device_allocations || (a == aspect::fp64 && number_ == 0); }
  template <class Asked>
  auto get_info() const
  {
    if constexpr (std::is_same_v<Asked, info::device::name>)
      return "emulated device " + std::to_string(number_);
    else if constexpr (std::is_same_v<Asked, info::device::max_work_group_size>)
      return emulated::sizes.work_items;
    else if constexpr (std::is_same_v<Asked, info::device::local_mem_size>)
      return emulated::sizes.local_memory;
    else
      return emulated::sizes.parameters;
  }
  int number() const { return number_; }  // SYCL has none

private:
  int number_;
};

namespace property::queue {
struct in_order {};
}  // namespace property::queue

struct property_list {
  property_list() = default;
  explicit property_list(property::queue::in_order) : in_order(true) {}
  bool in_order = false;
};

template <int>
struct range {
  explicit range(std::size_t n) : size(n) {}
  std::size_t size;
};
template <int Dimensions>
struct nd_range {
  nd_range(range<Dimensions> all, range<Dimensions> group) : global(all), local(group) {}
  range<Dimensions> global, local;
};

template <int>
struct group {
  std::size_t number;
};
template <int Dimensions>
void group_barrier(group<Dimensions>)
{
  emulated::block::running().barrier();
}

template <int Dimensions>
class nd_item {
public:
  nd_item() : group_(blockIdx.x), item_(threadIdx.x) {}
  group<Dimensions> get_group() const { return {group_}; }
  std::size_t get_group_linear_id() const { return group_; }
  std::size_t get_local_linear_id() const { return item_; }

private:
  std::size_t group_, item_;
};

class handler {
public:
  // A kernel is bits: its members are copied to the device as they are.
  template <class Kernel>
  void parallel_for(nd_range<1> const& items, Kernel const& kernel)
  {
    static_assert(std::is_trivially_copyable_v<Kernel>);
    if (items.global.size % items.local.size != 0 || items.local.size > emulated::sizes.work_items)
      throw exception("the range is not one of whole groups, or these are too large");
    if (local_bytes_ > emulated::sizes.local_memory) throw exception("too much local memory");
    ++emulated::here().counts.launches;
    work_ = [=, bytes = local_bytes_, on = device_] {
      std::vector<std::max_align_t> memory(bytes / sizeof(std::max_align_t) + 1);
      emulated::local_memory = reinterpret_cast<std::byte*>(memory.data());
      emulated::here().on_device(on, [&] {
        emulated::run_grid(static_cast<unsigned>(items.global.size / items.local.size),
                           static_cast<unsigned>(items.local.size), memory.data(), bytes,
                           [&] { kernel(nd_item<1>()); });
      });
    };
  }

private:
  friend class queue;
  template <class, int>
  friend class local_accessor;
  explicit handler(int device) : device_(device) {}

  int device_;
  std::size_t local_bytes_ = 0;
  emulated::work work_;
};

template <class T, int Dimensions>
class local_accessor {
public:
  local_accessor(range<Dimensions> size, handler& commands)
      : offset_((commands.local_bytes_ + alignof(T) - 1) / alignof(T) * alignof(T))
  {
    commands.local_bytes_ = offset_ + size.size * sizeof(T);
  }
  T& operator[](std::size_t i) const { return reinterpret_cast<T*>(emulated::local_memory + offset_)[i]; }

private:
  std::size_t offset_;
};

struct context {};

class queue {
public:
  queue() : queue(device()) {}
  explicit queue(property_list const& list) : queue(device(), list) {}
  queue(async_handler const& handler, property_list const& list) : queue(device(), handler, list) {}
  explicit queue(device on, property_list const& list = {}) : queue(on, {}, list) {}
  queue(device on, async_handler const& handler, property_list const& list)
      : state_(std::make_shared<state>(on, handler, list.in_order))
  {
  }
  friend bool operator==(queue const& a, queue const& b) { return a.state_ == b.state_; }

  bool is_in_order() const { return state_->in_order; }
  device get_device() const { return state_->on; }
  context get_context() const { return {}; }

  template <class Commands>
  void submit(Commands const& commands)
  {
    handler h(state_->on.number());
    commands(h);
    push("submit", std::move(h.work_));
  }
  void memcpy(void* to, void const* from, std::size_t bytes)
  {
    ++emulated::here().counts.copies;
    push("memcpy", [=] { emulated::here().on_device(-1, [&] { std::memcpy(to, from, bytes); }); });
  }
  void memset(void* p, int value, std::size_t bytes)
  {
    push("memset",
         [=, on = state_->on.number()] { emulated::here().on_device(on, [&] { std::memset(p, value, bytes); }); });
  }
  void wait()
  {
    std::lock_guard const held(emulated::here().lock);
    ++emulated::here().counts.waits;
    emulated::here().drain(state_->stream);
  }
  void wait_and_throw()
  {
    wait();
    if (emulated::here().fails("kernel") && state_->handler)
      state_->handler({std::make_exception_ptr(exception("a kernel failed"))});
  }

private:
  struct state {
    state(device d, async_handler const& h, bool ordered) : on(d), handler(h), in_order(ordered)
    {
      stream.device = d.number();
      std::lock_guard const held(emulated::here().lock);
      emulated::here().add(&stream);
    }
    state(state const&) = delete;
    state& operator=(state const&) = delete;
    ~state()
    {
      std::lock_guard const held(emulated::here().lock);
      emulated::here().remove(&stream);
    }

    device on;
    async_handler handler;
    bool in_order;
    emulated::stream stream;
  };

  void push(char const* call, emulated::work work)
  {
    std::lock_guard const held(emulated::here().lock);
    if (emulated::here().fails(call)) throw exception("told to fail");
    emulated::here().push(state_->stream, std::move(work));
  }

  std::shared_ptr<state> state_;
};

template <class T>
T* malloc_device(std::size_t count, queue const& of)
{
  std::lock_guard const held(emulated::here().lock);
  emulated::here().current_device() = of.get_device().number();
  return static_cast<T*>(emulated::here().allocate(count * sizeof(T)));
}
// Unlike hipFree, it waits for nothing: what is queued and works there still touches what is no memory.
inline void free(void* p, queue const&)
{
  std::lock_guard const held(emulated::here().lock);
  emulated::here().unmap(p);
}
inline usm::alloc get_pointer_type(void const* p, context)
{
  std::lock_guard const held(emulated::here().lock);
  return emulated::here().owns(p) ? usm::alloc::device : usm::alloc::unknown;
}

inline void atomic_fence(memory_order, memory_scope) {}

template <class T, memory_order, memory_scope>
class atomic_ref {
public:
  explicit atomic_ref(T& at) : at_(at) {}
  T fetch_add(T x) const
  {
    T const before = at_;
    at_ += x;
    return before;
  }

private:
  T& at_;
};

}  // namespace sycl
