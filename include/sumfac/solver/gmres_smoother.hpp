// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Some steps of GMRES as a smoother of multigrid, for matrices that are not symmetric.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/matrix_sweep.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/solver/vector_ops.hpp>

namespace sumfac::SUMFAC_TARGET {

namespace detail {
inline constexpr int most_smoothing_steps = 10;
template <class Level>
class level_gmres;
}  // namespace detail

// A smoother: of all x + D p(A D) r, where r is the residual, D Jacobi's preconditioner and p a polynomial of degree
// `steps` - 1, the one with the least residual. So it never makes a residual larger, whatever the eigenvalues of A D.
// What it does depends on the right side: solve with gmres around it.
//
// **Work** `steps` + 1 applications, one less from x = 0; sums over pairs of steps + 1 vectors, which on a device stay
// there; (memory) steps + 3 vectors.
// **Errors** argument_error for steps below 1 or above 10.
// **Source** Saad and Schultz 1986; Chronopoulos and Gear, s-step iterative methods, 1989.
struct gmres_smoother {
  static constexpr bool only_queues = true;
  int steps = 3;

  template <class Level>
  auto make(Level const& level) const
  {
    return detail::level_gmres<Level>(level, steps);
  }
};

namespace detail {

// r = b - r, v = D r
template <class Number>
struct smoothing_residual {
  using scalar = Number;
  static constexpr int sums = 0;
  Number const *b, *factors;
  Number *r, *v;
  bool from_zero;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    T const residual = from_zero ? load<T>(b + i) : load<T>(b + i) - load<T>(r + i);
    store(residual, r + i);
    store(load<T>(factors + i) * residual, v + i);
  }
};

// Products of the vectors w_0 = r, w_1 .. w_steps: (row, column) for 0 <= row <= column, 1 <= column, column by column.
struct gram_places {
  static SUMFAC_INLINE int at(int row, int column) { return column * (column + 1) / 2 - 1 + row; }
  static SUMFAC_INLINE int count(int steps) { return at(steps, steps) + 1; }
};

// Up to seven of these products.
template <class Number>
struct gram_body {
  using scalar = Number;
  static constexpr int sums = most_sums;
  Number const* left[most_sums];
  Number const* right[most_sums];
  int count;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    for (int k = 0; k < most_sums; ++k)
      if (k < count) sum[k] = fma(load<T>(left[k] + i), load<T>(right[k] + i), sum[k]);
  }
};

// The numbers c with the least |r - sum c_j w_j|, by Cholesky's factors of the products; 0 for a vector that is, up to
// rounding, a combination of those before it, or whose square is out of the numbers.
struct least_squares {
  double const* products;
  double* c;
  int steps;
  double rounding;
  SUMFAC_INLINE void operator()(index_t) const
  {
    double lower[most_smoothing_steps][most_smoothing_steps] = {};
    double y[most_smoothing_steps] = {};
    for (int j = 0; j < steps; ++j) {
      for (int i = 0; i <= j; ++i) {
        double rest = products[gram_places::at(i + 1, j + 1)];
        for (int k = 0; k < i; ++k) rest -= lower[i][k] * lower[j][k];
        if (i < j)
          lower[j][i] = lower[i][i] > 0 ? rest / lower[i][i] : 0;
        else
          lower[j][j] = rest > rounding * products[gram_places::at(j + 1, j + 1)] ? __builtin_sqrt(rest) : 0;
      }
      double rest = products[gram_places::at(0, j + 1)];
      for (int k = 0; k < j; ++k) rest -= lower[j][k] * y[k];
      y[j] = lower[j][j] > 0 ? rest / lower[j][j] : 0;
      if (lower[j][j] == 0)
        for (int k = 0; k < j; ++k) lower[j][k] = 0;  // which may have left the numbers
    }
    for (int j = steps - 1; j >= 0; --j) {
      double rest = y[j];
      for (int k = j + 1; k < steps; ++k) rest -= lower[k][j] * c[k];
      c[j] = lower[j][j] > 0 ? rest / lower[j][j] : 0;
    }
  }
};

