// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The bake-off problems BP1, BP3 and BP5 by deal.II's MatrixFree: seconds of one application on global vectors.
#include "dealii_lanes.hpp"

#include <deal.II/distributed/tria.h>
#include <deal.II/fe/fe_values.h>
#include <deal.II/numerics/vector_tools.h>

#include "../report/command_line.hpp"
#include "../report/json.hpp"
#include "../report/timing.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace dealii;
using namespace peers;

// Of the elements: hexahedra, or quadrilaterals where the compiler is told 2.
#ifndef SUMFAC_PEER_DIMENSION
#define SUMFAC_PEER_DIMENSION 3
#endif
constexpr int dim = SUMFAC_PEER_DIMENSION;
using element_loop = MatrixFree<dim, double, lanes>;
using library_loop = MatrixFree<dim, double, VectorizedArray<double, 1>>;

constexpr char const* usage = R"(usage: mpirun -n 2 dealii --problem P --order N [OPTION...]

Prints, as JSON, the seconds of one application of deal.II's operator on global vectors, factors stored.

  --problem P     BP1, BP3 or BP5
  --order N       degree, 1 to 8
  --dofs N        wanted degrees of freedom, which become the nearest 2^s elements (default 30000)
  --boundary B    of BP3 and BP5: fixed (default, as the problems are defined) or free
  --seconds S     of timing (default 0.2)
  --check         no timing: the error against the form summed point by point (slow: take few degrees of freedom)
)";

struct request {
  std::string problem, boundary = "fixed";
  int order = 0;
  double dofs = 30e3, seconds = 0.2;
  bool check = false;

  bool fixed() const { return boundary == "fixed" && problem != "BP1"; }
};

template <int Order>
struct bp1 {
  static constexpr int order = Order, points_1d = Order + 2, factors = 1;
  static constexpr auto flags = EvaluationFlags::values;
  static Quadrature<1> rule() { return QGauss<1>(points_1d); }
};

template <int Order>
struct bp3 {
  static constexpr int order = Order, points_1d = Order + 2, factors = dim * (dim + 1) / 2;
  static constexpr auto flags = EvaluationFlags::gradients;
  static Quadrature<1> rule() { return QGauss<1>(points_1d); }
};

template <int Order>
struct bp5 {
  static constexpr int order = Order, points_1d = Order + 1, factors = dim * (dim + 1) / 2;
  static constexpr auto flags = EvaluationFlags::gradients;
  static Quadrature<1> rule() { return QGaussLobatto<1>(points_1d); }
};

// A box of 2^s elements in Morton order, as near a cube as powers of two allow, bent and sheared as the others' boxes
// (bench/subjects/global_mesh.hpp).
class bent_box {
public:
  explicit bent_box(int log_elements) : mesh(MPI_COMM_WORLD)
  {
    int const refinements = log_elements / dim, rest = log_elements % dim;
    std::vector<unsigned> coarse(dim, 1);
    for (int d = 0; d < rest; ++d) coarse[static_cast<unsigned>(d)] = 2;
    Point<dim> ones;
    for (unsigned d = 0; d < dim; ++d) ones[d] = 1;
    GridGenerator::subdivided_hyper_rectangle(mesh, coarse, Point<dim>(), ones);
    mesh.refine_global(static_cast<unsigned>(refinements));
    GridTools::transform(bend, mesh);
  }

  parallel::distributed::Triangulation<dim> mesh;

private:
  // A square is the middle plane of the cube.
  static Point<dim> bend(Point<dim> const& x)
  {
    double const pi = numbers::PI, z = dim == 3 ? x[dim - 1] : 0.5;
    double const bump = 0.08 * std::sin(pi * x[0]) * std::sin(pi * x[1]) * std::sin(pi * z);
    double const b[] = {x[0] + bump, x[1] - bump * std::cos(2 * x[0]), z + bump * std::sin(1 + 2 * x[1])};
    double const sheared[] = {b[0] + 0.2 * b[1] + 0.1 * b[2], 1.1 * b[1] + 0.15 * b[2], 0.9 * b[2]};
    Point<dim> result;
    for (unsigned d = 0; d < dim; ++d) result[d] = sheared[d];
    return result;
  }
};

