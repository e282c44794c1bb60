// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Weak forms as text, of any degree, which the system's compiler compiles when an operator is made.
#pragma once

#include "node_set.hpp"
#include "on_backend.hpp"

#include <sumfac/jit/element_operator.hpp>

#include <memory>
#include <vector>

namespace sumfac_python {

inline sumfac::jit::form parsed(form_text const& f)
{
  std::vector<sumfac::jit::named_coefficient> given;
  for (auto const& [name, number, array, extents] : f.coefficients) {
    if (array == nullptr)
      given.push_back({name, number});
    else if (extents.size() == 1)
      given.push_back({name, sumfac::view<double const, sumfac::dextents<1>>(array, extents[0])});
    else
      given.push_back({name, sumfac::view<double const, sumfac::dextents<4>>(array, extents[0], extents[1], extents[2],
                                                                             extents[3])});
  }
  auto const form = sumfac::jit::weak(f.text, given, f.components);
  return f.is_tangent ? sumfac::jit::tangent(form) : form;
}

template <class Scalar>
class form_operator final : public operator_on<Scalar, sumfac::host> {
  using restriction_type = sumfac::restriction<Scalar, sumfac::host>;

public:
  form_operator(form_text const& f, int degree, int points, mesh const& m)
      : a_(sumfac::host(), sumfac::view(m.nodes, m.elements, m.nodes_1d, m.nodes_1d, m.nodes_1d, 3), parsed(f),
           {.space = degree,
            .points = sumfac::jit::gauss(points),
            .precision = sizeof(Scalar) == 8 ? sumfac::jit::numbers::f64 : sumfac::jit::numbers::f32},
           settings_of(f), node_set{m.equispaced})
  {
    sumfac::work const work = a_.work();
    index_t const n = a_.nodes_1d();
    this->elements = a_.elements(), this->components = a_.components();
    this->flops = work.flops, this->bytes = work.bytes();
    this->entries_of_element = a_.components() * n * n * n;
  }

  static form_entry entry()
  {
    return {kind_of<Scalar, sumfac::host>(), [](form_text const& f) { static_cast<void>(parsed(f)); },
            [](form_text const& f, int degree, int points, mesh const& m) {
              return std::make_shared<form_operator>(f, degree, points, m);
            }};
  }

  void apply_there(Scalar const* u, Scalar* v) const override
  {
    index_t const n = a_.nodes_1d(), c = a_.components();
    if (c == 1)
      a_.apply(sumfac::view(u, a_.elements(), n, n, n), sumfac::view(v, a_.elements(), n, n, n));
    else
      a_.apply(sumfac::view(u, a_.elements(), c, n, n, n), sumfac::view(v, a_.elements(), c, n, n, n));
  }
  void apply_there(restriction_type const& r, Scalar const* x, Scalar* y) const override
  {
    a_.apply(of(r), vector_of(x, r.size()), vector_of(y, r.size()));
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
    index_t const n = a_.nodes_1d(), c = a_.components();
    if (c == 1)
      a_.linearize(sumfac::view(u, a_.elements(), n, n, n));
    else
      a_.linearize(sumfac::view(u, a_.elements(), c, n, n, n));
  }
  void check(restriction const& r) const override
  {
    static_cast<void>(of(static_cast<restriction_on<Scalar, sumfac::host> const&>(r).inner));
  }
  sumfac::host const& backend() const override { return a_.backend(); }

private:
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
  mutable restriction_type const* known_ = nullptr;
  mutable std::unique_ptr<sumfac::jit::restriction> there_;
};

}  // namespace sumfac_python
