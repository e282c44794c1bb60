// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The Python module sumfac: bake-off operators on numpy arrays, restrictions, conjugate gradients, multigrid.
#include "arrays.hpp"
#include "interface.hpp"
#include "operators.hpp"
#include "spaces.hpp"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace sumfac_python {

std::vector<kind_entry>& entries(kind_entry const*)
{
  static std::vector<kind_entry> all;
  return all;
}
std::vector<operator_entry>& entries(operator_entry const*)
{
  static std::vector<operator_entry> all;
  return all;
}
std::vector<levels_entry>& entries(levels_entry const*)
{
  static std::vector<levels_entry> all;
  return all;
}
std::vector<form_entry>& entries(form_entry const*)
{
  static std::vector<form_entry> all;
  return all;
}

std::vector<mesh_entry>& entries(mesh_entry const*)
{
  static std::vector<mesh_entry> all;
  return all;
}
std::vector<space_levels_entry>& entries(space_levels_entry const*)
{
  static std::vector<space_levels_entry> all;
  return all;
}

namespace {

// Multigrid as Python has it: pairs of levels, the finest last, each with the one before as what solves below it.
struct python_multigrid {
  kind of;
  std::vector<shape> shapes;
  std::vector<int> degrees;  // from the finest to the coarsest
  matrix_parts finest;
  std::shared_ptr<preconditioner const> p;
};

// The degrees from one down, each time the only coarser one that multigrid is built for.
std::vector<levels_entry const*> levels_below(kind const& of, int degree)
{
  std::vector<levels_entry const*> found;
  for (bool more = true; more;) {
    more = false;
    for (levels_entry const& one : all<levels_entry>())
      if (one.of == of && one.fine == degree) {
        found.push_back(&one);
        degree = one.coarse;
        more = true;
        break;
      }
  }
  return found;
}

// The same on the space of another degree, a tangent where it is taken.
python_operator on_degree(python_operator const& a, int degree)
{
  if (!a.parts.empty()) {
    python_operator sum = on_degree(a.parts[0], degree);
    for (std::size_t i = 1; i < a.parts.size(); ++i) sum = sum_of(sum, on_degree(a.parts[i], degree));
    return sum;
  }
  python_space const lower{a.v->at_degree(degree, a.form->is_by_point() ? a.v->points_1d : 0), a.nodes};
  python_operator made = on_space(*a.form, lower);
  if (a.form->of.is_tangent) {
    if (a.state->empty())
      throw py::value_error("sumfac.multigrid: A is a tangent that has not been taken anywhere: A.linearize(u) first");
    auto u = lower.v->values_of(*a.v, a.state->data());
    made.a->linearize(*made.r->r, {u.data(), false});
    *made.state = std::move(u);
  }
  return made;
}

// On function spaces: degrees of halves, down to 1.
python_multigrid make_space_multigrid(python_operator const& a, int chebyshev, double coarse_tolerance)
{
  if (a.v->degree < 2)
    throw py::value_error("sumfac.multigrid: there is no degree below that of the space (got 1, 2 or more expected)");
  kind const& of = a.entry->of;
  python_multigrid made{of, a.shapes(), {}, a.as_matrix("multigrid"), nullptr};
  std::vector<python_operator> levels{a};
  while (levels.back().v->degree > 1) levels.push_back(on_degree(a, (levels.back().v->degree + 1) / 2));
  for (python_operator const& level : levels) made.degrees.push_back(level.v->degree);
  at_work const now(made.finest.r.get());
  made.p = entry_of(of).make_coarse(levels.back().as_matrix("multigrid"), coarse_tolerance);
  for (std::size_t i = levels.size() - 1; i-- > 0;) {
    auto const between = levels[i].v->transfer_from(levels[i + 1].v->degree);
    made.p = all<space_levels_entry>().front().make({levels[i].as_matrix("multigrid"),
                                                     levels[i + 1].as_matrix("multigrid"), made.p, chebyshev, between});
  }
  return made;
}

python_multigrid make_multigrid(python_operator const& a, int chebyshev, double coarse_tolerance)
{
  if (a.v) return make_space_multigrid(a, chebyshev, coarse_tolerance);
  matrix_parts const finest = a.as_matrix("multigrid");
  kind const& of = a.entry->of;
  if (a.form && a.form->of.is_tangent)
    throw py::value_error("sumfac.multigrid: A is a tangent, whose coarser levels would not know where it is taken: "
                          "take preconditioner=\"jacobi\"");
  auto const below = levels_below(of, a.entry->degree);
  if (below.empty())
    throw py::value_error("sumfac.multigrid: there is no degree below " + std::to_string(a.entry->degree) +
                          " to go down to (built: " + list_of(degrees_of(of, a.form ? "bp1" : a.entry->problem)) + ")");
  python_multigrid made{of, a.shapes(), {a.entry->degree}, finest, nullptr};
  for (levels_entry const* pair : below) made.degrees.push_back(pair->coarse);
  at_work const now(finest.r.get());
  std::vector<matrix_parts> matrices{finest};
  for (levels_entry const* pair : below)
    matrices.push_back({at_degree(a, pair->coarse), matrices.back().r->at_degree(pair->coarse)});
  made.p = entry_of(of).make_coarse(matrices.back(), coarse_tolerance);
  for (std::size_t i = below.size(); i-- > 0;)
    made.p = below[i]->make({matrices[i], matrices[i + 1], made.p, chebyshev});
  return made;
}

py::object precondition(python_multigrid const& m, py::object const& r, py::object const& out)
{
  place const from = any_entries({"Multigrid.apply", "r"}, r, m.of, m.shapes, access::read);
  py::object const result = result_for(out, m.of.bytes, m.shapes.front());
  place const to = any_entries({"Multigrid.apply", "out"}, result, m.of, m.shapes, access::write);
  at_work const now(m.finest.r.get());
  m.p->apply(from, to);
  return result;
}

// A function of Python's, z = P(r), called in the course of a solve.
class python_preconditioner final : public preconditioner {
public:
  python_preconditioner(py::object const& function, int bytes, index_t size)
      : function_(function), bytes_(bytes), size_(size)
  {
  }

