// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The bake-off kernels on a device against a copy of the same bytes; and which of several tunings is the fastest.
#include "../report/command_line.hpp"
#include "../subjects/check.hpp"
#include "copies.hpp"
#include "device_subjects.hpp"
#if !defined(SUMFAC_ROOFLINE_UNCOUNTED)
#include "shared_counts.hpp"
#endif

#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <utility>

namespace {

using namespace sumfac;
using namespace sumfac::bench;

char const* const usage = R"(usage: roofline [--orders 1-15] [--problem LIST] [--scalar LIST] [--size LIST]
                [--seconds S] [--check] [--out FILE]

--size     memory (8 times the device's last-level cache, at least 256 MiB), half of that, numbers of elements, as
           E:4096, or of megabytes, as MB:180; from one to a larger one, as of half,memory, a marginal rate
--seconds  of timing per configuration (default 0.3)
--check    only compares with the reference
)";

struct options {
  std::vector<std::string> problems, scalars, sizes{"memory"};  // all problems and scalars where empty
  std::vector<int> orders;
  std::string out;
  double seconds = 0.3;
  bool check = false;
};

struct measurement {
  subject const* what;
  std::string size;
  index_t elements;
  cost work;
  double seconds, copy_seconds, copy_kernel_seconds, mix_seconds, error;
  double least, most;  // of the samples whose median is `seconds`
  kernel_numbers numbers;
  double shared_seconds;  // that its traffic in shared memory takes at least; 0 where not counted
  // Behind a smaller size of the same: its elements, and rates of the bytes and of the seconds between; else 0.
  index_t smaller = 0;
  double marginal_rate = 0, marginal_mix = 0;

  // Rates of bytes and seconds between two sizes.
  void add_marginal(measurement const& small)
  {
    double const bytes_between = double(work.bytes() - small.work.bytes());
    smaller = small.elements;
    marginal_rate = bytes_between / (seconds - small.seconds);
    marginal_mix = bytes_between / (mix_seconds - small.mix_seconds);
  }
  double flop_rate() const { return double(work.flops) / seconds; }
  double byte_rate() const { return double(work.bytes()) / seconds; }
  double roofline() const { return std::min(copy_seconds, copy_kernel_seconds) / seconds; }
  double stream() const { return mix_seconds / seconds; }  // of one that reads and writes as much as the kernel
  double shared_roofline() const { return shared_seconds / seconds; }

