// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// One form on four backends: the host; `checked`, a device's threads on the processor; GPUs of NVIDIA's and of AMD's.
#include "cube.hpp"

#if !defined(BACKENDS)  // nvcc -x cu "-DBACKENDS=sumfac::host, sumfac::checked, sumfac::cuda", hipcc with sumfac::hip
#define BACKENDS sumfac::host, sumfac::checked
#endif

template <class Backend>
int right_on(Backend const& backend)
{
  cube<2> const mesh(2);
  sumfac::bp3<2, Backend> const A{backend, mesh.nodes(), {.lambda = 3}};  // (grad u, grad v) + 3 (u, v)
  sumfac::restriction<double, Backend> const R{backend, mesh.table(), mesh.count};
  using memory = std::conditional_t<sumfac::device_backend<Backend>, Backend, sumfac::host>;
  sumfac::buffer<double, memory> x_data(memory{}, mesh.count), y_data(memory{}, mesh.count);
  sumfac::view const x(x_data.data(), mesh.count), y(y_data.data(), mesh.count);
  sumfac::vector_ops<double, Backend> const ops(backend, mesh.count);
  ops.fill(1.0, x);
  A.apply(R, x, y);
  return compare("1 . A 1", ops.dot(x, y), 3);
}

template <class... Backends>
int right_on_all()
{
  return (right_on(Backends{}) + ...);
}

int main() { return right_on_all<BACKENDS>(); }
