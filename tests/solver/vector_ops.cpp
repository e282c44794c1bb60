// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Vector operations: exact where they are, sums within rounding and the same for any number of threads.
#include <sumfac/backend/checked.hpp>
#include <sumfac/solver/vector_ops.hpp>

#include <dofs/global_vectors.hpp>

#include <support/few.hpp>

#include <cmath>
#include <functional>

namespace {

using checks::global_view, checks::index_t;
using reference::real;

// Around the chunks of 4096 entries and the width of a register.
std::vector<std::size_t> const sizes =
    support::few ? std::vector<std::size_t>{0, 1, 3, 17, 4097}
                 : std::vector<std::size_t>{0, 1, 2, 3, 5, 17, 4095, 4096, 4097, 8192, 12289, 50001};

template <class T>
using operation = std::function<T(T x, T y)>;

// y (or x) after an operation, entry by entry: multiples of 2^-23 times powers of two, exact in double.
template <class T, class Backend>
struct fixture {
  Backend backend{};
  std::vector<T> x, y, z;
  sumfac::vector_ops<T, Backend> ops;

  explicit fixture(std::size_t size, Backend const& b = {})
      : backend(b),
        x(checks::integers<T>(size, 1)),
        y(checks::integers<T>(size, 2)),
        z(checks::nans<T>(size)),
        ops(b, static_cast<index_t>(size))
  {
  }

  auto in() { return global_view(std::as_const(x)); }
  auto out() { return global_view(y); }

  void check(char const* what, std::vector<T> const& got, operation<T> const& f)
  {
    auto const old_y = checks::integers<T>(got.size(), 2), old_x = checks::integers<T>(got.size(), 1);
    for (std::size_t i = 0; i < got.size(); ++i)
      if (!(got[i] == f(old_x[i], old_y[i]))) {
        INFO(what << ", entry " << i << " of " << got.size());
        CHECK(got[i] == f(old_x[i], old_y[i]));
        return;
      }
    SUCCEED();
  }
};

template <class T, class Backend>
void updates(Backend const& backend)
{
  for (std::size_t const size : sizes) {
    auto const one = [&](char const* what, auto const& run, operation<T> const& f) {
      fixture<T, Backend> v(size, backend);
      run(v);
      v.check(what, v.y, f);
      CHECK(v.x == checks::integers<T>(size, 1));  // what is only read
    };
    one(
        "fill", [](auto& v) { v.ops.fill(T(3), v.out()); }, [](T, T) { return T(3); });
    one(
        "copy", [](auto& v) { v.ops.copy(v.in(), v.out()); }, [](T x, T) { return x; });
    one(
        "scale", [](auto& v) { v.ops.scale(T(-0.5), v.out()); }, [](T, T y) { return T(-0.5) * y; });
    one(
        "axpy", [](auto& v) { v.ops.axpy(T(4), v.in(), v.out()); }, [](T x, T y) { return y + 4 * x; });
    one(
        "xpay", [](auto& v) { v.ops.xpay(v.in(), T(0.25), v.out()); }, [](T x, T y) { return x + T(0.25) * y; });
    one(
        "axpby", [](auto& v) { v.ops.axpby(T(2), v.in(), T(-8), v.out()); }, [](T x, T y) { return 2 * x - 8 * y; });
    fixture<T, Backend> v(size, backend);
    v.ops.multiply(v.in(), global_view(std::as_const(v.y)), global_view(v.z));
    v.check("multiply", v.z, [](T x, T y) { return x * y; });
  }
}

// Sums of small integers are exact; their squares' are in double.
template <class T, class Backend>
void exact_sums(Backend const& backend)
{
  for (std::size_t const size : sizes) {
    fixture<T, Backend> v(size, backend);
    for (std::size_t i = 0; i < size; ++i) {
      v.x[i] = static_cast<T>(static_cast<int>(i % 5) - 2);
      v.y[i] = static_cast<T>(static_cast<int>(i % 7) - 3);
    }
    real dot = 0, after = 0;
    for (std::size_t i = 0; i < size; ++i) {
      dot += static_cast<real>(v.x[i]) * static_cast<real>(v.y[i]);
      auto const sum = static_cast<real>(v.y[i]) + 2 * static_cast<real>(v.x[i]);
      after += sum * sum;
    }
    INFO(size << " entries");
    CHECK(v.ops.dot(v.in(), global_view(std::as_const(v.y))) == static_cast<T>(dot));
    auto const old = v.y;
    CHECK(v.ops.axpy_dot(T(2), v.in(), v.out()) == static_cast<T>(after));
    for (std::size_t i = 0; i < size; ++i) CHECK(v.y[i] == old[i] + 2 * v.x[i]);
  }
}

// A sum of k terms is off by less than about sqrt(k) roundings of the moduli's sum (tolerance.hpp); in chunks by less.
template <class T>
double allowed(std::vector<T> const& x, std::vector<T> const& y)
{
  real moduli = 0;
  for (std::size_t i = 0; i < x.size(); ++i) moduli += std::abs(static_cast<real>(x[i]) * static_cast<real>(y[i]));
  return std::sqrt(static_cast<double>(x.size() + 1)) * static_cast<double>(moduli) *
         static_cast<double>(std::numeric_limits<T>::epsilon()) / 2;
}

template <class T, class Backend>
void rounded_sums(Backend const& backend)
{
  for (std::size_t const size : sizes) {
    sumfac::vector_ops<T, Backend> ops(backend, static_cast<index_t>(size));
    auto const x = support::random<T>(size, 5);
    auto y = support::random<T>(size, 6);
    real dot = 0;
    for (std::size_t i = 0; i < size; ++i) dot += static_cast<real>(x[i]) * static_cast<real>(y[i]);
    T const got = ops.dot(global_view(x), global_view(std::as_const(y)));
    INFO(size << " entries");
    CHECK(std::abs(static_cast<double>(static_cast<real>(got) - dot)) <= allowed(x, y));
    // Fused is plain: y += a x, then y . y.
    auto plain = y;
    ops.axpy(T(0.75), global_view(x), global_view(plain));
    T const fused = ops.axpy_dot(T(0.75), global_view(x), global_view(y));
    CHECK(y == plain);
    CHECK(std::abs(static_cast<double>(fused - ops.dot(global_view(plain), global_view(plain)))) <=
          allowed(plain, plain));
  }
}

}  // namespace

