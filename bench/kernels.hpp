// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes the entries of kernel.hpp: the operators of one problem in one scalar, and how they are checked.
#pragma once

#include "kernel.hpp"
#include "mesh.hpp"

#include <support/mesh.hpp>
#include <support/random.hpp>
#include <support/reference.hpp>
#include <support/tolerance.hpp>

#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/view/view.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <type_traits>
#include <utility>

namespace sumfac::bench {

// The problems: their names, operators, forms, and the same forms for the reference.
struct bp1_problem {
  static constexpr char const* name = "BP1.0";
  template <int Order, class Scalar, class Geometry>
  using operator_type = bp1<Order, host, Scalar, Geometry>;
  static mass form() { return {}; }
  static reference::integrand<> integrand() { return reference::mass(); }
};

struct bp3_problem {
  static constexpr char const* name = "BP3.0";
  template <int Order, class Scalar, class Geometry>
  using operator_type = bp3<Order, host, Scalar, Geometry>;
  static stiffness form() { return {.lambda = 0.1}; }
  static reference::integrand<> integrand() { return reference::stiffness<reference::real>(0.1); }
};

struct bp35_problem {
  static constexpr char const* name = "BP3.5";
  template <int Order, class Scalar, class Geometry>
  using operator_type = bp35<Order, host, Scalar, Geometry>;
  static stiffness form() { return bp3_problem::form(); }
  static reference::integrand<> integrand() { return bp3_problem::integrand(); }
};

// Whether a geometry policy is isoparametric.
template <class Geometry>
inline constexpr bool has_nodes =
    !std::is_same_v<Geometry, stored> && !std::is_same_v<Geometry, affine> && !std::is_same_v<Geometry, trilinear>;

// Numbers is a scalar, or a sumfac::precision of scalars.
template <class Problem, int Order, class Numbers, class Geometry>
class measured_operator : public application {
  using operator_type = typename Problem::template operator_type<Order, Numbers, Geometry>;
  using Scalar = typename operator_type::scalar_type;
  static constexpr int n = operator_type::nodes_1d, g = operator_type::quads_1d;
  // Of the numbers in use, the one whose rounding bounds the errors.
  using narrowest = std::conditional_t<sizeof(factor_scalar<Numbers>) < sizeof(Scalar), factor_scalar<Numbers>, Scalar>;
  using shape = extents<dynamic_extent, n, n, n>;
  using interleaved = layout_interleaved<native_width<kernel_arithmetic<Numbers>>>;

public:
  // With what the geometry is read from: factors, or at most so many numbers that they are recomputed from.
  static constexpr index_t geometry_numbers =
      std::is_same_v<Geometry, stored>      ? factors_of<decltype(Problem::form())> * g * g * g
      : std::is_same_v<Geometry, affine>    ? affine_map<Scalar>::count
      : std::is_same_v<Geometry, trilinear> ? scaled_trilinear_map<Scalar>::count
                                            : 3 * n * n * n + 4;
  static constexpr index_t element_bytes =
      index_t{sizeof(Scalar)} * 2 * n * n * n + index_t{sizeof(factor_scalar<Numbers>)} * geometry_numbers;

  measured_operator(index_t elements, vector_layout layout, int threads)
      : backend_(threads),
        layout_(layout),
        mesh_(hexahedra(backend_, elements, std::is_same_v<Geometry, affine>)),
        operator_(backend_, mesh_.nodes(), Problem::form()),
        u_(backend_, span(elements)),
        v_(backend_, span(elements))
  {
    backend_.partition(u_.size(), [this](index_t first, index_t last) {
      for (index_t i = first; i < last; ++i)
        u_[i] = static_cast<Scalar>(support::generator(static_cast<std::uint64_t>(i))());
    });
  }

  void apply() override
  {
    with_views([this](auto const& u, auto const& v) { operator_.apply(u, v); });
  }

  double flops() const override { return static_cast<double>(operator_.work().flops); }

  traffic bytes() const override
  {
    auto const work = operator_.work();
    return {static_cast<index_t>(work.bytes_read), static_cast<index_t>(work.bytes_written)};
  }

  double error() override
  {
    apply();
    double largest = 0;
    index_t const last = mesh_.elements - 1;
    for (index_t const e : std::set<index_t>{0, last / 3, last / 2, last})
      largest = std::max(largest, error_of(e));
    return largest;
  }

private:
  static index_t span(index_t elements)
  {
    return typename interleaved::template mapping<shape>(shape(elements)).required_span_size();
  }

