// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The oracle of integrals over faces between elements: pairs found by coordinates, sums by dense loops in long double.
#pragma once

#include "grid.hpp"
#include "spaces.hpp"

#include <cmath>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

// A flux says for a point of a face, from u and grad u of both elements there, what the test functions of each side and
// their gradients are multiplied by:
//   v_in_i  = sum over points q of w_q area_q ( phi_i f_in + grad phi_i . F_in ), and the same of the other side,
// gradients in the coordinates of the mesh, `in.normal` out of the first element, `out.normal` out of the second one.
namespace reference {

// The side of an element where reference coordinate number / 2 is -1 (even) or 1 (odd).
struct side {
  int element, number;

  friend bool operator==(side const&, side const&) = default;
};

// Two sides that are one face; with a period, where the second one is the first one moved by `shift`. Where the first
// one is only a part of the second one, bit d of `part` says that it is the upper half along direction d of that.
struct face {
  side in, out;
  std::vector<real> shift{};
  int part = -1;
};

struct both_sides {
  flat_field in, out;
};
using flux = std::function<both_sides(face_point const& in, face_point const& out, flat_field const& u_in,
                                      flat_field const& u_out)>;

// What is known on one side of a face at places of it, given by the coordinates along it in ascending directions.
class side_of_face : flat_element {
public:
  struct function {
    real value;
    std::vector<real> gradient;
  };
  struct point {
    face_point where;
    real area;  // of the face there, for a unit of its reference coordinates
    std::vector<function> basis;
  };

  side_of_face(grid const& mesh, int e, int number)
      : flat_element(mesh.directions, mesh.directions, mesh.where, mesh.nodes_of(e), mesh.where), number_(number)
  {
  }

  std::vector<real> place_of(std::vector<real> along) const
  {
    along.insert(along.begin() + number_ / 2, number_ % 2 == 0 ? -1 : 1);
    return along;
  }

  std::vector<real> position_of(std::vector<real> const& along) const { return position(place_of(along)); }

