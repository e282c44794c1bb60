// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Nodes of any degree on PETSc's meshes: those of neighbours coincide, are counted by Euler's formula, and operators on
// them are the same for any number of processes.
#include "../operator/cells.hpp"
#include "gmsh_file.hpp"
#include "plex_meshes.hpp"

#include <sumfac/backend/host.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/dofs/function_space.hpp>
#include <sumfac/error.hpp>
#include <sumfac/form/mass.hpp>
#include <sumfac/form/stiffness.hpp>
#include <sumfac/interop/mpi.hpp>
#include <sumfac/interop/petsc_multigrid.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/operator/interior_operator.hpp>
#include <sumfac/operator/sum.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/kinds_level.hpp>
#include <sumfac/solver/multigrid.hpp>
#include <sumfac/solver/p_levels.hpp>
#include <sumfac/view/view.hpp>

#include <catch2/catch.hpp>
#include <operator/two_sided_forms.hpp>
#include <support/larger.hpp>
#include <support/message_of.hpp>
#include <support/tolerance.hpp>

#include <petscdmda.h>

#include <limits>

namespace {

using namespace plex;
using Catch::Matchers::Contains;
using sumfac::cell_shape;
using sumfac::index_t;
using sumfac::petsc::discretization;
using sumfac::petsc::labelled;
using sumfac::petsc::whole_boundary;

petsc_processes const world;
constexpr double rounding = 1e-12;  // of coordinates of size 1 to 10, by polynomials of degrees up to 31

place bent(place const& p)
{
  return {p[0] + 0.1 * p[1] + 0.05 * p[2] * p[1], p[1] - 0.1 * p[2] + 0.04 * p[0] * p[2], p[2] + 0.06 * p[0] * p[1]};
}

std::size_t at(index_t i) { return static_cast<std::size_t>(i); }
std::size_t power(int base, int exponent) { return exponent == 0 ? 1 : std::size_t(base) * power(base, exponent - 1); }

// The oracle's functions of an element through its mesh nodes, at its nodes: (n, m).
template <cell_shape Shape, int Directions>
std::vector<double> values_at_nodes(int degree, int mesh_order)
{
  std::vector<double> values;
  if constexpr (Shape == cell_shape::simplex) {
    auto const basis =
        sumfac::detail::basis_of(sumfac::space(degree, Directions, Directions, sumfac::node_placement::gauss_lobatto,
                                               nullptr, sumfac::function_family::nodal, Shape));
    for (int p = 0; p < basis.size(); ++p) {
      long double barycentric[4] = {1, 0, 0, 0};
      for (int d = 0; d < Directions; ++d) barycentric[d + 1] = basis.node(p, d), barycentric[0] -= basis.node(p, d);
      // Silvester's formula.
      sumfac::detail::for_each_lattice_index(Directions, mesh_order, [&](int const* index) {
        long double value = 1;
        for (int i = 0; i <= Directions; ++i)
          for (int j = 0; j < index[i]; ++j) value *= (mesh_order * barycentric[i] - j) / (j + 1);
        values.push_back(double(value));
      });
    }
  } else {
    int const n = degree + 1, m = mesh_order + 1;
    auto const to = gauss_lobatto(n), from = gauss_lobatto(m);
    for (std::size_t a = 0; a < power(n, Directions); ++a)
      for (std::size_t b = 0; b < power(m, Directions); ++b) {
        double value = 1;
        std::size_t of_a = a, of_b = b;
        for (int d = 0; d < Directions; ++d, of_a /= std::size_t(n), of_b /= std::size_t(m))
          value *= lagrange(from, of_b % std::size_t(m), to[of_a % std::size_t(n)]);
        values.push_back(value);
      }
  }
  return values;
}

// The greatest distance from a node's place to where an element has it, by the oracle's functions of its mesh nodes.
template <int Directions, int Coordinates, cell_shape Shape>
double distance(discretization<Directions, Coordinates, Shape> const& V)
{
  auto const values = values_at_nodes<Shape, Directions>(V.degree(), V.mesh_order());
  auto const places = V.places();
  auto const count = std::size_t(sumfac::detail::nodes_of_plex_cell(Shape, Directions, V.degree())),
             mesh_nodes = values.size() / count;
  double most = 0;
  for (std::size_t e = 0; e < at(V.elements()); ++e)
    for (std::size_t a = 0; a < count; ++a) {
      double x[Coordinates] = {};
      for (std::size_t b = 0; b < mesh_nodes; ++b)
        for (int c = 0; c < Coordinates; ++c)
          x[c] +=
              values[a * mesh_nodes + b] * V.mesh_nodes().data()[(e * mesh_nodes + b) * Coordinates + std::size_t(c)];
      auto const node = at(V.table().data()[e * count + a]);
      for (int c = 0; c < Coordinates; ++c)
        most = support::larger(most, std::abs(x[c] - places[node * Coordinates + std::size_t(c)]));
    }
  return greatest(most);
}

// Numbers of all nodes and the places that processes have for them.
template <int Directions, int Coordinates, cell_shape Shape>
std::map<std::int64_t, std::vector<place>> places_by_number(discretization<Directions, Coordinates, Shape> const& V)
{
  auto const places = V.places();
  std::vector<double> mine;
  for (std::size_t node = 0; node < at(V.nodes()); ++node) {
    mine.push_back(double(V.numbers()(index_t(node))));
    for (std::size_t c = 0; c < 3; ++c) mine.push_back(c < Coordinates ? places[node * Coordinates + c] : 0);
  }
  auto const all = gathered(mine);
  std::map<std::int64_t, std::vector<place>> result;
  for (std::size_t i = 0; i < all.size(); i += 4)
    result[std::int64_t(all[i])].push_back({all[i + 1], all[i + 2], all[i + 3]});
  return result;
}

// One node at each place, one place of each node, and as many as there should be.
template <int Directions, int Coordinates, cell_shape Shape>
void check_nodes(discretization<Directions, Coordinates, Shape> const& V, std::int64_t expected, double elements)
{
  CHECK(V.all_nodes() == expected);
  CHECK(sum(double(V.elements())) == elements);
  CHECK(sum(double(V.owned())) == double(expected));
  CHECK(distance(V) < rounding);
  auto const all = places_by_number(V);
  CHECK(std::int64_t(all.size()) == expected);
  CHECK((all.empty() || (all.begin()->first == 0 && all.rbegin()->first == expected - 1)));
  double most = 0;
  std::map<place_name, int> names;
  for (auto const& [number, list] : all) {
    for (place const& p : list)
      for (std::size_t c = 0; c < 3; ++c) most = support::larger(most, std::abs(p[c] - list[0][c]));
    ++names[name_of(list[0].data(), 3)];
  }
  CHECK(most < rounding);
  CHECK(std::int64_t(names.size()) == expected);
  for (index_t node = 0; node < V.nodes(); ++node) {
    if ((node < V.owned()) != (V.owners()(node) == world.rank)) FAIL("ghosts do not come last");
    if (node > 0 && node < V.owned() && V.numbers()(node) != V.numbers()(node - 1) + 1) FAIL("owned ones have gaps");
  }
}

}  // namespace

