// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Operators on deal.II's cells beside forms summed by its FEValues, its solvers and multigrid around them, and errors.
#include <sumfac/backend/host.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/dofs/function_space.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/error.hpp>
#include <sumfac/form/mass.hpp>
#include <sumfac/form/stiffness.hpp>
#include <sumfac/interop/dealii.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/interior_operator.hpp>

#include <deal.II/base/quadrature_lib.h>
#include <deal.II/distributed/tria.h>
#include <deal.II/dofs/dof_renumbering.h>
#include <deal.II/dofs/dof_tools.h>
#include <deal.II/fe/fe_dgq.h>
#include <deal.II/fe/fe_system.h>
#include <deal.II/fe/mapping_manifold.h>
#include <deal.II/grid/grid_generator.h>
#include <deal.II/lac/precondition.h>
#include <deal.II/lac/solver_cg.h>
#include <deal.II/lac/vector_memory.h>
#include <deal.II/matrix_free/fe_evaluation.h>
#include <deal.II/matrix_free/matrix_free.h>
#include <deal.II/multigrid/mg_coarse.h>
#include <deal.II/multigrid/mg_constrained_dofs.h>
#include <deal.II/multigrid/mg_matrix.h>
#include <deal.II/multigrid/mg_smoother.h>
#include <deal.II/multigrid/mg_transfer_matrix_free.h>
#include <deal.II/multigrid/multigrid.h>

#include <catch2/catch.hpp>
#include <operator/two_sided_forms.hpp>
#include <support/allocations.hpp>
#include <support/larger.hpp>
#include <support/tolerance.hpp>

#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace {

namespace dii = ::dealii;
using Catch::Matchers::Contains;
using sumfac::index_t;

template <class Number>
using vector_of = dii::LinearAlgebra::distributed::Vector<Number>;

// deal.II's pools of vectors are static: those that are used first live longer than what ends MPI, which empties them.
template <class Number>
void use_pool()
{
  dii::GrowingVectorMemory<vector_of<Number>> memory;
  typename dii::VectorMemory<vector_of<Number>>::Pointer const used(memory);
}
struct processes {
  processes() : no_arguments(((use_pool<double>(), use_pool<float>()), 0)), mpi(no_arguments, list, 1) {}
  int no_arguments;
  char** list = nullptr;
  dii::Utilities::MPI::MPI_InitFinalize mpi;
} const world;

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
    dii::DoFTools::make_hanging_node_constraints(numbers, constraints);
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

// The most that equations give to an unknown: the largest sum of moduli in a column of C.
template <int dim, int spacedim>
double most_given(unknowns<dim, spacedim> const& of)
{
  std::map<dii::types::global_dof_index, double> sums;
  double most = 1;
  for (auto const& line : of.constraints.get_lines())
    for (auto const& [unknown, weight] : line.entries)
      most = support::larger(most, 1 + (sums[unknown] += std::abs(weight)));
  return most;
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
  MPI_Comm const comm = of.numbers.get_communicator();
  vector_of<double> x(of.numbers.locally_owned_dofs(), relevant, comm), y(x);
  x.copy_locally_owned_data_from(from);
  if (of.numbers.get_triangulation().has_hanging_nodes()) of.constraints.distribute(x);
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
        double const at = x(list[j]);  // 0 on the boundary
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
  return {y, dii::Utilities::MPI::max(most * most_given(of), comm)};
}

