// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Devices of several processes by NCCL, or RCCL, AMD's of the same interface: a halo whose messages and sums are work
// of the device's stream, so that a solver's iterations are a graph and no process waits within them.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/interop/detail/packed_nodes.hpp>
#include <sumfac/interop/mpi.hpp>

#include <mpi.h>
#if __has_include(<nccl.h>)
#include <nccl.h>
#else
#include <rccl/rccl.h>
#endif

#include <cstddef>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

inline void check_nccl(char const* function, ncclResult_t result)
{
  if (result == ncclSuccess) return;
  throw_text<backend_error>("sumfac::nccl: %s failed (result %d, %d expected): %s", function, static_cast<int>(result),
                            static_cast<int>(ncclSuccess), ncclGetErrorString(result));
}

template <class Scalar>
inline constexpr ncclDataType_t nccl_type = std::is_same_v<Scalar, double> ? ncclFloat64 : ncclFloat32;

// The type of streams, cudaStream_t or hipStream_t, as the library's functions have it.
template <class Stream>
Stream stream_of_nccl(ncclResult_t (*)(void const*, void*, std::size_t, ncclDataType_t, ncclRedOp_t, ncclComm_t,
                                       Stream));
using nccl_stream = decltype(stream_of_nccl(ncclAllReduce));

}  // namespace sumfac::detail

namespace sumfac::SUMFAC_TARGET::nccl {

// NCCL's communicator of the processes of MPI's, each with the device that is its current one, another than the others'
// have. Made by all of them at once; its end waits for what is queued on it.
//
// **Errors** backend_error with NCCL's words.
class communicator {
public:
  explicit communicator(MPI_Comm comm)
  {
    int const rank = detail::rank_in(comm), processes = detail::processes_in(comm);
    ncclUniqueId id{};
    ncclResult_t const got = rank == 0 ? ncclGetUniqueId(&id) : ncclSuccess;
    int first = static_cast<int>(got);
    MPI_Bcast(&first, 1, MPI_INT, 0, comm);
    detail::check_nccl("ncclGetUniqueId", static_cast<ncclResult_t>(first));
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, comm);
    detail::check_nccl("ncclCommInitRank", ncclCommInitRank(&handle_, processes, id, rank));
  }
  communicator(communicator const&) = delete;
  communicator& operator=(communicator const&) = delete;
  ~communicator() { static_cast<void>(ncclCommDestroy(handle_)); }

  ncclComm_t handle() const { return handle_; }

private:
  ncclComm_t handle_ = nullptr;
};

template <class Scalar, class Backend>
class node_exchange;

// mpi::halo, whose exchanges and sums are NCCL's: for matrices and solvers on cuda and hip. MPI serves for set-up
// and for sums that the host needs. It refers to the communicator, which must be of the same processes.
class halo : public mpi::halo {
public:
  template <class Scalar, class Backend>
  using exchange = std::conditional_t<detail::is_device<Backend>, node_exchange<Scalar, Backend>,
                                      mpi::node_exchange<Scalar, Backend>>;

  template <class Owners, class Numbers>
  halo(MPI_Comm comm, nccl::communicator const& devices, Owners const& owner, Numbers const& number)
      : mpi::halo(comm, owner, number), devices_(devices.handle())
  {
    int const rank = detail::rank_in(comm), processes = detail::processes_in(comm);
    int theirs[2] = {0, 0};
    detail::check_nccl("ncclCommCount", ncclCommCount(devices_, &theirs[1]));
    detail::check_nccl("ncclCommUserRank", ncclCommUserRank(devices_, &theirs[0]));
    detail::first_problem text;
    if (theirs[0] != rank || theirs[1] != processes)
      text.say("the communicator of the devices is of other processes (this one is %d of %d, %d of %d expected)",
               theirs[0], theirs[1], rank, processes);
    detail::agree_on(communicator(), "nccl::halo", text);
  }
  // As mpi::halo's.
  template <class Chosen>
  halo subset(Chosen const& chosen, int each = 1) const
  {
    return {communicator(), devices_, chosen_of(chosen, each)};
  }
  halo with_ghosts(numbered_nodes const& more) const { return {communicator(), devices_, joined_with(more)}; }

