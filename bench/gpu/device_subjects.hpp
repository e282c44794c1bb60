// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Subjects on a device's E-vectors: a problem in one kind of numbers and one degree, with the tunings asked for.
#pragma once

#include "../subjects/check.hpp"
#include "../subjects/problems.hpp"
#include "../subjects/subject.hpp"
#include "device.hpp"
#include "kinds.hpp"
#include "mesh_vertices.hpp"

#include <sumfac/operator/bake_off.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <set>
#include <type_traits>
#include <vector>

namespace sumfac::bench {

template <class Problem, class Kind, int Order, tuning Tuning>
class device_instance : public instance {
  using number = typename Kind::numbers;
  using policy = typename Kind::policy;
  using points = typename Problem::template points<Order>;
  using operator_type = element_operator<typename Problem::form, Order, points, device, number, policy, tuned<Tuning>>;
  static constexpr int n = Order + 1, g = points::size, nodes = n * n * n;
  using shape = extents<dynamic_extent, n, n, n>;
  using mesh_shape = extents<dynamic_extent, 2, 2, 2, 3>;
  static constexpr bool is_affine = std::is_same_v<policy, sumfac::affine>;
  // Of an element: its factors, or what its Jacobians are made of, at most so many numbers.
  static constexpr index_t geometry_numbers = std::is_same_v<policy, stored>
                                                  ? factors_of<typename Problem::form> * index_t{g} * g * g
                                              : is_affine ? 7
                                                          : 24;

public:
  explicit device_instance(request const& r)
      : instance({"apply"}),
        vertices_(mesh_vertices(r.elements, is_affine)),
        operator_(backend_, view<double const, mesh_shape>(vertices_.data(), mesh_shape(r.elements))),
        u_(random_numbers<number>(r.elements * nodes)),
        u_there_(on_device(backend_, u_)),
        v_there_(backend_, u_there_.size())
  {
  }

  static subject entry()
  {
    constexpr index_t bytes = index_t{sizeof(number)} * (2 * nodes + geometry_numbers);
    return subject_of<device_instance, Problem, Kind>(device::runtime::name, Order, g, 1, vector_kind::element, 1,
                                                      bytes, text_of(Tuning));
  }

  index_t elements() const override { return operator_.elements(); }
  index_t dofs() const override { return elements() * Order * Order * Order; }
  cost work() const override
  {
    auto const w = operator_.work();
    return {static_cast<index_t>(w.flops), static_cast<index_t>(w.bytes_read), static_cast<index_t>(w.bytes_written)};
  }
  kernel_numbers numbers(int) override { return numbers_of(operator_.resources()); }

  double seconds(int, int count) override
  {
    return seconds_of(backend_, count, [this] { apply(); });
  }

  double error(int) override
  {
    std::vector<number> v(u_.size(), std::numeric_limits<number>::quiet_NaN());
    backend_.copy(v.data(), v_there_.data(), v_there_.size());
    apply();
    v = on_host(backend_, v_there_);
    for (number const x : v)
      if (!(x - x == 0)) return std::numeric_limits<double>::infinity();
    oracle const what{integral_of<Problem>(), Order, Problem::collocated, sizeof(number) == sizeof(float)};
    double largest = 0;
    index_t const all = elements();
    for (index_t const e : std::set<index_t>{0, all / 3, all / 2, all - 1}) {
      auto const first = static_cast<std::ptrdiff_t>(e * nodes), last = first + nodes;
      std::vector<double> const in(u_.begin() + first, u_.begin() + last), out(v.begin() + first, v.begin() + last);
      largest = std::max(largest, expected(what, vertices_.data() + 24 * e, in.data()).error_of(out.data()));
    }
    return largest;
  }

private:
  void apply()
  {
    shape const all(elements());
    operator_.apply(view<number const, shape>(u_there_.data(), all), view<number, shape>(v_there_.data(), all));
  }

  device backend_;
  std::vector<double> vertices_;
  operator_type operator_;
  std::vector<number> u_;
  buffer<number, device> u_there_, v_there_;
};

// A subject for each tuning.
template <class Problem, class Kind, int Order, tuning... Tunings>
std::vector<subject> element_subjects()
{
  return {device_instance<Problem, Kind, Order, Tunings>::entry()...};
}

}  // namespace sumfac::bench
