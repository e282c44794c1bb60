// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An element operator on a GPU whose form, degree, points and numbers are values: compiled by NVRTC or hipRTC
// and run by the driver, both opened when they are wanted.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/config.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/dofs/vectors/vector_checks.hpp>
#include <sumfac/error.hpp>
#include <sumfac/jit/detail/arrays.hpp>
#include <sumfac/jit/detail/device_code.hpp>
#include <sumfac/jit/detail/device_data.hpp>
#include <sumfac/jit/detail/device_kernel.hpp>
#include <sumfac/jit/detail/driven.hpp>
#include <sumfac/jit/detail/driver.hpp>
#include <sumfac/jit/detail/interface.hpp>
#include <sumfac/jit/form.hpp>
#include <sumfac/jit/gpu.hpp>
#include <sumfac/jit/options.hpp>
#include <sumfac/mesh/mesh_nodes.hpp>
#include <sumfac/operator/detail/row_diagonal.hpp>
#include <sumfac/view/vector_argument.hpp>
#include <sumfac/view/view.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace sumfac::SUMFAC_TARGET::jit {

class device_operator;

// Which nodes elements have, and which are constrained or sums of others, on an operator's GPU: a sumfac::restriction
// of any backend, which it does not refer to, with its own order of sums: reproducible, or atomic. For any operator
// there of as many elements, nodes and components, in the same numbers. It does one thing at a time. Making it compiles
// what the operator has for global vectors; the loops around elements are a unit of their own, one for all operators.
// **Errors** argument_error for elements that do not fit; those of sumfac::restriction and of the operator.
class device_restriction {
  template <class Scalar>
  using on = sumfac::restriction<Scalar, detail::driven>;

  // Calls f with the restriction in the operator's numbers.
  template <class Function>
  decltype(auto) with(Function const& f) const
  {
    auto const* const in_double = std::get_if<on<double>>(&of_);
    return in_double != nullptr ? f(*in_double) : f(std::get<on<float>>(of_));
  }

public:
  template <std::same_as<device_operator> Operator, detail::has_numbering Other>
  device_restriction(Operator const& a, Other const& other) : code_(a.kernel({.on_global = true}).from())
  {
    constexpr auto here = "jit::device_restriction";
    check_equal(here, "number of elements", a.elements(), other.elements());
    check_equal(here, "number of directions of elements", sumfac::detail::axes_of(a.options_.space),
                other.table().directions());
    check_equal(here, "number of nodes along an edge", a.nodes_1d(), other.nodes_1d());
    check_equal(here, "number of components", a.components(), other.components());
    auto const backend = [&a](char const* number) {
      return detail::driven(a.gpu_.driver(), a.gpu_.stream(), a.settings_, number);
    };
    if (a.scalar_bytes() == 8)
      of_.template emplace<on<double>>(backend("double"), other);
    else
      of_.template emplace<on<float>>(backend("float"), other);
  }

  index_t elements() const
  {
    return with([](auto const& r) { return r.elements(); });
  }
  index_t nodes() const
  {
    return with([](auto const& r) { return r.nodes(); });
  }
  int nodes_1d() const
  {
    return with([](auto const& r) { return r.nodes_1d(); });
  }
  int components() const { return options().components; }
  index_t size() const { return nodes() * components(); }
  restriction_options const& options() const
  {
    return with([](auto const& r) -> auto const& { return r.options(); });
  }
  origin const& code() const { return code_; }

  // x at unknowns that have equations: what these say, from the entries of x at their terms. Queued.
  template <class Vector>
  void distribute(Vector const& x) const
  {
    with([&](auto const& r) {
      using number = typename std::remove_cvref_t<decltype(r)>::scalar_type;
      constexpr bool fits = sumfac::detail::is_writable_view_of<Vector, number>;
      if constexpr (fits)
        r.distribute(x);
      else
        fail("jit::device_restriction::distribute", "x is not of the operator's numbers, or const");
    });
  }

private:
  friend class device_operator;

