// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Levels of multigrid on a mesh that is cut among processes, each with its part of operator, restriction and halo.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/own_pointer.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/config.hpp>
#include <sumfac/geometry/policy.hpp>
#include <sumfac/geometry/restriction.hpp>
#include <sumfac/interop/detail/coarse_part.hpp>
#include <sumfac/interop/distributed.hpp>
#include <sumfac/interop/distributed_schwarz.hpp>
#include <sumfac/interop/distributed_transfer.hpp>
#include <sumfac/solver/detail/level_data.hpp>
#include <sumfac/solver/detail/restriction_in.hpp>
#include <sumfac/solver/level.hpp>
#include <sumfac/solver/p_levels.hpp>
#include <sumfac/solver/preconditioner.hpp>

#include <concepts>
#include <type_traits>
#include <utility>

namespace sumfac::inline SUMFAC_TARGET {

// What p_levels asks of a halo besides: number(node), that of a node in the whole mesh, the same wherever it is; and
// subset(chosen), the halo of some nodes in their order, of marks (nodes) that are not 0 where one is chosen, on its
// owner, too.
template <class Halo>
concept halo_with_subsets = requires(Halo const& halo, index_t node, view<unsigned char const, dextents<1>> chosen) {
  { halo.number(node) < halo.number(node) } -> std::convertible_to<bool>;
  { halo.subset(chosen) } -> std::same_as<Halo>;
};

// A level of multigrid in parts: a `distributed` matrix that it refers to, or owns with all that that refers to.
template <class Operator, class Halo>
class distributed_level {
public:
  using operator_type = Operator;
  using scalar_type = typename Operator::scalar_type;
  using backend_type = typename Operator::backend_type;
  using restriction_type = sumfac::restriction<scalar_type, backend_type>;
  using matrix_type = distributed<Operator, restriction_type, Halo>;
  static constexpr int order = Operator::order;
  static constexpr auto space = detail::space_of_operator<Operator>();  // as transfer takes it

  // Refers to the matrix, which must live as long.
  explicit distributed_level(matrix_type const& a) : matrix_(&a) {}
  explicit distributed_level(matrix_type const&&) = delete;
  // Owns what is made by new; refers to the halo, where the pointer to an own one is empty.
  // Elements wait for ghosts where they do in the levels above, so that transfers have their parts of both.
  distributed_level(detail::own_pointer<Operator const> a, detail::own_pointer<restriction_type const> r,
                    detail::own_pointer<Halo const> own_halo, Halo const& halo, distributed_options const& options,
                    detail::element_flags const& waiting)
      : own_operator_(std::move(a)),
        own_restriction_(std::move(r)),
        own_halo_(std::move(own_halo)),
        own_matrix_(new matrix_type(*own_operator_, *own_restriction_, halo, options, waiting)),
        matrix_(&*own_matrix_)
  {
  }

  matrix_type const& matrix() const { return *matrix_; }
  Operator const& element_operator() const { return matrix_->element_operator(); }
  restriction_type const& restriction() const { return matrix_->restriction(); }
  Halo const& halo() const { return matrix_->halo(); }
  backend_type const& backend() const { return matrix_->backend(); }
  index_t size() const { return matrix_->size(); }

  // Jacobi's preconditioner of its matrix.
  jacobi<scalar_type, backend_type> make_jacobi() const { return detail::jacobi_of<scalar_type>(*matrix_); }
  // From a coarser level to this one, where `coarse` is its restriction in this level's numbers.
  template <class Coarser>
  auto make_transfer(Coarser const& next, restriction_type const& coarse) const
  {
    detail::mesh_part<scalar_type, backend_type, Halo> const* coarse_part = nullptr;
    if constexpr (std::is_same_v<typename Coarser::scalar_type, scalar_type>)
      if (&coarse == &next.restriction()) coarse_part = &next.matrix().part();
    return distributed_transfer<space, Coarser::space, scalar_type, backend_type, Halo>(
        restriction(), halo(), &matrix().part(), coarse, next.halo(), coarse_part, matrix().options());
  }

private:
  detail::own_pointer<Operator const> own_operator_;
  detail::own_pointer<restriction_type const> own_restriction_;
  detail::own_pointer<Halo const> own_halo_;
  detail::own_pointer<matrix_type const> own_matrix_;
  matrix_type const* matrix_;
};

namespace detail {

// What makes levels of one distributed matrix and its mesh.
template <class Numbers, class Operator, class Halo, class Nodes, class NodeSet>
class distributed_level_maker {
  using family = operator_family<Operator>;
  using restriction_type = restriction<typename Operator::scalar_type, typename Operator::backend_type>;
  using matrix_type = distributed<Operator, restriction_type, Halo>;

public:
  distributed_level_maker(matrix_type const& a, Nodes const& nodes, NodeSet const& set, double tolerance)
      : matrix_(a), nodes_(nodes), set_(set), tolerance_(tolerance)
  {
  }

