// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Chebyshev's polynomials as smoothers and preconditioners, over Jacobi or any other inner one.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/matrix_sweep.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/detail/spectrum.hpp>
#include <sumfac/solver/preconditioner.hpp>

#include <utility>

namespace sumfac::SUMFAC_TARGET {

// Chebyshev's polynomials of the first kind, or of the fourth.
enum class chebyshev_kind {
  first,   // least where eigenvalues of P A are from largest / range to largest
  fourth,  // least weighted by the eigenvalue, from 0 on: what is best between two grids
};

// Which polynomial, and how the largest eigenvalue of P A is bounded.
struct chebyshev {
  static constexpr bool only_queues = true;
  int degree = 3;
  chebyshev_kind kind = chebyshev_kind::fourth;
  double range = 20;     // of the first kind
  int steps = 10;        // of Lanczos' method
  double safety = 1.05;  // times what it says
  double largest = 0;    // a bound of one's own, which is taken as it is; 0: Lanczos'
};

namespace detail {

// x = change = take * factors * b
template <class Number>
struct chebyshev_start {
  using scalar = Number;
  static constexpr int sums = 0;
  Number take;
  Number const* b;
  Number const* factors;  // null where they are 1
  Number *x, *change;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    T const z = take * times(factors, i, load<T>(b + i));
    store(z, x + i);
    store(z, change + i);
  }
};

// change = keep * change + take * factors * (b - product), x = x + change
template <class Number>
struct chebyshev_step {
  using scalar = Number;
  static constexpr int sums = 0;
  Number keep, take;
  Number const* b;
  Number const* product;  // null where it is 0
  Number const* factors;  // null where they are 1
  Number *x, *change;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    T z = product == nullptr ? load<T>(b + i) : load<T>(b + i) - load<T>(product + i);
    z = take * times(factors, i, z);
    if (keep != Number(0)) z = fma(keep, load<T>(change + i), z);
    store(z, change + i);
    store(load<T>(x + i) + z, x + i);
  }
};

}  // namespace detail

// x = p(P A) P b from x = 0, or as many steps from any x: a symmetric preconditioner, and a smoother.
//
// A is a global_operator, or anything with apply(x, y), size() and backend(), symmetric positive definite; the inner P
// a jacobi or anything with apply(r, z). On the host the updates of a global_operator's vectors are done inside its
// sweep over elements. Refers to A and owns P. It has work memory: one call at a time may use it, a second one is
// refused.
// **Work** `degree` applications of A and P; one of A less from x = 0.
// **Errors** argument_error for options out of range, while another thread uses it, and where A or P is seen not to be
// positive definite or finite.
// **Source** Saad, Iterative Methods for Sparse Linear Systems, 2003, algorithm 12.1; Lottes, Optimal polynomial
// smoothers for multigrid V-cycles, arXiv 2202.08830.
template <class Matrix, class Inner>
class chebyshev_smoother {
public:
  using scalar_type = detail::scalar_of_matrix<Matrix>;
  using backend_type = detail::backend_of_matrix<Matrix>;

  // `follows`: it is going to be asked to follow(), for which it keeps a vector more, where P is a jacobi.
  chebyshev_smoother(Matrix const& a, Inner inner, chebyshev const& options = {}, bool follows = false)
      : matrix_(&a),
        inner_(std::move(inner)),
        options_(options),
        follows_(by_factors && follows),
        passes_(a.backend(), a.size())
  {
    if (follows_) top_ = followed(a.backend(), a.size(), detail::reduction_of(a));
    check_options(options);
    take_inner();
    change_ = detail::make_memory<number>(a.backend(), a.size());
    product_ = detail::make_memory<number>(a.backend(), a.size());
    if constexpr (!by_factors) inner_result_ = detail::make_memory<number>(a.backend(), a.size());
    if (options.largest == 0)
      update();
    else
      check_largest();
  }

  // z = p(P A) P r
  void apply(vector_argument<scalar_type const> r, vector_argument<scalar_type> z) const
  {
    detail::check_vectors("chebyshev_smoother::apply", "r", r.entries, size(), "z", z.entries, size());
    start(r.entries.data(), z.entries.data());
  }

