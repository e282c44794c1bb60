// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Threads that share vectors out as processes do: all solvers come to the end that the whole comes to.
#pragma once

#include <solver/any_matrix.hpp>
#include <solver/table/matrices.hpp>

#include <barrier>
#include <thread>

namespace checks {

// Threads that have parts of the vectors, as processes have: A joins them, and their sums are added up.
class sharing {
public:
  explicit sharing(std::vector<std::size_t> const& ends) : ends_(ends), all_(static_cast<std::ptrdiff_t>(ends.size()))
  {
    whole_.resize(ends.back());
    sums_.resize(ends.size());
  }

  std::size_t first(std::size_t rank) const { return rank == 0 ? 0 : ends_[rank - 1]; }
  numbers part(numbers const& x, std::size_t rank) const
  {
    auto const at = [&](std::size_t i) { return x.begin() + static_cast<std::ptrdiff_t>(i); };
    return {at(first(rank)), at(ends_[rank])};
  }

  // Of all, on each: what it came to.
  std::vector<outcome> solve(solvers const& s, linear_map const& a, numbers const& b, request const& what)
  {
    std::vector<outcome> found(ends_.size());
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < ends_.size(); ++rank)
      threads.emplace_back([&, rank] {
        place const here{this, rank};
        linear_map const mine = [&](numbers const& x, numbers& y) {
          std::copy(x.begin(), x.end(), whole_.begin() + static_cast<std::ptrdiff_t>(first(rank)));
          all_.arrive_and_wait();
          numbers const all = whole_;
          all_.arrive_and_wait();
          y = part(applied(a, all), rank);
        };
        request own = what;
        if (what.jacobi) own.jacobi = part(*what.jacobi, rank);
        numbers const right = part(b, rank);
        found[rank] = s.solve(mine, right, numbers(right.size()), own, {&add_up, &here});
      });
    for (auto& thread : threads) thread.join();
    return found;
  }

private:
  struct place {
    sharing* of;
    std::size_t rank;
  };
  static void add_up(void const* context, double* sums, int count)
  {
    auto const& here = *static_cast<place const*>(context);
    auto& of = *here.of;
    of.sums_[here.rank].assign(sums, sums + count);
    of.all_.arrive_and_wait();
    for (int k = 0; k < count; ++k) {
      sums[k] = 0;
      for (auto const& part : of.sums_) sums[k] += part[static_cast<std::size_t>(k)];
    }
    of.all_.arrive_and_wait();
  }

  std::vector<std::size_t> ends_;
  numbers whole_;
  std::vector<numbers> sums_;
  std::barrier<> all_;
};

// All parts come to the same end as the whole, after as many iterations, one part without entries among them.
inline void check_parts(solvers const& s)
{
  std::size_t const n = 20;
  struct row {
    char const* name;
    linear_map a;
    numbers b;
    request what;
    bool exact = true;  // its status is not a matter of rounding
  };
  auto singular = from_to(1, 4, n), broken = random_numbers(n, 20);
  singular[n - 1] = 0, broken[n - 2] = no_number;
  auto const b = random_numbers(n, 19);
  auto const good = with_eigenvalues(from_to(1, 4, n));
  double const tolerance = 1000 * s.epsilon();
  std::vector<row> const rows{
      {"converges", good, b, {.tolerance = tolerance}},
      {"by factors", good, b, {.tolerance = tolerance, .jacobi = from_to(1, 2, n)}},
      {"absolute", good, b, {.tolerance = 0, .absolute = 0.1}},
      {"stops", good, b, {.iterations = 5, .tolerance = tolerance}},
      {"indefinite", with_eigenvalues(from_to(-1, 4, n)), b, {.iterations = 30, .tolerance = tolerance}},
      {"singular", diagonal(singular), b, {.iterations = 30, .tolerance = tolerance}, false},
      {"no number in one part", good, broken, {}},
      {"too much", good, b, {.iterations = 100, .tolerance = 1e-3 * s.epsilon()}, false},
      {"constants", free_line(), b, {.iterations = 200, .tolerance = tolerance, .without_constants = true}},
      {"constants, untold", free_line(), b, {.iterations = 200, .tolerance = tolerance}, false},
  };
  for (auto const& [name, a, right, what, exact] : rows)
    for (method const by : methods)
      for (auto const& ends : {std::vector<std::size_t>{13, 20}, {0, 11, 20}}) {
        CAPTURE(name, name_of(by), ends.size());
        request own = what;
        own.by = by;
        auto const whole = s.solve(a, right, own);
        auto const parts = sharing(ends).solve(s, a, right, own);
        INFO(whole.result.report() << "; " << parts[0].result.report());
        sharing const cut(ends);
        for (std::size_t rank = 0; rank < ends.size(); ++rank) {
          if (exact) CHECK(parts[rank].result.status == whole.result.status);
          CHECK(parts[rank].result.status == parts[0].result.status);
          CHECK(static_cast<bool>(parts[rank].result) == static_cast<bool>(whole.result));
          CHECK(parts[rank].result.free_constants == whole.result.free_constants);
          CHECK(parts[rank].result.iterations == parts[0].result.iterations);
          CHECK(parts[rank].heard.residuals.size() == parts[0].heard.residuals.size());
          CHECK((parts[rank].result.residual == parts[0].result.residual || right[n - 2] != right[n - 2]));
          if (!whole.result) continue;
          CHECK(std::abs(parts[rank].result.iterations - whole.result.iterations) <= 1 + whole.result.iterations / 9);
          CHECK(norm(minus(parts[rank].x, cut.part(whole.x, rank))) <= 100 * tolerance * norm(whole.x));
        }
      }
}

}  // namespace checks
