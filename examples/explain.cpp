// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator that is slower than it need be, what explain() says of it, and the same when the advice was taken.
#include <sumfac/dofs/function_space.hpp>
#include <sumfac/dofs/node_order.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/operator/bake_off.hpp>
#include <sumfac/tools/explain.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <vector>

namespace {

constexpr int order = 4, n = order + 1;

}  // namespace

int main(int argc, char** argv)
{
  int const cells = argc > 1 ? std::atoi(argv[1]) : 6;
  sumfac::mesh const box = sumfac::box_mesh({cells, cells, cells});
  sumfac::function_space const V{box, order};
  sumfac::index_t const count = V.nodes(), jump = 1000003;              // a prime, so that all numbers are met
  // The nodes have numbers that jump about, as after some mesh generators.
  std::vector<sumfac::index_t> numbers;
  for (sumfac::index_t i = 0; i < V.table().size(); ++i) numbers.push_back(V.table().data()[i] * jump % count);
  sumfac::view const table(numbers.data(), box.elements(), n, n, n);

  // [explain]
  sumfac::host const backend;
  sumfac::bp35<order> const A{backend, box};
  sumfac::restriction const R{backend, table, count};
  sumfac::explanation const before = sumfac::explain(A, R);
  std::cout << before << "\n" << before.json() << "\n\n";
  // [explain]

  // [advice]
  std::vector<sumfac::index_t> const number = sumfac::node_order(table, count);
  for (sumfac::index_t& node : numbers) node = number[static_cast<std::size_t>(node)];
  using cheap = sumfac::bp35<order, sumfac::affine>;
  cheap const B{backend, box};
  sumfac::restriction const S{backend, table, count};
  sumfac::explanation const after = sumfac::explain(B, S, {.classes = sumfac::classify(box)});
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