TEST_CASE("neighbours' nodes coincide however cells are turned")
{
  brick const cubes{3, 2, 2, bent}, squares{4, 3, 0, bent};
  for (way const how : ways) {
    CAPTURE(int(how));
    auto const solid = shared_out(turned(PETSC_COMM_WORLD, cubes, 3), how);
    for (int const degree : {1, 2, 3, 6}) {
      CAPTURE(degree);
      check_nodes(discretization(solid, degree), cubes.nodes(degree), cubes.cells());
    }
    auto const flat = shared_out(turned(PETSC_COMM_WORLD, squares, 2), how);
    auto const in_space = shared_out(turned(PETSC_COMM_WORLD, squares, 3), how);
    for (int const degree : {1, 2, 5, 15}) {
      CAPTURE(degree);
      check_nodes(discretization<2>(flat, degree), squares.nodes(degree), squares.cells());
      check_nodes(discretization<2, 3>(in_space, degree), squares.nodes(degree), squares.cells());
    }
  }
}

namespace {

// Of elements that were cut once the vertices are nodes of twice the degree: in corners and in the middle.
template <int Directions, int Coordinates>
void check_vertices(discretization<Directions, Coordinates> const& V)
{
  auto const cut = V.cut(1);
  auto const places = V.places();
  int const n = cut.degree() + 1;
  REQUIRE(2 * cut.degree() == V.degree());
  REQUIRE(cut.elements() == V.elements() << Directions);
  double off = 0;
  for (index_t e = 0; e < cut.elements(); ++e)
    for (int v = 0; v < 1 << Directions; ++v) {
      index_t corner = 0;
      for (int d = Directions - 1; d >= 0; --d) corner = corner * n + (v >> d & 1) * (n - 1);
      index_t const node = cut.table().data()[e * index_t(power(n, Directions)) + corner];
      for (int c = 0; c < Coordinates; ++c)
        off = support::larger(off, std::abs(places[at(node * Coordinates + c)] - cut.mesh().vertex_at(e, v)[c]));
    }
  CHECK(off < rounding);
}

}  // namespace

TEST_CASE("elements that are cut have the nodes of a higher degree, however cells are turned")
{
  brick const cubes{3, 2, 2, bent}, squares{4, 3, 0, bent};
  for (way const how : {way::scattered, way::last_empty}) {
    CAPTURE(static_cast<int>(how));
    check_vertices(discretization(shared_out(turned(PETSC_COMM_WORLD, cubes, 3), how), 4));
    check_vertices(discretization<2>(shared_out(turned(PETSC_COMM_WORLD, squares, 2), how), 8));
    check_vertices(discretization<2, 3>(shared_out(turned(PETSC_COMM_WORLD, squares, 3), how), 4));
  }
}

TEST_CASE("degree 15 on cubes")
{
  brick const cubes{2, 2, 1, bent};
  auto const m = shared_out(turned(PETSC_COMM_WORLD, cubes, 3), way::scattered);
  check_nodes(discretization(m, 15), cubes.nodes(15), cubes.cells());
}

TEST_CASE("degrees 16 and 31, the highest")
{
  brick const cubes{2, 1, 1, bent}, squares{2, 1, 0, bent};
  auto const solid = shared_out(turned(PETSC_COMM_WORLD, cubes, 3), way::scattered);
  auto const flat = shared_out(turned(PETSC_COMM_WORLD, squares, 2), way::scattered);
  for (int const degree : {16, 31}) {
    CAPTURE(degree);
    check_nodes(discretization(solid, degree), cubes.nodes(degree), cubes.cells());
    check_nodes(discretization<2>(flat, degree), squares.nodes(degree), squares.cells());
  }
}

namespace {

// Nodal values of a function that is smooth, no polynomial, and another one for each component.
double wave(double const* x, int coordinates, int component)
{
  double sum = 0.3 + component;
  for (int c = 0; c < coordinates; ++c) sum += (1.1 + 0.4 * c - 0.2 * component) * x[c];
  return std::sin(sum);
}

template <int Directions, int Coordinates>
std::vector<double> waves(discretization<Directions, Coordinates> const& V)
{
  auto const places = V.places();
  std::vector<double> u;
  for (std::size_t node = 0; node < at(V.owned()); ++node)
    for (int c = 0; c < V.components(); ++c) u.push_back(wave(&places[node * Coordinates], Coordinates, c));
  return u;
}

auto on(auto& x) { return sumfac::view(x.data(), static_cast<index_t>(x.size())); }

// A u of this process by a halo, or by a global_operator where there is one process alone.
template <class Operator, class Discretization>
std::vector<double> applied(Discretization const& V, std::vector<labelled> const& where, std::vector<double> const& u)
{
  sumfac::host const backend;
  Operator const A{backend, V.mesh_nodes()};
  auto const R = V.restriction(backend, where);
  std::vector<double> y(u.size());
  sumfac::distributed const L(A, R, V.halo());
  L.apply(on(u), on(y));
  return y;
}

// The same on a mesh that a process has for itself, by a global_operator.
template <class Operator, class Discretization>
std::map<place_name, std::vector<double>> applied_alone(Discretization const& V, std::vector<labelled> const& where)
{
  sumfac::host const backend;
  Operator const A{backend, V.mesh_nodes()};
  auto const R = V.restriction(backend, where);
  auto const u = waves(V), places = V.places();
  std::vector<double> y(u.size());
  sumfac::global_operator(A, R).apply(on(u), on(y));
  std::map<place_name, std::vector<double>> result;
  auto const coordinates = places.size() / at(V.nodes()), components = std::size_t(V.components());
  for (std::size_t node = 0; node < at(V.nodes()); ++node) {
    auto const first = y.begin() + std::ptrdiff_t(node * components);
    result[name_of(&places[node * coordinates], int(coordinates))] = {first, first + std::ptrdiff_t(components)};
  }
  return result;
}

template <class Operator, int Directions, int Coordinates = Directions>
void agrees_with_one_process(brick const& b, std::vector<labelled> const& where)
{
  int const components = Operator::components;
  auto const own = turned(PETSC_COMM_SELF, b, Coordinates);
  discretization<Directions, Coordinates> const alone(own, Operator::order, components);
  auto const expected = applied_alone<Operator>(alone, where);
  double most = 0;
  for (auto const& [name, list] : expected)
    for (double const y : list) most = support::larger(most, std::abs(y));
  for (way const how : ways) {
    CAPTURE(int(how));
    auto const m = shared_out(turned(PETSC_COMM_WORLD, b, Coordinates), how);
    discretization<Directions, Coordinates> const V(m, Operator::order, components);
    auto const y = applied<Operator>(V, where, waves(V)), places = V.places();
    double difference = 0;
    bool known = true;
    for (std::size_t node = 0; node < at(V.owned()); ++node) {
      auto const found = expected.find(name_of(&places[node * Coordinates], Coordinates));
      if (known = known && found != expected.end(); !known) break;
      for (std::size_t c = 0; c < std::size_t(components); ++c)
        difference = support::larger(difference, std::abs(y[node * std::size_t(components) + c] - found->second[c]));
    }
    CHECK(known);
    double const epsilon = std::numeric_limits<double>::epsilon();
    CHECK(greatest(difference) <= 8 * reference::roundings(Operator::order) * most * epsilon);
  }
}

using laplace = sumfac::element_operator<sumfac::laplace, 3>;
using flat_laplace = sumfac::element_operator<sumfac::laplace, sumfac::quadrilateral(4)>;
using vector_mass = sumfac::bp2<2>;
using surface_mass = sumfac::element_operator<sumfac::mass, sumfac::surface(3)>;

}  // namespace

