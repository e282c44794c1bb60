// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A sum of operators with nothing constrained: for given values, which the right side loses.
#pragma once

#include <sumfac/config.hpp>

#include <tuple>

namespace sumfac::SUMFAC_TARGET::detail {

// A sum of the same parts where nothing is constrained, with restrictions of its own.
template <class Sum>
class unconstrained_sum;
template <template <class...> class Sum, class... Parts>
class unconstrained_sum<Sum<Parts...>> {
public:
  explicit unconstrained_sum(Sum<Parts...> const& a)
      : restrictions_(std::apply([](auto const&... p) { return restrictions_type(p.restriction().unconstrained()...); },
                                 a.parts())),
        sum_(std::apply(
            [&](auto const&... r) {
              return std::apply([&](auto const&... p) { return Sum<Parts...>(p.through(r)...); }, a.parts());
            },
            restrictions_))
  {
  }
  unconstrained_sum(unconstrained_sum const&) = delete;
  unconstrained_sum& operator=(unconstrained_sum const&) = delete;

  void apply(typename Sum<Parts...>::from_vector x, typename Sum<Parts...>::to_vector y) const { sum_.apply(x, y); }
  auto const& restriction() const { return sum_.restriction(); }

private:
  using restrictions_type = std::tuple<typename Parts::restriction_type...>;

  restrictions_type restrictions_;
  Sum<Parts...> sum_;
};

}  // namespace sumfac::detail
