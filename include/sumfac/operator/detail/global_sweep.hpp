// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// An element operator's kernel swept over global vectors: what it does with a restriction.
#pragma once

#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/dofs/restriction.hpp>
#include <sumfac/dofs/vectors/vector_checks.hpp>
#include <sumfac/element/kernel/launch_groups.hpp>
#include <sumfac/element/vectors/footprint.hpp>
#include <sumfac/error.hpp>
#include <sumfac/math/detail/plain.hpp>
#include <sumfac/math/pack.hpp>
#include <sumfac/view/view.hpp>

#include <type_traits>

namespace sumfac::SUMFAC_TARGET::detail {

// Kernels of operators as parts of others: see apply_element.hpp.
template <class Operator>
class operator_parts;

// Of a form without inputs, or with inputs that are kept.
struct no_fields {
  template <class View>
  void check_apart(View const&, char const*) const
  {
  }
};

// The same of the transpose.
struct of_transpose : no_fields {};

// An operator A and a restriction R, for the length of one call; with Fields where these are given for it.
template <class Operator, class Fields = no_fields>
class global_sweep {
  using scalar = typename Operator::scalar_type;
  using backend = typename Operator::backend_type;
  static constexpr int n = Operator::nodes_1d, components = Operator::components, directions = Operator::directions;
  static constexpr int nodes_of_element = node_box(n, directions).all();
  static constexpr bool is_given = !std::is_base_of_v<no_fields, Fields>;
  static constexpr bool transposes = std::is_same_v<Fields, of_transpose>;

public:
  global_sweep(Operator const& a, restriction<scalar, backend> const& r, Fields const& fields = {})
      : operator_(a), restriction_(r), fields_(fields)
  {
  }

  // y = R^T A R x, and the constrained entries; on the host with hooks around each piece of it.
  template <class From, class To, class... Hooks>
  void apply(From const& x, To const& y, Hooks const&... hooks) const
  {
    constexpr auto here = transposes ? "element_operator::apply_transposed" : "element_operator::apply";
    sweep(here, x, y, sweep_mode::write, rows(), hooks...);
  }

  // The part of apply() on a device that elements do, between what the restriction's storage does before and after.
  void launch_elements(scalar const* x, scalar* y) const
  {
    using vectors = typename Operator::global_vectors;
    auto const& r = restriction_.storage();
    r.for_groups(vectors::elements,
                 group_launcher<vectors>(restriction_.backend(), r, x, y, sweep_mode::write,
                                         [this](auto u_and_v) { return operator_.kernel_from(u_and_v, 0); }));
  }
  row_action rows() const { return action_of(restriction_.options().rows); }

  // y = y + R^T A R x.
  template <class From, class To>
  void apply_add(From const& x, To const& y) const
  {
    constexpr auto here = transposes ? "element_operator::apply_transposed_add" : "element_operator::apply_add";
    sweep(here, x, y, sweep_mode::add, row_action::none);
  }

  // The kernel that adds R^T A R x to y, on a device, for a launch of somebody else's.
  template <class From, class To>
  auto adding_kernel(char const* where, From const& x, To const& y) const
  {
    static_assert(check_vectors<From, To>());
    check_vectors_of_call(where, x, y);
    if (restriction_.options().policy != scatter::atomic)
      fail(where,
           "the restriction is scatter::deterministic, whose sums take a second kernel: make it with "
           "{.policy = sumfac::scatter::atomic}");
    using vectors = typename Operator::global_vectors;
    return operator_.kernel_from(vectors{{restriction_.storage().table(), x.data(), y.data()}}, 0);
  }

  // d = the diagonal of what apply() multiplies by.
  template <class Diagonal>
  void diagonal(Diagonal const& d) const
  {
    if constexpr (check_vectors<Diagonal, Diagonal>()) add_up_diagonals(d);
  }

  // Throws unless the restriction is of the operator's elements.
  void check_restriction(char const* where) const
  {
    check_equal(where, "number of elements of the restriction", operator_.elements(), restriction_.elements());
    check_equal(where, "number of directions of the restriction's elements", directions, restriction_.directions());
    check_equal(where, "number of nodes per direction of the restriction", n, restriction_.nodes_1d());
    check_equal(where, "number of components of the restriction", components, restriction_.components());
    if constexpr (is_device<backend>)
      check_equal(where, "device of the restriction", operator_.backend().device(), restriction_.backend().device());
  }

private:
  // What its kernel reads and writes.
  template <class Applied, bool Transposes>
  struct vectors_of_call {
    using type = typename Applied::global_vectors;
  };
  template <class Applied>
  struct vectors_of_call<Applied, true> {
    using type = typename Applied::transposed_choice::global_vectors;
  };

