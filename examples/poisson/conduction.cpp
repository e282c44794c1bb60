// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Heat conduction on a mesh from Gmsh, whose physical groups say each element's conductivity.
//
// usage: conduction MESH.msh GROUP=CONDUCTIVITY...
//
// The faces at the least and the greatest x have temperatures, all others let no heat through.

#include "../layered_conduction.hpp"

#include <sumfac/interop/gmsh.hpp>
#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using conductivities = std::map<std::string, double>;  // by the name of the group

constexpr int degree = 3;
constexpr double inside = 20, outside = -10;  // the temperatures

conductivities read_conductivities(int argc, char** argv)
{
  if (argc < 3) throw std::runtime_error("usage: conduction MESH.msh GROUP=CONDUCTIVITY...");
  conductivities given;
  for (int i = 2; i < argc; ++i) {
    std::string const word = argv[i];
    std::size_t const sign = word.rfind('=');
    char* end = nullptr;
    double const k = sign == std::string::npos ? 0 : std::strtod(word.c_str() + sign + 1, &end);
    if (!(k > 0) || std::isinf(k) || *end != 0)
      throw std::runtime_error("'" + word + "' is not GROUP=CONDUCTIVITY, with a finite number above 0");
    auto const [entry, added] = given.try_emplace(word.substr(0, sign), k);
    if (!added)
      throw std::runtime_error("'" + entry->first + "' has two conductivities (" + std::to_string(entry->second) +
                               " and " + std::to_string(k) + ")");
  }
  return given;
}

// [table]
// By element: what is given for its physical group. Throws where it has none, or more than one.
std::vector<double> by_element(sumfac::mesh<3> const& mesh, conductivities const& given)
{
  std::vector<double> k(static_cast<std::size_t>(mesh.elements()));
  for (auto const& [group, conductivity] : given)
    for (auto const e : mesh.elements(group)) {
      if (k[static_cast<std::size_t>(e)] != 0)
        throw std::runtime_error("element " + std::to_string(e) + " has 2 conductivities instead of 1, the last of '" +
                                 group + "'");
      k[static_cast<std::size_t>(e)] = conductivity;
    }
  auto const none = std::count(k.begin(), k.end(), 0.0);
  if (none > 0)
    throw std::runtime_error(std::to_string(none) + " of " + std::to_string(mesh.elements()) +
                             " elements have no conductivity: name one for each group");
  return k;
}
// [table]

struct temperatures {
  sumfac::function_space<3> V;
  std::vector<double> values{};  // (nodes)
  double heat = 0;               // that passes
};

temperatures solve(sumfac::mesh<3> const& mesh, std::vector<double> const& k)
{
  double least = HUGE_VAL, greatest = -HUGE_VAL;
  for (sumfac::index_t i = 0; i < mesh.size(); i += 3)
    least = std::min(least, mesh.data()[i]), greatest = std::max(greatest, mesh.data()[i]);
  double const near = 1e-9 * (greatest - least);
  auto const warm = [&](auto const& x) { return x[0] - least < near; };
  auto const cold = [&](auto const& x) { return greatest - x[0] < near; };
  temperatures t{.V = {mesh, degree, {mesh.boundary(warm), mesh.boundary(cold)}}};

  sumfac::host const backend;
  // [operator]
  layered_conduction form;
  form.conductivity = sumfac::view(k.data(), mesh.elements());
  sumfac::element_operator<layered_conduction, degree> const A{backend, mesh, form};
  // [operator]
  auto const R = t.V.restriction(backend), all = t.V.unconstrained(backend);
  std::vector<double> b(static_cast<std::size_t>(t.V.size()));
  t.values = t.V.lift(A, [&](auto const& x) { return warm(x) ? inside : outside; }, b);
  auto const done = sumfac::cg(sumfac::global_operator{A, R}, b, t.values, sumfac::no_preconditioner{},
                               {.iterations = 10000, .tolerance = 1e-13});
  if (done.status != sumfac::solve_status::converged) throw std::runtime_error(done.report());
  A.apply(all, t.values, b);
  auto const is_warm = t.V.values(warm);
  for (std::size_t i = 0; i < b.size(); ++i) t.heat += is_warm[i] * b[i];
  return t;
}

// Of a group: how many elements it has, and the lowest and the highest temperature at their nodes.
void print(std::string const& group, double k, sumfac::mesh<3> const& mesh, temperatures const& t)
{
  double lowest = HUGE_VAL, highest = -HUGE_VAL;
  auto const& elements = mesh.elements(group);
  for (auto const e : elements)
    for (int z = 0; z <= degree; ++z)
      for (int y = 0; y <= degree; ++y)
        for (int x = 0; x <= degree; ++x) {
          double const value = t.values[static_cast<std::size_t>(t.V.table()(e, z, y, x))];
          lowest = std::min(lowest, value), highest = std::max(highest, value);
        }
  std::printf("%8zu  %12g  %14.9f  %14.9f  %s\n", elements.size(), k, lowest, highest, group.c_str());
}

void run(int argc, char** argv)
{
  auto const given = read_conductivities(argc, argv);
  try {
    auto const mesh = sumfac::gmsh::read(argv[1]);
    auto const t = solve(mesh, by_element(mesh, given));
    std::printf("elements  conductivity          lowest         highest  group\n");
    for (auto const& [group, k] : given) print(group, k, mesh, t);
    std::printf("heat that passes: %.9f\n", t.heat);
  } catch (std::exception const& error) {
    throw std::runtime_error(argv[1] + std::string(": ") + error.what());
  }
}

}  // namespace

int main(int argc, char** argv)
{
  int status = 0;
  try {
    run(argc, argv);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "conduction: %s\n", error.what());
    status = 1;
  }
  return status;
}