  template <class Function>
  void with_views(Function const& f)
  {
    shape const all(mesh_.elements);
    if (layout_ == vector_layout::right)
      f(view<Scalar const, shape>(u_.data(), all), view<Scalar, shape>(v_.data(), all));
    else
      f(view<Scalar const, shape, interleaved>(u_.data(), all), view<Scalar, shape, interleaved>(v_.data(), all));
  }

  // The nodes that the kernel makes the geometry from, whose number bounds its rounding: the vertices; for
  // isoparametric elements what those are raised to, seen from the first as the kernel sees them.
  std::pair<reference::rule, std::vector<double>> nodes_read(index_t e) const
  {
    auto const vertices = reference::equispaced(2);
    mesh::nodes element{1, 2, {mesh_.element(e), mesh_.element(e) + 24}};
    if constexpr (!has_nodes<Geometry>) {
      return {vertices, element.coordinates};
    } else {
      double const origin[] = {element.coordinates[0], element.coordinates[1], element.coordinates[2]};
      for (std::size_t i = 0; i < 24; ++i) element.coordinates[i] -= origin[i % 3];
      auto const where = reference::gauss_lobatto(n);
      return {where, mesh::raised(element, vertices, where).coordinates};
    }
  }

  double error_of(index_t e)
  {
    auto const space = n == g ? reference::collocated(Order) : reference::on_gauss(Order);
    auto const [where, coordinates] = nodes_read(e);
    reference::element<> const a(space, where, coordinates.data(), Problem::integrand());
    std::vector<reference::real> input, output;
    with_views([&](auto const& u, auto const& v) {
      for (int k = 0; k < n; ++k)
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < n; ++i) {
            input.push_back(u(e, k, j, i));
            output.push_back(v(e, k, j, i));
          }
    });
    auto const expected = a.apply(input);
    double difference = 0;
    for (std::size_t i = 0; i < output.size(); ++i) {
      auto const d = static_cast<double>(std::abs(output[i] - expected[i]));
      difference = std::max(difference, d == d ? d : HUGE_VAL);
    }
    return difference / reference::allowed<narrowest>(a, input, Order);
  }

  host backend_;
  vector_layout layout_;
  vertices mesh_;
  operator_type operator_;
  buffer<Scalar> u_, v_;
};

// How a benchmark's name says the geometry.
template <class Numbers, class Geometry>
constexpr char const* name_of_geometry()
{
  if constexpr (std::is_same_v<Geometry, affine>)
    return "affine";
  else if constexpr (std::is_same_v<Geometry, trilinear>)
    return "trilinear";
  else if constexpr (!std::is_same_v<Geometry, stored>)
    return "isoparametric";
  else
    return sizeof(factor_scalar<Numbers>) < sizeof(vector_scalar<Numbers>) ? "narrow" : "stored";
}

// 1, 2, .. Last
template <int Last>
constexpr auto degrees()
{
#if defined(SUMFAC_BENCHMARK_ORDER)
  return std::integer_sequence<int, SUMFAC_BENCHMARK_ORDER>{};
#else
  return []<int... Is>(std::integer_sequence<int, Is...>) {
    return std::integer_sequence<int, (Is + 1)...>{};
  }(std::make_integer_sequence<int, Last>{});
#endif
}

// The entries of one problem in one scalar and with one geometry, degrees 1 to Last, or SUMFAC_BENCHMARK_ORDER alone.
template <class Problem, class Numbers, class Geometry = stored, int Last = 15>
std::vector<kernel> kernels()
{
  return []<int... Is>(std::integer_sequence<int, Is...>) {
    return std::vector<kernel>{kernel{
        Problem::name, std::is_same_v<vector_scalar<Numbers>, float> ? "f32" : "f64",
        name_of_geometry<Numbers, Geometry>(), Is, native_width<kernel_arithmetic<Numbers>>,
        measured_operator<Problem, Is, Numbers, Geometry>::element_bytes,
        [](index_t elements, vector_layout layout, int threads) -> std::unique_ptr<application> {
          return std::make_unique<measured_operator<Problem, Is, Numbers, Geometry>>(elements, layout, threads);
        }}...};
  }(degrees<Last>());
}

}  // namespace sumfac::bench
