// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The source of an operator that is compiled at run time, and the key of what it is compiled to.
#pragma once

#include <sumfac/jit/detail/cache.hpp>
#include <sumfac/jit/detail/interface.hpp>
#include <sumfac/jit/form.hpp>
#include <sumfac/jit/options.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

namespace sumfac::SUMFAC_TARGET::jit::detail {

// The folder above sumfac/ that this header was read from.
inline std::string own_headers()
{
  return std::filesystem::absolute(__FILE__).parent_path().parent_path().parent_path().parent_path().string();
}

inline std::string code_of_space(space const& s)
{
  char const* const shape = s.shape == cell_shape::lines     ? "lines"
                            : s.shape == cell_shape::simplex ? "simplex"
                            : s.shape == cell_shape::prism   ? "prism"
                                                             : nullptr;
  if (s.own_nodes != nullptr || s.family != function_family::nodal || shape == nullptr)
    fail("jit::element_operator",
         "the space is none of lines, quadrilaterals, hexahedra, triangles, tetrahedra and prisms with nodes of the "
         "library's: compile such an operator ahead");
  if (s.degree < 1 || s.degree > 31) failf("jit::element_operator", "the degree is %d (1 to 31 expected)", s.degree);
  char const* const nodes = s.nodes == node_placement::gauss_lobatto ? "gauss_lobatto"
                            : s.nodes == node_placement::gauss       ? "gauss"
                                                                     : "equispaced";
  std::string const degree = std::to_string(s.degree);
  if (s == space(s.degree)) return degree;
  return "sumfac::space{" + degree + ", " + std::to_string(s.directions) + ", " + std::to_string(s.coordinates) +
         ", sumfac::node_placement::" + nodes +
         ", nullptr, sumfac::function_family::nodal, sumfac::cell_shape::" + shape + "}";
}

inline std::string code_of_numbers(numbers of)
{
  constexpr char const* names[] = {"double", "float", "sumfac::high_low", "sumfac::low_high"};
  return names[static_cast<int>(of)];
}

// The types `form` and `of_form`, by which others make a form.
inline std::string code_of_form(form const& f)
{
  return (f.header().empty() ? "" : "#include \"" + f.header() + "\"\n") +
         (f.is_tangent() ? "#include <sumfac/form/tangent.hpp>\n#include <type_traits>\n" : "") +
         "struct of_form {\n  SUMFAC_FUNCTION static auto made([[maybe_unused]] sumfac::jit::detail::given_values "
         "const& given)\n  "
         "{\n" +
         f.code() + "  }\n};\nusing form = decltype(of_form::made(sumfac::jit::detail::given_values{nullptr}));\n";
}

inline std::string operator_options(options const& o)
{
  std::string const usual = "sumfac::detail::usual_rule<sumfac::space{" + code_of_space(o.space) + "}>";
  return (o.points.code.empty() ? usual : o.points.code) + ", " + code_of_numbers(o.precision) + ", " +
         o.geometry.code();
}

// The whole source of a unit, for the host: of E-vectors, or of global vectors.
inline std::string host_source(form const& f, options const& o, bool on_global_vectors)
{
  std::string const functions = on_global_vectors ? "global_functions" : "functions",
                    unit = on_global_vectors ? "global_unit<made>" : "unit<made, of_form>";
  return "// Made by sumfac::jit.\n#include <sumfac/jit/detail/unit.hpp>\n" + code_of_form(f) +
         "using made = sumfac::element_operator<form, " + code_of_space(o.space) + ", " + operator_options(o) +
         ">;\nextern \"C\" __attribute__((visibility(\"default\"))) sumfac::jit::detail::" + functions + " const* " +
         entry_name + "()\n{\n  return sumfac::jit::detail::" + unit + "::all();\n}\n";
}

// The same for a device: its kernel, and those that set it up. The device is a type, as sumfac::detail::cuda_device.
inline std::string device_source(form const& f, options const& o, std::string const& device, unit_kind const& kind = {})
{
  std::string const geometry = o.geometry.code();
  bool const is_tensor = sumfac::detail::is_tensor(o.space), is_solid = o.space.directions == 3,
             is_affine = geometry == policy(affine{}).code(), is_split = geometry == policy(sumfac::split{}).code();
  if (geometry != policy(stored{}).code() && (is_tensor ? is_split : !(is_affine && is_solid)))
    fail("jit::device_operator", std::string("devices have geometry that is ") +
                                     (is_tensor  ? "stored, affine, trilinear or isoparametric ("
                                      : is_solid ? "stored or affine ("
                                                 : "stored (") +
                                     geometry + " is asked for)");
  auto const code_of = [](bool is) { return is ? "true" : "false"; };
  std::string source = "// Made by sumfac::jit.\n#include <sumfac/jit/detail/device_unit.hpp>\n" + code_of_form(f) +
                       "using unit = sumfac::jit::detail::device_unit<" + device + ", of_form, sumfac::space{" +
                       code_of_space(o.space) + "}, " + operator_options(o) + ", sumfac::jit::detail::unit_kind{" +
                       code_of(kind.on_global) + ", " + code_of(kind.is_diagonal) + ", " + code_of(kind.is_listed) +
                       ", " + std::to_string(kind.input) + "}>;\n";
  for (char const* name : {"set_up", "make"}) {
    if (kind != unit_kind{} && std::string(name) == "set_up") continue;  // what the operator's first unit has done
    source += std::string("SUMFAC_DEVICE_ENTRY void sumfac_jit_") + name +
              "(sumfac::jit::detail::device_parts const parts) { unit::" + name + "(parts); }\n";
  }
  return source +
         "SUMFAC_DEVICE_ENTRY SUMFAC_LAUNCH_BOUNDS(unit::block::threads, unit::block::resident) void\nsumfac_jit_apply("
         "SUMFAC_GRID_CONSTANT unit::kernel const kernel, sumfac::index_t first, sumfac::index_t groups)\n{\n"
         "  sumfac::detail::run_block<" +
         device + ">(kernel, first, groups);\n}\n";
}
// What the library's headers in a folder hash to; read once.
inline std::string headers_digest(std::string const& folder)
{
  static std::mutex one_at_a_time;
  static std::map<std::string, std::string> known;
  std::lock_guard const lock(one_at_a_time);
  std::string& digest = known[folder];
  if (!digest.empty()) return digest;
  std::vector<std::string> files;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator at(folder + "/sumfac", error), end; !error && at != end;
       at.increment(error))
    if (at->path().extension() == ".hpp") files.push_back(at->path().string());
  if (error || files.empty())
    refuse("the library's headers are not there: " + folder +
           "/sumfac/*.hpp: say where they are in settings.headers, the folder that has sumfac/ in it");
  std::sort(files.begin(), files.end());
  hash all;
  for (auto const& file : files) all.add(file.substr(folder.size())).add(content_of(file));
  digest = all.digits();
  return digest;
}

