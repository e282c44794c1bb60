// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes the entries of subject.hpp: all rungs of one problem and degree on a device, and this library's operator.
#pragma once

#include "../gpu/entries.hpp"
#include "problems.hpp"
#include "subject.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sumfac::ladder {

using bench::device;

// A buffer of a device with some numbers in it.
inline buffer<double, device> on_device(device const& backend, std::vector<double> const& numbers)
{
  buffer<double, device> result(backend, static_cast<index_t>(numbers.size()));
  backend.copy(numbers.data(), result.data(), result.size());
  backend.synchronize();
  return result;
}

template <class Kernel>
rung_numbers numbers_of(device const& backend)
{
  using block = sumfac::detail::block_of<typename device::runtime, Kernel>;
  rung_numbers r{block::threads, block::scratch_bytes, backend.template resident_blocks<Kernel>(), 0, 0};
  sumfac::detail::check<typename device::runtime>(
      device::runtime::resources(&r.registers, &r.local_bytes,
                                 sumfac::detail::run_team<typename device::runtime, Kernel>),
      "FuncGetAttributes");
  return r;
}

template <class Ladder, int Order>
class subject_of : public subject {
  using form = typename Ladder::form;
  using points = typename Ladder::template points<Order>;
  static constexpr tuning tuned = recommended_tuning<device, form, Order, points, double>;
  using operator_type = element_operator<form, Order, points, device, double>;
  static constexpr int n = Order + 1, nodes = n * n * n, last = Ladder::rungs;
  using e_vector = extents<dynamic_extent, n, n, n>;
  using mesh_shape = extents<dynamic_extent, 2, 2, 2, 3>;
  using all_rungs = std::make_integer_sequence<int, Ladder::rungs>;
  template <int Rung>
  using kernel = typename Ladder::template kernel<Order, Rung>;

public:
  explicit subject_of(index_t elements)
      : elements_(elements),
        vertices_(bench::mesh_vertices(elements)),
        u_on_host_(static_cast<std::size_t>(elements * nodes)),
        operator_(backend_, view<double const, mesh_shape>(vertices_.data(), mesh_shape(elements)))
  {
    for (std::size_t i = 0; i < u_on_host_.size(); ++i) u_on_host_[i] = bench::random_number(i);
    u_ = on_device(backend_, u_on_host_);
    v_ = buffer<double, device>(backend_, elements * nodes);
    factors_ = on_device(backend_, make_factors<Ladder, Order>(host{}, vertices_.data(), elements));
    tables_ = on_device(backend_, tables<Ladder, Order>());
    work_ = buffer<double, device>(backend_, elements * greatest_work(all_rungs{}));
    for (index_t const e : std::set<index_t>{0, elements / 3, elements / 2, elements - 1})
      expected_.push_back({e, expected(Ladder::name, Order, vertices_.data() + 24 * e, u_on_host_.data() + e * nodes)});
    for (int rung = 1; rung <= Ladder::rungs; ++rung) names.push_back(std::to_string(rung));
    names.push_back("sumfac");
  }

  rung_numbers numbers(int rung) override
  {
    if (rung == last)
      return numbers_of<bench::kernel_on_device<form, Order, points, double, tuned>>(backend_);
    rung_numbers result;
    visit(rung, all_rungs{}, [&]<class Kernel>(Kernel const&) { result = numbers_of<Kernel>(backend_); });
    return result;
  }

  deviations check(int rung) override
  {
    if (ours_.empty()) ours_ = result_of(last);
    auto const v = result_of(rung);
    deviations found{0, 0};
    double allowed = 0;
    for (auto const& [e, right] : expected_) {
      found.error = std::max(found.error, distance(v.data() + e * nodes, right.v.data(), nodes) / right.allowed);
      allowed = std::max(allowed, right.allowed);
    }
    found.difference = distance(v.data(), ours_.data(), elements_ * nodes) / (2 * allowed);
    return found;
  }

  double seconds(int rung, int count) override
  {
    gpu_event begin(backend_), end(backend_);
    begin.record();
    for (int i = 0; i < count; ++i) apply(rung);
    end.record();
    end.synchronize();
    return end.seconds_since(begin) / count;
  }

private:
  template <int... Rung>
  static constexpr index_t greatest_work(std::integer_sequence<int, Rung...>)
  {
    return std::max({index_t{kernel<Rung + 1>::work}...});
  }

  // Calls f(kernel) with the kernel of a rung.
  template <int... Rung, class Function>
  void visit(int rung, std::integer_sequence<int, Rung...>, Function const& f)
  {
    arguments const given{u_.data(),      v_.data(),
                          factors_.data(), tables_.data(),
                          tables_.data() + derivative_place<Ladder, Order>, work_.data()};
    static_cast<void>(((rung == Rung && (f(kernel<Rung + 1>{{given}}), true)) || ...));
  }

  void apply(int rung)
  {
    if (rung == last) {
      e_vector const all(elements_);
      operator_.apply(view<double const, e_vector>(u_.data(), all), view<double, e_vector>(v_.data(), all));
    } else {
      visit(rung, all_rungs{}, [&](auto const& kernel) { backend_.launch(kernel, elements_); });
    }
  }

  std::vector<double> result_of(int rung)
  {
    std::vector<double> v(u_on_host_.size(), std::numeric_limits<double>::quiet_NaN());
    backend_.copy(v.data(), v_.data(), v_.size());
    apply(rung);
    backend_.copy(v_.data(), v.data(), v_.size());
    backend_.synchronize();
    return v;
  }

  static double distance(double const* a, double const* b, index_t size)
  {
    double largest = 0;
    for (index_t i = 0; i < size; ++i) {
      double const d = std::abs(a[i] - b[i]);
      largest = std::max(largest, d == d ? d : HUGE_VAL);
    }
    return largest;
  }

  device backend_;
  index_t elements_;
  std::vector<double> vertices_, u_on_host_, ours_;
  operator_type operator_;
  buffer<double, device> u_, v_, factors_, tables_, work_;
  std::vector<std::pair<index_t, expectation>> expected_;
};

template <class Ladder, int Order>
entry entry_of()
{
  constexpr element_work one = work_of_element<Ladder, Order>();
  return {Ladder::name, Order, one.flops, one.bytes_read, one.bytes_written,
          [](index_t elements) -> std::unique_ptr<subject> {
            return std::make_unique<subject_of<Ladder, Order>>(elements);
          }};
}

}  // namespace sumfac::ladder
