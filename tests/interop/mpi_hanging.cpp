// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes, some of which hang, whole on each process, whose elements processes share out: operators, blocks, solves and
// levels beside those of one process.
#include "processes.hpp"
#include "shares.hpp"

#include <sumfac/dofs/function_space.hpp>
#include <sumfac/dofs/mixed_space.hpp>
#include <sumfac/form/mass.hpp>
#include <sumfac/form/stiffness.hpp>
#include <sumfac/form/weak.hpp>
#include <sumfac/interop/mpi_space.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/mesh/cell_mesh.hpp>
#include <sumfac/mesh/mixed_mesh.hpp>
#include <sumfac/mesh/refined.hpp>
#include <sumfac/operator/block_operator.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/operator/sum.hpp>
#include <sumfac/operator/sum_by_kind.hpp>
#include <sumfac/solver/block_preconditioner.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/chebyshev.hpp>
#include <sumfac/solver/gmres.hpp>
#include <sumfac/solver/kinds_level.hpp>
#include <sumfac/solver/minres.hpp>
#include <sumfac/solver/multigrid.hpp>
#include <sumfac/solver/p_levels.hpp>
#include <sumfac/solver/transfer.hpp>

#include <catch2/catch.hpp>
#include <support/larger.hpp>
#include <support/random.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using shares::way;
using sumfac::function_space, sumfac::index_t, sumfac::mpi::space_part;

processes const world;

std::vector<int> shared_out(way how, index_t elements)
{
  std::vector<int> list;
  for (int e = 0; e < elements; ++e)
    list.push_back(shares::process_of(how, e, static_cast<int>(elements), world.count));
  return list;
}

double size_of(std::vector<double> const& x)
{
  double most = 0;
  for (double const entry : x) most = support::larger(most, std::abs(entry));
  return most;
}
// On all processes, over the greatest entry.
double off(std::vector<double> const& x, std::vector<double> const& expected)
{
  double most = x.size() == expected.size() ? 0 : 1e300;
  for (std::size_t i = 0; i < x.size() && i < expected.size(); ++i)
    most = support::larger(most, std::abs(x[i] - expected[i]));
  return greatest(most) / greatest(size_of(expected));
}

auto const bend = [](auto at) {
  at[0] += 0.1 * at[1] * at[1];
  return at;
};
auto const exact = [](auto const& at) { return std::sin(3 * at[0] + 2 * at[1]) + at[0]; };
auto const source = [](auto const& at) { return 13 * std::sin(3 * at[0] + 2 * at[1]); };

// A communicator that is freed as soon as a part has been made of it.
struct lent_communicator {
  lent_communicator() { MPI_Comm_dup(MPI_COMM_WORLD, &comm); }
  ~lent_communicator() { MPI_Comm_free(&comm); }
  lent_communicator(lent_communicator const&) = delete;
  lent_communicator& operator=(lent_communicator const&) = delete;
  operator MPI_Comm() const { return comm; }

  MPI_Comm comm = MPI_COMM_NULL;
};

// A space's operator on the whole mesh and in parts.
template <class Operator, class Mesh>
struct both {
  static constexpr int directions = Mesh::directions;

  both(Mesh const& mesh, int degree, std::vector<int> const& process, int components = 1)
      : V(mesh, degree, mesh.boundary(), {.components = components}),
        part(lent_communicator(), V, process),
        A_all(sumfac::host{1}, mesh),
        A(sumfac::host{1}, part.mesh_nodes()),
        R_all(V.restriction(sumfac::host{1})),
        R(part.restriction(sumfac::host{1})),
        whole(A_all, R_all),
        L(A, R, part.halo())
  {
  }
  function_space<Mesh::directions> V;
  space_part<Mesh::directions, Mesh::directions, Mesh::shape> part;
  Operator A_all, A;
  sumfac::restriction<> R_all, R;
  sumfac::global_operator<Operator, sumfac::restriction<>> whole;
  sumfac::global_operator<Operator, sumfac::restriction<>, sumfac::mpi::halo> L;
};

