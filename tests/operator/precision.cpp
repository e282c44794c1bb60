// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Vectors, factors and arithmetic of different precisions: how far each mix may be off, by what it rounds, and no less.
#include "policies.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/math/precision.hpp>

namespace {

using checks::real;
using sumfac::precision;

template <class T>
constexpr double unit = static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;

// What a mix of precisions did on one element: per entry, and at worst.
struct errors {
  double greatest = 0;         // |v - A u|
  double of_result = 0;        // of |v - A u| / |v|, less what double arithmetic may do
  double doubles = 0;          // what is allowed where all is double
  double singles = 0;          // what is allowed where all is single
  double rounded_factors = 0;  // what a rounding of every factor to single may do, at most
};

// Vectors whose entries are no floats, unless they are stored as such.
template <class T>
std::vector<T> random_vector(std::size_t size)
{
  auto const coarse = support::random<double>(size, 3), fine = support::random<double>(size, 4);
  std::vector<T> u(size);
  for (std::size_t i = 0; i < size; ++i) u[i] = static_cast<T>(coarse[i] + 0x1p-30 * fine[i]);
  return u;
}

template <class Operator>
errors measured(mesh::nodes const& mesh, reference::rule const& where, reference::space const& space,
                reference::integrand<> const& form, typename Operator::form_type const& own_form)
{
  using scalar = typename Operator::scalar_type;
  constexpr int n = Operator::nodes_1d, order = Operator::order;
  constexpr std::size_t size = std::size_t{n} * n * n;
  Operator const a(typename Operator::backend_type{}, checks::nodes_view(mesh), own_form);
  auto const u = random_vector<scalar>(size * static_cast<std::size_t>(mesh.elements));
  std::vector<scalar> v(u.size());
  a.apply(checks::vector_view<1>(u.data(), mesh.elements, n), checks::vector_view<1>(v.data(), mesh.elements, n));
  errors worst;
  for (int e = 0; e < mesh.elements; ++e) {
    auto const first = static_cast<std::ptrdiff_t>(size) * e, last = first + static_cast<std::ptrdiff_t>(size);
    std::vector<real> const in(u.begin() + first, u.begin() + last), out(v.begin() + first, v.begin() + last);
    reference::element<> const oracle(space, where, mesh.element(e), form);
    auto const exact = oracle.apply(in);
    double const doubles = reference::allowed<double>(oracle, in, order);
    auto const moduli = oracle.magnitude(in, real(1e30));  // of factors as they are, whatever the mesh's rounding
    worst.doubles = std::max(worst.doubles, doubles);
    worst.singles = std::max(worst.singles, reference::allowed<float>(oracle, in, order));
    for (std::size_t i = 0; i < size; ++i) {
      double const error = std::abs(static_cast<double>(out[i] - exact[i]));
      worst.greatest = std::max(worst.greatest, error);
      worst.of_result = std::max(worst.of_result, (error - doubles) / std::abs(static_cast<double>(exact[i])));
      worst.rounded_factors = std::max(worst.rounded_factors, static_cast<double>(moduli[i]) * unit<float>);
    }
  }
  return worst;
}

template <int N, class Precision, class Backend = sumfac::host, class Policy = sumfac::stored>
errors of_bp35()
{
  auto const where = reference::equispaced(2);
  auto const mesh = mesh::sampled(mesh::jittered({3, 3, 3}, 0.2), sumfac::native_width<float> + 1);
  return measured<sumfac::bp35<N, Backend, Precision, Policy>>(mesh, where, reference::collocated(N),
                                                               reference::stiffness(0.3), {.lambda = 0.3});
}

template <int N, class Precision, class Backend = sumfac::host, class Policy = sumfac::stored>
errors of_bp1()
{
  auto const where = reference::equispaced(2);
  auto const mesh = mesh::sampled(mesh::jittered({3, 3, 3}, 0.2), sumfac::native_width<float> + 1);
  return measured<sumfac::bp1<N, Backend, Precision, Policy>>(mesh, where, reference::on_gauss(N), reference::mass(),
                                                              {});
}

// Single factors under double: every factor is off by one rounding, the rest is double's.
void single_factors(errors const& e)
{
  INFO(e.greatest << " off, " << e.rounded_factors << " allowed");
  CHECK(e.greatest <= e.rounded_factors + e.doubles);
  CHECK(e.greatest > 1e3 * e.doubles);  // they are single
}

// Single vectors under double: the result is rounded, once.
void single_vectors(errors const& e)
{
  INFO(e.of_result << " of a result's entry");
  CHECK(e.of_result <= unit<float>);
  CHECK(e.of_result > 0.1 * unit<float>);
}

// All inside in single.
void single_inside(errors const& e)
{
  INFO(e.greatest << " off, " << e.singles << " allowed");
  CHECK(e.greatest <= e.singles);
  CHECK(e.greatest > 1e3 * e.doubles);
}

}  // namespace

