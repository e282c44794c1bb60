// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes, tables, vectors and factors as other libraries lay them out, brought to sumfac, and compared with its own.
#include "bent_cube.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

constexpr int N = 3, n = N + 1, g = N + 2;
sumfac::host const backend;
using stiffness = sumfac::element_operator<sumfac::laplace, N>;

std::size_t at(sumfac::index_t i) { return static_cast<std::size_t>(i); }

// y = A x by sumfac's own arrays.
std::vector<double> right_of(bent_cube<N> const& mesh, std::vector<double> const& x)
{
  stiffness const A{backend, mesh.nodes()};
  sumfac::restriction const R{backend, mesh.table(), mesh.count, mesh.marks()};
  std::vector<double> y(x.size());
  A.apply(R, on(x), on(y));
  return y;
}

// Vertices in the order that goes round: points of the mesh (vertices, 3), and eight of them for each element.
int of_vertices(bent_cube<N> const& mesh, std::vector<double> const& x, std::vector<double> const& y)
{
  std::vector<std::array<double, 3>> points;
  std::vector<std::array<int, 8>> cells;
  for (int e = 0; e < mesh.elements; ++e) {
    auto& cell = cells.emplace_back();
    for (int vertex = 0; vertex < 8; ++vertex) {
      double const* const from = &mesh.vertices[at(24 * e + 3 * vertex)];
      cell[at(vertex ^ (vertex >> 1 & 1))] = static_cast<int>(points.size());
      points.push_back({from[0], from[1], from[2]});
    }
  }
  // [vertices]
  // VTK, Gmsh, Exodus and MFEM go round a hexahedron's faces; sumfac goes along x, then y, then z.
  constexpr int round[] = {0, 1, 3, 2, 4, 5, 7, 6};
  std::vector<double> vertices;                            // (E, 2, 2, 2, 3)
  for (auto const& cell : cells)
    for (int const vertex : round)
      for (double const coordinate : points[at(cell[at(vertex)])]) vertices.push_back(coordinate);
  sumfac::view const nodes(vertices.data(), mesh.elements, 2, 2, 2, 3);
  // [vertices]
  stiffness const A{backend, nodes};
  sumfac::restriction const R{backend, mesh.table(), mesh.count, mesh.marks()};
  std::vector<double> z(x.size());
  A.apply(R, on(x), on(z));
  return agree("vertices in the order that goes round", apart(y, z));
}

// Mesh nodes of an element by component, as MFEM's E-vectors and libCEED's have them: (E, 3, m, m, m).
int of_blocks(bent_cube<N> const& mesh, std::vector<double> const& x, std::vector<double> const& y)
{
  constexpr int m = 2;
  std::vector<double> blocks;
  for (int e = 0; e < mesh.elements; ++e)
    for (int d = 0; d < 3; ++d)
      for (int p = 0; p < 8; ++p) blocks.push_back(mesh.vertices[at(24 * e + 3 * p + d)]);
  // [blocks]
  // (E, 3, m, m, m) in memory, read as (E, m, m, m, 3).
  using shape = sumfac::dextents<5>;
  sumfac::layout_stride::mapping<shape> const by_component(shape(mesh.elements, m, m, m, 3),
                                                           {3 * m * m * m, m * m, m, 1, m * m * m});
  sumfac::view const nodes(blocks.data(), by_component);
  // [blocks]
  stiffness const A{backend, nodes};
  sumfac::restriction const R{backend, mesh.table(), mesh.count, mesh.marks()};
  std::vector<double> z(x.size());
  A.apply(R, on(x), on(z));
  return agree("mesh nodes by component", apart(y, z));
}

// An element's nodes in an order of its own, of which a map says where each place along x, y, z is.
int of_numbers(bent_cube<N> const& mesh, std::vector<double> const& x, std::vector<double> const& y)
{
  std::vector<int> lexicographic(n * n * n), element_nodes;
  for (int p = 0; p < n * n * n; ++p) lexicographic[at(p)] = (5 * p + 3) % (n * n * n);
  for (int e = 0; e < mesh.elements; ++e) {
    std::array<int, n * n * n> own{};
    for (int p = 0; p < n * n * n; ++p) own[at(lexicographic[at(p)])] = mesh.numbers[at(e * n * n * n + p)];
    element_nodes.insert(element_nodes.end(), own.begin(), own.end());
  }
  // [numbers]
  // element_nodes: numbers in the library's own order; lexicographic[p]: where there place p is, x fastest.
  std::vector<int> numbers;                                // (E, n, n, n)
  for (int e = 0; e < mesh.elements; ++e)
    for (int const place : lexicographic) numbers.push_back(element_nodes[at(e * n * n * n + place)]);
  sumfac::view const table(numbers.data(), mesh.elements, n, n, n);
  // [numbers]
  stiffness const A{backend, mesh.nodes()};
  sumfac::restriction const R{backend, table, mesh.count, mesh.marks()};
  std::vector<double> z(x.size());
  A.apply(R, on(x), on(z));
  return agree("nodes in an order of their own", apart(y, z));
}

