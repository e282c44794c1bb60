// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Between global vectors of two degrees on one mesh, or of a mesh and one that it was refined from: prolongation, its
// transpose, and interpolation.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/solver/detail/coarse_nodes.hpp>
#include <sumfac/solver/detail/matrix_sweep.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/detail/transfer_sweep.hpp>
#include <sumfac/solver/detail/whole_elements.hpp>
#include <sumfac/solver/vector_ops.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

// The nodes that a refined mesh has on the elements of mesh.coarser(), n being 2 N + 1 for degree N: a restriction of
// the same vectors, in which 2^D children of an element are one. Of a mesh that refine() has cut in places it is
// children(fine, mesh.first_parts()), of which transfer alone knows that some elements are whole.
//
// **Errors** argument_error: elements that are not those of a refined mesh in its order; a degree above 15; a subset of
// elements that has some children of an element and not others.
template <class Scalar, class Backend>
restriction<Scalar, Backend> children(restriction<Scalar, Backend> const& fine,
                                      std::vector<index_t> const& first_parts = {})
{
  detail::children_numbers parts(fine.table(), fine.active(), first_parts);
  return fine.on(std::move(parts.numbers), parts.elements, parts.nodes_1d, std::move(parts.active));
}

namespace detail {

// One over the number of all processes' elements that have a node, by restrictions of the same vectors. It is 0 where
// the node is constrained or has no element, and 1 for the entries `ones`.
template <class Scalar, class Backend, class Halo>
auto shares_at_nodes(std::initializer_list<restriction<Scalar, Backend> const*> all, Halo const& halo,
                     index_t owned_nodes, own_vector<index_t> const& ones = {})
{
  auto const& first = **all.begin();
  own_vector<double> count(static_cast<std::size_t>(first.nodes()), 0);
  for (auto const* r : all) {
    auto const& table = r->table();
    for (index_t const e : r->active())
      for (index_t p = 0; p < table.nodes_of_element(); ++p) count[table(e, p)] += 1;
  }
  add_up_at_nodes(halo, 1, count.data());
  entry_order const order = first.order_of(owned_nodes);
  own_vector<Scalar> shares(static_cast<std::size_t>(order.size()), Scalar{0});
  for (index_t node = 0; node < order.nodes; ++node)
    for (int c = 0; c < order.components; ++c)
      if (double const elements = count[static_cast<std::size_t>(node)];
          elements > 0 && !first.table().constrained(node, c))
        shares[static_cast<std::size_t>(order.entry(node, c))] = Scalar{1} / static_cast<Scalar>(elements);
  for (index_t const entry : ones) shares[static_cast<std::size_t>(entry)] = 1;
  return upload<Scalar>(first.backend(), shares);
}

// The nodes of a restriction that this process owns, and its ghosts, where these count.
template <class Restriction, class Halo>
index_t owned_nodes(Restriction const& r, [[maybe_unused]] Halo const& halo, [[maybe_unused]] bool with_ghosts = false)
{
  if constexpr (is_whole<Halo>)
    return r.nodes();
  else
    return halo.owned() + (with_ghosts ? halo.ghosts() : 0);
}

// Prolongation and its transpose, on elements of one kind or of several, each with its tables. Ends has restrictions of
// the same vectors for each kind, fine(k) and coarse(k), and says which elements are no table's.
template <class Ends, class Scalar, class Backend, class Halo, class... Tables>
class transfer_sweeps : protected Ends {
  static constexpr int kinds = int{sizeof...(Tables)};

public:
  using from_vector = vector_argument<Scalar const>;
  using to_vector = vector_argument<Scalar>;
  using part_type = mesh_part<Scalar, Backend, Halo>;

  // With the parts that matrices of the first kind's restrictions have, where these are cut alike, or null.
  template <std::size_t... Kind, class... Of>
  transfer_sweeps(std::index_sequence<Kind...>, Halo const& fine_halo, part_type const* fine_part,
                  Halo const& coarse_halo, part_type const* coarse_part, distributed_options const& options,
                  Of const&... ends)
      : Ends(ends...),
        parts_{part_pair<Scalar, Backend, Halo>(
            Ends::fine(int{Kind}), fine_halo, Kind > 0 || Ends::has_rows() ? nullptr : fine_part,
            Ends::coarse(int{Kind}), coarse_halo, Kind > 0 ? nullptr : coarse_part, options)...},
        tables_(Tables(Ends::fine(0).backend())...),
        weights_(shares_at_nodes({&Ends::fine(int{Kind})...}, fine_halo, owned_nodes(Ends::fine(0), fine_halo),
                                 Ends::whole_entries())),
        passes_(Ends::fine(0).backend(), fine_entries())
  {
  }

