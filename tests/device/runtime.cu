// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// On a device: streams, events, graphs, threads, layouts, errors, the diagonal and the matrix; against the host.
#include "expected.hpp"

#include <support/larger.hpp>
#include <support/message_of.hpp>

#include <sumfac/backend/cuda.hpp>
#include <sumfac/operator/bake_off.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace sumfac;

int failures = 0;

void expect(bool holds, char const* what)
{
  std::printf("%s  %s\n", holds ? "ok    " : "FAILED", what);
  failures += holds ? 0 : 1;
}

void require(cudaError_t error, char const* call)
{
  if (error != cudaSuccess) throw backend_error(std::string(call) + ": " + cudaGetErrorString(error));
}

using expected::elements;

using mesh_nodes = view<double const, dextents<5>>;
mesh_nodes const nodes(expected::vertices().data(), elements, 2, 2, 2, 3);

std::vector<double> random_vector(std::size_t size)
{
  std::mt19937 random(2);
  std::uniform_real_distribution<> number(-1, 1);
  std::vector<double> x(size);
  for (double& entry : x) entry = number(random);
  return x;
}

template <class Layout>
using e_vector = view<double, dextents<4>, Layout>;
template <class Layout>
using const_e_vector = view<double const, dextents<4>, Layout>;

double distance(std::vector<double> const& a, std::vector<double> const& b)
{
  double greatest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    double const d = std::abs(a[i] - b[i]);
    greatest = d <= greatest ? greatest : d == d ? d : HUGE_VAL;
  }
  return greatest;
}

// An operator on the device and what the host says of a random u.
template <class OnDevice>
struct pair {
  static constexpr int n = OnDevice::nodes_1d;
  static constexpr index_t size = elements * n * n * n;

  pair(char const* problem, cuda const& b)
      : backend(b), a(b, nodes), u(random_vector(size)), exact(expected::apply(problem, OnDevice::order, u))
  {
    for (double const x : exact) scale = support::larger(scale, std::abs(x));
  }

  bool agrees(std::vector<double> const& v) const { return distance(v, exact) <= 1e-13 * scale; }

  // v = A u on the device, into NaN, with entries in any layouts.
  template <class LayoutU = layout_right, class LayoutV = layout_right>
  std::vector<double> apply()
  {
    auto const host_u = reordered<layout_right, LayoutU>(u);
    std::vector<double> host_v(span<LayoutV>(), NAN);
    buffer<double, cuda> device_u(backend, span<LayoutU>()), device_v(backend, span<LayoutV>());
    backend.copy(host_u.data(), device_u.data(), device_u.size());
    backend.copy(host_v.data(), device_v.data(), device_v.size());
    a.apply(const_e_vector<LayoutU>(device_u.data(), elements, n, n, n),
            e_vector<LayoutV>(device_v.data(), elements, n, n, n));
    backend.copy(device_v.data(), host_v.data(), device_v.size());
    backend.synchronize();
    return reordered<LayoutV, layout_right>(host_v);
  }

  template <class Layout>
  static std::size_t span()
  {
    return static_cast<std::size_t>(e_vector<Layout>(nullptr, elements, n, n, n).mapping().required_span_size());
  }

  template <class From, class To>
  static std::vector<double> reordered(std::vector<double> from)
  {
    std::vector<double> to(span<To>());
    e_vector<From> const x(from.data(), elements, n, n, n);
    e_vector<To> const y(to.data(), elements, n, n, n);
    for (index_t e = 0; e < elements; ++e)
      for (index_t k = 0; k < n; ++k)
        for (index_t j = 0; j < n; ++j)
          for (index_t i = 0; i < n; ++i) y(e, k, j, i) = x(e, k, j, i);
    return to;
  }

  cuda backend;
  OnDevice a;
  std::vector<double> u, exact;
  double scale = 0;
};

template <int Order>
void layouts()
{
  pair<bp3<Order, cuda>> p{"BP3.0", cuda()};
  expect(p.agrees(p.apply()), "BP3.0, layout_right");
  expect(p.agrees(p.template apply<layout_left, layout_right>()), "BP3.0, layout_left to layout_right");
  expect(p.agrees(p.template apply<layout_interleaved<4>, layout_left>()),
         "BP3.0, layout_interleaved<4> to layout_left");
  pair<bp1<Order, cuda>> q{"BP1.0", cuda()};
  expect(q.agrees(q.template apply<layout_right, layout_interleaved<8>>()),
         "BP1.0, layout_right to layout_interleaved<8>");
  pair<bp35<Order, cuda>> r{"BP3.5", cuda()};
  expect(r.agrees(r.template apply<layout_left, layout_left>()), "BP3.5, layout_left");
}

