// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Whether the passes compute what they should, on sizes with a rest: plain loops beside them, before anything is timed.
#pragma once

#include "passes.hpp"

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace sumfac::bench {

namespace detail {

inline void require_near(std::string const& pass, double got, double expected, double scale)
{
  if (!(std::abs(got - expected) <= 1e-13 * scale))
    throw std::runtime_error("streams: " + pass + " is wrong (got " + std::to_string(got) + ", expected " +
                             std::to_string(expected) + "): nothing is timed");
}

// A pass on vectors of `size` entries, from their first numbers.
template <class Backend>
void check_vector_pass(Backend const& backend, std::string const& pass, index_t size)
{
  vector_streams<Backend> streams(backend, size + 3);
  double const got = streams.run(pass, size), step = streams.step;
  std::vector<double> after[4];
  for (int k = 0; k < 4; ++k) after[k] = streams.numbers(k, size + 3);
  double sum = 0;
  for (index_t i = 0; i < size + 3; ++i) {
    double before[4], expected[4];
    for (int k = 0; k < 4; ++k) before[k] = expected[k] = stream_number(i, k);
    if (i < size) {
      sum += pass == "norm" ? before[0] * before[0] : before[0] * before[1];
      if (pass == "copy") expected[1] = before[0];
      if (pass == "axpy") expected[1] = before[1] + step * before[0];
      if (pass == "cg_update") expected[2] = before[2] + step * before[0], expected[3] = before[3] - step * before[1];
      if (pass == "cg_turn") expected[0] = before[3] + step * before[0];
    }
    for (int k = 0; k < 4; ++k) require_near(pass, after[k][static_cast<std::size_t>(i)], expected[k], 1);
  }
  if (pass == "norm") require_near(pass, got * got, sum, static_cast<double>(size));
  if (pass == "dot") require_near(pass, got, sum, static_cast<double>(size));
}

template <class Backend>
void check_mesh_pass(Backend const& backend, std::string const& pass)
{
  box_of_elements const box(3, 2);
  mesh_streams<Backend> streams(backend, box);
  auto const x = streams.global(), u = streams.by_element();
  streams.run(pass);
  std::vector<double> sums(x.size());
  for (std::size_t i = 0; i < u.size(); ++i) {
    auto const node = static_cast<std::size_t>(box.numbers[i]);
    sums[node] += u[i];
    if (pass == "gather") require_near(pass, streams.by_element()[i], x[node], 1);
  }
  auto const y = streams.global();
  for (std::size_t i = 0; i < y.size(); ++i) require_near(pass, y[i], pass == "gather" ? x[i] : sums[i], 8);
}

}  // namespace detail

// Throws a sentence where a pass of a backend is wrong.
template <class Backend>
void check_pass(Backend const& backend, std::string const& pass)
{
  if (pass == "gather" || pass == "scatter")
    detail::check_mesh_pass(backend, pass);
  else
    detail::check_vector_pass(backend, pass, 4096 + 517);
}

}  // namespace sumfac::bench
