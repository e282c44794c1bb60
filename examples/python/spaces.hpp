// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Meshes and function spaces as Python has them: arrays in, functions called for all positions at once, arrays out.
#pragma once

#include "arrays.hpp"
#include "functions.hpp"
#include "interface.hpp"
#include "operators.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sumfac_python {

// Mesh nodes may be an array of the caller's, which lives as long.
struct python_mesh {
  std::shared_ptr<any_mesh const> m;
  py::object kept;
};

inline shape components_of(any_space const& v)
{
  return v.components == 1 ? shape{} : shape{v.components};
}

// Sides are an array (S, 2) of elements and their sides' numbers.
inline py::array array_of_sides(std::vector<side> const& sides)
{
  std::vector<index_t> numbers;
  for (side const& at : sides) numbers.push_back(at.element), numbers.push_back(at.number);
  return array_with(std::move(numbers), {static_cast<index_t>(sides.size()), 2});
}
inline std::vector<side> sides_from(argument const& what, py::handle x)
{
  py::array const sides = array_of(what, x, "sides, as mesh.boundary(...) returns them");
  if (!sides.dtype().equal(py::dtype::of<index_t>()))
    refuse_type(what, "has another dtype (expected int64, got " + name_of_dtype(sides.dtype()) + ")");
  check_shape(what, shape_of(sides), {{sides.ndim() > 0 ? sides.shape(0) : 0, 2}});
  check_contiguous(what, sides);
  auto const* const numbers = static_cast<index_t const*>(sides.data());
  std::vector<side> found;
  for (index_t s = 0; s < sides.shape(0); ++s) found.push_back({numbers[2 * s], numbers[2 * s + 1]});
  return found;
}

inline mesh_entry const& entry_of_meshes(char const* function, index_t directions, bool simplices)
{
  for (mesh_entry const& one : all<mesh_entry>())
    if (one.directions == directions && one.simplices == simplices) return one;
  if (all<mesh_entry>().empty())
    throw py::value_error("sumfac." + std::string(function) +
                          ": meshes are in float64, which is not built: name f64 in SUMFAC_PYTHON_SCALARS");
  throw py::value_error("sumfac." + std::string(function) + ": there are meshes of 2 and 3 directions (got " +
                        std::to_string(directions) + ")");
}

inline python_mesh moved(python_mesh const& of, py::object const& place)
{
  int const c = of.m->of.coordinates;
  return {of.m->moved(function_of({"Mesh.moved", "place"}, place, c, {c})), of.kept};
}

inline python_mesh box_mesh(std::vector<int> const& cells, py::object const& bend, int order)
{
  auto const& of = entry_of_meshes("box_mesh", static_cast<index_t>(cells.size()), false);
  python_mesh const straight{of.box(cells, bend.is_none() ? 1 : order), py::none()};
  return bend.is_none() ? straight : moved(straight, bend);
}

inline std::int64_t const* numbers_of(argument const& what, py::array const& table, shape const& expected)
{
  if (!table.dtype().equal(py::dtype::of<std::int64_t>()))
    refuse_type(what, "has another dtype (expected int64, got " + name_of_dtype(table.dtype()) + ")");
  check_shape(what, shape_of(table), {expected});
  check_contiguous(what, table);
  return static_cast<std::int64_t const*>(table.data());
}