  template <class Diagonal>
  void add_up_diagonals(Diagonal const& d) const
  {
    constexpr auto where = "element_operator::diagonal";
    check_vector(where, "d", d);
    check_restriction(where);
    if (auto const twice = restriction_.repeated_node(); twice.element >= 0)
      failf(where,
            "element %lld has node %lld more than once, so that the matrix has more on its diagonal than its elements "
            "have: solve without a preconditioner, or with sumfac::jacobi of what they have: diagonal(v) for an "
            "E-vector v, and restriction::scatter(v, d)",
            static_cast<long long>(twice.element), static_cast<long long>(twice.node));
    if constexpr (runs_on_host<backend>)
      add_up_groups(d.data());
    else
      add_up_elements(d);
    restriction_.storage().set_constrained(d.data(), static_cast<scalar>(restriction_.options().rows.value));
  }

  void add_up_groups(scalar* d) const
  {
    using vectors = typename Operator::global_vectors;
    scalar const* const no_x = nullptr;
    sweep_kernel<vectors>(operator_.backend(), restriction_.storage(), no_x, d, sweep_mode::write, row_action::zero,
                          [&](auto const& to_v) { return operator_.diagonal_from(to_v); });
  }

  template <class Diagonal>
  void add_up_elements(Diagonal const& d) const
  {
    auto diagonals = make_memory<scalar>(operator_.backend(), operator_.elements() * components * nodes_of_element);
    auto const scatter_of = [&](auto const& e_vector) {
      operator_.diagonal(e_vector);
      if constexpr (is_device<backend>) operator_.backend().synchronize();  // the restriction may have another stream
      restriction_.scatter(e_vector, d);
    };
    scatter_of(view<scalar, e_vector_extents<components, n, directions>>(diagonals.data(), operator_.elements()));
  }

  template <class From, class To, class... Hooks>
  void sweep(char const* where, From const& x, To const& y, sweep_mode mode, row_action rows,
             Hooks const&... hooks) const
  {
    if constexpr (check_vectors<From, To>()) {
      using vectors = typename vectors_of_call<Operator, transposes>::type;
      check_vectors_of_call(where, x, y);
      scalar const* const from = x.data();
      sweep_kernel<vectors>(
          restriction_.backend(), restriction_.storage(), from, y.data(), mode, rows,
          [&](auto u_and_v) {
            if constexpr (vectors::gathers) u_and_v.size = footprint_of(operator_.bytes_moved());
            if constexpr (is_given)
              return operator_.kernel_with(fields_, u_and_v);
            else if constexpr (transposes)
              return operator_.transposed_kernel(u_and_v);
            else
              return operator_.kernel_from(u_and_v, 0);
          },
          hooks...);
    }
  }

  template <class From, class To>
  void check_vectors_of_call(char const* where, From const& x, To const& y) const
  {
    check_vector(where, "x", x);
    check_vector(where, "y", y);
    check_distinct(where, x, y, "x", "y");
    check_restriction(where);
    fields_.check_apart(y, "y");
  }

  template <class From, class To>
  static constexpr bool check_vectors()
  {
    constexpr bool views = is_view<From> && is_view<To>;
    constexpr bool entries = is_view_of<From, scalar> && is_writable_view_of<To, scalar>;
    constexpr bool contiguous = is_vector_view<From> && is_vector_view<To>;
    static_assert(views, "sumfac::element_operator: x and y must be sumfac::view");
    static_assert(entries || !views,
                  "sumfac::element_operator: x and y must have entries of the operator's scalar "
                  "type, and y must not be const");
    static_assert(contiguous || !views,
                  "sumfac::element_operator: global vectors must be contiguous: views of rank 1 and layout_right");
    return entries && contiguous;
  }

  template <class From>
  void check_vector(char const* where, char const* what, From const& x) const
  {
    check_extent(where, what, 0, "entries", restriction_.size(), x.extent(0));
    check_data(where, what, x.data(), restriction_.size());
  }

  Operator const& operator_;
  restriction<scalar, backend> const& restriction_;
  std::conditional_t<is_given, Fields const&, Fields> fields_;
};

}  // namespace sumfac::detail
