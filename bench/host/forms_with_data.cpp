// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What data costs forms out of cache: tangents beside Jacobians by hand, inputs kept at the points beside as many
// stored factors, coefficients read in the kernel beside none. The least of nine times, taken in turns, global vectors.
#include "../report/least_times.hpp"

#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

using sumfac::gradient, sumfac::value;

// (1 + u^2) grad u
struct flux {
  static constexpr auto trial = value | gradient, test = gradient;
  [[maybe_unused]] static constexpr bool linear = false;
  template <class T>
  struct factors {
    sumfac::symmetric<T, 3> metric;
  };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.metric()};
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.gradient = (T(1) + u.value * u.value) * (f.metric * u.gradient)};
  }
};

// The same where u may be of another type than the factors.
struct flux_of_two_types : flux {
  template <class Factors, class T>
  sumfac::point_values<T> apply(Factors const& f, sumfac::point_values<T> const& u) const
  {
    return {.gradient = (1.0 + u.value * u.value) * (f.metric * u.gradient)};
  }
};

template <class T>
sumfac::vector<T, 3> slope(T const& u, sumfac::vector<T, 3> const& u_slope, sumfac::point_values<T> const& w)
{
  T const size = 1.0 + u * u, change = 2.0 * u * w.value;
  sumfac::vector<T, 3> s;
  for (int d = 0; d < 3; ++d) s[d] = fma(size, w.gradient[d], change * u_slope[d]);
  return s;
}

// Its derivative by hand.
struct jacobian {
  static constexpr auto trial = value | gradient, test = gradient;
  using inputs = sumfac::reads<sumfac::input{.evaluates = value | gradient}>;
  template <class T>
  using factors = flux::factors<T>;
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.metric()};
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& w,
                                sumfac::point_values<T> const& u) const
  {
    return {.gradient = f.metric * slope(u.value, u.gradient, w)};
  }
};

// The same numbers, all of them factors.
struct ten_factors {
  static constexpr auto trial = value | gradient, test = gradient;
  template <class T>
  struct factors {
    sumfac::symmetric<T, 3> metric;
    T u;
    sumfac::vector<T, 3> slope;
  };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.metric(), T(0.3), {T(0.1), T(0.2), T(0.3)}};
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& w) const
  {
    return {.gradient = f.metric * slope(f.u, f.slope, w)};
  }
};

// (k grad u, grad v), k by a view of any rank.
template <class View>
struct conduction {
  static constexpr auto trial = gradient, test = gradient;
  template <class T>
  struct factors {
    sumfac::symmetric<T, 3> metric;
  };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.at(k) * x.metric()};
  }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.gradient = f.metric * u.gradient};
  }
  View k;
};
struct no_conduction : conduction<int> {
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.metric()};
  }
};

template <int Order>
void compare()
{
  constexpr int n = Order + 1, g = Order + 2;
  int const c = static_cast<int>(std::cbrt(2e6 / (Order * Order * Order))), count = c * c * c, p = c * Order + 1;
  std::vector<double> vertices;
  std::vector<int> table;
  for (int e = 0; e < count; ++e) {
    int const x = e % c, y = e / c % c, z = e / (c * c);
    for (int v = 0; v < 8; ++v)
      for (double const at : {double(x + v % 2), double(y + v / 2 % 2), double(z + v / 4)}) vertices.push_back(at);
    for (int k = z * Order; k <= (z + 1) * Order; ++k)
      for (int j = y * Order; j <= (y + 1) * Order; ++j)
        for (int i = x * Order; i <= (x + 1) * Order; ++i) table.push_back((k * p + j) * p + i);
  }
  sumfac::host const backend;
  sumfac::view nodes(vertices.data(), count, 2, 2, 2, 3);
  sumfac::restriction const R{backend, sumfac::view(table.data(), count, n, n, n), p * p * p};
  std::vector<double> u_data, w_data, v_data(static_cast<std::size_t>(R.size()));
  for (sumfac::index_t i = 0; i < R.size(); ++i)
    u_data.push_back(std::sin(0.1 * double(i))), w_data.push_back(std::cos(0.3 * double(i)));
  auto const whole = [&](std::vector<double>& x) { return sumfac::view(x.data(), int(x.size())); };
  auto const u = whole(u_data), w = whole(w_data), v = whole(v_data);

  {
    sumfac::element_operator<sumfac::tangent<flux>, Order> lifted{backend, nodes};
    sumfac::element_operator<sumfac::tangent<flux_of_two_types>, Order> tangent{backend, nodes};
    sumfac::element_operator<jacobian, Order> hand{backend, nodes};
    sumfac::element_operator<ten_factors, Order> const stored{backend, nodes};
    lifted.linearize(R, u), tangent.linearize(R, u), hand.linearize(R, u);
    auto const t = least([&] { hand.apply(R, w, v); }, [&] { tangent.apply(R, w, v); }, [&] { lifted.apply(R, w, v); },
                         [&] { stored.apply(R, w, v); }, [&] { hand.linearize(R, u); });
    std::printf(
        "N %2d  Jacobian by hand %7.2f ms; of that time: tangent %.2f, tangent with lifted factors %.2f, as "
        "many stored factors %.2f, linearize %.2f\n",
        Order, 1e3 * t[0], t[1] / t[0], t[2] / t[0], t[3] / t[0], t[4] / t[0]);
  }
  using by_element = sumfac::view<double const, sumfac::dextents<1>>;
  using by_point = sumfac::view<double const, sumfac::extents<sumfac::dynamic_extent, g, g, g>>;
  std::vector<double> const k(static_cast<std::size_t>(count * g * g * g), 1.5);
  using rule = sumfac::gauss<g>;
  using policy = sumfac::trilinear;
  sumfac::element_operator<no_conduction, Order, rule, sumfac::host, double, policy> const none{backend, nodes};
  sumfac::element_operator<conduction<by_element>, Order, rule, sumfac::host, double, policy> const elements{
      backend, nodes, {.k = by_element(k.data(), count)}};
  sumfac::element_operator<conduction<by_point>, Order, rule, sumfac::host, double, policy> const points{
      backend, nodes, {.k = by_point(k.data(), count)}};
  // Interleaved by the lanes of a register, as the kernel reads it.
  constexpr int width = sumfac::native_width<double>;
  using interleaved =
      sumfac::view<double const, sumfac::extents<sumfac::dynamic_extent, g, g, g>, sumfac::layout_interleaved<width>>;
  std::vector<double> const side_by_side(k.size() + width * g * g * g, 1.5);
  sumfac::element_operator<conduction<interleaved>, Order, rule, sumfac::host, double, policy> const lanes{
      backend, nodes, {.k = interleaved(side_by_side.data(), count)}};
  auto const t = least([&] { none.apply(R, w, v); }, [&] { elements.apply(R, w, v); }, [&] { points.apply(R, w, v); },
                       [&] { lanes.apply(R, w, v); });
  std::printf(
      "N %2d  trilinear in the kernel %7.2f ms; of that time: coefficient by element %.2f, by point %.2f "
      "(layout_right), %.2f (interleaved)\n",
      Order, 1e3 * t[0], t[1] / t[0], t[2] / t[0], t[3] / t[0]);
}

}  // namespace

int main()
{
  compare<2>();
  compare<4>();
  compare<7>();
}
