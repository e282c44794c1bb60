// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A level of a mesh in parts on fewer processes, which know the whole mesh, and multigrid there over the meshes that it
// was cut from.
#pragma once

#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/detail/own_pointer.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/constraints.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/dofs/restriction/node_table.hpp>
#include <sumfac/error.hpp>
#include <sumfac/form/inputs.hpp>
#include <sumfac/interop/detail/agree.hpp>
#include <sumfac/interop/detail/elements_behind.hpp>
#include <sumfac/interop/detail/gathered_rows.hpp>
#include <sumfac/interop/detail/shared_elements.hpp>
#include <sumfac/interop/detail/shared_nodes.hpp>
#include <sumfac/interop/mpi.hpp>
#include <sumfac/operator/element_operator.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/detail/coarse_solve.hpp>
#include <sumfac/solver/detail/level_data.hpp>
#include <sumfac/solver/detail/level_maker.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/restriction_in.hpp>
#include <sumfac/solver/multigrid.hpp>
#include <sumfac/solver/p_levels.hpp>
#include <sumfac/view/view.hpp>

#include <mpi.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// A solver of `gathered` that works on the whole mesh, which a part of a space knows.
template <class Solver>
concept knows_whole_mesh = requires(Solver const& solver) {
  solver.part->space().mesh().first_parts();
  solver.options.smoother;
  solver.coarse;
};
template <class Solver>
concept solves_on_meshes = requires(Solver const& solver) { solver.list.mesh->first_parts(); };

inline constexpr char const* take_solver_of_rows =
    "take a solver of the rows, as gathered{[](auto const& a) { return sumfac::boomer_amg(a); }}";

template <class Level, class Solver>
class gathered_solve;

// A mesh, and the process of each of its elements: -1 where several have what it was cut into.
template <class Mesh>
struct listed_mesh {
  Mesh const* mesh;
  std::vector<int> process;

  index_t elements_of(int rank) const { return static_cast<index_t>(std::count(process.begin(), process.end(), rank)); }
  bool is_coarsest() const { return mesh->coarser() == nullptr; }
  listed_mesh coarser() const
  {
    listed_mesh next{mesh->coarser(), {}};
    auto const& first = mesh->first_parts();
    for (std::size_t e = 0; e + 1 < first.size(); ++e) {
      auto const begin = process.begin() + first[e], end = process.begin() + first[e + 1];
      bool const is_whole = std::all_of(begin, end, [&](int p) { return p == *begin; });
      next.process.push_back(is_whole ? *begin : -1);
    }
    return next;
  }
};

// How many coarser meshes the processes of this one have, which has so many unknowns: to the first one with less than
// enough, on which fewer go on.
template <class Mesh>
int meshes_with(Mesh const* mesh, index_t unknowns, double enough)
{
  double const of_element = static_cast<double>(unknowns) / static_cast<double>(mesh->elements());
  int count = 0;
  for (; mesh->coarser() != nullptr && of_element * static_cast<double>(mesh->elements()) >= enough; ++count)
    mesh = mesh->coarser();
  return count;
}

// What makes multigrid of a level of such a mesh and those that this was cut from, on processes that have so many
// unknowns each.
template <class Mesh, class Smoother, class Coarse>
struct meshes_below {
  using mesh_type = Mesh;
  using smoother_type = Smoother;
  using coarse_type = Coarse;

  template <class Level>
  gathered_solve<Level, meshes_below> make(Level const& level) const
  {
    return {level, *this, unknowns};
  }

  listed_mesh<Mesh> list;
  multigrid_options<Smoother> options;
  Coarse coarse;
  index_t unknowns;
};
template <knows_whole_mesh Solver>
auto meshes_of(Solver const& solver, index_t unknowns)
{
  auto const& mesh = solver.part->space().mesh();
  std::vector<int> process;
  for (index_t e = 0; e < mesh.elements(); ++e) process.push_back(solver.part->process(e));
  return meshes_below<std::remove_cvref_t<decltype(mesh)>, std::remove_cvref_t<decltype(solver.options.smoother)>,
                      std::remove_cvref_t<decltype(solver.coarse)>>{
      {&mesh, std::move(process)}, solver.options, solver.coarse, unknowns};
}

