// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The tests of devices on an emulated one: conjugate gradients, GMRES and MINRES; and what an iteration launches, alone
// and as a graph.
#include "device.hpp"

#include <support/larger.hpp>

using device_backend = sumfac::hip;

#include <sumfac/solver/null_space.hpp>

#include <device/cg.hpp>

using checks::index_t, checks::refused, sumfac::hip;
using device_cg::operator_type, device_cg::solve, device_cg::way;

TEST_CASE("emulated device: launches of an iteration, and looks")
{
  support::own_stream stream;
  hip const backend(stream.handle);
  auto const s = checks::poisson<operator_type>();
  for (way const by : {way::plain, way::merged})
    for (bool const jacobi : {false, true})
      for (auto const policy : {sumfac::scatter::deterministic, sumfac::scatter::atomic})
        for (bool const graph : {false, true}) {
          auto const counts_of = [&](index_t iterations) {
            sumfac::cg_options const options{
                .iterations = iterations, .tolerance = 0, .check_every = 4, .graph = graph};
            emulated::here().counts = {};
            CHECK(solve(s, backend, by, jacobi, options, {.policy = policy}).result.iterations == iterations);
            return emulated::here().counts;
          };
          auto const few = counts_of(4), more = counts_of(12);
          INFO((by == way::plain ? "cg" : "merged_cg")
               << (jacobi ? ", Jacobi" : "") << (policy == sumfac::scatter::atomic ? ", atomic" : "")
               << (graph ? ", graph" : ""));
          std::size_t const each = by == way::plain ? 4 : 3;
          CHECK(more.kernels - few.kernels == 8 * each);
          CHECK(more.launches - few.launches == (graph ? 4 : 8) * each);  // captured once
          CHECK(few.graphs == 0);
          CHECK(more.graphs == (graph ? 2 : 0));
          CHECK(more.waits - few.waits == 2);
          CHECK(more.copies - few.copies == 2);
        }
  CHECK(emulated::here().graphs == 0);
  CHECK(emulated::here().ready_graphs == 0);
}

TEST_CASE("emulated device: launches of an iteration of GMRES and MINRES, which waits for nothing but looks")
{
  using device_cg::inner;
  support::own_stream stream;
  hip const backend(stream.handle);
  auto const s = checks::poisson<operator_type>();
  for (bool const own_matrix : {false, true})
    for (inner const by : {inner::none, inner::jacobi, inner::own})
      for (bool const gmres : {false, true}) {
        auto const counts_of = [&](index_t iterations) {
          emulated::here().counts = {};
          auto const solve = [&](auto const& a, auto b, auto x, auto const& p, auto const& monitor) {
            if (!gmres)
              return sumfac::minres(a, b, x, p, {.iterations = iterations, .tolerance = 0, .check_every = 4}, monitor);
            return sumfac::gmres(a, b, x, p, {.iterations = iterations, .tolerance = 0, .check_every = 4}, monitor);
          };
          auto const found = device_cg::solve_changed(s, backend, own_matrix ? 1 : 0, 0, by, solve);
          CHECK(found.result.iterations == iterations);
          CHECK(found.heard.iterations.size() == static_cast<std::size_t>(1 + iterations / 4));
          return emulated::here().counts;
        };
        auto const few = counts_of(4), more = counts_of(12);
        INFO((gmres ? "GMRES" : "MINRES") << (own_matrix ? ", own matrix" : "") << ", " << static_cast<int>(by));
        std::size_t const of_p = by == inner::own ? (gmres ? 2 : 3) : 0;  // two launches, and for MINRES a pass
        std::size_t const of_a = own_matrix ? 4 : 0;                      // five launches, and sums by themselves
        std::size_t of_sums = 8 * 4;
        if (gmres) {
          of_sums = 0;
          for (std::size_t j = 4; j < 12; ++j) of_sums += 2 + 2 * ((j + 2 + 6) / 7);  // seven products in a pass
        }
        CHECK(more.launches - few.launches == of_sums + 8 * (of_p + of_a));
        CHECK(more.waits - few.waits == 2);
        CHECK(more.copies - few.copies == 2);
      }
}

