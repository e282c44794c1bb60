// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A table that travels with a kernel: on a device its entries then lie in the constant bank.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/tensor/pencil.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

namespace detail {
// Stands for a table that is not needed.
struct no_table {};

// A table whose entries are constants of the program, as the host has them.
template <class Constants>
struct constant_table {
  SUMFAC_INLINE Constants forward() const { return {}; }
  SUMFAC_INLINE transposed<Constants> backward() const { return {}; }
};
}  // namespace detail

// The entries of Constants (interpolate<...> or differentiate<...>) in an object, for contract() by table or transpose.
//
// On the host a table's entries are constants of the program. A device's instructions cannot hold a double, but those
// of sm_80 can name a place in a kernel's parameters, so there the table is a member of the kernel, and no entry is
// loaded. Those of sm_90 take each entry from a uniform register, which an instruction of its own (ULDC.64) brings it
// to.
template <class Constants>
struct kept_table {
  static constexpr int rows = Constants::rows, cols = Constants::cols;
  static constexpr int parity = rows > 1 && cols > 1 ? Constants::parity : 0;  // one line alone has no two halves

  using full_type = std::remove_const_t<decltype(Constants::full)>;
  using halves_type = std::remove_const_t<decltype(Constants::halves)>;
  using entries_type = std::conditional_t<parity == 0, full_type, halves_type>;

  // The table, as contract() wants it.
  struct direct {
    static constexpr int rows = Constants::rows, cols = Constants::cols, parity = kept_table::parity;
    struct places {
      entries_type const* entries;
      SUMFAC_INLINE auto operator()(int r, int c) const { return (*entries)(r, c); }
      SUMFAC_INLINE auto even(int r, int c) const { return entries->even(r, c); }
      SUMFAC_INLINE auto odd(int r, int c) const { return entries->odd(r, c); }
    };
    places full, halves;
  };

  // Its transpose: the halves of A^T are those of A transposed, and change places where A is antisymmetric.
  struct transpose {
    static constexpr int rows = Constants::cols, cols = Constants::rows, parity = kept_table::parity;
    struct places {
      entries_type const* entries;
      SUMFAC_INLINE auto operator()(int r, int c) const { return (*entries)(c, r); }
      SUMFAC_INLINE auto even(int r, int c) const { return parity > 0 ? entries->even(c, r) : entries->odd(c, r); }
      SUMFAC_INLINE auto odd(int r, int c) const { return parity > 0 ? entries->odd(c, r) : entries->even(c, r); }
    };
    places full, halves;
  };

  SUMFAC_INLINE direct forward() const { return {{&entries}, {&entries}}; }
  SUMFAC_INLINE transpose backward() const { return {{&entries}, {&entries}}; }

  entries_type entries = [] {
    if constexpr (parity == 0)
      return Constants::full;
    else
      return Constants::halves;
  }();
};

}  // namespace sumfac
