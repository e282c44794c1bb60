// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A bake-off problem at a degree. CMake writes a source for each, of one line: they are compiled in parallel.
#pragma once

#include "node_set.hpp"
#include "on_backend.hpp"

#include <sumfac/operator/bake_off.hpp>
#include <sumfac/operator/global_operator.hpp>

#include <string>

namespace sumfac_python {

template <class Operator>
class bake_off_operator final : public operator_on<typename Operator::scalar_type, typename Operator::backend_type> {
  using scalar = typename Operator::scalar_type;
  using backend_type = typename Operator::backend_type;
  using form_type = typename Operator::form_type;
  static constexpr index_t n = Operator::nodes_1d;

public:
  explicit bake_off_operator(mesh const& m)
      : a_(backend_type{}, nodes_of(m), form_of(m), node_set{m.equispaced, m.places})
  {
    sumfac::work const work = a_.work();
    this->elements = a_.elements(), this->components = Operator::components;
    this->flops = work.flops, this->bytes = work.bytes();
    this->entries_of_element = Operator::components * n * n * n;
  }

  static operator_entry entry(std::string const& problem)
  {
    return {kind_of<scalar, backend_type>(), problem, Operator::order, Operator::components,
            [](mesh const& m) { return std::make_shared<bake_off_operator>(m); }};
  }

  void apply_there(scalar const* u, scalar* v) const override { a_.apply(e_vector(u), e_vector(v)); }
  void apply_there(sumfac::restriction<scalar, backend_type> const& r, scalar const* x, scalar* y) const override
  {
    a_.apply(r, vector_of(x, r.size()), vector_of(y, r.size()));
  }
  void diagonal_there(sumfac::restriction<scalar, backend_type> const& r, scalar* d) const override
  {
    a_.diagonal(r, vector_of(d, r.size()));
  }
  void check(restriction const& r) const override
  {
    auto const& here = static_cast<restriction_on<scalar, backend_type> const&>(r).inner;
    static_cast<void>(sumfac::global_operator(a_, here));
  }
  backend_type const& backend() const override { return a_.backend(); }

private:
  static auto nodes_of(mesh const& m)
  {
    return sumfac::view<double const, sumfac::dextents<5>>(m.nodes, m.elements, m.nodes_1d, m.nodes_1d, m.nodes_1d, 3);
  }
  static form_type form_of(mesh const& m)
  {
    form_type form;
    if constexpr (requires { form.lambda; }) form.lambda = m.lambda;
    return form;
  }

  template <class T>
  auto e_vector(T* data) const
  {
    if constexpr (Operator::components == 1)
      return sumfac::view<T, sumfac::dextents<4>>(data, a_.elements(), n, n, n);
    else
      return sumfac::view<T, sumfac::dextents<5>>(data, a_.elements(), Operator::components, n, n, n);
  }

  Operator a_;
};

}  // namespace sumfac_python
