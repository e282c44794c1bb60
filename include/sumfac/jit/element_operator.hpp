// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An element operator whose form, degree, points, numbers and geometry are values: compiled when it is made, by the
// system's compiler, and kept for those that come after it.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#if !__has_include(<dlfcn.h>) || !__has_include(<spawn.h>)
#error "sumfac::jit: this system has no dlopen and posix_spawn, by which operators are compiled at run time (POSIX)"
#endif

#include <sumfac/backend/host.hpp>
#include <sumfac/dofs/restriction/options.hpp>
#include <sumfac/element/work.hpp>
#include <sumfac/jit/detail/arrays.hpp>
#include <sumfac/jit/detail/interface.hpp>
#include <sumfac/jit/detail/loaded.hpp>
#include <sumfac/jit/form.hpp>
#include <sumfac/jit/options.hpp>
#include <sumfac/math/precision.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>
#include <sumfac/view/vector_argument.hpp>

#include <cstdint>
#include <type_traits>
#include <vector>

namespace sumfac::SUMFAC_TARGET::jit {

class element_operator;

// Which nodes elements have, and which are constrained, for one operator's type: sumfac::restriction, made by the unit
// that the operator is of. It does one thing at a time.
// **Shapes**, **Errors** those of sumfac::restriction; table (E, n, n, n) of int32_t or int64_t.
class restriction {
public:
  template <class Table>
  restriction(element_operator const& a, Table const& table, index_t nodes, restriction_options const& options = {})
      : restriction(a, table, nodes, view<unsigned char const, dextents<1>>(nullptr, 0), options)
  {
  }
  template <class Table, class Marks>
    requires is_view<Marks>
  restriction(element_operator const& a, Table const& table, index_t nodes, Marks const& marks,
              restriction_options const& options = {});
  // The same nodes, marks and constraints as a sumfac::restriction has, which is not referred to. What hangs is read
  // unknown by unknown.
  template <detail::has_numbering Other>
  restriction(element_operator const& a, Other const& other);

  index_t elements() const { return elements_; }
  index_t nodes() const { return nodes_; }
  int components() const { return options_.components; }
  index_t size() const { return nodes_ * components(); }
  restriction_options const& options() const { return options_; }
  host const& backend() const { return backend_; }
  origin const& code() const { return unit_.from; }

private:
  friend class element_operator;

  // `marks` of so many dimensions, or none.
  template <class Number>
  void make(element_operator const& a, std::vector<Number> const& table, std::vector<unsigned char> const& marks,
            int marks_rank, detail::equations const& rows = {});

  host backend_;
  index_t elements_ = 0, nodes_ = 0;
  restriction_options options_;
  detail::functions const* of_ = nullptr;  // the operators' type
  detail::loaded_unit<detail::global_functions> unit_;
  detail::made_object made_;
};

// sumfac::element_operator of values: the same results, bit for bit, as of types, where the same compiler and flags
// compile both.
//
//     jit::element_operator const A{backend, mesh, jit::type("sumfac/form/stiffness.hpp", "sumfac::stiffness"),
//                                   {.space = degree, .points = jit::gauss(degree + 2)}};
//
// What is compiled is kept: in the program, and in a folder (settings) for other processes and later. Calls cost a
// function pointer more than those of types.
// **Shapes**, **Work** those of sumfac::element_operator, on the host.
// **Errors** argument_error and geometry_error as there; backend_error where the compiler fails, with its words, and
// for a folder that others may write into.
class element_operator {
public:
  template <class Nodes, class NodeSet = unsaid_nodes>
  element_operator(host const& backend, Nodes const& nodes, form const& f, options const& o, settings const& how = {},
                   NodeSet const& node_set = {})
      : backend_(backend),
        form_(f),
        options_(o),
        settings_(how),
        unit_(detail::load<detail::functions>(detail::host_source(f, o, false), f, how))
  {
    static_assert(is_view<Nodes>, "sumfac::jit::element_operator: mesh nodes must be a sumfac::view (E, m, m, m, 3)");
    constexpr auto here = "jit::element_operator";
    auto const plain = sumfac::detail::plain_nodes(nodes);
    using plain_type = std::remove_const_t<decltype(plain)>;
    check_equal(here, "number of dimensions of the mesh nodes", unit().axes + 2,
                static_cast<index_t>(plain_type::rank()));
    bool const is_tensor = sumfac::detail::is_tensor(o.space);
    if (is_tensor)
      sumfac::detail::check_mesh_nodes(here, plain, unit().coordinates);
    else
      check_equal(here, "last extent (coordinates) of the mesh nodes", unit().coordinates,
                  plain.extent(plain_type::rank() - 1));
    // Along an edge.
    auto const m = is_tensor ? static_cast<int>(plain.extent(1))
                             : sumfac::detail::checked_edge_nodes(here, o.space, plain.extent(1));
    long double places[sumfac::detail::max_mesh_nodes_1d] = {};
    sumfac::detail::said_nodes(here, nodes, node_set, m)(m, places);
    auto const coordinates = detail::in_rows<double>(plain);
    detail::parts const parts{.threads = backend.threads(),
                              .nodes = coordinates.data(),
                              .elements = plain.extent(0),
                              .mesh_nodes_1d = plain.extent(1),
                              .places = places,
                              .tolerance = o.tolerance,
                              .numbers = f.numbers().data(),
                              .tables = f.tables().data()};
    elements_ = plain.extent(0);
    made_ = detail::made_object(unit().make, unit().destroy, &parts);
  }

