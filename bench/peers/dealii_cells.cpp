// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The Laplacian on tetrahedra by deal.II's MatrixFree loop, and PETSc's product of an assembled matrix.

#include "dealii_lanes.hpp"
// (After it, as it says how many lanes there are.)
#include <deal.II/base/quadrature_lib.h>
#include <deal.II/fe/fe_simplex_p.h>
#include <deal.II/fe/mapping_fe.h>
#include <deal.II/grid/tria.h>

#include "dealii_cells.hpp"

#include <petscmat.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace {

using namespace dealii;
using namespace peers;

constexpr int dim = 3;
using loop_type = MatrixFree<dim, double, lanes>;

class subject : public dealii_cells {
public:
  subject(int order, int cubes) : fe_(static_cast<unsigned>(order))
  {
    GridGenerator::subdivided_hyper_cube_with_simplices(mesh_, static_cast<unsigned>(cubes));
    numbers_.distribute_dofs(fe_);
    constraints_.close();
    loop_type::AdditionalData options(loop_type::AdditionalData::none, 0);
    options.mapping_update_flags = update_gradients | update_JxW_values;
    // The fewest points that are exact for products of gradients on straight elements.
    loop_.reinit(mapping_, numbers_, constraints_, QGaussSimplex<dim>(static_cast<unsigned>(order)), options);
    loop_.initialize_dof_vector(u_);
    loop_.initialize_dof_vector(v_);
    for (auto const& x : mesh_.get_vertices())
      for (unsigned d = 0; d < dim; ++d) vertices.push_back(x[d]);
    for (auto const& cell : mesh_.active_cell_iterators())
      for (unsigned v = 0; v < 4; ++v) table.push_back(static_cast<int>(cell->vertex_index(v)));
    std::vector<Point<dim>> at(numbers_.n_dofs());
    DoFTools::map_dofs_to_support_points(mapping_, numbers_, at);
    for (auto const& x : at) places.push_back({x[0], x[1], x[2]});
  }

  void set(double const* u) override { std::copy(u, u + u_.size(), u_.begin()); }
  void get(double* v) const override { std::copy(v_.begin(), v_.end(), v); }
  void apply() override { loop_.cell_loop(&subject::cells, this, v_, u_, true); }

private:
  void cells(loop_type const& loop, vector& v, vector const& u, range const& some) const
  {
    FEEvaluation<dim, -1, 0, 1, double, lanes> element(loop);
    for (unsigned e = some.first; e < some.second; ++e) {
      element.reinit(e);
      element.gather_evaluate(u, EvaluationFlags::gradients);
      for (unsigned q = 0; q < element.n_q_points; ++q) element.submit_gradient(element.get_gradient(q), q);
      element.integrate_scatter(EvaluationFlags::gradients, v);
    }
  }

  Triangulation<dim> mesh_;
  MappingFE<dim> mapping_{FE_SimplexP<dim>(1)};
  FE_SimplexP<dim> fe_;
  DoFHandler<dim> numbers_{mesh_};
  AffineConstraints<double> constraints_;
  loop_type loop_;
  vector u_, v_;
};

class product : public petsc_product {
public:
  product(std::vector<int> first, std::vector<int> columns, std::vector<double> values, std::vector<double> const& u)
      : first_(std::move(first)), columns_(std::move(columns)), values_(std::move(values))
  {
    if (PetscInitializeNoArguments() != 0) throw std::runtime_error("PETSc does not start");
    int const n = static_cast<int>(u.size());
    MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, n, n, first_.data(), columns_.data(), values_.data(), &a_);
    MatCreateVecs(a_, &u_, &v_);
    double* to = nullptr;
    VecGetArray(u_, &to);
    std::copy(u.begin(), u.end(), to);
    VecRestoreArray(u_, &to);
  }
  ~product() override
  {
    MatDestroy(&a_);
    VecDestroy(&u_);
    VecDestroy(&v_);
  }
  void apply() override { MatMult(a_, u_, v_); }
  void get(double* v) const override
  {
    double const* from = nullptr;
    VecGetArrayRead(v_, &from);
    std::copy(from, from + values_count(), v);
    VecRestoreArrayRead(v_, &from);
  }

private:
  std::size_t values_count() const { return first_.size() - 1; }

  std::vector<int> first_, columns_;
  std::vector<double> values_;
  Mat a_ = nullptr;
  Vec u_ = nullptr, v_ = nullptr;
};

}  // namespace

std::unique_ptr<dealii_cells> make_dealii_cells(int order, int cubes)
{
  return std::make_unique<subject>(order, cubes);
}
std::unique_ptr<petsc_product> make_petsc_product(std::vector<int> first, std::vector<int> columns,
                                                  std::vector<double> values, std::vector<double> const& u)
{
  return std::make_unique<product>(std::move(first), std::move(columns), std::move(values), u);
}
