// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// From a degree known at run time to an operator instantiated for it.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/own_string.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

// The degrees that a program instantiates, in any order: orders<1, 2, 3, 7>.
template <int... Orders>
struct orders {
  static_assert(sizeof...(Orders) > 0, "sumfac::orders: the list is empty: name the degrees to instantiate");
};

namespace detail {
// What a refused call returns, so that the diagnostic stands alone.
struct any_result {
  template <class T>
  operator T() const;
};
template <int... Orders>
constexpr bool is_listed(orders<Orders...>, int order)
{
  return (... || (order == Orders));
}
template <int... Orders>
void check_order(orders<Orders...>, int order);
template <int First, int... Rest, class Function>
auto dispatch_listed(orders<First, Rest...> list, int order, Function& f);
}  // namespace detail

// Calls f.template operator()<Order>() for the degree of the list that equals `order`, and returns what it returns:
//
//     dispatch_order<orders<1, 2, 4, 8>>(order, [&]<int Order> { bp1<Order> A{backend, nodes}; ... });
//
// All results must have one type. **Errors** argument_error that names the list, for a degree outside it.
template <class Orders, class Function>
auto dispatch_order(int order, Function&& f)
{
  detail::check_order(Orders{}, order);
  return detail::dispatch_listed(Orders{}, order, f);
}
// The same with what is done for another degree: otherwise(order), as with an operator that is compiled at run time.
template <class Orders, class Function, class Otherwise>
auto dispatch_order(int order, Function&& f, Otherwise&& otherwise)
{
  using result = decltype(detail::dispatch_listed(Orders{}, order, f));
  constexpr bool same = std::is_same_v<result, decltype(otherwise(order))>;
  static_assert(same, "sumfac::dispatch_order: f and otherwise return different types: let them return one type");
  if constexpr (same) {
    if (!detail::is_listed(Orders{}, order)) return otherwise(order);
    return detail::dispatch_listed(Orders{}, order, f);
  } else {
    return result();
  }
}
// Degrees that are not in a list are refused with a diagnostic.
template <int... Orders, class Function>
detail::any_result dispatch_order(int, Function&&)
{
  static_assert(sizeof...(Orders) == 0,
                "sumfac::dispatch_order: the degrees must be a list: dispatch_order<sumfac::orders<1, 2>>(order, f)");
  return {};
}

namespace detail {

template <int... Orders>
void check_order(orders<Orders...> listed, int order)
{
  if (is_listed(listed, order)) return;
  own_string list;
  (list.append(list.empty() ? "" : ", ").append(in_digits(Orders)), ...);
  failf("dispatch_order", "degree %d is not instantiated (the list is %s): add it to sumfac::orders<...>", order,
        list.c_str());
}

template <class Result, int First, int... Rest, class Function>
Result dispatch(orders<First, Rest...>, int order, Function& f)
{
  if constexpr (sizeof...(Rest) > 0)
    if (order != First) return dispatch<Result>(orders<Rest...>{}, order, f);
  return f.template operator()<First>();
}

template <int Order, class Function>
inline constexpr bool takes_order = requires(Function& f) { f.template operator()<Order>(); };

template <int First, int... Rest, class Function>
auto dispatch_listed(orders<First, Rest...> list, int order, Function& f)
{
  constexpr bool callable = takes_order<First, Function>;
  static_assert(callable,
                "sumfac::dispatch_order: f must take the degree as its only template argument, and nothing "
                "else: [&]<int Order> { ... }");
  if constexpr (callable) {
    using result = decltype(f.template operator()<First>());
    static_assert((std::is_same_v<result, decltype(f.template operator()<Rest>())> && ...),
                  "sumfac::dispatch_order: f returns another type for another degree: let it return one type for all");
    return dispatch<result>(list, order, f);
  } else {
    return any_result{};
  }
}

}  // namespace detail

}  // namespace sumfac
