// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Forms that read other functions on the watched device, in every way through an element.
#include "inputs.hpp"
#include "ways.hpp"

namespace {

using namespace checks;

template <class Form, class Way, int Order, class Points, class Policy = sumfac::stored, class Scalar = double>
void agrees()
{
  using subject =
      sumfac::element_operator<Form, Order, Points, sumfac::checked, Scalar, Policy, Way::at(Points::size)>;
  on_elements<Form, Order, Points, sumfac::checked, Scalar, Policy>([](auto, auto const&... all) {
    kept_inputs_agree<subject, sumfac::vector_scalar<Scalar>>(all...);
    inputs_at_call_agree<subject, sumfac::vector_scalar<Scalar>>(all...);
  });
}

}  // namespace

TEST_CASE("inputs: on the watched device, by every way")
{
  using sumfac::gauss, sumfac::gauss_lobatto;
  agrees<conducting, host_planes, 2, gauss<4>>();
  agrees<conducting, wide_cubes, 2, gauss<4>>();
  agrees<conducting, thin_slices, 2, gauss_lobatto<3>>();
  agrees<weighing<1>, wide_cubes, 2, gauss<4>>();
  agrees<weighing<1>, early_cubes, 2, gauss_lobatto<3>>();
  agrees<coupled, early_cubes, 1, gauss<3>>();
  agrees<coupled, all_in_one_slice, 1, gauss<3>>();
  agrees<diffusing<1>, host_planes, 2, gauss_lobatto<3>>();
  agrees<diffusing<1>, thick_slices, 2, gauss<4>>();
}

TEST_CASE("inputs: on the watched device, with recomputed geometry and in single precision")
{
  using sumfac::gauss, sumfac::gauss_lobatto;
  agrees<conducting_at, wide_cubes, 2, gauss<4>, sumfac::trilinear>();
  agrees<conducting_at, thin_slices, 2, gauss<4>, sumfac::isoparametric<3>>();
  agrees<conducting_at, wide_cubes, 2, gauss_lobatto<3>, sumfac::split>();
  agrees<conducting, wide_cubes, 2, gauss<4>, sumfac::stored, sumfac::low_high>();
}
