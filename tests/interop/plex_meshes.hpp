// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes of PETSc's whose cells are turned at random, shared out in several ways, and what is known of their nodes.
#pragma once

#include "petsc_processes.hpp"

#include <sumfac/basis/quadrature.hpp>
#include <sumfac/interop/petsc_discretization.hpp>

#include <support/random.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace plex {

using place = std::array<double, 3>;

// A DM that is destroyed in the end.
class mesh {
public:
  explicit mesh(DM dm) : dm_(dm) {}
  mesh(mesh&& other) : dm_(std::exchange(other.dm_, nullptr)) {}
  mesh& operator=(mesh&& other)
  {
    std::swap(dm_, other.dm_);
    return *this;
  }
  ~mesh() { DMDestroy(&dm_); }
  operator DM() const { return dm_; }

private:
  DM dm_;
};

// A brick of unit cubes, or of squares where `z` is 0, which a function puts elsewhere.
struct brick {
  int x, y, z;
  place (*put)(place const&) = [](place const& at) { return at; };

  int directions() const { return z > 0 ? 3 : 2; }
  int cells() const { return x * y * (z > 0 ? z : 1); }
  int vertices() const { return (x + 1) * (y + 1) * (z + 1); }
  place corner(int e) const { return {double(e % x), double(e / x % y), double(e / x / y)}; }
  // Euler's formula: vertices, edges, faces and cells, with those nodes of degree N that each has inside.
  std::int64_t nodes(int degree) const
  {
    std::int64_t const inside = degree - 1, a = x, b = y, c = z;
    std::int64_t const v = (a + 1) * (b + 1) * (c + 1);
    std::int64_t const e = a * (b + 1) * (c + 1) + (a + 1) * b * (c + 1) + (a + 1) * (b + 1) * c;
    std::int64_t const f = a * b * (c + 1) + a * (b + 1) * c + (a + 1) * b * c;
    return v + e * inside + f * inside * inside + a * b * c * inside * inside * inside;
  }
};

// Every way in which a cell may lie that leaves its volume positive: 24 of a cube, 4 of a square.
struct turn {
  int axis[3] = {0, 1, 2}, flip[3] = {0, 0, 0};

  turn(int directions, std::uint64_t random)
  {
    for (int d = directions - 1; d > 0; --d) std::swap(axis[d], axis[random / 8 % std::uint64_t(d + 1)]);
    for (int d = 0; d < directions; ++d) flip[d] = int(random >> d & 1);
    int odd = flip[0] + flip[1] + flip[2];
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < a; ++b) odd += axis[b] > axis[a];
    if (odd % 2 == 1) flip[0] = 1 - flip[0];
  }
  // From the cell's own coordinates, 0 to 1, to those of the brick.
  place operator()(place const& own) const
  {
    place there{};
    for (std::size_t d = 0; d < 3; ++d) {
      double const x = own[std::size_t(axis[d])];
      there[d] = flip[d] != 0 ? 1 - x : x;
    }
    return there;
  }
};

inline turn turn_of(brick const& b, int e)
{
  support::generator next(std::uint64_t(e) + 1);
  return {b.directions(), next.bits() >> 9};
}

