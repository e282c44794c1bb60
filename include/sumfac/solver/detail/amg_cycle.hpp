// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A cycle over the levels of an algebraic multigrid, behind multigrid's last level, in a device's memory.
#pragma once

#include <sumfac/solver/assemble.hpp>
#include <sumfac/solver/chebyshev.hpp>
#include <sumfac/solver/detail/cycle.hpp>
#include <sumfac/solver/detail/passes.hpp>
#include <sumfac/solver/preconditioner.hpp>

#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace sumfac::SUMFAC_TARGET::detail {

// Rows of a slice, in which entries with the same place in their rows lie side by side, and all rows are as long as the
// longest: threads, a row each, read neighbours.
inline constexpr index_t rows_of_slice = 32;

// What kernels read: those of slice s begin at slices[s].
template <class Number>
struct rows_in_slices {
  index_t const* slices;
  int const* columns;
  Number const* values;

  // f(column, value) for the entries of a row, and zeros behind them.
  template <class Function>
  SUMFAC_INLINE void for_each_of(index_t row, Function const& f) const
  {
    index_t const slice = row / rows_of_slice, end = slices[slice + 1];
    for (index_t i = slices[slice] + row % rows_of_slice; i < end; i += rows_of_slice) f(columns[i], values[i]);
  }
  SUMFAC_INLINE Number product(index_t row, Number const* x) const
  {
    Number sum = 0;
    for_each_of(row, [&](int column, Number value) { sum += value * x[column]; });
    return sum;
  }
};

// y = A x, or y + A x, and then a body for each entry, which must not change x.
template <class Number, class Body = no_step>
struct product_then {
  rows_in_slices<Number> rows;
  Number const* x;
  Number* y;
  bool adds = false;
  Body then = {};
  SUMFAC_INLINE void operator()(index_t row) const
  {
    Number const sum = rows.product(row, x);
    y[row] = adds ? y[row] + sum : sum;
    then(row);
  }
};

// d = the diagonal.
template <class Number>
struct diagonal_of_rows {
  rows_in_slices<Number> rows;
  Number* d;
  SUMFAC_INLINE void operator()(index_t row) const
  {
    Number sum = 0;
    rows.for_each_of(row, [&](int column, Number value) { sum += column == row ? value : Number(0); });
    d[row] = sum;
  }
};

// Column by column of a symmetric matrix, so that threads read neighbours.
template <class Number>
struct dense_product {
  index_t size;
  Number const *values, *x;
  Number* y;
  SUMFAC_INLINE void operator()(index_t row) const
  {
    Number sum = 0;
    for (index_t column = 0; column < size; ++column) sum += values[column * size + row] * x[column];
    y[row] = sum;
  }
};

// A matrix to solvers, as csr_matrix is one on the host. In the numbers and the memory of a backend.
template <class Scalar, class Backend>
class sparse_rows {
public:
  using scalar_type = Scalar;
  using arithmetic_type = Scalar;
  using backend_type = Backend;

  sparse_rows(Backend const& backend, csr_matrix<double> const& a)
      : backend_(backend), size_(a.size()), width_(a.width())
  {
    if (width_ > std::numeric_limits<int>::max SUMFAC_NO_MACRO())
      failf("coarse_amg", "the matrix has too many columns (%lld, at most %d expected)", static_cast<long long>(width_),
            std::numeric_limits<int>::max SUMFAC_NO_MACRO());
    own_vector<index_t> slices{0};
    own_vector<int> columns;
    own_vector<Scalar> values;
    for (index_t begin = 0; begin < size_; begin += rows_of_slice) {
      index_t const end = begin + rows_of_slice < size_ ? begin + rows_of_slice : size_;
      index_t longest = 0;
      for (index_t row = begin; row < end; ++row) {
        auto const k = static_cast<std::size_t>(row);
        index_t const length = a.first()[k + 1] - a.first()[k];
        if (length > longest) longest = length;
      }
      std::size_t const at = columns.size();
      columns.resize(at + static_cast<std::size_t>(longest * rows_of_slice));
      values.resize(columns.size());
      for (index_t row = begin; row < end; ++row) {
        std::size_t i = at + static_cast<std::size_t>(row - begin);
        a.for_each_of(row, [&](index_t column, double value) {
          columns[i] = static_cast<int>(column), values[i] = static_cast<Scalar>(value);
          i += static_cast<std::size_t>(rows_of_slice);
        });
      }
      slices.push_back(static_cast<index_t>(columns.size()));
    }
    slices_ = upload<index_t>(backend, slices);
    columns_ = upload<int>(backend, columns);
    values_ = upload<Scalar>(backend, values);
  }

  index_t size() const { return size_; }
  index_t width() const { return width_; }
  Backend const& backend() const { return backend_; }

