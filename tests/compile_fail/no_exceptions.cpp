// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Without exceptions the headers are refused, before the compiler finds what it cannot do.
// options: -fno-exceptions
// expect: sumfac: exceptions are off (-fno-exceptions), and errors are reported by them: compile with -fexceptions
// errors: 3
#include <sumfac/sumfac.hpp>
