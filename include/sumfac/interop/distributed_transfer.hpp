// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Between vectors of two degrees on a mesh that is cut among processes: prolongation, its transpose, interpolation.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/error.hpp>
#include <sumfac/geometry/restriction.hpp>
#include <sumfac/geometry/vectors/element_vector.hpp>
#include <sumfac/interop/detail/part_pair.hpp>
#include <sumfac/interop/distributed.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/detail/transfer_sweep.hpp>
#include <sumfac/solver/transfer.hpp>
#include <sumfac/view/view.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

namespace sumfac::inline SUMFAC_TARGET {

// `transfer` of a mesh in parts, between vectors of owned nodes' entries. Each restriction is of the nodes of its halo;
// all must live as long. All processes call the same members in the same order.
//
// A node that elements of several processes have counts as in the whole mesh: results are `transfer`'s to rounding, and
// have the same bits for the same number of processes, whatever is overlapped with `update` or without.
// **Shapes** vectors are contiguous views of rank 1 in the backend's memory: (owned nodes C), in the interleaving of
// the restriction.
// **Work** that of `transfer`, and an exchange of shared nodes' entries on each of both degrees, while those elements
// work that have no ghosts: of these an eighth waits for the second one. Nothing is allocated but by the first call.
// **Errors** argument_error: on all processes what `transfer` says on one, and a restriction that has not the halo's
// nodes; on one, lengths, null, vectors that share memory.
template <auto Fine, auto Coarse, class Scalar, class Backend, class Halo>
class distributed_transfer {
  static_assert(halo_for<Halo, Scalar, Backend>,
                "sumfac::distributed_transfer: behind each restriction comes a halo, as sumfac::mpi::halo");

public:
  using restriction_type = restriction<Scalar, Backend>;

  distributed_transfer(restriction_type const& fine, Halo const& fine_halo, restriction_type const& coarse,
                       Halo const& coarse_halo, distributed_options const& options = {})
      : distributed_transfer(fine, fine_halo, nullptr, coarse, coarse_halo, nullptr, options)
  {
  }
  // For levels: with the parts that matrices of the same restrictions have, where these are cut alike, or null.
  distributed_transfer(restriction_type const& fine, Halo const& fine_halo,
                       detail::mesh_part<Scalar, Backend, Halo> const* fine_part, restriction_type const& coarse,
                       Halo const& coarse_halo, detail::mesh_part<Scalar, Backend, Halo> const* coarse_part,
                       distributed_options const& options)
      : agreed_(agree_on_restrictions(fine, fine_halo, coarse, coarse_halo)),
        parts_(fine, fine_halo, fine_part, coarse, coarse_halo, coarse_part, options),
        fine_weights_(weights_of(fine, fine_halo)),
        coarse_weights_(weights_of(coarse, coarse_halo)),
        passes_(fine.backend(), fine_entries())
  {
  }

  // y = P x, from the coarse degree to the fine one.
  template <class From, class To>
  void prolong(From const& x, To const& y) const
  {
    detail::check_vectors("distributed_transfer::prolong", "x", x, coarse_entries(), "y", y, fine_entries());
    prolong_with(x.data(), y.data(), product_body{weights(), y.data(), y.data()});
  }
  // y = P^T r, of residuals.
  template <class From, class To>
  void restrict_residual(From const& r, To const& y) const
  {
    detail::check_vectors("distributed_transfer::restrict_residual", "r", r, fine_entries(), "y", y, coarse_entries());
    if (work_.size() < fine_entries()) work_ = detail::make_memory<Scalar>(passes_.backend(), fine_entries());
    passes_.run(fine_entries(), product_body{weights(), r.data(), work_.data()});
    restrict_weighted(work_.data(), y.data());
  }
  // y = x's polynomials at the nodes of the coarse degree: of solutions. Constrained entries of x count as 0.
  template <class From, class To>
  void interpolate(From const& x, To const& y) const
  {
    detail::check_vectors("distributed_transfer::interpolate", "x", x, fine_entries(), "y", y, coarse_entries());
    sweep<typename tables::at_coarse_nodes>(parts_.fine(), parts_.coarse(), x.data(), y.data());
    passes_.run(coarse_entries(), product_body{coarse_weights_.data(), y.data(), y.data()});
  }

