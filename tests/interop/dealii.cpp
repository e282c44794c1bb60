// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators on deal.II's cells beside forms summed by its FEValues, its solvers and multigrid around them, and errors.
#include <sumfac/interop/dealii.hpp>
#include <sumfac/sumfac.hpp>

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_renumbering.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_dgq.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping_fe_field.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/lac/precondition.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/multigrid/mg_coarse.h>
#include <deal.II/multigrid/mg_constrained_dofs.h>
#include <deal.II/multigrid/mg_matrix.h>
#include <deal.II/multigrid/mg_smoother.h>
#include <deal.II/multigrid/mg_transfer_matrix_free.h>
#include <deal.II/multigrid/multigrid.h>

#include <catch2/catch.hpp>
#include <support/tolerance.hpp>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace {

namespace dii = ::dealii;
using Catch::Matchers::Contains;
using sumfac::index_t;

int no_arguments = 0;
char** no_argument_list = nullptr;
dii::Utilities::MPI::MPI_InitFinalize const mpi(no_arguments, no_argument_list, 1);

unsigned rank()
{
  return dii::Utilities::MPI::this_mpi_process(MPI_COMM_WORLD);
}

template <class Number>
using vector_of = dii::LinearAlgebra::distributed::Vector<Number>;

// Unknowns on a mesh, 0 on its boundary.
template <int dim, int spacedim = dim>
struct unknowns {
  unknowns(dii::Triangulation<dim, spacedim> const& mesh, dii::FiniteElement<dim, spacedim> const& element,
           bool renumbered = false)
      : numbers(mesh)
  {
    numbers.distribute_dofs(element);
    if (element.n_components() > 1) dii::DoFRenumbering::support_point_wise(numbers);
    constrain();
    if (!renumbered) return;
    sumfac::dealii::renumber(numbers, constraints);
    constrain();
  }
  void constrain()
  {
    dii::IndexSet relevant;
    dii::DoFTools::extract_locally_relevant_dofs(numbers, relevant);
    constraints.reinit(relevant);
    dii::DoFTools::make_zero_boundary_constraints(numbers, constraints);
    constraints.close();
  }

  dii::DoFHandler<dim, spacedim> numbers;
  dii::AffineConstraints<double> constraints;
};

// Entries that depend on the node alone, whatever its number and its process.
template <int dim, int spacedim>
vector_of<double> entries_by_place(dii::Mapping<dim, spacedim> const& mapping, unknowns<dim, spacedim> const& of,
                                   std::shared_ptr<dii::Utilities::MPI::Partitioner const> const& partitioner)
{
  auto const& element = of.numbers.get_fe();
  vector_of<double> x(partitioner);
  dii::FEValues<dim, spacedim> values(mapping, element, dii::Quadrature<dim>(element.get_unit_support_points()),
                                      dii::update_quadrature_points);
  std::vector<dii::types::global_dof_index> list(element.n_dofs_per_cell());
  for (auto const& cell : of.numbers.active_cell_iterators()) {
    if (!cell->is_locally_owned()) continue;
    values.reinit(cell);
    cell->get_dof_indices(list);
    for (unsigned i = 0; i < list.size(); ++i) {
      double value = 1 + element.system_to_component_index(i).first;
      for (unsigned d = 0; d < spacedim; ++d) value += std::sin((3. + d) * values.quadrature_point(i)[d] + d);
      if (partitioner->in_local_range(list[i]) && !of.constraints.is_constrained(list[i])) x(list[i]) = value;
    }
  }
  return x;
}

enum class kind { mass, laplace };

