// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Additive Schwarz on a mesh that is cut among processes: a subdomain for each element, without overlap.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/own_pointer.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/backend/detail/sole_use.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/error.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/geometry/restriction.hpp>
#include <sumfac/geometry/vectors/element_vector.hpp>
#include <sumfac/interop/detail/faces_elsewhere.hpp>
#include <sumfac/interop/distributed.hpp>
#include <sumfac/solver/detail/line_scales.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/detail/restriction_in.hpp>
#include <sumfac/solver/detail/rounded_vectors.hpp>
#include <sumfac/solver/detail/schwarz_modes.hpp>
#include <sumfac/solver/detail/schwarz_nodes.hpp>
#include <sumfac/solver/detail/schwarz_sweep.hpp>
#include <sumfac/solver/reduction.hpp>
#include <sumfac/solver/schwarz.hpp>

#include <cstddef>
#include <cstdio>
#include <type_traits>

namespace sumfac::inline SUMFAC_TARGET {

// Additive Schwarz of a matrix in parts, with Overlap 0: to rounding that of the whole mesh. An element at a part's end
// hears from the one behind how stiff that is; entries are shared by the elements of all processes. Elements without
// ghosts work while the exchange is under way. Made by all processes at once; refers to the matrix.
// **Work** that on one process, and an exchange of shared nodes' entries to and fro.
// **Errors** (compile time) those on one process, an overlap, degree 1; (run time) argument_error, on all processes,
// for an element whose energies are not positive and finite; on one, lengths, null, r that is z.
template <class Operator, class Restriction, class Halo, int Overlap, class Scalar>
class schwarz_preconditioner<distributed<Operator, Restriction, Halo>, Overlap, Scalar> {
  using matrix_type = distributed<Operator, Restriction, Halo>;
  using backend_type = typename Operator::backend_type;
  static constexpr int components = Operator::components, nodes_1d = Operator::nodes_1d;
  static constexpr int directions = Operator::directions;
  static_assert(Overlap == 0, "sumfac::schwarz: subdomains with an overlap reach over processes: on parts of a mesh "
                              "take sumfac::schwarz<0>");
  static_assert(Operator::order > 1 || directions == 1,
                "sumfac::schwarz: on parts of a mesh the degree must be 2 at least: by the nodes within faces "
                "processes tell one another what is behind them");
  static_assert(Operator::has_one_space,
                "sumfac::schwarz: the operator is between two spaces: take one whose trial and test functions are the "
                "same");
  static_assert(has(Operator::form_type::trial, gradient) && has(Operator::form_type::test, gradient),
                "sumfac::schwarz: the form must have gradients in trial and test: subdomains are those of diffusion");
  static_assert(is_linear<Operator>, "sumfac::schwarz: the form says `linear = false`: take the operator of its "
                                     "tangent");

public:
  explicit schwarz_preconditioner(matrix_type const& a) : schwarz_preconditioner(a, schwarz<Overlap, Scalar>{}) {}
  template <class Numbers>
  schwarz_preconditioner(matrix_type const& a, schwarz<Overlap, Numbers> const& options)
      : size_(a.size()), rounded_(a.backend(), a.size(), a.reduction()), passes_(a.backend(), a.size())
  {
    auto const& r = a.restriction();
    detail::schwarz_nodes const nodes(r.table(), r.active(), 0);
    auto const scales = agreed_scales(a);
    others_type const others(a.halo(), r.table(), r.active(), nodes, [&](index_t e, int c, int face) {
      return detail::face_scale_of(*scales, e, c, face, directions);
    });
    detail::schwarz_modes<Operator, 0, others_type> const modes(*scales, nodes, r.active(), others);
    double tracked = modes.tracked() > 1 ? 1 : 0;
    if (auto const sums = a.reduction(); sums.add_up != nullptr) sums.add_up(sums.context, &tracked, 1);
    sweep_.set(a.backend(), r.elements(), modes, tracked > 0 ? components : 1);
    auto const count = count_subdomains(nodes, a.halo());
    detail::entry_order const order = r.order_of(a.halo().owned());
    factors_.set(a.backend(), size_, options.weights, r.options().rows, [&](index_t i) {
      return count[static_cast<std::size_t>(order.node(i) * components + order.component(i))];
    });
    choose_part(a);
  }

  // z = P r
  template <class From, class To>
  void apply(From const& r, To const& z) const
  {
    constexpr auto here = "schwarz_preconditioner::apply";
    detail::check_vectors(here, "r", r, size_, "z", z, size_);
    detail::sole_use const sole(owner_, "schwarz_preconditioner");
    rounded_.run(r.data(), z.data(), [this](Scalar const* b, Scalar* x) { solve(b, x); });
  }

  index_t size() const { return size_; }

private:
  using restriction_type = sumfac::restriction<Scalar, backend_type>;
  using part_type = detail::mesh_part<Scalar, backend_type, Halo>;
  using scales_type = detail::line_scales<Operator>;
  using others_type = detail::faces_elsewhere<Halo>;

  static detail::own_pointer<scales_type const> agreed_scales(matrix_type const& a)
  {
    detail::own_pointer<scales_type const> result;
    char text[400] = "";
    try {
      result = detail::own_pointer<scales_type const>(new scales_type(a.element_operator()));
    } catch (argument_error const& e) {
      std::snprintf(text, sizeof text, "%s", e.what());
    }
    a.halo().agree("schwarz_preconditioner", text);
    return result;
  }

  // How many elements of all processes have component c of a node, right for owned nodes. **Shapes** (nodes, C)
  static detail::own_vector<double> count_subdomains(detail::schwarz_nodes const& nodes, Halo const& halo)
  {
    detail::own_vector<double> count;
    for (index_t const here : nodes.multiplicity()) count.push_back(static_cast<double>(here));
    typename Halo::template exchange<double, host> exchange(halo, host{1}, components, interleaving::fastest);
    double* const ghosts = count.data() + halo.owned() * components;
    exchange.begin_add(ghosts, count.data());
    exchange.end_add(ghosts, count.data());
    return count;
  }

  void choose_part(matrix_type const& a)
  {
    if constexpr (std::is_same_v<Scalar, typename matrix_type::scalar_type>) {
      part_ = &a.part();
    } else {
      auto const r = detail::restriction_in<Scalar>(a.restriction());
      own_part_ = detail::own_pointer<part_type const>(new part_type(*r, a.halo(), a.options()));
      part_ = &*own_part_;
    }
  }

  void solve(Scalar const* r, Scalar* z) const
  {
    Scalar const* const x = factors_.weighted(passes_, size_, r);
    part_->sweep(*part_, x, z, [this](auto const& of, auto const&, Scalar const* u, Scalar* v, auto mode) {
      sweep_.run(of, u, v, mode, passes_);
    });
    passes_.run(size_, factors_.end(r, z));
  }

  index_t size_;
  detail::own_pointer<part_type const> own_part_;
  part_type const* part_ = nullptr;
  detail::rounded_vectors<Scalar, backend_type> rounded_;
  detail::pass_runner<backend_type> passes_;
  detail::schwarz_sweep<Scalar, backend_type, nodes_1d, 0, directions, components> sweep_;
  mutable detail::schwarz_factors<Scalar, backend_type> factors_;
  detail::work_owner owner_;
};

}  // namespace sumfac