// The corners in PETSc's order: https://petsc.org/release/manual/dmplex, and so in a mesh from a list of cells.
constexpr double corners[8][3] = {{0, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0},
                                  {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
constexpr double square[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};

// All cells on the first process, in `coordinates` coordinates, and a vertex that no cell has.
inline mesh turned(MPI_Comm comm, brick const& b, int coordinates)
{
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  std::vector<PetscInt> cells;
  std::vector<PetscReal> x;
  int const count = b.directions() == 3 ? 8 : 4;
  for (int e = 0; rank == 0 && e < b.cells(); ++e)
    for (int c = 0; c < count; ++c) {
      auto const& own = count == 8 ? corners[c] : square[c];
      place const p = turn_of(b, e)({own[0], own[1], own[2]}), at = b.corner(e);
      cells.push_back(PetscInt(at[0] + p[0] + (b.x + 1) * (at[1] + p[1] + (b.y + 1) * (at[2] + p[2]))));
    }
  for (int v = 0; rank == 0 && v < b.vertices(); ++v) {
    int const nx = b.x + 1, ny = b.y + 1;
    place const p = b.put({double(v % nx), double(v / nx % ny), double(v / nx / ny)});
    x.insert(x.end(), p.begin(), p.begin() + coordinates);
  }
  if (rank == 0) x.insert(x.end(), static_cast<std::size_t>(coordinates), -1);
  DM dm = nullptr;
  ok(DMPlexCreateFromCellListPetsc(comm, b.directions(), PetscInt(cells.size()) / count,
                                   PetscInt(x.size()) / coordinates, count, PETSC_TRUE, cells.data(), coordinates,
                                   x.data(), &dm));
  return mesh(dm);
}

// How cells are shared out: by PETSc's partitioner, with a layer of others' cells, or by the test.
enum class way { partitioner, overlap, scattered, last_empty, first_all };
constexpr way ways[] = {way::partitioner, way::overlap, way::scattered, way::last_empty, way::first_all};

inline mesh shared_out(mesh m, way how)
{
  MPI_Comm const comm = PetscObjectComm(reinterpret_cast<PetscObject>(DM(m)));
  int processes = 1;
  MPI_Comm_size(comm, &processes);
  std::vector<std::vector<PetscInt>> of(static_cast<std::size_t>(processes));
  if (how != way::partitioner && how != way::overlap) {
    PetscInt first = 0, last = 0;
    ok(DMPlexGetHeightStratum(m, 0, &first, &last));
    for (PetscInt cell = first; cell < last; ++cell) {
      int const some = how == way::last_empty && processes > 1 ? processes - 1 : processes;
      auto const scattered = int((std::uint64_t(cell) * 2654435761u >> 7) % std::uint64_t(processes));
      int const p = how == way::first_all ? 0 : how == way::scattered ? scattered : int(cell * some / (last - first));
      of[std::size_t(p)].push_back(cell);
    }
    std::vector<PetscInt> sizes, points;
    for (auto const& list : of) {
      sizes.push_back(PetscInt(list.size()));
      points.insert(points.end(), list.begin(), list.end());
    }
    PetscPartitioner partitioner = nullptr;
    ok(DMPlexGetPartitioner(m, &partitioner));
    ok(PetscPartitionerSetType(partitioner, PETSCPARTITIONERSHELL));
    ok(PetscPartitionerShellSetPartition(partitioner, processes, sizes.data(), points.data()));
  }
  DM result = nullptr;
  ok(DMPlexDistribute(m, how == way::overlap ? 1 : 0, nullptr, &result));
  return result == nullptr ? std::move(m) : mesh(result);
}

// What all processes have, one after the other.
inline std::vector<double> gathered(std::vector<double> const& mine)
{
  int processes = 1, size = int(mine.size());
  MPI_Comm_size(PETSC_COMM_WORLD, &processes);
  std::vector<int> sizes(static_cast<std::size_t>(processes)), first(sizes.size() + 1, 0);
  MPI_Allgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, PETSC_COMM_WORLD);
  for (std::size_t p = 0; p < sizes.size(); ++p) first[p + 1] = first[p] + sizes[p];
  std::vector<double> all(static_cast<std::size_t>(first.back()));
  MPI_Allgatherv(mine.data(), size, MPI_DOUBLE, all.data(), sizes.data(), first.data(), MPI_DOUBLE, PETSC_COMM_WORLD);
  return all;
}
inline double sum(double mine)
{
  double all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, PETSC_COMM_WORLD);
  return all;
}
// A place as a name: nodes of the test's meshes are farther apart, and roundings closer together.
using place_name = std::array<std::int64_t, 3>;
inline place_name name_of(double const* x, int coordinates)
{
  place_name name{};
  for (int c = 0; c < coordinates; ++c) name[std::size_t(c)] = std::llround((x[c] + 0.123456789) * 1e7);
  return name;
}

// The product of Lagrange's polynomials of a node (i, j, k) of the mesh at a point, by their definition.
inline double lagrange(std::vector<double> const& nodes, std::size_t i, double x)
{
  double product = 1;
  for (std::size_t k = 0; k < nodes.size(); ++k)
    if (k != i) product *= (x - nodes[k]) / (nodes[i] - nodes[k]);
  return product;
}
inline std::vector<double> gauss_lobatto(int n)
{
  long double nodes[32], weights[32];
  sumfac::make_gauss_lobatto(n, nodes, weights);
  return {nodes, nodes + n};
}

}  // namespace plex