  // y = P x, from the coarse degree to the fine one.
  void prolong(from_vector x, to_vector y) const
  {
    check_vectors("transfer::prolong", "x", x.entries, coarse_entries(), "y", y.entries, fine_entries());
    prolong_with(x.entries.data(), y.entries.data(), product(weights(), y.entries.data()));
  }
  // y = P^T r, of residuals.
  void restrict_residual(from_vector r, to_vector y) const
  {
    constexpr auto here = "transfer::restrict_residual";
    check_vectors(here, "r", r.entries, fine_entries(), "y", y.entries, coarse_entries());
    sole_use const sole(owner_, here);
    if (work_.size() < fine_entries()) work_ = make_memory<Scalar>(passes_.backend(), fine_entries());
    passes_.run(fine_entries(), multiply_body<Scalar>{weights(), r.entries.data(), work_.data()});
    restrict_weighted(work_.data(), y.entries.data());
  }

  index_t fine_entries() const { return parts_[0].fine().size(); }
  index_t coarse_entries() const { return parts_[0].coarse().size(); }
  // Elements that wait for ghosts.
  index_t boundary_elements() const
    requires(!is_whole<Halo>)
  {
    index_t count = 0;
    for (auto const& pair : parts_) count += pair.fine().cut().boundary_elements();
    return count;
  }

  // For multigrid: y = sums of what the elements have, and a body run on y, which has to be multiplied by the weights.
  template <class Body>
  void prolong_with(Scalar const* x, Scalar* y, Body const& body) const
  {
    auto const at_fine_nodes = [](auto const& tables) { return tables.at_fine_nodes(); };
    if constexpr (Ends::has_whole)
      if (!Ends::whole().empty()) {
        sweep(at_fine_nodes, coarse_parts(), fine_parts(), x, y);
        Ends::whole().prolong(x, y);
        passes_.run(fine_entries(), body);
        return;
      }
    sweep(at_fine_nodes, coarse_parts(), fine_parts(), x, y, body);
  }
  // y = y + P x; `work` has room for y's entries.
  void add_prolonged(Scalar const* x, Scalar* work, Scalar* y) const
  {
    if constexpr (kinds == 1 && is_whole<Halo> && !runs_on_host<Backend>)
      if (has_owners()) return add_owned(x, y);
    prolong_with(x, work, add_weighted_body<Scalar>{weights(), work, y});
  }
  // y = P^T r of r that has been multiplied by the weights, and a body run on y, if there is one.
  template <class... Body>
  void restrict_weighted(Scalar const* r, Scalar* y, Body const&... body) const
  {
    auto const to_coarse_nodes = [](auto const& tables) { return tables.to_coarse_nodes(); };
    if constexpr (Ends::has_whole)
      if (!Ends::whole().empty()) {
        sweep(to_coarse_nodes, fine_parts(), coarse_parts(), r, y);
        Ends::whole().restrict_back(r, y);
        (passes_.run(coarse_entries(), body), ...);
        return;
      }
    sweep(to_coarse_nodes, fine_parts(), coarse_parts(), r, y, body...);
  }
  // One over the number of elements that have a node, 0 where it is constrained.
  Scalar const* weights() const { return weights_.data(); }

protected:
  using memory = memory_of<Scalar, Backend>;
  struct part_list {
    part_type const* at[kinds];
  };