template <class Operator, int dim, int spacedim>
void multiplies(kind what, dii::Triangulation<dim, spacedim> const& mesh, dii::Mapping<dim, spacedim> const& mapping,
                dii::FiniteElement<dim, spacedim> const& element, bool renumbered = false)
{
  unknowns<dim, spacedim> const of(mesh, element, renumbered);
  sumfac::host const backend(2);
  sumfac::dealii::cells<dim, spacedim> const cells(mapping, of.numbers, of.constraints);
  Operator const A(backend, cells.mesh_nodes());
  std::set<unsigned> const of_cells(cells.table().data(), cells.table().data() + cells.table().size());
  CHECK(sumfac::function_space(cells.mesh(), Operator::order).nodes() == static_cast<index_t>(of_cells.size()));
  auto const R = cells.restriction(backend, of.constraints);
  // Cells with a side that hangs interpolate it, wherever the large cell is.
  index_t beside_large = 0, masked = 0;
  for (index_t e = 0; e < cells.elements(); ++e) {
    bool hangs = false;
    if constexpr (dim > 1)
      for (unsigned const side : cells.cell(e)->face_indices())
        hangs = hangs || (!cells.cell(e)->at_boundary(side) && cells.cell(e)->neighbor_is_coarser(side));
    beside_large += hangs ? 1 : 0;
    masked += hangs && R.table().masks().mask(e) != 0 ? 1 : 0;
  }
  CHECK(masked == beside_large);
  sumfac::dealii::matrix const L(A, R, cells, {.symmetric = true});
  auto x = entries_by_place(mapping, of, cells.partitioner());
  auto const [expected, moduli] = product_by_values(what, mapping, of, x);
  double const allowed = 4 * reference::tolerance<double>(Operator::order) * moduli;
  vector_of<double> y, d;
  L.initialize_dof_vector(y);
  L.initialize_dof_vector(d);
  L.vmult(y, x);
  y -= expected;
  INFO("off by " << y.linfty_norm() << ", " << allowed << " allowed, equations give " << most_given(of));
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

  // An entry of the diagonal is one of A's product with a unit vector.
  L.diagonal(d);
  auto const one = of.numbers.n_dofs() / 2;
  x = 0;
  if (x.in_local_range(one)) x(one) = 1;
  L.vmult(y, x);
  double const off = x.in_local_range(one) ? y(one) - d(one) : 0;
  CHECK(dii::Utilities::MPI::max(std::abs(off), of.numbers.get_communicator()) <= allowed);
  auto const inverse = L.inverse_diagonal();
  d.scale(inverse->get_vector());
  d.add(-1);
  CHECK(d.linfty_norm() <= 4 * std::numeric_limits<double>::epsilon());
}

template <int N>
using laplace_on = sumfac::element_operator<sumfac::laplace, N>;

}  // namespace

TEST_CASE("a matrix on deal.II's cells is the form on them")
{
  dii::parallel::distributed::Triangulation<3> cube(MPI_COMM_WORLD), ball(MPI_COMM_WORLD);
  dii::GridGenerator::subdivided_hyper_rectangle(cube, {4, 3, 2}, dii::Point<3>(0, 0, 0), dii::Point<3>(1, 2, 1.5));
  dii::GridGenerator::hyper_ball(ball);
  ball.refine_global(1);
  for (bool const renumbered : {false, true}) {
    CAPTURE(renumbered);
    multiplies<laplace_on<3>>(kind::laplace, cube, dii::MappingQ<3>(1), dii::FE_Q<3>(3), renumbered);
    multiplies<laplace_on<2>>(kind::laplace, ball, dii::MappingQ<3>(3), dii::FE_Q<3>(2), renumbered);
    multiplies<sumfac::element_operator<sumfac::vector_mass<3>, 2>>(kind::mass, ball, dii::MappingQ<3>(2),
                                                                    dii::FESystem<3>(dii::FE_Q<3>(2), 3), renumbered);
  }
}

TEST_CASE("cells that were refined in places, with the equations of hanging nodes")
{
  dii::parallel::distributed::Triangulation<3> ball(MPI_COMM_WORLD);
  dii::parallel::distributed::Triangulation<2> ring(MPI_COMM_WORLD);
  dii::GridGenerator::hyper_ball(ball);
  dii::GridGenerator::hyper_shell(ring, dii::Point<2>(), 0.5, 1);
  auto const refine = [](auto& mesh, double from, int times) {
    for (; times > 0; --times) {
      for (auto const& cell : mesh.active_cell_iterators())
        if (cell->is_locally_owned() && cell->center()[0] > from) cell->set_refine_flag();
      mesh.execute_coarsening_and_refinement();
    }
    REQUIRE(mesh.has_hanging_nodes());
  };
  refine(ring, 0.3, 2);
  refine(ball, 0.2, 1);
  using in_plane = sumfac::element_operator<sumfac::laplace, sumfac::quadrilateral(4)>;
  for (bool const renumbered : {false, true}) {
    CAPTURE(renumbered);
    multiplies<in_plane>(kind::laplace, ring, dii::MappingQ<2>(4), dii::FE_Q<2>(4), renumbered);
    multiplies<laplace_on<2>>(kind::laplace, ball, dii::MappingQ<3>(3), dii::FE_Q<3>(2), renumbered);
    multiplies<sumfac::element_operator<sumfac::vector_mass<3>, 2>>(kind::mass, ball, dii::MappingQ<3>(2),
                                                                    dii::FESystem<3>(dii::FE_Q<3>(2), 3), renumbered);
  }
}

