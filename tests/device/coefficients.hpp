// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Coefficients on a device: stored from the host's memory, else read by its kernels from its own.
// `device_backend` is the backend that the including file names.
#pragma once

#include <operator/coefficients.hpp>

#include <sumfac/form/mass.hpp>

#include <limits>
#include <string>

TEST_CASE("device: coefficients by element and by point, in every policy")
{
  checks::tables_agree<sumfac::stored, device_backend>(7);
  checks::tables_agree<sumfac::affine, device_backend>(7);
  checks::tables_agree<sumfac::trilinear, device_backend, sumfac::layout_left>(7);
  checks::tables_agree<sumfac::isoparametric<3>, device_backend>(7);
  checks::tables_agree<sumfac::split, device_backend, sumfac::layout_interleaved<4>>(7);
}

namespace {

struct by_element : sumfac::mass {
  template <class T>
  SUMFAC_FUNCTION factors<T> setup(sumfac::mapping<T> const& x) const
  {
    return {x.at(k) * x.measure()};
  }
  static void apply_at() = delete;
  sumfac::view<double const, sumfac::extents<sumfac::dynamic_extent>> k;
};

// What an operator says of coefficients that lie at `data`.
template <class Geometry>
std::string said_of(double const* data)
{
  auto const mesh = mesh::box({5, 1, 1});
  by_element form;
  form.k = decltype(form.k)(data, 5);
  try {
    sumfac::element_operator<by_element, 2, sumfac::gauss<4>, device_backend, double, Geometry> const a(
        device_backend{}, checks::nodes_view(mesh), form);
  } catch (sumfac::argument_error const& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("device: coefficients where kernels cannot read them, and such as are no numbers")
{
  device_backend const backend;
  std::vector<double> k{1, 2, 3, 4, 5};
  sumfac::buffer<double, device_backend> there(backend, 5);
  auto const copy = [&] {
    backend.copy(k.data(), there.data(), 5);
    backend.synchronize();
  };
  copy();
  CHECK(said_of<sumfac::stored>(k.data()) == "");
  CHECK(said_of<sumfac::stored>(there.data()) == "");  // copied to where setup runs
  CHECK(said_of<sumfac::affine>(there.data()) == "");
  CHECK(said_of<sumfac::split>(there.data()) == "");
  for (std::string const& said : {said_of<sumfac::affine>(k.data()), said_of<sumfac::split>(k.data())})
    CHECK_THAT(said, Catch::Contains("is in the host's memory, which the device's kernels do not read (address 0x"));
  k[3] = std::numeric_limits<double>::quiet_NaN();
  copy();
  for (std::string const& said :
       {said_of<sumfac::stored>(k.data()), said_of<sumfac::affine>(there.data()), said_of<sumfac::split>(there.data())})
    CHECK_THAT(said, Catch::Contains("not a finite number (element 3 of 5)"));
}

TEST_CASE("device: coefficients anew")
{
  device_backend const backend;
  auto const where = reference::gauss_lobatto(3);
  auto const mesh = checks::mesh_for<sumfac::trilinear>(7, where);
  checks::tables<sumfac::layout_right, 4, device_backend, true> const first(backend, 7), second(backend, 7, 3);
  using form = checks::tabulated<typename decltype(first)::views>;
  sumfac::element_operator<form, 2, sumfac::gauss<4>, device_backend, double, sumfac::trilinear> a(
      backend, checks::nodes_view(mesh), {first.get()});
  a.update({second.get()});
  checks::compare_tabulated(a, mesh, where, reference::on_gauss(2), 3);
  a.update(checks::nodes_view(mesh), {first.get()});
  checks::compare_tabulated(a, mesh, where, reference::on_gauss(2));
  sumfac::element_operator<form, 2, sumfac::gauss<4>, device_backend> b(backend, checks::nodes_view(mesh),
                                                                        {second.get()});
  for (int time = 0; time < 2; ++time) b.update(checks::nodes_view(mesh), {first.get()});
  checks::compare_tabulated(b, mesh, where, reference::on_gauss(2));
}
