// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Times every rung of the paper's ladders on a device, behind a check, beside a copy of the same bytes.
//
// The degrees of SUMFAC_LADDER_ORDERS are compiled in here. Where SUMFAC_LADDER_UNITS is defined none is: other sources
// then have an `entered` for each problem and degree, as bench/device writes them.
#include "../command_line.hpp"
#include "../gpu/copies.hpp"
#include "entries.hpp"

#include <cstdio>
#include <exception>
#include <stdexcept>

#if defined(SUMFAC_LADDER_UNITS)
#define SUMFAC_LADDER_HERE std::integer_sequence<int>
#elif defined(SUMFAC_LADDER_ORDERS)
#define SUMFAC_LADDER_HERE std::integer_sequence<int, SUMFAC_LADDER_ORDERS>
#else
#define SUMFAC_LADDER_HERE std::integer_sequence<int, 2>
#endif

namespace {

using namespace sumfac;
using namespace sumfac::ladder;

char const* const usage = R"(usage: ladder [--orders 1-15] [--problem LIST] [--rungs LIST] [--elements 512,4096]
              [--seconds S] [--check] [--out FILE]

--rungs    numbers and `sumfac`, the operator of this library (default: all)
--seconds  of timing per rung (default 0.03)
--check    only compares with the reference and with this library's operator
)";

struct options {
  std::vector<std::string> problems, rungs;  // all where empty
  std::vector<int> orders;
  std::vector<index_t> elements{512, 4096};
  std::string out;
  double seconds = 0.03;
  bool check = false, help = false;
};

struct measurement {
  entry const* what;
  std::string rung;
  index_t elements;
  rung_numbers numbers;
  deviations off;
  double seconds = 0, copy_seconds = 0;
  double flop_rate() const { return double(what->flops * elements) / seconds; }
};

index_t bytes_of(entry const& e) { return e.bytes_read + e.bytes_written; }

// Clock rate times what all multiprocessors' shared memory moves in a cycle: 32 lanes of 4 bytes (eq. 13 of the paper).
double shared_rate(device const& backend)
{
  return backend.multiprocessors() * backend.clock_rate() * 32 * 4;
}

// Checks, then times in turns with the copies, so that what disturbs one disturbs both.
measurement measure(entry const& what, subject& s, int rung, index_t elements, options const& o, bench::copies* ceiling)
{
  measurement m{&what, s.names[static_cast<std::size_t>(rung)], elements, s.numbers(rung), s.check(rung)};
  if (!(m.off.error <= 1 && m.off.difference <= 1))
    throw std::runtime_error("v is wrong: " + std::to_string(m.off.error) + " times what rounding may do off the " +
                             "reference, " + std::to_string(m.off.difference) + " times off this library's operator");
  if (o.check) return m;
  static_cast<void>(s.seconds(rung, 2));
  int const count = std::max(1, static_cast<int>(1e-3 / s.seconds(rung, 2)));
  std::vector<double> kernel, copy;
  for (double spent = 0; spent < o.seconds || kernel.size() < 5;) {
    static_cast<void>(s.seconds(rung, 1));
    kernel.push_back(s.seconds(rung, count));
    index_t const bytes = bytes_of(what) * elements;
    copy.push_back(std::min(ceiling->by_runtime(bytes, count), ceiling->by_kernel(bytes, count)));
    spent += count * (kernel.back() + copy.back());
  }
  m.seconds = bench::median(kernel);
  m.copy_seconds = bench::median(copy);
  return m;
}

void print(measurement const& m, bool check)
{
  std::printf("%s/%s/N:%d/E:%lld/%s", m.what->problem.c_str(), device::runtime::name, m.what->order,
              static_cast<long long>(m.elements), m.rung.c_str());
  if (!check)
    std::printf("  %.3f ms  %.0f GFLOP/s  roofline %.3f", m.seconds * 1e3, m.flop_rate() * 1e-9,
                m.copy_seconds / m.seconds);
  std::printf("  error %.2f, %.2f  registers %d  local %d  scratch %d  resident %d x %d\n", m.off.error,
              m.off.difference, m.numbers.registers, m.numbers.local_bytes, m.numbers.scratch, m.numbers.resident,
              m.numbers.threads);
  std::fflush(stdout);
}

