// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Levels of multigrid on a mesh of several kinds of elements: sums by kind of falling degree.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/detail/own_pointer.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/halo.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/dofs/restriction/node_table.hpp>
#include <sumfac/dofs/vectors/vector_checks.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>
#include <sumfac/mesh/policy.hpp>
#include <sumfac/operator/detail/team_sweep.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/operator/sum.hpp>
#include <sumfac/solver/detail/coarse_nodes.hpp>
#include <sumfac/solver/detail/level_maker.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/detail/restriction_in.hpp>
#include <sumfac/solver/detail/transfer_sweep.hpp>
#include <sumfac/solver/level.hpp>
#include <sumfac/solver/p_levels.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/solver/transfer.hpp>
#include <sumfac/solver/vector_ops.hpp>
#include <sumfac/view/vector_argument.hpp>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <tuple>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

namespace detail {

// Restrictions of several kinds of elements, of the same vectors: a level's own, or those that it refers to.
template <class Scalar, class Backend, int Kinds>
class restrictions_of_kinds {
public:
  using restriction_type = restriction<Scalar, Backend>;

  explicit restrictions_of_kinds(std::initializer_list<restriction_type const*> of)
  {
    for (int kind = 0; kind < Kinds; ++kind) at_[kind] = of.begin()[kind];
  }
  template <class... Own>
  explicit restrictions_of_kinds(own_pointer<Own>&&... own) : own_{std::move(own)...}
  {
    for (int kind = 0; kind < Kinds; ++kind) at_[kind] = &*own_[kind];
  }

  restriction_type const& at(int kind) const { return *at_[kind]; }
  // The same ones, referred to: they stay where they are when their owner moves.
  restrictions_of_kinds references() const
  {
    restrictions_of_kinds result;
    for (int kind = 0; kind < Kinds; ++kind) result.at_[kind] = at_[kind];
    return result;
  }
  index_t elements() const
  {
    index_t sum = 0;
    for (auto const* r : at_) sum += r->elements();
    return sum;
  }
  // One over the number of elements of all kinds that have a node, 0 where it is constrained.
  auto shares() const
  {
    return [&]<std::size_t... Kind>(std::index_sequence<Kind...>) {
      return shares_at_nodes({at_[Kind]...}, of_one_process, at_[0]->nodes());
    }(std::make_index_sequence<Kinds>{});
  }

private:
  restrictions_of_kinds() = default;

  own_pointer<restriction_type const> own_[Kinds];
  restriction_type const* at_[Kinds] = {};
};

// What transfer does on elements of one kind, of all kinds: each adds what its elements have, and a node's share is
// that of the elements of all kinds.
template <class Scalar, class Backend, class... Tables>
class transfer_of_kinds {
  static constexpr int kinds = int{sizeof...(Tables)};
  using restrictions = restrictions_of_kinds<Scalar, Backend, kinds>;

public:
  transfer_of_kinds(restrictions const& fine, restrictions const& coarse)
      : fine_(fine.references()),
        coarse_(coarse.references()),
        tables_(Tables(fine.at(0).backend())...),
        shares_(fine.shares()),
        passes_(fine.at(0).backend(), fine_entries()),
        work_(make_memory<Scalar>(fine.at(0).backend(), fine_entries()))
  {
  }

  // As transfer has them.
  void prolong(vector_argument<Scalar const> x, vector_argument<Scalar> y) const
  {
    check_vectors("transfer::prolong", "x", x.entries, coarse_entries(), "y", y.entries, fine_entries());
    prolong_with(x.entries.data(), y.entries.data(),
                 multiply_body<Scalar>{weights(), y.entries.data(), y.entries.data()});
  }
  void restrict_residual(vector_argument<Scalar const> r, vector_argument<Scalar> y) const
  {
    check_vectors("transfer::restrict_residual", "r", r.entries, fine_entries(), "y", y.entries, coarse_entries());
    passes_.run(fine_entries(), multiply_body<Scalar>{weights(), r.entries.data(), work_.data()});
    restrict_weighted(work_.data(), y.entries.data());
  }
  index_t fine_entries() const { return fine_.at(0).size(); }
  index_t coarse_entries() const { return coarse_.at(0).size(); }

