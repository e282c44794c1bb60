// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Every strategy of the contractions on the host, in all nine functions, against the oracle.
#include "intrepid/reference_contractions.hpp"

namespace {

using namespace contraction;

sumfac::host const backend;

// Sizes below, at and beyond what strategies may take at a time; the oracle's numbers are integers, so equality holds.
void everywhere(auto strategy)
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
  everywhere(automatic{}), everywhere(flat{});
  float_summed_in_double(flat{});
}

TEST_CASE("intrepid: team reductions on the host")
{
  everywhere(team_reduction<1>{}), everywhere(team_reduction<2, 64>{}), everywhere(team_stride{});
  everywhere(shared_reduction<>{}), everywhere(shared_reduction<4, 32>{});
}

TEST_CASE("intrepid: slices on the host")
{
  everywhere(slicing<>{}), everywhere(slicing<2>{}), everywhere(slicing<3, 32>{}), everywhere(slicing<7>{});
  float_summed_in_double(slicing<2>{});
}

TEST_CASE("intrepid: tiles on the host, of sizes that divide nothing")
{
  everywhere(tiling<>{}), everywhere(tiling<5, 3, 7>{}), everywhere(tiling<1, 1, 1>{});
}
