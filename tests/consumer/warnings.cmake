# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
# The warnings that a user asks for stop at the headers by what CMake passes, without what the headers themselves do.
target_compile_definitions(consumer PRIVATE SUMFAC_OWN_WARNINGS)
target_compile_options(consumer PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wfloat-equal
  -Werror -Wno-psabi)
