// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Laplace with interior penalties, and upwind advection, by deal.II's MatrixFree loops over cells, faces and boundary
// faces, written as in its tutorials step-59 and step-67; and the former's geometric multigrid, as in step-37.

#include "dealii_lanes.hpp"
// (After it, as it says how many lanes there are.)
#include <deal.II/fe/fe_dgq.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/diagonal_matrix.h>
#include <deal.II/lac/precondition.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/multigrid/mg_coarse.h>
#include <deal.II/multigrid/mg_constrained_dofs.h>
#include <deal.II/multigrid/mg_matrix.h>
#include <deal.II/multigrid/mg_smoother.h>
#include <deal.II/multigrid/mg_transfer_matrix_free.h>
#include <deal.II/multigrid/multigrid.h>

#include "../report/timing.hpp"
#include "dealii_faces.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <utility>

namespace {

using namespace dealii;
using namespace peers;

constexpr int dim = 3;

// An operator on the mesh, or on a level of it.
template <int Order, bool Laplace, class Number>
class dg_operator : public Subscriptor {
  using lanes = VectorizedArray<Number, DEAL_II_VECTORIZATION_WIDTH_IN_BITS / 8 / sizeof(Number)>;
  using loop_type = MatrixFree<dim, Number, lanes>;
  using on_cells = FEEvaluation<dim, Order, Order + 1, 1, Number, lanes>;
  using on_faces = FEFaceEvaluation<dim, Order, Order + 1, 1, Number, lanes>;
  static EvaluationFlags::EvaluationFlags of_faces()
  {
    return Laplace ? EvaluationFlags::values | EvaluationFlags::gradients : EvaluationFlags::values;
  }
  static EvaluationFlags::EvaluationFlags of_cells()
  {
    return Laplace ? EvaluationFlags::gradients : EvaluationFlags::values;
  }

public:
  using value_type = Number;
  using size_type = types::global_dof_index;
  using vector = LinearAlgebra::distributed::Vector<Number>;

  void make(Mapping<dim> const& mapping, DoFHandler<dim> const& numbers, double penalty, double const* wind,
            unsigned level = numbers::invalid_unsigned_int)
  {
    penalty_ = Number(penalty);
    for (unsigned d = 0; d < dim; ++d) wind_[d] = lanes(Number(wind[d]));
    constraints_.close();
    typename loop_type::AdditionalData options(loop_type::AdditionalData::none, 0);
    options.mapping_update_flags = update_gradients | update_JxW_values;
    options.mapping_update_flags_inner_faces = options.mapping_update_flags_boundary_faces =
        update_JxW_values | update_normal_vectors | (Laplace ? update_gradients : update_default);
    options.mg_level = level;
    loop_.reinit(mapping, numbers, constraints_, QGauss<1>(Order + 1), options);
  }

  void initialize_dof_vector(vector& v) const { loop_.initialize_dof_vector(v); }
  size_type m() const { return loop_.get_vector_partitioner()->size(); }
  Number el(unsigned, unsigned) const { throw ExcNotImplemented(); }
  void vmult(vector& v, vector const& u) const
  {
    constexpr auto reads = Laplace ? loop_type::DataAccessOnFaces::gradients : loop_type::DataAccessOnFaces::values;
    loop_.loop(&dg_operator::cells, &dg_operator::faces, &dg_operator::boundary, this, v, u, true, reads, reads);
  }
  void Tvmult(vector& v, vector const& u) const { vmult(v, u); }

  std::shared_ptr<DiagonalMatrix<vector>> inverse_diagonal() const
  {
    auto result = std::make_shared<DiagonalMatrix<vector>>();
    vector& d = result->get_vector();
    loop_.initialize_dof_vector(d);
    loop_.loop(&dg_operator::cell_diagonals, &dg_operator::face_diagonals, &dg_operator::boundary_diagonals, this, d, d,
               true);
    for (Number& x : d) x = 1 / x;
    return result;
  }