template <class Problem>
class peer {
  using evaluation = FEEvaluation<dim, Problem::order, Problem::points_1d, 1, double, lanes>;
  static constexpr unsigned points = evaluation::static_n_q_points;

public:
  peer(int log_elements, bool fixed) : box_(log_elements), numbers_(box_.mesh)
  {
    numbers_.distribute_dofs(fe_);
    constrain(fixed);
    DoFRenumbering::matrix_free_data_locality(numbers_, constraints_, options_of<library_loop>(update_default));
    constrain(fixed);
    make_loop(loop_, update_default);
    make_factors();
    loop_.initialize_dof_vector(u_);
    loop_.initialize_dof_vector(v_);
  }

  auto dofs() const { return numbers_.n_dofs(); }
  auto elements() const { return box_.mesh.n_global_active_cells(); }

  void apply() { loop_.cell_loop(&peer::sweep, this, v_, u_, true); }

  // Seconds of one of ten applications, the middle of as many samples as take so long.
  double seconds_of_one(double seconds)
  {
    constexpr int applications = 10;
    fill(u_, 1);
    apply();
    std::vector<double> samples;
    double spent = 0;
    while (spent < seconds || samples.size() < 3) {
      MPI_Barrier(MPI_COMM_WORLD);
      double const begin = sumfac::bench::now();
      for (int i = 0; i < applications; ++i) apply();
      double const longest = Utilities::MPI::max(sumfac::bench::now() - begin, MPI_COMM_WORLD);
      samples.push_back(longest / applications);
      spent += longest;
    }
    return sumfac::bench::median(samples);
  }

  // |v' A u - a(v, u)| over a(u, u), u and v random, the form a computed point by point on FEValues.
  double error()
  {
    vector w(u_);
    fill(u_, 1);
    fill(w, 2);
    apply();
    double const product = v_ * w;
    return std::abs(product - form(u_, w)) / form(u_, u_);
  }

private:
  void sweep(element_loop const& loop, vector& v, vector const& u, std::pair<unsigned, unsigned> const& range) const
  {
    evaluation element(loop);
    for (unsigned e = range.first; e < range.second; ++e) {
      element.reinit(e);
      element.gather_evaluate(u, Problem::flags);
      lanes const* const factors = factors_.data() + std::size_t{e} * points * Problem::factors;
      if constexpr (Problem::factors == 1)
        scale(element.begin_values(), factors);
      else
        transform(element.begin_gradients(), factors);
      element.integrate_scatter(Problem::flags, v);
    }
  }

  static void scale(lanes* values, lanes const* factors)
  {
    for (unsigned q = 0; q < points; ++q) values[q] *= factors[q];
  }

  // xx, yy, zz, xy, xz, yz of each point; xx, yy, xy.
  static void transform(lanes* gradient, lanes const* f)
  {
    for (unsigned q = 0; q < points; ++q, f += Problem::factors) {
      lanes const x = gradient[q], y = gradient[q + points];
      if constexpr (dim == 2) {
        gradient[q] = f[0] * x + f[2] * y;
        gradient[q + points] = f[2] * x + f[1] * y;
      } else {
        lanes const z = gradient[q + 2 * points];
        gradient[q] = f[0] * x + f[3] * y + f[4] * z;
        gradient[q + points] = f[3] * x + f[1] * y + f[5] * z;
        gradient[q + 2 * points] = f[4] * x + f[5] * y + f[2] * z;
      }
    }
  }

  void constrain(bool fixed)
  {
    IndexSet relevant;
    DoFTools::extract_locally_relevant_dofs(numbers_, relevant);
    constraints_.clear();
    constraints_.reinit(relevant);
    if (fixed) DoFTools::make_zero_boundary_constraints(numbers_, constraints_);
    constraints_.close();
  }

  // Threads are ranks here: the loops know tasks only of a TBB older than oneTBB.
  template <class Loop>
  static typename Loop::AdditionalData options_of(UpdateFlags flags)
  {
    return {Loop::AdditionalData::none, 0, flags};
  }

  void make_loop(element_loop& loop, UpdateFlags flags) const
  {
    loop.reinit(mapping_, numbers_, constraints_, Problem::rule(), options_of<element_loop>(flags));
  }

  // Weights times the Jacobian's determinant, or these and its inverse times the inverse's transpose.
  void make_factors()
  {
    element_loop geometry;
    make_loop(geometry, update_gradients | update_JxW_values);
    evaluation element(geometry);
    factors_.resize_fast(std::size_t{geometry.n_cell_batches()} * points * Problem::factors);
    lanes* f = factors_.data();
    for (unsigned e = 0; e < geometry.n_cell_batches(); ++e) {
      element.reinit(e);
      for (unsigned q = 0; q < points; ++q, f += Problem::factors) {
        if constexpr (Problem::factors == 1) {
          f[0] = element.JxW(q);
        } else {
          auto const j = element.inverse_jacobian(q);
          auto const entry = [&](unsigned r, unsigned s) {
            lanes sum = j[0][r] * j[0][s];
            for (unsigned d = 1; d < dim; ++d) sum += j[d][r] * j[d][s];
            return element.JxW(q) * sum;
          };
          unsigned next = 0;
          for (unsigned d = 0; d < dim; ++d) f[next++] = entry(d, d);
          for (unsigned r = 0; r < dim; ++r)
            for (unsigned s = r + 1; s < dim; ++s) f[next++] = entry(r, s);
        }
      }
    }
  }

