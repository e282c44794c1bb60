// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator whose mesh is cut among processes: each applies its elements, while its halo exchanges shared nodes.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/dofs/vectors/vector_checks.hpp>
#include <sumfac/error.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/operator/detail/team_sweep.hpp>
#include <sumfac/solver/detail/mesh_part.hpp>
#include <sumfac/solver/halo.hpp>
#include <sumfac/solver/reduction.hpp>
#include <sumfac/view/vector_argument.hpp>
#include <sumfac/view/view.hpp>

#include <cstddef>
#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

// A matrix to solvers, as global_operator is, of a mesh in parts: apply(x, y), apply_transposed(x, y), diagonal(d),
// size(), backend(), and reduction(), by which solvers add up sums. All processes call the same members in the same
// order.
//
// Elements without ghosts, the interior, are applied upon x and y where they lie; only nodes of the other elements are
// copied. On the host elements that share a SIMD register count as one: number those at ghosts next to one another, as
// the last ones. Refers to operator, restriction and halo, which must live as long. Results have the same bits for the
// same number of processes, for any number of threads.
// **Shapes** x, y, d (owned nodes C), in the interleaving of the restriction, whose numbers are those of owned nodes
// and then those of ghosts.
// **Work** that of the operator, an exchange of shared nodes' entries to and fro; tables beside the restriction's, of 8
// to 12 bytes for each element's node. Nothing is allocated by apply().
// **Errors** argument_error, on all processes, where a restriction is not of the halo's nodes, or a node is constrained
// on one process and not on another.
template <class Operator, class Restriction, class Halo>
class distributed {
public:
  using scalar_type = typename Operator::scalar_type;
  using backend_type = typename Operator::backend_type;
  using arithmetic_type = typename detail::operator_arithmetic<Operator>::type;  // what A x is rounded as
  using from_vector = vector_argument<scalar_type const>;
  using to_vector = vector_argument<scalar_type>;
  static constexpr bool linear = is_linear<Operator>;
  static_assert(std::is_same_v<Restriction, sumfac::restriction<scalar_type, backend_type>>,
                "sumfac::distributed: the restriction must be of the operator's scalar type and backend: "
                "sumfac::restriction<scalar_type, backend_type>");
  static_assert(halo_for<Halo, scalar_type, backend_type>,
                "sumfac::distributed: behind operator and restriction comes a halo, as sumfac::mpi::halo");

  distributed(Operator const& a, Restriction const& r, Halo const& halo, distributed_options const& options = {})
      : distributed(a, r, halo, options, {})
  {
  }
  // For levels: where elements wait that have no ghosts.
  distributed(Operator const& a, Restriction const& r, Halo const& halo, distributed_options const& options,
              detail::element_flags const& waiting)
      : operator_(&a),
        restriction_(&r),
        halo_(&halo),
        agreed_(agree_on_sizes(a, r, halo)),
        part_(r, halo, options, waiting)
  {
    check_marks(r);
  }
  distributed(Operator const&&, Restriction const&, Halo const&, distributed_options const& = {}) = delete;
  distributed(Operator const&, Restriction const&&, Halo const&, distributed_options const& = {}) = delete;
  distributed(Operator const&, Restriction const&, Halo const&&, distributed_options const& = {}) = delete;
  distributed(distributed const&) = delete;
  distributed& operator=(distributed const&) = delete;

  // y = A x, and y = A^T x.
  void apply(from_vector x, to_vector y) const
  {
    run(
        "distributed::apply", x.entries, y.entries,
        [this](auto const& r, auto const& u, auto const& v) { operator_->apply(r, u, v); },
        [this](auto const& r, auto const& u, auto const& v) { operator_->apply_add(r, u, v); });
  }
  void apply_transposed(from_vector x, to_vector y) const
  {
    run(
        "distributed::apply_transposed", x.entries, y.entries,
        [this](auto const& r, auto const& u, auto const& v) { operator_->apply_transposed(r, u, v); },
        [this](auto const& r, auto const& u, auto const& v) { operator_->apply_transposed_add(r, u, v); });
  }

