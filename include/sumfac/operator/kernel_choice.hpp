// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Which kernel an operator runs, and how its factors are stored, by backend and tuning.
#pragma once

#include <sumfac/math/precision.hpp>
#include <sumfac/operator/cube_kernel.hpp>
#include <sumfac/operator/device_factors.hpp>
#include <sumfac/operator/direct_vectors.hpp>
#include <sumfac/operator/element_kernel.hpp>
#include <sumfac/operator/element_maps.hpp>
#include <sumfac/operator/exchange.hpp>
#include <sumfac/operator/host_vectors.hpp>
#include <sumfac/operator/mixed_vectors.hpp>
#include <sumfac/operator/slice_kernel.hpp>
#include <sumfac/operator/stored_factors.hpp>
#include <sumfac/operator/team_vectors.hpp>
#include <sumfac/operator/tuning.hpp>

#include <cstring>
#include <type_traits>

namespace sumfac::detail {

// `storage` of the factors, `vectors` that E-vectors are, and the kernel for these or others.
//
// A device's kernels read factors of a whole team at once, and u and v as the layouts have them.
template <class Form, class Nodes, class Points, class Backend, class Scalar, tuning Tuning, class Geometry = stored>
struct kernel_choice {
  static_assert(!std::is_same_v<Backend, host>,
                "sumfac::tuning: the host runs variant::planes alone: cubes and slices are for devices and `checked`");
  static_assert(Tuning.elements >= 1, "sumfac::tuning: a team has at least 1 element");
  static_assert(Tuning.padding >= 0 && Tuning.resident_teams >= 1,
                "sumfac::tuning: padding is at least 0, resident_teams at least 1");
  static_assert(Tuning.elements * Points::size * Points::size <= 1024,
                "sumfac::tuning: a team has more threads than a block, 1024: elements * quads_1d^2 are needed");
  static_assert(Tuning.way != variant::slices || (Tuning.planes >= 1 && Tuning.planes <= Points::size),
                "sumfac::tuning: planes of a slice are at least 1 and at most quads_1d");

  using arithmetic = kernel_arithmetic<Scalar>;
  using number = factor_scalar<Scalar>;
  using storage =
      std::conditional_t<std::is_same_v<Geometry, stored>,
                         device_factors<Backend, Form, number, Points::size, Tuning.elements>,
                         element_maps<Backend, Geometry, Form, Points, arithmetic, number, Tuning.elements>>;
  using factors = typename storage::template reader<Points::size>;
  using vectors = team_vectors<Nodes::size, arithmetic, Tuning.elements, vector_scalar<Scalar>>;
  template <class Vectors>
  using kernel = std::conditional_t<Tuning.way == variant::slices,
                                    slice_kernel<Form, Nodes, Points, arithmetic, Tuning, exchange<Vectors, factors>>,
                                    cube_kernel<Form, Nodes, Points, arithmetic, Tuning, exchange<Vectors, factors>>>;
};

// Plane by plane, one element or one pack of them a team.
template <class Form, class Nodes, class Points, class Backend, class Scalar, tuning Tuning, class Geometry>
  requires(Tuning.way == variant::planes)
struct kernel_choice<Form, Nodes, Points, Backend, Scalar, Tuning, Geometry> {
  static_assert(Tuning.elements == 1, "sumfac::tuning: variant::planes has 1 element a team, or one pack on the host");

  using arithmetic = kernel_arithmetic<Scalar>;
  using number = factor_scalar<Scalar>;
  using storage =
      std::conditional_t<std::is_same_v<Geometry, stored>, stored_factors<Backend, Form, arithmetic, number>,
                         element_maps<Backend, Geometry, Form, Points, arithmetic, number>>;
  using factors = typename storage::template reader<Points::size>;
  static constexpr bool mixed = !std::is_same_v<arithmetic, vector_scalar<Scalar>>;
  using vectors = std::conditional_t<
      !std::is_same_v<Backend, host>, direct_vectors<vector_scalar<Scalar>>,
      std::conditional_t<mixed, mixed_vectors<components_of<Form>, Nodes::size, arithmetic, vector_scalar<Scalar>>,
                         host_vectors<components_of<Form>, Nodes::size, arithmetic>>>;
  template <class Vectors>
  using kernel = element_kernel<Form, Nodes, Points, arithmetic, exchange<Vectors, factors>>;
};

// at(e, z, y, x, f) calls f with what apply_form takes at a point of element e, in double: the form's factors, or the
// point. The host can read what it reads.
template <class Form, class Kernel, class Storage, class Backend>
auto points_of(Storage const& storage, Backend const& backend)
{
  if constexpr (requires { typename Storage::lines; }) {
    return storage.read(backend);
  } else {
    return [numbers = storage.read(backend)](index_t e, int z, int y, int x, auto const& f) {
      double of_point[Storage::count];
      for (int i = 0; i < Storage::count; ++i) of_point[i] = numbers(e, Kernel::point(z, y, x), i);
      typename Form::template factors<double> factors;
      std::memcpy(&factors, of_point, sizeof factors);
      f(factors);
    };
  }
}

}  // namespace sumfac::detail
