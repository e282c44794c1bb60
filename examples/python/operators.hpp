// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Restrictions and operators as Python has them: what is built, looked up by name; arguments read, checked and passed.
#pragma once

#include "arrays.hpp"
#include "functions.hpp"
#include "interface.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sumfac_python {

template <class Entry>
std::vector<Entry> const& all()
{
  return entries(static_cast<Entry const*>(nullptr));
}

inline std::string list_of(std::set<std::string> const& words)
{
  std::string list;
  for (std::string const& word : words) list += (list.empty() ? "" : ", ") + word;
  return list.empty() ? "none" : list;
}
inline std::string list_of(std::set<int> const& numbers)
{
  std::string list;
  for (int const number : numbers) list += (list.empty() ? "" : ", ") + std::to_string(number);
  return list.empty() ? "none" : list;
}

inline char const* name_of(int bytes)
{
  return bytes == 8 ? "float64" : "float32";
}

// What is built for a backend and a dtype, or a sentence that names what is.
inline kind_entry const& find_kind(char const* function, std::string const& backend, py::object const& dtype)
{
  py::dtype const type = py::dtype::from_args(dtype);
  std::set<std::string> built;
  for (kind_entry const& one : all<kind_entry>()) {
    if (one.of.backend == backend && type.equal(dtype_of(one.of.bytes))) return one;
    built.insert(one.of.backend + " with " + name_of(one.of.bytes));
  }
  throw py::value_error("sumfac." + std::string(function) + ": backend " + backend + " with dtype " +
                        name_of_dtype(type) + " is not built (built: " + list_of(built) +
                        "): see SUMFAC_PYTHON_BACKENDS and SUMFAC_PYTHON_SCALARS");
}
inline kind_entry const& entry_of(kind const& of)
{
  auto const& entries_of_kinds = all<kind_entry>();
  return *std::find_if(entries_of_kinds.begin(), entries_of_kinds.end(),
                       [&](kind_entry const& one) { return one.of == of; });
}

inline std::set<int> degrees_of(kind const& of, std::string const& problem)
{
  std::set<int> degrees;
  for (operator_entry const& one : all<operator_entry>())
    if (one.of == of && one.problem == problem) degrees.insert(one.degree);
  return degrees;
}

inline operator_entry const& find_operator(kind const& of, std::string const& problem, int degree)
{
  std::set<std::string> problems;
  for (operator_entry const& one : all<operator_entry>()) {
    if (!(one.of == of)) continue;
    if (one.problem == problem && one.degree == degree) return one;
    problems.insert(one.problem);
  }
  if (problems.count(problem) == 0)
    throw py::value_error("sumfac.operator: there is no problem " + problem + " (there are " + list_of(problems) +
                          "): a weak form is sumfac.form(text)");
  throw py::value_error("sumfac.operator: degree " + std::to_string(degree) + " of " + problem +
                        " is not built (built: " + list_of(degrees_of(of, problem)) +
                        "): name it in SUMFAC_PYTHON_ORDERS");
}

// Without the interpreter's lock, and alone with a restriction, where there is one.
class at_work {
public:
  explicit at_work(restriction const* r = nullptr) : lock_(r == nullptr ? lock() : lock(r->in_use)) {}

private:
  using lock = std::unique_lock<std::recursive_mutex>;

  py::gil_scoped_release released_;
  lock lock_;
};

// A restriction as Python has it.
struct python_restriction {
  kind of;
  std::shared_ptr<restriction const> r;

  index_t size() const { return r->nodes * r->components; }
  std::vector<shape> vector_shapes() const
  {
    if (r->components == 1) return {{size()}};
    return {{size()}, {r->nodes, r->components}};
  }
  shape e_shape() const
  {
    shape of_elements{r->elements};
    if (r->components > 1) of_elements.push_back(r->components);
    of_elements.insert(of_elements.end(), static_cast<std::size_t>(r->axes), r->nodes_1d);
    return of_elements;
  }
};

// A function space as Python has it, and what its mesh has of the caller's.
struct python_space {
  std::shared_ptr<any_space const> v;
  py::object kept;
};

