# SPDX-FileCopyrightText: The sumfac authors
# SPDX-License-Identifier: BSD-3-Clause
# The package of the library: it needs sumfac, installed beside it or elsewhere.
include(CMakeFindDependencyMacro)
find_dependency(sumfac 0.1)
include(${CMAKE_CURRENT_LIST_DIR}/middle-targets.cmake)
