// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Which kernel an operator runs, and how its factors are stored, by backend and tuning.
#pragma once

#include <sumfac/math/precision.hpp>
#include <sumfac/operator/geometry/device_factors.hpp>
#include <sumfac/operator/geometry/element_maps.hpp>
#include <sumfac/operator/geometry/element_nodes.hpp>
#include <sumfac/operator/geometry/split_geometry.hpp>
#include <sumfac/operator/geometry/stored_factors.hpp>
#include <sumfac/operator/kernel/cube_kernel.hpp>
#include <sumfac/operator/kernel/element_kernel.hpp>
#include <sumfac/operator/kernel/exchange.hpp>
#include <sumfac/operator/kernel/slice_kernel.hpp>
#include <sumfac/operator/tuning.hpp>
#include <sumfac/operator/vectors/direct_vectors.hpp>
#include <sumfac/operator/vectors/host_vectors.hpp>
#include <sumfac/operator/vectors/mixed_vectors.hpp>
#include <sumfac/operator/vectors/team_vectors.hpp>

#include <cstring>
#include <type_traits>

namespace sumfac::inline SUMFAC_TARGET::detail {

// What is kept of the geometry: the factors as Stored has them, or an element's map, or its nodes.
template <class Geometry, class Stored, class Backend, class Form, class Nodes, class Points, class Scalar,
          class Number, int Elements>
struct storage_choice {
  using type = element_maps<Backend, Geometry, Form, Points, Scalar, Number, Elements>;
};
template <class Stored, class Backend, class Form, class Nodes, class Points, class Scalar, class Number,
          int Elements>
struct storage_choice<stored, Stored, Backend, Form, Nodes, Points, Scalar, Number, Elements> {
  using type = Stored;
};
template <int NodesPerEdge, class Stored, class Backend, class Form, class Nodes, class Points, class Scalar,
          class Number, int Elements>
struct storage_choice<isoparametric<NodesPerEdge>, Stored, Backend, Form, Nodes, Points, Scalar, Number, Elements> {
  using type =
      element_nodes<Backend, Form, Points, Scalar, Number, NodesPerEdge == 0 ? Nodes::size : NodesPerEdge, Elements>;
};

template <class Stored, class Backend, class Form, class Nodes, class Points, class Scalar, class Number,
          int Elements>
struct storage_choice<split, Stored, Backend, Form, Nodes, Points, Scalar, Number, Elements> {
  using type = split_geometry<Backend, Form, Points, Stored,
                              element_maps<Backend, affine, Form, Points, Scalar, Number, Elements>,
                              element_maps<Backend, trilinear, Form, Points, Scalar, Number, Elements>>;
};

// The kernel upon factors, or the kernels of a split mesh: Kernel<Vectors, Factors> is one of them.
template <template <class, class> class Kernel, class Vectors, class Factors>
struct kernel_upon {
  using type = Kernel<Vectors, Factors>;
};
template <template <class, class> class Kernel, class Vectors, class Factors>
  requires requires(Factors f) { f.trilinear; }
struct kernel_upon<Kernel, Vectors, Factors> {
  using type = split_kernel<Kernel<Vectors, decltype(Factors::affine)>, Kernel<Vectors, decltype(Factors::trilinear)>,
                            Kernel<Vectors, decltype(Factors::general)>>;
};

template <class Kernel, class Factors, int Points1d, class Form, class Vectors, class Storage>
Kernel make_kernel(Form const& form, Vectors const& vectors, Storage const& storage, index_t first)
{
  if constexpr (requires(Factors f) { f.trilinear; }) {
    Factors const f = storage.template readers_at<Points1d>(first);
    return {{form, {vectors, f.affine}},
            {form, {vectors, f.trilinear}},
            {form, {vectors, f.general}},
            f.general.group_places};
  } else {
    return {form, {vectors, Factors{storage.data_at(first)}}};
  }
}

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
      typename storage_choice<Geometry, device_factors<Backend, Form, number, Points::size, Tuning.elements>, Backend,
                              Form, Nodes, Points, arithmetic, number, Tuning.elements>::type;
  using factors = typename storage::template reader<Points::size>;
  using vectors = team_vectors<Nodes::size, arithmetic, Tuning.elements, vector_scalar<Scalar>>;
  template <class Vectors, class Factors>
  using kernel_of =
      std::conditional_t<Tuning.way == variant::slices,
                         slice_kernel<Form, Nodes, Points, arithmetic, Tuning, exchange<Vectors, Factors>>,
                         cube_kernel<Form, Nodes, Points, arithmetic, Tuning, exchange<Vectors, Factors>>>;
  template <class Vectors>
  using kernel = typename kernel_upon<kernel_of, Vectors, factors>::type;

