// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A form with coefficients of every shape, by element and by point, on any backend, against the oracle.
#pragma once

#include "mixed_mesh.hpp"
#include "policies.hpp"

#include <sumfac/backend/buffer.hpp>
#include <sumfac/backend/detail/memory.hpp>
#include <sumfac/operator/element_operator.hpp>

#include <type_traits>

namespace checks {

using sumfac::dynamic_extent;

// Tables: one number an element, two of them, one a point, two of them; entry c of point (z, y, x) of element e.
constexpr int table_shapes = 4;
inline double table_entry(int shape, index_t e, int z, int y, int x, int c)
{
  unsigned const at = shape < 2 ? 0 : static_cast<unsigned>(z * 31 + y * 11 + x * 5);
  unsigned const table = static_cast<unsigned>(shape * 97 + c * 3);
  unsigned const mixed = (static_cast<unsigned>(e) * 2654435761u >> 7) ^ (at + table);
  return 1 + static_cast<double>(mixed % 16) / 16;
}

// The views of Entry in a Layout.
template <class Entry, class Layout, int Points>
struct table_views {
  static constexpr sumfac::index_t all = dynamic_extent;
  sumfac::view<Entry, sumfac::extents<all>, Layout> by_element;
  sumfac::view<Entry, sumfac::extents<all, 2>, Layout> pair;
  sumfac::view<Entry, sumfac::extents<all, Points, Points, Points>, Layout> by_point;
  sumfac::view<Entry, sumfac::dextents<4>, Layout> by_point_again;  // the same with extents known at run time
  sumfac::view<Entry, sumfac::extents<all, Points, Points, Points, 2>, Layout> pairs;
};

// (D grad u, grad v) + (r u, v) with numbers D and r from all tables.
template <class Views>
struct tabulated {
  static constexpr auto trial = sumfac::value | sumfac::gradient, test = sumfac::value | sumfac::gradient;

  template <class T>
  struct factors {
    sumfac::symmetric<T, 3> diffusion;
    T reaction;
  };

  // Diffusion, reaction.
  template <class Point>
  SUMFAC_FUNCTION auto both(Point const& x) const
  {
    auto const p = x.at(tables.pair), q = x.at(tables.pairs);
    auto const k = x.at(tables.by_element) * x.at(tables.by_point);
    return sumfac::vector<std::remove_cvref_t<decltype(k)>, 2>{k + p[0] * q[1],
                                                               x.at(tables.by_point_again) + p[1] * q[0]};
  }

  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T> const& x) const
  {
    auto const c = both(x);
    return {c[0] * x.metric(), c[1] * x.measure()};
  }
  template <class T>
  SUMFAC_FUNCTION sumfac::point_values<T> apply(factors<T> const& f, sumfac::point_values<T> const& u) const
  {
    return {.value = f.reaction * u.value, .gradient = f.diffusion * u.gradient};
  }

  Views tables = {};
};

// The same without factors.
template <class Views>
struct tabulated_at : tabulated<Views> {
  template <class Point, class T>
  SUMFAC_FUNCTION sumfac::point_values<T> apply_at(Point const& x, sumfac::point_values<T> const& u) const
  {
    auto const c = this->both(x);
    return {.value = (c[1] * x.measure()) * u.value, .gradient = c[0] * x.metric_times(u.gradient)};
  }
};

// The integrand of both on element e, with numbers times `factor`.
inline reference::integrand<> tabulated_on(index_t e, int points, real factor = 1)
{
  return [=](reference::point<> const& x, reference::field<> const& u) {
    int const q = x.number % points, r = x.number / points % points, s = x.number / points / points;
    auto const entry = [&](int shape, int c) { return factor * real(table_entry(shape, e, s, r, q, c)); };
    real const diffusion = entry(0, 0) * entry(2, 0) + entry(1, 0) * entry(3, 1);
    real const reaction = entry(2, 0) + entry(1, 1) * entry(3, 0);
    auto v = u;
    v.value[0] *= reaction;
    for (real& g : v.gradient[0]) g *= diffusion;
    return v;
  };
}

// Memory for the tables, where `Backend` reads it, or the host.
template <class Layout, int Points, class Backend, bool OnDevice, class Number = double>
class tables {
  template <index_t... Inner>
  using mapping = typename Layout::template mapping<sumfac::extents<dynamic_extent, Inner...>>;

public:
  using views = table_views<Number const, Layout, Points>;

  tables(Backend const& backend, index_t elements, double factor = 1)
  {
    fill<1>(backend, 0, mapping<>{sumfac::extents<dynamic_extent>(elements)}, factor, elements);
    fill<2>(backend, 1, mapping<2>{sumfac::extents<dynamic_extent, 2>(elements)}, factor, elements);
    using cube = sumfac::extents<dynamic_extent, Points, Points, Points>;
    fill<4>(backend, 2, typename Layout::template mapping<cube>{cube(elements)}, factor, elements);
    using cubes = sumfac::extents<dynamic_extent, Points, Points, Points, 2>;
    fill<5>(backend, 3, typename Layout::template mapping<cubes>{cubes(elements)}, factor, elements);
    elements_ = elements;
  }

