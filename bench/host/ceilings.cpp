// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Prints the ceilings of this machine: what the benchmarks' fractions are fractions of.
#include "ceilings.hpp"

#include "../report/machine.hpp"

#include <cstdio>

namespace {

using namespace sumfac;
using namespace sumfac::bench;

double best(int samples, auto seconds)
{
  double least = seconds();
  for (int s = 1; s < samples; ++s) least = std::min(least, seconds());
  return least;
}

void print_streams(char const* where, index_t total, int threads)
{
  int constexpr samples = 15;
  streams memory(total, threads);
  double const copy = best(samples, [&] { return memory.copy_seconds(total); });
  std::printf("  %-7s %7.1f MiB  copy  %8.2f GB/s  %s\n", where, double(total) / (1 << 20), double(total) / copy * 1e-9,
              memory.copy_name(total).c_str());
  for (int reads : {1, 2, 4, 8, 16, 24}) {
    index_t const written = total / (reads + 1);
    traffic const t{total - written, written};
    double const mix = best(samples, [&] { return memory.mix_seconds(t); });
    std::printf("  %-7s              %3d:1  %8.2f GB/s  %s\n", where, reads, double(total) / mix * 1e-9,
                memory.mix_name(t).c_str());
  }
  traffic const t{total, 0};
  double const read = best(samples, [&] { return memory.mix_seconds(t); });
  std::printf("  %-7s              read  %8.2f GB/s  %s\n", where, double(total) / read * 1e-9,
              memory.mix_name(t).c_str());
}

void print_peak(int threads)
{
  double const clock = core_clock(threads);
  double const f64 = fma_peak<double>(threads), f32 = fma_peak<float>(threads);
  auto const per_cycle = [&](double rate, int width) { return rate / (2.0 * width * threads * clock); };
  std::printf("  f64 %8.2f GFLOP/s (%.2f multiply-adds of %d lanes a cycle at %.2f GHz)\n", f64 * 1e-9,
              per_cycle(f64, native_width<double>), native_width<double>, clock * 1e-9);
  std::printf("  f32 %8.2f GFLOP/s (%.2f multiply-adds of %d lanes a cycle)\n", f32 * 1e-9,
              per_cycle(f32, native_width<float>), native_width<float>);
}

}  // namespace

int main()
{
  machine const m = this_machine();
  std::printf("%s\n", describe(m).c_str());
  for (int threads = 1; threads <= m.threads; threads = threads == 1 && m.threads > 1 ? m.threads : m.threads + 1) {
    std::printf("%d thread%s\n", threads, threads == 1 ? "" : "s");
    print_peak(threads);
    print_streams("memory", std::min(8 * m.last_level, m.memory / 4), threads);
    print_streams("cache", m.private_cache / 2 * threads, threads);
  }
}