  template <class Body>
  void prolong_with(Scalar const* x, Scalar* y, Body const& body) const
  {
    sweep(coarse_, fine_, x, y, [](auto const& tables) { return tables.at_fine_nodes(); });
    passes_.run(fine_entries(), body);
  }
  void restrict_weighted(Scalar const* r, Scalar* y) const
  {
    sweep(fine_, coarse_, r, y, [](auto const& tables) { return tables.to_coarse_nodes(); });
  }
  Scalar const* weights() const { return shares_.data(); }

private:
  template <class Choose>
  void sweep(restrictions const& from, restrictions const& to, Scalar const* x, Scalar* y, Choose const& table) const
  {
    [&]<std::size_t... Kind>(std::index_sequence<Kind...>) {
      (sweep_transfer<Tables::directions>(table(std::get<Kind>(tables_)), from.at(int{Kind}), to.at(int{Kind}), x, y,
                                          Kind == 0 ? sweep_mode::write : sweep_mode::add, passes_),
       ...);
    }(std::index_sequence_for<Tables...>{});
  }

  restrictions fine_, coarse_;
  std::tuple<Tables...> tables_;
  memory_of<Scalar, Backend> shares_;
  pass_runner<Backend> passes_;
  mutable memory_of<Scalar, Backend> work_;
};

}  // namespace detail

// A matrix of multigrid on elements of several kinds: the sum of an operator of each, as p_levels makes it.
template <class... Operators>
class kinds_level {
public:
  using matrix_type =
      sum<part<Operators, sumfac::restriction<typename Operators::scalar_type, typename Operators::backend_type>>...>;
  using scalar_type = typename matrix_type::scalar_type;
  using backend_type = typename matrix_type::backend_type;
  using restriction_type = detail::restrictions_of_kinds<scalar_type, backend_type, int{sizeof...(Operators)}>;
  static constexpr int order = detail::first_of<Operators::order...>;
  static constexpr bool discontinuous = false;

  // Refers to the sum, which must live as long.
  explicit kinds_level(matrix_type const& a) : kinds_level(a, std::index_sequence_for<Operators...>{}) {}
  explicit kinds_level(matrix_type const&&) = delete;
  // Owns what it is made of.
  kinds_level(restriction_type r, detail::own_operator<Operators>... operators)
      : operators_(std::move(operators)...), restriction_(std::move(r))
  {
    own_matrix_ = [&]<std::size_t... Kind>(std::index_sequence<Kind...>) {
      return detail::own_pointer<matrix_type const>(
          new matrix_type(part(*std::get<Kind>(operators_).at, restriction_.at(int{Kind}))...));
    }(std::index_sequence_for<Operators...>{});
    matrix_ = &*own_matrix_;
  }

  matrix_type const& matrix() const { return *matrix_; }
  restriction_type const& restriction() const { return restriction_; }
  backend_type const& backend() const { return matrix_->backend(); }
  index_t size() const { return matrix_->size(); }
  jacobi<scalar_type, backend_type> make_jacobi() const { return detail::jacobi_of<scalar_type>(*matrix_); }
  // From a coarser level to this one.
  template <class... Coarser>
  auto make_transfer(kinds_level<Coarser...> const&, restriction_type const& coarse) const
  {
    return detail::transfer_of_kinds<
        scalar_type, backend_type,
        detail::transfer_tables<detail::space_of_operator<Operators>(), detail::space_of_operator<Coarser>(),
                                scalar_type, backend_type>...>(restriction(), coarse);
  }

private:
  template <std::size_t... Kind>
  kinds_level(matrix_type const& a, std::index_sequence<Kind...>)
      : restriction_({&a.template at<int{Kind}>().restriction()...}), matrix_(&a)
  {
  }

  std::tuple<detail::own_operator<Operators>...> operators_;
  restriction_type restriction_;
  detail::own_pointer<matrix_type const> own_matrix_;
  matrix_type const* matrix_;
};

namespace detail {

// The nodes of a lower degree on elements of all kinds: one is what a node of any kind says, the same for all.
template <int Order, class... Parts>
auto nodes_of_kinds(sum<Parts...> const& a)
{
  auto const of_kind = [&](auto const& p, auto const& agree) {
    constexpr auto elements = space_of<std::remove_cvref_t<decltype(p)>::operator_type::options::space>;
    return coarse_nodes(
        host_of(a.backend()), p.restriction().table(), {elements, Order}, [](node_table::number node) { return node; },
        agree);
  };
  coarse_nodes::node_flags all;
  a.for_each([&](auto const& p) {
    of_kind(p, [&](coarse_nodes::node_flags& flags) {
      for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i] != 0) flags[i] = 1;
      all = flags;
    });
  });
  return [&]<std::size_t... Kind>(std::index_sequence<Kind...>) {
    auto const agreed = [&](coarse_nodes::node_flags& flags) { flags = all; };
    return std::array{of_kind(a.template at<int{Kind}>(), agreed)...};
  }(std::index_sequence_for<Parts...>{});
}