  // v = (1, test functions).
  void integrals(vector& v) const
  {
    vector const none = v;
    auto const nothing = [](loop_type const&, vector&, vector const&, range const&) {};
    std::function<void(loop_type const&, vector&, vector const&, range const&)> const
        cells =
            [](loop_type const& loop, vector& to, vector const&, range const& some) {
              on_cells element(loop);
              for (unsigned e = some.first; e < some.second; ++e) {
                element.reinit(e);
                for (unsigned q = 0; q < element.n_q_points; ++q) element.submit_value(lanes(Number(1)), q);
                element.integrate_scatter(EvaluationFlags::values, to);
              }
            },
        faces = nothing;
    loop_.loop(cells, faces, faces, v, none, true);
  }

private:
  // The forms at the points.
  void at_points(on_cells& element) const
  {
    for (unsigned q = 0; q < element.n_q_points; ++q)
      if constexpr (Laplace)
        element.submit_gradient(element.get_gradient(q), q);
      else
        element.submit_gradient(wind_ * -element.get_value(q), q);
  }
  void at_points(on_faces& in, on_faces& out) const
  {
    for (unsigned q = 0; q < in.n_q_points; ++q) {
      if constexpr (Laplace) {
        lanes const jump = in.get_value(q) - out.get_value(q);
        lanes const flux = penalty_ * jump - Number(0.5) * (in.get_normal_derivative(q) + out.get_normal_derivative(q));
        in.submit_value(flux, q), out.submit_value(-flux, q);
        in.submit_normal_derivative(Number(-0.5) * jump, q), out.submit_normal_derivative(Number(-0.5) * jump, q);
      } else {
        lanes const through = in.get_normal_vector(q) * wind_, a = in.get_value(q), b = out.get_value(q);
        lanes const flux = Number(0.5) * (through * (a + b) + std::abs(through) * (a - b));
        in.submit_value(flux, q), out.submit_value(-flux, q);
      }
    }
  }
  void at_points(on_faces& in) const
  {
    for (unsigned q = 0; q < in.n_q_points; ++q) {
      lanes const a = in.get_value(q);
      if constexpr (Laplace) {
        in.submit_value(2 * penalty_ * a - in.get_normal_derivative(q), q);
        in.submit_normal_derivative(-a, q);
      } else {
        lanes const through = in.get_normal_vector(q) * wind_;
        in.submit_value(Number(0.5) * (through + std::abs(through)) * a, q);
      }
    }
  }

  void cells(loop_type const& loop, vector& v, vector const& u, range const& some) const
  {
    on_cells element(loop);
    for (unsigned e = some.first; e < some.second; ++e) {
      element.reinit(e);
      element.gather_evaluate(u, of_cells());
      at_points(element);
      element.integrate_scatter(EvaluationFlags::gradients, v);
    }
  }
  void faces(loop_type const& loop, vector& v, vector const& u, range const& some) const
  {
    on_faces in(loop, true), out(loop, false);
    for (unsigned f = some.first; f < some.second; ++f) {
      in.reinit(f), out.reinit(f);
      in.gather_evaluate(u, of_faces()), out.gather_evaluate(u, of_faces());
      at_points(in, out);
      in.integrate_scatter(of_faces(), v), out.integrate_scatter(of_faces(), v);
    }
  }
  void boundary(loop_type const& loop, vector& v, vector const& u, range const& some) const
  {
    on_faces in(loop, true);
    for (unsigned f = some.first; f < some.second; ++f) {
      in.reinit(f);
      in.gather_evaluate(u, of_faces());
      at_points(in);
      in.integrate_scatter(of_faces(), v);
    }
  }

