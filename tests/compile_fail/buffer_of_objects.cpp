// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Memory for objects that bytes cannot copy.
// expect: sumfac::buffer<T>: T must be trivially copyable
#include <sumfac/backend/buffer.hpp>

#include <string>

#if defined(SUMFAC_FITS)
using entry = char;
#else
using entry = std::string;
#endif

void* data(sumfac::buffer<entry>& x)
{
  return x.data();
}
