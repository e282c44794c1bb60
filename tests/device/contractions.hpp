// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The contractions on a device, every strategy and layout, against the tests' oracle; one source for CUDA and HIP.
#pragma once

#include "intrepid/reference.hpp"

#include <sumfac/backend/buffer.hpp>
#include <sumfac/intrepid/contractions.hpp>

#include <cstdio>
#include <exception>
#include <limits>
#include <vector>

namespace device_contractions {

using namespace sumfac;
using reference::contraction_extents;

// A view of memory that the host allocated for a device.
template <class Layout, class T, class... Extents>
auto make_view(T* data, Extents... extents)
{
  using shape = dextents<int{sizeof...(Extents)}>;
  return view<T, shape, Layout>(data,
                                typename Layout::template mapping<shape>(shape(static_cast<index_t>(extents)...)));
}

// Small integers, whose sums are exact in every order, from an array in row order to Layout.
template <class Layout, class... Extents>
std::vector<double> random_integers(unsigned seed, reference::array& rows, Extents... extents)
{
  std::size_t const size = (std::size_t{1} * ... * extents);
  std::vector<double> entries(size), in_order(size);
  for (double& x : in_order) {
    seed = seed * 1664525u + 1013904223u;
    x = static_cast<double>(seed >> 28) - 7;
  }
  rows.assign(in_order.begin(), in_order.end());
  auto const to = make_view<Layout>(entries.data(), extents...);
  auto const from = make_view<layout_right>(in_order.data(), extents...);
  for (index_t c = 0; c < from.extent(0); ++c)
    for (index_t l = 0; l < from.extent(1); ++l)
      for (index_t k = 0; k < from.extent(2); ++k) to(c, l, k) = from(c, l, k);
  return entries;
}

// What one program counts.
class report {
public:
  void expect(bool holds, char const* function, char const* strategy, char const* layout)
  {
    std::printf("%s  %s, %s, %s\n", holds ? "ok    " : "FAILED", function, strategy, layout);
    failures_ += holds ? 0 : 1;
  }
  int failures() const { return failures_; }

private:
  int failures_ = 0;
};

// Arrays of one shape on the device: the scalar functions of the three kinds, to which the others fold.
template <class Backend, class Layout>
class arrays {
public:
  arrays(Backend const& backend, contraction_extents const& n, char const* layout)
      : backend_(backend), n_(n), layout_(layout)
  {
    upload(random_integers<Layout>(1, left_rows_, n.c, n.l, n.p), left_);
    upload(random_integers<Layout>(2, right_rows_, n.c, n.r, n.p), right_);
    reference::array data(left_rows_.begin(), left_rows_.begin() + static_cast<std::ptrdiff_t>(n.c * n.p));
    data_rows_ = data;
    std::vector<double> entries(n.c * n.p);
    auto const to = make_view<Layout>(entries.data(), n.c, n.p);
    for (std::size_t c = 0; c < n.c; ++c)
      for (std::size_t p = 0; p < n.p; ++p)
        to(static_cast<index_t>(c), static_cast<index_t>(p)) = static_cast<double>(data[c * n.p + p]);
    upload(entries, data_);
  }