TEST_CASE("cells interpolate by the equations of hanging nodes alone")
{
  dii::Triangulation<2> mesh;
  dii::GridGenerator::subdivided_hyper_cube(mesh, 2);
  mesh.begin_active()->set_refine_flag();
  mesh.execute_coarsening_and_refinement();
  unknowns<2> const of(mesh, dii::FE_Q<2>(2));
  sumfac::dealii::cells<2> const cells(dii::MappingQ<2>(1), of.numbers);
  // Two sides hang, of two cells each, one of which has both.
  CHECK(cells.rows(of.constraints).masks().size() == 3);
  auto const with = [&](double factor) {  // the last line's
    dii::AffineConstraints<double> others;
    for (auto const& line : of.constraints.get_lines()) {
      others.add_line(line.index);
      for (auto const& [unknown, weight] : line.entries)
        others.add_entry(line.index, unknown, weight * (&line == &*--of.constraints.get_lines().end() ? factor : 1));
    }
    others.close();
    return others;
  };
  CHECK(cells.rows(with(1)).masks().size() == 3);
  CHECK(cells.rows(with(1.001)).masks().size() < 3);
  CHECK(cells.rows(dii::AffineConstraints<double>()).masks().size() == 0);
}

namespace {

#if defined(DEAL_II_WITH_MPI)
// w . F u over all processes, of functions that jump, which are of where a node and where its cell's middle lie.
template <class Faces>
double between(Faces const& F, sumfac::dealii::cells<3> const& cells)
{
  constexpr int n = Faces::nodes_1d, nodes = n * n * n;
  auto const size = static_cast<std::size_t>(cells.elements() * nodes);
  std::vector<double> u, w, v(size);
  auto const* x = cells.mesh_nodes().data();  // which are where the nodes of functions are
  for (index_t e = 0; e < cells.elements(); ++e, x += nodes * 3) {
    double middle = 0;
    for (int i = 0; i < nodes * 3; ++i) middle += (1 + i % 3) * x[i] / nodes;
    for (int p = 0; p < nodes; ++p) {
      u.push_back(std::sin(3 * x[3 * p] + 2 * x[3 * p + 1] - x[3 * p + 2]) + std::cos(5 * middle));
      w.push_back(std::cos(x[3 * p] - 2 * x[3 * p + 1] + 4 * x[3 * p + 2]) * std::sin(1 + 3 * middle));
    }
  }
  auto const shaped = [&](auto& of) { return sumfac::view(of.data(), cells.elements(), n, n, n); };
  F.apply(shaped(u), shaped(v));
  double sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += w[i] * v[i];
  return sum;
}
#endif

}  // namespace

TEST_CASE("faces between cells of any processes are those of one")
{
#if defined(DEAL_II_WITH_MPI)
  dii::parallel::distributed::Triangulation<3> ball(MPI_COMM_WORLD);
  dii::Triangulation<3> own;
  dii::GridGenerator::hyper_ball(ball);
  dii::GridGenerator::hyper_ball(own);
  ball.refine_global(1), own.refine_global(1);
  dii::MappingQ<3> const mapping(2);
  unknowns<3> const all(own, dii::FE_Q<3>(2)), shared(ball, dii::FE_Q<3>(2));
  sumfac::dealii::cells<3> const whole(mapping, all.numbers), cells(mapping, shared.numbers);
  sumfac::mesh<3> const mesh = whole.mesh();
  sumfac::interior_operator<two_sided::upwind, 2> const expected{sumfac::host{}, mesh};
  auto const part = cells.with_ghosts();
  sumfac::interior_operator<two_sided::upwind, 2, sumfac::mpi::halo> const F{sumfac::host{}, part.nodes(), part.pairs(),
                                                                             part.halo()};
  double const once = between(expected, whole);
  CHECK(std::abs(once) > 1e-3);
  CHECK(std::abs(dii::Utilities::MPI::sum(between(F, cells), MPI_COMM_WORLD) - once) <= 1e-12 * std::abs(once));
#endif
}

