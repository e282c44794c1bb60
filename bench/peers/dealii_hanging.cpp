// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Laplace on an adaptively refined mesh by deal.II's MatrixFree: hanging nodes by its fast algorithm, factors merged
// and stored at each point, conjugate gradients merged with the loop over cells.

#include "dealii_lanes.hpp"
// (After it, as it says how many lanes there are.)
#include <deal.II/grid/tria.h>
#include <deal.II/lac/diagonal_matrix.h>
#include <deal.II/lac/solver_cg.h>

#include "dealii_hanging.hpp"

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <utility>

namespace {

using namespace dealii;
using namespace peers;

constexpr int dim = 3;
using element_loop = MatrixFree<dim, double, lanes>;
using library_loop = MatrixFree<dim, double, VectorizedArray<double, 1>>;

template <int Order>
class subject : public dealii_hanging {
  using evaluation = FEEvaluation<dim, Order, Order + 1, 1, double, lanes>;
  static constexpr unsigned points_ = evaluation::static_n_q_points, factors_of_point = 6;

public:
  subject(int cells, int local, void (*bend)(double (&)[3]))
  {
    GridGenerator::subdivided_hyper_cube(mesh_, static_cast<unsigned>(cells));
    // Maps stay those of the first cells, so that vertices in the middle of edges and faces stay there.
    GridTools::transform(
        [bend](Point<dim> const& at) {
          double x[3] = {at[0], at[1], at[2]};
          bend(x);
          return Point<dim>(x[0], x[1], x[2]);
        },
        mesh_);
    refine(local);
    numbers_.reinit(mesh_);
    numbers_.distribute_dofs(fe_);
    constrain();
    DoFRenumbering::matrix_free_data_locality(
        numbers_, constraints_,
        typename library_loop::AdditionalData(library_loop::AdditionalData::none, 0, update_default));
    constrain();
    make_loop(loop_, update_default);
    make_factors();
    for (vector* v : {&u_, &v_, &inverse_.get_vector()}) loop_.initialize_dof_vector(*v);
    for (types::global_dof_index i = 0; i < numbers_.n_dofs(); ++i)
      if (!constraints_.is_constrained(i)) unknowns_.push_back(i);
  }

  std::vector<double> vertices() const override
  {
    std::vector<double> result;
    std::function<void(typename Triangulation<dim>::cell_iterator const&)> const add = [&](auto const& cell) {
      if (cell->has_children())
        for (unsigned c = 0; c < cell->n_children(); ++c) add(cell->child(c));
      else
        for (unsigned v = 0; v < 8; ++v)
          for (unsigned d = 0; d < dim; ++d) result.push_back(cell->vertex(v)[d]);
    };
    for (auto const& cell : mesh_.cell_iterators_on_level(0)) add(cell);
    return result;
  }
  std::vector<double> points() const override
  {
    std::vector<Point<dim>> all(numbers_.n_dofs());
    DoFTools::map_dofs_to_support_points(mapping_, numbers_, all);
    std::vector<double> result;
    for (auto const i : unknowns_)
      for (unsigned d = 0; d < dim; ++d) result.push_back(all[i][d]);
    return result;
  }
  void set(std::vector<double> const& u) override { spread(u, u_); }
  void apply() override { loop_.cell_loop(&subject::sweep, this, v_, u_, true); }
  std::vector<double> result() const override
  {
    std::vector<double> v;
    for (auto const i : unknowns_) v.push_back(v_.local_element(static_cast<unsigned>(i)));
    return v;
  }
  void set_diagonal(std::vector<double> const& d) override
  {
    inverse_.get_vector() = 1;
    spread(d, inverse_.get_vector());
    for (double& x : inverse_.get_vector()) x = 1 / x;
  }
  int solve(double tolerance) override
  {
    SolverControl control(10000, tolerance * u_.l2_norm());
    v_ = 0;
    SolverCG<vector>(control).solve(*this, v_, u_, inverse_);
    return static_cast<int>(control.last_step());
  }

