// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a restriction keeps, by backend, and what a sweep over its elements does to the result.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/dofs/dof_map.hpp>
#include <sumfac/dofs/restriction/options.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// y = the sums, or y = y + the sums.
enum class sweep_mode { write, add };

// What becomes of constrained entries: nothing, y = the rows' value times x, y = 0.
enum class row_action { none, copy, zero };

inline row_action action_of(constrained_rows const& rows)
{
  return rows == constrained_rows::zero ? row_action::zero : row_action::copy;
}

// Tables of a dof_map and work memory: of devices and `checked` in device_restriction.hpp, of the host in
// host_restriction.hpp.
template <class Scalar, class Backend, dof_extras Extras = dof_extras{}>
class restriction_storage;

}  // namespace sumfac::detail
