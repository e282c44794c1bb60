// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The interior penalty with a coefficient as a weak form, and what the oracle has for it.
#pragma once

#include <operator/beside_faces.hpp>
#include <sumfac/form/weak_faces.hpp>

#include <vector>

namespace weak_penalty {

using reference::real;

struct conductivity {
  template <class T>
  SUMFAC_FUNCTION T operator()(sumfac::vector<T, 2> const& place) const
  {
    return sumfac::scalar_of<T>(1) + place[0] * place[0] + sumfac::scalar_of<T>(0.5) * place[1];
  }
};
inline real conductivity_at(reference::face_point const& x)
{
  return 1 + x.position[0] * x.position[0] + x.position[1] / 2;
}

template <class Boundary>
auto penalty_form(sumfac::weak::expression auto const& k, Boundary const& boundary)
{
  using namespace sumfac::weak;
  auto const flux = [&](auto const& f) { return dot(average(k * grad(f)), n); };
  return integrate_faces(-flux(u) * jump(v) - jump(u) * flux(v) + 10 / h * jump(u) * jump(v), boundary);
}
inline auto with_conductivity()
{
  return penalty_form(sumfac::weak::coefficient(conductivity{}), sumfac::weak::fixed());
}

// Its sums over faces.
inline void add(reference::face_sums& sums, std::vector<reference::face> const& pairs,
                std::vector<reference::side> const& boundary)
{
  using reference::face_point, reference::flat_field;
  sums.add(pairs, [](face_point const& in, face_point const& out, flat_field const& u, flat_field const& b) {
    real const k = conductivity_at(in), jump = u.value[0] - b.value[0];
    real const slope = k * (reference::dot(u.gradient[0], in.normal) + reference::dot(b.gradient[0], in.normal)) / 2;
    real const f = -slope + 10 * (1 / in.height + 1 / out.height) / 2 * jump;
    reference::both_sides v{{{f}, {{}}}, {{-f}, {{}}}};
    for (real const n : in.normal) v.in.gradient[0].push_back(-k * jump * n / 2);
    v.out.gradient = v.in.gradient;
    return v;
  });
  sums.add(boundary, [](face_point const& x, flat_field const& u) {
    real const k = conductivity_at(x), jump = 2 * u.value[0];
    flat_field v{{-k * reference::dot(u.gradient[0], x.normal) + 10 / x.height * jump}, {{}}};
    for (real const n : x.normal) v.gradient[0].push_back(-k * jump * n / 2);
    return v;
  });
}

}  // namespace weak_penalty