// An array of a result: what the caller gave, or a new one.
inline py::object result_for(py::object const& out, int bytes, shape const& like)
{
  if (!out.is_none()) return out;
  return py::array(dtype_of(bytes), like);
}

inline python_restriction make_restriction(py::object const& element_nodes, index_t nodes,
                                           py::object const& constrained, int components, std::string const& backend,
                                           py::object const& dtype)
{
  constexpr auto here = "restriction";
  kind_entry const& of = find_kind(here, backend, dtype);
  argument const table_is{here, "element_nodes"}, marks_are{here, "constrained"};
  py::array const table = array_of(table_is, element_nodes, "int32 or int64");
  if (table.dtype().kind() != 'i' || (table.itemsize() != 4 && table.itemsize() != 8))
    refuse_type(table_is, "has another dtype (expected int32 or int64, got " + name_of_dtype(table.dtype()) + ")");
  if (table.ndim() != 4)
    refuse_value(table_is, "has another rank (expected 4, as (E, n, n, n), got " + std::to_string(table.ndim()) + ")");
  index_t const n = table.shape(1);
  check_shape(table_is, shape_of(table), {{table.shape(0), n, n, n}});
  check_contiguous(table_is, table);
  numbering numbers{table.data(), static_cast<int>(table.itemsize()), table.shape(0), n, nodes, components};
  if (!constrained.is_none()) {
    py::array const marks = array_of(marks_are, constrained, "bool");
    if (!marks.dtype().equal(py::dtype::of<bool>()))
      refuse_type(marks_are, "has another dtype (expected bool, got " + name_of_dtype(marks.dtype()) + ")");
    check_shape(marks_are, shape_of(marks), {{nodes}, {nodes, components}});
    check_contiguous(marks_are, marks);
    numbers.marks = static_cast<unsigned char const*>(marks.data());
    numbers.marks_by_component = marks.ndim() == 2;
  }
  at_work const now;
  return {of.of, of.make_restriction(numbers)};
}

// A weak form as Python has it; the arrays of its coefficients live as long.
struct python_form {
  form_text of;
  py::dict arrays;
  bool has_functions = false;  // among its coefficients, which spaces know the points of

  bool is_by_point() const
  {
    return std::any_of(of.coefficients.begin(), of.coefficients.end(),
                       [](auto const& one) { return one.extents.size() > 1; });
  }
  // Throws unless arrays are (E,), or (E, q, ..., q) of so many directions.
  void check(index_t elements, int axes, index_t points) const
  {
    shape by_point(static_cast<std::size_t>(axes + 1), points);
    by_point.front() = elements;
    for (auto const& one : of.coefficients)
      if (one.array != nullptr) check_shape({"operator", one.name.c_str()}, one.extents, {{elements}, by_point});
  }
};

inline python_form make_form(std::string const& text, int components, std::vector<std::string> const& flags,
                             py::kwargs const& coefficients)
{
  python_form made{{text, components, {}, flags}, coefficients};
  for (auto const& [name, value] : coefficients) {
    form_text::coefficient one;
    one.name = py::str(name);
    argument const what{"form", one.name.c_str()};
    if (py::isinstance<py::array>(value)) {
      auto const array = py::reinterpret_borrow<py::array>(value);
      check_dtype(what, array, 8);
      one.extents = shape_of(array);
      if (array.ndim() < 1 || array.ndim() > 4)
        refuse_value(what, "has another rank (expected 1, as (E,), to 4, as (E, q, q, q), got " +
                               std::to_string(array.ndim()) + ")");
      check_contiguous(what, array);
      one.array = static_cast<double const*>(array.data());
    } else if (PyFloat_Check(value.ptr()) != 0 || PyLong_Check(value.ptr()) != 0) {
      one.number = value.cast<double>();
    } else if (PyCallable_Check(value.ptr()) != 0) {
      made.has_functions = true;
    } else {
      refuse_type(what, "is neither a number, a numpy array of float64 nor a function of the position");
    }
    made.of.coefficients.push_back(one);
  }
  if (all<form_entry>().empty()) throw py::value_error("sumfac.form: forms as text are not built");
  all<form_entry>().front().check(made.of);
  return made;
}