  // For the solver.
  void vmult(vector& v, vector const& u) const { loop_.cell_loop(&subject::sweep, this, v, u, true); }
  void vmult(vector& v, vector const& u, std::function<void(unsigned, unsigned)> const& before,
             std::function<void(unsigned, unsigned)> const& after) const
  {
    loop_.cell_loop(&subject::sweep, this, v, u, before, after);
  }

private:
  void refine(int local)
  {
    for (int i = 0; i < local; ++i) {
      for (auto const& cell : mesh_.active_cell_iterators()) {
        double least = 1e9, most = 0;
        for (unsigned v = 0; v < 8; ++v) {
          double const r = cell->vertex(v).norm();
          least = std::min(least, r), most = std::max(most, r);
        }
        if (least <= 0.7 && most > 0.7) cell->set_refine_flag();
      }
      mesh_.execute_coarsening_and_refinement();
    }
  }
  void constrain()
  {
    constraints_.clear();
    DoFTools::make_zero_boundary_constraints(numbers_, constraints_);
    DoFTools::make_hanging_node_constraints(numbers_, constraints_);
    constraints_.close();
  }
  void make_loop(element_loop& loop, UpdateFlags flags) const
  {
    loop.reinit(mapping_, numbers_, constraints_, QGauss<1>(Order + 1),
                typename element_loop::AdditionalData(element_loop::AdditionalData::none, 0, flags));
  }
  void spread(std::vector<double> const& u, vector& all) const
  {
    for (std::size_t i = 0; i < u.size(); ++i) all.local_element(static_cast<unsigned>(unknowns_[i])) = u[i];
  }

  // xx, yy, zz, xy, xz, yz of each point: weights times the determinant, the inverse and its transpose.
  void make_factors()
  {
    element_loop geometry;
    make_loop(geometry, update_gradients | update_JxW_values);
    evaluation element(geometry);
    factors_.resize_fast(std::size_t{geometry.n_cell_batches()} * points_ * factors_of_point);
    lanes* f = factors_.data();
    for (unsigned e = 0; e < geometry.n_cell_batches(); ++e) {
      element.reinit(e);
      for (unsigned q = 0; q < points_; ++q) {
        auto const j = element.inverse_jacobian(q);
        auto const entry = [&](unsigned r, unsigned s) {
          return element.JxW(q) * (j[0][r] * j[0][s] + j[1][r] * j[1][s] + j[2][r] * j[2][s]);
        };
        for (unsigned d = 0; d < dim; ++d) *f++ = entry(d, d);
        for (unsigned r = 0; r < dim; ++r)
          for (unsigned s = r + 1; s < dim; ++s) *f++ = entry(r, s);
      }
    }
  }

  void sweep(element_loop const& loop, vector& v, vector const& u, std::pair<unsigned, unsigned> const& range) const
  {
    evaluation element(loop);
    for (unsigned e = range.first; e < range.second; ++e) {
      element.reinit(e);
      element.gather_evaluate(u, EvaluationFlags::gradients);
      lanes const* f = factors_.data() + std::size_t{e} * points_ * factors_of_point;
      lanes* const gradient = element.begin_gradients();
      for (unsigned q = 0; q < points_; ++q, f += factors_of_point) {
        lanes const x = gradient[q], y = gradient[q + points_], z = gradient[q + 2 * points_];
        gradient[q] = f[0] * x + f[3] * y + f[4] * z;
        gradient[q + points_] = f[3] * x + f[1] * y + f[5] * z;
        gradient[q + 2 * points_] = f[4] * x + f[5] * y + f[2] * z;
      }
      element.integrate_scatter(EvaluationFlags::gradients, v);
    }
  }

  Triangulation<dim> mesh_;
  MappingQ<dim> mapping_{1};
  FE_Q<dim> fe_{Order};
  DoFHandler<dim> numbers_;
  AffineConstraints<double> constraints_;
  element_loop loop_;
  AlignedVector<lanes> factors_;
  vector u_, v_;
  DiagonalMatrix<vector> inverse_;
  std::vector<types::global_dof_index> unknowns_;
};

}  // namespace

std::unique_ptr<dealii_hanging> make_dealii_hanging(int order, int cells, int local, void (*bend)(double (&)[3]))
{
  switch (order) {
    case 2: return std::make_unique<subject<2>>(cells, local, bend);
    case 4: return std::make_unique<subject<4>>(cells, local, bend);
    case 7: return std::make_unique<subject<7>>(cells, local, bend);
    default: throw std::invalid_argument("dealii_hanging: the degree is 2, 4 or 7");
  }
}
