// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Null spaces: constants of components in both interleavings, a user's vectors, and what is none.
#include "free_chain.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/solver/null_space.hpp>

#include <support/random.hpp>

#include <limits>
#include <utility>

namespace {

using checks::free_chain, checks::global_view, checks::index_t, checks::mean, checks::refused;
using sumfac::interleaving, sumfac::null_space;

template <class Vector, class Other>
double product(Vector const& x, Other const& y)
{
  double sum = 0;
  for (index_t i = 0; i < x.extent(0); ++i) sum += static_cast<double>(x(i)) * static_cast<double>(y(i));
  return sum;
}

// The basis is orthonormal, and a projected vector has no part in it and is otherwise what it was.
template <class Space>
void projects(Space const& space, double allowed)
{
  using scalar = typename Space::scalar_type;
  auto const before = support::random<scalar>(static_cast<std::size_t>(space.size()), 3);
  auto x = before;
  space.project(global_view(x));
  std::vector<double> rest(before.begin(), before.end());
  for (int k = 0; k < space.count(); ++k) {
    for (int j = 0; j < space.count(); ++j) CHECK(std::abs(product(space[k], space[j]) - (j == k)) <= allowed);
    CHECK(std::abs(product(space[k], global_view(x))) <= allowed * std::sqrt(double(before.size())));
    double const part = product(space[k], global_view(before));
    for (index_t i = 0; i < space.size(); ++i) rest[static_cast<std::size_t>(i)] -= part * double(space[k](i));
  }
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(std::abs(double(x[i]) - rest[i]) <= allowed);
}

template <class Scalar, class Backend>
void constants(double allowed)
{
  for (index_t const nodes : {2, 9, 5000})
    for (int const components : {1, 3})
      for (auto const lie : {interleaving::fastest, interleaving::slowest}) {
        free_chain<Scalar, Backend> const a{nodes, components, nodes == 9, lie};
        null_space const space{a};
        CHECK(space.count() == components);
        CHECK(space.size() == a.size());
        CHECK(space.has_constants());
        if (nodes == 5000) {
          auto x = support::random<Scalar>(static_cast<std::size_t>(a.size()), 5);
          space.project(global_view(x));
          for (int c = 0; c < components; ++c) CHECK(std::abs(mean(a, x, c)) < allowed);
        } else {
          projects(space, allowed);
        }
      }
}

}  // namespace

TEST_CASE("null_space: constants of each component, in both interleavings")
{
  constants<double, sumfac::host>(1e-14);
  constants<float, sumfac::host>(1e-5);
  constants<double, sumfac::checked>(1e-14);
  constants<float, sumfac::checked>(1e-5);
}

TEST_CASE("null_space: rows of their own are left out, and components that are fixed")
{
  for (double const own : {1.0, 0.0, 7.5}) {
    free_chain<> a{6, 3, false, interleaving::fastest, {}, own};
    for (index_t i = 0; i < 6; ++i) a.fixed.push_back(a.entry(i, 2));  // all of component 2
    a.fixed.push_back(a.entry(4, 1));
    null_space const space{a};
    REQUIRE(space.count() == 1);
    for (index_t i = 0; i < 6; ++i)
      for (int c = 0; c < 3; ++c)
        CHECK(std::abs(space[0](a.entry(i, c)) - (c == 0 ? 1 / std::sqrt(6.0) : 0)) < 1e-15);
  }
}

TEST_CASE("null_space: vectors of a user's are made orthonormal, more than fit one pass, too")
{
  for (int const count : {1, 2, 7, 9}) {
    free_chain<> const a{11, 9};
    std::vector<double> v(static_cast<std::size_t>(count * a.size()));
    for (int k = 0; k < count; ++k)
      for (index_t i = 0; i < a.size(); ++i)
        v[static_cast<std::size_t>(k * a.size() + i)] = i % 9 <= k ? 1e3 + k : -2.0 * double(i % 9 == k + 1);
    null_space const space{a, sumfac::view<double const, sumfac::dextents<2>>(v.data(), count, a.size())};
    CHECK(space.count() == count);
    CHECK(!space.has_constants());
    projects(space, 1e-13);
  }
}

TEST_CASE("null_space: what a matrix does not take to 0, and vectors that say nothing new, are refused")
{
  free_chain<> const held{8, 1, false, interleaving::fastest, {3}}, open{4, 1};
  refused([&] { null_space const space{held}; }, {"sumfac::null_space: A does not take constants to 0", "constrained"});
  auto const with = [&](std::vector<double> const& v, index_t count) {
    null_space const space{open, sumfac::view<double const, sumfac::dextents<2>>(v.data(), count, 4)};
  };
  double const none = std::numeric_limits<double>::quiet_NaN();
  refused([&] { with({1, 1, 1, 1, 1, 2, 1, 1}, 2); }, {"A does not take vector 1 to 0", "leave it out"});
  refused([&] { with({1, 1, 1, 1, 3, 3, 3, 3}, 2); }, {"vector 1 is made of those before it"});
  refused([&] { with({0, 0, 0, 0}, 1); }, {"vector 0 is 0 or not finite"});
  refused([&] { with({1, none, 1, 1}, 1); }, {"vector 0 is 0 or not finite"});
  refused([&] { null_space const space(open, sumfac::view<double const, sumfac::dextents<2>>(nullptr, 1, 4)); },
          {"vectors is null"});
  std::vector<double> short_one(3);
  refused([&] { null_space{open}.project(global_view(short_one)); },
          {"sumfac::null_space::project: length of x does not match (expected 4, got 3)"});
}
