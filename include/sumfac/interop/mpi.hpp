// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Several processes by MPI: a halo of persistent messages for global_operator, and a main function that ends them.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/halo.hpp>
#include <sumfac/error.hpp>
#include <sumfac/interop/detail/agree.hpp>
#include <sumfac/interop/detail/shared_nodes.hpp>
#include <sumfac/mesh/locator.hpp>
#include <sumfac/operator/global_operator.hpp>

#include <mpi.h>
#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::mpi {

template <class Scalar, class Backend>
class node_exchange;

// The nodes that a process has in common with others, found from owners and numbers: of each node of this process, the
// owned ones first, the process that owns it, and its number in the whole mesh, the same wherever the node is.
//
// Made by all processes of the communicator at once, of which it has a duplicate.
// **Shapes** owner (nodes), number (nodes): views of integers.
// **Errors** argument_error, on all processes, with both numbers: an owner that is no process, an owned node behind a
// ghost, a number that two nodes have, one that its owner does not own, one that two processes own.
class halo {
public:
  template <class Scalar, class Backend>
  using exchange = node_exchange<Scalar, Backend>;

  template <class Owners, class Numbers>
  halo(MPI_Comm comm, Owners const& owner, Numbers const& number) : nodes_((check_started(), comm), owner, number)
  {
    MPI_Comm_dup(comm, &comm_);
  }
  // The halo of some of these nodes, in their order: chosen (nodes) is not 0 where one is, on its owner, too.
  template <class Chosen>
  halo subset(Chosen const& chosen) const
  {
    std::vector<int> owner;
    std::vector<std::int64_t> number;
    for (index_t i = 0; i < owned() + ghosts(); ++i)
      if (chosen(i) != 0) owner.push_back(nodes_.owner(i)), number.push_back(nodes_.number(i));
    auto const count = static_cast<index_t>(owner.size());
    return halo(comm_, view<int const, dextents<1>>(owner.data(), count),
                view<std::int64_t const, dextents<1>>(number.data(), count));
  }
  halo(halo const&) = delete;
  halo& operator=(halo const&) = delete;
  ~halo()
  {
    int ended = 0;
    MPI_Finalized(&ended);
    if (ended == 0) MPI_Comm_free(&comm_);
  }

  index_t owned() const { return nodes_.owned(); }
  index_t ghosts() const { return nodes_.ghosts(); }
  std::int64_t number(index_t node) const { return nodes_.number(node); }  // in the whole mesh
  MPI_Comm communicator() const { return comm_; }
  int neighbors() const { return static_cast<int>(nodes_.sent.ranks.size()); }  // that have ghosts of this process'

  // For vector_ops and solvers; refers to the halo.
  sumfac::reduction reduction() const { return detail::reduction_over(comm_); }
  // Called by all processes: where one of them has a problem, all throw argument_error with it.
  void agree(char const* where, char const* problem) const { detail::agree_on(comm_, where, problem); }

  detail::shared_nodes const& nodes() const { return nodes_; }

private:
  static void check_started()
  {
    int started = 0;
    MPI_Initialized(&started);
    if (started == 0) fail("mpi::halo", "MPI is not started: call MPI_Init first, or sumfac::mpi::run");
  }

  detail::shared_nodes nodes_;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

// An exchange of vectors of one scalar, by persistent messages between buffers of its own; made by the matrix. One at
// a time may be under way. Contributions are added in the order of processes.
//
// A device's entries are handed to MPI where it says that it takes them, and else copied through the host's memory.
template <class Scalar, class Backend>
class node_exchange {
public:
  node_exchange(halo const& nodes, Backend const& backend, int components, interleaving lie)
      : backend_(backend),
        components_(components),
        direct_(takes_device_memory()),
        shared_(backend, nodes.nodes().sent, nodes.owned(), components, lie),
        ghosts_(backend, nodes.nodes().received, nodes.ghosts(), components, interleaving::fastest)
  {
    start_with(nodes.communicator(), nodes.nodes());
  }
  node_exchange(node_exchange const&) = delete;
  node_exchange& operator=(node_exchange const&) = delete;
  ~node_exchange()
  {
    int ended = 0;
    MPI_Finalized(&ended);
    for (auto* list : {&update_, &add_})
      for (MPI_Request& request : *list)
        if (ended == 0) MPI_Request_free(&request);
  }

