// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The usual levels: the same form on the same mesh at lower degrees, with restrictions that follow the finest one's.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/own_pointer.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/constraints.hpp>
#include <sumfac/dofs/halo.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/dofs/restriction/node_table.hpp>
#include <sumfac/error.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>
#include <sumfac/mesh/policy.hpp>
#include <sumfac/operator/detail/call_checks.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/field.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/detail/coarse_nodes.hpp>
#include <sumfac/solver/detail/level_data.hpp>
#include <sumfac/solver/detail/level_rows.hpp>
#include <sumfac/solver/detail/level_state.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/restriction_in.hpp>
#include <sumfac/solver/level.hpp>
#include <sumfac/view/view.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

// What p_levels asks of a halo besides: number(node), that of a node in the whole mesh, the same wherever it is; and
// subset(chosen), the halo of some nodes in their order, of marks (nodes) that are not 0 where one is chosen, on its
// owner, too.
template <class Halo>
concept halo_with_subsets = requires(Halo const& halo, index_t node, view<unsigned char const, dextents<1>> chosen) {
  { halo.number(node) < halo.number(node) } -> std::convertible_to<bool>;
  { halo.subset(chosen) } -> std::same_as<Halo>;
};

namespace detail {

// Functions of another degree on the elements of a space, their nodes placed alike.
template <auto Space, int Degree>
constexpr auto at_degree()
{
  if constexpr (std::integral<decltype(Space)>)
    return Degree;
  else
    return space(Degree, directions_of<Space>, coordinates_of<Space>, space_of<Space>.nodes, nullptr,
                 function_family::nodal, space_of<Space>.shape);
}

// A rule for a lower degree where Points is one for space Fine: of Gauss' the fewest points that degree takes, which
// are exact on boxes, so that the level costs as little as it can; of Gauss and Lobatto's as many fewer; of what is no
// product of lines the usual one, where that is Fine's; else the same.
template <class Points, space Fine, int Coarse>
struct level_rule {
  using type = std::conditional_t<!is_tensor(Fine) && std::is_same_v<Points, usual_rule<Fine>>,
                                  usual_rule<at_degree<Fine, Coarse>()>, Points>;
};
template <int Size, space Fine, int Coarse>
struct level_rule<gauss<Size>, Fine, Coarse> {
  using type = gauss<Coarse == Fine.degree ? Size : Coarse + 1>;
};
template <int Size, space Fine, int Coarse>
struct level_rule<gauss_lobatto<Size>, Fine, Coarse> {
  using type = gauss_lobatto<Size - (Fine.degree - Coarse)>;
};

// The operator of the form at another degree, in other numbers.
template <class Operator, int Order, class Numbers>
using operator_at =
    operator_of<typename Operator::form_type, at_degree<Operator::options::space, Order>(),
                typename level_rule<typename Operator::points_type, space_of<Operator::options::space>, Order>::type,
                typename Operator::backend_type, Numbers, typename Operator::geometry_type>;

// Whether a form's state is going to be carried down, and of what lower degrees are where not of the first level's.
template <class Operator>
struct level_source {
  level_source(bool reads = false, Operator const* of_lower = nullptr) : has_state(reads), lower(of_lower) {}
  bool has_state;
  Operator const* lower;
};

// What makes levels of one matrix and its mesh.
template <class Numbers, class Matrix, class Nodes, class NodeSet>
class level_maker {
  using operator_type = element_operator_of<Matrix>;
  using halo_type = halo_of_matrix<Matrix>;
  static constexpr auto space_of_elements = space_of<operator_type::options::space>;

public:
  level_maker(Matrix const& a, Nodes const& nodes, NodeSet const& set, double tolerance,
              level_source<operator_type> const& of = {})
      : matrix_(a),
        lower_(of.lower == nullptr ? a.element_operator() : *of.lower),
        nodes_(nodes),
        set_(set),
        tolerance_(tolerance),
        has_state_(of.has_state),
        hangs_(!a.restriction().table().rows().empty())
  {
    agree_on_check(halo_of(a), "p_levels", [&] {
      if (hangs_) check_rows();
    });
  }