  // v = A u.
  template <class From, class To>
  void apply(From const& u, To const& v) const
  {
    constexpr auto here = "jit::element_operator::apply";
    auto const from = checked(here, "u", u), to = checked(here, "v", v);
    detail::call([&](auto* end) { unit().apply(made_.get(), &from, &to, end); });
  }
  // y = A x on global vectors, and y = y + A x.
  template <class From, class To>
  void apply(restriction const& r, From const& x, To const& y) const
  {
    apply_by("jit::element_operator::apply", r, 0, x, y);
  }
  template <class From, class To>
  void apply_add(restriction const& r, From const& x, To const& y) const
  {
    apply_by("jit::element_operator::apply_add", r, 1, x, y);
  }

  // Of a tangent, or any form with inputs: keeps these functions at the points, an E-vector for each, in the form's
  // order; or of a form with one a global vector.
  template <class... From>
    requires(sizeof...(From) > 0 && (is_view<From> && ...))
  void linearize(From const&... fields)
  {
    constexpr auto here = "jit::element_operator::linearize";
    check_inputs(here, static_cast<int>(sizeof...(From)));
    detail::array const from[] = {checked(here, "an input", fields)...};
    detail::call([&](auto* end) { unit().linearize(made_.get(), from, end); });
  }
  template <class From>
  void linearize(restriction const& r, From const& x)
  {
    constexpr auto here = "jit::element_operator::linearize";
    check_inputs(here, 1);
    check_restriction(here, r);
    auto const from = checked_vector(here, "x", x);
    detail::call([&](auto* end) { r.unit_.functions->linearize(made_.get(), r.made_.get(), &from, end); });
  }

  // The diagonal of A on E-vectors, and on global vectors.
  template <class To>
  void diagonal(To const& d) const
  {
    constexpr auto here = "jit::element_operator::diagonal";
    check_linear(here);
    auto const to = checked(here, "d", d);
    detail::call([&](auto* end) { unit().diagonal(made_.get(), &to, end); });
  }
  template <class To>
  void diagonal(restriction const& r, To const& d) const
  {
    constexpr auto here = "jit::element_operator::diagonal";
    check_linear(here);
    check_restriction(here, r);
    auto const to = checked_vector(here, "d", d);
    detail::call([&](auto* end) { r.unit_.functions->diagonal(made_.get(), r.made_.get(), &to, end); });
  }

  sumfac::work work() const
  {
    detail::work_numbers numbers;
    detail::call([&](auto* end) { unit().work(made_.get(), &numbers, end); });
    return {numbers.flops, numbers.bytes_read, numbers.bytes_written, numbers.geometry_flops};
  }

