// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The headers and what a program instantiates of them give no warnings where sumfac's own builds ask for them.
// options: -DSUMFAC_OWN_WARNINGS -Wshadow -Wconversion -Wold-style-cast -Wdouble-promotion -Wextra-semi -Wcast-align
// options: -Wnon-virtual-dtor -Woverloaded-virtual -Wpedantic

#include <all_headers.hpp>

#include "program.hpp"
