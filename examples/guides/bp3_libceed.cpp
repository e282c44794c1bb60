// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP3 by libCEED and by sumfac, on the same mesh, table and vectors; needs libCEED (0.12): bp3_libceed [RESOURCE]
#include "bent_cube.hpp"

#include <ceed.h>

namespace {

constexpr int N = 4, n = N + 1, g = N + 2;

// [qfunction]
// v = G u, gradients in reference coordinates; G is 0 5 4, 5 1 3, 4 3 2 of q_data.
CEED_QFUNCTION(diffusion)(void*, CeedInt Q, CeedScalar const* const* in, CeedScalar* const* out)
{
  CeedScalar const *du = in[0], *q_data = in[1];           // (3, Q), (6, Q)
  for (CeedInt i = 0; i < Q; ++i) {
    auto const G = [&](int k) { return q_data[k * Q + i]; };
    CeedScalar const x = du[i], y = du[Q + i], z = du[2 * Q + i];
    out[0][i] = G(0) * x + G(5) * y + G(4) * z;
    out[0][Q + i] = G(5) * x + G(1) * y + G(3) * z;
    out[0][2 * Q + i] = G(4) * x + G(3) * y + G(2) * z;
  }
  return CEED_ERROR_SUCCESS;
}
// [qfunction]

// [form]
struct diffusion_form {  // (grad u, grad v), which sumfac has as sumfac::laplace
  static constexpr auto trial = sumfac::gradient, test = sumfac::gradient;
  template <class T>
  struct factors { sumfac::symmetric<T, 3> G; };
  template <class T>
  factors<T> setup(sumfac::mapping<T> const& x) const { return {x.metric()}; }
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.gradient = f.G * u.gradient};
  }
};
// [form]

std::vector<double> by_libceed(char const* resource, bent_cube<N> const& mesh, std::vector<double> const& x)
{
  // [theirs]
  Ceed ceed;
  CeedInit(resource, &ceed);
  CeedInt const elements = mesh.elements, points = g * g * g;
  CeedInt const of_vertices[] = {3, 1, 24}, of_points[] = {1, points, 6 * points};  // node, component, element
  CeedBasis vertices, nodes;
  CeedBasisCreateTensorH1Lagrange(ceed, 3, 3, 2, g, CEED_GAUSS, &vertices);
  CeedBasisCreateTensorH1Lagrange(ceed, 3, 1, n, g, CEED_GAUSS, &nodes);
  CeedElemRestriction to_vertices, to_nodes, to_points;
  CeedElemRestrictionCreateStrided(ceed, elements, 8, 3, elements * 24, of_vertices, &to_vertices);
  CeedElemRestrictionCreateStrided(ceed, elements, points, 6, elements * points * 6, of_points, &to_points);
  CeedElemRestrictionCreate(ceed, elements, n * n * n, 1, 1, mesh.count, CEED_MEM_HOST, CEED_COPY_VALUES,
                            mesh.numbers.data(), &to_nodes);
  CeedVector coordinates, q_data, u, v;
  CeedVectorCreate(ceed, elements * 24, &coordinates);
  CeedVectorSetArray(coordinates, CEED_MEM_HOST, CEED_COPY_VALUES, const_cast<double*>(mesh.vertices.data()));
  CeedVectorCreate(ceed, elements * points * 6, &q_data);
  CeedVectorCreate(ceed, mesh.count, &u);
  CeedVectorCreate(ceed, mesh.count, &v);

  CeedQFunction of_geometry, of_point;
  CeedQFunctionCreateInteriorByName(ceed, "Poisson3DBuild", &of_geometry);
  CeedQFunctionCreateInterior(ceed, 1, diffusion, diffusion_loc, &of_point);
  CeedQFunctionAddInput(of_point, "du", 3, CEED_EVAL_GRAD);
  CeedQFunctionAddInput(of_point, "q_data", 6, CEED_EVAL_NONE);
  CeedQFunctionAddOutput(of_point, "dv", 3, CEED_EVAL_GRAD);

  CeedOperator geometry, A;
  CeedOperatorCreate(ceed, of_geometry, CEED_QFUNCTION_NONE, CEED_QFUNCTION_NONE, &geometry);
  CeedOperatorSetField(geometry, "dx", to_vertices, vertices, CEED_VECTOR_ACTIVE);
  CeedOperatorSetField(geometry, "weights", CEED_ELEMRESTRICTION_NONE, vertices, CEED_VECTOR_NONE);
  CeedOperatorSetField(geometry, "qdata", to_points, CEED_BASIS_NONE, CEED_VECTOR_ACTIVE);
  CeedOperatorApply(geometry, coordinates, q_data, CEED_REQUEST_IMMEDIATE);
  CeedOperatorCreate(ceed, of_point, CEED_QFUNCTION_NONE, CEED_QFUNCTION_NONE, &A);
  CeedOperatorSetField(A, "du", to_nodes, nodes, CEED_VECTOR_ACTIVE);
  CeedOperatorSetField(A, "q_data", to_points, CEED_BASIS_NONE, q_data);
  CeedOperatorSetField(A, "dv", to_nodes, nodes, CEED_VECTOR_ACTIVE);

  CeedVectorSetArray(u, CEED_MEM_HOST, CEED_COPY_VALUES, const_cast<double*>(x.data()));
  CeedOperatorApply(A, u, v, CEED_REQUEST_IMMEDIATE);
  CeedScalar const* y;
  CeedVectorGetArrayRead(v, CEED_MEM_HOST, &y);
  std::vector<double> result(y, y + mesh.count);
  CeedVectorRestoreArrayRead(v, &y);
  // [theirs]
  for (CeedVector* vector : {&coordinates, &q_data, &u, &v}) CeedVectorDestroy(vector);
  for (CeedOperator* an_operator : {&geometry, &A}) CeedOperatorDestroy(an_operator);
  for (CeedQFunction* function : {&of_geometry, &of_point}) CeedQFunctionDestroy(function);
  for (CeedElemRestriction* gather : {&to_vertices, &to_nodes, &to_points}) CeedElemRestrictionDestroy(gather);
  for (CeedBasis* basis : {&vertices, &nodes}) CeedBasisDestroy(basis);
  CeedDestroy(&ceed);
  return result;
}

template <class Form>
std::vector<double> by_sumfac(bent_cube<N> const& mesh, std::vector<double> const& x)
{
  // [ours]
  sumfac::host const backend;
  sumfac::view const vertices(mesh.vertices.data(), mesh.elements, 2, 2, 2, 3);
  sumfac::view const table(mesh.numbers.data(), mesh.elements, n, n, n);
  sumfac::element_operator<Form, N> const A{backend, vertices};          // N + 2 Gauss points
  sumfac::restriction const R{backend, table, mesh.count};
  std::vector<double> y(x.size());
  A.apply(R, on(x), on(y));
  // [ours]
  return y;
}

}  // namespace

int main(int argc, char** argv)
{
  bent_cube<N> const mesh(3);
  auto const x = some_values(static_cast<std::size_t>(mesh.count));
  auto const right = by_libceed(argc > 1 ? argv[1] : "/cpu/self/ref/serial", mesh, x);
  return agree("a form of one's own", apart(right, by_sumfac<diffusion_form>(mesh, x))) +
         agree("sumfac::laplace", apart(right, by_sumfac<sumfac::laplace>(mesh, x)));
}
