// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Weak forms as text, of any degree, which the system's compiler compiles when an operator is made.
#pragma once

#include "node_set.hpp"
#include "on_backend.hpp"

#include <sumfac/jit/element_operator.hpp>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace sumfac_python {

template <std::size_t... R>
auto table_of(double const* array, std::vector<index_t> const& extents, std::index_sequence<R...>)
{
  return sumfac::view<double const, sumfac::dextents<int{sizeof...(R)}>>(array, extents[R]...);
}

// Calls f with the nodes of a mesh, and where they lie on edges.
template <class Function>
auto with_nodes(mesh const& m, Function const& f)
{
  index_t const e = m.elements, n = m.nodes_1d, c = m.coordinates;
  if (m.simplices) return f(sumfac::view(m.nodes, e, n, c), sumfac::equispaced_nodes{});
  node_set const set{m.equispaced, m.places};
  if (m.directions == 1) return f(sumfac::view(m.nodes, e, n, c), set);
  if (m.directions == 2) return f(sumfac::view(m.nodes, e, n, n, c), set);
  return f(sumfac::view(m.nodes, e, n, n, n, c), set);
}

inline sumfac::jit::form parsed(form_text const& f)
{
  std::vector<sumfac::jit::named_coefficient> given;
  for (auto const& [name, number, array, extents] : f.coefficients) {
    if (array == nullptr)
      given.push_back({name, number});
    else
      switch (extents.size()) {
        case 1: given.push_back({name, table_of(array, extents, std::make_index_sequence<1>())}); break;
        case 2: given.push_back({name, table_of(array, extents, std::make_index_sequence<2>())}); break;
        case 3: given.push_back({name, table_of(array, extents, std::make_index_sequence<3>())}); break;
        default: given.push_back({name, table_of(array, extents, std::make_index_sequence<4>())});
      }
  }
  auto const form = sumfac::jit::weak(f.text, given, f.components);
  return f.is_tangent ? sumfac::jit::tangent(form) : form;
}

// Operators on the same global vectors, added up: the first writes, the others add to it.
template <class Scalar>
class sum_operator final : public operator_on<Scalar, sumfac::host> {
  using part = operator_on<Scalar, sumfac::host>;
  using restriction_type = sumfac::restriction<Scalar, sumfac::host>;

public:
  explicit sum_operator(std::vector<matrix_parts> const& parts) : parts_(parts)
  {
    this->elements = parts[0].a->elements, this->components = parts[0].a->components;
    for (matrix_parts const& one : parts) this->flops += one.a->flops, this->bytes += one.a->bytes;
  }

  void apply_there(Scalar const*, Scalar*) const override
  {
    sumfac::fail("operator", "a sum has global vectors alone");
  }
  void apply_there(restriction_type const&, Scalar const* x, Scalar* y) const override
  {
    operator_at(0).apply_there(restriction_at(0), x, y);
    for (std::size_t i = 1; i < parts_.size(); ++i) operator_at(i).add_there(restriction_at(i), x, y);
  }
  // Constrained entries have the first part's.
  void diagonal_there(restriction_type const&, Scalar* d) const override
  {
    restriction_type const& first = restriction_at(0);
    operator_at(0).diagonal_there(first, d);
    std::vector<Scalar> more(static_cast<std::size_t>(first.size()));
    for (std::size_t i = 1; i < parts_.size(); ++i) {
      operator_at(i).diagonal_there(restriction_at(i), more.data());
      for (index_t k = 0; k < first.size(); ++k)
        if (!first.table().constrained(first.node_of(k), first.component_of(k)))
          d[k] += more[static_cast<std::size_t>(k)];
    }
  }
  void check(restriction const&) const override {}
  sumfac::host const& backend() const override { return operator_at(0).backend(); }

private:
  part const& operator_at(std::size_t i) const { return static_cast<part const&>(*parts_[i].a); }
  restriction_type const& restriction_at(std::size_t i) const
  {
    return static_cast<restriction_on<Scalar, sumfac::host> const&>(*parts_[i].r).inner;
  }

  std::vector<matrix_parts> parts_;
};

template <class Scalar>
class form_operator final : public operator_on<Scalar, sumfac::host> {
  using restriction_type = sumfac::restriction<Scalar, sumfac::host>;

public:
  form_operator(form_text const& f, int degree, int points, mesh const& m)
      : a_(made(f, degree, points, m)), axes_(m.simplices ? 1 : m.directions)
  {
    sumfac::work const work = a_.work();
    this->elements = a_.elements(), this->components = a_.components();
    this->flops = work.flops, this->bytes = work.bytes();
    this->entries_of_element = a_.components();
    for (int d = 0; d < axes_; ++d) this->entries_of_element *= a_.nodes_1d();
  }

