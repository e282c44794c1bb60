// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A disk of radius 1 as five blocks of n x n quadrilaterals: a square in the middle and one between each of its sides
// and the circle.

DefineConstant[ n = 2 ];
inner = 0.45;

Point(1) = {0, 0, 0};
For i In {0:3}
  Point(10 + i) = {inner * Cos((2 * i + 1) * Pi / 4), inner * Sin((2 * i + 1) * Pi / 4), 0};
  Point(20 + i) = {Cos((2 * i + 1) * Pi / 4), Sin((2 * i + 1) * Pi / 4), 0};
  Line(30 + i) = {10 + i, 20 + i};
EndFor
For i In {0:3}
  next = (i + 1) % 4;
  Line(10 + i) = {10 + i, 10 + next};
  Circle(20 + i) = {20 + i, 1, 20 + next};
  Curve Loop(1 + i) = {30 + i, 20 + i, -(30 + next), -(10 + i)};
  Plane Surface(1 + i) = {1 + i};
EndFor
Curve Loop(5) = {10, 11, 12, 13};
Plane Surface(5) = {5};

Transfinite Curve {10:13, 20:23, 30:33} = n + 1;
Transfinite Surface {1:5};
Recombine Surface {1:5};
