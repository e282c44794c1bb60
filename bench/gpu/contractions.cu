// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Times Intrepid's contractions on a device: every strategy, against a copy of the same bytes, the device's own rate of
// multiply-adds and, where it is built with SUMFAC_BENCH_CUBLAS, cuBLAS batched by cell.
#include "../report/command_line.hpp"
#include "../subjects/contraction_shapes.hpp"
#include "copies.hpp"

#if defined(SUMFAC_BENCH_CUBLAS)
#include <cublas_v2.h>
#endif

#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace sumfac;
using namespace sumfac::bench;

char const* const usage = R"(usage: contractions [--seconds S] [--cells N] [--largest N] [--layout LIST] [--check]
                    [--out FILE]

--seconds  of timing per shape (default 0.1)
--cells    of every shape; else as many as fill 8 times the device's last-level cache, at most 30000
--largest  leaves out shapes of more operations than that
--layout   right, left or both
--check    only compares with plain loops
)";

struct options {
  double seconds = 0.1;
  index_t cells = 0;
  double largest = std::numeric_limits<double>::infinity();
  std::vector<std::string> layouts{"right", "left"};
  std::string out;
  bool check = false;
};

// Multiply-adds that wait for nothing but one another.
struct multiply_add_kernel {
  static constexpr int threads = 256, chains = 8, steps = 512;
  template <class Team>
  struct scratch {};

  double* to;
  double factor;

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>&, index_t group) const
  {
    team.each(box<threads>{}, [&](int thread) {
      double x[chains];
      SUMFAC_UNROLL
      for (int i = 0; i < chains; ++i) x[i] = i + thread;
      for (int s = 0; s < steps; ++s) {
        SUMFAC_UNROLL
        for (int i = 0; i < chains; ++i) x[i] = x[i] * factor + 1;
      }
      double sum = 0;
      SUMFAC_UNROLL
      for (int i = 0; i < chains; ++i) sum += x[i];
      if (sum == 0.5) to[group] = sum;  // never, which the compiler cannot know
    });
  }
};

// Flops a second of the fastest of some runs.
double multiply_add_rate(device const& backend)
{
  index_t const teams = 32 * index_t{backend.multiprocessors()};
  buffer<double, device> to(backend, teams);
  multiply_add_kernel const kernel{to.data(), 0.5};
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < 10; ++i) best = std::min(best, seconds_of(backend, 1, [&] { backend.launch(kernel, teams); }));
  using k = multiply_add_kernel;
  return 2.0 * k::threads * k::chains * k::steps * double(teams) / best;
}

#if defined(SUMFAC_BENCH_CUBLAS)
// One handle for the program.
class blas {
public:
  explicit blas(device const& backend)
  {
    check(cublasCreate(&handle_));
    check(cublasSetStream(handle_, backend.stream()));
  }
  ~blas() { cublasDestroy(handle_); }
  blas(blas const&) = delete;

  // out (C, L, R) = left (C, L, K) right (C, R, K), rows; of DataField and DataData one or both have one row.
  void contract(shape const& s, double* out, double const* left, double const* right) const
  {
    int const l = int(s.left_rows()), r = int(s.right_rows()), k = int(s.length());
    long long const right_size = s.right_rows() * s.length(), left_size = s.left_rows() * s.length();
    double const one = 1, zero = 0;
    check(cublasDgemmStridedBatched(handle_, CUBLAS_OP_T, CUBLAS_OP_N, r, l, k, &one, right, k, right_size, left, k,
                                    left_size, &zero, out, r, s.left_rows() * s.right_rows(), int(s.c)));
  }

private:
  static void check(cublasStatus_t status)
  {
    if (status != CUBLAS_STATUS_SUCCESS)
      throw std::runtime_error("contractions: cuBLAS ended with status " + std::to_string(int(status)));
  }

  cublasHandle_t handle_ = nullptr;
};
#endif

struct way {
  std::string name;
  std::function<void()> contract;
  std::vector<double> samples{};
  double seconds = 0, error = 0;
};

struct measurement {
  shape s;
  std::string name;  // with the way's
  double seconds, error, copy, peak;
  double rate() const { return s.flops() / seconds; }
  double roofline() const { return rate() / std::min(peak, copy * s.flops() / s.bytes()); }

  json_object json() const
  {
    json_object row;
    row("name", name)("seconds", seconds)("GFLOP/s", rate() * 1e-9)("GB/s", s.bytes() / seconds * 1e-9);
    row("roofline", roofline())("copy_GB/s", copy * 1e-9)("peak_GFLOP/s", peak * 1e-9);
    return row("error_of_allowed", error);
  }
};

// The arrays of a shape in one layout, here and on the device, and the ways to contract them.
template <class Layout>
class contest {
public:
  contest(device const& backend, shape const& s)
      : backend_(backend),
        s_(s),
        left_(random_numbers<double>(s.c * s.left_rows() * s.length())),
        right_(random_numbers<double>(s.c * s.right_rows() * s.length(), std::uint64_t{1} << 40)),
        out_(static_cast<std::size_t>(s.c * s.left_rows() * s.right_rows())),
        left_there_(on_device(backend, left_)),
        right_there_(on_device(backend, right_)),
        out_there_(backend, static_cast<index_t>(out_.size()))
  {
    add("flat", intrepid::flat{});
    add("team_reduction", intrepid::team_stride{});
    add("shared_reduction", intrepid::shared_reduction<>{});
    add("slicing", intrepid::slicing<1>{});
    add("tiling", intrepid::tiling<>{});
    add("large_tiling", intrepid::large_tiling{});
    add("automatic", intrepid::automatic{});
#if defined(SUMFAC_BENCH_CUBLAS)
    if constexpr (std::is_same_v<Layout, layout_right>)
      ways_.push_back({"cublas", [this, library = std::make_shared<blas>(backend_)] {
                         library->contract(s_, out_there_.data(), left_there_.data(), right_there_.data());
                       }});
#endif
  }

