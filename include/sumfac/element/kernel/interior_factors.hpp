// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The factors of a form of two sides at the points of all sides of all elements, set up once from both elements there.
#pragma once

#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/element/kernel/face_factors.hpp>
#include <sumfac/element/kernel/interior_kernel.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// A lane for each element; lanes behind the last one repeat it. Where nothing lies behind a side, and the form says
// nothing of it, factors are 0.
//
// Jacobians that are the same at a side's points but for rounding count as the same. On the host factors that then are
// a number times each point's weight are kept once a side, where that holds for all elements of a group.
//
// A part of a large element's side is a face of a small one: a large element has there the points that the small one
// has, with its own Jacobian in terms of the part. Normals and areas of both are the same where the small side lies in
// the large one, as where an element was cut along its curves, and is checked.
template <class Problem, class T, class Backend>
class interior_factors {
public:
  using form = typename Problem::form;
  using number = typename Problem::number;
  using reader = interior_factor_reader<Problem, T>;
  static constexpr int width = width_of<T>, directions = Problem::directions, sides = 2 * directions;

  static index_t groups(index_t elements) { return (elements + width - 1) / width; }

  // Of the first elements of the mesh; the others are those behind their sides.
  // **Errors** argument_error for mesh nodes that do not fit; geometry_error for a side at a point of which one of both
  // elements has no positive, finite determinant, or what the form asks is beyond the numbers, and for two sides that
  // differ in area.
  template <class Nodes, class Set>
  void set_up(Backend const& backend, Nodes const& nodes, form const& f, Set const& set, face_pairs const& pairs,
              index_t elements)
  {
    check_members(f);
    mesh_access<Nodes> const mesh{nodes};
    host const threads = host_of(backend);
    own_vector<index_t> more_of;
    index_t const all_sides = groups(elements) * sides, all = all_sides + find_parts(pairs, elements, more_of);
    own_vector<T> numbers(static_cast<std::size_t>(all * points * count), T{});
    own_vector<bool> lane_varies(static_cast<std::size_t>(all * width), false);
    first_of_all refused(elements * sides), beyond(elements * sides);
    threads.balance(groups(elements), [&](index_t begin, index_t end) {
      side_walker<mesh_access<Nodes>, Set> walk(mesh, set, pairs);
      double first[count] = {}, first_weight = 1;
      for (index_t lane = begin * width; lane < end * width; ++lane) {
        index_t const e = lesser(lane, elements - 1);
        auto const take = [&](int side, index_t block, side_point const& x) {
          if (!fits(x)) refused.keep(e * sides + side);
          auto const factors = f.setup(x);
          if (x.in.point() == 0) first_weight = x.in.weight();
          for_each_number<double>(factors, [&](int i, int, double factor) {
            if (x.in.point() == 0) first[i] = factor;
            double const expected = first[i] * (x.in.weight() / first_weight), difference = factor - expected;
            double const most = rounding * (expected < 0 ? -expected : expected);
            if (!(difference <= most && -difference <= most))
              lane_varies[static_cast<std::size_t>(block * width + lane % width)] = true;
            T& to = numbers[static_cast<std::size_t>(reader::place(0, block, x.in.point(), i))];
            set_lane(to, static_cast<int>(lane % width), static_cast<number>(factor));
          });
          range::for_each_beyond(x.in, factors, [&](char const*, double) { beyond.keep(e * sides + side); });
        };
        for (int side = 0; side < sides; ++side) {
          index_t const of_side = lane / width * sides + side;
          walk.visit(e, side, 0, [&](side_point const& x) { take(side, of_side, x); });
          index_t const more = more_of.empty() ? -1 : more_of[static_cast<std::size_t>(of_side)];
          for (int part = 1; more >= 0 && part < parts_of_side; ++part)
            walk.visit(e, side, part, [&](side_point const& x) { take(side, more + part - 1, x); });
        }
      }
    });
    index_t const wrong = lesser(refused.index(), beyond.index());
    if (wrong < elements * sides) {
      side_walker<mesh_access<Nodes>, Set> walk(mesh, set, pairs);
      for (int part = 0; part < parts_of_side; ++part)
        walk.visit(wrong / sides, static_cast<int>(wrong % sides), part,
                   [&](side_point const& x) { refuse(x, f.setup(x)); });
    }
    more_ = upload(backend, more_of);
    if constexpr (runs_on_host<Backend>)
      keep_once(numbers, lane_varies);
    else
      packs_ = upload(backend, numbers);
  }

