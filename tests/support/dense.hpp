// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Small systems of equations for the oracle: Cholesky's factorization and plain conjugate gradients, in long double.
#pragma once

#include "rules.hpp"

#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace reference {

// y = A x, and the products around it.
template <class T>
std::vector<T> product(table<T> const& a, std::vector<T> const& x)
{
  std::vector<T> y(static_cast<std::size_t>(a.rows));
  for (int r = 0; r < a.rows; ++r)
    for (int c = 0; c < a.cols; ++c) y[static_cast<std::size_t>(r)] += a(r, c) * x[static_cast<std::size_t>(c)];
  return y;
}

template <class T>
T inner(std::vector<T> const& x, std::vector<T> const& y)
{
  T sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

// The x of A x = b by L L' = A, or nothing where A is not positive definite. Only the lower triangle is read.
template <class T>
std::optional<std::vector<T>> solved(table<T> a, std::vector<T> b)
{
  int const n = a.rows;
  for (int c = 0; c < n; ++c) {
    for (int k = 0; k < c; ++k)
      for (int r = c; r < n; ++r) a(r, c) -= a(r, k) * a(c, k);
    if (!(a(c, c) > 0)) return {};
    T const root = std::sqrt(a(c, c));
    for (int r = c; r < n; ++r) a(r, c) /= root;
  }
  for (int r = 0; r < n; ++r) {
    for (int k = 0; k < r; ++k) b[static_cast<std::size_t>(r)] -= a(r, k) * b[static_cast<std::size_t>(k)];
    b[static_cast<std::size_t>(r)] /= a(r, r);
  }
  for (int r = n - 1; r >= 0; --r) {
    for (int k = r + 1; k < n; ++k) b[static_cast<std::size_t>(r)] -= a(k, r) * b[static_cast<std::size_t>(k)];
    b[static_cast<std::size_t>(r)] /= a(r, r);
  }
  return b;
}

// The inverse, by Gauss and Jordan's elimination with the greatest pivot of each column; nothing where there is none.
template <class T>
std::optional<table<T>> inverse(table<T> a)
{
  using std::abs;  // of real numbers; that of complex ones is found by their type
  int const n = a.rows;
  table<T> result(n, n);
  for (int i = 0; i < n; ++i) result(i, i) = 1;
  for (int p = 0; p < n; ++p) {
    int greatest = p;
    for (int r = p + 1; r < n; ++r)
      if (abs(a(r, p)) > abs(a(greatest, p))) greatest = r;
    T const pivot = a(greatest, p);
    if (pivot == T(0)) return {};
    for (int c = 0; c < n; ++c) {
      std::swap(a(p, c), a(greatest, c));
      std::swap(result(p, c), result(greatest, c));
      a(p, c) /= pivot;
      result(p, c) /= pivot;
    }
    for (int r = 0; r < n; ++r) {
      T const times = a(r, p);
      if (r == p || times == T(0)) continue;
      for (int c = 0; c < n; ++c) {
        a(r, c) -= times * a(p, c);
        result(r, c) -= times * result(p, c);
      }
    }
  }
  return result;
}

// What conjugate gradients did: |r_k| for k = 0 (before the first iteration) .. iterations, and the last x.
template <class T = real>
struct descent {
  std::vector<T> x;
  std::vector<T> residuals;
  bool indefinite = false;  // stopped since p' A p <= 0

  int iterations() const { return static_cast<int>(residuals.size()) - 1; }
};

// Hestenes and Stiefel 1952, from x = 0, preconditioned by a diagonal (empty: none), until |r| <= tolerance |r_0| or
// `most` iterations. apply(x) -> A x.
template <class T, class Apply>
descent<T> conjugate_gradients(Apply const& apply, std::vector<T> const& b, std::vector<T> const& diagonal, int most,
                               T tolerance = 0)
{
  descent<T> result{std::vector<T>(b.size()), {std::sqrt(inner(b, b))}};
  std::vector<T> r = b, p(b.size()), z(b.size());
  T last = 0;
  for (int k = 0; k < most && result.residuals.back() > tolerance * result.residuals.front(); ++k) {
    for (std::size_t i = 0; i < r.size(); ++i) z[i] = diagonal.empty() ? r[i] : r[i] / diagonal[i];
    T const rz = inner(r, z), beta = k == 0 ? 0 : rz / last;
    for (std::size_t i = 0; i < r.size(); ++i) p[i] = z[i] + beta * p[i];
    std::vector<T> const ap = apply(p);
    T const curvature = inner(p, ap);
    if (!(curvature > 0)) {
      result.indefinite = true;
      break;
    }
    T const alpha = rz / curvature;
    for (std::size_t i = 0; i < r.size(); ++i) {
      result.x[i] += alpha * p[i];
      r[i] -= alpha * ap[i];
    }
    last = rz;
    result.residuals.push_back(std::sqrt(inner(r, r)));
  }
  return result;
}

}  // namespace reference
