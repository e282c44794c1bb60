// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A preconditioner in other numbers than its caller's: vectors over a power of two, so that they fit the numbers.
#pragma once

#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/vector_ops.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// The power of two below the root of a sum of squares.
SUMFAC_INLINE double scale_of_squares(double const* sum) { return power_of_two_below(__builtin_sqrt(*sum)); }

// to = from / scale, or from * scale.
template <class From, class To>
struct rounded_copy {
  From const* from;
  To* to;
  double const* sum;
  bool divides;
  SUMFAC_INLINE void operator()(index_t i) const
  {
    double const scale = scale_of_squares(sum);
    to[i] = static_cast<To>(static_cast<double>(from[i]) * (divides ? 1 / scale : scale));
  }
};

template <class Scalar, class Backend>
class rounded_vectors {
public:
  rounded_vectors(Backend const& backend, index_t size, reduction const& of_all)
      : backend_(backend), size_(size), passes_(backend, size, of_all)
  {
  }

  // Calls solve(b, x) with what r and z are in Scalar: themselves where they are.
  template <class Outer, class Solve>
  void run(Outer const* r, Outer* z, Solve const& solve) const
  {
    if constexpr (std::is_same_v<Outer, Scalar>) {
      solve(r, z);
    } else {
      if (b_.size() < size_ || sum_.size() == 0) {
        b_ = make_memory<Scalar>(backend_, size_), x_ = make_memory<Scalar>(backend_, size_);
        sum_ = make_memory<double>(backend_, 1);
      }
      passes_.run(size_, dot_body<Outer>{r, r}, sum_.data());
      copy(rounded_copy<Outer, Scalar>{r, b_.data(), sum_.data(), true});
      solve(static_cast<Scalar const*>(b_.data()), x_.data());
      copy(rounded_copy<Scalar, Outer>{x_.data(), z, sum_.data(), false});
    }
  }

private:
  template <class From, class To>
  void copy(rounded_copy<From, To> const& body) const
  {
    if constexpr (runs_on_host<Backend>) {
      double const scale = scale_of_squares(body.sum), factor = body.divides ? 1 / scale : scale;
      backend_.for_work(chunks_of(size_), least_chunks).balance(chunks_of(size_), [&](index_t first, index_t last) {
        index_t const end = last * chunk_size < size_ ? last * chunk_size : size_;
        for (index_t i = first * chunk_size; i < end; ++i)
          body.to[i] = static_cast<To>(static_cast<double>(body.from[i]) * factor);
      });
    } else {
      loop(backend_, size_, body);
    }
  }

  Backend backend_;
  index_t size_;
  pass_runner<Backend> passes_;
  mutable memory_of<Scalar, Backend> b_, x_;
  mutable memory_of<double, Backend> sum_;
};

}  // namespace sumfac::detail
