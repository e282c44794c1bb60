// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// On devices packed E-vectors take a kernel that knows their strides, and others one for any: the same bits.
#include "problems.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/operator/bake_off.hpp>

#include <support/mesh.hpp>
#include <support/random.hpp>

#include <catch2/catch.hpp>

#include <cstddef>
#include <vector>

namespace {

using sumfac::index_t, sumfac::layout_right, sumfac::layout_left, sumfac::layout_stride;

// `checked`, which notes for each launch whether its kernel is one for packed vectors.
struct noting : sumfac::checked {
  static inline std::vector<bool> packed;

  template <class Kernel>
  void launch(Kernel const& kernel, index_t groups) const
  {
    packed.push_back(requires { kernel.exchange.packed_elements; });
    sumfac::checked::launch(kernel, groups);
  }
};

constexpr index_t elements = 5;

template <class Operator>
struct packed_case {
  static constexpr int n = Operator::nodes_1d, components = Operator::components, rank = components == 1 ? 4 : 5;
  static constexpr index_t size = index_t{components} * n * n * n;
  using scalar = typename Operator::scalar_type;
  using shape = sumfac::dextents<rank>;
  template <class Layout>
  using mapping = typename Layout::template mapping<shape>;

  packed_case() : box(mesh::jittered({5, 1, 1}, 0.02)), a(noting(), checks::nodes_view(box)) {}

  static constexpr shape extents()
  {
    if constexpr (components == 1)
      return shape(elements, n, n, n);
    else
      return shape(elements, components, n, n, n);
  }

  // Row order, elements so far from each other.
  static mapping<layout_stride> rows(index_t step)
  {
    if constexpr (components == 1)
      return {extents(), {step, n * n, n, 1}};
    else
      return {extents(), {step, n * n * n, n * n, n, 1}};
  }

  // v = A u in such layouts, by the kernel that is expected; v comes back in row order.
  template <class From, class To>
  std::vector<scalar> apply(From const& from, To const& to, bool packed)
  {
    std::vector<scalar> in(static_cast<std::size_t>(from.required_span_size()), 7),
        out(static_cast<std::size_t>(to.required_span_size()), 7), result;
    auto const entries = support::random<scalar>(static_cast<std::size_t>(elements * size), 3);
    for_all(from, [&](index_t place, std::size_t i) { in[static_cast<std::size_t>(place)] = entries[i]; });
    noting::packed.clear();
    a.apply(sumfac::view<scalar const, shape, typename From::layout_type>(in.data(), from),
            sumfac::view<scalar, shape, typename To::layout_type>(out.data(), to));
    CHECK(noting::packed == std::vector<bool>{packed});
    for_all(to, [&](index_t place, std::size_t) { result.push_back(out[static_cast<std::size_t>(place)]); });
    return result;
  }

  template <class Mapping, class Function>
  static void for_all(Mapping const& at, Function const& f)
  {
    std::size_t i = 0;
    for (index_t e = 0; e < elements; ++e)
      for (int c = 0; c < components; ++c)
        for (int k = 0; k < n; ++k)
          for (int j = 0; j < n; ++j)
            for (int x = 0; x < n; ++x)
              if constexpr (components == 1)
                f(at(e, k, j, x), i++);
              else
                f(at(e, c, k, j, x), i++);
  }

  void agrees()
  {
    mapping<layout_right> const right(extents());
    mapping<layout_left> const left(extents());
    auto const expected = apply(right, right, true);
    CHECK(apply(rows(size), right, true) == expected);
    CHECK(apply(rows(size + 3), rows(size + 1), false) == expected);
    CHECK(apply(right, rows(size + 1), false) == expected);
    CHECK(apply(left, right, false) == expected);
    CHECK(apply(right, left, false) == expected);
    noting::packed.clear();
    CHECK(a.element_matrix(elements - 1).size() == static_cast<std::size_t>(size * size));
    CHECK(noting::packed == std::vector<bool>(static_cast<std::size_t>(size), true));
  }

  mesh::nodes box;
  Operator a;
};

template <sumfac::tuning Tuning>
using in_slices =
    sumfac::element_operator<sumfac::stiffness, 2, noting, sumfac::tuned<Tuning>, float, sumfac::trilinear>;

}  // namespace

TEST_CASE("packed E-vectors: a kernel of their own on checked, and the bits of any other layout")
{
  packed_case<sumfac::bp1<3, noting>>().agrees();
  packed_case<sumfac::bp3<2, noting>>().agrees();
  packed_case<sumfac::bp35<3, noting>>().agrees();
  packed_case<sumfac::bp4<1, noting>>().agrees();
  packed_case<in_slices<sumfac::tuning{.way = sumfac::variant::slices, .elements = 2, .planes = 2}>>().agrees();
}

TEST_CASE("packed E-vectors: what is packed")
{
  using described = sumfac::detail::element_vector<double>;
  described const whole{.elements = 2, .block_stride = 54, .stride_c = 27, .stride_k = 9, .stride_j = 3, .stride_i = 1};
  CHECK(whole.is_packed<2, 3>());
  auto const otherwise = [&](index_t described::*member, index_t value) {
    described x = whole;
    x.*member = value;
    return !x.is_packed<2, 3>();
  };
  CHECK(otherwise(&described::width, 2));
  CHECK(otherwise(&described::block_stride, 55));
  CHECK(otherwise(&described::stride_c, 28));
  CHECK(otherwise(&described::stride_k, 10));
  CHECK(otherwise(&described::stride_j, 4));
  CHECK(otherwise(&described::stride_i, 2));
  CHECK(!whole.is_packed<1, 3>());
  CHECK(!whole.is_packed<2, 4>());
}
