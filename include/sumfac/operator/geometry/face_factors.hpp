// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form's factors at the points of faces, set up once from the elements behind them.
#pragma once

#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/error.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/geometry/face_mapping.hpp>
#include <sumfac/geometry/locate/mesh_map.hpp>
#include <sumfac/geometry/mesh_nodes.hpp>
#include <sumfac/math/detail/atomic.hpp>
#include <sumfac/math/detail/plain.hpp>
#include <sumfac/operator/kernel/face_kernel.hpp>

#include <cstdio>

namespace sumfac::inline SUMFAC_TARGET::detail {

// Packs (groups, points, F), a lane for each face; lanes behind the last face repeat it.
template <class Problem>
class face_factors {
public:
  using form = typename Problem::form;
  using number = typename Problem::number;
  static constexpr int width = native_width<number>, directions = Problem::directions;
  using packed = pack<number, width>;
  using reader = face_factor_reader<Problem, packed>;

  static index_t groups(index_t faces) { return (faces + width - 1) / width; }

  // **Errors** argument_error for mesh nodes that do not fit; geometry_error for the first face at a point of which the
  // Jacobian of the element has no positive, finite determinant.
  template <class Nodes, class Set>
  void set_up(host const& threads, Nodes const& nodes, form const& f, Set const& set)
  {
    constexpr auto here = "face_operator";
    check_mesh_nodes(here, nodes);
    check_symmetry(here, static_cast<int>(nodes.extent(1)), set);
    mesh_access<Nodes> const mesh{nodes};
    index_t const faces = mesh.elements();
    packs_ = buffer<packed>(threads, groups(faces) * sizes::points_of_face * count);
    first_of_all refused(faces);
    threads.balance(groups(faces), [&](index_t begin, index_t end) {
      element_map<directions> map(mesh.nodes_1d(), set);
      for (index_t lane = begin * width; lane < end * width; ++lane)
        if (!set_face(map, mesh, lesser(lane, faces - 1), lane, f)) refused.keep(lesser(lane, faces - 1));
    });
    if (refused.index() < faces) refuse(refused.index(), faces);
  }

  reader read() const { return {packs_.data()}; }

private:
  using sizes = face_sizes<Problem>;
  static constexpr int count = Problem::factors_of_point;

  // Elements are turned, so that an edge may be gone through from either end.
  template <class Set>
  static void check_symmetry(char const* where, int m, Set const& set)
  {
    long double places[max_mesh_nodes_1d] = {};
    set(m, places);
    for (int i = 0; i < m; ++i)
      if (long double const off = places[i] + places[m - 1 - i]; !(off < 1e-12L && off > -1e-12L))
        failf(where,
              "the mesh nodes do not lie symmetrically on an edge (node %d at %.17g, node %d at %.17g): turned "
              "elements need nodes that do, as gauss_lobatto_nodes{} and equispaced_nodes{}",
              i, static_cast<double>(places[i]), m - 1 - i, static_cast<double>(places[m - 1 - i]));
  }

  // false where the element is not one.
  template <class Map, class Mesh>
  bool set_face(Map& map, Mesh const& mesh, index_t face, index_t lane, form const& f)
  {
    using rule = typename Problem::points;
    map.load(mesh, face);
    bool right = true;
    for (int r = 0; r < sizes::point_rows; ++r)
      for (int q = 0; q < sizes::g; ++q) {
        auto const along = static_cast<double>(rule::nodes[static_cast<std::size_t>(q)]);
        auto const beside = static_cast<double>(rule::nodes[static_cast<std::size_t>(r)]);
        auto weight = static_cast<double>(rule::weights[static_cast<std::size_t>(q)]);
        vector<double, directions> xi{along, 1.0};
        if constexpr (directions == 3) {
          xi = {along, beside, 1.0};
          weight *= static_cast<double>(rule::weights[static_cast<std::size_t>(r)]);
        }
        auto const x = map(xi);
        int const point = r * sizes::g + q;
        face_mapping<double, directions> const at(x.jacobian, weight, map.origin() + x.position, face, point);
        double const det = at.det();
        right = right && det > 0 && det - det == 0;
        packed* const to = packs_.data() + (lane / width * sizes::points_of_face + point) * count;
        for_each_number<double>(f.setup(at), [&](int i, int, double number_of_point) {
          to[i].set(static_cast<int>(lane % width), static_cast<number>(number_of_point));
        });
      }
    return right;
  }

  [[noreturn, gnu::cold, gnu::noinline]] static void refuse(index_t face, index_t faces)
  {
    char text[240];
    std::snprintf(text, sizeof text,
                  "sumfac::face_operator: the element behind face %lld of %lld has no gradients on it (the determinant "
                  "of the Jacobian is not greater than 0 and finite): take owner_nodes(nodes, faces), or untangle it",
                  static_cast<long long>(face), static_cast<long long>(faces));
    throw geometry_error(text);
  }

  buffer<packed> packs_;
};

}  // namespace sumfac::detail
