// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the host says of a few operators on one small mesh, compiled by the host's compiler.
#pragma once

#include <sumfac/config.hpp>

#include <string>
#include <vector>

namespace expected {

using sumfac::index_t;

constexpr index_t elements = 23;  // fills no last team

// The vertices (elements, 2, 2, 2, 3) of bent trilinear elements.
std::vector<double> const& vertices();

// Of "BP1.0", "BP3.0" or "BP3.5"; E-vectors of layout_right.
std::vector<double> apply(std::string const& problem, int order, std::vector<double> const& u);
std::vector<double> diagonal(std::string const& problem, int order);
std::vector<double> matrix(std::string const& problem, int order, index_t element);

}  // namespace expected
