// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// How stiff each element is along its directions, by the energies of linear functions.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/basis/detail/tables.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/vectors/vector_checks.hpp>
#include <sumfac/error.hpp>
#include <sumfac/view/view.hpp>

#include <cstddef>

namespace sumfac::SUMFAC_TARGET::detail {

// In the reference element the integral of g_x u_x v_x + g_y u_y v_y + g_z u_z v_z + m u v has the energies u' A u that
// the element's matrix has for the functions x, y, z and 1; of x and y alone on quadrilaterals, of x on lines.
//
// On boxes, with coefficients of elements, its matrix is the element's; elsewhere these are means.
struct line_scale {
  double along[3] = {1, 1, 1};  // x, y, z
  double mass = 0;
};

// **Shapes** (E, C)
// **Work** (D + 1) C applications to E-vectors, D directions. **Errors** argument_error for an energy that is not
// positive and finite.
template <class Operator>
class line_scales {
  using scalar = typename Operator::scalar_type;
  static constexpr int n = Operator::nodes_1d, components = Operator::components;
  static constexpr int directions = Operator::directions, no_direction = directions;  // of constants
  static constexpr index_t nodes = node_box(n, directions).all(), entries = components * nodes;
  static constexpr double size_of_reference = 1 << directions;

public:
  explicit line_scales(Operator const& a)
      : operator_(a),
        threads_(host_of(a.backend())),
        scales_(static_cast<std::size_t>(a.elements() * components)),
        u_(static_cast<std::size_t>(a.elements() * entries), 0),
        v_(make_memory<scalar>(a.backend(), a.elements() * entries))
  {
    for (int c = 0; c < components; ++c) {
      own_vector<double> const constants = energies(c, no_direction);
      for (int d = 0; d < directions; ++d) {
        own_vector<double> const linear = energies(c, d);
        for (index_t e = 0; e < a.elements(); ++e) take(e, c, d, constants[place(e)], linear[place(e)]);
      }
    }
    u_.clear(), v_ = {};
  }

  index_t elements() const { return operator_.elements(); }
  line_scale const& operator()(index_t e, int c) const { return scales_[place(e * components + c)]; }

private:
  static std::size_t place(index_t i) { return static_cast<std::size_t>(i); }

  // u' A u of all elements for u = x, y, z, or 1, by no_direction, in component c.
  own_vector<double> energies(int c, int direction)
  {
    static constexpr auto x = coordinates<double, typename Operator::nodes_type>();
    auto const value = [direction](index_t p) {
      if (direction == no_direction) return 1.0;
      return x(static_cast<int>(direction == 0 ? p % n : direction == 1 ? p / n % n : p / n / n));
    };
    own_vector<double> result(place(operator_.elements()), 0);
    threads_.partition(operator_.elements(), [&](index_t first, index_t last) {
      for (index_t i = first * entries; i < last * entries; ++i)
        u_[place(i)] = i / nodes % components == c ? static_cast<scalar>(value(i % nodes)) : scalar(0);
    });
    auto const u = upload<scalar>(operator_.backend(), u_);
    operator_.apply(e_vector(static_cast<scalar const*>(u.data())), e_vector(v_.data()));
    auto const v = download<scalar>(operator_.backend(), v_.data(), operator_.elements() * entries);
    threads_.partition(operator_.elements(), [&](index_t first, index_t last) {
      for (index_t e = first; e < last; ++e)
        for (index_t p = 0; p < nodes; ++p)
          result[place(e)] += value(p) * static_cast<double>(v[place(e * entries + c * nodes + p)]);
    });
    return result;
  }

  template <class T>
  auto e_vector(T* data) const
  {
    return view<T, e_vector_extents<components, n, directions>>(data, operator_.elements());
  }

  // 1' M 1 = 2, x' K x = 2, x' M x = `square` along a line of length 2.
  void take(index_t e, int c, int direction, double constant, double linear)
  {
    static constexpr auto x = coordinates<double, typename Operator::points_type>();
    static constexpr auto w = quadrature_weights<double, typename Operator::points_type>();
    double square = 0;
    for (int q = 0; q < Operator::points_1d; ++q) square += w(q) * x(q) * x(q);
    double const stiff = linear - constant * square / 2;
    if (!(stiff > 0) || stiff - stiff != 0)
      failf("schwarz_preconditioner",
            "element %lld is not positive definite: a linear function of component %d along %c has the energy %g, %g "
            "of it by the gradient (a finite number above 0 expected)",
            static_cast<long long>(e), c, 'x' + direction, linear, stiff);
    line_scale& scale = scales_[place(e * components + c)];
    scale.along[direction] = stiff / size_of_reference;
    constexpr double rounding = sizeof(typename Operator::arithmetic_type) == sizeof(double) ? 1e-12 : 1e-4;
    scale.mass = constant > rounding * stiff ? constant / size_of_reference : 0;
  }

  Operator const& operator_;
  host threads_;
  own_vector<line_scale> scales_;  // (E, C)
  own_vector<scalar> u_;
  memory_of<scalar, typename Operator::backend_type> v_;
};

}  // namespace sumfac::detail