  void begin_update(Scalar const* x, Scalar*) { begin(update_, shared_, x); }
  void end_update(Scalar const*, Scalar* ghosts)
  {
    end(update_, ghosts_);
    detail::each_entry(backend_, ghosts_.size(), detail::put_body<Scalar>{ghosts_.data(), ghosts_.list(), ghosts});
  }
  void begin_add(Scalar const* ghosts, Scalar*) { begin(add_, ghosts_, ghosts); }
  void end_add(Scalar const*, Scalar* y)
  {
    end(add_, shared_);
    for (std::size_t k = 0; k + 1 < shared_.first.size(); ++k) {
      index_t const first = shared_.first[k] * components_, count = shared_.first[k + 1] * components_ - first;
      detail::each_entry(backend_, count, detail::add_body<Scalar>{shared_.data() + first, shared_.list() + first, y});
    }
  }
  // Lets messages that are under way go on, which some MPI does only when called.
  void progress()
  {
    int done = 0;
    if (!update_.empty()) MPI_Testall(static_cast<int>(update_.size()), update_.data(), &done, MPI_STATUSES_IGNORE);
    if (!add_.empty()) MPI_Testall(static_cast<int>(add_.size()), add_.data(), &done, MPI_STATUSES_IGNORE);
  }

private:
  static constexpr bool on_device = detail::is_device<Backend>;

  // Entries of listed nodes side by side, neighbour after neighbour, and what MPI sends or receives of them.
  class packed_nodes {
  public:
    packed_nodes(Backend const& backend, detail::nodes_by_rank const& nodes, index_t count, int components,
                 interleaving lie)
        : first(nodes.first)
    {
      detail::own_vector<index_t> all;
      for (index_t const node : nodes.nodes) all.push_back(node);
      auto const entries = detail::entries_of_nodes(all, {count, components, lie});
      list_ = detail::upload<index_t>(backend, entries);
      memory_ = detail::make_memory<Scalar>(backend, static_cast<index_t>(entries.size()));
      if constexpr (on_device) staged_.resize(entries.size());
    }
    index_t size() const { return list_.size(); }
    index_t const* list() const { return list_.data(); }
    Scalar* data() { return memory_.data(); }
    Scalar* message(bool direct)
    {
      if constexpr (on_device)
        if (!direct) return staged_.data();
      return memory_.data();
    }

    std::vector<index_t> first;  // of each neighbour's nodes

  private:
    detail::memory_of<index_t, Backend> list_;
    detail::memory_of<Scalar, Backend> memory_;
    std::vector<Scalar> staged_;
  };

  // Whether MPI takes pointers to a device's memory.
  static bool takes_device_memory()
  {
#if defined(MPIX_CUDA_AWARE_SUPPORT) && MPIX_CUDA_AWARE_SUPPORT
    if constexpr (on_device) {
      static bool const takes = MPIX_Query_cuda_support() == 1;
      return takes;
    }
#endif
    return false;
  }

  void start_with(MPI_Comm comm, detail::shared_nodes const& nodes)
  {
    constexpr int updates = 1, sums = 2;  // tags
    detail::first_problem text;
    index_t const most = std::numeric_limits<int>::max SUMFAC_NO_MACRO();
    if (shared_.size() > most || ghosts_.size() > most)
      text.say("too many entries are exchanged (%lld, at most %lld expected)",
               static_cast<long long>(shared_.size() + ghosts_.size()), static_cast<long long>(most));
    detail::agree_on(comm, "mpi::halo", text);
    Scalar* const shared = shared_.message(direct_);
    Scalar* const ghosts = ghosts_.message(direct_);
    each(nodes.received, [&](int rank, index_t first, int count) {
      MPI_Recv_init(ghosts + first, count, type(), rank, updates, comm, add_to(update_));
      MPI_Send_init(ghosts + first, count, type(), rank, sums, comm, add_to(add_));
    });
    each(nodes.sent, [&](int rank, index_t first, int count) {
      MPI_Send_init(shared + first, count, type(), rank, updates, comm, add_to(update_));
      MPI_Recv_init(shared + first, count, type(), rank, sums, comm, add_to(add_));
    });
  }

