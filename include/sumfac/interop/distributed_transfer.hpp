// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Between vectors of two degrees on a mesh that is cut among processes: prolongation, its transpose, interpolation.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/detail/own_pointer.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/error.hpp>
#include <sumfac/geometry/restriction.hpp>
#include <sumfac/geometry/vectors/element_vector.hpp>
#include <sumfac/interop/detail/ghosted_vector.hpp>
#include <sumfac/interop/distributed.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/transfer.hpp>
#include <sumfac/view/view.hpp>

#include <cstddef>
#include <cstdio>
#include <vector>

namespace sumfac::inline SUMFAC_TARGET {

// `transfer` of a mesh in parts, between vectors of owned nodes' entries. Each restriction is of the nodes of its halo;
// all must live as long. All processes call the same members in the same order.
//
// A node that elements of several processes have counts as in the whole mesh: results are `transfer`'s to rounding.
// **Shapes** vectors are contiguous views of rank 1 in the backend's memory: (owned nodes C), in the interleaving of
// the restriction.
// **Work** that of `transfer`, and an exchange of shared nodes' entries on each of both degrees; elements wait for it.
// **Errors** argument_error: on all processes what `transfer` says on one, and a restriction that has not the halo's
// nodes; on one, lengths, null, vectors that share memory.
template <auto Fine, auto Coarse, class Scalar, class Backend, class Halo>
class distributed_transfer {
  static_assert(halo_for<Halo, Scalar, Backend>,
                "sumfac::distributed_transfer: behind each restriction comes a halo, as sumfac::mpi::halo");

public:
  using restriction_type = restriction<Scalar, Backend>;

  distributed_transfer(restriction_type const& fine, Halo const& fine_halo, restriction_type const& coarse,
                       Halo const& coarse_halo)
      : local_(made(fine, fine_halo, coarse, coarse_halo)),
        fine_(fine, fine_halo),
        coarse_(coarse, coarse_halo),
        fine_weights_(weights_of(fine, fine_halo)),
        coarse_weights_(weights_of(coarse, coarse_halo)),
        passes_(fine.backend(), fine.size())
  {
  }

  // y = P x, from the coarse degree to the fine one.
  template <class From, class To>
  void prolong(From const& x, To const& y) const
  {
    check_vectors("distributed_transfer::prolong", coarse_, x, fine_, y);
    make_room();
    copy_entries(coarse_.owned(), x.data(), coarse_work_.data());
    prolong_with(coarse_work_.data(), fine_work_.data(), product_body{weights(), fine_work_.data(), y.data()});
  }
  // y = P^T r, of residuals.
  template <class From, class To>
  void restrict_residual(From const& r, To const& y) const
  {
    check_vectors("distributed_transfer::restrict_residual", fine_, r, coarse_, y);
    make_room();
    passes_.run(fine_.owned(), product_body{weights(), r.data(), fine_work_.data()});
    restrict_weighted(fine_work_.data(), coarse_work_.data());
    copy_entries(coarse_.owned(), coarse_work_.data(), y.data());
  }
  // y = x's polynomials at the nodes of the coarse degree: of solutions. Constrained entries of x count as 0.
  template <class From, class To>
  void interpolate(From const& x, To const& y) const
  {
    check_vectors("distributed_transfer::interpolate", fine_, x, coarse_, y);
    make_room();
    copy_entries(fine_.owned(), x.data(), fine_work_.data());
    Scalar* const at = coarse_work_.data();
    local_->interpolate_with(fine_.to_read(fine_work_.data()), coarse_.to_write(at));
    coarse_.gather(at);
    passes_.run(coarse_.owned(), product_body{coarse_weights_.data(), at, y.data()});
  }

  index_t fine_entries() const { return fine_.owned(); }
  index_t coarse_entries() const { return coarse_.owned(); }