  void apply(place r, place z) const override
  {
    py::gil_scoped_acquire const held;
    auto const length = static_cast<std::size_t>(size_ * bytes_);
    py::array copy(dtype_of(bytes_), shape{size_});  // the function may keep it
    std::memcpy(copy.mutable_data(), r.data, length);
    argument const what{"cg", "what the preconditioner returned"};
    py::array const result = array_of(what, function_(copy), name_of(bytes_));
    std::memcpy(z.data, entries_of(what, result, bytes_, {{size_}}, access::read).data, length);
  }

private:
  py::object function_;
  int bytes_;
  index_t size_;
};

py::tuple solve(python_operator const& a, py::object const& b, py::object const& x0, py::object const& preconditioner,
                double tolerance, double absolute, index_t iterations)
{
  matrix_parts const m = a.as_matrix("cg");
  kind const& of = a.entry->of;
  auto const array_at = [&](char const* name, py::object const& x) {
    return entries_of({"cg", name}, array_of({"cg", name}, x, name_of(of.bytes)), of.bytes, a.shapes(), access::read);
  };
  place const right = array_at("b", b);
  py::array x(dtype_of(of.bytes), shape_of(py::reinterpret_borrow<py::array>(b)));
  auto const length = static_cast<std::size_t>(x.nbytes());
  if (x0.is_none())
    std::memset(x.mutable_data(), 0, length);
  else
    std::memcpy(x.mutable_data(), array_at("x0", x0).data, length);
  place const solution{x.mutable_data(), false};

  solve_options options{.tolerance = tolerance, .absolute = absolute, .iterations = iterations};
  python_preconditioner const by_function(preconditioner, of.bytes, a.size());
  if (py::isinstance<python_multigrid>(preconditioner)) {
    auto const& p = preconditioner.cast<python_multigrid const&>();
    if (p.finest.r != m.r)
      throw py::value_error("sumfac.cg: the multigrid is of another matrix than A (it has " +
                            std::to_string(p.shapes[0][0]) + " entries, A has " + std::to_string(a.size()) + ")");
    options.by = p.p.get();
  } else if (py::isinstance<py::str>(preconditioner)) {
    if (preconditioner.cast<std::string>() != "jacobi")
      throw py::value_error("sumfac.cg: there is no preconditioner " + preconditioner.cast<std::string>() +
                            " (there are None, jacobi, a sumfac.Multigrid and functions)");
    options.by_jacobi = true;
  } else if (!preconditioner.is_none()) {
    if (PyCallable_Check(preconditioner.ptr()) == 0)
      throw py::type_error("sumfac.cg: the preconditioner is neither None, jacobi, a sumfac.Multigrid nor a function");
    if (of.backend != "host") throw py::value_error("sumfac.cg: functions precondition on the host alone, not on cuda");
    options.by = &by_function;
  }
  solve_report report;
  {
    at_work const now(m.r.get());
    report = entry_of(of).solve(m, right, solution, options);
  }
  return py::make_tuple(x, report);
}

std::string describe(python_operator const& a)
{
  return "<sumfac.Operator " + a.entry->problem + " of degree " + std::to_string(a.entry->degree) + ", " +
         name_of(a.entry->of.bytes) + " on " + a.entry->of.backend + ": " + std::to_string(a.a->elements) +
         " elements, " + (a.r ? "global vectors" : "E-vectors") + " of " + std::to_string(a.size()) + " entries>";
}

}  // namespace

