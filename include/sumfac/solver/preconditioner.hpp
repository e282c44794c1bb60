// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Preconditioners: none, Jacobi, which are a factor for each entry, and any of a user's own.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/dofs/vectors/vector_checks.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/view/vector_argument.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET {

// z = r.
struct no_preconditioner {};

// z_i = r_i / d_i for the diagonal d of a matrix. Entries that are 0, of rows that do nothing as those of nodes without
// elements, count as 1: so the preconditioner stays positive definite, and r that is 0 there stays 0.
//
// **Errors** argument_error for an entry that is negative, not finite or without a finite inverse, naming it: on all
// processes that share the matrix.
template <class Scalar = double, class Backend = host>
class jacobi {
public:
  template <class Diagonal>
  jacobi(Backend const& backend, Diagonal const& d) : backend_(backend)
  {
    using vector = detail::vector_view_of<Diagonal const>;
    constexpr bool fits = detail::is_view_of<vector, Scalar> && detail::is_vector_view<vector>;
    static_assert(fits,
                  "sumfac::jacobi: the diagonal must be a sumfac::view of the solver's scalar type, of rank 1 and "
                  "layout_right");
    if constexpr (fits) {
      vector const entries = detail::as_vector(d);
      check_data("jacobi", "the diagonal", entries.data(), entries.extent(0));
      auto numbers = detail::download<Scalar>(backend, entries.data(), entries.extent(0));
      detail::agree(detail::of_one_process, "jacobi", invert(numbers.data(), entries.extent(0)));
      inverse_ = detail::upload<Scalar>(backend, numbers);
    }
  }
  // Of a matrix, of whose diagonal it takes a copy.
  template <class Matrix>
    requires(!std::is_same_v<Matrix, jacobi>)
  explicit jacobi(Matrix const& a)
      : backend_(a.backend()), inverse_(detail::make_memory<Scalar>(backend_, static_cast<index_t>(a.size())))
  {
    update(a);
  }

  // z = what it makes of r: for blocks and code of one's own. Solvers multiply by inverse() in their own passes.
  void apply(vector_argument<Scalar const> r, vector_argument<Scalar> z) const
  {
    detail::check_vectors("jacobi::apply", "r", r.entries, size(), "z", z.entries, size());
    detail::without_sums<detail::multiply_body<Scalar>> const body{{inverse(), r.entries.data(), z.entries.data()}};
    if constexpr (runs_on_host<Backend>)
      backend_.for_work(size(), index_t{1} << 14).partition(size(), [&](index_t first, index_t last) {
        for (index_t i = first; i < last; ++i) body(i);
      });
    else
      detail::loop(backend_, size(), body);
  }

  // Takes the diagonal that a matrix of as many entries has become, in the memory there is. Where that is refused it
  // has to be updated again before it is applied.
  template <class Matrix>
  void update(Matrix const& a)
  {
    check_equal("jacobi", "size of the matrix", size(), static_cast<index_t>(a.size()));
    a.diagonal(view<Scalar, dextents<1>>(inverse_.data(), size()));
    if constexpr (detail::is_device<Backend>) {
      auto numbers = detail::download<Scalar>(backend_, inverse_.data(), size());
      detail::agree(detail::halo_of(a), "jacobi", invert(numbers.data(), size()));
      backend_.copy(numbers.data(), inverse_.data(), size());
      backend_.synchronize();
    } else {
      detail::agree(detail::halo_of(a), "jacobi", invert(inverse_.data(), size()));
    }
  }

  index_t size() const { return inverse_.size(); }
  Scalar const* inverse() const { return inverse_.data(); }

private:
  // Says what is wrong with one of them.
  static detail::first_problem invert(Scalar* numbers, index_t size)
  {
    detail::first_problem problem;
    for (index_t i = 0; i < size && !problem.found(); ++i) {
      Scalar const x = numbers[i];
      Scalar const inverse = x == 0 ? Scalar{1} : 1 / x;
      if (!(x >= 0) || x - x != 0)
        problem.say(
            "entry %lld of the diagonal is not a finite number above 0 (got %g, 0 counts as 1): the matrix is "
            "not positive definite",
            static_cast<long long>(i), static_cast<double>(x));
      if (inverse - inverse != 0)
        problem.say("entry %lld of the diagonal is too small to divide by (got %g, 0 counts as 1): scale the matrix",
                    static_cast<long long>(i), static_cast<double>(x));
      numbers[i] = inverse;
    }
    return problem;
  }

  Backend backend_;
  detail::memory_of<Scalar, Backend> inverse_;
};

template <class Backend, class Diagonal>
jacobi(Backend const&, Diagonal const&) -> jacobi<typename Diagonal::value_type, Backend>;
template <class Matrix>
jacobi(Matrix const&)
    -> jacobi<detail::scalar_of_matrix<Matrix>, std::remove_cvref_t<decltype(std::declval<Matrix const&>().backend())>>;

// The mean of what a matrix has on the diagonal at entries that are free and of nodes with elements; 1 where there are
// none. It is that of all processes where these share the matrix: all of them must call it then.
//
// For R.set_rows(mean_free_diagonal(L)): constrained rows are of the size of the others, whatever the units.
template <class Matrix>
double mean_free_diagonal(Matrix const& a);

namespace detail {

// Whether P is a preconditioner of a user's own: p.apply(r, z) writes z = P r.
template <class Candidate>
inline constexpr bool has_factors = false;
template <class Scalar, class Backend>
inline constexpr bool has_factors<jacobi<Scalar, Backend>> = true;

template <class Candidate, class Scalar>
inline constexpr bool applies_itself =
    !has_factors<Candidate> && requires(Candidate const& p, view<Scalar const, dextents<1>> const& r,
                                        view<Scalar, dextents<1>> const& z) { p.apply(r, z); };

// The factors of a preconditioner of the solver's length, null where there are none.
template <class Scalar>
Scalar const* factors_of_preconditioner(char const*, no_preconditioner const&, index_t)
{
  return nullptr;
}
template <class Scalar, class Backend>
Scalar const* factors_of_preconditioner(char const* solver, jacobi<Scalar, Backend> const& p, index_t size)
{
  check_equal(solver, "length of the preconditioner", size, p.size());
  return p.inverse();
}
template <class Scalar, class Candidate>
  requires applies_itself<Candidate, Scalar>
Scalar const* factors_of_preconditioner(char const* solver, Candidate const& p, index_t size)
{
  if constexpr (requires { static_cast<index_t>(p.size()); })
    check_equal(solver, "size of the preconditioner", size, static_cast<index_t>(p.size()));
  return nullptr;
}

}  // namespace detail

template <class Matrix>
double mean_free_diagonal(Matrix const& a)
{
  using scalar = typename Matrix::scalar_type;
  auto const& r = a.restriction();
  auto memory = detail::make_memory<scalar>(a.backend(), a.size());
  a.diagonal(view<scalar, dextents<1>>(memory.data(), a.size()));
  auto const d = detail::download<scalar>(a.backend(), memory.data(), a.size());
  detail::entry_order const order = detail::entries_of_matrix(a);
  double sums[2] = {};  // of entries, and their number
  for (index_t i = 0; i < a.size(); ++i) {
    auto const entry = static_cast<double>(d[static_cast<std::size_t>(i)]);
    if (entry == 0 || r.table().constrained(order.node(i), order.component(i))) continue;
    sums[0] += entry;
    sums[1] += 1;
  }
  if (auto const whole = detail::reduction_of(a); whole.add_up != nullptr) whole.add_up(whole.context, sums, 2);
  return sums[1] > 0 ? sums[0] / sums[1] : 1;
}

}  // namespace sumfac
