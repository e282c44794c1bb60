// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The interface on a backend of sumfac's, in numbers of a type: arrays brought to where kernels are, restrictions.
#pragma once

#include "interface.hpp"

#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/host.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/error.hpp>
#include <sumfac/view/view.hpp>

#include <memory>
#include <utility>

namespace sumfac_python {

template <class Backend>
inline constexpr bool is_host = sumfac::runs_on_host<Backend>;

template <class Scalar, class Backend>
kind kind_of()
{
  return {is_host<Backend> ? "host" : "cuda", static_cast<int>(sizeof(Scalar))};
}

template <class Scalar>
sumfac::view<Scalar, sumfac::dextents<1>> vector_of(Scalar* data, index_t size)
{
  return sumfac::view<Scalar, sumfac::dextents<1>>(data, size);
}

// Entries of an array where kernels can read and write them: the array's own, or a copy for the time of a call.
template <class Scalar, class Backend>
class brought {
public:
  brought(Backend const& backend, place from, index_t size, bool is_read)
      : backend_(backend), array_(static_cast<Scalar*>(from.data)), size_(size)
  {
    if constexpr (!is_host<Backend>) {
      if (from.on_device) return;
      copy_ = sumfac::buffer<Scalar, Backend>(backend, size);
      if (is_read) backend.copy(static_cast<Scalar const*>(array_), copy_.data(), size);
      is_copy_ = true;
    }
  }

  Scalar* data() { return is_copy_ ? copy_.data() : array_; }

  // Waits for the device; what was written is in the array then.
  void bring_back()
  {
    if constexpr (!is_host<Backend>) {
      if (is_copy_) backend_.copy(static_cast<Scalar const*>(copy_.data()), array_, size_);
      backend_.synchronize();
    }
  }

private:
  Backend backend_;
  Scalar* array_;
  index_t size_;
  sumfac::buffer<Scalar, Backend> copy_;
  bool is_copy_ = false;
};

// Calls f(u, v) with entries where kernels are: u is read, v is written.
template <class Scalar, class Backend, class Function>
void with_brought(Backend const& backend, place from, index_t from_size, place to, index_t to_size, Function const& f)
{
  brought<Scalar, Backend> u(backend, from, from_size, true), v(backend, to, to_size, false);
  f(static_cast<Scalar const*>(u.data()), v.data());
  v.bring_back();
}

template <class Scalar, class Backend>
class restriction_on final : public restriction {
public:
  using type = sumfac::restriction<Scalar, Backend>;

  template <class... Of>
  explicit restriction_on(Of&&... of) : inner(std::forward<Of>(of)...)
  {
    elements = inner.elements(), nodes_1d = inner.nodes_1d(), nodes = inner.nodes(), components = inner.components();
    axes = inner.directions();
  }

  void gather(place x, place u) const override
  {
    with_brought<Scalar>(inner.backend(), x, inner.size(), u, e_entries(),
                         [this](Scalar const* from, Scalar* to) { gather_there(from, to); });
  }
  void scatter(place v, place y) const override
  {
    with_brought<Scalar>(inner.backend(), v, e_entries(), y, inner.size(),
                         [this](Scalar const* from, Scalar* to) { scatter_there(from, to); });
  }
  std::shared_ptr<restriction const> at_degree(int degree) const override;

  void gather_there(Scalar const* x, Scalar* u) const
  {
    with_view(u, [&](auto const& to) { inner.gather(vector_of(x, inner.size()), to); });
  }
  void scatter_there(Scalar const* v, Scalar* y) const
  {
    with_view(v, [&](auto const& from) { inner.scatter(from, vector_of(y, inner.size())); });
  }

  type inner;

  index_t e_entries() const
  {
    index_t count = elements * components;
    for (int d = 0; d < axes; ++d) count *= nodes_1d;
    return count;
  }

private:
  // Calls f with the view of an E-vector.
  template <class T, class Function>
  void with_view(T* u, Function const& f) const
  {
    index_t const n = nodes_1d, c = components;
    if constexpr (is_host<Backend>) {
      if (axes == 1) return c == 1 ? f(sumfac::view(u, elements, n)) : f(sumfac::view(u, elements, c, n));
      if (axes == 2) return c == 1 ? f(sumfac::view(u, elements, n, n)) : f(sumfac::view(u, elements, c, n, n));
    }
    return c == 1 ? f(sumfac::view(u, elements, n, n, n)) : f(sumfac::view(u, elements, c, n, n, n));
  }
};

// An operator of any problem and degree, called with entries where kernels are.
template <class Scalar, class Backend>
class operator_on : public element_operator {
public:
  using restriction_type = restriction_on<Scalar, Backend>;

