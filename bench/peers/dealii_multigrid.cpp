// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// BPS3 and BPS5 by deal.II's conjugate gradients with its geometric multigrid, cycles in float: iterations and seconds.
#include "dealii_lanes.hpp"

#include <deal.II/base/utilities.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/fe/fe_tools.h>
#include <deal.II/fe/mapping_q_cache.h>
#include <deal.II/grid/tria.h>
#include <deal.II/lac/diagonal_matrix.h>
#include <deal.II/lac/precondition.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/multigrid/mg_coarse.h>
#include <deal.II/multigrid/mg_constrained_dofs.h>
#include <deal.II/multigrid/mg_matrix.h>
#include <deal.II/multigrid/mg_smoother.h>
#include <deal.II/multigrid/mg_tools.h>
#include <deal.II/multigrid/mg_transfer_matrix_free.h>
#include <deal.II/multigrid/multigrid.h>

#include "../report/command_line.hpp"
#include "../report/json.hpp"
#include "../report/timing.hpp"
#include "../subjects/solver_regions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace dealii;
template <class Number>
using vector_of = LinearAlgebra::distributed::Vector<Number>;

constexpr char const* usage = R"(usage: dealii_multigrid --problem P --order N [OPTION...]

Prints, as JSON, iterations and seconds of deal.II's conjugate gradients with geometric multigrid on the solver
benchmark's bent cube or ball, to 1e-8 of the first residual, on one core for each process of MPI's.

  --problem P     BPS3 or BPS5
  --order N       2, 4 or 7
  --mesh M        cube or ball (default cube)
  --dofs N        wanted degrees of freedom, which become the nearest 2^s elements of the cube (default 30000); the
                  ball has 4 k^3, and coarser meshes for even k, as many as k can be halved
  --chebyshev N   degree of the smoothers (default 3)
  --seconds S     of solves, of which the middle one counts (default 0.3)
)";

struct request {
  std::string problem, mesh = "cube";
  int order = 0, chebyshev = 3;
  double dofs = 30e3, seconds = 0.3;
};

// The stiffness matrix of a degree, on all elements or on a level, with its factors merged as in dealii.cpp.
template <int Order, int Points, class Number>
class stiffness : public Subscriptor {
  using lanes = VectorizedArray<Number, DEAL_II_VECTORIZATION_WIDTH_IN_BITS / 8 / sizeof(Number)>;
  using loop_type = MatrixFree<3, Number, lanes>;
  using evaluation = FEEvaluation<3, Order, Points, 1, Number, lanes>;
  static constexpr unsigned points = evaluation::static_n_q_points;

public:
  using value_type = Number;
  using size_type = types::global_dof_index;
  using vector = vector_of<Number>;
  using range_operation = std::function<void(unsigned, unsigned)>;

