// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Subjects on the host's E-vectors: a problem in one kind of numbers and geometry, degree by degree, on hexahedra or
// quadrilaterals.
#pragma once

#include "../report/timing.hpp"
#include "check.hpp"
#include "element_mesh.hpp"
#include "problems.hpp"
#include "subject.hpp"

#include <support/random.hpp>

#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/view/view.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <set>
#include <type_traits>
#include <vector>

namespace sumfac::bench {

template <class Problem, class Kind, int Order, int Directions>
class element_instance : public instance {
  using numbers_type = typename Kind::numbers;
  using policy = typename Kind::policy;
  using operator_type = element_operator<typename Problem::form, space_on<Order, Directions>,
                                         typename Problem::template points<Order>, host, numbers_type, policy>;
  using number = typename operator_type::scalar_type;
  using factor = factor_scalar<numbers_type>;
  static constexpr int n = operator_type::nodes_1d, g = operator_type::points_1d;
  static constexpr int nodes = Directions == 3 ? n * n * n : n * n, quads = Directions == 3 ? g * g * g : g * g;
  static constexpr int lanes = native_width<kernel_arithmetic<numbers_type>>;
  using shape = std::conditional_t<Directions == 3, extents<dynamic_extent, n, n, n>, extents<dynamic_extent, n, n>>;
  using interleaved = layout_interleaved<lanes>;
  // Of the numbers in use, the one whose rounding bounds the errors.
  static constexpr bool single = std::min(sizeof(factor), sizeof(number)) == sizeof(float);
  // What the geometry is read from: factors, or at most so many numbers that they are recomputed from.
  static constexpr index_t geometry_numbers = std::is_same_v<policy, stored>
                                                  ? factors_on<typename Problem::form, Directions> * quads
                                              : std::is_same_v<policy, affine>    ? 13
                                              : std::is_same_v<policy, trilinear> ? 25
                                                                                  : 3 * nodes + 4;

public:
  explicit element_instance(request const& r)
      : instance({"apply"}),
        backend_(r.threads),
        layout_(r.layout),
        mesh_(elements_of_box<Directions>(backend_, r.elements, std::is_same_v<policy, affine>)),
        operator_(backend_, mesh_.nodes()),
        u_(backend_, span(r.elements)),
        v_(backend_, span(r.elements))
  {
    fill(u_, [](index_t i) { return support::generator(static_cast<std::uint64_t>(i))(); });
  }

  static subject entry()
  {
    constexpr index_t bytes = index_t{sizeof(number)} * 2 * nodes + index_t{sizeof(factor)} * geometry_numbers;
    return subject_of<element_instance, Problem, Kind>("host", Order, g, 1, vector_kind::element, lanes, bytes, "",
                                                       Directions);
  }

  index_t elements() const override { return mesh_.elements; }
  index_t dofs() const override { return mesh_.elements * Order * Order * (Directions == 3 ? Order : 1); }

  cost work() const override
  {
    auto const w = operator_.work();
    return {static_cast<index_t>(w.flops), static_cast<index_t>(w.bytes_read), static_cast<index_t>(w.bytes_written)};
  }

  double seconds(int, int count) override
  {
    double const begin = now();
    for (int i = 0; i < count; ++i) apply();
    return (now() - begin) / count;
  }

  double error(int) override
  {
    fill(v_, [](index_t) { return std::numeric_limits<double>::quiet_NaN(); });
    apply();
    double largest = 0;
    index_t const last = mesh_.elements - 1;
    for (index_t const e : std::set<index_t>{0, last / 3, last / 2, last}) largest = std::max(largest, error_of(e));
    return largest;
  }

private:
  static index_t span(index_t elements)
  {
    return typename interleaved::template mapping<shape>(shape(elements)).required_span_size();
  }

  template <class Function>
  void fill(buffer<number>& x, Function const& f)
  {
    backend_.partition(x.size(), [&](index_t first, index_t last) {
      for (index_t i = first; i < last; ++i) x[i] = static_cast<number>(f(i));
    });
  }

  template <class Function>
  void with_views(Function const& f)
  {
    shape const all(mesh_.elements);
    if (layout_ == vector_layout::right)
      f(view<number const, shape>(u_.data(), all), view<number, shape>(v_.data(), all));
    else
      f(view<number const, shape, interleaved>(u_.data(), all), view<number, shape, interleaved>(v_.data(), all));
  }

  void apply()
  {
    with_views([this](auto const& u, auto const& v) { operator_.apply(u, v); });
  }

  double error_of(index_t e)
  {
    std::vector<double> input, output;
    with_views([&](auto const& u, auto const& v) {
      for (int node = 0; node < nodes; ++node) {
        input.push_back(entry(u, e, node));
        output.push_back(entry(v, e, node));
      }
    });
    constexpr bool curved = std::is_same_v<policy, isoparametric<>>;
    oracle const what{integral_of<Problem>(), Order, Problem::collocated, single, curved, Directions};
    return expected(what, mesh_.element(e), input.data()).error_of(output.data());
  }

  template <class View>
  static number entry(View const& u, index_t e, int node)
  {
    if constexpr (Directions == 3)
      return u(e, node / (n * n), node / n % n, node % n);
    else
      return u(e, node / n, node % n);
  }

  host backend_;
  vector_layout layout_;
  vertices<Directions> mesh_;
  operator_type operator_;
  buffer<number> u_, v_;
};

// The subjects of a problem in one kind, at those of some degrees that are compiled for the kind.
template <class Problem, class Kind, int Directions = 3, int... Orders>
std::vector<subject> element_subjects(order_list<Orders...>)
{
  std::vector<subject> all;
  auto const add = [&]<int Order>(order_list<Order>) {
    if constexpr (Order <= Kind::template last<Problem>)
      all.push_back(element_instance<Problem, Kind, Order, Directions>::entry());
  };
  (add(order_list<Orders>{}), ...);
  return all;
}

}  // namespace sumfac::bench
