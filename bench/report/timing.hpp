// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Clocks, and the middle of some samples.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <vector>

namespace sumfac::bench {

// Seconds since some moment.
inline double now()
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Seconds that this process has computed for, all threads together, which others on the machine change little.
inline double processor_seconds()
{
  std::timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Seconds of one of so many calls, one behind the other.
template <class Call>
double seconds_of(int repeats, Call const& call)
{
  double const begin = now();
  for (int i = 0; i < repeats; ++i) call();
  return (now() - begin) / repeats;
}

// Says now and then that results are to be written, so that a program that is ended loses little.
class now_and_then {
public:
  bool due()
  {
    if (now() < next_) return false;
    next_ = now() + 1;
    return true;
  }

private:
  double next_ = 0;
};

// The middle of some numbers, the upper one where two are in the middle.
inline double median(std::vector<double> x)
{
  auto const middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
  std::nth_element(x.begin(), middle, x.end());
  return *middle;
}

}  // namespace sumfac::bench
