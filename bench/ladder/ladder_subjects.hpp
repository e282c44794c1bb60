// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Subjects on a device whose ways are the rungs of one problem and degree, "1" to the last, and this library: "sumfac".
#pragma once

#include "../gpu/device.hpp"
#include "../gpu/mesh_vertices.hpp"
#include "../subjects/check.hpp"
#include "../subjects/subject.hpp"
#include "problems.hpp"

#include <sumfac/operator/element_operator.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sumfac::ladder {

using bench::device;

// The names of a ladder's ways.
template <class Ladder>
std::vector<std::string> rung_names()
{
  std::vector<std::string> names;
  for (int rung = 1; rung <= Ladder::rungs; ++rung) names.push_back(std::to_string(rung));
  names.push_back("sumfac");
  return names;
}

template <class Ladder, int Order>
class ladder_instance : public bench::instance {
  using points = typename Ladder::template points<Order>;
  using operator_type = element_operator<typename Ladder::form, Order, points, device>;
  static constexpr int n = Order + 1, nodes = n * n * n, library = Ladder::rungs;
  static constexpr bench::cost one = work_of_element<Ladder, Order>();
  using e_vector = extents<dynamic_extent, n, n, n>;
  using mesh_shape = extents<dynamic_extent, 2, 2, 2, 3>;
  using all_rungs = std::make_integer_sequence<int, Ladder::rungs>;
  template <int Rung>
  using kernel = typename Ladder::template kernel<Order, Rung>;

public:
  explicit ladder_instance(bench::request const& r)
      : instance(rung_names<Ladder>()),
        elements_(r.elements),
        vertices_(bench::mesh_vertices(elements_)),
        u_(bench::random_numbers<double>(elements_ * nodes)),
        operator_(backend_, view<double const, mesh_shape>(vertices_.data(), mesh_shape(elements_))),
        u_there_(bench::on_device(backend_, u_)),
        v_there_(backend_, u_there_.size()),
        factors_(bench::on_device(backend_, make_factors<Ladder, Order>(host{}, vertices_.data(), elements_))),
        tables_(bench::on_device(backend_, tables<Ladder, Order>())),
        work_(backend_, elements_ * greatest_work(all_rungs{}))
  {
    for (index_t const e : std::set<index_t>{0, elements_ / 3, elements_ / 2, elements_ - 1})
      expected_.push_back({e, expected(oracle_of<Ladder>(Order), vertices_.data() + 24 * e, u_.data() + e * nodes)});
  }

  static bench::subject entry()
  {
    return {Ladder::name,
            device::runtime::name,
            "f64",
            "stored",
            Order,
            points::size,
            1,
            bench::vector_kind::element,
            1,
            one.bytes(),
            "",
            [](bench::request const& r) -> std::unique_ptr<bench::instance> {
              return std::make_unique<ladder_instance>(r);
            }};
  }

  index_t elements() const override { return elements_; }
  index_t dofs() const override { return elements_ * Order * Order * Order; }
  // As the paper counts it.
  bench::cost work() const override
  {
    return {elements_ * one.flops, elements_ * one.bytes_read, elements_ * one.bytes_written};
  }

  // Refuses a rung whose scratch the device does not hold, by an exception with both numbers.
  bench::kernel_numbers numbers(int rung) override
  {
    if (rung == library) return bench::numbers_of(operator_.resources());
    bench::kernel_numbers result;
    visit(rung, all_rungs{},
          [&]<class Kernel>(Kernel const&) { result = bench::numbers_of(backend_.template resources<Kernel>()); });
    return result;
  }

  double seconds(int rung, int count) override
  {
    return bench::seconds_of(backend_, count, [&] { apply(rung); });
  }

  double error(int rung) override
  {
    auto const v = result_of(rung);
    double largest = 0;
    for (auto const& [e, right] : expected_) largest = std::max(largest, right.error_of(v.data() + e * nodes));
    return largest;
  }

  double difference(int rung) override
  {
    if (ours_.empty()) ours_ = result_of(library);
    double allowed = 0;
    for (auto const& [e, right] : expected_) allowed = std::max(allowed, right.allowed);
    return bench::distance(result_of(rung).data(), ours_.data(), elements_ * nodes) / (2 * allowed);
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
    arguments const given{u_there_.data(),
                          v_there_.data(),
                          factors_.data(),
                          tables_.data(),
                          tables_.data() + derivative_place<Ladder, Order>,
                          work_.data()};
    static_cast<void>(((rung == Rung && (f(kernel<Rung + 1>{{given}}), true)) || ...));
  }

  void apply(int rung)
  {
    if (rung == library) {
      e_vector const all(elements_);
      operator_.apply(view<double const, e_vector>(u_there_.data(), all), view<double, e_vector>(v_there_.data(), all));
    } else {
      visit(rung, all_rungs{}, [&](auto const& kernel) { backend_.launch(kernel, elements_); });
    }
  }

  // What a rung makes of a v of NaN.
  std::vector<double> result_of(int rung)
  {
    std::vector<double> const nans(u_.size(), std::numeric_limits<double>::quiet_NaN());
    backend_.copy(nans.data(), v_there_.data(), v_there_.size());
    apply(rung);
    return bench::on_host(backend_, v_there_);
  }

  device backend_;
  index_t elements_;
  std::vector<double> vertices_, u_, ours_;
  operator_type operator_;
  buffer<double, device> u_there_, v_there_, factors_, tables_, work_;
  std::vector<std::pair<index_t, bench::expectation>> expected_;
};

template <class Ladder, int... Orders>
std::vector<bench::subject> ladder_subjects(bench::order_list<Orders...>)
{
  std::vector<bench::subject> all;
  auto const add = [&]<int Order>(bench::order_list<Order>) {
    if constexpr (Order <= Ladder::max_order) all.push_back(ladder_instance<Ladder, Order>::entry());
  };
  (add(bench::order_list<Orders>{}), ...);
  return all;
}

}  // namespace sumfac::ladder
