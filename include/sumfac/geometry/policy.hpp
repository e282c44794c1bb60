// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Geometry policies: where a kernel gets a form's factors from.
#pragma once

#include <type_traits>

namespace sumfac {

// The form's setup runs once, when the operator is made, and its factors are kept for every point of every element.
struct stored {
};

// One Jacobian an element, for meshes of parallelepipeds.
//
// **Errors** geometry_error for an element that is none.
struct affine {
};

// The 8 vertices of an element, from which the kernel computes the Jacobian along lines of points.
//
// **Errors** geometry_error for an element whose nodes do not lie on the trilinear map of its vertices.
struct trilinear {
};

// How far, as a fraction of its size, the nodes of an element may lie from the affine or trilinear map that stands for
// them. The rounding of their coordinates is allowed on top: element_shapes says how much that is.
inline constexpr double geometry_tolerance = 1e-12;

template <class Policy>
concept geometry_policy =
    std::is_same_v<Policy, stored> || std::is_same_v<Policy, affine> || std::is_same_v<Policy, trilinear>;

}  // namespace sumfac
