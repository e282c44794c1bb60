// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Counts what a test program allocates, by new and by what buffers call: for the one source of such a test.
#pragma once

#include <atomic>
#include <cstdlib>
#include <new>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace {

std::atomic<long> allocations = 0;

void* allocate(std::size_t size, std::size_t alignment)
{
  ++allocations;
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment < sizeof(void*) ? sizeof(void*) : alignment, size == 0 ? 1 : size) != 0)
    throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment)
{
  return allocate(size, static_cast<std::size_t>(alignment));
}
// Without this one a sanitizer takes the nothrow form of its own, and finds our free at odds with it.
void* operator new(std::size_t size, std::nothrow_t const&) noexcept
{
  try {
    return allocate(size, alignof(std::max_align_t));
  } catch (std::bad_alloc const&) {
    return nullptr;
  }
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

#if defined(__GLIBC__)
// What sumfac::buffer calls.
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept
{
  ++allocations;
  return memalign(alignment, size);
}
#endif
