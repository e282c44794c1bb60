// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes ball.geo with hexahedra of any order, as `gmsh -3 -order M -setnumber n N ball.geo -o FILE.msh` does.
//
// usage: mesh_ball BALL.geo DIVISIONS ORDER FILE.msh [VERSION]

#include <gmsh.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

int main(int argc, char** argv)
{
  if (argc < 5) {
    std::fprintf(stderr, "usage: mesh_ball BALL.geo DIVISIONS ORDER FILE.msh [VERSION]\n");
    return 1;
  }
  std::string word[] = {"mesh_ball", "-setnumber", "n", argv[2]};
  char* words[] = {word[0].data(), word[1].data(), word[2].data(), word[3].data(), nullptr};
  try {
    gmsh::initialize(4, words);
    gmsh::option::setNumber("General.Terminal", 0);
    gmsh::option::setNumber("Mesh.MshFileVersion", argc > 5 ? std::atof(argv[5]) : 4.1);
    gmsh::open(argv[1]);
    gmsh::model::mesh::generate(3);
    gmsh::model::mesh::setOrder(std::atoi(argv[3]));
    gmsh::write(argv[4]);
    gmsh::finalize();
  } catch (std::exception const& error) {
    std::fprintf(stderr, "mesh_ball: %s\n", error.what());
    return 1;
  } catch (std::string const& message) {  // Gmsh 4.8
    std::fprintf(stderr, "mesh_ball: %s\n", message.c_str());
    return 1;
  }
}
