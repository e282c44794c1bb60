// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A table along an axis beside sums in long double: rectangular tables of constants, kept and of each line, on the host
// and watched on `checked`.
#include <sumfac/backend/checked.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/element/kernel/warp_lines.hpp>
#include <sumfac/tensor/kept_table.hpp>
#include <sumfac/tensor/sweep.hpp>

#include <support/larger.hpp>
#include <support/matrix_team.hpp>
#include <support/random.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

namespace {

using sumfac::axis, sumfac::box, sumfac::index_t, sumfac::sweep, sumfac::sweep_all;

constexpr int elements = 2, components = 2, most = 6, size = elements * components * most * most * most;

constexpr int place(int e, int c, int z, int y, int x)
{
  return (((e * components + c) * most + z) * most + y) * most + x;
}

constexpr double entry(int r, int c) { return 1.0 / (1 + r + 3 * c) - 0.1 * r; }

// A table without a symmetry.
template <int Rows, int Cols>
struct lopsided {
  static constexpr int rows = Rows, cols = Cols, parity = 0;
  static constexpr auto full = [] {
    sumfac::detail::table<double, Rows, Cols> t{};
    for (int r = 0; r < Rows; ++r)
      for (int c = 0; c < Cols; ++c) t.value[r][c] = entry(r, c);
    return t;
  }();
  static constexpr sumfac::detail::no_halves halves{};
};

// The same, each entry times -2.
template <int Rows, int Cols>
struct scaled_constants {
  static constexpr int rows = Rows, cols = Cols;
  static constexpr auto full = [] {
    auto t = lopsided<Rows, Cols>::full;
    for (auto& row : t.value)
      for (double& x : row) x *= -2;
    return t;
  }();
};

// The same times a number.
template <int Rows, int Cols>
struct scaled {
  static constexpr int rows = Rows, cols = Cols, parity = 0;
  struct entries {
    double factor;
    double operator()(int r, int c) const { return factor * entry(r, c); }
  };
  entries full;
};

// Calls order(team, from, to) on arrays in scratch, both with u before.
template <class Order>
struct order_kernel {
  using scalar = double;
  static constexpr int threads = 12;
  Order order;
  double const* u;
  double* v;

  template <class Team>
  struct scratch {
    typename Team::template shared<typename Team::scalar, elements, components, most, most, most> from, to;
  };

