// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The vector operations of iterative solvers, on a backend's memory.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/sole_use.hpp>
#include <sumfac/math/detail/power_of_two.hpp>
#include <sumfac/solver/detail/passes.hpp>

namespace sumfac::SUMFAC_TARGET {

// y = a x + b y and its relatives, products and norms of vectors up to a size; each is one pass over memory.
//
// Sums are made of chunks, of 4096 entries on the host and elsewhere of as many as the size decides, added up in order:
// the same bits for any number of threads. Nothing is allocated after the constructor. The sums are in work memory of
// the object's: one operation with sums at a time, a second is refused. On a device operations are queued; dot, norm
// and axpy_dot wait for their result.
// **Shapes** vectors are contiguous views of rank 1 in the backend's memory, of one length in each call.
// **Errors** argument_error: lengths that differ or exceed the constructor's, null; a sum while another thread makes
// one.
template <class Scalar = double, class Backend = host>
class vector_ops {
public:
  // `of_all` makes sums those of all processes, where each has a part of the vectors: all call the same operations.
  vector_ops(Backend const& backend, index_t largest_size, reduction const& of_all = {})
      : largest_(not_negative(largest_size)),
        runner_(backend, largest_size, of_all),
        result_(detail::make_memory<double>(backend, 1))
  {
  }

  // x = a
  template <class VectorX>
  void fill(Scalar a, VectorX const& x) const
  {
    if constexpr (fit<VectorX>()) run<0>("vector_ops::fill", detail::fill_body<Scalar>{a, x.data()}, x);
  }
  // y = x
  template <class VectorX, class VectorY>
  void copy(VectorX const& x, VectorY const& y) const
  {
    combine("vector_ops::copy", 1, x, 0, y);
  }
  // x = a x
  template <class VectorX>
  void scale(Scalar a, VectorX const& x) const
  {
    combine("vector_ops::scale", 0, x, a, x);
  }
  // y = y + a x
  template <class VectorX, class VectorY>
  void axpy(Scalar a, VectorX const& x, VectorY const& y) const
  {
    combine("vector_ops::axpy", a, x, 1, y);
  }
  // y = x + a y
  template <class VectorX, class VectorY>
  void xpay(VectorX const& x, Scalar a, VectorY const& y) const
  {
    combine("vector_ops::xpay", 1, x, a, y);
  }
  // y = a x + b y; where b is 0, y is not read.
  template <class VectorX, class VectorY>
  void axpby(Scalar a, VectorX const& x, Scalar b, VectorY const& y) const
  {
    combine("vector_ops::axpby", a, x, b, y);
  }
  // z = x y, entry by entry
  template <class VectorX, class VectorY, class VectorZ>
  void multiply(VectorX const& x, VectorY const& y, VectorZ const& z) const
  {
    if constexpr (fit<VectorZ, VectorX, VectorY>())
      run<0>("vector_ops::multiply", detail::multiply_body<Scalar>{x.data(), y.data(), z.data()}, z, x, y);
  }
  // The sum of x_i y_i.
  template <class VectorX, class VectorY>
  Scalar dot(VectorX const& x, VectorY const& y) const
  {
    if constexpr (fit<readable, VectorX, VectorY>())
      return run<1>("vector_ops::dot", detail::dot_body<Scalar>{x.data(), y.data()}, x, y);
    else
      return 0;
  }
  // The root of the sum of squares, also where these are out of the numbers' range, which takes two passes more.
  template <class VectorX>
  Scalar norm(VectorX const& x) const
  {
    if constexpr (fit<readable, VectorX>()) {
      auto const squares = run<1>("vector_ops::norm", detail::dot_body<Scalar>{x.data(), x.data()}, x);
      constexpr auto low = static_cast<Scalar>(sizeof(Scalar) == sizeof(double) ? 1e-290 : 1e-30);
      if (squares < low || squares - squares != 0) return norm_over_scale(x);
      return static_cast<Scalar>(__builtin_sqrt(static_cast<double>(squares)));
    } else {
      return 0;
    }
  }
  // y = y + a x; returns the sum of y_i^2 after it.
  template <class VectorX, class VectorY>
  Scalar axpy_dot(Scalar a, VectorX const& x, VectorY const& y) const
  {
    if constexpr (fit<VectorY, VectorX>())
      return run<1>("vector_ops::axpy_dot", detail::axpy_dot_body<Scalar>{a, x.data(), y.data()}, x, y);
    else
      return 0;
  }

private:
  using readable = view<Scalar, dextents<1>>;  // in the place of a result, where there is none