TEST_CASE("operators are the same for any number of processes")
{
  agrees_with_one_process<laplace, 3>({3, 2, 2, bent}, {whole_boundary()});
  agrees_with_one_process<flat_laplace, 2>({4, 3, 0, bent}, {whole_boundary()});
  agrees_with_one_process<vector_mass, 3>({3, 2, 2, bent}, {whole_boundary({0, 2})});
  agrees_with_one_process<surface_mass, 2, 3>({4, 3, 0, bent}, {});
}

TEST_CASE("the energy of polynomials is exact")
{
  brick const b{3, 2, 2};
  auto const m = shared_out(turned(PETSC_COMM_WORLD, b, 3), way::scattered);
  discretization const V(m, 3);
  auto const places = V.places();
  std::vector<double> u;
  for (std::size_t node = 0; node < at(V.owned()); ++node) {  // x^3 y^2 z
    double const* x = &places[3 * node];
    u.push_back(x[0] * x[0] * x[0] * x[1] * x[1] * x[2]);
  }
  auto const y = applied<laplace>(V, {}, u);
  double mine = 0;
  for (std::size_t i = 0; i < u.size(); ++i) mine += u[i] * y[i];
  auto const line = [](double length, int power) { return std::pow(length, power + 1) / (power + 1); };
  double const exact = 9 * line(3, 4) * line(2, 4) * line(2, 2) + 4 * line(3, 6) * line(2, 2) * line(2, 2) +
                       line(3, 6) * line(2, 4) * line(2, 0);
  CHECK(std::abs(sum(mine) - exact) < 1e-12 * exact);
}

namespace {

// Boxes of PETSc's own, of unit cubes or squares.
mesh box(brick const& b, DMBoundaryType x, DMBoundaryType y, DMBoundaryType z)
{
  PetscInt const cells[3] = {b.x, b.y, b.z};
  PetscReal const lower[3] = {0, 0, 0}, upper[3] = {double(b.x), double(b.y), double(b.z)};
  DMBoundaryType const ends[3] = {x, y, z};
  DM dm = nullptr;
  ok(DMPlexCreateBoxMesh(PETSC_COMM_WORLD, b.directions(), PETSC_FALSE, cells, lower, upper, ends, PETSC_TRUE, &dm));
  return mesh(dm);
}
constexpr auto around = DM_BOUNDARY_PERIODIC, bounded = DM_BOUNDARY_NONE;
mesh box(brick const& b) { return box(b, bounded, bounded, bounded); }

// Owned entries that are marked, of all processes.
template <class Discretization>
double count(Discretization const& V, std::vector<labelled> const& where)
{
  auto const marks = V.marks(where);
  double most = 0;
  for (std::size_t i = 0; i < at(V.owned() * V.components()); ++i) most += marks[i] != 0;
  return sum(most);
}

// Whether exactly those nodes are marked at which a function of the place is true.
template <class Discretization, class Function>
bool marked_where(Discretization const& V, std::vector<labelled> const& where, Function const& f)
{
  auto const marks = V.marks(where);
  auto const places = V.places();
  int wrong = 0;
  for (std::size_t node = 0; node < at(V.nodes()); ++node)
    for (int c = 0; c < V.components(); ++c)
      wrong += (marks[node * std::size_t(V.components()) + std::size_t(c)] != 0) != f(&places[3 * node], c);
  return sum(wrong) == 0;
}

}  // namespace

TEST_CASE("nodes are constrained by labels and at the boundary")
{
  brick const b{3, 2, 4};
  for (way const how : ways) {
    CAPTURE(int(how));
    auto const m = shared_out(box(b), how);
    discretization const V(m, 3, 2);
    auto const close = [](double x, double y) { return std::abs(x - y) < 1e-9; };
    auto const outside = [&](double const* x, int) {
      return close(x[0] * (x[0] - 3), 0) || close(x[1] * (x[1] - 2), 0) || close(x[2] * (x[2] - 4), 0);
    };
    CHECK(marked_where(V, {whole_boundary()}, outside));
    CHECK(marked_where(V, {{"marker"}}, outside));
    CHECK(marked_where(V, {}, [](double const*, int) { return false; }));
    CHECK(count(V, {{"marker", 1, {1}}}) == 10 * 7 * 13 - 8 * 5 * 11);
    // PETSc's box numbers its sides: z = 0 is 1, x = 3 is 5.
    CHECK(marked_where(V, {{"Face Sets", 1, {0}}, {"Face Sets", 5}},
                       [&](double const* x, int c) { return close(x[0], 3) || (c == 0 && close(x[2], 0)); }));
    auto const R = V.restriction(sumfac::host{}, {{"Face Sets", 1}});
    CHECK(R.components() == 2);
    CHECK(R.nodes() == V.nodes());
  }
}

TEST_CASE("labels of vertices, edges and cells")
{
  brick const b{3, 2, 4};
  auto whole = box(b);
  ok(DMCreateLabel(whole, "chosen"));
  DMLabel label = nullptr;
  ok(DMGetLabel(whole, "chosen", &label));
  for (int depth = 0; depth <= 3; ++depth) {
    PetscInt first = 0, last = 0;
    ok(DMPlexGetDepthStratum(whole, depth, &first, &last));
    if (last > first) ok(DMLabelSetValue(label, first, 10 + depth));
  }
  auto const m = shared_out(std::move(whole), way::scattered);
  discretization const V(m, 4);
  double expected = 1;  // one point of each dimension with all around it: 5^depth nodes
  for (PetscInt depth = 0; depth <= 3; ++depth, expected *= 5) CHECK(count(V, {{"chosen", 10 + depth}}) == expected);
}