void write_json(std::string const& path, std::vector<measurement> const& results)
{
  std::FILE* const out = std::fopen(path.c_str(), "w");
  if (out == nullptr) throw std::runtime_error("ladder: " + path + " cannot be written: pass --out");
  device const backend;
  std::fprintf(out, "{\n  \"context\": {\"backend\": \"%s\", \"device\": \"%s\", \"multiprocessors\": %d, "
                    "\"shared_GB/s\": %.6g},\n  \"rungs\": [",
               device::runtime::name, backend.name().c_str(), backend.multiprocessors(), shared_rate(backend) * 1e-9);
  char const* separator = "\n";
  for (auto const& m : results) {
    double const bytes = double(bytes_of(*m.what) * m.elements);
    std::fprintf(out, "%s    {\"problem\": \"%s\", \"rung\": \"%s\", \"order\": %d, \"elements\": %lld, "
                      "\"element_flops\": %lld, \"element_bytes\": %lld, \"seconds\": %.9g, \"GFLOP/s\": %.6g, "
                      "\"copy_GB/s\": %.6g, \"roofline\": %.4f, \"error_of_allowed\": %.3g, "
                      "\"difference_of_allowed\": %.3g, \"registers\": %d, \"local_bytes\": %d, "
                      "\"scratch_bytes\": %d, \"resident_blocks\": %d, \"threads\": %d}",
                 separator, m.what->problem.c_str(), m.rung.c_str(), m.what->order,
                 static_cast<long long>(m.elements), static_cast<long long>(m.what->flops),
                 static_cast<long long>(bytes_of(*m.what)), m.seconds, m.flop_rate() * 1e-9,
                 bytes / m.copy_seconds * 1e-9, m.copy_seconds / m.seconds, m.off.error, m.off.difference,
                 m.numbers.registers, m.numbers.local_bytes, m.numbers.scratch, m.numbers.resident,
                 m.numbers.threads);
    separator = ",\n";
  }
  std::fprintf(out, "\n  ]\n}\n");
  std::fclose(out);
}

// All rungs of one problem, degree and size; returns how many failed.
int climb(entry const& what, index_t elements, options const& o, bench::copies* ceiling,
          std::vector<measurement>& results)
{
  int failures = 0;
  std::string here = what.problem + " N = " + std::to_string(what.order) + " E = " + std::to_string(elements);
  auto const s = what.make(elements);
  for (int rung = 0; rung < static_cast<int>(s->names.size()); ++rung) {
    auto const& name = s->names[static_cast<std::size_t>(rung)];
    if (!bench::command_line::listed(o.rungs, name)) continue;
    try {
      results.push_back(measure(what, *s, rung, elements, o, ceiling));
      print(results.back(), o.check);
    } catch (backend_error const& error) {
      std::printf("SKIPPED %s, %s: %s\n", here.c_str(), name.c_str(), error.what());
    } catch (std::exception const& error) {
      ++failures;
      std::printf("FAILED %s, %s: %s\n", here.c_str(), name.c_str(), error.what());
    }
    std::fflush(stdout);
  }
  return failures;
}

bool set(options& o, std::string const& name, std::string const& value)
{
  using namespace bench::command_line;
  if (name == "--problem") {
    o.problems = choice(name, value, {"BP1.0", "BP3.0", "BP3.5", "BP3.5-blocks"}, "BP1.0, BP3.0, BP3.5, BP3.5-blocks");
  } else if (name == "--rungs") {
    o.rungs = words(name, value, "numbers and sumfac",
                    [](auto const& word) { return is_number(word) || word == "sumfac"; });
  } else if (name == "--elements") {
    o.elements.clear();
    for (auto const& one : bench::command_line::split(value)) {
      if (!is_elements("E:" + one)) refuse(name, value, "512,4096, say");
      o.elements.push_back(std::stoll(one));
    }
  } else if (name == "--orders") {
    o.orders = degrees(name, value);
  } else if (name == "--seconds") {
    o.seconds = positive(name, value);
  } else if (name == "--out") {
    o.out = value;
  } else {
    return false;
  }
  return true;
}

options parse(int argc, char** argv)
{
  options o;
  bench::command_line::program() = "ladder";
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
  std::printf("%s, %d multiprocessors, %.0f GB/s of shared memory, %.0f KiB of it a block\n", backend.name().c_str(),
              backend.multiprocessors(), shared_rate(backend) * 1e-9, double(backend.scratch_limit()) / 1024);
  std::vector<entry const*> list;
  index_t largest = 0;
  for (auto const& e : catalogue())
    if (bench::command_line::listed(o.problems, e.problem) && bench::command_line::listed(o.orders, e.order)) {
      list.push_back(&e);
      for (index_t const elements : o.elements) largest = std::max(largest, elements * bytes_of(e));
    }
  std::unique_ptr<bench::copies> ceiling;
  if (!o.check) ceiling = std::make_unique<bench::copies>(largest);
  std::vector<measurement> results;
  int failures = 0;
  for (auto const* const what : list)
    for (index_t const elements : o.elements) failures += climb(*what, elements, o, ceiling.get(), results);
  if (!o.out.empty()) write_json(o.out, results);
  std::printf("%zu rungs measured, %d failed\n", results.size(), failures);
  return failures == 0 && !results.empty() ? 0 : 1;
}

template <class Ladder, int Order>
void enter_order()
{
  if constexpr (Order <= Ladder::max_order) static_cast<void>(entered(entry_of<Ladder, Order>()));
}

template <class Ladder, int... Orders>
void enter(std::integer_sequence<int, Orders...>)
{
  (enter_order<Ladder, Orders>(), ...);
}

}  // namespace

int main(int argc, char** argv)
{
  try {
    SUMFAC_LADDER_HERE const here;
    enter<bp1_ladder>(here);
    enter<bp3_ladder>(here);
    enter<bp35_ladder>(here);
    enter<bp35_blocks_ladder>(here);
    options const chosen = parse(argc, argv);
    if (!chosen.help) return run(chosen);
    std::fputs(usage, stdout);
    return 0;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
