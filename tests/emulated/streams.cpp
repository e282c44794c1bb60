// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators and restrictions with streams and devices of their own, and what is allocated when they meet.
#include "device.hpp"

#include <dofs/global_vectors.hpp>
#include <solver/solves.hpp>
#include <support/larger.hpp>
#include <support/own_stream.hpp>

using checks::refused, sumfac::hip;

namespace {

using operator_type = sumfac::bp5<2, hip>;

// Four elements a team, where others have one.
template <int Elements>
using of_elements =
    sumfac::bp5<2, hip,
                sumfac::tuned<sumfac::tuning{.way = sumfac::variant::slices, .elements = Elements, .planes = 3}>>;

}  // namespace

TEST_CASE("emulated device: all of a solve is queued on the stream of the backend that it was made with")
{
  support::own_stream own;
  auto s = checks::poisson<operator_type>();
  hip const backend(own.handle);
  auto const a = s.c.make(backend);
  auto const r = s.c.restriction({}, backend);
  sumfac::global_operator const l{a, r};
  CHECK(l.backend().stream() == own.handle);
  auto const size = static_cast<checks::index_t>(s.b.size());
  auto const on = [&]<class T>(T* data) { return sumfac::view<T, sumfac::dextents<1>>(data, size); };
  std::vector<double> d(s.b.size());
  sumfac::solve_result result;
  support::on_backend(backend, s.b, s.x, [&](double const* b, double* x) {
    support::on_backend(backend, d, [&](double* diagonal) {
      l.diagonal(on(diagonal));
      sumfac::jacobi const factors(backend, on(static_cast<double const*>(diagonal)));
      result = sumfac::cg(l, on(b), on(x), factors, {.iterations = 500, .tolerance = 1e-13});
    });
  });
  CHECK(result.status == sumfac::solve_status::converged);
  auto const direct = s.solution();
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < direct.size(); ++i) {
    largest = support::larger(largest, std::abs(static_cast<double>(direct[i])));
    difference = support::larger(difference, std::abs(s.x[i] - static_cast<double>(direct[i])));
  }
  CHECK(difference <= 1e-11 * largest);
}

TEST_CASE("emulated device: an operator and a restriction of two devices or streams are refused")
{
  support::own_stream first, second;
  auto const s = checks::poisson<operator_type>();
  auto const here = s.c.make(hip(first.handle));
  auto const on_device = s.c.restriction({}, hip(1));
  auto const on_stream = s.c.restriction({}, hip(second.handle));
  refused([&] { sumfac::global_operator{here, on_device}; }, {"sumfac::global_operator: the restriction", "device"});
  refused([&] { sumfac::global_operator{here, on_stream}; }, {"queues its work on another stream than the operator"});
  auto const size = static_cast<checks::index_t>(s.b.size());
  std::vector<double> x(s.b.size()), y(x.size());
  support::on_backend(hip(first.handle), x, y, [&](double const* from, double* to) {
    sumfac::view<double const, sumfac::dextents<1>> const u(from, size);
    sumfac::view<double, sumfac::dextents<1>> const v(to, size);
    refused([&] { here.apply(on_stream, u, v); }, {"element_operator::apply: the restriction", "another stream"});
    refused([&] { here.apply_add(on_stream, u, v); }, {"element_operator::apply_add", "another stream"});
    refused([&] { here.apply_transposed(on_stream, u, v); }, {"element_operator::apply_transposed", "another stream"});
    refused([&] { here.apply(on_stream, on_stream, u, v); }, {"element_operator::apply", "another stream"});
    refused([&] { here.diagonal(on_stream, v); }, {"element_operator::diagonal", "another stream"});
    here.apply(s.c.restriction({}, hip(first.handle)), u, v);
  });
}

TEST_CASE("emulated device: operators of several tunings meet a subset, and graphs of it stay good")
{
  support::own_stream stream;
  hip const backend(stream.handle);
  auto const s = checks::poisson<operator_type>();
  auto const nodes = checks::nodes_view(s.c.mesh);
  of_elements<1> const one(backend, nodes);
  of_elements<4> const four(backend, nodes);
  auto const r = s.c.restriction({}, backend);
  auto const part = r.subset(1, r.elements() - 1);
  auto const size = static_cast<checks::index_t>(s.b.size());
  auto const on = [&]<class T>(T* data) { return sumfac::view<T, sumfac::dextents<1>>(data, size); };
  std::vector<double> x(s.b.size()), y(x.size()), again(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1 / (1 + static_cast<double>(i % 7));
  support::on_backend(backend, x, y, [&](double const* u, double* v) {
    one.apply(part, on(u), on(v));
    four.apply(part, on(u), on(v));
    backend.synchronize();
    std::size_t const before = emulated::here().allocations();
    hipGraph_t graph = nullptr;
    hipGraphExec_t ready = nullptr;
    REQUIRE(hipStreamBeginCapture(stream.handle, hipStreamCaptureModeGlobal) == hipSuccess);
    one.apply(part, on(u), on(v));
    REQUIRE(hipStreamEndCapture(stream.handle, &graph) == hipSuccess);
    REQUIRE(hipGraphInstantiate(&ready, graph, 0) == hipSuccess);
    four.apply(part, on(u), on(v));
    CHECK(hipGraphLaunch(ready, stream.handle) == hipSuccess);
    backend.synchronize();
    CHECK(emulated::here().allocations() == before);
    CHECK(hipGraphExecDestroy(ready) == hipSuccess);
    CHECK(hipGraphDestroy(graph) == hipSuccess);
  });
  support::on_backend(backend, x, again, [&](double const* u, double* v) { four.apply(part, on(u), on(v)); });
  double difference = 0;
  for (std::size_t i = 0; i < y.size(); ++i) difference = support::larger(difference, std::abs(y[i] - again[i]));
  CHECK(difference <= 1e-12);
}
