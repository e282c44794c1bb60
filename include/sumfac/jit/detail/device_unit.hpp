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
#include <sumfac/basis/cells.hpp>
#include <sumfac/basis/detail/placed_nodes.hpp>
#include <sumfac/element/kernel/device_kernels.hpp>
#include <sumfac/element/kernel/diagonal.hpp>
#include <sumfac/element/kernel/keep_kernel.hpp>
#include <sumfac/element/vectors/team_source.hpp>
#include <sumfac/form/detail/point_inputs.hpp>
#include <sumfac/form/form.hpp>
#include <sumfac/form/inputs.hpp>
#include <sumfac/jit/detail/interface.hpp>
#include <sumfac/mesh/mapping.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

namespace sumfac::SUMFAC_TARGET::jit::detail {

// What kernels read of the geometry: factors, or numbers of elements, which are a map's, or nodes: isoparametric ones,
// and of quadrilaterals and lines vertices.
template <class Problem, tuning Tuning, class Policy>
struct geometry_reader {
  static constexpr int kept = sumfac::detail::nodes_per_edge<Policy>;
  using type = std::conditional_t<
      Problem::directions == 3 && !sumfac::detail::is_isoparametric<Policy>,
      sumfac::detail::map_reader<Policy, Problem, 1, Tuning.elements>,
      sumfac::detail::node_reader<kept == 0 ? Problem::nodes_1d : kept, Problem, 1, Tuning.elements>>;
};
// What is by points, in the order of a kernel: factors; or, of problem_of_inputs, inputs.
template <class Problem, tuning Tuning>
struct point_reader {
  using type = sumfac::detail::team_factor_reader<Problem, Tuning.elements, Tuning.reads>;
};
template <class Problem, tuning Tuning>
  requires(!Problem::is_tensor)
struct point_reader<Problem, Tuning> {
  using type = sumfac::detail::element_factor_reader<Problem, Tuning.elements, Tuning.way == variant::matrices>;
};
template <class Problem, tuning Tuning>
struct geometry_reader<Problem, Tuning, stored> : point_reader<Problem, Tuning> {};

// Beside the geometry tables of functions, of what is no product of lines, and inputs.
template <class Problem, class Geometry>
struct reader_beside_tables {
  using type = Geometry;
};
template <class Problem, class Geometry>
  requires(!Problem::is_tensor)
struct reader_beside_tables<Problem, Geometry> {
  using type = sumfac::detail::reader_with_tables<Geometry, typename Problem::number>;
};
template <class Problem, class Reader, class Kept>
struct reader_beside_inputs {
  using type = Reader;
};
template <class Problem, class Reader, class Kept>
  requires(inputs_of<typename Problem::form>::count > 0)
struct reader_beside_inputs<Problem, Reader, Kept> {
  using type = sumfac::detail::reader_with_inputs<Reader, Kept>;
};

// Places and weights of a rule that is no product of lines, (Q, D + 1).
template <class Points, int Directions>
struct cell_points {
  double numbers[Points::size * (Directions + 1)];

