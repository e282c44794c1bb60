// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Hexahedra of any order from a Gmsh file, in sumfac's order of nodes, and the physical groups that they are in.
#pragma once

#include "check_file.hpp"

#include <sumfac/config.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>
#include <sumfac/view/view.hpp>

#include <gmsh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

struct hexahedral_mesh {
  sumfac::index_t elements = 0;
  int nodes_1d = 0;                   // m = order + 1, at equal distances in the reference element
  std::vector<double> coordinates{};    // (E, m, m, m, 3): element; node along z, y, x; coordinate
  std::vector<std::size_t> vertices{};  // (E, 2, 2, 2): Gmsh's numbers of the corners, in the same order
  std::vector<int> volumes{};           // (E): Gmsh's number of the volume that the element lies in
  std::map<int, std::set<std::string>> groups{};  // of each of these volumes: names, or numbers where there is none

  // Where Gmsh places them comes with them.
  auto nodes() const
  {
    return sumfac::mesh_view(sumfac::view(coordinates.data(), elements, nodes_1d, nodes_1d, nodes_1d, 3),
                             sumfac::equispaced_nodes{});
  }
};

// Throws std::runtime_error, which says what is wrong, unless the file is a whole mesh of hexahedra of one type.
hexahedral_mesh read_mesh(std::string const& file);

namespace detail {

// Gmsh takes what it does not know for a script, some files that end early for whole, and some wrong numbers for places
// in its memory: so look at the file first.
inline void open_mesh(std::string const& file)
{
  gmsh::clear();
  mesh_check(file).run();
  gmsh::logger::start();
  try {
    gmsh::open(file);
  } catch (std::string const& message) {  // Gmsh 4.8; newer ones throw std::runtime_error
    throw std::runtime_error("Gmsh says: " + message);
  }
  std::vector<std::string> log;
  gmsh::logger::get(log);
  gmsh::logger::stop();
  for (std::string const& line : log)
    if (line.starts_with("Error") || line.starts_with("Warning")) throw std::runtime_error("Gmsh says: " + line);
}

struct element_type {
  int id = 0;
  int order = 0;
  std::vector<int> place{};  // of Gmsh's nodes in an element (m, m, m)
};

// Gmsh gives the place of each node in the reference element, from which follows its place in ours.
inline element_type hexahedron_of(int id)
{
  element_type type{.id = id};
  std::string name;
  int dim = 0, nodes = 0, corners = 0;
  std::vector<double> local;
  gmsh::model::mesh::getElementProperties(id, name, dim, type.order, nodes, local, corners);
  int const m = type.order + 1;
  if (!name.starts_with("Hexahedron") || nodes != m * m * m)
    throw std::runtime_error("it has cells of type " + name + ": only complete hexahedra fit (8, 27, 64, ... nodes)");
  auto const index = [&](int node, int d) {
    return static_cast<int>(std::lround((local[static_cast<std::size_t>(3 * node + d)] + 1) / 2 * type.order));
  };
  for (int node = 0; node < nodes; ++node)
    type.place.push_back((index(node, 2) * m + index(node, 1)) * m + index(node, 0));
  return type;
}

inline element_type only_type()
{
  std::vector<int> types;
  gmsh::model::mesh::getElementTypes(types, 3);
  if (types.empty()) throw std::runtime_error("it has no hexahedra, nor any other cell with a volume");
  for (int const id : types) hexahedron_of(id);
  if (types.size() > 1) throw std::runtime_error("its hexahedra are of several orders: mesh all of it with one");
  return hexahedron_of(types[0]);
}

// The physical groups of a volume.
inline std::set<std::string> groups_of(int volume)
{
  std::vector<int> numbers;
  gmsh::model::getPhysicalGroupsForEntity(3, volume, numbers);
  std::set<std::string> groups;
  for (int const number : numbers) {
    std::string name;
    gmsh::model::getPhysicalName(3, std::abs(number), name);
    groups.insert(name.empty() ? std::to_string(std::abs(number)) : name);
  }
  return groups;
}

// The nodes of all elements, one after the other; the mesh gets to know the volume of each.
inline std::vector<std::size_t> read_elements(int type, hexahedral_mesh& mesh)
{
  std::vector<std::size_t> all;
  std::vector<std::pair<int, int>> volumes;
  gmsh::model::getEntities(volumes, 3);
  for (auto const& [dim, volume] : volumes) {
    std::vector<std::size_t> elements, nodes;
    gmsh::model::mesh::getElementsByType(type, elements, nodes, volume);
    if (elements.empty()) continue;
    all.insert(all.end(), nodes.begin(), nodes.end());
    mesh.volumes.insert(mesh.volumes.end(), elements.size(), volume);
    mesh.groups[volume] = groups_of(volume);
  }
  mesh.elements = static_cast<sumfac::index_t>(mesh.volumes.size());
  return all;
}

// Format 2.2 has an element of two physical groups twice.
inline void refuse_copies(hexahedral_mesh const& mesh)
{
  std::set<std::array<std::size_t, 8>> known;
  for (std::size_t e = 0; e < mesh.volumes.size(); ++e) {
    std::array<std::size_t, 8> corners;
    std::copy_n(mesh.vertices.begin() + static_cast<std::ptrdiff_t>(8 * e), 8, corners.begin());
    std::sort(corners.begin(), corners.end());
    known.insert(corners);
  }
  if (known.size() < mesh.volumes.size())
    throw std::runtime_error("only " + std::to_string(known.size()) + " of its " +
                             std::to_string(mesh.volumes.size()) + " hexahedra have corners of their own: leave out "
                             "those that are there twice, as in format 2.2 those of two physical groups are; 4.1 has "
                             "them once (gmsh -format msh41)");
}

}  // namespace detail

inline hexahedral_mesh read_mesh(std::string const& file)
{
  detail::open_mesh(file);
  auto const type = detail::only_type();

  hexahedral_mesh mesh{.nodes_1d = type.order + 1};
  auto const element_nodes = detail::read_elements(type.id, mesh);
  std::vector<std::size_t> tags;
  std::vector<double> coordinates, unused;
  std::size_t largest = 0;
  gmsh::model::mesh::getNodes(tags, coordinates, unused);
  for (std::size_t const tag : tags) largest = tag > largest ? tag : largest;
  std::vector<std::size_t> entry(largest + 1);
  for (std::size_t i = 0; i < tags.size(); ++i) entry[tags[i]] = i;

  mesh.coordinates.resize(3 * element_nodes.size());
  std::size_t const nodes = type.place.size();
  std::vector<std::size_t> ordered(nodes);
  for (std::size_t e = 0; e < mesh.volumes.size(); ++e) {
    for (std::size_t a = 0; a < nodes; ++a) {
      auto const place = static_cast<std::size_t>(type.place[a]);
      ordered[place] = element_nodes[e * nodes + a];
      for (std::size_t d = 0; d < 3; ++d)
        mesh.coordinates[3 * (e * nodes + place) + d] = coordinates[3 * entry[ordered[place]] + d];
    }
    auto const m = static_cast<std::size_t>(mesh.nodes_1d);
    for (std::size_t corner = 0; corner < 8; ++corner)
      mesh.vertices.push_back(ordered[(m - 1) * ((corner / 4 * m + corner / 2 % 2) * m + corner % 2)]);
  }
  detail::refuse_copies(mesh);
  return mesh;
}