// y = A x and the sums of moduli, cell by cell, by deal.II's FEValues and as many Gauss points as sumfac has.
template <int dim, int spacedim>
std::pair<vector_of<double>, double> product_by_values(kind what, dii::Mapping<dim, spacedim> const& mapping,
                                                       unknowns<dim, spacedim> const& of, vector_of<double> const& from)
{
  auto const& element = of.numbers.get_fe();
  dii::FEValues<dim, spacedim> values(mapping, element, dii::QGauss<dim>(element.degree + 2),
                                      dii::update_values | dii::update_gradients | dii::update_JxW_values);
  dii::IndexSet relevant;
  dii::DoFTools::extract_locally_relevant_dofs(of.numbers, relevant);
  vector_of<double> x(of.numbers.locally_owned_dofs(), relevant, MPI_COMM_WORLD), y(x);
  x.copy_locally_owned_data_from(from);
  x.update_ghost_values();
  double most = 0;
  std::vector<dii::types::global_dof_index> list(element.n_dofs_per_cell());
  dii::Vector<double> sums(element.n_dofs_per_cell());
  for (auto const& cell : of.numbers.active_cell_iterators()) {
    if (!cell->is_locally_owned()) continue;
    values.reinit(cell);
    cell->get_dof_indices(list);
    for (unsigned i = 0; i < list.size(); ++i) {
      double sum = 0, moduli = 0;
      for (unsigned j = 0; j < list.size(); ++j) {
        if (element.system_to_component_index(i).first != element.system_to_component_index(j).first) continue;
        double entry = 0;
        for (unsigned q = 0; q < values.n_quadrature_points; ++q)
          entry += values.JxW(q) * (what == kind::mass ? values.shape_value(i, q) * values.shape_value(j, q)
                                                       : values.shape_grad(i, q) * values.shape_grad(j, q));
        double const at = of.constraints.is_constrained(list[j]) ? 0 : x(list[j]);
        sum += entry * at, moduli += std::abs(entry * at);
      }
      sums[i] = sum;
      most = std::max(most, moduli);
    }
    of.constraints.distribute_local_to_global(sums, list, y);
  }
  y.compress(dii::VectorOperation::add);
  for (auto const i : y.locally_owned_elements())
    if (of.constraints.is_constrained(i)) y(i) = from(i);
  return {y, dii::Utilities::MPI::max(most, MPI_COMM_WORLD)};
}

template <class Operator, int dim, int spacedim>
void multiplies(kind what, dii::Triangulation<dim, spacedim> const& mesh, dii::Mapping<dim, spacedim> const& mapping,
                dii::FiniteElement<dim, spacedim> const& element, bool renumbered = false)
{
  unknowns<dim, spacedim> const of(mesh, element, renumbered);
  sumfac::host const backend(2);
  sumfac::dealii::cells<dim, spacedim> const cells(mapping, of.numbers);
  Operator const A(backend, cells.mesh_nodes());
  auto const R = cells.restriction(backend, of.constraints);
  sumfac::dealii::matrix const L(A, R, cells, {.symmetric = true});
  auto x = entries_by_place(mapping, of, cells.partitioner());
  auto const [expected, moduli] = product_by_values(what, mapping, of, x);
  double const allowed = 4 * reference::tolerance<double>(Operator::order) * moduli;
  vector_of<double> y, d;
  L.initialize_dof_vector(y);
  L.initialize_dof_vector(d);
  L.vmult(y, x);
  y -= expected;
  CHECK(expected.linfty_norm() > 0);
  CHECK(y.linfty_norm() <= allowed);
  y = x;
  L.vmult_add(y, x);
  y -= x;
  y -= expected;
  CHECK(y.linfty_norm() <= allowed);
  L.Tvmult(y, x);
  y -= expected;
  CHECK(y.linfty_norm() <= allowed);
  CHECK(L.m() == of.numbers.n_dofs());

  // The diagonal, by A's product with a sum of unit vectors that no element has two of, would take many: one entry.
  L.diagonal(d);
  auto const one = of.numbers.n_dofs() / 2;
  x = 0;
  if (x.in_local_range(one)) x(one) = 1;
  L.vmult(y, x);
  double const entry = dii::Utilities::MPI::sum(x.in_local_range(one) ? y(one) - d(one) : 0., MPI_COMM_WORLD);
  CHECK(std::abs(entry) <= allowed);
  CHECK(L.inverse_diagonal()->get_vector().linfty_norm() > 0);
}

}  // namespace

TEST_CASE("a matrix on deal.II's cells is the form on them")
{
  dii::parallel::distributed::Triangulation<3> cube(MPI_COMM_WORLD), ball(MPI_COMM_WORLD);
  dii::GridGenerator::subdivided_hyper_rectangle(cube, {4, 3, 2}, dii::Point<3>(0, 0, 0), dii::Point<3>(1, 2, 1.5));
  dii::GridGenerator::hyper_ball(ball);
  ball.refine_global(1);
  for (bool const renumbered : {false, true}) {
    CAPTURE(renumbered);
    multiplies<sumfac::element_operator<sumfac::laplace, 3>>(kind::laplace, cube, dii::MappingQ<3>(1), dii::FE_Q<3>(3),
                                                             renumbered);
    multiplies<sumfac::element_operator<sumfac::laplace, 2>>(kind::laplace, ball, dii::MappingQ<3>(3), dii::FE_Q<3>(2),
                                                             renumbered);
    multiplies<sumfac::element_operator<sumfac::vector_mass<3>, 2>>(
        kind::mass, ball, dii::MappingQ<3>(2), dii::FESystem<3>(dii::FE_Q<3>(2), 3), renumbered);
  }
}