  origin code_;
  std::variant<std::monostate, on<double>, on<float>> of_;
};

// v = A u on vectors in a GPU's memory, with geometry that is stored, affine or trilinear: by the kernels that
// sumfac::element_operator launches there. apply() queues them and returns.
// **Shapes** u, v: (E, n, n, n), or (E, C, n, n, n), row by row; (E, n, n) on quadrilaterals, (E, n) on lines, (E, P)
// on triangles, tetrahedra and prisms, or with C likewise. Global vectors: (R.size()). Mesh nodes in the host's memory,
// (E, m, m, m, 3), (E, m, m, c), (E, m, c), (E, M, c) in c coordinates.
// **Errors** those of jit::element_operator; backend_error where the driver or the compiler are not there, or fail.
class device_operator {
public:
  template <class Nodes, class NodeSet = unsaid_nodes>
  device_operator(gpu const& on, Nodes const& nodes, form const& f, options const& o, settings const& how = {},
                  NodeSet const& node_set = {})
      : gpu_(on), form_(f), options_(o), settings_(how)
  {
    static_assert(is_view<Nodes>,
                  "sumfac::jit::device_operator: mesh nodes must be a sumfac::view (E, m, m, m, 3), (E, m, m, c) or "
                  "(E, m, c)");
    constexpr auto here = "jit::device_operator";
    auto const plain = sumfac::detail::plain_nodes(nodes);
    using plain_type = std::remove_const_t<decltype(plain)>;
    static_assert(plain_type::rank() >= 3 && plain_type::rank() <= 5,
                  "sumfac::jit::device_operator: mesh nodes are (E, m, m, m, 3), (E, m, m, c) or (E, m, c)");
    check_equal(here, "number of dimensions of the mesh nodes", sumfac::detail::axes_of(options_.space) + 2,
                static_cast<index_t>(plain_type::rank()));
    bool const is_tensor = sumfac::detail::is_tensor(options_.space);
    if (is_tensor)
      sumfac::detail::check_mesh_nodes(here, plain, options_.space.coordinates);
    else
      check_equal(here, "last extent (coordinates) of the mesh nodes", options_.space.coordinates,
                  plain.extent(plain_type::rank() - 1));
    // Along an edge.
    auto const m = is_tensor ? static_cast<int>(plain.extent(1))
                             : sumfac::detail::checked_edge_nodes(here, options_.space, plain.extent(1));
    long double places[sumfac::detail::max_mesh_nodes_1d] = {};
    sumfac::detail::said_nodes(here, nodes, node_set, m)(m, places);
    elements_ = plain.extent(0);
    auto const rows = detail::in_rows<double>(plain);
    auto set_up = data_.set_up(queue(), kernel_code({}), form_, options_,
                               {rows, elements_, m, static_cast<int>(plain.extent(1)), places});
    units_.push_back(std::make_unique<unit>(unit{{}, std::move(set_up)}));
  }

  template <class From, class To>
  void apply(From const& u, To const& v)
  {
    constexpr auto here = "jit::device_operator::apply";
    check_argument(here, "u", u, facts());
    check_argument(here, "v", v, facts());
    check_inputs(here);
    if (elements_ > 0) sumfac::detail::check_distinct(here, u, v);
    kernel({}).launch(u.data(), v.data(), groups());
  }
  // y = R^T A R x on global vectors in the GPU's memory, and what R says at constrained entries; or y += R^T A R x,
  // which leaves these as they are. Queued as well.
  template <class From, class To>
  void apply(device_restriction const& r, From const& x, To const& y)
  {
    apply_by("jit::device_operator::apply", r, x, y, sumfac::detail::sweep_mode::write);
  }
  template <class From, class To>
  void apply_add(device_restriction const& r, From const& x, To const& y)
  {
    apply_by("jit::device_operator::apply_add", r, x, y, sumfac::detail::sweep_mode::add);
  }