  SUMFAC_FUNCTION constexpr cell_points() : numbers{}
  {
    for (unsigned q = 0, i = 0; q < unsigned{Points::size}; ++q) {
      for (unsigned d = 0; d < unsigned{Directions}; ++d) numbers[i++] = static_cast<double>(Points::points[q][d]);
      numbers[i++] = static_cast<double>(Points::weights[q]);
    }
  }
};

// The kernel that keeps input Index of a problem's form, whose vectors are E-vectors or global ones.
template <class Problem, int Index, bool OnGlobal, class Kernel, class Kept>
struct kernel_of_input {
  using numbers = sumfac::detail::input_numbers<double, inputs_of<typename Problem::form>, Problem::directions>;
  static constexpr input description = numbers::list[Index];
  static constexpr space own_space = sumfac::detail::space_of_input(Problem::trial_space, description.order);
  using problem = sumfac::detail::problem<sumfac::detail::evaluation_form<description>, own_space,
                                          typename Problem::points, typename Problem::precision>;
  using scalar = typename problem::vector_number;
  using entries = std::conditional_t<OnGlobal, sumfac::detail::table_entries<scalar, problem::nodes_1d>,
                                     sumfac::detail::strided_entries<scalar>>;
  using type = sumfac::detail::keep_kernel<problem, description, numbers::template first_of<Index>, Kernel, Kept,
                                           sumfac::detail::team_source<entries, problem, 1>, false>;
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
// affine, trilinear or isoparametric.
template <class Runtime, class Form, space Space, class Points, class Precision, class Policy = stored,
          unit_kind Kind = unit_kind{}>
struct device_unit {
  static constexpr bool stores = std::is_same_v<Policy, stored>;
  static constexpr bool is_isoparametric = sumfac::detail::is_isoparametric<Policy>;
  using form = decltype(Form::made(given_values{nullptr}));
  using inputs = inputs_of<form>;
  static constexpr sumfac::tuning tuned =
      recommended_tuning<Runtime, form, Space, Points, kernel_arithmetic<Precision>, Policy>;
  using problem = sumfac::detail::problem<form, Space, Points, Precision>;
  using choice = sumfac::detail::team_choice<problem, tuned>;
  using geometry = typename geometry_reader<problem, tuned, Policy>::type;
  using kept = typename point_reader<sumfac::detail::problem_of_inputs<problem>, tuned>::type;
  using reader_of_points = typename reader_beside_tables<problem, geometry>::type;
  using reader = typename reader_beside_inputs<problem, reader_of_points, kept>::type;
  template <class Vectors, class Factors>
  using upon = typename choice::template kernel_of<Vectors, Factors>;
  static constexpr bool keeps_input = Kind.input >= 0;
  static constexpr bool packs = choice::packs_vectors && !Kind.is_diagonal && !keeps_input;
  using element_vectors = std::conditional_t<packs, typename choice::packed_vectors, typename choice::vectors>;
  using vectors = std::conditional_t<Kind.on_global, typename choice::global_vectors, element_vectors>;
  using applies = typename sumfac::detail::kernel_upon<upon, vectors, reader>::type;
  using keeps = kernel_of_input<problem, Kind.input, Kind.on_global, applies, kept>;
  using one_group = typename std::conditional_t<
      keeps_input, keeps,
      std::conditional_t<Kind.is_diagonal, kernel_of_diagonal<problem, applies>, itself<applies>>>::type;
  using kernel = typename std::conditional_t<Kind.is_listed, kernel_of_list<one_group>, itself<one_group>>::type;
  using block = sumfac::detail::block_of<Runtime, kernel>;
  using scalar = typename problem::vector_number;
  using table_layout = sumfac::detail::table_sizes<problem, sumfac::detail::table_order_of(false, tuned.way)>;
  static_assert(std::is_trivially_copyable_v<kernel>);

  static constexpr int directions = problem::directions, coordinates = problem::coordinates;
  static constexpr int g = problem::points_1d, points = problem::points_of_element, lanes = tuned.elements;
  static constexpr int numbers_of_group = lanes * (stores ? points : 1) * geometry::count;
  static constexpr bool is_tensor = problem::is_tensor;

  // The kernel as it is launched, and what the launch must know of it.
  SUMFAC_DEVICE_FUNCTION static void make(device_parts const& parts)
  {
    kernel const made = listed(of_group(parts));
    if (parts.kernel != nullptr) std::memcpy(parts.kernel, &made, sizeof made);
    if constexpr (!is_tensor && Kind == unit_kind{})
      if (parts.points != nullptr) write_points(parts.points);
    auto const place = [&](auto const& member) SUMFAC_LAMBDA {
      return reinterpret_cast<char const*>(&member) - reinterpret_cast<char const*>(&made);
    };
    auto const& ends = ends_of(made);
    device_facts facts{.kernel_bytes = sizeof(kernel),
                       .place_of_u = place(from(ends)),
                       .place_of_v = place(to(made)),
                       .threads = block::threads,
                       .teams = block::teams,
                       .scratch_bytes = block::scratch_bytes,
                       .lanes = lanes,
                       .group_bytes = numbers_of_group * std::int64_t{sizeof(typename geometry::number)},
                       .components = problem::components,
                       .nodes_1d = problem::nodes_1d,
                       .points_1d = g,
                       .bytes = sizeof(scalar),
                       .linear = is_linear<form>,
                       .inputs = inputs::count};
    if constexpr (is_isoparametric) facts.kept_nodes_1d = geometry::m;
    if constexpr (keeps_input)
      facts.components = keeps::description.components, facts.nodes_1d = keeps::problem::nodes_1d;
    if constexpr (inputs::count > 0)
      facts.kept_bytes = std::int64_t{lanes} * points * kept::count * std::int64_t{sizeof(typename kept::number)};
    if constexpr (!is_tensor)
      facts.cell_table_bytes = (table_layout::size({}) + 4 * points) * std::int64_t{sizeof(typename problem::number)};
    if constexpr (Kind.on_global) facts.place_of_table = place(ends.table), facts.table_bytes = sizeof ends.table;
    if constexpr (Kind.is_listed) facts.place_of_groups = place(made.groups);
    *parts.facts = facts;
  }

