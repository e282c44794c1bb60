// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Between global vectors of two degrees on one mesh: prolongation, its transpose, and interpolation.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/detail/sole_use.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/error.hpp>
#include <sumfac/geometry/restriction.hpp>
#include <sumfac/geometry/vectors/element_vector.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/detail/transfer_sweep.hpp>
#include <sumfac/solver/vector_ops.hpp>
#include <sumfac/view/vector_argument.hpp>
#include <sumfac/view/view.hpp>

#include <type_traits>

namespace sumfac::inline SUMFAC_TARGET {

namespace detail {
struct no_weights {};
}  // namespace detail

// Between vectors of two spaces on the same elements, each through a restriction, which must live as long: of degrees
// Fine and Coarse on hexahedra, or as transfer<quadrilateral(4), quadrilateral(2)> has it.
//
// P x is at each node of the fine degree the value of the polynomials of the coarse degree that x are, 0 where the fine
// entry is constrained: elements are interpolated in, and each gives the share of its node that the number of elements
// there leaves it. Without a matrix: a table along each direction.
// **Shapes** global vectors in the backend's memory, of the restrictions' sizes.
// **Errors** argument_error: restrictions of other degrees, of other elements or components, of another mesh; lengths,
// null, vectors that share memory.
template <auto Fine, auto Coarse, class Scalar = double, class Backend = host>
class transfer {
  static constexpr int fine_degree = detail::degree_of<Fine>, coarse_degree = detail::degree_of<Coarse>;
  static constexpr int directions = detail::directions_of<Fine>;
  static_assert(coarse_degree >= 1, "sumfac::transfer: the coarse degree is less than 1");
  static_assert(fine_degree > coarse_degree, "sumfac::transfer: the coarse degree is not less than the fine one");
  static_assert(fine_degree <= 31, "sumfac::transfer: the fine degree is greater than 31");
  static_assert(detail::on_same_elements(detail::space_of<Fine>, detail::space_of<Coarse>),
                "sumfac::transfer: the spaces are not of the same elements, as quadrilateral(4) and quadrilateral(2) "
                "are");

public:
  using restriction_type = restriction<Scalar, Backend>;
  using from_vector = vector_argument<Scalar const>;
  using to_vector = vector_argument<Scalar>;
  using node_counts = detail::own_vector<index_t>;

  transfer(restriction_type const& fine, restriction_type const& coarse);
  // For the sums of what elements have alone, where others know the weights: *_with.
  transfer(restriction_type const& fine, restriction_type const& coarse, detail::no_weights);

  // y = P x, from the coarse degree to the fine one.
  void prolong(from_vector x, to_vector y) const
  {
    check("transfer::prolong", coarse_, x, fine_, y);
    prolong_with(x.entries.data(), y.entries.data(), product(fine_weights_.data(), y.entries.data()));
  }
  // y = P^T r, of residuals.
  void restrict_residual(from_vector r, to_vector y) const
  {
    constexpr auto here = "transfer::restrict_residual";
    check(here, fine_, r, coarse_, y);
    detail::sole_use const sole(owner_, here);
    passes_.run(fine_->size(), product_body{fine_weights_.data(), r.entries.data(), work_.data()});
    restrict_weighted(work_.data(), y.entries.data());
  }
  // y = x's polynomials at the nodes of the coarse degree: of solutions. Constrained entries of x count as 0.
  void interpolate(from_vector x, to_vector y) const
  {
    check("transfer::interpolate", fine_, x, coarse_, y);
    interpolate_with(x.entries.data(), y.entries.data(), product(coarse_weights_.data(), y.entries.data()));
  }

  // Entries that vectors of multigrid have room for.
  index_t fine_room() const { return fine_->size(); }
  index_t coarse_room() const { return coarse_->size(); }
  // For multigrid: y = sums of what the elements have, and a body run on y, which has to be multiplied by the weights.
  template <class... Body>
  void prolong_with(Scalar const* x, Scalar* y, Body const&... body) const
  {
    sweep<typename tables::at_fine_nodes>(*coarse_, *fine_, x, y, body...);
  }
  template <class... Body>
  void interpolate_with(Scalar const* x, Scalar* y, Body const&... body) const
  {
    sweep<typename tables::at_coarse_nodes>(*fine_, *coarse_, x, y, body...);
  }
  // y = P^T r of r that has been multiplied by the weights.
  void restrict_weighted(Scalar const* r, Scalar* y) const
  {
    sweep<typename tables::to_coarse_nodes>(*fine_, *coarse_, r, y);
  }
  // One over the number of elements that have a node, 0 where it is constrained.
  Scalar const* weights() const { return fine_weights_.data(); }
  // How many active elements of a restriction have each node.
  static node_counts counts_of(restriction_type const& r);

private:
  using tables = detail::transfer_tables<Fine, Coarse, Scalar>;
  using product_body = detail::multiply_body<Scalar>;

  void check_restrictions() const;
  void check_vertices() const;
  static void check(char const* where, restriction_type const* from, from_vector const& x, restriction_type const* to,
                    to_vector const& y)
  {
    detail::check_vectors(where, "x", x.entries, from->size(), "y", y.entries, to->size());
  }
  static product_body product(Scalar const* weights, Scalar* y) { return {weights, y, y}; }
  static detail::memory_of<Scalar, Backend> weights_of(restriction_type const& r);

