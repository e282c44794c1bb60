// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// In what order multigrid's levels go down in degree and mesh: BPS3 and BPS5 on a bent cube to 1e-8, levels in float,
// one thread; iterations, and the processor's time of a solve over that of degrees first, in turns.
//
// usage: level_orders [DOFS [ROUNDS]]
#include "../report/timing.hpp"

#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace sumfac;

// Elements of an edge before the cuts, so that as many unknowns come out as are asked for.
int side(double dofs, int degree, int times)
{
  return std::max(2, static_cast<int>(std::lround(std::cbrt(dofs) / degree / (1 << times))));
}

template <class Operator>
class comparison {
public:
  comparison(double dofs, int times) : mesh_(cut(side(dofs, Operator::order, times), times)) {}

  // Levels by their degrees, of which each that is named again is on the coarser mesh.
  template <int... Orders>
  void add(std::string const& name)
  {
    auto levels = p_levels<float, Orders...>(a_, mesh_, r_);
    auto const made =
        std::make_shared<multigrid<decltype(levels)> const>(std::move(levels), multigrid_options<>{.smoother = {3}});
    std::string list;
    for (int const order : {Orders...}) list += (list.empty() ? "" : ", ") + std::to_string(order);
    lines_.push_back({name + " (" + list + ")",
                      [this, made](std::vector<double>& x) { return cg(l_, b_, x, *made, {.tolerance = 1e-8}); },
                      {},
                      0});
  }
  void run(char const* what, int rounds)
  {
    std::printf("%s, N = %d, %lld unknowns, %lld elements\n", what, Operator::order, static_cast<long long>(V_.size()),
                static_cast<long long>(mesh_.elements()));
    std::vector<double> x(b_.size());
    for (int round = 0; round < rounds; ++round)
      for (auto& line : lines_) {
        std::fill(x.begin(), x.end(), 0.0);
        double const begin = sumfac::bench::processor_seconds();
        auto const result = line.solve(x);
        line.times.push_back(sumfac::bench::processor_seconds() - begin);
        line.iterations = result ? result.iterations : -1;
      }
    for (auto const& line : lines_) {
      std::vector<double> ratios;
      for (std::size_t i = 0; i < line.times.size(); ++i) ratios.push_back(line.times[i] / lines_[0].times[i]);
      std::sort(ratios.begin(), ratios.end());
      std::printf("  %-36s %2lld iterations, %.2f times (%.2f to %.2f), %.1f ms\n", line.name.c_str(),
                  static_cast<long long>(line.iterations), ratios[ratios.size() / 2], ratios.front(), ratios.back(),
                  1e3 * *std::min_element(line.times.begin(), line.times.end()));
    }
    std::fflush(stdout);
  }

private:
  struct line {
    std::string name;
    std::function<solve_result(std::vector<double>&)> solve;
    std::vector<double> times;
    index_t iterations;
  };

  static mesh<3> cut(int side, int times)
  {
    return refined(box_mesh({side, side, side}), times).moved([](auto x) {
      double const bend = 0.08 * std::sin(3 * x[0]) * std::sin(3 * x[1]) * std::sin(3 * x[2]);
      for (int c = 0; c < 3; ++c) x[c] += bend;
      return x;
    });
  }

  host backend_{1};
  mesh<3> mesh_;
  function_space<3> V_{mesh_, Operator::order, mesh_.boundary()};
  Operator a_{backend_, mesh_};
  restriction<> r_ = V_.restriction(backend_);
  global_operator<Operator, restriction<>> l_{a_, r_};
  std::vector<double> b_ = V_.load([](auto const& x) { return 1 + x[0]; });
  std::vector<line> lines_;
};

}  // namespace

int main(int argc, char** argv)
{
  double const dofs = argc > 1 ? std::atof(argv[1]) : 270e3;
  int const rounds = argc > 2 ? std::atoi(argv[2]) : 7;
  auto const of_2 = [&]<class Operator>(char const* what, std::type_identity<Operator>) {
    comparison<Operator> of(dofs, 4);
    of.template add<2, 1>("degrees first");
    of.template add<2, 2, 1>("one mesh, then degrees");
    of.template add<2, 2, 2, 2, 2, 1>("meshes first");
    of.template add<2>("meshes alone");
    of.run(what, rounds);
  };
  auto const of_4 = [&]<class Operator>(char const* what, std::type_identity<Operator>) {
    comparison<Operator> of(dofs, 3);
    of.template add<4, 2, 1>("degrees first");
    of.template add<4, 4, 2, 1>("one mesh, then degrees");
    of.template add<4, 2, 2, 1>("a mesh between");
    of.template add<4, 2, 2, 2, 2, 1>("meshes by degree 2");
    of.template add<4, 2>("the same without 1");
    of.template add<4, 4, 4, 4, 2, 1>("meshes first");
    of.run(what, rounds);
  };
  auto const of_7 = [&]<class Operator>(char const* what, std::type_identity<Operator>) {
    comparison<Operator> of(dofs, 2);
    of.template add<7, 4, 2, 1>("degrees first");
    of.template add<7, 7, 4, 2, 1>("one mesh, then degrees");
    of.template add<7, 4, 4, 2, 1>("a mesh between");
    of.template add<7, 4, 2, 2, 2, 1>("meshes by degree 2");
    of.template add<7, 4, 2>("the same without 1");
    of.template add<7, 7, 7, 4, 2, 1>("meshes first");
    of.run(what, rounds);
  };
  of_2("BPS3", std::type_identity<bp3<2>>());
  of_2("BPS5", std::type_identity<bp5<2>>());
  of_4("BPS3", std::type_identity<bp3<4>>());
  of_4("BPS5", std::type_identity<bp5<4>>());
  of_7("BPS3", std::type_identity<bp3<7>>());
  of_7("BPS5", std::type_identity<bp5<7>>());
}
