// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A bound of the largest eigenvalue of P A, for symmetric positive definite P and A, by Lanczos' method.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/config.hpp>
#include <sumfac/error.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/noise.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/solver/vector_ops.hpp>
#include <sumfac/view/view.hpp>

#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

inline constexpr int most_lanczos_steps = 64;

// A symmetric tridiagonal matrix of some rows, and its largest eigenvalue.
struct tridiagonal {
  double diagonal[most_lanczos_steps] = {};
  double beside[most_lanczos_steps] = {};  // entry (i, i + 1); the last is Lanczos' next one
  int size = 0;

  // How many eigenvalues are less than x, by the signs of Sturm's sequence.
  int below(double x) const
  {
    int count = 0;
    double pivot = 1;
    for (int i = 0; i < size; ++i) {
      double const coupling = i == 0 ? 0 : beside[i - 1] * beside[i - 1];
      pivot = diagonal[i] - x - (i == 0 ? 0 : coupling / pivot);
      if (pivot == 0) pivot = -1e-300;
      count += pivot < 0 ? 1 : 0;
    }
    return count;
  }

  // The largest eigenvalue, and how much of its vector of length 1 is in the last row.
  double largest(double& last) const
  {
    double low = 0, high = 0;
    for (int i = 0; i < size; ++i) {
      double const left = i > 0 ? __builtin_fabs(beside[i - 1]) : 0;
      double const radius = left + (i + 1 < size ? __builtin_fabs(beside[i]) : 0);
      if (diagonal[i] + radius > high) high = diagonal[i] + radius;
    }
    high *= 1 + 1e-14;
    for (int i = 0; i < 100; ++i) {
      double const middle = (low + high) / 2;
      (below(middle) < size ? low : high) = middle;
    }
    last = part_in_last_row(high);
    return high;
  }

private:
  // From the last row's entry 1 upwards: of the largest eigenvalue's vector no entry is 0.
  double part_in_last_row(double eigenvalue) const
  {
    double above = 1, at = 1, squares = 1;  // entries i + 1 and i of a vector that ends in 1
    for (int i = size - 1; i > 0; --i) {
      double const next = ((eigenvalue - diagonal[i]) * at - (i + 1 < size ? beside[i] * above : 0)) / beside[i - 1];
      above = at, at = next;
      squares += at * at;
    }
    return squares - squares == 0 ? 1 / __builtin_sqrt(squares) : 0;
  }
};

// x = noise of one size, vector k, times the root of |q|.
template <class Scalar>
struct lanczos_guess {
  using scalar = Scalar;
  static constexpr int sums = 0;
  Scalar const* q;  // null where it is 1
  Scalar* x;
  int k;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    T const one = noise_of_one_size<T>(i, k);
    store(q == nullptr ? one : root(magnitude(load<T>(q + i))) * one, x + i);
  }
};

// r = scale * r, d = scale * z + ratio * d, where z is P r.
template <class Scalar>
struct lanczos_turn {
  using scalar = Scalar;
  static constexpr int sums = 0;
  Scalar scale, ratio;
  Scalar* r;
  Scalar const* z;        // null with factors
  Scalar const* factors;  // null where they are 1
  Scalar* d;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    T const residual = scale * load<T>(r + i);
    T const product = z == nullptr ? times(factors, i, residual) : scale * load<T>(z + i);
    store(residual, r + i);
    store(fma(ratio, load<T>(d + i), product), d + i);
  }
};

// r, d, q and, for a P of its own, z = P r, and what Lanczos' method does to them.
template <class Scalar, class Matrix, class Preconditioner>
class lanczos_vectors {
  using vector = view<Scalar, dextents<1>>;
  using const_vector = view<Scalar const, dextents<1>>;
  using backend_type = backend_of_matrix<Matrix>;
  static constexpr bool by_factors = !applies_itself<Preconditioner, Scalar>;

public:
  lanczos_vectors(char const* where, Matrix const& a, Preconditioner const& p)
      : a_(a),
        p_(p),
        factors_(factors_of_preconditioner<Scalar>(where, p, a.size())),
        memory_(make_memory<Scalar>(a.backend(), (by_factors ? 3 : 4) * a.size())),
        sum_(make_memory<double>(a.backend(), most_sums)),
        passes_(a.backend(), a.size(), reduction_of(a)),
        ops_(a.backend(), a.size(), reduction_of(a))
  {
  }