namespace {

// Interior penalties that do not know how high elements are: as interior_penalty, but for that.
struct even_penalty : two_sided::interior_penalty {
  template <class T, int Dim>
  factors<T, Dim> setup(sumfac::both_sides<sumfac::face_mapping<T, Dim>> const& x) const
  {
    T const half = x.in.measure() / 2;
    return {x.in.normal_derivative() * half, x.out.normal_derivative() * -half, penalty * x.in.measure()};
  }
};

// The same, or what a wind carries upwind, by deal.II's loops over cells, faces and boundary faces, as in its tutorials
// step-59 and step-67; the wind blows nothing in, and nothing out, through the boundary.
class dealii_faces {
  using vector = vector_of<double>;
  using loop_type = dii::MatrixFree<3>;
  using on_faces = dii::FEFaceEvaluation<3, -1, 0>;
  using lanes = dii::VectorizedArray<double>;
  using range = std::pair<unsigned, unsigned>;

public:
  dealii_faces(dii::Mapping<3> const& mapping, dii::DoFHandler<3> const& of, bool penalties, unsigned points)
      : penalties_(penalties)
  {
    dii::AffineConstraints<double> none;
    none.close();
    loop_type::AdditionalData options;
    options.mapping_update_flags_inner_faces = options.mapping_update_flags_boundary_faces =
        dii::update_JxW_values | dii::update_normal_vectors | dii::update_gradients;
    loop_.reinit(mapping, of, none, dii::QGauss<1>(points), options);
  }
  vector vector_here() const
  {
    vector u;
    loop_.initialize_dof_vector(u);
    return u;
  }
  void apply(vector& v, vector const& u) const
  {
    loop_.loop(&dealii_faces::cells, &dealii_faces::faces, &dealii_faces::boundary, this, v, u, true);
  }

private:
  void cells(loop_type const&, vector&, vector const&, range const&) const {}
  void faces(loop_type const& loop, vector& v, vector const& u, range const& some) const
  {
    on_faces in(loop, true), out(loop, false);
    for (unsigned f = some.first; f < some.second; ++f) {
      in.reinit(f), out.reinit(f);
      in.gather_evaluate(u, flags()), out.gather_evaluate(u, flags());
      for (unsigned q = 0; q < in.n_q_points; ++q) {
        lanes const a = in.get_value(q), b = out.get_value(q);
        lanes flux = penalty() * (a - b);
        if (penalties_) {
          flux -= 0.5 * (in.get_normal_derivative(q) + out.get_normal_derivative(q));
          in.submit_normal_derivative(0.5 * (b - a), q), out.submit_normal_derivative(0.5 * (b - a), q);
        } else {
          lanes const through = in.get_normal_vector(q) * wind();
          flux = 0.5 * (through * (a + b) + std::abs(through) * (a - b));
        }
        in.submit_value(flux, q), out.submit_value(-flux, q);
      }
      in.integrate_scatter(flags(), v), out.integrate_scatter(flags(), v);
    }
  }
  void boundary(loop_type const& loop, vector& v, vector const& u, range const& some) const
  {
    on_faces in(loop, true);
    for (unsigned f = some.first; f < some.second && penalties_; ++f) {
      in.reinit(f);
      in.gather_evaluate(u, flags());
      for (unsigned q = 0; q < in.n_q_points; ++q) {
        lanes const a = in.get_value(q);
        in.submit_value(2. * penalty() * a - in.get_normal_derivative(q), q);
        in.submit_normal_derivative(-a, q);
      }
      in.integrate_scatter(flags(), v);
    }
  }
  dii::EvaluationFlags::EvaluationFlags flags() const
  {
    auto const values = dii::EvaluationFlags::values;
    return penalties_ ? values | dii::EvaluationFlags::gradients : values;
  }
  static lanes penalty() { return lanes(even_penalty{}.penalty); }
  static dii::Tensor<1, 3, lanes> wind()
  {
    dii::Tensor<1, 3, lanes> a;
    for (unsigned d = 0; d < 3; ++d) a[d] = lanes(two_sided::upwind{}.wind[d]);
    return a;
  }