// An operator as Python has it: its problem, the mesh that it was made of, and how its vectors go through elements.
struct python_operator {
  operator_entry const* entry = nullptr;
  mesh of_mesh;
  py::object nodes;  // whose entries the mesh has
  std::shared_ptr<element_operator> a;
  std::optional<python_restriction> r;
  std::shared_ptr<operator_entry const> own = nullptr;  // of a form, what `entry` is
  std::optional<python_form> form = {};
  std::shared_ptr<any_space const> v = nullptr;  // where it is on a function space
  std::vector<python_operator> parts = {};       // of a sum
  // Where a tangent on a space has been taken, for coarser levels.
  std::shared_ptr<std::vector<double>> state = nullptr;

  index_t n() const { return entry->degree + 1; }
  std::vector<python_operator const*> all_parts() const
  {
    std::vector<python_operator const*> all;
    for (auto const& part : parts) all.push_back(&part);
    if (all.empty()) all.push_back(this);
    return all;
  }
  index_t size() const { return r ? r->size() : a->elements * entry->components * n() * n() * n(); }
  std::vector<shape> shapes() const
  {
    if (r) return r->vector_shapes();
    shape of_elements{a->elements, n(), n(), n()};
    if (entry->components > 1) of_elements.insert(of_elements.begin() + 1, entry->components);
    return {of_elements, {size()}};
  }
  matrix_parts as_matrix(char const* function) const
  {
    if (!r)
      throw py::value_error("sumfac." + std::string(function) +
                            ": A has no restriction, of which the vectors of a "
                            "matrix are: pass restriction= to sumfac.operator");
    return {a, r->r};
  }
  void run(place from, place to) const
  {
    at_work const now(r ? r->r.get() : nullptr);
    if (r)
      a->apply(*r->r, from, to);
    else
      a->apply(from, to);
  }
};

inline void check_node_set(char const* function, std::string const& node_set, index_t m)
{
  std::string const here = "sumfac." + std::string(function);
  if (node_set.empty() && m > 3)
    throw py::value_error(here + ": it is not said where the " + std::to_string(m) +
                          " mesh nodes of an edge lie (up to 3 lie alike in every set): pass "
                          "node_set=\"gauss_lobatto\" or node_set=\"equispaced\"");
  if (!node_set.empty() && node_set != "gauss_lobatto" && node_set != "equispaced")
    throw py::value_error(here + ": there is no node_set " + node_set + " (there are gauss_lobatto, equispaced)");
}

inline mesh mesh_of(py::array const& nodes, std::string const& node_set)
{
  argument const what{"operator", "nodes"};
  check_dtype(what, nodes, 8);
  if (nodes.ndim() != 5)
    refuse_value(what, "has another rank (expected 5, as (E, m, m, m, 3), got " + std::to_string(nodes.ndim()) +
                           "): of quadrilaterals and triangles make a sumfac.mesh and a sumfac.function_space");
  check_shape(what, shape_of(nodes), {{nodes.shape(0), nodes.shape(1), nodes.shape(1), nodes.shape(1), 3}});
  check_contiguous(what, nodes);
  check_node_set("operator", node_set, nodes.shape(1));
  return {static_cast<double const*>(nodes.data()), nodes.shape(0), nodes.shape(1), node_set == "equispaced"};
}

// What makes operators of a form at a degree, with so many points along an edge.
inline std::shared_ptr<operator_entry const> entry_of_form(kind const& of, python_form const& form, int degree,
                                                           int points)
{
  for (form_entry const& one : all<form_entry>())
    if (one.of == of)
      return std::make_shared<operator_entry>(
          operator_entry{of, "form", degree, form.of.components,
                         [make = one.make, text = form.of, degree, points](mesh const& m) {
                           return make(text, degree, points, m);
                         }});
  throw py::value_error("sumfac.operator: forms as text are for the host alone (got " + of.backend + ")");
}

// The same problem at another degree. A form whose coefficients are by point keeps its points.
inline std::shared_ptr<element_operator> at_degree(python_operator const& a, int degree)
{
  kind const& of = a.entry->of;
  if (!a.form) return find_operator(of, a.entry->problem, degree).make(a.of_mesh);
  return entry_of_form(of, *a.form, degree, (a.form->is_by_point() ? a.entry->degree : degree) + 2)->make(a.of_mesh);
}

