// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Bounds of the eigenvalues of P A, for symmetric positive definite P and A, by Lanczos' method.
#pragma once

#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/noise.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/solver/vector_ops.hpp>

namespace sumfac::SUMFAC_TARGET::detail {

inline constexpr int most_lanczos_steps = 64, most_spectrum_steps = 256;  // for a bound above, and below as well

// A symmetric tridiagonal matrix of some rows, and its largest eigenvalue and its least one, above 0.
struct tridiagonal {
  double diagonal[most_spectrum_steps] = {};
  double beside[most_spectrum_steps] = {};  // entry (i, i + 1); the last is Lanczos' next one
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
    double const value = first_above(size - 1);
    last = part_in_last_row(value);
    return value;
  }
  double least() const { return first_above(0); }

private:
  // The eigenvalue with so many below it.
  double first_above(int count) const
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
      (below(middle) <= count ? low : high) = middle;
    }
    return high;
  }

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

// z = P w; sums w times that.
template <class Scalar>
struct weigh_body {
  using scalar = Scalar;
  static constexpr int sums = 1;
  Scalar const* factors;  // null where they are 1
  Scalar const* w;
  Scalar* z;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    T const x = load<T>(w + i), product = times(factors, i, x);
    store(product, z + i);
    sum[0] = fma(x, product, sum[0]);
  }
};

// The vector of a tridiagonal matrix's largest eigenvalue, row by row as these are found: of the vector so far and the
// next row's that on which the matrix is largest.
class largest_so_far {
public:
  // What the new vector has of the one so far, and of the row's own.
  struct shares {
    double before, row;
  };
  shares take(double diagonal, double beside)
  {
    double const coupling = last_ * beside, half = (diagonal - value_) / 2;
    double const larger = (diagonal + value_) / 2 + __builtin_sqrt(half * half + coupling * coupling);
    double const part = larger - value_, length = __builtin_sqrt(coupling * coupling + part * part);
    bool const is_first = rows_++ == 0;
    value_ = is_first ? diagonal : larger;
    last_ = is_first || !(length > 0) ? 1 : part / length;
    return {is_first || !(length > 0) ? 0 : coupling / length, last_};
  }

private:
  double value_ = 0, last_ = 0;
  int rows_ = 0;
};

// What Lanczos' method needs beside two vectors, and for a P of its own a third: kept by who asks it again.
template <class Scalar, class Backend>
struct lanczos_memory {
  lanczos_memory(Backend const& backend, index_t size, reduction const& of_all)
      : vector(make_memory<Scalar>(backend, size)),
        sum(make_memory<double>(backend, most_sums)),
        passes(backend, size, of_all),
        ops(backend, size, of_all)
  {
  }

  memory_of<Scalar, Backend> vector;
  memory_of<double, Backend> sum;
  pass_runner<Backend> passes;
  vector_ops<Scalar, Backend> ops;
};