  index_t elements() const { return elements_; }
  int nodes_1d() const { return unit().nodes_1d; }
  int points_1d() const { return unit().points_1d; }
  int components() const { return unit().components; }
  int directions() const { return unit().directions; }
  int scalar_bytes() const { return unit().bytes; }  // 8 of vectors of double, 4 of float
  bool linear() const { return unit().linear != 0; }
  bool symmetric() const { return unit().symmetric != 0; }
  host const& backend() const { return backend_; }
  // Where its code came from, and what that took.
  origin const& code() const { return unit_.from; }

private:
  friend class restriction;

  detail::functions const& unit() const { return *unit_.functions; }

  template <class View>
  detail::array checked(char const* where, char const* what, View const& u) const
  {
    static_assert(is_view<View>, "sumfac::jit::element_operator: vectors must be views, or contiguous arrays");
    check_scalar<typename View::element_type>(where, what);
    bool const has_components = static_cast<int>(View::rank()) == unit().axes + 2;
    if (!has_components) check_equal(where, "number of dimensions of an E-vector", unit().axes + 1, View::rank());
    return detail::array_of(u);
  }
  template <class Vector>
  detail::array checked_vector(char const* where, char const* what, Vector const& x) const
  {
    auto const entries = sumfac::detail::as_vector(x);
    using view_type = std::remove_const_t<decltype(entries)>;
    static_assert(view_type::rank() == 1, "sumfac::jit::element_operator: global vectors are of rank 1");
    check_scalar<typename view_type::element_type>(where, what);
    return detail::array_of(entries);
  }
  template <class T>
  void check_scalar(char const* where, char const* what) const
  {
    static_assert(detail::is_number<T>, "sumfac::jit::element_operator: vectors are of double or float");
    if (int{sizeof(T)} != unit().bytes)
      failf(where, "%s is of %s (%s expected, the operator's precision)", what,
            sumfac::detail::name_of_number<std::remove_const_t<T>>(), unit().bytes == 8 ? "double" : "float");
  }
  void check_inputs(char const* where, int given) const
  {
    if (unit().inputs != given)
      failf(where, "the form has %d inputs (%d expected, as are given; jit::tangent has 1)", unit().inputs, given);
  }
  void check_linear(char const* where) const
  {
    if (!linear()) fail(where, "the form is not linear in u (linear 0, 1 expected): only such have a diagonal");
  }

  void check_restriction(char const* where, restriction const& r) const
  {
    if (r.of_ != unit_.functions)
      failf(where,
            "the restriction is of an operator of another type (%d nodes along an edge and %d components there, "
            "%d and %d expected): make it of this operator, or of one of the same form, options and settings",
            r.of_->nodes_1d, r.of_->components, unit().nodes_1d, unit().components);
  }

  template <class From, class To>
  void apply_by(char const* where, restriction const& r, int add, From const& x, To const& y) const
  {
    check_restriction(where, r);
    auto const from = checked_vector(where, "x", x), to = checked_vector(where, "y", y);
    detail::call([&](auto* end) { r.unit_.functions->apply(made_.get(), r.made_.get(), add, &from, &to, end); });
  }

