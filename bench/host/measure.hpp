// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Times one operator, and in turn with it the streams that move the same bytes.
#pragma once

#include "../report/json.hpp"
#include "../report/machine.hpp"
#include "../report/timing.hpp"
#include "../subjects/check.hpp"
#include "../subjects/subject.hpp"
#include "ceilings.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace sumfac::bench {

// What was measured of one configuration, and the multiply-add peak, which the caller sets. Times are medians over the
// samples.
struct result {
  subject what{};
  std::string size;
  index_t elements = 0;
  double flops = 0;
  traffic bytes{};
  int samples = 0;
  double seconds = 0, least_seconds = 0;     // of one application
  double copy_seconds = 0, mix_seconds = 0;  // of a copy and of a stream of the same bytes
  std::string copy_name, mix_name;           // how those were written
  double peak = 0;                           // flop/s
  double stored_seconds = 0;                 // of one application with stored geometry, timed in turns
  double error = 0;                          // the largest, as a fraction of the allowed one

  double flop_rate() const { return flops / seconds; }
  double byte_rate() const { return double(bytes.total()) / seconds; }
  double dof_rate() const { return double(elements) * what.element_dofs() / seconds; }
  double of_copy() const { return copy_seconds / seconds; }
  double of_mix() const { return mix_seconds / seconds; }
  double of_peak() const { return flop_rate() / peak; }
  double speedup() const { return stored_seconds > 0 ? stored_seconds / seconds : 1; }
  std::string name() const { return what.name(size); }

  json_object json() const
  {
    json_object row;
    row("name", name())("problem", what.problem)("backend", what.backend)("scalar", what.scalar);
    row("geometry", what.geometry)("dimension", what.dimension)("order", what.order)("size", size);
    row("elements", elements)("flops", flops);
    row("bytes_read", bytes.read)("bytes_written", bytes.written)("seconds", seconds);
    row("least_seconds", least_seconds)("samples", samples)("GFLOP/s", flop_rate() * 1e-9);
    row("GB/s", byte_rate() * 1e-9)("GDOF/s", dof_rate() * 1e-9)("roofline", of_copy())("stream", of_mix());
    row("peak", of_peak())("speedup", speedup());
    row("copy_GB/s", double(bytes.total()) / copy_seconds * 1e-9)("copy_by", copy_name);
    row("stream_GB/s", double(bytes.total()) / mix_seconds * 1e-9)("stream_by", mix_name);
    return row("peak_GFLOP/s", peak * 1e-9)("error_of_allowed", error);
  }
};

// Bytes that a set "in memory" has.
inline index_t memory_bytes(machine const& m) { return std::min(8 * m.last_level, m.memory / 4); }

// Elements of a size's name: whole groups for every thread in memory and cache, so that no thread waits for another.
inline index_t elements_of(std::string const& size, subject const& s, machine const& m)
{
  if (size.rfind("E:", 0) == 0) return std::stoll(size.substr(2));
  index_t const group = index_t{s.width} * m.threads;
  if (size == "memory") return (memory_bytes(m) / s.element_bytes + group) / group * group;
  index_t const whole = m.threads * (m.private_cache / 2) / s.element_bytes / group * group;
  return std::max(whole, group);
}

// Applications per sample: about two milliseconds, and one where that is longer.
inline int applications_per_sample(instance& a)
{
  int count = 1;
  for (;;) {
    double const seconds = a.seconds(apply_way, count) * count;
    if (seconds >= 1e-3 || count >= 1 << 20) return std::max(1, static_cast<int>(count * 2e-3 / seconds));
    count *= 4;
  }
}

// Checks the operator, then takes samples in turns for `budget` seconds: so many applications, a copy, a stream, and as
// many applications of `stored` where it is not null. What disturbs the machine for a while disturbs all.
inline result measure(subject const& s, subject const* stored, std::string const& size, vector_layout layout,
                      machine const& m, double budget, streams& ceilings)
{
  request const asked{.elements = elements_of(size, s, m), .threads = m.threads, .layout = layout};
  auto const a = s.make(asked);
  auto const b = stored != nullptr ? stored->make(asked) : nullptr;
  cost const work = a->work();
  result r;
  r.what = s;
  r.size = size;
  r.elements = asked.elements;
  r.flops = static_cast<double>(work.flops);
  r.bytes = {work.bytes_read, work.bytes_written};
  r.error = a->error(apply_way);
  require_right(r.error);

  int const count = applications_per_sample(*a);
  std::vector<double> kernel_times, copy_times, mix_times, stored_times;
  double const end = now() + budget;
  while (now() < end || kernel_times.size() < 5) {
    if (count > 1) a->seconds(apply_way, 1);  // back into cache
    kernel_times.push_back(a->seconds(apply_way, count));
    copy_times.push_back(ceilings.copy_seconds(r.bytes.total()));
    mix_times.push_back(ceilings.mix_seconds(r.bytes));
    if (b == nullptr) continue;
    if (count > 1) b->seconds(apply_way, 1);
    stored_times.push_back(b->seconds(apply_way, count));
  }
  r.samples = static_cast<int>(kernel_times.size());
  r.seconds = median(kernel_times);
  r.least_seconds = *std::min_element(kernel_times.begin(), kernel_times.end());
  r.copy_seconds = median(copy_times);
  r.mix_seconds = median(mix_times);
  if (b != nullptr) r.stored_seconds = median(stored_times);
  r.copy_name = ceilings.copy_name(r.bytes.total());
  r.mix_name = ceilings.mix_name(r.bytes);
  return r;
}

}  // namespace sumfac::bench
