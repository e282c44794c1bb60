// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Edge elements as a user would bring them: a dof_map with signs, and rows where wanted; a kernel that sweeps over
// blocks of different extents; and what they must give, from the definition of the fields in long double.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/basis/detail/placed_nodes.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/dofs/dof_map.hpp>
#include <sumfac/dofs/restriction/device_restriction.hpp>
#include <sumfac/dofs/restriction/host_restriction.hpp>
#include <sumfac/tensor/kept_table.hpp>
#include <sumfac/tensor/sweep.hpp>

#include <support/larger.hpp>
#include <support/moved.hpp>
#include <support/random.hpp>
#include <support/rules.hpp>

#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

namespace edges {

using reference::real;
using sumfac::dof_extras, sumfac::index_t, sumfac::row_term, sumfac::detail::node_box;

// Cells of a lattice whose elements have axes of their own: local direction d lies along the lattice's axis axes[d],
// or against it.
struct cell {
  std::array<int, 3> at, axes, ways;
};

struct mesh {
  std::array<int, 3> counts;
  int degree;
  std::vector<cell> cells;
  std::vector<index_t> numbers;  // of the lattice's degrees of freedom, in any order

  // Places of the lattice that direction b of the degrees of freedom along axis a has.
  int extent(int a, int b) const { return counts[std::size_t(b)] * degree + (a == b ? 0 : 1); }
  index_t along(int a) const { return index_t{extent(a, 0)} * extent(a, 1) * extent(a, 2); }
  index_t size() const { return along(0) + along(1) + along(2); }
  // The one along axis a at that place.
  index_t number(int a, std::array<int, 3> const& at) const
  {
    index_t first = 0;
    for (int b = 0; b < a; ++b) first += along(b);
    return numbers[std::size_t(first + (at[2] * extent(a, 1) + at[1]) * extent(a, 0) + at[0])];
  }
};

inline mesh turned_mesh(std::array<int, 3> counts, int degree, std::uint64_t seed)
{
  support::generator next(seed);
  auto const below = [&](std::size_t n) { return std::size_t(next.bits() % n); };
  mesh m{counts, degree, {}, {}};
  for (int z = 0; z < counts[2]; ++z)
    for (int y = 0; y < counts[1]; ++y)
      for (int x = 0; x < counts[0]; ++x) {
        cell c{{x, y, z}, {0, 1, 2}, {}};
        std::swap(c.axes[0], c.axes[below(3)]), std::swap(c.axes[1], c.axes[1 + below(2)]);
        for (int& way : c.ways) way = below(2) == 0 ? 1 : -1;
        m.cells.push_back(c);
      }
  for (index_t i = 0; i < m.size(); ++i) m.numbers.push_back(i);
  for (std::size_t i = m.numbers.size(); i > 1; --i) std::swap(m.numbers[i - 1], m.numbers[below(i)]);
  return m;
}

// A model of dof_map: blocks of degree x (degree + 1) x (degree + 1) and its turns.
template <dof_extras Extras>
struct edge_map {
  static constexpr dof_extras extras = Extras;

  mesh const& of;
  std::vector<index_t> indices;
  std::vector<bool> against;
  std::vector<std::vector<row_term>> rows = std::vector<std::vector<row_term>>(std::size_t(of.size()));
  std::vector<bool> marks = {};

  explicit edge_map(mesh const& m) : of(m)
  {
    for (cell const& e : m.cells)
      for (int d = 0; d < 3; ++d) {
        int const n[3] = {m.degree + (d == 0 ? 0 : 1), m.degree + (d == 1 ? 0 : 1), m.degree + (d == 2 ? 0 : 1)};
        for (int p = 0; p < n[0] * n[1] * n[2]; ++p) {
          int const local[3] = {p % n[0], p / n[0] % n[1], p / n[0] / n[1]};
          std::array<int, 3> place{};
          for (std::size_t b = 0; b < 3; ++b) {
            int const forward = e.ways[b] > 0 ? local[b] : n[b] - 1 - local[b];
            auto const axis = std::size_t(e.axes[b]);
            place[axis] = e.at[axis] * m.degree + forward;
          }
          indices.push_back(m.number(e.axes[std::size_t(d)], place));
          against.push_back(e.ways[std::size_t(d)] < 0);
        }
      }
  }

