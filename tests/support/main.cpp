// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The main function of every test program: Catch2 version 2 compiles it here, version 3 links its own.
#if !defined(SUMFAC_CATCH_MAIN_IS_LINKED)
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
#endif
