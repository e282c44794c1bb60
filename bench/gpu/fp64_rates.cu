// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How many multiply-adds in double a device does in a second, from registers: one by one (DFMA), as small matrix
// products (DMMA), and with both in flight. Says whether contractions by matrix products could pay.
#include "../report/timing.hpp"
#include "device.hpp"
#include "size_options.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace sumfac;
using namespace sumfac::bench;

char const* const usage = R"(usage: fp64_rates [--seconds S] [--check] [--out FILE]

--seconds  of timing of each kernel (default 0.15)
--check    only compares with sums on the host
)";

using options = size_options;

// D = A B + C of a warp, M x 8 numbers, with K products in each. A thread's numbers of A are at the rows lane / 4 + 8 i
// and columns lane % 4 + 4 j, its numbers of B at the rows lane % 4 + 4 j and column lane / 4, of C at the rows
// lane / 4 + 8 i and columns 2 (lane % 4) and the next (PTX ISA, mma.sync with .f64).
template <int M, int K>
struct shape {
  static constexpr int rows = M, products = K, a = M / 8 * (K / 4), b = K / 4, c = M / 4;
  static constexpr int flops = 2 * M * 8 * K;  // of a warp
};
struct no_shape {
  static constexpr int rows = 0, products = 0, a = 1, b = 1, c = 1, flops = 0;
};

__device__ void multiply(shape<8, 4>, double (&c)[2], double const (&a)[1], double const (&b)[1])
{
  asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
      : "+d"(c[0]), "+d"(c[1])
      : "d"(a[0]), "d"(b[0]));
}
__device__ void multiply(shape<16, 4>, double (&c)[4], double const (&a)[2], double const (&b)[1])
{
  asm("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(b[0]));
}
__device__ void multiply(shape<16, 8>, double (&c)[4], double const (&a)[4], double const (&b)[2])
{
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
}
__device__ void multiply(shape<16, 16>, double (&c)[4], double const (&a)[8], double const (&b)[4])
{
  asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, "
      "{%12, %13, %14, %15}, {%0, %1, %2, %3};"
      : "+d"(c[0]), "+d"(c[1]), "+d"(c[2]), "+d"(c[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]),
        "d"(b[2]), "d"(b[3]));
}

constexpr int threads = 256, teams = 2;  // of a multiprocessor: 16 warps, with 128 registers a thread
constexpr int chains = 4;                // products of a thread under way at once

// `turns` times, `chains` matrix products and Fmas multiply-adds, each upon a sum of its own. A and B are matrices by
// rows, the same for all warps; a multiply-add's factors are two numbers of A.
template <class Shape, int Fmas>
__global__ void __launch_bounds__(threads, teams)
    work(double const* matrix_a, double const* matrix_b, double* out, int turns)
{
  constexpr int m = Shape::rows == 0 ? 8 : Shape::rows, k = Shape::products == 0 ? 4 : Shape::products;
  constexpr int each = Fmas / chains, sums = Fmas == 0 ? 1 : Fmas < 16 ? Fmas : 16;
  int const lane = static_cast<int>(threadIdx.x) % 32;
  double a[Shape::a], b[Shape::b], c[chains][Shape::c] = {}, f[sums] = {};
  for (int i = 0; i < Shape::a; ++i) a[i] = matrix_a[(lane / 4 + i % (m / 8) * 8) * k + i / (m / 8) * 4 + lane % 4];
  for (int i = 0; i < Shape::b; ++i) b[i] = matrix_b[(lane % 4 + 4 * i) * 8 + lane / 4];
  double const x = matrix_a[lane], y = matrix_b[lane];
#pragma unroll 1
  for (int turn = 0; turn < turns; ++turn) {
#pragma unroll
    for (int chain = 0; chain < chains; ++chain) {
      if constexpr (Shape::rows > 0) multiply(Shape{}, c[chain], a, b);
#pragma unroll
      for (int j = 0; j < each; ++j) {
        double& sum = f[(chain * each + j) % sums];
        sum = ::fma(x, y, sum);
      }
    }
  }
  double* const mine = out + (blockIdx.x * index_t{threads} + threadIdx.x) * (Shape::c + 1);
  for (int i = 0; i < Shape::c; ++i) {
    mine[i] = 0;
    for (int chain = 0; chain < chains; ++chain) mine[i] += c[chain][i];
  }
  mine[Shape::c] = 0;
  for (double const sum : f) mine[Shape::c] += sum;
}

struct measurement {
  std::string name;
  int products, fmas;  // multiply-adds of matrix products and single ones, of a warp in a turn
  double seconds, flops, spread;

  double rate() const { return flops / seconds; }
  json_object json(double dfma) const
  {
    json_object row;
    row("name", name)("matrix_flops_of_a_warp", 2 * products)("single_flops_of_a_warp", 2 * fmas)("seconds", seconds);
    return row("spread", spread)("TFLOP/s", rate() * 1e-12)("ratio_to_dfma", rate() / dfma);
  }
};

void require_launched()
{
  if (cudaError_t const status = cudaGetLastError(); status != cudaSuccess)
    throw std::runtime_error(std::string("fp64_rates: a kernel did not start: ") + cudaGetErrorString(status));
}

template <class Shape, int Fmas>
class kernel {
public:
  explicit kernel(device const& backend) : backend_(backend), groups_(teams * backend.multiprocessors()) {}

