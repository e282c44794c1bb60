// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Times of an operator and of conjugate gradients on parts of a box, of the exchange by itself, and of bare messages.
#include <sumfac/interop/mpi.hpp>
#include <sumfac/sumfac.hpp>

#include "../processes/slow_halo.hpp"
#include "../report/json.hpp"
#include "../report/machine.hpp"
#include "part_of_box.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace sumfac;
using namespace sumfac::bench;

constexpr char const* usage = R"(usage: mpirun -n P scaling [OPTION...]

Times BP5 (stiffness, collocated, factors stored, double) on a box of which each of P processes, a power of two, has as
many elements: an application with and without overlap, its parts, an iteration of conjugate gradients with Jacobi's
preconditioner, a pass over vectors, an exchange, sums over all, and bare messages. bench/scaling/run runs it.

  --order N        degree, 4 or 7 (default 4)
  --dofs LIST      wanted degrees of freedom of a process, which become the nearest 2^s elements (default 8000,60000)
  --threads N      of each process (default 1)
  --seconds S      of calls of each thing, of which the least counts (default 0.2)
  --out FILE       results as JSON
  --help           this text
)";

struct request {
  int order = 4, threads = 1;
  std::vector<double> dofs{8000, 60000};
  double seconds = 0.2;
  std::string out;
};

struct processes {
  explicit processes(MPI_Comm c) : comm(c)
  {
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &count);
    while ((1 << log) < count) ++log;
    if ((1 << log) != count)
      throw std::invalid_argument("scaling: the number of processes must be a power of two (got " +
                                  std::to_string(count) + ", " + std::to_string(1 << log) + " expected)");
  }
  double longest(double mine) const
  {
    double all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, comm);
    return all;
  }
  index_t sum(index_t mine) const
  {
    long long all = 0, own = mine;
    MPI_Allreduce(&own, &all, 1, MPI_LONG_LONG, MPI_SUM, comm);
    return all;
  }

  MPI_Comm comm;
  int rank = 0, count = 1, log = 0;
};

// Things timed in turns, call by call: of each the least of the calls, of which that of the slowest process counts.
// Others on the machine make most calls longer, some by far.
class stopwatch {
public:
  stopwatch(processes const& all, double seconds) : all_(all), seconds_(seconds) {}

  template <class Function>
  void add(std::string const& name, Function const& f)
  {
    things_.push_back({name, f, 3, HUGE_VAL});
    sample(things_.back());
    if (!is_quick()) things_.back().calls = static_cast<std::size_t>(std::clamp(4e-3 / things_.back().least, 2., 200.));
  }
  void run()
  {
    double const begin = now();
    int const rounds = is_quick() ? 1 : 20;
    for (int round = 0; round < rounds || all_.longest(now() - begin) < seconds_ * double(things_.size()); ++round)
      for (auto& thing : things_) sample(thing);
  }
  // In microseconds.
  double least(std::string const& name) const
  {
    for (auto const& thing : things_)
      if (thing.name == name) return 1e6 * thing.least;
    return 0;
  }

private:
  struct thing {
    std::string name;
    std::function<void()> call;
    std::size_t calls;
    double least;
  };

  bool is_quick() const { return seconds_ < 1e-3; }  // to see that all runs

  void sample(thing& of) const
  {
    std::vector<double> calls(of.calls), longest(of.calls);
    meet(all_.comm);
    for (double& call : calls) {
      double const start = now();
      of.call();
      call = now() - start;
    }
    MPI_Allreduce(calls.data(), longest.data(), static_cast<int>(calls.size()), MPI_DOUBLE, MPI_MAX, all_.comm);
    of.least = std::min(of.least, *std::min_element(longest.begin(), longest.end()));
  }

  processes const& all_;
  double seconds_;
  std::vector<thing> things_;
};

template <class T>
auto vector_view(std::vector<T>& x)
{
  return view<T, dextents<1>>(x.data(), static_cast<index_t>(x.size()));
}
template <class T>
auto vector_view(std::vector<T> const& x)
{
  return view<T const, dextents<1>>(x.data(), static_cast<index_t>(x.size()));
}

