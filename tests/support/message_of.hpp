// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What is said where something is refused.
#pragma once

#include <sumfac/error.hpp>

#include <string>

namespace support {

// The words of the error of this kind that f throws; none where it throws none.
template <class Error = sumfac::argument_error, class Function>
std::string message_of(Function const& f)
{
  try {
    f();
  } catch (Error const& error) {
    return error.what();
  }
  return {};
}

}  // namespace support
