// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A function as a file of VTK (.vtu) for ParaView: each element as degree^3 linear hexahedra through its nodes, or
// degree^2 linear quadrilaterals.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/view/view.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

// A global vector and its nodes.
struct nodal_values {
  int degree;
  std::vector<sumfac::index_t> const& table;  // (E, n, n, n), or (E, n, n) of quadrilaterals
  std::vector<double> const& points;          // (nodes, 3)
  std::vector<double> const& values;          // (nodes), or (nodes, components)
  int directions = 3;                         // 2 of quadrilaterals
  int components = 1;
};

// Writes beside the file and renames at the end, so that there is a whole file or none.
void write_vtu(std::string const& file, nodal_values const& s);

namespace detail {

// The corners of the linear cells in VTK's order: round the lower face, then round the upper, if there is one.
inline std::vector<std::int64_t> linear_cells(nodal_values const& s)
{
  constexpr int corners[8][3] = {{0, 0, 0}, {0, 0, 1}, {0, 1, 1}, {0, 1, 0},
                                 {1, 0, 0}, {1, 0, 1}, {1, 1, 1}, {1, 1, 0}};
  int const n = s.degree + 1, layers = s.directions == 3 ? n : 1;
  auto const elements = static_cast<sumfac::index_t>(s.table.size()) / (layers * n * n);
  sumfac::view const table(s.table.data(), elements, layers, n, n);
  std::vector<std::int64_t> cells;
  for (sumfac::index_t e = 0; e < elements; ++e)
    for (int k = 0; k < (layers == 1 ? 1 : s.degree); ++k)
      for (int j = 0; j < s.degree; ++j)
        for (int i = 0; i < s.degree; ++i)
          for (int corner = 0; corner < (layers == 1 ? 4 : 8); ++corner) {
            auto const& [z, y, x] = corners[corner];
            cells.push_back(table(e, k + z, j + y, i + x));
          }
  return cells;
}

// The arrays of a file, whose numbers follow its text as they lie in memory.
class appended_arrays {
public:
  template <class T>
  std::string add(char const* name, char const* type, int components, std::vector<T> const& numbers)
  {
    auto const offset = std::to_string(bytes_.size());
    append(std::vector{static_cast<std::uint64_t>(numbers.size() * sizeof(T))});
    append(numbers);
    return std::string("<DataArray Name=\"") + name + "\" type=\"" + type + "\" NumberOfComponents=\"" +
           std::to_string(components) + "\" format=\"appended\" offset=\"" + offset + "\"/>\n";
  }
  std::string const& bytes() const { return bytes_; }

private:
  template <class T>
  void append(std::vector<T> const& numbers)
  {
    bytes_.append(reinterpret_cast<char const*>(numbers.data()), numbers.size() * sizeof(T));
  }
  std::string bytes_;
};

// The first lines of a file of VTK's.
inline std::string vtk_head(std::string const& type)
{
  std::string const order = std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"" + type + "\" version=\"1.0\" byte_order=\"" + order +
         "\" header_type=\"UInt64\">\n<" + type + ">\n";
}

inline std::string vtu_text(nodal_values const& s)
{
  auto const cells = linear_cells(s);
  std::vector<std::int64_t> ends;
  std::size_t const corners = s.directions == 3 ? 8 : 4;
  for (std::size_t end = corners; end <= cells.size(); end += corners) ends.push_back(static_cast<std::int64_t>(end));
  std::vector<std::uint8_t> const types(ends.size(), s.directions == 3 ? 12 : 9);  // VTK_HEXAHEDRON, VTK_QUAD
  appended_arrays arrays;
  std::string text = vtk_head("UnstructuredGrid") + "<Piece NumberOfPoints=\"";
  text += std::to_string(s.points.size() / 3) + "\" NumberOfCells=\"" + std::to_string(ends.size()) + "\">\n";
  text += std::string("<PointData ") + (s.components == 1 ? "Scalars" : "Vectors") + "=\"u\">\n" +
          arrays.add("u", "Float64", s.components, s.values) + "</PointData>\n";
  text += "<Points>\n" + arrays.add("points", "Float64", 3, s.points) + "</Points>\n";
  text += "<Cells>\n" + arrays.add("connectivity", "Int64", 1, cells);
  text += arrays.add("offsets", "Int64", 1, ends);
  text += arrays.add("types", "UInt8", 1, types) + "</Cells>\n";
  return text + "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_" + arrays.bytes() +
         "\n</AppendedData>\n</VTKFile>\n";
}

inline void write_whole(std::string const& file, std::string const& text)
{
  std::string const unfinished = file + ".part";
  std::ofstream out(unfinished, std::ios::binary);
  out << text;
  out.close();
  if (!out || std::rename(unfinished.c_str(), file.c_str()) != 0) {
    std::remove(unfinished.c_str());
    throw std::runtime_error(file + ": the file cannot be written");
  }
}

}  // namespace detail

inline void write_vtu(std::string const& file, nodal_values const& s)
{
  detail::write_whole(file, detail::vtu_text(s));
}