  bool penalties_;
  loop_type loop_;
};

// The greatest difference of F u from deal.II's, over the greatest entry, on this process' cells.
template <class Faces>
void same_as_loops(Faces const& F, bool penalties, dii::Mapping<3> const& mapping, dii::DoFHandler<3> const& of,
                   sumfac::dealii::cells<3> const& cells)
{
  constexpr int n = Faces::nodes_1d, nodes = n * n * n;
  dealii_faces const loops(mapping, of, penalties, unsigned(Faces::points_1d));
  auto x = loops.vector_here(), y = loops.vector_here();
  for (auto const i : x.locally_owned_elements()) x(i) = std::sin(3 + 7. * double(i));
  loops.apply(y, x);
  std::vector<double> u, expected;
  std::vector<dii::types::global_dof_index> list(nodes);
  for (index_t e = 0; e < cells.elements(); ++e) {
    auto const& cell = cells.cell(e);
    dii::DoFHandler<3>::active_cell_iterator const numbered(&of.get_triangulation(), cell->level(), cell->index(), &of);
    numbered->get_dof_indices(list);
    for (auto const i : list) u.push_back(x(i)), expected.push_back(y(i));
  }
  std::vector<double> v(u.size());
  auto const shaped = [&](auto& entries) { return sumfac::view(entries.data(), cells.elements(), n, n, n); };
  F.apply(shaped(u), shaped(v));
  double most = 0;
  for (std::size_t i = 0; i < v.size(); ++i) most = support::larger(most, std::abs(v[i] - expected[i]));
  CHECK(y.linfty_norm() > 0.1);
  CHECK(most <= 1e-13 * y.linfty_norm());
}

}  // namespace

TEST_CASE("faces of large and small cells are those of deal.II's loops, on one process and on several")
{
  auto const refined = [](auto& mesh) {
    dii::GridGenerator::hyper_ball(mesh);
    mesh.reset_all_manifolds();  // small cells' vertices are in the middle of large ones' edges
    for (double const from : {0.2, 0.6}) {
      for (auto const& cell : mesh.active_cell_iterators())
        if (cell->is_locally_owned() && cell->center()[0] > from) cell->set_refine_flag();
      mesh.execute_coarsening_and_refinement();
    }
    REQUIRE(mesh.has_hanging_nodes());
  };
  dii::MappingQ<3> const mapping(1);
  dii::FE_Q<3> const continuous(2);
  dii::FE_DGQ<3> const jumping(2);
  {
    dii::Triangulation<3> mesh;
    refined(mesh);
    unknowns<3> const of(mesh, continuous);
    dii::DoFHandler<3> numbers(mesh);
    numbers.distribute_dofs(jumping);
    sumfac::dealii::cells<3> const cells(mapping, of.numbers);
    sumfac::mesh<3> const whole = cells.mesh();
    REQUIRE(whole.interior_faces().divided() > 0);
    sumfac::interior_operator<even_penalty, 2> const penalties{sumfac::host{}, whole};
    same_as_loops(penalties, true, mapping, numbers, cells);
    sumfac::interior_operator<two_sided::upwind, 2> const carried{sumfac::host{}, whole};
    same_as_loops(carried, false, mapping, numbers, cells);
  }
#if defined(DEAL_II_WITH_MPI)
  dii::parallel::distributed::Triangulation<3> mesh(MPI_COMM_WORLD);
  refined(mesh);
  unknowns<3> const of(mesh, continuous);
  dii::DoFHandler<3> numbers(mesh);
  numbers.distribute_dofs(jumping);
  sumfac::dealii::cells<3> const cells(mapping, of.numbers);
  auto const part = cells.with_ghosts();
  CHECK(part.owned() == cells.elements());
  CHECK(dii::Utilities::MPI::sum(part.pairs().divided(), MPI_COMM_WORLD) > 0);
  sumfac::interior_operator<two_sided::upwind, 2, sumfac::mpi::halo> const carried{sumfac::host{}, part.nodes(),
                                                                                   part.pairs(), part.halo()};
  same_as_loops(carried, false, mapping, numbers, cells);
#endif
}

#if defined(DEAL_II_WITH_MPI)
TEST_CASE("cells that were cut along some of their edges alone have no faces")
{
  dii::Triangulation<3> mesh;
  dii::GridGenerator::subdivided_hyper_rectangle(mesh, {2, 1, 1}, dii::Point<3>(), dii::Point<3>(2, 1, 1));
  mesh.begin_active()->set_refine_flag(dii::RefinementCase<3>::cut_y);
  mesh.execute_coarsening_and_refinement();
  dii::DoFHandler<3> numbers(mesh);
  numbers.distribute_dofs(dii::FE_Q<3>(1));
  sumfac::dealii::cells<3> const cells(dii::MappingQ<3>(1), numbers);
  CHECK_THROWS_WITH(cells.with_ghosts(), Contains("dealii::cells::with_ghosts: cell 0 has cells behind face 0") &&
                                             Contains("(0 found, 1 or 4 expected)"));
}
#endif

