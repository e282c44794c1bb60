// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// u and v in any layout and any mix of layouts, at any address, in cache and out of it: the same result to the last
// bit.
#include "problems.hpp"

#include <sumfac/backend/checked.hpp>
#include <sumfac/math/pack.hpp>

#include <support/few.hpp>

#include <cstring>

namespace {

using sumfac::index_t;

template <int Components>
using shape = sumfac::dextents<Components == 1 ? 4 : 5>;

template <int Components>
shape<Components> shape_of(index_t elements, index_t nodes_1d)
{
  if constexpr (Components == 1)
    return shape<1>(elements, nodes_1d, nodes_1d, nodes_1d);
  else
    return shape<Components>(elements, Components, nodes_1d, nodes_1d, nodes_1d);
}

// An E-vector whose layout nobody needs to know: what is done to all mixes of layouts is compiled once.
template <class Scalar>
class any_vector {
public:
  virtual ~any_vector() = default;

  // To and from row order.
  virtual void assign(std::vector<Scalar> const& rows) = 0;
  virtual std::vector<Scalar> rows() = 0;
  // What lies between the entries, as bytes: nobody may write there. Lanes that fill up the last block may be.
  virtual std::vector<Scalar> gaps() = 0;
};

// The same in a layout, in memory of its own that is NaN where no entry lies.
template <int Components, class Scalar, class Layout>
class stored_vector final : public any_vector<Scalar> {
  using extents = shape<Components>;
  using mapping = typename Layout::template mapping<extents>;

public:
  // `offset` scalars behind an allocation's start.
  stored_vector(mapping const& map, std::size_t offset)
      : map_(map),
        offset_(offset),
        memory_(offset + static_cast<std::size_t>(map.required_span_size()) + 1,
                std::numeric_limits<Scalar>::quiet_NaN())
  {
  }

  auto view() { return sumfac::view<Scalar, extents, Layout>(memory_.data() + offset_, map_); }
  auto const_view() const { return sumfac::view<Scalar const, extents, Layout>(memory_.data() + offset_, map_); }

  void assign(std::vector<Scalar> const& rows) override
  {
    std::size_t next = 0;
    for_each([&](Scalar& x) { x = rows[next++]; });
  }
  std::vector<Scalar> rows() override
  {
    std::vector<Scalar> result;
    for_each([&](Scalar& x) { result.push_back(x); });
    return result;
  }

  std::vector<Scalar> gaps() override
  {
    auto copy = memory_;
    std::swap(copy, memory_);
    for_each([](Scalar& x) { x = 0; });
    std::swap(copy, memory_);
    if constexpr (!mapping::is_always_strided()) return {copy.front(), copy.back()};
    return copy;
  }

private:
  template <class Function>
  void for_each(Function const& f)
  {
    auto const v = view();
    for (index_t e = 0; e < v.extent(0); ++e)
      for (index_t r = 0; r < v.size() / v.extent(0); ++r) {
        index_t const n = v.extent(v.rank() - 1), i = r % n, j = r / n % n, k = r / (n * n) % n;
        if constexpr (Components == 1)
          f(v(e, k, j, i));
        else
          f(v(e, r / (n * n * n), k, j, i));
      }
  }

  mapping map_;
  std::size_t offset_;
  std::vector<Scalar> memory_;
};

template <class Scalar>
bool same_bytes(std::vector<Scalar> const& a, std::vector<Scalar> const& b)
{
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(Scalar)) == 0);
}

// v is what it should be, and what lies between its entries is what it was.
template <class Scalar>
void check_result(any_vector<Scalar>& v, std::vector<Scalar> const& expected, std::vector<Scalar> const& gaps,
                  char const* u_name, char const* v_name)
{
  INFO("u " << u_name << ", v " << v_name);
  CHECK((v.rows() == expected));
  CHECK(same_bytes(v.gaps(), gaps));
}

