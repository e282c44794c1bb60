// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The headers, and what a program instantiates of them, compile with LLVM's standard library.
// options: -stdlib=libc++

#include "program.hpp"
