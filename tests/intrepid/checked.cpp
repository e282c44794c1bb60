// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The device kernels of every strategy, run by the checked backend: no race, no read of what nobody wrote, and the
// oracle's results.
#include "intrepid/reference_contractions.hpp"

#include <sumfac/backend/checked.hpp>

#include <support/few.hpp>

namespace {

using namespace contraction;

// Extents next to the sizes of tiles and teams; the backend throws where it finds a mistake.
template <class... Strategy>
void in_all_functions(Strategy... strategy)
{
  sumfac::checked const backend;
  std::uint64_t seed = 0;
  for (extents const& n : {extents{.c = 3, .l = 5, .r = 7, .p = 11, .d1 = 3, .d2 = 2},
                           extents{.c = 9, .l = 3, .r = 2, .p = 2, .d1 = 2, .d2 = 1, .data_p = 1},
                           extents{.c = 1, .l = 17, .r = 9, .p = 67, .d1 = 1, .d2 = 1, .data_p = 1},
                           extents{.c = 1, .l = 1, .r = 1, .p = 1, .d1 = 1, .d2 = 1}})
    for (auto const how : {arrangement::row, arrangement::column, arrangement::shuffled})
      for_each_function([&](auto f) {
        trial const t{.n = n, .sum_into = ++seed % 2 == 0, .seed = seed, .out = how, .left = how, .right = how};
        if (!support::few || how == arrangement::shuffled) compare(f, types<double>{}, t, backend, strategy...);
      });
  CHECK(backend.finding_count() == 0);
}

// The first of a kind stands for it where tests are few.
void everywhere(auto first, auto... others)
{
  in_all_functions(first);
  if constexpr (!support::few) (in_all_functions(others), ...);
}

}  // namespace

using namespace sumfac::intrepid;

TEST_CASE("intrepid: the library's choice and flat in device kernels")
{
  everywhere(flat{});
  if constexpr (!support::few) in_all_functions();
}

TEST_CASE("intrepid: team reductions in device kernels")
{
  everywhere(team_reduction<2, 16>{}, team_reduction<1, 8>{}, team_stride{});
}

TEST_CASE("intrepid: several outputs of a team in device kernels")
{
  everywhere(shared_reduction<2, 16>{}, shared_reduction<>{}, shared_reduction<1, 8>{});
}

TEST_CASE("intrepid: slices in device kernels") { everywhere(slicing<3, 8>{}, slicing<1, 4>{}, slicing<2, 32>{}); }

TEST_CASE("intrepid: tiles in device kernels, of sizes that divide nothing")
{
  everywhere(tiling<5, 3, 7>{}, tiling<4, 4, 4>{}, tiling<1, 1, 1>{});
  everywhere(tiling<4, 6, 5, 2>{}, tiling<2, 8, 64>{}, tiling<6, 3, 4, 3>{});
}

TEST_CASE("intrepid: device kernels of float, summed in double where the output is")
{
  sumfac::checked const backend;
  for_each_function([&](auto f) {
    for (auto const how : {arrangement::row, arrangement::column}) {
      trial const t{.n = {.c = 3, .l = 5, .r = 6, .p = 21, .d1 = 3, .d2 = 2},
                    .which = numbers::reals,
                    .seed = 3,
                    .out = how,
                    .left = how,
                    .right = how};
      compare(f, types<double, float>{}, t, backend, team_stride{});
      if constexpr (!support::few) {
        compare(f, types<float>{}, t, backend, tiling<4, 4, 8>{});
        compare(f, types<double, float>{}, t, backend, tiling<4, 4, 8>{});
      }
    }
  });
}