  // r = A x for an x that looks random and is of one size in the norm of P's inverse, or in A's where P is one of its
  // own; d = 0. So r is of one size in P's norm however far apart the sizes of rows are, and 0 where A's row is. It is
  // scaled so that r . P r is near 1 at any size of A and P. Returns the length of A x.
  double start()
  {
    passes_.run(a_.size(), lanczos_guess<Scalar>{factors_, d(), 0});
    apply(d(), r());
    if constexpr (!by_factors) {
      passes_.run(a_.size(), lanczos_guess<Scalar>{r(), q(), 1});
      p_.apply(const_vector(q(), a_.size()), vector(d(), a_.size()));
      apply(d(), r());
    }
    double const length = length_of(r());
    scale(length);
    ops_.fill(Scalar{0}, vector(d(), a_.size()));
    if constexpr (!by_factors) p_.apply(const_vector(r(), a_.size()), vector(z(), a_.size()));
    passes_.run(a_.size(), lanczos_turn<Scalar>{1, 0, r(), z(), factors_, d()});
    scale(__builtin_sqrt(length_of(d())));
    ops_.fill(Scalar{0}, vector(d(), a_.size()));
    ops_.fill(Scalar{0}, vector(q(), a_.size()));
    return length;
  }
  // r = r - step * q, and returns r . P r.
  double advance(double step)
  {
    passes_.run(a_.size(), axpy_dot_body<Scalar>{static_cast<Scalar>(-step), q(), r(), factors_}, sum_.data());
    if constexpr (by_factors) {
      return download<double>(a_.backend(), sum_.data(), 1)[0];
    } else {
      p_.apply(const_vector(r(), a_.size()), vector(z(), a_.size()));
      return product(r(), z());
    }
  }
  // r = r / size, d = P r + size * d, q = A d, and returns d . q: `size` is the root of r . P r.
  double turn(double size, bool first)
  {
    auto const over = static_cast<Scalar>(1 / size), ratio = static_cast<Scalar>(first ? 0 : size);
    passes_.run(a_.size(), lanczos_turn<Scalar>{over, ratio, r(), z(), factors_, d()});
    apply(d(), q());
    return product(d(), q());
  }

private:
  Scalar* r() { return memory_.data(); }
  Scalar* d() { return memory_.data() + a_.size(); }
  Scalar* q() { return memory_.data() + 2 * a_.size(); }
  Scalar* z() { return by_factors ? nullptr : memory_.data() + 3 * a_.size(); }
  void apply(Scalar const* x, Scalar* y) { a_.apply(const_vector(x, a_.size()), vector(y, a_.size())); }
  double product(Scalar const* x, Scalar const* y)
  {
    passes_.run(a_.size(), dot_body<Scalar>{x, y}, sum_.data());
    return download<double>(a_.backend(), sum_.data(), 1)[0];
  }
  double length_of(Scalar const* x) { return static_cast<double>(ops_.norm(const_vector(x, a_.size()))); }
  // r = r / by, unless that is 0 or not finite.
  void scale(double by)
  {
    if (by > 0 && by - by == 0) ops_.scale(static_cast<Scalar>(1 / by), vector(r(), a_.size()));
  }

  Matrix const& a_;
  Preconditioner const& p_;
  Scalar const* factors_;  // null where they are 1, or P is one of its own
  memory_of<Scalar, backend_type> memory_;
  memory_of<double, backend_type> sum_;
  pass_runner<backend_type> passes_;
  vector_ops<Scalar, backend_type> ops_;
};

// Lanczos' largest value, which but for rounding is at most the largest eigenvalue, and how far they may be apart.
struct largest_value {
  double value, residual;
};

// Of P A, after `steps` steps at most. From A times a vector that looks random, so that no eigenvector is missed.
//
// **Errors** argument_error for r . P r or p . A p that is not a positive, finite number.
// **Source** Lanczos 1950, by the numbers of conjugate gradients; Zhou and Li, Bounding the spectrum of large Hermitian
// matrices, Linear Algebra Appl. 435, 2011.
template <class Scalar, class Matrix, class Preconditioner>
largest_value largest_eigenvalue(char const* where, Matrix const& a, Preconditioner const& p, int steps)
{
  lanczos_vectors<Scalar, Matrix, Preconditioner> v(where, a, p);
  double const length = v.start();
  if (length - length != 0)
    failf(where, "A times a vector of numbers is not finite: look for infinities and NaN in the operator");
  if (length == 0) return {1, 0};  // nothing to do for any eigenvalue
  auto const positive = [&](double product, char const* name, int step) {
    if (!(product > 0) || product - product != 0)
      failf(where, "%s is not positive definite (%s = %g in Lanczos' step %d, a finite number greater than 0 expected)",
            name[0] == 'r' ? "the inner preconditioner" : "the matrix", name, product, step);
  };
  double rz = v.advance(0);  // of the r of which r . P r was 1 before the step
  positive(rz, "r . P r", 0);
  tridiagonal t;  // over the first p . A p
  double unit = 0, carried = 0;
  for (int i = 0; i < steps; ++i) {
    double const pq = v.turn(__builtin_sqrt(rz), i == 0);
    positive(pq, "p . A p", i + 1);
    if (i == 0) unit = pq;
    t.diagonal[i] = pq / unit + carried;
    t.size = i + 1;
    rz = v.advance(1 / pq);
    constexpr double rounding = sizeof(Scalar) == sizeof(double) ? 1e-24 : 1e-10;
    if (rz - rz != 0) positive(rz, "r . P r", i + 1);
    if (!(rz > rounding)) break;  // all that the vector has of A's eigenvectors has been found
    carried = rz * (pq / unit);
    t.beside[i] = __builtin_sqrt(rz) * (pq / unit);
  }
  double last = 0;
  double const value = t.largest(last);
  return {value * unit, t.beside[t.size - 1] * last * unit};
}

}  // namespace sumfac::detail