  template <class Table, class... Body>
  void sweep(restriction_type const& from, restriction_type const& to, Scalar const* x, Scalar* y,
             Body const&... body) const
  {
    detail::sweep_transfer<Table, directions>(from, to, x, y, detail::sweep_mode::write, passes_, body...);
  }

  restriction_type const* fine_;
  restriction_type const* coarse_;
  detail::memory_of<Scalar, Backend> fine_weights_, coarse_weights_;
  mutable detail::memory_of<Scalar, Backend> work_;
  detail::work_owner owner_;
  detail::pass_runner<Backend> passes_;
};

template <auto Fine, auto Coarse, class Scalar, class Backend>
transfer<Fine, Coarse, Scalar, Backend>::transfer(restriction_type const& fine, restriction_type const& coarse)
    : transfer(fine, coarse, detail::no_weights{})
{
  fine_weights_ = weights_of(fine);
  coarse_weights_ = weights_of(coarse);
  work_ = detail::make_memory<Scalar>(fine.backend(), fine.size());
}

template <auto Fine, auto Coarse, class Scalar, class Backend>
transfer<Fine, Coarse, Scalar, Backend>::transfer(restriction_type const& fine, restriction_type const& coarse,
                                                  detail::no_weights)
    : fine_(&fine), coarse_(&coarse), passes_(fine.backend(), fine.size())
{
  check_restrictions();
}

template <auto Fine, auto Coarse, class Scalar, class Backend>
void transfer<Fine, Coarse, Scalar, Backend>::check_restrictions() const
{
  constexpr auto here = "transfer";
  check_equal(here, "number of nodes per direction of the fine restriction", fine_degree + 1, fine_->nodes_1d());
  check_equal(here, "number of nodes per direction of the coarse restriction", coarse_degree + 1, coarse_->nodes_1d());
  check_equal(here, "number of directions of the fine restriction's elements", directions, fine_->directions());
  check_equal(here, "number of directions of the coarse restriction's elements", directions, coarse_->directions());
  check_equal(here, "number of elements of the coarse restriction", fine_->elements(), coarse_->elements());
  check_equal(here, "number of components of the coarse restriction", fine_->components(), coarse_->components());
  check_equal(here, "number of elements that the coarse restriction works on",
              static_cast<index_t>(fine_->active().size()), static_cast<index_t>(coarse_->active().size()));
  for (std::size_t i = 0; i < fine_->active().size(); ++i)
    check_equal(here, "an element of the coarse restriction's subset", fine_->active()[i], coarse_->active()[i]);
  check_vertices();
}

// Vertices are those of one mesh where both tables have the same elements meet in them.
template <auto Fine, auto Coarse, class Scalar, class Backend>
void transfer<Fine, Coarse, Scalar, Backend>::check_vertices() const
{
  auto const &fine = fine_->table(), &coarse = coarse_->table();
  detail::own_vector<index_t> met(static_cast<std::size_t>(fine.nodes()), -1);
  detail::own_vector<index_t> met_back(static_cast<std::size_t>(coarse.nodes()), -1);
  for (index_t e = 0; e < fine.elements(); ++e)
    for (int v = 0; v < 1 << directions; ++v) {
      auto const place = [v](index_t last) {
        return (((v >> 2) * (last + 1) + (v >> 1 & 1)) * (last + 1) + (v & 1)) * last;
      };
      auto const node = fine(e, place(fine_degree)), other = coarse(e, place(coarse_degree));
      index_t& seen = met[node];
      index_t& back = met_back[other];
      if ((seen >= 0 && seen != other) || (back >= 0 && back != node))
        failf("transfer",
              "the restrictions are of two meshes (vertex %d of element %lld is node %lld of the fine one and %lld of "
              "the coarse one, and was %lld and %lld in another element): number the nodes of both degrees on the same "
              "elements in the same order",
              v, static_cast<long long>(e), static_cast<long long>(node), static_cast<long long>(other),
              static_cast<long long>(back >= 0 ? back : node), static_cast<long long>(seen >= 0 ? seen : other));
      seen = other, back = node;
    }
}

template <auto Fine, auto Coarse, class Scalar, class Backend>
auto transfer<Fine, Coarse, Scalar, Backend>::counts_of(restriction_type const& r) -> node_counts
{
  auto const& table = r.table();
  node_counts count(static_cast<std::size_t>(table.nodes()), 0);
  for (index_t const e : r.active())
    for (index_t p = 0; p < table.nodes_of_element(); ++p) ++count[table(e, p)];
  return count;
}

template <auto Fine, auto Coarse, class Scalar, class Backend>
detail::memory_of<Scalar, Backend> transfer<Fine, Coarse, Scalar, Backend>::weights_of(restriction_type const& r)
{
  auto const& table = r.table();
  node_counts const count = counts_of(r);
  detail::own_vector<Scalar> weights(static_cast<std::size_t>(r.size()), Scalar{0});
  for (index_t node = 0; node < table.nodes(); ++node)
    for (int c = 0; c < table.components(); ++c)
      if (index_t const elements = count[static_cast<std::size_t>(node)]; elements > 0 && !table.constrained(node, c))
        weights[static_cast<std::size_t>(r.entry_of(node, c))] = Scalar{1} / static_cast<Scalar>(elements);
  return detail::upload<Scalar>(r.backend(), weights);
}

}  // namespace sumfac