  template <int Order>
  auto make() const
  {
    using made = operator_at<operator_type, Order, Numbers>;
    using scalar = typename made::scalar_type;
    auto const& r = matrix_.restriction();
    if constexpr (Order == operator_type::order && std::is_same_v<Numbers, typename operator_type::precision_type>) {
      if constexpr (is_whole<halo_type>)
        return level<operator_type>(matrix_.element_operator(), r);
      else
        return level<operator_type, halo_type>(matrix_);
    } else if constexpr (Order == operator_type::order) {
      return made_level<made>(restriction_in<scalar>(r), {}, halo_of(matrix_));
    } else {
      auto const& halo = halo_of(matrix_);
      coarse_nodes coarse = nodes_of_degree(host_of(matrix_.backend()), r.table(), halo, {space_of_elements, Order});
      auto own_halo = subset_of_halo(halo, coarse, r.nodes());
      auto const& of_level = own_halo.empty() ? halo : *own_halo;
      auto const rows =
          hangs_ ? rows_of_level<space_of_operator<made>()>(nodes_, coarse, r.components()) : constraints{};
      auto own = restriction_of<scalar, made::axes>(r, coarse.numbers.data(), made::nodes_1d, coarse.nodes,
                                                    coarse.marks, rows);
      return made_level<made>(std::move(own), std::move(own_halo), of_level);
    }
  }

  // The same degree on the meshes that the nodes' was refined from, behind a level of its own.
  template <class Level>
  auto make_meshes(Level const& last) const
  {
    using made = typename Level::operator_type;
    using restriction_type = typename Level::restriction_type;
    std::vector<level_of_mesh<Level>> meshes;
    check_meshes();
    auto const* finer = &last;
    auto const* fine_mesh = &nodes_;
    for (auto const* mesh = nodes_.coarser(); mesh != nullptr; fine_mesh = mesh, mesh = mesh->coarser()) {
      auto const& halo = halo_of(finer->matrix());
      auto const& first = fine_mesh->first_parts();
      own_pointer<restriction_type const> parts;
      agree_on_check(halo, "p_levels", [&] {
        parts = own_pointer<restriction_type const>(new restriction_type(children(finer->restriction(), first)));
      });
      coarse_nodes coarse =
          nodes_of_mesh(host_of(matrix_.backend()), *fine_mesh, *mesh, parts->table(), halo, Level::order + 1);
      auto const rows = rows_of_level<Level::space>(*mesh, coarse, parts->components());
      auto own_halo = subset_of_halo(halo, coarse, parts->nodes());
      [[maybe_unused]] auto const& of_level = own_halo.empty() ? halo : *own_halo;
      auto r = restriction_of<typename Level::scalar_type, made::directions>(
          *parts, coarse.numbers.data(), Level::order + 1, coarse.nodes, coarse.marks, rows);
      auto a = make_operator<made>(finer->element_operator(), *mesh, &first, halo);
      if constexpr (is_whole<halo_type>)
        meshes.push_back({std::move(parts), Level(std::move(a), std::move(r), std::move(own_halo))});
      else
        meshes.push_back(
            {std::move(parts), Level(std::move(a), std::move(r), std::move(own_halo), of_level, matrix_.options())});
      finer = &meshes.back().level;
    }
    return meshes;
  }

private:
  template <class Made, class Restriction>
  level<Made, halo_type> made_level(own_pointer<Restriction const> r, own_pointer<halo_type const> own_halo,
                                    [[maybe_unused]] halo_type const& halo) const
  {
    operator_type const& from = Made::order == operator_type::order ? matrix_.element_operator() : lower_;
    if constexpr (is_whole<halo_type>)
      return {make_operator<Made>(from, nodes_, nullptr, halo_of(matrix_)), std::move(r), std::move(own_halo)};
    else
      return {make_operator<Made>(from, nodes_, nullptr, halo_of(matrix_)),
              std::move(r),
              std::move(own_halo),
              halo,
              matrix_.options(),
              matrix_.part().cut().waiting()};
  }

