// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Kokkos' arrays as arguments of the contractions: no copies, static extents kept, any of Kokkos' layouts, subviews.
// Element kernels in its TeamPolicy.
//
// Built where Kokkos is installed (Debian: libtrilinos-kokkos-dev).
#include <sumfac/backend/checked.hpp>
#include <sumfac/interop/kokkos.hpp>
#include <sumfac/intrepid/contractions.hpp>

#include <Kokkos_Core.hpp>

#include <operator/element_parts.hpp>

#include <catch2/catch.hpp>

#include <cstddef>

namespace {

using space = Kokkos::HostSpace;

template <class Data, class Layout>
using array = Kokkos::View<Data, Layout, space>;

// Small integers, whose sums are exact: a different one at each place.
double entry(int c, int row, int p, int d) { return (7 * c + 5 * row + 3 * p + d) % 11 - 5; }

template <class View>
void fill(View const& v)
{
  for (std::size_t c = 0; c < v.extent(0); ++c)
    for (std::size_t row = 0; row < v.extent(1); ++row)
      for (std::size_t p = 0; p < v.extent(2); ++p)
        for (std::size_t d = 0; d < v.extent(3); ++d) v(c, row, p, d) = entry(int(c), int(row), int(p), int(d));
}

// Contracts what the views hold and checks each entry by plain loops over Kokkos' own indices.
template <class Out, class Left, class Right>
void check(Out const& out, Left const& left, Right const& right)
{
  Kokkos::deep_copy(out, 1.0);
  sumfac::intrepid::contractFieldFieldVector(sumfac::host(), sumfac::from_kokkos(out), sumfac::from_kokkos(left),
                                             sumfac::from_kokkos(right), true);
  for (std::size_t c = 0; c < out.extent(0); ++c)
    for (std::size_t l = 0; l < out.extent(1); ++l)
      for (std::size_t r = 0; r < out.extent(2); ++r) {
        double sum = 1;
        for (std::size_t p = 0; p < left.extent(2); ++p)
          for (std::size_t d = 0; d < left.extent(3); ++d) sum += left(c, l, p, d) * right(c, r, p, d);
        CHECK(out(c, l, r) == sum);
      }
}

template <class Layout>
void check_layout()
{
  array<double***, Layout> const out("out", 9, 5, 6);
  array<double****, Layout> const left("left", 9, 5, 7, 3);
  array<double** [7][3], Layout> const right("right", 9, 6);
  static_assert(decltype(sumfac::from_kokkos(right))::extents_type::static_extent(2) == 7);
  fill(left), fill(right);
  array<double const****, Layout> const const_left = left;
  CHECK(sumfac::from_kokkos(const_left).data() == left.data());
  check(out, const_left, right);
}

// The groups of a part by teams of a league.
struct by_teams {
  template <class Backend, class Part>
  void operator()(Backend const&, Part const& part) const
  {
    using policy_type = Kokkos::TeamPolicy<Kokkos::DefaultHostExecutionSpace>;
    policy_type policy(static_cast<int>(part.groups), 1);
    policy.set_scratch_size(0, Kokkos::PerTeam(Part::scratch_bytes + Part::scratch_alignment));
    Kokkos::parallel_for(policy, [=](policy_type::member_type const& team) {
      void* const memory = team.team_shmem().get_shmem_aligned(Part::scratch_bytes, Part::scratch_alignment);
      sumfac::device::apply_element<1>(team, part, memory, team.league_rank());
    });
    Kokkos::fence();
  }
};

}  // namespace

// One case without sections: Kokkos starts once in a process.
TEST_CASE("Kokkos: views are contracted where they lie, teams apply operators to elements", "[interop]")
{
  Kokkos::ScopeGuard const kokkos;
  check_layout<Kokkos::LayoutRight>();
  check_layout<Kokkos::LayoutLeft>();

  // Layouts in a mix; a subview, whose cells and fields lie apart.
  array<double****, Kokkos::LayoutRight> const large("large", 9, 11, 7, 3);
  array<double****, Kokkos::LayoutLeft> const right("right", 9, 6, 7, 3);
  array<double***, Kokkos::LayoutLeft> const out("out", 9, 5, 6);
  fill(large), fill(right);
  auto const some = Kokkos::subview(large, Kokkos::ALL, std::pair<int, int>(2, 7), Kokkos::ALL, Kokkos::ALL);
  CHECK(sumfac::from_kokkos(some).data() == &large(0, 2, 0, 0));
  check(out, some, right);

  checks::parts_agree<sumfac::bp3<2>>(by_teams{});
  checks::parts_agree<sumfac::bp35<3, sumfac::host, float>>(by_teams{});
  checks::parts_agree<sumfac::bp3<2, sumfac::checked>>(by_teams{});
  checks::parts_agree<sumfac::bp4<1, sumfac::checked>>(by_teams{});
}