// A form on a function space, whose degree, points, mesh and restriction it has.
inline python_operator on_space(python_form const& form, python_space const& space)
{
  any_space const& v = *space.v;
  python_operator made;
  made.form = form;
  made.v = space.v;
  made.of_mesh = v.of_mesh;
  made.nodes = space.kept;
  if (form.of.components != v.components)
    throw py::value_error("sumfac.operator: the space has another number of components than the form (expected " +
                          std::to_string(form.of.components) + ", got " + std::to_string(v.components) + ")");
  if (v.of_mesh.simplices && (form.has_functions || form.is_by_point()))
    throw py::value_error("sumfac.operator: a coefficient is a function, or by point, which quadrilaterals, hexahedra "
                          "and lines have (triangles or tetrahedra got): write it in the text, as x[0]*x[1], or pass "
                          "numbers by element");
  int const axes = v.of_mesh.directions;
  form.check(v.of_mesh.elements, axes, v.points_1d);
  // Functions become arrays by point, which are read when the operator is made.
  form_text text = form.of;
  std::vector<std::vector<double>> values;
  values.reserve(text.coefficients.size());
  std::vector<double> positions;
  for (auto& one : text.coefficients) {
    py::object const f = form.arrays[one.name.c_str()];
    if (one.array != nullptr || PyCallable_Check(f.ptr()) == 0) continue;
    if (positions.empty()) positions = v.points(nullptr).positions;
    values.push_back(function_of({"form", one.name.c_str()}, f, v.of_mesh.coordinates, {})(positions));
    one.array = values.back().data();
    one.extents.assign(static_cast<std::size_t>(axes + 1), v.points_1d);
    one.extents.front() = v.of_mesh.elements;
  }
  kind const of{"host", 8};
  python_form with_values = form;
  with_values.of = text;
  made.own = entry_of_form(of, with_values, v.degree, v.points_1d);
  made.entry = made.own.get();
  made.state = std::make_shared<std::vector<double>>();
  at_work const now;
  made.r = python_restriction{of, v.make_restriction(true)};
  made.a = made.entry->make(made.of_mesh);
  made.a->check(*made.r->r);
  return made;
}

// `problem` is a name, or a form; `nodes` an array, or a function space.
inline python_operator make_operator(py::object const& problem, py::object const& nodes, std::optional<int> degree,
                                     std::optional<python_restriction> const& r, std::string const& node_set,
                                     std::optional<double> lambda, std::string const& backend, py::object const& dtype)
{
  kind const of = find_kind("operator", backend, dtype).of;
  bool const is_space = py::isinstance<python_space>(nodes), is_form = py::isinstance<python_form>(problem);
  if (is_space && (degree || r || !node_set.empty()))
    throw py::value_error("sumfac.operator: a function space has its degree, restriction and node_set: leave them out");
  if (is_space && !(of == kind{"host", 8}))
    throw py::value_error("sumfac.operator: function spaces are for host with float64 (got " + of.backend + " with " +
                          name_of(of.bytes) + ")");
  if (!is_space && !degree) throw py::type_error("sumfac.operator: degree= is missing (1 to 31 expected)");
  std::string const name = is_form ? "form" : problem.cast<std::string>();
  if (lambda && name != "bp3")
    throw py::value_error("sumfac.operator: " + name + " has no lambda (got " + std::to_string(*lambda) +
                          "), bp3 alone has");
  if (is_space && is_form) return on_space(problem.cast<python_form>(), nodes.cast<python_space>());

  python_operator made;
  if (!is_form) made.entry = &find_operator(of, name, is_space ? nodes.cast<python_space const&>().v->degree : *degree);
  if (is_space) {
    auto const& space = nodes.cast<python_space const&>();
    if (space.v->of_mesh.simplices || space.v->of_mesh.directions != 3)
      throw py::value_error("sumfac.operator: " + name + " is of hexahedra (3 directions expected, got " +
                            std::to_string(space.v->of_mesh.directions) + "): take a sumfac.form");
    made.of_mesh = space.v->of_mesh;
    made.nodes = nodes;
    made.r = python_restriction{of, space.v->make_restriction(true)};
  } else {
    made.of_mesh = mesh_of(array_of({"operator", "nodes"}, nodes, "float64"), node_set);
    if (is_form) {
      made.form = problem.cast<python_form>();
      if (made.form->has_functions)
        throw py::value_error("sumfac.operator: a coefficient of the form is a function, whose points a function space "
                              "knows: make one of a sumfac.mesh(nodes)");
      made.form->check(made.of_mesh.elements, 3, *degree + 2);
      made.own = entry_of_form(of, *made.form, *degree, *degree + 2);
    }
    if (made.own) made.entry = made.own.get();
    made.nodes = nodes;
    if (r && !(r->of == of))
      throw py::value_error("sumfac.operator: the restriction is of another kind (" + r->of.backend + " with " +
                            name_of(r->of.bytes) + ", " + of.backend + " with " + name_of(of.bytes) + " expected)");
    made.r = r;
  }
  made.of_mesh.lambda = lambda.value_or(made.of_mesh.lambda);
  at_work const now;
  made.a = made.entry->make(made.of_mesh);
  if (made.r) made.a->check(*made.r->r);
  return made;
}

