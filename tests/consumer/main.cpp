// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// A stranger's program: it includes the library as its build found it and uses a little of it.
#include <sumfac/config.hpp>
#include <sumfac/error.hpp>

#include <cstdio>

int main()
{
  try {
    sumfac::check_equal("consumer", "extent 0 of nothing", 1, 2);
  } catch (sumfac::argument_error const& error) {
#if defined(_OPENMP)
    char const* const threads = "OpenMP";
#else
    char const* const threads = "no OpenMP";
#endif
    std::printf("sumfac %d.%d.%d, %s: %s\n", SUMFAC_VERSION_MAJOR, SUMFAC_VERSION_MINOR, SUMFAC_VERSION_PATCH, threads,
                error.what());
    return 0;
  }
  return 1;
}
