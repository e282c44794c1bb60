// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Much of the library, compiled once for each target. PART names the functions; the numbers are the same in all.
#include "part.hpp"

#include <sumfac/sumfac.hpp>

namespace {

using sumfac::buffer, sumfac::host, sumfac::index_t, sumfac::view;

constexpr int cells = 3, order = 2, n = order + 1, elements = cells * cells * cells;
constexpr int points = cells * order + 1, nodes = points * points * points;

// The unit cube, and the numbers of its nodes; those on its surface are marked.
struct cube {
  buffer<double> vertices{elements * 24};
  buffer<int> table{elements * n * n * n};
  buffer<unsigned char> marks{nodes};

  cube()
  {
    for (int e = 0; e < elements; ++e) {
      int const at[3] = {e % cells, e / cells % cells, e / (cells * cells)};
      for (int vertex = 0; vertex < 8; ++vertex)
        for (int d = 0; d < 3; ++d)
          vertices.data()[e * 24 + vertex * 3 + d] = (at[d] + (vertex >> d) % 2) / double{cells};
      for (int node = 0; node < n * n * n; ++node) {
        int const x = at[0] * order + node % n, y = at[1] * order + node / n % n, z = at[2] * order + node / (n * n);
        table.data()[e * n * n * n + node] = (z * points + y) * points + x;
      }
    }
    for (int node = 0; node < nodes; ++node)
      marks.data()[node] =
          outside(node % points) || outside(node / points % points) || outside(node / (points * points)) ? 1 : 0;
  }

  static bool outside(int i) { return i == 0 || i == points - 1; }

  auto corners() const { return view<double const, sumfac::dextents<5>>(vertices.data(), elements, 2, 2, 2, 3); }
  auto numbers() const { return view<int const, sumfac::dextents<4>>(table.data(), elements, n, n, n); }
  auto surface() const { return view<unsigned char const, sumfac::dextents<1>>(marks.data(), nodes); }
};

// Collects what the program compares.
struct collector {
  double* numbers;
  int count = 0;