  void apply(view<Scalar const, dextents<1>> const& x, view<Scalar, dextents<1>> const& y) const
  {
    loop(backend_, size_, product_then<Scalar>{rows(), x.data(), y.data()});
  }
  void diagonal(view<Scalar, dextents<1>> const& d) const
  {
    loop(backend_, size_, diagonal_of_rows<Scalar>{rows(), d.data()});
  }
  rows_in_slices<Scalar> rows() const { return {slices_.data(), columns_.data(), values_.data()}; }

private:
  Backend backend_;
  index_t size_, width_;
  memory_of<index_t, Backend> slices_;
  memory_of<int, Backend> columns_;
  memory_of<Scalar, Backend> values_;
};

// The transpose of a matrix.
inline csr_matrix<double> transpose_of(csr_matrix<double> const& a)
{
  auto const rows = static_cast<std::size_t>(a.width());
  std::vector<index_t> first(rows + 1, 0), columns(a.values().size());
  std::vector<double> values(a.values().size());
  for (index_t const column : a.columns()) ++first[static_cast<std::size_t>(column) + 1];
  for (std::size_t i = 0; i < rows; ++i) first[i + 1] += first[i];
  std::vector<index_t> next(first.begin(), first.end() - 1);
  for (index_t row = 0; row < a.size(); ++row)
    a.for_each_of(row, [&](index_t column, double value) {
      auto const i = static_cast<std::size_t>(next[static_cast<std::size_t>(column)]++);
      columns[i] = row, values[i] = value;
    });
  return {std::move(first), std::move(columns), std::move(values), a.backend(), a.size()};
}

// z = A^-1 r, of a small symmetric positive definite matrix. Rows of zeros count as the identity's.
template <class Scalar, class Backend>
class dense_inverse {
public:
  dense_inverse(Backend const& backend, csr_matrix<double> const& a) : backend_(backend), size_(a.size())
  {
    own_vector<double> entries(static_cast<std::size_t>(size_ * size_), 0);
    auto const at = [&](index_t row) { return entries.data() + row * size_; };
    for (index_t row = 0; row < size_; ++row) {
      a.for_each_of(row, [&](index_t column, double value) { at(row)[column] = value; });
      bool any = false;
      for (index_t column = 0; column < size_; ++column) any = any || at(row)[column] != 0;
      if (!any) at(row)[row] = 1;
    }
    // Gauss and Jordan, in place; pivots need no search.
    for (index_t k = 0; k < size_; ++k) {
      double const pivot = at(k)[k];
      if (!(pivot > 0) || pivot - pivot != 0)
        failf("coarse_amg",
              "the last level of the algebraic multigrid is not positive definite (pivot %g in row %lld of %lld)",
              pivot, static_cast<long long>(k), static_cast<long long>(size_));
      at(k)[k] = 1;
      for (index_t j = 0; j < size_; ++j) at(k)[j] /= pivot;
      for (index_t i = 0; i < size_; ++i) {
        double const factor = at(i)[k];
        if (i == k || factor == 0) continue;
        at(i)[k] = 0;
        for (index_t j = 0; j < size_; ++j) at(i)[j] -= factor * at(k)[j];
      }
    }
    own_vector<Scalar> symmetric(entries.size());
    for (index_t i = 0; i < size_; ++i)
      for (index_t j = 0; j < size_; ++j)
        symmetric[static_cast<std::size_t>(i * size_ + j)] = static_cast<Scalar>((at(i)[j] + at(j)[i]) / 2);
    values_ = upload<Scalar>(backend, symmetric);
  }

  void apply(Scalar const* r, Scalar* z) const
  {
    loop(backend_, size_, dense_product<Scalar>{size_, values_.data(), r, z});
  }
  index_t size() const { return size_; }

private:
  Backend backend_;
  index_t size_;
  memory_of<Scalar, Backend> values_;
};

// What a cycle asks of a level, of a sparse matrix.
template <class Scalar, class Backend>
class sparse_level {
public:
  using scalar_type = Scalar;
  using backend_type = Backend;
  using matrix_type = sparse_rows<Scalar, Backend>;

  sparse_level(Backend const& backend, csr_matrix<double> const& a) : matrix_(backend, a) {}

  matrix_type const& matrix() const { return matrix_; }
  Backend const& backend() const { return matrix_.backend(); }
  index_t size() const { return matrix_.size(); }
  jacobi<Scalar, Backend> make_jacobi() const { return jacobi<Scalar, Backend>(matrix_); }

private:
  matrix_type matrix_;
};

// What a cycle asks of a transfer: products with an interpolation and its transpose, in a launch each.
template <class Scalar, class Backend>
class sparse_transfer {
public:
  sparse_transfer(Backend const& backend, csr_matrix<double> const& interpolation)
      : up_(backend, interpolation), down_(backend, transpose_of(interpolation))
  {
  }

  index_t fine_entries() const { return up_.size(); }
  index_t coarse_entries() const { return down_.size(); }
  Scalar const* weights() const { return nullptr; }
  void restrict_weighted(Scalar const* r, Scalar* b) const
  {
    loop(down_.backend(), down_.size(), product_then<Scalar>{down_.rows(), r, b});
  }
  template <class Body>
  void restrict_weighted(Scalar const* r, Scalar* b, Body const& first) const
  {
    using then = without_sums<Body>;
    loop(down_.backend(), down_.size(), product_then<Scalar, then>{down_.rows(), r, b, false, then{first}});
  }
  void add_prolonged(Scalar const* x, Scalar*, Scalar* y) const
  {
    loop(up_.backend(), up_.size(), product_then<Scalar>{up_.rows(), x, y, true});
  }

private:
  sparse_rows<Scalar, Backend> up_, down_;
};

