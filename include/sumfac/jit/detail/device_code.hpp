// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Code for a device: compiled at run time, or taken from the folder of what was; and the tables of a rule that it sets
// up factors by.
#pragma once

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

}  // namespace sumfac::jit::detail
