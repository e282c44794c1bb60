// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An operator on squares that were cut twice, the whole mesh and the part of it that a process has.
#pragma once

#include "shares.hpp"

#include <sumfac/backend/host.hpp>
#include <sumfac/dofs/function_space.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/mesh/box_mesh.hpp>
#include <sumfac/mesh/refined.hpp>
#include <sumfac/operator/global_operator.hpp>
#include <sumfac/view/view.hpp>

#include <support/random.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace shares {

// All that became of one square stays together. Of degree 2; one side is fixed.
template <class Operator>
struct parted_squares {
  using operator_type = Operator;
  static constexpr int times = 2, together = 16;
  struct vectors {
    share const& s;
    sumfac::index_t nodes;
    std::vector<double> random(std::uint64_t seed) const
    {
      return support::random<double>(static_cast<std::size_t>(nodes), seed);
    }
    std::vector<double> owned(std::vector<double> const& all) const
    {
      return owned_of(s, all, nodes, 1, sumfac::interleaving::fastest);
    }
  };

  parted_squares(way how, int rank, int processes)
      : all_numbers(numbers_of(V)),
        s(share_of(all_numbers, how, rank, processes, {}, 1, together)),
        own_marks(marks_of(s, {V.marks().data(), V.marks().data() + V.nodes()}, 1)),
        own_mesh(all_mesh.of_process(list_of(how, all_mesh.elements(), processes), rank)),
        A(backend, own_mesh),
        R(backend, table(), s.nodes(), sumfac::view(std::as_const(own_marks).data(), s.nodes(), sumfac::index_t{1}))
  {
  }
  parted_squares(parted_squares const&) = delete;

  auto table() const
  {
    return sumfac::view<std::int64_t const, sumfac::dextents<3>>(s.numbers.table.data(), s.numbers.elements, 3, 3);
  }

  static mesh::numbering numbers_of(sumfac::function_space<2> const& V)
  {
    auto const table = V.table();
    return {static_cast<int>(V.mesh().elements()), 3, V.nodes(), {table.data(), table.data() + table.size()}, {}, 2};
  }
  static std::vector<int> list_of(way how, sumfac::index_t elements, int processes)
  {
    std::vector<int> list;
    for (int e = 0; e < elements; ++e)
      list.push_back(process_of(how, e / together, static_cast<int>(elements) / together, processes));
    return list;
  }

  sumfac::host backend;
  sumfac::mesh<2> coarse = sumfac::box_mesh({3, 2}, [](auto at) { return at[1] += at[0] * at[0] / 5, at; });
  sumfac::mesh<2> all_mesh = refined(coarse, times);
  sumfac::function_space<2> V{all_mesh, 2, all_mesh.boundary("x0")};
  mesh::numbering all_numbers;
  share s;
  std::vector<unsigned char> own_marks;
  sumfac::mesh<2> own_mesh;
  Operator A_all{backend, all_mesh}, A;
  sumfac::restriction<> R_all = V.restriction(backend), R;
  sumfac::global_operator<Operator, sumfac::restriction<>> whole{A_all, R_all};
  vectors p{s, V.nodes()};
};

}  // namespace shares
