// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Heat conduction on a mesh from Gmsh, whose physical groups say each element's conductivity.
//
// usage: conduction MESH.msh GROUP=CONDUCTIVITY...
//
// The faces at the least and the greatest x have temperatures, all others let no heat through.

#include "../layered_conduction.hpp"
#include "number_nodes.hpp"
#include "read_mesh.hpp"
#include "solve.hpp"

#include <sumfac/sumfac.hpp>

#include <gmsh.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using conductivities = std::map<std::string, double>;  // by the name of the group

constexpr int degree = 3, n = degree + 1;
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

std::string list_of(std::set<std::string> const& names)
{
  std::string list;
  for (std::string const& name : names) list += (list.empty() ? "'" : ", '") + name + "'";
  return names.empty() ? "none" : list;
}

// Throws std::runtime_error unless the mesh has all groups that are given a conductivity.
void find_groups(hexahedral_mesh const& mesh, conductivities const& given)
{
  std::set<std::string> there;
  for (auto const& [volume, groups] : mesh.groups) there.insert(groups.begin(), groups.end());
  for (auto const& [name, k] : given)
    if (!there.contains(name))
      throw std::runtime_error("no hexahedron is in a physical group '" + name + "' (there are " +
                               std::to_string(there.size()) + " groups: " + list_of(there) + ")");
}

// Each volume's conductivity; throws std::runtime_error where it has none, or more than one.
std::map<int, double> by_volume(hexahedral_mesh const& mesh, conductivities const& given)
{
  std::map<int, double> table;
  for (auto const& [volume, groups] : mesh.groups) {
    std::set<std::string> found;
    for (auto const& [name, k] : given)
      if (groups.contains(name)) found.insert(name), table[volume] = k;
    if (found.size() == 1) continue;
    auto const here = std::count(mesh.volumes.begin(), mesh.volumes.end(), volume);
    throw std::runtime_error(std::to_string(here) + " of " + std::to_string(mesh.elements) + " hexahedra (volume " +
                             std::to_string(volume) + ") have " + std::to_string(found.size()) +
                             " conductivities instead of 1: their physical groups are " + list_of(groups) +
                             ", of which given are " + list_of(found));
  }
  return table;
}

// [table]
// By element: what is given for the physical group of its volume.
std::vector<double> by_element(hexahedral_mesh const& mesh, conductivities const& given)
{
  find_groups(mesh, given);
  auto const table = by_volume(mesh, given);
  std::vector<double> k;
  for (int const volume : mesh.volumes) k.push_back(table.at(volume));
  return k;
}
// [table]

struct temperatures {
  node_numbers numbers;
  std::vector<double> values;  // (nodes)
  double heat = 0;             // that passes
};

auto on(auto& data)
{
  return sumfac::view(data.data(), static_cast<sumfac::index_t>(data.size()));
}

std::vector<double> nodes_along_x(hexahedral_mesh const& mesh, node_numbers const& numbers)
{
  std::vector<double> x(static_cast<std::size_t>(numbers.nodes));
  sumfac::view const table(numbers.table.data(), mesh.elements, n, n, n);
  for_each_point<sumfac::gauss_lobatto<n>>(mesh, [&](sumfac::index_t e, int k, int j, int i, auto const& point) {
    x[static_cast<std::size_t>(table(e, k, j, i))] = point.position()[0];
  });
  return x;
}

temperatures solve(hexahedral_mesh const& mesh, std::vector<double> const& k)
{
  temperatures t{.numbers = number_nodes(mesh, degree), .values = {}};
  auto const x = nodes_along_x(mesh, t.numbers);
  auto const [least, greatest] = std::minmax_element(x.begin(), x.end());
  double const near = 1e-9 * (*greatest - *least);
  std::vector<unsigned char> warm, given;
  for (double const p : x) {
    warm.push_back(p - *least < near ? 1 : 0);
    given.push_back(warm.back() || *greatest - p < near ? 1 : 0);
    t.values.push_back(warm.back() ? inside : given.back() ? outside : 0);
  }

  sumfac::host const backend;
  sumfac::view const table(t.numbers.table.data(), mesh.elements, n, n, n);
  sumfac::restriction const all{backend, table, t.numbers.nodes};
  sumfac::restriction const free{backend, table, t.numbers.nodes, on(given)};
  // [operator]
  layered_conduction form;
  form.conductivity = sumfac::view(k.data(), mesh.elements);
  sumfac::element_operator<layered_conduction, degree> const A{backend, mesh.nodes(), form};
  // [operator]
  std::vector<double> b(x.size());
  A.apply(all, on(t.values), on(b));
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = given[i] ? t.values[i] : -b[i];
  auto const done = sumfac::cg(sumfac::global_operator{A, free}, on(b), on(t.values),
                               {.iterations = 10000, .tolerance = 1e-13});
  if (done.status != sumfac::solve_status::converged) throw std::runtime_error(done.report());
  A.apply(all, on(t.values), on(b));
  for (std::size_t i = 0; i < b.size(); ++i) t.heat += warm[i] ? b[i] : 0;
  return t;
}

// Of a group: how many elements it has, and the lowest and the highest temperature at their nodes.
void print(std::string const& group, double k, hexahedral_mesh const& mesh, temperatures const& t)
{
  long elements = 0;
  double lowest = HUGE_VAL, highest = -HUGE_VAL;
  auto node = t.numbers.table.begin();
  for (int const volume : mesh.volumes) {
    bool const here = mesh.groups.at(volume).contains(group);
    elements += here;
    for (int i = 0; i < n * n * n; ++i, ++node)
      if (here) {
        double const value = t.values[static_cast<std::size_t>(*node)];
        lowest = std::min(lowest, value);
        highest = std::max(highest, value);
      }
  }
  std::printf("%8ld  %12g  %14.9f  %14.9f  %s\n", elements, k, lowest, highest, group.c_str());
}

void run(int argc, char** argv)
{
  auto const given = read_conductivities(argc, argv);
  try {
    auto const mesh = read_mesh(argv[1]);
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
  gmsh::initialize();
  gmsh::option::setNumber("General.Terminal", 0);
  try {
    run(argc, argv);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "conduction: %s\n", error.what());
    status = 1;
  }
  gmsh::finalize();
  return status;
}