  void make(Mapping<3> const& mapping, DoFHandler<3> const& numbers, AffineConstraints<Number> const& constraints,
            Quadrature<1> const& rule, unsigned level)
  {
    loop_ = std::make_shared<loop_type>();
    loop_->reinit(mapping, numbers, constraints, rule, options(update_default, level));
    loop_type geometry;
    geometry.reinit(mapping, numbers, constraints, rule, options(update_gradients | update_JxW_values, level));
    evaluation element(geometry);
    factors_.resize_fast(std::size_t{geometry.n_cell_batches()} * points * 6);
    lanes* f = factors_.data();
    for (unsigned e = 0; e < geometry.n_cell_batches(); ++e) {
      element.reinit(e);
      for (unsigned q = 0; q < points; ++q, f += 6) {
        auto const j = element.inverse_jacobian(q);
        auto const entry = [&](unsigned r, unsigned s) {
          return element.JxW(q) * (j[0][r] * j[0][s] + j[1][r] * j[1][s] + j[2][r] * j[2][s]);
        };
        lanes const all[] = {entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)};
        std::copy(std::begin(all), std::end(all), f);
      }
    }
  }

  static auto options(UpdateFlags flags, unsigned level)
  {
    typename loop_type::AdditionalData o(loop_type::AdditionalData::none, 0, flags);
    o.mg_level = level;
    return o;
  }

  size_type m() const
  {
    return loop_->get_dof_handler().n_dofs(
        loop_->get_mg_level() == numbers::invalid_unsigned_int ? numbers::invalid_unsigned_int : loop_->get_mg_level());
  }
  Number el(unsigned, unsigned) const { throw ExcNotImplemented(); }
  void initialize_dof_vector(vector& v) const { loop_->initialize_dof_vector(v); }

  // Rows of constrained entries are the identity's.
  void vmult(vector& v, vector const& u) const
  {
    loop_->cell_loop(&stiffness::sweep, this, v, u, true);
    for (unsigned const i : loop_->get_constrained_dofs()) v.local_element(i) = u.local_element(i);
  }
  void Tvmult(vector& v, vector const& u) const { vmult(v, u); }
  // What the smoothers call: vectors are updated inside the loop.
  void vmult(vector& v, vector const& u, range_operation const& before, range_operation const& after) const
  {
    loop_->cell_loop(&stiffness::sweep, this, v, u, before, after);
  }

  std::shared_ptr<DiagonalMatrix<vector>> inverse_diagonal() const
  {
    auto result = std::make_shared<DiagonalMatrix<vector>>();
    vector& d = result->get_vector();
    loop_->initialize_dof_vector(d);
    int none = 0;
    loop_->template cell_loop<vector, int>(
        [this](loop_type const& loop, vector& v, int const&, std::pair<unsigned, unsigned> const& range) {
          evaluation element(loop);
          constexpr unsigned nodes = evaluation::static_dofs_per_cell;
          lanes column[nodes];
          for (unsigned e = range.first; e < range.second; ++e) {
            element.reinit(e);
            for (unsigned i = 0; i < nodes; ++i) {
              for (unsigned j = 0; j < nodes; ++j) element.begin_dof_values()[j] = Number(i == j ? 1 : 0);
              apply_to(element, e);
              column[i] = element.begin_dof_values()[i];
            }
            std::copy(column, column + nodes, element.begin_dof_values());
            element.distribute_local_to_global(v);
          }
        },
        d, none, true);
    for (unsigned i = 0; i < d.locally_owned_size(); ++i)
      d.local_element(i) = d.local_element(i) > 0 ? 1 / d.local_element(i) : Number(1);
    return result;
  }

  loop_type const& loop() const { return *loop_; }

private:
  void apply_to(evaluation& element, unsigned e) const
  {
    element.evaluate(EvaluationFlags::gradients);
    transform(element.begin_gradients(), factors_.data() + std::size_t{e} * points * 6);
    element.integrate(EvaluationFlags::gradients);
  }

  void sweep(loop_type const& loop, vector& v, vector const& u, std::pair<unsigned, unsigned> const& range) const
  {
    evaluation element(loop);
    for (unsigned e = range.first; e < range.second; ++e) {
      element.reinit(e);
      element.gather_evaluate(u, EvaluationFlags::gradients);
      transform(element.begin_gradients(), factors_.data() + std::size_t{e} * points * 6);
      element.integrate_scatter(EvaluationFlags::gradients, v);
    }
  }

  static void transform(lanes* gradient, lanes const* f)
  {
    for (unsigned q = 0; q < points; ++q, f += 6) {
      lanes const x = gradient[q], y = gradient[q + points], z = gradient[q + 2 * points];
      gradient[q] = f[0] * x + f[3] * y + f[4] * z;
      gradient[q + points] = f[3] * x + f[1] * y + f[5] * z;
      gradient[q + 2 * points] = f[4] * x + f[5] * y + f[2] * z;
    }
  }

  std::shared_ptr<loop_type> loop_;
  AlignedVector<lanes> factors_;
};

// The solver benchmark's ball: a cube and six blocks around it, of curved elements at the region's places, as far as
// the numbers of elements along all sides can be halved on nested meshes.
class ball {
public:
  ball(Triangulation<3>& mesh, sumfac::bench::region const& region, double wanted) : region_(region)
  {
    unsigned side = std::max(1u, static_cast<unsigned>(std::lround(std::cbrt(wanted / 4)))), layers = (side + 1) / 2;
    unsigned times = 0;
    for (; side % 2 == 0 && layers % 2 == 0; ++times) side /= 2, layers /= 2;
    if (times == 0 && Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) > 1)
      throw std::invalid_argument("dealii_multigrid: the ball has no coarser mesh for several processes: see --help");
    for (unsigned block = 0; block < 7; ++block) {
      std::array<unsigned, 3> const sides{side, side, block == 0 ? side : layers};
      for (unsigned z = 0; z < sides[2]; ++z)
        for (unsigned y = 0; y < side; ++y)
          for (unsigned x = 0; x < side; ++x) add(block, sides, {x, y, z});
    }
    mesh.create_triangulation(vertices_, cells_, SubCellData());
    mesh.refine_global(times);
  }

  // Where a cell's node is, the lower corner of the cell being (0, 0, 0) and the upper one (1, 1, 1).
  Point<3> position(Triangulation<3>::cell_iterator cell, Point<3> node) const
  {
    for (; cell->level() > 0; cell = cell->parent())
      for (unsigned child = 0; child < 8; ++child)
        if (cell->parent()->child(child) == cell) {
          for (unsigned d = 0; d < 3; ++d) node[d] = (node[d] + (child >> d & 1)) / 2;
          break;
        }
    return place(of_cell_[static_cast<std::size_t>(cell->index())], node);
  }