template <class Scalar, class Backend>
struct makes_sparse_transfer {
  auto make() const { return sparse_transfer<Scalar, Backend>(backend, *interpolation); }

  Backend backend;
  csr_matrix<double> const* interpolation;
};

// x = P b, by a V-cycle: on the first level with its own matrix, on coarser ones with sparse ones; the first of few
// rows has its inverse. Chebyshev's polynomial is symmetric, and so is P.
template <class Level>
class amg_cycle {
  using scalar = typename Level::scalar_type;
  using backend = typename Level::backend_type;
  using coarse_level = sparse_level<scalar, backend>;
  using transfer = makes_sparse_transfer<scalar, backend>;
  using inverse = dense_inverse<scalar, backend>;
  using polynomial = chebyshev_smoother<sparse_rows<scalar, backend>, jacobi<scalar, backend>>;
  using first_step = cycle_step<Level, coarse_level, chebyshev, transfer>;
  using next_step = cycle_step<coarse_level, coarse_level, chebyshev, transfer>;

public:
  // Whether there is something to do it by.
  static bool works(index_t unknowns, index_t inverted, std::vector<amg_level> const& coarser)
  {
    return unknowns <= inverted || !coarser.empty();
  }
  // A level of at most `inverted` rows has its inverse.
  amg_cycle(Level const& level, csr_matrix<double> const& matrix, std::vector<amg_level> const& coarser,
            chebyshev const& smoother, index_t inverted)
  {
    csr_matrix<double> const* last = &matrix;
    constexpr auto here = "coarse_amg";
    for (auto const& next : coarser) {
      check_equal(here, "number of rows of a level's interpolation", last->size(), next.interpolation.size());
      check_equal(here, "number of columns of a level's interpolation", next.matrix.size(), next.interpolation.width());
      check_equal(here, "number of columns of a level's matrix", next.matrix.size(), next.matrix.width());
      if (last->size() <= inverted) break;
      transfer const to_next{level.backend(), &next.interpolation};
      levels_.push_back(own_pointer<coarse_level>(new coarse_level(level.backend(), next.matrix)));
      coarse_level const& made = *levels_.back();
      if (first_.empty())
        first_ = own_pointer<first_step>(new first_step(level, made, smoother, transfer(to_next)));
      else
        steps_.push_back(
            own_pointer<next_step>(new next_step(*levels_[levels_.size() - 2], made, smoother, transfer(to_next))));
      last = &next.matrix;
    }
    last_rows_ = last->size();
    if (last_rows_ <= inverted) {
      inverse_ = own_pointer<inverse>(new inverse(level.backend(), *last));
    } else {
      coarse_level const& made = *levels_.back();
      constexpr bool is_asked_again = false;
      polynomial_ =
          own_pointer<polynomial>(new polynomial(made.matrix(), made.make_jacobi(), {.steps = 2}, is_asked_again));
      polynomial_->reach(0.1);
    }
  }

  void operator()(scalar const* b, scalar* x) const
  {
    if (first_.empty())
      solve_last(b, x);
    else
      first_->start(b, x, 0, below{*this, 0});
  }

  // What it is, for explain().
  formatted text() const
  {
    return formatted("on the device: %lld levels, the last of %lld rows %s", static_cast<long long>(levels_.size()) + 1,
                     static_cast<long long>(last_rows_),
                     polynomial_.empty() ? "by its inverse" : "by Chebyshev's polynomial");
  }

private:
  // Levels from one on.
  struct below {
    amg_cycle const& all;
    std::size_t at;

    bool is_last() const { return at == all.steps_.size(); }
    static bool repeats() { return false; }
    void start(scalar const* b, scalar* x) const
    {
      if (is_last()) return all.solve_last(b, x);
      all.steps_[at]->start(b, x, 0, below{all, at + 1});
    }
    template <class Make>
    void start_behind(Make const& make, scalar const* b, scalar* x) const
    {
      if (!is_last()) return all.steps_[at]->start_behind(make, b, x, 0, below{all, at + 1});
      make();
      all.solve_last(b, x);
    }
    void improve(scalar const* b, scalar* x, int) const { start(b, x); }
  };

  void solve_last(scalar const* b, scalar* x) const
  {
    if (polynomial_.empty())
      inverse_->apply(b, x);
    else
      polynomial_->start(b, x);
  }

  std::vector<own_pointer<coarse_level>> levels_;  // coarser than the first
  own_pointer<first_step> first_;
  std::vector<own_pointer<next_step>> steps_;
  index_t last_rows_ = 0;
  own_pointer<inverse> inverse_;
  own_pointer<polynomial> polynomial_;
};

}  // namespace sumfac::detail
