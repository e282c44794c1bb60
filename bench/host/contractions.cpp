// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Times Intrepid's contractions on the shapes of assembly codes: the host's strategies (shared_reduction is the code of
// slicing<1> there), plain loops, and, where they are installed, a BLAS called cell by cell and Intrepid2.
//
// All ways to contract a shape are timed in turn, round after round, and with them the machine's ceilings: what else
// the machine does falls on all alike. The best round counts. With OMP_NUM_THREADS=1 it is the thread's own time.
//
// usage: contractions [options of Google Benchmark]; names are FUNCTION/LAYOUT/C:cells/.../WHAT
#include "../report/machine.hpp"
#include "../subjects/contraction_shapes.hpp"
#include "ceilings.hpp"

#include <sumfac/backend/buffer.hpp>
#include <sumfac/intrepid/contractions.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <regex>
#include <string>
#include <vector>

#if defined(SUMFAC_BENCH_BLAS)
#include <cblas.h>
extern "C" void openblas_set_num_threads(int);
#endif
#if defined(SUMFAC_BENCH_INTREPID2)
#include <Intrepid2_ArrayTools.hpp>
#include <Kokkos_Core.hpp>
#include <Kokkos_DynRankView.hpp>
#endif

namespace sumfac::bench {
namespace {

namespace intrepid = sumfac::intrepid;

// The arrays of a shape in one layout, and the ways to contract them.
template <class Layout>
class arrays {
public:
  explicit arrays(shape const& s)
      : s_(s),
        left_(s.c * s.left_rows() * s.length()),
        right_(s.c * s.right_rows() * s.length()),
        out_(s.c * s.left_rows() * s.right_rows())
  {
    fill(left_, 1), fill(right_, 2);
  }

  template <class Strategy>
  void contract(Strategy strategy)
  {
    with_views<Layout>(
        s_, out_.data(), left_.data(), right_.data(),
        [&](auto call, auto const& o, auto const& a, auto const& b) { call(host{}, o, a, b, false, strategy); });
  }

  // One thread, one output after the other, as one writes it.
  void serial()
  {
    with_points<Layout>(s_, out_.data(), left_.data(), right_.data(),
                        [&](auto const& out, auto const& left, auto const& right) {
                          for (index_t c = 0; c < s_.c; ++c)
                            for (index_t l = 0; l < s_.left_rows(); ++l)
                              for (index_t r = 0; r < s_.right_rows(); ++r) {
                                double sum = 0;
                                for (index_t k = 0; k < s_.length(); ++k) sum += left(c, l, k) * right(c, r, k);
                                out(c, l, r) = sum;
                              }
                        });
  }

#if defined(SUMFAC_BENCH_BLAS)
  // A matrix product for each cell, cells over threads; rows only.
  void blas()
  {
    int const l = int(s_.left_rows()), r = int(s_.right_rows()), k = int(s_.length());
    host{}.partition(s_.c, [&](index_t first, index_t last) {
      for (index_t c = first; c < last; ++c) {
        double const* const a = left_.data() + c * l * k;
        double const* const b = right_.data() + c * r * k;
        double* const out = out_.data() + c * l * r;
        if (s_.kind == shape::field_field)
          cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, l, r, k, 1, a, k, b, k, 0, out, r);
        else if (s_.kind == shape::data_field)
          cblas_dgemv(CblasRowMajor, CblasNoTrans, r, k, 1, b, k, a, 1, 0, out, 1);
        else
          *out = cblas_ddot(k, a, 1, b, 1);
      }
    });
  }
#endif

#if defined(SUMFAC_BENCH_INTREPID2)
  void theirs();
#endif

  double error() { return contraction_error<Layout>(s_, out_.data(), left_.data(), right_.data()); }

private:
  static void fill(buffer<double>& x, unsigned seed)
  {
    std::minstd_rand random(seed);
    for (double& e : x) e = double(random()) / double(std::minstd_rand::max()) - 0.5;
  }