template <class Both>
void applies(Both const& c)
{
  auto const x = support::random<double>(static_cast<std::size_t>(c.V.size()), 7);
  std::vector<double> y(x.size()), d(x.size());
  c.whole.apply(x, y);
  c.whole.diagonal(d);
  auto own_y = c.part.owned(x), own_d = own_y;
  c.L.apply(c.part.owned(x), own_y);
  c.L.diagonal(own_d);
  CHECK(off(own_y, c.part.owned(y)) < 1e-13);
  CHECK(off(own_d, c.part.owned(d)) < 1e-13);
  CHECK(c.part.whole(own_y).size() == y.size());
  CHECK(off(c.part.whole(own_y), y) < 1e-13);
}

// With a term on sides of squares of degree 3, some of which hang; nothing is fixed.
template <class Both>
void applies_on_sides(Both const& c, std::vector<sumfac::element_side> const& sides)
{
  using on_curve = sumfac::element_operator<sumfac::mass, sumfac::curve(3, 2)>;
  sumfac::host const one{1};
  auto const of_all = c.V.on(sides);
  auto const of_part = c.part.on(sides);
  on_curve const B_all(one, of_all.mesh()), B(one, of_part.mesh_nodes());
  auto const R_all = c.V.unconstrained(one), S_all = of_all.unconstrained(one), R = c.part.unconstrained(one),
             S = of_part.unconstrained(one);
  sumfac::sum const whole{sumfac::part{c.A_all, R_all}, sumfac::part{B_all, S_all}};
  sumfac::sum const L{sumfac::part{c.A, R, c.part.halo()}, sumfac::part{B, S, of_part.halo()}};
  auto const x = support::random<double>(static_cast<std::size_t>(c.V.size()), 11);
  std::vector<double> y(x.size());
  auto own_y = c.part.owned(x);
  whole.apply(x, y);
  L.apply(c.part.owned(x), own_y);
  CHECK(off(own_y, c.part.owned(y)) < 1e-13);
}

// Elements interpolate in parts as in the whole mesh, on both sides of the cut; by rows alone products are the same.
template <class Both>
void interpolates(Both const& c)
{
  auto const& of_part = c.R.table().masks();
  index_t expected = 0, cut = 0;
  for (index_t e = 0; e < c.part.elements(); ++e) {
    auto const mask = c.R_all.table().masks().mask(c.part.element(e));
    CHECK(of_part.mask(e) == mask);
    expected += mask != 0 ? 1 : 0;
  }
  CHECK(of_part.size() == expected);
  auto const count = [&](auto const& of) {
    for (index_t const e : of.active()) cut += of.table().masks().mask(e) != 0 ? 1 : 0;
  };
  auto const& parts = c.L.part().cut();
  for (int i = 0; i < parts.parts() && parts.owned_entries() > 0; ++i) count(parts.interior(i));
  if (parts.boundary_elements() > 0) count(parts.boundary());
  CHECK(cut == expected);
  CHECK(greatest(static_cast<double>(expected)) > 0);

  sumfac::constraints rows;
  auto const& of_all = c.R.table().rows().all();
  std::vector<sumfac::constraint_term> terms;
  std::vector<unsigned char> marks(static_cast<std::size_t>(c.R.size()), 0);
  int const each = c.R.components();
  for (index_t node = 0; node < c.R.nodes(); ++node)
    for (int k = 0; k < each; ++k) marks[static_cast<std::size_t>(node * each + k)] = c.R.table().constrained(node, k);
  for (auto const& row : of_all) {
    terms.clear();
    for (auto const& t : row.terms) terms.push_back({t.index, t.weight, t.component});
    rows.add_component(row.key / each, static_cast<int>(row.key % each), terms);
    marks[static_cast<std::size_t>(row.key)] = 0;
  }
  auto const* const numbers = c.R.table().element(0);
  auto const table = sumfac::detail::element_view<Both::directions>(numbers, c.R.elements(), c.R.nodes_1d());
  sumfac::restriction const by_rows{sumfac::host{1},
                                    table,
                                    c.R.nodes(),
                                    sumfac::view(std::as_const(marks).data(), c.R.nodes(), index_t{each}),
                                    rows,
                                    {.components = each}};
  CHECK(by_rows.table().masks().size() == 0);
  sumfac::global_operator const other(c.A, by_rows, c.part.halo());
  auto const x = c.part.owned(support::random<double>(static_cast<std::size_t>(c.V.size()), 9));
  auto y = x, by_others = x;
  c.L.apply(x, y);
  other.apply(x, by_others);
  CHECK(off(y, by_others) < 1e-13);
}