  // Whether the matrix' equations are those of the mesh's hanging nodes, which other levels have, too.
  void check_rows() const
  {
    auto const& r = matrix_.restriction();
    if constexpr (is_whole<halo_type>)
      check_rows_of<space_of_operator<operator_type>()>(nodes_, r);
    else
      r.refuse_rows("p_levels",
                    "levels of a mesh in parts that follow by themselves have none: make the levels one by one, "
                    "sumfac::levels{sumfac::level{L}, ...}, each with its equations");
  }

  // A Made of the same form, with coefficients that follow from those of `from`, on the same elements or those that it
  // was refined from.
  template <class Made, class Operator, class MeshNodes>
  own_operator<Made> make_operator(Operator const& from, MeshNodes const& nodes,
                                   std::vector<index_t> const* first_parts, halo_type const& halo) const
  {
    own_operator<Made> made;
    first_problem text;
    auto const form = made.data.template form<Made>(from, first_parts, has_state_, text);
    agree(halo, "p_levels", text);
    made.at = own_pointer<Made>(new Made(matrix_.backend(), nodes, form, set_, tolerance_));
    return made;
  }

  // Whether all processes know as many coarser meshes, none of which hangs; on one, whether a mesh that does has its
  // equations.
  void check_meshes() const
  {
    auto const& halo = halo_of(matrix_);
    if constexpr (knows_hanging<Nodes>)
      agree_on_check(halo, "p_levels", [&] {
        auto const* mesh = &nodes_;
        while (mesh != nullptr && mesh->hanging().empty()) mesh = mesh->coarser();
        bool const is_known = is_whole<halo_type> && (hangs_ || mesh != &nodes_);
        if (nodes_.coarser() != nullptr && mesh != nullptr && !is_known)
          failf("p_levels",
                "the mesh, or one that it was cut from, hangs (at %lld sides) and the restriction has no equations of "
                "its nodes (%lld rows): take a function_space's restriction(), on one process",
                static_cast<long long>(mesh->hanging().size()),
                static_cast<long long>(matrix_.restriction().table().rows().all().size()));
      });
    if constexpr (!is_whole<halo_type>) {
      double count[2] = {0, 1};
      for (auto const* mesh = nodes_.coarser(); mesh != nullptr; mesh = mesh->coarser()) ++count[0];
      double const own = count[0];
      reduction const of_all = halo.reduction();
      if (of_all.add_up != nullptr) of_all.add_up(of_all.context, count, 2);
      first_problem text;
      if (own * count[1] != count[0])
        text.say(
            "the process' mesh was refined another number of times than others' (%g times, %g on average): refine "
            "all parts alike, or pass mesh.nodes(), of which levels end with the degrees",
            own, count[0] / count[1]);
      agree(halo, "p_levels", text);
    } else {
      static_cast<void>(halo);
    }
  }

  // A node of the lower degree is its key's owner's.
  static own_pointer<halo_type const> subset_of_halo([[maybe_unused]] halo_type const& halo,
                                                     [[maybe_unused]] coarse_nodes const& coarse,
                                                     [[maybe_unused]] index_t nodes)
  {
    if constexpr (is_whole<halo_type>)
      return {};
    else
      return own_pointer<halo_type const>(
          new halo_type(halo.subset(view<std::uint8_t const, dextents<1>>(coarse.keys.data(), nodes))));
  }