  template <class Team>
  void operator()(Team const& team, scratch<Team>& s, index_t) const
  {
    using T = typename Team::scalar;
    using all = box<elements, components, most, most, most>;
    team.each(all{}, [&](int e, int c, int z, int y, int x) {
      s.from(e, c, z, y, x) = T(u[place(e, c, z, y, x)]);
      s.to(e, c, z, y, x) = T(u[place(e, c, z, y, x)]);
    });
    team.sync();
    order(team, s.from, s.to);
    team.sync();
    team.each(all{}, [&](int e, int c, int z, int y, int x) {
      T const number = s.to(e, c, z, y, x);
      if constexpr (sumfac::width_of<T> > 1)
        v[place(e, c, z, y, x)] = number[sumfac::width_of<T> - 1];
      else
        v[place(e, c, z, y, x)] = number;
    });
  }
};

using numbers = std::vector<long double>;

numbers random_numbers() { return support::random<long double>(size, 41); }

template <class Order>
void check(numbers const& u, numbers const& expected, Order const& order)
{
  std::vector<double> const from(u.begin(), u.end());
  auto const on = [&](auto const& backend) {
    std::vector<double> v(size);
    backend.launch(order_kernel<Order>{order, from.data(), v.data()}, 1);
    double worst = 0;
    for (int i = 0; i < size; ++i)
      worst = support::larger(worst, static_cast<double>(std::fabs(v[static_cast<std::size_t>(i)] -
                                                                   expected[static_cast<std::size_t>(i)])));
    CHECK(worst < 1e-14);
  };
  on(sumfac::host(1));
  on(sumfac::checked());
}

// to = or += A from, along lines (e, c, a, b) of so many elements and components.
template <axis Along, class Entry>
void sum_up(numbers const& from, numbers& to, int es, int cs, int as, int bs, int rows, int cols, Entry const& a_of,
            bool adds = false)
{
  auto const at = [](int e, int c, int a, int b, int i) {
    return static_cast<std::size_t>(Along == axis::x   ? place(e, c, a, b, i)
                                    : Along == axis::y ? place(e, c, a, i, b)
                                                       : place(e, c, i, a, b));
  };
  numbers const before = from;
  for (int e = 0; e < es; ++e)
    for (int c = 0; c < cs; ++c)
      for (int a = 0; a < as; ++a)
        for (int b = 0; b < bs; ++b)
          for (int r = 0; r < rows; ++r) {
            long double sum = adds ? to[at(e, c, a, b, r)] : 0;
            for (int i = 0; i < cols; ++i) sum += a_of(r, i, e + 2 * c) * before[at(e, c, a, b, i)];
            to[at(e, c, a, b, r)] = sum;
          }
}

template <axis Along>
void check_axis()
{
  numbers const u = random_numbers();
  auto const plain = [](int r, int c, int) { return entry(r, c); };
  using lines = box<elements, components, 3, 4>;
  numbers more = u, fewer = u, added = u, own = u;
  sum_up<Along>(u, more, elements, components, 3, 4, 6, 5, plain);
  check(u, more,
        [](auto const& team, auto& from, auto& to) { sweep<Along>(team, lines{}, lopsided<6, 5>{}, from, to); });
  check(u, more, [](auto const& team, auto&, auto& to) { sweep<Along>(team, lines{}, lopsided<6, 5>{}, to, to); });
  sumfac::kept_table<lopsided<6, 5>> const kept;
  check(u, more,
        [=](auto const& team, auto& from, auto& to) { sweep<Along>(team, lines{}, kept.forward(), from, to); });
  sum_up<Along>(u, fewer, elements, components, 3, 4, 5, 6, [](int r, int c, int) { return entry(c, r); });
  check(u, fewer,
        [=](auto const& team, auto& from, auto& to) { sweep<Along>(team, lines{}, kept.backward(), from, to); });
  sum_up<Along>(u, added, elements, components, 3, 4, 2, 4, plain, true);
  check(u, added, [](auto const& team, auto& from, auto& to) {
    sweep<Along, components>(team, box<elements, 3, 4>{}, lopsided<2, 4>{}, from, sumfac::added_to(to));
  });
  sum_up<Along>(u, own, elements, components, 3, 4, 4, 4,
                [](int r, int c, int which) { return (which - 1.5) * entry(r, c); });
  check(u, own, [](auto const& team, auto& from, auto& to) {
    auto const table = [](int e, int c, int, int) { return scaled<4, 4>{{e + 2 * c - 1.5}}; };
    sweep<Along>(team, lines{}, table, from, to);
  });
}

template <int Rows, int Cols>
void check_all_axes()
{
  numbers const u = random_numbers();
  auto const plain = [](int r, int c, int) { return entry(r, c); };
  numbers line = u, plane = u, cube = u;
  sum_up<axis::x>(u, line, elements, 1, 1, 1, Rows, Cols, plain);
  numbers work = u;
  sum_up<axis::x>(u, work, elements, 1, 1, Cols, Rows, Cols, plain);
  sum_up<axis::y>(work, plane, elements, 1, 1, Rows, Rows, Cols, plain);
  sum_up<axis::x>(u, work, elements, 1, Cols, Cols, Rows, Cols, plain);
  sum_up<axis::y>(work, work, elements, 1, Cols, Rows, Rows, Cols, plain);
  sum_up<axis::z>(work, cube, elements, 1, Rows, Rows, Rows, Cols, plain);
  check(u, line, [](auto const& team, auto& from, auto& to) {
    sweep_all<1, elements>(team, lopsided<Rows, Cols>{}, from, from, to);
  });
  check(u, plane, [](auto const& team, auto& from, auto& to) {
    sweep_all<2, elements>(team, lopsided<Rows, Cols>{}, from, from, to);
  });
  check(u, cube, [](auto const& team, auto& from, auto& to) {
    sweep_all<3, elements>(team, lopsided<Rows, Cols>{}, from, from, to);
  });
}

// Lines across a warp, by matrices or without: what v holds behind each step, for all (z, a, b).
enum class step { lines, added, columns, second_columns, turned };
template <step Step, bool ByMatrices>
struct warp_step {
  using scalar = double;
  static constexpr int threads = 32;
  using first = lopsided<8, 7>;
  using second = scaled_constants<5, 8>;
  double const* u;
  double* v;

  template <class Team>
  struct scratch {
    sumfac::detail::warp_scratch<Team> lines;
    typename support::matrix_team<Team>::matrices common;
  };

