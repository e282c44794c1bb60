// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The oracle's code, compiled once for all test programs, and optimized in those that are not.
#include "reference.hpp"

template class reference::element<reference::real>;
