// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// I, D, w and their even-odd halves: sums, symmetry, exactness on polynomials, rounding, rules of the user's own.
#include <sumfac/basis/detail/tables.hpp>

#include <basis/exact_rules.hpp>
#include <basis/for_each_size.hpp>
#include <basis/radau.hpp>

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace {

using namespace sumfac;
using namespace sumfac::detail;

struct uneven {
  static constexpr int size = 5;
  static constexpr std::array<double, size> nodes = {-1, -0.625, -0.25, 0.5, 0.75};
};

// A table that forgot its shape, so that one function checks all.
template <class T>
struct matrix {
  int rows, cols;
  std::vector<T> entries;

  template <int Rows, int Cols>
  matrix(table<T, Rows, Cols> const& a) : rows(Rows), cols(Cols), entries(a.value[0], a.value[0] + Rows * Cols)
  {
  }

  T operator()(int r, int c) const { return entries[static_cast<std::size_t>(r * cols + c)]; }
};

template <class T>
struct split_matrix {
  int parity, even_rows, even_cols, odd_rows, odd_cols;
  matrix<T> full, even, odd;
};

template <class T>
struct basis {
  std::vector<exact::real> nodes, points;
  matrix<T> I, D;
  std::vector<split_matrix<T>> halves;  // of I, D, the derivative on the points and their transposes, where symmetric
};

// A table, as Make makes it, and its transpose.
template <int Parity, class T, class Make>
void add_halves(std::vector<split_matrix<T>>& all, Make)
{
  auto const add = [&](auto const& a, auto const& h) {
    all.push_back({Parity, h.even_rows, h.even_cols, h.odd_rows, h.odd_cols, a, h.even, h.odd});
  };
  static constexpr auto a = Make{}();
  static constexpr auto halves = make_even_odd<Parity>(a);
  static constexpr auto transposed = transpose(a);
  static constexpr auto transposed_halves = make_even_odd<Parity>(transposed);
  add(a, halves);
  add(transposed, transposed_halves);
}

template <class T, class Nodes, class Points>
basis<T> make_basis()
{
  static constexpr auto I = interpolation<T, Nodes, Points>();
  static constexpr auto D = differentiation<T, Nodes, Points>();
  static_assert(I.rows == Points::size && I.cols == Nodes::size && D.rows == Points::size && D.cols == Nodes::size);
  basis<T> b{{Nodes::nodes.begin(), Nodes::nodes.end()}, {Points::nodes.begin(), Points::nodes.end()}, I, D, {}};
  if constexpr (is_symmetric<Nodes> && is_symmetric<Points>) {
    add_halves<1>(b.halves, [] { return interpolation<T, Nodes, Points>(); });
    add_halves<-1>(b.halves, [] { return differentiation<T, Nodes, Points>(); });
    add_halves<-1>(b.halves, [] { return collocated_derivative<T, Points>(); });
  }
  return b;
}

// Degrees 1 to 15 on the rules they are used with; rules of one point; rules that are not symmetric; the largest.
template <class T>
std::vector<basis<T>> all_bases()
{
  std::vector<basis<T>> all;
  for_each_size<1, 15>([&](auto order) {
    constexpr int n = order() + 1;
    all.push_back(make_basis<T, gauss_lobatto<n>, gauss<n + 1>>());
    all.push_back(make_basis<T, gauss_lobatto<n>, gauss_lobatto<n>>());
    if constexpr (std::is_same_v<T, double> && n <= 9) {
      all.push_back(make_basis<T, gauss_lobatto<n>, gauss<n>>());
      all.push_back(make_basis<T, equispaced<n>, gauss_lobatto<n + 1>>());
    }
  });
  all.push_back(make_basis<T, gauss<1>, gauss<1>>());
  all.push_back(make_basis<T, gauss<1>, gauss<2>>());
  all.push_back(make_basis<T, gauss_lobatto<2>, gauss<1>>());
  all.push_back(make_basis<T, gauss_lobatto<4>, radau>());
  all.push_back(make_basis<T, radau, gauss<4>>());
  all.push_back(make_basis<T, radau, radau>());
  all.push_back(make_basis<T, uneven, gauss_lobatto<6>>());
  all.push_back(make_basis<T, uneven, uneven>());
  all.push_back(make_basis<T, gauss_lobatto<31>, gauss<32>>());
  return all;
}

// A number and the sum of the magnitudes of the terms it was summed from, which rounding is measured by.
struct sum {
  exact::real value = 0, size = 0;

  void add(exact::real term)
  {
    value += term;
    size += term < 0 ? -term : term;
  }
};

double magnitude(exact::real x) { return static_cast<double>(x < 0 ? -x : x); }

// The product over the nodes k, without c, of (x - x_k) / (x_c - x_k); for one of them of 1 / (x_c - x_k) only.
exact::real product(std::vector<exact::real> const& nodes, std::size_t c, exact::real x, std::size_t skipped)
{
  exact::real result = 1;
  for (std::size_t k = 0; k < nodes.size(); ++k)
    if (k != c) result *= (k == skipped ? 1 : x - nodes[k]) / (nodes[c] - nodes[k]);
  return result;
}

exact::real power(exact::real x, int n)
{
  exact::real p = 1;
  for (int i = 0; i < n; ++i) p *= x;
  return p;
}

// Every entry, from the definition in wider arithmetic: off by no more than one rounding to T and what 4 n operations
// in long double lose.
template <class T>
void check_entries(basis<T> const& b)
{
  INFO(b.nodes.size() << " nodes, " << b.points.size() << " points");
  double const half_ulp = std::numeric_limits<T>::epsilon() / 2;
  double const computed = static_cast<double>(b.nodes.size()) * 4 * double(std::numeric_limits<long double>::epsilon());
  for (int r = 0; r < b.I.rows; ++r)
    for (int c = 0; c < b.I.cols; ++c) {
      auto const x = b.points[static_cast<std::size_t>(r)];
      auto const j = static_cast<std::size_t>(c);
      auto const value = product(b.nodes, j, x, b.nodes.size());
      sum slope;
      for (std::size_t m = 0; m < b.nodes.size(); ++m)
        if (m != j) slope.add(product(b.nodes, j, x, m));
      INFO("row " << r << ", column " << c);
      CHECK(magnitude(b.I(r, c) - value) <= (half_ulp + computed) * magnitude(value));
      CHECK(magnitude(b.D(r, c) - slope.value) <= half_ulp * magnitude(slope.value) + computed * magnitude(slope.size));
    }
}

// Polynomials to the degree that the nodes carry are interpolated and differentiated exactly. Degree 0 says: rows of I
// sum to 1 and rows of D to 0.
template <class T>
void check_polynomials(basis<T> const& b)
{
  double const rounding = std::numeric_limits<T>::epsilon();
  for (int degree = 0; degree < b.I.cols; ++degree)
    for (int r = 0; r < b.I.rows; ++r) {
      sum value, slope;
      for (int c = 0; c < b.I.cols; ++c) {
        auto const u = power(b.nodes[static_cast<std::size_t>(c)], degree);
        value.add(b.I(r, c) * u);
        slope.add(b.D(r, c) * u);
      }
      INFO(b.nodes.size() << " nodes, " << b.points.size() << " points, x^" << degree << " at point " << r);
      auto const x = b.points[static_cast<std::size_t>(r)];
      auto const expected = degree == 0 ? 0 : degree * power(x, degree - 1);
      CHECK(magnitude(value.value - power(x, degree)) <= rounding * magnitude(value.size));
      CHECK(magnitude(slope.value - expected) <= rounding * magnitude(slope.size));
    }
}

template <class T>
void check_symmetry(split_matrix<T> const& a)
{
  int const rows = a.full.rows, cols = a.full.cols;
  INFO(rows << " x " << cols << " table of parity " << a.parity);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) CHECK(a.full(rows - 1 - r, cols - 1 - c) == T(a.parity) * a.full(r, c));
}

