// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What the passes do on `checked`, where nothing is timed.
#pragma once

#include "measure.hpp"

#include <sumfac/backend/checked.hpp>

#include <cstdio>
#include <string>
#include <vector>

namespace sumfac::bench {

struct stream_count {
  std::string pass;
  index_t entries;
  checked_counts counts;

  json_object json() const
  {
    json_object row;
    row("backend", "checked")("pass", pass)("entries", entries)("groups", counts.groups)("barriers", counts.barriers);
    return row("scratch_reads", counts.reads.entries)("scratch_writes", counts.writes.entries);
  }
};

// Teams, barriers, and traffic of scratch of each pass.
inline std::vector<stream_count> count_passes(stream_options const& o)
{
  std::vector<stream_count> counted;
  for (auto const& pass : pass_names()) {
    if (!command_line::listed(o.passes, pass)) continue;
    checked const backend;
    check_pass(backend, pass);
    backend.clear();
    if (pass == "gather" || pass == "scatter") {
      mesh_streams<checked> streams(backend, box_of_elements(2, 3));
      streams.run(pass);
      counted.push_back({pass, streams.entries(), backend.counts()});
    } else {
      index_t const size = 3 * 4096;
      vector_streams<checked> streams(backend, size);
      backend.clear();
      static_cast<void>(streams.run(pass, size));
      counted.push_back({pass, size, backend.counts()});
    }
  }
  return counted;
}

inline void print_counts(std::vector<stream_count> const& counts)
{
  if (!counts.empty()) std::printf("\nchecked, nothing timed\n");
  for (auto const& c : counts)
    std::printf("%-9s %8lld entries %6lld teams %8lld barriers, scratch: %lld reads, %lld writes\n", c.pass.c_str(),
                static_cast<long long>(c.entries), static_cast<long long>(c.counts.groups),
                static_cast<long long>(c.counts.barriers), static_cast<long long>(c.counts.reads.entries),
                static_cast<long long>(c.counts.writes.entries));
}

}  // namespace sumfac::bench
