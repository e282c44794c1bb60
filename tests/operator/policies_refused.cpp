// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes that a geometry policy does not allow are refused, with the first element that does not fit and its defect.
#include "policies.hpp"

#include <sumfac/backend/checked.hpp>

#include <regex>
#include <string>

namespace {

using checks::nodes_view;
using mesh::shape;

struct refusal {
  int element = -1;
  double defect = 0, tolerance = 0;
};

// What the geometry_error of a mesh says, or element -1 where there is none.
template <class Operator, class Set = sumfac::gauss_lobatto_nodes>
refusal refused(mesh::nodes const& mesh, double tolerance, Set const& set = {})
{
  try {
    Operator const a(typename Operator::backend_type{}, nodes_view(mesh, set), {}, set, tolerance);
  } catch (sumfac::geometry_error const& error) {
    std::string const message = error.what();
    INFO(message);
    std::smatch found;
    REQUIRE(std::regex_search(message, found,
                              std::regex("^sumfac::(affine|trilinear): element ([0-9]+) is not (affine|trilinear) "
                                         "\\(defect ([-+.0-9e]+) of its size, at most ([-+.0-9e]+) expected\\): .+")));
    CHECK(found[1] == found[3]);
    return {std::stoi(found[2]), std::stod(found[4]), std::stod(found[5])};
  }
  return {};
}

// A mesh of parallelepipeds with some elements spoilt.
mesh::nodes spoilt(reference::rule const& where, std::vector<int> const& elements, int node, double by)
{
  auto mesh = mesh::parallelepipeds(11, where, 5);
  for (int const e : elements)
    mesh.coordinates[static_cast<std::size_t>(e) * mesh.element_size() + 3 * static_cast<std::size_t>(node) + 1] += by;
  return mesh;
}

template <class Operator>
void names_the_first(shape map, std::initializer_list<int> bad_nodes, reference::rule const& where)
{
  for (int const node : bad_nodes)
    for (double const by : {0.1, 1e-3, 1e-6, 1e-9}) {
      auto const mesh = spoilt(where, {9, 4, 7}, node, by);
      auto const found = refused<Operator>(mesh, sumfac::geometry_tolerance);
      double const defect = mesh::defect(mesh, 4, where, map);
      INFO("node " << node << " moved by " << by);
      CHECK(found.element == 4);
      CHECK(std::abs(found.defect - defect) <= 1e-2 * defect);
      CHECK(found.tolerance == Approx(1e-12).epsilon(0.01));  // and the rounding of coordinates
      // A tolerance on either side of the defect.
      CHECK(refused<Operator>(mesh, 0.9 * defect).element == 4);
      double const all = std::max({defect, mesh::defect(mesh, 7, where, map), mesh::defect(mesh, 9, where, map)});
      CHECK(refused<Operator>(mesh, 1.1 * all).element == -1);
    }
}

using affine = sumfac::bp1<1, sumfac::host, double, sumfac::affine>;
using trilinear = sumfac::bp1<1, sumfac::host, double, sumfac::trilinear>;

}  // namespace

TEST_CASE("affine: elements that are none are refused, the first with its defect")
{
  names_the_first<affine>(shape::affine, {0, 3, 7}, reference::equispaced(2));
  names_the_first<affine>(shape::affine, {0, 13, 26}, reference::equispaced(3));
}

TEST_CASE("trilinear: elements that are none are refused, the first with its defect")
{
  names_the_first<trilinear>(shape::trilinear, {1, 13, 22}, reference::equispaced(3));
  // A vertex that moves takes the map with it, and leaves the other nodes behind.
  names_the_first<trilinear>(shape::trilinear, {0, 63, 21}, reference::gauss_lobatto(4));
}

TEST_CASE("geometry policies: all refused elements are counted, and the first ten listed")
{
  auto const ends_with = [](std::vector<int> const& bad, std::string const& end) {
    auto const mesh = spoilt(reference::equispaced(3), bad, 13, 0.01);
    for (int const threads : {1, 4}) {
      std::string message;
      try {
        trilinear(sumfac::host{threads}, nodes_view(mesh));
      } catch (sumfac::geometry_error const& error) {
        message = error.what();
      }
      INFO(message);
      CHECK(message.substr(message.rfind("stored") + 6) == end);
    }
  };
  ends_with({6}, "");
  ends_with({9, 4, 7}, " (3 elements are refused: 4, 7, 9)");
  ends_with({10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}, " (11 elements are refused: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ...)");
}

TEST_CASE("geometry policies: on checked the same elements are refused")
{
  auto const mesh = spoilt(reference::equispaced(3), {3}, 13, 0.01);
  CHECK(refused<sumfac::bp1<1, sumfac::checked, double, sumfac::affine>>(mesh, 1e-12).element == 3);
  CHECK(refused<sumfac::bp1<1, sumfac::checked, double, sumfac::trilinear>>(mesh, 1e-12).element == 3);
}

TEST_CASE("geometry policies: every mesh of vertices is trilinear, whatever its elements")
{
  auto const mesh = mesh::jittered({3, 3, 3}, 0.25);
  CHECK(refused<trilinear>(mesh, 0).element == -1);
  CHECK(refused<affine>(mesh, 1e-12).element == 0);
}

TEST_CASE("geometry policies: the nodes' places count: an equispaced element is not trilinear as a Gauss-Lobatto one")
{
  auto const equal = reference::equispaced(4);
  auto const mesh = mesh::parallelepipeds(3, equal, 2);
  CHECK(refused<trilinear>(mesh, 1e-12, sumfac::equispaced_nodes{}).element == -1);
  CHECK(refused<trilinear>(mesh, 1e-12).element == 0);
  CHECK(refused<affine>(mesh, 1e-12, sumfac::equispaced_nodes{}).element == -1);
  CHECK(refused<affine>(mesh, 1e-12).element == 0);
}

