// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Laplace with interior penalties, and upwind advection, by deal.II's MatrixFree loops over cells, faces and boundary
// faces, written as in its tutorials step-59 and step-67.

#include "dealii_lanes.hpp"
// (After it, as it says how many lanes there are.)
#include <deal.II/fe/fe_dgq.h>
#include <deal.II/grid/tria.h>

#include "dealii_faces.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace {

using namespace dealii;
using namespace peers;

constexpr int dim = 3;
using loop_type = MatrixFree<dim, double, lanes>;

template <int Order, bool Laplace>
class subject : public dealii_faces {
  using on_cells = FEEvaluation<dim, Order, Order + 1, 1, double, lanes>;
  using on_faces = FEFaceEvaluation<dim, Order, Order + 1, 1, double, lanes>;
  static EvaluationFlags::EvaluationFlags of_faces()
  {
    return Laplace ? EvaluationFlags::values | EvaluationFlags::gradients : EvaluationFlags::values;
  }

public:
  subject(int cells, void (*bend)(double (&)[3]), double penalty, double const (&wind)[3]) : penalty_(penalty)
  {
    for (unsigned d = 0; d < dim; ++d) wind_[d] = lanes(wind[d]);
    GridGenerator::subdivided_hyper_cube(mesh_, static_cast<unsigned>(cells));
    if (bend != nullptr)
      GridTools::transform(
          [bend](Point<dim> const& at) {
            double x[3] = {at[0], at[1], at[2]};
            bend(x);
            return Point<dim>(x[0], x[1], x[2]);
          },
          mesh_);
    numbers_.distribute_dofs(fe_);
    constraints_.close();
    loop_type::AdditionalData options(loop_type::AdditionalData::none, 0);
    options.mapping_update_flags = update_gradients | update_JxW_values;
    options.mapping_update_flags_inner_faces = options.mapping_update_flags_boundary_faces =
        update_JxW_values | update_normal_vectors | (Laplace ? update_gradients : update_default);
    loop_.reinit(mapping_, numbers_, constraints_, QGauss<1>(Order + 1), options);
    loop_.initialize_dof_vector(u_);
    loop_.initialize_dof_vector(v_);
  }

  void set(double const* u) override { std::copy(u, u + u_.size(), u_.begin()); }
  void get(double* v) const override { std::copy(v_.begin(), v_.end(), v); }
  void apply() override
  {
    constexpr auto reads = Laplace ? loop_type::DataAccessOnFaces::gradients : loop_type::DataAccessOnFaces::values;
    loop_.loop(&subject::cells, &subject::faces, &subject::boundary, this, v_, u_, true, reads, reads);
  }

private:
  void cells(loop_type const& loop, vector& v, vector const& u, range const& some) const
  {
    on_cells element(loop);
    for (unsigned e = some.first; e < some.second; ++e) {
      element.reinit(e);
      element.gather_evaluate(u, Laplace ? EvaluationFlags::gradients : EvaluationFlags::values);
      for (unsigned q = 0; q < element.n_q_points; ++q)
        if constexpr (Laplace)
          element.submit_gradient(element.get_gradient(q), q);
        else
          element.submit_gradient(wind_ * -element.get_value(q), q);
      element.integrate_scatter(EvaluationFlags::gradients, v);
    }
  }

  void faces(loop_type const& loop, vector& v, vector const& u, range const& some) const
  {
    on_faces in(loop, true), out(loop, false);
    for (unsigned f = some.first; f < some.second; ++f) {
      in.reinit(f), out.reinit(f);
      in.gather_evaluate(u, of_faces()), out.gather_evaluate(u, of_faces());
      for (unsigned q = 0; q < in.n_q_points; ++q) {
        if constexpr (Laplace) {
          lanes const jump = in.get_value(q) - out.get_value(q);
          lanes const flux = penalty_ * jump - 0.5 * (in.get_normal_derivative(q) + out.get_normal_derivative(q));
          in.submit_value(flux, q), out.submit_value(-flux, q);
          in.submit_normal_derivative(-0.5 * jump, q), out.submit_normal_derivative(-0.5 * jump, q);
        } else {
          lanes const through = in.get_normal_vector(q) * wind_, a = in.get_value(q), b = out.get_value(q);
          lanes const flux = 0.5 * (through * (a + b) + std::abs(through) * (a - b));
          in.submit_value(flux, q), out.submit_value(-flux, q);
        }
      }
      in.integrate_scatter(of_faces(), v), out.integrate_scatter(of_faces(), v);
    }
  }

  void boundary(loop_type const& loop, vector& v, vector const& u, range const& some) const
  {
    on_faces in(loop, true);
    for (unsigned f = some.first; f < some.second; ++f) {
      in.reinit(f);
      in.gather_evaluate(u, of_faces());
      for (unsigned q = 0; q < in.n_q_points; ++q) {
        lanes const a = in.get_value(q);
        if constexpr (Laplace) {
          in.submit_value(2 * penalty_ * a - in.get_normal_derivative(q), q);
          in.submit_normal_derivative(-a, q);
        } else {
          lanes const through = in.get_normal_vector(q) * wind_;
          in.submit_value(0.5 * (through + std::abs(through)) * a, q);
        }
      }
      in.integrate_scatter(of_faces(), v);
    }
  }

  Triangulation<dim> mesh_;
  MappingQ<dim> mapping_{1};
  FE_DGQ<dim> fe_{Order};
  DoFHandler<dim> numbers_{mesh_};
  AffineConstraints<double> constraints_;
  loop_type loop_;
  double penalty_;
  Tensor<1, dim, lanes> wind_;
  vector u_, v_;
};

}  // namespace

std::unique_ptr<dealii_faces> make_dealii_faces(int order, bool laplace, int cells, void (*bend)(double (&)[3]),
                                                double penalty, double const (&wind)[3])
{
  auto const make = [&](auto n) -> std::unique_ptr<dealii_faces> {
    if (laplace) return std::make_unique<subject<n, true>>(cells, bend, penalty, wind);
    return std::make_unique<subject<n, false>>(cells, bend, penalty, wind);
  };
  switch (order) {
    case 2: return make(std::integral_constant<int, 2>());
    case 4: return make(std::integral_constant<int, 4>());
    case 7: return make(std::integral_constant<int, 7>());
    default: throw std::invalid_argument("dealii_faces: the degree is 2, 4 or 7");
  }
}