// The coefficients of a form on the elements of a group, on its head.
template <class Operator>
class gathered_coefficients {
  using form_type = std::remove_const_t<typename Operator::form_type>;
  static constexpr int directions = Operator::directions;

public:
  explicit gathered_coefficients(Operator const& a) : form_(&a.form())
  {
    if constexpr (!std::is_empty_v<form_type>) {
      asked_coefficients const asked(a);
      for (auto const& one : asked.all()) views_.push_back(one.view);
    }
  }

  void check(first_problem& problem) const
  {
    for (auto const& v : views_) {
      auto const at = offset_in_form(v);
      bool const is_member = at >= 0 && at < static_cast<std::ptrdiff_t>(sizeof(form_type));
      if (!is_member || !runs_on_host<typename Operator::backend_type>)
        problem.say(
            "the form's coefficient of shape %s is no view among its members (at byte %lld of %lld), or in a "
            "device's memory: %s",
            coefficient_shape(v), static_cast<long long>(at), static_cast<long long>(sizeof(form_type)),
            take_solver_of_rows);
    }
  }
  // How many numbers an element has, and those of one here.
  std::size_t numbers() const
  {
    std::size_t count = 0;
    for (auto const& v : views_) for_each_number(v, [&](point_index const&, int) { ++count; });
    return count;
  }
  void tell(index_t e, std::vector<std::int64_t>& to) const
  {
    for (auto const& v : views_)
      for_each_number(v, [&](point_index const& at, int c) {
        to.push_back(std::bit_cast<std::int64_t>(number_at(v.data, v.offset(v.view, e, at, c), v.entry_bytes)));
      });
  }

  // The form with views of memory for so many elements, and what it has there on one of them.
  form_type of_elements(index_t elements, host const& threads)
  {
    form_type form = *form_;
    for (auto const& v : views_) {
      index_t extents[5] = {elements}, size = v.entry_bytes;
      for (int r = 1; r < v.rank; ++r) extents[r] = r <= point_extents(v) ? Operator::points_1d : index_t{v.components};
      for (int r = 0; r < v.rank; ++r) size *= extents[r];
      memory_.push_back(buffer<unsigned char>(threads, size));
      if (!v.put(reinterpret_cast<unsigned char*>(&form) + offset_in_form(v), memory_.back().data(), extents))
        failf("mpi::coarser_meshes",
              "the form's coefficient of shape %s has extents that are constants, not those of all elements (%lld): %s",
              coefficient_shape(v), static_cast<long long>(elements), take_solver_of_rows);
    }
    whole_.emplace(form);
    return form;
  }
  void hear(index_t e, std::int64_t const* from)
  {
    for (std::size_t i = 0; i < views_.size(); ++i) {
      auto const& v = views_[i];
      void const* const view = reinterpret_cast<unsigned char const*>(&*whole_) + offset_in_form(v);
      for_each_number(v, [&](point_index const& at, int c) {
        put_number(memory_[i].data(), v.offset(view, e, at, c), v.entry_bytes, std::bit_cast<double>(*from++));
      });
    }
  }
  std::vector<buffer<unsigned char>> take_memory() { return std::move(memory_); }

private:
  std::ptrdiff_t offset_in_form(coefficient_view const& v) const
  {
    return static_cast<unsigned char const*>(v.view) - reinterpret_cast<unsigned char const*>(form_);
  }
  template <class Function>
  static void for_each_number(coefficient_view const& v, Function const& f)
  {
    node_box const points(point_extents(v) > 0 ? Operator::points_1d : 1, directions);
    for (int k = 0; k < points.z; ++k)
      for (int j = 0; j < points.y; ++j)
        for (int i = 0; i < points.x; ++i)
          for (int c = 0; c < (v.components > 0 ? v.components : 1); ++c) f(point_index{k, j, i}, c);
  }

  typename Operator::form_type const* form_;
  std::vector<coefficient_view> views_;
  std::vector<buffer<unsigned char>> memory_;
  std::optional<form_type> whole_;
};

