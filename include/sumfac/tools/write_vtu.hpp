// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Functions on a mesh as a file for ParaView and others that read VTK's, of their own degree: curves stay curves.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/function_space.hpp>
#include <sumfac/error.hpp>
#include <sumfac/view/vector_argument.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

// A global vector of a function space, or a number for each element of its mesh, with the name that the file has.
struct vtu_field {
  std::string name;
  vector_argument<double const> values;
};

// Writes FILE.vtu: elements as Lagrange cells of the space's degree, of at most 10, with fields at their nodes. Vectors
// of two components get a third one, 0. A file is whole or not there.
//
// **Errors** argument_error: fields of another size, or that have one name; a file that cannot be written.
// **Source** VTK's file formats, version 2.2, XML with appended raw data.
template <int Directions, int Coordinates>
void write_vtu(std::string const& file, function_space<Directions, Coordinates> const& functions,
               std::initializer_list<vtu_field> fields = {});

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

// Numbers of any array with three components where it has two.
inline own_vector<double> with_third(double const* from, index_t count, int components)
{
  int const wide = components == 2 ? 3 : components;
  own_vector<double> to(static_cast<std::size_t>(count * wide), 0);
  for (index_t i = 0; i < count; ++i)
    for (int c = 0; c < components; ++c) to[static_cast<std::size_t>(i * wide + c)] = from[i * components + c];
  return to;
}

}  // namespace detail

template <int Directions, int Coordinates>
void write_vtu(std::string const& file, function_space<Directions, Coordinates> const& functions,
               std::initializer_list<vtu_field> fields)
{
  constexpr int most = 10;
  int const order = detail::lesser(functions.degree(), most);
  function_space<Directions, Coordinates> const written(
      functions.mesh(), order, {.components = functions.components(), .nodes = node_placement::equispaced});
  index_t const elements = functions.mesh().elements();
  index_t const count = detail::node_box(order + 1, Directions).all();
  detail::own_vector<std::int64_t> cells(static_cast<std::size_t>(elements * count)), ends;
  for (index_t e = 0; e < elements; ++e) {
    detail::for_each_place<Directions>(order + 1, [&](int k, int j, int i) {
      auto const at = e * count + detail::vtk_number(Directions, order, i, j, k);
      cells[static_cast<std::size_t>(at)] = detail::entry_at<Directions>(written.table(), e, k, j, i);
    });
    ends.push_back((e + 1) * count);
  }
  constexpr std::uint8_t type = Directions == 3 ? 72 : Directions == 2 ? 70 : 68;  // VTK_LAGRANGE_HEXAHEDRON, ...
  detail::own_vector<std::uint8_t> const types(static_cast<std::size_t>(elements), type);
  detail::vtu_arrays arrays;
  std::string at_points, of_cells;
  for (auto const& [name, values] : fields) {
    auto const& u = values.entries;
    for (auto const& other : fields)
      if (&other.name != &name && other.name == name)
        fail("write_vtu", "two fields have the name '" + name + "': give each its own");
    if (u.extent(0) == functions.size()) {
      auto const at_nodes = written.values(functions, u);
      auto const numbers = detail::with_third(at_nodes.data(), written.nodes(), functions.components());
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
