// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What solves on multigrid's last level: BP5 on a smooth mesh to 1e-8, seconds of a solve, of its coarse solves and of
// set-up, iterations; in turns with these, over the coarser meshes that are found in it, and what finding takes; Eigen,
// hypre and PETSc where SUMFAC_BENCH_EIGEN, _HYPRE, _PETSC are defined.
//
// usage: coarse [DOFS]
#include "../report/timing.hpp"
#include "../subjects/global_mesh.hpp"

#include <sumfac/sumfac.hpp>
#if defined(SUMFAC_BENCH_EIGEN)
#include <sumfac/interop/eigen.hpp>
#endif
#if defined(SUMFAC_BENCH_HYPRE)
#include <sumfac/interop/hypre.hpp>
#endif
#if defined(SUMFAC_BENCH_PETSC)
#include <sumfac/interop/petsc_gamg.hpp>
#endif

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace sumfac;

// A coarse solver that counts its seconds.
template <class Solver>
struct timed {
  Solver const* solver;
  double* spent;

  template <class From, class To>
  void operator()(From const& r, To const& z) const
  {
    double const begin = sumfac::bench::processor_seconds();
    solver->apply(r, z);
    *spent += sumfac::bench::processor_seconds() - begin;
  }
};

// Conjugate gradients to a tolerance, on the operator of the last level.
template <class Level>
class own_cg {
public:
  own_cg(Level const& level, double tolerance)
      : level_(level), options_{.tolerance = tolerance}, jacobi_(level.make_jacobi())
  {
  }
  template <class From, class To>
  void apply(From const& r, To const& z) const
  {
    for (index_t i = 0; i < z.size(); ++i) z(i) = 0;
    merged_cg(level_.matrix(), r, z, jacobi_, options_);
  }

private:
  Level const& level_;
  cg_options options_;
  jacobi<typename Level::scalar_type, host> jacobi_;
};

template <int... Orders>
class comparison {
  static constexpr int order = detail::first_of<Orders...>;
  using vector = view<double, dextents<1>>;
  using const_vector = view<double const, dextents<1>>;

public:
  explicit comparison(double dofs)
      : mesh_(static_cast<int>(std::lround(std::log2(dofs / (order * order * order))))),
        numbers_(mesh_.number_nodes(order))
  {
    numbers_.renumber(node_order(numbers_.table(), numbers_.nodes, numbers_.marks()));
  }

