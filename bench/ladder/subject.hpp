// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the ladder's program measures: one entry per problem and degree, the kernels' types hidden.
#pragma once

#include <sumfac/config.hpp>

#include <memory>
#include <string>
#include <vector>

namespace sumfac::ladder {

// What is known of a rung without measuring. Registers and local memory (stack and spills) are a thread's.
struct rung_numbers {
  int threads = 0, scratch = 0, resident = 0, registers = 0, local_bytes = 0;
};

// How far a rung's v is off: on some elements from the tests' reference, over the allowed error; and on all from
// the last rung's, over twice the largest allowed error.
struct deviations {
  double error, difference;
};

// All rungs of a problem's ladder on one mesh of a device. Rungs are 0, 1, ..., the last is this library's operator.
class subject {
public:
  virtual ~subject() = default;

  // Refuses a rung whose scratch the device does not hold, by an exception with both numbers.
  virtual rung_numbers numbers(int rung) = 0;
  // Applies to a v of NaN and compares.
  virtual deviations check(int rung) = 0;
  // Queues `count` applications and returns the seconds that each took.
  virtual double seconds(int rung, int count) = 0;

  std::vector<std::string> names;  // of the rungs
};

struct entry {
  std::string problem;
  int order;
  index_t flops, bytes_read, bytes_written;  // of one element, as the paper counts them
  std::unique_ptr<subject> (*make)(index_t elements);
};

// All that is in this program: each source file enters its own.
inline std::vector<entry>& catalogue()
{
  static std::vector<entry> all;
  return all;
}

struct entered {
  explicit entered(entry const& one) { catalogue().push_back(one); }
};

// In check.cpp, for the host's compiler: what v must be on one element, and how far rounding may take it from there.
struct expectation {
  std::vector<double> v;  // (n, n, n)
  double allowed;
};

// u: (n, n, n); vertices: (2, 2, 2, 3)
expectation expected(std::string const& problem, int order, double const* vertices, double const* u);

}  // namespace sumfac::ladder
