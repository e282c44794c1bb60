// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Ways through an element other than the recommended one, on `checked`, against the oracle and without a finding.
#pragma once

#include "problems.hpp"

#include <sumfac/backend/checked.hpp>

#include <support/random.hpp>

#include <catch2/catch.hpp>

#include <type_traits>

namespace checks {

// Each says a tuning for g points per direction.
struct wide_cubes {
  static constexpr sumfac::tuning at(int g)
  {
    return {.elements = g < 6    ? 3
                        : g < 16 ? 2
                                 : 1,  // two do not fit a block's scratch
            .padding = 2,
            .reads = g % 2 == 0 ? sumfac::read_order::kept : sumfac::read_order::free,
            .tables = g % 3 == 0 ? 1 : g % 3 + 2};
  }
};
struct early_cubes {
  static constexpr sumfac::tuning at(int g)
  {
    return {.elements = g < 4 ? 2 : 1, .resident_teams = 2, .ahead = sumfac::prefetch::registers};
  }
};
struct thin_slices {
  static constexpr sumfac::tuning at(int g)
  {
    return {.way = sumfac::variant::slices, .elements = g < 8 ? 2 : 1, .planes = 1};
  }
};
struct thick_slices {
  static constexpr sumfac::tuning at(int g)
  {
    return {.way = sumfac::variant::slices,
            .elements = g < 4 ? 5 : 1,
            .planes = (g + 1) / 2,
            .padding = 1,
            .ahead = sumfac::prefetch::cache};
  }
};
struct all_in_one_slice {
  static constexpr sumfac::tuning at(int g) { return {.way = sumfac::variant::slices, .planes = g}; }
};
// Of 8 points.
struct in_warps {
  static constexpr sumfac::tuning at(int) { return {.way = sumfac::variant::warps, .resident_teams = 12}; }
};
// The host's way, watched.
struct host_planes {
  static constexpr sumfac::tuning at(int) { return {.way = sumfac::variant::planes}; }
};

template <class Problem, class Way>
struct by_way : Problem {
  template <int Order, class Backend, class Scalar>
  using recommended = typename Problem::template operator_type<Order, Backend, Scalar>;

  template <int Order, class Backend, class Scalar>
  using operator_type =
      sumfac::element_operator<typename recommended<Order, Backend, Scalar>::form_type, Order,
                               typename recommended<Order, Backend, Scalar>::points_type, Backend, Scalar,
                               sumfac::tuned<Way::at(recommended<Order, Backend, Scalar>::points_1d)>>;
};

// A u on elements that do not fill the last team.
template <class Problem, class Way, int Order, class Scalar, class Backend>
void agrees_by_way_on(Backend const& backend)
{
  using subject_type = subject<by_way<Problem, Way>, Order, Backend, Scalar>;
  constexpr int teams_of = Way::at(subject_type::operator_type::points_1d).elements;
  auto const points = reference::gauss_lobatto(3);
  auto const bent = mesh::mapped(mesh::box({2, 2, 2}, points), mesh::smooth{});
  subject_type const s(backend, mesh::sampled(bent, teams_of == 1 ? 1 : teams_of + 1), points);
  auto const u = support::random<Scalar>(s.size(), Order);
  s.compare("A u", u, s.apply(u));
  if constexpr (std::is_same_v<Backend, sumfac::checked>) {
    CHECK(s.a.backend().counts().groups == (teams_of == 1 ? 1 : 2));
    CHECK(s.a.backend().finding_count() == 0);
  }
}

// The same on `checked`, which throws at the first finding.
template <class Problem, class Way, int Order, class Scalar = double>
void agrees_by_way()
{
  agrees_by_way_on<Problem, Way, Order, Scalar>(sumfac::checked());
}

}  // namespace checks
