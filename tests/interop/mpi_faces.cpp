// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Faces between elements of a mesh that MPI's processes share out, beside those of the whole mesh.
#include "processes.hpp"
#include "shares.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/dofs/function_space.hpp>
#include <sumfac/form/stiffness.hpp>
#include <sumfac/form/tangent.hpp>
#include <sumfac/interop/mpi.hpp>
#include <sumfac/interop/mpi_space.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/mesh/mesh.hpp>
#include <sumfac/mesh/refined.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/element_sum.hpp>
#include <sumfac/operator/interior_operator.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/gmres.hpp>
#include <sumfac/solver/multigrid.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/solver/sum_level.hpp>

#include <catch2/catch.hpp>
#include <operator/beside_faces.hpp>
#include <operator/two_sided_forms.hpp>
#include <operator/within_and_between.hpp>
#include <support/larger.hpp>
#include <support/message_of.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace {

using beside_faces::at;
using Catch::Matchers::Contains;
using reference::real;
using shares::vector_of, shares::way;
using sumfac::index_t, sumfac::quadrilateral;
using two_sided::burgers, two_sided::interior_penalty, two_sided::upwind;

processes const world;

// What a process has of a mesh (E, m, m, m, 3): its elements, and those of others behind their sides.
struct shared_elements {
  template <class Nodes>
  shared_elements(Nodes const& nodes, sumfac::face_pairs const& whole, way how)
      : pairs(add_elements(whole, how), whole.directions())
  {
    auto const size = static_cast<index_t>(nodes.size()) / whole.elements();
    for (auto const e : number) xyz.insert(xyz.end(), nodes.data() + e * size, nodes.data() + (e + 1) * size);
    std::vector<index_t> local(at(whole.elements()), -1);
    for (std::size_t i = 0; i < number.size(); ++i) local[at(number[i])] = index_t(i);
    for (index_t i = 0; i < owned; ++i)
      for (int side = 0; side < whole.sides(); ++side) {
        auto const& other = whole.behind(number[at(i)], side);
        if (other.element < 0) continue;
        index_t const j = local[at(other.element)];
        // Those of two own elements once, and seen from another one than on the whole mesh.
        if (j >= owned || j > i || (j == i && side > other.side))
          pairs.join({j, other.side}, {i, side}, sumfac::detail::inverse_turn(other.turn));
      }
  }
  index_t elements() const { return index_t(number.size()); }
  auto owners() const { return vector_of(owner); }
  auto numbers() const { return vector_of(number); }

  // Entries of own elements.
  template <class T>
  std::vector<T> owned_of(std::vector<T> const& all, index_t elements_of_all) const
  {
    auto const size = index_t(all.size()) / elements_of_all;
    std::vector<T> own;
    for (index_t i = 0; i < owned; ++i)
      own.insert(own.end(), all.begin() + number[at(i)] * size, all.begin() + (number[at(i)] + 1) * size);
    return own;
  }

  std::vector<std::int64_t> number;
  std::vector<int> owner;
  index_t owned = 0;
  std::vector<double> xyz;
  sumfac::face_pairs pairs;

private:
  index_t add_elements(sumfac::face_pairs const& whole, way how)
  {
    auto const elements = static_cast<int>(whole.elements());
    auto const process = [&](index_t e) { return shares::process_of(how, int(e), elements, world.count); };
    for (index_t e = elements - 1; e >= 0; --e)
      if (process(e) == world.rank) number.push_back(e), owner.push_back(world.rank);
    owned = index_t(number.size());
    for (index_t i = 0; i < owned; ++i)
      for (int side = 0; side < whole.sides(); ++side) {
        index_t const e = whole.behind(number[at(i)], side).element;
        if (e < 0 || std::find(number.begin(), number.end(), e) != number.end()) continue;
        number.push_back(e), owner.push_back(process(e));
      }
    return index_t(number.size());
  }
};

template <class T>
double difference(std::vector<T> const& a, std::vector<T> const& b)
{
  double most = a.size() == b.size() ? 0 : 1e300, size = 0;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    double const d = std::abs(double(a[i]) - double(b[i]));
    if (!(d <= most)) most = d;
    size = support::larger(size, std::abs(double(b[i])));
  }
  double const all = greatest(size);
  return greatest(most) / (all > 0 ? all : 1);
}