inline py::object apply(python_operator const& a, py::object const& u, py::object const& out)
{
  auto const shapes = a.shapes();
  kind const& of = a.entry->of;
  place const from = any_entries({"Operator.apply", "u"}, u, of, shapes, access::read);
  shape const like = from.on_device ? shapes.front() : shape_of(py::reinterpret_borrow<py::array>(u));
  py::object const result = result_for(out, of.bytes, like);
  a.run(from, any_entries({"Operator.apply", "out"}, result, of, shapes, access::write));
  return result;
}

inline void linearize(python_operator const& a, py::object const& u)
{
  place const from = any_entries({"Operator.linearize", "u"}, u, a.entry->of, a.shapes(), access::read);
  auto const is_tangent = [](python_operator const* part) { return part->form && part->form->of.is_tangent; };
  auto const all = a.all_parts();
  bool const any = std::any_of(all.begin(), all.end(), is_tangent);
  for (python_operator const* part : all) {
    if (any && !is_tangent(part)) continue;
    if (part->state) {
      auto const* const numbers = static_cast<double const*>(from.data);
      part->state->assign(numbers, numbers + a.size());
    }
    at_work const now(part->r ? part->r->r.get() : nullptr);
    if (part->r)
      part->a->linearize(*part->r->r, from);
    else
      part->a->linearize(from);
  }
}

inline python_form tangent_of(python_form const& form)
{
  python_form made = form;
  made.of.is_tangent = true;
  return made;
}

inline py::array diagonal(python_operator const& a)
{
  matrix_parts const m = a.as_matrix("Operator.diagonal");
  py::array d(dtype_of(a.entry->of.bytes), shape{a.size()});
  place const to{d.mutable_data(), false};
  at_work const now(m.r.get());
  m.a->diagonal(*m.r, to);
  return d;
}

inline py::object gather(python_restriction const& r, py::object const& x, py::object const& out)
{
  place const from = any_entries({"Restriction.gather", "x"}, x, r.of, r.vector_shapes(), access::read);
  py::object const result = result_for(out, r.of.bytes, r.e_shape());
  place const to = any_entries({"Restriction.gather", "out"}, result, r.of, {r.e_shape()}, access::write);
  at_work const now(r.r.get());
  r.r->gather(from, to);
  return result;
}
inline py::object scatter(python_restriction const& r, py::object const& v, py::object const& out)
{
  place const from = any_entries({"Restriction.scatter", "v"}, v, r.of, {r.e_shape()}, access::read);
  py::object const result = result_for(out, r.of.bytes, {r.size()});
  place const to = any_entries({"Restriction.scatter", "out"}, result, r.of, r.vector_shapes(), access::write);
  at_work const now(r.r.get());
  r.r->scatter(from, to);
  return result;
}

}  // namespace sumfac_python
