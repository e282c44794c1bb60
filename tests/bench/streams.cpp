// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The streaming benchmark: its fit finds a known start and rate; its passes compute, are timed and counted.
#include "../../bench/streams/counts.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

using namespace sumfac::bench;

namespace {

constexpr double start = 4e-6, rate = 2e11;

// Times on the line at 2^12, 2^13, ... bytes; a disturbed one takes longer, noise is relative.
std::vector<timed_bytes> times_of_line(int count, int disturbed_every, double noise)
{
  std::vector<timed_bytes> times;
  for (int i = 0; i < count; ++i) {
    double const bytes = std::ldexp(4096, i), off = 1 + noise * stream_number(i, 0);
    double const longer = disturbed_every > 0 && i % disturbed_every == 1 ? 3 + i % 4 : 1;
    times.push_back({bytes, (start + bytes / rate) * off * longer});
  }
  return times;
}

std::string refusal(std::vector<timed_bytes> const& times)
{
  try {
    fit_line(times);
  } catch (std::invalid_argument const& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a line is found exactly, a third of the times being disturbed", "[streams]")
{
  int const disturbed = GENERATE(0, 3, 5);
  auto const line = fit_line(times_of_line(18, disturbed, 0));
  CHECK(line.start == Approx(start).epsilon(1e-9));
  CHECK(line.rate == Approx(rate).epsilon(1e-9));
  CHECK(line.deviation < 1e-9);
  CHECK(line.points == 18);
}

TEST_CASE("noise of two in a hundred moves a line by no more than five", "[streams]")
{
  auto const line = fit_line(times_of_line(18, 6, 0.02));
  CHECK(line.start == Approx(start).epsilon(0.05));
  CHECK(line.rate == Approx(rate).epsilon(0.05));
  CHECK(line.deviation < 0.03);
  CHECK(line.deviation > 1e-4);
}

TEST_CASE("N_0.8 is where 0.8 of the rate is reached", "[streams]")
{
  auto const line = fit_line(times_of_line(12, 0, 0));
  double const bytes = line.bytes_for(0.8);
  CHECK(bytes == Approx(4 * start * rate));
  CHECK(bytes / line.seconds(bytes) == Approx(0.8 * rate));
}

TEST_CASE("a start below 0 is none: the line goes through the origin", "[streams]")
{
  auto const line = fit_line({{1e3, 1e-7}, {1e6, 2e-4}, {2e6, 4e-4}, {4e6, 8e-4}});
  CHECK(line.start == 0);
  CHECK(line.rate == Approx(5e9));
  CHECK(line.bytes_for(0.8) == 0);
}

TEST_CASE("times that make no line are refused", "[streams]")
{
  CHECK(refusal({}) == "fit_line: too few sizes (got 0, at least 2 expected): time others");
  CHECK(refusal({{8, 1}, {8, 2}}) == "fit_line: too few sizes (got 1, at least 2 expected): time others");
  CHECK(refusal({{8, 1}, {16, 1}}) == "fit_line: the times do not grow with the bytes: time larger sizes");
  CHECK(refusal({{8, 1}, {16, 0}}).find("must be above 0 (got 16.000000 and 0.000000)") != std::string::npos);
}

TEST_CASE("every pass is timed at every size and fitted", "[streams]")
{
  stream_options o;
  o.largest = 8192, o.seconds = 1e-4, o.order = 3, o.quiet = true;
  auto const times = time_passes(sumfac::host(1), "host", 1, o);
  CHECK(times.size() == 6 * 5 + 2 * 8);  // 512 to 8192 entries; boxes of 64 to 8192
  for (auto const& t : times) {
    INFO(t.pass << " " << t.entries);
    CHECK(t.least > 0);
    CHECK(t.seconds >= t.least);
    CHECK(t.bytes >= 8 * t.entries);
  }
  std::map<std::string, int> const vectors{{"copy", 2}, {"axpy", 3},      {"norm", 1},
                                           {"dot", 2},  {"cg_update", 6}, {"cg_turn", 3}};
  for (auto const& t : times)
    if (auto const found = vectors.find(t.pass); found != vectors.end())
      CHECK(t.bytes == 8 * found->second * t.entries);
  CHECK(times.back().pass == "scatter");
  CHECK(times.back().bytes == 12 * 8192 + 8 * 25 * 13 * 13);

  // What was timed in a moment need not grow: fitted is what it should have been.
  auto known = times;
  for (auto& t : known) t.least = start + double(t.bytes) / rate;
  auto const fits = fit_passes(known, 2 * 16 * 4096);
  CHECK(fits.size() >= pass_names().size());
  for (auto const& f : fits) {
    INFO(f.pass << " " << f.sizes);
    CHECK(f.line.start == Approx(start).epsilon(1e-9));
    CHECK(f.line.rate == Approx(rate).epsilon(1e-9));
  }
  CHECK(fits[1].sizes == "in cache");
  // On two threads only what is enough for both counts.
  for (auto& t : known) t.threads = 2, t.shared = t.entries >= 1024;
  CHECK(fit_passes(known, 1 << 30)[0].line.points == 4);
  // Times that make no line are left out, and the others stay.
  for (auto& t : known)
    if (t.pass == "dot") t.least = 1e-6;
  CHECK(fit_passes(known, 1 << 30).size() == pass_names().size() - 1);
  CHECK(fits[1].line.points == 4);
}

TEST_CASE("on checked, passes with sums use scratch and barriers, others none", "[streams]")
{
  auto const counts = count_passes({});
  REQUIRE(counts.size() == pass_names().size());
  for (auto const& c : counts) {
    INFO(c.pass);
    bool const sums = c.pass == "norm" || c.pass == "dot" || c.pass == "cg_update";
    CHECK(c.counts.groups > 0);
    CHECK((c.counts.barriers > 0) == sums);
    CHECK((c.counts.reads.entries > 0) == sums);
  }
}
