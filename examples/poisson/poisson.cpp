// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's problem on hexahedra from Gmsh files by conjugate gradients, preconditioned by Jacobi and by multigrid:
// iterations, seconds, and the errors and observed orders of degrees 1 to 8, or as POISSON_DEGREES has them.
//
// usage: poisson [-degree N] [-o SOLUTION.vtu] MESH.msh...
//
// Solves on each mesh, the coarsest first, and writes the last solution. Orders are those from mesh to mesh; seconds
// are those of a solve and its set-up. Degree 1 has no lower degrees for multigrid.

#include "solve.hpp"

#include <sumfac/interop/gmsh.hpp>
#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#if !defined(POISSON_DEGREES)  // each has its own kernels, solvers and levels
#define POISSON_DEGREES 1, 2, 3, 4, 5, 6, 7, 8
#endif

namespace {

struct arguments {
  int first_degree = std::min({POISSON_DEGREES}), last_degree = std::max({POISSON_DEGREES});
  std::string vtu;
  std::vector<std::string> meshes;
};

arguments read_arguments(int argc, char** argv)
{
  arguments a;
  for (int i = 1; i < argc; ++i) {
    std::string const word = argv[i];
    bool const option = word == "-degree" || word == "-o";
    if (option && i + 1 == argc) throw std::runtime_error(word + ": a value is missing");
    if (word == "-degree")
      a.first_degree = a.last_degree = std::atoi(argv[++i]);
    else if (word == "-o")
      a.vtu = argv[++i];
    else
      a.meshes.push_back(word);
  }
  if (a.meshes.empty()) throw std::runtime_error("usage: poisson [-degree N] [-o SOLUTION.vtu] MESH.msh...");
  return a;
}

// Reads all meshes, and looks at every element before anything is solved.
std::vector<sumfac::mesh<3>> read_meshes(std::vector<std::string> const& files)
{
  std::vector<sumfac::mesh<3>> meshes;
  for (std::string const& file : files) {
    meshes.push_back(sumfac::gmsh::read(file));
    sumfac::function_space{meshes.back(), 7}.integral([](auto const&) { return 1; });
  }
  return meshes;
}

solution solve_on(sumfac::mesh<3> const& mesh, int degree)
{
  using degrees = sumfac::orders<POISSON_DEGREES>;
  auto s = sumfac::dispatch_order<degrees>(degree, [&]<int Degree> { return solve_poisson<Degree>(mesh); });
  if (!s.by_jacobi.result) throw std::runtime_error(s.by_jacobi.result.report());
  if (degree > 1 && !s.by_multigrid.result) throw std::runtime_error(s.by_multigrid.result.report());
  return s;
}

// Iterations, and seconds with the solver's set-up.
void print(timed_solve const& solve)
{
  std::printf("  %10lld  %8.4f", static_cast<long long>(solve.result.iterations), solve.seconds);
}

// One line of the table; `before` is the same of the next coarser mesh, if there is one.
void print(sumfac::mesh<3> const& mesh, solution const& s, sumfac::mesh<3> const* coarser, double error_before)
{
  std::printf("%6d  %8lld  %9lld", s.V->degree(), static_cast<long long>(mesh.elements()),
              static_cast<long long>(s.V->nodes()));
  print(s.by_jacobi);
  if (s.V->degree() > 1)
    print(s.by_multigrid);
  else
    std::printf("  %10s  %8s", "-", "-");
  std::printf("  %11.3e", s.error);
  if (coarser) {
    double const ratio = std::cbrt(static_cast<double>(mesh.elements()) / static_cast<double>(coarser->elements()));
    std::printf("  %5.2f", std::log(error_before / s.error) / std::log(ratio));
  }
  std::printf("\n");
}

void run(arguments const& a)
{
  auto const meshes = read_meshes(a.meshes);
  std::printf("                                       Jacobi             multigrid\n"
              "degree  elements      nodes  iterations   seconds  iterations   seconds     L2 error  order\n");
  solution last;
  for (int degree = a.first_degree; degree <= a.last_degree; ++degree) {
    sumfac::mesh<3> const* coarser = nullptr;
    for (sumfac::mesh<3> const& mesh : meshes) {
      double const error_before = last.error;
      last = solve_on(mesh, degree);
      print(mesh, last, coarser, error_before);
      coarser = &mesh;
    }
  }
  if (!a.vtu.empty()) sumfac::write_vtu(a.vtu, *last.V, {{"u", last.values}});
}

}  // namespace

int main(int argc, char** argv)
{
  int status = 0;
  try {
    run(read_arguments(argc, argv));
  } catch (std::exception const& error) {
    std::fprintf(stderr, "poisson: %s\n", error.what());
    status = 1;
  }
  return status;
}