template <class Both, class ByWhole, class ByPart>
void solves(Both const& c, ByWhole const& by, ByPart const& by_part, int most)
{
  auto b = c.V.load(source);
  auto own_b = c.part.owned(b);
  auto u = c.V.lift(c.A_all, exact, b), own_u = c.part.lift(c.A, exact, own_b);
  CHECK(off(own_b, c.part.owned(b)) < 1e-13);
  auto const one = sumfac::cg(c.whole, b, u, by, {.tolerance = 1e-12});
  auto const all = sumfac::cg(c.L, own_b, own_u, by_part, {.tolerance = 1e-12});
  CHECK(one);
  CHECK(all);
  CAPTURE(one.iterations, all.iterations);
  CHECK(std::abs(one.iterations - all.iterations) <= 1);
  CHECK(all.iterations <= most);
  c.V.distribute(u);
  c.L.distribute(own_u);
  CHECK(off(own_u, c.part.owned(u)) < 1e-9);
}

template <class Both>
auto jacobi_of(Both const& c, auto const& matrix)
{
  std::vector<double> d(static_cast<std::size_t>(matrix.size()));
  matrix.diagonal(d);
  static_cast<void>(c);
  return sumfac::jacobi(sumfac::host{1}, sumfac::vector_argument<double const>(d).entries);
}

// A level that follows by itself is the whole mesh's, in the part that a space of its degree has.
template <class Level, class WholeLevel, class Part>
void same_matrices(Level const& made, WholeLevel const& whole, Part const& part)
{
  CHECK(made.size() == part.size());
  CHECK(made.restriction().nodes() == part.nodes());
  auto const x = support::random<double>(static_cast<std::size_t>(whole.size()), 3);
  std::vector<double> y(x.size());
  auto own_y = part.owned(x);
  whole.matrix().apply(x, y);
  made.matrix().apply(part.owned(x), own_y);
  CHECK(off(own_y, part.owned(y)) < 1e-13);
}

template <int N>
using on_squares = sumfac::element_operator<sumfac::laplace, sumfac::quadrilateral(N)>;

}  // namespace

TEST_CASE("meshes that hang, in parts: products, diagonals, given values and solves are those of the whole mesh")
{
  // Corners of three sizes, next to each other; and one element in space that is cut.
  auto const squares = sumfac::refine(sumfac::refine(sumfac::box_mesh({3, 3}, bend), {0, 1, 4}), {0, 3, 9});
  auto const cubes = sumfac::refine(sumfac::box_mesh({2, 2, 2}, bend), {0, 5});
  REQUIRE(squares.hanging().size() > 0);
  REQUIRE(cubes.hanging().size() > 0);
  auto const alone = sumfac::mesh<2>::copy_of(squares.nodes());  // whose levels end with the degrees
  for (way const how : {way::scattered, way::last_empty, way::first_all}) {
    CAPTURE(static_cast<int>(how));
    both<on_squares<3>, sumfac::mesh<2>> const c(squares, 3, shared_out(how, squares.elements()));
    applies(c);
    applies_on_sides(c, squares.boundary([](auto const& at) { return at[1] < 1e-9; }));
    interpolates(c);
    solves(c, jacobi_of(c, c.whole), jacobi_of(c, c.L), 500);
    both<on_squares<1>, sumfac::mesh<2>> const coarse(squares, 1, shared_out(how, squares.elements()));
    applies(coarse);
    sumfac::multigrid const by{
        sumfac::levels{sumfac::level{c.A_all, c.R_all}, sumfac::level{coarse.A_all, coarse.R_all}}};
    sumfac::multigrid const by_part{sumfac::levels{sumfac::level{c.L}, sumfac::level{coarse.L}}};
    solves(c, by, by_part, 25);
    sumfac::multigrid const following{sumfac::p_levels<3, 1>(c.A_all, alone, c.R_all)};
    sumfac::multigrid const following_parts{sumfac::p_levels<3, 1>(c.L, c.part)};
    solves(c, following, following_parts, 25);
    same_matrices(following_parts.levels().at<1>(), following.levels().last(), coarse.part);
    both<sumfac::element_operator<sumfac::vector_laplace<3>, 2>, sumfac::mesh<3>> const d(
        cubes, 2, shared_out(how, cubes.elements()), 3);
    applies(d);
    interpolates(d);
  }
}

