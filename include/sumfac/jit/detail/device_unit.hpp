// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The inside of an operator for a device that is compiled at run time: its kernel, and how the device sets up that and
// the form's factors. Nothing here is of the host's library.
#pragma once

#include <sumfac/config.hpp>

// Nothing but for compilers of kernels.
#if SUMFAC_HAS_KERNELS

#include <sumfac/backend/gpu/cuda_device.hpp>
#include <sumfac/backend/gpu/hip_device.hpp>
#include <sumfac/backend/loop.hpp>
#include <sumfac/element/kernel/device_kernels.hpp>
#include <sumfac/element/kernel/diagonal.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/jit/detail/interface.hpp>
#include <sumfac/mesh/mapping.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::jit::detail {

// What kernels read of the geometry: factors, numbers of hexahedra, or of quadrilaterals and lines the vertices.
template <class Problem, tuning Tuning, class Policy>
struct unit_reader {
  using type =
      std::conditional_t<Problem::directions == 3, sumfac::detail::map_reader<Policy, Problem, 1, Tuning.elements>,
                         sumfac::detail::node_reader<2, Problem, 1, Tuning.elements>>;
};
template <class Problem, tuning Tuning>
struct unit_reader<Problem, Tuning, stored> {
  using type = sumfac::detail::team_factor_reader<Problem, Tuning.elements, Tuning.reads>;
};

template <class Kernel>
struct itself {
  using type = Kernel;
};
template <class Problem, class Kernel>
struct kernel_of_diagonal {
  using type = decltype(sumfac::detail::make_diagonal_kernel<Problem>(std::declval<Kernel const&>()));
};
template <class Kernel>
struct kernel_of_list {
  using type = sumfac::detail::listed_kernel<Kernel>;
};

// Form::made(given_values) makes the form; Runtime is of the device, as sumfac::detail::cuda_device; Policy is stored,
// affine or trilinear.
template <class Runtime, class Form, space Space, class Points, class Precision, class Policy = stored,
          unit_kind Kind = unit_kind{}>
struct device_unit {
  static constexpr bool stores = std::is_same_v<Policy, stored>;
  using form = decltype(Form::made(given_values{nullptr}));
  static constexpr sumfac::tuning tuned =
      recommended_tuning<Runtime, form, Space, Points, kernel_arithmetic<Precision>, Policy>;
  using problem = sumfac::detail::problem<form, Space, Points, Precision>;
  using choice = sumfac::detail::team_choice<problem, tuned>;
  using reader = typename unit_reader<problem, tuned, Policy>::type;
  template <class Vectors, class Factors>
  using upon = typename choice::template kernel_of<Vectors, Factors>;
  static constexpr bool packs = choice::packs_vectors && !Kind.is_diagonal;
  using element_vectors = std::conditional_t<packs, typename choice::packed_vectors, typename choice::vectors>;
  using vectors = std::conditional_t<Kind.on_global, typename choice::global_vectors, element_vectors>;
  using applies = typename sumfac::detail::kernel_upon<upon, vectors, reader>::type;
  using one_group =
      typename std::conditional_t<Kind.is_diagonal, kernel_of_diagonal<problem, applies>, itself<applies>>::type;
  using kernel = typename std::conditional_t<Kind.is_listed, kernel_of_list<one_group>, itself<one_group>>::type;
  using block = sumfac::detail::block_of<Runtime, kernel>;
  using scalar = typename problem::vector_number;
  static_assert(std::is_trivially_copyable_v<kernel>);

  static constexpr int directions = problem::directions, coordinates = problem::coordinates;
  static constexpr int g = problem::points_1d, points = problem::points_of_element, lanes = tuned.elements;
  static constexpr int numbers_of_group = lanes * (stores ? points : 1) * reader::count;

