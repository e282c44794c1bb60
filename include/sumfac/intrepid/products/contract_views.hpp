// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// From the views of a contraction to the kernel of its backend and strategy.
#pragma once

#include <sumfac/intrepid/products/contraction.hpp>
#include <sumfac/intrepid/products/host_contraction.hpp>
#include <sumfac/intrepid/products/strategy_table.hpp>
#include <sumfac/intrepid/products/team_contraction.hpp>
#include <sumfac/intrepid/strategy.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

template <class T>
inline constexpr bool is_strategy = std::is_same_v<T, intrepid::automatic> || std::is_same_v<T, intrepid::flat>;
template <int Depth, int Threads>
inline constexpr bool is_strategy<intrepid::team_reduction<Depth, Threads>> = true;
template <int Lanes, int Threads>
inline constexpr bool is_strategy<intrepid::shared_reduction<Lanes, Threads>> = true;
template <int Slices, int Threads>
inline constexpr bool is_strategy<intrepid::slicing<Slices, Threads>> = true;
template <int Left, int Right, int Depth, int Block>
inline constexpr bool is_strategy<intrepid::tiling<Left, Right, Depth, Block>> = true;

// The registers of a strategy on the host, and whether it has tiles there.
template <class Strategy>
inline constexpr host_block block_of_strategy{};
template <>
inline constexpr host_block block_of_strategy<intrepid::flat>{.left = 1, .right = 1, .sums = 1};
template <int Depth, int Threads>
inline constexpr host_block block_of_strategy<intrepid::team_reduction<Depth, Threads>>{
    .left = 1, .right = 1, .sums = 4};
template <int Lanes, int Threads>
inline constexpr host_block block_of_strategy<intrepid::shared_reduction<Lanes, Threads>>{
    .left = 1, .right = 4, .sums = 1};
template <int Slices, int Threads>
inline constexpr host_block block_of_strategy<intrepid::slicing<Slices, Threads>>{
    .left = Slices < 3 ? Slices : 3, .right = 4, .sums = 1};

template <class Strategy>
inline constexpr host_tiles tiles_of_strategy = host_tiles::none;
template <int Left, int Right, int Depth, int Block>
inline constexpr host_tiles tiles_of_strategy<intrepid::tiling<Left, Right, Depth, Block>> = host_tiles::cached;

template <class Sum, class Strategy>
void contract_on_host(host const& backend, Sum const& sum, Strategy)
{
  host_contraction<Sum, block_of_strategy<Strategy>>(sum, tiles_of_strategy<Strategy>).run(backend);
}
template <class Sum>
void contract_on_host(host const& backend, Sum const& sum, intrepid::automatic)
{
  with_strategy<host_strategies>(sum, [&](auto strategy) { contract_on_host(backend, sum, strategy); });
}

template <class T>
inline constexpr bool is_number = std::is_same_v<T, double> || std::is_same_v<T, float>;

// Whether extents that the compiler knows allow what check_contraction() asks of them: dimension a of A and b of B
// alike.
template <class First, class Second>
constexpr bool may_agree(int a, int b)
{
  index_t const x = First::extents_type::static_extent(a), y = Second::extents_type::static_extent(b);
  return x == y || x == dynamic_extent || y == dynamic_extent;
}

// Shapes (C, L, sum), (C, sum) or (C, sum) of the left factor, (C, R, sum) or (C, sum) of the right, and the output's.
template <class Out, class Left, class Right>
constexpr bool static_shapes_fit()
{
  constexpr int l = Out::rank() == 3 ? 2 : 1, r = Out::rank() == 1 ? 1 : 2;  // where the sum begins
  bool fit = may_agree<Left, Right>(0, 0) && may_agree<Out, Left>(0, 0);
  for (int i = 0; l + i < Left::rank(); ++i) {
    bool const constant = i == 0 && Out::rank() == 2 && Left::extents_type::static_extent(l) == 1;
    fit = fit && (constant || may_agree<Left, Right>(l + i, r + i));
  }
  if constexpr (Out::rank() == 3) fit = fit && may_agree<Out, Left>(1, 1) && may_agree<Out, Right>(2, 1);
  if constexpr (Out::rank() == 2) fit = fit && may_agree<Out, Right>(1, 1);
  return fit;
}

template <int OutRank, int LeftRank, int RightRank, class Backend, class Out, class Left, class Right, class Strategy>
void contract_views(Backend const& backend, contraction_name const& name, Out const& out, char const* left_name,
                    Left const& left, char const* right_name, Right const& right, bool sum_into, Strategy strategy)
{
  constexpr bool views = is_view<Out> && is_view<Left> && is_view<Right>;
  static_assert(std::is_class_v<Backend>, "sumfac::intrepid: the first argument must be a backend, as sumfac::host{}");
  static_assert(views, "sumfac::intrepid: output and factors must be sumfac::view: see interop/ for others' arrays");
  static_assert(is_strategy<Strategy>,
                "sumfac::intrepid: the last argument must be a strategy: automatic{}, flat{}, "
                "team_reduction<>{}, shared_reduction<>{}, slicing<>{} or tiling<>{}");
  if constexpr (views && is_strategy<Strategy> && std::is_class_v<Backend>) {
    using out_type = typename Out::element_type;
    constexpr bool ranks = Out::rank() == OutRank && Left::rank() == LeftRank && Right::rank() == RightRank;
    constexpr bool numbers = is_number<typename Out::value_type> && is_number<typename Left::value_type> &&
                             is_number<typename Right::value_type>;
    static_assert(Out::rank() == OutRank,
                  "sumfac::intrepid: the output has another rank than the function's table says");
    static_assert(Left::rank() == LeftRank,
                  "sumfac::intrepid: the first factor has another rank than the function's table says");
    static_assert(Right::rank() == RightRank,
                  "sumfac::intrepid: the second factor has another rank than the function's table says");
    static_assert(!std::is_const_v<out_type>,
                  "sumfac::intrepid: the output is a view of const: nothing can be "
                  "written");
    static_assert(numbers, "sumfac::intrepid: entries must be float or double");
    constexpr bool fit = [] {
      if constexpr (ranks) return static_shapes_fit<Out, Left, Right>();
      return true;
    }();
    static_assert(fit,
                  "sumfac::intrepid: extents that the compiler knows do not fit: factors need the same C and "
                  "contracted dimensions, the output C and L and R, or F, of the factors");
    if constexpr (ranks && numbers && fit && !std::is_const_v<out_type>) {
      auto const sum =
          make_contraction(name, describe_argument("output", out), out.data(), describe_argument(left_name, left),
                           left.data(), describe_argument(right_name, right), right.data(), sum_into);
      if constexpr (runs_on_host<Backend>)
        contract_on_host(backend, sum, strategy);
      else
        launch_contraction(backend, sum, strategy);
    }
  }
}

}  // namespace sumfac::detail