  // Whether Result can be written and all can be read, with a diagnostic where not.
  template <class Result, class... Others>
  static constexpr bool fit()
  {
    constexpr bool views = detail::is_view_of<Result, Scalar> && (detail::is_view_of<Others, Scalar> && ...);
    constexpr bool writable = detail::is_writable_view_of<Result, Scalar>;
    constexpr bool contiguous = detail::is_vector_view<Result> && (detail::is_vector_view<Others> && ...);
    static_assert(views, "sumfac::vector_ops: vectors must be sumfac::view of the operations' scalar type");
    static_assert(writable || !views, "sumfac::vector_ops: the result is a view of const: nothing can be written");
    static_assert(contiguous || !views,
                  "sumfac::vector_ops: vectors must be contiguous: views of rank 1 and layout_right");
    return views && writable && contiguous;
  }

  template <class VectorX, class VectorY>
  void combine(char const* where, Scalar a, VectorX const& x, Scalar b, VectorY const& y) const
  {
    if constexpr (fit<VectorY, VectorX>()) run<0>(where, detail::axpby_body<Scalar>{a, b, x.data(), y.data()}, y, x);
  }

  template <int Sums, class Body, class VectorX, class... Others>
  Scalar run(char const* where, Body const& body, VectorX const& x, Others const&... others) const
  {
    check_length(where, x.extent(0), x);
    (check_length(where, x.extent(0), others), ...);
    detail::sole_use const sole(Sums == 0 ? nullptr : &owner_, where);
    runner_.run(x.extent(0), body, result_.data());
    if constexpr (Sums == 0)
      return 0;
    else
      return static_cast<Scalar>(detail::download_one(runner_.backend(), result_.data()));
  }

  // The norm of a vector whose squares are too large or small, or which is 0: it is taken over a power of two.
  template <class VectorX>
  Scalar norm_over_scale(VectorX const& x) const
  {
    constexpr double most = sizeof(Scalar) == sizeof(double) ? 0x1p1000 : 0x1p120;
    auto const sum = static_cast<double>(run<1>("vector_ops::norm", detail::magnitude_body<Scalar>{x.data()}, x));
    double const power = sum < most ? detail::power_of_two_below(sum) : most;
    double const scale = power > 1 / most ? power : 1 / most;
    auto const inverse = static_cast<Scalar>(1 / scale);
    auto const squares =
        static_cast<double>(run<1>("vector_ops::norm", detail::scaled_square_body<Scalar>{inverse, x.data()}, x));
    return static_cast<Scalar>(__builtin_sqrt(squares) * scale);
  }

  static index_t not_negative(index_t size)
  {
    if (size < 0)
      failf("vector_ops",
            "largest_size is negative (got %lld, at least 0 expected): pass the length of the longest "
            "vector",
            static_cast<long long>(size));
    return size;
  }

  template <class VectorX>
  void check_length(char const* where, index_t size, VectorX const& x) const
  {
    check_equal(where, "length of a vector", size, x.extent(0));
    check_data(where, "a vector", x.data(), size);
    if (size > largest_)
      failf(where, "a vector is too long (%lld entries, at most %lld expected): say so when vector_ops is made",
            static_cast<long long>(size), static_cast<long long>(largest_));
  }

  index_t largest_;
  detail::pass_runner<Backend> runner_;
  mutable detail::memory_of<double, Backend> result_;
  detail::work_owner owner_;  // of the sums
};

template <class Backend>
vector_ops(Backend const&, index_t, reduction const& = {}) -> vector_ops<double, Backend>;

}  // namespace sumfac