  shape s_;
  buffer<double> left_, right_, out_;
};

#if defined(SUMFAC_BENCH_INTREPID2)
template <class Layout>
void arrays<Layout>::theirs()
{
  using device = Kokkos::Device<Kokkos::DefaultHostExecutionSpace, Kokkos::HostSpace>;
  using tools = Intrepid2::ArrayTools<device>;
  using layout = std::conditional_t<std::is_same_v<Layout, layout_left>, Kokkos::LayoutLeft, Kokkos::LayoutRight>;
  using array = Kokkos::DynRankView<double, layout, device>;
  auto const [kind, contracted, c, l, r, p, d1, d2] = s_;
  if (kind == shape::field_field && contracted == 1)
    tools::contractFieldFieldScalar(array(out_.data(), c, l, r), array(left_.data(), c, l, p),
                                    array(right_.data(), c, r, p));
  if (kind == shape::field_field && contracted == 2)
    tools::contractFieldFieldVector(array(out_.data(), c, l, r), array(left_.data(), c, l, p, d1),
                                    array(right_.data(), c, r, p, d1));
  if (kind == shape::field_field && contracted == 3)
    tools::contractFieldFieldTensor(array(out_.data(), c, l, r), array(left_.data(), c, l, p, d1, d2),
                                    array(right_.data(), c, r, p, d1, d2));
  if (kind == shape::data_field && contracted == 1)
    tools::contractDataFieldScalar(array(out_.data(), c, r), array(left_.data(), c, p), array(right_.data(), c, r, p));
  if (kind == shape::data_field && contracted == 2)
    tools::contractDataFieldVector(array(out_.data(), c, r), array(left_.data(), c, p, d1),
                                   array(right_.data(), c, r, p, d1));
  if (kind == shape::data_field && contracted == 3)
    tools::contractDataFieldTensor(array(out_.data(), c, r), array(left_.data(), c, p, d1, d2),
                                   array(right_.data(), c, r, p, d1, d2));
  if (kind == shape::data_data && contracted == 1)
    tools::contractDataDataScalar(array(out_.data(), c), array(left_.data(), c, p), array(right_.data(), c, p));
  if (kind == shape::data_data && contracted == 2)
    tools::contractDataDataVector(array(out_.data(), c), array(left_.data(), c, p, d1), array(right_.data(), c, p, d1));
  if (kind == shape::data_data && contracted == 3)
    tools::contractDataDataTensor(array(out_.data(), c), array(left_.data(), c, p, d1, d2),
                                  array(right_.data(), c, p, d1, d2));
}
#endif

struct ceiling_rates {
  double copy = 0, peak = 0;
  double of(shape const& s) const { return std::min(peak, copy * s.flops() / s.bytes()); }
};

constexpr index_t memory_bytes = index_t{96} << 20, cache_bytes = index_t{1} << 20;

// One shape in one layout: all ways to contract it, timed in turn when the first of them is asked for.
template <class Layout>
class contest {
public:
  using function = std::function<void(arrays<Layout>&)>;

  contest(shape const& s, streams& memory, int threads) : s_(s), memory_(memory), threads_(threads) {}

  std::size_t add(function f)
  {
    ways_.push_back({std::move(f)});
    return ways_.size() - 1;
  }

  // Writes the time of a way and its counters.
  void report(benchmark::State& state, std::size_t way)
  {
    if (!timed_) run();
    if (!(ways_[way].error <= 1)) return state.SkipWithError("the sums are wrong");
    double const seconds = ways_[way].seconds;
    for (auto _ : state) state.SetIterationTime(seconds);
    state.counters["GFLOP/s"] = s_.flops() / seconds * 1e-9;
    state.counters["GB/s"] = s_.bytes() / seconds * 1e-9;
    state.counters["roofline"] = s_.flops() / seconds / ceilings_.of(s_);
    state.counters["copy_GB/s"] = ceilings_.copy * 1e-9;
    state.counters["peak_GFLOP/s"] = ceilings_.peak * 1e-9;
  }

private:
  static constexpr int rounds = 7;
  static constexpr double slow = 0.3;  // seconds after which a way is timed no more than once

  struct entrant {
    function contract;
    double seconds = std::numeric_limits<double>::max(), error = 0;
  };

