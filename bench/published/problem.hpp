// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's equation on a box of hexahedra, u = 0 on its boundary, on any backend: its mesh, operator and vectors, and
// what is known of the results.
#pragma once

#include "../report/timing.hpp"
#include "../subjects/check.hpp"
#include "../subjects/global_mesh.hpp"

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/merged_cg.hpp>
#include <sumfac/solver/vector_ops.hpp>

#include <array>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace sumfac::bench {

// Elements along each axis for about so many unknowns, as benchmark-dolfinx chooses them: of about a cube's numbers
// those that come nearest.
inline std::array<index_t, 3> sides_for(index_t unknowns, int order)
{
  auto const middle = std::lround((std::cbrt(double(unknowns)) - 1) / order);
  index_t const least = std::max(1L, middle - 5), most = std::max(1L, middle) + 5;
  auto const misfit = [&](index_t x, index_t y, index_t z) {
    return std::abs((x * order + 1) * (y * order + 1) * (z * order + 1) - unknowns);
  };
  index_t const first = std::max(1L, middle);
  std::array<index_t, 3> best{first, first, first};
  for (index_t x = least; x <= most; ++x)
    for (index_t y = least; y <= most; ++y)
      for (index_t z = least; z <= most; ++z)
        if (misfit(x, y, z) < misfit(best[0], best[1], best[2])) best = {x, y, z};
  return best;
}

// A box of such lengths from a corner.
struct straight {
  mesh::position corner{0, 0, 0}, lengths{1, 1, 1};

  mesh::position operator()(mesh::position const& x) const
  {
    return {corner[0] + lengths[0] * x[0], corner[1] + lengths[1] * x[1], corner[2] + lengths[2] * x[2]};
  }
};

// Kershaw's map as nekRS has it: around the origin.
struct kershaw_around_origin {
  mesh::kershaw bend;

  mesh::position operator()(mesh::position const& x) const
  {
    auto const at = bend(x);
    return {at[0] - 0.5, at[1] - 0.5, at[2] - 0.5};
  }
};

// A form on a box with a restriction that fixes its boundary; the host's tables go once the device has them.
template <class Form, int Order, class Points, class Policy, class Backend>
class box_problem {
public:
  using operator_type = element_operator<Form, Order, Points, Backend, double, Policy>;
  using vector = sumfac::detail::memory_of<double, Backend>;
  static constexpr index_t n = Order + 1;

  template <class Map>
  box_problem(Backend const& backend, std::array<index_t, 3> const& sides, Map const& map, scatter sums)
      : backend_(backend),
        mesh_(host(), sides, map),
        numbers_(mesh_.number_nodes(Order)),
        made_mesh_(now()),
        operator_(backend, mesh_.vertices()),
        made_operator_(now()),
        restriction_(backend, numbers_.table(), numbers_.nodes, numbers_.marks(), {.policy = sums}),
        made_(now())
  {
  }

  operator_type const& on_elements() const { return operator_; }
  restriction<double, Backend> const& restricted() const { return restriction_; }
  auto matrix() const { return global_operator{operator_, restriction_}; }
  global_mesh const& mesh() const { return mesh_; }
  index_t unknowns() const { return numbers_.nodes; }
  index_t elements() const { return mesh_.elements(); }
  // Of mesh and table, operator, restriction.
  std::array<double, 3> set_up_seconds() const
  {
    return {made_mesh_ - begin_, made_operator_ - made_mesh_, made_ - made_operator_};
  }

  // f at the nodes, on the backend.
  template <class Function>
  vector values(Function const& f) const
  {
    auto const there = mesh_.at_nodes(numbers_, f);
    auto made = sumfac::detail::make_memory<double>(backend_, unknowns());
    if constexpr (sumfac::detail::is_device<Backend>) {
      backend_.copy(there.data(), made.data(), unknowns());
      backend_.synchronize();
    } else {
      for (index_t i = 0; i < unknowns(); ++i) made[i] = there[i];
    }
    return made;
  }
  vector zeros(index_t size) const { return sumfac::detail::make_memory<double>(backend_, size); }
  vector zeros() const { return zeros(unknowns()); }
  view<double, dextents<4>> as_elements(vector& u) const
  {
    return view<double, dextents<4>>(u.data(), elements(), n, n, n);
  }

  // y = A x of nodes' values, and x . y.
  template <class Matrix>
  double energy(Matrix const& a, vector const& x, vector& y) const
  {
    a.apply(view(x.data(), unknowns()), view(y.data(), unknowns()));
    return ops().dot(view(x.data(), unknowns()), view(y.data(), unknowns()));
  }
  double norm(vector const& x) const { return ops().norm(view(x.data(), unknowns())); }
  vector_ops<double, Backend> ops() const { return {backend_, unknowns()}; }

private:
  double begin_ = now();
  Backend backend_;
  global_mesh mesh_;
  global_mesh::numbering numbers_;
  double made_mesh_;
  operator_type operator_;
  double made_operator_;
  restriction<double, Backend> restriction_;
  double made_;
};

// Refuses what is not what it must be but for such a part.
inline void require_near(char const* what, double is, double must_be, double part)
{
  if (!(std::abs(is - must_be) <= part * std::abs(must_be)))
    throw std::runtime_error(std::string(what) + " is " + std::to_string(is) + ", " + std::to_string(must_be) +
                             " expected");
}

}  // namespace sumfac::bench