// What solves on heads: a cycle over the level's degree on the groups' elements and on coarser meshes, in parts where
// there are several, which have fewer heads in turn.
template <class Level, class Solver>
class meshes_on_head {
  using scalar = typename Level::scalar_type;
  using level_operator = typename Level::operator_type;
  using form_type = std::remove_const_t<typename level_operator::form_type>;
  using operator_type =
      operator_of<typename level_operator::form_type, at_degree<level_operator::options::space, Level::order>(),
                  typename level_operator::points_type, host, typename level_operator::precision_type,
                  typename level_operator::geometry_type>;
  using restriction_type = restriction<scalar, host>;
  using matrix_type = global_operator<operator_type, restriction_type, mpi::halo>;
  using mesh_type = typename Solver::mesh_type;
  template <class Levels, class Coarse>
  using multigrid_of = multigrid<Levels, typename Solver::smoother_type, Coarse>;
  using alone_type = multigrid_of<decltype(p_levels<Level::order>(std::declval<operator_type const&>(),
                                                                  std::declval<mesh_type const&>(),
                                                                  std::declval<restriction_type const&>())),
                                  typename Solver::coarse_type>;
  using shared_type = multigrid_of<
      decltype(p_levels<Level::order>(std::declval<matrix_type const&>(), std::declval<mesh_type const&>())), Solver>;
  using coefficients = gathered_coefficients<level_operator>;
  static constexpr bool is_tangent = inputs_of<form_type>::count > 0;
  static_assert(!is_tangent,
                "sumfac::mpi::coarser_meshes: the form reads functions, which are not carried to fewer processes: take "
                "a solver of the rows, as [](auto const& a) { return sumfac::boomer_amg(a); }");

public:
  // Tells a head where its group's elements are: of each its number in the whole mesh, and of its nodes the number in
  // the level and which components are constrained.
  static std::vector<std::vector<std::int64_t>> tell(process_groups const& groups, Level const& level,
                                                     Solver const& solver)
  {
    auto const& r = level.restriction();
    auto const& table = r.table();
    auto const& halo = level.matrix().halo();
    MPI_Comm const comm = groups.all();
    int const rank = rank_in(comm);
    first_problem problem;
    if (table.has_rows() || static_cast<index_t>(r.active().size()) != r.elements())
      problem.say("the level's restriction has equations, or some of its elements alone (%lld of %lld)",
                  static_cast<long long>(r.active().size()), static_cast<long long>(r.elements()));
    coefficients const of_form(level.element_operator());
    of_form.check(problem);
    auto const all = static_cast<index_t>(sum_of_all(comm, r.elements()));
    auto const at = list_of(solver, all);
    check(at, rank, r.elements(), all, problem);
    agree_on(comm, here_, problem);
    auto told = lists_for_all(comm);
    auto& to = told[static_cast<std::size_t>(groups.head_of(rank))];
    index_t next = 0;  // of this process' elements
    for (std::size_t of_all = 0; of_all < at.process.size(); ++of_all) {
      if (at.process[of_all] != rank) continue;
      index_t const e = next++;
      to.push_back(static_cast<std::int64_t>(of_all));
      for (index_t p = 0; p < table.nodes_of_element(); ++p) {
        auto const node = table(e, p);
        std::int64_t fixed = 0;
        for (int c = 0; c < table.components(); ++c) fixed |= std::int64_t{table.constrained(node, c)} << c;
        to.push_back(halo.number(node)), to.push_back(fixed);
      }
      of_form.tell(e, to);
    }
    return told_to_heads(comm, told);
  }
  // Which ranks may begin a group: those that leave the elements of the next coarser mesh whole, none on the coarsest.
  static std::vector<bool> begins(Level const& level, Solver const& solver)
  {
    MPI_Comm const comm = level.matrix().halo().communicator();
    auto const at = list_of(solver, sum_of_all(comm, level.restriction().elements()));
    std::vector<bool> may(static_cast<std::size_t>(processes_in(comm)), !at.is_coarsest());
    if (at.is_coarsest()) return may;
    auto const& first = at.mesh->first_parts();
    for (std::size_t e = 0; e + 1 < first.size(); ++e) {
      auto const [least, most] = std::minmax_element(at.process.begin() + first[e], at.process.begin() + first[e + 1]);
      for (int rank = *least + 1; rank <= *most; ++rank) may[static_cast<std::size_t>(rank)] = false;
    }
    return may;
  }

