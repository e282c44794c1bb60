// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The contractions of float, double and mixtures: rounding no worse than the tolerance, accumulation in the widest;
// the shapes of the field; NaN and Inf where they belong and nowhere else; any number of threads.
#include "intrepid/reference_contractions.hpp"

namespace {

using namespace contraction;
using sumfac::layout_left, sumfac::layout_right;

sumfac::host const backend;

template <class... Scalars>
using in_rows = types<Scalars..., layout_right, layout_right, layout_right>;
template <class... Scalars>
using in_columns = types<Scalars..., layout_left, layout_left, layout_left>;

// All nine by these scalars: reals, and integers exactly.
template <class Out, class Left, class Right>
void all_nine(std::initializer_list<extents> sizes)
{
  std::uint64_t seed = 100;
  for (extents const& n : sizes)
    for (numbers const which : {numbers::integers, numbers::reals})
      for_each_function([&](auto f) {
        trial t{.n = n, .sum_into = ++seed % 2 == 0, .which = which, .seed = seed};
        compare(f, in_rows<Out, Left, Right>{}, t, backend);
        compare(f, in_columns<Out, Left, Right>{}, t, backend);
      });
}

}  // namespace

TEST_CASE("intrepid: float, double, and float summed in double")
{
  std::initializer_list<extents> const sizes = {
      {.c = 5, .l = 7, .r = 9, .p = 37, .d1 = 3, .d2 = 3},
      {.c = 33, .l = 3, .r = 4, .p = 8, .d1 = 3, .d2 = 2, .data_p = 1},
  };
  all_nine<float, float, float>(sizes);
  all_nine<double, double, double>(sizes);
  all_nine<double, float, float>(sizes);
}

TEST_CASE("intrepid: another mixture computes in the widest of its numbers")
{
  std::initializer_list<extents> const sizes = {{.c = 9, .l = 4, .r = 5, .p = 19, .d1 = 2, .d2 = 3, .data_p = 1},
                                                {.c = 3, .l = 7, .r = 9, .p = 6, .d1 = 1, .d2 = 2}};
  all_nine<float, float, double>(sizes);
}

// The sizes of the clinic report, with fewer cells.
TEST_CASE("intrepid: the shapes of the field")
{
  std::uint64_t seed = 0;
  for (extents const& n :
       {extents{.c = 3, .l = 8, .r = 8, .p = 8, .d1 = 3, .d2 = 3},
        extents{.c = 2, .l = 10, .r = 10, .p = 64, .d1 = 3, .d2 = 3},
        extents{.c = 2, .l = 16, .r = 16, .p = 320, .d1 = 4, .d2 = 4},
        extents{.c = 1, .l = 64, .r = 64, .p = 27, .d1 = 3, .d2 = 1}, extents{.c = 1, .l = 125, .r = 125, .p = 216},
        extents{.c = 1, .l = 125, .r = 125, .p = 8, .d1 = 4, .d2 = 4}})
    for_each_function([&](auto f) {
      trial const t{.n = n, .sum_into = ++seed % 2 == 0, .which = numbers::reals, .seed = seed};
      if (seed % 4 < 2)
        compare(f, in_rows<double, double, double>{}, t, backend);
      else
        compare(f, in_columns<double, double, double>{}, t, backend);
    });
}

TEST_CASE("intrepid: thousands of cells")
{
  for_each_function([&](auto f) {
    trial t{.n = {.c = 3001, .l = 2, .r = 3, .p = 5, .d1 = 2, .d2 = 1}, .seed = 5};
    for (std::size_t const data_p : {0U, 1U})
      for (bool const sum_into : {false, true}) {
        t.n.data_p = data_p, t.sum_into = sum_into;
        compare(f, in_rows<double, double, double>{}, t, backend);
        compare(f, in_columns<double, double, double>{}, t, backend);
      }
  });
}

TEST_CASE("intrepid: a long sum of floats keeps every term")
{
  // 2^24 + 1 is no float: in float accumulation the ones would be lost, in double not.
  std::vector<float> left(5000, 1), right(5000, 1);
  left[0] = 0x1p24f;
  double out = 0;
  sumfac::intrepid::contractDataDataScalar(backend, sumfac::view<double, sumfac::dextents<1>>(&out, 1),
                                           sumfac::view(left.data(), 1, 5000), sumfac::view(right.data(), 1, 5000));
  CHECK(out == 0x1p24 + 4999);
}

// One NaN in a factor: it must reach the outputs of its field and cell, and no other (not by way of lanes, tiles or
// products with zero padding).
TEST_CASE("intrepid: a NaN or Inf in a factor reaches its own outputs only")
{
  auto const spoil = [](auto scalar, auto layout, auto f) {
    using T = decltype(scalar);
    using Layout = decltype(layout);
    using F = decltype(f);
    extents const n = used(F::is, {.c = 13, .l = 5, .r = 6, .p = 7, .d1 = 2, .d2 = 3});
    for (T const bad : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity()})
      for (bool const in_left : {false, true}) {
        trial const t{.n = n, .seed = 9};
        experiment<T, T, T> e(F::is, t, place<Layout>({}), place<Layout>({}), place<Layout>({}));
        e.left.assign(reference::array(e.left.size(), 1)), e.right.assign(reference::array(e.right.size(), 1));
        auto& factor = in_left ? e.left : e.right;
        auto rows = factor.rows();
        std::size_t const fields = factor.size() / n.length() / n.c, cell = 7, field = fields / 2;
        rows[((cell * fields + field) * n.length() + n.length() / 2)] = bad;
        factor.assign(rows);
        F::call(backend, e.out.template view<Layout, F::out_rank>(), e.left.template const_view<Layout, F::left_rank>(),
                e.right.template const_view<Layout, F::right_rank>());
        auto const got = e.out.rows();
        INFO(F::is.name() << (in_left ? " left" : " right") << " has " << bad);
        for (std::size_t c = 0; c < n.c; ++c)
          for (std::size_t l = 0; l < n.l; ++l)
            for (std::size_t r = 0; r < n.r; ++r) {
              bool const spoiled = c == cell && (fields == 1 || (in_left ? l : r) == field);
              reference::real const x = got.at((c * n.l + l) * n.r + r);
              if (std::isfinite(x) == spoiled || (!spoiled && x != static_cast<reference::real>(n.length()))) {
                INFO("at C L R " << c << " " << l << " " << r << ": " << x);
                CHECK(std::isfinite(x) != spoiled);
              }
            }
      }
  };
  for_each_function([&](auto f) { spoil(double(), layout_right(), f), spoil(double(), layout_left(), f); });
  for_each_function([&](auto f) { spoil(float(), layout_right(), f), spoil(float(), layout_left(), f); });
  CHECK(true);
}

TEST_CASE("intrepid: the number of threads changes nothing, to the last bit")
{
  for_each_function([](auto f) {
    using F = decltype(f);
    trial const t{.n = {.c = 101, .l = 5, .r = 6, .p = 7, .d1 = 2, .d2 = 3}, .which = numbers::reals, .seed = 4};
    reference::array one;
    for (int const threads : {1, 2, 3, 7}) {
      experiment<double, double, double> e(F::is, t, {}, {}, {});
      F::call(sumfac::host(threads), e.out.template view<layout_right, F::out_rank>(),
              e.left.template const_view<layout_right, F::left_rank>(),
              e.right.template const_view<layout_right, F::right_rank>());
      e.check();
      if (threads == 1) one = e.out.rows();
      INFO(F::is.name() << " by " << threads << " threads");
      CHECK(e.out.rows() == one);
    }
  });
}
