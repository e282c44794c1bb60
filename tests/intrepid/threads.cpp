// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Contractions on the host have the same bits for any number of threads.
#include <sumfac/intrepid/contractions.hpp>

#include <support/random.hpp>

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace {

using sumfac::index_t;

// Numbers of which sums of products are rounded.
std::vector<double> numbers(index_t size, std::uint64_t seed)
{
  auto x = support::random<double>(static_cast<std::size_t>(size), seed);
  for (double& entry : x) entry /= 3;
  return x;
}

// The entries of `size` places that a function of a backend and an output writes, with a number of threads.
template <class Contract>
std::vector<double> entries(int threads, index_t size, Contract const& contract)
{
  std::vector<double> out(static_cast<std::size_t>(size));
  contract(sumfac::host{threads}, out.data());
  return out;
}

template <class Contract>
void same_for_any_number_of_threads(index_t size, Contract const& contract)
{
  auto const one = entries(1, size, contract);
  for (int const threads : {2, 3, 4, 8}) {
    INFO(threads << " threads");
    auto const several = entries(threads, size, contract);
    index_t different = 0;
    for (std::size_t i = 0; i < one.size(); ++i) different += several[i] == one[i] ? 0 : 1;
    CHECK(different == 0);
  }
}

template <class Layout, class T, class... Extents>
auto in_layout(T* data, Extents... extents)
{
  using shape = sumfac::dextents<int{sizeof...(Extents)}>;
  return sumfac::view<T, shape, Layout>(data, typename Layout::template mapping<shape>(shape(extents...)));
}

template <class Layout, class... Strategy>
void field_field(index_t c, index_t l, index_t r, index_t p, Strategy... strategy)
{
  auto const left = numbers(c * l * p, 1), right = numbers(c * r * p, 2);
  INFO("C " << c << ", L " << l << ", R " << r << ", P " << p);
  same_for_any_number_of_threads(c * l * r, [&](sumfac::host const& backend, double* out) {
    sumfac::intrepid::contractFieldFieldScalar(backend, in_layout<Layout>(out, c, l, r),
                                               in_layout<Layout>(left.data(), c, l, p),
                                               in_layout<Layout>(right.data(), c, r, p), false, strategy...);
  });
}

template <class Layout>
void data_field(index_t c, index_t f, index_t p)
{
  using columns = sumfac::layout_left;
  index_t const cells = c + 128;  // the last block of a layout is whole
  auto const data = numbers(cells * p, 1), fields = numbers(cells * f * p, 2);
  INFO("C " << c << ", F " << f << ", P " << p);
  same_for_any_number_of_threads(c * f, [&](sumfac::host const& backend, double* out) {
    sumfac::intrepid::contractDataFieldScalar(backend, in_layout<columns>(out, c, f),
                                              in_layout<columns>(data.data(), c, p),
                                              in_layout<Layout>(fields.data(), c, f, p));
  });
}

}  // namespace

TEST_CASE("intrepid: FieldField has the same bits for any number of threads, also where they share one cell's rows")
{
  using columns = sumfac::layout_left;
  using rows = sumfac::layout_right;
  field_field<columns>(8, 64, 125, 128);
  field_field<columns>(5, 127, 3, 200);
  field_field<columns>(40, 33, 7, 130, sumfac::intrepid::slicing<2>{});
  field_field<columns>(9, 35, 5, 150, sumfac::intrepid::flat{});
  field_field<columns>(70, 5, 9, 70);
  field_field<rows>(9, 35, 13, 300);
  field_field<rows>(33, 5, 3, 600);
}

TEST_CASE("intrepid: DataField has the same bits for any number of threads, whatever blocks its cells lie in")
{
  data_field<sumfac::layout_left>(1000, 5, 9);
  data_field<sumfac::layout_right>(50, 5, 33);
  data_field<sumfac::layout_interleaved<4>>(120, 7, 11);
  data_field<sumfac::layout_interleaved<12>>(24, 5, 100);
  data_field<sumfac::layout_interleaved<12>>(120, 7, 11);
  data_field<sumfac::layout_interleaved<20>>(120, 7, 11);
  data_field<sumfac::layout_interleaved<100>>(230, 3, 11);
  data_field<sumfac::layout_interleaved<6>>(120, 7, 11);
}
