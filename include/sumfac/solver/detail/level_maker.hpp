// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Makes levels of one matrix and its mesh: operators of lower degrees and on coarser meshes, with their restrictions.
#pragma once

#include <sumfac/operator/element_operator.hpp>
#include <sumfac/solver/detail/coarse_nodes.hpp>
#include <sumfac/solver/detail/level_data.hpp>
#include <sumfac/solver/detail/level_rows.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/restriction_in.hpp>
#include <sumfac/solver/level.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// Where the mesh nodes of a process' part are said by a part of a function space, as sumfac::mpi::space_part, which
// knows the nodes of all processes.
template <class Nodes>
concept knows_whole_space = requires(Nodes const& nodes) {
  nodes.space().table();
  nodes.mesh_nodes();
};
// Whether levels have halos of the matrix' type: those of a part of a space are of the part's.
template <class Nodes, class Halo>
constexpr bool makes_halos_of()
{
  if constexpr (knows_whole_space<Nodes>)
    return std::is_same_v<std::remove_cvref_t<decltype(std::declval<Nodes const&>().halo())>, Halo>;
  else
    return true;
}
template <class Nodes>
decltype(auto) nodes_of_mesh_in(Nodes const& nodes)
{
  if constexpr (knows_whole_space<Nodes>)
    return nodes.mesh_nodes();
  else
    return (nodes);
}

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

// The operator of the form in another space, in other numbers; of one on faces these are those of vectors.
template <class Operator, auto Space, class Points, class Numbers>
struct operator_in {
  using type = operator_of<typename Operator::form_type, Space, Points, typename Operator::backend_type, Numbers,
                           typename Operator::geometry_type>;
};
template <works_on_faces Operator, auto Space, class Points, class Numbers>
struct operator_in<Operator, Space, Points, Numbers> {
  using type = typename Operator::template with<Space, Points, vector_scalar<Numbers>>;
};
// The same at another degree.
template <class Operator, int Order, class Numbers>
using operator_at = typename operator_in<
    Operator, at_degree<Operator::options::space, Order>(),
    typename level_rule<typename Operator::points_type, space_of<Operator::options::space>, Order>::type,
    Numbers>::type;

// Whether an operator in these numbers has those that Operator has.
template <class Operator, class Numbers>
inline constexpr bool has_numbers =
    std::is_same_v<std::conditional_t<works_on_faces<Operator>, vector_scalar<Numbers>, Numbers>,
                   typename Operator::precision_type>;

// Whether a form's state is going to be carried down, and of what lower degrees are where not of the first level's;
// whether that lives as long as they do.
template <class Operator>
struct level_source {
  level_source(bool reads = false, Operator const* of_lower = nullptr, bool lives = true)
      : has_state(reads), lower(of_lower), lower_lives(lives)
  {
  }
  bool has_state;
  Operator const* lower;
  bool lower_lives;
};

