// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Code for a device: compiled at run time, or taken from the folder of what was; and the tables of a rule that it sets
// up factors by.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/basis/lagrange.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/config.hpp>
#include <sumfac/jit/detail/cache.hpp>
#include <sumfac/jit/detail/device_compiler.hpp>
#include <sumfac/jit/detail/loaded.hpp>
#include <sumfac/jit/detail/platform.hpp>
#include <sumfac/jit/detail/source.hpp>
#include <sumfac/jit/form.hpp>
#include <sumfac/jit/options.hpp>
#include <sumfac/mesh/maps/element_shapes.hpp>
#include <sumfac/mesh/maps/trilinear_map.hpp>
#include <sumfac/mesh/policy.hpp>
#include <sumfac/view/view.hpp>

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

namespace sumfac::SUMFAC_TARGET::jit::detail {

struct loaded_code {
  std::string binary;
  origin from;
};

// For an architecture, as "sm_90" or "gfx90a"; no GPU is needed.
inline loaded_code device_code(form const& f, options const& o, settings const& how, platform const& of,
                               std::string const& architecture)
{
  stopwatch const all;
  std::string const source = device_source(f, o, of.device), toolkit = of.toolkit(how.toolkit);
  std::string const headers = how.headers.empty() ? own_headers() : how.headers;
  cache const kept(how.cache);
  device_compiler const with(of, toolkit);
  words options{of.architecture + architecture, "-I" + headers};
  for (auto const& folder : how.include) options.push_back("-I" + folder);
  hash key;
  key.add(source).add(joined(options)).add(with.identity()).add(toolkit);
  key.add(std::to_string(interface_version)).add(headers_digest(headers));
  add_header(key, f.header(), how.include);

  double seconds = 0;
  bool found = false;
  std::string const file = kept.entry(
      key.digits() + ".device",
      [&](std::string const& folder) {
        stopwatch const compiling;
        std::string const code = folder + "/operator.device";
        std::ofstream(code, std::ios::binary) << with.compile(source, options);
        seconds = compiling.seconds();
        return code;
      },
      found);
  return {cache::content(file), {found ? origin::place::folder : origin::place::compiled, all.seconds(), seconds}};
}

// Of each point of an edge the values of the mesh nodes' functions, their derivatives, and the weight: (g, 2 m + 1).
inline std::vector<double> rule_table(options const& o, int g, int m, long double const* places)
{
  std::vector<long double> points(static_cast<std::size_t>(g)), weights(points.size());
  if (o.points.code.find("lobatto") != std::string::npos)
    make_gauss_lobatto(g, points.data(), weights.data());
  else
    make_gauss(g, points.data(), weights.data());
  auto const count = static_cast<std::size_t>(m);
  std::vector<long double> of_nodes(count), values(count), slopes(count);
  lagrange_weights(places, m, of_nodes.data());
  std::vector<double> table;
  for (std::size_t q = 0; q < points.size(); ++q) {
    lagrange_derivatives(places, of_nodes.data(), m, points[q], values.data(), slopes.data());
    for (long double const x : values) table.push_back(static_cast<double>(x));
    for (long double const x : slopes) table.push_back(static_cast<double>(x));
    table.push_back(static_cast<double>(weights[q]));
  }
  return table;
}

// The trilinear maps of all elements, (E, 8, 3), where the policy keeps those; else nothing.
//
// **Shapes** nodes (E, m, m, m, 3). **Errors** geometry_error for elements that are farther from the policy's maps than
// the tolerance.
inline std::vector<double> terms_of_maps(options const& o, std::vector<double> const& nodes, index_t elements, int m,
                                         long double const* places)
{
  struct terms {
    std::vector<double> numbers;
    void set(index_t e, index_t, sumfac::detail::trilinear_map<double> const& x)
    {
      for (int b = 0; b < 8; ++b)
        for (int c = 0; c < 3; ++c) numbers[static_cast<std::size_t>(e * 24 + b * 3 + c)] = x.term[b][c];
    }
  };
  bool const is_affine = o.geometry.code() == policy(affine{}).code();
  if (!is_affine && o.geometry.code() != policy(trilinear{}).code()) return {};
  terms made{std::vector<double>(static_cast<std::size_t>(elements * 24))};
  auto const set = [&](int count, long double* to) { std::copy(places, places + count, to); };
  sumfac::detail::element_shapes const shapes(sumfac::view(nodes.data(), elements, m, m, m, 3), set, o.tolerance);
  if (is_affine)
    sumfac::detail::set_shapes<affine>(host(), shapes, made);
  else
    sumfac::detail::set_shapes<trilinear>(host(), shapes, made);
  return made.numbers;
}

}  // namespace sumfac::jit::detail