template <int Order>
json_object measure(processes const& all, request const& r, int log_elements)
{
  constexpr int n = Order + 1, steps = 10;
  part_of_box const mesh(Order, log_elements, all.log, all.rank);
  host const backend{r.threads};
  using shape = extents<dynamic_extent, n, n, n>;
  bp5<Order> const A(backend,
                     view<double const, extents<dynamic_extent, 2, 2, 2, 3>>(mesh.vertices.data(), mesh.elements()));
  restriction<double> const R(backend, view<std::int32_t const, shape>(mesh.table.data(), mesh.elements()),
                              mesh.nodes(), vector_view(mesh.boundary));
  mpi::halo const halo(all.comm, vector_view(mesh.owner), vector_view(mesh.number));
  using matrix = distributed<bp5<Order>, restriction<double>, mpi::halo>;
  matrix const none(A, R, halo, {.overlap = overlap::none}), both(A, R, halo, {.overlap = overlap::both});

  std::vector<double> x(static_cast<std::size_t>(mesh.owned)), y(x.size()), z(x), d(x), all_x, all_y, ghosts;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = mesh.boundary[i] != 0 ? 0 : double(mesh.number[i] % 17) - 8;
  all_x.assign(static_cast<std::size_t>(mesh.nodes()), 1), all_y = all_x;
  ghosts.assign(static_cast<std::size_t>(halo.ghosts()) + 1, 0);
  both.diagonal(vector_view(d));
  jacobi const P{backend, vector_view(d)};
  vector_ops const ops{backend, both.size(), halo.reduction()};
  mpi::node_exchange<double, host> exchange(halo, backend, 1, interleaving::fastest);
  auto const from = vector_view(std::as_const(x));
  auto const to = vector_view(y);

  // Messages that take a tenth of the elements' kernel.
  stopwatch first(all, r.seconds / 4);
  first.add("elements", [&] { A.apply(R, vector_view(std::as_const(all_x)), vector_view(all_y)); });
  first.run();
  double const delay = first.least("elements") / 10e6;
  slow_halo const slow{halo, delay};
  using slow_matrix = distributed<bp5<Order>, restriction<double>, slow_halo>;
  slow_matrix const slow_none(A, R, slow, {.overlap = overlap::none});
  slow_matrix const slow_both(A, R, slow, {.overlap = overlap::both});

  stopwatch watch(all, r.seconds);
  watch.add("elements", [&] { A.apply(R, vector_view(std::as_const(all_x)), vector_view(all_y)); });
  watch.add("no overlap", [&] { none.apply(from, to); });
  watch.add("overlap", [&] { both.apply(from, to); });
  watch.add("exchange", [&] {
    exchange.begin_update(x.data(), ghosts.data());
    exchange.end_update(x.data(), ghosts.data());
    exchange.begin_add(ghosts.data(), z.data());
    exchange.end_add(ghosts.data(), z.data());
  });
  if (all.count > 1) {
    watch.add("slow, no overlap", [&] { slow_none.apply(from, to); });
    watch.add("slow, overlap", [&] { slow_both.apply(from, to); });
  }
  watch.add("cg", [&] {
    std::fill(y.begin(), y.end(), 0);
    cg(both, from, to, P, {.iterations = steps, .tolerance = 0});
  });
  watch.add("axpy", [&] { ops.axpy(1e-9, from, vector_view(z)); });
  double sums[2] = {1, 2};
  watch.add("sums", [&] { MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, all.comm), sums[0] = 1; });
  watch.run();

  json_object row;
  row("processes", all.count)("threads", r.threads)("order", Order)("elements", all.sum(mesh.elements()));
  row("elements_of_process", mesh.elements())("points_of_process", mesh.elements() * Order * Order * Order);
  row("points", all.sum(mesh.elements()) * Order * Order * Order);
  row("elements_at_ghosts", static_cast<index_t>(all.longest(double(mesh.at_ghosts))));
  row("ghosts", static_cast<index_t>(all.longest(double(halo.ghosts()))));
  row("neighbors", static_cast<index_t>(all.longest(halo.neighbors())));
  row("parts_x", mesh.parts[0])("parts_y", mesh.parts[1])("parts_z", mesh.parts[2]);
  row("bytes_of_elements", A.work().bytes() + 4 * mesh.elements() * n * n * n);
  row("elements_us", watch.least("elements"))("no_overlap_us", watch.least("no overlap"));
  row("overlap_us", watch.least("overlap"))("exchange_us", watch.least("exchange"));
  row("cg_us", watch.least("cg") / steps)("axpy_us", watch.least("axpy"))("sums_us", watch.least("sums"));
  if (all.count > 1) {
    double const hidden = (watch.least("slow, no overlap") - watch.least("slow, overlap")) / (2e6 * delay);
    row("slow_message_us", 1e6 * delay)("slow_hidden", hidden);
    row("hidden", (watch.least("no overlap") - watch.least("overlap")) / watch.least("exchange"));
  }
  return row;
}

// A message to and fro between the first two processes, one way, against its bytes.
std::vector<json_object> messages(processes const& all, double seconds)
{
  std::vector<json_object> rows;
  if (all.count < 2) return rows;
  std::vector<char> buffer(std::size_t{1} << 21);
  for (int bytes = 8; bytes <= (1 << 21); bytes *= 8) {
    stopwatch watch(all, seconds / 4);
    watch.add("message", [&] {
      for (int const from : {0, 1}) {
        if (all.rank == from) MPI_Send(buffer.data(), bytes, MPI_CHAR, 1 - from, 7, all.comm);
        if (all.rank == 1 - from) MPI_Recv(buffer.data(), bytes, MPI_CHAR, from, 7, all.comm, MPI_STATUS_IGNORE);
      }
    });
    watch.run();
    rows.push_back(json_object()("processes", all.count)("bytes", bytes)("us", watch.least("message") / 2));
  }
  return rows;
}

int run(request const& r, MPI_Comm comm)
{
  processes const all(comm);
  std::vector<json_object> rows;
  for (double const dofs : r.dofs) {
    int const log = std::max(0, static_cast<int>(std::lround(std::log2(dofs / std::pow(r.order, 3)))));
    rows.push_back(r.order == 4 ? measure<4>(all, r, log) : measure<7>(all, r, log));
    if (all.rank == 0) std::printf("%s\n", rows.back().text().c_str());
  }
  auto const bare = messages(all, r.seconds);
  if (all.rank == 0 && !r.out.empty())
    json_file()("context", context(this_machine(r.threads)))("times", rows)("messages", bare).write(r.out);
  return 0;
}

}  // namespace

int main(int argc, char** argv)
{
  return mpi::run(argc, argv, [&](MPI_Comm comm) {
    return command_line::main_of<request>("scaling", usage, argc, argv,
                                          {{"--order", &request::order, {"4", "7"}},
                                           {"--dofs", &request::dofs},
                                           {"--threads", &request::threads},
                                           {"--seconds", &request::seconds},
                                           {"--out", &request::out}},
                                          [&](request const& r) { return run(r, comm); });
  });
}