TEST_CASE("cells beside each other in any orientation")
{
  for (int const way : {0, 1, 2, 3, 4, 5, 6, 7}) {
    for (bool const left : {false, true}) {
      CAPTURE(way, left);
      dii::Triangulation<3> mesh;
      dii::GridGenerator::non_standard_orientation_mesh(mesh, (way & 1) != 0, (way & 2) != 0, (way & 4) != 0, left);
      multiplies<laplace_on<3>>(kind::laplace, mesh, dii::MappingQ<3>(1), dii::FE_Q<3>(3));
    }
  }
}

TEST_CASE("lines, quadrilaterals, and those in space")
{
  dii::parallel::distributed::Triangulation<2> ring(MPI_COMM_WORLD);
  dii::GridGenerator::hyper_shell(ring, dii::Point<2>(), 0.5, 1);
  using in_plane = sumfac::element_operator<sumfac::laplace, sumfac::quadrilateral(4)>;
  multiplies<in_plane>(kind::laplace, ring, dii::MappingQ<2>(4), dii::FE_Q<2>(4));
  dii::Triangulation<2> turned;
  dii::GridGenerator::non_standard_orientation_mesh(turned, 1);
  multiplies<in_plane>(kind::laplace, turned, dii::MappingQ<2>(1), dii::FE_Q<2>(4));
  dii::Triangulation<2, 3> sphere;
  dii::GridGenerator::hyper_sphere(sphere);
  using on_surface = sumfac::element_operator<sumfac::mass, sumfac::surface(2)>;
  multiplies<on_surface>(kind::mass, sphere, dii::MappingQ<2, 3>(3), dii::FE_Q<2, 3>(2));
  dii::Triangulation<1> line;
  dii::GridGenerator::subdivided_hyper_cube(line, 5);
  multiplies<sumfac::element_operator<sumfac::laplace, sumfac::line(2)>>(kind::laplace, line, dii::MappingQ<1>(1),
                                                                         dii::FE_Q<1>(2));
}

namespace {

// A ball in a few levels, elements of degree 2, and Laplace's operator on it.
class on_ball {
  using mesh_type = dii::parallel::distributed::Triangulation<3>;

public:
  using operator_type = laplace_on<2>;
  using level_operator = sumfac::element_operator<sumfac::laplace, 2, sumfac::gauss<4>, sumfac::host, float>;
  using level_matrix = sumfac::dealii::matrix<level_operator, 3>;

  on_ball()
      : mesh(MPI_COMM_WORLD, dii::Triangulation<3>::limit_level_difference_at_vertices,
             mesh_type::construct_multigrid_hierarchy)
  {
    dii::GridGenerator::hyper_ball(mesh);
    mesh.refine_global(2);
    of = std::make_unique<unknowns<3>>(mesh, element);
    of->numbers.distribute_mg_dofs();
    cells = std::make_unique<sumfac::dealii::cells<3>>(mapping, of->numbers);
    A = std::make_unique<operator_type>(backend, cells->mesh_nodes());
    R = std::make_unique<sumfac::restriction<double>>(cells->restriction(backend, of->constraints));
    L = std::make_unique<sumfac::dealii::matrix<operator_type, 3>>(*A, *R, *cells);
    L->initialize_dof_vector(b);
    L->initialize_dof_vector(x);
    b = 1;
    of->constraints.set_zero(b);
  }

  // The steps of a solve, whose residual is looked at by FEValues.
  template <class Preconditioner>
  unsigned steps_with(Preconditioner const& p)
  {
    dii::SolverControl control(200, 1e-10 * b.l2_norm());
    x = 0;
    dii::SolverCG<vector_of<double>>(control).solve(*L, x, b, p);
    auto [left, moduli] = product_by_values(kind::laplace, mapping, *of, x);
    left -= b;
    CHECK(left.l2_norm() <= 2e-10 * b.l2_norm());
    return control.last_step();
  }