  // For multigrid, as `transfer`'s; vectors have room for their ghosts behind their entries.
  index_t fine_room() const { return fine_.room(); }
  index_t coarse_room() const { return coarse_.room(); }
  template <class Body>
  void prolong_with(Scalar* x, Scalar* y, Body const& body) const
  {
    local_->prolong_with(coarse_.to_read(x), fine_.to_write(y));
    fine_.gather(y);
    passes_.run(fine_.owned(), body);
  }
  void restrict_weighted(Scalar* r, Scalar* y) const
  {
    local_->restrict_weighted(fine_.to_read(r), coarse_.to_write(y));
    coarse_.gather(y);
  }
  Scalar const* weights() const { return fine_weights_.data(); }

private:
  using local_type = transfer<Fine, Coarse, Scalar, Backend>;
  using vector_type = detail::ghosted_vector<Scalar, Backend, Halo>;
  using product_body = detail::multiply_body<Scalar>;
  using memory = detail::memory_of<Scalar, Backend>;

  static detail::own_pointer<local_type const> made(restriction_type const& fine, Halo const& fine_halo,
                                                    restriction_type const& coarse, Halo const& coarse_halo)
  {
    constexpr auto here = "distributed_transfer";
    detail::own_pointer<local_type const> result;
    char text[400] = "";
    try {
      check_equal(here, "number of nodes of the fine restriction", fine_halo.owned() + fine_halo.ghosts(),
                  fine.nodes());
      check_equal(here, "number of nodes of the coarse restriction", coarse_halo.owned() + coarse_halo.ghosts(),
                  coarse.nodes());
      result = detail::own_pointer<local_type const>(new local_type(fine, coarse, detail::no_weights{}));
    } catch (argument_error const& e) {
      std::snprintf(text, sizeof text, "%s", e.what());
    }
    fine_halo.agree(here, text);
    return result;
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
    bool const fastest = r.options().components_lie == interleaving::fastest;
    detail::own_vector<Scalar> weights(static_cast<std::size_t>(halo.owned() * r.components()), Scalar{0});
    for (index_t node = 0; node < halo.owned(); ++node)
      for (int c = 0; c < r.components(); ++c) {
        index_t const at = fastest ? node * r.components() + c : c * halo.owned() + node;
        double const elements = count[static_cast<std::size_t>(node)];
        if (elements > 0 && !r.table().constrained(node, c))
          weights[static_cast<std::size_t>(at)] = static_cast<Scalar>(1 / elements);
      }
    return detail::upload<Scalar>(r.backend(), weights);
  }

  template <class From, class To>
  static void check_vectors(char const* where, vector_type const& from, From const& x, vector_type const& to,
                            To const& y)
  {
    constexpr bool fits = detail::is_view_of<From, Scalar> && detail::is_writable_view_of<To, Scalar> &&
                          detail::is_vector_view<From> && detail::is_vector_view<To>;
    static_assert(fits, "sumfac::distributed_transfer: x and y must be contiguous views of rank 1 and layout_right of "
                        "the restrictions' scalar type, and y must not be const");
    if constexpr (fits) {
      detail::check_extent(where, "x", 0, "entries", from.owned(), x.extent(0));
      detail::check_extent(where, "y", 0, "entries", to.owned(), y.extent(0));
      check_data(where, "x", x.data(), from.owned());
      check_data(where, "y", y.data(), to.owned());
      if (from.owned() > 0 && to.owned() > 0) detail::check_distinct(where, x, y, "x", "y");
    }
  }

  // The work memory of vectors that a caller has: multigrid has its own.
  void make_room() const
  {
    if (fine_work_.size() < fine_.room()) fine_work_ = detail::make_memory<Scalar>(passes_.backend(), fine_.room());
    if (coarse_work_.size() < coarse_.room())
      coarse_work_ = detail::make_memory<Scalar>(passes_.backend(), coarse_.room());
  }
  void copy_entries(index_t size, Scalar const* from, Scalar* to) const
  {
    detail::copy_entries(passes_.backend(), size, from, to);
  }

  detail::own_pointer<local_type const> local_;
  vector_type fine_, coarse_;
  memory fine_weights_, coarse_weights_;
  detail::pass_runner<Backend> passes_;
  mutable memory fine_work_, coarse_work_;
};

}  // namespace sumfac