TEST_CASE("periodic boxes close")
{
  for (way const how : {way::partitioner, way::overlap, way::scattered})
    for (std::int64_t const n : {1, 4}) {
      CAPTURE(int(how), n);
      auto const torus = shared_out(box({3, 4, 3}, around, around, around), how);
      discretization const V(torus, int(n));
      CHECK(V.all_nodes() == 36 * n * n * n);
      CHECK(count(V, {whole_boundary()}) == 0);
      auto const tube = shared_out(box({3, 2, 4}, around, bounded, bounded), how);
      discretization const W(tube, int(n));
      CHECK(W.all_nodes() == 3 * n * (2 * n + 1) * (4 * n + 1));
      double const rim = double((2 * n + 1) * (4 * n + 1) - (2 * n - 1) * (4 * n - 1));
      CHECK(count(W, {whole_boundary()}) == 3 * double(n) * rim);
      auto const band = shared_out(box({5, 2, 0}, around, bounded, bounded), how);
      discretization<2> const B(band, int(n));
      CHECK(B.all_nodes() == 5 * n * (2 * n + 1));
    }
}

TEST_CASE("operators on a torus: constants have no energy, waves around it theirs")
{
  auto const torus = shared_out(box({6, 3, 3}, around, around, around), way::scattered);
  discretization const V(torus, 3);
  auto const places = V.places();
  std::vector<double> one(at(V.owned()), 1), wave;
  double const k = 2 * 3.14159265358979323846 / 6;
  for (std::size_t node = 0; node < at(V.owned()); ++node) wave.push_back(std::sin(k * places[3 * node]));
  double most = 0, energy = 0;
  for (double const y : applied<laplace>(V, {}, one)) most = support::larger(most, std::abs(y));
  CHECK(greatest(most) < 1e-13);
  auto const y = applied<laplace>(V, {}, wave);
  for (std::size_t i = 0; i < y.size(); ++i) energy += wave[i] * y[i];
  CHECK(std::abs(sum(energy) / (k * k / 2 * 54) - 1) < 1e-4);
}

TEST_CASE("owners and numbers make a halo of MPI's, and with_ghosts fetches what that does")
{
  auto const m = shared_out(turned(PETSC_COMM_WORLD, {3, 2, 2, bent}, 3), way::scattered);
  discretization const V(m, 3);
  sumfac::host const backend;
  laplace const A{backend, V.mesh_nodes()};
  auto const R = V.restriction(backend, {whole_boundary()});
  sumfac::mpi::halo const halo(PETSC_COMM_WORLD, V.owners(), V.numbers());
  sumfac::distributed const L(A, R, halo);
  auto const u = waves(V), by_petsc = applied<laplace>(V, {whole_boundary()}, u), places = V.places();
  std::vector<double> y(u.size());
  L.apply(on(u), on(y));
  double most = 0;
  for (std::size_t i = 0; i < y.size(); ++i) most = support::larger(most, std::abs(y[i] - by_petsc[i]));
  CHECK(greatest(most) < 1e-12);
  auto const all = V.with_ghosts(on(u));
  most = 0;
  for (std::size_t i = 0; i < all.size(); ++i)
    most = support::larger(most, std::abs(all[i] - ::wave(&places[3 * i], 3, 0)));
  CHECK(greatest(most) < 1e-12);
}

namespace {

// F u of a function that jumps, which is one of where a node lies and of where the middle of its element does: by the
// names of both.
template <class Faces>
std::map<std::pair<place_name, place_name>, double> applied_between(discretization<3> const& V, Faces const& F)
{
  auto const places = V.places();
  auto const nodes = power(V.degree() + 1, 3), size = at(V.elements()) * nodes;
  std::vector<std::pair<place_name, place_name>> names;
  std::vector<double> u(size), y(size);
  for (std::size_t e = 0; e < at(V.elements()); ++e) {
    auto const* const of_element = V.table().data() + e * nodes;
    double middle[3] = {};
    for (std::size_t p = 0; p < nodes; ++p)
      for (std::size_t c = 0; c < 3; ++c) middle[c] += places[3 * at(of_element[p]) + c] / double(nodes);
    for (std::size_t p = 0; p < nodes; ++p) {
      double const* const x = &places[3 * at(of_element[p])];
      names.emplace_back(name_of(middle, 3), name_of(x, 3));
      u[e * nodes + p] = wave(x, 3, 0) + wave(middle, 3, 1);
    }
  }
  int const n = V.degree() + 1;
  F.apply(sumfac::view(std::as_const(u).data(), V.elements(), n, n, n), sumfac::view(y.data(), V.elements(), n, n, n));
  std::map<std::pair<place_name, place_name>, double> result;
  for (std::size_t i = 0; i < size; ++i) result[names[i]] = y[i];
  return result;
}

}  // namespace

TEST_CASE("faces between cells of any processes, turned at random, are those of one process")
{
  brick const b{3, 2, 2, bent};
  using between = two_sided::interior_penalty;
  auto const own = turned(PETSC_COMM_SELF, b, 3);
  discretization<3> const alone(own, 2);
  sumfac::mesh const whole = alone.mesh();
  auto const expected = applied_between(alone, sumfac::interior_operator<between, 2>{sumfac::host{}, whole});
  double size = 0;
  for (auto const& [name, y] : expected) size = support::larger(size, std::abs(y));
  for (way const how : ways) {
    CAPTURE(int(how));
    auto const m = shared_out(turned(PETSC_COMM_WORLD, b, 3), how);
    discretization<3> const V(m, 2);
    sumfac::mpi::mesh_with_ghosts<3> const part(PETSC_COMM_WORLD, V, V.halo());
    sumfac::interior_operator<between, 2, sumfac::mpi::halo> const F{sumfac::host{}, part.nodes(), part.pairs(),
                                                                     part.halo()};
    double most = 0, count = 0;
    for (auto const& [name, y] : applied_between(V, F)) {
      auto const found = expected.find(name);
      if (found == expected.end()) continue;
      most = support::larger(most, std::abs(y - found->second));
      count += 1;
    }
    CHECK(sum(count) == double(expected.size()));
    CHECK(greatest(most) <= 1e-12 * size);
  }
}