TEMPLATE_TEST_CASE("vector_ops: updates are exact", "", float, double)
{
  updates<TestType>(sumfac::host{});
  updates<TestType>(sumfac::host{3});
  updates<TestType>(sumfac::checked{});
}

TEMPLATE_TEST_CASE("vector_ops: sums of small integers are exact", "", float, double)
{
  exact_sums<TestType>(sumfac::host{});
  exact_sums<TestType>(sumfac::host{3});
  exact_sums<TestType>(sumfac::checked{});
}

TEMPLATE_TEST_CASE("vector_ops: sums are right as far as rounding goes, fused ones too", "", float, double)
{
  rounded_sums<TestType>(sumfac::host{});
  rounded_sums<TestType>(sumfac::host{2});
  rounded_sums<TestType>(sumfac::checked{});
}

TEMPLATE_TEST_CASE("vector_ops: sums are the same, bit for bit, for any number of threads and in every run", "", float,
                   double)
{
  for (std::size_t const size : {std::size_t{4097}, std::size_t{50001}, std::size_t{1} << 20}) {
    if (support::few && size > 4097) continue;
    auto const x = support::random<TestType>(size, 5), y = support::random<TestType>(size, 6);
    auto const sums = [&](int threads) {
      sumfac::host const backend(threads);
      sumfac::vector_ops<TestType, sumfac::host> ops(backend, static_cast<index_t>(size));
      auto z = y;
      std::vector<TestType> result{ops.dot(global_view(x), global_view(y)),
                                   ops.axpy_dot(TestType(0.3), global_view(x), global_view(z))};
      result.push_back(ops.dot(global_view(x), global_view(std::as_const(z))));
      return result;
    };
    auto const serial = sums(1);
    for (int const threads : {1, 2, 3, 5, 8}) {
      INFO(size << " entries, " << threads << " threads");
      CHECK(sums(threads) == serial);
    }
  }
}

TEST_CASE("vector_ops: a norm is the root of the sum of squares, the same for any number of threads")
{
  for (std::size_t const size : sizes) {
    auto const x = checks::integers<double>(size, 5), y = support::random<double>(size, 6);
    real squares = 0;
    for (double const value : x) squares += static_cast<real>(value) * static_cast<real>(value);
    double serial = 0;
    for (int const threads : {1, 2, 5}) {
      sumfac::vector_ops<double, sumfac::host> ops(sumfac::host{threads}, static_cast<index_t>(size));
      INFO(size << " entries, " << threads << " threads");
      CHECK(ops.norm(global_view(x)) == std::sqrt(static_cast<double>(squares)));
      CHECK(ops.norm(global_view(y)) == std::sqrt(ops.dot(global_view(y), global_view(y))));
      serial = threads == 1 ? ops.norm(global_view(y)) : serial;
      CHECK(ops.norm(global_view(y)) == serial);
    }
  }
}

