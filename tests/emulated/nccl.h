// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// NCCL's interface, as much of it as sumfac calls, for emulated devices of MPI's processes: what is queued on a stream
// is done by MPI when somebody waits for the stream.
#pragma once

#include <hip/hip_runtime.h>

#include <mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

enum ncclResult_t { ncclSuccess = 0, ncclInvalidArgument = 4, ncclInvalidUsage = 5 };
enum ncclDataType_t { ncclFloat32 = 7, ncclFloat64 = 8 };
enum ncclRedOp_t { ncclSum = 0 };
struct ncclUniqueId {
  char internal[128];
};
struct ncclComm {
  MPI_Comm comm;
};
using ncclComm_t = ncclComm*;

namespace emulated {

struct message {
  bool is_sent;
  void* data;
  int count, bytes, peer;
  MPI_Comm comm;
  hipStream_t on;
};

// Of the group that is open, and what was queued since the start.
struct nccl_state {
  int groups = 0, sums = 0, messages = 0;
  std::vector<message> open;
};
inline nccl_state& nccl()
{
  static nccl_state one;
  return one;
}

inline ncclResult_t add_message(message const& m)
{
  if (nccl().groups == 0) return ncclInvalidUsage;
  ++nccl().messages;
  nccl().open.push_back(m);
  return ncclSuccess;
}

}  // namespace emulated

inline char const* ncclGetErrorString(ncclResult_t result)
{
  return result == ncclInvalidUsage ? "invalid usage" : "invalid argument";
}
inline ncclResult_t ncclGetUniqueId(ncclUniqueId* id)
{
  id->internal[0] = 'x';
  return ncclSuccess;
}
inline ncclResult_t ncclCommInitRank(ncclComm_t* made, int processes, ncclUniqueId id, int rank)
{
  int count = 0, mine = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  MPI_Comm_rank(MPI_COMM_WORLD, &mine);
  if (id.internal[0] != 'x' || processes != count || rank != mine) return ncclInvalidArgument;
  *made = new ncclComm;
  MPI_Comm_dup(MPI_COMM_WORLD, &(*made)->comm);
  return ncclSuccess;
}
inline ncclResult_t ncclCommCount(ncclComm_t c, int* processes)
{
  MPI_Comm_size(c->comm, processes);
  return ncclSuccess;
}
inline ncclResult_t ncclCommUserRank(ncclComm_t c, int* rank)
{
  MPI_Comm_rank(c->comm, rank);
  return ncclSuccess;
}
inline ncclResult_t ncclCommDestroy(ncclComm_t c)
{
  MPI_Comm_free(&c->comm);
  delete c;
  return ncclSuccess;
}

inline ncclResult_t ncclAllReduce(void const* from, void* to, std::size_t count, ncclDataType_t type, ncclRedOp_t op,
                                  ncclComm_t c, hipStream_t s)
{
  std::lock_guard const held(emulated::here().lock);
  if (from != to || type != ncclFloat64 || op != ncclSum) return ncclInvalidArgument;
  ++emulated::nccl().sums;
  emulated::here().push(emulated::here().of(s), [=, comm = c->comm] {
    emulated::here().on_device(-1, [&] {
      MPI_Allreduce(MPI_IN_PLACE, to, static_cast<int>(count), MPI_DOUBLE, MPI_SUM, comm);
    });
  });
  return ncclSuccess;
}
inline ncclResult_t ncclSend(void const* data, std::size_t count, ncclDataType_t type, int peer, ncclComm_t c,
                             hipStream_t s)
{
  return emulated::add_message({true, const_cast<void*>(data), static_cast<int>(count), type == ncclFloat64 ? 8 : 4,
                                peer, c->comm, s});
}
inline ncclResult_t ncclRecv(void* data, std::size_t count, ncclDataType_t type, int peer, ncclComm_t c, hipStream_t s)
{
  return emulated::add_message({false, data, static_cast<int>(count), type == ncclFloat64 ? 8 : 4, peer, c->comm, s});
}
inline ncclResult_t ncclGroupStart()
{
  ++emulated::nccl().groups;
  return ncclSuccess;
}
// All messages of a group are under way at once.
inline ncclResult_t ncclGroupEnd()
{
  std::lock_guard const held(emulated::here().lock);
  if (--emulated::nccl().groups > 0) return ncclSuccess;
  auto const all = std::exchange(emulated::nccl().open, {});
  if (all.empty()) return ncclSuccess;
  emulated::here().push(emulated::here().of(all[0].on), [all] {
    emulated::here().on_device(-1, [&] {
      std::vector<MPI_Request> requests;
      for (auto const& m : all) {
        MPI_Request& next = requests.emplace_back();
        if (m.is_sent)
          MPI_Isend(m.data, m.count * m.bytes, MPI_BYTE, m.peer, 0, m.comm, &next);
        else
          MPI_Irecv(m.data, m.count * m.bytes, MPI_BYTE, m.peer, 0, m.comm, &next);
      }
      MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    });
  });
  return ncclSuccess;
}