// Vectors r, d and, for a P of its own, z = P r, and what Lanczos' method does to them, with q in the memory.
template <class Scalar>
struct lanczos_space {
  Scalar *r, *d, *z;
};
template <class Scalar, class Matrix, class Preconditioner>
class lanczos_vectors {
  using vector = view<Scalar, dextents<1>>;
  using const_vector = view<Scalar const, dextents<1>>;
  using backend_type = backend_of_matrix<Matrix>;
  static constexpr bool by_factors = !applies_itself<Preconditioner, Scalar>;

public:
  lanczos_vectors(char const* where, Matrix const& a, Preconditioner const& p, lanczos_space<Scalar> const& space,
                  lanczos_memory<Scalar, backend_type>& memory)
      : a_(a),
        p_(p),
        factors_(factors_of_preconditioner<Scalar>(where, p, a.size())),
        space_(space),
        vector_(memory.vector.data()),
        sum_(memory.sum.data()),
        passes_(memory.passes),
        ops_(memory.ops)
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
    passes_.run(a_.size(), axpy_dot_body<Scalar>{static_cast<Scalar>(-step), q(), r(), factors_}, sum_);
    if constexpr (by_factors) {
      return download_one(a_.backend(), sum_);
    } else {
      p_.apply(const_vector(r(), a_.size()), vector(z(), a_.size()));
      return product(r(), z());
    }
  }
  // w = before * w + row * r
  void add_to(Scalar* w, largest_so_far::shares const& of)
  {
    passes_.run(a_.size(), axpby_body<Scalar>{static_cast<Scalar>(of.row), static_cast<Scalar>(of.before), r(), w});
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
  Scalar* r() { return space_.r; }
  Scalar* d() { return space_.d; }
  Scalar* q() { return vector_; }
  Scalar* z() { return by_factors ? nullptr : space_.z; }
  void apply(Scalar const* x, Scalar* y) { a_.apply(const_vector(x, a_.size()), vector(y, a_.size())); }
  double product(Scalar const* x, Scalar const* y)
  {
    passes_.run(a_.size(), dot_body<Scalar>{x, y}, sum_);
    return download_one(a_.backend(), sum_);
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
  lanczos_space<Scalar> space_;
  Scalar* vector_;
  double* sum_;
  pass_runner<backend_type> const& passes_;
  vector_ops<Scalar, backend_type> const& ops_;
};

// What Lanczos' method makes of P A: over `unit`. No rows where A takes all to 0.
struct lanczos_matrix {
  tridiagonal rows;
  double unit = 1;
};

// After `steps` steps at most, or where is_enough(rows). From A times a vector that looks random, so that no
// eigenvector is missed. Where `top` is not null it gets an r of which P r is near the largest eigenvalue's vector.
//
// **Errors** argument_error for r . P r or p . A p that is not a positive, finite number.
// **Source** Lanczos 1950, by the numbers of conjugate gradients; Zhou and Li, Bounding the spectrum of large Hermitian
// matrices, Linear Algebra Appl. 435, 2011.
template <class Scalar, class Matrix, class Preconditioner, class Enough>
lanczos_matrix lanczos(char const* where, Matrix const& a, Preconditioner const& p, int steps, Enough const& is_enough,
                       lanczos_space<Scalar> const& space, lanczos_memory<Scalar, backend_of_matrix<Matrix>>& memory,
                       Scalar* top = nullptr)
{
  largest_so_far largest;
  lanczos_vectors<Scalar, Matrix, Preconditioner> v(where, a, p, space, memory);
  double const length = v.start();
  if (length - length != 0)
    failf(where, "A times a vector of numbers is not finite: look for infinities and NaN in the operator");
  lanczos_matrix found;
  if (length == 0) return found;
  auto const positive = [&](double product, char const* name, int step) {
    if (!(product > 0) || product - product != 0)
      failf(where, "%s is not positive definite (%s = %g in Lanczos' step %d, a finite number greater than 0 expected)",
            name[0] == 'r' ? "the inner preconditioner" : "the matrix", name, product, step);
  };
  double rz = v.advance(0);  // of the r of which r . P r was 1 before the step
  positive(rz, "r . P r", 0);
  tridiagonal& t = found.rows;  // over the first p . A p
  double& unit = found.unit;
  double carried = 0;
  for (int i = 0; i < steps; ++i) {
    double const pq = v.turn(__builtin_sqrt(rz), i == 0);
    positive(pq, "p . A p", i + 1);
    if (i == 0) unit = pq;
    t.diagonal[i] = pq / unit + carried;
    t.size = i + 1;
    if (top != nullptr) {
      auto const shares = largest.take(t.diagonal[i], i == 0 ? 0 : t.beside[i - 1]);
      v.add_to(top, {shares.before, i % 2 == 0 ? shares.row : -shares.row});  // r is a residual: of signs in turns
    }
    rz = v.advance(1 / pq);
    constexpr double rounding = sizeof(Scalar) == sizeof(double) ? 1e-24 : 1e-10;
    if (rz - rz != 0) positive(rz, "r . P r", i + 1);
    if (!(rz > rounding)) break;  // all that the vector has of A's eigenvectors has been found
    carried = rz * (pq / unit);
    t.beside[i] = __builtin_sqrt(rz) * (pq / unit);
    if (is_enough(t)) break;
  }
  return found;
}

// Lanczos' largest value, which but for rounding is at most the largest eigenvalue, and how far they may be apart.
struct largest_value {
  double value, residual;
};

inline largest_value largest_of(lanczos_matrix const& of)
{
  if (of.rows.size == 0) return {1, 0};  // nothing to do for any eigenvalue
  double last = 0;
  double const value = of.rows.largest(last);
  return {value * of.unit, of.rows.beside[of.rows.size - 1] * last * of.unit};
}

template <class Scalar, class Matrix, class Preconditioner, class... Space>
largest_value largest_eigenvalue(char const* where, Matrix const& a, Preconditioner const& p, int steps,
                                 Space&&... space_and_top)
{
  return largest_of(lanczos<Scalar>(
      where, a, p, steps, [](tridiagonal const&) { return false; }, space_and_top...));
}

// The largest eigenvalue of P A where A and P change by little at a time: P a diagonal. Keeps an r of which P r is near
// the eigenvalue's vector, as lanczos() gives it.
template <class Scalar, class Backend>
class followed_eigenvalue {
public:
  followed_eigenvalue() = default;
  followed_eigenvalue(Backend const& backend, index_t size, reduction const& of_all)
      : vector_(make_memory<Scalar>(backend, size)), sum_(make_memory<double>(backend, 1)), of_all_(of_all)
  {
  }
  Scalar* vector() { return vector_.data(); }

  // By one application of A: w . P A P w over w . P w, how far that is from an eigenvalue at the most, and a step of
  // the power method of P A - lambda / 3, lambda being that quotient: a part of w with the eigenvalue mu grows by
  // |mu - lambda / 3|, so that small ones do not stay. z and q are written.
  template <class Matrix>
  largest_value follow(Matrix const& a, pass_runner<Backend> const& passes, Scalar const* factors, Scalar* z, Scalar* q)
  {
    index_t const size = a.size();
    Scalar* const w = vector_.data();
    auto const summed = [&](auto const& body) {
      passes.run(size, body, sum_.data());
      double sum = download_one(passes.backend(), sum_.data());
      if (of_all_.add_up != nullptr) of_all_.add_up(of_all_.context, &sum, 1);
      return sum;
    };
    double const squares = summed(weigh_body<Scalar>{factors, w, z});
    a.apply(view<Scalar const, dextents<1>>(z, size), view<Scalar, dextents<1>>(q, size));
    double const value = summed(dot_body<Scalar>{z, q}) / squares;
    double const rest = summed(axpy_dot_body<Scalar>{static_cast<Scalar>(-value), w, q, factors});
    double const kept = value * (1 - 1.0 / 3), scale = 1 / __builtin_sqrt(rest + kept * kept * squares);
    passes.run(size, axpby_body<Scalar>{static_cast<Scalar>(scale), static_cast<Scalar>(scale * kept), q, w});
    return {value, __builtin_sqrt(rest / squares)};
  }

private:
  memory_of<Scalar, Backend> vector_;
  memory_of<double, Backend> sum_;
  reduction of_all_;
};

// The largest value, and the least, which comes down to the least eigenvalue of those that A does not take to 0, until
// some steps change a tenth of it.
struct spectrum {
  largest_value largest;
  double least;
};

template <class Scalar, class Matrix, class Preconditioner>
spectrum spectrum_of(char const* where, Matrix const& a, Preconditioner const& p, lanczos_space<Scalar> const& space,
                     lanczos_memory<Scalar, backend_of_matrix<Matrix>>& memory)
{
  double before = 0;
  auto const is_enough = [&](tridiagonal const& t) {
    if (t.size % 8 != 0) return false;
    double const least = t.least();
    bool const stays = least > 0.9 * before && before > 0;
    before = least;
    return stays;
  };
  auto const found = lanczos<Scalar>(where, a, p, most_spectrum_steps, is_enough, space, memory);
  return {largest_of(found), found.rows.size == 0 ? 1 : found.rows.least() * found.unit};
}

}  // namespace sumfac::detail