  point at_point(rule const& nodes, std::vector<real> const& along) const
  {
    auto const xi = place_of(along);
    std::vector<std::vector<real>> jacobian(at(c_), std::vector<real>(at(d_), 0));
    for (int i = 0; i < count(mesh_nodes_.size()); ++i)
      for (int c = 0; c < c_; ++c)
        for (int d = 0; d < d_; ++d) jacobian[at(c)][at(d)] += mesh_[at(i * c_ + c)] * basis(mesh_nodes_, i, xi, d);
    auto const [root, inverse] = invert(jacobian);
    auto const& across = inverse[at(number_ / 2)];  // the gradient of the coordinate that is constant on the side
    real length = 0;
    for (real const x : across) length += x * x;
    length = std::sqrt(length);
    point result{{position(xi), {}, 2 / length}, root * length, {}};
    for (real const x : across) result.where.normal.push_back((number_ % 2 == 0 ? -x : x) / length);
    for (int i = 0; i < nodes_of(nodes); ++i)
      result.basis.push_back({basis(nodes, i, xi, -1), gradient(nodes, i, xi, inverse)});
    return result;
  }

private:
  int number_;
};

inline std::vector<std::vector<real>> points_of_face(int directions, rule const& points)
{
  std::vector<std::vector<real>> result{{}};
  for (int d = 1; d < directions; ++d) {
    auto const before = std::exchange(result, {});
    for (real const x : points.nodes)
      for (auto along : before) {
        along.push_back(x);
        result.push_back(along);
      }
  }
  return result;
}

// Coordinates along the second side where the first one, all or a part of it, has `along`.
inline std::vector<real> turned_place(turn const& t, std::vector<real> const& along, int part = -1)
{
  std::vector<real> result;
  for (std::size_t d = 0; d < along.size(); ++d) {
    real const x = along[static_cast<std::size_t>(t.axis[d])] * (t.reversed[d] ? -1 : 1);
    result.push_back(part < 0 ? x : (x + ((part >> d & 1) == 1 ? 1 : -1)) / 2);
  }
  return result;
}

// Whether the places lie on each other, the second side turned so and moved back by the shift.
inline bool lie_together(side_of_face const& in, side_of_face const& out, turn const& t, std::vector<real> const& shift,
                         std::vector<std::vector<real>> const& places, int part = -1)
{
  for (auto const& along : places) {
    auto const x = in.position_of(along), y = out.position_of(turned_place(t, along, part));
    for (std::size_t c = 0; c < x.size(); ++c)
      if (std::abs(x[c] + (shift.empty() ? 0 : shift[c]) - y[c]) > 1e-9L) return false;
  }
  return true;
}

// How the second side of a face lies on the first one.
inline turn turn_of(grid const& mesh, face const& f)
{
  side_of_face const in(mesh, f.in.element, f.in.number), out(mesh, f.out.element, f.out.number);
  for (turn const& t : turns(mesh.directions - 1, true))
    if (lie_together(in, out, t, f.shift, points_of_face(mesh.directions, mesh.where), f.part)) return t;
  throw std::invalid_argument("two sides are not one face");
}

// All pairs of sides that are one face, in place or moved by one of the periods; the first is the earlier one, or the
// one from which the period leads to the other.
inline std::vector<face> interior_faces(grid const& mesh, std::vector<std::vector<real>> const& periods = {})
{
  auto const corners = points_of_face(mesh.directions, equispaced(2));
  std::vector<side> sides;
  std::vector<std::vector<std::vector<real>>> at;  // (side, corner, coordinate)
  for (int e = 0; e < mesh.elements(); ++e)
    for (int number = 0; number < 2 * mesh.directions; ++number) {
      sides.push_back({e, number});
      at.emplace_back();
      for (auto const& along : corners) at.back().push_back(side_of_face(mesh, e, number).position_of(along));
    }
  auto const same = [&](std::size_t a, std::size_t b, std::vector<real> const& shift) {
    for (auto const& x : at[a]) {
      bool found = false;
      for (auto const& y : at[b]) {
        bool here = true;
        for (std::size_t c = 0; c < x.size(); ++c)
          here = here && std::abs(x[c] + (shift.empty() ? 0 : shift[c]) - y[c]) < 1e-9L;
        found = found || here;
      }
      if (!found) return false;
    }
    return true;
  };
  std::vector<face> result;
  for (std::size_t a = 0; a < sides.size(); ++a)
    for (std::size_t b = 0; b < sides.size(); ++b) {
      if (a < b && same(a, b, {})) result.push_back({sides[a], sides[b]});
      for (auto const& shift : periods)
        if (a != b && same(a, b, shift)) result.push_back({sides[a], sides[b], shift});
    }
  return result;
}

// The sides that are in none of the pairs.
inline std::vector<side> boundary_sides(grid const& mesh, std::vector<face> const& faces)
{
  std::vector<side> result;
  for (int e = 0; e < mesh.elements(); ++e)
    for (int number = 0; number < 2 * mesh.directions; ++number) {
      side const here{e, number};
      bool inside = false;
      for (face const& f : faces) inside = inside || f.in == here || f.out == here;
      if (!inside) result.push_back(here);
    }
  return result;
}

// Sides of small elements that are parts of a side of a large one, found by their coordinates among those that no other
// side lies on.
inline std::vector<face> hanging_faces(grid const& mesh)
{
  auto const sides = boundary_sides(mesh, interior_faces(mesh));
  auto const places = points_of_face(mesh.directions, mesh.where);
  std::vector<face> result;
  for (side const& small : sides)
    for (side const& large : sides) {
      side_of_face const in(mesh, small.element, small.number), out(mesh, large.element, large.number);
      for (int part = 0; part < 1 << (mesh.directions - 1) && small.element != large.element; ++part)
        for (turn const& t : turns(mesh.directions - 1, true))
          if (lie_together(in, out, t, {}, places, part)) result.push_back({small, large, {}, part});
    }
  return result;
}

// Sums over faces of a discontinuous space: u and v are (E, C, n^D), reference x fastest.
class face_sums {
public:
  using vector = std::vector<real>;