  template <class Function>
  void each(detail::nodes_by_rank const& nodes, Function const& f) const
  {
    for (std::size_t k = 0; k < nodes.ranks.size(); ++k)
      f(nodes.ranks[k], nodes.first[k] * components_,
        static_cast<int>((nodes.first[k + 1] - nodes.first[k]) * components_));
  }
  static MPI_Request* add_to(std::vector<MPI_Request>& list) { return &list.emplace_back(MPI_REQUEST_NULL); }
  static MPI_Datatype type() { return std::is_same_v<Scalar, double> ? MPI_DOUBLE : MPI_FLOAT; }

  void begin(std::vector<MPI_Request>& requests, packed_nodes& from, Scalar const* entries)
  {
    detail::each_entry(backend_, from.size(), detail::take_body<Scalar>{entries, from.list(), from.data()});
    if constexpr (on_device) {
      if (!direct_ && from.size() > 0) backend_.copy(from.data(), from.message(false), from.size());
      backend_.synchronize();
    }
    if (!requests.empty()) MPI_Startall(static_cast<int>(requests.size()), requests.data());
  }
  void end(std::vector<MPI_Request>& requests, packed_nodes& to)
  {
    if (!requests.empty()) MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    if constexpr (on_device)
      if (!direct_ && to.size() > 0) backend_.copy(to.message(false), to.data(), to.size());
  }

  Backend backend_;
  int components_;
  bool direct_;
  packed_nodes shared_, ghosts_;
  std::vector<MPI_Request> update_, add_;
};

// Of the points that each process has sought in its own elements, those that it owns: a point that several have found,
// as on a cut between them, belongs to the lowest rank. So each point is in one element of the whole mesh, and its
// source counts once. All processes call it, for the same points in the same order; others' points are misses().
//
// **Work** one reduction of as many integers as there are points.
// **Errors** argument_error, on all processes, with both numbers, where these have different numbers of points.
template <int Directions>
located_points<Directions> owned_points(MPI_Comm comm, located_points<Directions> const& found)
{
  constexpr auto here = "mpi::owned_points";
  auto const mine = static_cast<long long>(found.size());
  long long first = mine;
  MPI_Bcast(&first, 1, MPI_LONG_LONG, 0, comm);
  detail::first_problem problem;
  if (mine != first)
    problem.say(
        "the number of points is not that of process 0 (expected %lld, got %lld): pass all points on all "
        "processes",
        first, mine);
  detail::agree_on(comm, here, problem);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  constexpr int none = std::numeric_limits<int>::max SUMFAC_NO_MACRO();
  std::vector<int> owner(static_cast<std::size_t>(mine));
  for (index_t i = 0; i < mine; ++i) owner[static_cast<std::size_t>(i)] = found.elements()(i) < 0 ? none : rank;
  constexpr long long most = 1 << 30;  // of one call
  for (long long i = 0; i < mine; i += most)
    MPI_Allreduce(MPI_IN_PLACE, owner.data() + i, static_cast<int>(mine - i < most ? mine - i : most), MPI_INT, MPI_MIN,
                  comm);
  return found.only([&](index_t i) { return owner[static_cast<std::size_t>(i)] == rank ? 1 : 0; });
}

// Starts MPI, calls body(MPI_COMM_WORLD), ends MPI and returns what body did, as the status of main. An exception that
// leaves body is written to stderr, and all processes end.
template <class Body>
int run(int& argc, char**& argv, Body const& body)
{
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  int status = 1;
  try {
    status = body(MPI_COMM_WORLD);
  } catch (std::exception const& e) {
    detail::end_all(e.what());
  } catch (...) {
    detail::end_all("an exception that is no std::exception");
  }
  MPI_Finalize();
  return status;
}

}  // namespace sumfac::mpi
