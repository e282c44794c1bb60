// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Every strategy of the contractions on the host, in all nine functions, against the oracle.
#include "intrepid/reference_contractions.hpp"

#include <support/few.hpp>

namespace {

using namespace contraction;

sumfac::host const backend;

// Sizes below, at and beyond what strategies may take at a time; the oracle's numbers are integers, so equality holds.
void in_all_functions(auto strategy)
{
  std::uint64_t seed = 0;
  for (extents const& n : {extents{.c = 9, .l = 5, .r = 7, .p = 11, .d1 = 3, .d2 = 2},
                           extents{.c = 17, .l = 3, .r = 4, .p = 2, .d1 = 2, .d2 = 1, .data_p = 1},
                           extents{.c = 2, .l = 18, .r = 33, .p = 65, .d1 = 1, .d2 = 3, .data_p = 1},
                           extents{.c = 1, .l = 1, .r = 1, .p = 1, .d1 = 1, .d2 = 1}})
    for (auto const how : {arrangement::row, arrangement::column, arrangement::shuffled})
      for_each_function([&](auto f) {
        trial const t{.n = n, .sum_into = ++seed % 2 == 0, .seed = seed, .out = how, .left = how, .right = how};
        compare(f, types<double>{}, t, backend, strategy);
      });
}

// The first of a kind stands for it where tests are few.
void everywhere(auto first, auto... others)
{
  in_all_functions(first);
  if constexpr (!support::few) (in_all_functions(others), ...);
}

template <class Strategy>
void float_summed_in_double(Strategy strategy)
{
  for_each_function([&](auto f) {
    for (auto const how : {arrangement::row, arrangement::column}) {
      trial const t{.n = {.c = 6, .l = 5, .r = 7, .p = 41, .d1 = 3, .d2 = 2},
                    .which = numbers::reals,
                    .seed = 3,
                    .out = how,
                    .left = how,
                    .right = how};
      compare(f, types<double, float>{}, t, backend, strategy);
    }
  });
}

}  // namespace

using namespace sumfac::intrepid;

TEST_CASE("intrepid: automatic and flat on the host")
{
  everywhere(flat{}, automatic{});
  if constexpr (!support::few) float_summed_in_double(flat{});
}

TEST_CASE("intrepid: team reductions on the host")
{
  everywhere(team_reduction<2, 64>{}, team_reduction<1>{});
  everywhere(team_stride{});
  everywhere(shared_reduction<4, 32>{}, shared_reduction<>{});
}

TEST_CASE("intrepid: slices on the host")
{
  everywhere(slicing<3, 32>{}, slicing<>{}, slicing<2>{}, slicing<7>{});
  if constexpr (!support::few) float_summed_in_double(slicing<2>{});
}

TEST_CASE("intrepid: tiles on the host, of sizes that divide nothing")
{
  everywhere(tiling<5, 3, 7>{}, tiling<>{}, tiling<1, 1, 1>{});
}