namespace {

// A map of order 2 in each direction that is easy to invert: volumes stay as they are.
place curved(place const& p) { return {p[0] + 0.1 * p[1] * p[1], p[1], p[2] + 0.08 * p[0] * p[1]}; }
// How far a node is from the points of Gauss and Lobatto of a cell of the brick.
double off_points(double const* x, int coordinates, int n)
{
  double const s = x[0] - 0.1 * x[1] * x[1];
  double const inverse[3] = {s, x[1], coordinates == 3 ? x[2] - 0.08 * s * x[1] : 0};
  auto const points = gauss_lobatto(n);
  double most = 0;
  for (double y : inverse) {
    double least = 1;
    for (double const p : points) least = std::fmin(least, std::abs(y - std::floor(y + 1e-9) - (p + 1) / 2));
    most = std::fmax(most, least);
  }
  return most;
}
template <int Directions>
double off_points(discretization<Directions> const& V)
{
  auto const places = V.places();
  double most = 0;
  for (std::size_t node = 0; node < at(V.nodes()); ++node)
    most = std::fmax(most, off_points(&places[node * Directions], Directions, V.degree() + 1));
  return greatest(most);
}

template <class Operator, class Discretization>
double volume(Discretization const& V)
{
  std::vector<double> const one(at(V.owned()), 1);
  double mine = 0;
  for (double const y : applied<Operator>(V, {}, one)) mine += y;
  return sum(mine);
}

mesh refined(mesh const& m)
{
  DM dm = nullptr;
  ok(DMRefine(m, PETSC_COMM_WORLD, &dm));
  return mesh(dm);
}

}  // namespace

TEST_CASE("files of Gmsh's, straight and curved")
{
  brick const cubes{3, 2, 2, curved}, squares{4, 3, 0, curved};
  for (int const order : {1, 2})
    for (way const how : {way::overlap, way::last_empty}) {
      CAPTURE(order, int(how));
      auto const solid = shared_out(from_gmsh(cubes, order), how);
      discretization const V(solid, 5);
      CHECK(V.mesh_order() == order);
      check_nodes(V, cubes.nodes(5), cubes.cells());
      if (V.elements() > 0) CHECK(sumfac::function_space(V.mesh(), 5).nodes() == V.nodes());
      CHECK(count(V, {{"Face Sets", 7}}) == 11 * 11);
      CHECK(count(V, {{"Cell Sets", 3}}) == double(cubes.nodes(5)));
      auto const flat = shared_out(from_gmsh(squares, order), how);
      discretization<2> const W(flat, 6);
      CHECK(W.mesh_order() == order);
      check_nodes(W, squares.nodes(6), squares.cells());
      CHECK(count(W, {{"Face Sets", 7}}) == 3 * 6 + 1);
      if (order == 1) continue;
      CHECK(off_points(V) < rounding);
      CHECK(off_points(W) < rounding);
      discretization const mass_nodes(solid, 2);
      CHECK(std::abs(volume<sumfac::bp1<2>>(mass_nodes) - 12) < rounding);
    }
}

namespace {

// Triangles or tetrahedra by points and a table on the first process, their boundary labelled.
template <int Directions>
mesh of_simplices(checks::box_of_cells const& box)
{
  // A tetrahedron's corners in PETSc's order: https://petsc.org/release/manual/dmplex
  std::array<std::size_t, 4> const order =
      Directions == 3 ? std::array<std::size_t, 4>{0, 2, 1, 3} : std::array<std::size_t, 4>{0, 1, 2, 0};
  constexpr std::size_t corners = Directions + 1;
  std::vector<PetscInt> cells;
  std::vector<PetscReal> places;
  if (world.rank == 0) {
    for (std::size_t i = 0; i < box.table.size(); ++i) cells.push_back(box.table[i - i % corners + order[i % corners]]);
    places.assign(box.points.begin(), box.points.end());
  }
  DM dm = nullptr;
  ok(DMPlexCreateFromCellListPetsc(PETSC_COMM_WORLD, Directions, PetscInt(cells.size() / corners),
                                   PetscInt(places.size()) / Directions, int(corners), PETSC_TRUE, cells.data(),
                                   Directions, places.data(), &dm));
  DMLabel label = nullptr;
  ok(DMCreateLabel(dm, "walls"));
  ok(DMGetLabel(dm, "walls", &label));
  ok(DMPlexMarkBoundaryFaces(dm, 5, label));
  // The same sides by another label, one of them with 3, too; and two sides by a third label, with 0 and 2.
  DMLabel again = nullptr, end = nullptr;
  ok(DMCreateLabel(dm, "again"));
  ok(DMGetLabel(dm, "again", &again));
  ok(DMPlexMarkBoundaryFaces(dm, 5, again));
  ok(DMCreateLabel(dm, "end"));
  ok(DMGetLabel(dm, "end", &end));
  PetscInt side = 0, last = 0, cells_there = 0;
  ok(DMPlexGetHeightStratum(dm, 1, &side, &last));
  for (PetscInt value = 0; side < last && value <= 2; ++side) {
    ok(DMPlexGetSupportSize(dm, side, &cells_there));
    if (cells_there > 1) continue;
    ok(DMLabelSetValue(end, side, value));
    if (value == 2) ok(DMLabelSetValue(again, side, 3));
    value += 2;
  }
  return mesh(dm);
}

// Coordinates of an order, put where curved() says by their values at nodes.
void bend(DM dm, int order, int directions)
{
  ok(DMPlexCreateCoordinateSpace(dm, order, nullptr));
  Vec coordinates = nullptr;
  PetscInt size = 0;
  PetscScalar* x = nullptr;
  ok(DMGetCoordinatesLocal(dm, &coordinates));
  ok(VecGetLocalSize(coordinates, &size));
  ok(VecGetArray(coordinates, &x));
  for (PetscInt i = 0; i < size; i += directions) {
    place const at = curved({x[i], x[i + 1], directions == 3 ? x[i + 2] : 0});
    std::copy(at.begin(), at.begin() + directions, x + i);
  }
  ok(VecRestoreArray(coordinates, &x));
}

template <int Directions>
void reads_simplices(int order, way how)
{
  CAPTURE(Directions, order, int(how));
  checks::box_of_cells const box(Directions == 3 ? sumfac::tetrahedron(1) : sumfac::triangle(1), 3);
  auto const dm = shared_out(of_simplices<Directions>(box), how);
  if (order > 1) bend(dm, order, Directions);
  auto const read = sumfac::petsc::read_cells<Directions>(dm);
  auto const expected = box.template mesh<sumfac::cell_mesh<Directions>>();
  CHECK(read.nodes_1d() == order + 1);
  CHECK(sum(double(read.elements())) == double(expected.elements()));
  CHECK(sum(sumfac::function_space(read, 1).integral([](auto const&) { return 1.0; })) == Approx(1).epsilon(1e-12));
  // All processes have the names of three labels and three values.
  CHECK(read.names_of_sides().size() == 6);
  auto const size = [&](auto const& of) {
    double mine = 0;
    CHECK_NOTHROW(mine = double(read.boundary(of).size()));
    return sum(mine);
  };
  auto const walls = double(expected.boundary().size());
  CHECK(size("walls") == walls);
  CHECK(size("again") == walls);
  CHECK(size(5) == walls);
  CHECK(size(3) == 1);
  CHECK(size("end") == 2);
  CHECK(size(2) == 1);
  CHECK_THAT(support::message_of([&] { read.boundary(0); }), Contains("the name or tag 0"));
  // Nodes lie where those of straight elements are put.
  double most = 0;
  auto const straight = [&](double const* x) {
    double const s = order > 1 ? x[0] - 0.1 * x[1] * x[1] : x[0];
    return place{s, x[1], Directions == 2 ? 0 : order > 1 ? x[2] - 0.08 * s * x[1] : x[2]};
  };
  for (index_t e = 0; e < read.elements(); ++e) {
    double const* node = read.data() + e * read.extent(1) * Directions;
    for (int k = 0; k <= (Directions == 3 ? order : 0); ++k)
      for (int j = 0; j <= order - k; ++j)
        for (int i = 0; i <= order - k - j; ++i, node += Directions) {
          int const share[] = {order - i - j - k, i, j, k};
          place const at = straight(node);
          for (std::size_t c = 0; c < std::size_t(Directions); ++c) {
            double wanted = 0;
            for (int v = 0; v <= Directions; ++v) wanted += share[v] * straight(read.vertex_at(e, v))[c] / order;
            most = support::larger(most, std::abs(at[c] - wanted));
          }
        }
    if (world.count > 1) continue;
    for (int v = 0; v <= Directions; ++v) {
      CHECK(read.vertex(e, v) == expected.vertex(e, v));
      place const at = straight(read.vertex_at(e, v));
      for (int c = 0; c < Directions; ++c)
        most = support::larger(most, std::abs(at[std::size_t(c)] - expected.vertex_at(e, v)[c]));
    }
  }
  CHECK(greatest(most) < rounding);
}

}  // namespace