// out = A u by the halves, as the text of even_odd tells it.
template <class T>
std::vector<T> product_by_halves(split_matrix<T> const& a, std::vector<T> const& u)
{
  auto const rows = static_cast<std::size_t>(a.full.rows), cols = u.size();
  auto const even = [&](std::size_t r) {
    T s = 0;
    for (std::size_t c = 0; c < static_cast<std::size_t>(a.even_cols); ++c)
      s += a.even(int(r), int(c)) * (2 * c + 1 == cols ? u[c] : u[c] + u[cols - 1 - c]);
    return s;
  };
  auto const odd = [&](std::size_t r) {
    T s = 0;
    for (std::size_t c = 0; c < static_cast<std::size_t>(a.odd_cols); ++c)
      s += a.odd(int(r), int(c)) * (u[c] - u[cols - 1 - c]);
    return s;
  };
  std::vector<T> out(rows);
  for (std::size_t r = 0; r < rows / 2; ++r) {
    T const e = even(r), o = odd(r);
    out[r] = e + o;
    out[rows - 1 - r] = a.parity > 0 ? e - o : o - e;
  }
  if (rows % 2 == 1) out[rows / 2] = a.parity > 0 ? even(rows / 2) : odd(rows / 2);
  return out;
}

template <class T>
void check_halves(split_matrix<T> const& a)
{
  int const rows = a.full.rows, cols = a.full.cols;
  INFO(rows << " x " << cols << " table of parity " << a.parity);
  std::mt19937 random(17);
  std::uniform_real_distribution<T> uniform(-1, 1);
  std::vector<T> u(static_cast<std::size_t>(cols));
  for (T& x : u) x = uniform(random);

  auto const out = product_by_halves(a, u);
  for (int r = 0; r < rows; ++r) {
    sum full;
    exact::real terms = 0;  // each half carries the entries and the values of both columns of a pair
    for (int c = 0; c < cols; ++c) {
      T const x = u[static_cast<std::size_t>(c)], mirrored = u[static_cast<std::size_t>(cols - 1 - c)];
      full.add(exact::real(a.full(r, c)) * x);
      terms += std::fabs(a.full(r, c)) * (std::fabs(x) + std::fabs(mirrored));
    }
    INFO("row " << r);
    double const rounding = (cols + 3) * double(std::numeric_limits<T>::epsilon()) / 2;
    CHECK(magnitude(out[static_cast<std::size_t>(r)] - full.value) <= rounding * magnitude(terms));
  }
}

