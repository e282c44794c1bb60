// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Heat in a body whose conductivity grows with its temperature: implicit steps in time, the last temperature an input.
#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr int order = 4, n = order + 1, cells = 3;  // cells per direction of the unit cube
constexpr int points = cells * order + 1, count = points * points * points;

// [form]
// (u / dt, v) + ((1 + t) grad u, grad v), t the temperature of the step before
struct heat_step {
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = sumfac::value | sumfac::gradient;
  using inputs = sumfac::reads<sumfac::input{.evaluates = sumfac::value}>;

  template <class T>
  struct factors {
    T measure;
    sumfac::symmetric<T, 3> metric;
  };

  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.measure(), x.metric()};
  }

  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u,
                                sumfac::point_values<T> const& t) const
  {
    return {.value = sumfac::scalar_of<T>(1 / dt) * (f.measure * u.value),
            .gradient = (T(1) + t.value) * (f.metric * u.gradient)};
  }

  double dt = 1;
};
// [form]

double const pi = std::acos(-1.0);

struct mesh {
  std::vector<double> vertices;         // (E, 2, 2, 2, 3)
  std::vector<std::int32_t> numbers;    // (E, n, n, n)
  std::vector<unsigned char> boundary;  // (nodes)
  std::vector<double> exact, source;    // at the nodes
};

mesh unit_cube()
{
  mesh m;
  for (int e = 0; e < cells * cells * cells; ++e) {
    int const x = e % cells, y = e / cells % cells, z = e / (cells * cells);
    for (int vertex = 0; vertex < 8; ++vertex) {
      m.vertices.push_back((x + vertex % 2) / double(cells));
      m.vertices.push_back((y + vertex / 2 % 2) / double(cells));
      m.vertices.push_back((z + vertex / 4) / double(cells));
    }
    for (int k = z * order; k <= (z + 1) * order; ++k)
      for (int j = y * order; j <= (y + 1) * order; ++j)
        for (int i = x * order; i <= (x + 1) * order; ++i) m.numbers.push_back((k * points + j) * points + i);
  }
  // In the end u = sin(pi x) sin(pi y) sin(pi z), where the source is -div((1 + u) grad u).
  constexpr auto nodes = sumfac::gauss_lobatto<n>::nodes;
  auto const at = [&](int i) { return (i / order + (1 + double(nodes[i % order])) / 2) / cells; };
  auto const outside = [](int i) { return i == 0 || i == points - 1; };
  for (int k = 0; k < points; ++k)
    for (int j = 0; j < points; ++j)
      for (int i = 0; i < points; ++i) {
        double const x = pi * at(i), y = pi * at(j), z = pi * at(k);
        double const u = std::sin(x) * std::sin(y) * std::sin(z);
        double const slopes[] = {std::cos(x) * std::sin(y) * std::sin(z), std::sin(x) * std::cos(y) * std::sin(z),
                                 std::sin(x) * std::sin(y) * std::cos(z)};
        double square = 0;
        for (double const slope : slopes) square += pi * pi * slope * slope;
        m.boundary.push_back(outside(i) || outside(j) || outside(k) ? 1 : 0);
        m.exact.push_back(u);
        m.source.push_back(3 * pi * pi * u * (1 + u) - square);
      }
  return m;
}

}  // namespace

int main()
{
  constexpr int elements = cells * cells * cells;
  mesh const m = unit_cube();
  sumfac::host const backend;
  sumfac::view nodes(m.vertices.data(), elements, 2, 2, 2, 3);
  sumfac::restriction const R{backend, sumfac::view(m.numbers.data(), elements, n, n, n), count,
                              sumfac::view(m.boundary.data(), count)};
  sumfac::bp1<order> const M{backend, nodes};
  std::vector<double> u_data(count), b_data(count), w_data(count);
  sumfac::view u(u_data.data(), count), b(b_data.data(), count), w(w_data.data(), count);

  double const dt = 0.02;
  // [steps]
  sumfac::element_operator<heat_step, order> A{backend, nodes, {.dt = dt}};
  sumfac::global_operator const L{A, R};
  double change = 1;
  for (int step = 1; step <= 40 && change > 1e-10; ++step) {
    A.linearize(R, u);                                               // the conductivity is that of u from here on
    for (int i = 0; i < count; ++i) w(i) = m.source[std::size_t(i)] + u(i) / dt;
    M.apply(R, w, b);
    for (int i = 0; i < count; ++i) b(i) = m.boundary[std::size_t(i)] ? 0 : b(i);
    std::vector<double> const before = u_data;
    if (!sumfac::cg(L, b, u, {.tolerance = 0, .absolute = 1e-13})) return 1;
    // [steps]
    change = 0;
    double off = 0;
    for (std::size_t i = 0; i < count; ++i) {
      change = std::fmax(change, std::fabs(u_data[i] - before[i]));
      off = std::fmax(off, std::fabs(u_data[i] - m.exact[i]));
    }
    if (step % 5 == 0 || change <= 1e-10)
      std::printf("step %2d: u changes by %.1e, off the exact limit by %.1e\n", step, change, off);
    if (change <= 1e-10) return off < 2e-3 ? 0 : 1;
  }
  return 1;  // not steady
}
