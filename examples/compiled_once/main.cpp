// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A program that solves by operators compiled elsewhere: it is compiled in a moment.
#include "diffusion.hpp"

#include <cstdio>

// A cube of 2 x 2 x 2 elements, fixed all around.
template <int Degree>
brick_mesh cube()
{
  constexpr int cells = 2, per_edge = cells * Degree + 1;
  brick_mesh mesh;
  for (int e = 0; e < cells * cells * cells; ++e) {
    int const at[] = {e % cells, e / cells % cells, e / (cells * cells)};
    for (int v = 0; v < 8; ++v)
      for (int d = 0; d < 3; ++d) mesh.vertices.push_back(double(at[d] + (v >> d) % 2) / cells);
    for (int k = 0; k <= Degree; ++k)
      for (int j = 0; j <= Degree; ++j)
        for (int i = 0; i <= Degree; ++i)
          mesh.table.push_back(((at[2] * Degree + k) * per_edge + at[1] * Degree + j) * per_edge + at[0] * Degree + i);
  }
  for (int i = 0; i < per_edge * per_edge * per_edge; ++i) {
    bool on_boundary = false;
    for (int const place : {i % per_edge, i / per_edge % per_edge, i / (per_edge * per_edge)})
      on_boundary = on_boundary || place == 0 || place == per_edge - 1;
    mesh.fixed.push_back(on_boundary);
  }
  return mesh;
}

template <int Degree>
int iterations()
{
  brick_mesh const mesh = cube<Degree>();
  std::vector<double> b, u(mesh.fixed.size());
  for (char const fixed : mesh.fixed) b.push_back(fixed ? 0 : 1);
  return diffusion<Degree>(mesh).solve(b, u);
}

int main()
{
  int const two = iterations<2>(), three = iterations<3>();
  std::printf("degree 2: %d iterations, degree 3: %d\n", two, three);
  return two > 1 && three > two && three < 30 ? 0 : 1;
}