  // The factors at all points, or the numbers of elements, a thread for each point; elements behind the last one repeat
  // it. And the tables of functions.
  SUMFAC_DEVICE_FUNCTION static void set_up(device_parts const& parts)
  {
    auto const all = (parts.given.elements + lanes - 1) / lanes * lanes * std::int64_t{points};
    auto const step = std::int64_t{gridDim.x} * blockDim.x;
    auto const own = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (auto i = own; i < all; i += step) set_up_point(parts, i / points, static_cast<int>(i % points));
    if constexpr (!is_tensor)
      for (auto q = own; q < points; q += step) tabulate(parts, static_cast<int>(q));
  }

private:
  SUMFAC_DEVICE_FUNCTION static one_group of_group(device_parts const& parts)
  {
    if constexpr (keeps_input) {
      return input_kernel(parts);
    } else {
      applies const of_form{Form::made(given_values{&parts.given}), {vectors_of(parts), reader_of(parts)}};
      if constexpr (Kind.is_diagonal)
        return sumfac::detail::make_diagonal_kernel<problem>(of_form);
      else
        return of_form;
    }
  }
  SUMFAC_DEVICE_FUNCTION static kernel listed(one_group const& of)
  {
    if constexpr (Kind.is_listed)
      return {of, nullptr};
    else
      return of;
  }
  SUMFAC_DEVICE_FUNCTION static one_group input_kernel(device_parts const& parts)
  {
    using values = sumfac::detail::field_values<typename keeps::problem, keeps::description, 1, false>;
    values of_points{};
    if constexpr (!is_tensor) {
      of_points.table = static_cast<typename problem::number const*>(parts.tables);
      of_points.table += table_layout::first_of_input({}, Kind.input);
    }
    typename keeps::entries entries{};
    if constexpr (!Kind.on_global)
      entries.u = in_rows<typename keeps::problem>(static_cast<scalar const*>(parts.u), parts.given.elements);
    return {{entries}, static_cast<typename kept::number*>(parts.kept), of_points};
  }