  // Compares every way with plain loops; each writes on NaN.
  void check()
  {
    for (way& w : ways_) {
      std::fill(out_.begin(), out_.end(), std::numeric_limits<double>::quiet_NaN());
      backend_.copy(out_.data(), out_there_.data(), out_there_.size());
      w.contract();
      out_ = on_host(backend_, out_there_);
      w.error = contraction_error<Layout>(s_, out_.data(), left_.data(), right_.data());
    }
  }

  // In turns with copies of as many bytes, so that what disturbs one disturbs all.
  void time(double seconds, copies& memory)
  {
    auto const bytes = static_cast<index_t>(s_.bytes());
    for (double spent = 0; spent < seconds || copies_.size() < 7;) {
      double const copy = std::min(memory.by_runtime(bytes, 3), memory.by_kernel(bytes, 3));
      copies_.push_back(copy);
      spent += 3 * copy;
      for (way& w : ways_) {
        double const once = w.samples.empty() ? seconds_of(backend_, 1, w.contract) : w.samples.back();
        int const count = std::clamp(static_cast<int>(1e-3 / once), 1, 100);
        w.samples.push_back(seconds_of(backend_, count, w.contract));
        spent += count * w.samples.back();
      }
    }
    copy_seconds_ = median(copies_);
    for (way& w : ways_) w.seconds = median(w.samples);
  }

  std::vector<measurement> results(std::string const& layout, double peak) const
  {
    std::vector<measurement> all;
    for (way const& w : ways_)
      all.push_back({s_, s_.name() + "/" + layout + s_.extents() + "/" + w.name, w.seconds, w.error,
                     s_.bytes() / copy_seconds_, peak});
    return all;
  }

private:
  template <class Strategy>
  void add(std::string const& name, Strategy strategy)
  {
    ways_.push_back({name, [this, strategy] {
                       with_views<Layout>(s_, out_there_.data(), left_there_.data(), right_there_.data(),
                                          [&](auto call, auto const& o, auto const& a, auto const& b) {
                                            call(backend_, o, a, b, false, strategy);
                                          });
                     }});
  }

  device backend_;
  shape s_;
  std::vector<double> left_, right_, out_;
  buffer<double, device> left_there_, right_there_, out_there_;
  std::vector<way> ways_;
  std::vector<double> copies_;
  double copy_seconds_ = 0;
};

bool print(measurement const& m, bool check)
{
  bool const right = m.error <= 1;
  if (!right)
    std::printf("FAILED %s: error %g of allowed\n", m.name.c_str(), m.error);
  else if (check)
    std::printf("ok     %s  error %.1e of allowed\n", m.name.c_str(), m.error);
  else
    std::printf("%s  %.3f ms  %.0f GFLOP/s  %.0f GB/s  roofline %.3f\n", m.name.c_str(), m.seconds * 1e3,
                m.rate() * 1e-9, m.s.bytes() / m.seconds * 1e-9, m.roofline());
  std::fflush(stdout);
  return right;
}

// As Google Benchmark writes it, as far as plot_contractions.py reads it.
void write_json(std::string const& path, device const& backend, std::vector<measurement> const& results)
{
  std::vector<json_object> rows;
  for (auto const& m : results) rows.push_back(m.json());
  json_file()("context", context(backend))("benchmarks", rows).write(path);
}

int run(options const& o)
{
  device const backend;
  index_t const memory = std::max(8 * backend.cache_bytes(), index_t{256} << 20);
  // Shapes that stay in the last-level cache are those in memory with fewer cells.
  auto shapes = contraction_shapes(memory, backend.cache_bytes() / 4);
  double largest = 0;
  for (shape& s : shapes) {
    if (o.cells > 0) s.c = o.cells;
    largest = std::max(largest, s.bytes());
  }
  std::unique_ptr<copies> ceiling;
  double peak = 0;
  if (!o.check) {
    ceiling = std::make_unique<copies>(static_cast<index_t>(largest) + 1);
    peak = multiply_add_rate(backend);
    std::printf("%s\n%.0f GFLOP/s of multiply-adds in double\n", describe(backend).c_str(), peak * 1e-9);
  }
  std::vector<measurement> results;
  int wrong = 0;
  auto const compete = [&]<class Layout>(shape const& s, std::string const& layout, Layout) {
    if (!command_line::listed(o.layouts, layout)) return;
    contest<Layout> all(backend, s);
    all.check();
    if (!o.check) all.time(o.seconds, *ceiling);
    for (auto const& m : all.results(layout, peak)) {
      wrong += print(m, o.check) ? 0 : 1;
      results.push_back(m);
    }
  };
  for (shape const& s : shapes) {
    if (s.flops() > o.largest) continue;
    compete(s, "right", layout_right{});
    compete(s, "left", layout_left{});
  }
  if (!o.out.empty()) write_json(o.out, backend, results);
  std::printf("%zu contractions, %d wrong\n", results.size(), wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv)
{
  return bench::command_line::main_of<options>("contractions", usage, argc, argv,
                                               {{"--seconds", &options::seconds},
                                                {"--cells", &options::cells},
                                                {"--largest", &options::largest},
                                                {"--layout", &options::layouts, {"right", "left"}},
                                                {"--out", &options::out},
                                                {"--check", &options::check}},
                                               run);
}
