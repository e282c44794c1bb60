// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An element kernel swept over global vectors: what an operator does with a restriction.
#pragma once

#include <sumfac/geometry/element_vector.hpp>
#include <sumfac/geometry/restriction.hpp>
#include <sumfac/operator/host_global.hpp>
#include <sumfac/operator/team_global.hpp>
#include <sumfac/view/view.hpp>

#include <type_traits>

namespace sumfac::detail {

// Checks x and y as an operator takes them: contiguous, of the right length and scalar, apart from each other unless
// they are one and the same argument.
template <class Scalar, class Backend, class X, class Y>
void check_global_vectors(char const* where, restriction<Scalar, Backend> const& r, X const& x, Y const& y)
{
  static_assert(is_view<X> && is_view<Y>, "sumfac::element_operator: x and y must be sumfac::view");
  static_assert(std::is_same_v<typename X::value_type, Scalar> && std::is_same_v<typename Y::element_type, Scalar>,
                "sumfac::element_operator: x and y must have entries of the operator's scalar type, and y must not be "
                "const");
  static_assert(X::rank() == 1 && Y::rank() == 1 && std::is_same_v<typename X::layout_type, layout_right> &&
                    std::is_same_v<typename Y::layout_type, layout_right>,
                "sumfac::element_operator: global vectors must be contiguous: views of rank 1 and layout_right");
  check_extent(where, "x", 0, "entries", r.size(), x.extent(0));
  check_extent(where, "y", 0, "entries", r.size(), y.extent(0));
  check_data(where, "x", x.data(), r.size());
  check_data(where, "y", y.data(), r.size());
  if (static_cast<void const*>(&x) != static_cast<void const*>(&y)) check_distinct(where, x, y, "x", "y");
}

// y = R^T K R x for the kernel K that `make` builds upon vectors, and the constrained entries.
template <class Vectors, class Scalar, class Backend, class Make>
void sweep_global(restriction<Scalar, Backend> const& r, Scalar const* x, Scalar* y, sweep_mode mode, Make const& make)
{
  sweep_kernel<Vectors>(r.backend(), r.storage(), x, y, mode, make);
  if (mode == sweep_mode::add || r.constrained() == 0) return;
  if (r.options().rows == constrained_rows::identity)
    r.storage().copy_constrained(x, y);
  else
    r.storage().set_constrained(y, 0);
}

}  // namespace sumfac::detail
