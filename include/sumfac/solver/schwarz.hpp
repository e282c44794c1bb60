// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Additive Schwarz: each element's matrix, as it would be on a box, inverted by fast diagonalization.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/solver/chebyshev.hpp>
#include <sumfac/solver/detail/faces_elsewhere.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/detail/restriction_in.hpp>
#include <sumfac/solver/detail/rounded_vectors.hpp>
#include <sumfac/solver/detail/schwarz_kernel.hpp>
#include <sumfac/solver/detail/schwarz_modes.hpp>
#include <sumfac/solver/detail/schwarz_nodes.hpp>
#include <sumfac/solver/vector_ops.hpp>

#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

// Where an entry is divided by the number of subdomains that have it: nowhere, in r, in z, or by its root in both. P is
// symmetric by `symmetric` and `none`.
enum class schwarz_weights { none, before, after, symmetric };

// Subdomains of elements' nodes and, with Overlap 1, one layer of those behind their faces; in Numbers, or the matrix's
// own where that is void. A smoother of multigrid, where Chebyshev's polynomial goes around it; on levels of degree 1,
// whose elements have no nodes within, around Jacobi's.
template <int Overlap = 1, class Numbers = void>
struct schwarz {
  static constexpr bool only_queues = true;
  schwarz_weights weights = schwarz_weights::symmetric;
  chebyshev polynomial = {.degree = 2};

  // The smoother of a level.
  template <class Level>
  auto make(Level const& level) const;
};

namespace detail {
template <class Matrix, class Numbers>
struct schwarz_numbers {
  using type = Numbers;
};
template <class Matrix>
struct schwarz_numbers<Matrix, void> {
  using type = typename Matrix::scalar_type;
};
}  // namespace detail

