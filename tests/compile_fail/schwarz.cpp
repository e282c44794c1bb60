// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The additive Schwarz preconditioner.
#include "support/fits.hpp"

#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/schwarz.hpp>

// A layer of overlap where the neighbours have no node inside.
// expect: sumfac::schwarz: the degree must be greater than the overlap: take sumfac::schwarz<0> for degree 1
// errors: 1
namespace schwarz_degree {
using made = sumfac::bp5<1>;
using options = sumfac::schwarz<fits ? 0 : 1>;

void make(sumfac::global_operator<made, sumfac::restriction<>> const& L)
{
  sumfac::schwarz_preconditioner const P{L, options{}};
}
}  // namespace schwarz_degree

// On elements that are no products of lines.
// expect: sumfac::schwarz: subdomains are products of lines, which triangles, tetrahedra and prisms are not
// errors: 1
namespace schwarz_of_tetrahedra {
using made = sumfac::element_operator<sumfac::laplace, fits ? sumfac::space(2) : sumfac::tetrahedron(2)>;

void make(sumfac::global_operator<made, sumfac::restriction<>> const& L)
{
  sumfac::schwarz_preconditioner const P{L, sumfac::schwarz<0>{}};
}
}  // namespace schwarz_of_tetrahedra

// Schwarz's preconditioner of a matrix that is a process' part.
// expect: sumfac::schwarz: the matrix is that of a process' part: subdomains do not reach over processes
namespace schwarz_of_a_part {
using whole = sumfac::global_operator<sumfac::bp5<2>, sumfac::restriction<>>;

struct part : whole {
  sumfac::reduction reduction() const { return {}; }
};

using matrix = fitting<whole, part>;
constexpr auto size = sizeof(sumfac::schwarz_preconditioner<matrix>);
}  // namespace schwarz_of_a_part

// Schwarz of a form that has no gradients.
// expect: sumfac::schwarz: the form must have gradients in trial and test: subdomains are those of diffusion
// errors: 1
namespace schwarz_of_mass {
using made = fitting<sumfac::bp3<2>, sumfac::bp1<2>>;
using options = sumfac::schwarz<1>;

void make(sumfac::global_operator<made, sumfac::restriction<>> const& L)
{
  sumfac::schwarz_preconditioner const P{L, options{}};
}
}  // namespace schwarz_of_mass

// More layers of overlap than there are.
// expect: sumfac::schwarz: the overlap must be 0 or 1 layers of nodes
// errors: 1
namespace schwarz_overlap {
using made = sumfac::bp5<3>;
using options = sumfac::schwarz<fits ? 1 : 2>;

void make(sumfac::global_operator<made, sumfac::restriction<>> const& L)
{
  sumfac::schwarz_preconditioner const P{L, options{}};
}
}  // namespace schwarz_overlap

// Schwarz's subdomains with overlap on parts of a mesh whose halo does not find elements.
// expect: sumfac::schwarz: subdomains with an overlap reach over processes: on parts of a mesh take an mpi::halo
// errors: 1
namespace schwarz_overlap_of_a_part {
// A halo of one process, without ghosts.
struct alone {
  template <class Scalar, class Backend>
  struct exchange {
    exchange(alone const&, Backend const&, int, sumfac::interleaving) {}
    void begin_update(Scalar const*, Scalar*) {}
    void end_update(Scalar const*, Scalar*) {}
    void begin_add(Scalar const*, Scalar*) {}
    void end_add(Scalar const*, Scalar*) {}
    void progress() {}
  };
  sumfac::index_t owned() const { return 0; }
  sumfac::index_t ghosts() const { return 0; }
  sumfac::reduction reduction() const { return {}; }
  void agree(char const*, char const*) const {}
};

using matrix = sumfac::distributed<sumfac::bp5<2>, sumfac::restriction<>, alone>;

constexpr int overlap = fits ? 0 : 1;
constexpr auto size = sizeof(sumfac::schwarz_preconditioner<matrix, overlap>);
}  // namespace schwarz_overlap_of_a_part