  template <class Vectors>
  static kernel<Vectors> make_kernel(Form const& form, Vectors const& u_and_v, storage const& s, index_t first)
  {
    return detail::make_kernel<kernel<Vectors>, factors, Points::size>(form, u_and_v, s, first);
  }
};

// Plane by plane, one element or one pack of them a team.
template <class Form, class Nodes, class Points, class Backend, class Scalar, tuning Tuning, class Geometry>
  requires(Tuning.way == variant::planes)
struct kernel_choice<Form, Nodes, Points, Backend, Scalar, Tuning, Geometry> {
  static_assert(Tuning.elements == 1, "sumfac::tuning: variant::planes has 1 element a team, or one pack on the host");

  using arithmetic = kernel_arithmetic<Scalar>;
  using number = factor_scalar<Scalar>;
  using storage = typename storage_choice<Geometry, stored_factors<Backend, Form, arithmetic, number>, Backend, Form,
                                          Nodes, Points, arithmetic, number, 1>::type;
  using factors = typename storage::template reader<Points::size>;
  static constexpr bool mixed = !std::is_same_v<arithmetic, vector_scalar<Scalar>>;
  using vectors = std::conditional_t<
      !std::is_same_v<Backend, host>, direct_vectors<vector_scalar<Scalar>>,
      std::conditional_t<mixed, mixed_vectors<components_of<Form>, Nodes::size, arithmetic, vector_scalar<Scalar>>,
                         host_vectors<components_of<Form>, Nodes::size, arithmetic>>>;
  template <class Vectors, class Factors>
  using kernel_of = element_kernel<Form, Nodes, Points, arithmetic, exchange<Vectors, Factors>>;
  template <class Vectors>
  using kernel = typename kernel_upon<kernel_of, Vectors, factors>::type;

  template <class Vectors>
  static kernel<Vectors> make_kernel(Form const& form, Vectors const& u_and_v, storage const& s, index_t first)
  {
    return detail::make_kernel<kernel<Vectors>, factors, Points::size>(form, u_and_v, s, first);
  }
};

// at(e, z, y, x, f) calls f with what apply_form takes at a point of element e, in double: the form's factors, or the
// point. The host can read what it reads.
template <class Form, class Kernel, class Storage, class Backend>
auto points_of(Storage const& storage, Backend const& backend)
{
  if constexpr (requires { storage.classes(); }) {
    return [affine = points_of<Form, Kernel>(storage.affine(), backend),
            trilinear = points_of<Form, Kernel>(storage.trilinear(), backend),
            general = points_of<Form, Kernel>(storage.general(), backend),
            places = storage.places(backend)](index_t e, int z, int y, int x, auto const& f) {
      group_place const place = places[e / Storage::lanes];
      index_t const among_its_kind = place.place() * Storage::lanes + e % Storage::lanes;
      switch (place.kind()) {
        case geometry_class::affine: return affine(among_its_kind, z, y, x, f);
        case geometry_class::trilinear: return trilinear(among_its_kind, z, y, x, f);
        default: return general(among_its_kind, z, y, x, f);
      }
    };
  } else if constexpr (!requires { Storage::factors_per_point; }) {
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
