// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Additive Schwarz: each element's matrix, as it would be on a box, inverted by fast diagonalization.
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
#include <sumfac/form/form.hpp>
#include <sumfac/geometry/restriction.hpp>
#include <sumfac/geometry/vectors/element_vector.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/solver/chebyshev.hpp>
#include <sumfac/solver/detail/hooked_pass.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/detail/restriction_in.hpp>
#include <sumfac/solver/detail/rounded_vectors.hpp>
#include <sumfac/solver/detail/schwarz_kernel.hpp>
#include <sumfac/solver/detail/schwarz_modes.hpp>
#include <sumfac/solver/detail/schwarz_nodes.hpp>
#include <sumfac/solver/vector_ops.hpp>
#include <sumfac/view/view.hpp>

#include <type_traits>

namespace sumfac::inline SUMFAC_TARGET {

// Where an entry is divided by the number of subdomains that have it: nowhere, in r, in z, or by its root in both. P is
// symmetric by `symmetric` and `none`.
enum class schwarz_weights { none, before, after, symmetric };

// Subdomains of elements' nodes and, with Overlap 1, one layer of those behind their faces; in Numbers, or the matrix's
// own where that is void. A smoother of multigrid, where Chebyshev's polynomial goes around it.
template <int Overlap = 1, class Numbers = void>
struct schwarz {
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
template <class Number>
struct schwarz_end;
}  // namespace detail

// z = sum over elements of R_e^T S_e^-1 R_e r, weighted: S_e is the matrix that the element and what lies behind its
// faces would have if they were boxes, as stiff along their directions as they are.
//
// How stiff they are the energies of linear functions say, so that geometry and coefficients count, and no mesh nodes
// are asked for. On grids of boxes S_e is a part of the matrix itself. Neighbours are found by the numbers of their
// nodes. At constrained entries, and nodes of no element, z is r. P is for cg, chebyshev_smoother and other solvers, in
// whose numbers r and z are. Results have the same bits for any number of threads. A const object has work memory: one
// at a time may use it, and the matrix's restriction, to which it refers where Overlap is 0 and numbers are the same.
// **Shapes** r, z: contiguous views of rank 1 with size() entries.
// **Work** 4 D C n^(D + 1) flops and C n^D divisions for each element of D directions, n = degree + 1 + 2 Overlap, with
// D n (n + 1) numbers of its modes. Set-up: (D + 1) C applications, and D eigenproblems of n rows for each element.
// **Errors** (compile time) an overlap or a degree that does not fit, a form without gradients; (run time)
// argument_error for an element whose energies are not positive and finite; lengths, null, r that is z.
// **Source** Lynch, Rice and Thomas, Numer. Math. 6, 1964, for fast diagonalization; Lottes and Fischer, Hybrid
// multigrid/Schwarz algorithms for the spectral element method, J. Sci. Comput. 24, 2005.
template <class Matrix, int Overlap = 1, class Scalar = typename Matrix::scalar_type>
class schwarz_preconditioner {
  using operator_type = std::remove_cvref_t<decltype(std::declval<Matrix const&>().element_operator())>;
  using backend_type = typename Matrix::backend_type;
  static constexpr int components = operator_type::components, nodes_1d = operator_type::nodes_1d + 2 * Overlap;
  static constexpr int directions = operator_type::directions;
  static_assert(operator_type::has_one_space,
                "sumfac::schwarz: the operator is between two spaces: take one whose trial and test functions are the "
                "same");
  static_assert(Overlap == 0 || Overlap == 1, "sumfac::schwarz: the overlap must be 0 or 1 layers of nodes");
  static_assert(operator_type::order > Overlap, "sumfac::schwarz: the degree must be greater than the overlap: take "
                                                "sumfac::schwarz<0> for degree 1");
  static_assert(nodes_1d <= 32, "sumfac::schwarz: the degree is too high: degree + 1 + 2 overlap may be at most 32");
  static_assert(has(operator_type::form_type::trial, gradient) && has(operator_type::form_type::test, gradient),
                "sumfac::schwarz: the form must have gradients in trial and test: subdomains are those of diffusion");
  static_assert(is_linear<operator_type>,
                "sumfac::schwarz: the form says `linear = false`: take the operator of its tangent");

public:
  explicit schwarz_preconditioner(Matrix const& a) : schwarz_preconditioner(a, schwarz<Overlap, Scalar>{}) {}
  template <class Numbers>
  schwarz_preconditioner(Matrix const& a, schwarz<Overlap, Numbers> const& options);

