// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Functions on a mesh as a file for ParaView and others that read VTK's, of their own degree: curves stay curves.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/dofs/mixed_space.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <type_traits>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

// A global vector of a function space, or a number for each element of its mesh, with the name that the file has.
struct vtu_field {
  std::string name;
  vector_argument<double const> values;
};

// Writes FILE.vtu: elements as Lagrange cells of the space's degree, of at most 10, of simplices and prisms, and
// where there are such beside others, 2, with fields at their nodes. Vectors of two components get a third one, 0. A
// file is whole or not there.
//
// **Errors** argument_error: fields of another size, or that have one name; a file that cannot be written.
// **Source** VTK's file formats, version 2.2, XML with appended raw data.
template <int Directions, int Coordinates, cell_shape Shape>
void write_vtu(std::string const& file, function_space<Directions, Coordinates, Shape> const& functions,
               std::initializer_list<vtu_field> fields = {});
// The same of a list that the run makes.
template <int Directions, int Coordinates, cell_shape Shape, std::same_as<std::vector<vtu_field>> Fields>
void write_vtu(std::string const& file, function_space<Directions, Coordinates, Shape> const& functions,
               Fields const& fields);
// The same with one field, of the name u.
template <int Directions, int Coordinates, cell_shape Shape>
void write_vtu(std::string const& file, function_space<Directions, Coordinates, Shape> const& functions,
               vector_argument<double const> u)
{
  write_vtu(file, functions, {{"u", u}});
}