// Of nodes (E, m, ..., m, C) and a table (E, n, ..., n).
inline python_mesh make_mesh(py::object const& nodes, py::object const& table, std::string const& node_set)
{
  argument const nodes_are{"mesh", "nodes"}, table_is{"mesh", "table"};
  py::array const x = array_of(nodes_are, nodes, "float64");
  check_dtype(nodes_are, x, 8);
  index_t const d = x.ndim() - 2;
  if (d != 2 && d != 3)
    refuse_value(nodes_are, "has another rank (expected 4, as (E, m, m, 2), or 5, as (E, m, m, m, 3), got " +
                                std::to_string(x.ndim()) + ")");
  index_t const m = x.shape(1);
  shape expected(static_cast<std::size_t>(d + 2), m);
  expected.front() = x.shape(0), expected.back() = d;
  check_shape(nodes_are, shape_of(x), {expected});
  check_contiguous(nodes_are, x);
  check_node_set("mesh", node_set, m);
  mesh const of{.nodes = static_cast<double const*>(x.data()),
                .elements = x.shape(0),
                .nodes_1d = m,
                .equispaced = node_set == "equispaced",
                .directions = static_cast<int>(d),
                .coordinates = static_cast<int>(d)};
  mesh_table numbers;
  if (!table.is_none()) {
    py::array const t = array_of(table_is, table, "int64");
    numbers.nodes_1d = t.ndim() > 1 ? t.shape(1) : 0;
    shape of_table(static_cast<std::size_t>(d + 1), numbers.nodes_1d);
    of_table.front() = x.shape(0);
    numbers.numbers = numbers_of(table_is, t, of_table);
  }
  return {entry_of_meshes("mesh", d, false).make(of, numbers), nodes};
}

// Triangles and tetrahedra of points (P, C) and a table (E, C + 1), which are copied.
inline python_mesh make_cell_mesh(py::object const& points, py::object const& table)
{
  argument const points_are{"cell_mesh", "points"}, table_is{"cell_mesh", "table"};
  py::array const x = array_of(points_are, points, "float64"), t = array_of(table_is, table, "int64");
  check_dtype(points_are, x, 8);
  if (x.ndim() != 2 || (x.shape(1) != 2 && x.shape(1) != 3))
    refuse_value(points_are, "has another shape (expected (points, 2) or (points, 3), got " + text_of(shape_of(x)) +
                                 ")");
  check_contiguous(points_are, x);
  index_t const d = x.shape(1), elements = t.ndim() > 0 ? t.shape(0) : 0;
  mesh const of{.nodes = static_cast<double const*>(x.data()),
                .elements = elements,
                .nodes_1d = x.shape(0),
                .directions = static_cast<int>(d),
                .coordinates = static_cast<int>(d),
                .simplices = true};
  return {entry_of_meshes("cell_mesh", d, true).make(of, {numbers_of(table_is, t, {elements, d + 1}), d + 1}),
          py::none()};
}

inline python_mesh read_gmsh(std::string const& file, int directions, bool simplices)
{
  return {entry_of_meshes("gmsh.read", directions, simplices).read(file), py::none()};
}

inline std::vector<side> boundary_of(python_mesh const& of, py::object const& which)
{
  if (which.is_none()) return of.m->boundary();
  if (py::isinstance<py::str>(which)) return of.m->boundary(which.cast<std::string>());
  if (PyLong_Check(which.ptr()) != 0) return of.m->boundary(which.cast<int>());
  if (PyCallable_Check(which.ptr()) == 0)
    refuse_type({"Mesh.boundary", "which"}, "is neither a name, a tag nor a function of the position");
  return of.m->boundary(function_of({"Mesh.boundary", "which"}, which, of.m->of.coordinates, {}));
}
inline python_mesh named(python_mesh const& of, std::string const& name, py::object const& where)
{
  bool const is_list = py::isinstance<py::array>(where);
  return {of.m->named(name, is_list ? sides_from({"Mesh.named", "where"}, where) : boundary_of(of, where)), of.kept};
}

inline py::array nodes_of(python_mesh const& of, py::object const& owner)
{
  mesh const& m = of.m->of;
  shape extents{m.elements};
  for (int d = 0; d < (m.simplices ? 1 : m.directions); ++d) extents.push_back(m.nodes_1d);
  extents.push_back(m.coordinates);
  py::array nodes(dtype_of(8), extents, m.nodes, owner);
  nodes.attr("flags").attr("writeable") = false;
  return nodes;
}