  face_sums(grid const& mesh, function_space const& space, rule const& points)
      : mesh_(mesh), space_(space), points_(points)
  {
  }

  int size() const { return mesh_.elements() * of_element(); }

  // A face between two elements; points and areas are those of the first side, the small one where a mesh hangs.
  void add(face const& f, flux const& form)
  {
    turn const t = turn_of(mesh_, f);
    term next{{f.in.element, f.out.element}, {}, form};
    side_of_face const in(mesh_, f.in.element, f.in.number), out(mesh_, f.out.element, f.out.number);
    for (auto const& along : points_of_face(mesh_.directions, points_))
      next.points.push_back(
          {in.at_point(space_.nodes, along), out.at_point(space_.nodes, turned_place(t, along, f.part))});
    terms_.push_back(std::move(next));
  }
  void add(std::vector<face> const& faces, flux const& form)
  {
    for (face const& f : faces) add(f, form);
  }

  // A face of one element.
  void add(side const& f, face_integrand const& form)
  {
    term next{{f.element}, {}, [form](face_point const& x, face_point const&, flat_field const& u, flat_field const&) {
                return both_sides{form(x, u), {}};
              }};
    side_of_face const in(mesh_, f.element, f.number);
    for (auto const& along : points_of_face(mesh_.directions, points_))
      next.points.push_back({in.at_point(space_.nodes, along)});
    terms_.push_back(std::move(next));
  }
  void add(std::vector<side> const& sides, face_integrand const& form)
  {
    for (side const& f : sides) add(f, form);
  }

  // v from u; the fluxes may be nonlinear.
  vector apply(vector const& u) const
  {
    vector v(at(size()), 0);
    for (term const& t : terms_) {
      vector mine;
      for (int const e : t.elements) mine.insert(mine.end(), first(u, e), first(u, e) + of_element());
      vector const part = applied(t, mine);
      for (std::size_t s = 0; s < t.elements.size(); ++s)
        for (int i = 0; i < of_element(); ++i)
          v[at(t.elements[s] * of_element() + i)] += part[s * at(of_element()) + at(i)];
    }
    return v;
  }

  // The matrix of linear fluxes.
  table<real> matrix() const
  {
    table<real> a(size(), size());
    for (term const& t : terms_) {
      int const of_term = static_cast<int>(t.elements.size()) * of_element();
      auto const number = [&](int i) { return t.elements[at(i / of_element())] * of_element() + i % of_element(); };
      for (int j = 0; j < of_term; ++j) {
        vector unit(at(of_term), 0);
        unit[at(j)] = 1;
        vector const column = applied(t, unit);
        for (int i = 0; i < of_term; ++i) a(number(i), number(j)) += column[at(i)];
      }
    }
    return a;
  }

private:
  struct term {
    std::vector<int> elements;                               // the first one, and the second one where there is one
    std::vector<std::vector<side_of_face::point>> points{};  // (points, sides)
    flux form;
  };

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int nodes() const { return of_element() / space_.components; }
  int of_element() const
  {
    int product = space_.components;
    for (int d = 0; d < mesh_.directions; ++d) product *= space_.nodes.size();
    return product;
  }
  vector::const_iterator first(vector const& u, int e) const { return u.begin() + std::ptrdiff_t{e} * of_element(); }

