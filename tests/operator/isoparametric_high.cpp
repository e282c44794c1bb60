// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Curved elements whose mesh nodes the kernel reads, on the host: degrees 4 to 15, against the oracle.
#include "policies.hpp"

namespace {

using sumfac::host, sumfac::isoparametric;

// Elements with m nodes per edge, few where the oracle is slow. The oracle has the nodes that the kernel has, to which
// it raises those of the mesh: differences of more nodes round more.
template <class Operator, int Kept>
void agrees(int m, reference::space const& space, reference::integrand<> const& form,
            typename Operator::form_type const& own_form = {})
{
  constexpr int count = Operator::order < 6 ? sumfac::native_width<double> + 1 : 2;
  auto const where = reference::gauss_lobatto(m);
  auto const kept = reference::gauss_lobatto(Kept > 0 ? Kept : Operator::order + 1);
  auto const mesh = checks::mesh_for(isoparametric<>{}, count, where);
  Operator const a(host{}, checks::nodes_view(mesh), own_form);
  checks::compare_with_oracle<double>(checks::observe(a, {}), mesh::raised(mesh, where, kept), kept, space, form);
}

template <int N, int M>
void mass(int m = M)
{
  agrees<sumfac::bp1<N, host, double, isoparametric<M>>, M>(m, reference::on_gauss(N), reference::mass());
}
template <int N, int M>
void stiffness(int m = M)
{
  agrees<sumfac::bp3<N, host, double, isoparametric<M>>, M>(m, reference::on_gauss(N), reference::stiffness(0.3),
                                                            {.lambda = 0.3});
}
template <int N, int M>
void collocated(int m = M)
{
  agrees<sumfac::bp35<N, host, double, isoparametric<M>>, M>(m, reference::collocated(N), reference::stiffness(0.3),
                                                             {.lambda = 0.3});
}

}  // namespace

TEST_CASE("isoparametric: mass, middle and high degrees")
{
  mass<5, 0>(6);
  mass<8, 4>();
}

TEST_CASE("isoparametric: stiffness at Gauss points, middle and high degrees")
{
  stiffness<4, 0>(5);
  stiffness<11, 5>();
  stiffness<15, 3>();
}

TEST_CASE("isoparametric: stiffness at the nodes, middle and high degrees")
{
  collocated<4, 3>();
  collocated<8, 0>(4);
  collocated<15, 0>(4);
}

TEST_CASE("isoparametric: stiffness without a mass term")
{
  agrees<sumfac::bp5<7, host, double, isoparametric<3>>, 3>(3, reference::collocated(7), reference::laplace());
  agrees<sumfac::element_operator<sumfac::laplace, 5, sumfac::gauss<7>, host, double, isoparametric<4>>, 4>(
      4, reference::on_gauss(5), reference::laplace());
}