  static form_entry entry()
  {
    return {kind_of<Scalar, sumfac::host>(), [](form_text const& f) { static_cast<void>(parsed(f)); },
            [](form_text const& f, int degree, int points, mesh const& m) {
              return std::make_shared<form_operator>(f, degree, points, m);
            },
            [](std::vector<matrix_parts> const& parts) { return std::make_shared<sum_operator<Scalar>>(parts); }};
  }

  void apply_there(Scalar const* u, Scalar* v) const override
  {
    with_shape([&](auto... extents) {
      a_.apply(sumfac::view(u, a_.elements(), extents...), sumfac::view(v, a_.elements(), extents...));
    });
  }
  void apply_there(restriction_type const& r, Scalar const* x, Scalar* y) const override
  {
    a_.apply(of(r), vector_of(x, r.size()), vector_of(y, r.size()));
  }
  void add_there(restriction_type const& r, Scalar const* x, Scalar* y) const override
  {
    a_.apply_add(of(r), vector_of(x, r.size()), vector_of(y, r.size()));
  }
  void add_once_there(restriction_type const& r, Scalar const* x, Scalar* y) const override
  {
    sumfac::jit::restriction const there(a_, r);
    a_.apply_add(there, vector_of(x, r.size()), vector_of(y, r.size()));
  }
  void diagonal_there(restriction_type const& r, Scalar* d) const override
  {
    a_.diagonal(of(r), vector_of(d, r.size()));
  }
  void linearize_there(restriction_type const& r, Scalar const* x) override
  {
    a_.linearize(of(r), vector_of(x, r.size()));
  }
  void linearize_there(Scalar const* u) override
  {
    with_shape([&](auto... extents) { a_.linearize(sumfac::view(u, a_.elements(), extents...)); });
  }
  void check(restriction const& r) const override
  {
    static_cast<void>(of(static_cast<restriction_on<Scalar, sumfac::host> const&>(r).inner));
  }
  sumfac::host const& backend() const override { return a_.backend(); }

private:
  static sumfac::jit::element_operator made(form_text const& f, int degree, int points, mesh const& m)
  {
    using sumfac::cell_shape, sumfac::node_placement, sumfac::function_family;
    sumfac::space const space{degree,
                              m.directions,
                              m.coordinates,
                              node_placement::gauss_lobatto,
                              nullptr,
                              function_family::nodal,
                              m.simplices ? cell_shape::simplex : cell_shape::lines};
    sumfac::jit::options const options{
        .space = space,
        .points = m.simplices ? sumfac::jit::rule{} : sumfac::jit::gauss(points),
        .precision = sizeof(Scalar) == 8 ? sumfac::jit::numbers::f64 : sumfac::jit::numbers::f32};
    return with_nodes(m, [&](auto const& nodes, auto const& set) {
      return sumfac::jit::element_operator(sumfac::host(), nodes, parsed(f), options, settings_of(f), set);
    });
  }
  // Calls g with the extents of an element's part of E-vectors.
  template <class Function>
  void with_shape(Function const& g) const
  {
    index_t const n = a_.nodes_1d(), c = a_.components();
    if (axes_ == 1) return c == 1 ? g(n) : g(c, n);
    if (axes_ == 2) return c == 1 ? g(n, n) : g(c, n, n);
    return c == 1 ? g(n, n, n) : g(c, n, n, n);
  }
  static sumfac::jit::settings settings_of(form_text const& f)
  {
    sumfac::jit::settings how;
    if (!f.flags.empty()) how.flags = f.flags;
    return how;
  }

  // The nodes of a restriction, as the operator's own code has them. An operator of Python's has one, or none.
  sumfac::jit::restriction const& of(restriction_type const& r) const
  {
    if (known_ != &r) {
      sumfac::check_equal("operator", "number of elements of the restriction", a_.elements(), r.elements());
      sumfac::check_equal("operator", "components of the restriction", a_.components(), r.components());
      there_ = std::make_unique<sumfac::jit::restriction>(a_, r);
      known_ = &r;
    }
    return *there_;
  }

  sumfac::jit::element_operator a_;
  int axes_;
  mutable restriction_type const* known_ = nullptr;
  mutable std::unique_ptr<sumfac::jit::restriction> there_;
};

}  // namespace sumfac_python
