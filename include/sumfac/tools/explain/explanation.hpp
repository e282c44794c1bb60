// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What explain() is asked and says: options, an explanation, advice.
#pragma once

#include <sumfac/mesh/classify.hpp>
#include <sumfac/tools/roofs.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace sumfac::SUMFAC_TARGET {

// What a piece of advice is about: the policy for the geometry, the form and what it does in kernels, types of numbers,
// the nodes' numbers, threads and where they run, the pages that memory is in, the processor that is compiled for.
enum class advice_on { geometry, form, precision, numbering, threads, huge_pages, target };

// `gain`: how many times as fast as now: as it was timed, or at most, by the roofs; 0 where that is not known.
struct advice {
  advice_on on = advice_on::geometry;
  double gain = 0;
  std::string text;
  bool timed = false;
};

// How explain() goes about it.
struct explain_options {
  machine_roofs roofs = {};          // the machine's, where they are known: else explain() looks for its own
  std::string cache = roofs_file();  // where those are kept from run to run; empty: nowhere
  double seconds = 0.05;             // for which applications are timed; 0: none is
  double reached = 0;                // seconds of an application that you have timed, in place of that
  double least_gain = 1.1;           // of advice that is worth a line
  // Of each element, as classify(nodes) has them; else stored factors say whether all elements are affine.
  std::vector<geometry_class> classes = {};
};

// Made by explain(A), of an application of A to E-vectors, or by explain(A, R), of one to global vectors.
//
//     std::cout << explain(A, R);
//
// Seconds are the least that bytes, flops and roofs allow, 0 where the roofs are not known. What is in no roof, as the
// latency of memory and the start of threads, makes an application take longer.
struct explanation {
  // Which limit is the highest.
  enum class limit { unknown, memory, caches, arithmetic };

  // Bytes of an application.
  struct moved {
    index_t read = 0, written = 0;  // entries of u and v, or of x and y, each once
    index_t factors = 0;            // of the geometry, as its policy has it, and of inputs that are kept
    index_t indices = 0;            // a restriction's table
    index_t again = 0;              // lines of x and y that are moved for a part of them, copies of shared nodes

    constexpr index_t all() const { return read + written + factors + indices + again; }
  };

  std::string what, machine, roofs_from;
  index_t elements = 0, unknowns = 0;
  moved bytes;
  index_t flops = 0, geometry_flops = 0;  // as work() has them
  index_t multiply_adds = 0;              // flops of those that the even-odd split leaves, and of form and geometry
  machine_roofs roofs;
  bool in_caches = false;  // whether all that is moved stays in the last-level caches
  double memory_seconds = 0, arithmetic_seconds = 0;
  limit bound = limit::unknown;
  double seconds = 0;         // that an application took, 0 where none was timed
  double lines_of_least = 0;  // cache lines gathered, in units of the fewest that would do; 0: no global vectors
  std::vector<advice> what_helps;
  std::vector<std::string> warnings;

  // The least that the roofs allow.
  double least_seconds() const { return memory_seconds > arithmetic_seconds ? memory_seconds : arithmetic_seconds; }
  // Which part of it was reached: 1 is all.
  double reached() const { return seconds > 0 ? least_seconds() / seconds : 0; }
  // Credited flops a byte.
  double intensity() const
  {
    return bytes.all() > 0 ? static_cast<double>(flops) / static_cast<double>(bytes.all()) : 0;
  }

  // In sentences and small tables; as JSON, on one line.
  std::string text() const;
  std::string json() const;
};

template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, explanation const& e)
{
  return out << e.text();
}

}  // namespace sumfac
