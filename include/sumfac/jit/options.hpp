// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What an operator that is compiled at run time has as values where others have types, and how it is compiled.
#pragma once
#if !defined(SUMFAC_OWN_WARNINGS)
#pragma GCC system_header
#endif

#include <sumfac/basis/space.hpp>
#include <sumfac/error.hpp>
#include <sumfac/mesh/policy.hpp>

#include <string>
#include <vector>

namespace sumfac::SUMFAC_TARGET::jit {

// A rule of points, as a type names it: sumfac::gauss<6>.
struct rule {
  std::string code;  // empty: gauss<degree + 2>
};
inline rule gauss(int points) { return {"sumfac::gauss<" + std::to_string(points) + ">"}; }
inline rule gauss_lobatto(int points) { return {"sumfac::gauss_lobatto<" + std::to_string(points) + ">"}; }

// Numbers of vectors and kernels: double, float, and the two mixes of sumfac::high_low and sumfac::low_high.
enum class numbers { f64, f32, high_low, low_high };

// A geometry policy, made of one of sumfac's: stored{}, affine{}, trilinear{}, isoparametric<>{}, split{}.
class policy {
public:
  template <geometry_policy Policy>
  policy(Policy) : code_(std::string("sumfac::") + sumfac::detail::name_of_policy<Policy>())
  {
    if constexpr (sumfac::detail::is_isoparametric<Policy>)
      code_ = isoparametric(sumfac::detail::nodes_per_edge<Policy>).code_;
  }
  static policy isoparametric(int nodes_per_edge)
  {
    policy made{stored{}};
    made.code_ = "sumfac::isoparametric<" + std::to_string(nodes_per_edge) + ">";
    return made;
  }

  std::string const& code() const { return code_; }

private:
  std::string code_;
};

struct options {
  sumfac::space space;  // a number is the degree on hexahedra; or sumfac::quadrilateral(degree), line(degree), ...
  rule points = {};
  numbers precision = numbers::f64;
  policy geometry = stored{};
  double tolerance = geometry_tolerance;  // how far elements may be from the maps that the policy puts in their place
};

// How operators are compiled, and where compiled ones are kept.
struct settings {
  std::string compiler = {};  // a program, perhaps with arguments; else $CXX, else c++
  std::vector<std::string> flags = {"-O3", "-march=native", "-fopenmp", "-DNDEBUG"};
  std::string headers = {};               // the folder with sumfac/; else that which this header was read from
  std::vector<std::string> include = {};  // folders for a form's own header
  std::string toolkit = {};  // for devices: else $CUDA_HOME or $ROCM_PATH, else /usr/local/cuda or /opt/rocm
  std::string cache = {};    // a folder that no one else may write into; else sumfac in $XDG_CACHE_HOME or ~/.cache
};

}  // namespace sumfac::jit
