// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What `automatic` is: a strategy for each class of shapes, as it was measured.
#pragma once

#include <sumfac/intrepid/strategy.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// The strategies that `automatic` chooses from: each with the parameters that its type has by default.
enum class strategy_way { flat, team_stride, shared_reduction, slicing, tiling, large_tiling };

// Where cells lie side by side in the factor that is read most and in the output, or anywhere.
enum class cell_order { adjacent, any };

inline constexpr index_t any_length = index_t{1} << 62;

// One class of shapes, with at least so many left and right rows and at most that length, and its strategy.
struct strategy_row {
  index_t least_left, least_right, most_length;
  cell_order cells;
  strategy_way way;
};

// The host. Of DataField and DataData every strategy is the same code there, so any will do. Of FieldField the rows say
// how many times as fast as the best of the others tiling was on the benchmark's grid, least to greatest, for factors
// in rows and in columns (docs/results/contractions.md, the better of `tiling` and `automatic`, the same code there).
// With AVX-512 it was 1.03 times and more (docs/results/2026-11-24-amd-epyc-zen4/contractions.md).
inline constexpr strategy_row host_strategies[] = {
    // left  right  length      cells               way                         rows         columns
    {16, 16, any_length, cell_order::any, strategy_way::tiling},  //            1.15 - 5.73  1.14 - 2.24
    {1, 1, any_length, cell_order::any, strategy_way::tiling},    // 8 and 10:  0.97 - 2.39  1.15 - 1.60
};

// GPUs and `checked`. Not measured yet on a device: tiles where there are outputs enough to fill them, and large ones,
// whose threads read less from shared memory, where these are half full; a thread for each output where neighbours read
// neighbours; and else teams, several outputs a team where sums are short.
inline constexpr strategy_row device_strategies[] = {
    // left  right  length      cells               way
    {32, 32, any_length, cell_order::any, strategy_way::large_tiling},
    {5, 5, any_length, cell_order::any, strategy_way::tiling},
    {1, 1, any_length, cell_order::adjacent, strategy_way::flat},
    {2, 1, any_length, cell_order::any, strategy_way::flat},
    {1, 1, 16, cell_order::any, strategy_way::shared_reduction},
    {1, 1, any_length, cell_order::any, strategy_way::team_stride},
};

// The strategy of the first row that a contraction fits. The last row of a table fits all.
template <int Rows, class Sum>
strategy_way choose_strategy(strategy_row const (&table)[Rows], Sum const& sum)
{
  bool const adjacent = sum.right.cell == 1 && sum.out.cell == 1;
  for (strategy_row const& row : table)
    if (sum.left_rows >= row.least_left && sum.right_rows >= row.least_right && sum.length() <= row.most_length &&
        (adjacent || row.cells == cell_order::any))
      return row.way;
  return table[Rows - 1].way;
}

// Whether a table chooses that strategy anywhere: others need not be compiled.
template <int Rows>
constexpr bool has_strategy(strategy_row const (&table)[Rows], strategy_way way)
{
  for (strategy_row const& row : table)
    if (row.way == way) return true;
  return false;
}

// Calls f(strategy) with the strategy of a table's row.
template <auto const& Table, class Sum, class Function>
void with_strategy(Sum const& sum, Function const& f)
{
  strategy_way const way = choose_strategy(Table, sum);
  auto const call_if = [&]<strategy_way Way>(auto strategy, std::integral_constant<strategy_way, Way>) {
    if constexpr (has_strategy(Table, Way))
      if (way == Way) f(strategy);
  };
  call_if(intrepid::flat{}, std::integral_constant<strategy_way, strategy_way::flat>{});
  call_if(intrepid::team_stride{}, std::integral_constant<strategy_way, strategy_way::team_stride>{});
  call_if(intrepid::shared_reduction<>{}, std::integral_constant<strategy_way, strategy_way::shared_reduction>{});
  call_if(intrepid::slicing<>{}, std::integral_constant<strategy_way, strategy_way::slicing>{});
  call_if(intrepid::tiling<>{}, std::integral_constant<strategy_way, strategy_way::tiling>{});
  call_if(intrepid::large_tiling{}, std::integral_constant<strategy_way, strategy_way::large_tiling>{});
}

}  // namespace sumfac::detail
