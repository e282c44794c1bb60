// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The whole library in one line, interop/ aside: for programs, never for the library's own headers.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/error.hpp>

#include <sumfac/view/bounds.hpp>
#include <sumfac/view/extents.hpp>
#include <sumfac/view/layout.hpp>
#include <sumfac/view/slice.hpp>
#include <sumfac/view/view.hpp>

#include <sumfac/math/small.hpp>

#include <sumfac/backend/concepts.hpp>
#include <sumfac/backend/policy.hpp>

#include <sumfac/basis/lagrange.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/basis/tables.hpp>

#include <sumfac/geometry/element_geometry.hpp>
#include <sumfac/geometry/mapping.hpp>
#include <sumfac/geometry/mesh_nodes.hpp>
