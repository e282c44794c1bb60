// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients for several right sides at once, each with a status of its own.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/solver/cg_options.hpp>
#include <sumfac/solver/detail/cg_arguments.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/preconditioner.hpp>

#include <array>

namespace sumfac::SUMFAC_TARGET {

namespace detail {
template <int Count, class Matrix, class Scalar, class Preconditioner>
class several_solve;
}  // namespace detail

// Solves A x_s = b_s for Count right sides, where A is of a form several<Form, Count>: the iterates of cg() for each,
// up to rounding, by one application of A to all in an iteration. One that has converged, or cannot be solved, stands
// still while others go on. On the host; results have the same bits for any number of threads.
// **Shapes** b, x: as A's restriction has them, components fastest.
// **Work** of the longest solve, an application and three passes over five vectors an iteration.
// **Errors** as of cg(); argument_error where components do not lie fastest, are no multiple of Count, or options ask
// for a null_space.
template <int Count, class Matrix, class Right, class Solution, class Preconditioner = no_preconditioner>
std::array<solve_result, Count> several_cg(Matrix const& a, Right const& b, Solution&& x,
                                           Preconditioner const& preconditioner = {}, cg_options const& options = {})
{
  using scalar = detail::entries_of<Solution>;
  constexpr bool on_host = runs_on_host<detail::backend_of_matrix<Matrix>>;
  static_assert(on_host, "sumfac::several_cg: it is for the host: solve one right side after the other by sumfac::cg");
  if constexpr (on_host &&
                detail::check_symmetric_solver<Matrix, Right, Solution, Preconditioner, no_monitor, scalar>()) {
    detail::several_solve<Count, Matrix, scalar, Preconditioner> solve(a, preconditioner, options);
    return solve.run(detail::as_vector(b), detail::as_vector(x));
  } else {
    return {};
  }
}

namespace detail {

template <int Count, class Matrix, class Scalar, class Preconditioner>
class several_solve {
  static constexpr auto name = "several_cg";
  static constexpr bool applied = applies_itself<Preconditioner, Scalar>;
  using vector = view<Scalar, dextents<1>>;
  using const_vector = view<Scalar const, dextents<1>>;
  using numbers = std::array<double, Count>;

public:
  several_solve(Matrix const& a, Preconditioner const& preconditioner, cg_options const& options)
      : a_(a), preconditioner_(preconditioner), options_(options), each_(components_of_each(a)), size_(a.size())
  {
    if (options.null_space) fail(name, "it leaves out no null_space: solve one right side after the other by cg");
  }

  template <class Right, class Solution>
  std::array<solve_result, Count> run(Right const& b, Solution const& x)
  {
    check_arguments_of_solve<Scalar, host>(name, a_, b, x, size_, options_);
    factors_ = factors_of_preconditioner<Scalar>(name, preconditioner_, size_);
    for (auto* v : {&r_, &p_, &q_, &z_})
      if (applied || v != &z_) *v = buffer<Scalar>(a_.backend(), size_);
    residuals(b.data(), x.data());
    for (int s = 0; s < Count; ++s) {
      solve_result& one = result_[at(s)];
      one.solver = name;
      one.initial_residual = __builtin_sqrt(rr_[at(s)]);
      one.fixed_count = options_.tolerance == 0 && options_.absolute == 0;
      double const relative = options_.tolerance * one.initial_residual;
      double const least = relative > options_.absolute ? relative : options_.absolute;
      target_[at(s)] = least * least;
    }
    // Where the iteration has converged and b - A x has not, it goes on from there, a few times at most.
    index_t done = 0;
    for (int turn = 0; turn < 5 && begin(turn == 0); ++turn) {
      for (; done < options_.iterations && goes_on(); ++done) iterate(x.data());
      residuals(b.data(), x.data());
    }
    for (int s = 0; s < Count; ++s) finish(s);
    return result_;
  }

private:
  static std::size_t at(int s) { return static_cast<std::size_t>(s); }

  // Components of one right side.
  static index_t components_of_each(Matrix const& a)
  {
    entry_order const order = entries_of_matrix(a);
    int const components = has_restriction<Matrix> ? order.components : Count;
    if (components % Count != 0)
      failf(name, "the matrix' components are no multiple of the right sides (%d components, %d right sides)",
            components, Count);
    if (has_restriction<Matrix> && components > 1 && order.entry(0, 1) != 1)
      fail(name, "components lie slowest: make the restriction with interleaving::fastest");
    return components / Count;
  }

  // Calls f(s, i, sum) for each entry i, of right side s, and adds up what it adds to `sum`, in the same order for any
  // number of threads.
  template <class Function>
  numbers pass(Function const& f) const
  {
    index_t const period = Count * each_, chunk = (4095 / period + 1) * period, chunks = (size_ + chunk - 1) / chunk;
    buffer<double> partial(a_.backend(), chunks * Count);
    a_.backend().for_work(chunks, 4).balance(chunks, [&](index_t first, index_t last) {
      for (index_t k = first; k < last; ++k) {
        double sums[Count] = {};
        index_t const end = (k + 1) * chunk < size_ ? (k + 1) * chunk : size_;
        for (index_t base = k * chunk; base < end; base += period)
          for (int s = 0; s < Count; ++s)
            for (index_t c = 0; c < each_; ++c) f(s, base + s * each_ + c, sums[s]);
        for (int s = 0; s < Count; ++s) partial[k * Count + s] = sums[s];
      }
    });
    numbers sums_of_all{};
    for (index_t k = 0; k < chunks; ++k)
      for (int s = 0; s < Count; ++s) sums_of_all[at(s)] += partial[k * Count + s];
    if (auto const of_all = reduction_of(a_); of_all.add_up != nullptr)
      of_all.add_up(of_all.context, sums_of_all.data(), Count);
    return sums_of_all;
  }

