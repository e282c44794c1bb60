// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes the entries of subject.hpp: one problem in one scalar and degree, with the tunings that are asked for.
#pragma once

#include "subject.hpp"

#include <sumfac/operator/bake_off.hpp>

#if defined(__HIP__)
#include <sumfac/backend/hip.hpp>
#else
#include <sumfac/backend/cuda.hpp>
#endif

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace sumfac::bench {

#if defined(__HIP__)
using device = hip;
#else
using device = cuda;
#endif

struct bp1_problem {
  static constexpr char const* name = "BP1.0";
  using form = mass;
  template <int Order>
  using points = gauss<Order + 2>;
};

struct bp3_problem {
  static constexpr char const* name = "BP3.0";
  using form = stiffness;
  template <int Order>
  using points = gauss<Order + 2>;
};

struct bp35_problem {
  static constexpr char const* name = "BP3.5";
  using form = stiffness;
  template <int Order>
  using points = gauss_lobatto<Order + 1>;
};

// A number in [-1, 1) for every index, by a 64-bit mix.
SUMFAC_FUNCTION inline double random_number(std::uint64_t i)
{
  i = (i + 0x9e3779b97f4a7c15ULL) * 0xbf58476d1ce4e5b9ULL;
  i = (i ^ (i >> 27)) * 0x94d049bb133111ebULL;
  i ^= i >> 31;
  return static_cast<double>(i >> 11) * 0x1p-52 - 1;
}

// Seconds that `count` calls of f take on the device, each.
template <class Function>
double seconds_of(device const& backend, int count, Function const& f)
{
  gpu_event begin(backend), end(backend);
  begin.record();
  for (int i = 0; i < count; ++i) f();
  end.record();
  end.synchronize();
  return end.seconds_since(begin) / count;
}

// The kernel that an operator launches on E-vectors.
template <class Form, int Order, class Points, class Scalar, tuning Tuning>
using kernel_on_device = detail::kernel_on_vectors<detail::problem<Form, Order, Points, Scalar>, device, Tuning>;

template <class Problem, int Order, class Scalar, tuning Tuning>
class measured_on_device : public device_subject {
  using form = typename Problem::form;
  using points = typename Problem::template points<Order>;
  using operator_type = element_operator<form, Order, points, device, Scalar, stored, Tuning>;
  using kernel = kernel_on_device<form, Order, points, Scalar, Tuning>;
  static constexpr int n = Order + 1, nodes = n * n * n;
  using shape = extents<dynamic_extent, n, n, n>;

public:
  explicit measured_on_device(index_t elements)
      : elements_(elements),
        vertices_(mesh_vertices(elements)),
        operator_(backend_, view<double const, extents<dynamic_extent, 2, 2, 2, 3>>(
                                vertices_.data(), extents<dynamic_extent, 2, 2, 2, 3>(elements))),
        u_(backend_, elements * nodes),
        v_(backend_, elements * nodes)
  {
    std::vector<Scalar> u(static_cast<std::size_t>(elements * nodes));
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = static_cast<Scalar>(random_number(i));
    backend_.copy(u.data(), u_.data(), u_.size());
    backend_.synchronize();
    using block = detail::block_of<typename device::runtime, kernel>;
    auto const work = operator_.work();
    numbers = {work.flops, work.bytes_read, work.bytes_written, block::threads, block::scratch_bytes};
    numbers.resident = backend_.template resident_blocks<kernel>();
    detail::check<typename device::runtime>(
        device::runtime::resources(&numbers.registers, &numbers.local_bytes,
                                   detail::run_team<typename device::runtime, kernel>),
        "FuncGetAttributes");
  }

  double seconds(int count) override
  {
    return seconds_of(backend_, count, [this] { apply(); });
  }

  double error() override
  {
    std::vector<Scalar> v(static_cast<std::size_t>(elements_ * nodes), std::numeric_limits<Scalar>::quiet_NaN());
    backend_.copy(v.data(), v_.data(), v_.size());
    apply();
    backend_.copy(v_.data(), v.data(), v_.size());
    backend_.synchronize();
    for (Scalar const x : v)
      if (!(x - x == 0)) return HUGE_VAL;
    double largest = 0;
    std::vector<double> in(nodes), out(nodes);
    for (index_t const e : std::set<index_t>{0, elements_ / 3, elements_ / 2, elements_ - 1}) {
      for (int i = 0; i < nodes; ++i) {
        auto const at = static_cast<std::size_t>(e * nodes + i), to = static_cast<std::size_t>(i);
        in[to] = static_cast<double>(static_cast<Scalar>(random_number(at)));
        out[to] = static_cast<double>(v[at]);
      }
      largest = std::max(largest, element_error(Problem::name, sizeof(Scalar) == 4, Order, vertices_.data() + 24 * e,
                                                in.data(), out.data()));
    }
    return largest;
  }

private:
  void apply()
  {
    shape const all(elements_);
    operator_.apply(view<Scalar const, shape>(u_.data(), all), view<Scalar, shape>(v_.data(), all));
  }

  device backend_;
  index_t elements_;
  std::vector<double> vertices_;
  operator_type operator_;
  buffer<Scalar, device> u_, v_;
};

// An entry for each tuning.
template <class Problem, int Order, class Scalar, tuning... Tunings>
std::vector<device_entry> entries_of()
{
  constexpr index_t n = Order + 1, g = Problem::template points<Order>::size;
  constexpr index_t bytes = index_t{sizeof(Scalar)} * (2 * n * n * n + factors_of<typename Problem::form> * g * g * g);
  return {device_entry{Problem::name, sizeof(Scalar) == 4 ? "f32" : "f64", Order, Tunings, bytes,
                       [](index_t elements) -> std::unique_ptr<device_subject> {
                         return std::make_unique<measured_on_device<Problem, Order, Scalar, Tunings>>(elements);
                       }}...};
}

// The tuning that an operator takes where none is named.
template <class Problem, int Order, class Scalar>
inline constexpr tuning usual =
    recommended_tuning<device, typename Problem::form, Order, typename Problem::template points<Order>, Scalar>;

}  // namespace sumfac::bench
