// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A.explain(...) of operators, which <sumfac/tools/explain.hpp> defines for those who include it.
#pragma once

#include <sumfac/config.hpp>

namespace sumfac::SUMFAC_TARGET {

struct explain_options;
template <class Operator, class Restriction>
class global_operator;

namespace detail {

// Of an operator's type; defined by explain.hpp.
template <class Operator>
class explainer;

template <class Explainer>
concept is_defined = requires { sizeof(Explainer); };

// A base of operators.
template <class Operator>
class explained {
public:
  // What an application moves and computes, what bounds it on this machine and what would help, as an explanation: of
  // apply(u, v), by explain(), or explain(u, v), which times it on these vectors; of apply(R, x, y), by explain(R), or
  // explain(R, x, y). v and y are overwritten. Options come last.
  template <class... Arguments>
  auto explain(Arguments const&... arguments) const
  {
    constexpr bool included = is_defined<explainer<Operator>>;
    static_assert(included,
                  "sumfac::element_operator: explain() is in a header of its own: include "
                  "<sumfac/tools/explain.hpp>");
    if constexpr (included) return explainer<Operator>(self()).explain(arguments...);
  }
  auto explain(explain_options const& options) const { return explainer<Operator>(self()).explain(options); }
  template <class First>
  auto explain(First const& first, explain_options const& options) const
  {
    return explainer<Operator>(self()).explain(first, options);
  }
  template <class First, class Second>
  auto explain(First const& first, Second const& second, explain_options const& options) const
  {
    return explainer<Operator>(self()).explain(first, second, options);
  }
  template <class First, class Second, class Third>
  auto explain(First const& first, Second const& second, Third const& third, explain_options const& options) const
  {
    return explainer<Operator>(self()).explain(first, second, third, options);
  }

private:
  Operator const& self() const { return static_cast<Operator const&>(*this); }
};

}  // namespace detail

}  // namespace sumfac