// Sides, or a list of sides and of pairs of sides and a component.
inline python_space make_space(python_mesh const& of, int degree, py::object const& fixed, int components, int points)
{
  argument const what{"function_space", "fixed"};
  space_options options{.degree = degree, .components = components, .points = points};
  if (py::isinstance<py::array>(fixed)) {
    options.fixed.emplace_back(sides_from(what, fixed), -1);
  } else if (!fixed.is_none()) {
    if (!py::isinstance<py::sequence>(fixed) || py::isinstance<py::str>(fixed))
      refuse_type(what, "is neither sides, as mesh.boundary(...) returns them, nor a list of them");
    for (auto const& one : fixed) {
      bool const is_pair = py::isinstance<py::tuple>(one) && py::len(one) == 2;
      auto const sides = is_pair ? py::object(one[py::int_(0)]) : py::reinterpret_borrow<py::object>(one);
      py::object const component = is_pair ? py::object(one[py::int_(1)]) : py::object(py::int_(-1));
      if (!py::isinstance<py::int_>(component)) refuse_type(what, "has a component that is no integer");
      options.fixed.emplace_back(sides_from(what, sides), component.cast<int>());
    }
  }
  return {of.m->make_space(options), of.kept};
}

// The entries of a function of a space.
inline double* function_in(argument const& what, any_space const& v, py::object const& u, access how)
{
  std::vector<shape> shapes{{v.size()}};
  if (v.components > 1) shapes.push_back({v.nodes, v.components});
  return static_cast<double*>(entries_of(what, array_of(what, u, "float64"), 8, shapes, how).data);
}
inline py::array as_function(std::vector<double>&& u)
{
  auto const size = static_cast<index_t>(u.size());
  return array_with(std::move(u), {size});
}

inline py::array values_of(python_space const& v, py::object const& f, py::object const& u)
{
  if (py::isinstance<python_space>(f)) {
    auto const& other = *f.cast<python_space const&>().v;
    return as_function(v.v->values_of(other, function_in({"FunctionSpace.values", "u"}, other, u, access::read)));
  }
  auto values = function_of({"FunctionSpace.values", "f"}, f, v.v->of_mesh.coordinates, components_of(*v.v))(
      v.v->positions());
  v.v->distribute(values.data());
  return as_function(std::move(values));
}

inline py::array load_of(python_space const& v, py::object const& f)
{
  if (py::isinstance<python_form>(f)) {
    python_operator const a = on_space(f.cast<python_form>(), v);
    std::vector<double> zeros(static_cast<std::size_t>(a.size())), b(zeros.size());
    a.run({zeros.data(), false}, {b.data(), false});
    return as_function(std::move(b));
  }
  auto const here = function_of({"FunctionSpace.load", "f"}, f, v.v->of_mesh.coordinates, components_of(*v.v));
  return as_function(v.v->load(here(v.v->points(nullptr).positions)));
}

inline py::array lift(python_space const& v, python_operator const& a, py::object const& g, py::object const& b,
                      py::object const& guess)
{
  if (!a.v)
    throw py::value_error("sumfac.FunctionSpace.lift: A is on no function space: make it by sumfac.operator(form, V)");
  if (a.size() != v.v->size())
    throw py::value_error("sumfac.FunctionSpace.lift: A has another number of entries (expected " +
                          std::to_string(v.v->size()) + ", got " + std::to_string(a.size()) + ")");
  double* const right = function_in({"FunctionSpace.lift", "b"}, *v.v, b, access::write);
  double const* const start =
      guess.is_none() ? nullptr : function_in({"FunctionSpace.lift", "guess"}, *v.v, guess, access::read);
  auto const given = function_of({"FunctionSpace.lift", "g"}, g, v.v->of_mesh.coordinates, components_of(*v.v));
  auto const matrix = [&](double const* u, double* of_u) {
    std::fill_n(of_u, a.size(), 0.0);
    for (python_operator const* part : a.all_parts())
      part->a->add_once(*part->v->make_restriction(false), {const_cast<double*>(u), false}, {of_u, false});
  };
  return as_function(v.v->lift(matrix, given, right, start));
}

