// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Heat conduction through a wall of layers: a table of conductivities by element, changed while the program runs.
#include "layered_conduction.hpp"

#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

// [function]
// The same with a function of the place.
struct graded_conduction : layered_conduction {
  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T> const& point) const
  {
    auto const p = point.position();
    auto const kappa = [](auto x, auto y, auto z) { return x > 0.4 ? std::exp(-y * z) : std::pow(x, y); };
    return {sumfac::lane_by_lane(kappa, p[0], p[1], p[2]) * sumfac::pulled_back_metric(point)};
  }
};
// [function]

constexpr int order = 3, n = order + 1, cells = 6, across = 2;  // elements along the wall's thickness, and across
constexpr int elements = cells * across * across;
constexpr int points_x = cells * order + 1, points = across * order + 1, nodes = points_x * points * points;
constexpr double inside = 20, outside = -10;  // temperatures

// Brick, wool and plaster, two elements each of a tenth of a metre: watts per metre and kelvin.
enum material { brick, wool, plaster };
constexpr double conductivity_of[] = {0.6, 0.04, 0.25};
constexpr double thickness = 0.1;

struct wall {
  std::vector<double> vertices;          // (E, 2, 2, 2, 3)
  std::vector<std::int32_t> numbers;     // (E, n, n, n)
  std::vector<material> materials;       // (E), as a mesh's physical groups say
  std::vector<unsigned char> boundary;   // (nodes): the two faces
  std::vector<double> temperature;       // (nodes): what the faces have
};

wall make_wall()
{
  wall w;
  for (int e = 0; e < elements; ++e) {
    int const x = e % cells, y = e / cells % across, z = e / cells / across;
    for (int v = 0; v < 8; ++v)
      for (double const p : {(x + v % 2) * thickness, (y + v / 2 % 2) * 0.5, (z + v / 4) * 0.5})
        w.vertices.push_back(p);
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
          w.numbers.push_back(((z * order + k) * points + y * order + j) * points_x + x * order + i);
    w.materials.push_back(static_cast<material>(x / 2));
  }
  for (int node = 0; node < nodes; ++node) {
    int const x = node % points_x;
    w.boundary.push_back(x == 0 || x == points_x - 1 ? 1 : 0);
    w.temperature.push_back(x == 0 ? inside : x == points_x - 1 ? outside : 0);
  }
  return w;
}

// Solves with the faces' temperatures; `all` has no node constrained, `free` the faces.
template <class Operator, class Restriction>
std::vector<double> solve(Operator const& A, Restriction const& all, Restriction const& free, wall const& w)
{
  std::vector<double> u = w.temperature, b(nodes);
  A.apply(all, sumfac::view(u.data(), nodes), sumfac::view(b.data(), nodes));
  for (int i = 0; i < nodes; ++i)  // what the faces contribute goes to the right
    b[std::size_t(i)] = w.boundary[std::size_t(i)] ? u[std::size_t(i)] : -b[std::size_t(i)];
  sumfac::cg(sumfac::global_operator{A, free}, sumfac::view(b.data(), nodes), sumfac::view(u.data(), nodes),
             {.iterations = 2000, .tolerance = 1e-13});
  return u;
}

// Compares temperatures between layers with those of resistances in a row.
bool agrees(std::vector<double> const& u, double const (&k)[3])
{
  double resistance = 0, passed = 0;
  for (double const layer : k) resistance += 2 * thickness / layer;
  bool right = true;
  for (int layer = 0; layer < 2; ++layer) {
    passed += 2 * thickness / k[layer];
    double const exact = inside + (outside - inside) * passed / resistance;
    double const got = u[std::size_t((layer + 1) * 2 * order)];
    std::printf("  behind layer %d: %.10f (%.10f)\n", layer + 1, got, exact);
    right &= std::abs(got - exact) < 1e-8;
  }
  return right;
}

}  // namespace

int main()
{
  wall const w = make_wall();
  sumfac::host const backend;
  sumfac::view table(w.numbers.data(), elements, n, n, n);
  sumfac::view mesh(w.vertices.data(), elements, 2, 2, 2, 3);
  sumfac::restriction all{backend, table, nodes};
  sumfac::restriction free{backend, table, nodes, sumfac::view(w.boundary.data(), nodes)};

  // [operator]
  std::vector<double> k;                                               // by element, from the table of materials
  for (material const m : w.materials) k.push_back(conductivity_of[m]);
  layered_conduction form;
  form.conductivity = sumfac::view(k.data(), elements);
  sumfac::element_operator<layered_conduction, order> A{backend, mesh, form};
  // [operator]
  std::printf("dry wall\n");
  bool right = agrees(solve(A, all, free, w), conductivity_of);

  double const wet[] = {0.6, 0.2, 0.25};
  // [update]
  for (int e = 0; e < elements; ++e)
    if (w.materials[std::size_t(e)] == wool) k[std::size_t(e)] = wet[wool];
  A.update(mesh, form);                                                // the factors anew, in the memory they have
  // [update]
  std::printf("wet wool\n");
  right &= agrees(solve(A, all, free, w), wet);

  using recomputed = sumfac::element_operator<layered_conduction, order, sumfac::affine>;
  // [recomputed]
  recomputed B{backend, mesh, form};                                   // its kernel reads k
  B.update(form);                                                      // looks at other coefficients; makes nothing
  // [recomputed]
  right &= agrees(solve(B, all, free, w), wet);

  sumfac::element_operator<graded_conduction, order> const C{backend, mesh, {form}};
  std::vector<double> u(nodes, 1), v(nodes);
  C.apply(all, sumfac::view(u.data(), nodes), sumfac::view(v.data(), nodes));
  for (double const x : v) right &= std::abs(x) < 1e-12;  // constants conduct nothing
  return right ? 0 : 1;
}
