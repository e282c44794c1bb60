// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A degree known at run time finds its operator; one outside the list is told the list.
#include <sumfac/operator/dispatch.hpp>

#include "problems.hpp"

#include <string>

namespace {

using list = sumfac::orders<4, 1, 2>;

std::string refusal(int order)
{
  bool called = false;
  try {
    sumfac::dispatch_order<list>(order, [&]<int>() { called = true; });
  } catch (sumfac::argument_error const& error) {
    CHECK(!called);
    return error.what();
  }
  FAIL("no error for degree " << order);
  return {};
}

}  // namespace

TEST_CASE("dispatch: the function is called once, with the degree as a constant")
{
  for (int const order : {1, 2, 4}) {
    int calls = 0;
    CHECK(sumfac::dispatch_order<list>(order, [&]<int N>() {
            ++calls;
            return 10 * N;
          }) == 10 * order);
    CHECK(calls == 1);
  }
  int found = 0;
  sumfac::dispatch_order<sumfac::orders<7>>(7, [&]<int N>() { found = N; });
  CHECK(found == 7);
}

TEST_CASE("dispatch: a degree outside the list is an error that names it and the list")
{
  for (int const order : {-1, 0, 3, 5, 1000}) {
    auto const message = refusal(order);
    INFO(message);
    CHECK(message.find("sumfac::dispatch_order: ") == 0);
    CHECK(message.find("degree " + std::to_string(order)) != std::string::npos);
    CHECK(message.find("4, 1, 2") != std::string::npos);
  }
}

TEST_CASE("dispatch: a degree outside the list is what is done otherwise, where that is said")
{
  auto const ten_times = [](int order) {
    return sumfac::dispatch_order<list>(
        order, []<int N>() { return 10 * N; }, [](int other) { return -other; });
  };
  CHECK(ten_times(4) == 40);
  CHECK(ten_times(2) == 20);
  CHECK(ten_times(3) == -3);
  CHECK(ten_times(-1) == 1);
}

TEST_CASE("dispatch: the operator of a degree known at run time")
{
  auto const mesh = mesh::mapped(mesh::box({2, 1, 1}), mesh::affine{{2, 3, 4}});
  for (int const order : {1, 2, 4}) {
    double const volume = sumfac::dispatch_order<list>(order, [&]<int N>() {
      CHECK(N == order);
      sumfac::bp1<N> const a(sumfac::host{}, checks::nodes_view(mesh));
      std::vector<double> const one(2 * (N + 1) * (N + 1) * (N + 1), 1);
      std::vector<double> v(one.size());
      a.apply(checks::vector_view<1>(one.data(), 2, N + 1), checks::vector_view<1>(v.data(), 2, N + 1));
      return checks::dot(one, v);
    });
    CHECK(std::abs(volume - 24) < 1e-13);
  }
}