  // Of a tangent, or any form with inputs: keeps these at the points, in the form's order. Each is an E-vector, or a
  // restriction of it and a global vector, whose constrained entries are read as 0: linearize(R, u, t) has an E-vector
  // t behind a global vector u. Queued as well; the first call compiles a unit for each.
  template <class... Fields>
  void linearize(Fields const&... fields)
  {
    constexpr auto here = "jit::device_operator::linearize";
    check_equal(here, "number of inputs of the form", facts().inputs, (index_t{is_view<Fields>} + ... + 0));
    keep(here, 0, false, fields...);  // all are looked at before any is kept
    keep(here, 0, true, fields...);
    has_inputs_ = true;
  }

  // d = the diagonal of A, an E-vector; or of the matrix on global vectors. The first call of each compiles a unit; the
  // device has written d on return.
  template <class To>
  void diagonal(To const& d)
  {
    constexpr auto here = "jit::device_operator::diagonal";
    check_linear(here);
    check_argument(here, "d", d, facts());
    check_inputs(here);
    kernel({.is_diagonal = true}).launch(nullptr, d.data(), groups());
    gpu_.synchronize();
  }
  template <class To>
  void diagonal(device_restriction const& r, To const& d)
  {
    constexpr auto here = "jit::device_operator::diagonal";
    check_linear(here);
    check_inputs(here);
    check_restriction(here, r, facts());
    check_vector(here, "d", r.size(), d);
    if (r.size() > 0) r.with([&](auto const& of) { diagonal_by(here, of, d.data()); });
    gpu_.synchronize();
  }

  index_t elements() const { return elements_; }
  int nodes_1d() const { return static_cast<int>(facts().nodes_1d); }
  int components() const { return static_cast<int>(facts().components); }
  int scalar_bytes() const { return static_cast<int>(facts().bytes); }  // 8 of vectors of double, 4 of float
  bool linear() const { return facts().linear != 0; }
  gpu const& backend() const { return gpu_; }
  origin const& code() const { return units_.front()->kernel.from(); }

private:
  friend class device_restriction;

  struct unit {
    detail::unit_kind kind;
    detail::device_kernel kernel;
  };
  detail::device_facts const& facts() const { return units_.front()->kernel.facts(); }
  index_t groups() const { return (elements_ + facts().lanes - 1) / facts().lanes; }

  // The kernel of a unit, which is compiled where it is wanted first.
  detail::device_kernel& kernel(detail::unit_kind const& kind) const
  {
    for (auto const& made : units_)
      if (made->kind == kind) return made->kernel;
    detail::device_kernel made(queue(), kernel_code(kind));
    made.ask(data_.parts());
    made.make_parameter(data_.parts());
    units_.push_back(std::make_unique<unit>(unit{kind, std::move(made)}));
    return units_.back()->kernel;
  }
  detail::loaded_code kernel_code(detail::unit_kind const& kind) const
  {
    return detail::device_code(form_, options_, settings_, gpu_.driver()->of(), gpu_.architecture(), kind);
  }
  detail::queue queue() const { return {gpu_.driver(), gpu_.stream()}; }

  // Looks at inputs from a number on, and keeps them where they `pass`.
  static void keep(char const*, int, bool) {}
  template <class From, class... Rest>
    requires is_view<From>
  void keep(char const* where, int number, bool pass, From const& u, Rest const&... rest) const
  {
    detail::device_kernel& by = kernel({.input = number});
    check_argument(where, "an input", u, by.facts());
    if (pass) by.launch(u.data(), data_.parts().kept, groups() * facts().lanes);
    keep(where, number + 1, pass, rest...);
  }
  template <class From, class... Rest>
  void keep(char const* where, int number, bool pass, device_restriction const& r, From const& x,
            Rest const&... rest) const
  {
    detail::device_kernel& by = kernel({.on_global = true, .input = number});
    check_restriction(where, r, by.facts());
    check_vector(where, "an input", r.size(), x);
    r.with([&](auto const& of) {
      of.refuse_rows("jit::device_operator", "distribute() the vector, and pass a restriction without constraints");
      if (pass) put_table(by, of.storage().table());
    });
    if (pass) by.launch(x.data(), data_.parts().kept, groups() * facts().lanes);
    keep(where, number + 1, pass, rest...);
  }
  template <class Table>
  static void put_table(detail::device_kernel& by, Table const& table)
  {
    check_equal("jit::device_operator", "bytes of the table of nodes in the kernel", index_t{sizeof table},
                by.facts().table_bytes);
    by.put(by.facts().place_of_table, table);
  }

