// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// mdspan as arguments of the contractions: the standard library's where it has one, and a stand-in of the same shape.
#include <sumfac/interop/mdspan.hpp>
#include <sumfac/intrepid/contractions.hpp>
#include "interop/mdspan_stand_in.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <limits>
#include <vector>

namespace {

constexpr int cells = 5, fields = 3, points = 4;

// Fields (C, F, P) in the family's layout times data (C, P) in row order, against plain loops.
template <class Family, class Layout>
void check_layout()
{
  using matrix = typename Family::template extents<int, std::size_t(-1), points>;
  using cube = typename Family::template extents<int, std::size_t(-1), fields, points>;
  using field_mapping = typename Layout::template mapping<cube>;
  std::vector<double> data(cells * points), fields_of(cells * fields * points),
      out(cells * fields, std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = double(i % 7) - 3;
  for (std::size_t i = 0; i < fields_of.size(); ++i) fields_of[i] = double(i % 5) - 2;

  typename Family::template mdspan<double const, matrix, typename Family::layout_right> const d(data.data(),
                                                                                                matrix(cells, points));
  typename Family::template mdspan<double const, cube, Layout> const f(fields_of.data(),
                                                                       field_mapping(cube(cells, fields, points)));
  using result = typename Family::template extents<int, std::size_t(-1), std::size_t(-1)>;
  typename Family::template mdspan<double, result, typename Family::layout_right> const o(out.data(),
                                                                                          result(cells, fields));
  sumfac::intrepid::contractDataFieldScalar(sumfac::host(), sumfac::view_of<Family>(o), sumfac::view_of<Family>(d),
                                            sumfac::view_of<Family>(f));
  for (int c = 0; c < cells; ++c)
    for (int i = 0; i < fields; ++i) {
      double sum = 0;
      for (int p = 0; p < points; ++p)
        sum += data[std::size_t(c * points + p)] * fields_of[std::size_t(f.mapping()(c, i, p))];
      CHECK(out[std::size_t(c * fields + i)] == sum);
    }
}

template <class Family>
void check_family()
{
  check_layout<Family, typename Family::layout_right>();
  check_layout<Family, typename Family::layout_left>();
}

}  // namespace

TEST_CASE("an mdspan of the standard's shape is contracted where it lies", "[interop]")
{
  check_family<stand_in::family>();
}

TEST_CASE("a std::mdspan is contracted where it lies", "[interop]")
{
#if defined(__cpp_lib_mdspan)
  check_family<sumfac::std_mdspan>();
#else
  WARN("skipped: this standard library has no std::mdspan");
#endif
}