  static multiply_body<Scalar> product(Scalar const* weights, Scalar* y) { return {weights, y, y}; }
  template <class Choose>
  part_list each_part(Choose const& of) const
  {
    part_list list;
    for (int k = 0; k < kinds; ++k) list.at[k] = &of(parts_[k]);
    return list;
  }
  part_list fine_parts() const
  {
    return each_part([](auto const& pair) -> auto& { return pair.fine(); });
  }
  part_list coarse_parts() const
  {
    return each_part([](auto const& pair) -> auto& { return pair.coarse(); });
  }
  // y = the sums over all elements of a table along their directions of x, then the body.
  template <class Choose, class... Body>
  void sweep(Choose const& table, part_list const& from, part_list const& to, Scalar const* x, Scalar* y,
             Body const&... body) const
  {
    part_type::sweep_all(
        from.at, to.at, x, y, passes_,
        [&](int kind, auto const& r, auto const& r_to, Scalar const* u, Scalar* v, sweep_mode mode,
            auto const&... then) {
          int index = 0;
          auto const of_kind = [&](auto const& tables) {
            if (kind == index++)
              sweep_transfer<std::remove_cvref_t<decltype(tables)>::directions>(table(tables), r, r_to, u, v, mode,
                                                                                passes_, then...);
          };
          std::apply([&](auto const&... tables) { (of_kind(tables), ...); }, tables_);
        },
        body...);
  }

private:
  // Whether each fine node is written by one element alone, which all have the same there.
  bool has_owners() const
  {
    if constexpr (Ends::has_whole)
      if (!Ends::whole().empty()) return false;
    auto const& fine = Ends::fine(0);
    if (fine.storage().has_rows()) return false;
    if (owners_.size() == 0) owners_ = owned_targets(fine);
    return true;
  }
  void add_owned(Scalar const* x, Scalar* y) const
  {
    auto const& tables = std::get<0>(tables_);
    add_transfer<std::remove_cvref_t<decltype(tables)>::directions>(tables.at_fine_nodes(), Ends::coarse(0),
                                                                    Ends::fine(0), owners_.data(), x, y);
  }

  part_pair<Scalar, Backend, Halo> parts_[kinds];
  std::tuple<Tables...> tables_;
  memory weights_;
  pass_runner<Backend> passes_;
  mutable memory work_;
  mutable memory_of<std::uint32_t, Backend> owners_;  // of devices, by the first add_prolonged()
  work_owner owner_;
};

// The two restrictions of a transfer, which fit, of the same elements, some of which may be whole.
template <auto Fine, auto Coarse, class Scalar, class Backend, class Halo>
class transfer_ends {
protected:
  static constexpr int fine_degree = degree_of<Fine>, coarse_degree = degree_of<Coarse>;
  static constexpr bool is_refined = is_children_space<Fine>, is_tensor = detail::is_tensor(space_of<Fine>);
  // Whether elements may be whole, as they were on the coarser mesh.
  static constexpr bool has_whole = is_refined && fine_degree == coarse_degree && is_whole<Halo>;
  static constexpr int directions = axes_of(space_of<Fine>);  // in which nodes are counted
  static constexpr int fine_nodes_1d = nodes_of_space<Fine>::size, coarse_nodes_1d = nodes_of_space<Coarse>::size;
  using restriction_type = restriction<Scalar, Backend>;

  transfer_ends(restriction_type const& fine, Halo const& fine_halo, restriction_type const& coarse,
                Halo const& coarse_halo)
      : agreed_(agree_on_check(fine_halo, "transfer",
                               [&] {
                                 check_nodes("number of nodes of the fine restriction", fine, fine_halo);
                                 check_nodes("number of nodes of the coarse restriction", coarse, coarse_halo);
                                 check_restrictions(fine, coarse);
                               })),
        whole_(fine, coarse, has_whole),
        has_rows_(any_rows(fine, coarse, fine_halo))
  {
  }