  void add(double number) { numbers[count++] = number; }
};

double sum(buffer<double> const& numbers)
{
  double s = 0;
  for (index_t i = 0; i < numbers.size(); ++i) s += numbers.data()[i];
  return s;
}

// 1' A 1 of E-vectors: 1, the volume, for the mass; lambda for the stiffness.
template <class Operator>
void apply_once(collector& out, Operator const& a)
{
  buffer<double> u(elements * n * n * n), v(elements * n * n * n);
  for (index_t i = 0; i < u.size(); ++i) u.data()[i] = 1;
  a.apply(view(u.data(), elements, n, n, n), view(v.data(), elements, n, n, n));
  out.add(sum(v));
  a.diagonal(view(v.data(), elements, n, n, n));
  out.add(sum(v));
}

void operators(collector& out, cube const& c)
{
  host const backend;
  apply_once(out, sumfac::bp1<order>{backend, c.corners()});
  apply_once(out, sumfac::bp35<order, host, double, sumfac::affine>{backend, c.corners(), {.lambda = 0.5}});
  apply_once(out, sumfac::bp3<order, host, double, sumfac::split>{backend, c.corners(), {.lambda = 0.25}});
  apply_once(out, sumfac::bp1<order, sumfac::checked>{sumfac::checked{}, c.corners()});
  apply_once(out, sumfac::bp3<order, host, sumfac::precision<double, float, double>>{backend, c.corners()});
  auto const matrix = sumfac::bp5<order>{backend, c.corners()}.element_matrix(1);
  double trace = 0;
  for (index_t i = 0; i < n * n * n; ++i) trace += matrix[static_cast<std::size_t>(i * (n * n * n + 1))];
  out.add(trace);
}

// Poisson's equation, by both iterations, one of them under the numbers that the library gives the nodes.
void solves(collector& out, cube const& c)
{
  host const backend;
  buffer<double> b(nodes), x(nodes), d(nodes);
  auto const bv = view(b.data(), nodes), xv = view(x.data(), nodes), dv = view(d.data(), nodes);
  sumfac::vector_ops const ops{backend, nodes};
  sumfac::bp5<order> const a{backend, c.corners()};
  sumfac::restriction const r{backend, c.numbers(), nodes, c.surface()};
  sumfac::global_operator const l{a, r};
  l.diagonal(dv);
  sumfac::jacobi const p{backend, dv};
  for (int node = 0; node < nodes; ++node) b.data()[node] = c.marks.data()[node] == 0 ? 1 : 0;
  ops.fill(0, xv);
  auto const plain = sumfac::cg(l, bv, xv, p, {.tolerance = 1e-13});
  out.add(plain ? ops.norm(xv) : -1);
  ops.fill(0, xv);
  auto const merged = sumfac::merged_cg(l, bv, xv, p, {.tolerance = 1e-13});
  out.add(merged && !merged.report().empty() ? ops.norm(xv) : -1);

  auto const number = sumfac::node_order(c.numbers(), nodes, c.surface());
  buffer<index_t> table(c.table.size());
  buffer<unsigned char> marks(nodes);
  for (index_t i = 0; i < table.size(); ++i) table.data()[i] = number[static_cast<std::size_t>(c.table.data()[i])];
  for (int node = 0; node < nodes; ++node) marks.data()[number[static_cast<std::size_t>(node)]] = c.marks.data()[node];
  sumfac::restriction const renumbered{backend, view(table.data(), elements, n, n, n), nodes,
                                       view(marks.data(), nodes)};
  for (int node = 0; node < nodes; ++node) b.data()[node] = marks.data()[node] == 0 ? 1 : 0;
  ops.fill(0, xv);
  auto const again = sumfac::merged_cg(sumfac::global_operator{a, renumbered}, bv, xv, {.tolerance = 1e-13});
  out.add(again ? ops.norm(xv) : -1);

  auto const half = renumbered.subset(0, elements / 2);
  a.apply(half, xv, bv);
  out.add(ops.norm(bv));
  buffer<double> e(elements * n * n * n);
  renumbered.gather(xv, view(e.data(), elements, n, n, n));
  out.add(sum(e));
  renumbered.scatter(view(e.data(), elements, n, n, n), bv);
  out.add(ops.norm(bv));
}

// The elements sorted, there and back.
void orders(collector& out, cube const& c)
{
  auto const sorted = sumfac::element_order::like_by_like(c.corners());
  buffer<double> there(elements * 24), back(elements * 24);
  sorted.apply(c.corners(), view(there.data(), elements, 2, 2, 2, 3));
  sorted.undo(view(there.data(), elements, 2, 2, 2, 3), view(back.data(), elements, 2, 2, 2, 3));
  double off = 0;
  for (index_t i = 0; i < back.size(); ++i) off += back.data()[i] == c.vertices.data()[i] ? 0 : 1;
  out.add(off);
  index_t of_degree = 0;
  sumfac::dispatch_order<sumfac::orders<1, 2>>(2, [&]<int Order> { of_degree = Order; });
  out.add(double(of_degree));
}

void contractions(collector& out)
{
  constexpr int outer = 5, left = 6, right = 7, inner = 8;
  buffer<double> l(outer * left * inner), r(outer * right * inner), o(outer * left * right);
  for (index_t i = 0; i < l.size(); ++i) l.data()[i] = double(i % 7);
  for (index_t i = 0; i < r.size(); ++i) r.data()[i] = double(i % 5);
  auto const lv = view(l.data(), outer, left, inner);
  auto const rv = view(r.data(), outer, right, inner);
  auto const ov = view(o.data(), outer, left, right);
  sumfac::intrepid::contractFieldFieldScalar(host{}, ov, lv, rv);
  out.add(sum(o));
  sumfac::intrepid::contractFieldFieldScalar(sumfac::checked{}, ov, lv, rv);
  out.add(sum(o));
}

}  // namespace

#define JOINED(a, b) a##b
#define NAMED(prefix, name) JOINED(prefix, name)

PARTS_DECLARE(PART)

namespace parts {

int NAMED(compute_, PART)(double* numbers)
{
  collector out{numbers};
  cube const c;
  operators(out, c);
  solves(out, c);
  orders(out, c);
  contractions(out);
  return out.count;
}

void NAMED(refuse_, PART)()
{
  double const number = 0;
  sumfac::bp1<order>{host{}, view(&number, 1, 2, 2, 2, 4)};
}

}  // namespace parts
