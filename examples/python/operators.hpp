// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Restrictions and operators as Python has them: what is built, looked up by name; arguments read, checked and passed.
#pragma once

#include "arrays.hpp"
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
    throw py::value_error("sumfac.operator: there is no problem " + problem + " (there are " + list_of(problems) + ")");
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
    index_t const n = r->nodes_1d;
    if (r->components == 1) return {r->elements, n, n, n};
    return {r->elements, r->components, n, n, n};
  }
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
  py::object arrays;

  bool is_by_point() const
  {
    return std::any_of(of.coefficients.begin(), of.coefficients.end(),
                       [](auto const& one) { return one.extents.size() > 1; });
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
      if (array.ndim() != 1 && array.ndim() != 4)
        refuse_value(what, "has another rank (expected 1, as (E,), or 4, as (E, q, q, q), got " +
                               std::to_string(array.ndim()) + ")");
      check_contiguous(what, array);
      one.array = static_cast<double const*>(array.data());
    } else if (PyFloat_Check(value.ptr()) != 0 || PyLong_Check(value.ptr()) != 0) {
      one.number = value.cast<double>();
    } else {
      refuse_type(what, "is neither a number nor a numpy array of float64");
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

  index_t n() const { return entry->degree + 1; }
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
  void run(place u, place v) const
  {
    at_work const now(r ? r->r.get() : nullptr);
    if (r)
      a->apply(*r->r, u, v);
    else
      a->apply(u, v);
  }
};

inline mesh mesh_of(py::array const& nodes, std::string const& node_set, std::string const& problem,
                    std::optional<double> lambda)
{
  argument const what{"operator", "nodes"};
  check_dtype(what, nodes, 8);
  if (nodes.ndim() != 5)
    refuse_value(what, "has another rank (expected 5, as (E, m, m, m, 3), got " + std::to_string(nodes.ndim()) + ")");
  check_shape(what, shape_of(nodes), {{nodes.shape(0), nodes.shape(1), nodes.shape(1), nodes.shape(1), 3}});
  check_contiguous(what, nodes);
  if (node_set.empty() && nodes.shape(1) > 3)
    throw py::value_error("sumfac.operator: it is not said where the " + std::to_string(nodes.shape(1)) +
                          " mesh nodes of an edge lie (up to 3 lie alike in every set): pass "
                          "node_set=\"gauss_lobatto\" or node_set=\"equispaced\"");
  if (!node_set.empty() && node_set != "gauss_lobatto" && node_set != "equispaced")
    throw py::value_error("sumfac.operator: there is no node_set " + node_set +
                          " (there are gauss_lobatto, equispaced)");
  if (lambda && problem != "bp3")
    throw py::value_error("sumfac.operator: " + problem + " has no lambda (got " + std::to_string(*lambda) +
                          "), bp3 alone has");
  return {static_cast<double const*>(nodes.data()), nodes.shape(0), nodes.shape(1), node_set == "equispaced",
          lambda.value_or(0.1)};
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

// `problem` is a name, or a form.
inline python_operator make_operator(py::object const& problem, py::object const& nodes, int degree,
                                     std::optional<python_restriction> const& r, std::string const& node_set,
                                     std::optional<double> lambda, std::string const& backend, py::object const& dtype)
{
  kind const of = find_kind("operator", backend, dtype).of;
  python_operator made;
  if (py::isinstance<python_form>(problem)) {
    made.form = problem.cast<python_form>();
    made.own = entry_of_form(of, *made.form, degree, degree + 2);
  }
  made.entry = made.own ? made.own.get() : &find_operator(of, problem.cast<std::string>(), degree);
  made.of_mesh =
      mesh_of(array_of({"operator", "nodes"}, nodes, "float64"), node_set, made.entry->problem, lambda);
  made.nodes = nodes;
  if (r && !(r->of == of))
    throw py::value_error("sumfac.operator: the restriction is of another kind (" + r->of.backend + " with " +
                          name_of(r->of.bytes) + ", " + of.backend + " with " + name_of(of.bytes) + " expected)");
  made.r = r;
  at_work const now;
  made.a = made.entry->make(made.of_mesh);
  if (r) made.a->check(*r->r);
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
  at_work const now(a.r ? a.r->r.get() : nullptr);
  if (a.r)
    a.a->linearize(*a.r->r, from);
  else
    a.a->linearize(from);
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