  // Entry i of what work(), of the function of node i alone, gives, for all i.
  template <class Element, class Work>
  static void add_diagonal(Element& element, vector& d, Work const& work)
  {
    constexpr unsigned nodes = Element::static_dofs_per_cell;
    lanes entries[nodes];
    for (unsigned i = 0; i < nodes; ++i) {
      for (unsigned j = 0; j < nodes; ++j) element.begin_dof_values()[j] = Number(i == j ? 1 : 0);
      work();
      entries[i] = element.begin_dof_values()[i];
    }
    std::copy(entries, entries + nodes, element.begin_dof_values());
    element.distribute_local_to_global(d);
  }
  void cell_diagonals(loop_type const& loop, vector& d, vector const&, range const& some) const
  {
    on_cells element(loop);
    for (unsigned e = some.first; e < some.second; ++e) {
      element.reinit(e);
      add_diagonal(element, d, [&] {
        element.evaluate(of_cells());
        at_points(element);
        element.integrate(EvaluationFlags::gradients);
      });
    }
  }
  void face_diagonals(loop_type const& loop, vector& d, vector const&, range const& some) const
  {
    on_faces in(loop, true), out(loop, false);
    for (unsigned f = some.first; f < some.second; ++f) {
      in.reinit(f), out.reinit(f);
      for (bool const first : {true, false}) {
        on_faces &of = first ? in : out, &other = first ? out : in;
        add_diagonal(of, d, [&] {
          for (unsigned j = 0; j < on_faces::static_dofs_per_cell; ++j) other.begin_dof_values()[j] = Number(0);
          in.evaluate(of_faces()), out.evaluate(of_faces());
          at_points(in, out);
          in.integrate(of_faces()), out.integrate(of_faces());
        });
      }
    }
  }
  void boundary_diagonals(loop_type const& loop, vector& d, vector const&, range const& some) const
  {
    on_faces in(loop, true);
    for (unsigned f = some.first; f < some.second; ++f) {
      in.reinit(f);
      add_diagonal(in, d, [&] {
        in.evaluate(of_faces());
        at_points(in);
        in.integrate(of_faces());
      });
    }
  }

  AffineConstraints<Number> constraints_;
  loop_type loop_;
  Number penalty_ = 0;
  Tensor<1, dim, lanes> wind_;
};

// The geometric multigrid of the Laplacian: penalties are as the inverse of the elements' height on each level.
template <int Order>
class multigrid {
  using matrix = dg_operator<Order, true, float>;
  using level_vector = typename matrix::vector;
  using transfer_type = MGTransferMatrixFree<dim, float>;
  using chebyshev = PreconditionChebyshev<matrix, level_vector, DiagonalMatrix<level_vector>>;

public:
  multigrid(Triangulation<dim> const& mesh, Mapping<dim> const& mapping, DoFHandler<dim> const& numbers, double penalty,
            double const* wind, unsigned degree)
      : last_(mesh.n_levels() - 1), matrices_(0, last_), options_(0, last_)
  {
    constrained_.initialize(numbers);
    for (unsigned level = 0; level <= last_; ++level) {
      matrices_[level].make(mapping, numbers, std::ldexp(penalty, int(level) - int(last_)), wind, level);
      options_[level].smoothing_range = level > 0 ? 15. : 1e-3;
      options_[level].degree = level > 0 ? degree : numbers::invalid_unsigned_int;
      options_[level].eig_cg_n_iterations =
          level > 0 ? 10 : unsigned(std::min<types::global_dof_index>(matrices_[level].m(), 500));
      options_[level].preconditioner = matrices_[level].inverse_diagonal();
    }
    transfer_ = std::make_unique<transfer_type>(constrained_);
    transfer_->build(numbers);
    smoother_.initialize(matrices_, options_);
    coarse_.initialize(smoother_);
    levels_.initialize(matrices_);
    cycle_ = std::make_unique<Multigrid<level_vector>>(levels_, coarse_, *transfer_, smoother_, smoother_);
    preconditioner_ = std::make_unique<PreconditionMG<dim, level_vector, transfer_type>>(numbers, *cycle_, *transfer_);
  }
  auto const& preconditioner() const { return *preconditioner_; }

private:
  unsigned last_;
  MGConstrainedDoFs constrained_;
  MGLevelObject<matrix> matrices_;
  MGLevelObject<typename chebyshev::AdditionalData> options_;
  std::unique_ptr<transfer_type> transfer_;
  mg::SmootherRelaxation<chebyshev, level_vector> smoother_;
  MGCoarseGridApplySmoother<level_vector> coarse_;
  mg::Matrix<level_vector> levels_;
  std::unique_ptr<Multigrid<level_vector>> cycle_;
  std::unique_ptr<PreconditionMG<dim, level_vector, transfer_type>> preconditioner_;
};

template <int Order, bool Laplace>
class subject : public dealii_faces {
public:
  subject(int cells, void (*bend)(double (&)[3]), double penalty, double const (&wind)[3], bool nested)
      : penalty_(penalty)
  {
    std::copy(wind, wind + dim, wind_);
    GridGenerator::subdivided_hyper_cube(mesh_, nested ? 1 : static_cast<unsigned>(cells));
    if (nested) mesh_.refine_global(static_cast<unsigned>(std::lround(std::log2(cells))));
    if (bend != nullptr)
      GridTools::transform(
          [bend](Point<dim> const& at) {
            double x[3] = {at[0], at[1], at[2]};
            bend(x);
            return Point<dim>(x[0], x[1], x[2]);
          },
          mesh_);
    numbers_.distribute_dofs(fe_);
    if (nested) numbers_.distribute_mg_dofs();
    of_mesh_.make(mapping_, numbers_, penalty, wind_);
    of_mesh_.initialize_dof_vector(u_);
    of_mesh_.initialize_dof_vector(v_);
  }

