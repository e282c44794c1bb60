// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Handles, memory, streams, events, launches and errors of backend/gpu/backend.hpp on emulated devices.
#include "device.hpp"
#include "reversal.hpp"

#include <dofs/global_vectors.hpp>
#include <support/own_stream.hpp>

#include <csetjmp>
#include <csignal>

namespace {

using checks::refused;
using sumfac::backend_error, sumfac::box, sumfac::buffer, sumfac::hip, sumfac::detail::hip_runtime, sumfac::index_t;
using event = sumfac::gpu_event<hip_runtime>;

// HIP with several teams of a warp in a block, as CUDA has them.
struct warp_runtime : hip_runtime {
  static constexpr int warp_teams = 4;
};

// A device whose launches have 64 threads at most.
struct small_runtime : hip_runtime {
  static constexpr long long most_threads = 64;
};

sigjmp_buf after_fault;

// Whether the host may read there.
bool readable(double const* p)
{
  struct sigaction old {
  }, jump{};
  jump.sa_handler = [](int) { siglongjmp(after_fault, 1); };
  sigaction(SIGSEGV, &jump, &old);
  bool const faulted = sigsetjmp(after_fault, 1) != 0;
  if (!faulted) static_cast<void>(*static_cast<double const volatile*>(p));
  sigaction(SIGSEGV, &old, nullptr);
  return !faulted;
}

std::size_t allocations() { return emulated::here().allocations(); }

}  // namespace

TEST_CASE("emulated device: teams of every size, in blocks of their own and as warps of one")
{
  teams_of_all_sizes(hip());
  teams_of_all_sizes(sumfac::gpu<warp_runtime>());
}

TEST_CASE("emulated device: its memory is not the host's, and is zero at first")
{
  hip const backend;
  buffer<double, hip> memory(backend, 5);
  CHECK_FALSE(readable(memory.data()));
  std::vector<double> copy(5, 1);
  CHECK(readable(copy.data()));
  backend.copy(static_cast<double const*>(memory.data()), copy.data(), 5);
  CHECK(copy == std::vector<double>(5, 1));  // queued, not done
  backend.synchronize();
  CHECK(copy == std::vector<double>(5, 0));
}

TEST_CASE("emulated device: buffers free what they own, once")
{
  std::size_t const before = allocations();
  {
    hip const backend;
    buffer<double, hip> a(backend, 5), b(backend, 7);
    CHECK(allocations() == before + 2);
    a = std::move(b);
    CHECK(a.size() == 7);
    buffer<double, hip> const c(std::move(a));
    CHECK(c.size() == 7);
    buffer<double, hip> const none(backend, 0);
    CHECK(none.data() == nullptr);
  }
  CHECK(allocations() == before);
  refused<backend_error>([] { buffer<double, hip>(hip(), index_t{1} << 40); },
                         {"sumfac::hip: hipMalloc failed (error 2: out of memory", "8796093022208 bytes"});
  refused([] { buffer<double, hip>(hip(), -3); }, {"-3", "at least 0"});
  emulated::here().failing = "hipMemsetAsync";
  refused<backend_error>([] { buffer<double, hip>(hip(), 4); }, {"hipMemsetAsync failed", "invalid argument"});
  CHECK(allocations() == before);
  CHECK(hipGetLastError() == hipSuccess);  // an error that was reported does not come again
}

TEST_CASE("emulated device: handles name existing devices, and leave the caller's device alone")
{
  refused([] { hip(2); }, {"sumfac::hip: there is no device 2", "0 to 1"});
  refused([] { hip(-1); }, {"-1"});
  hip const second(1);
  CHECK(second.device() == 1);
  CHECK(second.name() == "emulated device 1");
  reverses<8, 8>(second, 3);
  int now = -1;
  CHECK(hipGetDevice(&now) == hipSuccess);
  CHECK(now == 0);
  CHECK(second.multiprocessors() == 3);
  CHECK(second.scratch_limit() == 65536);
  CHECK(second.cache_bytes() == 1 << 20);
  CHECK(second.clock_rate() == 1e9);
}

TEST_CASE("emulated device: a stream does its own work, in order, when it is waited for")
{
  support::own_stream first, second;
  hip const a(first.handle), b(second.handle);
  CHECK(a.stream() == first.handle);
  std::vector<double> const ones(4, 1), twos(4, 2);
  std::vector<double> from_a(4), from_b(4);
  buffer<double, hip> in_a(a, 4), in_b(b, 4);
  a.copy(ones.data(), in_a.data(), 4);
  b.copy(twos.data(), in_b.data(), 4);
  a.copy(static_cast<double const*>(in_a.data()), from_a.data(), 4);
  b.copy(static_cast<double const*>(in_b.data()), from_b.data(), 4);
  b.synchronize();
  CHECK(from_b == twos);
  CHECK(from_a == std::vector<double>(4));
  a.synchronize();
  CHECK(from_a == ones);
  reverses<8, 8>(a, 3);
  emulated::here().failing = "hipMemcpyAsync";
  refused<backend_error>([&] { a.copy(ones.data(), in_a.data(), 4); }, {"hipMemcpyAsync failed", "32 bytes"});
}