// x = x + D (c_0 w_0 + ... + c_(steps - 1) w_(steps - 1))
template <class Number>
struct smoothing_update {
  using scalar = Number;
  static constexpr int sums = 0;
  Number const* w;  // vectors, one behind the other
  index_t size;
  double const* c;
  int steps;
  Number const* factors;
  Number* x;
  bool from_zero;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    T sum{};
    for (int k = 0; k < steps; ++k)
      if (c[k] != 0) sum = fma(static_cast<Number>(c[k]), load<T>(w + k * size + i), sum);
    T const before = from_zero ? T{} : load<T>(x + i);
    store(fma(load<T>(factors + i), sum, before), x + i);
  }
};

template <class Level>
class level_gmres {
  using number = typename Level::scalar_type;
  using backend_type = typename Level::backend_type;

public:
  level_gmres(Level const& level, int steps)
      : matrix_(&level.matrix()),
        jacobi_(level.make_jacobi()),
        steps_(checked(steps)),
        passes_(level.backend(), level.size(), reduction_of(level.matrix())),
        vectors_(make_memory<number>(level.backend(), (steps + 3) * level.size())),
        products_(make_memory<double>(level.backend(), gram_places::count(steps) + most_sums)),
        c_(make_memory<double>(level.backend(), steps))
  {
  }

  void start(number const* b, number* x) const
  {
    start_behind([&](auto const& first) { passes_.run(size(), first); }, b, x);
  }
  // The same of a b that make(body) makes, which calls the body for each entry behind it.
  template <class Make>
  void start_behind(Make const& make, number const* b, number* x) const
  {
    make(residual_of(b, true));
    add_steps(x, true);
  }
  void improve(number const* b, number* x) const
  {
    apply_then(*matrix_, passes_, x, w(0), residual_of(b, false));
    add_steps(x, false);
  }

private:
  static int checked(int steps)
  {
    if (steps < 1 || steps > most_smoothing_steps)
      failf("gmres_smoother", "the number of steps does not fit (got %d, 1 to %d expected)", steps,
            most_smoothing_steps);
    return steps;
  }

  index_t size() const { return matrix_->size(); }
  number* w(int i) const { return vectors_.data() + i * size(); }  // of 0 .. steps
  number* v(int i) const { return w(steps_ + 1 + i % 2); }         // D w_i, until D w_(i + 2) is there
  auto residual_of(number const* b, bool from_zero) const
  {
    return smoothing_residual<number>{b, jacobi_.inverse(), w(0), v(0), from_zero};
  }

  // From the residual w_0 and v_0.
  void add_steps(number* x, bool from_zero) const
  {
    for (int j = 1; j <= steps_; ++j)
      apply_then(*matrix_, passes_, v(j - 1), w(j), multiply_body<number>{jacobi_.inverse(), w(j), v(j)});
    sum_products();
    passes_.run(size(), smoothing_update<number>{w(0), size(), c_.data(), steps_, jacobi_.inverse(), x, from_zero});
  }

  void sum_products() const
  {
    constexpr double rounding = sizeof(number) == sizeof(double) ? 1e-13 : 1e-5;
    int const all = gram_places::count(steps_);
    int row = 0, column = 1;
    for (int first = 0; first < all; first += most_sums) {
      gram_body<number> body{{}, {}, 0};
      for (int k = 0; k < most_sums && first + k < all; ++k, ++body.count) {
        body.left[k] = w(row), body.right[k] = w(column);
        if (row++ == column) row = 0, ++column;
      }
      double* const products = products_.data();
      if (first + most_sums < all)
        passes_.run(size(), body, products + first);
      else
        passes_.run(size(), body, products + first, least_squares{products, c_.data(), steps_, rounding});
    }
  }

  typename Level::matrix_type const* matrix_;
  jacobi<number, backend_type> jacobi_;
  int steps_;
  pass_runner<backend_type> passes_;
  mutable memory_of<number, backend_type> vectors_;  // w_0 .. w_steps, and two of v
  mutable memory_of<double, backend_type> products_, c_;
};

}  // namespace detail

}  // namespace sumfac
