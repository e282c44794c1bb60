// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// One form on four backends: the host; `checked`, a device's threads on the processor; GPUs of NVIDIA's and of AMD's.
#include "recipe.hpp"

#if !defined(BACKENDS)  // nvcc -x cu "-DBACKENDS=sumfac::host, sumfac::checked, sumfac::cuda", hipcc with sumfac::hip
#define BACKENDS sumfac::host, sumfac::checked
#endif

template <class Backend>
int right_on(Backend const& backend)
{
  sumfac::mesh const mesh = sumfac::box_mesh({2, 2, 2});
  sumfac::function_space const V{mesh, 2};
  sumfac::bp3<2, Backend> const A{backend, mesh, {.lambda = 3}};  // (grad u, grad v) + 3 (u, v)
  auto const R = V.restriction(backend);
  using memory = std::conditional_t<sumfac::device_backend<Backend>, Backend, sumfac::host>;
  sumfac::buffer<double, memory> x_data(memory{}, V.size()), y_data(memory{}, V.size());
  sumfac::view const x(x_data.data(), V.size()), y(y_data.data(), V.size());
  sumfac::vector_ops<double, Backend> const ops(backend, V.size());
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
