// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A wall of four layers across x, n elements through each and 2 x 2 across: plaster, wool, brick and plaster again.

DefineConstant[ n = 2 ];
Point(1) = {0.02, 0, 0};
across() = Extrude {0, 0.8, 0} { Point{1}; Layers{2}; };
inside() = Extrude {0, 0, 0.5} { Curve{across(1)}; Layers{2}; Recombine; };

// Each gives the face at its end and the volume.
wool() = Extrude {0.1, 0, 0} { Surface{inside(1)}; Layers{n}; Recombine; };
brick() = Extrude {0.3, 0, 0} { Surface{wool(0)}; Layers{n}; Recombine; };
outer() = Extrude {0.03, 0, 0} { Surface{brick(0)}; Layers{n}; Recombine; };
inner() = Extrude {-0.02, 0, 0} { Surface{inside(1)}; Layers{n}; Recombine; };

// What becomes the table of conductivities.
Physical Volume("plaster") = {inner(1), outer(1)};
Physical Volume("wool") = {wool(1)};
Physical Volume("brick") = {brick(1)};