// v = F u, or of a tangent F(state) u.
template <class Operator, class T, class... State>
std::vector<T> applied(Operator const& F, std::vector<T> const& u, State const&... state)
{
  auto v = support::random<T>(u.size(), 77);
  auto const shaped = [&](auto& x) { return sumfac::detail::e_vector_of<Operator>(x.data(), F.elements()); };
  support::on_backend(F.backend(), u, v, [&](T const*, T*) { F.apply(shaped(state)..., shaped(u), shaped(v)); });
  return v;
}

sumfac::mesh<2> bent_square(int cells)
{
  return sumfac::box_mesh(
      {cells, cells + 1},
      [](sumfac::vector<double, 2> const& x) {
        return sumfac::vector<double, 2>{x[0] + 0.1 * std::sin(3 * x[1]), x[1] + 0.1 * x[0] * x[0]};
      },
      2);
}

// What the wind carries through a face, of whichever element is `in`: the same on all processes.
struct from_in : upwind {
  template <class T, int Dim>
  SUMFAC_FUNCTION sumfac::both_sides<sumfac::point_values<T, 1, Dim>> apply(
      factors<T> const& f, sumfac::point_values<T, 1, Dim> const& in, sumfac::point_values<T, 1, Dim> const&) const
  {
    return {{.value = f.out * in.value}, {.value = -f.out * in.value}};
  }
  // The same for the oracle.
  static reference::both_sides at_point(reference::face_point const& in, reference::face_point const&,
                                        reference::flat_field const& u, reference::flat_field const&)
  {
    real const flux = reference::dot({0.7, -0.4, 0.5}, in.normal) * u.value[0];
    return {{{flux}, {}}, {{-flux}, {}}};
  }
};

template <class Form, auto Space, class... Options>
using in_parts = sumfac::interior_operator<Form, Space, Options..., sumfac::mpi::halo>;

}  // namespace

TEST_CASE("mpi faces: a sum of volume and faces, its diagonal and solves are the whole mesh's")
{
  constexpr auto space = quadrilateral(2);
  auto const box = bent_square(4);
  auto const whole = box.interior_faces();
  interior_penalty const form{};
  sumfac::element_operator<sumfac::laplace, space> const K_all{sumfac::host{}, box};
  sumfac::interior_operator<interior_penalty, space> const F_all{sumfac::host{}, box, form};
  sumfac::sum const A_all{K_all, F_all};
  auto const b = support::random<double>(at(A_all.size()), 3);
  std::vector<double> y(b.size()), d(b.size()), u(b.size(), 0);
  A_all.apply(b, y);
  A_all.diagonal(d);
  auto const one =
      sumfac::cg(A_all, b, u, sumfac::jacobi{sumfac::host{}, vector_of(std::as_const(d))}, {.tolerance = 1e-9});
  REQUIRE(one);
  for (way const how : {way::slabs, way::scattered, way::last_empty, way::first_all}) {
    CAPTURE(static_cast<int>(how));
    shared_elements const part(box.nodes(), whole, how);
    sumfac::mpi::halo const halo(MPI_COMM_WORLD, part.owners(), part.numbers());
    auto const nodes = [&](index_t elements) { return sumfac::view(part.xyz.data(), elements, 3, 3, 2); };
    sumfac::element_operator<sumfac::laplace, space> const K{sumfac::host{}, nodes(part.owned)};
    in_parts<interior_penalty, space> const F{sumfac::host{}, nodes(part.elements()), part.pairs, halo, form};
    sumfac::sum const A{K, F};
    auto const own_b = part.owned_of(b, box.elements());
    std::vector<double> own_y(own_b.size(), 99), own_d(own_b.size(), 99), own_u(own_b.size(), 0);
    for (int twice = 0; twice < 2; ++twice) {
      A.apply(own_b, own_y);
      CHECK(difference(own_y, part.owned_of(y, box.elements())) <= 1e-14);
    }
    A.diagonal(own_d);
    CHECK(difference(own_d, part.owned_of(d, box.elements())) <= 1e-14);
    auto const all = sumfac::cg(A, own_b, own_u, sumfac::jacobi{sumfac::host{}, vector_of(std::as_const(own_d))},
                                {.tolerance = 1e-9});
    CHECK(all);
    CHECK(std::abs(all.iterations - one.iterations) <= 1);
    CHECK(difference(own_u, part.owned_of(u, box.elements())) <= 1e-7);
    std::fill(own_u.begin(), own_u.end(), 0);
    CHECK(sumfac::gmres(A, own_b, own_u, sumfac::jacobi{sumfac::host{}, vector_of(std::as_const(own_d))},
                        {.tolerance = 1e-9}));
    CHECK(difference(own_u, part.owned_of(u, box.elements())) <= 1e-7);
  }
}

