// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The bake-off kernels on a device against a copy of the same bytes; and which of several tunings is the fastest.
#include "copies.hpp"
#include "entries.hpp"

#include "../command_line.hpp"
#include "../shared_counts.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <stdexcept>

namespace {

using namespace sumfac;
using namespace sumfac::bench;

char const* const usage = R"(usage: roofline [--orders 1-15] [--problem LIST] [--scalar LIST] [--size LIST]
                [--seconds S] [--check] [--out FILE]

--size     memory (8 times the device's last-level cache, at least 256 MiB) or numbers of elements, as E:4096
--seconds  of timing per configuration (default 0.3)
--check    only compares with the reference
)";

struct options {
  std::vector<std::string> problems, scalars, sizes{"memory"};  // all problems and scalars where empty
  std::vector<int> orders;
  std::string out;
  double seconds = 0.3;
  bool check = false, help = false;
};

struct measurement {
  device_entry const* entry;
  std::string size;
  index_t elements;
  double seconds, copy_seconds, copy_kernel_seconds, error;
  device_numbers numbers;
  double shared_seconds = 0;                // that its traffic in shared memory takes at least; 0 where not counted
  std::unique_ptr<device_subject> subject;  // while it is measured
  double roofline() const { return std::min(copy_seconds, copy_kernel_seconds) / seconds; }
  double shared_roofline() const { return shared_seconds / seconds; }
};

index_t elements_of(std::string const& size, device_entry const& entry)
{
  if (size != "memory") return std::stoll(size.substr(2));  // E:4096
  index_t const bytes = std::max(8 * device().cache_bytes(), index_t{256} << 20);
  return bytes / entry.element_bytes + 1;
}

std::string tuning_text(tuning const& t)
{
  char const* const ways[] = {"planes", "cubes", "slices"};
  char const* const ahead[] = {"none", "cache", "registers"};
  char text[200];
  std::snprintf(text, sizeof text,
                "{.way = variant::%s, .elements = %d, .planes = %d, .padding = %d, .resident_teams = %d, "
                ".ahead = prefetch::%s}",
                ways[static_cast<int>(t.way)], t.elements, t.planes, t.padding, t.resident_teams,
                ahead[static_cast<int>(t.ahead)]);
  return text;
}

// Seconds of the transactions in shared memory that `checked` counts, one a cycle on each multiprocessor; counted for
// the tunings that operators take on sm_90, in double.
double shared_seconds(device_entry const& entry, index_t elements, device const& backend)
{
  static auto const counted = count_shared();
  for (auto const& c : counted)
    if (c.problem == entry.problem && c.order == entry.order && entry.scalar == "f64" && c.tuned == entry.tuned)
      return c.transactions * double(elements) / (backend.multiprocessors() * backend.clock_rate());
  return 0;
}

// Checks, warms up, then times in turns with the copies, so that what disturbs one disturbs all.
measurement measure(device_entry const& entry, std::string const& size, options const& o, copies* ceilings)
{
  measurement m{};
  m.entry = &entry;
  m.size = size;
  m.elements = elements_of(size, entry);
  m.subject = entry.make(m.elements);
  m.numbers = m.subject->numbers;
  m.error = m.subject->error();
  if (!(m.error <= 1))
    throw std::runtime_error("v is wrong: its error is " + std::to_string(m.error) + " times what rounding may do");
  if (o.check) return m;
  index_t const bytes = m.numbers.bytes_read + m.numbers.bytes_written;
  static_cast<void>(m.subject->seconds(3));
  int const count = std::max(1, static_cast<int>(2e-3 / m.subject->seconds(3)));
  std::vector<double> kernel, copy, copy_kernel;
  for (double spent = 0; spent < o.seconds || kernel.size() < 7;) {
    static_cast<void>(m.subject->seconds(1));
    kernel.push_back(m.subject->seconds(count));
    copy.push_back(ceilings->by_runtime(bytes, count));
    copy_kernel.push_back(ceilings->by_kernel(bytes, count));
    spent += count * (kernel.back() + copy.back() + copy_kernel.back());
  }
  m.seconds = median(kernel);
  m.copy_seconds = median(copy);
  m.copy_kernel_seconds = median(copy_kernel);
  m.shared_seconds = shared_seconds(entry, m.elements, device());
  return m;
}

void print(measurement const& m, bool check)
{
  auto const& e = *m.entry;
  device_numbers const& s = m.numbers;
  std::printf("%s/%s/%s/N:%d/%s", e.problem.c_str(), device::runtime::name, e.scalar.c_str(), e.order, m.size.c_str());
  if (check)
    std::printf("  E %lld  error %.2f of allowed", static_cast<long long>(m.elements), m.error);
  else
    std::printf("  E %lld  %.3f ms  %.0f GFLOP/s  %.0f GB/s  roofline %.3f  shared %.3f",
                static_cast<long long>(m.elements), m.seconds * 1e3, double(s.flops) / m.seconds * 1e-9,
                double(s.bytes_read + s.bytes_written) / m.seconds * 1e-9, m.roofline(), m.shared_roofline());
  std::printf("  registers %d  local %d  scratch %d  resident %d x %d  %s\n", s.registers, s.local_bytes, s.scratch,
              s.resident, s.threads, tuning_text(e.tuned).c_str());
  std::fflush(stdout);
}

void write_json(std::string const& path, std::vector<measurement> const& results)
{
  std::FILE* const out = std::fopen(path.c_str(), "w");
  if (out == nullptr) throw std::runtime_error("roofline: " + path + " cannot be written: pass --out");
  device const backend;
  std::fprintf(out, "{\n  \"context\": {\"backend\": \"%s\", \"device\": \"%s\", \"multiprocessors\": %d, "
                    "\"cache_bytes\": %lld},\n  \"benchmarks\": [",
               device::runtime::name, backend.name().c_str(), backend.multiprocessors(),
               static_cast<long long>(backend.cache_bytes()));
  char const* separator = "\n";
  for (auto const& m : results) {
    auto const& e = *m.entry;
    device_numbers const& s = m.numbers;
    double const bytes = double(s.bytes_read + s.bytes_written);
    std::fprintf(out, "%s    {\"name\": \"%s/%s/%s/N:%d/%s\", \"problem\": \"%s\", \"backend\": \"%s\", "
                      "\"scalar\": \"%s\", \"order\": %d, \"size\": \"%s\", \"elements\": %lld, \"flops\": %lld, "
                      "\"bytes_read\": %lld, \"bytes_written\": %lld, \"seconds\": %.9g, \"GFLOP/s\": %.6g, "
                      "\"GB/s\": %.6g, \"GDOF/s\": %.6g, \"roofline\": %.4f, \"shared_roofline\": %.4f, "
                      "\"copy_GB/s\": %.6g, \"copy_kernel_GB/s\": %.6g, \"error_of_allowed\": %.3g, \"registers\": %d, "
                      "\"local_bytes\": %d, \"scratch_bytes\": %d, \"resident_blocks\": %d, \"threads\": %d, "
                      "\"tuning\": \"%s\"}",
                 separator, e.problem.c_str(), device::runtime::name, e.scalar.c_str(), e.order, m.size.c_str(),
                 e.problem.c_str(), device::runtime::name, e.scalar.c_str(), e.order, m.size.c_str(),
                 static_cast<long long>(m.elements), static_cast<long long>(s.flops),
                 static_cast<long long>(s.bytes_read), static_cast<long long>(s.bytes_written), m.seconds,
                 double(s.flops) / m.seconds * 1e-9, bytes / m.seconds * 1e-9,
                 double(m.elements) * e.order * e.order * e.order / m.seconds * 1e-9, m.roofline(),
                 m.shared_roofline(), bytes / m.copy_seconds * 1e-9, bytes / m.copy_kernel_seconds * 1e-9, m.error,
                 s.registers, s.local_bytes, s.scratch, s.resident, s.threads, tuning_text(e.tuned).c_str());
    separator = ",\n";
  }
  std::fprintf(out, "\n  ]\n}\n");
  std::fclose(out);
}

// A row of operator/tuning.hpp's table, and behind it what was measured.
std::string row_text(measurement const& best, measurement const& usual, std::string const& device_name)
{
  device_entry const& e = *best.entry;
  char const* const architectures[] = {"sm_80", "sm_90", "gfx90a"};
  bool const collocated = e.problem == "BP3.5";
  int const n = e.order + 1, g = collocated ? n : n + 1;
  char text[500];
  std::snprintf(text, sizeof text,
                "{architecture::%s, problem_kind::%s, %d, %d, %d,\n %s},  // %s: %.3f of the copy, %.3f by the rule",
                architectures[static_cast<int>(architecture_of<device>)],
                collocated             ? "collocated"
                : e.problem == "BP1.0" ? "values"
                                       : "gradients",
                n, g, e.scalar == "f64" ? 8 : 4, tuning_text(e.tuned).c_str(), device_name.c_str(), best.roofline(),
                usual.roofline());
  return text;
}

// The fastest tuning of each problem, scalar and degree of which there are several.
void print_best(std::vector<measurement> const& results, std::string const& device_name)
{
  std::map<std::string, std::vector<measurement const*>> groups;
  for (auto const& m : results)
    groups[m.entry->problem + " " + m.entry->scalar + " " + m.size + (m.entry->order < 10 ? " N  " : " N ") +
           std::to_string(m.entry->order)]
        .push_back(&m);
  bool heading = false;
  for (auto& [name, group] : groups) {
    if (group.size() < 2) continue;
    if (!heading) std::printf("\nrows for sumfac::detail::tuning_table, the fastest of each problem and degree:\n");
    heading = true;
    auto const best = *std::min_element(group.begin(), group.end(),
                                        [](auto const* a, auto const* b) { return a->seconds < b->seconds; });
    std::printf("%s\n", row_text(*best, *group[0], device_name).c_str());
  }
}

bool set(options& o, std::string const& name, std::string const& value)
{
  using namespace bench::command_line;
  if (name == "--problem")
    o.problems = choice(name, value, {"BP1.0", "BP3.0", "BP3.5"}, "BP1.0, BP3.0 or BP3.5");
  else if (name == "--scalar")
    o.scalars = choice(name, value, {"f64", "f32"}, "f64 or f32");
  else if (name == "--size")
    o.sizes = words(name, value, "memory or a number of elements as E:4096",
                    [](auto const& word) { return word == "memory" || is_elements(word); });
  else if (name == "--orders")
    o.orders = degrees(name, value);
  else if (name == "--seconds")
    o.seconds = positive(name, value);
  else if (name == "--out")
    o.out = value;
  else
    return false;
  return true;
}

options parse(int argc, char** argv)
{
  options o;
  auto const flag = [&](std::string const& text) {
    using bench::command_line::turns_on;
    return turns_on(text, "--check", o.check) || turns_on(text, "--help", o.help);
  };
  bench::command_line::read(argc, argv, flag, [&](auto const& name, auto const& value) { return set(o, name, value); });
  return o;
}

int run(options const& o)
{
  device const backend;
  std::printf("%s, %d multiprocessors, cache %.0f MiB, %.0f KiB of scratch a block\n", backend.name().c_str(),
              backend.multiprocessors(), double(backend.cache_bytes()) / (1 << 20),
              double(backend.scratch_limit()) / 1024);
  std::vector<std::pair<device_entry const*, std::string>> list;
  index_t largest = 0;
  using bench::command_line::listed;
  for (auto const& size : o.sizes)
    for (auto const& e : device_catalogue())
      if (listed(o.problems, e.problem) && listed(o.scalars, e.scalar) && listed(o.orders, e.order)) {
        list.push_back({&e, size});
        largest = std::max(largest, elements_of(size, e) * e.element_bytes);
      }
  std::unique_ptr<copies> ceilings;
  if (!o.check) ceilings = std::make_unique<copies>(largest);
  std::vector<measurement> results;
  int failures = 0;
  for (auto const& [entry, size] : list) try {
      results.push_back(measure(*entry, size, o, ceilings.get()));
      results.back().subject.reset();
      print(results.back(), o.check);
    } catch (std::exception const& error) {
      ++failures;
      std::printf("FAILED %s %s N = %d, %s: %s\n", entry->problem.c_str(), entry->scalar.c_str(), entry->order,
                  tuning_text(entry->tuned).c_str(), error.what());
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
  try {
    options const chosen = parse(argc, argv);
    if (!chosen.help) return run(chosen);
    std::fputs(usage, stdout);
    return 0;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
