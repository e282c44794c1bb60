// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The Python module sumfac: bake-off operators on numpy arrays, restrictions, conjugate gradients, multigrid.
#include "arrays.hpp"
#include "interface.hpp"
#include "operators.hpp"

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

python_multigrid make_multigrid(python_operator const& a, int chebyshev, double coarse_tolerance)
{
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
        "float64 by element (E,) or by point (E, q, q, q), q = degree + 2.");

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
      .def("__repr__", &describe);
  m.def("operator", &make_operator, "problem"_a, "nodes"_a, py::kw_only(), "degree"_a, "restriction"_a = py::none(),
        "node_set"_a = "", "lambda_"_a = py::none(), "backend"_a = "host", "dtype"_a = f64,
        "A bake-off problem, bp1 to bp6, or a form, on a mesh of nodes (E, m, m, m, 3).");
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
}