  // r = b - A x, and its squares.
  void residuals(Scalar const* b, Scalar const* x)
  {
    a_.apply(const_vector(x, size_), vector(q_.data(), size_));
    rr_ = pass([&, r = r_.data(), q = q_.data()](int, index_t i, double& sum) {
      r[i] = b[i] - q[i];
      sum += double(r[i]) * double(r[i]);
    });
  }

  // z = P r, where it is not made in passing.
  Scalar preconditioned(index_t i) const
  {
    if constexpr (applied)
      return z_.data()[i];
    else
      return factors_ == nullptr ? r_.data()[i] : factors_[i] * r_.data()[i];
  }
  void precondition()
  {
    if constexpr (applied) preconditioner_.apply(const_vector(r_.data(), size_), vector(z_.data(), size_));
  }

  // The first directions, from the residuals; whether any right side goes on.
  bool begin(bool first)
  {
    for (int s = 0; s < Count; ++s) {
      auto& status = result_[at(s)].status;
      bool const is_looked_at = first || status == solve_status::converged;
      runs_[at(s)] = is_looked_at && rr_[at(s)] > target_[at(s)];
      if (rr_[at(s)] - rr_[at(s)] != 0)
        status = solve_status::not_finite, runs_[at(s)] = false;
      else if (is_looked_at && rr_[at(s)] <= target_[at(s)])
        status = solve_status::converged;
    }
    if (!goes_on()) return false;
    precondition();
    rz_ = pass([&, r = r_.data(), p = p_.data()](int s, index_t i, double& sum) {
      Scalar const z = preconditioned(i);
      sum += double(r[i]) * double(z);
      p[i] = runs_[at(s)] ? z : Scalar(0);
    });
    for (int s = 0; s < Count; ++s) judge(s, rz_[at(s)], true);
    return goes_on();
  }
  bool goes_on() const
  {
    bool any = false;
    for (bool const one : runs_) any = any || one;
    return any;
  }

  void iterate(Scalar* x)
  {
    a_.apply(const_vector(p_.data(), size_), vector(q_.data(), size_));
    auto const pq =
        pass([p = p_.data(), q = q_.data()](int, index_t i, double& sum) { sum += double(p[i]) * double(q[i]); });
    std::array<Scalar, Count> alpha{}, beta{};
    for (int s = 0; s < Count; ++s) {
      if (runs_[at(s)]) ++result_[at(s)].iterations, result_[at(s)].curvature = pq[at(s)];
      judge(s, pq[at(s)], false);
      if (runs_[at(s)]) alpha[at(s)] = static_cast<Scalar>(rz_[at(s)] / pq[at(s)]);
    }
    rr_ = pass([&, r = r_.data(), p = p_.data(), q = q_.data()](int s, index_t i, double& sum) {
      x[i] += alpha[at(s)] * p[i];
      r[i] -= alpha[at(s)] * q[i];
      sum += double(r[i]) * double(r[i]);
    });
    precondition();
    auto const rz =
        pass([&, r = r_.data()](int, index_t i, double& sum) { sum += double(r[i]) * double(preconditioned(i)); });
    for (int s = 0; s < Count; ++s) {
      if (!runs_[at(s)]) continue;
      if (rr_[at(s)] <= target_[at(s)]) {
        result_[at(s)].status = solve_status::converged;
        result_[at(s)].residual = __builtin_sqrt(rr_[at(s)]);
        runs_[at(s)] = false;
        continue;
      }
      judge(s, rz[at(s)], true);
      if (runs_[at(s)]) beta[at(s)] = static_cast<Scalar>(rz[at(s)] / rz_[at(s)]);
    }
    rz_ = rz;
    static_cast<void>(pass([&, p = p_.data()](int s, index_t i, double&) {
      p[i] = runs_[at(s)] ? preconditioned(i) + beta[at(s)] * p[i] : Scalar(0);
    }));
  }

  // A right side whose r . P r, or p . A p, is not positive stands still from here on.
  void judge(int s, double product, bool by_preconditioner)
  {
    if (by_preconditioner && runs_[at(s)]) result_[at(s)].product = product;
    if (!runs_[at(s)] || (product > 0 && product - product == 0)) return;
    runs_[at(s)] = false;
    result_[at(s)].status = product - product == 0 ? solve_status::indefinite : solve_status::not_finite;
  }

  void finish(int s)
  {
    solve_result& one = result_[at(s)];
    one.recursion = one.residual;
    one.residual = __builtin_sqrt(rr_[at(s)]);
    if (one.status == solve_status::converged && !(rr_[at(s)] <= target_[at(s)])) one.status = solve_status::stagnated;
  }

  Matrix const& a_;
  Preconditioner const& preconditioner_;
  cg_options const& options_;
  index_t each_, size_;
  Scalar const* factors_ = nullptr;
  buffer<Scalar> r_, p_, q_, z_;
  std::array<solve_result, Count> result_;
  std::array<bool, Count> runs_{};
  numbers rr_{}, rz_{}, target_{};
};

}  // namespace detail

}  // namespace sumfac
