// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Heat conduction through a wall of layers: a table of conductivities by element, changed while the program runs.
#include "layered_conduction.hpp"

#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstddef>
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

constexpr int order = 3;
constexpr double inside = 20, outside = -10;  // temperatures

// Brick, wool and plaster, two elements each of a tenth of a metre: watts per metre and kelvin.
enum material { brick, wool, plaster };
constexpr double conductivity_of[] = {0.6, 0.04, 0.25};
constexpr double thickness = 0.1;

// Solves with the faces' temperatures, which V has fixed.
template <class Operator>
std::vector<double> solve(Operator const& A, sumfac::function_space<3> const& V)
{
  std::vector<double> b(std::size_t(V.size()));
  std::vector<double> u = V.lift(A, [](auto const& x) { return x[0] < thickness ? inside : outside; }, b);
  auto const R = V.restriction(A.backend());
  sumfac::cg(sumfac::global_operator{A, R}, b, u, {.iterations = 2000, .tolerance = 1e-13});
  return u;
}

// Compares temperatures between layers with those of resistances in a row.
bool agrees(std::vector<double> const& u, sumfac::function_space<3> const& V, double const (&k)[3])
{
  double resistance = 0, passed = 0;
  for (double const layer : k) resistance += 2 * thickness / layer;
  bool right = true;
  for (int layer = 0; layer < 2; ++layer) {
    passed += 2 * thickness / k[layer];
    double const exact = inside + (outside - inside) * passed / resistance;
    double const got = u[std::size_t(V.table()(2 * (layer + 1), 0, 0, 0))];
    std::printf("  behind layer %d: %.10f (%.10f)\n", layer + 1, got, exact);
    right &= std::abs(got - exact) < 1e-8;
  }
  return right;
}

}  // namespace

int main()
{
  sumfac::host const backend;
  sumfac::mesh const mesh = sumfac::box_mesh(
      {6, 2, 2}, [](auto const& x) { return sumfac::vector<double, 3>{6 * thickness * x[0], x[1], x[2]}; }, 1);
  sumfac::function_space const V{mesh, order, {mesh.boundary("x0"), mesh.boundary("x1")}};
  std::vector<material> materials;                                     // as a mesh's physical groups say
  for (int e = 0; e < mesh.elements(); ++e) materials.push_back(static_cast<material>(e % 6 / 2));

  // [operator]
  std::vector<double> k;                                               // by element, from the table of materials
  for (material const m : materials) k.push_back(conductivity_of[m]);
  layered_conduction form;
  form.conductivity = sumfac::view(k.data(), mesh.elements());
  sumfac::element_operator<layered_conduction, order> A{backend, mesh, form};
  // [operator]
  std::printf("dry wall\n");
  bool right = agrees(solve(A, V), V, conductivity_of);

  double const wet[] = {0.6, 0.2, 0.25};
  // [update]
  for (std::size_t e = 0; e < k.size(); ++e)
    if (materials[e] == wool) k[e] = wet[wool];
  A.update(mesh, form);                                                // the factors anew, in the memory they have
  // [update]
  std::printf("wet wool\n");
  right &= agrees(solve(A, V), V, wet);

  using recomputed = sumfac::element_operator<layered_conduction, order, sumfac::affine>;
  // [recomputed]
  recomputed B{backend, mesh, form};                                   // its kernel reads k
  B.update(form);                                                      // looks at other coefficients; makes nothing
  // [recomputed]
  right &= agrees(solve(B, V), V, wet);

  sumfac::element_operator<graded_conduction, order> const C{backend, mesh, {form}};
  std::vector<double> u(std::size_t(V.size()), 1), v(u.size());
  C.apply(V.unconstrained(backend), u, v);
  for (double const x : v) right &= std::abs(x) < 1e-12;  // constants conduct nothing
  return right ? 0 : 1;
}
