// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Values at points.
#include "support/fits.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/mesh/cell_mesh.hpp>
#include <sumfac/points/evaluator.hpp>

#include <vector>

// A result that cannot be written, reference coordinates in one row, and points that are no view of numbers.
// expect: sumfac::evaluator: the result is a view of const: nothing can be written
// expect: sumfac::evaluator: the points' reference coordinates must be a sumfac::view of floating-point numbers
// expect: sumfac::locator: points must be a sumfac::view of floating-point numbers, of shape (P, 3)
// errors: 3
namespace evaluator_arguments {
using vector = sumfac::view<double const, sumfac::dextents<1>>;
using nodes = sumfac::view<double const, sumfac::dextents<5>>;
using list = sumfac::view<int const, sumfac::dextents<1>>;

using result = fitting<sumfac::view<double, sumfac::dextents<1>>, vector>;
using places = fitting<sumfac::view<double const, sumfac::dextents<2>>, vector>;
using points = fitting<places, std::vector<double>>;

void evaluate(sumfac::evaluator<2> const& at, vector x, result u) { at.values(x, u); }
void make(sumfac::restriction<> const& R, list elements, places coordinates)
{
  sumfac::evaluator<2> const at{R, elements, coordinates};
}
void find(sumfac::locator<nodes> const& search, points x) { search.locate(x); }
}  // namespace evaluator_arguments

// An evaluator of two spaces, which is of one.
// expect: sumfac::evaluator: the space is a number, a degree, or one sumfac::space: evaluator<3>
// errors: 1
namespace evaluator_two_spaces {
using evaluator =
    fitting<sumfac::evaluator<sumfac::quadrilateral(2)>, sumfac::evaluator<sumfac::spaces{.trial = 2, .test = 1}>>;

static_assert(evaluator::nodes_1d == 3);
}  // namespace evaluator_two_spaces

// Points of tetrahedra on another backend, made and evaluated.
// expect: sumfac::evaluator: points of triangles, tetrahedra and prisms are evaluated on the host alone
// errors: 1
namespace evaluator_of_cells {
using backend = fitting<sumfac::host, sumfac::checked>;
using vector = sumfac::view<double const, sumfac::dextents<1>>;
using list = sumfac::view<int const, sumfac::dextents<1>>;
using places = sumfac::view<double const, sumfac::dextents<2>>;

void evaluate(sumfac::restriction<double, backend> const& R, list elements, places at, vector x,
              sumfac::view<double, sumfac::dextents<1>> u)
{
  sumfac::evaluator<sumfac::tetrahedron(2), double, backend> const points{R, elements, at};
  points.values(x, u);
  points.add_sources(x, u);
}
}  // namespace evaluator_of_cells

// Points of triangles in space are not sought.
// expect: sumfac::locator: triangles in space are not searched
// errors: 1
namespace locator_of_surfaces {
using mesh = fitting<sumfac::cell_mesh<2>, sumfac::cell_mesh<2, 3>>;

void find(mesh const& surface, sumfac::view<double const, sumfac::dextents<2>> points)
{
  sumfac::locator const search{sumfac::host{}, surface};
  search.locate(points);
}
}  // namespace locator_of_surfaces
