// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Every solver behind one run-time door, for matrices that are plain numbers: none of it compiles a kernel.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/dofs/halo.hpp>
#include <sumfac/solver/cg.hpp>
#include <sumfac/solver/chebyshev.hpp>
#include <sumfac/solver/gmres.hpp>
#include <sumfac/solver/merged_cg.hpp>
#include <sumfac/solver/minres.hpp>
#include <sumfac/solver/null_space.hpp>
#include <sumfac/solver/preconditioner.hpp>
#include <sumfac/view/view.hpp>

#include <solver/history.hpp>
#include <support/moved.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

namespace checks {

using sumfac::index_t;
using numbers = std::vector<double>;

// y = A x, or z = P r, of whole vectors.
using linear_map = std::function<void(numbers const& x, numbers& y)>;

inline linear_map diagonal(numbers const& entries)
{
  return [entries](numbers const& x, numbers& y) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = entries[i] * x[i];
  };
}
inline linear_map dense(numbers const& entries)
{
  return [entries](numbers const& x, numbers& y) {
    for (std::size_t r = 0; r < x.size(); ++r) {
      long double sum = 0;
      for (std::size_t c = 0; c < x.size(); ++c)
        sum += static_cast<long double>(entries[r * x.size() + c]) * static_cast<long double>(x[c]);
      y[r] = static_cast<double>(sum);
    }
  };
}

enum class method { cg, flexible_cg, merged_cg, minres, gmres };
constexpr method methods[] = {method::cg, method::flexible_cg, method::merged_cg, method::minres, method::gmres};
inline char const* name_of(method by)
{
  char const* const names[] = {"cg", "cg", "merged_cg", "minres", "gmres"};
  return names[static_cast<int>(by)];
}

// What is asked of a solve; a preconditioner is factors, of a diagonal, or one's own.
struct request {
  method by = method::cg;
  index_t iterations = 1000;
  double tolerance = 1e-8, absolute = 0;
  int restart = 30;
  std::optional<numbers> jacobi = {};
  linear_map own = {};
  bool without_constants = false;  // null_space of the matrix's own
  numbers null_vectors = {};       // or of these, one after the other
  index_t workspace = -1;          // entries, where they shall not be the matrix's
};

// What became of it, and how often A and P were asked.
struct outcome {
  sumfac::solve_result result;
  numbers x;
  history heard;
  int applications = 0, preconditionings = 0;
};

// Solvers of one number type on one backend; x0 is the first guess. `whole`, where there is one, adds up sums.
class solvers {
public:
  virtual ~solvers() = default;
  virtual outcome solve(linear_map const& a, numbers const& b, numbers const& x0, request const& what,
                        sumfac::reduction const& whole = {}) const = 0;
  // The steps of a polynomial, by the preconditioner that is asked for: from x0, or what it makes of b where there is
  // none.
  virtual outcome smooth(linear_map const& a, numbers const& b, std::optional<numbers> const& x0,
                         sumfac::chebyshev const& polynomial, request const& what) const = 0;
  virtual double epsilon() const = 0;
  virtual double huge() const = 0;  // its square is beyond the numbers, and that of its inverse

  outcome solve(linear_map const& a, numbers const& b, request const& what) const
  {
    return solve(a, b, numbers(b.size()), what);
  }
};

// A map as a matrix on a backend, which may be one process' part of it, and as a preconditioner; it counts its calls.
template <class Scalar, class Backend>
class moved_map {
public:
  using scalar_type = Scalar;
  using backend_type = Backend;
  using arithmetic_type = Scalar;
  using factor_type = Scalar;

  moved_map(Backend const& backend, index_t size, linear_map const& map, int& calls,
            sumfac::reduction const& whole = {})
      : backend_(&backend), size_(size), map_(&map), calls_(&calls), whole_(whole)
  {
  }

  template <class X, class Y>
  void apply(X const& x, Y const& y) const
  {
    ++*calls_;
    auto const from = sumfac::detail::download<Scalar>(*backend_, static_cast<Scalar const*>(x.data()), size_);
    numbers const in(from.begin(), from.end());
    numbers out(in.size());
    (*map_)(in, out);
    std::vector<Scalar> const to(out.begin(), out.end());
    if constexpr (sumfac::detail::is_device<Backend>) {
      backend_->copy(to.data(), y.data(), size_);
      backend_->synchronize();
    } else {
      std::copy(to.begin(), to.end(), y.data());
    }
  }
  index_t size() const { return size_; }
  Backend const& backend() const { return *backend_; }
  sumfac::reduction reduction() const { return whole_; }
  moved_map const& element_operator() const { return *this; }  // merged_cg asks for one

private:
  Backend const* backend_;
  index_t size_;
  linear_map const* map_;
  int* calls_;
  sumfac::reduction whole_;
};

template <class Scalar, class Backend>
class solvers_of final : public solvers {
public:
  using solvers::solve;

  explicit solvers_of(Backend const& backend = {}) : backend_(backend) {}

  double epsilon() const override { return static_cast<double>(std::numeric_limits<Scalar>::epsilon()); }
  double huge() const override { return sizeof(Scalar) == sizeof(double) ? 1e170 : 1e22; }

