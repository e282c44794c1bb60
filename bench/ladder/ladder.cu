// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Times every rung of the paper's ladders on a device, behind a check, beside a copy of the same bytes.
//
// The degrees of SUMFAC_LADDER_ORDERS are compiled in here. Where SUMFAC_LADDER_UNITS is defined none is: other sources
// then enter a subject for each problem and degree, as bench/device writes them.
#include "../gpu/copies.hpp"
#include "../report/command_line.hpp"
#include "ladder_subjects.hpp"

#include <cstdio>
#include <exception>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#if defined(SUMFAC_LADDER_UNITS)
#define SUMFAC_LADDER_HERE
#elif defined(SUMFAC_LADDER_ORDERS)
#define SUMFAC_LADDER_HERE SUMFAC_LADDER_ORDERS
#else
#define SUMFAC_LADDER_HERE 2
#endif

namespace {

using namespace sumfac;
using bench::device;

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
  bool check = false;
};

struct measurement {
  bench::subject const* what;
  std::string rung;
  index_t elements;
  bench::cost work;
  bench::kernel_numbers numbers;
  double error, difference;
  double seconds = 0, copy_seconds = 0;

  double flop_rate() const { return double(work.flops) / seconds; }
  double roofline() const { return copy_seconds / seconds; }

  bench::json_object json() const
  {
    bench::json_object row;
    row("problem", what->problem)("rung", rung)("order", what->order)("elements", elements);
    row("element_flops", work.flops / elements)("element_bytes", work.bytes() / elements)("seconds", seconds);
    row("GFLOP/s", flop_rate() * 1e-9)("copy_GB/s", double(work.bytes()) / copy_seconds * 1e-9);
    row("roofline", roofline())("error_of_allowed", error)("difference_of_allowed", difference);
    return add(row, numbers);
  }
};

// Checks, then times in turns with the copies, so that what disturbs one disturbs both.
measurement measure(bench::subject const& what, bench::instance& a, int rung, options const& o, bench::copies* ceiling)
{
  measurement m{&what,
                a.ways()[static_cast<std::size_t>(rung)],
                a.elements(),
                a.work(),
                a.numbers(rung),
                a.error(rung),
                a.difference(rung)};
  bench::require_right(m.error);
  bench::require_right(m.difference, "v beside this library's");
  if (o.check) return m;
  static_cast<void>(a.seconds(rung, 2));
  int const count = std::max(1, static_cast<int>(1e-3 / a.seconds(rung, 2)));
  std::vector<double> kernel, copy;
  for (double spent = 0; spent < o.seconds || kernel.size() < 5;) {
    static_cast<void>(a.seconds(rung, 1));
    kernel.push_back(a.seconds(rung, count));
    index_t const bytes = m.work.bytes();
    copy.push_back(std::min(ceiling->by_runtime(bytes, count), ceiling->by_kernel(bytes, count)));
    spent += count * (kernel.back() + copy.back());
  }
  m.seconds = bench::median(kernel);
  m.copy_seconds = bench::median(copy);
  return m;
}

void print(measurement const& m, bool check)
{
  std::printf("%s/%s", m.what->name("E:" + std::to_string(m.elements)).c_str(), m.rung.c_str());
  if (!check)
    std::printf("  %.3f ms  %.0f GFLOP/s  roofline %.3f", m.seconds * 1e3, m.flop_rate() * 1e-9, m.roofline());
  std::printf("  error %.2f, %.2f  %s\n", m.error, m.difference, text_of(m.numbers).c_str());
  std::fflush(stdout);
}

void write_json(std::string const& path, std::vector<measurement> const& results)
{
  std::vector<bench::json_object> rows;
  for (auto const& m : results) rows.push_back(m.json());
  bench::json_file()("context", bench::context(device()))("rungs", rows).write(path);
}

