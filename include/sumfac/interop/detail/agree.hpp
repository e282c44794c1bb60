// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What MPI asks of all processes at once: an error that one of them found, and sums.
#pragma once

#include <sumfac/dofs/halo.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// MPI's name of a type of numbers.
template <class Number>
MPI_Datatype mpi_type()
{
  constexpr bool counts = std::is_same_v<Number, std::int64_t>, is_int = std::is_same_v<Number, int>;
  constexpr bool is_double = std::is_same_v<Number, double>;
  static_assert(counts || is_int || is_double || std::is_same_v<Number, float>,
                "mpi_type is of double, float, int and std::int64_t");
  return counts ? MPI_INT64_T : is_int ? MPI_INT : is_double ? MPI_DOUBLE : MPI_FLOAT;
}

// Whether MPI is there: from MPI_Init to MPI_Finalize.
inline bool is_mpi_started()
{
  int started = 0;
  MPI_Initialized(&started);
  return started != 0;
}
inline bool is_mpi_ended()
{
  int ended = 0;
  MPI_Finalized(&ended);
  return ended != 0;
}

// This process among those of a communicator, and how many they are.
inline int rank_in(MPI_Comm comm)
{
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}
inline int processes_in(MPI_Comm comm)
{
  int count = 1;
  MPI_Comm_size(comm, &count);
  return count;
}

// Numbers of all processes in place of this one's, in calls of as many as an int counts.
template <class Number>
void combine_all(MPI_Comm comm, MPI_Op how, Number* numbers, std::size_t count)
{
  constexpr std::size_t most = std::size_t{1} << 30;
  for (std::size_t i = 0; i < count; i += most)
    MPI_Allreduce(MPI_IN_PLACE, numbers + i, static_cast<int>(count - i < most ? count - i : most), mpi_type<Number>(),
                  how, comm);
}
inline std::int64_t sum_of_all(MPI_Comm comm, std::int64_t number)
{
  combine_all(comm, MPI_SUM, &number, 1);
  return number;
}

// What all processes throw at once.
struct agreed_error : argument_error {
  using argument_error::argument_error;
};

// Throws on all processes the problem of the lowest rank that has one.
inline void agree_on(MPI_Comm comm, char const* where, char const* problem)
{
  constexpr int none = std::numeric_limits<int>::max SUMFAC_NO_MACRO();
  int const rank = rank_in(comm);
  int first = none;
  int const mine = problem != nullptr && problem[0] != 0 ? rank : none;
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm);
  if (first == none) return;
  char text[640] = "";
  if (rank == first) std::snprintf(text, sizeof text, "process %d: %.600s", rank, problem);
  MPI_Bcast(text, sizeof text, MPI_CHAR, first, comm);
  throw_text<agreed_error>("sumfac::%s: %s", where, text);
}

// Of how many entries a process sends or receives at once, which neighbours count by int.
inline void agree_on_counts(MPI_Comm comm, char const* where, index_t shared, index_t ghosts)
{
  constexpr index_t most = std::numeric_limits<int>::max SUMFAC_NO_MACRO();
  first_problem text;
  if (shared > most || ghosts > most)
    text.say("too many entries are exchanged (%lld, at most %lld expected)", static_cast<long long>(shared + ghosts),
             static_cast<long long>(most));
  agree_on(comm, where, text);
}

// Writes what ended one process, and ends all.
[[noreturn]] inline void end_all(char const* problem)
{
  std::fprintf(stderr, "process %d of %d: %s\n", rank_in(MPI_COMM_WORLD), processes_in(MPI_COMM_WORLD), problem);
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

inline void sum_over(void const* comm, double* sums, int count)
{
  combine_all(*static_cast<MPI_Comm const*>(comm), MPI_SUM, sums, static_cast<std::size_t>(count));
}
// `comm` must live as long as the reduction.
inline reduction reduction_over(MPI_Comm const& comm) { return {sum_over, &comm}; }

}  // namespace sumfac::detail
