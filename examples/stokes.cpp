// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Stokes' equations in the plane by the Taylor-Hood pair: velocities of degree N, pressures of degree N - 1, MINRES.
#include <sumfac/sumfac.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

// [form]
// -(q, div u): u has two components, q one.
struct divergence {
  static constexpr auto trial = sumfac::gradient, test = sumfac::value;
  static constexpr int components = 2, test_components = 1;

  template <class T>
  struct factors {
    sumfac::matrix<T, 2> inverse;  // times the measure
  };

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T, 2> const& x) const
  {
    return {x.weight() * x.adjugate()};
  }

  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T, 1, 2> apply(factors<T> const& f,
                                                      sumfac::point_values<T, 2, 2> const& u) const
  {
    auto const& g = u.gradient;
    auto const& a = f.inverse;
    return {.value = -(g(0, 0) * a(0, 0) + g(0, 1) * a(1, 0) + g(1, 0) * a(0, 1) + g(1, 1) * a(1, 1))};
  }
};
// [form]

// The unit square, cells in the middle moved, and nodes of any degree on it.
struct square {
  int cells;
  sumfac::index_t elements = sumfac::index_t{cells} * cells;
  std::vector<double> vertices = {};  // (E, 2, 2, 2)

  explicit square(int per_edge) : cells(per_edge)
  {
    for (int e = 0; e < elements; ++e)
      for (int at = 0; at < 4; ++at) {
        double const a = (e % cells + at % 2) / double(cells), b = (e / cells + at / 2) / double(cells);
        double const bump = 0.4 * a * (1 - a) * b * (1 - b);
        vertices.push_back(a + bump * std::cos(3 * b)), vertices.push_back(b + bump * std::sin(3 * a));
      }
  }

  int nodes_of(int degree) const { return (cells * degree + 1) * (cells * degree + 1); }
  // (E, n, n), and for each node whether it is on the boundary.
  std::vector<std::int32_t> table(int degree) const
  {
    std::vector<std::int32_t> numbers;
    int const per_edge = cells * degree + 1;
    for (int e = 0; e < elements; ++e)
      for (int j = 0; j <= degree; ++j)
        for (int i = 0; i <= degree; ++i)
          numbers.push_back((e / cells * degree + j) * per_edge + e % cells * degree + i);
    return numbers;
  }
  std::vector<std::uint8_t> boundary(int degree) const
  {
    int const per_edge = cells * degree + 1;
    std::vector<std::uint8_t> marks;
    for (int at = 0; at < per_edge * per_edge; ++at) {
      int const i = at % per_edge, j = at / per_edge;
      marks.push_back(i == 0 || j == 0 || i + 1 == per_edge || j + 1 == per_edge);
    }
    return marks;
  }
  // The nodes' places (nodes, 2).
  std::vector<double> places(int degree) const
  {
    long double points[16];
    sumfac::gauss_lobatto_nodes{}(degree + 1, points);
    auto const numbers = table(degree);
    std::vector<double> xy(static_cast<std::size_t>(2 * nodes_of(degree)));
    for (std::size_t at = 0, e = 0; e < static_cast<std::size_t>(elements); ++e)
      for (int j = 0; j <= degree; ++j)
        for (int i = 0; i <= degree; ++i, ++at)
          for (std::size_t c = 0; c < 2; ++c) {
            double const s = (1 + double(points[i])) / 2, t = (1 + double(points[j])) / 2;
            double const* const v = &vertices[8 * e];
            xy[2 * static_cast<std::size_t>(numbers[at]) + c] =
                (1 - t) * ((1 - s) * v[c] + s * v[2 + c]) + t * ((1 - s) * v[4 + c] + s * v[6 + c]);
          }
    return xy;
  }
};

// The flow of the stream function a(x) a(y), a(t) = t^2 (1 - t)^2, which rests on the boundary, and its pressure.
double a(double t, int derivative)
{
  switch (derivative) {
    case 0: return t * t * (1 - t) * (1 - t);
    case 1: return 2 * t - 6 * t * t + 4 * t * t * t;
    case 2: return 2 - 12 * t + 12 * t * t;
    default: return -12 + 24 * t;
  }
}
double velocity(int c, double x, double y)
{
  return c == 0 ? a(x, 0) * a(y, 1) : -a(x, 1) * a(y, 0);
}
double pressure(double x, double y)
{
  return x * x * x - y * y * y;
}
double force(int c, double x, double y)
{
  return c == 0 ? -(a(x, 2) * a(y, 1) + a(x, 0) * a(y, 3)) + 3 * x * x
                : a(x, 3) * a(y, 0) + a(x, 1) * a(y, 2) - 3 * y * y;
}

using entries = sumfac::view<double, sumfac::extents<sumfac::dynamic_extent>>;

// The whole system on (velocities, pressures): K u + B^T p, B u.
template <class Viscous, class Divergence, class Restriction>
struct stokes {
  Viscous const& K;
  Divergence const& B;
  Restriction const &of_u, &of_p;

  // [apply]
  template <class From, class To>
  void apply(From const& x, To const& y) const
  {
    sumfac::index_t const velocities = of_u.size(), pressures = of_p.size();
    sumfac::view const u(x.data(), velocities), p(x.data() + velocities, pressures);
    sumfac::view const f(y.data(), velocities), mass_balance(y.data() + velocities, pressures);
    K.apply(of_u, u, f);
    B.apply_transposed_add(of_u, of_p, p, f);
    B.apply(of_p, of_u, u, mass_balance);
  }
  // [apply]
  sumfac::index_t size() const { return of_u.size() + of_p.size(); }
  sumfac::host const& backend() const { return of_u.backend(); }
};

