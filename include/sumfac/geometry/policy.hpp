// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// Geometry policies: where a kernel gets a form's factors from.
#pragma once

namespace sumfac {

// The form's setup runs once, when the operator is made, and its factors are kept for every point of every element.
struct stored {};

}  // namespace sumfac