private:
  struct cell_of_block {
    unsigned block;
    std::array<unsigned, 3> sides, at;
  };

  Point<3> place(cell_of_block const& c, Point<3> const& node) const
  {
    sumfac::bench::point x{};
    for (unsigned d = 0; d < 3; ++d) x[d] = (c.at[d] + node[d]) / c.sides[d];
    auto const p = region_.position(static_cast<int>(c.block), x);
    return Point<3>(p[0], p[1], p[2]);
  }
  void add(unsigned block, std::array<unsigned, 3> const& sides, std::array<unsigned, 3> const& at)
  {
    of_cell_.push_back({block, sides, at});
    CellData<3> cell;
    for (unsigned v = 0; v < 8; ++v)
      cell.vertices[v] = number(place(of_cell_.back(), Point<3>(v & 1, v >> 1 & 1, v >> 2)));
    cells_.push_back(cell);
  }
  // Vertices are one where they coincide but for rounding.
  unsigned number(Point<3> const& x)
  {
    std::size_t i = 0;
    while (i < vertices_.size() && x.distance(vertices_[i]) > 1e-9) ++i;
    if (i == vertices_.size()) vertices_.push_back(x);
    return static_cast<unsigned>(i);
  }

  sumfac::bench::region const& region_;
  std::vector<Point<3>> vertices_;
  std::vector<CellData<3>> cells_;
  std::vector<cell_of_block> of_cell_;
};

template <int Order, bool Collocated>
class solve_on_mesh {
  static constexpr int points = Order + (Collocated ? 1 : 2);
  using matrix = stiffness<Order, points, double>;
  using level_matrix = stiffness<Order, points, float>;
  using level_vector = vector_of<float>;
  using transfer_type = MGTransferMatrixFree<3, float>;
  using chebyshev = PreconditionChebyshev<level_matrix, level_vector, DiagonalMatrix<level_vector>>;

public:
  explicit solve_on_mesh(request const& r) : mesh_(made_mesh()), numbers_(*mesh_)
  {
    double const wanted = std::max(1.0, r.dofs / std::pow(Order, 3));
    r.mesh == "ball" ? make_ball(wanted) : make_cube(wanted);
    numbers_.distribute_dofs(fe_);
    constrain();
    // The library's own lanes: it has no code for others, and numbers do not depend on them.
    using library_loop = MatrixFree<3, double, VectorizedArray<double, 1>>;
    DoFRenumbering::matrix_free_data_locality(
        numbers_, constraints_, library_loop::AdditionalData(library_loop::AdditionalData::none, 0, update_default));
    constrain();
    numbers_.distribute_mg_dofs();
    matrix_.make(*mapping_, numbers_, constraints_, rule(), numbers::invalid_unsigned_int);
    matrix_.initialize_dof_vector(x_);
    matrix_.initialize_dof_vector(b_);
    make_right_side();
  }