  // y by the elements of a restriction of this device.
  template <class Scalar>
  void sweep(sumfac::restriction<Scalar, detail::driven> const& r, detail::unit_kind kind, Scalar const* x, Scalar* y,
             sumfac::detail::sweep_mode mode, sumfac::detail::row_action rows) const
  {
    auto const& of = r.storage();
    auto const table = of.table(mode);
    Scalar const* const from = of.read(x);
    of.sweep(static_cast<int>(facts().lanes), x, y, mode, rows, [&](index_t const* list, index_t count) {
      kind.is_listed = list != nullptr;
      detail::device_kernel& by = kernel(kind);
      put_table(by, table);
      if (kind.is_listed) by.put(by.facts().place_of_groups, list);
      by.launch(from, y, count);
    });
  }
  template <class From, class To>
  void apply_by(char const* where, device_restriction const& r, From const& x, To const& y,
                sumfac::detail::sweep_mode mode)
  {
    check_inputs(where);
    check_restriction(where, r, facts());
    check_vector(where, "x", r.size(), x);
    check_vector(where, "y", r.size(), y);
    if (r.size() == 0) return;
    sumfac::detail::check_distinct(where, x, y, "x", "y");
    bool const writes = mode == sumfac::detail::sweep_mode::write;
    r.with([&](auto const& of) {
      using number = typename std::remove_cvref_t<decltype(of)>::scalar_type;
      if constexpr (std::is_same_v<typename To::element_type, number> &&
                    std::is_same_v<std::remove_const_t<typename From::element_type>, number>)
        sweep<number>(of, {.on_global = true}, x.data(), y.data(), mode,
                      writes ? sumfac::detail::action_of(r.options().rows) : sumfac::detail::row_action::none);
    });
  }
  template <class Scalar, class Number>
  void diagonal_by(char const* where, sumfac::restriction<Scalar, detail::driven> const& r, Number* d) const
  {
    if constexpr (std::is_same_v<Scalar, Number>) {
      using sumfac::detail::row_action, sumfac::detail::sweep_mode;
      sumfac::detail::refuse_repeated_nodes(where, r);
      auto const add = [this](auto const& of, auto const& to) {
        this->template sweep<Scalar>(of, {.on_global = true, .is_diagonal = true}, nullptr, to.data(),
                                     sweep_mode::write, row_action::zero);
        of.storage().set_constrained(to.data(), static_cast<Scalar>(of.options().rows.value));
      };
      view<Scalar, dextents<1>> const to(d, r.size());
      if (!r.table().has_rows()) return add(r, to);
      sumfac::detail::row_diagonal(r, to, add, [this](auto const& of, auto const& x, auto const& y) {
        this->template sweep<Scalar>(of, {.on_global = true}, x.data(), y.data(), sweep_mode::write,
                                     sumfac::detail::action_of(of.options().rows));
      });
    }
  }