  // x = what apply() makes of b.
  void start(scalar_type const* b, scalar_type* x) const
  {
    start_behind([&](auto const&... first) { (passes_.run(size(), first), ...); }, b, x);
  }
  // The same of a b that make(body) makes, which calls the body, if it is given one, for each entry behind it.
  template <class Make>
  void start_behind(Make const& make, scalar_type const* b, scalar_type* x) const
  {
    detail::sole_use const sole(owner_, "chebyshev_smoother");
    coefficients by(*this);
    by.next();
    detail::chebyshev_start<number> first{static_cast<number>(by.take), b, factors_, x, change_.data()};
    if constexpr (by_factors) {
      make(first);
    } else {
      make();
      inner_.apply(const_vector(b, size()), vector(inner_result_.data(), size()));
      first.b = inner_result_.data(), first.factors = nullptr;
      passes_.run(size(), first);
    }
    for (int i = 1; i < options_.degree; ++i) {
      by.next();
      step(by, b, x);
    }
  }
  // `degree` steps towards A x = b from what x is.
  void improve(scalar_type const* b, scalar_type* x) const
  {
    detail::sole_use const sole(owner_, "chebyshev_smoother");
    coefficients by(*this);
    for (int i = 0; i < options_.degree; ++i) {
      by.next();
      step(by, b, x);
    }
  }

  // Bounds the eigenvalues anew, of A as it is now, also where `largest` was given; with a new P, or what P is now.
  // **Work** `steps` + 1 applications of A and P, one more of each where P is no jacobi.
  void update(Inner inner)
  {
    inner_ = std::move(inner);
    take_inner();
    update();
  }
  void update()
  {
    detail::sole_use const sole(owner_, "chebyshev_smoother");
    auto const found = by_lanczos([&](auto const& space, auto& memory) {
      return detail::largest_eigenvalue<number>("chebyshev_smoother", *matrix_, inner_, options_.steps, space, memory,
                                                top_.vector());
    });
    largest_ = by_lanczos_ = options_.safety * (found.value + found.residual);
  }
  // Takes what A has become from a step of Newton's method to the next, with a jacobi for P, in the memory there is:
  // the diagonal, and what A makes of the vector that had the largest eigenvalue. The bound is the larger one of what
  // that says and of Lanczos'; update() where it differs by more than a quarter. A bound of one's own stays.
  // **Work** an application and the diagonal, beside some passes over vectors.
  void follow()
  {
    static_assert(by_factors, "sumfac::chebyshev_smoother: follow() is for a jacobi inside: take update()");
    {
      detail::sole_use const sole(owner_, "chebyshev_smoother");
      inner_.update(*matrix_);
      if (options_.largest != 0) return;
      if (follows_) {
        auto const found = top_.follow(*matrix_, passes_, factors_, change_.data(), product_.data());
        double const bound = options_.safety * (found.value + found.residual);
        largest_ = bound > by_lanczos_ ? bound : by_lanczos_;
        if (bound > by_lanczos_ * 0.75 && bound < by_lanczos_ * 1.25) return;
      }
    }
    update();
  }
  // Becomes the least polynomial of the first kind that takes all eigenvalues of P A to `tolerance` times what they
  // were, as far as Lanczos' method finds the least of them: for multigrid's last level. The second takes what A has
  // become first, with a jacobi for P, which look(P) may refuse, in the memory there is where it follows.
  void reach(double tolerance)
  {
    constexpr double least_range = 1.1;
    detail::sole_use const sole(owner_, "chebyshev_smoother");
    auto const found = by_lanczos([&](auto const& space, auto& memory) {
      return detail::spectrum_of<number>("multigrid", *matrix_, inner_, space, memory);
    });
    options_.kind = chebyshev_kind::first;
    largest_ = options_.safety * (found.largest.value + found.largest.residual);
    double const ratio = largest_ / found.least, range = ratio > least_range ? ratio : least_range;
    double const steps = __builtin_acosh(1 / tolerance) / __builtin_acosh((range + 1) / (range - 1));
    options_.range = range;
    options_.degree = steps > 1 ? static_cast<int>(__builtin_ceil(steps)) : 1;
  }
  template <class Look>
  void follow_to(double tolerance, Look const& look)
  {
    inner_.update(*matrix_);
    look(inner_);
    reach(tolerance);
  }

  index_t size() const { return matrix_->size(); }
  double largest() const { return largest_; }  // eigenvalue of P A, with the safety
  chebyshev const& options() const { return options_; }
  Inner const& inner() const { return inner_; }

private:
  using number = scalar_type;
  using vector = view<number, dextents<1>>;
  using const_vector = view<number const, dextents<1>>;
  static constexpr bool by_factors = !detail::applies_itself<Inner, number>;