// z = sum over elements of R_e^T S_e^-1 R_e r, weighted: S_e is the matrix that the element and what lies behind its
// faces would have if they were boxes, as stiff along their directions as they are.
//
// How stiff they are the energies of linear functions say, so that geometry and coefficients count, and no mesh nodes
// are asked for. On grids of boxes S_e is a part of the matrix itself. Neighbours are found by the numbers of their
// nodes. At constrained entries, and nodes of no element, z is r over what constrained rows have, or r if that is 0. P
// is for cg, chebyshev_smoother and other solvers, in whose numbers r and z are. Results have the same bits for any
// number of threads. A const object has work memory: one at a time may use it, and the matrix's restriction, to which
// it refers where Overlap is 0 and numbers are the same; a second one is refused.
//
// Of a mesh in parts, made by all processes at once, P is to rounding that of the whole mesh: an element at a part's
// end hears from the one behind how stiff that is, and entries are shared by the elements of all processes. With
// overlap the nodes behind faces are ghosts of an exchange of P's own. Elements without ghosts work while it is under
// way.
// **Shapes** r, z: contiguous views of rank 1 with size() entries.
// **Work** 4 D C n^(D + 1) flops and C n^D divisions for each element of D directions, n = degree + 1 + 2 Overlap, with
// D n (n + 1) numbers of its modes; in parts an exchange of shared nodes' entries to and fro. Set-up: (D + 1) C
// applications, and D eigenproblems of n rows for each element; with overlap in parts a sort of the process' nodes.
// **Errors** (compile time) an overlap or a degree that does not fit, a form without gradients; (run time)
// argument_error, on all processes, for an element whose energies are not positive and finite, and with overlap in
// parts for a face of three elements; on one, lengths, null, r that is z.
// **Source** Lynch, Rice and Thomas, Numer. Math. 6, 1964, for fast diagonalization; Lottes and Fischer, Hybrid
// multigrid/Schwarz algorithms for the spectral element method, J. Sci. Comput. 24, 2005.
template <class Matrix, int Overlap = 1, class Scalar = typename Matrix::scalar_type>
class schwarz_preconditioner {
  using operator_type = detail::element_operator_of<Matrix>;
  using backend_type = typename Matrix::backend_type;
  static constexpr int components = operator_type::components, nodes_1d = operator_type::nodes_1d + 2 * Overlap;
  static constexpr int directions = operator_type::directions;
  using halo_type = detail::halo_of_matrix<Matrix>;
  static constexpr bool in_parts = !detail::is_whole<halo_type>;
  static_assert(detail::axes_of_operator<operator_type> == directions,
                "sumfac::schwarz: subdomains are products of lines, which triangles, tetrahedra and prisms are not: "
                "take "
                "chebyshev_smoother or jacobi");
  static_assert(operator_type::has_one_space,
                "sumfac::schwarz: the operator is between two spaces: take one whose trial and test functions are the "
                "same");
  static_assert(in_parts || !detail::matrix_in_parts<Matrix>,
                "sumfac::schwarz: the matrix is that of a process' part: subdomains do not reach over processes; of a "
                "sumfac::global_operator with a halo take sumfac::schwarz<0>");
  static_assert(
      Overlap == 0 || !in_parts || halo_with_elements<halo_type>,
      "sumfac::schwarz: subdomains with an overlap reach over processes: on parts of a mesh take an mpi::halo, "
      "a petsc::halo or one of your own with elements_behind() and with_ghosts(), or sumfac::schwarz<0>");
  static_assert(operator_type::order > 1 || directions == 1 || !in_parts,
                "sumfac::schwarz: on parts of a mesh the degree must be 2 at least: by the nodes within faces "
                "processes tell one another what is behind them");
  static_assert(Overlap == 0 || Overlap == 1, "sumfac::schwarz: the overlap must be 0 or 1 layers of nodes");
  static_assert((in_parts && directions > 1) || operator_type::order > Overlap,
                "sumfac::schwarz: the degree must be greater than the overlap: take sumfac::schwarz<0> for degree 1");
  static_assert(nodes_1d <= 32, "sumfac::schwarz: the degree is too high: degree + 1 + 2 overlap may be at most 32");
  static_assert(has(operator_type::form_type::trial, gradient) && has(operator_type::form_type::test, gradient),
                "sumfac::schwarz: the form must have gradients in trial and test: subdomains are those of diffusion");
  static_assert(is_linear<operator_type>,
                "sumfac::schwarz: the form says `linear = false`: take the operator of its tangent");

public:
  explicit schwarz_preconditioner(Matrix const& a) : schwarz_preconditioner(a, schwarz<Overlap, Scalar>{}) {}
  template <class Numbers>
  schwarz_preconditioner(Matrix const& a, schwarz<Overlap, Numbers> const& options)
      : rounded_(a.backend(), a.size(), detail::reduction_of(a)), passes_(a.backend(), a.size())
  {
    auto const& r = a.restriction();
    auto const& halo = detail::halo_of(a);
    detail::agree_on_check(halo, "schwarz",
                           [&] { r.refuse_rows("schwarz", "take sumfac::chebyshev, whose diagonal knows them"); });
    reached_type reached(halo, r.table(), r.active());
    detail::schwarz_nodes const nodes(reached.table(), reached.active(), Overlap, r.elements());
    choose_part(a, nodes, reached);
    detail::own_pointer<scales_type const> scales;
    detail::agree_on_check(halo, "schwarz", [&] {
      scales = detail::own_pointer<scales_type const>(new scales_type(a.element_operator()));
    });
    detail::faces_elsewhere<halo_type> const others(
        halo, r.table(), r.active(), nodes,
        [&](index_t e, int c, int face) { return detail::face_scale_of(*scales, e, c, face, directions); });
    detail::schwarz_modes<operator_type, Overlap, decltype(others)> const modes(*scales, nodes, r.active(), others);
    double tracked = modes.tracked() > 1 ? 1 : 0;
    if (auto const whole_mesh = detail::reduction_of(a); whole_mesh.add_up != nullptr)
      whole_mesh.add_up(whole_mesh.context, &tracked, 1);
    sweep_.set(a.backend(), r.elements(), modes, tracked > 0 ? components : 1);
    auto count = nodes.multiplicity();
    detail::add_up_at_nodes(reached.halo(), components, count.data());
    detail::entry_order const order = detail::entries_of_matrix(a);
    factors_.set(a.backend(), size(), options.weights, r.options().rows, [&](index_t i) {
      return count[static_cast<std::size_t>(order.node(i) * components + order.component(i))];
    });
    own_halo_ = std::move(reached.own_halo);
  }