  Matrix const& matrix_;
  operator_type const& lower_;
  Nodes const& nodes_;
  NodeSet const& set_;
  double tolerance_;
  bool has_state_, hangs_;
};

// Mesh nodes that know those of the mesh which they were refined from, as a sumfac::mesh.
template <class Nodes>
concept remembers_coarser = requires(Nodes const& nodes) { nodes.coarser()->first_parts(); };

template <int First, int...>
inline constexpr int first_of = First;

template <int... Orders>
constexpr bool degrees_fall()
{
  int const orders[] = {Orders...};
  for (int i = 1; i < static_cast<int>(sizeof...(Orders)); ++i)
    if (orders[i] >= orders[i - 1]) return false;
  return orders[sizeof...(Orders) - 1] >= 1;
}

template <class Operator, int... Orders>
constexpr bool levels_fit()
{
  constexpr bool begins = Operator::order == first_of<Orders...>, falls = degrees_fall<Orders...>();
  static_assert(Operator::has_one_space,
                "sumfac::p_levels: the operator is between two spaces: take one whose trial and test functions are the "
                "same");
  static_assert(begins, "sumfac::p_levels: the first degree must be that of the operator");
  static_assert(falls, "sumfac::p_levels: the degrees must fall, as in p_levels<7, 4, 2, 1>, to 1 at the least");
  constexpr bool is_own = is_own_node_set<typename Operator::nodes_type>;
  constexpr bool placed = !is_own && Operator::placement != node_placement::gauss &&
                          space_of<Operator::options::space>.shape != cell_shape::tables;
  static_assert(placed,
                "sumfac::p_levels: the operator's functions are on nodes of your own or at Gauss points, or given "
                "as tables, which have none of lower degrees: take gauss_lobatto or equispaced");
  return begins && falls && placed && Operator::has_one_space;
}

// `finer` levels stand in front of them.
template <class Numbers, int... Orders, class Operator, class Restriction, class Halo, class Nodes, class NodeSet,
          class... Finer>
auto make_levels(global_operator<Operator, Restriction, Halo> const& a, Nodes const& nodes, NodeSet const& set,
                 double tolerance, std::type_identity_t<level_source<Operator>> const& of = {}, Finer&&... finer)
{
  constexpr bool fits = levels_fit<Operator, Orders...>(), divides = is_whole<Halo> || halo_with_subsets<Halo>;
  static_assert(divides, "sumfac::p_levels: the halo has no number(node) and subset(chosen), as sumfac::mpi::halo has");
  if constexpr (fits && divides) {
    level_maker<Numbers, global_operator<Operator, Restriction, Halo>, Nodes, NodeSet> const maker(a, nodes, set,
                                                                                                   tolerance, of);
    levels of_degrees{std::forward<Finer>(finer)..., maker.template make<Orders>()...};
    if constexpr (remembers_coarser<Nodes>) {
      auto of_meshes = maker.make_meshes(of_degrees.coarsest());
      return mesh_levels(std::move(of_degrees), std::move(of_meshes));
    } else {
      return of_degrees;
    }
  }
}

// The same of an operator and a restriction.
template <class Numbers, int... Orders, class Operator, class Nodes, class Restriction, class NodeSet, class... Finer>
auto make_levels(Operator const& a, Nodes const& nodes, Restriction const& r, NodeSet const& set, double tolerance,
                 std::type_identity_t<level_source<Operator>> const& of = {}, Finer&&... finer)
{
  check_restriction("p_levels", a, r);
  return make_levels<Numbers, Orders...>(global_operator{a, r}, nodes, set, tolerance, of,
                                         std::forward<Finer>(finer)...);
}

// The same of a form that reads functions, which are carried down.
template <class Numbers, int... Orders, class Matrix, class Nodes, class... Fields>
auto make_levels_with_state(Matrix const& a, Nodes const& nodes, Fields const&... fields)
{
  using operator_type = element_operator_of<Matrix>;
  using inputs = inputs_of<typename operator_type::form_type>;
  constexpr int orders[] = {Orders...};
  if constexpr (reads_on_levels<inputs, int{sizeof...(Fields)}, orders[sizeof...(Orders) - 1]>)
    return make_levels_that_read(inputs{},
                                 make_levels<Numbers, Orders...>(a, nodes, unsaid_nodes{}, geometry_tolerance,
                                                                 level_source<operator_type>(true)),
                                 nodes, a.restriction(), fields...);
}
template <class Numbers, int... Orders, class Operator, class Nodes, class Restriction, class... Fields>
auto make_whole_levels_with_state(Operator const& a, Nodes const& nodes, Restriction const& r, Fields const&... fields)
{
  check_restriction("p_levels", a, r);
  return make_levels_with_state<Numbers, Orders...>(global_operator{a, r}, nodes, fields...);
}

}  // namespace detail