  // The part of a kernel that knows where its vectors are.
  SUMFAC_DEVICE_FUNCTION static auto const& ends_of(kernel const& of)
  {
    if constexpr (keeps_input)
      return of.source.access;
    else if constexpr (Kind.is_diagonal && !is_tensor)
      return of.kernel.exchange;
    else
      return of.exchange;
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
  SUMFAC_DEVICE_FUNCTION static auto const& to(kernel const& of)
  {
    if constexpr (keeps_input)
      return of.kept;
    else if constexpr (Kind.on_global)
      return ends_of(of).y;
    else if constexpr (packs)
      return ends_of(of).v;
    else
      return ends_of(of).v.data;
  }
  // Row by row.
  template <class Of, class T>
  SUMFAC_DEVICE_FUNCTION static sumfac::detail::element_vector<T> in_rows(T* data, std::int64_t elements)
  {
    constexpr int n = Of::nodes_1d, along_y = Of::axes >= 2 ? n : 1, along_z = Of::axes >= 3 ? n : 1;
    constexpr int components = Of::components;
    return {.data = data,
            .elements = elements,
            .block_stride = components * along_z * along_y * n,
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
      return {{in_rows<problem>(u, parts.given.elements), in_rows<problem>(v, parts.given.elements)}};
  }

  SUMFAC_DEVICE_FUNCTION static geometry geometry_of(device_parts const& parts)
  {
    auto const* const numbers = static_cast<typename geometry::number const*>(parts.factors);
    if constexpr (stores)
      return geometry{numbers};
    else if constexpr (!is_tensor)
      return {numbers, {places_in(parts)}, {0, parts.given.elements - 1}};
    else if constexpr (directions == 3 && !is_isoparametric)
      return {numbers, {}, {0, parts.given.elements - 1}};
    else
      return {numbers, {}, {}, {0, parts.given.elements - 1}};
  }
  SUMFAC_DEVICE_FUNCTION static reader_of_points points_of(device_parts const& parts)
  {
    auto const* const tables = static_cast<typename problem::number const*>(parts.tables);
    if constexpr (is_tensor)
      return geometry_of(parts);
    else
      return {geometry_of(parts), tables, tables + table_layout::first_of_test({})};
  }
  SUMFAC_DEVICE_FUNCTION static reader reader_of(device_parts const& parts)
  {
    if constexpr (inputs::count > 0)
      return {points_of(parts), kept{static_cast<typename kept::number const*>(parts.kept)}};
    else
      return points_of(parts);
  }

  // Behind the tables the places and weights of points, (Q, 4).
  SUMFAC_DEVICE_FUNCTION static typename problem::number* places_in(device_parts const& parts)
  {
    return static_cast<typename problem::number*>(parts.tables) + table_layout::size({});
  }
  SUMFAC_DEVICE_FUNCTION static void write_points(double* to)
  {
    constexpr cell_points<Points, directions> all{};
    for (int i = 0; i < points * (directions + 1); ++i) to[i] = all.numbers[i];
  }

  // What the tables have of point q.
  SUMFAC_DEVICE_FUNCTION static void tabulate(device_parts const& parts, int q)
  {
    tabulate_side<form::trial>(parts, q, table_layout::order, 0, problem::nodes_1d);
    if constexpr (!table_layout::is_one)
      tabulate_side<form::test>(parts, q, table_layout::test_order, table_layout::first_of_test({}), problem::nodes_1d);
    tabulate_inputs(parts, q, inputs{});
    for (int d = 0; d < 4; ++d) {
      double const* const of_point = parts.points + q * (directions + 1);
      places_in(parts)[4 * q + d] = static_cast<typename problem::number>(d == 3           ? of_point[directions]
                                                                          : d < directions ? of_point[d]
                                                                                           : 0);
    }
  }
  template <input... Inputs>
  SUMFAC_DEVICE_FUNCTION static void tabulate_inputs([[maybe_unused]] device_parts const& parts, [[maybe_unused]] int q,
                                                     reads<Inputs...>)
  {
    [[maybe_unused]] int index = 0;
    (tabulate_side<Inputs.evaluates>(parts, q, table_layout::input_order, table_layout::first_of_input({}, index++),
                                     problem::nodes_1d),
     ...);
    static_assert(
        ((Inputs.order == 0 || Inputs.order == Space.degree) && ...),
        "sumfac::jit: on triangles, tetrahedra and prisms a device's inputs are of the operator's degree: compile an "
        "operator of others ahead");
  }
  template <evaluation Asked>
  SUMFAC_DEVICE_FUNCTION static void tabulate_side(device_parts const& parts, int q, sumfac::detail::table_order order,
                                                   std::int64_t first, int functions)
  {
    auto* const table = static_cast<typename problem::number*>(parts.tables) + first;
    constexpr int skipped = has(Asked, value) ? 0 : 1, fields = sumfac::detail::fields_of(Asked, directions);
    for (int p = 0; p < functions; ++p)
      for (int f = 0; f < fields; ++f)
        table[sumfac::detail::place_in_table(order, {points, fields, functions}, q, f, p)] =
            static_cast<typename problem::number>(
                parts.functions[(std::int64_t{q} * functions + p) * (1 + directions) + skipped + f]);
  }

  SUMFAC_DEVICE_FUNCTION static void set_up_point(device_parts const& parts, std::int64_t place, int point)
  {
    std::int64_t const last = parts.given.elements - 1, element = place < last ? place : last;
    int const z = point / (g * problem::points_y), y = point / g % problem::points_y, x = point % g;
    auto const at = map_at(parts, element, last, z, y, x);
    double const det = at.det();
    if (!(det > 0 && det - det == 0)) atomicMin(parts.refused, static_cast<unsigned long long>(element));
    auto* const all = static_cast<typename geometry::number*>(parts.factors);
    double numbers[geometry::count];
    if constexpr (stores) {
      auto const factors = Form::made(given_values{&parts.given}).setup(at);
      static_assert(sizeof factors == sizeof numbers);
      std::memcpy(numbers, &factors, sizeof numbers);
      auto* const group = all + place / lanes * numbers_of_group;
      for (int i = 0; i < geometry::count; ++i)
        group[geometry::place(static_cast<int>(place % lanes), applies::point(z, y, x), i)] =
            static_cast<typename geometry::number>(numbers[i]);
    } else if (point == 0) {
      auto const map = kept_map(parts.maps, element);
      static_assert(sizeof map == sizeof numbers);
      std::memcpy(numbers, &map, sizeof numbers);
      for (int i = 0; i < geometry::count; ++i)
        all[place * geometry::count + i] = static_cast<typename geometry::number>(numbers[i]);
    }
  }

  // What kernels read of an element, by its map or its nodes.
  SUMFAC_DEVICE_FUNCTION static auto kept_map(double const* maps, std::int64_t element)
  {
    if constexpr (is_isoparametric) {
      constexpr int nodes = geometry::numbers::nodes;
      double const* const relative = maps + element * (nodes + coordinates);
      return geometry::numbers::of(relative, relative + nodes);
    } else {
      sumfac::detail::trilinear_map<double> given;
      std::memcpy(&given, maps + element * 24, sizeof given);
      if constexpr (directions == 3)
        return geometry::lines::template map<double>::of(given);
      else
        return geometry::numbers::of(given);
    }
  }

  using map_of_point = mapping<double, directions, coordinates>;

  SUMFAC_DEVICE_FUNCTION static map_of_point map_at(device_parts const& parts, std::int64_t element, std::int64_t last,
                                                    int z, int y, int x)
  {
    int const m = static_cast<int>(parts.given.mesh_nodes_1d);
    int const along_y = problem::axes >= 2 ? m : 1, along_z = problem::axes >= 3 ? m : 1;
    typename map_of_point::jacobian_type jacobian{};
    vector<double, coordinates> position{};
    double const* const first = parts.given.nodes + element * (along_z * along_y * m * coordinates);
    double const* node = first;
    double weight = 1;
    // The next node, whose function has these; relative to the first, as the functions add up to 1.
    auto const add = [&](double at, double const* slopes) SUMFAC_LAMBDA {
      for (int r = 0; r < coordinates; ++r) {
        double const off = node[r] - first[r];
        position[r] += at * off;
        for (int c = 0; c < directions; ++c) jacobian(r, c) += slopes[c] * off;
      }
      node += coordinates;
    };
    if constexpr (is_tensor) {
      // Of a point on an edge: the values of the mesh nodes' functions, their derivatives, and the weight.
      auto const along = [&](int q) SUMFAC_LAMBDA { return parts.rule + q * (2 * m + 1); };
      double const* const on[] = {along(x), along(y), along(z)};
      for (int k = 0; k < along_z; ++k)
        for (int j = 0; j < along_y; ++j)
          for (int i = 0; i < m; ++i) {
            int const of[] = {i, j, k};
            double at = 1, slopes[directions];
            for (int d = 0; d < directions; ++d) {
              at *= on[d][of[d]];
              slopes[d] = 1;
              for (int c = 0; c < directions; ++c) slopes[d] *= on[c][c == d ? m + of[c] : of[c]];
            }
            add(at, slopes);
          }
      for (int d = 0; d < directions; ++d) weight *= on[d][2 * m];
    } else {
      double const* const here = parts.rule + std::int64_t{x} * (m * (1 + directions) + 1);
      for (int i = 0; i < m; ++i) add(here[i * (1 + directions)], here + i * (1 + directions) + 1);
      weight = here[m * (1 + directions)];
    }
    for (int r = 0; r < coordinates; ++r) position[r] += first[r];
    map_of_point const plain(jacobian, weight, position);
    return {plain.scaled_jacobian(), weight, position, plain.scale(), {element, last, {z, y, x}}};
  }
};

}  // namespace sumfac::jit::detail

#endif
