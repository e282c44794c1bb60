// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Transfers, levels and multigrid.
#include "support/fits.hpp"

#include <sumfac/form/mass.hpp>
#include <sumfac/form/stiffness.hpp>
#include <sumfac/mesh/mixed_mesh.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/face_operator.hpp>
#include <sumfac/operator/sum.hpp>
#include <sumfac/solver/kinds_level.hpp>
#include <sumfac/solver/multigrid.hpp>
#include <sumfac/solver/p_levels.hpp>
#include <sumfac/solver/sum_level.hpp>
#include <sumfac/solver/transfer.hpp>

// A coarse solver that is not called with views.
// expect: sumfac::multigrid: the coarse solver must be a sumfac::coarse_cg, coarse_chebyshev or coarse_gmres
// errors: 1
namespace multigrid_coarse_solver {
using mesh_nodes = sumfac::view<double const, sumfac::dextents<5>>;

void make(sumfac::bp5<2> const& A, mesh_nodes nodes, sumfac::restriction<> const& R)
{
#if defined(SUMFAC_FITS)
  auto const solver = [](auto const&, auto const&) {};
#else
  auto const solver = [](double const*, double*) {};
#endif
  sumfac::multigrid const P{sumfac::p_levels<2, 1>(A, nodes, R), {}, solver};
}
}  // namespace multigrid_coarse_solver

// Levels of degrees that do not fall.
// expect: sumfac::p_levels: the degrees must fall, as in p_levels<7, 4, 2, 1>
// errors: 1
namespace multigrid_degrees_rise {
using mesh_nodes = sumfac::view<double const, sumfac::dextents<5>>;

void make(sumfac::bp5<3> const& A, mesh_nodes nodes, sumfac::restriction<> const& R)
{
#if defined(SUMFAC_FITS)
  static_cast<void>(sumfac::p_levels<3, 2, 1>(A, nodes, R));
#else
  static_cast<void>(sumfac::p_levels<3, 1, 2>(A, nodes, R));
#endif
}
}  // namespace multigrid_degrees_rise

// A degree that is named twice, on mesh nodes that know no coarser mesh.
// expect: sumfac::p_levels: a degree that is named twice is that degree on the mesh and on the one that it was refined
// errors: 1
namespace multigrid_degree_twice {
using mesh_nodes = sumfac::view<double const, sumfac::dextents<5>>;

void make(sumfac::bp5<2> const& A, mesh_nodes nodes, sumfac::restriction<> const& R)
{
#if defined(SUMFAC_FITS)
  static_cast<void>(sumfac::p_levels<2, 1>(A, nodes, R));
#else
  static_cast<void>(sumfac::p_levels<2, 2, 1>(A, nodes, R));
#endif
}
}  // namespace multigrid_degree_twice

// Levels on parts of a mesh whose halo cannot say which nodes a lower degree has.
// expect: sumfac::p_levels: the halo has no number(node) and subset(chosen), as sumfac::mpi::halo has
namespace multigrid_halo_of_no_subsets {
template <class Scalar, class Backend>
struct no_exchange;

struct halo {
  template <class Scalar, class Backend>
  using exchange = no_exchange<Scalar, Backend>;
  sumfac::index_t owned() const { return 0; }
  sumfac::index_t ghosts() const { return 0; }
  sumfac::reduction reduction() const { return {}; }
  void agree(char const*, char const*) const {}
#if defined(SUMFAC_FITS)
  sumfac::index_t number(sumfac::index_t node) const { return node; }
  template <class Chosen>
  halo subset(Chosen const&) const
  {
    return {};
  }
#endif
};

template <class Scalar, class Backend>
struct no_exchange {
  no_exchange(halo const&, Backend const&, int, sumfac::interleaving) {}
  void begin_update(Scalar const*, Scalar*) {}
  void end_update(Scalar const*, Scalar*) {}
  void begin_add(Scalar const*, Scalar*) {}
  void end_add(Scalar const*, Scalar*) {}
  void progress() {}
};

void make(sumfac::distributed<sumfac::bp5<2>, sumfac::restriction<>, halo> const& L,
          sumfac::view<double const, sumfac::dextents<5>> nodes)
{
  static_cast<void>(sumfac::p_levels<2, 1>(L, nodes));
}
}  // namespace multigrid_halo_of_no_subsets

// Levels by a part of a space, of a matrix whose halo is of another type than the part's.
// expect: sumfac::p_levels: the matrix is of a halo of another type than the part of the space
// errors: 1
namespace multigrid_part_of_other_halo {
using nodes_type = sumfac::view<double const, sumfac::dextents<5>>;

struct halo : multigrid_halo_of_no_subsets::halo {
  sumfac::index_t number(sumfac::index_t node) const { return node; }
  template <class Chosen>
  halo subset(Chosen const&) const
  {
    return {};
  }
};
struct part {
  struct whole_space {
    int table() const { return 0; }
  };
  whole_space space() const { return {}; }
  nodes_type nodes() const;
  nodes_type mesh_nodes() const;
  multigrid_halo_of_no_subsets::halo const& halo() const;
};

void make(sumfac::distributed<sumfac::bp5<2>, sumfac::restriction<>, halo> const& L, part const& of_space)
{
#if defined(SUMFAC_FITS)
  static_cast<void>(sumfac::p_levels<2, 1>(L, of_space.nodes()));
#else
  static_cast<void>(sumfac::p_levels<2, 1>(L, of_space));
#endif
}
}  // namespace multigrid_part_of_other_halo

