// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Which kernel an operator runs, and how its factors are stored, by backend and tuning.
#pragma once

#include <sumfac/element/geometry/cell_tables.hpp>
#include <sumfac/element/geometry/mapped_elements.hpp>
#include <sumfac/element/geometry/split_geometry.hpp>
#include <sumfac/element/geometry/stored_factors.hpp>
#include <sumfac/element/kernel/dense_kernel.hpp>
#include <sumfac/element/kernel/device_kernels.hpp>
#include <sumfac/element/kernel/element_kernel.hpp>
#include <sumfac/element/kernel/kept_inputs.hpp>
#include <sumfac/element/vectors/host_global.hpp>
#include <sumfac/element/vectors/host_vectors.hpp>

#include <cstring>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::detail {

// What is kept of the geometry: the factors as Stored has them, or an element's map, or its nodes, which elements of
// fewer than three directions keep by all policies but `stored`.
template <class Geometry, class Stored, class Problem, class Backend, int Elements>
struct storage_choice {
  static constexpr int kept = nodes_per_edge<Geometry>;
  using type =
      std::conditional_t<Problem::directions == 3 && !is_isoparametric<Geometry>,
                         element_maps<Geometry, Problem, Backend, Elements>,
                         mapped_elements<Geometry, kept == 0 ? Problem::nodes_1d : kept, Problem, Backend, Elements>>;
};
template <class Stored, class Problem, class Backend, int Elements>
struct storage_choice<stored, Stored, Problem, Backend, Elements> {
  using type = Stored;
};
template <class Stored, class Problem, class Backend, int Elements>
struct storage_choice<split, Stored, Problem, Backend, Elements> {
  template <class Geometry>
  using maps = typename storage_choice<Geometry, Stored, Problem, Backend, Elements>::type;
  using type = split_geometry<Problem, Backend, Stored,
                              maps<std::conditional_t<Problem::directions == 3, affine, trilinear>>, maps<trilinear>>;
};

// The reader of a storage of so many elements, as if element `first`, the first of a group, were element 0.
template <class Storage>
typename Storage::reader reader_at(Storage const& storage, index_t first, index_t elements)
{
  if constexpr (keeps_tables<Storage> && !keeps_inputs<Storage>) {
    return storage.beside(reader_at(storage.without_tables(), first, elements));
  } else if constexpr (keeps_inputs<Storage>) {
    auto const of_geometry = reader_at(storage.of_geometry(), first, elements);
    auto const kept = storage.kept_at(first);
    if constexpr (Storage::reader::is_split)
      return {{of_geometry.affine, kept}, {of_geometry.trilinear, kept}, {of_geometry.general, kept}};
    else
      return {of_geometry, kept};
  } else if constexpr (Storage::reader::is_split) {
    return storage.readers_at(first, elements);
  } else {
    typename Storage::reader r{storage.data_at(first)};
    if constexpr (!Storage::reader::reads_factors) r.elements = {first, elements - 1};
    if constexpr (requires { storage.places(); }) r.places = storage.places();
    if constexpr (requires { r.sizes; }) r.sizes = storage.sizes();
    return r;
  }
}

// The kernel of a form upon vectors and what is read of the geometry.
template <class Kernel, class Form, class Vectors, class Factors>
Kernel make_kernel(Form const& form, Vectors const& vectors, Factors const& f)
{
  if constexpr (Factors::is_split) {
    return {{form, {vectors, f.affine}},
            {form, {vectors, f.trilinear}},
            {form, {vectors, f.general}},
            f.general.group_places};
  } else {
    return {form, {vectors, f}};
  }
}

// A diagnostic in which every compiler prints both numbers, as they are this template's arguments.
template <int Bytes, int Available>
struct scratch_demand {
  static_assert(Bytes <= Available,
                "sumfac::tuning: a team needs more bytes of scratch than a block has: take fewer elements, fewer "
                "planes or points_ahead, or variant::slices");
  static constexpr bool fits = true;
};