namespace {

// Continuous functions of a degree on this process' elements: their nodes, owned ones first, and which components are
// fixed, all on the boundary.
struct shared_nodes {
  shared_nodes(sumfac::mesh<2> const& box, shared_elements const& part, int degree, way how, int components)
  {
    sumfac::detail::own_vector<std::int32_t> all;
    auto const nodes = at(box.number_nodes(degree, all));
    auto const each = (degree + 1) * (degree + 1);
    std::vector<int> lowest(nodes, world.count), local(nodes, -1), fixed(nodes, 0);
    for (index_t e = 0; e < box.elements(); ++e)
      for (int p = 0; p < each; ++p) {
        int& of = lowest[at(all[at(e * each + p)])];
        of = std::min(of, shares::process_of(how, int(e), int(box.elements()), world.count));
      }
    auto const on_sides = sumfac::mesh<2>::places_on_sides(degree);
    for (auto const& side : box.boundary())
      for (int const p : on_sides[at(side.side)]) fixed[at(all[at(side.element * each + p)])] = 1;
    for (bool const own : {true, false})
      for (index_t i = 0; i < part.owned; ++i)
        for (int p = 0; p < each; ++p) {
          auto const node = all[at(part.number[at(i)] * each + p)];
          if (local[at(node)] >= 0 || (lowest[at(node)] == world.rank) != own) continue;
          local[at(node)] = int(number.size());
          number.push_back(node), owner.push_back(lowest[at(node)]);
          marks.insert(marks.end(), at(components), fixed[at(node)] != 0);
        }
    for (index_t i = 0; i < part.owned; ++i)
      for (int p = 0; p < each; ++p) table.push_back(local[at(all[at(part.number[at(i)] * each + p)])]);
  }
  std::vector<std::int64_t> number;
  std::vector<int> owner, table;
  std::vector<unsigned char> marks;
};

// Iterations behind levels of the whole mesh, and behind those of parts.
template <class Forms, int Order>
void makes_the_same_iterations(int most)
{
  constexpr auto space = quadrilateral(Order);
  using matrix = sumfac::element_operator<typename Forms::within, space>;
  constexpr int components = matrix::components;
  auto const box = bent_square(6);
  auto const within = Forms::make_within();
  auto const between = Forms::make_between(20);
  matrix const K_all{sumfac::host{}, box, within};
  sumfac::interior_operator<typename Forms::between, space> const F_all{sumfac::host{}, box, between};
  sumfac::sum const A_all{K_all, F_all};
  sumfac::function_space const V{box, Order, box.boundary(), {.components = components}};
  auto const R_all = V.restriction(sumfac::host{});
  sumfac::multigrid const P_all{sumfac::p_levels<Order, 1>(A_all, K_all, box.nodes(), R_all)};
  auto const b = support::random<double>(at(A_all.size()), 3);
  std::vector<double> u(b.size(), 0);
  auto const one = sumfac::cg(A_all, b, u, P_all, {.tolerance = 1e-8});
  REQUIRE(one);
  CHECK(one.iterations <= most);
  for (way const how : {way::slabs, way::last_empty}) {
    shared_elements const part(box.nodes(), box.interior_faces(), how);
    shared_nodes const continuous(box, part, Order, how, components);
    sumfac::mpi::halo const halo(MPI_COMM_WORLD, part.owners(), part.numbers());
    sumfac::mpi::halo const nodes_halo(MPI_COMM_WORLD, vector_of(continuous.owner), vector_of(continuous.number));
    auto const nodes = sumfac::view(part.xyz.data(), part.owned, 3, 3, 2);
    matrix const K{sumfac::host{}, nodes, within};
    in_parts<typename Forms::between, space> const F{
        sumfac::host{}, sumfac::view(part.xyz.data(), part.elements(), 3, 3, 2), part.pairs, halo, between};
    sumfac::sum const A{K, F};
    constexpr int n = Order + 1;
    auto const count = index_t(continuous.number.size());
    sumfac::view const marks(continuous.marks.data(), count, components);
    sumfac::restriction const R{sumfac::host{},
                                sumfac::view(continuous.table.data(), part.owned, n, n),
                                count,
                                marks,
                                {.components = components}};
    sumfac::global_operator const L(K, R, nodes_halo);
    sumfac::multigrid const P{sumfac::p_levels<Order, 1>(A, L, nodes)};
    auto const own_b = part.owned_of(b, box.elements());
    std::vector<double> own_u(own_b.size(), 0);
    auto const all = sumfac::cg(A, own_b, own_u, P, {.tolerance = 1e-8});
    CHECK(all);
    CAPTURE(all.iterations, one.iterations);
    CHECK(std::abs(all.iterations - one.iterations) <= 1);
    CHECK(difference(own_u, part.owned_of(u, box.elements())) <= 1e-6);
    if constexpr (components > 1) {
      // Levels that one process cannot make: of an equation, or of components that lie apart.
      auto const refused = [&](sumfac::constraints const& rows, sumfac::interleaving lie) {
        std::vector<unsigned char> const none(at(count * components), 0);
        sumfac::restriction const other{sumfac::host{}, sumfac::view(continuous.table.data(), part.owned, n, n),
                                        count,          sumfac::view(none.data(), count, components),
                                        rows,           {.components = components, .components_lie = lie}};
        sumfac::global_operator const of_other(K, other, nodes_halo);
        sumfac::level const fine{A};
        sumfac::level const coarse{of_other};
        return support::message_of([&] { static_cast<void>(fine.make_transfer(coarse, other)); });
      };
      sumfac::constraints rows;
      if (world.rank == 0) {
        std::vector<sumfac::constraint_term> const same{{continuous.table[0], 1.0}};
        rows.add(continuous.table[1], same);
      }
      CHECK_THAT(refused(rows, sumfac::interleaving::fastest),
                 Contains("process 0") && Contains("there are levels on meshes that conform alone"));
      CHECK_THAT(refused({}, sumfac::interleaving::slowest), Contains("interleaving::slowest, fastest expected"));
    }
  }
}

}  // namespace