  index_t elements() const { return index_t(of.cells.size()); }
  index_t nodes() const { return of.size(); }
  int components() const { return 1; }
  node_box box() const { return {3 * of.degree * (of.degree + 1) * (of.degree + 1), 1, 1}; }
  index_t const* element(index_t e) const { return indices.data() + e * box().x; }
  index_t operator()(index_t e, index_t p) const { return element(e)[p]; }
  bool minus(index_t e, index_t p) const { return against[std::size_t(e * box().x + p)]; }
  bool has_marks() const { return !marks.empty(); }
  bool partly_constrained() const { return false; }
  bool constrained(index_t i, int) const { return has_marks() && marks[std::size_t(i)]; }
  bool has_rows() const { return has_marks(); }
  std::vector<row_term> const& row(index_t i, int) const { return rows[std::size_t(i)]; }

  // Some entries are 0, and with rows others the sum of a few that are free.
  void constrain(std::uint64_t seed)
  {
    support::generator next(seed);
    marks.assign(std::size_t(nodes()), false);
    for (auto&& mark : marks) mark = next.bits() % 5 == 0;
    for (std::size_t i = 0; Extras.rows && i < marks.size(); ++i)
      for (int t = 0; marks[i] && i % 3 != 0 && t < 3; ++t)
        if (auto const j = next.bits() % marks.size(); !marks[j]) rows[i].push_back({index_t(j), 0, next()});
  }
};

// The space's blocks as the library has them, and points of which there are others along each direction.
template <int Degree>
struct edge_space {
  using side = sumfac::detail::function_side<sumfac::edge_hexahedron(Degree), 3>;
  using points = std::tuple<sumfac::gauss<Degree + 2>, sumfac::gauss<Degree + 1>, sumfac::gauss<Degree + 3>>;
  template <int Direction>
  using points_along = std::tuple_element_t<Direction, points>;
  static constexpr int qx = points_along<0>::size, qy = points_along<1>::size, qz = points_along<2>::size;
  static constexpr int points_of_element = qx * qy * qz;

  template <int Block>
  struct tables {
    template <int Direction>
    using along =
        sumfac::kept_table<sumfac::interpolate<double, typename side::template block<Block>::template nodes<Direction>,
                                               points_along<Direction>>>;
    along<0> x;
    along<1> y;
    along<2> z;
  };
};

// v = B^T W B u: B the values at the points, which are kept, and W weights there.
template <int Degree, class Exchange>
struct edge_kernel : edge_space<Degree>::template tables<0>,
                     edge_space<Degree>::template tables<1>,
                     edge_space<Degree>::template tables<2> {
  using scalar = double;
  using where = edge_space<Degree>;
  static constexpr int n = Degree + 1, qx = where::qx, qy = where::qy, qz = where::qz, threads = 64;

  Exchange exchange;

  template <class Team>
  struct scratch {
    typename Team::template shared<typename Team::scalar, 1, 1, qz, (n > qy ? n : qy), (n > qx ? n : qx)> cube;
    typename Exchange::template scratch<Team> exchanged;
  };

  template <class Team>
  SUMFAC_FUNCTION void operator()(Team const& team, scratch<Team>& s, index_t group) const
  {
    auto const vectors = exchange.vectors_of(team, s.exchanged, group);
    block<0>(team, s, vectors), block<1>(team, s, vectors), block<2>(team, s, vectors);
    exchange.finish(team, s.exchanged, group);
  }

private:
  template <int Block, class Team, class Vectors>
  SUMFAC_INLINE void block(Team const& team, scratch<Team>& s, Vectors const& vectors) const
  {
    using sumfac::axis, sumfac::box, sumfac::sweep;
    using of = typename where::side::template block<Block>;
    typename where::template tables<Block> const& t = *this;
    auto const place = [](int k, int j, int i)
                           SUMFAC_LAMBDA { return of::first + (k * of::box.y + j) * of::box.x + i; };
    auto const from = [&](int, int, int k, int j, int i) SUMFAC_LAMBDA { return vectors.read(place(k, j, i)); };
    auto const to = [&](int, int, int k, int j, int i, auto const& v)
                        SUMFAC_LAMBDA { vectors.write(place(k, j, i), v); };
    team.phase("to the points");
    sweep<axis::x>(team, box<1, 1, of::box.z, of::box.y>{}, t.x.forward(), from, s.cube);
    team.sync();
    sweep<axis::y>(team, box<1, 1, of::box.z, qx>{}, t.y.forward(), s.cube, s.cube);
    team.sync();
    sweep<axis::z>(team, box<1, 1, qy, qx>{}, t.z.forward(), s.cube, s.cube);
    team.sync();
    team.phase("weights");
    team.each(box<qz, qy, qx>{}, [&](int k, int j, int i) {
      typename Team::scalar const value = s.cube(0, 0, k, j, i);
      s.cube(0, 0, k, j, i) = vectors.weighted(((Block * qz + k) * qy + j) * qx + i, value);
    });
    team.sync();
    team.phase("back");
    sweep<axis::z>(team, box<1, 1, qy, qx>{}, t.z.backward(), s.cube, s.cube);
    team.sync();
    sweep<axis::y>(team, box<1, 1, of::box.z, qx>{}, t.y.backward(), s.cube, s.cube);
    team.sync();
    sweep<axis::x>(team, box<1, 1, of::box.z, of::box.y>{}, t.x.backward(), s.cube, to);
    team.sync();
  }
};

// Weights (E, 3, points) and values at the points, in memory that kernels can touch.
struct at_points {
  double const* weights;
  double* values;
  index_t of_element, elements;