// Calls f(name, mapping) for every layout: the standard three, padded and permuted strides, and interleavings.
template <int Components, class Scalar, class Function>
void for_each_layout(index_t elements, index_t n, Function const& f)
{
  auto const extents = shape_of<Components>(elements, n);
  constexpr int w = sumfac::native_width<Scalar>;
  constexpr std::size_t rank = Components == 1 ? 4 : 5;
  using stride = sumfac::layout_stride::mapping<shape<Components>>;
  // Padded rows: i, j, k, (c,) e from fastest to slowest, with holes after every one.
  std::array<index_t, rank> padded{}, permuted{}, spread{};
  index_t step = 1;
  for (std::size_t r = rank; r-- > 0;) {
    padded[r] = step;
    step = step * extents.extent(static_cast<int>(r)) + 1 + static_cast<index_t>(r);
  }
  // Row order with every second place empty.
  step = 2;
  for (std::size_t r = rank; r-- > 0;) {
    spread[r] = step;
    step *= extents.extent(static_cast<int>(r));
  }
  // j fastest, then e, i, k (, c), with holes.
  step = 1;
  for (std::size_t r : {rank - 2, std::size_t{0}, rank - 1, rank - 3, std::size_t{1}}) {
    if (permuted[r] != 0) continue;
    permuted[r] = step;
    step = step * extents.extent(static_cast<int>(r)) + 3;
  }
  f("right", sumfac::layout_right::mapping<shape<Components>>(extents));
  f("permuted strides", stride(extents, permuted));
  f("interleaved<W>", typename sumfac::layout_interleaved<w>::template mapping<shape<Components>>(extents));
  f("interleaved<3>", sumfac::layout_interleaved<3>::mapping<shape<Components>>(extents));
  if constexpr (!support::few) {
    f("left", sumfac::layout_left::mapping<shape<Components>>(extents));
    f("padded strides", stride(extents, padded));
    f("spread strides", stride(extents, spread));
    f("interleaved<1>", sumfac::layout_interleaved<1>::mapping<shape<Components>>(extents));
    f("interleaved<2W>", typename sumfac::layout_interleaved<2 * w>::template mapping<shape<Components>>(extents));
    f("interleaved<32>", sumfac::layout_interleaved<32>::mapping<shape<Components>>(extents));
  }
}

template <int Components, class Operator>
void every_mix(Operator const& a, std::size_t offset)
{
  using scalar = typename Operator::scalar_type;
  constexpr int n = Operator::nodes_1d;
  std::size_t const size = static_cast<std::size_t>(a.elements()) * Components * n * n * n;
  auto const u = support::random<scalar>(size, 3);
  std::vector<scalar> v(size), d(size);
  a.apply(checks::vector_view<Components>(u.data(), a.elements(), n),
          checks::vector_view<Components>(v.data(), a.elements(), n));
  a.diagonal(checks::vector_view<Components>(d.data(), a.elements(), n));
  INFO(a.elements() << " elements, offset " << offset);
  for_each_layout<Components, scalar>(a.elements(), n, [&](char const* u_name, auto const& u_map) {
    stored_vector<Components, scalar, typename std::decay_t<decltype(u_map)>::layout_type> from(u_map, offset);
    from.assign(u);
    auto const around = from.gaps();
    for_each_layout<Components, scalar>(a.elements(), n, [&](char const* v_name, auto const& v_map) {
      stored_vector<Components, scalar, typename std::decay_t<decltype(v_map)>::layout_type> to(v_map, offset);
      auto const gaps = to.gaps();
      a.apply(from.const_view(), to.view());
      check_result(to, v, gaps, u_name, v_name);
    });
    check_result(from, u, around, u_name, "none: u is as it was");
    stored_vector<Components, scalar, typename std::decay_t<decltype(u_map)>::layout_type> diagonal(u_map, offset);
    auto const gaps = diagonal.gaps();
    a.diagonal(diagonal.view());
    check_result(diagonal, d, gaps, "none: the diagonal", u_name);
  });
}

mesh::nodes curved(int elements)
{
  auto const points = reference::gauss_lobatto(3);
  return mesh::sampled(mesh::mapped(mesh::box({6, 2, 2}, points), mesh::smooth{}), elements);
}

}  // namespace

TEMPLATE_TEST_CASE("operator: every mix of layouts gives the same bits", "", float, double)
{
  constexpr int w = sumfac::native_width<TestType>;
  constexpr bool in_float = std::is_same_v<TestType, float>;
  for (int const elements : {1, w - 1, w, 2 * w + 3})
    for (std::size_t const offset : {0U, 1U, 3U}) {
      if (elements <= w && offset != 1) continue;  // the last has full groups and one that is not
      if (support::few && (offset == 0 || elements == w - 1)) continue;
      if constexpr (!support::few || in_float)
        every_mix<1>(sumfac::bp3<2, sumfac::host, TestType>(sumfac::host{}, checks::nodes_view(curved(elements))),
                     offset);
      if constexpr (!support::few)
        every_mix<1>(sumfac::bp35<3, sumfac::host, TestType>(sumfac::host{}, checks::nodes_view(curved(elements))),
                     offset);
      if constexpr (!support::few || !in_float)
        every_mix<3>(sumfac::bp2<1, sumfac::host, TestType>(sumfac::host{}, checks::nodes_view(curved(elements))),
                     offset);
    }
}

