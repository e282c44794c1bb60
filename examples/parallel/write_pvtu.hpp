// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A function in parts as files of VTK for ParaView: of each process a .vtu, and a .pvtu that names them all.
#pragma once

#include "../write_vtu.hpp"

#include <mpi.h>

#include <stdexcept>
#include <string>

// Writes NAME_0.vtu, NAME_1.vtu, ... and, where all of these are there, NAME.pvtu. Called by all processes, each with
// its elements and their nodes, those that it shares among them; where one cannot write, all throw.
void write_pvtu(MPI_Comm comm, std::string const& name, nodal_values const& mine);

namespace detail {

// A piece lies beside the file that names it.
inline std::string piece_source(std::string const& name, int rank)
{
  std::string source;
  for (char const c : name.substr(name.find_last_of('/') + 1))
    source += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '"' ? "&quot;" : std::string(1, c);
  return source + "_" + std::to_string(rank) + ".vtu";
}

inline std::string pvtu_text(std::string const& name, int processes)
{
  std::string text = vtk_head("PUnstructuredGrid");
  text += "<PPointData Scalars=\"u\">\n<PDataArray Name=\"u\" type=\"Float64\"/>\n</PPointData>\n";
  text += "<PPoints>\n<PDataArray Name=\"points\" type=\"Float64\" NumberOfComponents=\"3\"/>\n</PPoints>\n";
  for (int rank = 0; rank < processes; ++rank) text += "<Piece Source=\"" + piece_source(name, rank) + "\"/>\n";
  return text + "</PUnstructuredGrid>\n</VTKFile>\n";
}

// Calls f, which one process or all have something to do in, and throws on all where one of them throws.
template <class Function>
void agreed(MPI_Comm comm, std::string const& file, Function const& f)
{
  std::string problem;
  try {
    f();
  } catch (std::exception const& error) {
    problem = error.what();
  }
  int failed = problem.empty() ? 0 : 1;
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, comm);
  if (!problem.empty()) throw std::runtime_error(problem);
  if (failed != 0) throw std::runtime_error(file + ": another process cannot write its file");
}

}  // namespace detail

inline void write_pvtu(MPI_Comm comm, std::string const& name, nodal_values const& mine)
{
  int rank = 0, processes = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &processes);
  std::string const all = name + ".pvtu";
  detail::agreed(comm, all, [&] { write_vtu(name + "_" + std::to_string(rank) + ".vtu", mine); });
  detail::agreed(comm, all, [&] {
    if (rank == 0) detail::write_whole(all, detail::pvtu_text(name, processes));
  });
}