  // d = the diagonal of what apply() multiplies by. For set-up: it allocates.
  // **Errors** argument_error, on all processes, where an element has a node more than once.
  void diagonal(to_vector of_matrix) const
  {
    Restriction const& r = *restriction_;
    vector_view const d = of_matrix.entries;
    detail::check_extent("distributed::diagonal", "d", 0, "entries", size(), d.extent(0));
    auto local = detail::make_memory<scalar_type>(backend(), r.size());
    detail::agree_on_check(*halo_, "distributed::diagonal",
                           [&] { operator_->diagonal(r, vector_view(local.data(), r.size())); });
    auto const numbers = detail::download<scalar_type>(backend(), local.data(), r.size());
    auto const ghosts = detail::upload<scalar_type>(backend(), part_.cut().ghosts_of(r, numbers, false));
    auto const own = detail::upload<scalar_type>(backend(), part_.cut().owned_of(r, numbers));
    detail::copy_entries(backend(), size(), own.data(), d.data());
    part_.exchange().begin_add(ghosts.data(), d.data());
    part_.exchange().end_add(ghosts.data(), d.data());
  }

  index_t size() const { return part_.size(); }
  backend_type const& backend() const { return part_.cut().backend(); }
  sumfac::reduction reduction() const { return halo_->reduction(); }
  Operator const& element_operator() const { return *operator_; }
  Restriction const& restriction() const { return *restriction_; }
  Halo const& halo() const { return *halo_; }
  distributed_options const& options() const { return part_.options(); }
  // Elements that wait for ghosts, and all.
  index_t boundary_elements() const { return part_.cut().boundary_elements(); }
  index_t elements() const { return operator_->elements(); }
  // For transfers and smoothers.
  detail::mesh_part<scalar_type, backend_type, Halo> const& part() const { return part_; }

private:
  using part_type = detail::mesh_part<scalar_type, backend_type, Halo>;
  using const_view = view<scalar_type const, dextents<1>>;
  using vector_view = view<scalar_type, dextents<1>>;

  static bool agree_on_sizes(Operator const& a, Restriction const& r, Halo const& halo)
  {
    detail::first_problem text;
    auto const printed = [](index_t i) { return static_cast<long long>(i); };
    if (r.nodes() != halo.owned() + halo.ghosts())
      text.say("the restriction has not the nodes of the halo (%lld, %lld owned and %lld ghosts expected)",
               printed(r.nodes()), printed(halo.owned()), printed(halo.ghosts()));
    else if (r.elements() != a.elements())
      text.say("the restriction has not the operator's elements (%lld, %lld expected)", printed(r.elements()),
               printed(a.elements()));
    halo.agree("distributed", text);
    return true;
  }

  // Whether owners of ghosts constrain the same components.
  void check_marks(Restriction const& r) const
  {
    using numbers = detail::own_vector<scalar_type>;
    numbers local(static_cast<std::size_t>(r.size()));
    for (index_t i = 0; i < r.size(); ++i)
      local[static_cast<std::size_t>(i)] = r.table().constrained(r.node_of(i), r.component_of(i)) ? 1 : 0;
    numbers const mine = part_.cut().ghosts_of(r, local, true);
    auto const own = detail::upload<scalar_type>(backend(), part_.cut().owned_of(r, local));
    auto theirs = detail::upload<scalar_type>(backend(), mine);
    part_.exchange().begin_update(own.data(), theirs.data());
    part_.exchange().end_update(own.data(), theirs.data());
    numbers const got = detail::download<scalar_type>(backend(), theirs.data(), static_cast<index_t>(mine.size()));
    detail::first_problem text;
    for (std::size_t i = 0; i < mine.size() && !text.found(); ++i)
      if (mine[i] != got[i])
        text.say(
            "component %lld of ghost %lld is constrained on one process and not on the other (%d here, %d where it "
            "is owned): mark it on all that have it",
            static_cast<long long>(i) % r.components(), static_cast<long long>(i) / r.components(),
            static_cast<int>(mine[i]), static_cast<int>(got[i]));
    halo_->agree("distributed", text);
  }

  template <class Write, class Add>
  void run(char const* where, const_view const& x, vector_view const& y, Write const& write, Add const& add) const
  {
    detail::check_vectors(where, "x", x, size(), "y", y, size());
    part_.sweep(part_, x.data(), y.data(),
                [&](auto const& r, auto const&, scalar_type const* u, scalar_type* v, auto mode) {
                  const_view const from(u, r.size());
                  vector_view const to(v, r.size());
                  if (mode == detail::sweep_mode::write)
                    write(r, from, to);
                  else
                    add(r, from, to);
                });
  }

  Operator const* operator_ = nullptr;
  Restriction const* restriction_ = nullptr;
  Halo const* halo_ = nullptr;
  bool agreed_ = false;  // before anything is made
  part_type part_;
};

}  // namespace sumfac::SUMFAC_TARGET
