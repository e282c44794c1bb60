// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Levels of an operator on nodes of the user's own, which has no lower degrees.
// expect: sumfac::p_levels: the operator's functions are on nodes of your own or at Gauss points
// errors: 1
#include <sumfac/form/mass.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/solver/multigrid.hpp>

struct nodes_of_mine {
  static constexpr int size = 3;
  static constexpr std::array<long double, size> nodes = {-1, 0.1L, 1};
};

#if defined(SUMFAC_FITS)
constexpr auto space = sumfac::quadrilateral(2);
#else
constexpr auto space = sumfac::quadrilateral<nodes_of_mine>();
#endif
using masses = sumfac::element_operator<sumfac::mass, space>;

void make(masses const& A, sumfac::view<double const, sumfac::dextents<4>> nodes, sumfac::restriction<> const& R)
{
  static_cast<void>(sumfac::p_levels<2, 1>(A, nodes, R));
}