// Whether a sum is of an operator for each kind of a mesh's elements, and has levels of these degrees.
template <class Mesh, int... Orders, class... Parts, std::size_t... Kind>
constexpr bool kinds_fit(sum<Parts...> const*, std::index_sequence<Kind...>)
{
  constexpr bool whole_parts = (is_whole<typename Parts::halo_type> && ...);
  static_assert(whole_parts,
                "sumfac::p_levels: the sum is of a mesh in parts, of which there are levels on elements of one kind "
                "alone: take chebyshev_smoother or jacobi");
  constexpr bool as_many = sizeof...(Parts) == Mesh::kinds;
  static_assert(as_many,
                "sumfac::p_levels: a sum on a mesh of several kinds of elements has levels where it has an operator of "
                "each kind and no other part, as sum_by_kind makes it: for others take chebyshev_smoother or jacobi");
  if constexpr (whole_parts && as_many) {
    constexpr bool in_order =
        ((space_of<Parts::operator_type::options::space>.shape ==
          std::remove_cvref_t<decltype(std::declval<Mesh const&>().template at<int{Kind}>())>::shape) &&
         ...);
    static_assert(in_order && !(Parts::is_scaled || ...),
                  "sumfac::p_levels: the sum's parts are not the mesh's kinds in their order, times 1: take "
                  "sum_by_kind's");
    return in_order && !(Parts::is_scaled || ...) && (levels_fit<typename Parts::operator_type, Orders...>() && ...);
  } else {
    return false;
  }
}

template <class Numbers, int... Orders, class... Parts, class Mesh>
auto make_levels_of_kinds(sum<Parts...> const& a, Mesh const& mesh)
{
  constexpr std::index_sequence_for<Parts...> kinds;
  using sum_type = sum<Parts...>;
  if constexpr (kinds_fit<Mesh, Orders...>(static_cast<sum_type const*>(nullptr), kinds)) {
    unsaid_nodes const set;
    return [&]<std::size_t... Kind>(std::index_sequence<Kind...> const&) {
      std::tuple const matrices{
          global_operator{a.template at<int{Kind}>().element_operator(), a.template at<int{Kind}>().restriction()}...};
      std::tuple const makers{level_maker<Numbers, std::remove_cvref_t<decltype(std::get<Kind>(matrices))>,
                                          std::remove_cvref_t<decltype(mesh.template at<int{Kind}>())>, unsaid_nodes>(
          std::get<Kind>(matrices), mesh.template at<int{Kind}>(), set, geometry_tolerance)...};
      auto const make = [&]<int Order>(std::integral_constant<int, Order>) {
        using first = typename std::tuple_element_t<0, std::tuple<Parts...>>::operator_type;
        using made = kinds_level<operator_at<typename Parts::operator_type, Order, Numbers>...>;
        using scalar = typename made::scalar_type;
        if constexpr (Order == first::order && std::is_same_v<Numbers, typename first::precision_type>) {
          return made(a);
        } else if constexpr (Order == first::order) {
          return made(
              typename made::restriction_type(restriction_in<scalar>(a.template at<int{Kind}>().restriction())...),
              std::get<Kind>(makers).template make_operator<Order>()...);
        } else {
          auto coarse = nodes_of_kinds<Order>(a);
          return made(
              typename made::restriction_type(std::get<Kind>(makers).template make_restriction<Order>(coarse[Kind])...),
              std::get<Kind>(makers).template make_operator<Order>()...);
        }
      };
      return levels{make(std::integral_constant<int, Orders>{})...};
    }(kinds);
  }
}

}  // namespace detail

// Levels of a sum by kind, on its mesh of several kinds of elements, p_levels<3, 1>(A, mesh): of lower degrees sums of
// operators of the same form on each kind, with one number for a node of several kinds. Refers to A, which must live as
// long.
// **Errors** as those on elements of one kind; (compile time) a sum with other parts, as one with terms on the
// boundary.
template <int... Orders, class... Parts, class Mesh>
  requires(Mesh::shape == cell_shape::mixed)
auto p_levels(sum<Parts...> const& a, Mesh const& mesh)
{
  using first_part = std::tuple_element_t<0, std::tuple<Parts...>>;
  return detail::make_levels_of_kinds<typename first_part::operator_type::precision_type, Orders...>(a, mesh);
}
// The same in numbers of their own, as in p_levels<float, 3, 1>(A, mesh).
template <class Numbers, int... Orders, class... Parts, class Mesh>
  requires(Mesh::shape == cell_shape::mixed)
auto p_levels(sum<Parts...> const& a, Mesh const& mesh)
{
  return detail::make_levels_of_kinds<Numbers, Orders...>(a, mesh);
}

}  // namespace sumfac