  template <class Strategy>
  void check(report& r, char const* name, Strategy strategy)
  {
    auto const& n = n_;
    auto const left = make_view<Layout>(static_cast<double const*>(left_.data()), n.c, n.l, n.p);
    auto const right = make_view<Layout>(static_cast<double const*>(right_.data()), n.c, n.r, n.p);
    auto const data = make_view<Layout>(static_cast<double const*>(data_.data()), n.c, n.p);
    for (bool const add : {false, true}) {
      compare(r, "contractFieldFieldScalar", name, add, reference::contract_field_field(n, left_rows_, right_rows_),
              [&](double* out) {
                intrepid::contractFieldFieldScalar(backend_, make_view<layout_right>(out, n.c, n.l, n.r), left, right,
                                                   add, strategy);
              });
      compare(r, "contractDataFieldScalar", name, add, reference::contract_data_field(n, data_rows_, right_rows_),
              [&](double* out) {
                intrepid::contractDataFieldScalar(backend_, make_view<layout_right>(out, n.c, n.r), data, right, add,
                                                  strategy);
              });
      compare(r, "contractDataDataScalar", name, add, reference::contract_data_data(n, data_rows_, data_rows_),
              [&](double* out) {
                using line = view<double, dextents<1>>;
                intrepid::contractDataDataScalar(backend_, line(out, dextents<1>(static_cast<index_t>(n.c))), data,
                                                 data, add, strategy);
              });
    }
  }

private:
  void upload(std::vector<double> const& from, buffer<double, Backend>& to)
  {
    to = buffer<double, Backend>(backend_, static_cast<index_t>(from.size()));
    backend_.copy(from.data(), to.data(), to.size());
    backend_.synchronize();
  }

  // The output held NaN, or 1 where it is added to.
  template <class Call>
  void compare(report& r, char const* function, char const* strategy, bool add, reference::array const& expected,
               Call const& call)
  {
    std::vector<double> out(expected.size(), add ? 1 : std::numeric_limits<double>::quiet_NaN());
    buffer<double, Backend> on_device;
    upload(out, on_device);
    call(on_device.data());
    backend_.copy(on_device.data(), out.data(), on_device.size());
    backend_.synchronize();
    bool same = true;
    for (std::size_t i = 0; i < out.size(); ++i) same = same && out[i] == expected[i] + (add ? 1 : 0);
    r.expect(same, function, strategy, layout_);
  }

  Backend backend_;
  contraction_extents n_;
  char const* layout_;
  reference::array left_rows_, right_rows_, data_rows_;
  buffer<double, Backend> left_, right_, data_;
};

template <class Backend, class Layout>
void every_strategy(Backend const& backend, report& r, contraction_extents const& n, char const* layout)
{
  arrays<Backend, Layout> x(backend, n, layout);
  x.check(r, "automatic", intrepid::automatic{});
  x.check(r, "flat", intrepid::flat{});
  x.check(r, "team_reduction of depth 1", intrepid::team_reduction<1, 64>{});
  x.check(r, "team_stride", intrepid::team_stride{});
  x.check(r, "shared_reduction", intrepid::shared_reduction<>{});
  x.check(r, "slicing", intrepid::slicing<>{});
  x.check(r, "slicing, three slices", intrepid::slicing<3, 32>{});
  x.check(r, "tiling", intrepid::tiling<>{});
  x.check(r, "tiling by 5 x 3, 7 deep", intrepid::tiling<5, 3, 7>{});
  x.check(r, "large tiling", intrepid::large_tiling{});
}

// Shapes that fill no last tile, slice or team.
inline std::vector<contraction_extents> const& shapes()
{
  static std::vector<contraction_extents> const all{
      {.c = 9, .l = 5, .r = 7, .p = 11, .d1 = 1, .d2 = 1, .data_p = 11},
      {.c = 40, .l = 16, .r = 16, .p = 8, .d1 = 1, .d2 = 1, .data_p = 8},
      {.c = 3, .l = 33, .r = 65, .p = 130, .d1 = 1, .d2 = 1, .data_p = 130}};
  return all;
}

// The whole program for a backend.
template <class Backend>
int run(std::vector<contraction_extents> const& of_shapes = shapes())
{
  report r;
  try {
    Backend const backend;
    std::printf("%s\n", backend.name().c_str());
    for (contraction_extents const& n : of_shapes) {
      every_strategy<Backend, layout_right>(backend, r, n, "layout_right");
      every_strategy<Backend, layout_left>(backend, r, n, "layout_left");
    }
  } catch (std::exception const& error) {
    std::printf("FAILED %s\n", error.what());
    return 1;
  }
  std::printf("%d failed\n", r.failures());
  return r.failures() == 0 ? 0 : 1;
}

}  // namespace device_contractions
