// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Times one operator, and in turn with it the streams that move the same bytes.
#pragma once

#include "ceilings.hpp"
#include "kernel.hpp"
#include "machine.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

namespace sumfac::bench {

// What was measured of one configuration, and the multiply-add peak, which the caller sets. Times are medians over the
// samples.
struct result {
  std::string name, problem, scalar, geometry, size;
  int order = 0;
  index_t elements = 0;
  double flops = 0;
  traffic bytes{};
  int samples = 0;
  double seconds = 0, least_seconds = 0;          // of one application
  double copy_seconds = 0, mix_seconds = 0;       // of a copy and of a stream of the same bytes
  std::string copy_name, mix_name;                // how those were written
  double peak = 0;                                // flop/s
  double stored_seconds = 0;                      // of one application with stored geometry, timed in turns
  double error = 0;                               // the largest, as a fraction of the allowed one

  double flop_rate() const { return flops / seconds; }
  double byte_rate() const { return double(bytes.total()) / seconds; }
  double dof_rate() const { return double(elements) * order * order * order / seconds; }
  double of_copy() const { return copy_seconds / seconds; }
  double of_mix() const { return mix_seconds / seconds; }
  double of_peak() const { return flop_rate() / peak; }
  double speedup() const { return stored_seconds > 0 ? stored_seconds / seconds : 1; }
};

// Bytes that a set "in memory" has.
inline index_t memory_bytes(machine const& m)
{
  return std::min(8 * m.last_level, m.memory / 4);
}

// Elements of a size's name: whole groups for every thread in memory and cache, so that no thread waits for another.
inline index_t elements_of(std::string const& size, kernel const& k, machine const& m)
{
  if (size.rfind("E:", 0) == 0) return std::stoll(size.substr(2));
  index_t const group = index_t{k.width} * m.threads;
  if (size == "memory") return (memory_bytes(m) / k.element_bytes + group) / group * group;
  index_t const whole = m.threads * (m.private_cache / 2) / k.element_bytes / group * group;
  return std::max(whole, group);
}

// Checks the operator, then takes samples in turns for `budget` seconds: so many applications, a copy, a stream, and as
// many applications of `stored` where it is not null. What disturbs the machine for a while disturbs all.
result measure(kernel const& k, kernel const* stored, std::string const& size, vector_layout layout, machine const& m,
               double budget, streams& ceilings);

namespace detail {

inline double median(std::vector<double> x)
{
  auto const middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
  std::nth_element(x.begin(), middle, x.end());
  return *middle;
}

// Seconds of one of `count` applications.
inline double seconds_of(application& a, int count)
{
  double const begin = now();
  for (int i = 0; i < count; ++i) a.apply();
  return (now() - begin) / count;
}

// Applications per sample: about two milliseconds, and one where that is longer.
inline int applications_per_sample(application& a)
{
  int count = 1;
  for (;;) {
    double const seconds = seconds_of(a, count) * count;
    if (seconds >= 1e-3 || count >= 1 << 20) return std::max(1, static_cast<int>(count * 2e-3 / seconds));
    count *= 4;
  }
}

}  // namespace detail

inline result measure(kernel const& k, kernel const* stored, std::string const& size, vector_layout layout,
                      machine const& m, double budget, streams& ceilings)
{
  index_t const elements = elements_of(size, k, m);
  auto const a = k.make(elements, layout, m.threads);
  auto const b = stored != nullptr ? stored->make(elements, layout, m.threads) : nullptr;
  result r;
  r.problem = k.problem;
  r.scalar = k.scalar;
  r.geometry = k.geometry;
  r.size = size;
  r.order = k.order;
  r.elements = elements;
  r.flops = a->flops();
  r.bytes = a->bytes();
  r.error = a->error();
  if (!(r.error <= 1))
    throw std::runtime_error("v is wrong: its error is " + std::to_string(r.error) + " times what rounding may do");

  int const count = detail::applications_per_sample(*a);
  std::vector<double> kernel_times, copy_times, mix_times, stored_times;
  double const end = detail::now() + budget;
  while (detail::now() < end || kernel_times.size() < 5) {
    if (count > 1) a->apply();  // back into cache
    kernel_times.push_back(detail::seconds_of(*a, count));
    copy_times.push_back(ceilings.copy_seconds(r.bytes.total()));
    mix_times.push_back(ceilings.mix_seconds(r.bytes));
    if (b == nullptr) continue;
    if (count > 1) b->apply();
    stored_times.push_back(detail::seconds_of(*b, count));
  }
  r.samples = static_cast<int>(kernel_times.size());
  r.seconds = detail::median(kernel_times);
  r.least_seconds = *std::min_element(kernel_times.begin(), kernel_times.end());
  r.copy_seconds = detail::median(copy_times);
  r.mix_seconds = detail::median(mix_times);
  if (b != nullptr) r.stored_seconds = detail::median(stored_times);
  r.copy_name = ceilings.copy_name(r.bytes.total());
  r.mix_name = ceilings.mix_name(r.bytes);
  return r;
}

}  // namespace sumfac::bench