  void check_linear(char const* where) const
  {
    if (!linear()) fail(where, "the form is not linear in u (linear 0, 1 expected): only such have a diagonal");
  }
  void check_inputs(char const* where) const
  {
    if (facts().inputs > 0 && !has_inputs_)
      failf(where,
            "the form reads other functions at the points, and has not been given them (0 of %lld): call linearize() "
            "first",
            static_cast<long long>(facts().inputs));
  }
  void check_restriction(char const* where, device_restriction const& r, detail::device_facts const& wanted) const
  {
    check_equal(where, "number of elements of the restriction", elements_, r.elements());
    check_equal(where, "number of nodes along an edge of the restriction", wanted.nodes_1d, r.nodes_1d());
    check_equal(where, "number of components of the restriction", wanted.components, r.components());
    int const bytes = std::holds_alternative<device_restriction::on<double>>(r.of_) ? 8 : 4;
    check_equal(where, "bytes of a number of the restriction", scalar_bytes(), bytes);
    r.with([&](auto const& of) {
      check_equal(where, "device of the restriction", gpu_.device(), of.backend().device());
      if (of.backend().stream() != gpu_.stream())
        fail(where, "the restriction queues on another stream than the operator does: make both on one");
    });
  }
  template <class View>
  void check_vector(char const* where, char const* what, index_t size, View const& x) const
  {
    static_assert(is_view<View> && View::rank() == 1 && std::is_same_v<typename View::layout_type, layout_right>,
                  "sumfac::jit::device_operator: global vectors are views of rank 1, layout_right");
    static_assert(detail::is_number<typename View::element_type>,
                  "sumfac::jit::device_operator: vectors are of double or float");
    check_equal(where, "bytes of an entry", facts().bytes, index_t{sizeof(typename View::element_type)});
    check_equal(where, what, size, x.extent(0));
    check_data(where, what, x.data(), size);
  }
  template <class View>
  void check_argument(char const* where, char const* what, View const& u, detail::device_facts const& of) const
  {
    static_assert(is_view<View>, "sumfac::jit::device_operator: vectors must be views");
    using number = std::remove_const_t<typename View::element_type>;
    check_equal(where, "bytes of an entry", of.bytes, index_t{sizeof(number)});
    static_assert(std::is_same_v<typename View::layout_type, layout_right>,
                  "sumfac::jit::device_operator: vectors are row by row, layout_right");
    index_t entries = 1;
    for (int r = 0; r < View::rank(); ++r) entries *= u.extent(r);
    index_t nodes = of.nodes_1d;
    for (int d = 1; d < sumfac::detail::axes_of(options_.space); ++d) nodes *= of.nodes_1d;
    check_equal(where, what, elements_ * of.components * nodes, entries);
    check_data(where, what, u.data(), entries);
  }

  gpu gpu_;
  form form_;
  options options_;
  settings settings_;
  index_t elements_ = 0;
  bool has_inputs_ = false;  // whether linearize() has been called
  detail::device_data data_;
  mutable std::vector<std::unique_ptr<unit>> units_;  // that on E-vectors is the first
};

// The matrix of an operator and a restriction to solvers of a program that has a backend, as sumfac::cuda, for the same
// device and stream: sumfac::cg(M, b, x, {.preconditioner = sumfac::jacobi(M)}). Refers to both.
// **Errors** argument_error for another device, stream, or numbers.
template <class Backend, class Scalar = double>
class device_matrix {
public:
  using scalar_type = Scalar;
  using backend_type = Backend;

  device_matrix(Backend const& backend, device_operator& a, device_restriction const& r)
      : backend_(backend), operator_(&a), restriction_(&r)
  {
    constexpr auto here = "jit::device_matrix";
    check_equal(here, "bytes of a number of the vectors", a.scalar_bytes(), index_t{sizeof(Scalar)});
    check_equal(here, "device of the backend", a.backend().device(), backend.device());
    if (static_cast<void*>(backend.stream()) != a.backend().stream())
      fail(here, "the backend queues on another stream than the operator's GPU does: make both of one stream");
  }

  void apply(vector_argument<Scalar const> x, vector_argument<Scalar> y) const
  {
    operator_->apply(*restriction_, x.entries, y.entries);
  }
  void diagonal(vector_argument<Scalar> d) const { operator_->diagonal(*restriction_, d.entries); }
  index_t size() const { return restriction_->size(); }
  Backend const& backend() const { return backend_; }
  device_restriction const& restriction() const { return *restriction_; }

private:
  Backend backend_;
  device_operator* operator_;
  device_restriction const* restriction_;
};

}  // namespace sumfac::jit