// `storage` of the factors, `vectors` that E-vectors are, and the kernel for these or others.
//
// A device's kernels read factors of a whole team at once, and u and v as the layouts have them.
template <class Problem, class Backend, tuning Tuning, class Geometry = stored>
struct kernel_choice : team_choice<Problem, Tuning> {
  static_assert(!runs_on_host<Backend>,
                "sumfac::tuning: the host runs variant::planes alone: cubes and slices are for devices and `checked`");
  static_assert(Tuning.way != variant::planes,
                "sumfac::tuning: a device has no variant::planes, whose tables are constants of the host's program: "
                "take "
                "variant::cubes or variant::slices");
  static_assert(Tuning.elements >= 1, "sumfac::tuning: a team has at least 1 element");
  static_assert(Tuning.padding >= 0 && Tuning.resident_teams >= 1,
                "sumfac::tuning: padding is at least 0, resident_teams at least 1");
  static constexpr int points_1d = Problem::points_1d;
  static_assert((Tuning.way == variant::rows) == (Problem::directions < 3),
                "sumfac::tuning: variant::rows is for quadrilaterals and lines, whose only one on devices it is: "
                "hexahedra "
                "have variant::cubes and variant::slices");
  static_assert(Tuning.elements * points_1d * points_1d <= 1024 || Tuning.way == variant::rows,
                "sumfac::tuning: a team has more threads than a block, 1024: elements * points_1d^2 are needed");
  static_assert(Tuning.elements * points_1d <= 1024,
                "sumfac::tuning: a team has more threads than a block, 1024: elements * points_1d are needed");
  static_assert(Tuning.way != variant::slices || (Tuning.planes >= 1 && Tuning.planes <= points_1d),
                "sumfac::tuning: planes of a slice are at least 1 and at most points_1d");
  static_assert(Tuning.planes == 0 || Tuning.way == variant::slices,
                "sumfac::tuning: planes is of variant::slices alone: leave it out of other ways' tunings");
  static_assert(Tuning.points_ahead == 0 || Tuning.way == variant::cubes,
                "sumfac::tuning: points_ahead is of variant::cubes alone: leave it out of other ways' tunings");
  static_assert(Tuning.patch % Tuning.elements == 0 && (Tuning.patch == 0 || Problem::has_one_side),
                "sumfac::tuning: a patch has a multiple of `elements`, of one space");
  static_assert(Tuning.patch * Problem::nodes_1d * Problem::nodes_1d * Problem::nodes_1d < (1 << 16),
                "sumfac::tuning: a patch has fewer than 65536 nodes of elements");
  static_assert(Tuning.way != variant::warps ||
                    (points_1d == warp_line && Problem::has_one_side && Problem::components == 1 &&
                     Problem::has_slopes && Problem::has_fluxes && !Problem::collocated),
                "sumfac::tuning: variant::warps is for forms of one component with gradients of trial and test "
                "functions, from nodes to 8 points a direction: take variant::cubes");
  static_assert(Tuning.way != variant::warps || (Tuning.elements == 1 && Tuning.padding == 0 && Tuning.patch == 0 &&
                                                 Tuning.ahead == prefetch::none),
                "sumfac::tuning: of variant::warps only resident_teams and reads can be chosen: leave out the others");
  static_assert(Tuning.ahead != prefetch::scratch || (Tuning.way == variant::cubes && Problem::differentiates &&
                                                      Tuning.points_ahead >= 1 && Tuning.points_ahead <= points_1d),
                "sumfac::tuning: prefetch::scratch is of variant::cubes and forms with derivatives: say points_ahead "
                "from 1 to points_1d with it, or another prefetch");
  static constexpr int scratch_bytes =
      Problem::has_one_side ? team_bytes<typename Problem::form>(Tuning, Problem::nodes_1d, points_1d,
                                                                 int{sizeof(typename Problem::number)},
                                                                 int{sizeof(typename Problem::factor_number)})
                            : 0;
  static_assert(scratch_demand<scratch_bytes, limits_of(architecture_of<Backend>).scratch_bytes>::fits);
  static_assert(Tuning.tables == 1 || (Tuning.way == variant::cubes && (Tuning.tables == 3 || Tuning.tables == 4)),
                "sumfac::tuning: tables is 1, or 3 or 4 of cubes");