  // z = P r
  template <class From, class To>
  void apply(From const& r, To const& z) const
  {
    constexpr auto here = "schwarz_preconditioner::apply";
    check_equal(here, "length of r", size(), r.extent(0));
    check_equal(here, "length of z", size(), z.extent(0));
    check_data(here, "r", r.data(), size());
    check_data(here, "z", z.data(), size());
    if (size() > 0) detail::check_distinct(here, r, z, "r", "z");
    rounded_.run(r.data(), z.data(), [this](Scalar const* b, Scalar* x) { solve(b, x); });
  }

  index_t size() const { return restriction_->size(); }

private:
  using restriction_type = sumfac::restriction<Scalar, backend_type>;

  void set_restriction(Matrix const& a, detail::schwarz_nodes const& nodes);
  void find_weights(detail::schwarz_nodes const& nodes, schwarz_weights weights);
  void solve(Scalar const* r, Scalar* z) const;
  template <class Body>
  void sweep(Scalar const* x, Scalar* y, Body const& body) const;

  // To the subdomains' nodes: the matrix's, or one's own.
  detail::own_pointer<restriction_type const> own_restriction_;
  restriction_type const* restriction_ = nullptr;
  detail::rounded_vectors<Scalar, backend_type> rounded_;
  detail::pass_runner<backend_type> passes_;
  int tracked_ = 1;
  detail::memory_of<Scalar, backend_type> modes_;
  detail::memory_of<Scalar, backend_type> before_, after_;  // weights, empty where they are 1
  detail::memory_of<Scalar, backend_type> alone_;           // 1 at entries of no subdomain, empty where there are none
  mutable detail::memory_of<Scalar, backend_type> work_;
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
  return chebyshev_smoother(level.matrix(), schwarz_preconditioner(level.matrix(), *this), polynomial);
}

template <class Matrix, int Overlap, class Scalar>
template <class Numbers>
schwarz_preconditioner<Matrix, Overlap, Scalar>::schwarz_preconditioner(Matrix const& a,
                                                                        schwarz<Overlap, Numbers> const& options)
    : rounded_(a.backend(), a.size()), passes_(a.backend(), a.size())
{
  auto const& r = a.restriction();
  detail::schwarz_nodes const nodes(r.table(), r.active(), Overlap);
  set_restriction(a, nodes);
  detail::schwarz_modes<operator_type, Overlap> const modes(a.element_operator(), nodes, r.active());
  tracked_ = modes.tracked();
  constexpr int width = std::is_same_v<backend_type, host> ? native_width<Scalar> : 1;
  index_t const groups = (r.elements() + width - 1) / width;
  index_t const numbers = groups * width * tracked_ * detail::mode_places<nodes_1d, directions>::size;
  if constexpr (detail::is_device<backend_type>) {
    detail::own_vector<Scalar> made(static_cast<std::size_t>(numbers));
    modes.template write<Scalar, width>(detail::host_of(a.backend()), made.data());
    modes_ = detail::upload<Scalar>(a.backend(), made);
  } else {
    modes_ = detail::make_memory<Scalar>(a.backend(), numbers);
    modes.template write<Scalar, width>(detail::host_of(a.backend()), modes_.data());
  }
  find_weights(nodes, options.weights);
}

template <class Matrix, int Overlap, class Scalar>
void schwarz_preconditioner<Matrix, Overlap, Scalar>::set_restriction(Matrix const& a,
                                                                      detail::schwarz_nodes const& nodes)
{
  auto const& r = a.restriction();
  if constexpr (Overlap == 0 && std::is_same_v<Scalar, typename Matrix::scalar_type>) {
    restriction_ = &r;
  } else {
    auto const numbers = nodes.numbers();
    own_restriction_ = detail::restriction_of<Scalar, directions>(r, numbers.data(), nodes_1d, r.nodes(),
                                                                  detail::marks_of(r.table()));
    restriction_ = &*own_restriction_;
  }
}

template <class Matrix, int Overlap, class Scalar>
void schwarz_preconditioner<Matrix, Overlap, Scalar>::find_weights(detail::schwarz_nodes const& nodes,
                                                                   schwarz_weights weights)
{
  auto const count = nodes.multiplicity();
  detail::own_vector<Scalar> share(static_cast<std::size_t>(size()), Scalar(1)), alone = share;
  bool any = false;
  for (index_t i = 0; i < size(); ++i) {
    auto const at = static_cast<std::size_t>(i);
    index_t const met =
        count[static_cast<std::size_t>(restriction_->node_of(i) * components + restriction_->component_of(i))];
    alone[at] = met == 0 ? Scalar(1) : Scalar(0);
    any = any || met == 0;
    double const part = met > 1 ? 1.0 / static_cast<double>(met) : 1;
    share[at] = static_cast<Scalar>(weights == schwarz_weights::symmetric ? __builtin_sqrt(part) : part);
  }
  auto const& backend = restriction_->backend();
  if (any) alone_ = detail::upload<Scalar>(backend, alone);
  if (weights == schwarz_weights::before || weights == schwarz_weights::symmetric) {
    before_ = detail::upload<Scalar>(backend, share);
    work_ = detail::make_memory<Scalar>(backend, size());
  }
  if (weights == schwarz_weights::after || weights == schwarz_weights::symmetric)
    after_ = detail::upload<Scalar>(backend, share);
}

template <class Matrix, int Overlap, class Scalar>
void schwarz_preconditioner<Matrix, Overlap, Scalar>::solve(Scalar const* r, Scalar* z) const
{
  Scalar const* x = r;
  if (before_.size() > 0) {
    passes_.run(size(), detail::multiply_body<Scalar>{before_.data(), r, work_.data()});
    x = work_.data();
  }
  sweep(x, z, detail::schwarz_end<Scalar>{after_.data(), alone_.data(), r, z});
}

// y = the sums over subdomains, then the body.
template <class Matrix, int Overlap, class Scalar>
template <class Body>
void schwarz_preconditioner<Matrix, Overlap, Scalar>::sweep(Scalar const* x, Scalar* y, Body const& body) const
{
  auto const& storage = restriction_->storage();
  if constexpr (std::is_same_v<backend_type, host>) {
    using packed = pack<Scalar, native_width<Scalar>>;
    using subdomain = detail::subdomain_places<nodes_1d, Overlap, directions>;
    constexpr index_t nodes = subdomain::box.all(), numbers = detail::mode_places<nodes_1d, directions>::size;
    auto const lanes = storage.lanes(x, y);
    auto const work = [&](index_t const* group, index_t const* last, auto const&) {
      auto* const u = static_cast<packed*>(
          detail::thread_scratch(static_cast<std::size_t>(components * nodes) * sizeof(packed)));
      for (; group != last; ++group) {
        lanes.template gather<nodes_1d, components, directions>(*group, u);
        for (int c = 0; c < components; ++c) {
          index_t const at = *group * tracked_ + (tracked_ > 1 ? c : 0);
          auto const* const modes = modes_.data() + at * numbers * packed::width;
          subdomain::clear(u + c * nodes);
          detail::diagonalized_element<packed, nodes_1d, directions>{{modes}}.run(u + c * nodes);
          subdomain::clear(u + c * nodes);
        }
        lanes.template add<nodes_1d, components, directions>(*group, u);
      }
    };
    storage.sweep(x, y, detail::sweep_mode::write, detail::row_action::zero, work,
                  detail::hooked_pass<Body>{body, x, y});
  } else {
    using kernel = detail::schwarz_kernel<Scalar, nodes_1d, Overlap, directions>;
    kernel const k{storage.table(), modes_.data(), x, y, components, tracked_};
    auto const launch = [&](index_t const* groups, index_t count) {
      if (groups == nullptr)
        restriction_->backend().launch(k, count);
      else
        restriction_->backend().launch(detail::listed_kernel<kernel>{k, groups}, count);
    };
    storage.sweep(kernel::elements, nullptr, y, detail::sweep_mode::write, detail::row_action::zero, launch);
    passes_.run(size(), body);
  }
}

namespace detail {

// z = weights * z, and r where there is no subdomain.
template <class Number>
struct schwarz_end {
  using scalar = Number;
  static constexpr int sums = 0;
  Number const* weights;  // null where they are 1
  Number const* alone;    // null where it is 0
  Number const* r;
  Number* z;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    T x = load<T>(z + i);
    if (weights != nullptr) x = load<T>(weights + i) * x;
    if (alone != nullptr) x = fma(load<T>(alone + i), load<T>(r + i), x);
    store(x, z + i);
  }
};

}  // namespace detail

}  // namespace sumfac
