// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A level of a mesh in parts on one process, which has the whole mesh, and multigrid there over the meshes that it was
// cut from.
#pragma once

#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/detail/own_pointer.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/constraints.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/error.hpp>
#include <sumfac/form/inputs.hpp>
#include <sumfac/interop/detail/agree.hpp>
#include <sumfac/interop/detail/gathered_rows.hpp>
#include <sumfac/interop/detail/shared_nodes.hpp>
#include <sumfac/operator/element_operator.hpp>
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
concept solves_on_whole_mesh = requires(Solver const& solver) {
  solver.part->space().mesh().first_parts();
  solver.options.smoother;
  solver.coarse;
};

inline constexpr char const* take_solver_of_rows =
    "take a solver of the rows, as gathered{[](auto const& a) { return sumfac::boomer_amg(a); }}";

// The whole mesh of a level of a part, the part's or one that this was cut from, and there the number of each of the
// level's elements.
template <class Mesh>
struct level_in_whole {
  // `own` elements of this process, `all` of the level.
  template <class Part>
  level_in_whole(Part const& part, index_t own, index_t all, first_problem& problem) : mesh(&part.space().mesh())
  {
    for (index_t e = 0; e < part.elements(); ++e) elements.push_back(part.element(e));
    while (mesh->elements() != all && mesh->coarser() != nullptr) go_to_coarser();
    if (mesh->elements() != all || static_cast<index_t>(elements.size()) != own)
      problem.say(
          "the last level is on none of the meshes that the space's was cut from (%lld elements, %lld of this process; "
          "%lld and %lld expected on the coarsest): pass the part that the matrix is of, its levels of part or "
          "part.mesh()",
          static_cast<long long>(all), static_cast<long long>(own), static_cast<long long>(mesh->elements()),
          static_cast<long long>(elements.size()));
    for (auto const* one = mesh; one != nullptr; one = one->coarser())
      if (!one->hanging().empty())
        problem.say("the mesh of the last level, or one that it was cut from, hangs (at %lld sides, 0 expected): %s",
                    static_cast<long long>(one->hanging().size()), take_solver_of_rows);
  }

  Mesh const* mesh;
  std::vector<index_t> elements;

private:
  void go_to_coarser()
  {
    auto const& first = mesh->first_parts();
    std::vector<index_t> parents;
    for (index_t const e : elements) {
      auto const parent = static_cast<index_t>(std::upper_bound(first.begin(), first.end(), e) - first.begin()) - 1;
      if (parents.empty() || parents.back() != parent) parents.push_back(parent);
    }
    elements = parents;
    mesh = mesh->coarser();
  }
};

// The coefficients of a form on all elements of a level, on the process that has the whole mesh.
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

  // The form with views of memory for all elements, and what it has there on one of them.
  form_type of_whole(index_t elements, host const& threads)
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

// What solves on the process that has the whole mesh: a cycle over the level's degree there and on coarser meshes.
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
  using mesh_type = std::remove_cvref_t<decltype(std::declval<Solver const&>().part->space().mesh())>;
  using levels_type = decltype(p_levels<Level::order>(
      std::declval<operator_type const&>(), std::declval<mesh_type const&>(), std::declval<restriction_type const&>()));
  using smoother_type = std::remove_cvref_t<decltype(std::declval<Solver const&>().options.smoother)>;
  using coarse_type = std::remove_cvref_t<decltype(std::declval<Solver const&>().coarse)>;
  using multigrid_type = multigrid<levels_type, smoother_type, coarse_type>;
  using in_whole = level_in_whole<mesh_type>;
  using coefficients = gathered_coefficients<level_operator>;
  static constexpr bool is_tangent = inputs_of<form_type>::count > 0;
  static_assert(!is_tangent,
                "sumfac::mpi::coarser_meshes: the form reads functions, which are not carried to one process: take a "
                "solver of the rows, as [](auto const& a) { return sumfac::boomer_amg(a); }");