  template <class Some>
  using factors_of = team_factor_reader<Some, Tuning.elements, Tuning.reads>;
  using storage =
      typename storage_for<typename storage_choice<Geometry, stored_factors<Problem, Backend, factors_of<Problem>>,
                                                   Problem, Backend, Tuning.elements>::type,
                           Problem, Backend, factors_of<problem_of_inputs<Problem>>>::type;
};

// Plane by plane, one element or one pack of them a team.
template <class Problem, class Backend, tuning Tuning, class Geometry>
  requires(Tuning.way == variant::planes && !is_device<Backend>)
struct kernel_choice<Problem, Backend, Tuning, Geometry> {
  static_assert(Tuning.elements == 1, "sumfac::tuning: variant::planes has 1 element a team, or one pack on the host");

  static constexpr bool on_host = runs_on_host<Backend>;
  static constexpr int width = on_host ? native_width<typename Problem::number> : 1;
  using storage = typename storage_for<
      typename storage_choice<Geometry, stored_factors<Problem, Backend, packed_factor_reader<Problem, width>>, Problem,
                              Backend, 1>::type,
      Problem, Backend, packed_factor_reader<problem_of_inputs<Problem>, width>>::type;
  using on_team = team_choice<Problem, Tuning>;
  using vectors = std::conditional_t<on_host, host_vectors<Problem>, typename on_team::vectors>;
  using global_vectors = std::conditional_t<on_host, host_global_vectors<Problem>, typename on_team::global_vectors>;
  using pair_vectors = std::conditional_t<on_host, host_global_vectors<Problem>, typename on_team::pair_vectors>;
  template <class Vectors, class Factors>
  using kernel_of = element_kernel<Problem, exchange<Vectors, Factors>>;
};

template <bool OnHost, class Problem, int Width, int Elements, bool Once>
using dense_factor_reader =
    std::conditional_t<OnHost, packed_factor_reader<Problem, Width>, element_factor_reader<Problem, Elements, Once>>;

// What is no tensor, some elements a team, or a pack of them on the host.
template <class Problem, class Backend, tuning Tuning, class Geometry>
  requires(is_dense(Tuning.way))
struct kernel_choice<Problem, Backend, Tuning, Geometry> {
  static_assert(!Problem::is_tensor,
                "sumfac::tuning: variant::dense and matrices are for triangles, tetrahedra, prisms and tables");
  static constexpr bool on_host = runs_on_host<Backend>, by_matrices = Tuning.way == variant::matrices;
  static_assert(!by_matrices || !(on_host || Problem::at_run_time),
                "sumfac::tuning: variant::matrices is for devices, `checked` and sizes that the compiler knows: else "
                "there is variant::dense");
  static_assert(!by_matrices || (Tuning.elements % matrix_elements == 0 && Tuning.elements <= 8 * matrix_elements),
                "sumfac::tuning: a team of variant::matrices has 16, 32, ... 128 elements");
  static constexpr int width = on_host ? native_width<typename Problem::number> : 1;
  using on_team = team_choice<Problem, Tuning>;
  using factors = dense_factor_reader<on_host, Problem, width, Tuning.elements, by_matrices>;
  using factors_of_inputs =
      dense_factor_reader<on_host, problem_of_inputs<Problem>, width, Tuning.elements, by_matrices>;
  using storage = typename storage_for<
      storage_with_tables<typename storage_choice<Geometry, stored_factors<Problem, Backend, factors>, Problem, Backend,
                                                  Tuning.elements>::type,
                          Problem, Backend, table_order_of(on_host, Tuning.way)>,
      Problem, Backend, factors_of_inputs>::type;
  using vectors = std::conditional_t<on_host, host_vectors<Problem>, typename on_team::vectors>;
  using global_vectors = std::conditional_t<on_host, host_global_vectors<Problem>, typename on_team::global_vectors>;
  using pair_vectors = std::conditional_t<on_host, host_global_vectors<Problem>, typename on_team::pair_vectors>;
  template <class Vectors, class Factors>
  using kernel_of = std::conditional_t<on_host, dense_kernel<Problem, exchange<Vectors, Factors>>,
                                       typename on_team::template kernel_of<Vectors, Factors>>;
};