  void answer(request const& r)
  {
    std::vector<double> setups, solves;
    unsigned iterations = 0;
    double const begin = sumfac::bench::now();
    do {
      iterations = solve(r.chebyshev, setups, solves);
    } while (Utilities::MPI::max(sumfac::bench::now() - begin, MPI_COMM_WORLD) < r.seconds);
    sumfac::bench::json_object row;
    row("problem", r.problem)("mesh", r.mesh)("order", r.order)("elements", mesh_->n_global_active_cells())(
        "dofs", numbers_.n_dofs());
    row("chebyshev", r.chebyshev)("iterations", iterations)("setup_seconds", sumfac::bench::median(setups));
    row("solve_seconds", sumfac::bench::median(solves))("error", error())("peak_megabytes", peak_megabytes());
    if (Utilities::MPI::this_mpi_process(MPI_COMM_WORLD) == 0) std::printf("%s\n", row.text().c_str());
  }

private:
  // In parts where there are several processes.
  static std::unique_ptr<Triangulation<3>> made_mesh()
  {
    using parted = parallel::distributed::Triangulation<3>;
    constexpr auto smoothing = Triangulation<3>::limit_level_difference_at_vertices;
    if (Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) == 1) return std::make_unique<Triangulation<3>>(smoothing);
    return std::make_unique<parted>(MPI_COMM_WORLD, smoothing, parted::construct_multigrid_hierarchy);
  }
  // Of all processes, in the whole run.
  static double peak_megabytes()
  {
    Utilities::System::MemoryStats kilobytes;
    Utilities::System::get_memory_stats(kilobytes);
    return Utilities::MPI::sum(static_cast<double>(kilobytes.VmHWM) / 1024, MPI_COMM_WORLD);
  }

  void make_cube(double wanted)
  {
    region_ = std::make_unique<sumfac::bench::smooth_cube>();
    mapping_ = std::make_unique<MappingQ<3>>(1);
    int const log = static_cast<int>(std::lround(std::log2(wanted)));
    std::vector<unsigned> const coarse{log % 3 > 0 ? 2u : 1u, log % 3 > 1 ? 2u : 1u, 1u};
    GridGenerator::subdivided_hyper_rectangle(*mesh_, coarse, Point<3>(0, 0, 0), Point<3>(1, 1, 1));
    mesh_->refine_global(static_cast<unsigned>(log / 3));
    GridTools::transform(
        [this](Point<3> const& x) {
          auto const p = region_->position(0, {x[0], x[1], x[2]});
          return Point<3>(p[0], p[1], p[2]);
        },
        *mesh_);
  }

  // Its elements have nodes of the functions' degree, on each of the nested meshes where the region has them.
  void make_ball(double wanted)
  {
    region_ = std::make_unique<sumfac::bench::round_ball>();
    ball const of(*mesh_, *region_, wanted);
    auto const along = QGaussLobatto<1>(Order + 1).get_points();
    auto const place = FETools::hierarchic_to_lexicographic_numbering<3>(Order);
    auto curved = std::make_unique<MappingQCache<3>>(Order);
    curved->initialize(*mesh_, [&](Triangulation<3>::cell_iterator const& cell) {
      std::vector<Point<3>> nodes;
      for (unsigned const i : place)
        nodes.push_back(of.position(cell, Point<3>(along[i % (Order + 1)][0], along[i / (Order + 1) % (Order + 1)][0],
                                                   along[i / ((Order + 1) * (Order + 1))][0])));
      return nodes;
    });
    mapping_ = std::move(curved);
  }

  static Quadrature<1> rule()
  {
    if (Collocated) return QGaussLobatto<1>(points);
    return QGauss<1>(points);
  }

  void constrain()
  {
    IndexSet relevant;
    DoFTools::extract_locally_relevant_dofs(numbers_, relevant);
    constraints_.reinit(relevant);
    DoFTools::make_zero_boundary_constraints(numbers_, constraints_);
    constraints_.close();
  }

  unsigned solve(int degree, std::vector<double>& setups, std::vector<double>& solves)
  {
    double const begin = sumfac::bench::now();
    unsigned const last = mesh_->n_global_levels() - 1;
    MGConstrainedDoFs constrained;
    constrained.initialize(numbers_);
    constrained.make_zero_boundary_constraints(numbers_, {0});
    MGLevelObject<level_matrix> matrices(0, last);
    MGLevelObject<typename chebyshev::AdditionalData> options(0, last);
    for (unsigned level = 0; level <= last; ++level) {
      IndexSet relevant;
      DoFTools::extract_locally_relevant_level_dofs(numbers_, level, relevant);
      AffineConstraints<float> constraints(relevant);
      constraints.add_lines(constrained.get_boundary_indices(level));
      constraints.close();
      matrices[level].make(*mapping_, numbers_, constraints, rule(), level);
      options[level].smoothing_range = level > 0 ? 15. : 1e-3;
      options[level].degree = level > 0 ? static_cast<unsigned>(degree) : numbers::invalid_unsigned_int;
      options[level].eig_cg_n_iterations =
          level > 0 ? 10 : static_cast<unsigned>(std::min<types::global_dof_index>(matrices[level].m(), 500));
      options[level].preconditioner = matrices[level].inverse_diagonal();
    }
    transfer_type transfer(constrained);
    // Vectors of the levels are those of its loops, ghosts and all, where there are several processes.
    std::vector<std::shared_ptr<Utilities::MPI::Partitioner const>> partitions;
    for (unsigned level = 0; level <= last; ++level)
      partitions.push_back(matrices[level].loop().get_vector_partitioner());
    transfer.build(numbers_, partitions);
    mg::SmootherRelaxation<chebyshev, level_vector> smoother;
    smoother.initialize(matrices, options);
    MGCoarseGridApplySmoother<level_vector> coarse;
    coarse.initialize(smoother);
    mg::Matrix<level_vector> levels(matrices);
    Multigrid<level_vector> cycle(levels, coarse, transfer, smoother, smoother);
    PreconditionMG<3, level_vector, transfer_type> preconditioner(numbers_, cycle, transfer);
    // Eigenvalues are looked for in the first cycle, which is part of the set-up.
    x_ = 0;
    preconditioner.vmult(x_, b_);
    double const ready = sumfac::bench::now();
    x_ = 0;
    SolverControl control(1000, 1e-8 * b_.l2_norm());
    SolverCG<vector_of<double>>(control).solve(matrix_, x_, b_, preconditioner);
    double const end = sumfac::bench::now();
    setups.push_back(ready - begin);
    solves.push_back(end - ready);
    return control.last_step();
  }

  // By N + 3 Gauss points a direction, as sumfac's side.
  using fine = FEEvaluation<3, Order, Order + 3, 1, double, VectorizedArray<double, 1>>;
  using fine_loop = MatrixFree<3, double, VectorizedArray<double, 1>>;
  fine_loop make_fine_loop() const
  {
    fine_loop loop;
    loop.reinit(*mapping_, numbers_, constraints_, QGauss<1>(Order + 3),
                {fine_loop::AdditionalData::none, 0, update_values | update_JxW_values | update_quadrature_points});
    return loop;
  }
  static sumfac::bench::point place(fine const& element, unsigned q)
  {
    auto const x = element.quadrature_point(q);
    return {x[0][0], x[1][0], x[2][0]};
  }
  void make_right_side()
  {
    fine_loop const loop = make_fine_loop();
    fine element(loop);
    for (unsigned e = 0; e < loop.n_cell_batches(); ++e) {
      element.reinit(e);
      for (unsigned q = 0; q < fine::static_n_q_points; ++q)
        element.submit_value(VectorizedArray<double, 1>(region_->source(0, place(element, q))), q);
      element.integrate_scatter(EvaluationFlags::values, b_);
    }
    b_.compress(VectorOperation::add);
  }
  double error() const
  {
    fine_loop const loop = make_fine_loop();
    fine element(loop);
    double squares = 0, all = 0;
    x_.update_ghost_values();
    for (unsigned e = 0; e < loop.n_cell_batches(); ++e) {
      element.reinit(e);
      element.gather_evaluate(x_, EvaluationFlags::values);
      for (unsigned q = 0; q < fine::static_n_q_points; ++q) {
        double const is = region_->solution(0, place(element, q)), off = element.get_value(q)[0] - is;
        squares += element.JxW(q)[0] * off * off;
        all += element.JxW(q)[0] * is * is;
      }
    }
    return std::sqrt(Utilities::MPI::sum(squares, MPI_COMM_WORLD) / Utilities::MPI::sum(all, MPI_COMM_WORLD));
  }

  std::unique_ptr<sumfac::bench::region const> region_;
  std::unique_ptr<Triangulation<3>> mesh_;
  std::unique_ptr<Mapping<3>> mapping_;
  FE_Q<3> fe_{Order};
  DoFHandler<3> numbers_;
  AffineConstraints<double> constraints_;
  matrix matrix_;
  vector_of<double> x_, b_;
};