  meshes_on_head(Solver const& solver, Level const& level, process_groups const& groups,
                 std::vector<std::int64_t> const& number, std::vector<std::vector<std::int64_t>> const& told)
      : place_(number.size(), -1)
  {
    MPI_Comm const heads = groups.heads();
    all_of const together{heads};
    host const threads = host_of(level.backend());
    auto const& model = level.restriction();
    int const components = model.components();
    auto const each = static_cast<std::size_t>(model.table().nodes_of_element());
    coefficients of_form(level.element_operator());
    std::size_t const record = 1 + 2 * each + of_form.numbers();
    index_t elements = 0;
    for (auto const& from : told) elements += static_cast<index_t>(from.size() / record);
    auto at = list_of(solver, sum_of_all(heads, elements));
    for (int& process : at.process) process = groups.place(process);
    process_list const list(heads, here_, at.mesh->elements(), at.process);
    own_vector<std::int32_t> table;
    index_t const nodes = at.mesh->number_nodes(Level::order, table);
    own_vector<unsigned char> marks(static_cast<std::size_t>(nodes * components), 0);
    std::vector<numbered_row> known;  // numbers in the level, and in the whole mesh
    agree_on_check(together, here_, [&] {
      auto const form = of_form.of_elements(elements, threads);
      for (auto const& from : told)
        for (std::size_t i = 0; i < from.size(); i += record) {
          of_form.hear(place_in(list.elements_here, from[i]), from.data() + i + 1 + 2 * each);
          for (std::size_t p = 0; p < each; ++p) {
            index_t const node = table[static_cast<std::size_t>(from[i]) * each + p];
            std::int64_t const fixed = from[i + 2 + 2 * p];
            known.emplace_back(from[i + 1 + 2 * p], node);
            for (int c = 0; c < components; ++c)
              if ((fixed >> c & 1) != 0) marks[static_cast<std::size_t>(node * components + c)] = 1;
          }
        }
      double const enough = static_cast<double>(solver.unknowns) * groups.count();
      mesh_.emplace(groups.count() == 1
                        ? *at.mesh
                        : at.mesh->of_process(at.process, list.rank, meshes_with(at.mesh, nodes * components, enough)));
      a_ = own_pointer<operator_type const>(new operator_type(threads, *mesh_, form));
    });
    coefficients_ = of_form.take_memory();
    std::sort(known.begin(), known.end());
    part_nodes part = make_part_nodes<std::int32_t>(
        heads, list, components, {{table.data(), at.mesh->elements(), static_cast<index_t>(each)}}, nodes, marks, {});
    halo_ = own_pointer<mpi::halo const>(part.halo.release());
    agree_on_check(together, here_, [&] {
      for (std::size_t i = 0; i < number.size(); ++i) {
        index_t const node = place_of(known, number[i] / components);
        if (node < 0) continue;
        index_t const own = part.here[static_cast<std::size_t>(node)];
        if (own < 0 || own >= halo_->owned())
          failf(here_,
                "node %lld of the last level is another process' in the part of the space than in the matrix (%lld "
                "here, 0 to %lld expected): make the matrix with part.halo()",
                static_cast<long long>(number[i] / components), static_cast<long long>(own),
                static_cast<long long>(halo_->owned()) - 1);
        place_[i] = own * components + number[i] % components;
      }
      own_vector<node_table::number> numbers;
      for (index_t const node : part.table) numbers.push_back(static_cast<node_table::number>(node));
      restriction_options options = model.options();
      options.components_lie = interleaving::fastest, options.every_node = false;
      constexpr int axes = operator_type::axes;
      r_ = own_pointer<restriction_type const>(new restriction_type(
          threads, element_view<axes, node_table::number const>(numbers.data(), elements, operator_type::nodes_1d),
          part.count(), view<unsigned char const, dextents<2>>(part.marks.data(), part.count(), components),
          constraints{}, options));
    });
    if (groups.count() == 1) {
      alone_ = own_pointer<alone_type const>(new alone_type(p_levels<Level::order>(*a_, *mesh_, *r_), solver.options,
                                                            typename Solver::coarse_type(solver.coarse)));
    } else {
      matrix_ = own_pointer<matrix_type const>(new matrix_type(*a_, *r_, *halo_));
      shared_ = own_pointer<shared_type const>(
          new shared_type(p_levels<Level::order>(*matrix_, *mesh_), solver.options,
                          Solver{std::move(at), solver.options, solver.coarse, solver.unknowns}));
    }
    b_.assign(static_cast<std::size_t>(halo_->owned() * components), 0), x_ = b_;
  }

