// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A foreign oracle: Trilinos' Intrepid2 must give what sumfac gives and what the house's own oracle gives.
//
// Built where Intrepid2 is installed whole (Debian: libtrilinos-intrepid2-dev, -kokkos-dev and -sacado-dev).
#include "intrepid/reference_contractions.hpp"

#include <Intrepid2_ArrayTools.hpp>
#include <Kokkos_Core.hpp>
#include <Kokkos_DynRankView.hpp>

namespace {

using namespace contraction;

using device = Kokkos::Device<Kokkos::DefaultHostExecutionSpace, Kokkos::HostSpace>;
using tools = Intrepid2::ArrayTools<device>;
template <class Layout>
using array = Kokkos::DynRankView<double, Layout, device>;

// Layouts of the same meaning here and there.
template <class Layout>
struct theirs;
template <>
struct theirs<sumfac::layout_right> {
  using type = Kokkos::LayoutRight;
};
template <>
struct theirs<sumfac::layout_left> {
  using type = Kokkos::LayoutLeft;
};

template <class Layout>
array<typename theirs<Layout>::type> wrap(stored<double>& x, std::vector<index_t> const& shape)
{
  std::size_t e[5];
  for (std::size_t r = 0; r < 5; ++r)
    e[r] = r < shape.size() ? static_cast<std::size_t>(shape[r]) : KOKKOS_INVALID_INDEX;
  return array<typename theirs<Layout>::type>(x.data(), e[0], e[1], e[2], e[3], e[4]);
}

template <kind Kind, int Contracted, class... Arguments>
void call_theirs(function<Kind, Contracted>, Arguments const&... arguments)
{
  if constexpr (Kind == kind::field_field && Contracted == 1) tools::contractFieldFieldScalar(arguments...);
  if constexpr (Kind == kind::field_field && Contracted == 2) tools::contractFieldFieldVector(arguments...);
  if constexpr (Kind == kind::field_field && Contracted == 3) tools::contractFieldFieldTensor(arguments...);
  if constexpr (Kind == kind::data_field && Contracted == 1) tools::contractDataFieldScalar(arguments...);
  if constexpr (Kind == kind::data_field && Contracted == 2) tools::contractDataFieldVector(arguments...);
  if constexpr (Kind == kind::data_field && Contracted == 3) tools::contractDataFieldTensor(arguments...);
  if constexpr (Kind == kind::data_data && Contracted == 1) tools::contractDataDataScalar(arguments...);
  if constexpr (Kind == kind::data_data && Contracted == 2) tools::contractDataDataVector(arguments...);
  if constexpr (Kind == kind::data_data && Contracted == 3) tools::contractDataDataTensor(arguments...);
}

// Both sides on the same numbers. Integers: then equality holds, whatever the order of the sums.
template <class Layout, class F>
void compare_with_theirs(F f, trial const& t)
{
  extents const n = used(F::is, t.n);
  shapes const s(F::is, n);
  experiment<double, double, double> mine(F::is, t, placed<Layout>, placed<Layout>, placed<Layout>);
  experiment<double, double, double> other(F::is, t, placed<Layout>, placed<Layout>, placed<Layout>);
  F::call(sumfac::host(), mine.out.template view<Layout, F::out_rank>(),
          mine.left.template const_view<Layout, F::left_rank>(),
          mine.right.template const_view<Layout, F::right_rank>(), t.sum_into);
  call_theirs(f, wrap<Layout>(other.out, s.out), wrap<Layout>(other.left, s.left), wrap<Layout>(other.right, s.right),
              t.sum_into);
  INFO(F::is.name() << " " << t.text());
  CHECK(mine.out.rows() == other.out.rows());
  mine.check();
  other.check();
}

}  // namespace

// One case without sections: Kokkos starts once in a process.
TEST_CASE("intrepid: Trilinos' Intrepid2 gives the same sums in all nine functions")
{
  Kokkos::ScopeGuard const kokkos;
  int functions = 0;
  std::uint64_t seed = 0;
  for (extents const& n : {extents{.c = 7, .l = 5, .r = 6, .p = 11, .d1 = 3, .d2 = 2},
                           extents{.c = 33, .l = 1, .r = 3, .p = 8, .d1 = 3, .d2 = 3, .data_p = 1},
                           extents{.c = 1, .l = 16, .r = 16, .p = 27, .d1 = 4, .d2 = 4},
                           extents{.c = 2, .l = 3, .r = 1, .p = 1, .d1 = 1, .d2 = 1}})
    for (bool const sum_into : {false, true})
      for_each_function([&](auto f) {
        trial const t{.n = n, .sum_into = sum_into, .seed = ++seed};
        compare_with_theirs<sumfac::layout_right>(f, t);
        compare_with_theirs<sumfac::layout_left>(f, t);
        ++functions;
      });
  CHECK(functions == 4 * 2 * 9);
}