TEST_CASE("precision: one type is the same as the type")
{
  static_assert(std::is_same_v<typename sumfac::bp1<2, sumfac::host, precision<double>>::scalar_type, double>);
  static_assert(
      std::is_same_v<typename sumfac::bp1<2, sumfac::host, precision<double, float, double>>::scalar_type, double>);
  static_assert(std::is_same_v<typename sumfac::bp1<2, sumfac::host, sumfac::low_high>::scalar_type, float>);
  auto const e = of_bp35<3, precision<double>>();
  CHECK(e.greatest <= e.doubles);
}

TEMPLATE_TEST_CASE_SIG("precision: single factors under double", "", ((int N), N), 1, 4, 9)
{
  single_factors(of_bp35<N, precision<double, float, double>>());
  single_factors(of_bp1<N, precision<double, float, double>>());
}

TEMPLATE_TEST_CASE_SIG("precision: single vectors under double", "", ((int N), N), 2, 7)
{
  single_vectors(of_bp35<N, precision<float, double, double>>());
  single_vectors(of_bp1<N, sumfac::low_high>());
}

TEMPLATE_TEST_CASE_SIG("precision: double vectors, all inside in single", "", ((int N), N), 2, 7)
{
  single_inside(of_bp35<N, sumfac::high_low>());
  single_inside(of_bp1<N, precision<double, float, float>>());
}

TEST_CASE("precision: on checked")
{
  single_factors(of_bp35<3, precision<double, float, double>, sumfac::checked>());
  single_vectors(of_bp35<3, sumfac::low_high, sumfac::checked>());
  single_inside(of_bp1<2, sumfac::high_low, sumfac::checked>());
}

TEST_CASE("precision: under geometry that is recomputed")
{
  single_vectors(of_bp35<3, sumfac::low_high, sumfac::host, sumfac::trilinear>());
  single_inside(of_bp35<3, sumfac::high_low, sumfac::host, sumfac::trilinear>());
  auto const vertices = of_bp35<3, precision<double, float, double>, sumfac::host, sumfac::trilinear>();
  CHECK(vertices.greatest <= vertices.singles);
}

TEST_CASE("precision: work counts vectors and factors by their own bytes")
{
  auto const mesh = mesh::box({5, 1, 1});
  auto const check = [&](auto const& a, int vectors, int factors) {
    CHECK(a.work().bytes_read == 5 * (27 * vectors + 7 * 27 * factors));
    CHECK(a.work().bytes_written == 5 * 27 * vectors);
  };
  auto const nodes = checks::nodes_view(mesh);
  check(sumfac::bp35<2, sumfac::host, precision<double, float, double>>(sumfac::host{}, nodes), 8, 4);
  check(sumfac::bp35<2, sumfac::host, sumfac::high_low>(sumfac::host{}, nodes), 8, 4);
  check(sumfac::bp35<2, sumfac::host, sumfac::low_high>(sumfac::host{}, nodes), 4, 8);
}