TEST_CASE("vector_ops: sums do not depend on where the vectors lie in memory")
{
  std::size_t const size = 9001;
  auto const x = support::random<double>(size, 5), y = support::random<double>(size, 6);
  sumfac::vector_ops<double, sumfac::host> ops(sumfac::host{2}, static_cast<index_t>(size));
  double const sum = ops.dot(global_view(x), global_view(y));
  for (std::size_t const offset : {1u, 2u, 3u, 5u}) {
    std::vector<double> moved_x(offset), moved_y(2 * offset);
    moved_x.insert(moved_x.end(), x.begin(), x.end());
    moved_y.insert(moved_y.end(), y.begin(), y.end());
    using view = sumfac::view<double const, sumfac::dextents<1>>;
    CHECK(ops.dot(view(moved_x.data() + offset, size), view(moved_y.data() + 2 * offset, size)) == sum);
  }
}

TEST_CASE("vector_ops: what is no number is not lost in a sum")
{
  std::vector<double> x(10000, 1);
  sumfac::vector_ops<double, sumfac::host> ops(sumfac::host{2}, 10000);
  for (std::size_t const at : {0u, 4096u, 7777u, 9999u}) {
    auto bad = x;
    bad[at] = std::numeric_limits<double>::quiet_NaN();
    CHECK(std::isnan(ops.dot(global_view(std::as_const(bad)), global_view(std::as_const(x)))));
    CHECK(std::isnan(ops.norm(global_view(std::as_const(bad)))));
    bad[at] = std::numeric_limits<double>::infinity();
    CHECK(!std::isfinite(ops.norm(global_view(std::as_const(bad)))));
  }
}

TEST_CASE("vector_ops: vectors of unlike lengths, longer ones than told, and null are refused, nothing written")
{
  std::vector<double> const five(5, 1), six(6, 1), seven(7, 1);
  std::vector<double> out5(5, 7), out6(6, 7), out7(7, 7);
  sumfac::vector_ops<double, sumfac::host> ops(sumfac::host{}, 6);
  using checks::refused;
  refused([&] { ops.copy(global_view(five), global_view(out6)); }, {"vector_ops", "5", "6"});
  refused([&] { ops.axpy(1.0, global_view(five), global_view(out6)); }, {"vector_ops", "5", "6"});
  refused([&] { ops.xpay(global_view(six), 1.0, global_view(out5)); }, {"vector_ops", "5", "6"});
  refused([&] { ops.axpby(1.0, global_view(five), 2.0, global_view(out6)); }, {"vector_ops", "5", "6"});
  refused([&] { ops.multiply(global_view(five), global_view(six), global_view(out6)); }, {"vector_ops", "5", "6"});
  refused([&] { ops.multiply(global_view(six), global_view(six), global_view(out5)); }, {"vector_ops", "5", "6"});
  refused([&] { static_cast<void>(ops.dot(global_view(five), global_view(six))); }, {"vector_ops", "5", "6"});
  refused([&] { static_cast<void>(ops.axpy_dot(1.0, global_view(five), global_view(out6))); },
          {"vector_ops", "5", "6"});
  refused([&] { static_cast<void>(ops.dot(global_view(seven), global_view(seven))); }, {"vector_ops", "6", "7"});
  refused([&] { static_cast<void>(ops.norm(global_view(seven))); }, {"vector_ops", "6", "7"});
  sumfac::view<double, sumfac::dextents<1>> const no_vector(nullptr, 6);
  refused([&] { ops.fill(1.0, no_vector); }, {"vector_ops", "null", "6"});
  refused([&] { ops.copy(global_view(six), no_vector); }, {"vector_ops", "null", "6"});
  refused([] { sumfac::vector_ops<double, sumfac::host>(sumfac::host{}, -4); }, {"vector_ops", "-4", "longest"});
  refused([] { sumfac::vector_ops<double, sumfac::host>(sumfac::host{}, -9000); }, {"vector_ops", "-9000", "longest"});
  CHECK(out5 == std::vector<double>(5, 7));
  CHECK(out6 == std::vector<double>(6, 7));
}