// The kernel of a choice upon vectors.
template <class Choice, class Vectors, class Factors = typename Choice::storage::reader>
using kernel_on = typename kernel_upon<Choice::template kernel_of, Vectors, Factors>::type;

// Vectors of a choice where they are packed: a kind of their own, or those of any layout.
template <class Choice>
struct packed_vectors_of {
  static constexpr bool apart = false;
  using type = typename Choice::vectors;
};
template <class Choice>
  requires(Choice::packs_vectors)
struct packed_vectors_of<Choice> {
  static constexpr bool apart = true;
  using type = typename Choice::packed_vectors;
};

// The kernel that an operator launches on packed E-vectors, and on those of any layout, for reports of it.
template <class Problem, class Backend, tuning Tuning, class Geometry = stored>
using kernel_on_packed = kernel_on<kernel_choice<Problem, Backend, Tuning, Geometry>,
                                   typename packed_vectors_of<kernel_choice<Problem, Backend, Tuning, Geometry>>::type>;
template <class Problem, class Backend, tuning Tuning, class Geometry = stored>
using kernel_on_vectors = kernel_on<kernel_choice<Problem, Backend, Tuning, Geometry>,
                                    typename kernel_choice<Problem, Backend, Tuning, Geometry>::vectors>;

// at(e, z, y, x, f) calls f with the form's factors at a point of element e, or with its geometry, in double. The host
// can read what it reads.
template <class Kernel, class Storage, class Backend>
auto geometry_of(Storage const& storage, Backend const& backend)
{
  if constexpr (Storage::reader::is_split) {
    return [affine = geometry_of<Kernel>(storage.affine(), backend),
            trilinear = geometry_of<Kernel>(storage.trilinear(), backend),
            general = geometry_of<Kernel>(storage.general(), backend),
            places = storage.places(backend)](index_t e, int z, int y, int x, auto const& f) {
      group_place const place = places[e / Storage::lanes];
      index_t const among_its_kind = place.place() * Storage::lanes + e % Storage::lanes;
      switch (place.kind()) {
        case geometry_class::affine: return affine(among_its_kind, z, y, x, f);
        case geometry_class::trilinear: return trilinear(among_its_kind, z, y, x, f);
        default: return general(among_its_kind, z, y, x, f);
      }
    };
  } else if constexpr (!Storage::reader::reads_factors) {
    return storage.read(backend);
  } else {
    return [numbers = storage.read(backend)](index_t e, int z, int y, int x, auto const& f) {
      double of_point[Storage::count];
      for (int i = 0; i < Storage::count; ++i) of_point[i] = numbers(e, Kernel::point(z, y, x), i);
      factors_at<typename Kernel::form_type, double, Kernel::directions> factors;
      std::memcpy(&factors, of_point, sizeof factors);
      f(factors);
    };
  }
}

// at(e, z, y, x, f) calls f with what apply_form takes at a point of element e of so many, in double. What a form reads
// itself, it reads as `reads` says.
template <class Kernel, class Storage, class Backend, class Reads>
auto points_of(Storage const& storage, Backend const& backend, index_t elements, Reads reads)
{
  if constexpr (keeps_inputs<Storage>) {
    return [of_geometry = points_of<Kernel>(storage.of_geometry(), backend, elements, std::move(reads)),
            inputs = storage.read_kept(backend)](index_t e, int z, int y, int x, auto const& f) {
      of_geometry(e, z, y, x, [&](auto const& at) {
        using numbers = typename Storage::numbers_at_point;
        f(point_with_inputs<std::remove_cvref_t<decltype(at)>, numbers>{at, inputs(e, Kernel::point(z, y, x))});
      });
    };
  } else {
    return [at = geometry_of<Kernel>(storage, backend), elements, reads = std::move(reads)](index_t e, int z, int y,
                                                                                            int x, auto const& f) {
      at(e, z, y, x, [&](auto const& here) {
        using point = std::remove_cvref_t<decltype(here)>;
        if constexpr (std::is_same_v<point, factors_at<typename Kernel::form_type, double, Kernel::directions>>)
          f(here);
        else
          f(placed_point<double, point, Kernel::directions>({e, elements - 1, {z, y, x}, reads.get()}, here));
      });
    };
  }
}

}  // namespace sumfac::detail
