// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The device that is measured: its backend, its clock, what is copied to it, and how programs print it.
#pragma once

#include "../report/json.hpp"
#include "../subjects/subject.hpp"

#include <support/own_stream.hpp>
#include <support/random.hpp>

#if defined(__HIP__)
#include <sumfac/backend/hip.hpp>
#else
#include <sumfac/backend/cuda.hpp>
#endif

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace sumfac::bench {

#if defined(__HIP__)
using device = hip;
#else
using device = cuda;
#endif

#if !defined(__HIP__)
// How many launches, copies and clears f() queues on a stream of its own; -1 where it waits for the device.
template <class Function>
int launches_of(device const& backend, Function const& f)
{
  cudaGraph_t graph = nullptr;
  std::size_t count = 0;
  bool waits = cudaStreamBeginCapture(backend.stream(), cudaStreamCaptureModeThreadLocal) != cudaSuccess;
  try {
    if (!waits) f();
  } catch (backend_error const&) {
    waits = true;
  }
  if (cudaStreamEndCapture(backend.stream(), &graph) != cudaSuccess) waits = true;
  if (graph != nullptr && cudaGraphGetNodes(graph, nullptr, &count) != cudaSuccess) waits = true;
  if (graph != nullptr) static_cast<void>(cudaGraphDestroy(graph));
  static_cast<void>(cudaGetLastError());
  return waits ? -1 : static_cast<int>(count);
}
#endif

// Seconds that `count` calls of f take on the device, each.
template <class Function>
double seconds_of(device const& backend, int count, Function const& f)
{
  gpu_event begin(backend), end(backend);
  begin.record();
  for (int i = 0; i < count; ++i) f();
  end.record();
  end.synchronize();
  return end.seconds_since(begin) / count;
}

// Random numbers that are exact in every scalar.
template <class T>
std::vector<T> random_numbers(index_t size, std::uint64_t seed = 0)
{
  std::vector<T> x(static_cast<std::size_t>(size));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<T>(support::generator(seed + i)());
  return x;
}

// A buffer of the device with some numbers in it.
template <class T>
buffer<T, device> on_device(device const& backend, std::vector<T> const& numbers)
{
  buffer<T, device> result(backend, static_cast<index_t>(numbers.size()));
  backend.copy(numbers.data(), result.data(), result.size());
  backend.synchronize();
  return result;
}

// What a buffer has, on the host.
template <class T>
std::vector<T> on_host(device const& backend, buffer<T, device> const& there)
{
  std::vector<T> result(static_cast<std::size_t>(there.size()));
  backend.copy(there.data(), result.data(), there.size());
  backend.synchronize();
  return result;
}

inline kernel_numbers numbers_of(kernel_resources const& r)
{
  return {r.threads, r.scratch_bytes, r.resident_blocks, r.registers, r.local_bytes};
}

// What a line of results ends with.
inline std::string text_of(kernel_numbers const& k)
{
  return "registers " + std::to_string(k.registers) + "  local " + std::to_string(k.local_bytes) + "  scratch " +
         std::to_string(k.scratch) + "  resident " + std::to_string(k.resident) + " x " + std::to_string(k.threads);
}

inline json_object& add(json_object& row, kernel_numbers const& k)
{
  row("registers", k.registers)("local_bytes", k.local_bytes)("scratch_bytes", k.scratch);
  return row("resident_blocks", k.resident)("threads", k.threads);
}

// Clock rate times what all multiprocessors' shared memory moves in a cycle: 32 lanes of 4 bytes (eq. 13 of the ladder
// paper).
inline double shared_rate(device const& backend) { return backend.multiprocessors() * backend.clock_rate() * 32 * 4; }

// Bytes a second that the pins of the device's memory move: two bits of each in a cycle of its clock.
inline double pin_rate(device const& backend)
{
#if defined(__HIP__)
  constexpr auto clock = hipDeviceAttributeMemoryClockRate, width = hipDeviceAttributeMemoryBusWidth;
#else
  constexpr auto clock = cudaDevAttrMemoryClockRate, width = cudaDevAttrGlobalMemoryBusWidth;
#endif
  int kilohertz = 0, bits = 0;
  static_cast<void>(device::runtime::get_attribute(&kilohertz, clock, backend.device()));
  static_cast<void>(device::runtime::get_attribute(&bits, width, backend.device()));
  return 2e3 * kilohertz * bits / 8;
}

// The device as all programs print it.
inline std::string describe(device const& backend)
{
  char text[120];
  std::snprintf(text, sizeof text, "%d multiprocessors, cache %.0f MiB, %.0f KiB of scratch a block, %.0f GB/s of it",
                backend.multiprocessors(), double(backend.cache_bytes()) / (1 << 20),
                double(backend.scratch_limit()) / 1024, shared_rate(backend) * 1e-9);
  return backend.name() + ", " + text;
}

// What the JSON of all programs says of it.
inline json_object context(device const& backend)
{
  json_object c;
  c("backend", device::runtime::name)("device", backend.name())("multiprocessors", backend.multiprocessors());
  c("cache_bytes", backend.cache_bytes())("shared_GB/s", shared_rate(backend) * 1e-9);
  return c("pins_GB/s", pin_rate(backend) * 1e-9);
}

}  // namespace sumfac::bench
