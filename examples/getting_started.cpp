// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The smallest whole program: a mesh, a mass and a stiffness operator, one application each.

// [include]
#include <sumfac/sumfac.hpp>
// [include]

#include <cstdio>
#include <vector>

namespace {

// Vertices of n x n x n unit cubes as a view (E, 2, 2, 2, 3) wants them: element; z, y, x; coordinate.
std::vector<double> unit_cubes(int n)
{
  std::vector<double> vertices;
  for (int e = 0; e < n * n * n; ++e)
    for (int vertex = 0; vertex < 8; ++vertex) {
      vertices.push_back(e % n + vertex % 2);
      vertices.push_back(e / n % n + vertex / 2 % 2);
      vertices.push_back(e / (n * n) + vertex / 4);
    }
  return vertices;
}

// [form]
struct reaction {                       // k (u, v)
  static constexpr auto trial = sumfac::value, test = sumfac::value;

  template <class T>
  struct factors { T weight; };         // what a point of the mesh stores

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {sumfac::scalar_of<T>(k) * x.measure()};
  }

  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.weight * u.value};
  }

  double k = 1;
};
// [form]

}  // namespace

int main()
{
  std::vector<double> const vertices = unit_cubes(4);
  sumfac::index_t const elements = 64;

  // [types]
  using mass = sumfac::bp1<7>;        // degree 7, 9 Gauss points per direction, double, host
  using stiffness = sumfac::bp35<7>;  // degree 7, points at the nodes
  // [types]

  // [operators]
  sumfac::host backend;                                          // all cores
  sumfac::view nodes(vertices.data(), elements, 2, 2, 2, 3);     // (E, 2, 2, 2, 3): the mesh's vertices
  mass M{backend, nodes};
  stiffness A{backend, nodes, {.lambda = 0.1}};
  // [operators]

  // [apply]
  sumfac::buffer<double> u_data(elements * 8 * 8 * 8), v_data(elements * 8 * 8 * 8);
  sumfac::view u(u_data.data(), elements, 8, 8, 8);              // (E, z, y, x)
  sumfac::view v(v_data.data(), elements, 8, 8, 8);
  for (double& x : u_data) x = 1;

  M.apply(u, v);                                                 // v = M u
  // [apply]
  double volume = 0;
  for (double x : v_data) volume += x;

  A.apply(u, v);
  double energy = 0;
  for (double x : v_data) energy += x;

  // [own]
  sumfac::element_operator<reaction, 7> R{backend, nodes, {.k = 2}};
  // [own]
  R.apply(u, v);
  double reacted = 0;
  for (double x : v_data) reacted += x;

  // [diagonal]
  A.diagonal(v);                                                 // an E-vector
  std::vector<double> matrix = A.element_matrix(0);              // 512 x 512, row by row
  // [diagonal]

  // [layouts]
  using shape = sumfac::dextents<4>;
  using fast = sumfac::layout_interleaved<sumfac::native_width<double>>;
  sumfac::view<double, shape, fast> in_lanes(u_data.data(), elements, 8, 8, 8);
  sumfac::view<double, shape, sumfac::layout_left> by_columns(u_data.data(), elements, 8, 8, 8);
  sumfac::layout_stride::mapping<shape> every_second(shape(elements, 8, 8, 8), {2 * 512, 2 * 64, 2 * 8, 2});
  std::vector<double> pairs(2 * 512 * elements);
  sumfac::view second(pairs.data() + 1, every_second);           // (e, k, j, i) at 2 (((e 8 + k) 8 + j) 8 + i) + 1
  M.apply(in_lanes, v);
  M.apply(by_columns, second);
  // [layouts]

  // [threads]
  sumfac::host one_thread(1);
  mass M_of_one_thread{one_thread, nodes};
  // [threads]
  M_of_one_thread.apply(u, v);

  std::printf("1' M 1 = %.12g (volume 64), 1' A 1 = %.12g (lambda times the volume)\n", volume, energy);
  std::printf("1' R 1 = %.12g (k times the volume)\n", reacted);
  std::printf("first diagonal entry %.12g, of the element's matrix %.12g\n", v(0, 0, 0, 0), matrix[0]);

  // [work]
  sumfac::work const work = A.work();
  std::printf("%lld flops, %lld bytes read, %lld written\n", static_cast<long long>(work.flops),
              static_cast<long long>(work.bytes_read), static_cast<long long>(work.bytes_written));
  // [work]
}
