// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The CPU: a team is a loop nest over a group of elements that lie side by side in a SIMD register.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/concepts.hpp>
#include <sumfac/backend/detail/callback.hpp>
#include <sumfac/backend/detail/countdown.hpp>
#include <sumfac/backend/detail/machine.hpp>
#include <sumfac/backend/policy.hpp>
#include <sumfac/error.hpp>
#include <sumfac/math/pack.hpp>

#include <cstddef>
#include <exception>
#include <new>
#include <type_traits>

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace sumfac::SUMFAC_TARGET {

namespace detail {
using range_function = callback<index_t, index_t>;
}  // namespace detail

// Runs kernels on the cores of this machine: groups are spread over OpenMP threads, serial where compiled without.
//
// A group is native_width<Scalar> elements, a lane each. A thread that is done early helps the others. The order of the
// arithmetic does not depend on the number of threads, so neither do the results, except those of `scatter::atomic`.
// `host{}` takes OpenMP's number of threads at each launch, `host{2}` two.
// **Errors** argument_error for a negative number of threads.
class host {
public:
  template <class Kernel>
  struct team;

  host() = default;
  explicit host(int threads) : threads_(threads)
  {
    if (threads < 0) failf("host", "the number of threads is negative (got %d, at least 0 expected)", threads);
  }

  // Threads that a launch started now would use.
  int threads() const
  {
#if defined(_OPENMP)
    return threads_ > 0 ? threads_ : omp_get_max_threads();
#else
    return 1;
#endif
  }

  // This backend with fewer threads where each would have less than `least` of `size`: what is small is done sooner by
  // few.
  host for_work(index_t size, index_t least) const
  {
    index_t const most = detail::greater<index_t>(1, size / least);
    return most < threads() ? host(static_cast<int>(most)) : *this;
  }

  // Calls kernel(team, scratch, group) for group = 0 .. groups - 1; returns when all are done.
  template <class Kernel>
  void launch(Kernel const& kernel, index_t groups) const;

  // Calls f(first, last) once on each thread, for its share of 0 .. size - 1.
  void partition(index_t size, detail::range_function f) const;

  // Calls f(first, last) for pieces of 0 .. size - 1, `least` or more at once where a share has so many left: a thread
  // takes those of its share, which is that of partition(), and then what others have left of theirs.
  void balance(index_t size, detail::range_function f, index_t least = 1) const;

  // The same, and then g(first, last) on each thread for its share of 0 .. rest - 1, when all of f is done: balance()
  // and partition() on threads that are started once.
  void balance_then(index_t size, detail::range_function f, index_t rest, detail::range_function g) const;

private:
  struct share;
  struct share_left;
  struct work_left;

  // Calls f(rank, count) on `count` threads, on `wanted` of them where OpenMP grants so many.
  static void on_threads(index_t wanted, detail::range_function f);

  index_t workers(index_t size) const { return size < threads() ? size : index_t{threads()}; }

  [[maybe_unused]] int threads_ = 0;
};

template <class Kernel>
struct host::team {
  using scalar = pack<detail::kernel_scalar<Kernel>, native_width<detail::kernel_scalar<Kernel>>>;
  static constexpr int threads = 1;

  template <class T, int... Extents>
  using shared = detail::shared_array<T, Extents...>;

  // What each thread of a GPU's team keeps to itself is an array over the box here.
  template <class T, int... Extents>
  using per_thread = shared<T, Extents...>;

  template <int... Extents, class Function>
  SUMFAC_INLINE void each(box<Extents...>, Function&& f) const
  {
    nest<Extents...>(f);
  }

  SUMFAC_INLINE void sync() const {}
  SUMFAC_INLINE void phase(char const*) const {}

private:
  template <int Extent, int... Rest, class Function, class... Indices>
  SUMFAC_INLINE static void nest(Function& f, Indices... outer)
  {
    for (int i = 0; i < Extent; ++i) {
      if constexpr (sizeof...(Rest) == 0)
        f(outer..., i);
      else
        nest<Rest...>(f, outer..., i);
    }
  }
};

namespace detail {

// The threads of the CPU that set up and post-process for a backend: the host's own, or all.
template <class Backend>
host host_of(Backend const& backend)
{
  if constexpr (runs_on_host<Backend>)
    return backend;
  else
    return {};
}

// Whether the compiler's pass of the moment has the host's kernels: nvcc's pass for devices, where nothing calls them,
// could not compile them, as their tables are constants of the host's program.
template <class Kernel>
inline constexpr bool compiles_host_kernels =
#if SUMFAC_ON_CUDA
    false;
#else
    true;
#endif

template <class Kernel, class Some>
void run_groups(Kernel const& kernel, Some const& some);

// Memory for the scratch of this thread of the CPU, kept from launch to launch; grows, never shrinks.
class scratch_memory {
public:
  scratch_memory() = default;
  scratch_memory(scratch_memory const&) = delete;
  scratch_memory& operator=(scratch_memory const&) = delete;
  ~scratch_memory() { ::operator delete(data_, line); }

  void* reserve(std::size_t bytes)
  {
    if (bytes > capacity_) {
      ::operator delete(data_, line);
      data_ = nullptr, capacity_ = 0;
      data_ = ::operator new(bytes, line);
      capacity_ = bytes;
    }
    return data_;
  }

private:
  static constexpr std::align_val_t line{64};

  void* data_ = nullptr;
  std::size_t capacity_ = 0;
};

inline void* thread_scratch(std::size_t bytes)
{
  thread_local scratch_memory memory;
  return memory.reserve(bytes);
}
// The same for arrays of that scratch whose sizes are known at run time alone.
inline void* thread_arrays(std::size_t bytes)
{
  thread_local scratch_memory memory;
  return memory.reserve(bytes);
}

// Whether a kernel's scratch has arrays whose sizes are known at run time alone.
struct any_array {
  template <class Array>
  void operator()(Array&, index_t) const;
};
template <class Kernel>
concept has_arrays = requires(Kernel const& kernel, typename Kernel::template scratch<host::team<Kernel>>& scratch) {
  kernel.each_array(scratch, any_array{});
};
// Has the arrays of a scratch that kernel.each_array(scratch, f) calls f(array, size) of, and it alone knows, be in
// this thread's memory.
template <class Kernel, class Scratch>
void make_arrays(Kernel const& kernel, Scratch& scratch)
{
  constexpr std::size_t line = 64;
  std::size_t bytes = 0;
  auto const room_of = [](auto const& array, index_t size) {
    return (static_cast<std::size_t>(size) * sizeof(*array.entries) + line - 1) / line * line;
  };
  kernel.each_array(scratch, [&](auto const& array, index_t size) { bytes += room_of(array, size); });
  auto* at = static_cast<unsigned char*>(thread_arrays(bytes));
  kernel.each_array(scratch, [&](auto& array, index_t size) {
    array.entries = reinterpret_cast<decltype(array.entries)>(at);
    at += room_of(array, size);
  });
}

}  // namespace detail

// What thread `rank` of `count` does of 0 .. size - 1: first .. last - 1.
struct host::share {
  index_t first, last;

  share(index_t size, index_t rank, index_t count)
      : first(rank * (size / count) + (rank < size % count ? rank : size % count)),
        last(first + size / count + (rank < size % count ? 1 : 0))
  {
  }
};

// What is left of a share, on a line of memory of its own: threads take it from the front.
struct alignas(64) host::share_left {
  detail::shared_count first;
  index_t last;
};

// What is left of a range, share by share, a piece at a time.
struct host::work_left {
  static constexpr index_t most_shares = 64, pieces_of_share = 16;

  index_t threads, shares, piece;
  share_left left[most_shares];

  work_left(index_t size, index_t most_threads, index_t least)
      : threads(most_threads),
        shares(detail::lesser(threads, most_shares)),
        piece(detail::greater((size + pieces_of_share * threads - 1) / (pieces_of_share * threads), least))
  {
    for (index_t s = 0; s < shares; ++s) {
      share const own(size, s, shares);
      left[s].first.store_relaxed(own.first), left[s].last = own.last;
    }
  }

  // Calls f(first, last) for pieces, those of the thread's own share first, until none is left.
  void work(index_t rank, detail::range_function f)
  {
    for (index_t s = 0; s < shares; ++s) {
      share_left& from = left[(rank * shares / threads + s) % shares];
      while (from.first.load_relaxed() < from.last) {
        index_t const first = from.first.add_relaxed(piece);
        if (first < from.last) f(first, detail::lesser(first + piece, from.last));
      }
    }
  }
};

inline void host::on_threads(index_t wanted, detail::range_function f)
{
#if defined(_OPENMP)
  if (wanted > 1) {
    std::exception_ptr error;
#pragma omp parallel num_threads(static_cast<int>(wanted))
    try {
      f(index_t{omp_get_thread_num()}, index_t{omp_get_num_threads()});
    } catch (...) {
#pragma omp critical(sumfac_host_on_threads)
      if (!error) error = std::current_exception();
    }
    if (error) std::rethrow_exception(error);
    return;
  }
#endif
  if (wanted > 0) f(index_t{0}, index_t{1});
}

inline void host::partition(index_t size, detail::range_function f) const
{
  on_threads(workers(size), [&](index_t rank, index_t count) {
    share const own(size, rank, count);
    f(own.first, own.last);
  });
}

inline void host::balance(index_t size, detail::range_function f, index_t least) const
{
  index_t const threads = workers(size);
  bool const one_piece_each = threads <= work_left::most_shares && size <= threads * least;
  if (threads <= 1 || one_piece_each) return partition(size, f);
  work_left left(size, threads, least);
  on_threads(threads, [&](index_t rank, index_t) { left.work(rank, f); });
}

inline void host::balance_then(index_t size, detail::range_function f, index_t rest, detail::range_function g) const
{
  index_t const threads = workers(size);
  if (threads <= 1 || rest <= 1) {
    balance(size, f);
    return partition(rest, g);
  }
  work_left left(size, threads, 1);
  detail::countdown unfinished(size);
  on_threads(threads, [&](index_t rank, index_t count) {
    left.work(rank, [&](index_t first, index_t last) {
      detail::countdown::part const finished(unfinished, last - first);
      f(first, last);
    });
    share const own(rest, rank, count);
    if (own.first < own.last && unfinished.wait()) g(own.first, own.last);
  });
}

template <class Kernel>
void host::launch(Kernel const& kernel, index_t groups) const
{
  if constexpr (detail::compiles_host_kernels<Kernel>) check_kernel<Kernel, team<Kernel>>();
  using scratch = typename Kernel::template scratch<team<Kernel>>;
  static_assert(std::is_trivially_default_constructible_v<scratch>,
                "sumfac::host: a kernel's scratch must hold arrays of team::shared alone");
  balance(groups, [&kernel](index_t first, index_t last) {
    detail::run_groups(kernel, [&](scratch&, auto const& run) {
      for (index_t group = first; group < last; ++group) run(group);
    });
  });
}

namespace detail {

// Calls some(scratch, run) with this thread's scratch for the kernel, where run(group) runs it on a group.
template <class Kernel, class Some>
void run_groups(Kernel const& kernel, Some const& some)
{
  using team = host::team<Kernel>;
  using scratch = typename Kernel::template scratch<team>;
  auto* const memory = ::new (thread_scratch(sizeof(scratch))) scratch;
  if constexpr (has_arrays<Kernel>) make_arrays(kernel, *memory);
  some(*memory, [&](index_t group) SUMFAC_LAMBDA {
    if constexpr (compiles_host_kernels<Kernel>) kernel(team{}, *memory, group);
  });
  stream_fence();
}

}  // namespace detail

}  // namespace sumfac
