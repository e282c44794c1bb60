// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Tells AddressSanitizer and ThreadSanitizer, where they are on, about switches between stacks, and about bytes that
// are nobody's.
#pragma once

#include <sumfac/config.hpp>

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define SUMFAC_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SUMFAC_ADDRESS_SANITIZER 1
#endif
#endif

#if defined(__SANITIZE_THREAD__)
#define SUMFAC_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SUMFAC_THREAD_SANITIZER 1
#endif
#endif

#if defined(SUMFAC_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(SUMFAC_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

namespace sumfac::SUMFAC_TARGET::detail {

// Whoever touches these bytes before they are freed is in error.
inline void forbid([[maybe_unused]] void* first, [[maybe_unused]] std::size_t bytes)
{
#if defined(SUMFAC_ADDRESS_SANITIZER)
  __asan_poison_memory_region(first, bytes);
#endif
}

// What the sanitizers know of one stack. Every call does nothing where no sanitizer is on.
class watched_stack {
public:
  // Stack frames are several times larger under AddressSanitizer.
#if defined(SUMFAC_ADDRESS_SANITIZER)
  static constexpr std::size_t growth = 4;
#else
  static constexpr std::size_t growth = 1;
#endif

  watched_stack() = default;
  watched_stack(watched_stack const&) = delete;
  watched_stack& operator=(watched_stack const&) = delete;

  ~watched_stack()
  {
#if defined(SUMFAC_THREAD_SANITIZER)
    if (owned_) __tsan_destroy_fiber(fiber_);
#endif
  }

  // The stack at [bottom, bottom + bytes) is about to run something new.
  void renew(void* bottom, std::size_t bytes)
  {
    bottom_ = bottom;
    bytes_ = bytes;
#if defined(SUMFAC_ADDRESS_SANITIZER)
    __asan_unpoison_memory_region(bottom, bytes);
#endif
#if defined(SUMFAC_THREAD_SANITIZER)
    if (!owned_) fiber_ = __tsan_create_fiber(0);
    owned_ = true;
#endif
  }

  // The stack is the one that runs now and belongs to nobody here.
  void adopt_current()
  {
#if defined(SUMFAC_THREAD_SANITIZER)
    fiber_ = __tsan_get_current_fiber();
#endif
  }

  // Just before the switch from this stack to `next`; `last` where this stack will not run on.
  void leave_for([[maybe_unused]] watched_stack const& next, [[maybe_unused]] bool last)
  {
#if defined(SUMFAC_ADDRESS_SANITIZER)
    __sanitizer_start_switch_fiber(last ? nullptr : &frames_, next.bottom_, next.bytes_);
#endif
#if defined(SUMFAC_THREAD_SANITIZER)
    __tsan_switch_to_fiber(next.fiber_, 0);
#endif
  }

  // Just after the switch from `previous` to this stack, whose first arrival it may be.
  void arrive_from([[maybe_unused]] watched_stack& previous, [[maybe_unused]] bool first)
  {
#if defined(SUMFAC_ADDRESS_SANITIZER)
    void const* bottom = nullptr;
    __sanitizer_finish_switch_fiber(first ? nullptr : frames_, &bottom, &previous.bytes_);
    previous.bottom_ = bottom;
#endif
  }

private:
  void const* bottom_ = nullptr;
  std::size_t bytes_ = 0;
#if defined(SUMFAC_ADDRESS_SANITIZER)
  void* frames_ = nullptr;
#endif
#if defined(SUMFAC_THREAD_SANITIZER)
  void* fiber_ = nullptr;
  bool owned_ = false;
#endif
};

}  // namespace sumfac::detail

#undef SUMFAC_ADDRESS_SANITIZER
#undef SUMFAC_THREAD_SANITIZER