  outcome solve(linear_map const& a, numbers const& b, numbers const& x0, request const& what,
                sumfac::reduction const& whole = {}) const override
  {
    outcome out;
    auto const size = static_cast<index_t>(b.size());
    moved_map<Scalar, Backend> const matrix(backend_, size, a, out.applications, whole);
    std::vector<Scalar> const right(b.begin(), b.end());
    std::vector<Scalar> x(x0.begin(), x0.end());
    space const* left_out = nullptr;
    std::optional<space> own;
    if (what.without_constants) left_out = &own.emplace(matrix);
    if (!what.null_vectors.empty()) {
      auto const given =
          support::uploaded(backend_, std::vector<Scalar>(what.null_vectors.begin(), what.null_vectors.end()));
      left_out = &own.emplace(matrix, sumfac::view<Scalar const, sumfac::dextents<2>>(
                                          given.data(), static_cast<index_t>(what.null_vectors.size()) / size, size));
    }
    out.applications = 0;
    support::on_backend(backend_, right, x, [&](Scalar const* from, Scalar* to) {
      const_vector const in(from, size);
      vector const at(to, static_cast<index_t>(x.size()));
      if (what.own) {
        moved_map<Scalar, Backend> const p(backend_, size, what.own, out.preconditionings);
        out.result = solve_with(matrix, in, at, p, what, left_out, out.heard);
      } else if (what.jacobi) {
        auto const d = support::uploaded(backend_, std::vector<Scalar>(what.jacobi->begin(), what.jacobi->end()));
        sumfac::jacobi<Scalar, Backend> const p(backend_,
                                                const_vector(d.data(), static_cast<index_t>(what.jacobi->size())));
        out.result = solve_with(matrix, in, at, p, what, left_out, out.heard);
      } else {
        out.result = solve_with(matrix, in, at, sumfac::no_preconditioner{}, what, left_out, out.heard);
      }
    });
    out.x.assign(x.begin(), x.end());
    return out;
  }

  outcome smooth(linear_map const& a, numbers const& b, std::optional<numbers> const& x0,
                 sumfac::chebyshev const& polynomial, request const& what) const override
  {
    outcome out;
    auto const size = static_cast<index_t>(b.size());
    moved_map<Scalar, Backend> const matrix(backend_, size, a, out.applications);
    numbers const first = x0.value_or(numbers(b.size(), std::numeric_limits<double>::quiet_NaN()));
    std::vector<Scalar> const right(b.begin(), b.end());
    std::vector<Scalar> x(first.begin(), first.end());
    support::on_backend(backend_, right, x, [&](Scalar const* from, Scalar* to) {
      auto const steps_by = [&](auto p) {
        sumfac::chebyshev_smoother const smoother{matrix, std::move(p), polynomial};
        out.applications = out.preconditionings = 0;
        if (x0)
          smoother.improve(from, to);
        else
          smoother.apply(const_vector(from, size), vector(to, size));
      };
      if (what.own) {
        steps_by(moved_map<Scalar, Backend>(backend_, size, what.own, out.preconditionings));
      } else {
        auto const d = support::uploaded(backend_, std::vector<Scalar>(what.jacobi->begin(), what.jacobi->end()));
        steps_by(sumfac::jacobi<Scalar, Backend>(backend_, const_vector(d.data(), size)));
      }
    });
    out.x.assign(x.begin(), x.end());
    return out;
  }

private:
  using matrix_type = moved_map<Scalar, Backend>;
  using space = sumfac::null_space<Scalar, Backend>;
  using vector = sumfac::view<Scalar, sumfac::dextents<1>>;
  using const_vector = sumfac::view<Scalar const, sumfac::dextents<1>>;

  template <class Preconditioner>
  sumfac::solve_result solve_with(matrix_type const& a, const_vector const& b, vector const& x, Preconditioner const& p,
                                  request const& what, space const* left_out, history& heard) const
  {
    auto const fill = [&](auto options) {
      options.iterations = what.iterations, options.tolerance = what.tolerance, options.absolute = what.absolute;
      if (left_out != nullptr) options.null_space = *left_out;
      return options;
    };
    index_t const entries = what.workspace < 0 ? a.size() : what.workspace;
    std::function<void(index_t, double)> const monitor = heard.monitor();
    if (what.by == method::minres) {
      sumfac::minres_workspace<Scalar, Backend> work(backend_, entries, a.reduction());
      return sumfac::minres(a, b, x, p, fill(sumfac::minres_options{}), monitor, work);
    }
    if (what.by == method::gmres) {
      sumfac::gmres_workspace<Scalar, Backend> work(backend_, entries, what.restart, a.reduction());
      return sumfac::gmres(a, b, x, p, fill(sumfac::gmres_options{}), monitor, work);
    }
    sumfac::cg_options options = fill(sumfac::cg_options{});
    options.check_every = 1, options.flexible = what.by == method::flexible_cg;
    sumfac::cg_workspace<Scalar, Backend> work(backend_, entries, a.reduction());
    if (what.by != method::merged_cg) return sumfac::cg(a, b, x, p, options, monitor, work);
    if constexpr (sumfac::detail::applies_itself<Preconditioner, Scalar>)
      throw std::logic_error("merged_cg has no preconditioners of one's own");
    else
      return sumfac::merged_cg(a, b, x, p, options, monitor, work);
  }

  Backend backend_;
};

}  // namespace checks