void define_spaces(py::module_& m)
{
  using namespace py::literals;
  py::class_<python_mesh>(m, "Mesh", "Elements, which of them share what, and the names of their sides.")
      .def_property_readonly("directions", [](python_mesh const& of) { return of.m->of.directions; })
      .def_property_readonly("nodes",
                             [](py::object const& of) { return nodes_of(of.cast<python_mesh const&>(), of); })
      .def_property_readonly("vertices", [](python_mesh const& of) { return of.m->vertices; })
      .def_property_readonly(
          "hanging", [](python_mesh const& of) { return of.m->hanging; }, "How many sides hang.")
      .def(
          "elements",
          [](python_mesh const& of, std::optional<std::string> const& name) -> py::object {
            if (!name) return py::int_(of.m->of.elements);
            auto found = of.m->elements(*name);
            auto const count = static_cast<index_t>(found.size());
            return array_with(std::move(found), {count});
          },
          "name"_a = py::none(), "How many there are, or the numbers of those of a name.")
      .def(
          "boundary",
          [](python_mesh const& of, py::object const& which) { return array_of_sides(boundary_of(of, which)); },
          "which"_a = py::none(),
          "The sides (S, 2), element and number, that one element alone has: all, of a name, of a tag, or all of whose "
          "nodes are where a function of the position says.")
      .def("named", &named, "name"_a, "where"_a, "The same mesh with a name more, for sides.")
      .def("moved", &moved, "place"_a, "The same mesh with the node x at place(x).")
      .def(
          "refined", [](python_mesh const& of, int times) { return python_mesh{of.m->refined(times), of.kept}; },
          "times"_a = 1, "Each element cut into 2^D.")
      .def(
          "refine",
          [](python_mesh const& of, std::vector<index_t> const& elements) {
            return python_mesh{of.m->refine(elements), of.kept};
          },
          "elements"_a, "Some of the elements cut, and neighbours that would be too large.")
      .def("__repr__", [](python_mesh const& of) {
        return "<sumfac.Mesh of " + std::to_string(of.m->of.elements) + " elements of " +
               std::to_string(of.m->of.directions) + " directions>";
      });
  m.def("mesh", &make_mesh, "nodes"_a, "table"_a = py::none(), py::kw_only(), "node_set"_a = "",
        "Hexahedra (E, m, m, m, 3) or quadrilaterals (E, m, m, 2), float64, and a table of numbers of vertices or of "
        "nodes, int64 (E, n, n, n) or (E, n, n); without one vertices are one where they coincide.");
  m.def("cell_mesh", &make_cell_mesh, "points"_a, "table"_a,
        "Triangles or tetrahedra of points (P, 2) or (P, 3), float64, and vertices (E, 3) or (E, 4), int64.");
  m.def("box_mesh", &box_mesh, "cells"_a, "bend"_a = py::none(), "order"_a = 4,
        "The unit box cut into cells, (8, 8) or (8, 8, 8), its point x moved to bend(x); sides are x0, x1, y0 ...");
  auto gmsh = m.def_submodule("gmsh", "Meshes of Gmsh's files.");
  gmsh.def(
      "read", [](std::string const& file, int directions) { return read_gmsh(file, directions, false); }, "file"_a,
      "directions"_a = 3, "Hexahedra, or of 2 directions quadrilaterals.");
  gmsh.def(
      "read_cells", [](std::string const& file, int directions) { return read_gmsh(file, directions, true); },
      "file"_a, "directions"_a = 3, "Tetrahedra, or of 2 directions triangles.");

  py::class_<python_space>(m, "FunctionSpace", "Continuous functions of a degree on a mesh.")
      .def_property_readonly("degree", [](python_space const& v) { return v.v->degree; })
      .def_property_readonly("components", [](python_space const& v) { return v.v->components; })
      .def_property_readonly("nodes", [](python_space const& v) { return v.v->nodes; })
      .def_property_readonly("size", [](python_space const& v) { return v.v->size(); })
      .def_property_readonly("table",
                             [](py::object const& v) { return table_of(v.cast<python_space const&>(), v); })
      .def_property_readonly("fixed", &fixed_of, "bool (size,): where values are given.")
      .def_property_readonly("positions",
                             [](python_space const& v) {
                               return array_with(v.v->positions(), {v.v->nodes, v.v->of_mesh.coordinates});
                             })
      .def("restriction",
           [](python_space const& v) {
             return python_restriction{{"host", 8}, v.v->make_restriction(true)};
           })
      .def("values", &values_of, "f"_a, "u"_a = py::none(),
           "f at all nodes; or values(W, w), a function of the space W of another degree, or of a mesh before.")
      .def("load", &load_of, "f"_a, "(f, v) for all v, 0 where values are given; or what a form without u says.")
      .def("lift", &lift, "A"_a, "g"_a, "b"_a, "guess"_a = py::none(),
           "A first guess that is g where values are given; b becomes the right side for it.")
      .def("set_fixed", &set_fixed, "g"_a, "u"_a)
      .def("distribute", &distribute, "u"_a, "Sets hanging nodes from the others.")
      .def("points", &points_of, "u"_a = py::none(),
           "The points of integrals: position (D, P), measure (P,), and of u value (P,), gradient (D, P).")
      .def("integral", &integral, "u"_a, "f"_a = py::none(), "Of f(x), of u, or of f(points(u)).")
      .def(
          "norm",
          [](python_space const& v, py::object const& u) {
            py::object const zero = v.v->components == 1 ? py::object(py::float_(0.0))
                                                         : py::object(py::make_tuple(0.0) * py::int_(v.v->components));
            return error("FunctionSpace.norm", v, u, zero, py::none());
          },
          "u"_a)
      .def(
          "l2_error",
          [](python_space const& v, py::object const& u, py::object const& f) {
            return error("FunctionSpace.l2_error", v, u, f, py::none());
          },
          "u"_a, "f"_a)
      .def(
          "h1_error",
          [](python_space const& v, py::object const& u, py::object const& f, py::object const& gradient) {
            return error("FunctionSpace.h1_error", v, u, f, gradient);
          },
          "u"_a, "f"_a, "gradient"_a)
      .def("on", &on_sides, "sides"_a, "The same functions on some sides of the elements.")
      .def("__repr__", [](python_space const& v) {
        return "<sumfac.FunctionSpace of degree " + std::to_string(v.v->degree) + ": " + std::to_string(v.v->size()) +
               " entries>";
      });
  m.def("function_space", &make_space, "mesh"_a, "degree"_a, "fixed"_a = py::none(), py::kw_only(),
        "components"_a = 1, "points"_a = 0,
        "Functions of a degree; values are given on the sides `fixed`, or on each of a list of sides and of pairs of "
        "sides and a component.");
  m.def("write_vtu", &write_vtu, "file"_a, "V"_a, "fields"_a,
        "Writes functions of V and numbers by element, {\"u\": u}, for ParaView.");
}