template <int Order>
void answer(request const& r)
{
  if (r.problem == "BPS5")
    solve_on_mesh<Order, true>(r).answer(r);
  else
    solve_on_mesh<Order, false>(r).answer(r);
}

int run(request const& r, int argc, char** argv)
{
  Utilities::MPI::MPI_InitFinalize const mpi(argc, argv, 1);
  if (r.problem.empty()) throw std::invalid_argument("dealii_multigrid: a problem is needed: see --help");
  if (r.order == 2)
    answer<2>(r);
  else if (r.order == 4)
    answer<4>(r);
  else if (r.order == 7)
    answer<7>(r);
  else
    throw std::invalid_argument("dealii_multigrid: the degree is 2, 4 or 7: see --help");
  return 0;
}

}  // namespace

int main(int argc, char** argv)
{
  return sumfac::bench::command_line::main_of<request>("dealii_multigrid", usage, argc, argv,
                                                       {{"--problem", &request::problem, {"BPS3", "BPS5"}},
                                                        {"--order", &request::order},
                                                        {"--mesh", &request::mesh, {"cube", "ball"}},
                                                        {"--dofs", &request::dofs},
                                                        {"--chebyshev", &request::chebyshev},
                                                        {"--seconds", &request::seconds}},
                                                       [&](request const& r) { return run(r, argc, argv); });
}