inline void set_fixed(python_space const& v, py::object const& g, py::object const& u)
{
  double* const to = function_in({"FunctionSpace.set_fixed", "u"}, *v.v, u, access::write);
  v.v->set_fixed(
      function_of({"FunctionSpace.set_fixed", "g"}, g, v.v->of_mesh.coordinates, components_of(*v.v)), to);
}
inline void distribute(python_space const& v, py::object const& u)
{
  v.v->distribute(function_in({"FunctionSpace.distribute", "u"}, *v.v, u, access::write));
}

// position (coordinates, points), measure (points,), value (points,) or (C, points), gradient (coordinates, points) or
// (C, coordinates, points).
inline py::object points_of(python_space const& v, py::object const& u)
{
  double const* const from =
      u.is_none() ? nullptr : function_in({"FunctionSpace.points", "u"}, *v.v, u, access::read);
  space_points all = v.v->points(from);
  auto const count = static_cast<index_t>(all.measures.size());
  index_t const d = v.v->of_mesh.coordinates, c = v.v->components;
  py::dict fields;
  fields["position"] = array_with(std::move(all.positions), {count, d}).attr("T");
  fields["measure"] = array_with(std::move(all.measures), {count});
  if (from != nullptr) {
    if (c == 1) {
      fields["value"] = array_with(std::move(all.values), {count});
      fields["gradient"] = array_with(std::move(all.gradients), {count, d}).attr("T");
    } else {
      fields["value"] = array_with(std::move(all.values), {count, c}).attr("T");
      fields["gradient"] = array_with(std::move(all.gradients), {count, c, d}).attr("transpose")(1, 2, 0);
    }
  }
  return py::module_::import("types").attr("SimpleNamespace")(**fields);
}

// Of f(x), a number or a function of the position; of f(points_of(u)); of u.
inline double integral(python_space const& v, py::object const& u, py::object const& f)
{
  argument const what{"FunctionSpace.integral", "f"};
  int const coordinates = v.v->of_mesh.coordinates;
  if (py::isinstance<py::array>(u)) {
    py::object const points = points_of(v, u);
    auto const sums = [&](py::object const& x) {
      return py::object(numpy().attr("sum")(py::object(points.attr("measure")) * x)).cast<double>();
    };
    return sums(f.is_none() ? py::object(points.attr("value")) : f(points));
  }
  space_points const all = v.v->points(nullptr);
  auto const values = function_of(what, u, coordinates, {})(all.positions);
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) sum += all.measures[i] * values[i];
  return sum;
}

// The sum of measures times squares of what is off, in L2 or, with `slopes`, of gradients as well.
inline double error(char const* function, python_space const& v, py::object const& u, py::object const& f,
                    py::object const& slopes)
{
  any_space const& space = *v.v;
  space_points const all = space.points(function_in({function, "u"}, space, u, access::read));
  int const d = space.of_mesh.coordinates;
  double sum = 0;
  auto const add = [&](std::vector<double> const& got, std::vector<double> const& exact) {
    std::size_t const each = got.size() / std::max<std::size_t>(all.measures.size(), 1);
    for (std::size_t i = 0; i < got.size(); ++i) {
      double const off = got[i] - exact[i];
      sum += all.measures[i / each] * off * off;
    }
  };
  add(all.values, function_of({function, "f"}, f, d, components_of(space))(all.positions));
  if (!slopes.is_none()) {
    shape dims = components_of(space);
    dims.push_back(d);
    add(all.gradients, function_of({function, "gradient"}, slopes, d, dims)(all.positions));
  }
  return std::sqrt(sum);
}

// Whether nodes that elements of both have are in one place.
inline bool lie_alike(any_space const& a, any_space const& b)
{
  auto const nodes_of = [](any_space const& v) {
    std::vector<bool> found(static_cast<std::size_t>(v.nodes));
    for (index_t i = 0; i < v.of_mesh.elements * v.nodes_of_element; ++i)
      found[static_cast<std::size_t>(v.table()[i])] = true;
    return found;
  };
  auto const of_a = nodes_of(a), of_b = nodes_of(b);
  auto const at_a = a.positions(), at_b = b.positions();
  if (at_a.size() != at_b.size()) return false;
  double size = 0;
  for (double const x : at_a) size = std::max(size, std::abs(x));
  std::size_t const coordinates = at_a.size() / std::max<std::size_t>(of_a.size(), 1);
  for (std::size_t i = 0; i < at_a.size(); ++i)
    if (of_a[i / coordinates] && of_b[i / coordinates] && !(std::abs(at_a[i] - at_b[i]) <= 1e-9 * size)) return false;
  return true;
}