// A form's header and what it includes between quotes, as far as these are found beside it or in the folders.
inline void add_header(hash& all, std::string const& header, std::vector<std::string> const& folders,
                       std::set<std::string>& seen)
{
  for (auto const& folder : folders) {
    std::error_code error;
    auto const path = std::filesystem::path(folder) / header;  // header itself, where it is absolute
    if (!std::filesystem::is_regular_file(path, error)) continue;
    if (!seen.insert(path.string()).second) return;
    std::string const text = content_of(path.string());
    all.add(path.string()).add(text);
    std::vector<std::string> inside{path.parent_path().string()};
    inside.insert(inside.end(), folders.begin(), folders.end());
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      auto const hash_sign = line.find_first_not_of(" \t");
      if (hash_sign == std::string::npos || line[hash_sign] != '#' || line.find("include") == std::string::npos)
        continue;
      auto const open = line.find('"');
      auto const close = open == std::string::npos ? open : line.find('"', open + 1);
      if (close != std::string::npos) add_header(all, line.substr(open + 1, close - open - 1), inside, seen);
    }
    return;
  }
}

inline void add_header(hash& all, std::string const& header, std::vector<std::string> const& include)
{
  if (header.empty()) return;
  std::vector<std::string> folders{std::filesystem::current_path().string()};
  folders.insert(folders.end(), include.begin(), include.end());
  std::set<std::string> seen;
  add_header(all, header, folders, seen);
}

// What the processor is, where code is for this one alone.
inline std::string processor()
{
  std::ifstream file("/proc/cpuinfo");
  std::string text;
  for (std::string line; std::getline(file, line) && !line.empty();)
    for (char const* wanted : {"model name", "flags", "Features", "CPU part"})
      if (line.rfind(wanted, 0) == 0) text += line + '\n';
  return text;
}

}  // namespace sumfac::jit::detail