namespace {

constexpr sumfac::weak::trial_function<2> flow{};
constexpr auto divergence = integrate(sumfac::weak::q * -div(flow));

// Stokes' equations by the Taylor-Hood pair, on the whole mesh and in parts.
struct stokes {
  static constexpr auto fine = sumfac::quadrilateral(2), coarse = sumfac::quadrilateral(1);
  using of_velocities = sumfac::element_operator<sumfac::vector_laplace<2>, fine>;
  using of_pressures = sumfac::element_operator<sumfac::mass, coarse>;
  using between = sumfac::element_operator<decltype(divergence), sumfac::spaces{.trial = fine, .test = coarse}>;

  stokes(sumfac::mesh<2> const& mesh, way how)
      : V(mesh, 2, mesh.boundary(), {.components = 2}),
        Q(mesh, 1),
        of_u(MPI_COMM_WORLD, V, shared_out(how, mesh.elements())),
        of_p(MPI_COMM_WORLD, Q, shared_out(how, mesh.elements())),
        K_all(one, mesh),
        K(one, of_u.mesh_nodes()),
        M_all(one, mesh),
        M(one, of_p.mesh_nodes()),
        B_all(one, mesh, divergence),
        B(one, of_u.mesh_nodes(), divergence)
  {
  }
  // What a process owns of velocities and pressures of the whole mesh.
  std::vector<double> owned(std::vector<double> const& x) const
  {
    auto const middle = x.begin() + V.size();
    auto own = of_u.owned(std::vector<double>(x.begin(), middle));
    for (double const p : of_p.owned(std::vector<double>(middle, x.end()))) own.push_back(p);
    return own;
  }

  sumfac::host one{1};
  function_space<2> V, Q;
  space_part<2, 2, sumfac::cell_shape::lines> of_u, of_p;
  of_velocities K_all, K;
  of_pressures M_all, M;
  between B_all, B;
  sumfac::restriction<> Ru_all = V.restriction(one), Rp_all = Q.restriction(one), Ru = of_u.restriction(one),
                        Rp = of_p.restriction(one);
  sumfac::global_operator<of_velocities, sumfac::restriction<>> A_all{K_all, Ru_all};
  sumfac::global_operator<of_velocities, sumfac::restriction<>, sumfac::mpi::halo> A{K, Ru, of_u.halo()};
  sumfac::coupling<between, sumfac::restriction<>> D_all{B_all, Rp_all, Ru_all};
  sumfac::coupling<between, sumfac::restriction<>, sumfac::mpi::halo> D{B, Rp, Ru, of_p.halo(), of_u.halo()};
};

}  // namespace

