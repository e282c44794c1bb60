// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Poisson's problem as in deal.II's step-37: its CG, Chebyshev smoothers and multigrid on sumfac's operators, which are
// timed beside deal.II's own: mpirun -n 2 poisson_dealii [REFINEMENTS]
#include <sumfac/interop/dealii.hpp>
#include <sumfac/sumfac.hpp>

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_q.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/grid_tools.h>
#include <deal.II/lac/precondition.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/matrix_free/operators.h>
#include <deal.II/multigrid/mg_coarse.h>
#include <deal.II/multigrid/mg_constrained_dofs.h>
#include <deal.II/multigrid/mg_matrix.h>
#include <deal.II/multigrid/mg_smoother.h>
#include <deal.II/multigrid/mg_transfer_matrix_free.h>
#include <deal.II/multigrid/multigrid.h>
#include <deal.II/numerics/vector_tools.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace {

using namespace dealii;
constexpr int degree = 4;
using fine_vector = LinearAlgebra::distributed::Vector<double>;
using level_vector = LinearAlgebra::distributed::Vector<float>;

// What is solved for: u = sin(pi x) sin(pi y) sin(pi z), which is 0 on the surface of the cube.
struct solution : Function<3> {
  double value(Point<3> const& x, unsigned = 0) const override
  {
    double u = 1;
    for (unsigned d = 0; d < 3; ++d) u *= std::sin(numbers::PI * x[d]);
    return u;
  }
};
struct source : Function<3> {
  double value(Point<3> const& x, unsigned = 0) const override
  {
    return 3 * numbers::PI * numbers::PI * solution().value(x);
  }
};

// Operators on the active cells, and on those of a level in float.
template <class Scalar>
class laplace_of_cells {
public:
  using stiffness = sumfac::element_operator<sumfac::laplace, degree, sumfac::gauss<degree + 1>, Scalar>;
  using matrix = sumfac::dealii::matrix<stiffness, 3>;

  // [matrix]
  laplace_of_cells(Mapping<3> const& mapping, DoFHandler<3> const& numbers, AffineConstraints<double> const& fixed,
                   unsigned level = numbers::invalid_unsigned_int)
      : cells(mapping, numbers, fixed, {.level = level}),                        // their nodes and unknowns
        A(backend, cells.mesh_nodes()),
        R(cells.template restriction<Scalar>(backend, fixed))
  {
  }
  // [matrix]

  sumfac::host backend{1};                                                       // threads: processes share the cores
  sumfac::dealii::cells<3> cells;
  stiffness A;
  sumfac::restriction<Scalar> R;
};

// A cube of cells that are bent inside; or refined once more in an eighth of it, so that nodes hang.
class problem {
public:
  explicit problem(unsigned refinements, bool in_places = false)
      : mesh_(MPI_COMM_WORLD, Triangulation<3>::limit_level_difference_at_vertices,
              parallel::distributed::Triangulation<3>::construct_multigrid_hierarchy),
        numbers_(mesh_)
  {
    GridGenerator::hyper_cube(mesh_);
    mesh_.refine_global(refinements);
    if (in_places)
      refine_eighth();
    else
      GridTools::transform([](Point<3> x) {
        double const bump = 0.06 * std::sin(numbers::PI * x[0]) * std::sin(numbers::PI * x[1]) *
                            std::sin(numbers::PI * x[2]);
        return x + Point<3>(bump, -bump, bump / 2);
      }, mesh_);
    numbers_.distribute_dofs(element_);
    constrain();
    sumfac::dealii::renumber(numbers_, fixed_);                                  // then sumfac moves the least memory
    constrain();
    if (!in_places) numbers_.distribute_mg_dofs();
    fine_ = std::make_unique<laplace_of_cells<double>>(mapping_, numbers_, fixed_);
    L_.reinit(fine_->A, fine_->R, fine_->cells);                                 // vmult
    make_load();
  }