namespace {

template <class T>
using vector = sumfac::view<T, sumfac::dextents<1>>;

// The operator as a matrix of a user's own, in three launches.
template <class Matrix>
struct own_matrix {
  Matrix const& a;
  sumfac::vector_ops<double, hip> const& ops;

  template <class X, class Y>
  void apply(X const& x, Y const& y) const
  {
    a.apply(x, y);
    ops.scale(1, y);
  }
  index_t size() const { return a.size(); }
  hip const& backend() const { return a.backend(); }
};

// Preconditioners: r itself, and one that waits.
struct own_copy {
  sumfac::vector_ops<double, hip> const& ops;

  void apply(vector<double const> r, vector<double> z) const { ops.copy(r, z); }
};
struct waiting_copy {
  sumfac::vector_ops<double, hip> const& ops;
  hip const& backend;

  template <class R, class Z>
  void apply(R const& r, Z const& z) const
  {
    ops.copy(r, z);
    backend.synchronize();
  }
};

// Calls f with the matrix, b and x on the device.
template <class Function>
std::vector<double> with_matrix(hip const& backend, sumfac::restriction_options const& restriction, Function const& f)
{
  auto const s = checks::poisson<operator_type>();
  auto const a = s.c.make(backend);
  auto const r = s.c.restriction(restriction, backend);
  sumfac::global_operator const l{a, r};
  auto const on = [&]<class T>(T* data) {
    return sumfac::view<T, sumfac::dextents<1>>(data, static_cast<index_t>(s.b.size()));
  };
  auto x = s.x;
  support::on_backend(backend, s.b, x, [&](double const* right, double* solution) { f(l, on(right), on(solution)); });
  return x;
}

}  // namespace

TEST_CASE("emulated device: matrices and preconditioners of one's own, flexibly too, with graphs and without")
{
  support::own_stream stream;
  hip const backend(stream.handle);
  for (auto const policy : {sumfac::scatter::deterministic, sumfac::scatter::atomic}) {
    // x of a solve by them, from 0; the matrix is one of one's own where it is asked for.
    auto const solved = [&](bool own, bool copies, sumfac::cg_options const& options) {
      return with_matrix(backend, {.policy = policy}, [&](auto const& l, auto b, auto x) {
        sumfac::vector_ops const ops(backend, l.size());
        own_matrix<std::remove_cvref_t<decltype(l)>> const identity{l, ops};
        backend.synchronize();
        emulated::here().counts = {};
        auto const result = own      ? sumfac::cg(identity, b, x, options)
                            : copies ? sumfac::cg(l, b, x, own_copy{ops}, options)
                                     : sumfac::cg(l, b, x, options);
        backend.synchronize();
        CHECK(static_cast<bool>(result));
      });
    };
    auto const launches = [&](bool own) {
      std::size_t kernels[2];
      for (int const more : {0, 1}) {
        solved(own, !own, {.iterations = more == 1 ? 12 : 8, .tolerance = 0});
        kernels[more] = emulated::here().counts.kernels;
      }
      return kernels[1] - kernels[0];
    };
    CHECK(launches(true) == 4 * (3 + 3));   // A has 3
    CHECK(launches(false) == 4 * (5 + 1));  // P has 1
    auto const expected = solved(false, false, {.tolerance = 1e-12});
    double largest = 0;
    for (double const x : expected) largest = support::larger(largest, std::abs(x));
    for (bool const own : {false, true})
      for (bool const flexible : {false, true})
        for (bool const graph : {false, true}) {
          INFO((own ? "own matrix" : "own P") << (flexible ? ", flexible" : "") << (graph ? ", graph" : ""));
          sumfac::cg_options const options{.tolerance = 1e-12, .check_every = 5, .graph = graph, .flexible = flexible};
          auto const x = solved(own, !own, options);
          CHECK((emulated::here().counts.graphs > 0) == graph);
          double difference = 0;
          for (std::size_t i = 0; i < x.size(); ++i)
            difference = support::larger(difference, std::abs(x[i] - expected[i]));
          CHECK(difference <= 1e-10 * largest);
        }
  }
}