TEST_CASE("triangles and tetrahedra are read as a mesh, straight and curved")
{
  for (way const how : {way::overlap, way::last_empty})
    for (int const order : {1, 2, 3}) {
      reads_simplices<2>(order, how);
      reads_simplices<3>(order, how);
    }
  auto const flat = shared_out(box({2, 2, 0}), way::last_empty);
  CHECK_THAT(support::message_of([&] { sumfac::petsc::read_cells<2>(flat); }),
             Contains("petsc::read_cells: ") && Contains("cell 0 is a quadrilateral (triangle expected)"));
  CHECK_THAT(support::message_of([&] { sumfac::petsc::read_cells<3>(flat); }), Contains("take read_cells<2, 2>"));
  // Three triangles at an edge, all of the first process.
  PetscInt const cells[9] = {0, 1, 2, 0, 1, 3, 0, 1, 4};
  PetscReal const places[10] = {0, 0, 1, 0, 0, 1, 1, 1, 2, 1};
  DM fan = nullptr;
  ok(DMPlexCreateFromCellListPetsc(PETSC_COMM_WORLD, 2, world.rank == 0 ? 3 : 0, world.rank == 0 ? 5 : 0, 3, PETSC_TRUE,
                                   cells, 2, places, &fan));
  CHECK_THAT(support::message_of([&, kept = mesh(fan)] { sumfac::petsc::read_cells<2>(kept); }),
             Contains("petsc::read_cells: process 0: ") && Contains("a side is one of 3 elements"));
}

namespace {

// Cells whose vertices are turned at random, so that volumes stay positive.
template <int Directions>
checks::box_of_cells turned_simplices(int cells)
{
  checks::box_of_cells box(Directions == 3 ? sumfac::tetrahedron(1) : sumfac::triangle(1), cells);
  for (std::size_t e = 0; e < box.table.size() / (Directions + 1); ++e) {
    support::generator next(e + 1);
    auto const own = box.table.begin() + std::ptrdiff_t(e * (Directions + 1));
    for (int side = 0; side < Directions - 1; ++side)
      std::rotate(own + side, own + side + 1 + std::ptrdiff_t(next.bits() >> 40) % 2, own + side + 3);
  }
  return box;
}

template <int Directions>
using of_cells = discretization<Directions, Directions, cell_shape::simplex>;

// Numbers of nodes are those of a function space's on the whole mesh.
template <int Directions>
void checks_simplices(way how)
{
  CAPTURE(Directions, int(how));
  auto const box = turned_simplices<Directions>(2);
  auto const whole = box.template mesh<sumfac::cell_mesh<Directions>>();
  auto const dm = shared_out(of_simplices<Directions>(box), how);
  auto const check_all = [&](std::initializer_list<int> degrees) {
    for (int const degree : degrees) {
      CAPTURE(degree);
      of_cells<Directions> const V(dm, degree, 2);
      sumfac::function_space const all{whole, degree, whole.boundary()};
      check_nodes(V, all.nodes(), double(whole.elements()));
      std::int64_t inside = all.nodes();
      for (index_t node = 0; node < all.nodes(); ++node) inside -= all.is_fixed(node, 0) ? 1 : 0;
      auto const rim = double(all.nodes() - inside);
      for (auto const& where : {whole_boundary(), labelled{"walls", 5}}) {
        auto const marks = V.marks({where});
        double mine = 0;
        for (index_t i = 0; i < 2 * V.owned(); ++i) mine += marks[at(i)];
        CHECK(sum(mine) == 2 * rim);
      }
    }
  };
  check_all({1, 2, 5});
  bend(dm, 2, Directions);
  check_all({4});
}

}  // namespace

TEST_CASE("tetrahedra and triangles: neighbours' nodes coincide however cells are turned")
{
  for (way const how : {way::overlap, way::scattered, way::last_empty}) {
    checks_simplices<2>(how);
    checks_simplices<3>(how);
  }
}

namespace {

// K + B, of B the sides' mass: the energy of x, by levels as by none, on any number of processes.
template <class Discretization, class Operator, class Restriction>
void check_sides(Discretization const& V, std::vector<sumfac::element_side> const& sides, Operator const& K,
                 Restriction const& R)
{
  constexpr int order = Operator::order;
  constexpr bool is_simplex = decltype(V.mesh())::shape == cell_shape::simplex;
  constexpr auto on_side = is_simplex ? sumfac::surface_triangle(order) : sumfac::surface(order);
  sumfac::host const backend;
  auto const wall = V.on(sides);
  sumfac::element_operator<sumfac::mass, on_side> const B{backend, wall.mesh()};
  auto const on_wall = wall.restriction(backend);
  sumfac::sum const L{sumfac::part{K, R, V.halo()}, sumfac::part{B, on_wall, V.halo()}};
  auto const places = V.places();
  std::vector<double> x, y(at(V.owned())), found(y.size(), 0);
  for (std::size_t node = 0; node < y.size(); ++node) x.push_back(places[3 * node]);
  L.apply(on(x), on(y));
  double energy = 0, most = 0;
  for (std::size_t i = 0; i < y.size(); ++i) energy += x[i] * y[i];
  CHECK(sum(energy) == Approx(1 + 4.0 / 3 + 1).epsilon(1e-12));  // the volume; x^2 on four sides and one
  sumfac::multigrid const P{sumfac::p_levels<order, 1>(L, V.mesh_nodes(), wall.mesh_nodes())};
  auto const solved = sumfac::cg(L, y, found, P, {.tolerance = 1e-11});
  CHECK(solved);
  CHECK(solved.iterations < 25);
  for (std::size_t i = 0; i < x.size(); ++i) most = support::larger(most, std::abs(found[i] - x[i]));
  CHECK(greatest(most) < 1e-8);
}

}  // namespace

