// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Code for a device: compiled at run time by NVRTC or hipRTC, opened where they are, with no GPU; or taken from the
// folder of what was; and the tables of a rule that it sets up factors by.
#pragma once

#include <sumfac/backend/host.hpp>
#include <sumfac/basis/detail/cell_basis.hpp>
#include <sumfac/basis/lagrange.hpp>
#include <sumfac/basis/quadrature.hpp>
#include <sumfac/basis/space.hpp>
#include <sumfac/config.hpp>
#include <sumfac/element/geometry/mapped_elements.hpp>
#include <sumfac/jit/detail/cache.hpp>
#include <sumfac/jit/detail/compiler.hpp>
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
#include <type_traits>
#include <vector>

namespace sumfac::SUMFAC_TARGET::jit::detail {

// toolkit: a folder, or empty for the usual one.
class device_compiler {
public:
  explicit device_compiler(platform const& of, std::string const& toolkit = {})
      : of_(of), toolkit_(of.toolkit(toolkit)), library_(in_toolkit(of.compiler_files, toolkit_))
  {
  }

  bool is_there() const { return library_.is_there(); }
  // Its version, and its file, whose name may say more of that.
  std::string identity() const
  {
    demand();
    int major = 0, minor = 0;
    call("Version", &major, &minor);
    return std::string(of_.compiler) + " " + std::to_string(major) + "." + std::to_string(minor) + " " +
           library_.file_of((of_.prefix + std::string("Version")).c_str());
  }

  std::string compile(std::string const& source, words const& given) const
  {
    demand();
    words options = given, kept;
    options.insert(options.end(), of_.options.begin(), of_.options.end());
    for (auto const& folder : of_.include) options.push_back("-I" + toolkit_ + folder);
    std::vector<char const*> names, texts, of_options;
    for (auto const& name : of_.headers) kept.push_back(of_.before_header + name + of_.after_header);
    for (auto const& name : of_.headers) names.push_back(name.c_str());
    for (auto const& text : kept) texts.push_back(text.c_str());
    for (auto const& option : options) of_options.push_back(option.c_str());

    program made(*this, of_.first_lines + source, texts, names);
    auto const result =
        result_of("CompileProgram", made.handle, static_cast<int>(of_options.size()), of_options.data());
    if (result != 0)
      refuse(std::string(of_.compiler) + " refused the operator (" + joined(options) + ", result " +
             std::to_string(result) + "): it says" + words_of_compiler(made.text("ProgramLog")));
    return made.text(of_.code);
  }

private:
  struct program {
    program(device_compiler const& by, std::string const& source, std::vector<char const*> const& texts,
            std::vector<char const*> const& names)
        : owner(by)
    {
      owner.call("CreateProgram", &handle, source.c_str(), static_cast<char const*>("operator.cu"),
                 static_cast<int>(names.size()), texts.data(), names.data());
    }
    program(program const&) = delete;
    program& operator=(program const&) = delete;
    ~program() { static_cast<void>(owner.result_of("DestroyProgram", &handle)); }

    std::string text(std::string const& what) const
    {
      std::size_t size = 0;
      owner.call("Get" + what + "Size", handle, &size);
      std::string all(size, '\0');
      if (size > 0) owner.call("Get" + what, handle, all.data());
      return all;
    }

    device_compiler const& owner;
    void* handle = nullptr;
  };

  void demand() const
  {
    if (!is_there())
      refuse("there is no " + std::string(of_.compiler) + " (" + joined(in_toolkit(of_.compiler_files, toolkit_)) +
             " were looked for), by which operators for devices are compiled: say where the toolkit is in "
             "settings.toolkit or " +
             of_.home);
  }
  template <class... Arguments>
  int result_of(std::string const& name, Arguments... arguments) const
  {
    return library_.call<int>((of_.prefix + name).c_str(), arguments...);
  }
  template <class... Arguments>
  void call(std::string const& name, Arguments... arguments) const
  {
    if (int const result = result_of(name, arguments...); result != 0)
      refuse(of_.prefix + name + " failed (result " + std::to_string(result) + ", 0 expected)");
  }

