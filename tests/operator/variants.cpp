// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Every way through an element gives the right vector, whatever its tuning, under the eyes of `checked`; instances/ has
// others.
#include "properties.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/element/tuning.hpp>
#include <sumfac/operator/bake_off.hpp>

#include <support/mesh.hpp>
#include <support/random.hpp>

#include <vector>

namespace {

// A problem with a tuning of the caller's.
template <class Problem, sumfac::tuning Tuning>
struct tuned : Problem {
  template <int Order, class Backend, class Scalar,
            class Standard = typename Problem::template operator_type<Order, Backend, Scalar>>
  using operator_type = sumfac::element_operator<typename Standard::form_type, Order, typename Standard::points_type,
                                                 Backend, Scalar, sumfac::tuned<Tuning>>;
};

// Slices and places for factors are for forms with derivatives.
template <sumfac::tuning Tuning, int Order, class Scalar = double>
void every_problem()
{
  INFO("way " << static_cast<int>(Tuning.way) << ", elements " << Tuning.elements << ", planes " << Tuning.planes
              << ", padding " << Tuning.padding << ", prefetch " << static_cast<int>(Tuning.ahead));
  if constexpr (Tuning.way != sumfac::variant::slices && Tuning.ahead != sumfac::prefetch::scratch)
    checks::properties<tuned<checks::bp1, Tuning>, Order, sumfac::checked, Scalar>{}.all();
  checks::properties<tuned<checks::bp3, Tuning>, Order, sumfac::checked, Scalar>{}.all();
  checks::properties<tuned<checks::bp35, Tuning>, Order, sumfac::checked, Scalar>{}.all();
}

using sumfac::prefetch, sumfac::tuning, sumfac::variant;

}  // namespace

TEST_CASE("tuning: cubes of one element, padded")
{
  every_problem<tuning{.way = variant::cubes, .padding = 3, .ahead = prefetch::registers}, 4>();
}

TEST_CASE("tuning: factors by way of scratch, the same bits as by registers")
{
  every_problem<tuning{.elements = 2, .ahead = prefetch::scratch, .points_ahead = 2}, 2, float>();
  auto const box = mesh::jittered({5, 1, 1}, 0.1);
  auto const u = support::random<double>(5 * 64, 1);
  auto const product = [&]<tuning Tuning>(sumfac::tuned<Tuning>) {
    using stiffness = sumfac::bp35<3, sumfac::checked, sumfac::tuned<Tuning>>;
    stiffness const a(sumfac::checked(), sumfac::view<double const, sumfac::dextents<5>>(box.data(), 5, 2, 2, 2, 3));
    std::vector<double> v(u.size());
    a.apply(sumfac::view<double const, sumfac::dextents<4>>(u.data(), 5, 4, 4, 4),
            sumfac::view<double, sumfac::dextents<4>>(v.data(), 5, 4, 4, 4));
    return v;
  };
  auto const by_registers = product(sumfac::tuned<tuning{.elements = 3, .points_ahead = 1}>{});
  CHECK(product(sumfac::tuned<tuning{.elements = 3, .ahead = prefetch::scratch, .points_ahead = 3}>{}) == by_registers);
  CHECK(product(sumfac::tuned<tuning{.elements = 3, .ahead = prefetch::scratch, .points_ahead = 4}>{}) == by_registers);
}

TEST_CASE("tuning: slices of several elements, and of all planes")
{
  every_problem<tuning{.way = variant::slices, .elements = 3, .planes = 2, .ahead = prefetch::cache}, 1, float>();
  every_problem<tuning{.way = variant::slices, .planes = 4, .ahead = prefetch::registers}, 4>();
}