// Slices, and a team of one warp.
void ways()
{
  constexpr tuning slices{.way = variant::slices, .elements = 2, .planes = 3};
  using sliced = element_operator<stiffness, 4, gauss<6>, cuda, sumfac::tuned<slices>>;
  pair<sliced> p{"BP3.0", cuda()};
  expect(p.agrees(p.apply()), "BP3.0 in slices, two elements a team");
  constexpr tuning warp{.elements = 2, .ahead = prefetch::registers};
  using in_warps = element_operator<mass, 2, gauss<4>, cuda, sumfac::tuned<warp>>;
  pair<in_warps> q{"BP1.0", cuda()};
  expect(q.agrees(q.apply()), "BP1.0, teams of a warp");
}

void diagonal_and_matrix()
{
  pair<bp3<2, cuda>> p{"BP3.0", cuda()};
  std::vector<double> d(p.size, NAN);
  buffer<double, cuda> on_device(p.backend, p.size);
  p.a.diagonal(e_vector<layout_right>(on_device.data(), elements, p.n, p.n, p.n));
  p.backend.copy(on_device.data(), d.data(), p.size);
  p.backend.synchronize();
  expect(distance(d, expected::diagonal("BP3.0", 2)) <= 1e-12, "diagonal");
  expect(distance(p.a.element_matrix(elements - 1), expected::matrix("BP3.0", 2, elements - 1)) <= 1e-12,
         "element_matrix");
}

// A graph of one application, launched again on another u.
void graph()
{
  cudaStream_t stream = nullptr;
  require(cudaStreamCreate(&stream), "cudaStreamCreate");
  {
    pair<bp3<7, cuda>> p{"BP3.0", cuda(stream)};
    buffer<double, cuda> u(p.backend, p.size), v(p.backend, p.size);
    p.backend.synchronize();
    cudaGraph_t captured = nullptr;
    cudaGraphExec_t ready = nullptr;
    require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), "cudaStreamBeginCapture");
    p.a.apply(const_e_vector<layout_right>(u.data(), elements, p.n, p.n, p.n),
              e_vector<layout_right>(v.data(), elements, p.n, p.n, p.n));
    require(cudaStreamEndCapture(stream, &captured), "cudaStreamEndCapture");
    require(cudaGraphInstantiate(&ready, captured, 0), "cudaGraphInstantiate");
    p.backend.copy(p.u.data(), u.data(), p.size);
    require(cudaGraphLaunch(ready, stream), "cudaGraphLaunch");
    std::vector<double> result(p.size);
    p.backend.copy(v.data(), result.data(), p.size);
    p.backend.synchronize();
    expect(p.agrees(result), "graph capture and replay of apply");
    require(cudaGraphExecDestroy(ready), "cudaGraphExecDestroy");
    require(cudaGraphDestroy(captured), "cudaGraphDestroy");
  }
  require(cudaStreamDestroy(stream), "cudaStreamDestroy");
}

// One operator, four threads, a stream each.
void threads()
{
  std::vector<std::thread> crew;
  bool good[4] = {};
  for (int t = 0; t < 4; ++t)
    crew.emplace_back([t, &good] {
      try {
        cudaStream_t stream = nullptr;
        require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
        {
          pair<bp35<7, cuda>> p{"BP3.5", cuda(stream)};
          good[t] = true;
          for (int i = 0; i < 20; ++i) good[t] = good[t] && p.agrees(p.apply());
        }
        require(cudaStreamDestroy(stream), "cudaStreamDestroy");
      } catch (std::exception const& error) {
        std::printf("%s\n", error.what());
        good[t] = false;
      }
    });
  for (auto& thread : crew) thread.join();
  expect(good[0] && good[1] && good[2] && good[3], "four host threads, a stream each");
}

using support::message_of;

void errors()
{
  auto const memory = message_of<backend_error>([] { buffer<double, cuda>(cuda(), index_t{1} << 50); });
  std::printf("        %s\n", memory.c_str());
  expect(memory.find("sumfac::cuda: cudaMalloc failed") == 0, "too much memory");
  auto const device = message_of<argument_error>([] { cuda(99); });
  expect(device.find("there is no device 99") != std::string::npos, "a device that does not exist");
  constexpr tuning large{.padding = 380};  // 231000 bytes for cubes, which a block has; mesh nodes need 4560 more
  using too_large = element_operator<laplace, 3, gauss<5>, cuda, isoparametric<2>, sumfac::tuned<large>>;
  auto const scratch = message_of<backend_error>([] { too_large(cuda(), nodes); });
  std::printf("        %s\n", scratch.c_str());
  expect(scratch.find("needs more scratch") != std::string::npos, "scratch that does not fit");
}

}  // namespace

int main()
{
  try {
    std::printf("%s\n", cuda().name().c_str());
    layouts<2>();
    layouts<7>();
    ways();
    diagonal_and_matrix();
    graph();
    threads();
    errors();
  } catch (std::exception const& error) {
    std::printf("FAILED %s\n", error.what());
    return 1;
  }
  std::printf("%d failed\n", failures);
  return failures == 0 ? 0 : 1;
}