  // v (sides, C, n^D) from u likewise.
  vector applied(term const& t, vector const& u) const
  {
    vector v(u.size(), 0);
    std::size_t const coordinates = at(mesh_.directions);
    auto const sides = t.elements.size();
    for (std::size_t q = 0; q < t.points.size(); ++q) {
      auto const& x = t.points[q];
      real weight = x[0].area;
      std::size_t rest = q;
      for (int d = 1; d < mesh_.directions; ++d, rest /= points_.nodes.size())
        weight *= points_.weights[rest % points_.nodes.size()];
      std::vector<flat_field> of_u(2);
      for (std::size_t s = 0; s < sides; ++s)
        for (int c = 0; c < space_.components; ++c) {
          of_u[s].value.push_back(0);
          of_u[s].gradient.emplace_back(coordinates, 0);
          for (int i = 0; i < nodes(); ++i) {
            real const entry = u[s * at(of_element()) + at(c * nodes() + i)];
            of_u[s].value.back() += entry * x[s].basis[at(i)].value;
            for (std::size_t r = 0; r < coordinates; ++r)
              of_u[s].gradient.back()[r] += entry * x[s].basis[at(i)].gradient[r];
          }
        }
      both_sides const tested = t.form(x[0].where, x.back().where, of_u[0], of_u[1]);
      for (std::size_t s = 0; s < sides; ++s) {
        flat_field const& mine = s == 0 ? tested.in : tested.out;
        for (int c = 0; c < space_.components; ++c)
          for (int i = 0; i < nodes(); ++i) {
            real sum = 0;
            if (!mine.value.empty()) sum += x[s].basis[at(i)].value * mine.value[at(c)];
            if (!mine.gradient.empty())
              for (std::size_t r = 0; r < coordinates; ++r)
                sum += x[s].basis[at(i)].gradient[r] * mine.gradient[at(c)][r];
            v[s * at(of_element()) + at(c * nodes() + i)] += weight * sum;
          }
      }
    }
    return v;
  }

  grid mesh_;
  function_space space_;
  rule points_;
  std::vector<term> terms_;
};

inline real dot(std::vector<real> const& a, std::vector<real> const& b)
{
  if (a.size() != b.size()) throw std::logic_error("dot: vectors of two lengths");
  real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// -avg(grad u) . n jump(v) - jump(u) avg(grad v) . n + penalty jump(u) jump(v), jump = in - out, of each component.
inline flux interior_penalty(std::function<real(face_point const& in, face_point const& out)> const& penalty)
{
  return [penalty](face_point const& in, face_point const& out, flat_field const& u, flat_field const& w) {
    both_sides v;
    for (std::size_t c = 0; c < u.value.size(); ++c) {
      real const jump = u.value[c] - w.value[c];
      real const slope = (dot(u.gradient[c], in.normal) + dot(w.gradient[c], in.normal)) / 2;
      real const f = -slope + penalty(in, out) * jump;
      v.in.value.push_back(f);
      v.out.value.push_back(-f);
      v.in.gradient.emplace_back();
      for (real const n : in.normal) v.in.gradient.back().push_back(-jump * n / 2);
    }
    v.out.gradient = v.in.gradient;
    return v;
  };
}

// -(grad u . n) v - (u - g) grad v . n + penalty (u - g) v: its boundary terms, u = g (x) there.
inline face_integrand weak_dirichlet(std::function<real(face_point const&)> const& penalty,
                                     std::function<real(std::vector<real> const&)> const& g = {})
{
  return [penalty, g](face_point const& x, flat_field const& u) {
    flat_field v;
    for (std::size_t c = 0; c < u.value.size(); ++c) {
      real const jump = u.value[c] - (g ? g(x.position) : 0);
      v.value.push_back(-dot(u.gradient[c], x.normal) + penalty(x) * jump);
      v.gradient.emplace_back();
      for (real const n : x.normal) v.gradient.back().push_back(-jump * n);
    }
    return v;
  };
}

// (b . n) jump(v) times u of the side from which b (x) comes.
inline flux upwind(std::function<std::vector<real>(std::vector<real> const&)> const& b)
{
  return [b](face_point const& in, face_point const&, flat_field const& u, flat_field const& w) {
    both_sides v;
    real const across = dot(b(in.position), in.normal);
    for (std::size_t c = 0; c < u.value.size(); ++c) {
      v.in.value.push_back(across * (across >= 0 ? u : w).value[c]);
      v.out.value.push_back(-v.in.value[c]);
    }
    return v;
  };
}

}  // namespace reference