  // The kernel as it is launched, and what the launch must know of it.
  SUMFAC_DEVICE_FUNCTION static void make(device_parts const& parts)
  {
    applies const of_form{Form::made(given_values{&parts.given}), {vectors_of(parts), reader_of(parts)}};
    kernel const made = listed(of_group(of_form));
    if (parts.kernel != nullptr) std::memcpy(parts.kernel, &made, sizeof made);
    auto const place = [&](auto const& member) SUMFAC_LAMBDA {
      return reinterpret_cast<char const*>(&member) - reinterpret_cast<char const*>(&made);
    };
    device_facts facts{.kernel_bytes = sizeof(kernel),
                       .place_of_u = place(from(made.exchange)),
                       .place_of_v = place(to(made.exchange)),
                       .threads = block::threads,
                       .teams = block::teams,
                       .scratch_bytes = block::scratch_bytes,
                       .lanes = lanes,
                       .group_bytes = numbers_of_group * std::int64_t{sizeof(typename reader::number)},
                       .components = problem::components,
                       .nodes_1d = problem::nodes_1d,
                       .points_1d = g,
                       .bytes = sizeof(scalar),
                       .linear = is_linear<form>};
    if constexpr (Kind.on_global)
      facts.place_of_table = place(made.exchange.table), facts.table_bytes = sizeof made.exchange.table;
    if constexpr (Kind.is_listed) facts.place_of_groups = place(made.groups);
    *parts.facts = facts;
  }

  // The factors at all points, or the numbers of elements, a thread for each point; elements behind the last one repeat
  // it.
  SUMFAC_DEVICE_FUNCTION static void set_up(device_parts const& parts)
  {
    auto const all = (parts.given.elements + lanes - 1) / lanes * lanes * std::int64_t{points};
    auto const step = std::int64_t{gridDim.x} * blockDim.x;
    for (auto i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < all; i += step)
      set_up_point(parts, i / points, static_cast<int>(i % points));
  }

private:
  SUMFAC_DEVICE_FUNCTION static one_group of_group(applies const& of_form)
  {
    if constexpr (Kind.is_diagonal)
      return sumfac::detail::make_diagonal_kernel<problem>(of_form);
    else
      return of_form;
  }
  SUMFAC_DEVICE_FUNCTION static kernel listed(one_group const& of)
  {
    if constexpr (Kind.is_listed)
      return {of, nullptr};
    else
      return of;
  }

  // Where a kernel's pointers to u and v, or to x and y, lie.
  template <class Vectors>
  SUMFAC_DEVICE_FUNCTION static auto const& from(Vectors const& of)
  {
    if constexpr (Kind.on_global)
      return of.x;
    else if constexpr (packs)
      return of.u;
    else
      return of.u.data;
  }
  template <class Vectors>
  SUMFAC_DEVICE_FUNCTION static auto const& to(Vectors const& of)
  {
    if constexpr (Kind.on_global)
      return of.y;
    else if constexpr (packs)
      return of.v;
    else
      return of.v.data;
  }
  // Row by row.
  template <class T>
  SUMFAC_DEVICE_FUNCTION static sumfac::detail::element_vector<T> in_rows(T* data, std::int64_t elements)
  {
    constexpr int n = problem::nodes_1d, along_y = directions >= 2 ? n : 1, along_z = directions >= 3 ? n : 1;
    return {.data = data,
            .elements = elements,
            .block_stride = problem::components * along_z * along_y * n,
            .stride_c = along_z * along_y * n,
            .stride_k = along_y * n,
            .stride_j = n,
            .stride_i = 1};
  }
  SUMFAC_DEVICE_FUNCTION static vectors vectors_of(device_parts const& parts)
  {
    auto const* const u = static_cast<scalar const*>(parts.u);
    auto* const v = static_cast<scalar*>(parts.v);
    if constexpr (Kind.on_global)
      return {{{}, u, v}};  // the launch puts the restriction's table there
    else if constexpr (packs)
      return {{u, v, parts.given.elements}};
    else
      return {{in_rows(u, parts.given.elements), in_rows(v, parts.given.elements)}};
  }

