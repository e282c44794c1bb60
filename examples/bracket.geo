// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A bracket of Gmsh's OpenCASCADE kernel: a bar of hexahedra, beside it a plate of prisms with a hole, and upon the plate
// a tube of tetrahedra.
SetFactory("OpenCASCADE");
DefineConstant[ h = 0.4 ];
Rectangle(1) = {-3, -1, 0, 2, 2};
Rectangle(2) = {-1, -1, 0, 2, 2};
Disk(3) = {0, 0, 0, 0.75};
Disk(4) = {0, 0, 0, 0.45};
BooleanFragments{ Surface{1, 2, 3, 4}; Delete; }{}
Recursive Delete { Surface{4}; }
bar() = Surface In BoundingBox{-3.01, -1.01, -0.01, -0.99, 1.01, 0.01};
ring() = Surface In BoundingBox{-0.76, -0.76, -0.01, 0.76, 0.76, 0.01};
plate() = Surface In BoundingBox{-1.01, -1.01, -0.01, 1.01, 1.01, 0.01};
plate() -= ring();
MeshSize{:} = h;
Mesh.MeshSizeMax = h;
Transfinite Surface{bar()};
Recombine Surface{bar()};
Extrude{0, 0, 0.4}{ Surface{bar(), plate(), ring()}; Layers{2}; Recombine; }  // at once: they share their sides
top() = Surface In BoundingBox{-0.76, -0.76, 0.39, 0.76, 0.76, 0.41};
tube() = Extrude{0, 0, 1.2}{ Surface{top()}; };
// gmsh -3 -order 2 examples/bracket.geo -o bracket.msh
Physical Volume("bar", 1) = {Volume In BoundingBox{-3.01, -1.01, -0.01, -0.99, 1.01, 0.41}};
Physical Volume("plate", 2) = {Volume In BoundingBox{-1.01, -1.01, -0.01, 1.01, 1.01, 0.41}};
Physical Volume("tube", 3) = {tube(1)};
wall() = Surface In BoundingBox{-3.01, -1.01, -0.01, -2.99, 1.01, 0.41};
Physical Surface("wall", 4) = {wall()};
Physical Surface("load", 5) = {tube(0)};