TEST_CASE("hexahedra: terms on sides, with levels, for any number of processes")
{
  auto const m = shared_out(turned(PETSC_COMM_WORLD,
                                   {2, 2, 2,
                                    [](place const& p) {
                                      return place{p[0] / 2, p[1] / 2, p[2] / 2};
                                    }},
                                   3),
                            way::scattered);
  discretization const V(m, 3);
  laplace const K{sumfac::host{}, V.mesh_nodes()};
  auto const R = V.restriction(sumfac::host{});
  std::vector<sumfac::element_side> outside;  // but those where processes meet
  auto const mesh = V.mesh();
  for (auto const& side : mesh.boundary([](auto const& x) {
         bool is_outside = false;
         for (int c = 0; c < 3; ++c) is_outside = is_outside || std::abs(x[c] * (1 - x[c])) < 1e-9;
         return is_outside;
       }))
    outside.push_back(side);
  check_sides(V, outside, K, R);
}

TEST_CASE(
    "tetrahedra: the energy of polynomials, a mesh with names, and steps of multigrid for any number of processes")
{
  constexpr int order = 3;
  auto const box = turned_simplices<3>(2);
  sumfac::host const backend;
  using laplace_of_cells = sumfac::element_operator<sumfac::laplace, sumfac::tetrahedron(order)>;
  // Steps on the whole mesh.
  auto const whole = box.mesh<sumfac::cell_mesh<3>>();
  sumfac::function_space const all{whole, order, whole.boundary()};
  laplace_of_cells const of_all{backend, whole};
  auto const of_nodes = all.restriction(backend);
  auto const steps = [](auto const& L, std::vector<double> const& u, std::vector<double>& x, auto&& levels) {
    std::vector<double> b(u.size());
    L.apply(on(u), on(b));
    return sumfac::cg(L, b, x, sumfac::multigrid{std::move(levels)}, {.tolerance = 1e-10}).iterations;
  };
  auto const bump = [](double const* x) {
    return std::sin(2 * x[0] + x[1]) * x[0] * x[1] * x[2] * (1 - x[0]) * (1 - x[1]) * (1 - x[2]);
  };
  std::vector<double> u, x(at(all.nodes()), 0);
  auto const positions = all.positions();
  for (std::size_t node = 0; node < x.size(); ++node) u.push_back(bump(&positions[3 * node]));
  auto const expected =
      steps(sumfac::global_operator{of_all, of_nodes}, u, x, sumfac::p_levels<order, 1>(of_all, whole, of_nodes));
  for (way const how : {way::scattered, way::last_empty}) {
    CAPTURE(int(how));
    auto const dm = shared_out(of_simplices<3>(box), how);
    of_cells<3> const V(dm, order);
    laplace_of_cells const A{backend, V.mesh_nodes()};
    auto const places = V.places();
    std::vector<double> polynomial, y(at(V.owned())), own, found(y.size(), 0);
    for (std::size_t node = 0; node < y.size(); ++node) {
      double const* const at_node = &places[3 * node];
      polynomial.push_back(at_node[0] * at_node[0] * at_node[1]);
      own.push_back(bump(at_node));
    }
    auto const unconstrained = V.restriction(backend);
    sumfac::distributed const everywhere(A, unconstrained, V.halo());
    everywhere.apply(on(polynomial), on(y));
    double energy = 0, most = 0;
    for (std::size_t i = 0; i < y.size(); ++i) energy += y[i] * polynomial[i];
    CHECK(sum(energy) == Approx(4.0 / 9 + 1.0 / 5).epsilon(1e-12));
    auto const R = V.restriction(backend, {whole_boundary()});
    sumfac::global_operator const L{A, R, V.halo()};
    auto const got = steps(L, own, found, sumfac::p_levels<order, 1>(L, V.mesh_nodes()));
    CHECK(std::abs(got - expected) <= 1);
    for (std::size_t i = 0; i < own.size(); ++i) most = support::larger(most, std::abs(found[i] - own[i]));
    CHECK(greatest(most) < 1e-9);
    // PETSc's solver, with these levels.
    sumfac::petsc::shell const S(A, R, V.halo(), {.symmetric = true});
    Vec solution = nullptr, right = nullptr;
    KSP ksp = nullptr;
    PC pc = nullptr;
    ok(MatCreateVecs(S, &solution, &right));
    std::vector<double> b(own.size());
    L.apply(on(own), on(b));
    {
      sumfac::petsc::write_array const entries(right);
      for (index_t i = 0; i < V.owned(); ++i) entries.view()(i) = b[at(i)];
    }
    ok(KSPCreate(PETSC_COMM_WORLD, &ksp));
    ok(KSPSetType(ksp, KSPCG));
    ok(KSPSetOperators(ksp, S, S));
    ok(KSPGetPC(ksp, &pc));
    sumfac::petsc::multigrid const by_petsc(pc, sumfac::p_levels<order, 1>(S.matrix(), V.mesh_nodes()));
    ok(KSPSetTolerances(ksp, 1e-11, 0, PETSC_DEFAULT, 40));
    ok(KSPSolve(ksp, right, solution));
    {
      sumfac::petsc::read_array const entries(solution);
      most = 0;
      for (index_t i = 0; i < V.owned(); ++i) most = support::larger(most, std::abs(entries.view()(i) - own[at(i)]));
    }
    CHECK(greatest(most) < 1e-9);
    ok(KSPDestroy(&ksp));
    for (Vec v : {solution, right}) ok(VecDestroy(&v));
    // Elements of its mesh are those of the table.
    auto const mesh = V.mesh();
    check_sides(V, mesh.boundary("walls"), A, unconstrained);
    double moved = 0, sides = double(mesh.boundary("walls").size());
    for (index_t i = 0; i < mesh.size(); ++i)
      moved = support::larger(moved, std::abs(mesh.data()[i] - V.mesh_nodes().data()[i]));
    CHECK(mesh.elements() == V.elements());
    CHECK(moved == 0);
    CHECK(sum(sides) == double(whole.boundary().size()));
  }
}

TEST_CASE("refined meshes")
{
  brick const cubes{2, 1, 2, bent};
  for (way const how : {way::partitioner, way::last_empty}) {
    CAPTURE(int(how));
    auto const fine = refined(shared_out(turned(PETSC_COMM_WORLD, cubes, 3), how));
    check_nodes(discretization(fine, 3), brick{4, 2, 4}.nodes(3), 32);
    auto const finer = refined(shared_out(box({3, 2, 0}, around, bounded, bounded), how));
    CHECK(discretization<2>(finer, 4).all_nodes() == 24 * 17);
    auto const torus = refined(shared_out(box({3, 3, 4}, around, around, around), how));
    CHECK(std::abs(volume<sumfac::bp1<2>>(discretization(torus, 2)) - 36) < rounding);
  }
}

