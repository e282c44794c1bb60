// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A coefficient by material: a form reads a number for each element.
#include "cube.hpp"

struct conduction {  // (k grad u, grad v)
  static constexpr auto trial = sumfac::gradient, test = sumfac::gradient;
  template <class T> struct factors { sumfac::symmetric<T, 3> metric; };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const { return {x.at(k) * x.metric()}; }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.gradient = f.metric * u.gradient};
  }
  sumfac::view<double const, sumfac::dextents<1>> k;  // (E)
};

int main()
{
  cube<2> const mesh(2);
  std::vector<double> const k{1, 5, 1, 5, 1, 5, 1, 5};  // of 8 elements: 1 where x < 1/2, 5 behind
  sumfac::host const backend;
  sumfac::element_operator<conduction, 2> const A{backend, mesh.nodes(), {.k = on(k)}};
  sumfac::restriction const R{backend, mesh.table(), mesh.count};
  auto const u = mesh.values([](double x, double, double) { return x; });
  return compare("(k grad x, grad x)", energy(A, R, u), 3);
}