struct errors {
  double velocity, pressure;
  long long iterations;
};

template <int Degree>
inline constexpr sumfac::spaces taylor_hood{.trial = sumfac::quadrilateral(Degree),
                                            .test = sumfac::quadrilateral(Degree - 1)};

template <int Degree>
errors solve(int cells)
{
  constexpr int n = Degree + 1;
  square const mesh(cells);
  sumfac::host const backend;
  auto const numbers_of_u = mesh.table(Degree), numbers_of_p = mesh.table(Degree - 1);
  auto const walls = mesh.boundary(Degree);
  sumfac::index_t const nodes = mesh.nodes_of(Degree), nodes_of_p = mesh.nodes_of(Degree - 1);
  // [operators]
  sumfac::view const vertices(mesh.vertices.data(), mesh.elements, 2, 2, 2);
  sumfac::view const table_of_u(numbers_of_u.data(), mesh.elements, n, n);
  sumfac::view const table_of_p(numbers_of_p.data(), mesh.elements, n - 1, n - 1);
  sumfac::restriction const of_u{backend, table_of_u, nodes, sumfac::view(walls.data(), nodes), {.components = 2}};
  sumfac::restriction const of_p{backend, table_of_p, nodes_of_p};
  sumfac::element_operator<sumfac::vector_laplace<2>, sumfac::quadrilateral(Degree)> const K{backend, vertices};
  sumfac::element_operator<divergence, taylor_hood<Degree>> const B{backend, vertices};
  // [operators]
  sumfac::element_operator<sumfac::vector_mass<2>, sumfac::quadrilateral(Degree)> const M{backend, vertices};
  sumfac::element_operator<sumfac::mass, sumfac::quadrilateral(Degree - 1)> const M_p{backend, vertices};
  sumfac::restriction const all_of_u{backend, table_of_u, nodes, {.components = 2}};

  auto const size = static_cast<std::size_t>(of_u.size() + of_p.size()),
             of_velocity = static_cast<std::size_t>(of_u.size());
  std::vector<double> f(of_velocity), b(size), x(size), d(size), exact(size), error(size), weighted(size);
  auto const velocities = [&](std::vector<double>& v) { return entries(v.data(), of_u.size()); };
  auto const pressures = [&](std::vector<double>& v) { return entries(v.data() + of_u.size(), of_p.size()); };
  auto const xy = mesh.places(Degree), xy_of_p = mesh.places(Degree - 1);
  for (std::size_t at = 0; at < of_velocity; ++at) {
    int const c = static_cast<int>(at % 2);
    f[at] = force(c, xy[at - at % 2], xy[at - at % 2 + 1]);
    exact[at] = velocity(c, xy[at - at % 2], xy[at - at % 2 + 1]);
  }
  for (std::size_t at = 0; at < xy_of_p.size() / 2; ++at)
    exact[of_velocity + at] = pressure(xy_of_p[2 * at], xy_of_p[2 * at + 1]);
  M.apply(all_of_u, entries(f.data(), of_u.size()), velocities(b));
  for (std::size_t at = 0; at < of_velocity; ++at)
    if (walls[at / 2]) b[at] = 0;
  K.diagonal(of_u, velocities(d));
  M_p.diagonal(of_p, pressures(d));

  stokes<decltype(K), decltype(B), decltype(of_u)> const A{K, B, of_u, of_p};
  sumfac::view const right(b.data(), A.size()), solution(x.data(), A.size()), diagonal(d.data(), A.size());
  auto const result = sumfac::minres(A, right, solution, sumfac::jacobi(backend, diagonal),
                                     {.iterations = 20000, .tolerance = 1e-11});
  if (result.status != sumfac::cg_status::converged) std::printf("%s\n", result.report().c_str());

  // Pressures are known up to a constant: errors without their mean.
  for (std::size_t at = 0; at < size; ++at) error[at] = x[at] - exact[at];
  M.apply(all_of_u, velocities(error), velocities(weighted));
  M_p.apply(of_p, pressures(error), pressures(weighted));
  double of_u_squared = 0, of_p_squared = 0, mean = 0;
  for (std::size_t at = 0; at < size; ++at) {
    (at < of_velocity ? of_u_squared : of_p_squared) += error[at] * weighted[at];
    if (at >= of_velocity) mean += weighted[at];
  }
  return {std::sqrt(of_u_squared), std::sqrt(of_p_squared - mean * mean), static_cast<long long>(result.iterations)};
}

template <int Degree>
bool show()
{
  errors const coarse = solve<Degree>(4), fine = solve<Degree>(8);
  double const order = std::log2(coarse.velocity / fine.velocity),
               order_of_p = std::log2(coarse.pressure / fine.pressure);
  std::printf("Q%d-Q%d  %10.3e  %5.2f  %10.3e  %5.2f  %6lld\n", Degree, Degree - 1, fine.velocity, order, fine.pressure,
              order_of_p, fine.iterations);
  return order > Degree + 1 - 0.3 && order_of_p > Degree - 0.3;
}

}  // namespace

int main()
{
  std::printf("pair    velocity  order    pressure  order  MINRES\n");
  bool right = show<2>();
  right = show<3>() && right;
  right = show<4>() && right;
  return right ? 0 : 1;
}