template <class T>
void check_zeros_beyond(split_matrix<T> const& a)
{
  for (int r = 0; r < a.even.rows; ++r)
    for (int c = 0; c < a.even.cols; ++c) {
      if (r >= a.even_rows || c >= a.even_cols) CHECK(a.even(r, c) == 0);
      if (r >= a.odd_rows || c >= a.odd_cols) CHECK(a.odd(r, c) == 0);
    }
}

}  // namespace

TEST_CASE("tables: by hand")
{
  static constexpr auto I = interpolation<double, equispaced<3>, equispaced<5>>();
  static constexpr double expected[5][3] = {
      {1, 0, 0}, {0.375, 0.75, -0.125}, {0, 1, 0}, {-0.125, 0.75, 0.375}, {0, 0, 1}};
  static constexpr auto D = collocated_derivative<double, gauss_lobatto<3>>();
  static constexpr double slopes[3][3] = {{-1.5, 2, -0.5}, {-0.5, 0, 0.5}, {0.5, -2, 1.5}};
  for (int c = 0; c < 3; ++c) {
    for (int r = 0; r < 5; ++r) CHECK(I(r, c) == expected[r][c]);
    for (int r = 0; r < 3; ++r) CHECK(D(r, c) == slopes[r][c]);
  }
  static constexpr auto w = quadrature_weights<double, gauss_lobatto<3>>();
  static_assert(w.rows == 1 && w.cols == 3 && w(0) == 1 / 3.0 && w(1) == 4 / 3.0 && w(0, 2) == 1 / 3.0);
  static constexpr auto x = coordinates<float, uneven>();
  static_assert(x.rows == 1 && x.cols == 5 && x(0) == -1 && x(3) == 0.5F);
}

TEST_CASE("make_even_odd: by hand")
{
  static constexpr table<double, 2, 3> a{{{1, 2, 5}, {5, 2, 1}}};
  static constexpr auto h = make_even_odd<1>(a);
  static_assert(h.even.rows == 1 && h.even_rows == 1 && h.even_cols == 2 && h.odd_rows == 1 && h.odd_cols == 1);
  static_assert(h.even(0, 0) == 3 && h.even(0, 1) == 2 && h.odd(0, 0) == -2 && h.odd(0, 1) == 0);

  static constexpr table<double, 3, 2> b{{{1, 5}, {2, -2}, {-5, -1}}};
  static constexpr auto g = make_even_odd<-1>(b);
  static_assert(g.even.rows == 2 && g.even_rows == 1 && g.even_cols == 1 && g.odd_rows == 2 && g.odd_cols == 1);
  static_assert(g.even(0, 0) == 3 && g.even(1, 0) == 0 && g.odd(0, 0) == -2 && g.odd(1, 0) == 2);

  static constexpr auto t = transpose(b);
  static_assert(t.rows == 2 && t.cols == 3 && t(0, 2) == -5 && t(1, 0) == 5);
}

TEMPLATE_TEST_CASE("tables: every entry is right to one rounding", "", float, double)
{
  for (auto const& b : all_bases<TestType>()) check_entries(b);
}

TEMPLATE_TEST_CASE("tables: polynomials are interpolated and differentiated exactly", "", float, double)
{
  for (auto const& b : all_bases<TestType>()) check_polynomials(b);
}

TEMPLATE_TEST_CASE("tables: symmetric to the bit, and the even-odd product is the full one", "", float, double)
{
  for (auto const& b : all_bases<TestType>())
    for (auto const& a : b.halves) {
      check_symmetry(a);
      check_halves(a);
      check_zeros_beyond(a);
    }
}

TEST_CASE("tables: collocated interpolation is the identity")
{
  for_each_size<2, 32>([](auto n) {
    static constexpr auto I = interpolation<double, gauss_lobatto<n()>, gauss_lobatto<n()>>();
    bool identity = true;
    for (int r = 0; r < n; ++r)
      for (int c = 0; c < n; ++c) identity = identity && I(r, c) == (r == c);
    INFO(n << " points");
    CHECK(identity);
  });
}

TEST_CASE("tables: weights and coordinates are the rule's, rounded once")
{
  static constexpr auto w = quadrature_weights<float, radau>();
  static constexpr auto x = coordinates<double, radau>();
  for (int i = 0; i < 3; ++i) {
    CHECK(w(i) == static_cast<float>(radau::weights[static_cast<std::size_t>(i)]));
    CHECK(x(i) == static_cast<double>(radau::nodes[static_cast<std::size_t>(i)]));
  }
}