void define(py::module_& m)
{
  using namespace py::literals;
  m.doc() = "Matrix-free finite-element operators by sum factorization, on numpy arrays. A door for trying.";
  auto const f64 = py::dtype::of<double>();

  py::class_<python_restriction>(m, "Restriction", "Which nodes of a global vector each element has.")
      .def_property_readonly("elements", [](python_restriction const& r) { return r.r->elements; })
      .def_property_readonly("size", &python_restriction::size)
      .def("gather", &gather, "x"_a, "out"_a = py::none(), "The E-vector of a global vector.")
      .def("scatter", &scatter, "v"_a, "out"_a = py::none(), "The sums of an E-vector at each node.");
  m.def("restriction", &make_restriction, "element_nodes"_a, "nodes"_a, "constrained"_a = py::none(), py::kw_only(),
        "components"_a = 1, "backend"_a = "host", "dtype"_a = f64,
        "Node numbers (E, n, n, n), how many nodes there are, and which are constrained: bool of shape (nodes,), or "
        "(nodes, components).");

  py::class_<python_form>(m, "Form", "A weak form, which an operator of any degree is compiled of.")
      .def("tangent", &tangent_of, "The derivative of the form in u, whose operators are given u by linearize(u).")
      .def("__repr__", [](python_form const& f) {
        return (f.of.is_tangent ? "<sumfac.Form, the tangent of " : "<sumfac.Form ") + f.of.text + ">";
      });
  m.def("form", &make_form, "text"_a, py::kw_only(), "components"_a = 1, "flags"_a = std::vector<std::string>(),
        "A weak form as text, \"(k*grad(u), grad(v)) + c*u*v\", and its coefficients by name: numbers, or arrays of "
        "float64 by element (E,) or by point (E, q, q, q), q = degree + 2, or functions of the position.");

  py::class_<python_operator>(m, "Operator", "A bake-off problem on a mesh, as a matrix.")
      .def_property_readonly("shape", [](python_operator const& a) { return py::make_tuple(a.size(), a.size()); })
      .def_property_readonly("vector_shape",
                             [](python_operator const& a) { return py::tuple(py::cast(a.shapes()[0])); })
      .def_property_readonly("dtype", [](python_operator const& a) { return dtype_of(a.entry->of.bytes); })
      .def_property_readonly("nodes", [](python_operator const& a) { return a.nodes; })
      .def_property_readonly("flops", [](python_operator const& a) { return a.a->flops; })
      .def_property_readonly("bytes", [](python_operator const& a) { return a.a->bytes; })
      .def("apply", &apply, "u"_a, "out"_a = py::none(), "A u, in `out` where it is given.")
      .def(
          "matvec", [](python_operator const& a, py::object const& u) { return apply(a, u, py::none()); }, "u"_a)
      .def(
          "__matmul__", [](python_operator const& a, py::object const& u) { return apply(a, u, py::none()); }, "u"_a)
      .def("diagonal", &diagonal, "The diagonal, of an operator with a restriction.")
      .def("linearize", &linearize, "u"_a, "Of a tangent: the function at which it is the derivative.")
      .def("__add__", &sum_of, "B"_a, "The sum of two operators on function spaces, V and V.on(sides).")
      .def("__repr__", &describe);
  m.def("operator", &make_operator, "problem"_a, "nodes"_a, py::kw_only(), "degree"_a = py::none(),
        "restriction"_a = py::none(), "node_set"_a = "", "lambda_"_a = py::none(), "backend"_a = "host",
        "dtype"_a = f64,
        "A form, or a bake-off problem, bp1 to bp6, on a function space, or on a mesh of nodes (E, m, m, m, 3).");
  for (char const* problem : {"bp1", "bp2", "bp3", "bp4", "bp5", "bp6"})
    m.attr(problem) = py::module_::import("functools").attr("partial")(m.attr("operator"), problem);

  py::class_<python_multigrid>(m, "Multigrid", "A cycle over falling degrees, as a preconditioner.")
      .def_property_readonly("degrees", [](python_multigrid const& p) { return py::tuple(py::cast(p.degrees)); })
      .def("apply", &precondition, "r"_a, "out"_a = py::none())
      .def("__matmul__", [](python_multigrid const& p, py::object const& r) { return precondition(p, r, py::none()); });
  m.def("multigrid", &make_multigrid, "A"_a, py::kw_only(), "chebyshev"_a = 3, "coarse_tolerance"_a = 1e-2,
        "Multigrid in the degree for an operator with a restriction; the nodes of its mesh are read once more.");

  py::class_<solve_report>(m, "Report", "How a solve ended.")
      .def_readonly("status", &solve_report::status)
      .def_readonly("iterations", &solve_report::iterations)
      .def_readonly("residual", &solve_report::residual)
      .def_readonly("initial_residual", &solve_report::initial_residual)
      .def("__bool__", [](solve_report const& r) { return r.done; })
      .def("__repr__", [](solve_report const& r) { return r.sentence; });
  m.def("cg", &solve, "A"_a, "b"_a, "x0"_a = py::none(), py::kw_only(), "preconditioner"_a = py::none(),
        "tolerance"_a = 1e-8, "absolute"_a = 0.0, "iterations"_a = 1000,
        "Conjugate gradients: x and a Report. The preconditioner: None, \"jacobi\", a Multigrid, or a function z = "
        "P(r).");

  m.def(
      "kinds",
      [] {
        std::vector<std::pair<std::string, std::string>> built;
        for (kind_entry const& one : all<kind_entry>()) built.emplace_back(one.of.backend, name_of(one.of.bytes));
        return built;
      },
      "The backends and dtypes that are built, in pairs.");
  m.def(
      "degrees",
      [](std::string const& problem, std::string const& backend, py::object const& dtype) {
        auto const built = degrees_of(find_kind("degrees", backend, dtype).of, problem);
        return std::vector<int>(built.begin(), built.end());
      },
      "problem"_a = "bp1", "backend"_a = "host", "dtype"_a = f64, "The degrees that are built.");
}

}  // namespace sumfac_python

PYBIND11_MODULE(sumfac, m)
{
  sumfac_python::define(m);
  sumfac_python::define_spaces(m);
}