TEST_CASE("mpi faces: multigrid makes the whole mesh's iterations, of one component and of several")
{
  makes_the_same_iterations<two_sided::poisson, 2>(12);
  makes_the_same_iterations<two_sided::elasticity, 2>(10);
}

namespace {

// A mesh, whole on each process, of whose elements each has a part, and its functions' nodes.
template <int Directions>
struct part_of_mesh {
  part_of_mesh(sumfac::mesh<Directions> const& of, int degree, way how)
      : V(of, degree, of.boundary()),
        own(MPI_COMM_WORLD, V, processes_of(how, int(of.elements()))),
        ghosts(MPI_COMM_WORLD, own, own.halo())
  {
  }
  static std::vector<int> processes_of(way how, int elements)
  {
    std::vector<int> list;
    for (int e = 0; e < elements; ++e) list.push_back(shares::process_of(how, e, elements, world.count));
    return list;
  }
  template <class Form, auto Space, class... Options>
  in_parts<Form, Space, Options...> make(Form const& form = {}) const
  {
    return {{}, ghosts.nodes(), ghosts.pairs(), ghosts.halo(), form};
  }
  // Entries of own elements.
  template <class T>
  std::vector<T> owned_of(std::vector<T> const& all) const
  {
    auto const size = index_t(all.size()) / V.mesh().elements();
    std::vector<T> entries;
    for (index_t i = 0; i < own.elements(); ++i)
      entries.insert(entries.end(), all.begin() + own.element(i) * size, all.begin() + (own.element(i) + 1) * size);
    return entries;
  }

