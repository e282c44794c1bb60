// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The catalogue: what can be measured, on every backend, the operators' types hidden behind it.
#pragma once

#include <sumfac/config.hpp>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace sumfac::bench {

// What one application, or an element's share of it, is credited with, and the bytes that it cannot do without.
struct cost {
  index_t flops = 0, bytes_read = 0, bytes_written = 0;
  constexpr index_t bytes() const { return bytes_read + bytes_written; }
};

// What is known of a device's kernel without measuring. Registers and local memory (stack and spills) are a thread's.
struct kernel_numbers {
  int threads = 0, scratch = 0, resident = 0, registers = 0, local_bytes = 0;
};

// A subject on a mesh, ready to be measured: one operator with random numbers in u, and one or several ways to use it.
class instance {
public:
  virtual ~instance() = default;

  virtual index_t elements() const = 0;
  virtual index_t dofs() const = 0;
  virtual cost work() const = 0;  // of one application

  // Seconds of one of `count` uses of a way, one behind the other.
  virtual double seconds(int way, int count) = 0;
  // The largest error of v, or of what else the way is for, over the allowed one (check.hpp).
  virtual double error(int way) = 0;
  // How far v is from what the last way gives, over twice the allowed error; 0 where there is nothing to compare.
  virtual double difference(int) { return 0; }
  virtual kernel_numbers numbers(int) { return {}; }

  std::vector<std::string> const& ways() const { return ways_; }
  int way(std::string const& name) const
  {
    auto const found = std::find(ways_.begin(), ways_.end(), name);
    if (found == ways_.end()) throw std::invalid_argument("this subject does not know the way " + name);
    return static_cast<int>(found - ways_.begin());
  }

protected:
  explicit instance(std::vector<std::string> ways) : ways_(std::move(ways)) {}

private:
  std::vector<std::string> ways_;
};

// The first way of every instance but the ladder's: v = A u.
inline constexpr int apply_way = 0;

// Order of the vectors u and v.
enum class vector_layout { interleaved, right };

struct request {
  index_t elements = 1;
  int threads = 0;  // OpenMP's choice where 0
  vector_layout layout = vector_layout::interleaved;
  bool atomic = false;  // whether the way `atomic` is asked for
};

// On which vectors an operator is applied; on global ones meshes have 2^s elements.
enum class vector_kind { element, global };

struct subject {
  std::string problem;   // "BP3.5"
  std::string backend;   // "host"
  std::string scalar;    // "f64"
  std::string geometry;  // "stored"
  int order, points, components;
  vector_kind vectors;
  int width;              // elements side by side in a register
  index_t element_bytes;  // read and written per element, of E-vectors
  std::string tuning;     // on devices
  std::unique_ptr<instance> (*make)(request const&);
  int dimension = 3;  // of the elements: hexahedra, or quadrilaterals

  // "BP3.5/host/f64/trilinear/N:7/memory", "BP3.5/2D/host/f64/N:7/memory"; stored geometry and hexahedra are not named.
  std::string name(std::string const& size) const
  {
    std::string const policy = geometry == "stored" ? "" : "/" + geometry;
    std::string const where = dimension == 3 ? "" : "/" + std::to_string(dimension) + "D";
    return problem + where + "/" + backend + "/" + scalar + policy + "/N:" + std::to_string(order) + "/" + size;
  }
  // "BP5-trilinear", "BP5", "BP5-2D"
  std::string problem_and_geometry() const
  {
    std::string const where = dimension == 3 ? "" : "-" + std::to_string(dimension) + "D";
    return problem + where + (geometry == "stored" ? "" : "-" + geometry);
  }

  double element_dofs() const { return components * std::pow(order, dimension); }

  // The mesh that has about so many degrees of freedom: whole groups of elements, or the nearest 2^s of them.
  index_t elements_for(double dofs) const
  {
    if (vectors == vector_kind::global) return power(std::round(std::log2(dofs / element_dofs())));
    index_t const groups = std::lround(dofs / element_dofs()) / width;
    return width * std::max<index_t>(groups, 1);
  }
  // The smallest of 2^s elements that has so many at least.
  index_t elements_reaching(double dofs) const { return power(std::ceil(std::log2(dofs / element_dofs()) - 0.01)); }

private:
  static index_t power(double exponent) { return index_t{1} << std::max(0, static_cast<int>(exponent)); }
};

// What Instance makes subjects of: a problem in one kind of numbers and geometry.
template <class Instance, class Problem, class Kind>
subject subject_of(std::string const& backend, int order, int points, int components, vector_kind vectors, int width,
                   index_t element_bytes, std::string const& tuning = "", int dimension = 3)
{
  auto const make = [](request const& r) -> std::unique_ptr<instance> { return std::make_unique<Instance>(r); };
  return {Problem::name, backend, Kind::scalar,  Kind::geometry, order, points,   components,
          vectors,       width,   element_bytes, tuning,         make,  dimension};
}

// All that is in this program, in the order in which its sources enter theirs.
inline std::vector<subject>& catalogue()
{
  static std::vector<subject> all;
  return all;
}

// The names of its problems, each once.
inline std::vector<std::string> problem_names()
{
  std::vector<std::string> names;
  for (auto const& s : catalogue())
    if (std::find(names.begin(), names.end(), s.problem) == names.end()) names.push_back(s.problem);
  return names;
}

struct entered {
  explicit entered(std::vector<subject> const& all) { catalogue().insert(catalogue().end(), all.begin(), all.end()); }
};

}  // namespace sumfac::bench