TEST_CASE("curved meshes of other orders")
{
  brick const cubes{2, 1, 2, bent}, squares{3, 2, 0, bent};
  auto const solid = shared_out(turned(PETSC_COMM_WORLD, cubes, 3), way::scattered);
  ok(DMPlexCreateCoordinateSpace(solid, 3, nullptr));
  discretization const V(solid, 4);
  CHECK(V.mesh_order() == 3);
  check_nodes(V, cubes.nodes(4), 4);
  auto const flat = shared_out(turned(PETSC_COMM_WORLD, squares, 2), way::scattered);
  ok(DMPlexCreateCoordinateSpace(flat, 5, nullptr));
  discretization<2> const W(flat, 3);
  CHECK(W.mesh_order() == 5);
  check_nodes(W, squares.nodes(3), 6);
}

namespace {

using support::message_of;
template <int Directions = 3, int Coordinates = Directions>
std::string told_of(DM dm, int degree = 2, int components = 1)
{
  return message_of([&] { discretization<Directions, Coordinates>(dm, degree, components); });
}

mesh simplices()
{
  PetscInt const cells[6] = {0, 1, 2, 1, 3, 2};
  PetscReal const places[8] = {0, 0, 1, 0, 0, 1, 1, 1};
  DM dm = nullptr;
  ok(DMPlexCreateFromCellListPetsc(PETSC_COMM_WORLD, 2, world.rank == 0 ? 2 : 0, world.rank == 0 ? 4 : 0, 3, PETSC_TRUE,
                                   cells, 2, places, &dm));
  return mesh(dm);
}

// A field of coordinates of an order that its Vec does not have, of all products of polynomials or only of some.
void set_order(DM dm, int order, PetscBool simplex)
{
  DM of_coordinates = nullptr;
  PetscFE fe = nullptr;
  ok(DMGetCoordinateDM(dm, &of_coordinates));
  ok(PetscFECreateLagrange(PETSC_COMM_SELF, 2, 2, simplex, order, 1, &fe));
  ok(DMSetField(of_coordinates, 0, nullptr, reinterpret_cast<PetscObject>(fe)));
  ok(PetscFEDestroy(&fe));
}

}  // namespace

TEST_CASE("other meshes are refused with a diagnostic, by all processes")
{
  auto const solid = shared_out(box({2, 2, 2}), way::last_empty), flat = shared_out(box({2, 2, 0}), way::last_empty);
  CHECK_THAT(told_of(nullptr), Contains("there is no DM"));
  CHECK_THAT(told_of(solid, 0), Contains("the degree does not fit (got 0, 1 to 31 expected)"));
  CHECK_THAT(told_of(solid, 32), Contains("(got 32, 1 to 31 expected)"));
  CHECK_THAT(told_of(solid, 2, 0), Contains("components are too few (got 0, at least 1 expected)"));
  CHECK_THAT(told_of(flat), Contains("2 directions in 2 coordinates (3 in 3 expected): take discretization<2, 2>"));
  CHECK_THAT(told_of<2>(solid), Contains("take discretization<3, 3>"));
  auto const in_space = turned(PETSC_COMM_WORLD, {2, 2, 0}, 3);
  CHECK_THAT(told_of<2>(in_space), Contains("2 directions in 3 coordinates (2 in 2 expected)"));
  CHECK_THAT(told_of<2>(simplices()), Contains("cell 0 is a triangle (quadrilateral expected)"));
  DM grid = nullptr;
  ok(DMDACreate2d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_BOX, 20, 20, PETSC_DECIDE,
                  PETSC_DECIDE, 1, 1, nullptr, nullptr, &grid));
  CHECK_THAT(told_of<2>(mesh(grid)), Contains("the DM is of type da (plex expected)"));
  DM bare = nullptr;
  ok(DMPlexUninterpolate(solid, &bare));
  CHECK_THAT(told_of(mesh(bare)), Contains("no faces and edges"));
}

TEST_CASE("fields of coordinates that do not fit are refused")
{
  auto const flat = [] { return shared_out(box({2, 2, 0}), way::last_empty); };
  auto const some = flat(), many = flat(), other = flat();
  set_order(some, 2, PETSC_TRUE);
  CHECK_THAT(told_of<2>(some), Contains("of order 2, has 12 functions of 2 components (18 of 2 expected"));
  set_order(many, 16, PETSC_FALSE);
  CHECK_THAT(told_of<2>(many), Contains("of order 16 (1 to 15 expected)"));
  set_order(other, 2, PETSC_FALSE);
  CHECK_THAT(told_of<2>(other), Contains("has 8 coordinates (18 expected, of order 2) of vertices alone"));
}

TEST_CASE("labels that there are not are refused")
{
  auto const solid = shared_out(box({2, 2, 2}), way::last_empty);
  discretization const V(solid, 2, 2);
  auto const of = [&](labelled const& where) { return message_of([&] { V.restriction(sumfac::host{}, {where}); }); };
  CHECK_THAT(of({"walls"}), Contains("the mesh has no label \"walls\""));
  CHECK_THAT(of({"Face Sets", 9}), Contains("marks no point with 9 (its values: 1 to 6)"));
  CHECK_THAT(of({"Face Sets", 1, {0, 2}}), Contains("a component is out of range (got 2, 0 to 1 expected)"));
  CHECK(of({"Face Sets", 1, {1}}).empty());
}

TEST_CASE("what PETSc says on one process while cells are read is thrown on all")
{
  int const last = world.count - 1;
  auto const reads = [&](auto const& look) {
    return [&look] { sumfac::detail::agree_on_petsc(PETSC_COMM_WORLD, "petsc::read_cells", look); };
  };
  std::string const of_last = "process " + std::to_string(last) + ": ";
  auto const by_petsc = [&] {
    if (world.rank == last) sumfac::detail::check_petsc("petsc::read_cells", PETSC_ERR_ARG_OUTOFRANGE);
  };
  CHECK_THROWS_AS(reads(by_petsc)(), sumfac::backend_error);
  CHECK_THROWS_WITH(reads(by_petsc)(), Contains("sumfac::petsc::read_cells: " + of_last) && Contains("PETSc says: "));
  auto const by_us = [&] {
    if (world.rank == last) sumfac::fail("mesh", "a side is one of 3 elements");
  };
  CHECK_THROWS_AS(reads(by_us)(), sumfac::argument_error);
  CHECK_THROWS_WITH(reads(by_us)(), Contains(of_last + "sumfac::mesh: a side is one"));
  CHECK_NOTHROW(reads([] {})());
}
