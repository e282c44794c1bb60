// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator of the host beside that of a device, entry by entry. `device_backend` is the backend that the including
// file names.
#pragma once

#include <support/larger.hpp>

#include <dofs/global_vectors.hpp>
#include <operator/problems.hpp>

namespace one_source {

// What a solver of an application does to know its port to a device: both apply A to the same u.
template <template <class> class Operator, class Form = typename Operator<sumfac::host>::form_type>
void both_agree(Form const& form = {})
{
  using on_host = Operator<sumfac::host>;
  using on_device = Operator<device_backend>;
  constexpr int n = on_host::nodes_1d;
  auto const where = reference::gauss_lobatto(3);
  auto const mesh = mesh::sampled(mesh::mapped(mesh::box({3, 2, 2}, where), mesh::smooth{}), 9);
  on_host const a({}, checks::nodes_view(mesh), form);
  on_device const b({}, checks::nodes_view(mesh), form);
  auto const u = support::random<double>(std::size_t{9} * n * n * n, n);
  std::vector<double> v(u.size()), w(u.size());
  a.apply(checks::vector_view<1>(u.data(), 9, n), checks::vector_view<1>(v.data(), 9, n));
  support::on_backend(b.backend(), u, w, [&](double const* from, double* to) {
    b.apply(checks::vector_view<1>(from, 9, n), checks::vector_view<1>(to, 9, n));
  });
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    largest = support::larger(largest, std::abs(v[i]));
    difference = support::larger(difference, std::abs(v[i] - w[i]));
  }
  INFO("off by " << difference << " of " << largest);
  CHECK(largest > 0);
  CHECK(difference <= 1e-14 * largest);
}

}  // namespace one_source