  // `Found` are the degrees of levels over the coarser meshes.
  template <int... Found>
  void run(std::integer_sequence<int, Found...>)
  {
    host const backend{1};
    bp5<order> const a(backend, mesh_.vertices());
    restriction<> const r(backend, numbers_.table(), numbers_.nodes, numbers_.marks());
    global_operator const l{a, r};
    auto const size = static_cast<std::size_t>(r.size());
    std::vector<double> b(size, 1), x(size);
    for (std::size_t i = 0; i < size; ++i) b[i] = numbers_.on_boundary[i] != 0 ? 0 : 1;
    auto const levels = [&] { return p_levels<float, Orders...>(a, mesh_.vertices(), r); };
    auto const coarse_levels = levels();
    auto const& level = coarse_levels.coarsest();
    std::printf("BP5, N = %d, %lld unknowns, %lld on the last level\n", order, static_cast<long long>(r.size()),
                static_cast<long long>(level.size()));
    double begin = sumfac::bench::processor_seconds();
    auto const matrix = assemble(level.element_operator(), level.restriction());
    std::printf("  assembled in %.1f ms, %lld entries\n", 1e3 * (sumfac::bench::processor_seconds() - begin),
                static_cast<long long>(matrix.values().size()));

    auto const solve = [&](std::string const& name, double made, auto const& solver) {
      double spent = 0, least = 1e300, of_it = 0;
      multigrid const mg{
          levels(), {.smoother = chebyshev{3}}, timed<std::remove_cvref_t<decltype(solver)>>{&solver, &spent}};
      index_t iterations = 0;
      for (int round = 0; round < 5; ++round) {
        std::fill(x.begin(), x.end(), 0.0);
        spent = 0;
        double const start = sumfac::bench::processor_seconds();
        auto const result = cg(l, const_vector(b.data(), r.size()), vector(x.data(), r.size()), mg);
        double const all = sumfac::bench::processor_seconds() - start;
        if (all < least) least = all, of_it = spent;
        iterations = result.iterations;
      }
      std::printf("  %-18s set up %7.1f ms, solve %7.1f ms, of it on the last level %7.1f, %lld iterations\n",
                  name.c_str(), 1e3 * made, 1e3 * least, 1e3 * of_it, static_cast<long long>(iterations));
      std::fflush(stdout);
    };
    auto const make = [&](std::string const& name, auto const& f) {
      double const start = sumfac::bench::processor_seconds();
      auto const& solver = f();
      solve(name, sumfac::bench::processor_seconds() - start, solver);
    };
    for (double const tolerance : {1e-2, 3e-2, 1e-1, 3e-1})
      make("cg " + std::to_string(tolerance).substr(0, 4),
           [&] { return own_cg<std::remove_cvref_t<decltype(level)>>(level, tolerance); });
    over_found_meshes<Found...>(backend, l, b);
#if defined(SUMFAC_BENCH_HYPRE)
    make("boomer_amg", [&] { return boomer_amg(matrix); });
    make("boomer_amg 0.5", [&] { return boomer_amg(matrix, {.strong_threshold = 0.5}); });
#endif
#if defined(SUMFAC_BENCH_PETSC)
    make("petsc::gamg", [&] { return petsc::gamg(matrix); });
#endif
#if defined(SUMFAC_BENCH_EIGEN)
    if (matrix.size() < 40000) make("eigen_ldlt", [&] { return eigen_ldlt(matrix); });
#endif
  }

private:
  // The same elements as a mesh that knows no coarser ones, until they are found; solves in turns.
  template <int... Found, class Matrix>
  void over_found_meshes(host const& backend, Matrix const& l, std::vector<double> const& b)
  {
    double begin = 0;
    auto const since_begin = [&] { return 1e3 * (sumfac::bench::processor_seconds() - begin); };
    auto const timed_once = [&](auto const& f) {
      begin = sumfac::bench::processor_seconds();
      return f();
    };
    auto const plain = timed_once([&] { return sumfac::mesh<3>::copy_of(mesh_.vertices()); });
    double const of_mesh = since_begin();
    auto const found = timed_once([&] { return nesting{plain}; });
    double const of_nesting = since_begin();
    auto const V = timed_once([&] { return function_space<3>{found.mesh(), order, found.mesh().boundary()}; });
    double const of_space = since_begin();
    auto const r = V.restriction(backend);
    bp5<order> const a(backend, found.mesh());
    global_operator const own{a, r};
    std::vector<double> own_b(b.size(), 1), x(b.size());
    V.zero_fixed(own_b);
    multigrid const by_cg{p_levels<float, Orders...>(l, mesh_.vertices()), {.smoother = chebyshev{3}}};
    auto const over = [&]<int... Degrees>(std::integer_sequence<int, Degrees...>) {
      return timed_once([&] {
        return multigrid{p_levels<float, Degrees...>(a, found.mesh(), r), {.smoother = chebyshev{3}}};
      });
    };
    auto const over_these = over(std::integer_sequence<int, Orders...>());
    double const set_up = since_begin();
    auto const over_fewer = over(std::integer_sequence<int, Found...>());
    std::printf(
        "  ms of a mesh %.1f, of finding coarser ones %.1f, of a function space %.1f, of levels on them %.1f; %s\n",
        of_mesh, of_nesting, of_space, set_up, found.report().c_str());
    index_t iterations[3] = {};
    std::vector<double> ratios[2];
    for (int round = 0; round < 9; ++round) {
      auto const solve = [&](auto const& matrix, auto const& right, auto const& by, index_t& steps) {
        std::fill(x.begin(), x.end(), 0.0);
        steps = timed_once([&] { return cg(matrix, right, x, by); }).iterations;
        return since_begin();
      };
      double const of_cg = solve(l, b, by_cg, iterations[0]);
      ratios[0].push_back(solve(own, own_b, over_these, iterations[1]) / of_cg);
      ratios[1].push_back(solve(own, own_b, over_fewer, iterations[2]) / of_cg);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      std::sort(ratios[i].begin(), ratios[i].end());
      std::printf(
          "  over meshes found, down to degree %d: %.2f times coarse_cg's time (%.2f to %.2f), %lld iterations "
          "beside %lld\n",
          i == 0 ? 1 : 2, ratios[i][4], ratios[i].front(), ratios[i].back(), static_cast<long long>(iterations[i + 1]),
          static_cast<long long>(iterations[0]));
    }
    std::fflush(stdout);
  }

  bench::global_mesh mesh_;
  bench::global_mesh::numbering numbers_;
};

}  // namespace

int main(int argc, char** argv)
{
#if defined(SUMFAC_BENCH_HYPRE)
  MPI_Init(&argc, &argv);
#endif
#if defined(SUMFAC_BENCH_PETSC)
  PetscInitialize(&argc, &argv, nullptr, nullptr);
#endif
  double const dofs = argc > 1 ? std::atof(argv[1]) : 270e3;
  comparison<2, 1>(dofs).run(std::integer_sequence<int, 2>());
  comparison<4, 2, 1>(dofs).run(std::integer_sequence<int, 4, 2>());
}