  platform of_;
  std::string toolkit_;
  opened_library library_;
};

struct loaded_code {
  std::string binary;
  origin from;
};

// A source for an architecture, as "sm_90" or "gfx90a"; no GPU is needed. `header` is a form's own, or none.
inline loaded_code device_code(std::string const& source, std::string const& header, settings const& how,
                               platform const& of, std::string const& architecture)
{
  stopwatch const all;
  std::string const toolkit = of.toolkit(how.toolkit);
  std::string const headers = how.headers.empty() ? own_headers() : how.headers;
  cache const kept(how.cache);
  device_compiler const with(of, toolkit);
  words options{of.architecture + architecture, "-I" + headers};
  for (auto const& folder : how.include) options.push_back("-I" + folder);
  hash key;
  key.add(source).add(joined(options)).add(with.identity()).add(toolkit);
  key.add(std::to_string(interface_version)).add(headers_digest(headers));
  add_header(key, header, how.include);

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
inline loaded_code device_code(form const& f, options const& o, settings const& how, platform const& of,
                               std::string const& architecture, unit_kind const& kind = {})
{
  return device_code(device_source(f, o, of.device, kind), f.header(), how, of, architecture);
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

// The same of what is no product of lines: of each point (Q, D + 1) the values and derivatives of a basis' functions,
// and the weight where it is asked for: (Q, P (1 + D) + 1) or (Q, P (1 + D)).
inline std::vector<double> cell_table(sumfac::detail::cell_basis const& basis, int directions,
                                      std::vector<double> const& points, bool with_weights)
{
  auto const d = static_cast<std::size_t>(directions), size = static_cast<std::size_t>(basis.size());
  std::vector<long double> values(size), slopes(size * d);
  std::vector<double> table;
  for (std::size_t at = 0; at < points.size(); at += d + 1) {
    std::vector<long double> const place(points.begin() + static_cast<std::ptrdiff_t>(at),
                                         points.begin() + static_cast<std::ptrdiff_t>(at + d));
    basis.evaluate(place.data(), values.data(), slopes.data());
    for (std::size_t p = 0; p < size; ++p) {
      table.push_back(static_cast<double>(values[p]));
      for (std::size_t c = 0; c < d; ++c) table.push_back(static_cast<double>(slopes[p * d + c]));
    }
    if (with_weights) table.push_back(points[at + d]);
  }
  return table;
}

// Calls f with the mesh nodes of products of lines as a view.
template <class Function>
void with_mesh(options const& o, std::vector<double> const& nodes, index_t elements, int m, Function const& f)
{
  index_t const c = o.space.coordinates;
  if (o.space.directions == 3)
    f(sumfac::view(nodes.data(), elements, m, m, m, 3));
  else if (o.space.directions == 2)
    f(sumfac::view(nodes.data(), elements, m, m, c));
  else
    f(sumfac::view(nodes.data(), elements, m, c));
}

// The nodes of isoparametric elements, so many in each direction: (E, M^D C + C), relative to the first, and that.
inline std::vector<double> raised_nodes(options const& o, std::vector<double> const& nodes, index_t elements, int m,
                                        long double const* places, int kept)
{
  std::vector<double> numbers;
  auto const set = [&](int count, long double* to) { std::copy(places, places + count, to); };
  with_mesh(o, nodes, elements, m, [&](auto const& mesh) {
    constexpr int directions = static_cast<int>(std::remove_cvref_t<decltype(mesh)>::rank()) - 2;
    int const c = o.space.coordinates, count = c * sumfac::detail::node_box(kept, directions).all();
    numbers.resize(static_cast<std::size_t>(elements * (count + c)));
    sumfac::detail::raise_nodes<directions>(host(), mesh, set, kept, c,
                                            [&](index_t e, double const* relative, double const* first) {
                                              auto const at = numbers.begin() + e * (count + c);
                                              std::copy(first, first + c, std::copy(relative, relative + count, at));
                                            });
  });
  return numbers;
}

// The trilinear maps of all elements, (E, 8, 3), where the policy keeps those; else nothing.
//
// **Shapes** nodes (E, m, m, m, 3), (E, m, m, C), (E, m, C), or (E, M, 3) of tetrahedra and prisms, m being M.
// **Errors** geometry_error for elements that are farther from the policy's maps than the tolerance.
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
  auto const set_all = [&](auto const& mesh) {
    sumfac::detail::element_shapes const shapes(mesh, set, o.tolerance);
    if (is_affine)
      sumfac::detail::set_shapes<affine>(host(), shapes, made);
    else
      sumfac::detail::set_shapes<trilinear>(host(), shapes, made);
  };
  auto const set_cells = [&]<space Cell>() {
    auto const mesh = sumfac::view(nodes.data(), elements, m, 3);
    sumfac::detail::set_shapes<affine>(
        host(), sumfac::detail::cell_shapes<Cell, std::remove_const_t<decltype(mesh)>>(mesh, set, o.tolerance), made);
  };
  if (o.space.shape == cell_shape::simplex)
    set_cells.template operator()<tetrahedron(1)>();
  else if (o.space.shape == cell_shape::prism)
    set_cells.template operator()<prism(1)>();
  else
    with_mesh(o, nodes, elements, m, set_all);
  return made.numbers;
}

}  // namespace sumfac::jit::detail
