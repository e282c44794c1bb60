// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The oracle of equations between unknowns: chains by repeated substitution, C' A C as a dense matrix.
#pragma once

#include "dense.hpp"
#include "global.hpp"
#include "random.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

namespace reference {

// The unknown is sum of weight times unknown, and b.
struct equation {
  std::size_t unknown;
  std::vector<std::pair<std::size_t, real>> terms;
  real b = 0;
};

// u = C x + b of all unknowns, by those x that have no equation; columns of the others are 0.
class expansion {
public:
  using vector = std::vector<real>;

  expansion(std::size_t size, std::vector<equation> const& equations) : rows_(size), b_(size, 0), free_(size, true)
  {
    for (equation const& row : equations) {
      if (!free_[row.unknown]) throw std::invalid_argument("two equations of one unknown");
      free_[row.unknown] = false;
    }
    for (std::size_t i = 0; i < size; ++i)
      if (free_[i]) rows_[i][i] = 1;
    // Each round puts in what is known by then, until it is all.
    auto known = free_;
    for (std::size_t left = equations.size(); left > 0;) {
      std::size_t const before = left;
      for (equation const& row : equations) {
        if (known[row.unknown]) continue;
        bool ready = true;
        for (auto const& term : row.terms) ready = ready && known[term.first];
        if (!ready) continue;
        b_[row.unknown] = row.b;
        for (auto const& [other, weight] : row.terms) {
          for (auto const& [at, of_other] : rows_[other]) rows_[row.unknown][at] += weight * of_other;
          b_[row.unknown] += weight * b_[other];
        }
        known[row.unknown] = true;
        --left;
      }
      if (left == before) throw std::invalid_argument("equations go around");
    }
  }

  std::size_t size() const { return rows_.size(); }
  bool is_free(std::size_t i) const { return free_[i]; }
  vector const& b() const { return b_; }
  std::map<std::size_t, real> const& row(std::size_t i) const { return rows_[i]; }

  // C x, and with b where wanted; entries of x that have an equation are not read.
  vector distributed(vector const& x, bool with_b) const
  {
    vector u(size(), 0);
    for (std::size_t i = 0; i < size(); ++i) {
      if (with_b) u[i] = b_[i];
      for (auto const& [at, weight] : rows_[i]) u[i] += weight * x[at];
    }
    return u;
  }

  // C' v.
  vector collected(vector const& v) const
  {
    vector y(size(), 0);
    for (std::size_t i = 0; i < size(); ++i)
      for (auto const& [at, weight] : rows_[i]) y[at] += weight * v[i];
    return y;
  }

  table<real> matrix() const
  {
    int const n = static_cast<int>(size());
    table<real> c(n, n);
    for (std::size_t i = 0; i < size(); ++i)
      for (auto const& [at, weight] : rows_[i]) c(static_cast<int>(i), static_cast<int>(at)) = weight;
    return c;
  }

  // C' A C, with 1 on the diagonal of unknowns that have equations, or 0.
  table<real> reduced(table<real> const& a, constrained_row row) const
  {
    int const n = static_cast<int>(size());
    table<real> result(n, n);
    for (int j = 0; j < n; ++j) {
      if (!free_[static_cast<std::size_t>(j)]) {
        result(j, j) = row == constrained_row::identity ? 1 : 0;
        continue;
      }
      vector unit(size(), 0);
      unit[static_cast<std::size_t>(j)] = 1;
      auto const column = collected(product(a, distributed(unit, false)));
      for (int i = 0; i < n; ++i) result(i, j) = column[static_cast<std::size_t>(i)];
    }
    return result;
  }

  // C' (f - A b): the right side of those.
  vector lifted(table<real> const& a, vector f) const
  {
    auto const moved = product(a, b_);
    for (std::size_t i = 0; i < f.size(); ++i) f[i] -= moved[i];
    return collected(f);
  }

private:
  std::vector<std::map<std::size_t, real>> rows_;
  vector b_;
  std::vector<bool> free_;
};

// Equations of a few terms, some of which have equations themselves, in no order.
inline std::vector<equation> random_equations(std::size_t size, std::size_t count, std::uint64_t seed)
{
  auto const order = mesh::shuffled(static_cast<std::int64_t>(size), seed);
  support::generator next(seed + 1);
  std::vector<equation> result;
  for (std::size_t i = 0; i < count; ++i) {
    equation row{static_cast<std::size_t>(order[i]), {}, next()};
    std::map<std::size_t, real> terms;
    auto const most = next.bits() % 4;  // none at times: a value that is known
    for (std::size_t t = 0; t < most && i + 1 < size; ++t)
      terms[static_cast<std::size_t>(order[i + 1 + next.bits() % (size - i - 1)])] = next();
    row.terms.assign(terms.begin(), terms.end());
    result.push_back(row);
  }
  for (std::size_t i = count; i > 1; --i) std::swap(result[i - 1], result[next.bits() % i]);
  return result;
}

}  // namespace reference
