// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the rows of constraints make of a vector at their unknowns, in the memory of a backend.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/loop.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction/constraint_rows.hpp>
#include <sumfac/dofs/restriction/options.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

// x at row i = the sum of its terms + its value. No term is the unknown of a row.
template <class Scalar>
struct set_row {
  index_t const *entries, *begin, *terms;
  Scalar const *weights, *values;
  Scalar* x;

  SUMFAC_INLINE void operator()(index_t i) const
  {
    Scalar sum = values[i];
    for (index_t t = begin[i]; t < begin[i + 1]; ++t) sum += weights[t] * x[terms[t]];
    x[entries[i]] = sum;
  }
};

template <class Scalar, class Backend>
class row_values {
public:
  row_values() = default;
  row_values(Backend const& backend, constraint_rows const& rows, entry_order const& order)
  {
    if (rows.empty()) return;
    own_vector<index_t> entries, begin(1, 0), terms;
    own_vector<Scalar> weights, values;
    for (auto const& row : rows.all()) {
      entries.push_back(order.entry(row.key / order.components, static_cast<int>(row.key % order.components)));
      values.push_back(static_cast<Scalar>(row.b));
      for (row_term const& t : row.terms) {
        terms.push_back(order.entry(t.index, t.component));
        weights.push_back(static_cast<Scalar>(t.weight));
      }
      begin.push_back(static_cast<index_t>(terms.size()));
    }
    entries_ = upload(backend, entries), begin_ = upload(backend, begin), terms_ = upload(backend, terms);
    weights_ = upload(backend, weights), values_ = upload(backend, values);
  }

  void set(Backend const& backend, Scalar* x) const
  {
    loop(backend, entries_.size(),
         set_row<Scalar>{entries_.data(), begin_.data(), terms_.data(), weights_.data(), values_.data(), x});
  }

private:
  memory_of<index_t, Backend> entries_, begin_, terms_;
  memory_of<Scalar, Backend> weights_, values_;
};

}  // namespace sumfac::detail
