// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of an operator read in a device's memory: a form's numbers, geometry, tables of functions, inputs.
#pragma once

#include <sumfac/basis/detail/cell_basis.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/error.hpp>
#include <sumfac/jit/detail/device_code.hpp>
#include <sumfac/jit/detail/device_kernel.hpp>
#include <sumfac/jit/detail/driver.hpp>
#include <sumfac/jit/detail/interface.hpp>
#include <sumfac/jit/form.hpp>
#include <sumfac/jit/options.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace sumfac::SUMFAC_TARGET::jit::detail {

// Mesh nodes row by row: m along each direction, or in all of what is no product of lines; so many of them on an edge,
// at places.
struct mesh_on_host {
  std::vector<double> const& nodes;
  index_t elements;
  int edge, m;
  long double const* places;
};

class device_data {
public:
  // What units are given.
  device_parts const& parts() const { return parts_; }

  // The kernel of an operator's first unit, ready to be launched, after it has set up the geometry.
  //
  // **Errors** argument_error for coefficients that do not fit, geometry_error for elements.
  device_kernel set_up(queue const& on, loaded_code const& code, form const& f, options const& o,
                       mesh_on_host const& mesh)
  {
    constexpr auto here = "jit::device_operator";
    device_kernel made(on, code);
    auto const memory_of = [&on](auto const& numbers) {
      return device_memory(on.of, numbers.data(), numbers.size() * sizeof(numbers[0]));
    };

    // Numbers and tables of the form; tables are copied, each as large as its shape says.
    numbers_ = memory_of(f.numbers());
    std::vector<array> tables = f.tables();
    for (auto& table : tables) {
      std::size_t entries = 1;
      for (int r = 0; r < table.rank; ++r) entries *= static_cast<std::size_t>(table.extents[r]);
      check_equal(here, "extent 0 (elements) of a coefficient", mesh.elements, table.extents[0]);
      of_tables_.emplace_back(on.of, table.data, entries * sizeof(double));
      table.data = of_tables_.back().template as<void>();
    }
    tables_ = memory_of(tables);

    device_memory const coordinates = memory_of(mesh.nodes);
    device_parts parts;
    parts.given.nodes = coordinates.as<double const>();
    parts.given.elements = mesh.elements;
    parts.given.mesh_nodes_1d = mesh.m;
    parts.given.numbers = numbers_.as<double const>();
    parts.given.tables = tables_.as<array const>();
    made.ask(parts);
    device_facts const& facts = made.facts();
    bool const is_tensor = sumfac::detail::is_tensor(o.space);
    char const* const of_points = is_tensor ? "points along an edge of a coefficient" : "points of a coefficient";
    for (auto const& table : tables)
      for (int r = 1; r <= sumfac::detail::axes_of(o.space) && table.rank > 2; ++r)
        check_equal(here, of_points, facts.points_1d, table.extents[r]);

    // Of what is no product of lines the device says where the points are, and makes its tables of the functions there.
    std::vector<double> of_rule;
    device_memory points, functions;
    if (is_tensor) {
      of_rule = rule_table(o, static_cast<int>(facts.points_1d), mesh.m, mesh.places);
    } else {
      int const d = o.space.directions;
      std::vector<double> at(static_cast<std::size_t>(facts.points_1d * (d + 1)));
      points = memory_of(at);
      parts.points = points.as<double>();
      made.ask(parts);
      on.of->to_host(at.data(), points.address(), at.size() * sizeof(double));
      auto const set = [&mesh](int count, long double* to) { std::copy(mesh.places, mesh.places + count, to); };
      of_rule = cell_table({o.space.shape, d, mesh.edge - 1, set}, d, at, true);
      functions = memory_of(cell_table(sumfac::detail::basis_of(o.space), d, at, false));
      cell_tables_ = memory_of(std::vector<char>(static_cast<std::size_t>(facts.cell_table_bytes)));
      parts.functions = functions.as<double const>();
      parts.tables = cell_tables_.as<void>();
    }
    auto const of_elements = facts.kept_nodes_1d > 0 ? raised_nodes(o, mesh.nodes, mesh.elements, mesh.m, mesh.places,
                                                                    static_cast<int>(facts.kept_nodes_1d))
                                                     : terms_of_maps(o, mesh.nodes, mesh.elements, mesh.m, mesh.places);
    device_memory const rule = memory_of(of_rule), maps = memory_of(of_elements);
    index_t const groups = (mesh.elements + facts.lanes - 1) / facts.lanes;
    factors_ = {on.of, static_cast<std::size_t>(groups * facts.group_bytes)};
    kept_ = {on.of, static_cast<std::size_t>(groups * facts.kept_bytes)};
    auto const none = static_cast<unsigned long long>(mesh.elements);
    auto refused = none;
    device_memory const worst(on.of, &refused, sizeof refused);
    parts.rule = rule.as<double const>();
    parts.maps = maps.as<double const>();
    parts.factors = factors_.as<void>();
    parts.kept = kept_.as<void>();
    parts.refused = worst.as<unsigned long long>();
    if (mesh.elements > 0) on.run(made.module().get(), "sumfac_jit_set_up", parts, 1024, 128);
    made.make_parameter(parts);
    on.of->to_host(&refused, worst.address(), sizeof refused);
    if (refused < none)
      sumfac::detail::throw_text<geometry_error>(
          "sumfac::jit::device_operator: element %llu is inverted, flat or not finite (its determinant is not positive "
          "at a point): the mesh cannot be integrated on",
          refused);
    parts_.given = parts.given, parts_.given.nodes = nullptr;
    parts_.factors = parts.factors, parts_.tables = parts.tables, parts_.kept = parts.kept;
    return made;
  }

private:
  device_parts parts_;
  device_memory factors_, numbers_, tables_, cell_tables_, kept_;
  std::vector<device_memory> of_tables_;
};

}  // namespace sumfac::jit::detail