  measurement measure(std::string const& name, options const& o)
  {
    check(name);
    measurement m{name, chains * Shape::flops / 2, 32 * Fmas, 0, 0, 0};
    if (o.check) return m;
    auto const a = on_device(backend_, random_numbers<double>(256, 1)),
               b = on_device(backend_, random_numbers<double>(128, 2));
    int turns = 1000;
    double const begun = time(a, b, turns);
    turns = std::max(1, static_cast<int>(2e-3 / std::max(begun, 1e-6) * turns));
    static_cast<void>(time(a, b, turns));
    std::vector<double> samples;
    for (double spent = 0; spent < o.seconds || samples.size() < 7; spent += samples.back())
      samples.push_back(time(a, b, turns));
    m.seconds = median(samples);
    m.flops = 2.0 * (m.products + m.fmas) * (threads / 32) * groups_ * turns;
    auto const [least, most] = std::minmax_element(samples.begin(), samples.end());
    m.spread = (*most - *least) / m.seconds;
    return m;
  }

private:
  static constexpr int numbers = Shape::c + 1;

  double time(buffer<double, device> const& a, buffer<double, device> const& b, int turns)
  {
    double const seconds = seconds_of(
        backend_, 1, [&] { work<Shape, Fmas><<<groups_, threads>>>(a.data(), b.data(), out_.data(), turns); });
    require_launched();
    return seconds;
  }

  // Whole numbers, so that each sum is exact.
  void check(std::string const& name)
  {
    std::vector<double> a(256), b(128);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<double>(i * 7 % 5) - 2;
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<double>(i * 5 % 7) - 3;
    auto const a_there = on_device(backend_, a), b_there = on_device(backend_, b);
    int const turns = 37;
    static_cast<void>(time(a_there, b_there, turns));
    auto const out = on_host(backend_, out_);
    for (index_t thread = 0; thread < groups_ * index_t{threads}; ++thread)
      for (int i = 0; i < numbers; ++i) {
        double const found = out[static_cast<std::size_t>(thread * numbers + i)];
        double const wanted = turns * expected(a, b, static_cast<int>(thread % 32), i);
        if (found != wanted)
          throw std::runtime_error("fp64_rates: " + name + " is wrong: number " + std::to_string(i) + " of thread " +
                                   std::to_string(thread) + " is " + std::to_string(found) + ", not " +
                                   std::to_string(wanted));
      }
  }

  static double expected(std::vector<double> const& a, std::vector<double> const& b, int lane, int i)
  {
    auto const at = [](std::vector<double> const& m, int place) { return m[static_cast<std::size_t>(place)]; };
    if (i == Shape::c) return Fmas * at(a, lane) * at(b, lane);
    double sum = 0;
    constexpr int k = Shape::products;
    for (int l = 0; l < k; ++l) sum += at(a, (lane / 4 + i / 2 * 8) * k + l) * at(b, l * 8 + 2 * (lane % 4) + i % 2);
    return chains * sum;
  }

  device const& backend_;
  int groups_;
  buffer<double, device> out_{backend_, groups_* index_t{threads} * numbers};
};

// The products alone, and with as many flops in single multiply-adds, with a half, a third and a quarter of them.
template <int M, int K>
void measure_shape(device const& backend, options const& o, std::vector<measurement>& all)
{
  using products = shape<M, K>;
  constexpr int equal = chains * products::flops / 2 / 32;  // multiply-adds of a thread in a turn
  std::string const name = "m" + std::to_string(M) + "n8k" + std::to_string(K);
  all.push_back(kernel<products, 0>(backend).measure(name, o));
  all.push_back(kernel<products, equal / 4>(backend).measure(name + " + DFMA 4:1", o));
  all.push_back(kernel<products, equal / 2>(backend).measure(name + " + DFMA 2:1", o));
  all.push_back(kernel<products, equal>(backend).measure(name + " + DFMA 1:1", o));
}

int run(options const& o)
{
  device const backend;
  std::printf("%s\n", describe(backend).c_str());
  std::vector<measurement> all{kernel<no_shape, 64>(backend).measure("DFMA", o)};
  measure_shape<8, 4>(backend, o, all);
  measure_shape<16, 4>(backend, o, all);
  measure_shape<16, 8>(backend, o, all);
  measure_shape<16, 16>(backend, o, all);
  if (o.check) {
    std::printf("%zu kernels have the right sums\n", all.size());
    return 0;
  }
  std::vector<json_object> rows;
  double const dfma = all[0].rate();
  measurement const* best = &all[0];
  for (auto const& m : all) {
    std::printf("%-24s %7.2f TFLOP/s  %5.2f of DFMA  spread %.3f\n", m.name.c_str(), m.rate() * 1e-12, m.rate() / dfma,
                m.spread);
    rows.push_back(m.json(dfma));
    if (m.rate() > best->rate()) best = &m;
  }
  std::printf("the fastest: %s, %.2f of DFMA\n", best->name.c_str(), best->rate() / dfma);
  if (!o.out.empty()) json_file()("context", context(backend))("rates", rows).write(o.out);
  return 0;
}

}  // namespace

int main(int argc, char** argv)
{
  return bench::command_line::main_of<options>("fp64_rates", usage, argc, argv,
                                               with_sizes<options>({{"--check", &options::check}}), run);
}
