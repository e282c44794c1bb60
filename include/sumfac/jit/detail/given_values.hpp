// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What a form that is compiled at run time is made of, where it is made: on the host or on a device.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/jit/detail/interface.hpp>
#include <sumfac/view/view.hpp>

#include <cstddef>
#include <utility>

namespace sumfac::SUMFAC_TARGET::jit::detail {

// Numbers and tables of a form, by place.
struct given_values {
  parts const* of;

  SUMFAC_FUNCTION double number(int i) const { return of->numbers[i]; }
  // A table whose shape is in its type, where it is known when the unit is compiled.
  template <class Extents>
  SUMFAC_FUNCTION view<double const, Extents> table(int i) const
  {
    return shaped<Extents>(of->tables[i], std::make_index_sequence<Extents::rank()>{});
  }

private:
  template <class Extents, std::size_t... Rs>
  SUMFAC_FUNCTION static view<double const, Extents> shaped(array const& a, std::index_sequence<Rs...>)
  {
    return view<double const, Extents>(static_cast<double const*>(a.data), Extents(a.extents[Rs]...));
  }
};

}  // namespace sumfac::jit::detail
