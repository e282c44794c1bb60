// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Devices of SYCL 2020: a team is a work-group, its scratch local memory, its stream a queue that keeps the order.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>

// Without a compiler for SYCL, or SYCL's own header before the first of these, this one declares nothing.
#if SUMFAC_HAS_SYCL

#include <sycl/sycl.hpp>

#include <sumfac/backend/architecture.hpp>
#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/concepts.hpp>
#include <sumfac/backend/detail/team_of_threads.hpp>
#include <sumfac/backend/gpu/runtime.hpp>
#include <sumfac/backend/policy.hpp>
#include <sumfac/error.hpp>
#include <sumfac/math/detail/plain.hpp>

#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

class sycl;

namespace detail {

// The work-items of a group.
template <class Kernel>
class sycl_team : public team_of_threads<Kernel> {
public:
  using team_of_threads<Kernel>::threads;

  explicit sycl_team(::sycl::nd_item<1> const& item)
      : group_(item.get_group()), rank_(static_cast<int>(item.get_local_linear_id()))
  {
  }

  template <int... Extents, class Function>
  SUMFAC_INLINE void each(box<Extents...>, Function&& f) const
  {
    visit_own<threads, true>(rank_, box<Extents...>{}, f);
  }
  SUMFAC_INLINE void sync() const { ::sycl::group_barrier(group_); }

private:
  ::sycl::group<1> group_;
  int rank_;
};

template <class Kernel>
using sycl_scratch = typename Kernel::template scratch<sycl_team<Kernel>>;

// What SYCL calls with each work-item.
template <class Kernel>
struct sycl_function {
  Kernel kernel;
  ::sycl::local_accessor<sycl_scratch<Kernel>, 1> scratch;
  index_t first;

  void operator()(::sycl::nd_item<1> const& item) const
  {
    kernel(sycl_team<Kernel>(item), scratch[0], first + static_cast<index_t>(item.get_group_linear_id()));
  }
};

// Of a launch; implementations count them in 31 bits.
inline constexpr index_t most_work_items = 0x7fffffff;

// Calls launch(first, count) for all groups, at most so many at once.
template <class Launch>
void in_pieces(index_t groups, index_t most, Launch const& launch)
{
  for (index_t first = 0; first < groups; first += most) launch(first, lesser(groups - first, most));
}

// Calls what calls SYCL; its exceptions become backend_error, with the call and the implementation's own text.
template <class Call>
decltype(auto) call_sycl(char const* name, std::string_view details, Call const& call)
{
  try {
    return call();
  } catch (::sycl::exception const& e) {
    throw_text<backend_error>("sumfac::sycl: %s failed (%s%s%.*s)", name, e.what(), details.empty() ? "" : "; ",
                              static_cast<int>(details.size()), details.data());
  }
}

}  // namespace detail

// One queue of a device of SYCL's. A copy means the same queue.
//
// Launches, copies and what is built on them (apply) are queued and return at once; wait with synchronize(), which
// calls the queue's handler of asynchronous errors. The queue must be in order; memory is the device's own (USM). There
// are no graphs, no copies that come while threads go on, and tunings are those of gfx90a, whose scratch is the least.
// **Errors** argument_error for a queue that is not in order, backend_error with the call, the kernel and the
// implementation's own text.
class sycl {
public:
  using stream_type = ::sycl::queue;
  static constexpr architecture built_for = architecture::gfx90a;

  template <class Kernel>
  using team = detail::sycl_team<Kernel>;

  // A queue of the default device, one for all that are made so.
  sycl() : sycl(default_queue()) {}
  explicit sycl(stream_type const& queue) : queue_(queue)
  {
    if (!queue.is_in_order())
      failf("sycl",
            "the queue is not in order (is_in_order() is %d, 1 needed): make it with the property "
            "sycl::property::queue::in_order()",
            0);
    if (!device().has(::sycl::aspect::usm_device_allocations))
      failf("sycl", "the device has no memory of its own (has(aspect::usm_device_allocations) is %d, 1 needed)", 0);
  }

  ::sycl::device device() const { return queue_.get_device(); }
  stream_type const& stream() const { return queue_; }
  std::string name() const { return device().get_info<::sycl::info::device::name>(); }  // as its maker calls it

  // Calls kernel(team, scratch, group) for group = 0 .. groups - 1 on the queue.
  template <class Kernel>
  void launch(Kernel const& kernel, index_t groups) const
  {
    if (groups < 0)
      failf("sycl", "groups of a launch are negative (%lld): pass the number of teams to run",
            static_cast<long long>(groups));
    check_kernel<Kernel, team<Kernel>>();
    using scratch = detail::sycl_scratch<Kernel>;
    static_assert(std::is_trivially_default_constructible_v<scratch>,
                  "sumfac::sycl: a kernel's scratch must hold arrays of team::shared alone");
    constexpr index_t threads = team<Kernel>::threads;
    detail::call_sycl("parallel_for", detail::name_of<Kernel>(), [&] {
      detail::in_pieces(groups, detail::most_work_items / threads, [&](index_t first, index_t count) {
        ::sycl::range<1> const global(static_cast<std::size_t>(count * threads)),
            local(static_cast<std::size_t>(threads));
        queue_.submit([&](::sycl::handler& commands) {
          ::sycl::local_accessor<scratch, 1> const shared(::sycl::range<1>(1), commands);
          commands.parallel_for(::sycl::nd_range<1>(global, local),
                                detail::sycl_function<Kernel>{kernel, shared, first});
        });
      });
    });
  }