  restriction_type const& fine(int = 0) const { return whole_.fine(); }
  restriction_type const& coarse(int = 0) const { return whole_.coarse(); }
  whole_elements<Scalar, Backend> const& whole() const { return whole_; }
  own_vector<index_t> const& whole_entries() const { return whole_.entries(); }
  bool has_rows() const { return has_rows_; }

private:
  static void check_nodes(char const* what, restriction_type const& r, [[maybe_unused]] Halo const& halo)
  {
    check_equal("transfer", what, owned_nodes(r, halo, true), r.nodes());
  }
  static void check_restrictions(restriction_type const& fine, restriction_type const& coarse)
  {
    constexpr auto here = "transfer";
    check_equal(here, "number of nodes per direction of the fine restriction", fine_nodes_1d, fine.nodes_1d());
    check_equal(here, "number of nodes per direction of the coarse restriction", coarse_nodes_1d, coarse.nodes_1d());
    check_equal(here, "number of directions of the fine restriction's elements", directions, fine.directions());
    check_equal(here, "number of directions of the coarse restriction's elements", directions, coarse.directions());
    check_equal(here, "number of elements of the coarse restriction", fine.elements(), coarse.elements());
    check_equal(here, "number of components of the coarse restriction", fine.components(), coarse.components());
    check_equal(here, "number of elements that the coarse restriction works on",
                static_cast<index_t>(fine.active().size()), static_cast<index_t>(coarse.active().size()));
    for (std::size_t i = 0; i < fine.active().size(); ++i)
      check_equal(here, "an element of the coarse restriction's subset", fine.active()[i], coarse.active()[i]);
    check_vertices(fine.table(), coarse.table());
    for (index_t const e : fine.active())
      if (is_refined && !has_whole && children_numbers::is_whole(fine.table(), e))
        failf(
            here,
            "element %lld has not been cut (1 part, %d expected): in parts, and where the degree changes as well (from "
            "%d to %d), refine all elements",
            static_cast<long long>(e), 1 << directions, fine_degree, coarse_degree);
  }
  // Vertices are those of one mesh where both tables have the same elements meet in them, or the fine one has none
  // meet.
  static void check_vertices(node_table const& fine, node_table const& coarse)
  {
    bool const apart = fine.nodes() == fine.elements() * fine.nodes_of_element();
    own_vector<index_t> met(static_cast<std::size_t>(fine.nodes()), -1);
    own_vector<index_t> met_back(static_cast<std::size_t>(coarse.nodes()), -1);
    auto const vertices_of = [](space const& of, int nodes_1d) {
      return is_tensor ? coarse_sets(directions, nodes_1d, 2) : coarse_sets(of, 1);
    };
    auto const of_fine = vertices_of(space_of<Fine>, fine_nodes_1d);
    auto const of_coarse = vertices_of(space_of<Coarse>, coarse_nodes_1d);
    for (index_t e = 0; e < fine.elements(); ++e)
      for (int v = 0; v < of_fine.size(); ++v) {
        auto const node = fine(e, of_fine.first(v)), other = coarse(e, of_coarse.first(v));
        index_t& seen = met[node];
        index_t& back = met_back[other];
        if ((seen >= 0 && seen != other) || (back >= 0 && back != node && !apart))
          failf(
              "transfer",
              "the restrictions are of two meshes (vertex %d of element %lld is node %lld of the fine one and %lld of "
              "the coarse one, and was %lld and %lld in another element): number the nodes of both degrees on the same "
              "elements in the same order",
              v, static_cast<long long>(e), static_cast<long long>(node), static_cast<long long>(other),
              static_cast<long long>(back >= 0 ? back : node), static_cast<long long>(seen >= 0 ? seen : other));
        seen = other, back = node;
      }
  }

  // In parts, whether a process has equations: fine nodes that are free are written and read as if there were none, by
  // parts that matrices do not have.
  static bool any_rows([[maybe_unused]] restriction_type const& fine, [[maybe_unused]] restriction_type const& coarse,
                       [[maybe_unused]] Halo const& halo)
  {
    double any = 0;
    if constexpr (!is_whole<Halo>) {
      any = fine.table().has_rows() || coarse.table().has_rows() ? 1 : 0;
      if (reduction const of_all = halo.reduction(); of_all.add_up != nullptr) of_all.add_up(of_all.context, &any, 1);
    }
    return any > 0;
  }

  bool agreed_;  // before anything is made
  whole_elements<Scalar, Backend> whole_;
  bool has_rows_;
};

template <auto Fine, auto Coarse, class Scalar, class Backend, class Halo>
using transfer_between = transfer_sweeps<transfer_ends<Fine, Coarse, Scalar, Backend, Halo>, Scalar, Backend, Halo,
                                         transfer_tables<Fine, Coarse, Scalar, Backend>>;

}  // namespace detail

