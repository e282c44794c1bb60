// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BP3 by deal.II's FEEvaluation, and by sumfac of deal.II's cells, unknowns and constraints; needs deal.II (9.4).
#include "bent_cube.hpp"

#include <sumfac/interop/dealii.hpp>

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/fe/fe_tools.h>
#include <deal.II/fe/mapping_q.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/grid/tria.h>
#include <deal.II/matrix_free/fe_evaluation.h>
#include <deal.II/matrix_free/matrix_free.h>

#include <cstddef>
#include <utility>
#include <vector>

namespace {

using namespace dealii;
constexpr int N = 4;
using vector = LinearAlgebra::distributed::Vector<double>;

// [cell]
void apply_cells(MatrixFree<3, double> const& loop, vector& y, vector const& x,
                 std::pair<unsigned, unsigned> const& batches)
{
  FEEvaluation<3, N, N + 2> u(loop);
  for (unsigned batch = batches.first; batch < batches.second; ++batch) {
    u.reinit(batch);
    u.gather_evaluate(x, EvaluationFlags::gradients);
    for (unsigned const q : u.quadrature_point_indices()) u.submit_gradient(u.get_gradient(q), q);
    u.integrate_scatter(EvaluationFlags::gradients, y);
  }
}
// [cell]

// How many numbers of a table that is made by hand are not those of dealii::cells.
int wrong_by_hand(DoFHandler<3> const& unknowns, sumfac::dealii::cells<3> const& cells)
{
  // [by_hand]
  auto const place = FETools::lexicographic_to_hierarchic_numbering<3>(N);
  std::vector<types::global_dof_index> of_cell(place.size()), numbers;  // (E, n, n, n)
  for (auto const& cell : unknowns.active_cell_iterators()) {
    cell->get_dof_indices(of_cell);
    for (unsigned const p : place) numbers.push_back(of_cell[p]);
  }
  // [by_hand]
  int wrong = static_cast<int>(numbers.size()) - static_cast<int>(cells.table().size());
  for (std::size_t i = 0; wrong == 0 && i < numbers.size(); ++i)
    wrong += numbers[i] != static_cast<types::global_dof_index>(cells.table().data()[i]);
  return wrong;
}

int compare_both()
{
  Triangulation<3> mesh;
  GridGenerator::subdivided_hyper_cube(mesh, 3);
  GridTools::transform([](Point<3> x) {
    bend(&x[0]);
    return x;
  }, mesh);
  // [unknowns]
  FE_Q<3> const element(N);                                // nodes at Gauss-Lobatto points
  MappingQ<3> const mapping(2);
  DoFHandler<3> unknowns(mesh);
  unknowns.distribute_dofs(element);
  AffineConstraints<double> fixed;
  DoFTools::make_zero_boundary_constraints(unknowns, fixed);
  fixed.close();
  // [unknowns]
  // [theirs]
  MatrixFree<3, double> loop;
  MatrixFree<3, double>::AdditionalData options(MatrixFree<3, double>::AdditionalData::none);
  options.mapping_update_flags = update_gradients | update_JxW_values;
  loop.reinit(mapping, unknowns, fixed, QGauss<1>(N + 2), options);
  vector x, y;
  loop.initialize_dof_vector(x);
  loop.initialize_dof_vector(y);
  // [theirs]
  auto const values = some_values(x.size());
  for (unsigned i = 0; i < x.size(); ++i) x[i] = values[i];
  // [apply_theirs]
  loop.cell_loop<vector, vector>(apply_cells, y, x, true); // y = A x, 0 where x is fixed
  for (unsigned const i : loop.get_constrained_dofs()) y.local_element(i) = x.local_element(i);
  // [apply_theirs]
  // [ours]
  sumfac::host const backend;
  sumfac::dealii::cells<3> const cells(mapping, unknowns); // table and mesh nodes, in sumfac's order
  sumfac::element_operator<sumfac::laplace, N> const A(backend, cells.mesh_nodes());
  auto const R = cells.restriction(backend, fixed);
  sumfac::dealii::matrix const L(A, R, cells, {.symmetric = true});
  vector u, v;
  L.initialize_dof_vector(u);
  L.initialize_dof_vector(v);
  // [ours]
  u = x;
  // [apply_ours]
  L.vmult(v, u);                                           // rows of fixed entries are the identity's
  // [apply_ours]
  std::printf("%u elements, %u unknowns\n", mesh.n_active_cells(), static_cast<unsigned>(unknowns.n_dofs()));
  return agree("y = A x", apart(y.begin(), v.begin(), y.size())) + (wrong_by_hand(unknowns, cells) != 0);
}

}  // namespace

int main(int argc, char** argv)
{
  Utilities::MPI::MPI_InitFinalize const mpi(argc, argv, 1);
  return compare_both();
}