public:
  // Tells the head where this process' elements are: of each its number in the whole mesh, and of its nodes the number
  // in the level and which components are constrained.
  static std::vector<std::vector<std::int64_t>> tell(process_groups const& groups, Level const& level,
                                                     Solver const& solver)
  {
    auto const& r = level.restriction();
    auto const& table = r.table();
    auto const& halo = level.matrix().halo();
    MPI_Comm const comm = groups.all();
    first_problem problem;
    if (table.has_rows() || static_cast<index_t>(r.active().size()) != r.elements())
      problem.say("the level's restriction has equations, or some of its elements alone (%lld of %lld)",
                  static_cast<long long>(r.active().size()), static_cast<long long>(r.elements()));
    coefficients const of_form(level.element_operator());
    of_form.check(problem);
    in_whole const at = whole(level, solver, comm, problem);
    agree_on(comm, "mpi::coarser_meshes", problem);
    int processes = 1;
    MPI_Comm_size(comm, &processes);
    std::vector<std::vector<std::int64_t>> told(static_cast<std::size_t>(processes));
    for (index_t e = 0; e < r.elements(); ++e) {
      told[0].push_back(at.elements[static_cast<std::size_t>(e)]);
      for (index_t p = 0; p < table.nodes_of_element(); ++p) {
        auto const node = table(e, p);
        std::int64_t fixed = 0;
        for (int c = 0; c < table.components(); ++c) fixed |= std::int64_t{table.constrained(node, c)} << c;
        told[0].push_back(halo.number(node)), told[0].push_back(fixed);
      }
      of_form.tell(e, told[0]);
    }
    return exchange_lists(comm, told);
  }

  meshes_on_head(Solver const& solver, Level const& level, MPI_Comm, std::vector<std::int64_t> const& number,
                 std::vector<std::vector<std::int64_t>> const& told)
      : place_(number.size(), -1)
  {
    host const threads = host_of(level.backend());
    auto const& model = level.restriction();
    int const components = model.components();
    auto const each = static_cast<std::size_t>(model.table().nodes_of_element());
    mesh_type const* mesh = &solver.part->space().mesh();
    coefficients of_form(level.element_operator());
    std::size_t const record = 1 + 2 * each + of_form.numbers();
    index_t elements = 0;
    for (auto const& from : told) elements += static_cast<index_t>(from.size() / record);
    while (mesh->elements() != elements) mesh = mesh->coarser();
    own_vector<std::int32_t> table;
    index_t const nodes = mesh->number_nodes(Level::order, table);
    own_vector<std::uint8_t> marks(static_cast<std::size_t>(nodes * components), 0);
    std::vector<numbered_row> known;  // numbers in the level, and in the whole mesh
    auto const form = of_form.of_whole(elements, threads);
    for (auto const& from : told)
      for (std::size_t i = 0; i < from.size(); i += record) {
        of_form.hear(static_cast<index_t>(from[i]), from.data() + i + 1 + 2 * each);
        for (std::size_t p = 0; p < each; ++p) {
          index_t const node = table[static_cast<std::size_t>(from[i]) * each + p];
          std::int64_t const fixed = from[i + 2 + 2 * p];
          known.emplace_back(from[i + 1 + 2 * p], node);
          for (int c = 0; c < components; ++c)
            if ((fixed >> c & 1) != 0) marks[static_cast<std::size_t>(node * components + c)] = 1;
        }
      }
    std::sort(known.begin(), known.end());
    for (std::size_t i = 0; i < number.size(); ++i)
      if (index_t const node = place_of(known, number[i] / components); node >= 0)
        place_[i] = node * components + number[i] % components;
    own_vector<node_table::number> numbers;
    for (auto const node : table) numbers.push_back(static_cast<node_table::number>(node));
    restriction_options options = model.options();
    options.components_lie = interleaving::fastest, options.every_node = false;
    constexpr int axes = operator_type::axes;
    r_ = own_pointer<restriction_type const>(new restriction_type(
        threads, element_view<axes, node_table::number const>(numbers.data(), elements, operator_type::nodes_1d), nodes,
        view<std::uint8_t const, dextents<2>>(marks.data(), nodes, components), constraints{}, options));
    a_ = own_pointer<operator_type const>(new operator_type(threads, *mesh, form));
    coefficients_ = of_form.take_memory();
    p_ = own_pointer<multigrid_type const>(
        new multigrid_type(p_levels<Level::order>(*a_, *mesh, *r_), solver.options, coarse_type(solver.coarse)));
    b_.assign(static_cast<std::size_t>(r_->size()), 0), x_ = b_;
  }

  solve_result solve(scalar const* b, scalar* x) const
  {
    for (std::size_t i = 0; i < place_.size(); ++i)
      if (place_[i] >= 0) b_[static_cast<std::size_t>(place_[i])] = b[i];
    index_t const failed = p_->coarse_solves().failed;
    p_->apply(view<scalar const, dextents<1>>(b_.data(), r_->size()), view<scalar, dextents<1>>(x_.data(), r_->size()));
    for (std::size_t i = 0; i < place_.size(); ++i) x[i] = place_[i] >= 0 ? x_[static_cast<std::size_t>(place_[i])] : 0;
    return outcome_of(p_->coarse_solves(), failed);
  }

private:
  static in_whole whole(Level const& level, Solver const& solver, MPI_Comm comm, first_problem& problem)
  {
    std::int64_t const own = level.restriction().elements();
    std::int64_t all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_INT64_T, MPI_SUM, comm);
    return in_whole(*solver.part, static_cast<index_t>(own), static_cast<index_t>(all), problem);
  }

  std::vector<buffer<unsigned char>> coefficients_;
  std::vector<index_t> place_;  // of what the head gets, in the whole level; -1 at nodes of no element
  own_pointer<restriction_type const> r_;
  own_pointer<operator_type const> a_;
  own_pointer<multigrid_type const> p_;
  mutable std::vector<scalar> b_, x_;
};

}  // namespace sumfac::SUMFAC_TARGET::detail