  template <int Order>
  auto make() const
  {
    using made = typename family::template at<Order, Numbers>;
    using level_type = distributed_level<made, Halo>;
    using scalar = typename made::scalar_type;
    if constexpr (Order == family::order && std::is_same_v<Numbers, typename family::numbers>) {
      return distributed_level<Operator, Halo>(matrix_);
    } else if constexpr (Order == family::order) {
      return level_type(make_operator<made>(), restriction_in<scalar>(matrix_.restriction()), {}, matrix_.halo(),
                        matrix_.options(), matrix_.part().cut().waiting());
    } else {
      coarse_part<Halo> part(host_of(matrix_.backend()), matrix_.restriction().table(), Order + 1, matrix_.halo());
      Halo const& halo = *part.halo;
      auto r = restriction_of<scalar, made::directions>(matrix_.restriction(), part.nodes.numbers.data(), Order + 1,
                                                        part.nodes.nodes, part.nodes.marks);
      return level_type(make_operator<made>(), std::move(r), std::move(part.halo), halo, matrix_.options(),
                        matrix_.part().cut().waiting());
    }
  }

private:
  template <class Made>
  own_pointer<Made const> make_operator() const
  {
    char obstacle[obstacle_length];
    say_obstacle<Made>(matrix_.element_operator(), obstacle);
    matrix_.halo().agree("p_levels", obstacle);
    return own_pointer<Made const>(
        new Made(matrix_.backend(), nodes_, matrix_.element_operator().form(), set_, tolerance_));
  }

  matrix_type const& matrix_;
  Nodes const& nodes_;
  NodeSet const& set_;
  double tolerance_;
};

template <class Numbers, int... Orders, class Operator, class Restriction, class Halo, class Nodes, class NodeSet>
auto make_levels(distributed<Operator, Restriction, Halo> const& a, Nodes const& nodes, NodeSet const& set,
                 double tolerance)
{
  constexpr bool fits = levels_fit<Operator, Orders...>();
  static_assert(halo_with_subsets<Halo>,
                "sumfac::p_levels: the halo has no number(node) and subset(chosen), as sumfac::mpi::halo has");
  if constexpr (fits && halo_with_subsets<Halo>) {
    distributed_level_maker<Numbers, Operator, Halo, Nodes, NodeSet> const maker(a, nodes, set, tolerance);
    return levels{maker.template make<Orders>()...};
  }
}

}  // namespace detail

// Levels of degrees Orders of a mesh in parts, of which the first is the matrix A itself, and lower degrees are of the
// same form, policy and precision: p_levels<7, 4, 2, 1>(A, nodes). Node numbers, constrained entries, owners and halos
// follow A's. All processes call it at once. Refers to A and its halo, which must live as long.
//
// Arguments are those that A's operator was made of, on this process.
// **Errors** (compile time) degrees that do not fall, a first degree that is not A's, a halo that cannot be coarsened;
// (run time) those of operators.
template <int... Orders, class Operator, class Restriction, class Halo, class Nodes,
          class NodeSet = unsaid_nodes>
auto p_levels(distributed<Operator, Restriction, Halo> const& a, Nodes const& nodes, NodeSet const& node_set = {},
              double tolerance = geometry_tolerance)
{
  using numbers = typename detail::operator_family<Operator>::numbers;
  return detail::make_levels<numbers, Orders...>(a, nodes, node_set, tolerance);
}

// The same in numbers of their own, as in p_levels<float, 7, 4, 2, 1>(A, nodes): the finest level is another operator
// then, and refers to A's halo alone.
template <class Numbers, int... Orders, class Operator, class Restriction, class Halo, class Nodes,
          class NodeSet = unsaid_nodes>
auto p_levels(distributed<Operator, Restriction, Halo> const& a, Nodes const& nodes, NodeSet const& node_set = {},
              double tolerance = geometry_tolerance)
{
  return detail::make_levels<Numbers, Orders...>(a, nodes, node_set, tolerance);
}

}  // namespace sumfac