  host backend_;
  form form_;
  options options_;
  settings settings_;
  detail::loaded_unit<detail::functions> unit_;
  index_t elements_ = 0;
  detail::made_object made_;
};

template <class Table, class Marks>
  requires is_view<Marks>
restriction::restriction(element_operator const& a, Table const& table, index_t nodes, Marks const& marks,
                         restriction_options const& options)
    : backend_(a.backend()),
      elements_(table.extent(0)),
      nodes_(nodes),
      options_(options),
      of_(a.unit_.functions),
      unit_(
          detail::load<detail::global_functions>(detail::host_source(a.form_, a.options_, true), a.form_, a.settings_))
{
  using number = std::remove_const_t<typename Table::element_type>;
  static_assert(std::is_integral_v<number> && (sizeof(number) == 4 || sizeof(number) == 8),
                "sumfac::jit::restriction: the table must be of int32_t or int64_t");
  constexpr auto here = "jit::restriction";
  check_equal(here, "number of dimensions of the table", a.unit().axes + 1, Table::rank());
  for (int r = 1; r < Table::rank(); ++r)
    check_equal(here, "number of nodes of the table along an edge", a.nodes_1d(), table.extent(r));
  std::vector<unsigned char> of_nodes;
  if (marks.data() != nullptr) {
    check_equal(here, "extent 0 (nodes) of the marks", nodes, marks.extent(0));
    if constexpr (Marks::rank() == 2)
      check_equal(here, "extent 1 (components) of the marks", options.components, marks.extent(1));
    for (auto const mark : detail::in_rows<int>(marks)) of_nodes.push_back(mark != 0);
  }
  make(a, detail::in_rows<number>(table), of_nodes, Marks::rank());
}

template <detail::has_numbering Other>
restriction::restriction(element_operator const& a, Other const& other)
    : backend_(a.backend()),
      elements_(other.elements()),
      nodes_(other.nodes()),
      options_(other.options()),
      of_(a.unit_.functions),
      unit_(
          detail::load<detail::global_functions>(detail::host_source(a.form_, a.options_, true), a.form_, a.settings_))
{
  constexpr auto here = "jit::restriction";
  check_equal(here, "number of elements of a subset", elements_, static_cast<index_t>(other.active().size()));
  check_equal(here, "number of nodes along an edge", a.nodes_1d(), other.nodes_1d());
  auto const& numbers = other.table();
  std::vector<std::int64_t> table;
  for (index_t e = 0; e < elements_; ++e)
    for (index_t p = 0; p < numbers.nodes_of_element(); ++p) table.push_back(numbers(e, p));
  detail::equations rows;
  for (auto const& of : numbers.rows().all()) {
    rows.unknowns.push_back(of.key);
    rows.values.push_back(of.b);
    for (auto const& t : of.terms) {
      rows.terms.push_back(t.index * components() + t.component);
      rows.weights.push_back(t.weight);
    }
    rows.begin.push_back(static_cast<std::int64_t>(rows.terms.size()));
  }
  std::vector<unsigned char> marks;
  for (index_t node = 0; node < nodes_ && numbers.has_marks(); ++node)
    for (int c = 0; c < components(); ++c) marks.push_back(numbers.marked(node, c));
  make(a, table, marks, 2, rows);
}

template <class Number>
void restriction::make(element_operator const& a, std::vector<Number> const& table,
                       std::vector<unsigned char> const& marks, int marks_rank, detail::equations const& rows)
{
  detail::numbering const all{.threads = backend_.threads(),
                              .table = table.data(),
                              .bytes = int{sizeof(Number)},
                              .components = options_.components,
                              .components_slowest = options_.components_lie == interleaving::slowest,
                              .marks_rank = marks_rank,
                              .elements = elements_,
                              .nodes_1d = a.nodes_1d(),
                              .nodes = nodes_,
                              .marks = marks.empty() ? nullptr : marks.data(),
                              .constrained_rows = options_.rows.value,
                              .equations = static_cast<std::int64_t>(rows.unknowns.size()),
                              .unknowns = rows.unknowns.data(),
                              .begin = rows.begin.data(),
                              .terms = rows.terms.data(),
                              .values = rows.values.data(),
                              .weights = rows.weights.data()};
  made_ = detail::made_object(unit_.functions->make_restriction, unit_.functions->destroy_restriction, &all);
}

// The matrix of an operator and a restriction to solvers, of vectors of Scalar. Refers to both.
template <class Scalar = double>
class global_operator {
public:
  using scalar_type = Scalar;
  using backend_type = host;

  global_operator(element_operator const& a, restriction const& r) : operator_(&a), restriction_(&r)
  {
    check_equal("jit::global_operator", "bytes of a number of the vectors", a.scalar_bytes(), index_t{sizeof(Scalar)});
  }

  void apply(vector_argument<Scalar const> x, vector_argument<Scalar> y) const
  {
    operator_->apply(*restriction_, x.entries, y.entries);
  }
  void diagonal(vector_argument<Scalar> d) const { operator_->diagonal(*restriction_, d.entries); }
  index_t size() const { return restriction_->size(); }
  index_t elements() const { return operator_->elements(); }
  host const& backend() const { return operator_->backend(); }
  jit::restriction const& restriction() const { return *restriction_; }

private:
  element_operator const* operator_;
  jit::restriction const* restriction_;
};

}  // namespace sumfac::jit