namespace detail {

// Number of the node (i, j, k) in VTK's Lagrange cell of so many directions.
constexpr int vtk_number(int directions, int order, int i, int j, int k)
{
  int const within = order - 1, quad = within * within;
  bool const ends[] = {i == 0 || i == order, j == 0 || j == order, k == 0 || k == order};
  bool const x = i > 0, y = j > 0, z = k > 0;
  if (directions == 1) return ends[0] ? (x ? 1 : 0) : 1 + i;
  bool const solid = directions == 3;
  int const corners = solid ? 8 : 4, around = (x ? (y ? 2 : 1) : (y ? 3 : 0));
  int const above = (solid && z) ? 4 : 0, ring = above * within;
  if (ends[0] && ends[1] && (ends[2] || !solid)) return around + above;
  if (!ends[0] && ends[1] && (ends[2] || !solid)) return corners + ring + (y ? 2 * within : 0) + i - 1;
  if (ends[0] && !ends[1] && (ends[2] || !solid)) return corners + ring + (x ? within : 3 * within) + j - 1;
  if (!solid) return corners + 4 * within + within * (j - 1) + i - 1;
  if (ends[0] && ends[1]) return corners + 8 * within + around * within + k - 1;
  int const faces = corners + 12 * within;
  if (ends[0]) return faces + (x ? quad : 0) + within * (k - 1) + j - 1;
  if (ends[1]) return faces + (y ? 3 : 2) * quad + within * (k - 1) + i - 1;
  if (ends[2]) return faces + (z ? 5 : 4) * quad + within * (j - 1) + i - 1;
  return faces + 6 * quad + (within * (k - 1) + j - 1) * within + i - 1;
}

// An element's nodes in the order of VTK's cells, of which this is the type.
struct vtk_cell {
  std::uint8_t type;
  own_vector<int> places;
};
template <int Directions, cell_shape Shape>
vtk_cell vtk_cell_of(int order)
{
  if constexpr (Shape == cell_shape::lines) {
    // VTK_LAGRANGE_HEXAHEDRON, QUADRILATERAL, CURVE
    vtk_cell cell{Directions == 3 ? 72 : Directions == 2 ? 70 : 68, {}};
    cell.places.resize(static_cast<std::size_t>(node_box(order + 1, Directions).all()));
    for (int p = 0; p < static_cast<int>(cell.places.size()); ++p) {
      int const n = order + 1;
      cell.places[static_cast<std::size_t>(vtk_number(Directions, order, p % n, p / n % n, p / n / n))] = p;
    }
    return cell;
  } else {
    // Vertices, middles of edges, of quadrilaterals: VTK_TRIANGLE, TETRA, WEDGE, and quadratic ones.
    constexpr bool is_prism = Shape == cell_shape::prism;
    constexpr int edges[6][4] = {{0, 1, -1, -1}, {1, 2, -1, -1}, {2, 0, -1, -1},
                                 {0, 3, -1, -1}, {1, 3, -1, -1}, {2, 3, -1, -1}};
    constexpr int of_prism[12][4] = {{0, 1, -1, -1}, {1, 2, -1, -1}, {2, 0, -1, -1}, {3, 4, -1, -1},
                                     {4, 5, -1, -1}, {5, 3, -1, -1}, {0, 3, -1, -1}, {1, 4, -1, -1},
                                     {2, 5, -1, -1}, {0, 1, 4, 3},   {1, 2, 5, 4},   {2, 0, 3, 5}};
    using lattice = cell_lattice<Directions, Shape>;
    lattice const nodes(order);
    vtk_cell cell{std::uint8_t(is_prism          ? (order == 1 ? 13 : 32)
                               : Directions == 3 ? (order == 1 ? 10 : 24)
                                                 : (order == 1 ? 5 : 22)),
                  {}};
    for (int v = 0; v < lattice::vertices; ++v) cell.places.push_back(nodes.place_between({v, -1, -1, -1}));
    for (int i = 0; order == 2 && i < (is_prism ? 12 : Directions == 3 ? 6 : 3); ++i)
      cell.places.push_back(nodes.place_between(is_prism ? of_prism[i] : edges[i % 6]));
    return cell;
  }
}

// The arrays of a file, whose numbers follow its text as they lie in memory.
class vtu_arrays {
public:
  template <class T>
  std::string add(std::string const& name, char const* type, int components, own_vector<T> const& numbers)
  {
    auto const offset = std::to_string(bytes_.size());
    auto const size = static_cast<std::uint64_t>(numbers.size() * sizeof(T));
    bytes_.append(reinterpret_cast<char const*>(&size), sizeof size);
    bytes_.append(reinterpret_cast<char const*>(numbers.data()), numbers.size() * sizeof(T));
    return "<DataArray Name=\"" + name + "\" type=\"" + type + "\" NumberOfComponents=\"" + std::to_string(components) +
           "\" format=\"appended\" offset=\"" + offset + "\"/>\n";
  }
  std::string const& bytes() const { return bytes_; }

private:
  std::string bytes_;
};

// Beside the file first, so that there is a whole one or none.
[[gnu::cold, gnu::noinline]] inline void write_whole(std::string const& file, std::string const& text)
{
  std::string const unfinished = file + ".part";
  std::FILE* const out = std::fopen(unfinished.c_str(), "wb");
  bool good = out != nullptr && std::fwrite(text.data(), 1, text.size(), out) == text.size();
  good = out != nullptr && std::fclose(out) == 0 && good;
  if (good && std::rename(unfinished.c_str(), file.c_str()) == 0) return;
  std::remove(unfinished.c_str());
  fail("write_vtu", "'" + file + "' cannot be written: name a file in a folder that is there");
}

// Numbers of any array with three components where it has two; component behind component in blocks.
inline own_vector<double> with_third(double const* from, index_t count, int components, index_t block = 1)
{
  int const wide = components == 2 ? 3 : components;
  own_vector<double> to(static_cast<std::size_t>(count * wide), 0);
  for (index_t i = 0; i < count; ++i)
    for (int c = 0; c < components; ++c)
      to[static_cast<std::size_t>(i * wide + c)] = from[(i / block * components + c) * block + i % block];
  return to;
}

}  // namespace detail

