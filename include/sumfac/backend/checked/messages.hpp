// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The messages of the checked backend's findings.
#pragma once

#include <sumfac/backend/detail/own_string.hpp>
#include <sumfac/backend/detail/own_vector.hpp>
#include <sumfac/config.hpp>

#include <cstddef>
#include <string_view>

namespace sumfac::SUMFAC_TARGET::detail {

// "[3, 4]"
inline own_string in_brackets(own_vector<index_t> const& numbers)
{
  own_string text = "[";
  for (index_t const number : numbers) text += (text.size() > 1 ? ", " : "") + in_digits(number);
  return text + "]";
}

// "thread 3" or "threads 0-2, 7"; ascending ranks.
inline own_string thread_list(own_vector<int> const& ranks)
{
  own_string text;
  for (std::size_t first = 0, last; first < ranks.size(); first = last + 1) {
    for (last = first; last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1;) ++last;
    text += (text.empty() ? "" : ", ") + in_digits(ranks[first]);
    if (last > first) text.append("-").append(in_digits(ranks[last]));
  }
  return (ranks.size() == 1 ? "thread " : "threads ") + text;
}

// "in phase 'x'"
inline own_string in_phase(std::string_view phase)
{
  return phase.empty() ? "before the first phase" : "in phase '" + own_string(phase) + "'";
}

// The file's name without its folders, and the line.
inline own_string call_site(std::string_view file, int line)
{
  return own_string(file.substr(file.find_last_of('/') + 1)) + ":" + in_digits(line);
}

// `sumfac::checked: problem where (details) advice`
inline own_string finding_message(std::string_view problem, std::string_view phase, index_t group,
                                  std::string_view details, std::string_view advice)
{
  own_string text = "sumfac::checked: ";
  text.append(problem).append(" ").append(in_phase(phase)).append(" of group ").append(in_digits(group));
  return text.append(" (").append(details).append(") ").append(advice);
}

}  // namespace sumfac::detail