TEST_CASE("geometry policies: the rounding of coordinates far from the origin is no defect")
{
  auto const where = reference::gauss_lobatto(4);
  auto const near = mesh::parallelepipeds(9, where, 8);
  auto const far = mesh::mapped(near, mesh::affine{{1, 1, 1}, 0, 0, 0, {1e6, -3e6, 2e5}});
  CHECK(mesh::defect(far, 0, where, shape::affine) > 1e-12);
  CHECK(refused<affine>(far, 1e-12).element == -1);
  CHECK(refused<trilinear>(far, 1e-12).element == -1);
  // But not more than that.
  auto bent = far;
  bent.coordinates[bent.element_size() * 5 + 3 * 21] += 1e-6;
  CHECK(refused<affine>(bent, 1e-12).element == 5);
  CHECK(refused<trilinear>(bent, 1e-12).element == 5);
}

TEST_CASE("geometry policies: coordinates of floats are allowed their own rounding")
{
  auto const mesh = mesh::parallelepipeds(5, reference::gauss_lobatto(3), 8);
  std::vector<float> const single(mesh.coordinates.begin(), mesh.coordinates.end());
  sumfac::view<float const, sumfac::dextents<5>> const nodes(single.data(), 5, 3, 3, 3, 3);
  CHECK(affine(sumfac::host{}, nodes).elements() == 5);
  CHECK(trilinear(sumfac::host{}, nodes).elements() == 5);
}

TEST_CASE("geometry policies: what cannot be integrated on is found before what does not fit")
{
  auto const where = reference::equispaced(3);
  auto const check = [](auto policy, mesh::nodes const& mesh, std::string const& element) {
    using operator_type = sumfac::bp1<1, sumfac::host, double, decltype(policy)>;
    try {
      operator_type(sumfac::host{}, nodes_view(mesh));
    } catch (sumfac::geometry_error const& error) {
      INFO(error.what());
      CHECK(std::string(error.what()).find("element " + element) != std::string::npos);
      CHECK(std::string(error.what()).find("Jacobian") != std::string::npos);
      return;
    }
    FAIL("no geometry_error");
  };
  auto inside_out = mesh::parallelepipeds(7, where, 3);
  auto const e = static_cast<std::ptrdiff_t>(inside_out.element_size());
  std::swap_ranges(inside_out.coordinates.begin() + 5 * e, inside_out.coordinates.begin() + 5 * e + 27,
                   inside_out.coordinates.begin() + 5 * e + 54);
  check(sumfac::affine{}, inside_out, "5");
  check(sumfac::trilinear{}, inside_out, "5");
  for (double const bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (std::size_t const node : {0u, 13u, 26u, 16u}) {
      auto broken = mesh::parallelepipeds(7, where, 3);
      broken.coordinates[broken.element_size() * 6 + 3 * node + 2] = bad;
      check(sumfac::affine{}, broken, "6");
      check(sumfac::trilinear{}, broken, "6");
    }
}

TEST_CASE("geometry policies: a tolerance that is none is refused")
{
  auto const mesh = mesh::box({2, 1, 1});
  for (double const bad : {-1e-3, std::numeric_limits<double>::quiet_NaN()}) {
    CHECK_THROWS_AS(affine(sumfac::host{}, nodes_view(mesh), {}, sumfac::gauss_lobatto_nodes{}, bad),
                    sumfac::argument_error);
    CHECK_THROWS_AS(trilinear(sumfac::host{}, nodes_view(mesh), {}, sumfac::gauss_lobatto_nodes{}, bad),
                    sumfac::argument_error);
  }
}

TEST_CASE("geometry policies: no elements, nothing to do")
{
  sumfac::view<double const, sumfac::dextents<5>> const nodes(nullptr, 0, 2, 2, 2, 3);
  CHECK(affine(sumfac::host{}, nodes).elements() == 0);
  CHECK(trilinear(sumfac::host{}, nodes).elements() == 0);
}

// Credited flops are those of stored factors; bytes are the policy's own, per element with n nodes and g points a line.
TEST_CASE("geometry policies: work is counted with the numbers that an element's geometry has")
{
  auto const mesh = mesh::box({5, 1, 1});
  auto const check = [&](auto const& a, auto const& stored, sumfac::index_t numbers, sumfac::index_t scalar) {
    auto const w = a.work();
    sumfac::index_t const n = a.nodes_1d, vectors = a.components * n * n * n;
    CHECK(w.flops == stored.work().flops);
    CHECK(w.bytes_written == 5 * scalar * vectors);
    CHECK(w.bytes_read == 5 * scalar * (vectors + numbers));
    CHECK(w.geometry_flops > 0);
    CHECK(stored.work().geometry_flops == 0);
  };
  using sumfac::host;
  auto const nodes = nodes_view(mesh);
  sumfac::bp35<2> const stored(host{}, nodes);
  check(sumfac::bp35<2, host, double, sumfac::affine>(host{}, nodes), stored, 7, 8);
  check(sumfac::bp35<2, host, double, sumfac::trilinear>(host{}, nodes), stored, 24, 8);
  sumfac::bp1<3, host, float> const single(host{}, nodes);
  check(sumfac::bp1<3, host, float, sumfac::affine>(host{}, nodes), single, 1, 4);
  check(sumfac::bp1<3, host, float, sumfac::trilinear>(host{}, nodes), single, 24, 4);
}
