// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Geometry policies: where a kernel gets a form's factors from.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

// The form's setup runs once, when the operator is made, and its factors are kept for every point of every element.
struct stored {};

// One Jacobian an element, for meshes of parallelepipeds, straight tetrahedra, and prisms whose maps are affine.
//
// **Errors** geometry_error for an element of another map.
struct affine {};

// The 8 vertices of an element, from which the kernel computes the Jacobian along lines of points.
//
// **Errors** geometry_error for an element whose nodes do not lie on the trilinear map of its vertices.
struct trilinear {};

// The nodes of an element, NodesPerEdge in each direction (0: as many as the operator's degree has), which the kernel
// interpolates and differentiates. A mesh with fewer is raised to these, exactly.
//
// **Errors** argument_error for a mesh with more.
template <int NodesPerEdge = 0>
struct isoparametric {
  static_assert(NodesPerEdge == 0 || (NodesPerEdge >= 2 && NodesPerEdge <= 16),
                "sumfac::isoparametric: nodes per edge are 2 to 16, or 0 for those of the operator's degree");
};

// Each group of elements that a team works on at once is affine, trilinear or stored, whichever is the cheapest that
// fits all of them, within the tolerance. Quadrilaterals and lines that are affine are run as trilinear ones.
struct split {};

// How far, as a fraction of its size, the nodes of an element may lie from the affine or trilinear map that stands for
// them. The rounding of their coordinates is allowed on top: element_shapes says how much that is.
inline constexpr double geometry_tolerance = 1e-12;

// What an element allows, from the cheapest to the dearest. A quadrilateral is trilinear where its edges are straight
// and its nodes lie on them and between them as its four vertices say; a line is affine where its nodes do so.
enum class geometry_class { affine, trilinear, general };

namespace detail {

template <class Policy>
inline constexpr bool is_isoparametric = false;
template <int NodesPerEdge>
inline constexpr bool is_isoparametric<isoparametric<NodesPerEdge>> =
    NodesPerEdge == 0 || (NodesPerEdge >= 2 && NodesPerEdge <= 16);
template <class Policy>
inline constexpr int nodes_per_edge = 2;
template <int NodesPerEdge>
inline constexpr int nodes_per_edge<isoparametric<NodesPerEdge>> = NodesPerEdge;

template <class Policy>
constexpr char const* name_of_policy()
{
  return std::is_same_v<Policy, stored>      ? "stored"
         : std::is_same_v<Policy, affine>    ? "affine"
         : std::is_same_v<Policy, trilinear> ? "trilinear"
         : std::is_same_v<Policy, split>     ? "split"
                                             : "isoparametric";
}

}  // namespace detail

// One of these five.
template <class Policy>
concept geometry_policy =
    std::is_same_v<Policy, stored> || std::is_same_v<Policy, affine> || std::is_same_v<Policy, trilinear> ||
    std::is_same_v<Policy, split> || detail::is_isoparametric<Policy>;

}  // namespace sumfac