template <int Directions, int Coordinates, cell_shape Shape>
void write_vtu(std::string const& file, function_space<Directions, Coordinates, Shape> const& functions,
               std::initializer_list<vtu_field> fields)
{
  write_vtu(file, functions, std::vector<vtu_field>(fields));
}
template <int Directions, int Coordinates, cell_shape Shape, std::same_as<std::vector<vtu_field>> Fields>
void write_vtu(std::string const& file, function_space<Directions, Coordinates, Shape> const& functions,
               Fields const& fields)
{
  constexpr int most = Shape == cell_shape::lines ? 10 : 2;
  int const order = detail::lesser(functions.degree(), most);
  bool const continuous = functions.options().continuous;
  function_space<Directions, Coordinates, Shape> const written(
      functions.mesh(), order,
      {.components = functions.components(), .nodes = node_placement::equispaced, .continuous = continuous});
  index_t const elements = functions.mesh().elements();
  index_t const block = continuous || elements == 0 ? 1 : written.nodes() / elements;
  detail::own_vector<std::int64_t> cells, ends;
  detail::own_vector<std::uint8_t> types;
  auto const add = [&](auto const& of_kind) {
    auto const cell = detail::vtk_cell_of<Directions, std::remove_cvref_t<decltype(of_kind)>::mesh_type::shape>(order);
    auto const table = of_kind.table();
    for (index_t e = 0; e < of_kind.mesh().elements(); ++e) {
      for (int const p : cell.places) cells.push_back(table.data()[e * static_cast<index_t>(cell.places.size()) + p]);
      ends.push_back(static_cast<std::int64_t>(cells.size())), types.push_back(cell.type);
    }
  };
  if constexpr (Shape == cell_shape::mixed)
    written.for_each_kind(add);
  else
    add(written);
  detail::vtu_arrays arrays;
  std::string at_points, of_cells;
  for (auto const& [name, values] : fields) {
    auto const& u = values.entries;
    for (auto const& other : fields)
      if (&other.name != &name && other.name == name)
        fail("write_vtu", "two fields have the name '" + name + "': give each its own");
    if (u.extent(0) == functions.size()) {
      auto const at_nodes = written.values(functions, u);
      auto const numbers = detail::with_third(at_nodes.data(), written.nodes(), functions.components(), block);
      at_points += arrays.add(name, "Float64", functions.components() == 2 ? 3 : functions.components(), numbers);
    } else if (u.extent(0) == elements) {
      of_cells += arrays.add(name, "Float64", 1, detail::with_third(u.data(), elements, 1));
    } else {
      failf("write_vtu",
            "the field '%.60s' does not fit (got %lld entries; %lld of a global vector or %lld, one for each "
            "element, expected)",
            name.c_str(), static_cast<long long>(u.extent(0)), static_cast<long long>(functions.size()),
            static_cast<long long>(elements));
    }
  }
  detail::own_vector<double> points(static_cast<std::size_t>(3 * written.nodes()), 0);
  auto const positions = written.positions();
  for (std::size_t i = 0; i < positions.size(); ++i) points[i / Coordinates * 3 + i % Coordinates] = positions[i];
  std::uint16_t const one = 1;
  bool const little = *reinterpret_cast<unsigned char const*>(&one) == 1;
  std::string text = "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"2.2\" byte_order=\"";
  text += std::string(little ? "LittleEndian" : "BigEndian") + "\" header_type=\"UInt64\">\n<UnstructuredGrid>\n";
  text += "<Piece NumberOfPoints=\"" + std::to_string(written.nodes()) + "\" NumberOfCells=\"" +
          std::to_string(elements) + "\">\n<PointData>\n" + at_points + "</PointData>\n<CellData>\n" + of_cells +
          "</CellData>\n<Points>\n";
  text += arrays.add("points", "Float64", 3, points) + "</Points>\n<Cells>\n";
  text += arrays.add("connectivity", "Int64", 1, cells);
  text += arrays.add("offsets", "Int64", 1, ends);
  text += arrays.add("types", "UInt8", 1, types) + "</Cells>\n</Piece>\n</UnstructuredGrid>\n";
  text += "<AppendedData encoding=\"raw\">\n_" + arrays.bytes() + "\n</AppendedData>\n</VTKFile>\n";
  detail::write_whole(file, text);
}

}  // namespace sumfac