// A + B, of operators on function spaces that have the same unknowns.
inline python_operator sum_of(python_operator const& a, python_operator const& b)
{
  if (!a.v || !b.v)
    throw py::value_error("sumfac.Operator: operators are added where they are on function spaces: make them by "
                          "sumfac.operator(form, V) and sumfac.operator(form, V.on(sides))");
  auto const fixed = [](python_operator const& of) {
    auto const marks = of.v->marks();
    return std::count_if(marks.begin(), marks.end(), [](unsigned char mark) { return mark != 0; });
  };
  if (a.size() != b.size() || fixed(a) != fixed(b))
    throw py::value_error("sumfac.Operator: the spaces of a sum differ (" + std::to_string(a.size()) + " entries, " +
                          std::to_string(fixed(a)) + " fixed, and " + std::to_string(b.size()) + ", " +
                          std::to_string(fixed(b)) + "): take V and V.on(sides)");
  if (a.v->marks() != b.v->marks() || !lie_alike(*a.v, *b.v))
    throw py::value_error("sumfac.Operator: the spaces of a sum have as many entries (" + std::to_string(a.size()) +
                          ", " + std::to_string(fixed(a)) +
                          " fixed), but at other nodes, or other ones are fixed: take V and V.on(sides)");
  python_operator made = a;
  made.parts.clear();
  std::vector<matrix_parts> all;
  for (python_operator const* of : {&a, &b})
    for (python_operator const* part : of->all_parts()) {
      made.parts.push_back(*part);
      all.push_back({part->a, part->r->r});
    }
  auto const& entries_of_forms = sumfac_python::all<form_entry>();
  auto const is_double = [](form_entry const& one) { return one.of == kind{"host", 8}; };
  made.a = std::find_if(entries_of_forms.begin(), entries_of_forms.end(), is_double)->add(all);
  return made;
}

inline python_space on_sides(python_space const& v, py::object const& sides)
{
  return {v.v->on(sides_from({"FunctionSpace.on", "sides"}, sides)), v.kept};
}

inline py::array table_of(python_space const& v, py::object const& owner)
{
  mesh const& m = v.v->of_mesh;
  shape extents{m.elements};
  if (m.simplices)
    extents.push_back(v.v->nodes_of_element);
  else
    extents.insert(extents.end(), static_cast<std::size_t>(m.directions), index_t{v.v->degree + 1});
  py::array table(py::dtype::of<std::int32_t>(), extents, v.v->table(), owner);
  table.attr("flags").attr("writeable") = false;
  return table;
}
inline py::array fixed_of(python_space const& v)
{
  auto const marks = v.v->marks();
  py::array_t<bool> fixed(v.v->size());
  std::transform(marks.begin(), marks.end(), fixed.mutable_data(), [](unsigned char mark) { return mark != 0; });
  return fixed;
}

inline void write_vtu(std::string const& file, python_space const& v, py::object const& fields)
{
  std::vector<std::pair<std::string, std::vector<double>>> all;
  auto const add = [&](std::string const& name, py::handle values) {
    argument const what{"write_vtu", name.c_str()};
    py::array const x = array_of(what, values, "float64");
    any_space const& space = *v.v;
    place const from = entries_of(
        what, x, 8, {{space.size()}, {space.nodes, space.components}, {space.of_mesh.elements}}, access::read);
    auto const* const numbers = static_cast<double const*>(from.data);
    all.emplace_back(name, std::vector<double>(numbers, numbers + x.size()));
  };
  if (py::isinstance<py::dict>(fields))
    for (auto const& [name, values] : fields.cast<py::dict>()) add(py::str(name), values);
  else
    add("u", fields);
  v.v->write(file, all);
}

}  // namespace sumfac_python