  sumfac::function_space<Directions> V;
  sumfac::mpi::space_part<Directions, Directions, sumfac::cell_shape::lines> own;
  sumfac::mpi::mesh_with_ghosts<Directions> ghosts;
};

// Elements of three sizes.
sumfac::mesh<2> hanging_square()
{
  auto const mesh = sumfac::refine(sumfac::refine(bent_square(3), {0, 1, 4}), {0, 3, 9});
  return sumfac::mesh<2>::copy_of(mesh.nodes());  // which was cut from no other
}

}  // namespace

TEST_CASE("mpi faces: a mesh that hangs, its products, diagonals, solves and levels are those of one process")
{
  constexpr auto space = quadrilateral(2);
  using within = sumfac::element_operator<sumfac::laplace, space>;
  auto const mesh = hanging_square();
  interior_penalty const form{20};
  within const K_all{sumfac::host{}, mesh};
  sumfac::interior_operator<interior_penalty, space> const F_all{sumfac::host{}, mesh, form};
  sumfac::sum const A_all{K_all, F_all};
  auto const R_all = sumfac::function_space{mesh, 2, mesh.boundary()}.restriction(sumfac::host{});
  sumfac::multigrid const P_all{sumfac::p_levels<2, 1>(A_all, K_all, mesh, R_all)};
  auto const b = support::random<double>(at(A_all.size()), 3);
  std::vector<double> y(b.size()), d(b.size()), u(b.size(), 0);
  A_all.apply(b, y);
  A_all.diagonal(d);
  auto const one = sumfac::cg(A_all, b, u, P_all, {.tolerance = 1e-9});
  REQUIRE(one);
  for (way const how : {way::slabs, way::scattered, way::last_empty, way::first_all}) {
    CAPTURE(static_cast<int>(how));
    part_of_mesh<2> const part(mesh, 2, how);
    within const K{sumfac::host{}, part.own.mesh_nodes()};
    auto const F = part.make<interior_penalty, space>(form);
    sumfac::sum const A{K, F};
    auto const own_b = part.owned_of(b);
    std::vector<double> own_y(own_b.size(), 99), own_d(own_b.size(), 99), own_u(own_b.size(), 0);
    for (int twice = 0; twice < 2; ++twice) {
      A.apply(own_b, own_y);
      CHECK(difference(own_y, part.owned_of(y)) <= 1e-14);
    }
    A.diagonal(own_d);
    CHECK(difference(own_d, part.owned_of(d)) <= 1e-14);
    auto const R = part.own.restriction(sumfac::host{});
    sumfac::global_operator const L(K, R, part.own.halo());
    sumfac::multigrid const P{sumfac::p_levels<2, 1>(A, L, part.own)};
    auto const all = sumfac::cg(A, own_b, own_u, P, {.tolerance = 1e-9});
    CHECK(all);
    CAPTURE(all.iterations, one.iterations);
    CHECK(std::abs(all.iterations - one.iterations) <= 1);
    CHECK(difference(own_u, part.owned_of(u)) <= 1e-7);
  }
}

TEST_CASE("mpi faces: large elements, turned, of other processes behind small ones, beside the oracle; tangents")
{
  for (int const turn : {1, 2, 3}) {
    auto const mesh = beside_faces::hanging_block(3, turn);
    auto const elements = index_t{mesh.elements()};
    auto pairs = reference::interior_faces(mesh);
    for (auto const& part : reference::hanging_faces(mesh)) pairs.push_back(part);
    reference::face_sums sums(mesh, {reference::gauss_lobatto(3), 1}, reference::gauss(4));
    sums.add(pairs, from_in::at_point);
    auto const u = support::random<double>(at(sums.size()), 5);
    std::vector<double> expected;
    for (real const x : sums.apply({u.begin(), u.end()})) expected.push_back(double(x));
    for (way const how : {way::slabs, way::scattered, way::last_empty}) {
      part_of_mesh<3> const part(sumfac::mesh{sumfac::view(mesh.nodes.data(), elements, 3, 3, 3, 3)}, 1, how);
      CHECK(difference(applied(part.make<from_in, 2>(), part.owned_of(u)), part.owned_of(expected)) <= 1e-13);
    }
  }
  constexpr auto space = quadrilateral(2);
  auto const mesh = hanging_square();
  part_of_mesh<2> const part(mesh, 1, way::scattered);
  auto const w = support::random<double>(at(mesh.elements() * 9), 1), state = support::random<double>(w.size(), 2);
  sumfac::interior_operator<sumfac::tangent<burgers>, space> const J{sumfac::host{}, mesh};
  CHECK(difference(applied(part.make<sumfac::tangent<burgers>, space>(), part.owned_of(w), part.owned_of(state)),
                   part.owned_of(applied(J, w, state))) <= 1e-14);
}