  // deal.II's operator and sumfac's, on the same vector: how far their results are apart, and the
  // least time of each in turns.
  double compare()
  {
    auto loop = std::make_shared<MatrixFree<3, double>>();
    MatrixFree<3, double>::AdditionalData options(MatrixFree<3, double>::AdditionalData::none);
    options.mapping_update_flags = update_gradients | update_JxW_values;
    loop->reinit(mapping_, numbers_, fixed_, QGauss<1>(degree + 1), options);
    MatrixFreeOperators::LaplaceOperator<3, degree, degree + 1, 1, fine_vector> theirs;
    theirs.initialize(loop);
    fine_vector x, y, z;
    theirs.initialize_dof_vector(x);
    theirs.initialize_dof_vector(y);
    L_.initialize_dof_vector(z);
    VectorTools::interpolate(mapping_, numbers_, source(), x);
    for (unsigned i = 0; i < x.locally_owned_size(); ++i) x.local_element(i) += 0.1 * (i % 7);
    fine_vector u;                                                               // the same, as sumfac's matrix has it
    L_.initialize_dof_vector(u);
    u.copy_locally_owned_data_from(x);
    std::vector<double> their_times, our_times;
    for (int round = 0; round < 11; ++round) {
      their_times.push_back(seconds_of([&] { theirs.vmult(y, x); }));
      our_times.push_back(seconds_of([&] { L_.vmult(z, u); }));
    }
    double const length = z.linfty_norm();
    double apart = 0;
    for (unsigned i = 0; i < z.locally_owned_size(); ++i)
      apart = std::max(apart, std::abs(z.local_element(i) - y.local_element(i)));
    apart = Utilities::MPI::max(apart, MPI_COMM_WORLD) / length;
    double const their_time = *std::min_element(their_times.begin(), their_times.end());
    double const our_time = *std::min_element(our_times.begin(), our_times.end());
    if (rank() == 0)
      std::printf("%u unknowns, vmult: deal.II (%u lanes, as it was built) %.3f ms, sumfac %.3f ms (%.2f times as "
                  "fast); results %.1e apart\n", static_cast<unsigned>(numbers_.n_dofs()),
                  static_cast<unsigned>(VectorizedArray<double>::size()), 1e3 * their_time, 1e3 * our_time,
                  their_time / our_time, apart);
    return apart;
  }

  // The error of the solution, in the mean square, by multigrid; and by Chebyshev's polynomials, on any mesh.
  double solve()
  {
    MGConstrainedDoFs constrained;
    constrained.initialize(numbers_);
    constrained.make_zero_boundary_constraints(numbers_, {0});
    using level_matrix = laplace_of_cells<float>::matrix;
    using chebyshev = PreconditionChebyshev<level_matrix, level_vector, DiagonalMatrix<level_vector>>;
    unsigned const last = mesh_.n_global_levels() - 1;
    std::vector<std::unique_ptr<laplace_of_cells<float>>> levels;
    MGLevelObject<level_matrix> matrices(0, last);
    MGLevelObject<chebyshev::AdditionalData> options(0, last);
    for (unsigned level = 0; level <= last; ++level) {
      // [levels]
      AffineConstraints<double> fixed;
      fixed.add_lines(constrained.get_boundary_indices(level));
      fixed.close();
      levels.push_back(std::make_unique<laplace_of_cells<float>>(mapping_, numbers_, fixed, level));
      matrices[level].reinit(levels.back()->A, levels.back()->R, levels.back()->cells, {.symmetric = true});
      options[level].preconditioner = matrices[level].inverse_diagonal();
      // [levels]
      options[level].smoothing_range = level > 0 ? 15. : 1e-3;
      options[level].degree = level > 0 ? 4 : numbers::invalid_unsigned_int;
      options[level].eig_cg_n_iterations = level > 0 ? 10 : static_cast<unsigned>(matrices[level].m());
    }
    MGTransferMatrixFree<3, float> transfer(constrained);
    transfer.build(numbers_);
    mg::SmootherRelaxation<chebyshev, level_vector> smoother;
    smoother.initialize(matrices, options);
    MGCoarseGridApplySmoother<level_vector> coarse;
    coarse.initialize(smoother);
    mg::Matrix<level_vector> const of_levels(matrices);
    Multigrid<level_vector> cycle(of_levels, coarse, transfer, smoother, smoother);
    PreconditionMG<3, level_vector, MGTransferMatrixFree<3, float>> const multigrid(numbers_, cycle, transfer);

    return solve_with(multigrid, "multigrid", 15);
  }
  double solve_by_polynomials()
  {
    using chebyshev = PreconditionChebyshev<laplace_of_cells<double>::matrix, fine_vector, DiagonalMatrix<fine_vector>>;
    chebyshev::AdditionalData options;
    options.degree = 4;
    options.preconditioner = L_.inverse_diagonal();
    chebyshev by;
    by.initialize(L_, options);
    return solve_with(by, "Chebyshev's polynomials", 60);
  }

private:
  template <class Preconditioner>
  double solve_with(Preconditioner const& by, char const* name, unsigned most)
  {
    // [solve]
    fine_vector u;
    L_.initialize_dof_vector(u);
    SolverControl control(100, 1e-10 * load_.l2_norm());
    SolverCG<fine_vector>(control).solve(L_, u, load_, by);                      // vmult is sumfac's
    fixed_.distribute(u);                                                        // nodes that hang
    // [solve]
    IndexSet relevant;
    DoFTools::extract_locally_relevant_dofs(numbers_, relevant);
    fine_vector with_ghosts(numbers_.locally_owned_dofs(), relevant, MPI_COMM_WORLD);
    with_ghosts.copy_locally_owned_data_from(u);
    with_ghosts.update_ghost_values();
    Vector<float> of_cell(mesh_.n_active_cells());
    VectorTools::integrate_difference(mapping_, numbers_, with_ghosts, solution(), of_cell, QGauss<3>(degree + 3),
                                      VectorTools::L2_norm);
    double const error = VectorTools::compute_global_error(mesh_, of_cell, VectorTools::L2_norm);
    if (rank() == 0)
      std::printf("%llu cells of degree %d: %u steps of conjugate gradients with %s, error %.2e\n",
                  static_cast<unsigned long long>(mesh_.n_global_active_cells()), degree, control.last_step(), name,
                  error);
    return control.last_step() <= most ? error : 1;
  }