  views get() const
  {
    views v;
    v.by_element = decltype(v.by_element)(data(0), elements_);
    v.pair = decltype(v.pair)(data(1), elements_);
    v.by_point = decltype(v.by_point)(data(2), elements_);
    v.by_point_again = v.by_point;
    v.pairs = decltype(v.pairs)(data(3), elements_);
    return v;
  }

private:
  template <int Rank, class Mapping>
  void fill(Backend const& backend, int shape, Mapping const& map, double factor, index_t elements)
  {
    auto& numbers = numbers_[shape];
    numbers.resize(static_cast<std::size_t>(map.required_span_size()), Number(1));
    for (index_t e = 0; e < elements; ++e)
      for (int p = 0; p < (Rank >= 4 ? Points * Points * Points : 1); ++p)
        for (int c = 0; c < (Rank % 3 == 2 ? 2 : 1); ++c) {
          int const z = p / Points / Points, y = p / Points % Points, x = p % Points;
          auto const place = [&] {
            if constexpr (Rank == 1)
              return map(e);
            else if constexpr (Rank == 2)
              return map(e, c);
            else if constexpr (Rank == 4)
              return map(e, z, y, x);
            else
              return map(e, z, y, x, c);
          }();
          numbers[static_cast<std::size_t>(place)] = static_cast<Number>(factor * table_entry(shape, e, z, y, x, c));
        }
    if constexpr (OnDevice) {
      device_[shape] = sumfac::buffer<Number, Backend>(backend, static_cast<index_t>(numbers.size()));
      backend.copy(numbers.data(), device_[shape].data(), static_cast<index_t>(numbers.size()));
      backend.synchronize();
    }
  }

  Number const* data(int shape) const
  {
    if constexpr (OnDevice)
      return device_[shape].data();
    else
      return numbers_[shape].data();
  }

  index_t elements_ = 0;
  std::vector<Number> numbers_[table_shapes];
  struct none {};
  std::conditional_t<OnDevice, sumfac::buffer<Number, std::conditional_t<OnDevice, Backend, sumfac::host>>, none>
      device_[table_shapes];
};

template <class Operator, class Unit = typename Operator::scalar_type>
void compare_tabulated(Operator const& a, mesh::nodes const& mesh, reference::rule const& where,
                       reference::space const& space, real factor = 1)
{
  int const last = mesh.elements - 1;
  observed const o = observe(a, {0, last / 2, last});
  for (int e = 0; e < mesh.elements; ++e) {
    reference::element<> const oracle(space, where, mesh.element(e), tabulated_on(e, Operator::points_1d, factor));
    auto const u = o.part(o.u, e);
    INFO("element " << e << " of " << mesh.elements);
    check_near("A u", distance(o.part(o.v, e), oracle.apply(u)), reference::allowed<Unit>(oracle, u, o.order));
    check_near("the diagonal", distance(o.part(o.d, e), oracle.diagonal()),
               reference::allowed_diagonal<Unit>(oracle, o.order));
    if (auto const found = o.matrices.find(e); found != o.matrices.end()) {
      auto unit = std::vector<real>(o.size());
      for (std::size_t j : {std::size_t{0}, o.size() / 2, o.size() - 1}) {
        unit[j] = 1;
        check_near("a column", distance(column(found->second, o.size(), j), oracle.apply(unit)),
                   reference::allowed<Unit>(oracle, unit, o.order));
        unit[j] = 0;
      }
    }
  }
}

// A mesh that a policy allows, more elements than a register holds and no multiple of them.
template <class Geometry>
mesh::nodes mesh_for(int elements, reference::rule const& where)
{
  char const* const kinds = std::is_same_v<Geometry, sumfac::affine>      ? "a"
                            : std::is_same_v<Geometry, sumfac::trilinear> ? "at"
                                                                          : "aatg";
  return mesh::mixed(mesh::random_kinds(elements, 5, kinds), where);
}

template <class Geometry, class Backend = sumfac::host, class Layout = sumfac::layout_right, class Scalar = double,
          int Order = 2, class Points = sumfac::gauss<Order + 2>>
void tables_agree(int elements = 2 * sumfac::native_width<sumfac::vector_scalar<Scalar>> + 3)
{
  auto const where = reference::gauss_lobatto(3);
  auto const mesh = mesh_for<Geometry>(elements, where);
  constexpr int g = Points::size;
  reference::space const space{reference::gauss_lobatto(Order + 1),
                               g == Order + 1 ? reference::gauss_lobatto(g) : reference::gauss(g)};
  constexpr bool on_device = sumfac::detail::is_device<Backend> && !std::is_same_v<Geometry, sumfac::stored>;
  Backend const backend;
  tables<Layout, g, Backend, on_device> const numbers(backend, mesh.elements);
  using views = typename decltype(numbers)::views;
  using precision = sumfac::kernel_arithmetic<Scalar>;
  {
    sumfac::element_operator<tabulated<views>, Order, Points, Backend, Scalar, Geometry> const a(
        backend, nodes_view(mesh), {numbers.get()});
    compare_tabulated<std::remove_cvref_t<decltype(a)>, precision>(a, mesh, where, space);
    CHECK(a.work().flops > 0);
  }
  sumfac::element_operator<tabulated_at<views>, Order, Points, Backend, Scalar, Geometry> const a(
      backend, nodes_view(mesh), {{numbers.get()}});
  compare_tabulated<std::remove_cvref_t<decltype(a)>, precision>(a, mesh, where, space);
}

}  // namespace checks
