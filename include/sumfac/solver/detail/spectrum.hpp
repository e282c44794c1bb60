// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A bound of the largest eigenvalue of P A, for symmetric positive definite P and A, by Lanczos' method.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/config.hpp>
#include <sumfac/error.hpp>
#include <sumfac/solver/detail/cg_steps.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/solver/vector_ops.hpp>
#include <sumfac/view/view.hpp>

#include <type_traits>
#include <utility>

namespace sumfac::inline SUMFAC_TARGET::detail {

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
    double low = -1, high = 0;
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

// r = r - step * q; sums r . P r, of a P that is a factor for each entry.
template <class Scalar>
struct lanczos_advance {
  using scalar = Scalar;
  static constexpr int sums = 1;
  Scalar step;
  Scalar const* q;
  Scalar const* factors;  // null where they are 1
  Scalar* r;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    T const residual = fma(-step, load<T>(q + i), load<T>(r + i));
    store(residual, r + i);
    sum[0] = fma(residual, precondition(factors, i, residual), sum[0]);
  }
};

// d = z + ratio * d, where z is P r.
template <class Scalar>
struct lanczos_turn {
  using scalar = Scalar;
  static constexpr int sums = 0;
  Scalar ratio;
  Scalar const* r;        // or z, without factors
  Scalar const* factors;  // null where they are 1
  Scalar* d;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    store(fma(ratio, load<T>(d + i), precondition(factors, i, load<T>(r + i))), d + i);
  }
};

// r, d, q and, for a P of its own, z = P r, and what Lanczos' method does to them.
template <class Scalar, class Matrix, class Preconditioner>
class lanczos_vectors {
  using vector = view<Scalar, dextents<1>>;
  using const_vector = view<Scalar const, dextents<1>>;
  using backend_type = std::remove_cvref_t<decltype(std::declval<Matrix const&>().backend())>;
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

  // r = A times what looks random, of length 1, unless that is 0 or not finite; d = 0. Returns the length.
  double start()
  {
    passes_.run(a_.size(), cg_noise<Scalar>{d(), 0});
    a_.apply(const_vector(d(), a_.size()), vector(r(), a_.size()));
    ops_.fill(Scalar{0}, vector(d(), a_.size()));
    auto const length = static_cast<double>(ops_.norm(const_vector(r(), a_.size())));
    if (length > 0 && length - length == 0) ops_.scale(static_cast<Scalar>(1 / length), vector(r(), a_.size()));
    return length;
  }
  // r = r - step * q, and returns r . P r.
  double advance(double step)
  {
    passes_.run(a_.size(), lanczos_advance<Scalar>{static_cast<Scalar>(step), q(), factors_, r()}, sum_.data());
    if constexpr (by_factors) {
      return download<double>(a_.backend(), sum_.data(), 1)[0];
    } else {
      p_.apply(const_vector(r(), a_.size()), vector(z(), a_.size()));
      return static_cast<double>(ops_.dot(const_vector(r(), a_.size()), const_vector(z(), a_.size())));
    }
  }
  // d = P r + ratio * d, q = A d, and returns d . q.
  double turn(double ratio)
  {
    passes_.run(a_.size(), lanczos_turn<Scalar>{static_cast<Scalar>(ratio), z(), factors_, d()});
    a_.apply(const_vector(d(), a_.size()), vector(q(), a_.size()));
    return static_cast<double>(ops_.dot(const_vector(d(), a_.size()), const_vector(q(), a_.size())));
  }

private:
  Scalar* r() { return memory_.data(); }
  Scalar* d() { return memory_.data() + a_.size(); }
  Scalar* q() { return memory_.data() + 2 * a_.size(); }
  Scalar* z() { return by_factors ? r() : memory_.data() + 3 * a_.size(); }

  Matrix const& a_;
  Preconditioner const& p_;
  Scalar const* factors_;  // null where they are 1, or P is one of its own
  memory_of<Scalar, backend_type> memory_;
  memory_of<double, backend_type> sum_;
  pass_runner<backend_type> passes_;
  vector_ops<Scalar, backend_type> ops_;
};

// At least the largest eigenvalue of P A, but for accidents: Lanczos' largest value after `steps` steps and all that
// its residual allows for. From a vector that looks random, so that no eigenvector is missed, times A: it has nothing
// of rows that are zero.
//
// **Errors** argument_error for r . P r or p . A p that is not a positive, finite number.
// **Source** Lanczos 1950, by the numbers of conjugate gradients; Zhou and Li, Bounding the spectrum of large Hermitian
// matrices, Linear Algebra Appl. 435, 2011.
template <class Scalar, class Matrix, class Preconditioner>
double largest_eigenvalue(char const* where, Matrix const& a, Preconditioner const& p, int steps)
{
  lanczos_vectors<Scalar, Matrix, Preconditioner> v(where, a, p);
  double const length = v.start();
  if (length - length != 0)
    failf(where, "A times a vector of numbers is not finite: look for infinities and NaN in the operator");
  if (length == 0) return 1;  // nothing to do for any eigenvalue
  auto const positive = [&](double product, char const* name, int step) {
    if (!(product > 0) || product - product != 0)
      failf(where, "%s is not positive definite (%s = %g in Lanczos' step %d, a finite number greater than 0 expected)",
            name[0] == 'r' ? "the inner preconditioner" : "the matrix", name, product, step);
  };
  double rz = v.advance(0);
  positive(rz, "r . P r", 0);
  double const first = rz;
  tridiagonal t;
  double ratio = 0, step = 1;
  for (int i = 0; i < steps; ++i) {
    double const pq = v.turn(ratio);
    positive(pq, "p . A p", i + 1);
    double const carried = i == 0 ? 0 : ratio / step;
    step = rz / pq;
    t.diagonal[i] = 1 / step + carried;
    t.size = i + 1;
    double const next = v.advance(step);
    constexpr double rounding = sizeof(Scalar) == sizeof(double) ? 1e-24 : 1e-10;
    if (next - next != 0) positive(next, "r . P r", i + 1);
    if (!(next > rounding * first)) break;  // all that the vector has of A's eigenvectors has been found
    ratio = next / rz, rz = next;
    t.beside[i] = __builtin_sqrt(ratio) / step;
  }
  double last = 0;
  double const value = t.largest(last);
  return value + t.beside[t.size - 1] * last;
}

}  // namespace sumfac::detail