  index_t fine_entries() const { return parts_.fine().cut().owned_entries(); }
  index_t coarse_entries() const { return parts_.coarse().cut().owned_entries(); }
  // Elements that wait for ghosts.
  index_t boundary_elements() const { return parts_.fine().cut().boundary_elements(); }

  // For multigrid, as `transfer`'s.
  index_t fine_room() const { return fine_entries(); }
  index_t coarse_room() const { return coarse_entries(); }
  template <class Body>
  void prolong_with(Scalar const* x, Scalar* y, Body const& body) const
  {
    sweep<typename tables::at_fine_nodes>(parts_.coarse(), parts_.fine(), x, y);
    passes_.run(fine_entries(), body);
  }
  void restrict_weighted(Scalar const* r, Scalar* y) const
  {
    sweep<typename tables::to_coarse_nodes>(parts_.fine(), parts_.coarse(), r, y);
  }
  Scalar const* weights() const { return fine_weights_.data(); }

private:
  using local_type = transfer<Fine, Coarse, Scalar, Backend>;
  using part_type = detail::mesh_part<Scalar, Backend, Halo>;
  using tables = detail::transfer_tables<Fine, Coarse, Scalar>;
  using product_body = detail::multiply_body<Scalar>;
  using memory = detail::memory_of<Scalar, Backend>;

  static bool agree_on_restrictions(restriction_type const& fine, Halo const& fine_halo, restriction_type const& coarse,
                                    Halo const& coarse_halo)
  {
    constexpr auto here = "distributed_transfer";
    char text[400] = "";
    try {
      check_equal(here, "number of nodes of the fine restriction", fine_halo.owned() + fine_halo.ghosts(),
                  fine.nodes());
      check_equal(here, "number of nodes of the coarse restriction", coarse_halo.owned() + coarse_halo.ghosts(),
                  coarse.nodes());
      local_type const checked_there(fine, coarse, detail::no_weights{});
    } catch (argument_error const& e) {
      std::snprintf(text, sizeof text, "%s", e.what());
    }
    fine_halo.agree(here, text);
    return true;
  }

  // y = the sums over all processes' elements of Table along their directions of x.
  template <class Table>
  void sweep(part_type const& from, part_type const& to, Scalar const* x, Scalar* y) const
  {
    from.sweep(to, x, y, [this](auto const& r, auto const& r_to, Scalar const* u, Scalar* v, detail::sweep_mode mode) {
      detail::sweep_transfer<Table, detail::directions_of<Fine>>(r, r_to, u, v, mode, passes_);
    });
  }

  // One over the number of all processes' elements that have a node, 0 where that is constrained or there are none.
  static memory weights_of(restriction_type const& r, Halo const& halo)
  {
    using counts = std::vector<double>;
    auto const local = local_type::counts_of(r);
    counts count(local.begin(), local.end());
    typename Halo::template exchange<double, host> exchange(halo, host{1}, 1, interleaving::fastest);
    exchange.begin_add(count.data() + halo.owned(), count.data());
    exchange.end_add(count.data() + halo.owned(), count.data());
    detail::entry_order const order = r.order_of(halo.owned());
    detail::own_vector<Scalar> weights(static_cast<std::size_t>(order.size()), Scalar{0});
    for (index_t node = 0; node < halo.owned(); ++node)
      for (int c = 0; c < r.components(); ++c)
        if (double const elements = count[static_cast<std::size_t>(node)];
            elements > 0 && !r.table().constrained(node, c))
          weights[static_cast<std::size_t>(order.entry(node, c))] = static_cast<Scalar>(1 / elements);
    return detail::upload<Scalar>(r.backend(), weights);
  }

  bool agreed_;  // before anything is made
  detail::part_pair<Scalar, Backend, Halo> parts_;
  memory fine_weights_, coarse_weights_;
  detail::pass_runner<Backend> passes_;
  mutable memory work_;
};

}  // namespace sumfac