  SUMFAC_INLINE double weighted(index_t e, int at, double value) const
  {
    if (e >= elements) return 0;
    values[e * of_element + at] = value;
    return weights[e * of_element + at] * value;
  }
};

// Groups of elements in packs, by the host's tables.
template <int Degree, dof_extras Extras>
struct host_exchange {
  static constexpr int width = sumfac::native_width<double>;
  static constexpr int entries = edge_space<Degree>::side::entries_of_element;
  using packed = sumfac::pack<double, width>;

  sumfac::detail::lane_sweep<double, width, Extras> lanes;
  at_points points;

  template <class Team>
  struct scratch {
    typename Team::template shared<packed, entries> u, v;
  };
  struct vectors {
    packed const* u;
    packed* v;
    at_points const& points;
    index_t first;
    packed read(int p) const { return u[p]; }
    void write(int p, packed const& value) const { v[p] = value; }
    packed weighted(int at, packed value) const
    {
      for (int l = 0; l < width; ++l) value.set(l, points.weighted(first + l, at, value[l]));
      return value;
    }
  };

  template <class Team>
  vectors vectors_of(Team const&, scratch<Team>& s, index_t group) const
  {
    lanes.template gather<0, 0, 0>(group, s.u.entries);
    return {s.u.entries, s.v.entries, points, group * width};
  }
  template <class Team>
  void finish(Team const&, scratch<Team>& s, index_t group) const
  {
    lanes.template add<0, 0, 0>(group, s.v.entries);
  }
};

// An element each, by the table of devices.
template <dof_extras Extras>
struct device_exchange {
  sumfac::detail::device_table<double, Extras> table;
  double const* x;
  double* y;
  at_points points;

  template <class Team>
  struct scratch {};
  struct vectors {
    device_exchange const& of;
    index_t e;
    SUMFAC_INLINE double read(int p) const { return of.table.read(of.x, e, 0, p); }
    SUMFAC_INLINE void write(int p, double v) const { of.table.add(of.y, e, 0, p, v); }
    SUMFAC_INLINE double weighted(int at, double v) const { return of.points.weighted(e, at, v); }
  };