TEST_CASE("emulated device: launches and copies can be captured into a graph; waiting then is refused")
{
  support::own_stream stream;
  hip const backend(stream.handle);
  std::vector<double> rows{1, 2, 3}, result(3);
  buffer<double, hip> memory(backend, 3);
  backend.synchronize();
  hipGraph_t graph = nullptr;
  hipGraphExec_t ready = nullptr;
  REQUIRE(hipStreamBeginCapture(stream.handle, hipStreamCaptureModeGlobal) == hipSuccess);
  backend.launch(reversal<8, 3>{memory.data()}, 1);
  backend.copy(static_cast<double const*>(memory.data()), result.data(), 3);
  refused<backend_error>([&] { backend.synchronize(); }, {"hipStreamSynchronize failed", "capturing"});
  refused<backend_error>([&] { buffer<double, hip>(backend, 1); }, {"hipMalloc failed", "capturing"});
  REQUIRE(hipStreamEndCapture(stream.handle, &graph) == hipSuccess);
  REQUIRE(hipGraphInstantiate(&ready, graph, 0) == hipSuccess);
  for (double const first : {1, 5}) {
    rows[0] = first;
    backend.copy(rows.data(), memory.data(), 3);
    REQUIRE(hipGraphLaunch(ready, stream.handle) == hipSuccess);
    backend.synchronize();
    CHECK(result == std::vector<double>{3, 2, first});
  }
  CHECK(hipGraphExecDestroy(ready) == hipSuccess);
  CHECK(hipGraphDestroy(graph) == hipSuccess);
}

TEST_CASE("emulated device: events measure what lies between them")
{
  hip const backend;
  event begin(backend), end(backend);
  begin.record();
  end.record();
  refused<backend_error>([&] { static_cast<void>(end.seconds_since(begin)); }, {"hipEventElapsedTime failed"});
  end.synchronize();
  CHECK(end.seconds_since(begin) >= 0);
  CHECK(begin.seconds_since(end) <= 0);
}

TEST_CASE("emulated device: events are of their backend's device, whichever is the current one")
{
  event on_second(hip(1));
  on_second.record();
  on_second.synchronize();
  CHECK(on_second.seconds_since(on_second) == 0);
}

TEST_CASE("emulated device: a launch of more threads than a device counts is several")
{
  for (index_t const groups : {7, 8, 9, 16, 21}) reverses<8, 5>(sumfac::gpu<small_runtime>(), groups);
}

TEST_CASE("emulated device: after a reset a launch has its scratch anew, and errors are those of the launch")
{
  reverses<8, 7000>(hip(), 2);
  REQUIRE(hipDeviceReset() == hipSuccess);
  reverses<8, 7000>(hip(), 2);
  REQUIRE(hipDeviceReset() == hipSuccess);
  hip().prepare<reversal<8, 7000>>();
  reverses<8, 7000>(hip(), 1);
  // A launch that is refused for another reason says so.
  hipStream_t stream = nullptr;
  REQUIRE(hipSetDevice(1) == hipSuccess);
  REQUIRE(hipStreamCreate(&stream) == hipSuccess);
  REQUIRE(hipSetDevice(0) == hipSuccess);
  refused<backend_error>([&] { hip(stream).launch(reversal<8, 7000>{nullptr}, 1); }, {"launch failed", "reversal"});
  CHECK(hipGetLastError() == hipSuccess);
  REQUIRE(hipStreamDestroy(stream) == hipSuccess);
}

// A runtime whose driver is of some version, and may take no more than 100 bytes of a kernel's parameters.
template <int Version>
struct older_runtime : hip_runtime {
  static constexpr sumfac::detail::parameter_limits parameters{100, 1000, 12010};
  static error driver_version(int* number)
  {
    *number = Version;
    return success;
  }
};

// Has 200 bytes of them, of which it adds up the first and the last.
struct wide_kernel {
  using scalar = double;
  static constexpr int threads = 1;
  double numbers[24];
  double* sum;

  template <class Team>
  struct scratch {};

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>&, index_t) const
  {
    team.each(box<1>{}, [&](int) { *sum = numbers[0] + numbers[23]; });
  }
};

TEST_CASE("emulated device: parameters that the driver does not pass are refused with both numbers")
{
  using old = sumfac::gpu<older_runtime<12000>>;
  using recent = sumfac::gpu<older_runtime<12010>>;
  wide_kernel kernel{};
  char const* const words[] = {"216 bytes, 100 before version 12010, and it is 12000", "take a later driver"};
  refused<backend_error>([&] { old().launch(kernel, 1); }, {words[0], words[1]});
  refused<backend_error>([&] { old().prepare<wide_kernel>(); }, {words[0], words[1]});
  auto memory = sumfac::detail::make_memory<double>(recent(), 1);
  kernel.numbers[0] = 1, kernel.numbers[23] = 2, kernel.sum = memory.data();
  recent().launch(kernel, 1);
  CHECK(sumfac::detail::download(recent(), static_cast<double const*>(memory.data()), 1)[0] == 3);
  reverses<8, 8>(old(), 2);
}

TEST_CASE("emulated device: an error that others left is not a launch's")
{
  CHECK(hipSetDevice(7) != hipSuccess);
  reverses<8, 8>(hip(), 2);
  CHECK(hipGetLastError() == hipSuccess);
}

TEST_CASE("emulated device: a launch that cannot be is refused with its numbers")
{
  refused([] { hip().launch(reversal<8, 8>{nullptr}, -2); }, {"groups of a launch are negative (-2)"});
  std::string const text = refused<backend_error>([] { hip().launch(reversal<8, 10000>{nullptr}, 1); },
                                                  {"needs more scratch", "80000 bytes", "65536 there", "reversal"});
  INFO(text);
  CHECK(hip::scratch_bytes<reversal<8, 7000>>() == 56000);
  CHECK(hip().resident_blocks<reversal<8, 7000>>() == 1);
  auto const taken = hip().resources<reversal<8, 7000>>();
  CHECK(taken.threads == 8);
  CHECK(taken.scratch_bytes == 56000);
  CHECK(taken.resident_blocks == 1);
  reverses<8, 7000>(hip(), 2);
  reverses<8, 7000>(hip(1), 2);  // which has to be asked, too
  reverses<8, 7000>(hip(), 1);
}