// Levels of degrees Orders, of which the first is A's: A and R themselves, and of lower degrees operators of the same
// form, policy and precision on the same elements and mesh nodes, by fewer points, with restrictions whose node numbers
// and constrained entries follow R's. Refers to A and R, which must live as long. Of a sumfac::mesh the last degree
// goes on over the meshes that it was cut from; where one of them hangs, levels have the equations of its hanging
// nodes.
//
// Arguments are those that A and R were made of: node_set and tolerance are those of A's constructor.
// Reads the coefficients by element of A's form again, also with geometry `stored`: their views must still be there.
// **Errors** (compile time) degrees that do not fall, a first degree that is not A's; (run time) those of operators; a
// form with coefficients by point, or that reads other functions, as a tangent does, where operators are made of it;
// equations of R that are not those of the mesh's hanging nodes.
template <int... Orders, class Operator, class Nodes, class NodeSet = unsaid_nodes>
auto p_levels(Operator const& a, Nodes const& nodes,
              restriction<typename Operator::scalar_type, typename Operator::backend_type> const& r,
              NodeSet const& node_set = {}, double tolerance = geometry_tolerance)
{
  using numbers = typename Operator::precision_type;
  return detail::make_levels<numbers, Orders...>(a, nodes, r, node_set, tolerance);
}

// Levels of A, those of lower degrees and coarser meshes made of B, an operator of A's type on the same elements: as
// one of convection with more diffusion along the wind, without which lower degrees are no discretization of it.
template <int... Orders, class Operator, class Nodes, class NodeSet = unsaid_nodes>
auto p_levels(Operator const& a, std::type_identity_t<Operator> const& b, Nodes const& nodes,
              restriction<typename Operator::scalar_type, typename Operator::backend_type> const& r,
              NodeSet const& node_set = {}, double tolerance = geometry_tolerance)
{
  static_assert(
      sizeof...(Orders) > 1,
      "sumfac::p_levels: no lower degree is made of the second operator: name one, as in p_levels<2, 1>(A, B, "
      "mesh, R)");
  using numbers = typename Operator::precision_type;
  detail::check_restriction("p_levels", b, r);
  return detail::make_levels<numbers, Orders...>(a, nodes, r, node_set, tolerance, {false, &b});
}

// The same in numbers of their own, as in p_levels<float, 7, 4, 2, 1>(A, nodes, R): the finest level is another
// operator then, and refers to A and R no longer than this call.
template <class Numbers, int... Orders, class Operator, class Nodes, class NodeSet = unsaid_nodes>
auto p_levels(Operator const& a, Nodes const& nodes,
              restriction<typename Operator::scalar_type, typename Operator::backend_type> const& r,
              NodeSet const& node_set = {}, double tolerance = geometry_tolerance)
{
  return detail::make_levels<Numbers, Orders...>(a, nodes, r, node_set, tolerance);
}