  template <class Team>
  SUMFAC_INLINE vectors vectors_of(Team const&, scratch<Team>&, index_t group) const
  {
    return {*this, group};
  }
  template <class Team>
  SUMFAC_INLINE void finish(Team const&, scratch<Team>&, index_t) const
  {
  }
};

// y = R^T B^T W B R x.
template <int Degree, dof_extras Extras, class Backend>
void apply(Backend const& backend, sumfac::detail::restriction_storage<double, Backend, Extras> const& r,
           at_points const& points, double const* x, double* y)
{
  using namespace sumfac::detail;
  if constexpr (std::is_same_v<Backend, sumfac::host>) {
    edge_kernel<Degree, host_exchange<Degree, Extras>> kernel{};
    kernel.exchange.lanes = r.lanes(x, y);
    kernel.exchange.points = points;
    r.sweep(x, y, sweep_mode::write, row_action::zero, [&](index_t const* group, index_t const* last, auto const&) {
      run_groups(kernel, [&](auto&, auto const& run) {
        for (index_t const* g = group; g != last; ++g) run(*g);
      });
    });
  } else {
    edge_kernel<Degree, device_exchange<Extras>> kernel{};
    kernel.exchange = {r.table(), x, y, points};
    r.sweep(1, x, y, sweep_mode::write, row_action::zero, [&](index_t const* groups, index_t count) {
      if (groups == nullptr)
        backend.launch(kernel, count);
      else
        backend.launch(listed_kernel<decltype(kernel)>{kernel, groups}, count);
    });
  }
}

// What the definitions say. Component a of a field, a lattice's axis, is in a cell the sum over degrees of freedom
// along a of their entry times the Lagrange polynomials of Gauss nodes along a and of Gauss-Lobatto nodes along the
// others. An element's component d is that of its direction d: of the axis it lies along, negative where it lies
// against it.
class definition {
public:
  explicit definition(mesh const& m)
      : m_(m), along_(reference::gauss(m.degree).nodes), across_(reference::gauss_lobatto(m.degree + 1).nodes)
  {
  }

  // f(index, value) for all basis functions of component d of cell e at its point xi.
  template <class Function>
  void for_each(cell const& e, int d, std::array<real, 3> const& xi, Function const& f) const
  {
    int const a = e.axes[std::size_t(d)];
    std::array<real, 3> r{};
    for (std::size_t b = 0; b < 3; ++b) r[std::size_t(e.axes[b])] = e.ways[b] * xi[b];
    std::array<int, 3> at{};
    for (at[2] = 0; at[2] < m_.extent(a, 2); ++at[2])
      for (at[1] = 0; at[1] < m_.extent(a, 1); ++at[1])
        for (at[0] = 0; at[0] < m_.extent(a, 0); ++at[0]) {
          real value = e.ways[std::size_t(d)];
          for (std::size_t b = 0; b < 3; ++b) value *= polynomial(a == int(b), at[b] - e.at[b] * m_.degree, r[b]);
          if (value != 0) f(m_.number(a, at), value);
        }
  }

private:
  real polynomial(bool is_along, int i, real x) const
  {
    auto const& nodes = is_along ? along_ : across_;
    return i < 0 || i >= int(nodes.size()) ? 0 : reference::lagrange_value(nodes, std::size_t(i), x);
  }