  sumfac::host backend{2};
  mesh_type mesh;
  dii::FE_Q<3> element{2};
  dii::MappingQ<3> mapping{2};
  std::unique_ptr<unknowns<3>> of;
  std::unique_ptr<sumfac::dealii::cells<3>> cells;
  std::unique_ptr<operator_type> A;
  std::unique_ptr<sumfac::restriction<double>> R;
  std::unique_ptr<sumfac::dealii::matrix<operator_type, 3>> L;
  vector_of<double> b, x;
};

// One level's operator, and what it refers to.
struct level_of_ball {
  level_of_ball(on_ball const& fine, dii::MGConstrainedDoFs const& constrained, unsigned level)
      : cells(fine.mapping, fine.of->numbers, {.level = level}),
        A(fine.backend, cells.mesh_nodes()),
        R(cells.restriction<float>(fine.backend, boundary_of(constrained, level)))
  {
  }
  static dii::AffineConstraints<double> boundary_of(dii::MGConstrainedDoFs const& constrained, unsigned level)
  {
    dii::AffineConstraints<double> constraints;
    constraints.add_lines(constrained.get_boundary_indices(level));
    constraints.close();
    return constraints;
  }

  sumfac::dealii::cells<3> cells;
  on_ball::level_operator A;
  sumfac::restriction<float> R;
};

}  // namespace

TEST_CASE("deal.II's conjugate gradients, Chebyshev smoothers and multigrid")
{
  on_ball ball;
  using chebyshev = dii::PreconditionChebyshev<sumfac::dealii::matrix<on_ball::operator_type, 3>, vector_of<double>,
                                               dii::DiagonalMatrix<vector_of<double>>>;
  unsigned const alone = ball.steps_with(dii::PreconditionIdentity());
  chebyshev by_polynomial;
  chebyshev::AdditionalData options;
  options.degree = 4, options.smoothing_range = 20, options.preconditioner = ball.L->inverse_diagonal();
  by_polynomial.initialize(*ball.L, options);
  unsigned const with_polynomial = ball.steps_with(by_polynomial);
  CHECK(with_polynomial < alone / 2);

  dii::MGConstrainedDoFs constrained;
  constrained.initialize(ball.of->numbers);
  constrained.make_zero_boundary_constraints(ball.of->numbers, {0});
  unsigned const last = ball.mesh.n_global_levels() - 1;
  using level_vector = vector_of<float>;
  using level_chebyshev =
      dii::PreconditionChebyshev<on_ball::level_matrix, level_vector, dii::DiagonalMatrix<level_vector>>;
  std::vector<std::unique_ptr<level_of_ball>> levels;
  dii::MGLevelObject<on_ball::level_matrix> matrices(0, last);
  dii::MGLevelObject<level_chebyshev::AdditionalData> of_levels(0, last);
  for (unsigned level = 0; level <= last; ++level) {
    levels.push_back(std::make_unique<level_of_ball>(ball, constrained, level));
    matrices[level].reinit(levels.back()->A, levels.back()->R, levels.back()->cells, {.symmetric = true});
    of_levels[level].smoothing_range = level > 0 ? 15. : 1e-3;
    of_levels[level].degree = level > 0 ? 4 : dii::numbers::invalid_unsigned_int;
    of_levels[level].eig_cg_n_iterations = level > 0 ? 10 : static_cast<unsigned>(matrices[level].m());
    of_levels[level].preconditioner = matrices[level].inverse_diagonal();
  }
  dii::MGTransferMatrixFree<3, float> transfer(constrained);
  transfer.build(ball.of->numbers);
  dii::mg::SmootherRelaxation<level_chebyshev, level_vector> smoother;
  smoother.initialize(matrices, of_levels);
  dii::MGCoarseGridApplySmoother<level_vector> coarse;
  coarse.initialize(smoother);
  dii::mg::Matrix<level_vector> const of_all(matrices);
  dii::Multigrid<level_vector> cycle(of_all, coarse, transfer, smoother, smoother);
  dii::PreconditionMG<3, level_vector, dii::MGTransferMatrixFree<3, float>> const by_multigrid(ball.of->numbers, cycle,
                                                                                               transfer);
  CHECK(ball.steps_with(by_multigrid) <= 10);
}

TEST_CASE("vmult allocates nothing and leaves no ghosts")
{
  on_ball ball;
  vector_of<double> y;
  ball.L->initialize_dof_vector(y);
  ball.L->vmult(y, ball.b);
  long const before = allocations;
  ball.L->vmult(y, ball.b);
  ball.L->vmult(y, ball.b);
  long const after = allocations;
  CHECK(after == before);
  vector_of<double> z(y);
  z.update_ghost_values();
  ball.L->vmult(z, ball.b);
  CHECK_FALSE(z.has_ghost_elements());
  z -= y;
  CHECK(z.linfty_norm() == 0);
}