// The same where A's form reads other functions, as a tangent its state and then its form's own: field(R, u), field(S,
// t), as A.linearize() has been given them, each through any restriction of these elements. They are interpolated from
// level to level, each of which keeps them at its points; multigrid's update(...) takes others.
// **Errors** (compile time) another number of fields than the form reads, or one of a degree of its own above the last
// level's; (run time) restrictions of other elements, nodes or components, and those of linearize().
template <int... Orders, class Operator, class Nodes, class Read, class Vector, class... More>
auto p_levels(Operator const& a, Nodes const& nodes,
              restriction<typename Operator::scalar_type, typename Operator::backend_type> const& r,
              detail::global_field<Read, Vector> const& state, More const&... more)
{
  return detail::make_whole_levels_with_state<typename Operator::precision_type, Orders...>(a, nodes, r, state,
                                                                                            more...);
}
template <class Numbers, int... Orders, class Operator, class Nodes, class Read, class Vector, class... More>
auto p_levels(Operator const& a, Nodes const& nodes,
              restriction<typename Operator::scalar_type, typename Operator::backend_type> const& r,
              detail::global_field<Read, Vector> const& state, More const&... more)
{
  return detail::make_whole_levels_with_state<Numbers, Orders...>(a, nodes, r, state, more...);
}

// Levels of degrees Orders of a global_operator, in parts where it is, of which the first is the matrix A itself, and
// lower degrees are of the same form, policy and precision: p_levels<7, 4, 2, 1>(A, nodes). Node numbers, constrained
// entries, owners and halos follow A's. All processes call it at once. Refers to A and to what A refers to, which must
// live as long.
//
// Arguments are those that A's operator was made of, on this process.
// **Errors** (compile time) degrees that do not fall, a first degree that is not A's, a halo that cannot be coarsened;
// (run time) those of operators.
template <int... Orders, class Operator, class Restriction, class Halo, class Nodes, class NodeSet = unsaid_nodes>
auto p_levels(global_operator<Operator, Restriction, Halo> const& a, Nodes const& nodes, NodeSet const& node_set = {},
              double tolerance = geometry_tolerance)
{
  using numbers = typename Operator::precision_type;
  return detail::make_levels<numbers, Orders...>(a, nodes, node_set, tolerance);
}

// The same in numbers of their own, as in p_levels<float, 7, 4, 2, 1>(A, nodes): the finest level is another operator
// then, and refers to A's halo alone.
template <class Numbers, int... Orders, class Operator, class Restriction, class Halo, class Nodes,
          class NodeSet = unsaid_nodes>
auto p_levels(global_operator<Operator, Restriction, Halo> const& a, Nodes const& nodes, NodeSet const& node_set = {},
              double tolerance = geometry_tolerance)
{
  return detail::make_levels<Numbers, Orders...>(a, nodes, node_set, tolerance);
}

// The same where A's form reads other functions, as above: p_levels<4, 2, 1>(L, nodes, field(R, u)). In parts their
// vectors have the entries of ghosts behind those of owned nodes, as L.with_ghosts(x, u) writes them, and are carried
// down within each process.
template <int... Orders, class Operator, class Restriction, class Halo, class Nodes, class Read, class Vector,
          class... More>
auto p_levels(global_operator<Operator, Restriction, Halo> const& a, Nodes const& nodes,
              detail::global_field<Read, Vector> const& state, More const&... more)
{
  return detail::make_levels_with_state<typename Operator::precision_type, Orders...>(a, nodes, state, more...);
}
template <class Numbers, int... Orders, class Operator, class Restriction, class Halo, class Nodes, class Read,
          class Vector, class... More>
auto p_levels(global_operator<Operator, Restriction, Halo> const& a, Nodes const& nodes,
              detail::global_field<Read, Vector> const& state, More const&... more)
{
  return detail::make_levels_with_state<Numbers, Orders...>(a, nodes, state, more...);
}

// Spaces in place of degrees are refused with a diagnostic.
template <auto... Spaces, class Operator, class Nodes, class Restriction>
  requires(sizeof...(Spaces) > 0 && (std::same_as<std::remove_cvref_t<decltype(Spaces)>, space> && ...))
void p_levels(Operator const&, Nodes const&, Restriction const&)
{
  static_assert(sizeof...(Spaces) == 0,
                "sumfac::p_levels: degrees are enough, as in p_levels<4, 2, 1>(A, nodes, R): the elements are the "
                "operator's");
}

}  // namespace sumfac
