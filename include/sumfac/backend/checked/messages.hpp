// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The sentences of the checked backend's findings.
#pragma once

#include <sumfac/config.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sumfac::inline SUMFAC_TARGET::detail {

// "[3, 4]"
inline std::string in_brackets(std::vector<index_t> const& numbers)
{
  std::string text = "[";
  for (index_t const number : numbers) text += (text.size() > 1 ? ", " : "") + std::to_string(number);
  return text + "]";
}

// "thread 3" or "threads 0-2, 7"; ascending ranks.
inline std::string thread_list(std::vector<int> const& ranks)
{
  std::string text;
  for (std::size_t first = 0, last; first < ranks.size(); first = last + 1) {
    for (last = first; last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1;) ++last;
    text += (text.empty() ? "" : ", ") + std::to_string(ranks[first]);
    if (last > first) text.append("-").append(std::to_string(ranks[last]));
  }
  return (ranks.size() == 1 ? "thread " : "threads ") + text;
}

// "in phase 'x'"
inline std::string in_phase(std::string_view phase)
{
  return phase.empty() ? "before the first phase" : "in phase '" + std::string(phase) + "'";
}

// The file's name without its folders, and the line.
inline std::string call_site(std::string_view file, int line)
{
  return std::string(file.substr(file.find_last_of('/') + 1)) + ":" + std::to_string(line);
}

// `sumfac::checked: problem where (details) advice`
inline std::string finding_message(std::string_view problem, std::string_view phase, index_t group,
                                   std::string_view details, std::string_view advice)
{
  std::string text = "sumfac::checked: ";
  text.append(problem).append(" ").append(in_phase(phase)).append(" of group ").append(std::to_string(group));
  return text.append(" (").append(details).append(") ").append(advice);
}

}  // namespace sumfac::detail