TEST_CASE("mpi faces: sides that hang on one process alone are refused")
{
  part_of_mesh<2> const part(hanging_square(), 1, way::scattered);
  auto pairs = part.ghosts.pairs();
  auto const refused = [&] {
    return support::message_of([&] {
      in_parts<interior_penalty, quadrilateral(2)> const F{sumfac::host{}, part.ghosts.nodes(), pairs,
                                                           part.ghosts.halo()};
    });
  };
  CHECK(refused().empty());
  // On the first process small sides before the first half of large ones of others become all of these.
  for (index_t i = 0; i < 4 * part.ghosts.owned() && world.rank == 0; ++i) {
    auto const other = pairs.behind(i / 4, int(i % 4));
    if (other.element >= part.ghosts.owned() && sumfac::detail::turned_part(other.part, other.turn) == 0)
      pairs.join({i / 4, int(i % 4)}, {other.element, other.side}, other.turn);
  }
  if (world.count > 1)
    CHECK_THAT(refused(), Contains("are one here, turned by") && Contains("expected; -1 is all, -2 a larger side)"));
}

TEST_CASE("mpi faces: large elements with small ones on `checked`")
{
  auto const cubes = sumfac::refine(sumfac::box_mesh({2, 1, 1}), {0});
  part_of_mesh<3> const part(cubes, 1, way::scattered);
  auto const u = support::random<float>(at(cubes.elements() * 8), 1);
  sumfac::interior_operator<upwind, 1, float> const F{sumfac::host{}, cubes};
  CHECK(difference(applied(part.make<upwind, 1, sumfac::checked, float>(), part.owned_of(u)),
                   part.owned_of(applied(F, u))) <= 1e-6);
}

TEST_CASE("mpi faces: values alone, of elements that are bent and turned, beside the oracle")
{
  auto const mesh = beside_faces::turned_block(3);
  auto const elements = index_t{mesh.elements()};
  auto const pairs = reference::interior_faces(mesh);
  reference::face_sums sums(mesh, {reference::gauss_lobatto(3), 1}, reference::gauss(4));
  sums.add(pairs, from_in::at_point);
  auto const u = support::random<double>(at(sums.size()), 5);
  std::vector<double> expected;
  for (real const x : sums.apply({u.begin(), u.end()})) expected.push_back(double(x));
  sumfac::mesh const all{sumfac::view(mesh.nodes.data(), elements, 3, 3, 3, 3)};
  for (way const how : {way::scattered, way::last_empty}) {
    shared_elements const part(all.nodes(), all.interior_faces(), how);
    sumfac::mpi::halo const halo(MPI_COMM_WORLD, part.owners(), part.numbers());
    sumfac::mesh const own{sumfac::view(part.xyz.data(), part.elements(), 3, 3, 3, 3)};  // finds pairs by its vertices
    in_parts<from_in, 2> const F{sumfac::host{}, own, halo};
    CHECK(difference(applied(F, part.owned_of(u, elements)), part.owned_of(expected, elements)) <= 1e-13);
  }
}

