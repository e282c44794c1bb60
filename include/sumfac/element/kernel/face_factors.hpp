// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form's factors at the points of faces, set up once from the elements behind them.
#pragma once

#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/config.hpp>
#include <sumfac/element/geometry/number_range.hpp>
#include <sumfac/element/kernel/face_kernel.hpp>
#include <sumfac/error.hpp>
#include <sumfac/form/detail/asked_members.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/math/detail/atomic.hpp>
#include <sumfac/math/detail/plain.hpp>
#include <sumfac/mesh/face_mapping.hpp>
#include <sumfac/mesh/locate/mesh_map.hpp>
#include <sumfac/mesh/maps/element_group.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>

#include <cstddef>
#include <limits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// What a form may ask of a face's points in numbers of a type.
template <class Form, class Number, int Directions>
struct face_range {
  static constexpr double least_number = static_cast<double>(std::numeric_limits<Number>::min SUMFAC_NO_MACRO());
  static constexpr double most_number = static_cast<double>(std::numeric_limits<Number>::max SUMFAC_NO_MACRO());

  // visit(what, size) for what the form asks of a point that is no normal number of type `number`, and for factors that
  // are none at all; weights of a rule may be negative, or 0.
  template <class Factors, class Visit>
  static void for_each_beyond(face_mapping<double, Directions> const& at, Factors const& factors, Visit const& visit)
  {
    auto const look = [&](char const* what, double size) {
      if (!(size >= least_number && size <= most_number)) visit(what, size);
    };
    for_each_number<double>(factors, [&](int, int, double factor) {
      if (!(factor >= -most_number && factor <= most_number)) visit("factor of the form", factor);
    });
    if (at.weight() == 0) return;
    double const measure = at.measure() < 0 ? -at.measure() : at.measure();
    if constexpr (asks_volume<Form>) look("weight times area", measure);
    if constexpr (asks_metric<Form> || asks_areas<Form>) {
      auto const inverse = at.inverse() * at.scale();
      for (int d = 0; d < Directions; ++d) {
        double square = 0;
        for (int c = 0; c < Directions; ++c) square += inverse(d, c) * inverse(d, c);
        double const slope = __builtin_sqrt(square) / at.scale();
        double const change = measure * slope;
        if constexpr (asks_areas<Form>) look("weight times area times a reference coordinate's gradient", change);
        if constexpr (asks_metric<Form>)
          look("weight times area times the square of a reference coordinate's gradient", change * slope);
      }
    }
  }
};

// As a face_factor_reader reads them; lanes behind the last face repeat it.
template <class Problem, class T, class Backend>
class face_factors {
public:
  using form = typename Problem::form;
  using number = typename Problem::number;
  static constexpr int width = width_of<T>, directions = Problem::directions;
  using reader = face_factor_reader<Problem, T>;

  // **Errors** argument_error for mesh nodes that do not fit; geometry_error for the first face at a point of which the
  // Jacobian of the element has no positive, finite determinant, or what the form asks of it is beyond the numbers.
  template <class Nodes, class Set>
  void set_up(Backend const& backend, Nodes const& nodes, form const& f, Set const& set)
  {
    constexpr auto here = "face_operator";
    check_members(f);
    check_mesh_nodes(here, nodes);
    check_symmetry(here, static_cast<int>(nodes.extent(1)), set);
    mesh_access<Nodes> const mesh{nodes};
    host const threads = host_of(backend);
    index_t const faces = mesh.elements(), groups = (faces + width - 1) / width;
    buffer<T> numbers(threads, groups * sizes::points_of_face * count);
    if (faces > 0) {
      map_type map(mesh.nodes_1d(), set);
      visit_points(map, mesh, 0, [&](face_point const& at) {
        if (at.point() == 0) check_asked_members_of<directions>(f, f.setup(at));
      });
    }
    first_of_all refused(faces), beyond(faces);
    threads.balance(groups, [&](index_t begin, index_t end) {
      map_type map(mesh.nodes_1d(), set);
      for (index_t lane = begin * width; lane < end * width; ++lane) {
        index_t const face = lesser(lane, faces - 1);
        visit_points(map, mesh, face, [&](face_point const& at) {
          double const det = at.scaled_det();
          if (!(det > 0 && det - det == 0)) refused.keep(face);
          auto const factors = f.setup(at);
          for_each_number<double>(factors, [&](int i, int, double factor) {
            set_lane(numbers[reader::place(lane / width, at.point(), i)], static_cast<int>(lane % width),
                     static_cast<number>(factor));
          });
          range::for_each_beyond(at, factors, [&](char const*, double) { beyond.keep(face); });
        });
      }
    });
    if (refused.index() < faces) refuse(refused.index(), faces);
    if (beyond.index() < faces) {
      map_type map(mesh.nodes_1d(), set);
      visit_points(map, mesh, beyond.index(), [&](face_point const& at) {
        range::for_each_beyond(at, f.setup(at), [&](char const* what, double size) { refuse_size(at, what, size); });
      });
    }
    if constexpr (is_device<Backend>) {
      numbers_ = make_memory<T>(backend, numbers.size());
      backend.copy(numbers.data(), numbers_.data(), numbers.size());
      backend.synchronize();
    } else {
      numbers_ = std::move(numbers);
    }
  }

  reader read() const { return {numbers_.data()}; }

private:
  using sizes = face_sizes<Problem>;
  using map_type = element_map<directions>;
  using face_point = face_mapping<double, directions>;
  using range = face_range<form, number, directions>;
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

  // visit(face_point) at each point of a face.
  template <class Mesh, class Visit>
  static void visit_points(map_type& map, Mesh const& mesh, index_t face, Visit const& visit)
  {
    using rule = typename Problem::points;
    map.load(mesh, face);
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
        visit(face_point(x.jacobian * map.scale(), weight, map.place_of(x.position), face, r * sizes::g + q, face));
      }
  }

  [[noreturn, gnu::cold, gnu::noinline]] static void refuse(index_t face, index_t faces)
  {
    throw_text<geometry_error>(
        "sumfac::face_operator: the element behind face %lld of %lld has no gradients on it (the determinant "
        "of the Jacobian is not greater than 0 and finite): take owner_nodes(nodes, faces), or untangle it",
        static_cast<long long>(face), static_cast<long long>(faces));
  }

  [[noreturn, gnu::cold, gnu::noinline]] static void refuse_size(face_point const& at, char const* what, double size)
  {
    throw_text<geometry_error>(
        "sumfac::face_operator: the element behind face %lld is beyond the numbers of type %s (%s %.6g "
        "at point %d, %.3g to %.3g expected): scale the mesh%s",
        static_cast<long long>(at.face()), name_of_number<number>(), what, size, at.point(), range::least_number,
        range::most_number, is_float ? ", or take double" : "");
  }

  static constexpr bool is_float = sizeof(number) < sizeof(double);

  memory_of<T, Backend> numbers_;
};

}  // namespace sumfac::detail
