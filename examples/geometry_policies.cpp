// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The code of docs/geometry_policies.md: one operator, its geometry stored, recomputed, split by element, or narrow.
#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

constexpr int order = 4, n = order + 1;

// [policies]
using stored = sumfac::bp35<order>;  // factors in memory: the default
using affine = sumfac::bp35<order, sumfac::affine>;
using trilinear = sumfac::bp35<order, sumfac::trilinear>;
using curved = sumfac::bp35<order, sumfac::isoparametric<3>>;
using mixed = sumfac::bp35<order, sumfac::split>;
// [policies]

// [precision]
using narrow = sumfac::bp35<order, sumfac::precision<double, float, double>>;
// [precision]

// [apply_at]
struct reaction_diffusion {
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = trial;

  template <class T>
  struct factors {
    sumfac::symmetric<T, 3> metric;
    T measure;
  };

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {sumfac::pulled_back_metric(x), x.measure()};
  }

  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.measure * u.value, .gradient = f.metric * u.gradient};
  }

  template <class Point, class T>
  SUMFAC_FUNCTION sumfac::point_values<T> apply_at(Point const& x, sumfac::point_values<T> const& u) const
  {
    return {.value = x.measure() * u.value, .gradient = x.metric_times(u.gradient)};
  }
};
// [apply_at]

using users_own =
    sumfac::element_operator<reaction_diffusion, order, sumfac::gauss_lobatto<n>, sumfac::isoparametric<3>>;

constexpr sumfac::index_t elements = 64;

// Elements in a row; those from 24 on are twisted, those from 48 on curved too.
std::vector<double> make_mesh()
{
  std::vector<double> nodes;
  for (sumfac::index_t e = 0; e < elements; ++e)
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 3; ++j)
        for (int i = 0; i < 3; ++i) {
          double const x = i / 2.0, y = j / 2.0, z = k / 2.0;
          double const twist = e < 24 ? 0 : 0.2 * x * y * z, bend = e < 48 ? 0 : 0.1 * std::sin(3 * y);
          nodes.insert(nodes.end(), {double(e) + x + 0.1 * y, y + twist, z + bend});
        }
  return nodes;
}

template <class Operator>
std::vector<double> apply(Operator const& a)
{
  std::vector<double> u_data(elements * n * n * n), v_data(u_data.size());
  for (std::size_t i = 0; i < u_data.size(); ++i) u_data[i] = std::sin(double(i));
  sumfac::view u(u_data.data(), elements, n, n, n);
  sumfac::view v(v_data.data(), elements, n, n, n);
  a.apply(u, v);
  return v_data;
}

// The same elements, all kinds mixed.
std::vector<double> shuffled(std::vector<double> const& mesh)
{
  std::vector<double> nodes;
  for (sumfac::index_t e = 0; e < elements; ++e) {
    auto const first = mesh.begin() + 81 * (29 * e % elements);
    nodes.insert(nodes.end(), first, first + 81);
  }
  return nodes;
}

double difference(std::vector<double> const& a, std::vector<double> const& b)
{
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

// Whether split runs each element of a mixed mesh as what it is once it is sorted, and v = A u in the mesh's own order.
bool sorting_serves(std::vector<double> const& coordinates)
{
  sumfac::host backend;
  std::vector<double> nodes_data = shuffled(coordinates);
  std::vector<double> sorted_data(nodes_data.size()), u_data(elements * n * n * n), v_data(u_data.size());
  for (std::size_t i = 0; i < u_data.size(); ++i) u_data[i] = std::sin(double(i));
  std::vector<double> sorted_u_data(u_data.size()), sorted_v_data(u_data.size());
  sumfac::view nodes(nodes_data.data(), elements, 3, 3, 3, 3), sorted(sorted_data.data(), elements, 3, 3, 3, 3);
  sumfac::view u(u_data.data(), elements, n, n, n), sorted_u(sorted_u_data.data(), elements, n, n, n);
  sumfac::view v(v_data.data(), elements, n, n, n), sorted_v(sorted_v_data.data(), elements, n, n, n);

  // [sorted]
  auto const by_class = sumfac::element_order::like_by_like(nodes);
  by_class.apply(nodes, sorted);  // a restriction's table and coefficients the same way
  mixed A{backend, sorted};

  by_class.apply(u, sorted_u);
  A.apply(sorted_u, sorted_v);
  by_class.undo(sorted_v, v);
  // [sorted]
  double const error = difference(apply(stored{backend, nodes}), v_data);
  std::printf("sorted:        %.1e\n", error);
  return A.classes().affine == 24 && error < 1e-12;
}

}  // namespace

int main()
{
  std::vector<double> const coordinates = make_mesh();
  sumfac::host backend;
  sumfac::view nodes(coordinates.data(), elements, 3, 3, 3, 3);  // (E, 3, 3, 3, 3): quadratic elements
  auto const expected = apply(stored{backend, nodes});

  // [split]
  mixed A{backend, nodes};
  sumfac::geometry_classes const c = A.classes();
  std::printf("%d affine, %d trilinear, %d stored\n", int(c.affine), int(c.trilinear), int(c.general));
  // [split]
  std::printf("split:         %.1e\n", difference(expected, apply(A)));
  std::printf("isoparametric: %.1e\n", difference(expected, apply(curved{backend, nodes})));
  std::printf("f32 factors:   %.1e\n", difference(expected, apply(narrow{backend, nodes})));

  // [refused]
  try {
    trilinear B{backend, nodes};
  } catch (sumfac::geometry_error const& error) {
    std::printf("%s\n", error.what());  // sumfac::trilinear: element 48 is not trilinear (defect 0.0...
  }
  // [refused]

  // [work]
  sumfac::work const work = A.work();
  std::printf("%d bytes, %d flops, %d of geometry on top\n", int(work.bytes()), int(work.flops),
              int(work.geometry_flops));
  // [work]
  auto const with_lambda_1 = apply(stored{backend, nodes, {.lambda = 1}});
  std::printf("a form of ours: %.1e\n", difference(with_lambda_1, apply(users_own{backend, nodes})));

  bool const as_it_should = c.affine == 24 && c.trilinear == 24 && c.general == 16 &&
                            difference(expected, apply(A)) < 1e-12 && sorting_serves(coordinates);
  return as_it_should ? 0 : 1;
}
