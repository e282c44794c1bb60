// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A table along an axis beside sums in long double: rectangular tables of constants, kept and of each line, on the host
// and watched on `checked`.
#include <sumfac/backend/checked.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/tensor/kept_table.hpp>
#include <sumfac/tensor/sweep.hpp>

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
      worst = std::fmax(worst, static_cast<double>(
                                   std::fabs(v[static_cast<std::size_t>(i)] - expected[static_cast<std::size_t>(i)])));
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