// The halo of a lower degree's nodes, of which each is its key's owner's; none where a process has the mesh.
template <class Halo>
own_pointer<Halo const> subset_of_halo([[maybe_unused]] Halo const& halo, [[maybe_unused]] coarse_nodes const& coarse,
                                       [[maybe_unused]] index_t nodes)
{
  if constexpr (is_whole<Halo>)
    return {};
  else
    return own_pointer<Halo const>(
        new Halo(halo.subset(view<std::uint8_t const, dextents<1>>(coarse.keys.data(), nodes))));
}

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
        lower_lives_(of.lower_lives),
        hangs_(!a.restriction().table().rows().empty())
  {
    agree_on_check(halo_of(a), "p_levels", [&] {
      if (hangs_ || knows_whole_space<Nodes>) check_rows();
    });
    if constexpr (knows_whole_space<Nodes>) marks_of_all_ = nodes_.whole_marks(a.restriction());
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
    } else if constexpr (knows_whole_space<Nodes>) {
      auto const& of_all = nodes_.space();
      host const threads = host_of(matrix_.backend());
      coarse_nodes coarse(
          threads,
          make_node_table(threads, of_all.table(), of_all.nodes(), r.options(),
                          view<unsigned char const, dextents<2>>(marks_of_all_.data(), of_all.nodes(), r.components()),
                          of_all.hanging()),
          {space_of_elements, Order});
      auto const rows = rows_of_level<space_of_operator<made>()>(of_all.mesh(), coarse, r.components());
      auto part = nodes_.part_of(coarse.numbers.data(), coarse_sets(space_of_elements, Order).size(), coarse.nodes,
                                 coarse.marks, rows);
      own_vector<node_table::number> numbers;
      for (index_t const node : part.table) numbers.push_back(static_cast<node_table::number>(node));
      own_vector<std::uint8_t> marks;
      for (auto const mark : part.marks) marks.push_back(mark);
      own_pointer<halo_type const> own_halo(part.halo.release());
      auto const& of_level = *own_halo;
      auto own = restriction_of<scalar, made::axes>(r, numbers.data(), made::nodes_1d, part.count(), marks, part.rows);
      return made_level<made>(std::move(own), std::move(own_halo), of_level);
    } else {
      auto const& halo = halo_of(matrix_);
      coarse_nodes coarse = nodes_of_degree(host_of(matrix_.backend()), r.table(), halo, {space_of_elements, Order});
      auto own_halo = subset_of_halo(halo, coarse, r.nodes());
      auto const& of_level = own_halo.empty() ? halo : *own_halo;
      return made_level<made>(make_restriction<Order>(coarse), std::move(own_halo), of_level);
    }
  }

  // What a level is made of: the operator of a degree, beside the matrix' own, and the restriction of its nodes.
  template <int Order>
  auto make_operator() const
  {
    return make_operator<operator_at<operator_type, Order, Numbers>>(lower_, nodes_, nullptr, halo_of(matrix_), true);
  }
  template <int Order>
  auto make_restriction(coarse_nodes& coarse) const
  {
    using made = operator_at<operator_type, Order, Numbers>;
    auto const& r = matrix_.restriction();
    auto const rows = hangs_ ? rows_of_level<space_of_operator<made>()>(nodes_, coarse, r.components()) : constraints{};
    return restriction_of<typename made::scalar_type, made::axes>(r, coarse.numbers.data(), made::nodes_1d,
                                                                  coarse.nodes, coarse.marks, rows);
  }

  // Whether all processes know as many coarser meshes, as many as degrees are named again or more, none of which
  // hangs; on one, whether a mesh that does has its equations.
  void check_meshes(int again) const
  {
    auto const& halo = halo_of(matrix_);
    double known = 0;
    for (auto const* mesh = nodes_.coarser(); mesh != nullptr; mesh = mesh->coarser()) ++known;
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
      double count[2] = {known, 1};
      reduction const of_all = halo.reduction();
      if (of_all.add_up != nullptr) of_all.add_up(of_all.context, count, 2);
      first_problem text;
      if (known * count[1] != count[0])
        text.say(
            "the process' mesh was refined another number of times than others' (%g times, %g on average): refine "
            "all parts alike, or pass mesh.nodes(), of which levels end with the degrees",
            known, count[0] / count[1]);
      agree(halo, "p_levels", text);
    } else {
      static_cast<void>(halo);
    }
    if (again > known)
      failf("p_levels",
            "the mesh was cut from fewer meshes than degrees are named again, each on a coarser one (%g, at least %d "
            "expected): take refined(mesh, %d), or name fewer",
            known, again, again);
  }

  // The same degree on the mesh that a level's was refined from.
  template <class Level>
  level_of_mesh<Level> on_coarser_mesh(Level const& finer, Nodes const& fine_mesh) const
  {
    using made = typename Level::operator_type;
    using restriction_type = typename Level::restriction_type;
    auto const& mesh = *fine_mesh.coarser();
    auto const& halo = halo_of(finer.matrix());
    auto const& first = fine_mesh.first_parts();
    own_pointer<restriction_type const> parts;
    agree_on_check(halo, "p_levels", [&] {
      parts = own_pointer<restriction_type const>(new restriction_type(children(finer.restriction(), first)));
    });
    coarse_nodes coarse =
        nodes_of_mesh(host_of(matrix_.backend()), fine_mesh, mesh, parts->table(), halo, Level::order + 1);
    auto const rows = rows_of_level<Level::space>(mesh, coarse, parts->components());
    auto own_halo = subset_of_halo(halo, coarse, parts->nodes());
    [[maybe_unused]] auto const& of_level = own_halo.empty() ? halo : *own_halo;
    auto r = restriction_of<typename Level::scalar_type, made::directions>(
        *parts, coarse.numbers.data(), Level::order + 1, coarse.nodes, coarse.marks, rows);
    auto a = [&] {
      if constexpr (Level::order == operator_type::order)
        if (&lower_ != &matrix_.element_operator() && &fine_mesh == &nodes_)
          return make_operator<made>(lower_, mesh, &first, halo, lower_lives());
      return make_operator<made>(finer.element_operator(), mesh, &first, halo, true);
    }();
    if constexpr (is_whole<halo_type>)
      return {std::move(parts), Level(std::move(a), std::move(r), std::move(own_halo))};
    else
      return {std::move(parts), Level(std::move(a), std::move(r), std::move(own_halo), of_level, matrix_.options())};
  }
  // What makes lower degrees of such a level.
  template <class Level>
  auto of_coarser_mesh(Level const& level) const
  {
    return level_maker<Numbers, typename Level::matrix_type, Nodes, NodeSet>(
        level.matrix(), *nodes_.coarser(), set_, tolerance_, level_source<typename Level::operator_type>(has_state_));
  }
  // The same degree on all meshes that the nodes' was refined from, behind a level of its own.
  template <class Level>
  auto make_meshes(Level const& last) const
  {
    std::vector<level_of_mesh<Level>> meshes;
    Level const* finer = &last;
    for (auto const* mesh = &nodes_; mesh->coarser() != nullptr; mesh = mesh->coarser()) {
      meshes.push_back(on_coarser_mesh(*finer, *mesh));
      finer = &meshes.back();
    }
    return meshes;
  }