  // For kernels that know parts of sides, or those that do not.
  template <bool Parts>
  interior_factor_reader<Problem, T, Parts> read() const
  {
    if constexpr (runs_on_host<Backend>)
      return {packs_.data(), places_.data(), more_.data()};
    else if constexpr (Parts)
      return {packs_.data(), {}, more_.data()};
    else
      return {packs_.data()};
  }
  index_t bytes() const { return static_cast<index_t>(packs_.size()) * index_t{sizeof(T)}; }

private:
  using sizes = face_sizes<Problem>;
  using map_type = element_map<directions>;
  using face_point = face_mapping<double, directions>;
  using side_point = both_sides<face_point>;
  using range = face_range<form, number, directions>;
  static constexpr int count = Problem::factors_of_point, points = sizes::points_of_face;
  static constexpr int parts_of_side = 1 << (directions - 1);
  static constexpr double rounding = 4e-15, rounding_of_jacobians = 1e-12;

  // Where the parts 1, 2, .. of sides of groups are that large elements have there; how many these are.
  static index_t find_parts(face_pairs const& pairs, index_t elements, own_vector<index_t>& more_of)
  {
    if (pairs.divided() == 0) return 0;
    index_t const all = groups(elements) * sides;
    index_t next = all;
    more_of.assign(static_cast<std::size_t>(all), -1);
    for (index_t e = 0; e < elements; ++e)
      for (int side = 0; side < sides; ++side)
        if (index_t& more = more_of[static_cast<std::size_t>(e / width * sides + side)];
            more < 0 && pairs.behind(e, side).divided >= 0)
          more = next, next += parts_of_side - 1;
    return next - all;
  }

  // Of each side's numbers, one after the other, all, or the first point's over its weight.
  void keep_once(own_vector<T> const& numbers, own_vector<bool> const& lane_varies)
  {
    places_.clear(), packs_.clear();
    for (std::size_t i = 0; i * points * count < numbers.size(); ++i) {
      bool varies = false;
      for (std::size_t l = 0; l < width; ++l) varies = varies || lane_varies[i * width + l];
      places_.push_back(2 * static_cast<index_t>(packs_.size()) + (varies ? 0 : 1));
      for (std::size_t k = 0; k < (varies ? points : 1) * count; ++k) {
        T x = numbers[i * points * count + k];
        if (!varies) x = x * (1 / reader::weights[0]);
        packs_.push_back(x);
      }
    }
  }

  // Both elements at the points of a part of a side, `in` being the one that forms see as such. Of a side that is not
  // divided all parts are the whole.
  template <class Mesh, class Set>
  struct side_walker {
    Mesh const& mesh;
    face_pairs const& pairs;
    map_type own, other;
    index_t loaded = -1;

    side_walker(Mesh const& nodes, Set const& set, face_pairs const& of)
        : mesh(nodes), pairs(of), own(nodes.nodes_1d(), set), other(nodes.nodes_1d(), set)
    {
    }

