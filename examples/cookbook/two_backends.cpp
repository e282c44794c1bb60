// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// One form on two backends: the host's kernel, and a device's, thread by thread on `checked`, which watches it.
#include "cube.hpp"

template <class Backend>
double work_of(Backend const& backend, cube<2> const& mesh, std::vector<double> const& u)
{
  sumfac::bp3<2, Backend> const A{backend, mesh.nodes(), {.lambda = 1}};
  sumfac::restriction<double, Backend> const R{backend, mesh.table(), mesh.count};
  return energy(A, R, u);
}

int main()
{
  cube<2> const mesh(2);
  auto const u = mesh.values([](double x, double, double) { return x; });
  int const wrong = compare("host", work_of(sumfac::host{}, mesh, u), 4. / 3);
  return compare("checked", work_of(sumfac::checked{}, mesh, u), 4. / 3) + wrong;
}
