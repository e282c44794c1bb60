// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A ball of radius 1 as seven blocks of n x n x n hexahedra: a cube in the middle and one between each of its faces and
// the sphere. Corner i of a cube lies at x = -1 or 1 by bit 0 of i, y by bit 1 and z by bit 2.

DefineConstant[ n = 2 ];
inner = 0.4;
bit() = {1, 2, 4};

Point(1) = {0, 0, 0};
For i In {0:7}
  x = (2 * (i % 2) - 1) / Sqrt(3);
  y = (2 * (Floor(i / 2) % 2) - 1) / Sqrt(3);
  z = (2 * Floor(i / 4) - 1) / Sqrt(3);
  Point(10 + i) = {inner * x, inner * y, inner * z};
  Point(20 + i) = {x, y, z};
  Line(300 + i) = {10 + i, 20 + i};
EndFor

// The edges along direction d from corner i to corner i + bit(d), inside and on the sphere, and what spans them.
For d In {0:2}
  For i In {0:7}
    If (Floor(i / bit(d)) % 2 == 0)
      Line(100 + 10 * d + i) = {10 + i, 10 + i + bit(d)};
      Circle(200 + 10 * d + i) = {20 + i, 1, 20 + i + bit(d)};
      Curve Loop(600 + 10 * d + i) = {100 + 10 * d + i, 300 + i + bit(d), -(200 + 10 * d + i), -(300 + i)};
      Plane Surface(600 + 10 * d + i) = {600 + 10 * d + i};
    EndIf
  EndFor
EndFor

// The faces across direction d, and the block between the two of each pair.
For d In {0:2}
  For side In {0:1}
    face = 2 * d + side;
    i = side * bit(d);
    a = (d + 1) % 3;
    b = (d + 2) % 3;
    edges() = {10 * a + i, 10 * b + i + bit(a), 10 * a + i + bit(b), 10 * b + i};
    Curve Loop(400 + face) = {100 + edges(0), 100 + edges(1), -(100 + edges(2)), -(100 + edges(3))};
    Curve Loop(500 + face) = {200 + edges(0), 200 + edges(1), -(200 + edges(2)), -(200 + edges(3))};
    Plane Surface(400 + face) = {400 + face};
    Surface(500 + face) = {500 + face} In Sphere {1};
    Surface Loop(1 + face) = {400 + face, 500 + face, 600 + edges(0), 600 + edges(1), 600 + edges(2), 600 + edges(3)};
    Volume(1 + face) = {1 + face};
  EndFor
EndFor
Surface Loop(7) = {400:405};
Volume(7) = {7};

Transfinite Curve{:} = n + 1;
Transfinite Surface{:};
Recombine Surface{:};
Transfinite Volume{:};
