// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Lanes behind the last element compute with a copy of it: a form that divides by u divides by no 0 of
// theirs, in the layouts of users and on global vectors; instances/ has that of E-vectors as they are.
#include "problems.hpp"

#include <dofs/global_vectors.hpp>

#include <support/measured.hpp>

#include <sumfac/math/precision.hpp>

#include <cfenv>

namespace {

using sumfac::index_t;

struct divided : support::measured {
  static constexpr auto trial = sumfac::value, test = sumfac::value;
  static constexpr bool linear = false;
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.measure / u.value};
  }
};

constexpr int n = 3, width = sumfac::native_width<double>;

// Applies to `elements` elements in a layout; what is behind them in memory, up to whole groups, is 0.
template <class Layout, class Scalar>
void divides_by_no_zero(index_t elements)
{
  auto const mesh = mesh::box({static_cast<int>(elements), 1, 1});
  sumfac::element_operator<divided, n - 1, sumfac::gauss<n + 1>, sumfac::host, Scalar> const a(
      sumfac::host{}, checks::nodes_view(mesh));
  using number = sumfac::vector_scalar<Scalar>;
  using extents = sumfac::extents<sumfac::dynamic_extent, n, n, n>;
  typename Layout::template mapping<extents> const map{extents(elements)};
  auto const room = static_cast<index_t>(map.required_span_size()) + 16 * n * n * n;
  sumfac::buffer<number> u_data(room), v_data(room);
  for (number& x : u_data) x = 0;
  sumfac::view<number, extents, Layout> const u(u_data.data(), map), v(v_data.data(), map);
  for (index_t e = 0; e < elements; ++e)
    for (index_t i = 0; i < n * n * n; ++i) u(e, i / 9, i / 3 % 3, i % 3) = number(1) + number(i + e) / 64;
  std::feclearexcept(FE_ALL_EXCEPT);
  a.apply(u, v);
  int const raised = std::fetestexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
  INFO(elements << " elements");
  CHECK(raised == 0);
  for (index_t e = 0; e < elements; ++e) CHECK(v(e, 1, 1, 1) > 0);
}

template <class Layout, class Scalar = double>
void divides_by_no_zero()
{
  for (index_t const elements : {1, 2, width - 1, width, width + 1, 2 * width + 3}) {
    if (elements > 0) divides_by_no_zero<Layout, Scalar>(elements);
  }
}

}  // namespace

TEST_CASE("operator: lanes behind the last element divide by no 0, in any layout")
{
  divides_by_no_zero<sumfac::layout_left>();
  divides_by_no_zero<sumfac::layout_interleaved<width>>();
  divides_by_no_zero<sumfac::layout_interleaved<2 * width>>();
  divides_by_no_zero<sumfac::layout_interleaved<sumfac::native_width<float>>, float>();
  divides_by_no_zero<sumfac::layout_interleaved<sumfac::native_width<float>>, sumfac::high_low>();
}

namespace {

// (u / k, v) with another function k.
struct divided_by_input : support::measured {
  static constexpr auto trial = sumfac::value, test = sumfac::value;
  using inputs = sumfac::reads<sumfac::input{}>;
  template <class T>
  sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u,
                                sumfac::point_values<T> const& k) const
  {
    return {.value = f.measure * u.value / k.value};
  }
};

template <class Scalar>
void divides_by_no_zero_input(int elements)
{
  using number = sumfac::vector_scalar<Scalar>;
  mesh::counts const counts{elements, 1, 1};
  auto const mesh = mesh::box(counts);
  sumfac::element_operator<divided_by_input, n - 1, sumfac::gauss<n + 1>, sumfac::host, Scalar> a(
      sumfac::host{}, checks::nodes_view(mesh));
  checks::restricted_mesh const restricted{mesh::numbered(counts, n - 1, 3), 1};
  auto const r = restricted.restriction<number>(sumfac::host{});
  std::vector<number> const k(restricted.size(), 2), of_elements(restricted.local_size(), 2);
  std::vector<number> x(restricted.size(), 1), y(restricted.size());
  auto const e_vector = checks::vector_view<1>(of_elements.data(), elements, n);
  INFO(elements << " elements");
  auto const raises_nothing = [&](auto const& work) {
    std::feclearexcept(FE_ALL_EXCEPT);
    work();
    CHECK(std::fetestexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW) == 0);
    CHECK(y[0] > 0);
  };
  auto const in = checks::global_view(std::as_const(x));
  raises_nothing([&] { a.apply(r, in, checks::global_view(y), sumfac::field(r, checks::global_view(k))); });
  raises_nothing([&] { a.apply(r, in, checks::global_view(y), sumfac::field(e_vector)); });
  a.linearize(r, checks::global_view(k));
  raises_nothing([&] { a.apply(r, in, checks::global_view(y)); });
  a.linearize(e_vector);
  raises_nothing([&] { a.apply(r, in, checks::global_view(y)); });
}

}  // namespace

TEST_CASE("operator: lanes behind the last element have a copy of its inputs")
{
  for (int const elements : {1, width - 1, width + 1, 2 * width + 3}) {
    if (elements < 1) continue;
    divides_by_no_zero_input<sumfac::high_low>(elements);
    divides_by_no_zero_input<float>(elements);
  }
}
