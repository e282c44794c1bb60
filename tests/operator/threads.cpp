// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Threads change nothing: not those of the backend, not those of the caller.
#include "problems.hpp"

#include <atomic>
#include <thread>
#include <utility>

namespace {

constexpr int elements = 67;

mesh::nodes curved()
{
  auto const points = reference::gauss_lobatto(3);
  return mesh::sampled(mesh::mapped(mesh::box({6, 4, 4}, points), mesh::smooth{}), elements);
}

template <class Operator>
auto applied(Operator const& a, std::vector<typename Operator::scalar_type> const& u)
{
  std::vector<typename Operator::scalar_type> v(u.size());
  constexpr int n = Operator::nodes_1d;
  a.apply(checks::vector_view<1>(u.data(), a.elements(), n), checks::vector_view<1>(v.data(), a.elements(), n));
  return v;
}

template <class Operator>
auto diagonal(Operator const& a)
{
  constexpr int n = Operator::nodes_1d;
  std::vector<typename Operator::scalar_type> d(static_cast<std::size_t>(a.elements()) * n * n * n);
  a.diagonal(checks::vector_view<1>(d.data(), a.elements(), n));
  return d;
}

template <class Operator>
void same_for_any_number_of_threads()
{
  using scalar = typename Operator::scalar_type;
  auto const mesh = curved();
  std::size_t const size = std::size_t{elements} * Operator::nodes_1d * Operator::nodes_1d * Operator::nodes_1d;
  auto const u = support::random<scalar>(size, 11);
  Operator const serial(sumfac::host{1}, checks::nodes_view(mesh));
  auto const v = applied(serial, u), d = diagonal(serial);
  for (int const threads : {2, 3, 8}) {
    Operator const parallel(sumfac::host{threads}, checks::nodes_view(mesh));
    INFO(threads << " threads, degree " << Operator::order);
    CHECK(applied(parallel, u) == v);
    CHECK(diagonal(parallel) == d);
    CHECK(parallel.element_matrix(elements - 1) == serial.element_matrix(elements - 1));
  }
  CHECK(applied(Operator(sumfac::host{}, checks::nodes_view(mesh)), u) == v);
}

}  // namespace

TEMPLATE_TEST_CASE("operator: bit for bit the same for any number of threads", "", float, double)
{
  same_for_any_number_of_threads<sumfac::bp1<3, sumfac::host, TestType>>();
  same_for_any_number_of_threads<sumfac::bp3<4, sumfac::host, TestType>>();
  same_for_any_number_of_threads<sumfac::bp35<2, sumfac::host, TestType>>();
}

TEST_CASE("operator: several threads of the caller apply one const operator")
{
  auto const mesh = curved();
  for (int const backend_threads : {1, 2}) {
    sumfac::bp3<4> const a(sumfac::host{backend_threads}, checks::nodes_view(mesh));
    constexpr int callers = 4;
    std::size_t const size = std::size_t{elements} * 125;
    std::vector<std::vector<double>> inputs, expected;
    for (int t = 0; t < callers; ++t) {
      inputs.push_back(support::random<double>(size, static_cast<std::uint64_t>(t)));
      expected.push_back(applied(a, inputs.back()));
    }
    auto const d = diagonal(a);
    auto const matrix = a.element_matrix(7);
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < callers; ++t)
      threads.emplace_back([&, t] {
        auto const i = static_cast<std::size_t>(t);
        for (int repeat = 0; repeat < 10; ++repeat) {
          wrong += applied(a, inputs[i]) == expected[i] ? 0 : 1;
          wrong += diagonal(a) == d ? 0 : 1;
          if (repeat == 0) wrong += a.element_matrix(7) == matrix ? 0 : 1;
        }
      });
    for (auto& thread : threads) thread.join();
    CHECK(wrong == 0);
  }
}

TEST_CASE("operator: several threads of the caller build operators at once")
{
  auto const mesh = curved();
  auto const u = support::random<double>(std::size_t{elements} * 27, 1);
  auto const expected = applied(sumfac::bp1<2>(sumfac::host{1}, checks::nodes_view(mesh)), u);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      sumfac::bp1<2> const a(sumfac::host{2}, checks::nodes_view(mesh));
      wrong += applied(a, u) == expected ? 0 : 1;
    });
  for (auto& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("operator: it may be moved, and outlives the mesh it came from")
{
  auto const u = support::random<double>(std::size_t{elements} * 27, 1);
  std::vector<double> expected;
  auto const moved = [&] {
    auto mesh = curved();
    sumfac::bp35<2> a(sumfac::host{}, checks::nodes_view(mesh));
    expected = applied(a, u);
    mesh.coordinates.assign(mesh.coordinates.size(), 0);
    CHECK(applied(a, u) == expected);
    sumfac::bp35<2> b = std::move(a);
    return b;
  }();
  CHECK(applied(moved, u) == expected);
}