namespace {

// The operator as if other processes had nothing; counts how often their sums are added up.
template <class Matrix>
struct shared_matrix {
  using scalar_type = double;
  using arithmetic_type = typename Matrix::arithmetic_type;
  using backend_type = hip;
  Matrix const& a;
  int* calls;

  template <class X, class Y>
  void apply(X const& x, Y const& y) const
  {
    a.apply(x, y);
  }
  index_t size() const { return a.size(); }
  hip const& backend() const { return a.backend(); }
  auto const& element_operator() const { return a.element_operator(); }
  sumfac::reduction reduction() const
  {
    return {[](void const* context, double*, int) { ++**static_cast<int* const*>(context); }, &calls};
  }
};

}  // namespace

TEST_CASE("emulated device: sums of several processes are added up by the host, and the steps follow")
{
  support::own_stream stream;
  hip const backend(stream.handle);
  int calls = 0;
  auto const solved = [&](way by, bool shared, sumfac::cg_options const& options) {
    return with_matrix(backend, {}, [&](auto const& l, auto b, auto x) {
      shared_matrix<std::remove_cvref_t<decltype(l)>> const of_all{l, &calls};
      calls = 0;
      auto const result = by == way::plain ? shared ? sumfac::cg(of_all, b, x, options) : sumfac::cg(l, b, x, options)
                          : shared ? sumfac::merged_cg(of_all, b, x, options)
                                           : sumfac::merged_cg(l, b, x, options);
      CHECK(static_cast<bool>(result));
    });
  };
  for (way const by : {way::plain, way::merged}) {
    sumfac::cg_options options{.iterations = 8, .tolerance = 0};
    CHECK(solved(by, true, options) == solved(by, false, options));
    static_cast<void>(solved(by, true, options));
    int const few = calls;
    options.iterations = 12;
    static_cast<void>(solved(by, true, options));
    CHECK(calls - few == 4 * (by == way::plain ? 2 : 1));
    options.graph = true;
    refused([&] { static_cast<void>(solved(by, true, options)); }, {"sums are those of several processes"});
  }
}

