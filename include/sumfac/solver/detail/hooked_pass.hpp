// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A pass over vectors that is made inside a sweep over elements, behind each piece of it.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/solver/detail/passes.hpp>

namespace sumfac::inline SUMFAC_TARGET::detail {

// Hooks of restriction_storage::sweep: the body is called for each entry of y as soon as y is complete there.
//
// The body may change x, too: entries of a block's own nodes are read by that block alone, which is done, and those
// that blocks share are come to when all are.
template <class Body>
struct hooked_pass {
  using scalar = typename Body::scalar;
  struct piece_sums {};
  static_assert(Body::sums == 0);

  Body body;
  scalar const* x;  // null where the sweep reads none
  scalar* y;

  void before(index_t first, index_t last) const
  {
    for (index_t i = first; i < last; ++i) y[i] = 0;
  }
  void before_one(index_t i) const { y[i] = 0; }
  scalar next_x(index_t i) const { return x[i]; }
  void after(index_t first, index_t last, piece_sums&) const { range_sums<Body>().add(first, last, body); }
  void after_one(index_t i, piece_sums&) const
  {
    scalar none[most_sums] = {};
    body(i, none);
  }
  void finish(index_t, piece_sums const&) const {}
};

}  // namespace sumfac::detail