  json_object json() const
  {
    json_object row;
    row("name", what->name(size))("problem", what->problem)("backend", what->backend)("scalar", what->scalar);
    row("geometry", what->geometry)("order", what->order)("size", size)("elements", elements)("flops", work.flops);
    row("bytes_read", work.bytes_read)("bytes_written", work.bytes_written)("seconds", seconds);
    row("GFLOP/s", flop_rate() * 1e-9)("GB/s", byte_rate() * 1e-9);
    row("GDOF/s", double(elements) * what->element_dofs() / seconds * 1e-9)("roofline", roofline());
    row("stream", stream())("stream_GB/s", double(work.bytes()) / mix_seconds * 1e-9);
    row("pins", byte_rate() / pin_rate(device()))("least_seconds", least)("most_seconds", most);
    if (shared_seconds > 0) row("shared_roofline", shared_roofline());
    if (smaller > 0) row("marginal_from", smaller)("marginal_GB/s", marginal_rate * 1e-9);
    if (smaller > 0) row("marginal_stream", marginal_rate / marginal_mix);
    row("copy_GB/s", double(work.bytes()) / copy_seconds * 1e-9);
    row("copy_kernel_GB/s", double(work.bytes()) / copy_kernel_seconds * 1e-9)("error_of_allowed", error);
    return add(row, numbers)("tuning", what->tuning);
  }
};

index_t elements_of(std::string const& size, subject const& what)
{
  if (size.starts_with("MB:")) return std::stoll(size.substr(3)) * 1000000 / what.element_bytes + 1;
  if (size == "half") return elements_of("memory", what) / 2;
  if (size != "memory") return std::stoll(size.substr(2));  // E:4096
  index_t const bytes = std::max(8 * device().cache_bytes(), index_t{256} << 20), all = bytes / what.element_bytes + 1;
  if (what.vectors == vector_kind::element) return all;
  index_t power = 1;  // of 2: the nearest
  while (power * 3 < all * 2) power *= 2;
  return power;
}

// Seconds of the transactions in shared memory that `checked` counts, one a cycle on each multiprocessor; counted for
// the tunings that operators take on sm_90, in double.
#if defined(SUMFAC_ROOFLINE_UNCOUNTED)  // where tunings are compared
double shared_seconds(subject const&, index_t, device const&) { return 0; }
#else
double shared_seconds(subject const& what, index_t elements, device const& backend)
{
  static auto const counted = counting()();
  for (auto const& c : counted)
    if (c.problem == what.problem && c.order == what.order && what.scalar == "f64" && what.geometry == "stored" &&
        text_of(c.tuned) == what.tuning)
      return c.transactions * double(elements) / (backend.multiprocessors() * backend.clock_rate());
  return 0;
}
#endif

// Checks, warms up, then times in turns with the copies, so that what disturbs one disturbs all.
measurement measure(subject const& what, std::string const& size, options const& o, copies* ceilings)
{
  auto const a = what.make({.elements = elements_of(size, what)});
  measurement m{};
  m.what = &what;
  m.size = size;
  m.elements = a->elements();
  m.work = a->work();
  m.numbers = a->numbers(apply_way);
  m.error = a->error(apply_way);
  require_right(m.error);
  if (o.check) return m;
  index_t const bytes = m.work.bytes();
  static_cast<void>(a->seconds(apply_way, 3));
  int const count = std::max(1, static_cast<int>(2e-3 / a->seconds(apply_way, 3)));
  std::vector<double> kernel, copy, copy_kernel, mix;
  for (double spent = 0; spent < o.seconds || kernel.size() < 7;) {
    static_cast<void>(a->seconds(apply_way, 1));
    kernel.push_back(a->seconds(apply_way, count));
    copy.push_back(ceilings->by_runtime(bytes, count));
    copy_kernel.push_back(ceilings->by_kernel(bytes, count));
    mix.push_back(ceilings->by_mix(m.work.bytes_read, m.work.bytes_written, count));
    spent += count * (kernel.back() + copy.back() + copy_kernel.back() + mix.back());
  }
  m.seconds = median(kernel);
  m.copy_seconds = median(copy);
  m.copy_kernel_seconds = median(copy_kernel);
  m.mix_seconds = median(mix);
  auto const [least, most] = std::minmax_element(kernel.begin(), kernel.end());
  m.least = *least, m.most = *most;
  m.shared_seconds = shared_seconds(what, m.elements, device());
  return m;
}

void print(measurement const& m, bool check)
{
  std::printf("%s  E %lld", m.what->name(m.size).c_str(), static_cast<long long>(m.elements));
  if (check)
    std::printf("  error %.2f of allowed", m.error);
  else
    std::printf("  %.3f ms  %.0f GFLOP/s  %.0f GB/s  roofline %.3f  stream %.3f", m.seconds * 1e3, m.flop_rate() * 1e-9,
                m.byte_rate() * 1e-9, m.roofline(), m.stream());
  std::printf("  %s  %s\n", text_of(m.numbers).c_str(), m.what->tuning.c_str());
  std::fflush(stdout);
}

void print_marginal(measurement const& small, measurement const& large)
{
  std::printf("%s  marginal %.0f GB/s  of a stream %.3f\n", small.what->name(small.size + " to " + large.size).c_str(),
              large.marginal_rate * 1e-9, large.marginal_rate / large.marginal_mix);
  std::fflush(stdout);
}

void write_json(std::string const& path, std::vector<measurement> const& results)
{
  std::vector<json_object> rows;
  for (auto const& m : results) rows.push_back(m.json());
  json_file()("context", context(device()))("benchmarks", rows).write(path);
}

// A row of element/tuning_rows.hpp's table, and behind it what was measured; of quadrilaterals, which have no rows, the
// tuning alone.
std::string row_text(measurement const& best, measurement const& usual, std::string const& device_name)
{
  subject const& s = *best.what;
  if (s.dimension != 3) return "no row: " + s.name(best.size) + " " + s.tuning;
  char const* const architectures[] = {"sm_80", "sm_90", "gfx90a"};
  int const n = s.order + 1, g = s.points;
  char text[500];
  std::snprintf(text, sizeof text,
                "{architecture::%s, problem_kind::%s, %d, %d, %d,\n %s%s},  // %s: %.3f of the copy, %.3f by the rule",
                architectures[static_cast<int>(sumfac::detail::architecture_of<device>)],
                g == n                                                  ? "collocated"
                : s.problem.substr(0, 3) == "BP1" || s.problem == "BP2" ? "values"
                                                                        : "gradients",
                n, g, s.scalar == "f64" ? 8 : 4, s.tuning.c_str(),
                s.geometry == "stored" ? "" : (", row_geometry::" + s.geometry).c_str(), device_name.c_str(),
                best.roofline(), usual.roofline());
  return text;
}

// The fastest tuning of each problem, scalar and degree of which there are several.
void print_best(std::vector<measurement> const& results, std::string const& device_name)
{
  std::map<std::string, std::vector<measurement const*>> groups;
  for (auto const& m : results)
    groups[m.what->problem_and_geometry() + " " + m.what->scalar + " " + m.size +
           (m.what->order < 10 ? " N  " : " N ") + std::to_string(m.what->order)]
        .push_back(&m);
  bool heading = false;
  for (auto& [name, group] : groups) {
    if (group.size() < 2) continue;
    if (!heading)
      std::printf("\nrows for the table of element/tuning_rows.hpp, the fastest of each problem and degree:\n");
    heading = true;
    auto const best = *std::min_element(group.begin(), group.end(),
                                        [](auto const* a, auto const* b) { return a->seconds < b->seconds; });
    std::printf("%s\n", row_text(*best, *group[0], device_name).c_str());
  }
}

std::vector<command_line::option<options>> option_list()
{
  using namespace bench::command_line;
  auto const sizes = [](auto const& name, auto const& value) {
    return words(
        name, value, "memory, half, a number of elements as E:4096 or of megabytes as MB:180",
        [](auto const& word) { return word == "memory" || word == "half" || is_elements(word) || is_megabytes(word); });
  };
  return {{"--problem", &options::problems, problem_names()},
          {"--scalar", &options::scalars, {"f64", "f32"}},
          {"--size", &options::sizes, sizes},
          {"--orders", &options::orders},
          {"--seconds", &options::seconds},
          {"--out", &options::out},
          {"--check", &options::check}};
}

int run(options const& o)
{
  device const backend;
  std::printf("%s\n", describe(backend).c_str());
  std::vector<std::pair<subject const*, std::string>> list;
  index_t largest = 0;
  using bench::command_line::listed;
  for (auto const& e : catalogue())
    for (auto const& size : o.sizes)
      if (listed(o.problems, e.problem) && listed(o.scalars, e.scalar) && listed(o.orders, e.order)) {
        list.push_back({&e, size});
        largest = std::max(largest, elements_of(size, e) * e.element_bytes);
      }
  std::unique_ptr<copies> ceilings;
  if (!o.check) ceilings = std::make_unique<copies>(largest);
  std::vector<measurement> results;
  int failures = 0;
  now_and_then kept;
  for (auto const& [what, size] : list) try {
      results.push_back(measure(*what, size, o, ceilings.get()));
      print(results.back(), o.check);
      if (auto const n = results.size();
          n > 1 && !o.check && results[n - 2].what == what && results[n - 2].elements < results[n - 1].elements) {
        results[n - 1].add_marginal(results[n - 2]);
        print_marginal(results[n - 2], results[n - 1]);
      }
      if (!o.out.empty() && kept.due()) write_json(o.out, results);
    } catch (std::exception const& error) {
      ++failures;
      std::printf("FAILED %s, %s: %s\n", what->name(size).c_str(), what->tuning.c_str(), error.what());
      std::fflush(stdout);
    }
  if (!o.check) print_best(results, backend.name());
  if (!o.out.empty()) write_json(o.out, results);
  std::printf("%zu configurations, %d failed\n", list.size(), failures);
  return failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv)
{
  return bench::command_line::main_of<options>("roofline", usage, argc, argv, option_list(), run);
}