TEST_CASE("operator: every mix of layouts gives the same bits on checked")
{
  if constexpr (!support::few)
    every_mix<1>(sumfac::bp3<2, sumfac::checked>(sumfac::checked{}, checks::nodes_view(curved(3))), 1);
  every_mix<3>(sumfac::bp6<1, sumfac::checked>(sumfac::checked{}, checks::nodes_view(curved(2))), 0);
}

TEST_CASE("operator: static extents of E-vectors and of mesh nodes")
{
  auto const mesh = curved(5);
  auto const u = support::random<double>(5 * 27, 3);
  std::vector<double> v(u.size()), w(u.size());
  sumfac::bp3<2> const a(sumfac::host{}, checks::nodes_view(mesh));
  a.apply(checks::vector_view<1>(u.data(), 5, 3), checks::vector_view<1>(v.data(), 5, 3));

  using nodes = sumfac::extents<sumfac::dynamic_extent, 3, 3, 3, 3>;
  sumfac::bp3<2> const b(sumfac::host{}, sumfac::view<double const, nodes>(mesh.data(), 5));
  using vectors = sumfac::extents<5, 3, 3, 3>;
  b.apply(sumfac::view<double const, vectors>(u.data()), sumfac::view<double, vectors>(w.data()));
  CHECK(w == v);
}

// Vectors larger than the caches are written past them. Copies of few elements, so that the result is known. What is
// written beside them is seen here too, without a sanitizer, for which they are too many.
#if !defined(SUMFAC_TESTS_FEW)
TEMPLATE_TEST_CASE("operator: the same bits out of cache, in any layout and at any address", "", float, double)
{
  using operator_type = sumfac::bp35<3, sumfac::host, TestType>;
  constexpr int n = operator_type::nodes_1d, period = 32;
  constexpr std::size_t element = n * n * n;
  auto const points = reference::gauss_lobatto(3);
  auto const few = mesh::sampled(mesh::mapped(mesh::box({6, 3, 2}, points), mesh::smooth{}), period);
  operator_type const small(sumfac::host{}, checks::nodes_view(few));
  auto const u = support::random<TestType>(period * element, 3);
  std::vector<TestType> v(u.size());
  small.apply(checks::vector_view<1>(u.data(), period, n), checks::vector_view<1>(v.data(), period, n));

  // 9 numbers of work per node: a third more than the caches hold, 300 MB at most, and a count that fills no register.
  index_t const bytes = std::min(sumfac::detail::cache_bytes() / 3 * 4, index_t{300} * 1000 * 1000);
  int const elements = static_cast<int>(bytes / index_t{9 * element * sizeof(TestType)}) | 1;
  std::vector<int> repeated;
  for (int e = 0; e < elements; ++e) repeated.push_back(e % period);
  operator_type const large(sumfac::host{}, checks::nodes_view(mesh::selected(few, repeated)));
  if (large.work().bytes() <= sumfac::detail::cache_bytes()) WARN("this machine's caches hold more than the test");
  std::vector<TestType> many, expected;
  for (int e = 0; e < elements; ++e) {
    auto const first = static_cast<std::ptrdiff_t>(static_cast<std::size_t>(e % period) * element);
    many.insert(many.end(), u.begin() + first, u.begin() + first + static_cast<std::ptrdiff_t>(element));
    expected.insert(expected.end(), v.begin() + first, v.begin() + first + static_cast<std::ptrdiff_t>(element));
  }
  auto const check = [&](char const* name, auto const& map, std::size_t offset) {
    stored_vector<1, TestType, typename std::decay_t<decltype(map)>::layout_type> from(map, offset), to(map, offset);
    from.assign(many);
    auto const gaps = to.gaps();
    large.apply(from.const_view(), to.view());
    INFO("offset " << offset << ", " << elements << " elements");
    check_result(to, expected, gaps, name, name);
  };
  auto const extents = shape_of<1>(elements, n);
  constexpr int w = sumfac::native_width<TestType>;
  using interleaved = typename sumfac::layout_interleaved<w>::template mapping<shape<1>>;
  for (std::size_t const offset : {0U, 1U}) {
    check("right", sumfac::layout_right::mapping<shape<1>>(extents), offset);
    check("interleaved<W>", interleaved(extents), offset);
    check("left", sumfac::layout_left::mapping<shape<1>>(extents), offset);
  }
}
#endif
