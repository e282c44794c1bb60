// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator that is slower than it need be, what explain() says of it, and the same when the advice was taken.
#include <sumfac/dofs/node_order.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/tools/explain.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <vector>

namespace {

constexpr int order = 4, n = order + 1;

// The unit cube cut into cells^3 elements, whose nodes have numbers that jump about, as after some mesh generators.
struct jumping_mesh {
  int cells, per_edge = cells * order + 1;
  int elements = cells * cells * cells, count = per_edge * per_edge * per_edge;
  std::vector<double> vertices;            // (E, 2, 2, 2, 3)
  std::vector<sumfac::index_t> numbers;    // (E, n, n, n)

  explicit jumping_mesh(int cells_per_edge) : cells(cells_per_edge)
  {
    std::int64_t const jump = 1000003;     // a prime, so that all numbers are met
    for (int e = 0; e < elements; ++e) {
      int const corner[] = {e % cells, e / cells % cells, e / cells / cells};
      for (int vertex = 0; vertex < 8; ++vertex)
        for (int d = 0; d < 3; ++d) vertices.push_back((corner[d] + (vertex >> d & 1)) / double(cells));
      for (int p = 0; p < n * n * n; ++p) {
        int const x = corner[0] * order + p % n, y = corner[1] * order + p / n % n, z = corner[2] * order + p / n / n;
        numbers.push_back((std::int64_t{(z * per_edge + y) * per_edge + x} * jump) % count);
      }
    }
  }
};

}  // namespace

int main(int argc, char** argv)
{
  jumping_mesh mesh(argc > 1 ? std::atoi(argv[1]) : 6);
  sumfac::view const nodes(mesh.vertices.data(), mesh.elements, 2, 2, 2, 3);
  sumfac::view const table(mesh.numbers.data(), mesh.elements, n, n, n);

  // [explain]
  sumfac::host const backend;
  sumfac::bp35<order> const A{backend, nodes};
  sumfac::restriction const R{backend, table, mesh.count};
  sumfac::explanation const before = sumfac::explain(A, R);
  std::cout << before << "\n" << before.json() << "\n\n";
  // [explain]

  // [advice]
  std::vector<sumfac::index_t> const number = sumfac::node_order(table, mesh.count);
  for (sumfac::index_t& node : mesh.numbers) node = number[static_cast<std::size_t>(node)];
  using cheap = sumfac::bp35<order, sumfac::affine>;
  cheap const B{backend, nodes};
  sumfac::restriction const S{backend, table, mesh.count};
  sumfac::explanation const after = sumfac::explain(B, S, {.classes = sumfac::classify(nodes)});
  std::cout << after;
  // [advice]
  std::printf("%.3g times as fast\n", before.seconds / after.seconds);

  auto const has = [](sumfac::explanation const& e, sumfac::advice_on on) {
    for (sumfac::advice const& a : e.what_helps)
      if (a.on == on) return true;
    return false;
  };
  // Whether stored factors are faster again, as arithmetic bounds B where all is in cache, depends on the machine.
  bool const right = before.lines_of_least > 1.5 * after.lines_of_least && after.bytes.all() < before.bytes.all() / 2 &&
                     !has(after, sumfac::advice_on::numbering);
  return right ? 0 : 1;
}