  // Refuses a kernel which needs more of a device than this one has, with both numbers; an operator does it when it is
  // made.
  template <class Kernel>
  void prepare() const
  {
    check_kernel<Kernel, team<Kernel>>();
    namespace info = ::sycl::info::device;
    ::sycl::device const there = device();
    constexpr char const* smaller = "choose a sumfac::tuning with slices, fewer planes or fewer elements";
    constexpr bool is_double = sizeof(detail::kernel_scalar<Kernel>) == sizeof(double);
    refuse_more<Kernel>("threads", team<Kernel>::threads, there.get_info<info::max_work_group_size>(), smaller);
    refuse_more<Kernel>("bytes of scratch", sizeof(detail::sycl_scratch<Kernel>),
                        there.get_info<info::local_mem_size>(), smaller);
    refuse_more<Kernel>("bytes of parameters", sizeof(detail::sycl_function<Kernel>),
                        there.get_info<info::max_parameter_size>(), "take fewer points, or geometry that is stored");
    refuse_more<Kernel>("units for doubles", is_double, there.has(::sycl::aspect::fp64), "compute in float");
  }

  // Queues a copy of `size` entries from anywhere to anywhere: host and device memory in any mix.
  template <class T>
  void copy(T const* from, T* to, index_t size) const
  {
    if (size == 0) return;
    std::size_t const bytes = static_cast<std::size_t>(size) * sizeof(T);
    detail::call_sycl("memcpy", {}, [&] { queue_.memcpy(to, from, bytes); });
  }

  // Waits for all that was queued.
  void synchronize() const
  {
    detail::call_sycl("wait_and_throw", {}, [&] { queue_.wait_and_throw(); });
  }

  // Who can read the memory at p.
  detail::memory_side side_of(void const* p) const
  {
    using detail::memory_side;
    switch (::sycl::get_pointer_type(p, queue_.get_context())) {
      case ::sycl::usm::alloc::device: return memory_side::device;
      case ::sycl::usm::alloc::host:
      case ::sycl::usm::alloc::shared: return memory_side::both;
      default: break;
    }
    return device().has(::sycl::aspect::usm_system_allocations) ? memory_side::both : memory_side::host;
  }

private:
  static stream_type const& default_queue()
  {
    static stream_type const queue = detail::call_sycl("queue", {}, [] {
      return stream_type(
          [](::sycl::exception_list const& errors) {
            for (std::exception_ptr const& e : errors) std::rethrow_exception(e);
          },
          ::sycl::property_list{::sycl::property::queue::in_order()});
    });
    return queue;
  }
  template <class Kernel>
  static void refuse_more(char const* what, std::size_t needed, std::size_t there, char const* advice)
  {
    if (needed <= there) return;
    constexpr auto name = detail::name_of<Kernel>();
    detail::throw_text<backend_error>(
        "sumfac::sycl: a team of %.*s needs more %s than the device has (%llu needed, %llu there): %s",
        static_cast<int>(name.size() < 300 ? name.size() : 300), name.data(), what,
        static_cast<unsigned long long>(needed), static_cast<unsigned long long>(there), advice);
  }

  mutable stream_type queue_;
};

// `size` entries of T in a device's memory, zero at first, owned by the buffer and freed with it: made zero, and waited
// for, on its queue alone.
//
// **Errors** argument_error for a negative size, backend_error where the device has not so much memory.
template <class T>
class buffer<T, sycl> : public detail::buffer_entries<T, buffer<T, sycl>, std::optional<::sycl::queue>> {
  using base = detail::buffer_entries<T, buffer, std::optional<::sycl::queue>>;
  using base::data_, base::owner_;  // the queue; there is no queue that is none

public:
  buffer() = default;
  buffer(sycl const& backend, index_t size) : base(size, backend.stream())
  {
    std::size_t const bytes = detail::buffer_bytes<T>(size);
    if (size == 0) return;
    data_ = ::sycl::malloc_device<T>(static_cast<std::size_t>(size), *owner_);
    if (data_ == nullptr)
      detail::throw_text<backend_error>("sumfac::sycl: malloc_device failed (%lld bytes)",
                                        static_cast<long long>(bytes));
    try {
      detail::call_sycl("memset", {}, [&] { owner_->memset(data_, 0, bytes); });
    } catch (backend_error const&) {
      ::sycl::free(data_, *owner_);
      throw;
    }
  }

  buffer(buffer&& other) noexcept = default;
  buffer& operator=(buffer&& other) noexcept = default;
  // Waits for the queue: what is there may still work with the memory.
  ~buffer()
  {
    if (data_ == nullptr) return;
    try {
      owner_->wait();
      ::sycl::free(data_, *owner_);
    } catch (::sycl::exception const&) {  // of work that was queued: a later call says it
    }
  }
};

}  // namespace sumfac

#endif
