// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// explain(A): what an application of an operator moves and computes, what bounds it on a machine, what would help.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/operator/global_operator.hpp>
#include <sumfac/tools/explain/explainer.hpp>
#include <sumfac/tools/explain/explanation.hpp>
#include <sumfac/tools/explain/text.hpp>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

template <class Operator, class... Arguments>
explanation explained(Operator const& a, Arguments const&... arguments)
{
  static_assert(is_element_operator<Operator>,
                "sumfac::explain: the first argument must be an element_operator or a global_operator");
  if constexpr (is_element_operator<Operator>)
    return explainer<Operator>(a).explain(arguments...);
  else
    return {};
}

}  // namespace detail

// What an application moves and computes, what bounds it on this machine and what would help: of A.apply(u, v), by
// explain(A), or explain(A, u, v), which times it on these vectors; of A.apply(R, x, y), by explain(A, R), or
// explain(A, R, x, y). v and y are overwritten. Options come last.
template <class Operator>
explanation explain(Operator const& a, explain_options const& options = {})
{
  return detail::explained(a, options);
}
template <class Operator, class Restriction>
explanation explain(Operator const& a, Restriction const& r, explain_options const& options = {})
{
  return detail::explained(a, r, options);
}
template <class Operator, class From, class To>
explanation explain(Operator const& a, From const& u, To const& v, explain_options const& options = {})
{
  return detail::explained(a, u, v, options);
}
template <class Operator, class Restriction, class From, class To>
explanation explain(Operator const& a, Restriction const& r, From const& x, To const& y,
                    explain_options const& options = {})
{
  return detail::explained(a, r, x, y, options);
}

// The same of a global_operator's operator with its restriction: explain(L), or explain(L, x, y).
template <class Operator, class Restriction>
explanation explain(global_operator<Operator, Restriction> const& a, explain_options const& options = {})
{
  return explain(a.element_operator(), a.restriction(), options);
}
template <class Operator, class Restriction, class From, class To>
explanation explain(global_operator<Operator, Restriction> const& a, From const& x, To const& y,
                    explain_options const& options = {})
{
  return explain(a.element_operator(), a.restriction(), x, y, options);
}

}  // namespace sumfac
