// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Who shares which nodes: from each process' list of owners and numbers, what it sends to and receives from whom.
#pragma once

#include <sumfac/interop/detail/agree.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// Nodes by neighbour: those of ranks[k] are nodes[first[k]] .. nodes[first[k + 1] - 1]; ranks ascend.
struct nodes_by_rank {
  std::vector<int> ranks;
  std::vector<index_t> first{0};
  std::vector<index_t> nodes;

  void append(int rank, std::vector<index_t> const& list)
  {
    if (list.empty()) return;
    ranks.push_back(rank);
    nodes.insert(nodes.end(), list.begin(), list.end());
    first.push_back(static_cast<index_t>(nodes.size()));
  }
};

// A list of numbers for each process, empty.
inline std::vector<std::vector<std::int64_t>> lists_for_all(MPI_Comm comm)
{
  return std::vector<std::vector<std::int64_t>>(static_cast<std::size_t>(processes_in(comm)));
}

// Numbers for each process from each other one.
inline std::vector<std::vector<std::int64_t>> exchange_lists(MPI_Comm comm,
                                                             std::vector<std::vector<std::int64_t>> const& to)
{
  auto const processes = to.size();
  std::vector<int> out(processes), in(processes), out_at(processes + 1, 0), in_at(processes + 1, 0);
  std::vector<std::int64_t> sent;
  for (std::size_t p = 0; p < processes; ++p) {
    out[p] = static_cast<int>(to[p].size());
    out_at[p + 1] = out_at[p] + out[p];
    sent.insert(sent.end(), to[p].begin(), to[p].end());
  }
  MPI_Alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, comm);
  for (std::size_t p = 0; p < processes; ++p) in_at[p + 1] = in_at[p] + in[p];
  std::vector<std::int64_t> got(static_cast<std::size_t>(in_at[processes]));
  MPI_Alltoallv(sent.data(), out.data(), out_at.data(), MPI_INT64_T, got.data(), in.data(), in_at.data(), MPI_INT64_T,
                comm);
  std::vector<std::vector<std::int64_t>> from(processes);
  for (std::size_t p = 0; p < processes; ++p) from[p].assign(got.begin() + in_at[p], got.begin() + in_at[p + 1]);
  return from;
}

// A process' nodes: owner and number in the whole mesh of each, the owned ones first.
class shared_nodes {
public:
  template <class Owners, class Numbers>
  shared_nodes(MPI_Comm comm, Owners const& owner, Numbers const& number)
      : comm_(comm), rank_(rank_in(comm)), processes_(processes_in(comm))
  {
    read(owner, number);
    agree();
    find_shared();
    agree();
    find_owned_twice();
    agree();
  }

  index_t owned() const { return static_cast<index_t>(own_.size()); }
  index_t ghosts() const { return static_cast<index_t>(ghost_.size()); }

  int owner(index_t node) const
  {
    return node < owned() ? rank_ : static_cast<int>(ghost_[static_cast<std::size_t>(node - owned())].second);
  }
  std::int64_t number(index_t node) const
  {
    return node < owned() ? number_[static_cast<std::size_t>(node)]
                          : ghost_[static_cast<std::size_t>(node - owned())].first;
  }

  nodes_by_rank sent;      // owned nodes, to processes that have them as ghosts
  nodes_by_rank received;  // ghosts, counted from 0

private:
  using numbered = std::pair<std::int64_t, index_t>;  // a number, and the node or process that has it

  void agree() const { agree_on(comm_, "mpi::halo", problem_); }

  template <class Owners, class Numbers>
  void read(Owners const& owner, Numbers const& number)
  {
    auto const printed = [](auto i) { return static_cast<long long>(i); };
    if (owner.extent(0) != number.extent(0))
      return problem_.say(
          "owners and numbers differ in length (%lld owners, %lld numbers): pass one of each for every node",
          printed(owner.extent(0)), printed(number.extent(0)));
    for (index_t i = 0; i < owner.extent(0); ++i) {
      auto const of = static_cast<index_t>(owner(i));
      if (of < 0 || of >= processes_)
        return problem_.say("node %lld has an owner that is no process (%lld, 0 to %d expected)", printed(i),
                            printed(of), processes_ - 1);
      if (of == rank_ && !ghost_.empty())
        return problem_.say("node %lld is owned, but stands behind a ghost (node %lld): number owned nodes first",
                            printed(i), printed(owned()));
      if (of == rank_)
        own_.emplace_back(static_cast<std::int64_t>(number(i)), i);
      else
        ghost_.emplace_back(static_cast<std::int64_t>(number(i)), of);
    }
    refuse_twice(own_);
    refuse_twice(ghost_);
    for (auto const& [of_mesh, node] : own_) number_.push_back(of_mesh);
    std::sort(own_.begin(), own_.end());
  }

  // A number that two nodes of this process have.
  void refuse_twice(std::vector<numbered> list)
  {
    std::sort(list.begin(), list.end());
    for (std::size_t i = 1; i < list.size(); ++i)
      if (list[i].first == list[i - 1].first)
        problem_.say("two nodes have the number %lld (of %lld nodes): numbers are those of the whole mesh, each once",
                     static_cast<long long>(list[i].first), static_cast<long long>(owned() + ghosts()));
  }

  // Asks owners for their node of each ghost's number.
  void find_shared()
  {
    auto wanted = lists_for_all(comm_);
    std::vector<std::vector<index_t>> ghosts_of(wanted.size());
    for (std::size_t g = 0; g < ghost_.size(); ++g) {
      auto const owner = static_cast<std::size_t>(ghost_[g].second);
      wanted[owner].push_back(ghost_[g].first);
      ghosts_of[owner].push_back(static_cast<index_t>(g));
    }
    auto const asked = exchange_lists(comm_, wanted);
    for (int p = 0; p < processes_; ++p) {
      received.append(p, ghosts_of[static_cast<std::size_t>(p)]);
      std::vector<index_t> mine;
      for (std::int64_t const number : asked[static_cast<std::size_t>(p)]) {
        auto const found = std::lower_bound(own_.begin(), own_.end(), numbered{number, 0});
        if (found == own_.end() || found->first != number)
          return problem_.say(
              "process %d has node %lld from here, which is not among the %lld nodes owned here: the partitions "
              "do not match",
              p, static_cast<long long>(number), static_cast<long long>(owned()));
        mine.push_back(found->second);
      }
      sent.append(p, mine);
    }
  }

  // A number that two processes own: each number is looked after by one process.
  void find_owned_twice()
  {
    auto told = lists_for_all(comm_);
    for (auto const& [number, node] : own_)
      told[static_cast<std::uint64_t>(number) % static_cast<std::uint64_t>(processes_)].push_back(number);
    auto const heard = exchange_lists(comm_, told);
    std::vector<numbered> all;
    for (std::size_t p = 0; p < heard.size(); ++p)
      for (std::int64_t const number : heard[p]) all.emplace_back(number, static_cast<index_t>(p));
    std::sort(all.begin(), all.end());
    for (std::size_t i = 1; i < all.size(); ++i)
      if (all[i].first == all[i - 1].first)
        return problem_.say("node %lld is owned by process %lld and by process %lld: the partitions do not match",
                            static_cast<long long>(all[i].first), static_cast<long long>(all[i - 1].second),
                            static_cast<long long>(all[i].second));
  }

  MPI_Comm comm_;
  int rank_, processes_;
  std::vector<numbered> own_, ghost_;  // sorted; as they came
  std::vector<std::int64_t> number_;   // of owned nodes
  first_problem problem_;
};

}  // namespace sumfac::detail
