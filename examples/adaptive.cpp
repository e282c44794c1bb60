// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation at a corner that points inwards, in the plane and in space: elements are cut where u is not
// smooth. The error falls with the number of unknowns as that of a smooth u does, which cutting all elements does not
// reach. With the file names of VTK's the last meshes and solutions are written.
// usage: adaptive [UNKNOWNS [PLANE.VTU SPACE.VTU]]
// [program]
#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

template <int D>
using position = sumfac::vector<double, D>;

double angle(position<2> const& x)
{
  double const phi = std::atan2(x[1], x[0]);
  return phi < 0 ? phi + 2 * std::acos(-1.0) : phi;
}

// Solutions, whose gradients are infinite in the corner: r^(2/3) sin(2 phi / 3) and r^(1/2).
struct {
  double operator()(position<2> const& x) const
  {
    return std::pow(std::hypot(x[0], x[1]), 2.0 / 3) * std::sin(2.0 / 3 * angle(x));
  }
  double operator()(position<3> const& x) const { return std::sqrt(std::hypot(x[0], x[1], x[2])); }
} constexpr exact;

struct {
  position<2> operator()(position<2> const& x) const
  {
    double const size = 2.0 / 3 * std::pow(std::hypot(x[0], x[1]), -1.0 / 3), phi = angle(x);
    return {-size * std::sin(phi / 3), size * std::cos(phi / 3)};
  }
  position<3> operator()(position<3> const& x) const
  {
    double const size = 0.5 * std::pow(std::hypot(x[0], x[1], x[2]), -1.5);
    return {size * x[0], size * x[1], size * x[2]};
  }
} constexpr gradient;

// Minus the sum of second derivatives.
struct {
  double operator()(position<2> const&) const { return 0; }
  double operator()(position<3> const& x) const { return -0.75 * std::pow(std::hypot(x[0], x[1], x[2]), -1.5); }
} constexpr load;

// [-1, 1]^D without the part of x > 0, y < 0 and z < 0: an L, or Fichera's corner.
template <int D>
sumfac::mesh<D> corner()
{
  std::vector<double> nodes;
  int boxes = 0;
  for (int box = 0; box < 1 << D; ++box) {
    if (box == 1) continue;
    for (int v = 0; v < 1 << D; ++v)
      for (int d = 0; d < D; ++d) nodes.push_back((box >> d & 1) - 1 + (v >> d & 1));
    ++boxes;
  }
  if constexpr (D == 2)
    return sumfac::refined(sumfac::mesh<2>::copy_of(sumfac::view(nodes.data(), boxes, 2, 2, 2)), 2);
  else
    return sumfac::refined(sumfac::mesh<3>::copy_of(sumfac::view(nodes.data(), boxes, 2, 2, 2, 3)));
}

// The order of the error in H1: it falls as unknowns to the power of minus this.
template <int D, int Degree, int... Lower>
double order(bool everywhere, double most_unknowns, char const* file = nullptr)
{
  constexpr auto space = D == 2 ? sumfac::quadrilateral(Degree) : sumfac::hexahedron(Degree);
  std::printf("degree %d in %d directions, %s\n", Degree, D, everywhere ? "all elements cut" : "some elements cut");
  auto mesh = corner<D>();
  sumfac::function_space V{mesh, Degree, mesh.boundary()};
  std::vector<double> start(V.size()), unknowns, errors;               // the solution on the mesh before
  while (true) {
    sumfac::host const backend;
    sumfac::element_operator<sumfac::laplace, space> const A{backend, mesh};
    auto const R = V.restriction(backend);                             // with the equations of hanging nodes
    sumfac::global_operator const L{A, R};
    auto b = V.load(load);
    auto u = V.lift(A, exact, b, start);
    sumfac::multigrid const P{sumfac::p_levels<Degree, Lower...>(A, mesh, R)};  // and on the meshes before
    auto const result = sumfac::cg(L, b, u, P, {.tolerance = 0, .absolute = 1e-12});
    V.distribute(u);                                                   // hanging nodes, from the others
    unknowns.push_back(double(V.size() - R.constrained()));
    errors.push_back(V.h1_error(u, exact, gradient));
    std::printf("%6d elements, %6.0f unknowns, %2d iterations, errors in L2 %.1e, in H1 %.1e\n", int(mesh.elements()),
                unknowns.back(), int(result.iterations), V.l2_error(u, exact), errors.back());
    if (unknowns.back() > most_unknowns) {
      if (file != nullptr) sumfac::write_vtu(file, V, {{"u", u}});
      break;
    }

    // What u lacks of a degree that is one less, element by element: the elements with the most of it are cut.
    sumfac::function_space const W{mesh, Degree - 1};
    auto const without = V.values(W, W.values(V, u));
    std::vector<double> lacks(mesh.elements());
    auto const table = V.table();
    auto const nodes = table.size() / mesh.elements();
    for (sumfac::index_t i = 0; i < table.size(); ++i) {
      auto const node = table.data()[i];
      lacks[i / nodes] = std::max(lacks[i / nodes], std::abs(u[node] - without[node]));
    }
    double const most = *std::max_element(lacks.begin(), lacks.end());
    std::vector<sumfac::index_t> cut;
    for (sumfac::index_t e = 0; e < mesh.elements(); ++e)
      if (everywhere || lacks[e] > 0.2 * most) cut.push_back(e);
    mesh = sumfac::refine(mesh, cut);                                  // and neighbours that would be too large
    sumfac::function_space const finer{mesh, Degree, mesh.boundary()};
    start = finer.values(V, u);
    V = finer;
  }
  double const found = std::log(errors[0] / errors.back()) / std::log(unknowns.back() / unknowns[0]);
  std::printf("order %.2f, of %.2f for a smooth solution\n", found, double(Degree) / D);
  return found;
}

}  // namespace

int main(int argc, char** argv)
{
  double const most = argc > 1 ? std::atof(argv[1]) : 2000;
  bool const files = argc > 3;
  double const plane = order<2, 4, 2, 1>(false, most, files ? argv[2] : nullptr);
  double const space = order<3, 2, 1>(false, most, files ? argv[3] : nullptr);
  // Of all elements cut, by the singularity: (2 / 3) / 2 and 1 / 3.
  double const uniform_plane = order<2, 4, 2, 1>(true, most), uniform_space = order<3, 2, 1>(true, most);
  return plane > 2 && space > 0.55 && uniform_plane < 0.35 && uniform_space < 0.35 ? 0 : 1;
}
// [program]
