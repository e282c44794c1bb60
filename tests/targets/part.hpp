// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// What each target of the program is asked for: the same numbers, by code of its own.
#pragma once

namespace parts {

constexpr int most_numbers = 64;

// Writes the numbers that a part computed, and returns how many.
using part = int (*)(double* numbers);

// Throws what the library throws for a bad argument, from code of the part's target.
using refusal = void (*)();

}  // namespace parts

// Declares one part's functions.
#define PARTS_DECLARE(name)            \
  namespace parts {                    \
  int compute_##name(double* numbers); \
  void refuse_##name();                \
  }