TEST_CASE("mpi faces: systems of components, and tangents, which exchange their state, too")
{
  constexpr auto space = quadrilateral(2);
  auto const box = bent_square(3);
  index_t const elements = box.elements();
  shared_elements const part(box.nodes(), box.interior_faces(), way::scattered);
  sumfac::mpi::halo const halo(MPI_COMM_WORLD, part.owners(), part.numbers());
  auto const nodes = sumfac::view(part.xyz.data(), part.elements(), 3, 3, 2);
  auto const u = support::random<double>(at(elements * 27), 1);
  auto const own_u = part.owned_of(u, elements);

  auto const impedance = support::random<double>(at(elements), 3);
  std::vector<double> positive, own_impedance;
  for (double const x : impedance) positive.push_back(2 + x);
  for (auto const e : part.number) own_impedance.push_back(positive[at(e)]);
  using sound = two_sided::sound<2>;
  sumfac::interior_operator<sound, space> const waves{sumfac::host{}, box, {positive.data()}};
  in_parts<sound, space> const own_waves{sumfac::host{}, nodes, part.pairs, halo, {own_impedance.data()}};
  CHECK(difference(applied(own_waves, own_u), part.owned_of(applied(waves, u), elements)) <= 1e-14);

  std::vector<double> const w(u.begin(), u.begin() + elements * 9),
      state(u.begin() + elements * 9, u.begin() + elements * 18);
  sumfac::interior_operator<sumfac::tangent<burgers>, space> const J{sumfac::host{}, box};
  in_parts<sumfac::tangent<burgers>, space> const own_J{sumfac::host{}, nodes, part.pairs, halo};
  CHECK(difference(applied(own_J, part.owned_of(w, elements), part.owned_of(state, elements)),
                   part.owned_of(applied(J, w, state), elements)) <= 1e-14);
}

TEST_CASE("mpi faces: ghosts are found by the numbers of nodes, of a mesh that is periodic, as `checked`")
{
  mesh::counts const cells{2, 1, 3};
  auto const numbers = mesh::numbered(cells, 3, 5, {true, true, true});
  auto const nodes = mesh::box(cells);
  index_t const elements = nodes.elements;
  auto const whole = sumfac::interior_faces(sumfac::view(numbers.table.data(), elements, 4, 4, 4), numbers.nodes);
  REQUIRE(whole.faces() == 3 * elements);
  auto const u = support::random<float>(at(elements * 8), 5);
  sumfac::interior_operator<upwind, 1, float> const F_all{sumfac::host{},
                                                          sumfac::view(nodes.data(), elements, 2, 2, 2, 3), whole};
  for (way const how : {way::slabs, way::scattered, way::last_empty}) {
    shared_elements const part(sumfac::view(nodes.data(), elements, 2, 2, 2, 3), whole, how);
    std::vector<std::int64_t> table;
    for (index_t e = 0; e < part.owned; ++e)
      table.insert(table.end(), numbers.element(int(part.number[at(e)])),
                   numbers.element(int(part.number[at(e)])) + 64);
    sumfac::mpi::mesh_with_ghosts<3> const own(
        MPI_COMM_WORLD, sumfac::view(part.xyz.data(), part.owned, 2, 2, 2, 3),
        sumfac::view(table.data(), part.owned, 4, 4, 4),
        sumfac::view<std::int64_t const, sumfac::dextents<1>>(part.number.data(), part.owned));
    CHECK(own.ghosts() == part.elements() - part.owned);
    in_parts<upwind, 1, sumfac::checked, float> const F{sumfac::checked{}, own.nodes(), own.pairs(), own.halo()};
    CHECK(difference(applied(F, part.owned_of(u, elements)), part.owned_of(applied(F_all, u), elements)) <= 1e-6);
  }
}

TEST_CASE("mpi faces: ghosts of lines are found by a table of degree 2, beside a part without elements or extents")
{
  for (int const empty : {0, 1}) {
    int const parts = std::max(1, world.count - empty), own = world.rank < parts ? 2 : 0;
    std::vector<double> x;
    std::vector<std::int64_t> table, number;
    for (int e = own * world.rank; int(number.size()) < own; ++e) {
      number.push_back(e);
      x.insert(x.end(), {double(e), e + 1.0});
      table.insert(table.end(), {2 * e, 2 * e + 1, 2 * e + 2});
    }
    sumfac::mpi::mesh_with_ghosts<1> const mesh(MPI_COMM_WORLD, sumfac::view(x.data(), own, own, 1),
                                                sumfac::view(table.data(), own, own > 0 ? 3 : 0), vector_of(number));
    CHECK(mesh.nodes().extent(1) == 2);
    CHECK(mesh.ghosts() == (own == 0 ? 0 : (world.rank > 0 ? 1 : 0) + (world.rank + 1 < parts ? 1 : 0)));
    CHECK(mesh.pairs().faces() == (own == 0 ? 0 : 1 + mesh.ghosts()));
  }
}