  // z = P r
  template <class From, class To>
  void apply(From const& r, To const& z) const
  {
    constexpr auto here = "schwarz_preconditioner::apply";
    detail::check_vectors(here, "r", r, size(), "z", z, size());
    detail::sole_use const sole(owner_, "schwarz_preconditioner");
    rounded_.run(r.data(), z.data(), [this](Scalar const* b, Scalar* x) { solve(b, x); });
  }

  index_t size() const { return part_->size(); }

private:
  using restriction_type = sumfac::restriction<Scalar, backend_type>;
  using part_type = detail::mesh_part<Scalar, backend_type, halo_type>;
  using scales_type = detail::line_scales<operator_type>;
  using reached_type = detail::reached_elements<halo_type, Overlap, directions>;

  void choose_part(Matrix const& a, detail::schwarz_nodes const& nodes, reached_type const& reached)
  {
    auto const& r = a.restriction();
    constexpr bool has_own_nodes = Overlap == 0 && std::is_same_v<Scalar, typename Matrix::scalar_type>;
    if constexpr (in_parts && has_own_nodes) {
      part_ = &a.part();
      return;
    } else if constexpr (has_own_nodes) {
      own_part_ = detail::own_pointer<part_type const>(new part_type(r));
    } else {
      auto const numbers = nodes.numbers();
      own_restriction_ = detail::restriction_of<Scalar, directions>(r, numbers.data(), nodes_1d, reached.nodes(),
                                                                    detail::marks_of(reached.table()));
      distributed_options options;
      if constexpr (in_parts) options = a.options();
      own_part_ = detail::own_pointer<part_type const>(new part_type(*own_restriction_, reached.halo(), options));
    }
    part_ = &*own_part_;
  }
  void solve(Scalar const* r, Scalar* z) const
  {
    part_type::sweep_all(
        {part_}, {part_}, factors_.weighted(passes_, size(), r), z, passes_,
        [this](int, auto const& of, auto const&, Scalar const* u, Scalar* v, auto mode, auto const&... then) {
          sweep_.run(of, u, v, mode, passes_, then...);
        },
        factors_.end(r, z));
  }

  // To the subdomains' nodes: the matrix's, or one's own.
  detail::own_pointer<halo_type const> own_halo_;
  detail::own_pointer<restriction_type const> own_restriction_;
  detail::own_pointer<part_type const> own_part_;
  part_type const* part_ = nullptr;
  detail::rounded_vectors<Scalar, backend_type> rounded_;
  detail::pass_runner<backend_type> passes_;
  detail::schwarz_sweep<Scalar, backend_type, nodes_1d, Overlap, directions, components> sweep_;
  mutable detail::schwarz_factors<Scalar, backend_type> factors_;
  detail::work_owner owner_;
};

template <class Matrix>
schwarz_preconditioner(Matrix const&) -> schwarz_preconditioner<Matrix>;
template <class Matrix, int Overlap, class Numbers>
schwarz_preconditioner(Matrix const&, schwarz<Overlap, Numbers> const&)
    -> schwarz_preconditioner<Matrix, Overlap, typename detail::schwarz_numbers<Matrix, Numbers>::type>;

template <int Overlap, class Numbers>
template <class Level>
auto schwarz<Overlap, Numbers>::make(Level const& level) const
{
  if (weights == schwarz_weights::before || weights == schwarz_weights::after)
    failf("schwarz", "weights %d do not make a symmetric smoother (0, none, or 3, symmetric, expected)",
          static_cast<int>(weights));
  if constexpr (Level::order == 1)
    return chebyshev_smoother(level.matrix(), level.make_jacobi(), polynomial);
  else
    return chebyshev_smoother(level.matrix(), schwarz_preconditioner(level.matrix(), *this), polynomial);
}

}  // namespace sumfac