// Shares of the streaming roofline: a table for each problem and size, a line for each rung, a column for each degree.
// (No map of maps: clang 15 crashes when it compiles one as device code.)
void print_shares(std::vector<measurement> const& results)
{
  auto const table_of = [](measurement const& m) {
    return m.what->problem + ", " + std::to_string(m.elements) + " elements";
  };
  auto const rung_of = [](measurement const& m) { return (m.rung.size() < 2 ? " " : "") + m.rung; };
  std::set<std::string> tables, rungs;
  std::set<int> orders;
  std::map<std::string, double> shares;
  auto const entry = [](std::string const& table, std::string const& rung, int order) {
    return table + "/" + rung + "/" + std::to_string(order);
  };
  for (auto const& m : results) {
    tables.insert(table_of(m));
    rungs.insert(rung_of(m));
    orders.insert(m.what->order);
    shares[entry(table_of(m), rung_of(m), m.what->order)] = m.roofline();
  }
  for (auto const& table : tables) {
    std::printf("\n%s: share of the roofline\n%-8s", table.c_str(), "rung");
    for (int const order : orders) std::printf(" N %-4d", order);
    for (auto const& rung : rungs) {
      std::printf("\n%-8s", rung.c_str());
      for (int const order : orders) {
        auto const share = shares.find(entry(table, rung, order));
        std::printf(" %-6s", share == shares.end() ? "" : std::to_string(share->second).substr(0, 5).c_str());
      }
    }
    std::printf("\n");
  }
}

// All rungs of one problem, degree and size; returns how many failed.
int climb(bench::subject const& what, index_t elements, options const& o, bench::copies* ceiling,
          std::vector<measurement>& results)
{
  int failures = 0;
  std::string const here = what.name("E:" + std::to_string(elements));
  auto const a = what.make({.elements = elements});
  for (int rung = 0; rung < static_cast<int>(a->ways().size()); ++rung) {
    auto const& name = a->ways()[static_cast<std::size_t>(rung)];
    if (!bench::command_line::listed(o.rungs, name)) continue;
    try {
      results.push_back(measure(what, *a, rung, o, ceiling));
      print(results.back(), o.check);
    } catch (backend_error const& error) {
      std::printf("SKIPPED %s/%s: %s\n", here.c_str(), name.c_str(), error.what());
    } catch (std::exception const& error) {
      ++failures;
      std::printf("FAILED %s/%s: %s\n", here.c_str(), name.c_str(), error.what());
    }
    std::fflush(stdout);
  }
  return failures;
}

std::vector<bench::command_line::option<options>> option_list()
{
  using namespace bench::command_line;
  auto const rung = [](auto const& word) { return is_number(word) || word == "sumfac"; };
  auto const elements = [](auto const& name, auto const& value) {
    std::vector<index_t> numbers;
    for (auto const& one : bench::command_line::split(value)) numbers.push_back(whole_number(name, one));
    return numbers;
  };
  return {{"--problem", &options::problems, bench::problem_names()},
          {"--rungs", &options::rungs,
           [=](auto const& name, auto const& value) { return words(name, value, "numbers and sumfac", rung); }},
          {"--elements", &options::elements, elements},
          {"--orders", &options::orders},
          {"--seconds", &options::seconds},
          {"--out", &options::out},
          {"--check", &options::check}};
}

int run(options const& o)
{
  device const backend;
  std::printf("%s\n", bench::describe(backend).c_str());
  std::vector<bench::subject const*> list;
  index_t largest = 0;
  for (auto const& e : bench::catalogue())
    if (bench::command_line::listed(o.problems, e.problem) && bench::command_line::listed(o.orders, e.order)) {
      list.push_back(&e);
      for (index_t const elements : o.elements) largest = std::max(largest, elements * e.element_bytes);
    }
  std::unique_ptr<bench::copies> ceiling;
  if (!o.check) ceiling = std::make_unique<bench::copies>(largest);
  std::vector<measurement> results;
  int failures = 0;
  bench::now_and_then kept;
  for (auto const* const what : list)
    for (index_t const elements : o.elements) {
      failures += climb(*what, elements, o, ceiling.get(), results);
      if (!o.out.empty() && kept.due()) write_json(o.out, results);
    }
  if (!o.out.empty()) write_json(o.out, results);
  if (!o.check) print_shares(results);
  std::printf("%zu rungs measured, %d failed\n", results.size(), failures);
  return failures == 0 && !results.empty() ? 0 : 1;
}

template <class... Ladders>
void enter(bench::list<Ladders...>)
{
  (bench::entered(ladder::ladder_subjects<Ladders>(bench::order_list<SUMFAC_LADDER_HERE>{})), ...);
}

}  // namespace

int main(int argc, char** argv)
{
  enter(ladder::all_ladders{});
  return bench::command_line::main_of<options>("ladder", usage, argc, argv, option_list(), run);
}