private:
  template <class Made, class Restriction>
  level<Made, halo_type> made_level(own_pointer<Restriction const> r, own_pointer<halo_type const> own_halo,
                                    [[maybe_unused]] halo_type const& halo) const
  {
    operator_type const& from = Made::order == operator_type::order ? matrix_.element_operator() : lower_;
    bool const lives = lower_lives();
    if constexpr (is_whole<halo_type>)
      return {make_operator<Made>(from, nodes_, nullptr, halo_of(matrix_), lives), std::move(r), std::move(own_halo)};
    else
      return {make_operator<Made>(from, nodes_of_mesh_in(nodes_), nullptr, halo_of(matrix_), lives),
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
    if constexpr (knows_whole_space<Nodes>)
      nodes_.check_own("p_levels", r);
    else if constexpr (is_whole<halo_type>)
      check_rows_of<space_of_operator<operator_type>()>(nodes_, r);
    else
      r.refuse_rows(
          "p_levels",
          "levels of a mesh in parts have those of its hanging nodes where a sumfac::mpi::space_part is passed "
          "in place of mesh nodes, p_levels<2, 1>(L, part); else make the levels one by one, "
          "sumfac::levels{sumfac::level{L}, ...}, each with its equations");
  }

  // Levels in numbers of their own refer to no operator.
  bool lower_lives() const { return has_numbers<operator_type, Numbers> && lower_lives_; }

  // A Made of the same form, with coefficients that follow from those of `from`, on the same elements or those that it
  // was refined from. It takes parameters from `from` where that lives as long.
  template <class Made, class Operator, class MeshNodes>
  own_operator<Made> make_operator(Operator const& from, MeshNodes const& nodes,
                                   std::vector<index_t> const* first_parts, halo_type const& halo, bool lives) const
  {
    own_operator<Made> made;
    first_problem text;
    auto const form = made.data.template form<Made>(from, first_parts, has_state_, text);
    if constexpr (works_on_faces<Operator>)
      if (nodes.extent(0) != from.faces())
        text.say(
            "the mesh nodes of a face_operator's part are those of the elements behind its faces, an element for each "
            "(got %lld, %lld expected): pass owner_nodes(mesh, sides), as the operator has been made of",
            static_cast<long long>(nodes.extent(0)), static_cast<long long>(from.faces()));
    agree(halo, "p_levels", text);
    if constexpr (works_on_faces<Made>)
      made.at = own_pointer<Made>(new Made(matrix_.backend(), nodes, form, set_));
    else
      made.at = own_pointer<Made>(new Made(matrix_.backend(), nodes, form, set_, tolerance_));
    if (lives) made.of = &from.form();
    return made;
  }

  Matrix const& matrix_;
  operator_type const& lower_;
  Nodes const& nodes_;
  NodeSet const& set_;
  double tolerance_;
  bool has_state_, lower_lives_, hangs_;
  std::vector<unsigned char> marks_of_all_;  // of a whole space's nodes, where it is known
};

}  // namespace sumfac::detail