  SUMFAC_DEVICE_FUNCTION static reader reader_of(device_parts const& parts)
  {
    auto const* const numbers = static_cast<typename reader::number const*>(parts.factors);
    if constexpr (stores)
      return {numbers};
    else if constexpr (directions == 3)
      return {numbers, {}, {0, parts.given.elements - 1}};
    else
      return {numbers, {}, {}, {0, parts.given.elements - 1}};
  }

  SUMFAC_DEVICE_FUNCTION static void set_up_point(device_parts const& parts, std::int64_t place, int point)
  {
    std::int64_t const last = parts.given.elements - 1, element = place < last ? place : last;
    int const z = point / (g * problem::points_y), y = point / g % problem::points_y, x = point % g;
    auto const at = map_at(parts, element, last, z, y, x);
    double const det = at.det();
    if (!(det > 0 && det - det == 0)) atomicMin(parts.refused, static_cast<unsigned long long>(element));
    auto* const all = static_cast<typename reader::number*>(parts.factors);
    double numbers[reader::count];
    if constexpr (stores) {
      auto const factors = Form::made(given_values{&parts.given}).setup(at);
      static_assert(sizeof factors == sizeof numbers);
      std::memcpy(numbers, &factors, sizeof numbers);
      auto* const group = all + place / lanes * numbers_of_group;
      for (int i = 0; i < reader::count; ++i)
        group[reader::place(static_cast<int>(place % lanes), kernel::point(z, y, x), i)] =
            static_cast<typename reader::number>(numbers[i]);
    } else if (point == 0) {
      sumfac::detail::trilinear_map<double> given;
      std::memcpy(&given, parts.maps + element * 24, sizeof given);
      auto const map = kept_map(given);
      static_assert(sizeof map == sizeof numbers);
      std::memcpy(numbers, &map, sizeof numbers);
      for (int i = 0; i < reader::count; ++i)
        all[place * reader::count + i] = static_cast<typename reader::number>(numbers[i]);
    }
  }

  // What kernels read of an element with such a map.
  SUMFAC_DEVICE_FUNCTION static auto kept_map(sumfac::detail::trilinear_map<double> const& of)
  {
    if constexpr (directions == 3)
      return reader::lines::template map<double>::of(of);
    else
      return reader::numbers::of(of);
  }

  using map_of_point = mapping<double, directions, coordinates>;

  SUMFAC_DEVICE_FUNCTION static map_of_point map_at(device_parts const& parts, std::int64_t element, std::int64_t last,
                                                    int z, int y, int x)
  {
    int const m = static_cast<int>(parts.given.mesh_nodes_1d);
    int const along_y = directions >= 2 ? m : 1, along_z = directions >= 3 ? m : 1;
    // Of a point on an edge: the values of the mesh nodes' functions, their derivatives, and the weight.
    auto const along = [&](int q) SUMFAC_LAMBDA { return parts.rule + q * (2 * m + 1); };
    double const* const on[] = {along(x), along(y), along(z)};
    typename map_of_point::jacobian_type jacobian{};
    vector<double, coordinates> position{};
    double const* node = parts.given.nodes + element * (along_z * along_y * m * coordinates);
    for (int k = 0; k < along_z; ++k)
      for (int j = 0; j < along_y; ++j)
        for (int i = 0; i < m; ++i, node += coordinates) {
          int const of[] = {i, j, k};
          double value = 1, slopes[directions];
          for (int d = 0; d < directions; ++d) {
            value *= on[d][of[d]];
            slopes[d] = 1;
            for (int c = 0; c < directions; ++c) slopes[d] *= on[c][c == d ? m + of[c] : of[c]];
          }
          for (int r = 0; r < coordinates; ++r) {
            position[r] += value * node[r];
            for (int c = 0; c < directions; ++c) jacobian(r, c) += slopes[c] * node[r];
          }
        }
    double weight = 1;
    for (int d = 0; d < directions; ++d) weight *= on[d][2 * m];
    map_of_point const plain(jacobian, weight, position);
    return {plain.scaled_jacobian(), weight, position, plain.scale(), {element, last, {z, y, x}}};
  }
};

}  // namespace sumfac::jit::detail

#endif
