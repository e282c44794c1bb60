// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Vectors that a matrix takes to 0, as constants where nothing is constrained: for solvers to leave out.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/backend/detail/sole_use.hpp>
#include <sumfac/dofs/vectors/vector_checks.hpp>
#include <sumfac/solver/detail/any_null_space.hpp>
#include <sumfac/solver/detail/matrix.hpp>
#include <sumfac/solver/detail/null_vectors.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/view/vector_argument.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET {

namespace detail {
template <class Number, int Sums>
struct parts_body;
template <class Number>
struct without_parts_body;
}  // namespace detail

// The null space of a symmetric matrix: cg(A, b, x, P, {.null_space = constants}) after null_space const constants{A}
// solves A x = b where A x is 0 for constants, as of a Neumann or a periodic problem. b is taken without its part in
// the space, so that the residual is the least there is where no x solves A x = b, and x ends without such a part.
//
// null_space{A} has the constants of each component that nothing fixes: 1 at its nodes, 0 at those of constrained rows
// and of no element. null_space{A, vectors} has a user's, as the rotations of an elastic body, made orthonormal. A must
// take them to 0: |A v| is at most 1000 roundings of |A y| for random numbers y of the same size. It refers to nothing
// but the halo of a distributed matrix, whose processes call the same members in the same order. One call at a time
// may use it, a second one is refused.
// **Shapes** vectors: a contiguous view (count, A.size()) in the backend's memory, of A's scalar type.
// **Work** (set-up) two applications and one a vector; (memory) a vector each; project(x): two passes for each seven.
// **Errors** argument_error: a vector that A does not take to 0, that is 0, not finite or made of others; no component
// of which constants are taken to 0; while another thread, or a call around this one, uses it.
template <class Scalar, class Backend>
class null_space {
public:
  using scalar_type = Scalar;
  using backend_type = Backend;

  template <class Matrix>
  explicit null_space(Matrix const& a) : null_space(a, found(a), true)
  {
  }
  template <class Matrix, class Vectors>
  null_space(Matrix const& a, Vectors const& vectors) : null_space(a, examined(a, vectors), false)
  {
  }

  index_t size() const { return size_; }                 // entries of a vector
  int count() const { return count_; }                   // vectors
  bool has_constants() const { return has_constants_; }  // whether it was made without vectors
  Backend const& backend() const { return passes_.backend(); }

  // Vector i of an orthonormal basis, in the backend's memory.
  view<Scalar const, dextents<1>> operator[](int i) const
  {
    return view<Scalar const, dextents<1>>(vectors_.data() + i * size_, size_);
  }

  // x = x without its part in the space. On a device it is queued.
  void project(vector_argument<Scalar> x) const
  {
    check_equal("null_space::project", "length of x", size_, x.entries.extent(0));
    check_data("null_space::project", "x", x.entries.data(), size_);
    project_entries(x.entries.data());
  }

private:
  friend class detail::any_null_space;

  struct basis {
    detail::own_vector<Scalar> vectors = {};
    int count = 0;
  };

  template <class Matrix>
  null_space(Matrix const& a, basis const& found, bool constants)
      : size_(a.size()),
        count_(found.count),
        has_constants_(constants),
        passes_(a.backend(), a.size(), detail::reduction_of(a)),
        vectors_(detail::upload<Scalar>(a.backend(), found.vectors)),
        parts_(detail::make_memory<double>(a.backend(), detail::most_sums))
  {
  }

  template <class Matrix>
  static basis found(Matrix const& a)
  {
    constexpr bool matrix = detail::is_matrix<Matrix, Scalar>;
    static_assert(matrix,
                  "sumfac::null_space: A must have apply(x, y) const for views of rank 1 of its scalar type, "
                  "size() and backend(): sumfac::global_operator{A, R} has");
    basis made;
    if constexpr (matrix) made.count = detail::null_vectors<Scalar, Matrix>(a).constants(made.vectors);
    return made;
  }

  template <class Matrix, class Vectors>
  static basis examined(Matrix const& a, Vectors const& vectors)
  {
    constexpr bool fits = detail::is_matrix<Matrix, Scalar> && detail::is_view_of<Vectors, Scalar> && requires {
      requires Vectors::rank() == 2;
    } && std::is_same_v<typename Vectors::layout_type, layout_right>;
    static_assert(fits,
                  "sumfac::null_space: the matrix comes first, then a contiguous sumfac::view (vectors, entries) "
                  "of its scalar type: of rank 2 and layout_right");
    basis made;
    if constexpr (fits) {
      detail::check_extent("null_space", "vectors", 1, "entries", a.size(), vectors.extent(1));
      check_data("null_space", "vectors", vectors.data(), vectors.extent(0) * a.size());
      made.count = static_cast<int>(vectors.extent(0));
      made.vectors = detail::download<Scalar>(a.backend(), vectors.data(), vectors.extent(0) * a.size());
      detail::null_vectors<Scalar, Matrix>(a).examine(made.vectors, made.count);
    }
    return made;
  }

  // Seven products of vectors and x in a pass at most, and x without these parts in another.
  void project_entries(Scalar* x) const
  {
    detail::sole_use const sole(owner_, "null_space");
    for (int first = 0; first < count_; first += detail::most_sums) {
      int const left = count_ - first, some = left < detail::most_sums ? left : detail::most_sums;
      Scalar const* const vectors = vectors_.data() + first * size_;
      if (some == 1)
        passes_.run(size_, detail::parts_body<Scalar, 1>{vectors, size_, some, x}, parts_.data());
      else
        passes_.run(size_, detail::parts_body<Scalar, detail::most_sums>{vectors, size_, some, x}, parts_.data());
      passes_.run(size_, detail::without_parts_body<Scalar>{vectors, size_, some, parts_.data(), x});
    }
  }

  index_t size_;
  int count_;
  bool has_constants_;
  detail::pass_runner<Backend> passes_;
  detail::memory_of<Scalar, Backend> vectors_;        // (count, size)
  mutable detail::memory_of<double, Backend> parts_;  // of the last pass
  detail::work_owner owner_;
};

template <class Matrix>
null_space(Matrix const&) -> null_space<detail::scalar_of_matrix<Matrix>, detail::backend_of_matrix<Matrix>>;
template <class Matrix, class Vectors>
null_space(Matrix const&, Vectors const&)
    -> null_space<detail::scalar_of_matrix<Matrix>, detail::backend_of_matrix<Matrix>>;

namespace detail {

// Sum k is the product of vector k and x.
template <class Number, int Sums>
struct parts_body {
  using scalar = Number;
  static constexpr int sums = Sums;
  Number const* vectors;
  index_t size;
  int count;
  Number const* x;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&sum)[most_sums]) const
  {
    T const entry = load<T>(x + i);
    for (int k = 0; k < Sums; ++k)
      if (k < count) sum[k] = fma(load<T>(vectors + k * size + i), entry, sum[k]);
  }
};

template <class Number>
struct without_parts_body {
  using scalar = Number;
  static constexpr int sums = 0;
  Number const* vectors;
  index_t size;
  int count;
  double const* parts;
  Number* x;
  template <class T>
  SUMFAC_INLINE void operator()(index_t i, T (&)[most_sums]) const
  {
    T entry = load<T>(x + i);
    for (int k = 0; k < count; ++k) entry = fma(static_cast<Number>(-parts[k]), load<T>(vectors + k * size + i), entry);
    store(entry, x + i);
  }
};

}  // namespace detail

}  // namespace sumfac