// Between vectors of two spaces on the same elements, each through a restriction, which must live as long: of degrees
// Fine and Coarse on hexahedra, or as transfer<quadrilateral(4), quadrilateral(2)> has it. From a mesh to the refined
// one it is transfer<children(4), 4>, the fine restriction being children(R) of the refined mesh's; elements that were
// not cut keep what they have at their nodes.
//
// Where a restriction has equations P x is the function that x is with the coarse ones, at fine nodes that are free.
//
// P x is at each node of the fine degree the value of the polynomials of the coarse degree that x are, 0 where the fine
// entry is constrained: elements are interpolated in, and each gives the share of its node that the number of elements
// there leaves it. Without a matrix: a table along each direction.
//
// Of a mesh in parts each restriction is of the nodes of its halo, which must live as long, too, and all processes call
// the same members in the same order. A node that elements of several processes have counts as in the whole mesh:
// results are those of the whole mesh to rounding, and have the same bits for the same number of processes, whatever is
// overlapped with `update` or without.
// **Shapes** global vectors in the backend's memory, of the restrictions' sizes; in parts (owned nodes C), in the
// interleaving of the restriction.
// **Work** in parts an exchange of shared nodes' entries on each of both degrees, while those elements work that have
// no ghosts: of these an eighth waits for the second one. Nothing is allocated but by the first restrict_residual()
// and, of restrictions with equations, the first interpolate().
// **Errors** argument_error: restrictions of other degrees, of other elements or components, of another mesh, or not of
// the halo's nodes, interpolate() in parts with equations, on all processes; on one, lengths, null, vectors that share
// memory.
template <auto Fine, auto Coarse, class Scalar = double, class Backend = host, class Halo = whole>
class transfer : public detail::transfer_between<Fine, Coarse, Scalar, Backend, Halo> {
  using base = detail::transfer_between<Fine, Coarse, Scalar, Backend, Halo>;
  static_assert(base::coarse_degree >= 1, "sumfac::transfer: the coarse degree is less than 1");
  static_assert(base::fine_degree >= base::coarse_degree,
                "sumfac::transfer: the coarse degree is greater than the fine one");
  static_assert(base::is_tensor || !base::is_refined,
                "sumfac::transfer: triangles, tetrahedra and prisms have no children");
  static_assert(base::fine_nodes_1d <= 32 || !base::is_tensor,
                "sumfac::transfer: the fine degree is greater than 31, or than 15 on children of "
                "elements");
  static_assert(detail::on_same_elements(detail::space_of<Fine>, detail::space_of<Coarse>),
                "sumfac::transfer: the spaces are not of the same elements, as quadrilateral(4) and quadrilateral(2) "
                "are");
  static_assert(detail::is_whole<Halo> || halo_for<Halo, Scalar, Backend>,
                "sumfac::transfer: behind each restriction comes a halo, as sumfac::mpi::halo");

public:
  using restriction_type = restriction<Scalar, Backend>;
  using base::coarse_entries, base::fine_entries;
  using typename base::from_vector, typename base::part_type, typename base::to_vector;

  transfer(restriction_type const& fine, restriction_type const& coarse)
    requires detail::is_whole<Halo>
      : transfer(fine, {}, coarse, {})
  {
  }
  transfer(restriction_type const& fine, Halo const& fine_halo, restriction_type const& coarse, Halo const& coarse_halo,
           distributed_options const& options = {})
      : transfer(fine, fine_halo, nullptr, coarse, coarse_halo, nullptr, options)
  {
  }
  // For levels: with the parts that matrices of the same restrictions have, where these are cut alike, or null.
  transfer(restriction_type const& fine, Halo const& fine_halo, part_type const* fine_part,
           restriction_type const& coarse, Halo const& coarse_halo, part_type const* coarse_part,
           distributed_options const& options)
      : base(std::index_sequence<0>{}, fine_halo, fine_part, coarse_halo, coarse_part, options, fine, fine_halo, coarse,
             coarse_halo),
        coarse_weights_(
            detail::shares_at_nodes({&this->coarse()}, coarse_halo, detail::owned_nodes(this->coarse(), coarse_halo)))
  {
  }

  // y = x's polynomials at the nodes of the coarse degree: of solutions. Constrained entries of x count as 0, or as
  // what their equations say without values; y is 0 at such entries.
  void interpolate(from_vector x, to_vector y) const
  {
    detail::check_vectors("transfer::interpolate", "x", x.entries, fine_entries(), "y", y.entries, coarse_entries());
    auto const by = base::product(coarse_weights_.data(), y.entries.data());
    auto const at_coarse_nodes = [](auto const& tables) { return tables.at_coarse_nodes(); };
    if constexpr (detail::is_whole<Halo>) {
      part_type const read(this->whole().read()), written(this->whole().written());
      this->sweep(at_coarse_nodes, {{&read}}, {{&written}}, x.entries.data(), y.entries.data(), by);
      if constexpr (base::has_whole) this->whole().interpolate(x.entries.data(), y.entries.data());
    } else {
      if (this->has_rows())
        fail(
            "transfer::interpolate",
            "a restriction of the mesh in parts has constraints with terms (1 or more, 0 expected): interpolate on the "
            "whole mesh, or each level's functions anew");
      this->sweep(at_coarse_nodes, this->fine_parts(), this->coarse_parts(), x.entries.data(), y.entries.data(), by);
    }
  }

private:
  typename base::memory coarse_weights_;
};

}  // namespace sumfac
