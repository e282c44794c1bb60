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

// The entries of z = P r for P that is a factor for each entry, or of its own.
template <class Scalar, class Preconditioner, class Operations, class From, class To>
void precondition_by(Preconditioner const& p, Operations const& ops, From const& r, To const& z)
{
  if constexpr (applies_itself<Preconditioner, Scalar>)
    p.apply(r, z);
  else
    ops.multiply(From(factors_of_preconditioner<Scalar>("chebyshev", p, r.extent(0)), r.extent(0)), r, z);
}

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
  using vector = view<Scalar, dextents<1>>;
  using const_vector = view<Scalar const, dextents<1>>;
  auto const& backend = a.backend();
  using backend_type = std::remove_cvref_t<decltype(backend)>;
  index_t const size = a.size();
  auto memory = make_memory<Scalar>(backend, 4 * size);
  auto const part = [&](index_t i) { return vector(memory.data() + i * size, size); };
  vector const r = part(0), z = part(1), d = part(2), q = part(3);
  vector_ops<Scalar, backend_type> const ops(backend, size, reduction_of(a));
  pass_runner<backend_type> const passes(backend, size);

  passes.run(size, cg_noise<Scalar>{d.data(), 0});
  a.apply(const_vector(d), r);
  double const length = static_cast<double>(ops.norm(r));
  if (length - length != 0)
    failf(where, "A times a vector of numbers is not finite: look for infinities and NaN in the operator");
  if (length == 0) return 1;  // nothing to do for any eigenvalue
  ops.scale(static_cast<Scalar>(1 / length), r);
  auto const positive = [&](double product, char const* name, int step) {
    if (!(product > 0) || product - product != 0)
      failf(where, "%s is not positive definite (%s = %g in Lanczos' step %d, a finite number greater than 0 expected)",
            name[0] == 'r' ? "the inner preconditioner" : "the matrix", name, product, step);
  };
  precondition_by<Scalar>(p, ops, const_vector(r), z);
  auto rz = static_cast<double>(ops.dot(r, z));
  positive(rz, "r . P r", 0);
  double const first = rz;
  tridiagonal t;
  double ratio = 0, step = 1;
  for (int i = 0; i < steps; ++i) {
    ops.axpby(Scalar(1), z, static_cast<Scalar>(ratio), d);
    a.apply(const_vector(d), q);
    auto const pq = static_cast<double>(ops.dot(d, q));
    positive(pq, "p . A p", i + 1);
    double const carried = i == 0 ? 0 : ratio / step;
    step = rz / pq;
    t.diagonal[i] = 1 / step + carried;
    t.size = i + 1;
    ops.axpy(static_cast<Scalar>(-step), q, r);
    precondition_by<Scalar>(p, ops, const_vector(r), z);
    auto const next = static_cast<double>(ops.dot(r, z));
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