namespace {

template <int dim, int spacedim>
std::string told(dii::DoFHandler<dim, spacedim> const& numbers, sumfac::dealii::cells_options const& options = {},
                 dii::Mapping<dim, spacedim> const& mapping = dii::MappingQ<dim, spacedim>(1))
{
  try {
    sumfac::dealii::cells<dim, spacedim> const cells(mapping, numbers, options);
  } catch (sumfac::argument_error const& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("what is refused is said on all processes")
{
  dii::parallel::distributed::Triangulation<3> mesh(MPI_COMM_WORLD);
  dii::GridGenerator::subdivided_hyper_cube(mesh, 2);
  dii::DoFHandler<3> numbers(mesh);
  CHECK_THAT(told(numbers), Contains("sumfac::dealii::cells: ") &&
                                Contains("the DoFHandler has no numbers (0 unknowns): call distribute_dofs first"));
  numbers.distribute_dofs(dii::FE_DGQ<3>(2));
  CHECK_THAT(told(numbers), Contains("is no FE_Q, nor an FESystem of one (FE_DGQ<3>(2), 1 base elements)"));
  numbers.distribute_dofs(dii::FE_Q<3>(dii::QIterated<1>(dii::QTrapezoid<1>(), 3)));
  CHECK_THAT(told(numbers), Contains("no Gauss-Lobatto points (off by 0.099, at most 1e-10 expected)"));
  numbers.distribute_dofs(dii::FESystem<3>(dii::FE_Q<3>(3), 2));
  CHECK_THAT(told(numbers), Contains("components of a node do not follow one another (the first has number ") &&
                                Contains("call dealii::DoFRenumbering::support_point_wise"));
  numbers.distribute_dofs(dii::FE_Q<3>(2));
  CHECK(told(numbers) == "");
  CHECK_THAT(told(numbers, {.level = 0}), Contains("call distribute_dofs and distribute_mg_dofs first"));
  CHECK_THAT(told(numbers, {.mesh_nodes_1d = 17}), Contains("nodes of an edge do not fit (got 17, 2 to 16 expected)"));
  CHECK_THAT(told(numbers, {}, dii::MappingManifold<3>()), Contains("cells_options::mesh_nodes_1d"));

  sumfac::host const backend(1);
  sumfac::dealii::cells<3> const cells(dii::MappingQ<3>(1), numbers);
  dii::AffineConstraints<double> none, tied;
  tied.add_line(0), tied.add_entry(0, 1, 0.5);
  CHECK(cells.marks(tied) == cells.marks(none));
  auto const R = cells.restriction(backend, none);
  laplace_on<2> const A(backend, cells.mesh_nodes());
  laplace_on<3> const other(backend, cells.mesh_nodes());
  CHECK_THROWS_WITH((sumfac::dealii::matrix(other, R, cells)),
                    Contains("the operator's nodes per direction are not those of the cells (got 4, 3 expected)"));
  sumfac::dealii::matrix const L(A, R, cells);
  vector_of<double> u, v, shorter;
  L.initialize_dof_vector(u);
  L.initialize_dof_vector(v);
  CHECK_THROWS_WITH((sumfac::dealii::matrix<laplace_on<2>, 3>().m()), Contains("call reinit first"));
  CHECK_THROWS_WITH(L.Tvmult(v, u), Contains("{.symmetric = true}"));
  CHECK_THROWS_WITH(L.el(3, 4), Contains("(row 3, column 4 wanted)") && Contains("inverse_diagonal()"));
  if (cells.owned() > 0) CHECK_THROWS_WITH(L.vmult(shorter, u), Contains("got 0"));

  // Equations whose terms other processes have.
  for (auto const& cell : mesh.active_cell_iterators())
    if (cell->is_locally_owned() && cell->center().norm() < 0.5) cell->set_refine_flag();
  mesh.execute_coarsening_and_refinement();
  unknowns<3> const hanging(mesh, dii::FE_Q<3>(2));
  sumfac::dealii::cells<3> const without(dii::MappingQ<3>(1), hanging.numbers);
  if (dii::Utilities::MPI::n_mpi_processes(MPI_COMM_WORLD) == 1)
    CHECK_NOTHROW(without.restriction(backend, hanging.constraints));
  else
    CHECK_THROWS_WITH(without.restriction(backend, hanging.constraints),
                      Contains("make the cells with these constraints"));
}
