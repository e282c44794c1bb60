// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A mesh of all kinds of elements, each run with what it allows: classes, results, work.
#include "mixed_mesh.hpp"
#include "policies.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/mesh/classify.hpp>

#include <algorithm>
#include <string>

namespace {

using mesh::mixed;
using sumfac::geometry_class, sumfac::host;

std::string const many = "aaatgaaaattttttttttggatgatgggaaaaaaaaaaaaattaggtttaaa";

// A group of as many elements as a register has lanes, in the caller's order, is run as the least that one of it needs.
template <class Operator>
void counts_what_it_runs(std::string const& kinds)
{
  auto const mesh = mixed(kinds, reference::gauss_lobatto(3));
  Operator const a(typename Operator::backend_type{}, checks::nodes_view(mesh));
  constexpr std::size_t width = sumfac::native_width<typename Operator::scalar_type>;
  sumfac::index_t affine = 0, trilinear = 0, general = 0;
  for (std::size_t first = 0; first < kinds.size(); first += width) {
    auto const group = kinds.substr(first, width);
    auto const weakest = *std::max_element(group.begin(), group.end(), [](char x, char y) {
      std::string const order = "atg";
      return order.find(x) < order.find(y);
    });
    (weakest == 'a' ? affine : weakest == 't' ? trilinear : general) += static_cast<sumfac::index_t>(group.size());
  }
  auto const c = a.classes();
  CHECK(c.affine == affine);
  CHECK(c.trilinear == trilinear);
  CHECK(c.general == general);
}

}  // namespace

TEST_CASE("classify: every element by what it allows")
{
  for (int m : {3, 4}) {
    auto const where = reference::gauss_lobatto(m);
    auto const mesh = mixed(many, where);
    auto const classes = sumfac::classify(checks::nodes_view(mesh));
    REQUIRE(classes.size() == many.size());
    for (std::size_t e = 0; e < many.size(); ++e) {
      INFO("element " << e);
      CHECK(classes[e] == (many[e] == 'a'   ? geometry_class::affine
                           : many[e] == 't' ? geometry_class::trilinear
                                            : geometry_class::general));
    }
    // With a tolerance as large as the elements all are affine.
    for (auto const c : sumfac::classify(checks::nodes_view(mesh), sumfac::gauss_lobatto_nodes{}, 1.0))
      CHECK(c == geometry_class::affine);
  }
}

TEST_CASE("classify: what is not finite is neither affine nor trilinear")
{
  auto const where = reference::gauss_lobatto(3);
  for (double const bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (std::size_t const coordinate : {0U, 40U, 80U}) {
      auto mesh = mixed("aaa", where);
      mesh.coordinates[81 + coordinate] = bad;
      auto const classes = sumfac::classify(checks::nodes_view(mesh));
      CHECK(classes == std::vector{geometry_class::affine, geometry_class::general, geometry_class::affine});
    }
}

TEST_CASE("split: mixed meshes against the oracle, in the caller's order")
{
  auto const where = reference::gauss_lobatto(3);
  for (std::string const& kinds :
       {many, std::string("gta"), std::string("aaaaaaaaa"), std::string("ttttg"), std::string("ggggggg")}) {
    auto const mesh = mixed(kinds, where);
    INFO(kinds);
    using sumfac::split;
    checks::agrees_with_oracle<sumfac::bp35<2, host, double, split>>(mesh, where, reference::collocated(2),
                                                                     reference::stiffness(0.3), {.lambda = 0.3});
    checks::agrees_with_oracle<sumfac::bp1<3, host, float, split>>(mesh, where, reference::on_gauss(3),
                                                                   reference::mass());
    checks::agrees_with_oracle<sumfac::bp3<2, sumfac::checked, double, split>>(
        mesh, where, reference::on_gauss(2), reference::stiffness(0.3), {.lambda = 0.3});
  }
}

TEST_CASE("split: it counts the elements that it runs in each way")
{
  using host_operator = sumfac::bp1<1, host, double, sumfac::split>;
  counts_what_it_runs<host_operator>(many);
  counts_what_it_runs<host_operator>("gta");
  counts_what_it_runs<host_operator>("aaaaaaaaaaaaaaaaat");
  counts_what_it_runs<host_operator>("ggggg");
}

TEST_CASE("split: work is the sum of the ways")
{
  auto const where = reference::gauss_lobatto(3);
  auto const mesh = mixed(many, where);
  sumfac::bp35<2, host, double, sumfac::split> const a(host{}, checks::nodes_view(mesh));
  sumfac::bp35<2> const stored(host{}, checks::nodes_view(mesh));
  auto const c = a.classes();
  auto const w = a.work();
  auto const e = static_cast<sumfac::index_t>(many.size());
  CHECK(w.flops == stored.work().flops);
  CHECK(w.bytes_written == stored.work().bytes_written);
  CHECK(w.bytes_read == 8 * (27 * e + 7 * c.affine + 24 * c.trilinear + 7 * 27 * c.general));
}
