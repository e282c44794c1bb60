// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What can be measured on a device: one entry per problem, scalar, degree and tuning, the operator's type hidden.
#pragma once

#include <sumfac/config.hpp>
#include <sumfac/operator/tuning.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace sumfac::bench {

// What is known of a subject without measuring. Registers and local memory (stack and spills) are a thread's.
struct device_numbers {
  std::int64_t flops = 0, bytes_read = 0, bytes_written = 0;
  int threads = 0, scratch = 0, resident = 0, registers = 0, local_bytes = 0;
};

// An operator on a device's mesh, with a random u and a v there.
class device_subject {
public:
  virtual ~device_subject() = default;

  // Queues `count` applications of v = A u and returns the seconds which the device took.
  virtual double seconds(int count) = 0;
  // Applies to a v of NaN and compares elements of v with the reference: the largest error over the allowed one.
  virtual double error() = 0;

  device_numbers numbers;
};

struct device_entry {
  std::string problem, scalar;
  int order;
  tuning tuned;
  index_t element_bytes;  // read and written per element
  std::unique_ptr<device_subject> (*make)(index_t elements);
};

// All that is in this program: each source file enters its own.
inline std::vector<device_entry>& device_catalogue()
{
  static std::vector<device_entry> all;
  return all;
}

struct device_entries {
  explicit device_entries(std::vector<device_entry> const& some)
  {
    device_catalogue().insert(device_catalogue().end(), some.begin(), some.end());
  }
};

// In check.cpp, for the host's compiler: the error of one element over what rounding may do.
//   u, v: (n, n, n); vertices: (2, 2, 2, 3)
double element_error(std::string const& problem, bool single, int order, double const* vertices, double const* u,
                     double const* v);

// In check.cpp: the vertices (E, 2, 2, 2, 3) of the benchmarks' mesh.
std::vector<double> mesh_vertices(index_t elements);

}  // namespace sumfac::bench
