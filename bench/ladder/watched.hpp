// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A ladder's rungs, and this library's operator, run on `checked`: the vector they give and what they do to scratch.
#pragma once

#include "problems.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/operator/element_operator.hpp>

#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace sumfac::ladder {

// What one rung did, in all.
struct watched {
  checked_counts counts;
  index_t table_reads = 0;  // those of the entries read from scratch that are a table's; not known of the operator
  index_t findings = 0;
  int threads = 0;
  std::vector<double> v;  // (E, n, n, n)
};

// A problem's elements of one degree in the host's memory.
//
// **Shapes** vertices (E, 2, 2, 2, 3), u (E, n, n, n)
template <class Ladder, int Order>
class watched_elements {
  using form = typename Ladder::form;
  using points = typename Ladder::template points<Order>;
  static constexpr int n = Order + 1;

public:
  watched_elements(std::vector<double> vertices, std::vector<double> u)
      : vertices_(std::move(vertices)),
        u_(std::move(u)),
        elements_(static_cast<index_t>(vertices_.size() / 24)),
        tables_(tables<Ladder, Order>()),
        factors_(make_factors<Ladder, Order>(host{}, vertices_.data(), elements_))
  {
  }

  template <int Rung>
  watched run() const
  {
    using kernel = typename Ladder::template kernel<Order, Rung>;
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    watched w;
    w.threads = kernel::threads;
    w.v.assign(u_.size(), nan);
    std::vector<double> work(static_cast<std::size_t>(elements_ * kernel::work), nan);
    arguments const given{
        u_.data(),  w.v.data(), factors_.data(), tables_.data(), tables_.data() + derivative_place<Ladder, Order>,
        work.data()};
    checked const backend(on_finding::collect);
    index_t const before = table_reads;
    backend.launch(kernel{{given}}, elements_);
    w.table_reads = table_reads - before;
    w.counts = backend.counts();
    w.findings = backend.finding_count();
    return w;
  }

  // The same by this library, its tables being constants.
  watched run_operator() const
  {
    using mesh_shape = extents<dynamic_extent, 2, 2, 2, 3>;
    using e_vector = extents<dynamic_extent, n, n, n>;
    watched w;
    w.v.assign(u_.size(), std::numeric_limits<double>::quiet_NaN());
    checked const backend(on_finding::collect);
    element_operator<form, Order, points, checked> const a(
        backend, view<double const, mesh_shape>(vertices_.data(), mesh_shape(elements_)));
    e_vector const all(elements_);
    a.apply(view<double const, e_vector>(u_.data(), all), view<double, e_vector>(w.v.data(), all));
    w.counts = backend.counts();
    w.findings = backend.finding_count();
    w.threads = recommended_tuning<checked, form, Order, points, double>.elements * points::size * points::size;
    return w;
  }

private:
  std::vector<double> vertices_, u_;
  index_t elements_;
  std::vector<double> tables_, factors_;
};

}  // namespace sumfac::ladder