  void run()
  {
    arrays<Layout> x(s_);
    index_t const bytes = std::clamp<index_t>(static_cast<index_t>(s_.bytes()), index_t{1} << 16, memory_bytes);
    int const calls = static_cast<int>(std::clamp(2e-3 / (s_.flops() / 1e10), 1.0, 1000.0));
    for (entrant& w : ways_) {
      auto const once = seconds_of(1, x, w);
      w.error = x.error();
      if (once > slow) w.seconds = once;
    }
    for (int round = 0; round < rounds; ++round) {
      ceilings_.copy = std::max(ceilings_.copy, double(bytes) / memory_.copy_seconds(bytes));
      ceilings_.peak = std::max(ceilings_.peak, fma_peak<double>(threads_, 1));
      for (entrant& w : ways_)
        if (!(w.seconds < std::numeric_limits<double>::max() && w.seconds > slow))
          w.seconds = std::min(w.seconds, seconds_of(calls, x, w));
    }
    timed_ = true;
  }

  double seconds_of(int calls, arrays<Layout>& x, entrant const& w) const
  {
    double const begin = now();
    for (int i = 0; i < calls; ++i) w.contract(x);
    return (now() - begin) / calls;
  }

  // Time of this processor core where one thread works, which does not count what others do with it; else of the wall.
  double now() const
  {
#if defined(CLOCK_THREAD_CPUTIME_ID)
    if (timespec t; threads_ == 1 && clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0)
      return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
#endif
    return bench::now();
  }

  shape s_;
  streams& memory_;
  int threads_;
  std::vector<entrant> ways_;
  ceiling_rates ceilings_;
  bool timed_ = false;
};

// Rows that the command line's filter does not name take no part.
bool selected(std::string const& name, std::string const& filter)
{
  return filter.empty() || filter.front() == '-' || std::regex_search(name, std::regex(filter));
}

template <class Layout>
void add_all(shape const& s, std::string const& layout, std::string const& filter, streams& memory, int threads)
{
  auto const all = std::make_shared<contest<Layout>>(s, memory, threads);
  auto const with = [&](std::string const& what, auto f) {
    auto const name = s.name() + "/" + layout + s.extents() + "/" + what;
    if (!selected(name, filter)) return;
    std::size_t const way = all->add(f);
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { all->report(state, way); })
        ->UseManualTime()
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
  };
  with("serial", [](arrays<Layout>& x) { x.serial(); });
  with("flat", [](arrays<Layout>& x) { x.contract(intrepid::flat{}); });
  with("team_reduction", [](arrays<Layout>& x) { x.contract(intrepid::team_stride{}); });
  with("slicing", [](arrays<Layout>& x) { x.contract(intrepid::slicing<1>{}); });
  with("tiling", [](arrays<Layout>& x) { x.contract(intrepid::tiling<>{}); });
  with("automatic", [](arrays<Layout>& x) { x.contract(intrepid::automatic{}); });
#if defined(SUMFAC_BENCH_BLAS)
  if (std::is_same_v<Layout, layout_right>) with("blas", [](arrays<Layout>& x) { x.blas(); });
#endif
#if defined(SUMFAC_BENCH_INTREPID2)
  with("intrepid2", [](arrays<Layout>& x) { x.theirs(); });
#endif
}

// What follows --benchmark_filter= on the command line.
std::string filter_of(int argc, char** argv)
{
  std::string const option = "--benchmark_filter=";
  for (int i = 1; i < argc; ++i)
    if (std::string(argv[i]).rfind(option, 0) == 0) return argv[i] + option.size();
  return "";
}

}  // namespace
}  // namespace sumfac::bench

int main(int argc, char** argv)
{
  using namespace sumfac::bench;
#if defined(SUMFAC_BENCH_INTREPID2)
  Kokkos::ScopeGuard const kokkos(argc, argv);
#endif
#if defined(SUMFAC_BENCH_BLAS)
  openblas_set_num_threads(1);
#endif
  auto const m = this_machine();
  streams memory(memory_bytes + (sumfac::index_t{1} << 20), m.threads);
  benchmark::AddCustomContext("cpu", m.cpu);
  benchmark::AddCustomContext("compiler", compiler() + ", " + simd());
  benchmark::AddCustomContext("threads", std::to_string(m.threads));
  auto const filter = filter_of(argc, argv);
  for (auto const& s : contraction_shapes(memory_bytes, cache_bytes)) {
    add_all<sumfac::layout_right>(s, "right", filter, memory, m.threads);
    add_all<sumfac::layout_left>(s, "left", filter, memory, m.threads);
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