// Offsets of three components side by side, as libCEED's restrictions have them: of component 0, a stride of 1.
int of_components(bent_cube<N> const& mesh)
{
  std::vector<int> offsets;
  for (int const node : mesh.numbers) offsets.push_back(3 * node);
  auto const x = some_values(at(3 * mesh.count));
  // [components]
  // Offsets of component 0: node times 3 where components lie side by side, the node where they are `nodes` apart.
  std::vector<int> numbers;                                // (E, n, n, n)
  for (int const offset : offsets) numbers.push_back(offset / 3);
  sumfac::restriction const R{backend, sumfac::view(numbers.data(), mesh.elements, n, n, n), mesh.count,
                              {.components = 3, .components_lie = sumfac::interleaving::fastest}};
  // [components]
  sumfac::element_operator<sumfac::vector_laplace<3>, N> const A{backend, mesh.nodes()};
  stiffness const of_one{backend, mesh.nodes()};
  sumfac::restriction const R_one{backend, mesh.table(), mesh.count};
  std::vector<double> y(x.size()), z(x.size()), one(at(mesh.count)), result(at(mesh.count));
  A.apply(R, on(x), on(z));
  for (std::size_t c = 0; c < 3; ++c) {
    for (std::size_t i = 0; i < one.size(); ++i) one[i] = x[3 * i + c];
    of_one.apply(R_one, on(one), on(result));
    for (std::size_t i = 0; i < one.size(); ++i) y[3 * i + c] = result[i];
  }
  return agree("offsets of three components", apart(y, z));
}

// w det(J) J^-1 J^-T of each point, in the order of libCEED's gallery: (E, 6, points), xx yy zz yz xz xy.
std::vector<double> factors_elsewhere(bent_cube<N> const& mesh)
{
  constexpr std::array<std::array<std::size_t, 2>, 6> entries{{{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}}};
  using rule = sumfac::gauss<g>;
  std::vector<double> q_data(at(mesh.elements) * 6 * g * g * g);
  for (int e = 0; e < mesh.elements; ++e)
    for (int point = 0; point < g * g * g; ++point) {
      std::size_t const of[] = {at(point % g), at(point / g % g), at(point / g / g)};
      double weight = 1, xi[3], J[3][3] = {};
      for (int d = 0; d < 3; ++d) {
        weight *= double(rule::weights[of[d]]);
        xi[d] = double(rule::nodes[of[d]]);
      }
      for (int vertex = 0; vertex < 8; ++vertex)
        for (int c = 0; c < 3; ++c) {
          double slope = 0.125;
          for (int d = 0; d < 3; ++d) {
            double const side = vertex >> d & 1 ? 1 : -1;
            slope *= d == c ? side : 1 + side * xi[d];
          }
          for (int r = 0; r < 3; ++r) J[r][c] += slope * mesh.vertices[at(24 * e + 3 * vertex + r)];
        }
      double A[3][3], det = 0;  // the adjugate
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          A[c][r] = J[(r + 1) % 3][(c + 1) % 3] * J[(r + 2) % 3][(c + 2) % 3] -
                    J[(r + 1) % 3][(c + 2) % 3] * J[(r + 2) % 3][(c + 1) % 3];
      for (int c = 0; c < 3; ++c) det += J[0][c] * A[c][0];
      for (std::size_t i = 0; i < 6; ++i) {
        auto const [a, b] = entries[i];
        double const sum = A[a][0] * A[b][0] + A[a][1] * A[b][1] + A[a][2] * A[b][2];
        q_data[(at(e) * 6 + i) * g * g * g + at(point)] = weight / det * sum;
      }
    }
  return q_data;
}

// Factors that another library has made.
int of_factors(bent_cube<N> const& mesh, std::vector<double> const& x, std::vector<double> const& y)
{
  auto const q_data = factors_elsewhere(mesh);
  // [factors]
  // q_data (E, 6, g^3): libCEED's gallery has xx yy zz yz xz xy, sumfac xx xy xz yy yz zz.
  constexpr int theirs[] = {0, 5, 4, 1, 3, 2};             // 0 3 4 1 5 2 of Nek's g1m1 .. g6m1; MFEM has sumfac's
  constexpr int points = g * g * g;
  std::vector<double> factors;                             // (E, g, g, g, 6)
  for (int e = 0; e < mesh.elements; ++e)
    for (int point = 0; point < points; ++point)
      for (int const i : theirs) factors.push_back(q_data[at((e * 6 + i) * points + point)]);
  sumfac::view const of_points(factors.data(), mesh.elements, g, g, g, 6);
  sumfac::given_factors const form{sumfac::laplace{}, of_points};
  sumfac::element_operator<decltype(form), N> const A{backend, mesh.nodes(), form};
  // [factors]
  sumfac::restriction const R{backend, mesh.table(), mesh.count, mesh.marks()};
  std::vector<double> z(x.size());
  A.apply(R, on(x), on(z));
  return agree("factors of libCEED's gallery", apart(y, z));
}