TEST_CASE("blocks in parts apply and solve Stokes' equations as those of the whole mesh")
{
  auto const hanging = sumfac::refine(sumfac::box_mesh({3, 2}, bend), {0, 4});
  for (way const how : {way::slabs, way::scattered, way::last_empty, way::first_all}) {
    CAPTURE(static_cast<int>(how));
    {
      stokes const c(hanging, how);
      sumfac::sum const C_all{-0.5 * sumfac::part{c.M_all, c.Rp_all}};
      sumfac::sum const C{-0.5 * sumfac::part{c.M, c.Rp, c.of_p.halo()}};
      sumfac::block_operator const S_all{c.A_all, c.D_all, C_all};
      sumfac::block_operator const S{c.A, c.D, C};
      auto const x = support::random<double>(static_cast<std::size_t>(S_all.size()), 5);
      std::vector<double> y(x.size(), std::nan("")), d(y);
      auto const own_x = c.owned(x);
      std::vector<double> own_y(own_x.size(), std::nan("")), own_d(own_y);
      REQUIRE(S.size() == static_cast<index_t>(own_x.size()));
      S_all.apply(x, y);
      S_all.diagonal(d);
      S.apply(own_x, own_y);
      S.diagonal(own_d);
      CHECK(off(own_y, c.owned(y)) < 1e-13);
      CHECK(off(own_d, c.owned(d)) < 1e-13);
      // Twice: what is added to is what was there.
      sumfac::transposed_coupling const T{c.D};
      sumfac::transposed_coupling const T_all{c.D_all};
      T.apply_transposed_add(S.first(own_x), S.second(own_y));
      T_all.apply_transposed_add(S_all.first(x), S_all.second(y));
      T.apply(S.second(own_x), S.first(own_y));
      T_all.apply(S_all.second(x), S_all.first(y));
      CHECK(off(own_y, c.owned(y)) < 1e-13);
    }

    stokes const c(sumfac::box_mesh({4, 3}, bend), how);
    sumfac::block_operator const S_all{c.A_all, c.D_all};
    sumfac::block_operator const S{c.A, c.D};
    std::vector<double> b(static_cast<std::size_t>(S_all.size())), x(b), d(b);
    S_all.apply(support::random<double>(b.size(), 8), b);
    auto const own_b = c.owned(b);
    std::vector<double> own_x(own_b.size()), own_d(own_b.size());
    c.A_all.diagonal(S_all.first(d));
    c.M_all.diagonal(c.Rp_all, S_all.second(d));
    sumfac::global_operator const M{c.M, c.Rp, c.of_p.halo()};
    c.A.diagonal(S.first(own_d));
    M.diagonal(S.second(own_d));
    sumfac::jacobi const Q_all{c.one, S_all.second(d)}, Q{c.one, S.second(own_d)};
    sumfac::chebyshev_smoother const P_all{c.A_all, sumfac::jacobi{c.one, S_all.first(d)}, {.degree = 8}};
    sumfac::chebyshev_smoother const P{c.A, sumfac::jacobi{c.one, S.first(own_d)}, {.degree = 8}};
    auto const compare = [&](sumfac::solve_result const& all, sumfac::solve_result const& one, int most) {
      INFO(all.report() << "; " << one.report());
      CHECK(all);
      CHECK(one);
      CHECK(std::abs(one.iterations - all.iterations) <= 1);
      CHECK(all.iterations <= most);
      // Pressures are known up to a constant, which both leave at 0.
      CHECK(off(own_x, c.owned(x)) < 1e-7);
      x.assign(x.size(), 0), own_x.assign(own_x.size(), 0);
    };
    compare(sumfac::minres(S, own_b, own_x, sumfac::block_diagonal{S, P, Q}, {.tolerance = 1e-10}),
            sumfac::minres(S_all, b, x, sumfac::block_diagonal{S_all, P_all, Q_all}, {.tolerance = 1e-10}), 50);
    compare(sumfac::gmres(S, own_b, own_x, sumfac::block_triangular{S, P, Q}, {.tolerance = 1e-10}),
            sumfac::gmres(S_all, b, x, sumfac::block_triangular{S_all, P_all, Q_all}, {.tolerance = 1e-10}), 32);
  }
}

