// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes from Gmsh's files, without its library: elements of any order, with the names of their physical groups.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/interop/detail/gmsh_file.hpp>
#include <sumfac/interop/detail/gmsh_kind.hpp>
#include <sumfac/mesh/mixed_mesh.hpp>

#include <string>
#include <tuple>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET::gmsh {

// What becomes of elements of another shape than the one that is read, as of quadrilaterals beside triangles, and of
// sides in groups that are none of the elements'. Pyramids cannot be left out.
enum class others { refused, left_out };

// The elements of Directions directions in a file of format 4.1, text or bytes, or 2.2 as text: hexahedra by read<3>,
// quadrilaterals in the plane z = 0 by read<2> and in space by read<2, 3>, lines by read<1>, read<1, 2>, read<1, 3>;
// of another shape by read_cells, and all of them by read_mixed.
//
// Orders 1 to 10 (hexahedra and prisms: 9), all elements of one; those of order 2 also without nodes within sides and
// elements. Physical groups of elements are names of elements, those of the elements' sides names of sides: what has no
// name has its number as name; that is its tag. Nodes that $Periodic pairs are one, so that sides there
// are inner ones, which keep their names; a period is three elements long or more, of hexahedra, quadrilaterals and
// lines of order 2 and more two.
// **Errors** argument_error with the file and the line: whatever is not as the format has it; elements of another shape
// or of several orders; sides of no element; sections that would change the mesh and are not read, as those of
// partitions; and the errors of a mesh.
template <int Directions = 3, int Coordinates = Directions, cell_shape Shape = cell_shape::lines>
mesh<Directions, Coordinates, Shape> read(std::string const& file, others of_other_shapes = others::refused);

// Tetrahedra of such a file by read_cells<3>, triangles in the plane z = 0 by read_cells<2> and in space by
// read_cells<2, 3>, prisms by read_cells<3, 3, cell_shape::prism>.
//
// **Errors** as those of read.
template <int Directions = 3, int Coordinates = Directions, cell_shape Shape = cell_shape::simplex>
cell_mesh<Directions, Coordinates, Shape> read_cells(std::string const& file, others of_other_shapes = others::refused)
{
  return read<Directions, Coordinates, Shape>(file, of_other_shapes);
}

// All elements of such a file as one mesh: hexahedra, prisms and tetrahedra by read_mixed<3>, quadrilaterals and
// triangles by read_mixed<2> and read_mixed<2, 3>. Vertices are one where they are one node of the file.
//
// **Errors** as those of read and of a mesh of several kinds; pyramids.
template <int Directions = 3, int Coordinates = Directions>
mixed_mesh<Directions, Coordinates> read_mixed(std::string const& file, others of_other_sides = others::refused)
{
  return read<Directions, Coordinates, cell_shape::mixed>(file, of_other_sides);
}

template <int Directions, int Coordinates, cell_shape Shape>
mesh<Directions, Coordinates, Shape> read(std::string const& file, others of_other_shapes)
{
  namespace in = sumfac::SUMFAC_TARGET::detail;
  bool const leaves_out = of_other_shapes == others::left_out;
  in::gmsh_reader const got(file, Directions, Shape, leaves_out);
  if constexpr (Shape == cell_shape::mixed) {
    return [&]<class... Kind>(std::type_identity<std::tuple<Kind...>>) {
      std::tuple<Kind...> kinds{Kind(got)...};
      in::check_period(got, std::get<Kind>(kinds)...);
      std::tuple<typename Kind::mesh_type...> const made{std::get<Kind>(kinds).made()...};
      in::name_sides(got, Directions, leaves_out, std::get<Kind>(kinds)...);
      try {
        return mesh<Directions, Coordinates, Shape>(
            {std::get<Kind>(kinds).named(std::get<typename Kind::mesh_type>(made))...},
            {std::get<Kind>(kinds).file_nodes(std::get<typename Kind::mesh_type>(made))...});
      } catch (argument_error const& error) {
        got.file().refuse(error.what());
      }
    }(std::type_identity<typename in::by_kind<in::gmsh_kind, Directions, Coordinates>::type>{});
  } else {
    in::gmsh_kind<Directions, Coordinates, Shape> kind(got);
    if constexpr (Shape != cell_shape::lines) in::check_period(got, kind);
    auto const made = kind.made();
    in::name_sides(got, Directions, leaves_out, kind);
    return kind.named(made);
  }
}

}  // namespace sumfac::gmsh