  mesh const& m_;
  std::vector<real> along_, across_;
};

// A sum and that of its terms' sizes, against which rounding is measured.
struct bounded {
  real value = 0, size = 0;
  void add(real a, real size_of_a) { value += a, size += size_of_a; }
  void add(real a) { add(a, std::fabs(a)); }
};

inline void check_close(std::vector<double> const& got, std::vector<bounded> const& expected)
{
  REQUIRE(got.size() == expected.size());
  real worst = 0, largest = 0, least = 0;
  constexpr real rounding = std::numeric_limits<double>::epsilon();
  for (bounded const& of : expected) least = support::larger(least, rounding * of.size);
  for (std::size_t i = 0; i < got.size(); ++i) {
    real const allowed = 16 * rounding * (expected[i].size + least);
    worst = support::larger(worst, std::fabs(real(got[i]) - expected[i].value) - allowed);
    largest = support::larger(largest, std::fabs(expected[i].value));
  }
  CHECK(worst <= 0);
  CHECK(largest > 0);
}

// Values at the points, and what comes of them, for x and random weights.
template <int Degree, class Map>
void check_map(mesh const& m, Map const& map, std::vector<double> const& x, std::vector<double> const& weights,
               std::vector<double> const& values, std::vector<double> const& y)
{
  using where = edge_space<Degree>;
  definition const fields(m);
  std::array<std::vector<real>, 3> const points{reference::gauss(where::qx).nodes, reference::gauss(where::qy).nodes,
                                                reference::gauss(where::qz).nodes};
  // x, with what its constrained entries are.
  std::vector<bounded> whole(x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!map.constrained(index_t(i), 0))
      whole[i].add(x[i]);
    else if (map.extras.rows)
      for (row_term const& t : map.row(index_t(i), 0)) whole[i].add(real(t.weight) * x[std::size_t(t.index)]);
  std::vector<bounded> expected_values, before(x.size()), expected(x.size());
  std::size_t at = 0;
  for (cell const& e : m.cells)
    for (int d = 0; d < 3; ++d)
      for (int q = 0; q < where::points_of_element; ++q, ++at) {
        std::array<real, 3> const xi{points[0][std::size_t(q % where::qx)],
                                     points[1][std::size_t(q / where::qx % where::qy)],
                                     points[2][std::size_t(q / where::qx / where::qy)]};
        bounded value;
        std::vector<std::pair<index_t, real>> functions;
        fields.for_each(e, d, xi, [&](index_t i, real phi) {
          value.add(phi * whole[std::size_t(i)].value, std::fabs(phi) * whole[std::size_t(i)].size);
          functions.emplace_back(i, phi);
        });
        expected_values.push_back(value);
        for (auto const& [i, phi] : functions)
          before[std::size_t(i)].add(phi * weights[at] * value.value, std::fabs(phi * weights[at]) * value.size);
      }
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!map.constrained(index_t(i), 0))
      expected[i].add(before[i].value, before[i].size);
    else if (map.extras.rows)
      for (row_term const& t : map.row(index_t(i), 0))
        expected[std::size_t(t.index)].add(real(t.weight) * before[i].value, std::fabs(t.weight) * before[i].size);
  check_close(values, expected_values);
  check_close(y, expected);
}

// Gather, sweep, scatter of a map with those extras.
template <int Degree, dof_extras Extras, class Backend>
void check_edges(Backend const& backend, std::array<int, 3> counts, bool constrains,
                 sumfac::restriction_options const& options, std::uint64_t seed)
{
  mesh const m = turned_mesh(counts, Degree, seed);
  edge_map<Extras> map(m);
  static_assert(sumfac::dof_map<edge_map<Extras>>);
  REQUIRE(edge_space<Degree>::side::entries_of_element == map.box().all());
  if (constrains) map.constrain(seed + 1);
  sumfac::detail::restriction_storage<double, Backend, Extras> const r(
      backend, map, sumfac::detail::all_elements(map.elements()), options);

  auto const size = std::size_t(map.nodes());
  index_t const of_element = 3 * edge_space<Degree>::points_of_element;
  auto const x = support::random<double>(size, seed + 2);
  auto const weights = support::random<double>(std::size_t(of_element * map.elements()), seed + 3);
  std::vector<double> values(weights.size()), y(size, std::numeric_limits<double>::quiet_NaN());
  support::on_backend(backend, weights, values, [&](double const* w, double* at) {
    support::on_backend(backend, x, y, [&](double const* from, double* to) {
      apply<Degree, Extras>(backend, r, {w, at, of_element, map.elements()}, from, to);
    });
  });
  check_map<Degree>(m, map, x, weights, values, y);

  // Alone: each is the other's transpose.
  auto const v = support::random<double>(std::size_t(map.box().x * map.elements()), seed + 4);
  std::vector<double> u(v.size()), w(size);
  auto const e_vector = [&]<class T>(T* data) {
    return sumfac::detail::element_vector<T>{
        .data = data, .elements = map.elements(), .block_stride = map.box().x, .stride_i = 1};
  };
  support::on_backend(backend, x, u, [&](double const* from, double* to) { r.gather(from, e_vector(to)); });
  support::on_backend(backend, v, w, [&](double const* from, double* to) {
    r.scatter(e_vector(from), to, sumfac::detail::sweep_mode::write);
  });
  bounded by_elements, by_entries;
  for (std::size_t i = 0; i < u.size(); ++i) by_elements.add(real(u[i]) * v[i]);
  for (std::size_t i = 0; i < w.size(); ++i) by_entries.add(real(w[i]) * x[i]);
  CHECK(std::fabs(by_elements.value - by_entries.value) <=
        8 * std::numeric_limits<double>::epsilon() * (by_elements.size + by_entries.size));
}

}  // namespace edges
