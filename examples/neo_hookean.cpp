// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A bar of compressible neo-Hookean material is pulled in steps; residual and tangent come from its energy.
#include <sumfac/sumfac.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

// [form]
// W(F) = mu / 2 (F : F - 3) - mu ln J + lambda / 2 (ln J)^2 with F = I + grad u and J = det F
struct neo_hookean {
  static constexpr auto trial = sumfac::gradient;
  static constexpr int components = 3;

  template <class T>
  struct factors {
    sumfac::matrix<T, 3> inverse;
    T measure;
  };

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.inverse(), x.measure()};
  }

  // The energy that the point stands for. U is a dual number with the derivatives that are asked for.
  template <class T, class U>
  SUMFAC_FUNCTION U energy(factors<T> const& f, sumfac::point_values<U, 3> const& u) const
  {
    using std::log;
    using number = sumfac::scalar_of<T>;
    auto F = u.gradient * f.inverse;                                   // F(c, x): component c along the mesh's x
    for (int c = 0; c < 3; ++c) F(c, c) = F(c, c) + number(1);
    U squares = F(0, 0) * F(0, 0);
    for (int i = 1; i < 9; ++i) squares = squares + F.entries[i] * F.entries[i];
    U const volume = log(determinant(F));
    return f.measure * (number(mu / 2) * (squares - number(3)) + (number(lambda / 2) * volume - number(mu)) * volume);
  }

  double mu = 1, lambda = 1;
};
// [form]

namespace {

constexpr int order = 2, length = 4, width = 2;  // cells along the bar and across it; it is 4 x 1 x 1

sumfac::mesh<3> bar()
{
  return sumfac::box_mesh({length, width, width}, [](sumfac::vector<double, 3> const& x) {
    auto const i = std::lround(length * x[0]), j = std::lround(width * x[1]), k = std::lround(width * x[2]);
    double const shift = i % length != 0 && j == 1 && k == 1 ? 0.1 : 0;     // inside, no element is a brick
    return sumfac::vector<double, 3>{length * x[0] + (i % 2 == 0 ? shift : -shift), x[1] + shift, x[2] - shift / 2};
  }, 1);
}

// The place in (low, high) where f, which rises, is 0.
template <class Function>
double root(Function const& f, double low, double high)
{
  for (int i = 0; i < 100; ++i) {
    double const middle = (low + high) / 2;
    (f(middle) < 0 ? low : high) = middle;
  }
  return low;
}

// The stretch of a bar under a traction, whose sides are free: P = mu F + (lambda ln J - mu) F^-T is 0 across it.
double stretch(neo_hookean const& material, double traction)
{
  auto const stress = [&](double stretch, double volume) {
    return material.mu * stretch + (material.lambda * std::log(volume) - material.mu) / stretch;
  };
  auto const along_bar = [&](double a) {
    double const b = root([&](double side) { return stress(side, a * side * side); }, 0.1, 2);
    return stress(a, a * b * b) - traction;
  };
  return root(along_bar, 0.5, 4);
}

}  // namespace

int main()
{
  sumfac::mesh const nodes = bar();
  auto const end = nodes.boundary("x1");
  // No component leaves its plane of symmetry; a traction 1 along x pulls at the bar's end.
  sumfac::function_space const V{nodes, order, {{nodes.boundary("x0"), 0}, {nodes.boundary("y0"), 1},
                                                {nodes.boundary("z0"), 2}}, {.components = 3}};
  auto const traction_1 = V.on(end).load([](auto const&) { return sumfac::vector<double, 3>{1, 0, 0}; });
  sumfac::host const backend;
  auto const R = V.restriction(backend);
  sumfac::index_t const entries = V.size(), at_end = 3 * V.on(end).table()(0, 0, 0);
  std::vector<double> u_data(traction_1.size()), r_data(u_data), w_data(u_data);
  sumfac::view u(u_data.data(), entries), r(r_data.data(), entries), w(w_data.data(), entries);
  sumfac::view pull(traction_1.data(), entries);
  sumfac::vector_ops const ops{backend, entries};

  // [operators]
  using residual = sumfac::residual<neo_hookean>;
  sumfac::element_operator<residual, order> const F{backend, nodes, neo_hookean{.mu = 1, .lambda = 3}};
  sumfac::element_operator<sumfac::tangent<residual>, order> J{backend, nodes, F.form()};
  // [operators]
  // [levels]
  J.linearize(R, u);
  sumfac::multigrid P{sumfac::p_levels<order, 1>(J, nodes, R, sumfac::field(R, u))};
  sumfac::global_operator const L{J, R};
  // [levels]

  bool right = true;
  for (double const traction : {0.25, 0.5, 0.75, 1.0, 1.25, 1.5}) {
    int steps = 0, most = 0;
    for (; steps < 20; ++steps) {
      // [step]
      F.apply(R, u, r);                                                // the forces inside, from the last solution on
      ops.axpy(-traction, pull, r);
      if (ops.norm(r) < 1e-11) break;
      J.linearize(R, u);
      P.update(R, u);                                                  // the state on all levels
      ops.fill(0, w);
      auto const result = sumfac::cg(L, r, w, P, {.tolerance = 1e-8});
      ops.axpy(-1, w, u);
      // [step]
      if (!result) return 1;
      most = std::max(most, static_cast<int>(result.iterations));
    }
    double const moved = u(at_end), expected = length * (stretch(F.form(), traction) - 1);
    std::printf("traction %.2f: %d steps of %d iterations at most, the end moves by %.9f (%.9f)\n", traction, steps,
                most, moved, expected);
    right &= steps < 10 && most <= 20 && std::abs(moved - expected) < 1e-9;
  }
  return right ? 0 : 1;
}
