// SPDX-FileCopyrightText: The sumfac authors
// SPDX-License-Identifier: BSD-3-Clause
// The rungs of BP1.0, for `ladder_counts`.
#include "counts.hpp"

static sumfac::ladder::counted<sumfac::ladder::bp1_ladder, SUMFAC_LADDER_ORDERS> const here;