// Levels whose first degree is not the operator's.
// expect: sumfac::p_levels: the first degree must be that of the operator
// errors: 1
namespace multigrid_other_degree {
using mesh_nodes = sumfac::view<double const, sumfac::dextents<5>>;

void make(sumfac::bp5<3> const& A, mesh_nodes nodes, sumfac::restriction<> const& R)
{
#if defined(SUMFAC_FITS)
  static_cast<void>(sumfac::p_levels<float, 3, 1>(A, nodes, R));
#else
  static_cast<void>(sumfac::p_levels<float, 2, 1>(A, nodes, R));
#endif
}
}  // namespace multigrid_other_degree

// Levels of an operator on nodes of the user's own, which has no lower degrees.
// expect: sumfac::p_levels: the operator's functions are on nodes of your own or at Gauss points
// errors: 1
namespace multigrid_own_nodes {
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
}  // namespace multigrid_own_nodes

// Spaces where degrees are wanted.
// expect: sumfac::p_levels: degrees are enough, as in p_levels<4, 2, 1>(A, nodes, R)
// errors: 1
namespace multigrid_spaces {
using sumfac::quadrilateral;
using made = sumfac::element_operator<sumfac::laplace, quadrilateral(2)>;
using nodes = sumfac::view<double const, sumfac::dextents<4>>;

void make(made const& A, nodes mesh, sumfac::restriction<> const& R)
{
#if defined(SUMFAC_FITS)
  static_cast<void>(sumfac::p_levels<2, 1>(A, mesh, R));
#else
  sumfac::p_levels<quadrilateral(2), quadrilateral(1)>(A, mesh, R);
#endif
}
}  // namespace multigrid_spaces

// Levels of an operator between two spaces.
// expect: sumfac::p_levels: the operator is between two spaces
// errors: 1
namespace multigrid_two_spaces {
using sumfac::quadrilateral;
#if defined(SUMFAC_FITS)
constexpr auto space = quadrilateral(2);
#else
constexpr sumfac::spaces space{.trial = quadrilateral(2), .test = quadrilateral(1)};
#endif
using made = sumfac::element_operator<sumfac::mass, space>;

void make(made const& A, sumfac::view<double const, sumfac::dextents<4>> mesh, sumfac::restriction<> const& R)
{
  static_cast<void>(sumfac::p_levels<2, 1>(A, mesh, R));
}
}  // namespace multigrid_two_spaces

// A sum whose first part is on faces.
// expect: sumfac::p_levels: the first part of the sum, by whose restriction transfers go, is a face_operator
// errors: 1
namespace multigrid_faces_first {
using sumfac::quadrilateral;
struct penalty {
  static constexpr auto trial = sumfac::value, test = sumfac::value;
  template <class T>
  struct factors {
    T penalty;
  };
  template <class T>
  factors<T> setup(sumfac::face_mapping<T, 2> const& x) const
  {
    return {x.measure() / x.height()};
  }
  template <class T>
  sumfac::point_values<T, 1, 2> apply(factors<T> const& f, sumfac::point_values<T, 1, 2> const& u) const
  {
    return {.value = f.penalty * u.value};
  }
};
using within = sumfac::element_operator<sumfac::mass, quadrilateral(2)>;
using on_faces = sumfac::face_operator<penalty, quadrilateral(2)>;
using mesh_nodes = sumfac::view<double const, sumfac::dextents<4>>;

void make(within const& K, on_faces const& F, mesh_nodes mesh, mesh_nodes behind, sumfac::restriction<> const& R)
{
#if defined(SUMFAC_FITS)
  static_cast<void>(sumfac::p_levels<2, 1>(sumfac::sum{sumfac::part{K, R}, sumfac::part{F, R}}, mesh, behind));
#else
  static_cast<void>(sumfac::p_levels<2, 1>(sumfac::sum{sumfac::part{F, R}, sumfac::part{K, R}}, behind, mesh));
#endif
}
}  // namespace multigrid_faces_first

// A transfer to a degree that is higher.
// expect: sumfac::transfer: the coarse degree is greater than the fine one
// errors: 1
namespace transfer_degrees {
using made = sumfac::transfer<fits ? 3 : 2, 3>;

using vector = sumfac::view<double, sumfac::dextents<1>>;

void prolong(made const& P, vector x, vector y) { P.prolong(x, y); }
}  // namespace transfer_degrees

// A transfer from quadrilaterals to lines.
// expect: sumfac::transfer: the spaces are not of the same elements
// errors: 1
namespace transfer_elements {
#if defined(SUMFAC_FITS)
using made = sumfac::transfer<sumfac::quadrilateral(4), sumfac::quadrilateral(2)>;
#else
using made = sumfac::transfer<sumfac::quadrilateral(4), sumfac::line(2)>;
#endif

using vector = sumfac::view<double, sumfac::dextents<1>>;

void prolong(made const& P, vector x, vector y) { P.prolong(x, y); }
}  // namespace transfer_elements