    template <class Visit>
    void visit(index_t e, int side, int part, Visit const& visit)
    {
      if (loaded != e) own.load(mesh, loaded = e);
      bool const is_divided = pairs.behind(e, side).divided >= 0;
      face_neighbour const& behind = is_divided ? pairs.part(e, side, part) : pairs.behind(e, side);
      bool const alone = behind.element < 0;
      if (alone && !has_exterior_state<form, T, directions>) return;
      if (!alone) other.load(mesh, behind.element);
      turned_axes const axes(directions, side, 0);
      matrix<double, directions> of_own{}, of_other{};
      for (int point = 0; point < points; ++point) {
        auto const here = at(own, axes, point, is_divided ? part : -1, e * sides + side, e, of_own);
        if (alone)
          visit(side_point{here, at(own, axes, point, is_divided ? part : -1, -1, -1, of_own, true)});
        else {
          auto const there = at(other, turned_axes(directions, behind.side, behind.turn), point, behind.part,
                                behind.element * sides + behind.side, behind.element, of_other);
          visit(behind.first ? side_point{here, there} : side_point{there, here});
        }
      }
    }
  };
  // An element at a point of a side, or its mirror image behind the face: the place along axis a is the sum of what
  // each direction of the turned one gives; in terms of a part of the side, unless that is -1. `first` keeps the
  // Jacobian of the first point.
  static face_point at(map_type const& map, turned_axes const& axes, int point, int part, index_t face, index_t e,
                       matrix<double, directions>& first, bool image = false)
  {
    using rule = typename sizes::row_points;
    auto const q = static_cast<std::size_t>(point % rule::size), r = static_cast<std::size_t>(point / rule::size);
    double turned[3] = {static_cast<double>(rule::nodes[q])};
    double weight = static_cast<double>(rule::weights[q]);
    if constexpr (directions == 3) {
      turned[1] = static_cast<double>(rule::nodes[r]);
      weight *= static_cast<double>(rule::weights[r]);
    }
    for (int d = 0; d < directions - 1 && part >= 0; ++d) turned[d] = (turned[d] + ((part >> d & 1) != 0 ? 1 : -1)) / 2;
    turned[directions - 1] = 1;
    vector<double, directions> xi{};
    matrix<double, directions> axis{};  // d xi / d turned
    for (int a = 0; a < directions; ++a)
      for (int d = 0; d < directions; ++d) {
        axis(a, d) = axes.step[d][a];
        xi[a] += axis(a, d) * turned[d];
      }
    auto x = map(xi);
    if (point == 0 && !image) first = x.jacobian;
    if (same(x.jacobian, first)) x.jacobian = first;
    if (image)
      for (int a = 0; a < directions; ++a) axis(a, directions - 1) = -axis(a, directions - 1);
    double const handed = determinant(axis);
    for (int d = 0; d < directions - 1 && part >= 0; ++d)
      for (int a = 0; a < directions; ++a) axis(a, d) /= 2;
    return {x.jacobian * axis * map.scale(), weight, map.place_of(x.position), face, point, e, handed};
  }
  // Whether each column is the same as the other's, but for rounding.
  static bool same(matrix<double, directions> const& a, matrix<double, directions> const& b)
  {
    for (int d = 0; d < directions; ++d) {
      double difference = 0, size = 0;
      for (int c = 0; c < directions; ++c) {
        difference += (a(c, d) - b(c, d)) * (a(c, d) - b(c, d));
        size += b(c, d) * b(c, d);
      }
      if (!(difference <= rounding_of_jacobians * rounding_of_jacobians * size)) return false;
    }
    return true;
  }

  static bool has_gradients(face_point const& x) { return x.scaled_det() > 0 && x.scaled_det() - x.scaled_det() == 0; }
  static double area(face_point const& x)
  {
    auto const n = x.scaled_normal();
    return __builtin_sqrt(dot(n, n));
  }
  static bool fits(side_point const& x)
  {
    double const difference = area(x.in) - area(x.out), most = 1e-6 * area(x.in);
    return has_gradients(x.in) && has_gradients(x.out) && difference <= most && -difference <= most;
  }

  static long long element_of(face_point const& x) { return static_cast<long long>(x.face() / sides); }
  static int side_of(face_point const& x) { return static_cast<int>(x.face() % sides); }

  template <class Factors>
  [[gnu::cold, gnu::noinline]] static void refuse(side_point const& x, Factors const& factors)
  {
    for (face_point const* at : {&x.in, &x.out})
      if (!has_gradients(*at))
        throw_text<geometry_error>(
            "sumfac::interior_operator: element %lld has no gradients on side %d (the determinant of the Jacobian is "
            "%.6g at point %d, a positive finite one expected): untangle it",
            element_of(*at), side_of(*at), at->det(), at->point());
    if (!fits(x))
      throw_text<geometry_error>(
          "sumfac::interior_operator: side %d of element %lld and side %d of element %lld are one and differ in size "
          "(%.6g and %.6g times the reference side at point %d): make the mesh conform; where it hangs give small "
          "elements nodes on the large one's side",
          side_of(x.in), element_of(x.in), side_of(x.out), element_of(x.out), area(x.in), area(x.out), x.in.point());
    range::for_each_beyond(x.in, factors, [&](char const* what, double size) {
      throw_text<geometry_error>(
          "sumfac::interior_operator: side %d of element %lld is beyond the numbers of type %s (%s %.6g at point %d, "
          "%.3g to %.3g expected): scale the mesh%s",
          side_of(x.in), element_of(x.in), name_of_number<number>(), what, size, x.in.point(), range::least_number,
          range::most_number, sizeof(number) < sizeof(double) ? ", or take double" : "");
    });
  }

  std::conditional_t<runs_on_host<Backend>, own_vector<T>, memory_of<T, Backend>> packs_;
  own_vector<index_t> places_;  // on the host, of each side of a group, twice, and one more where a point has all
  memory_of<index_t, Backend>
      more_;  // of each side of a group its parts but the first, or -1; none where no mesh hangs
};

}  // namespace sumfac::detail