TEST_CASE("blocks in parts that do not fit are refused on all processes")
{
  using Catch::Matchers::Contains;
  stokes const c(sumfac::box_mesh({4, 3}, bend), way::last_empty);  // where anything fits
  auto const nodes = [](auto const& part) { return std::to_string(part.nodes()); };
  CHECK_THROWS_WITH(
      (sumfac::coupling{c.B, c.Rp, c.Ru, c.of_u.halo(), c.of_p.halo()}),
      Contains("coupling: ") && Contains("the restriction of test functions has not the nodes of its halo"));
  if (world.count == 1)
    CHECK_THROWS_WITH((sumfac::coupling{c.B, c.Rp, c.Ru, c.of_u.halo(), c.of_p.halo()}),
                      Contains("(" + nodes(c.of_p) + ", " + nodes(c.of_u) + " owned and 0 ghosts expected)"));
  CHECK_THROWS_WITH((sumfac::coupling{c.B, c.Rp, c.Ru, c.of_p.halo(), c.of_p.halo()}),
                    Contains("the restriction of trial functions has not"));
  sumfac::global_operator const M{c.M, c.Rp, c.of_p.halo()};
  CHECK_THROWS_WITH((sumfac::block_operator{M, c.D}),
                    Contains("block_operator: ") && Contains("the blocks do not fit next to each other"));
}

