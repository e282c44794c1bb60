// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Sums that a device's teams make of patches of neighbouring elements, watched thread by thread; and what they save.
#include "global_case.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/dofs/restriction/patches.hpp>
#include <sumfac/operator/bake_off.hpp>

#include <support/mesh.hpp>

#include <string>

namespace {

using sumfac::checked, sumfac::index_t, sumfac::tuned, sumfac::tuning, sumfac::variant;

// Whether a kernel of patches has run.
bool adds_up(checked const& backend)
{
  bool found = false;
  for (auto const& phase : backend.phases()) found = found || std::string(phase.name) == "add up a patch";
  return found;
}

template <class Operator>
void agrees(reference::space const& space, reference::integrand<> const& form)
{
  checked const backend;
  checks::agrees_globally<Operator>({{3, 3, 2}, {2, 2, 1}, {3, 2, 1}}, space, form, {}, backend);
  CHECK(adds_up(backend));
  CHECK(backend.finding_count() == 0);
}

// The tables of patches of a box of degree `order` in rows of elements, and of what they are made.
struct counted {
  index_t elements, nodes, slots, table_bytes;
};
counted patches_of(int order, mesh::counts box, int patch, int lanes)
{
  auto const numbers = mesh::numbered(box, order);
  sumfac::detail::own_vector<std::uint32_t> table;
  for (auto const node : numbers.table) table.push_back(static_cast<std::uint32_t>(node));
  index_t const n = order + 1;
  sumfac::detail::patch_source const source{table, numbers.nodes, numbers.elements, n * n * n, 1, 0, 1, 1};
  sumfac::detail::patches<double, checked> const made(checked{}, source, patch, lanes);
  return {numbers.elements, numbers.nodes, made.slot_count(), made.table_bytes()};
}

}  // namespace

TEST_CASE("patches: on checked, cubes of one component")
{
  constexpr tuning value{.elements = 2, .padding = 1, .patch = 4};
  agrees<sumfac::bp5<2, checked, tuned<value>>>(reference::collocated(2), reference::laplace());
}

TEST_CASE("patches: on checked, three components whose constraints differ, one element at a time")
{
  constexpr tuning value{.patch = 8};
  agrees<sumfac::bp2<1, checked, tuned<value>>>(reference::on_gauss(1, 3), reference::mass());
}

TEST_CASE("patches: neighbours of a box in rows are cubes, and have a slot where an earlier one has the node, too")
{
  for (int const lanes : {1, 2, 4}) {
    INFO(lanes << " elements side by side");
    auto const some = patches_of(2, {8, 4, 4}, 8, lanes);
    CHECK(some.elements == 128);
    CHECK(some.slots == 16 * (lanes < 4 ? 5 * 5 * 5 : 9 * 5 * 3) - some.nodes);
  }
  auto const large = patches_of(1, {8, 8, 8}, 64, 4);
  CHECK(large.slots == 8 * 125 - large.nodes);
}