  sumfac::reduction reduction() const { return {add_up, this, enqueue}; }
  ncclComm_t devices() const { return devices_; }

private:
  halo(MPI_Comm comm, ncclComm_t devices, numbered_nodes const& nodes) : mpi::halo(comm, nodes), devices_(devices) {}

  static void add_up(void const* self, double* sums, int count)
  {
    auto const of_host = static_cast<halo const*>(self)->mpi::halo::reduction();
    of_host.add_up(of_host.context, sums, count);
  }
  static void enqueue(void const* self, double* sums, int count, void* stream)
  {
    detail::check_nccl("ncclAllReduce", ncclAllReduce(sums, sums, static_cast<std::size_t>(count), ncclFloat64, ncclSum,
                                                      static_cast<halo const*>(self)->devices_,
                                                      static_cast<detail::nccl_stream>(stream)));
  }

  ncclComm_t devices_;
};

// An exchange on the backend's stream: messages go behind what was queued there before, and in front of what comes.
// Contributions are added in the order of processes.
template <class Scalar, class Backend>
class node_exchange {
public:
  node_exchange(halo const& nodes, Backend const& backend, int components, interleaving lie)
      : backend_(backend),
        devices_(nodes.devices()),
        components_(components),
        nodes_(nodes.nodes()),
        shared_(backend, nodes_.sent, nodes.owned(), components, lie, false),
        ghosts_(backend, nodes_.received, nodes.ghosts(), components, interleaving::fastest, false)
  {
    static_assert(std::is_convertible_v<decltype(backend.stream()), detail::nccl_stream>,
                  "sumfac::nccl: the backend's streams are not those of this NCCL or RCCL");
    detail::agree_on_counts(nodes.communicator(), "nccl::halo", shared_.size(), ghosts_.size());
  }
  node_exchange(node_exchange const&) = delete;
  node_exchange& operator=(node_exchange const&) = delete;

  void begin_update(Scalar const* x, Scalar*)
  {
    shared_.take(backend_, x);
    send(nodes_.sent, shared_, nodes_.received, ghosts_);
  }
  void end_update(Scalar const*, Scalar* ghosts) { ghosts_.put(backend_, ghosts); }
  void begin_add(Scalar const* ghosts, Scalar*)
  {
    ghosts_.take(backend_, ghosts);
    send(nodes_.received, ghosts_, nodes_.sent, shared_);
  }
  void end_add(Scalar const*, Scalar* y) { shared_.add(backend_, y); }
  void progress() {}

private:
  using packed_nodes = detail::packed_nodes<Scalar, Backend>;

  void send(detail::nodes_by_rank const& to, packed_nodes& sent, detail::nodes_by_rank const& from,
            packed_nodes& received)
  {
    if (to.ranks.empty() && from.ranks.empty()) return;
    using detail::check_nccl;
    check_nccl("ncclGroupStart", ncclGroupStart());
    detail::for_each_neighbor(from, components_, [&](int rank, index_t first, int count) {
      check_nccl("ncclRecv", ncclRecv(received.data() + first, static_cast<std::size_t>(count), type, rank, devices_,
                                      backend_.stream()));
    });
    detail::for_each_neighbor(to, components_, [&](int rank, index_t first, int count) {
      check_nccl("ncclSend", ncclSend(sent.data() + first, static_cast<std::size_t>(count), type, rank, devices_,
                                      backend_.stream()));
    });
    check_nccl("ncclGroupEnd", ncclGroupEnd());
  }

  static constexpr ncclDataType_t type = detail::nccl_type<Scalar>;

  Backend backend_;
  ncclComm_t devices_;
  int components_;
  detail::shared_nodes const& nodes_;
  packed_nodes shared_, ghosts_;
};

}  // namespace sumfac::nccl