  void set(double const* u) override { std::copy(u, u + u_.size(), u_.begin()); }
  void get(double* v) const override { std::copy(v_.begin(), v_.end(), v); }
  void apply() override { of_mesh_.vmult(v_, u_); }

  dealii_solution solve(unsigned chebyshev) override
  {
    if constexpr (Laplace) {
      if (chebyshev != made_for_) {
        levels_ = std::make_unique<multigrid<Order>>(mesh_, mapping_, numbers_, penalty_, wind_, made_for_ = chebyshev);
        of_mesh_.integrals(v_);
        levels_->preconditioner().vmult(u_, v_);  // which looks for eigenvalues
      }
      double const begin = sumfac::bench::now();
      u_ = 0;
      SolverControl control(1000, 1e-8 * v_.l2_norm());
      SolverCG<peers::vector>(control).solve(of_mesh_, u_, v_, levels_->preconditioner());
      double const seconds = sumfac::bench::now() - begin;
      return {int(control.last_step()), seconds, u_ * v_};
    }
    throw std::invalid_argument("dealii_faces: the Laplacian alone is solved with");
  }

private:
  Triangulation<dim> mesh_{Triangulation<dim>::limit_level_difference_at_vertices};
  MappingQ<dim> mapping_{1};
  FE_DGQ<dim> fe_{Order};
  DoFHandler<dim> numbers_{mesh_};
  dg_operator<Order, Laplace, double> of_mesh_;
  double penalty_, wind_[dim];
  peers::vector u_, v_;
  unsigned made_for_ = 0;
  std::unique_ptr<multigrid<Order>> levels_;
};

}  // namespace

std::unique_ptr<dealii_faces> make_dealii_faces(int order, bool laplace, int cells, void (*bend)(double (&)[3]),
                                                double penalty, double const (&wind)[3], bool nested)
{
  auto const make = [&](auto n) -> std::unique_ptr<dealii_faces> {
    if (laplace) return std::make_unique<subject<n, true>>(cells, bend, penalty, wind, nested);
    return std::make_unique<subject<n, false>>(cells, bend, penalty, wind, nested);
  };
  switch (order) {
    case 2: return make(std::integral_constant<int, 2>());
    case 4: return make(std::integral_constant<int, 4>());
    case 7: return make(std::integral_constant<int, 7>());
    default: throw std::invalid_argument("dealii_faces: the degree is 2, 4 or 7");
  }
}