  // change = keep * change + take * P (b - A x), as the polynomial of some degree asks for, one step after another.
  class coefficients {
  public:
    explicit coefficients(chebyshev_smoother const& of) : of_(of) {}
    void next()
    {
      double const largest = of_.largest_;
      ++step_;
      if (of_.options_.kind == chebyshev_kind::fourth) {
        keep = (2.0 * step_ - 3) / (2.0 * step_ + 1) * (step_ > 1);
        take = (8.0 * step_ - 4) / (2.0 * step_ + 1) / largest;
        return;
      }
      double const least = largest / of_.options_.range, half = (largest - least) / 2, middle = (largest + least) / 2;
      double const rho = step_ == 1 ? half / middle : 1 / (2 * middle / half - rho_);
      keep = step_ == 1 ? 0 : rho * rho_;
      take = step_ == 1 ? 1 / middle : 2 * rho / half;
      rho_ = rho;
    }
    double keep = 0, take = 0;

  private:
    chebyshev_smoother const& of_;
    int step_ = 0;
    double rho_ = 0;
  };

  using followed = detail::followed_eigenvalue<number, backend_type>;
  using lanczos_memory = detail::lanczos_memory<number, backend_type>;
  static void check_options(chebyshev const& options)
  {
    constexpr auto here = "chebyshev_smoother";
    if (options.degree < 1) failf(here, "the degree is less than 1 (got %d, at least 1 expected)", options.degree);
    if (!(options.range > 1)) failf(here, "the range is not greater than 1 (got %g)", options.range);
    if (options.steps < 2 || options.steps > detail::most_lanczos_steps)
      failf(here, "the number of Lanczos' steps does not fit (got %d, 2 to %d expected)", options.steps,
            detail::most_lanczos_steps);
    if (!(options.safety >= 1)) failf(here, "the safety is less than 1 (got %g, at least 1 expected)", options.safety);
    if (!(options.largest >= 0) || options.largest - options.largest != 0)
      failf(here, "the largest eigenvalue is not a finite number above 0 (got %g, 0 to have it estimated)",
            options.largest);
  }
  void take_inner() { factors_ = detail::factors_of_preconditioner<number>("chebyshev_smoother", inner_, size()); }
  // What two of Lanczos' steps find is at most the largest eigenvalue, so that a bound must not be below it.
  void check_largest()
  {
    constexpr double rounding = sizeof(number) == sizeof(double) ? 1e-10 : 1e-4;
    double const found =
        by_lanczos([&](auto const& space, auto& memory) {
          return detail::largest_eigenvalue<number>("chebyshev_smoother", *matrix_, inner_, 2, space, memory);
        }).value;
    if (options_.largest < (1 - rounding) * found)
      failf(
          "chebyshev_smoother",
          "the largest eigenvalue that was given is too small (got %g, P A has one of at least %g): give a bound above "
          "it, or 0 to have it estimated",
          options_.largest, found);
  }
  // For Lanczos' method: memory beside the vectors that steps change, kept where it is going to be asked again.
  template <class Ask>
  auto by_lanczos(Ask const& ask)
  {
    if (lanczos_.empty())
      lanczos_ = detail::own_pointer<lanczos_memory>(
          new lanczos_memory(matrix_->backend(), size(), detail::reduction_of(*matrix_)));
    auto const found =
        ask(detail::lanczos_space<number>{product_.data(), change_.data(), inner_result_.data()}, *lanczos_);
    if (!follows_ || options_.largest != 0) lanczos_ = {};
    return found;
  }
  void step(coefficients const& by, number const* b, number* x) const
  {
    auto const keep = static_cast<number>(by.keep), take = static_cast<number>(by.take);
    number* const product = product_.data();
    detail::chebyshev_step<number> const update{keep, take, b, product, factors_, x, change_.data()};
    if constexpr (by_factors) {
      detail::apply_then(*matrix_, passes_, x, product, update);
    } else {
      detail::apply_then(*matrix_, passes_, x, product, detail::residual_body<number>{b, nullptr, product});
      inner_.apply(const_vector(product, size()), vector(inner_result_.data(), size()));
      passes_.run(size(), detail::chebyshev_step<number>{keep, take, inner_result_.data(), nullptr, nullptr, x,
                                                         change_.data()});
    }
  }

  Matrix const* matrix_;
  Inner inner_;
  chebyshev options_;
  number const* factors_ = nullptr;
  double largest_ = options_.largest, by_lanczos_ = 0;
  bool follows_;
  detail::pass_runner<backend_type> passes_;
  mutable detail::memory_of<number, backend_type> change_, product_, inner_result_;
  followed top_;
  detail::own_pointer<lanczos_memory> lanczos_;
  detail::work_owner owner_;
};

template <class Matrix, class Inner>
chebyshev_smoother(Matrix const&, Inner, chebyshev const&, bool = false) -> chebyshev_smoother<Matrix, Inner>;
template <class Matrix, class Inner>
chebyshev_smoother(Matrix const&, Inner) -> chebyshev_smoother<Matrix, Inner>;

}  // namespace sumfac