// Nek's vectors: each element has its own entry of a node, and those of one node are equal.
int of_local_vectors(bent_cube<N> const& mesh, std::vector<double> const& x, std::vector<double> const& y)
{
  std::vector<double> local(mesh.numbers.size()), vmult(mesh.numbers.size());
  std::vector<int> times(at(mesh.count));
  for (int const node : mesh.numbers) ++times[at(node)];
  for (std::size_t i = 0; i < local.size(); ++i) {
    local[i] = x[at(mesh.numbers[i])];
    vmult[i] = 1.0 / times[at(mesh.numbers[i])];
  }
  // [local]
  stiffness const A{backend, mesh.nodes()};
  sumfac::restriction const R{backend, mesh.table(), mesh.count, mesh.marks()};
  std::vector<double> sums(x.size()), w_data(local.size());
  sumfac::view const u(local.data(), mesh.elements, n, n, n), w(w_data.data(), mesh.elements, n, n, n);
  A.apply(u, w);                                           // axhelm: element by element, nothing added up
  R.scatter(w, on(sums));                                  // dssum and the mask: a node's sum, 0 where marked,
  R.gather(on(sums), w);                                   // and back to each element
  // [local]
  // [weighted]
  double product = 0;                                      // glsc3(w, u, vmult, n): each node counts once
  for (std::size_t i = 0; i < local.size(); ++i) product += w_data[i] * local[i] * vmult[i];
  // [weighted]
  double right = 0;
  for (std::size_t i = 0; i < y.size(); ++i) right += mesh.boundary[i] != 0 ? 0 : y[i] * x[i];
  return agree("a product of Nek's vectors", std::abs(product - right) / std::abs(right));
}

// Nek's arrays: (lx1, ly1, lz1, nelt), the first index fastest, which is (E, z, y, x).
int of_nek(bent_cube<N> const& mesh, std::vector<double> const& x, std::vector<double> const& y)
{
  constexpr int lx1 = n;
  int const nelt = mesh.elements;
  std::vector<double> xm1, ym1, zm1, v1mask;
  std::vector<std::int64_t> glo_num;
  for (std::size_t i = 0; i < mesh.numbers.size(); ++i) {
    std::size_t const e = i / (n * n * n), p = i % (n * n * n), of[] = {p % n, p / n % n, p / n / n};
    double place[3] = {};
    for (std::size_t vertex = 0; vertex < 8; ++vertex) {
      double weight = 1;
      for (std::size_t d = 0; d < 3; ++d) {
        double const xi = double(sumfac::gauss_lobatto<n>::nodes[of[d]]);
        weight *= (vertex >> d & 1) != 0 ? (1 + xi) / 2 : (1 - xi) / 2;
      }
      for (std::size_t d = 0; d < 3; ++d) place[d] += weight * mesh.vertices[24 * e + 3 * vertex + d];
    }
    xm1.push_back(place[0]);
    ym1.push_back(place[1]);
    zm1.push_back(place[2]);
    v1mask.push_back(mesh.boundary[at(mesh.numbers[i])] != 0 ? 0 : 1);
    glo_num.push_back(mesh.numbers[i] + 1);
  }
  // [nek]
  // xm1, ym1, zm1, v1mask (lx1, ly1, lz1, nelt); glo_num, each node's number in the mesh from 1, as set_vert makes it.
  auto const entries = at(nelt) * lx1 * lx1 * lx1;
  auto const last = *std::max_element(glo_num.begin(), glo_num.end());
  std::vector<double> places;                              // (E, lx1, lx1, lx1, 3), at Gauss-Lobatto points
  std::vector<std::int64_t> numbers;                       // from 0
  std::vector<char> marks(at(last));                       // not 0 where the mask is 0
  for (std::size_t i = 0; i < entries; ++i) {
    places.insert(places.end(), {xm1[i], ym1[i], zm1[i]});
    numbers.push_back(glo_num[i] - 1);
    if (v1mask[i] == 0) marks[at(numbers[i])] = 1;
  }
  sumfac::element_operator<sumfac::laplace, lx1 - 1> const A{
      backend, sumfac::view(places.data(), nelt, lx1, lx1, lx1, 3), {}, sumfac::gauss_lobatto_nodes{}};
  sumfac::restriction const R{backend, sumfac::view(numbers.data(), nelt, lx1, lx1, lx1), last, on(marks)};
  // [nek]
  std::vector<double> z(x.size());
  A.apply(R, on(x), on(z));
  return agree("Nek's coordinates, numbers and mask", apart(y, z));
}

}  // namespace

int main()
{
  bent_cube<N> const mesh(2);
  auto x = some_values(at(mesh.count));
  for (std::size_t i = 0; i < x.size(); ++i)
    if (mesh.boundary[i] != 0) x[i] = 0;
  auto const y = right_of(mesh, x);
  return of_vertices(mesh, x, y) + of_blocks(mesh, x, y) + of_numbers(mesh, x, y) + of_components(mesh) +
         of_factors(mesh, x, y) + of_local_vectors(mesh, x, y) + of_nek(mesh, x, y);
}