  solve_result solve(scalar const* b, scalar* x) const
  {
    return alone_.empty() ? by(*shared_, b, x) : by(*alone_, b, x);
  }

  // Which processes go on, for explain().
  formatted text() const
  {
    formatted said;
    if (!shared_.empty())
      shared_->for_each_level([&](auto const&, auto const& works) {
        if constexpr (requires { works.text(); }) said = formatted(", then %s", works.text().c_str());
      });
    return said;
  }

private:
  static constexpr char const* here_ = "mpi::coarser_meshes";

  // The mesh of so many elements, or the coarsest one.
  static listed_mesh<mesh_type> list_of(Solver const& solver, std::int64_t elements)
  {
    auto at = solver.list;
    while (at.mesh->elements() != elements && !at.is_coarsest()) at = at.coarser();
    return at;
  }
  static void check(listed_mesh<mesh_type> const& at, int rank, index_t own, index_t all, first_problem& problem)
  {
    if (at.mesh->elements() != all || at.elements_of(rank) != own)
      problem.say(
          "the last level is on none of the meshes that the space's was cut from (%lld elements, %lld of this process; "
          "%lld and %lld expected on the coarsest): pass the part that the matrix is of, its levels of part or "
          "part.mesh()",
          static_cast<long long>(all), static_cast<long long>(own), static_cast<long long>(at.mesh->elements()),
          static_cast<long long>(at.elements_of(rank)));
    for (auto const* one = at.mesh; one != nullptr; one = one->coarser())
      if (!one->hanging().empty())
        problem.say("the mesh of the last level, or one that it was cut from, hangs (at %lld sides, 0 expected): %s",
                    static_cast<long long>(one->hanging().size()), take_solver_of_rows);
  }
  static index_t place_in(std::vector<index_t> const& sorted, std::int64_t element)
  {
    return std::lower_bound(sorted.begin(), sorted.end(), element) - sorted.begin();
  }

  template <class Multigrid>
  solve_result by(Multigrid const& p, scalar const* b, scalar* x) const
  {
    for (std::size_t i = 0; i < place_.size(); ++i)
      if (place_[i] >= 0) b_[static_cast<std::size_t>(place_[i])] = b[i];
    index_t const failed = p.coarse_solves().failed;
    p.apply(view<scalar const, dextents<1>>(b_.data(), p.size()), view<scalar, dextents<1>>(x_.data(), p.size()));
    for (std::size_t i = 0; i < place_.size(); ++i) x[i] = place_[i] >= 0 ? x_[static_cast<std::size_t>(place_[i])] : 0;
    return outcome_of(p.coarse_solves(), failed);
  }

  std::vector<buffer<unsigned char>> coefficients_;
  std::vector<index_t> place_;  // of what the head gets, in its vectors; -1 at nodes of no element
  std::optional<mesh_type> mesh_;
  own_pointer<mpi::halo const> halo_;
  own_pointer<restriction_type const> r_;
  own_pointer<operator_type const> a_;
  own_pointer<matrix_type const> matrix_;
  own_pointer<alone_type const> alone_;  // on one process, or
  own_pointer<shared_type const> shared_;
  mutable std::vector<scalar> b_, x_;
};

}  // namespace sumfac::SUMFAC_TARGET::detail