TEST_CASE("mpi faces: processes that know other faces than their neighbours")
{
  auto const box = bent_square(3);
  shared_elements const part(box.nodes(), box.interior_faces(), way::slabs);
  sumfac::mpi::halo const halo(MPI_COMM_WORLD, part.owners(), part.numbers());
  auto const refused = [&](index_t elements, sumfac::face_pairs const& pairs) {
    return support::message_of([&] {
      in_parts<upwind, quadrilateral(1)> const F{sumfac::host{}, sumfac::view(part.xyz.data(), elements, 3, 3, 2),
                                                 pairs, halo};
    });
  };
  CHECK(refused(part.elements(), part.pairs).empty());
  CHECK_THAT(refused(part.owned + 100, part.pairs), Contains("have not the elements of the halo"));
  sumfac::face_pairs more(1000000, 2);
  more.join({999998, 1}, {999999, 0}, 0);
  CHECK_THAT(refused(part.elements(), more), Contains("have not the elements of the halo") && Contains("1000000"));
  if (world.count == 1) return;
  // The first process knows no faces, or one of its ghosts turned the other way.
  sumfac::face_pairs const none(part.elements(), 2);
  CHECK_THAT(refused(part.elements(), world.rank == 0 ? none : part.pairs),
             Contains("process 1: side") && Contains("nothing lies behind the latter on the process that owns it"));
  auto turned = part.pairs;
  if (world.rank == 0)
    for (index_t i = 0; i < 4 * part.owned; ++i) {
      auto const other = turned.behind(i / 4, int(i % 4));
      if (other.element >= part.owned) turned.join({i / 4, int(i % 4)}, {other.element, other.side}, 1 - other.turn);
    }
  CHECK_THAT(refused(part.elements(), turned), Contains("process 0: side") && Contains("turned by 1 (0 expected)"));
  // Faces that the elements of all processes have: those of two may be neighbours on all sides, more are too many.
  std::vector<std::int64_t> const table{0, 1, 2, 3}, number{world.rank};
  auto const one = support::message_of([&] {
    sumfac::mpi::mesh_with_ghosts<2> const same(MPI_COMM_WORLD, sumfac::view(box.data(), 1, 3, 3, 2),
                                                sumfac::view(table.data(), 1, 2, 2), vector_of(number));
  });
  // Mesh nodes of another order on the first process.
  auto const mixed = support::message_of([&] {
    index_t const m = world.rank == 0 ? 2 : 3;
    sumfac::mpi::mesh_with_ghosts<2> const other(MPI_COMM_WORLD, sumfac::view(box.data(), 1, m, m, 2),
                                                 sumfac::view(table.data(), 1, 2, 2), vector_of(number));
  });
  CHECK_THAT(mixed, Contains("(mesh nodes 2 to 3, table 2 to 2)"));
  // Other extents behind the first one, in the table or in the nodes of the first process.
  std::vector<std::int64_t> const nine{0, 1, 2, 3, 4, 5, 6, 7, 8};
  auto const oblong = [&](index_t m, index_t n) {
    return support::message_of([&] {
      bool const here = world.rank == 0;
      sumfac::mpi::mesh_with_ghosts<2> const other(MPI_COMM_WORLD, sumfac::view(box.data(), 1, 2, here ? m : 2, 2),
                                                   sumfac::view(nine.data(), 1, 3, here ? n : 3), vector_of(number));
    });
  };
  CHECK_THAT(oblong(2, 2),
             Contains("process 0") && Contains("table's nodes along an edge") && Contains("expected 3, got 2"));
  CHECK_THAT(oblong(3, 3), Contains("number of mesh nodes along an edge does not match (expected 2, got 3)"));
  CHECK_THAT(one,
             Contains(world.count == 2
                          ? "elements 0 and 1 have the same vertices, so that it is not known which of their sides"
                          : "a face belongs to more than two elements (side 2 of element 0 of process 0, 2 of 0 of 1"));
}