  static unsigned rank() { return Utilities::MPI::this_mpi_process(MPI_COMM_WORLD); }

  void refine_eighth()
  {
    for (auto const& cell : mesh_.active_cell_iterators())
      if (cell->is_locally_owned() && cell->center()[0] < 0.5 && cell->center()[1] < 0.5 && cell->center()[2] < 0.5)
        cell->set_refine_flag();
    mesh_.execute_coarsening_and_refinement();
  }

  void constrain()
  {
    IndexSet relevant;
    DoFTools::extract_locally_relevant_dofs(numbers_, relevant);
    fixed_.reinit(relevant);
    DoFTools::make_hanging_node_constraints(numbers_, fixed_);
    DoFTools::make_zero_boundary_constraints(numbers_, fixed_);
    fixed_.close();
  }

  void make_load()
  {
    IndexSet relevant;
    DoFTools::extract_locally_relevant_dofs(numbers_, relevant);
    load_.reinit(numbers_.locally_owned_dofs(), relevant, MPI_COMM_WORLD);
    VectorTools::create_right_hand_side(mapping_, numbers_, QGauss<3>(degree + 2), source(), load_, fixed_);
    load_.compress(VectorOperation::add);
  }

  // Of the slowest process.
  template <class Function>
  static double seconds_of(Function const& f)
  {
    MPI_Barrier(MPI_COMM_WORLD);
    auto const begin = std::chrono::steady_clock::now();
    f();
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return Utilities::MPI::max(seconds, MPI_COMM_WORLD);
  }

  parallel::distributed::Triangulation<3> mesh_;
  FE_Q<3> element_{degree};
  MappingQ<3> mapping_{1};
  DoFHandler<3> numbers_;
  AffineConstraints<double> fixed_;
  std::unique_ptr<laplace_of_cells<double>> fine_;
  laplace_of_cells<double>::matrix L_;
  fine_vector load_;
};

}  // namespace

int main(int argc, char** argv)
{
  Utilities::MPI::MPI_InitFinalize const mpi(argc, argv, 1);
  unsigned const refinements = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 2;
  problem coarse(refinements), fine(refinements + 1), in_places(refinements, true);
  double const apart_on_coarse = coarse.compare(), apart_on_fine = fine.compare();
  double const apart_in_places = in_places.compare();
  double const coarse_error = coarse.solve(), fine_error = fine.solve();
  double const error_in_places = in_places.solve_by_polynomials();
  bool const equal = apart_on_coarse < 1e-13 && apart_on_fine < 1e-13 && apart_in_places < 1e-13;
  bool const converges = std::log2(coarse_error / fine_error) > degree + 0.5 && error_in_places < coarse_error;
  return equal && converges ? 0 : 1;
}