  void apply(place u, place v) const final
  {
    with_brought<Scalar>(backend(), u, entries(), v, entries(),
                         [this](Scalar const* from, Scalar* to) { apply_there(from, to); });
  }
  void apply(restriction const& r, place x, place y) const final
  {
    auto const& here = static_cast<restriction_type const&>(r);
    with_brought<Scalar>(backend(), x, here.inner.size(), y, here.inner.size(),
                         [&](Scalar const* from, Scalar* to) { apply_there(here.inner, from, to); });
  }
  void diagonal(restriction const& r, place d) const final
  {
    auto const& here = static_cast<restriction_type const&>(r);
    brought<Scalar, Backend> to(backend(), d, here.inner.size(), false);
    diagonal_there(here.inner, to.data());
    to.bring_back();
  }

  void add_once(restriction const& r, place x, place y) const final
  {
    auto const& here = static_cast<restriction_type const&>(r);
    add_once_there(here.inner, static_cast<Scalar const*>(x.data), static_cast<Scalar*>(y.data));
  }

  void linearize(restriction const& r, place x) final
  {
    auto const& here = static_cast<restriction_type const&>(r);
    linearize_there(here.inner, static_cast<Scalar const*>(x.data));
  }
  void linearize(place u) final { linearize_there(static_cast<Scalar const*>(u.data)); }

  virtual void apply_there(Scalar const* u, Scalar* v) const = 0;
  virtual void apply_there(typename restriction_type::type const& r, Scalar const* x, Scalar* y) const = 0;
  virtual void diagonal_there(typename restriction_type::type const& r, Scalar* d) const = 0;
  virtual Backend const& backend() const = 0;
  // y = y + A x, of forms alone.
  virtual void add_there(typename restriction_type::type const&, Scalar const*, Scalar*) const { refuse_to_add(); }
  virtual void add_once_there(typename restriction_type::type const&, Scalar const*, Scalar*) const { refuse_to_add(); }
  virtual void linearize_there(typename restriction_type::type const&, Scalar const*) { refuse_to_linearize(); }
  virtual void linearize_there(Scalar const*) { refuse_to_linearize(); }

protected:
  index_t entries_of_element = 0;

private:
  [[noreturn]] static void refuse_to_add()
  {
    sumfac::fail("operator", "A is no form, which alone is added to another operator: make it of sumfac.form(...)");
  }
  [[noreturn]] static void refuse_to_linearize()
  {
    sumfac::fail("operator", "A is no tangent, which alone is linearized: make it of sumfac.form(...).tangent()");
  }
  index_t entries() const { return elements * entries_of_element; }
};

// The matrix of an operator and a restriction to sumfac's solvers; refers to both.
template <class Scalar, class Backend>
class matrix_on {
public:
  using scalar_type = Scalar;
  using backend_type = Backend;
  using restriction_type = sumfac::restriction<Scalar, Backend>;

  explicit matrix_on(matrix_parts const& m)
      : a_(static_cast<operator_on<Scalar, Backend> const*>(m.a.get())),
        r_(&static_cast<restriction_on<Scalar, Backend> const*>(m.r.get())->inner)
  {
  }

  template <class From, class To>
  void apply(From const& x, To const& y) const
  {
    a_->apply_there(*r_, x.data(), y.data());
  }
  template <class To>
  void diagonal(To const& d) const
  {
    a_->diagonal_there(*r_, d.data());
  }

  index_t size() const { return r_->size(); }
  index_t elements() const { return r_->elements(); }
  Backend const& backend() const { return r_->backend(); }
  restriction_type const& restriction() const { return *r_; }

private:
  operator_on<Scalar, Backend> const* a_;
  restriction_type const* r_;
};

// A preconditioner called with entries where kernels are.
template <class Scalar, class Backend>
class preconditioner_on : public preconditioner {
public:
  void apply(place r, place z) const final
  {
    with_brought<Scalar>(backend(), r, size(), z, size(),
                         [this](Scalar const* from, Scalar* to) { apply_there(from, to); });
  }

  virtual void apply_there(Scalar const* r, Scalar* z) const = 0;
  virtual index_t size() const = 0;
  virtual Backend const& backend() const = 0;
};

}  // namespace sumfac_python