TEST_CASE("lists of processes that do not fit, and interpolation through equations, are refused on all processes")
{
  using Catch::Matchers::Contains;
  auto const mesh = sumfac::refine(sumfac::box_mesh({2, 2}), {0});
  function_space const V{mesh, 2};
  std::vector<int> list(static_cast<std::size_t>(mesh.elements()), 0);
  auto const told = [&] {
    try {
      space_part const part(MPI_COMM_WORLD, V, list);
    } catch (sumfac::argument_error const& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(told() == "");
  list[3] = world.rank == 0 ? world.count : 0;
  CHECK_THAT(told(),
             Contains("process 0: element 3 is given to a process that there is not (") || Contains("element 3"));
  list.assign(list.size() - 1, 0);
  CHECK_THAT(told(), Contains("the list of processes is not of the mesh's elements (6 entries, 7 elements)"));

  auto const process = shared_out(way::slabs, mesh.elements());
  both<on_squares<3>, sumfac::mesh<2>> const c(mesh, 3, process);
  both<on_squares<1>, sumfac::mesh<2>> const coarse(mesh, 1, process);
  using sumfac::quadrilateral;
  sumfac::transfer<quadrilateral(3), quadrilateral(1), double, sumfac::host, sumfac::mpi::halo> const P(
      c.R, c.part.halo(), coarse.R, coarse.part.halo());
  std::vector<double> const x(static_cast<std::size_t>(c.part.size()));
  std::vector<double> y(static_cast<std::size_t>(coarse.part.size()));
  CHECK_THROWS_WITH(P.interpolate(x, y), Contains("transfer::interpolate") && Contains("0 expected"));

  auto const told_by_levels = [&](auto const& matrix, auto const& nodes) {
    try {
      sumfac::p_levels<3, 1>(matrix, nodes);
    } catch (sumfac::argument_error const& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(told_by_levels(c.L, c.part) == "");
  CHECK_THAT(told_by_levels(c.L, c.part.mesh_nodes()), Contains("rows, 0 expected") && Contains("mpi::space_part"));
  // Which nodes are fixed a restriction says itself; their equations are the mesh's.
  auto const without = c.part.unconstrained(sumfac::host{1});
  auto const without_all = c.V.unconstrained(sumfac::host{1});
  sumfac::global_operator const free(c.A, without, c.part.halo());
  sumfac::global_operator const free_all(c.A_all, without_all);
  auto const alone = sumfac::mesh<2>::copy_of(mesh.nodes());
  auto const of_free = sumfac::p_levels<3, 1>(free, c.part);
  auto const of_fixed = sumfac::p_levels<3, 1>(c.L, c.part);
  same_matrices(of_free.at<1>(), sumfac::p_levels<3, 1>(free_all, alone).at<1>(), coarse.part);
  same_matrices(of_fixed.at<1>(), sumfac::p_levels<3, 1>(c.whole, alone).at<1>(), coarse.part);
  auto const& table = c.R.table();
  sumfac::restriction const by_nodes{
      sumfac::host{1}, sumfac::detail::element_view<2>(table.element(0), c.R.elements(), c.R.nodes_1d()), c.R.nodes()};
  sumfac::global_operator const other(c.A, by_nodes, c.part.halo());
  CHECK_THAT(told_by_levels(other, c.part), Contains("the restriction has another equation of node") &&
                                                Contains("constrained: got 0, 1 expected; 0 terms, "));
}

namespace {

// The tetrahedra of a cube that stands beside one of two prisms; the vertex in the middle may lie elsewhere.
sumfac::mixed_mesh<3> prisms_and_tetrahedra(int n, double off_middle = 0)
{
  std::vector<double> points;
  for (int k = 0; k <= 2 * n; ++k)
    for (int j = 0; j <= n; ++j)
      for (int i = 0; i <= n; ++i)
        for (int const at : {i, j, k}) points.push_back(double(at) / n);
  points[points.size() / 6 * 3] += off_middle;
  std::vector<int> prisms, tetrahedra;
  int const of_prisms[2][6] = {{0, 1, 3, 4, 5, 7}, {0, 3, 2, 4, 7, 6}};
  int const of_tetrahedra[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
  for (int e = 0; e < 2 * n * n * n; ++e) {
    auto const add = [&](auto const& corners, std::vector<int>& table) {
      for (auto const& element : corners)
        for (int const c : element)
          table.push_back(((e / n / n + c / 4) * (n + 1) + e / n % n + c / 2 % 2) * (n + 1) + e % n + c % 2);
    };
    e < n* n* n ? add(of_prisms, prisms) : add(of_tetrahedra, tetrahedra);
  }
  auto const made = [&]<class Mesh>(std::type_identity<Mesh>, std::vector<int> const& table, int vertices) {
    return Mesh(sumfac::view(points.data(), index_t(points.size()) / 3, index_t{3}),
                sumfac::view(table.data(), index_t(table.size()) / vertices, index_t{vertices}));
  };
  auto const lower = made(std::type_identity<sumfac::cell_mesh<3, 3, sumfac::cell_shape::prism>>(), prisms, 6);
  auto const upper = made(std::type_identity<sumfac::cell_mesh<3>>(), tetrahedra, 4);
  return sumfac::mesh{lower, upper};
}

}  // namespace

TEST_CASE("several kinds of elements in parts, with terms on the boundary: products, given values, levels")
{
  constexpr int N = 2;
  using namespace sumfac::weak;
  sumfac::host const backend{1};
  auto const mesh = prisms_and_tetrahedra(2);
  auto const wall = mesh.boundary([](auto const& x) { return x[2] < 1e-9; });
  auto const sides = mesh.boundary([](auto const& x) { return x[0] < 1e-9 || x[2] > 2 - 1e-9; });
  auto const a = integrate(dot(grad(u), grad(v)) + u * v);
  auto const robin = integrate(coefficient(30.0) * u * v);
  function_space const V(mesh, N, wall);
  auto const V_sides = V.on(sides);
  REQUIRE(V_sides.mesh().at<0>().elements() > 0);
  REQUIRE(V_sides.mesh().at<1>().elements() > 0);
  auto const A_all = sumfac::sum_by_kind<N>(backend, V, a);
  auto const B_all = sumfac::sum_by_kind<N>(backend, V_sides, robin);
  auto const whole = A_all + B_all;
  auto b = V.load(source);
  auto const loads = b;
  auto u_all = V.lift(whole, exact, b);
  auto const x = support::random<double>(static_cast<std::size_t>(V.size()), 7);
  std::vector<double> y(x.size()), d(x.size()), of_P(x.size());
  whole.apply(x, y);
  whole.diagonal(d);
  sumfac::multigrid const P{sumfac::p_levels<N, 1>(whole, mesh, V_sides.mesh())};
  P.apply(sumfac::view(x.data(), whole.size()), sumfac::view(of_P.data(), whole.size()));
  auto const one = sumfac::cg(whole, b, u_all, P, {.tolerance = 1e-11});
  CHECK(one);
  CHECK(one.iterations <= 14);
  for (way const how : {way::slabs, way::scattered, way::last_empty, way::first_all}) {
    CAPTURE(static_cast<int>(how));
    space_part const part(lent_communicator(), V, shared_out(how, mesh.elements()));
    CHECK(part.elements() == part.of<sumfac::cell_shape::prism>().elements() + part.at<2>().elements());
    auto const on_sides = part.on(sides);
    auto const A = sumfac::sum_by_kind<N>(backend, part, a);
    auto const B = sumfac::sum_by_kind<N>(backend, on_sides, robin);
    auto const L = A + B;
    auto own = part.owned(x), own_d = own;
    L.apply(part.owned(x), own);
    L.diagonal(own_d);
    CHECK(off(own, part.owned(y)) < 1e-13);
    CHECK(off(own_d, part.owned(d)) < 1e-13);
    CHECK(off(part.whole(own), y) < 1e-13);
    auto own_b = part.owned(loads);
    auto own_u = part.lift(L, exact, own_b);
    CHECK(off(own_b, part.owned(b)) < 1e-12);
    sumfac::multigrid const by_part{sumfac::p_levels<N, 1>(L, part, on_sides)};
    auto const& made = by_part.levels().at<1>();
    auto const& expected = P.levels().at<1>();
    CHECK(sum_of_all(double(made.size())) == double(expected.size()));
    auto const all = sumfac::cg(L, own_b, own_u, by_part, {.tolerance = 1e-11});
    CHECK(all);
    CAPTURE(one.iterations, all.iterations);
    CHECK(std::abs(one.iterations - all.iterations) <= 1);
    CHECK(off(own_u, part.owned(u_all)) < 1e-9);
    // Transfers of all kinds at once: of the whole mesh's in the same numbers.
    auto const t = by_part.levels().at<0>().make_transfer(made, made.restriction());
    auto const t_all = P.levels().at<0>().make_transfer(expected, expected.restriction());
    std::vector<double> down(static_cast<std::size_t>(expected.size())), up(x.size());
    std::vector<double> own_down(static_cast<std::size_t>(made.size())), own_up(own.size());
    t_all.restrict_residual(x, down);
    t_all.prolong(down, up);
    t.restrict_residual(part.owned(x), own_down);
    t.prolong(own_down, own_up);
    CHECK(off(own_up, part.owned(up)) < 1e-13);
  }
}

TEST_CASE("several kinds of elements in parts: what one process refuses all do")
{
  constexpr int N = 2;
  using namespace sumfac::weak;
  sumfac::host const backend{1};
  auto const a = integrate(dot(grad(u), grad(v)) + u * v);
  auto const folded = prisms_and_tetrahedra(2, 0.75);
  function_space const W(folded, N);
  for (way const how : {way::slabs, way::last_empty, way::first_all}) {
    space_part const part(MPI_COMM_WORLD, W, shared_out(how, folded.elements()));
    CHECK_THROWS_AS(sumfac::sum_by_kind<N>(backend, part, a), sumfac::geometry_error);
  }

  // Halos of as many nodes, of which a process owns more.
  auto const mesh = prisms_and_tetrahedra(2);
  function_space const V(mesh, N);
  space_part const part(MPI_COMM_WORLD, V, shared_out(way::slabs, mesh.elements()));
  auto const A = sumfac::sum_by_kind<N>(backend, part, a);
  std::vector<std::int64_t> const owners(static_cast<std::size_t>(part.nodes()), 0);
  auto numbers = owners;
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<std::int64_t>(i);
  sumfac::mpi::halo const alone(MPI_COMM_SELF, sumfac::view(owners.data(), part.nodes()),
                                sumfac::view(numbers.data(), part.nodes()));
  sumfac::part const by_other{A.at<0>().element_operator(), A.at<0>().restriction(), alone};
  if (world.count > 1)
    CHECK_THROWS_WITH(A + by_other, Catch::Contains("number of owned nodes in the halo of part 3 does not fit (got "));
}