TEST_CASE("emulated device: a null space is left out, with graphs, too; without it constants are named")
{
  support::own_stream stream;
  hip const backend(stream.handle);
  mesh::counts const box{2, 2, 2};
  for (bool const periodic : {false, true}) {
    bool const graph = periodic;
    checks::system<operator_type> const s(box, mesh::numbered(box, 2, 4, {periodic, periodic, periodic}),
                                          reference::collocated(2), reference::laplace(), false);
    auto const a = s.c.make(backend);
    auto const r = s.c.restriction({}, backend);
    sumfac::global_operator const l{a, r};
    sumfac::null_space const constants{l};
    sumfac::vector_ops const ops(backend, l.size());
    own_copy const p{ops};
    auto const on = [&]<class T>(T* data) { return vector<T>(data, l.size()); };
    auto const check = [&](char const* name, auto const& solve) {
      CAPTURE(name, periodic);
      auto x = s.b;
      support::on_backend(backend, s.b, x, [&](double const* b, double* to) {
        sumfac::solve_result const told = solve(on(b), on(to), &constants);
        INFO(told.report());
        CHECK(told.status == sumfac::solve_status::converged);
        std::vector<double> rest(s.b);
        support::on_backend(backend, rest, [&](double* y) {
          l.apply(on(static_cast<double const*>(to)), on(y));
          ops.axpby(1, on(b), -1, on(y));
          constants.project(on(y));
          CHECK(ops.norm(on(y)) <= 1.001e-8 * told.initial_residual);
        });
        CHECK(std::abs(ops.dot(constants[0], on(to))) <= 1e-13 * ops.norm(on(to)));
        if (periodic) return;
        ops.fill(0, on(to));
        sumfac::null_space<double, hip> const* const none = nullptr;
        sumfac::solve_result const alone = solve(on(b), on(to), none);
        CHECK(!alone);
        CHECK(alone.free_constants);
      });
    };
    auto const with = [](auto options, auto const* space) {
      options.iterations = 100, options.tolerance = 1e-8;
      if (space != nullptr) options.null_space = *space;
      return options;
    };
    check("cg", [&](auto b, auto x, auto const* space) {
      return sumfac::cg(l, b, x, with(sumfac::cg_options{.graph = graph}, space));
    });
    check("cg, own P", [&](auto b, auto x, auto const* space) {
      return sumfac::cg(l, b, x, p, with(sumfac::cg_options{.graph = graph}, space));
    });
    check("merged_cg", [&](auto b, auto x, auto const* space) {
      return sumfac::merged_cg(l, b, x, with(sumfac::cg_options{.graph = graph}, space));
    });
    if (periodic) continue;
    check("minres", [&](auto b, auto x, auto const* space) {
      return sumfac::minres(l, b, x, {}, with(sumfac::minres_options{}, space));
    });
    check("gmres", [&](auto b, auto x, auto const* space) {
      return sumfac::gmres(l, b, x, {}, with(sumfac::gmres_options{}, space));
    });
  }
}

TEST_CASE("emulated device: what cannot become a graph is refused in a sentence, and the stream is free again")
{
  support::own_stream stream, other;
  hip const backend(stream.handle);
  refused([] { with_matrix(hip(), {}, [](auto const& l, auto b, auto x) { sumfac::cg(l, b, x, {.graph = true}); }); },
          {"sumfac::cg: options.graph is set and the stream is the default one", "stream 0", "sumfac::hip(stream)"});
  refused(
      [] {
        with_matrix(hip(), {}, [](auto const& l, auto b, auto x) { sumfac::merged_cg(l, b, x, {.graph = true}); });
      },
      {"sumfac::merged_cg: options.graph is set"});
  refused(
      [&] {
        with_matrix(backend, {}, [&](auto const& l, auto b, auto x) {
          sumfac::cg_workspace workspace(hip(other.handle), l.size());
          sumfac::cg(l, b, x, sumfac::no_preconditioner{}, {.graph = true}, sumfac::no_monitor{}, workspace);
        });
      },
      {"the matrix works on another stream than the workspace"});
  with_matrix(backend, {}, [&](auto const& l, auto b, auto x) {
    sumfac::vector_ops const ops(backend, l.size());
    sumfac::cg_options options{.tolerance = 1e-12, .check_every = 3, .graph = true};
    refused<sumfac::backend_error>(
        [&] {
          sumfac::cg(l, b, x, waiting_copy{ops, backend}, options);
        },
        {"sumfac::cg: the iterations cannot become a graph", "capturing", "must neither wait nor allocate"});
    emulated::here().failing = "hipGraphInstantiateWithFlags";
    refused<sumfac::backend_error>([&] { sumfac::cg(l, b, x, options); }, {"hipGraphInstantiate failed"});
    CHECK(hipGetLastError() == hipSuccess);
    CHECK(emulated::here().graphs == 0);
    ops.fill(0, x);
    CHECK(sumfac::cg(l, b, x, options).status == sumfac::solve_status::converged);
    options.graph = false, options.tolerance = 1e-6;
    ops.fill(0, x);
    CHECK(sumfac::cg(l, b, x, waiting_copy{ops, backend}, options).status == sumfac::solve_status::converged);
  });
}
