// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the recipes share: vectors as views, and a number printed beside the right one.
#pragma once

#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

// A vector's entries as a view.
template <class T>
auto on(std::vector<T>& entries)
{
  return sumfac::view(entries.data(), static_cast<sumfac::index_t>(entries.size()));
}
template <class T>
auto on(std::vector<T> const& entries)
{
  return sumfac::view(entries.data(), static_cast<sumfac::index_t>(entries.size()));
}

// u . A u, through a restriction.
template <class Operator, class Restriction, class T>
double energy(Operator const& A, Restriction const& R, std::vector<T> const& u)
{
  std::vector<T> v(u.size());
  A.apply(R, on(u), on(v));
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) sum += double(u[i]) * double(v[i]);
  return sum;
}

// Prints a number beside the right one; what a program returns: 0 where they agree.
inline int compare(char const* what, double number, double right, double tolerance = 1e-10)
{
  std::printf("%s: %.10g, and %.10g is right\n", what, number, right);
  return std::abs(number - right) <= tolerance ? 0 : 1;
}
