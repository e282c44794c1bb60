// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Times every rung of the paper's ladders on a device, behind a check, beside a copy of the same bytes.
//
// The degrees of SUMFAC_LADDER_ORDERS are compiled in here. Where SUMFAC_LADDER_UNITS is defined none is: other sources
// then have an `entered` for each problem and degree, as bench/device writes them.
#include "../gpu/copies.hpp"
#include "../gpu/lists.hpp"
#include "entries.hpp"

#include <cstdio>
#include <cstdlib>
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
  std::string problems, rungs, elements = "512,4096", orders = "1-15", out;
  double seconds = 0.03;
  bool check = false;
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
    if (!bench::listed(o.rungs, name)) continue;
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

options parse(int argc, char** argv)
{
  options o;
  for (int i = 1; i < argc; ++i) {
    std::string const name = argv[i];
    if (name == "--check") {
      o.check = true;
    } else if (i + 1 < argc) {
      std::string const text = argv[++i];
      if (name == "--problem") o.problems = text;
      else if (name == "--rungs") o.rungs = text;
      else if (name == "--elements") o.elements = text;
      else if (name == "--orders") o.orders = text;
      else if (name == "--seconds") o.seconds = std::atof(text.c_str());
      else if (name == "--out") o.out = text;
      else throw std::invalid_argument("ladder: unknown option " + name + "\n" + usage);
    } else {
      throw std::invalid_argument(name == "--help" ? usage : "ladder: " + name + " needs a value\n" + usage);
    }
  }
  return o;
}

std::vector<index_t> sizes_of(std::string const& list)
{
  std::vector<index_t> sizes;
  for (char const* p = list.c_str(); *p != '\0';) {
    char* end = nullptr;
    sizes.push_back(std::strtoll(p, &end, 10));
    if (end == p || sizes.back() < 1)
      throw std::invalid_argument("ladder: --elements does not know " + list + ": pass 512,4096, say");
    p = *end == ',' ? end + 1 : end;
  }
  return sizes;
}

int run(options const& o)
{
  device const backend;
  std::printf("%s, %d multiprocessors, %.0f GB/s of shared memory, %.0f KiB of it a block\n", backend.name().c_str(),
              backend.multiprocessors(), shared_rate(backend) * 1e-9, double(backend.scratch_limit()) / 1024);
  auto const sizes = sizes_of(o.elements);
  std::vector<entry const*> list;
  index_t largest = 0;
  for (auto const& e : catalogue())
    if (bench::listed(o.problems, e.problem) && bench::listed(o.orders, e.order)) {
      list.push_back(&e);
      for (index_t const elements : sizes) largest = std::max(largest, elements * bytes_of(e));
    }
  std::unique_ptr<bench::copies> ceiling;
  if (!o.check) ceiling = std::make_unique<bench::copies>(largest);
  std::vector<measurement> results;
  int failures = 0;
  for (auto const* const what : list)
    for (index_t const elements : sizes) failures += climb(*what, elements, o, ceiling.get(), results);
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
    return run(parse(argc, argv));
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