  template <class Team>
  void operator()(Team const& team, scratch<Team>& s, index_t) const
  {
    namespace d = sumfac::detail;
    typename Team::template per_thread<d::warp_part<double>, 8, 4> from, to, more;
    auto const all = [&](auto const& f) {
      team.each(d::warp_threads{}, [&](int a, int l) {
        for (int z = 0; z < 8; ++z)
          for (int i = 0; i < 2; ++i) f(a, l, z, i, (z * 8 + a) * 8 + l + 4 * i);
      });
    };
    all([&](int a, int l, int z, int i, int at) { from(a, l).value[z][i] = u[at], to(a, l).value[z][i] = -u[at]; });
    auto const work = [&](auto const& by) {
      if constexpr (Step == step::lines) d::warp_lines<first>(by, from, to, s.lines);
      if constexpr (Step == step::added) d::warp_lines<second, true>(by, from, to, s.lines);
      if constexpr (Step == step::columns) d::warp_columns<first, second>(by, from, to, more, s.lines);
      if constexpr (Step == step::second_columns) d::warp_columns<first, second>(by, from, more, to, s.lines);
      if constexpr (Step == step::turned) d::warp_transpose(by, from, s.lines), to = from;
    };
    if constexpr (ByMatrices)
      work(support::matrix_team<Team>{team, s.common});
    else
      work(team);
    all([&](int a, int l, int z, int i, int at) { v[at] = to(a, l).value[z][i]; });
  }
};

template <step Step, bool ByMatrices>
void check_warp()
{
  using kernel = warp_step<Step, ByMatrices>;
  std::vector<double> u(512), v(512);
  u = support::random<double>(512, 3);
  for (int line = 0; line < 64; ++line) u[static_cast<std::size_t>(8 * line + 7)] = 0;  // outside the tables
  sumfac::checked().launch(kernel{u.data(), v.data()}, 1);
  auto const at = [&](std::vector<double> const& x, int z, int a, int b) {
    return x[std::size_t((z * 8 + a) * 8 + b)];
  };
  // Column a of a matrix is place a / 2 of a part's four, or that and 4.
  auto const column_of = [](int b) { return b < 4 ? 2 * b : 2 * (b - 4) + 1; };
  for (int z = 0; z < 8; ++z)
    for (int a = 0; a < 8; ++a)
      for (int b = 0; b < 8; ++b) {
        long double sum = 0;
        for (int k = 0; k < 7; ++k) {
          if (Step == step::lines) sum += static_cast<long double>(entry(b, k)) * at(u, z, a, k);
          if (Step == step::columns) sum += static_cast<long double>(entry(a, k)) * at(u, z, column_of(b), k);
          if (Step == step::added && b < 5) sum += -2 * static_cast<long double>(entry(b, k)) * at(u, z, a, k);
          if (Step == step::second_columns && a < 5)
            sum += -2 * static_cast<long double>(entry(a, k)) * at(u, z, column_of(b), k);
        }
        if (Step == step::added) sum -= at(u, z, a, b);
        if (Step == step::turned) sum = at(u, z, b, a);
        INFO("step " << static_cast<int>(Step) << ", matrices " << ByMatrices << ", " << z << " " << a << " " << b);
        CHECK(std::abs(at(v, z, a, b) - static_cast<double>(sum)) <= 1e-13);
      }
}

template <step Step>
void check_warp_both()
{
  check_warp<Step, true>();
  check_warp<Step, false>();
}

}  // namespace

TEST_CASE("sweep: rectangular tables along each axis, in place, kept, transposed, added, of each line")
{
  check_axis<axis::x>();
  check_axis<axis::y>();
  check_axis<axis::z>();
}

TEST_CASE("sweep: a table along all axes, to more numbers, to fewer, to as many")
{
  check_all_axes<5, 3>();
  check_all_axes<2, 4>();
  check_all_axes<3, 3>();
}

TEST_CASE("sweep: the prefetching of the host has a step for each line")
{
  struct counted {
    int* steps;
    void step() const { ++*steps; }
  };
  using packed = sumfac::pack<double, sumfac::native_width<double>>;
  std::vector<double> u(size, 1.0);
  int steps = 0;
  sumfac::host::team<order_kernel<counted>> const team;
  auto const from = [&](int, int, int, int, int) { return packed(1.0); };
  auto const to = [](int, int, int, int, int, packed const&) {};
  sweep<axis::y>(team, box<elements, components, 3, 4>{}, lopsided<2, 3>{}, from, to, counted{&steps});
  CHECK(steps == elements * components * 3 * 4);
}

TEST_CASE("sweep: lines across a warp, by matrix products and by scratch")
{
  check_warp_both<step::lines>();
  check_warp_both<step::added>();
  check_warp_both<step::columns>();
  check_warp_both<step::second_columns>();
  check_warp_both<step::turned>();
}