  void fill(vector& x, unsigned seed) const
  {
    std::mt19937 random(seed + 10 * Utilities::MPI::this_mpi_process(MPI_COMM_WORLD));
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (auto& entry : x) entry = uniform(random);
    constraints_.set_zero(x);
  }

  double form(vector& u, vector& w) const
  {
    FEValues<dim> values(mapping_, fe_, Quadrature<dim>(Problem::rule()),
                         update_values | update_gradients | update_JxW_values);
    u.update_ghost_values();
    w.update_ghost_values();
    std::vector<double> a(points), b(points);
    std::vector<Tensor<1, dim>> gradient_a(points), gradient_b(points);
    double sum = 0;
    for (auto const& cell : numbers_.active_cell_iterators()) {
      if (!cell->is_locally_owned()) continue;
      values.reinit(cell);
      if (Problem::factors == 1) {
        values.get_function_values(u, a);
        values.get_function_values(w, b);
      } else {
        values.get_function_gradients(u, gradient_a);
        values.get_function_gradients(w, gradient_b);
      }
      for (unsigned q = 0; q < points; ++q)
        sum += values.JxW(q) * (Problem::factors == 1 ? a[q] * b[q] : gradient_a[q] * gradient_b[q]);
    }
    u.zero_out_ghost_values();
    w.zero_out_ghost_values();
    return Utilities::MPI::sum(sum, MPI_COMM_WORLD);
  }

  bent_box box_;
  MappingQ<dim> mapping_{1};
  FE_Q<dim> fe_{Problem::order};
  DoFHandler<dim> numbers_;
  AffineConstraints<double> constraints_;
  element_loop loop_;
  AlignedVector<lanes> factors_;
  vector u_, v_;
};

// The nearest 2^s elements.
int log_elements(request const& r)
{
  return std::max(0, static_cast<int>(std::round(std::log2(r.dofs / std::pow(r.order, dim)))));
}

template <class Problem>
void answer(request const& r)
{
  peer<Problem> subject(log_elements(r), r.fixed());
  double const figure = r.check ? subject.error() : subject.seconds_of_one(r.seconds);
  if (Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) != 0) return;
  sumfac::bench::json_object row;
  row("problem", r.problem)("dimension", dim)("order", r.order)("boundary", r.fixed() ? "fixed" : "free");
  row("elements", subject.elements())("dofs", subject.dofs())("lanes", lanes::size());
  row("ranks", Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD))(r.check ? "error" : "seconds", figure);
  std::printf("%s\n", row.text().c_str());
}

template <template <int> class Problem, int... Is>
void answer_order(request const& r, std::integer_sequence<int, Is...>)
{
  ((r.order == Is + 1 ? answer<Problem<Is + 1>>(r) : void()), ...);
}

int run(request const& r, int argc, char** argv)
{
  if (r.problem.empty() || r.order < 1 || r.order > 8)
    throw std::invalid_argument("dealii: a problem and a degree from 1 to 8 are needed: see --help");
  Utilities::MPI::MPI_InitFinalize const mpi(argc, argv, 1);
  std::make_integer_sequence<int, 8> const orders{};
  if (r.problem == "BP1") answer_order<bp1>(r, orders);
  if (r.problem == "BP3") answer_order<bp3>(r, orders);
  if (r.problem == "BP5") answer_order<bp5>(r, orders);
  return 0;
}

}  // namespace

int main(int argc, char** argv)
{
  return sumfac::bench::command_line::main_of<request>("dealii", usage, argc, argv,
                                                       {{"--problem", &request::problem, {"BP1", "BP3", "BP5"}},
                                                        {"--order", &request::order},
                                                        {"--dofs", &request::dofs},
                                                        {"--boundary", &request::boundary, {"fixed", "free"}},
                                                        {"--seconds", &request::seconds},
                                                        {"--check", &request::check}},
                                                       [&](request const& r) { return run(r, argc, argv); });
}
