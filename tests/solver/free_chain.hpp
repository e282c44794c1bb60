// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Springs between the nodes of a line, open or closed to a ring, with components: a matrix that constants are free in.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/dofs/restriction/options.hpp>

#include <dofs/global_vectors.hpp>

#include <vector>

namespace checks {

// Spring i, from node i to the next, is 1 + i % 3 stiff. A fixed entry's row is `own` times the identity.
template <class Scalar = double, class Backend = sumfac::host>
struct free_chain {
  using scalar_type = Scalar;
  using backend_type = Backend;
  struct lying {
    int c;
    sumfac::interleaving lie;
    int components() const { return c; }
    sumfac::restriction_options options() const { return {.components = c, .components_lie = lie}; }
  };

  index_t nodes;
  int components = 1;
  bool ring = false;
  sumfac::interleaving lie = sumfac::interleaving::fastest;
  std::vector<index_t> fixed = {};  // entries
  Scalar own = 1;
  Scalar wind = 0;  // of a matrix without symmetry, in a ring
  Backend here = {};
  mutable int applied = 0;

  index_t size() const { return nodes * components; }
  Backend const& backend() const { return here; }
  lying restriction() const { return {components, lie}; }
  index_t entry(index_t node, int c) const
  {
    return lie == sumfac::interleaving::fastest ? node * components + c : c * nodes + node;
  }
  bool is_fixed(index_t i) const
  {
    for (index_t const f : fixed)
      if (f == i) return true;
    return false;
  }

  template <class X, class Y>
  void apply(X const& x, Y const& y) const
  {
    ++applied;
    auto const value = [&](index_t i) { return is_fixed(i) ? Scalar(0) : x(i); };
    for (index_t i = 0; i < size(); ++i) y(i) = 0;
    for (int c = 0; c < components; ++c)
      for (index_t i = 0; i + (ring ? 0 : 1) < nodes; ++i) {
        index_t const a = entry(i, c), b = entry((i + 1) % nodes, c);
        Scalar const stretch = value(b) - value(a), force = Scalar(1 + i % 3) * stretch, blown = wind * stretch;
        y(a) -= force - blown;
        y(b) += force + blown;
      }
    for (index_t const f : fixed) y(f) = own * x(f);
  }
};

// The mean of a component.
template <class Chain, class Vector>
double mean(Chain const& chain, Vector const& x, int c)
{
  double sum = 0;
  for (index_t i = 0; i < chain.nodes; ++i) sum += static_cast<double>(x[static_cast<std::size_t>(chain.entry(i, c))]);
  return sum / static_cast<double>(chain.nodes);
}

}  // namespace checks
