// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes of mixed elements in random order on checked, beside stored factors, and the classes that split counts.
#include "mixed_beside_stored.hpp"
#include "own_forms.hpp"

#include <sumfac/backend/checked.hpp>

#include <algorithm>
#include <string>

namespace {

using checks::agrees_in_any_order, sumfac::checked, sumfac::host, sumfac::index_t, sumfac::split;

// Every element is run with what it allows, or with less; `lanes` of a kind side by side are run as what they are.
template <class Operator>
void counts_every_element(std::string const& kinds, int lanes)
{
  auto const mesh = mesh::mixed(kinds, reference::gauss_lobatto(3));
  Operator const a(typename Operator::backend_type{}, checks::nodes_view(mesh));
  auto const c = a.classes();
  auto const of = [&](char kind) { return static_cast<index_t>(std::count(kinds.begin(), kinds.end(), kind)); };
  INFO(kinds << ": " << c.affine << " affine, " << c.trilinear << " trilinear, " << c.general << " general");
  CHECK(c.affine + c.trilinear + c.general == mesh.elements);
  CHECK(c.affine <= of('a'));
  CHECK(c.general >= of('g'));
  auto const whole_groups = [&](char kind) {
    index_t found = 0;
    for (std::size_t first = 0; first < kinds.size(); first += static_cast<std::size_t>(lanes)) {
      auto const group = kinds.substr(first, static_cast<std::size_t>(lanes));
      if (group.find_first_not_of(kind) == std::string::npos) found += static_cast<index_t>(group.size());
    }
    return found;
  };
  CHECK(c.affine >= whole_groups('a'));
  CHECK(c.affine + c.trilinear >= whole_groups('a') + whole_groups('t'));
}

template <class Operator>
void counts_in_random_order(int lanes)
{
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    counts_every_element<Operator>(mesh::random_kinds(45, seed), lanes);
    counts_every_element<Operator>(mesh::random_kinds(45, seed, "aaaaaaaaaaaat"), lanes);
  }
  std::string sorted(3 * static_cast<std::size_t>(lanes), 'a');
  sorted.append(2 * static_cast<std::size_t>(lanes), 't').append(static_cast<std::size_t>(lanes) + 1, 'g');
  counts_every_element<Operator>(sorted, lanes);
}

}  // namespace

TEST_CASE("split in random order: on checked")
{
  agrees_in_any_order<sumfac::bp35<2, checked, double, split>>(31, reference::collocated(2), reference::stiffness(0.3),
                                                               {.lambda = 0.3});
  agrees_in_any_order<sumfac::bp3<3, checked, double, split>>(13, reference::on_gauss(3), reference::stiffness(0.3),
                                                              {.lambda = 0.3});
  using everything = sumfac::element_operator<checks::everything, 1, sumfac::gauss<3>, checked, double, split>;
  agrees_in_any_order<everything>(13, reference::on_gauss(1), checks::everything_exact);
}

TEST_CASE("split in random order: every element is counted, as cheap as its neighbours allow")
{
  counts_in_random_order<sumfac::bp1<1, host, double, split>>(sumfac::native_width<double>);
  counts_in_random_order<sumfac::bp1<1, host, float, split>>(sumfac::native_width<float>);
  using on_checked = sumfac::bp35<2, checked, double, split>;
  static_assert(on_checked::tuned.elements > 1);
  counts_in_random_order<on_checked>(on_checked::tuned.elements);
}
